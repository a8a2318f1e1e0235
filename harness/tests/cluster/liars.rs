//! Machines that have a key and do not play what they were told.

use crate::impostor::{Impostor, Lie};
use crate::support::{Fleet, in_ledger};

const MATCH: &str = "match --a base --b base,null_move=off --nodes 180 --pairs 16";
const NODES: &str = "nodes --config base --config base,lmr=off --depth 5 --hash 1 --limit-positions 60";
const TUNE: &str =
    "tune --tune futility.* --iterations 6 --pairs-per-iteration 2 --nodes 180 --confirm-pairs 6";
const OTHERWISE: &str = "goes otherwise when it is";

/// Plays with an honest worker and one that lies, this share of pairs twice, and compares. `why` the liar is not believed, if so.
fn plays_with(lie: Lie, command: &str, audit: &str, why: Option<&str>) {
    let fleet = Fleet::start(2);
    let _liar = Impostor::start(&fleet.worker_file(2), lie);
    let mut run = fleet.begin(&format!("{command} --audit {audit}"));
    // The liar is alone, so that it is asked.
    match why {
        Some(_) if audit == "0" => run.wait_for("not believed"),
        Some(_) => run.wait_for_stored(&fleet.results(), 1),
        None => (),
    }
    let _honest = fleet.worker(1);
    let said = fleet.ends_the_same(&mut run, command);
    match why {
        Some(why) => assert_found_out(&fleet, &said, why),
        None => assert!(!said.contains("not believed"), "{said}"),
    }
}

/// It is named, and nothing of it is in the ledger.
fn assert_found_out(fleet: &Fleet, said: &str, why: &str) {
    let is_told = said.contains("'worker-2' is not believed any more") && said.contains(why);
    assert!(is_told && !said.contains("'worker-1' is not believed"), "{said}");
    let of_liar = "SELECT count(*) FROM unit WHERE instr(origin, CAST('worker-2' AS BLOB)) > 0";
    assert_eq!(in_ledger(&fleet.results(), of_liar), 0);
    let distrusted = "SELECT count(*) FROM meta WHERE key = 'distrusted' AND value LIKE '%worker-2%'";
    assert!(in_ledger(&fleet.results(), distrusted) > 0);
}

#[test]
fn a_worker_that_sends_garbage_is_found_out() {
    plays_with(Lie::Garbage, MATCH, "0", Some("it signed what is no pair"));
}

#[test]
fn a_worker_that_breaks_the_rules_is_found_out() {
    plays_with(Lie::AgainstTheRules, MATCH, "0", Some("it says: "));
}

#[test]
fn a_worker_that_plays_with_other_limits_is_found_out_by_the_audit() {
    plays_with(Lie::FewerNodes, MATCH, "100%", Some(OTHERWISE));
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn a_worker_that_lies_of_searches_and_trials_is_found_out() {
    plays_with(Lie::AgainstTheRules, NODES, "0", Some("1 nodes to depth 3"));
    plays_with(Lie::FewerNodes, NODES, "100%", Some(OTHERWISE));
    plays_with(Lie::FewerNodes, TUNE, "100%", Some(OTHERWISE));
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn a_worker_that_signs_for_another_one_or_keeps_its_job_holds_nobody_up_for_ever() {
    plays_with(Lie::OtherName, MATCH, "100%", None);
    plays_with(Lie::Progress, MATCH, "0", None);
    plays_with(Lie::Silence, MATCH, "100%", None);
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn what_a_liar_played_for_a_coordinator_that_died_is_found_out_by_the_next() {
    let fleet = Fleet::start(2);
    let command = MATCH.replace("--pairs 16", "--pairs 160");
    let liar = Impostor::start(&fleet.worker_file(2), Lie::FewerNodes);
    let mut run = fleet.begin(&format!("{command} --audit 0"));
    run.wait_for_stored(&fleet.results(), 6);
    run.kill();
    drop(liar);
    let _honest = fleet.worker(1);
    let said = fleet.ends_the_same(&mut fleet.begin(&format!("{command} --audit 100%")), &command);
    assert_found_out(&fleet, &said, OTHERWISE);
}
