//! How soon a fleet gives up what nobody needs any more.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::common::{run, stderr};
use crate::support::{Fleet, Office, begin};

/// Pairs of many minutes.
const LONG: [&str; 9] = [
    "match",
    "--a",
    "base",
    "--b",
    "base,null_move=off",
    "--nodes",
    "2000000",
    "--pairs",
    "40",
];

#[test]
fn workers_give_up_what_they_play_and_the_queue_is_emptied_when_a_run_is_stopped() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    let mut coordinator = begin(&fleet, &LONG);
    let mut office = Office::open(&fleet);
    let mut playing = HashSet::new();
    while playing.len() < 2 {
        let here = office.next_here();
        if here.busy > 0 {
            playing.insert(here.name);
        }
    }
    assert!(office.messages("jobs") > 2, "nothing waits");
    let run_id = office.next_run().run;
    office.forget();
    let begun = Instant::now();
    let stopped = run(fleet.path(), &["cluster", "stop", "coordinator.toml", &run_id]);
    assert!(stopped.status.success(), "{}", stderr(&stopped));
    let told = begun.elapsed();
    while !office.next_run().is_over {}
    let over = Instant::now();
    let mut number = 0;
    while !playing.is_empty() {
        // A worker answers whoever announces a run for the first time.
        number += 1;
        office.announce(&format!("{number:016x}"), "0-0000000000000000", true);
        for _ in 0..2 {
            let here = office.next_here();
            if here.busy == 0 {
                playing.remove(&here.name);
            }
        }
    }
    let idle = over.elapsed();
    let emptied = |office: &Office| office.messages("jobs") == 0;
    while !emptied(&office) && over.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let purged = over.elapsed();
    println!(
        "order sent in {told:?}; from the coordinator's word: workers idle after {idle:?}, queue empty after {purged:?}"
    );
    assert_eq!(coordinator.end().code(), Some(1), "{}", coordinator.said());
    assert!(
        emptied(&office) && idle < Duration::from_secs(10),
        "{idle:?}, {} jobs",
        office.messages("jobs")
    );
}
