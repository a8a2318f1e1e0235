//! Queues on a fleet: jobs that run at the same time leave what they leave one after the other on one machine.

use std::collections::BTreeMap;

use crate::common::columns_but_times;
use crate::folder::InFolder;
use crate::monitor::Monitor;
use crate::support::{Fleet, Machine, SOON, stored, wait_until};

/// Two matches of 100 and 40 pairs.
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
const RUN: &str = "run night.toml";

fn fleet(queue: &str) -> Option<Fleet> {
    let fleet = Fleet::start(2)?;
    fleet.write("night.toml", queue);
    Some(fleet)
}

/// The table of a queue but for its times.
fn table(fleet: &Fleet, folder: &str) -> String {
    columns_but_times(&fleet.read(format!("{folder}/night.csv")))
}

/// Waits until both matches are being played.
fn wait_for_both(fleet: &Fleet, run: &mut Machine) {
    wait_until("the matches are not played at the same time", || {
        assert!(run.is_running(), "{}", run.said());
        let [one, two] = ["one", "two"].map(|job| stored(&fleet.results().join(job)));
        (1..100).contains(&one) && (1..40).contains(&two)
    });
}

#[track_caller]
fn ends_the_same(fleet: &Fleet, run: &mut Machine) -> String {
    let said = fleet.ends_the_same(run, RUN);
    assert_eq!(table(fleet, "fleet"), table(fleet, "local"));
    said
}

#[test]
#[ignore = "nightly"]
fn jobs_at_the_same_time_leave_the_files_of_one_machine() {
    let Some(fleet) = fleet(&[MATCHES, MORE].concat()) else {
        return;
    };
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
    let said = ends_the_same(&fleet, &mut run);
    let place = |text: &str| said.find(text).unwrap_or_else(|| panic!("{text}: {said}"));
    assert!(place("job test (3 of 7)") < place("job after ("), "{said}");
    assert!(place("one: base against base,lmr=off: ") > place("job one (1 of 7)"));
    assert!(!said.contains("job never"), "{said}");
    let rows = table(&fleet, "fleet");
    assert!(rows.contains("test,match,finished,accepted_h1,"), "{rows}");
    assert!(rows.contains("never,match,skipped,"), "{rows}");
}

#[test]
#[ignore = "nightly"]
fn a_queue_whose_coordinator_is_killed_resumes_all_jobs_that_were_in_progress() {
    let Some(fleet) = fleet(&[MATCHES, MORE].concat()) else {
        return;
    };
    let _workers = fleet.workers(2);
    let mut run = fleet.begin(RUN);
    wait_for_both(&fleet, &mut run);
    run.kill();
    ends_the_same(&fleet, &mut fleet.begin(RUN));
}

#[test]
fn a_signal_stops_all_jobs_and_the_same_command_resumes_them() {
    let Some(fleet) = fleet(MATCHES) else { return };
    let _workers = fleet.workers(2);
    let mut run = fleet.begin(RUN);
    wait_for_both(&fleet, &mut run);
    run.signal("INT");
    assert_eq!(run.end_within(SOON).code(), Some(130), "{}", run.said());
    let rows = table(&fleet, "fleet");
    for job in ["one", "two"] {
        assert!(rows.contains(&format!("{job},match,interrupted,")), "{rows}");
    }
    let said = ends_the_same(&fleet, &mut fleet.begin(RUN));
    assert!(!said.contains("takes over"), "{said}");
}

fn job(name: &str, pairs: u32, more: &str) -> String {
    format!(
        "[[job]]\nname = \"{name}\"\ncommand = \"match\"\na = \"base\"\nb = \"plain\"\nnodes = 300\npairs = {pairs}\n{more}\n"
    )
}

#[test]
#[ignore = "nightly"]
fn the_time_of_one_job_is_up_and_the_others_continue() {
    let queue = job("endless", 9000, "budget_minutes = 0.2") + &job("other", 60, "seed = 3");
    let Some(fleet) = fleet(&queue) else { return };
    let _workers = fleet.workers(2);
    fleet.play(RUN);
    let rows = table(&fleet, "fleet");
    assert!(
        rows.contains("endless,match,out_of_budget,interrupted,"),
        "{rows}"
    );
    assert!(rows.contains("other,match,finished,fixed_length,60,"), "{rows}");
}

#[test]
#[ignore = "nightly"]
fn the_same_run_in_two_jobs_is_played_one_after_the_other() {
    let Some(fleet) = fleet(&(job("one", 40, "") + &job("two", 40, ""))) else {
        return;
    };
    let _workers = fleet.workers(2);
    let said = ends_the_same(&fleet, &mut fleet.begin(RUN));
    assert!(said.contains("plays the same run"), "{said}");
}

#[test]
fn a_coordinator_that_plays_too_runs_one_job_at_a_time() {
    let Some(fleet) = fleet(MATCHES) else { return };
    let mut refused = fleet.begin(&format!("{RUN} --slots 1 --jobs 2"));
    refused.fails(2, "--jobs 2: job 'one' plays on this machine");
    assert!(!fleet.results().exists());
}
