//! Nights on a fleet: jobs beside one another leave what they leave one after the other on one machine.

use std::collections::BTreeMap;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::columns_but_times;
use crate::support::{BOUND, Fleet, Machine, Office, assert_same, begin, play_here, stored_pairs};

/// Two matches of a length that is known.
const MATCHES: &str = r#"
[[job]]
name = "one"
command = "match"
a = "base"
b = "base,lmr=off"
nodes = 150
pairs = 100

[[job]]
name = "two"
command = "match"
a = "base"
b = "base,reverse_futility=off"
nodes = 200
pairs = 40
"#;
/// Pairs of each.
const PAIRS: [u64; 2] = [100, 40];
/// A test with two jobs that wait for its verdict, a tournament and a tuning.
const MORE: &str = r#"
[[job]]
name = "test"
command = "match"
a = "base"
b = "plain"
nodes = 200
pairs = 100
sprt = "elo0=-50,elo1=50"

[[job]]
name = "after"
command = "ablate"
only_if = "test.accepted"
only = "lmr"
nodes = 60
pairs = 4
node_depth = 2

[[job]]
name = "never"
command = "match"
only_if = "test.rejected"

[[job]]
name = "ranking"
command = "tournament"
player = ["base", "plain", "base,lmr=off"]
nodes = 100
pairs = 4

[[job]]
name = "tuning"
command = "tune"
priority = -1
tune = "futility.*"
iterations = 4
pairs_per_iteration = 2
nodes = 100
confirm_pairs = 4
"#;
const RUN: [&str; 2] = ["run", "night.toml"];
/// How long a wish to stop may take.
const SOON: Duration = Duration::from_secs(20);

fn fleet(night: &[&str]) -> Option<Fleet> {
    let fleet = Fleet::start(2)?;
    fs::write(fleet.path().join("night.toml"), night.concat()).unwrap();
    Some(fleet)
}

/// The table of a night but for its times.
fn table(fleet: &Fleet, folder: &str) -> String {
    let path = fleet.path().join(folder).join("night.csv");
    columns_but_times(&fs::read_to_string(path).unwrap())
}

/// Waits until both matches have stored pairs and neither has all of them: both are being played.
fn wait_for_both(fleet: &Fleet, run: &mut Machine) {
    let until = Instant::now() + BOUND;
    loop {
        let stored = ["one", "two"].map(|job| stored_pairs(&fleet.path().join("fleet").join(job)));
        if (0..2).all(|job| stored[job] > 0 && stored[job] < PAIRS[job]) {
            return;
        }
        let is_time_left = Instant::now() < until;
        assert!(run.is_running() && is_time_left, "{stored:?}: {}", run.said());
        sleep(Duration::from_millis(5));
    }
}

/// Fails unless the night on the fleet is that of this machine.
fn assert_same_night(fleet: &Fleet) {
    play_here(fleet, &RUN);
    assert_same(fleet);
    assert_eq!(table(fleet, "fleet"), table(fleet, "local"));
}

#[test]
fn jobs_beside_one_another_leave_the_files_of_one_machine() {
    let Some(fleet) = fleet(&[MATCHES, MORE]) else {
        return;
    };
    let mut office = Office::open(&fleet);
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &RUN);
    wait_for_both(&fleet, &mut run);
    let mut at_play = BTreeMap::new();
    let mut most = 0;
    // Until the job of the lower priority has its turn.
    while at_play.values().all(|class: &String| class.starts_with("5-")) {
        let said = office.next_run();
        if said.is_over {
            at_play.remove(&said.run);
        } else {
            at_play.insert(said.run, said.class);
        }
        most = most.max(at_play.len());
    }
    assert_eq!(most, 4, "runs at the same time");
    assert!(at_play.values().any(|class| class.starts_with("4-")));
    assert!(run.end().success(), "{}", run.said());
    assert_same_night(&fleet);
    let said = run.said();
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(place("job test (3 of 7)") < place("job after ("), "{said}");
    assert!(place("one: base against base,lmr=off: ") > place("job one (1 of 7)"));
    assert!(!said.contains("job never"), "{said}");
    let rows = table(&fleet, "fleet");
    assert!(rows.contains("test,match,finished,accepted_h1,"), "{rows}");
    assert!(rows.contains("never,match,skipped,"), "{rows}");
}

#[test]
fn a_night_whose_coordinator_is_killed_takes_up_all_jobs_that_were_in_progress() {
    let Some(fleet) = fleet(&[MATCHES, MORE]) else {
        return;
    };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &RUN);
    wait_for_both(&fleet, &mut run);
    run.kill();
    let mut again = begin(&fleet, &RUN);
    assert!(again.end().success(), "{}", again.said());
    assert!(again.said().contains("going on after "), "{}", again.said());
    assert_same_night(&fleet);
}

#[test]
fn a_signal_stops_all_jobs_and_the_same_command_goes_on_with_them() {
    let Some(fleet) = fleet(&[MATCHES]) else { return };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &RUN);
    wait_for_both(&fleet, &mut run);
    run.signal("INT");
    assert_eq!(run.end_within(SOON).code(), Some(130), "{}", run.said());
    let rows = table(&fleet, "fleet");
    for job in ["one", "two"] {
        assert!(rows.contains(&format!("{job},match,interrupted,")), "{rows}");
    }
    let mut again = begin(&fleet, &RUN);
    assert!(again.end().success(), "{}", again.said());
    assert!(!again.said().contains("takes over"), "{}", again.said());
    assert_same_night(&fleet);
}

#[test]
fn the_time_of_one_job_is_up_and_the_others_go_on() {
    let night = r#"
[[job]]
name = "endless"
command = "match"
a = "base"
b = "plain"
nodes = 200
pairs = 9000
budget_minutes = 0.2

[[job]]
name = "beside"
command = "match"
a = "base"
b = "base,null_move=off"
nodes = 400
pairs = 60
"#;
    let Some(fleet) = fleet(&[night]) else { return };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &RUN);
    assert!(run.end().success(), "{}", run.said());
    let rows = table(&fleet, "fleet");
    assert!(
        rows.contains("endless,match,out_of_budget,interrupted,"),
        "{rows}"
    );
    assert!(rows.contains("beside,match,finished,fixed_length,60,"), "{rows}");
}

#[test]
fn the_same_run_in_two_jobs_is_played_one_after_the_other() {
    let job = |name: &str| {
        format!(
            "[[job]]\nname = \"{name}\"\ncommand = \"match\"\na = \"base\"\nb = \"plain\"\nnodes = 300\npairs = 40\n"
        )
    };
    let Some(fleet) = fleet(&[&job("one"), &job("two")]) else {
        return;
    };
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &RUN);
    assert!(run.end().success(), "{}", run.said());
    assert!(run.said().contains("plays the same run"), "{}", run.said());
    assert_same_night(&fleet);
}

#[test]
fn a_coordinator_that_plays_too_runs_one_job_at_a_time() {
    let Some(fleet) = fleet(&[MATCHES]) else { return };
    let mut refused = begin(&fleet, &[&RUN[..], &["--slots", "1", "--jobs", "2"]].concat());
    assert_eq!(refused.end().code(), Some(2), "{}", refused.said());
    assert!(
        refused
            .said()
            .contains("--jobs 2: job 'one' plays on this machine"),
        "{}",
        refused.said()
    );
    assert!(!fleet.path().join("fleet").exists());
}
