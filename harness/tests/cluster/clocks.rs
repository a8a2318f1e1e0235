//! Clocks of the day that are wrong: nothing of a fleet looks at them but TLS, which has a day to spare.
//!
//! They need libfaketime (Debian's package `faketime`) or TANREN_FAKETIME=LIBRARY, say so if it is not there, and fail then if
//! TANREN_REQUIRE_FAKETIME is set.

use std::path::PathBuf;

use crate::common::{stderr, tanren};
use crate::support::{Clock, Fleet, Machine, assert_same, begin, play_here, wait_for_pairs};

const MATCH: [&str; 9] = [
    "match",
    "--a",
    "base",
    "--b",
    "base,null_move=off",
    "--nodes",
    "400",
    "--pairs",
    "40",
];

/// Where Debian and others have it.
const PLACES: [&str; 4] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib64/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
];

/// A clock that is wrong by so many hours; `None` if there is no library for it here.
fn clock(hours: i64) -> Option<Clock> {
    let given = std::env::var_os("TANREN_FAKETIME").map(PathBuf::from);
    let library = given.or_else(|| PLACES.iter().map(PathBuf::from).find(|path| path.is_file()));
    if library.is_none() {
        eprintln!("there is no libfaketime, and no TANREN_FAKETIME: no clock was set wrong");
        assert!(
            std::env::var_os("TANREN_REQUIRE_FAKETIME").is_none(),
            "TANREN_REQUIRE_FAKETIME asks for libfaketime"
        );
    }
    Some(Clock {
        library: library?,
        hours,
    })
}

#[test]
fn the_clocks_of_these_tests_are_wrong() {
    let Some(clock) = clock(24 * 400) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut command = tanren();
    clock.set(&mut command);
    let args = [
        "match", "--a", "base", "--b", "plain", "--nodes", "1", "--pairs", "1",
    ];
    let played = command.args(args).current_dir(folder.path()).output().unwrap();
    assert!(played.status.success(), "{}", stderr(&played));
    let made = std::fs::read_dir(folder.path().join("results")).unwrap().next();
    let name = made.unwrap().unwrap().file_name().into_string().unwrap();
    let year = |clock: Option<&Clock>| {
        let mut date = std::process::Command::new("date");
        clock.inspect(|clock| clock.set(&mut date));
        String::from_utf8(date.arg("+%Y").output().unwrap().stdout)
            .unwrap()
            .trim()
            .to_owned()
    };
    assert!(name.starts_with(&year(Some(&clock))), "{name}");
    assert!(!name.starts_with(&year(None)), "{name}");
}

#[test]
fn workers_whose_clocks_are_an_hour_off_play_as_others_do() {
    let (Some(fast), Some(slow)) = (clock(1), clock(-1)) else {
        return;
    };
    let Some(mut fleet) = Fleet::start(2) else { return };
    fleet.encrypt();
    let _workers = [fleet.worker_at(1, &fast), fleet.worker_at(2, &slow)];
    let mut run = begin(&fleet, &MATCH);
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn a_coordinator_whose_clock_is_an_hour_off_is_taken_over_by_one_whose_clock_is_wrong_the_other_way() {
    let (Some(fast), Some(slow)) = (clock(1), clock(-1)) else {
        return;
    };
    let Some(mut fleet) = Fleet::start(2) else { return };
    fleet.encrypt();
    let _workers = fleet.workers(2);
    let cluster = ["--cluster", "coordinator.toml", "--out", "fleet"];
    let command = [&MATCH[..], &cluster].concat();
    let mut run = Machine::start_at(fleet.path(), &command, Some(&fast));
    wait_for_pairs(&fleet, &mut run, 4);
    run.kill();
    let mut again = Machine::start_at(fleet.path(), &command, Some(&slow));
    assert!(again.end().success(), "{}", again.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}
