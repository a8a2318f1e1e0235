//! Queues on a fleet: jobs that run at the same time leave what they leave one after the other on one machine.

use std::collections::BTreeMap;

use crate::folder::InFolder;
use crate::monitor::Monitor;
use crate::support::{Fleet, Machine, stored, wait_until};

const MATCHES: &str = include_str!("matches.toml");
const MORE: &str = include_str!("more.toml");
const RUN: &str = "run night.toml";

fn fleet(queue: &str) -> Fleet {
    let fleet = Fleet::start(2);
    fleet.write("night.toml", queue);
    fleet
}

/// The rows of a job in the table of the queue.
fn told(fleet: &Fleet, row: &str) {
    let rows = fleet.read("fleet/night.csv");
    assert!(rows.contains(row), "no {row} in {rows}");
}

/// Waits until both matches are being played.
fn wait_for_both(fleet: &Fleet, run: &mut Machine) {
    wait_until("the matches are not played at the same time", || {
        assert!(run.is_running(), "{}", run.said());
        let [one, two] = ["one", "two"].map(|job| stored(&fleet.results().join(job)));
        (1..100).contains(&one) && (1..40).contains(&two)
    });
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn jobs_at_the_same_time_leave_the_files_of_one_machine() {
    let fleet = fleet(&[MATCHES, MORE].concat());
    let mut monitor = Monitor::open(&fleet);
    let _workers = fleet.workers(2);
    let mut run = fleet.begin(RUN);
    wait_for_both(&fleet, &mut run);
    let (mut playing, mut most) = (BTreeMap::new(), 0);
    // Until the job of the lower priority has its turn.
    while playing.values().all(|class: &String| class.starts_with("5-")) {
        let said = monitor.next_announcement();
        if said.is_over {
            playing.remove(&said.run);
        } else {
            playing.insert(said.run, said.class);
        }
        most = most.max(playing.len());
    }
    assert_eq!(most, 4, "runs at the same time");
    assert!(playing.values().any(|class| class.starts_with("4-")));
    let said = fleet.ends_the_same(&mut run, RUN);
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(place("job test (3 of 7)") < place("job after ("), "{said}");
    assert!(place("one: base against base,lmr=off: ") > place("job one (1 of 7)"));
    assert!(!said.contains("job never"), "{said}");
    told(&fleet, "test,match,finished,accepted_h1,");
    told(&fleet, "never,match,skipped,");
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn a_queue_whose_coordinator_is_killed_resumes_all_jobs_that_were_in_progress() {
    let fleet = fleet(&[MATCHES, MORE].concat());
    let _workers = fleet.workers(2);
    let mut run = fleet.begin(RUN);
    wait_for_both(&fleet, &mut run);
    run.kill();
    fleet.ends_the_same(&mut fleet.begin(RUN), RUN);
}

#[test]
fn a_signal_stops_all_jobs_and_the_same_command_resumes_them() {
    let fleet = fleet(MATCHES);
    let _workers = fleet.workers(2);
    let mut run = fleet.begin(RUN);
    wait_for_both(&fleet, &mut run);
    assert_eq!(run.end_by("INT"), Some(130), "{}", run.said());
    told(&fleet, "one,match,interrupted,");
    told(&fleet, "two,match,interrupted,");
    let said = fleet.ends_the_same(&mut fleet.begin(RUN), RUN);
    assert!(!said.contains("takes over"), "{said}");
}

fn job(name: &str, pairs: u32, more: &str) -> String {
    format!(
        "[[job]]\nname = \"{name}\"\ncommand = \"match\"\na = \"base\"\nb = \"plain\"\nnodes = 300\npairs = {pairs}\n{more}\n"
    )
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn the_time_of_one_job_is_up_and_the_others_continue() {
    let queue = job("endless", 9000, "budget_minutes = 0.2") + &job("other", 60, "seed = 3");
    let fleet = fleet(&queue);
    let _workers = fleet.workers(2);
    fleet.play(RUN);
    told(&fleet, "endless,match,out_of_budget,interrupted,");
    told(&fleet, "other,match,finished,fixed_length,60,");
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn the_same_run_in_two_jobs_is_played_one_after_the_other() {
    let fleet = fleet(&(job("one", 40, "") + &job("two", 40, "")));
    let _workers = fleet.workers(2);
    let said = fleet.ends_the_same(&mut fleet.begin(RUN), RUN);
    assert!(said.contains("plays the same run"), "{said}");
}

#[test]
fn a_coordinator_that_plays_too_runs_one_job_at_a_time() {
    let fleet = fleet(MATCHES);
    let mut refused = fleet.begin(&format!("{RUN} --slots 1 --jobs 2"));
    refused.fails(2, "--jobs 2: job 'one' plays on this machine");
    assert!(!fleet.results().exists());
}
