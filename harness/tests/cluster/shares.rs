//! Runs that share a fleet.

use std::thread::sleep;
use std::time::Duration;

use crate::support::{Fleet, Impostor, Lie, begin_in, stored_pairs};

const MATCH: [&str; 9] = [
    "match",
    "--a",
    "base",
    "--b",
    "base,null_move=off",
    "--nodes",
    "1",
    "--pairs",
    "1000",
];

#[test]
fn a_run_of_three_times_the_weight_gets_about_three_times_the_pairs() {
    let Some(fleet) = Fleet::start(1) else { return };
    // Five pairs a second.
    let _worker = Impostor::start(&fleet.worker_file(1), Lie::Leisure);
    let of_weight = |weight: &str| {
        let command = [
            &MATCH[..],
            &["--seed", weight, "--weight", weight, "--audit", "0"],
        ]
        .concat();
        begin_in(&fleet, &command, weight)
    };
    let mut runs = [of_weight("1"), of_weight("3")];
    let stored = || ["1", "3"].map(|folder| stored_pairs(&fleet.path().join(folder)));
    let mut wait_for = |pairs: u64| {
        while stored().iter().sum::<u64>() < pairs {
            for run in &mut runs {
                assert!(run.is_running(), "{}", run.said());
            }
            sleep(Duration::from_millis(100));
        }
        stored()
    };
    // Who comes first fills the queue, which holds 20 pairs of one and 60 of the other; they come in blocks.
    let (before, after) = (wait_for(90), wait_for(170));
    let [light, heavy] = [0, 1].map(|run| after[run] - before[run]);
    println!("weight 1: {light} pairs, weight 3: {heavy} pairs");
    assert!(
        light > 0 && heavy > 2 * light && heavy < 5 * light,
        "{light} and {heavy} pairs"
    );
}
