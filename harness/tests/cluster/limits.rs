//! Who may play what, how much of it, and in what time.

use std::thread::sleep;
use std::time::Duration;

use crate::folder::{Ended, InFolder};
use crate::impostor::{Impostor, Lie};
use crate::monitor::Monitor;
use crate::support::{Fleet, Machine, stored, wait_until, with_origin};

const MATCH: &str = "match --a base --b base,null_move=off --nodes 400 --pairs 40";

#[test]
fn a_worker_that_the_coordinator_does_not_know_is_not_believed() {
    let fleet = Fleet::start(2);
    let text = fleet.read("coordinator.toml");
    let known = text.lines().filter(|line| !line.starts_with("worker-2"));
    fleet.write("coordinator.toml", known.collect::<Vec<_>>().join("\n"));
    let mut unknown = fleet.worker(2);
    let mut run = fleet.begin(MATCH);
    unknown.wait_for("pairs played");
    sleep(Duration::from_secs(1));
    assert_eq!(stored(&fleet.results()), 0);
    drop(unknown);
    let _worker = fleet.worker(1);
    fleet.ends_the_same(&mut run, MATCH);
}

#[test]
fn a_worker_takes_no_job_of_a_coordinator_with_another_engine_or_protocol() {
    let fleet = Fleet::start(1);
    let mut worker = fleet.worker(1);
    worker.wait_for("ready");
    // It makes the streams.
    fleet.play(&MATCH.replace("40", "1"));
    let monitor = Monitor::open(&fleet);
    let (class, run) = ("7-0123456789abcdef", "aaaaaaaaaaaaaaaa");
    monitor.open_class(class);
    monitor.publish(format!("tanren.job.{class}.{run}.0"), b"play".to_vec());
    let announcement = serde_json::json!({
        "run": run, "class": class, "is_over": false, "engines": {}, "in_flight": 1, "distrusted": []
    });
    monitor.publish(format!("tanren.run.{run}"), announcement.to_string().into());
    worker.wait_for(&format!("has no part in run {run}"));
    sleep(Duration::from_secs(1));
    assert_eq!((monitor.messages("jobs"), monitor.delivered(class)), (1, 0));
}

#[test]
fn a_worker_with_another_engine_is_not_waited_for() {
    let fleet = Fleet::start(1);
    let _other = Impostor::start(&fleet.worker_file(1), Lie::OtherEngine);
    assert_eq!(Monitor::open(&fleet).next_heartbeat().slots, 100);
    // Jobs for its hundred slots would be played by nobody.
    fleet.ends_the_same(
        &mut fleet.begin(&format!("{MATCH} --slots 1 --audit 100%")),
        MATCH,
    );
    assert!(!fleet.results().join("hosts.csv").exists());
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn a_run_of_three_times_the_weight_gets_about_three_times_the_pairs() {
    let fleet = Fleet::start(1);
    // Five pairs a second.
    let _worker = Impostor::start(&fleet.worker_file(1), Lie::Leisure);
    let of_weight = |weight: &str| {
        let command = "match --a base --b base,null_move=off --nodes 1 --pairs 1000 --audit 0";
        fleet.begin_in(&format!("{command} --seed {weight} --weight {weight}"), weight)
    };
    let _runs = [of_weight("1"), of_weight("3")];
    let pairs = || ["1", "3"].map(|folder| stored(&fleet.join(folder)));
    let wait_for = |count: u64| {
        wait_until("the pairs did not come", || pairs().iter().sum::<u64>() >= count);
        pairs()
    };
    // The first run fills the queue, which holds 20 pairs of one and 60 of the other; they come in blocks.
    let (before, after) = (wait_for(90), wait_for(170));
    let [light, heavy] = [0, 1].map(|run| after[run] - before[run]);
    assert!(
        light > 0 && heavy > 2 * light && heavy < 5 * light,
        "{light} and {heavy} pairs"
    );
}

const TIMED: &str = "match --a base --b base,lmr=off --pairs 4";

/// A worker that is not disturbed by other work of this machine.
fn steady_worker(fleet: &Fleet, number: usize, slots: &str) -> Machine {
    fleet.tanren(&format!(
        "worker worker-{number}.toml --slots {slots} --speed-tolerance 1000"
    ))
}

#[test]
fn a_slow_reference_machine_gives_everybody_less_time_and_the_report_says_how_much() {
    let fleet = Fleet::start(2);
    let _workers = [1, 2].map(|number| steady_worker(&fleet, number, "1"));
    fleet.play(&format!("{TIMED} --movetime 40 --reference-nps 1000"));
    for scale in fleet.column("fleet/hosts.csv", "time_scale") {
        assert!((0.0..0.1).contains(&scale.parse::<f64>().unwrap()), "{scale}");
    }
    for nps in fleet.column("fleet/hosts.csv", "slot_nps") {
        assert!(nps.parse::<u64>().unwrap() > 10_000, "{nps}");
    }
    // What time was worth is a part of what a machine signs.
    fleet.run("verify fleet").ok();
    assert_eq!(with_origin(&fleet.results()), 4);
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn time_that_is_not_scaled_is_the_same_everywhere() {
    let fleet = Fleet::start(1);
    let _worker = steady_worker(&fleet, 1, "1");
    fleet.play(&format!("{TIMED} --tc 0.3+0.01 --scale-time off"));
    assert_eq!(fleet.column("fleet/hosts.csv", "time_scale"), ["1.0"]);
}

#[test]
fn a_machine_with_more_slots_than_cores_plays_no_timed_games() {
    let fleet = Fleet::start(2);
    let _crowded = steady_worker(&fleet, 2, "512");
    let _fit = steady_worker(&fleet, 1, "1");
    fleet.play(&format!("{TIMED} --movetime 5"));
    assert_eq!(fleet.column("fleet/hosts.csv", "host"), ["worker-1"]);
}
