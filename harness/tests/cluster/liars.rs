//! Machines that have a key and do not play what they were told.

use std::thread::sleep;
use std::time::Duration;

use rusqlite::Connection;

use crate::support::{
    Fleet, Impostor, Lie, assert_same, begin, begin_in, play_here, stored_pairs, wait_for_pairs,
};

const MATCH: [&str; 9] = [
    "match",
    "--a",
    "base",
    "--b",
    "base,null_move=off",
    "--nodes",
    "180",
    "--pairs",
    "16",
];

/// Plays `command` with a worker that is honest and one that is not, that share of pairs twice, and compares.
fn play_with(command: &[&str], audit: &str, lie: Lie) -> Option<(Fleet, String)> {
    let fleet = Fleet::start(2)?;
    let _liar = Impostor::start(&fleet.worker_file(2), lie);
    let mut run = begin(&fleet, &[command, &["--audit", audit]].concat());
    if matches!(lie, Lie::Garbage | Lie::AgainstTheRules) {
        // It is alone, so that it is asked.
        run.wait_for("not believed");
    }
    let _honest = fleet.worker(1);
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, command);
    assert_same(&fleet);
    Some((fleet, run.said()))
}

#[test]
fn what_a_liar_played_for_a_coordinator_that_died_is_found_out_by_the_next() {
    let Some(fleet) = Fleet::start(2) else { return };
    let mut command = MATCH;
    command[8] = "160";
    let liar = Impostor::start(&fleet.worker_file(2), Lie::FewerNodes);
    let mut run = begin(&fleet, &[&command[..], &["--audit", "0"]].concat());
    wait_for_pairs(&fleet, &mut run, 6);
    run.kill();
    drop(liar);
    let _honest = fleet.worker(1);
    let mut again = begin(&fleet, &[&command[..], &["--audit", "100%"]].concat());
    assert!(again.end().success(), "{}", again.said());
    assert_found_out(&fleet, &again.said(), "goes otherwise when it is played again");
    play_here(&fleet, &command);
    assert_same(&fleet);
}

/// Is it distrusted, by name, and does nothing of it stand in the ledger?
fn is_found_out(command: &[&str], audit: &str, lie: Lie, why: &str) {
    let Some((fleet, said)) = play_with(command, audit, lie) else {
        return;
    };
    assert_found_out(&fleet, &said, why);
}

fn assert_found_out(fleet: &Fleet, said: &str, why: &str) {
    assert!(
        said.contains("'worker-2' is not believed any more") && said.contains(why),
        "{said}"
    );
    assert!(!said.contains("'worker-1' is not believed"), "{said}");
    let ledger = Connection::open(fleet.path().join("fleet/ledger.sqlite")).unwrap();
    let count = |sql: &str| ledger.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert!(count("SELECT count(*) FROM host WHERE name = 'worker-2' AND distrusted IS NOT NULL") > 0);
    let of_liar = "SELECT count(*) FROM origin JOIN host USING (host) WHERE name = 'worker-2'";
    assert_eq!(count(of_liar), 0);
}

#[test]
fn a_worker_that_sends_garbage_is_found_out() {
    is_found_out(&MATCH, "0", Lie::Garbage, "it signed what is no pair");
}

#[test]
fn a_worker_that_breaks_the_rules_is_found_out() {
    is_found_out(&MATCH, "0", Lie::AgainstTheRules, "it says: ");
}

#[test]
fn a_worker_that_plays_with_other_limits_is_found_out_by_the_audit() {
    is_found_out(
        &MATCH,
        "100%",
        Lie::FewerNodes,
        "goes otherwise when it is played again",
    );
}

#[test]
fn a_worker_that_answers_for_its_own_audits_is_found_out() {
    is_found_out(
        &MATCH,
        "100%",
        Lie::FewerNodesAndOwnAudits,
        "goes otherwise when it is played again",
    );
}

#[test]
fn what_a_tuning_played_because_of_a_lie_is_played_again() {
    let command = [
        "tune",
        "--tune",
        "futility.*",
        "--iterations",
        "6",
        "--pairs-per-iteration",
        "2",
        "--nodes",
        "180",
        "--confirm-pairs",
        "6",
    ];
    is_found_out(
        &command,
        "100%",
        Lie::FewerNodes,
        "goes otherwise when it is played again",
    );
}

#[test]
fn a_worker_that_signs_for_another_one_harms_nobody() {
    let Some((_, said)) = play_with(&MATCH, "100%", Lie::OtherName) else {
        return;
    };
    assert!(!said.contains("not believed"), "{said}");
}

#[test]
fn a_worker_that_says_for_ever_that_it_plays_is_not_waited_for_for_ever() {
    let Some((_, said)) = play_with(&MATCH, "0", Lie::Progress) else {
        return;
    };
    assert!(!said.contains("not believed"), "{said}");
}

#[test]
fn a_worker_that_takes_a_job_and_says_nothing_holds_nobody_up_for_ever() {
    let Some((_, said)) = play_with(&MATCH, "100%", Lie::Silence) else {
        return;
    };
    assert!(!said.contains("not believed"), "{said}");
}

#[test]
#[ignore = "a measurement: scripts/fleet_scale.sh"]
fn how_soon_one_pair_in_a_hundred_finds_a_liar() {
    let runs: u64 = std::env::var("TANREN_RUNS").map_or(40, |text| text.parse().unwrap());
    let Some(fleet) = Fleet::start(2) else { return };
    let liar = Impostor::start(&fleet.worker_file(2), Lie::FewerNodes);
    let _honest = fleet.worker(1);
    let (mut lies, mut counted, mut missed) = (Vec::new(), Vec::new(), 0);
    for seed in 1..=runs {
        let seed = seed.to_string();
        let command = [
            "match",
            "--a",
            "base",
            "--b",
            "base,null_move=off",
            "--nodes",
            "12",
            "--pairs",
            "2000",
        ];
        let before = liar.pairs();
        let mut run = begin_in(
            &fleet,
            &[&command[..], &["--audit", "1%", "--seed", &seed]].concat(),
            &seed,
        );
        while run.is_running() && !run.said().contains("not believed") {
            sleep(Duration::from_millis(2));
        }
        let (told, stored) = (liar.pairs() - before, stored_pairs(&fleet.path().join(&seed)));
        if run.said().contains("'worker-2' is not believed any more") {
            lies.push(told);
            counted.push(stored);
        } else {
            missed += 1;
        }
        println!("run {seed}: {told} pairs of the liar, {stored} of the run stored");
        run.signal("INT");
        run.end();
    }
    let mean = |counts: &[u64]| counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    lies.sort_unstable();
    println!(
        "{runs} runs with one liar of two workers, 1 % audited: found after {:.0} of its pairs in the mean (100 plus what is sent while an audit waits for its turn), \
         median {}, most {}; {:.0} pairs of the run were stored by then; not found in {missed} runs",
        mean(&lies),
        lies[lies.len() / 2],
        lies[lies.len() - 1],
        mean(&counted)
    );
}
