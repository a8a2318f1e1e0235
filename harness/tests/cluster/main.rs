//! Runs on a fleet of this machine: a server, workers, a coordinator, and everything that can happen to them. The games are to be those of one
//! machine alone.
//!
//! They need a `nats-server` on the PATH or in TANREN_NATS_SERVER. Without `--ignored` the short set runs.

#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]
#![cfg(unix)]

#[expect(dead_code, reason = "of all suites")]
#[path = "../common/mod.rs"]
mod common;
mod impostor;
mod proxy;
mod words;

mod accounts;
mod scale;
mod soak;

use common::{engines, folder, shell, tools};

/// They mostly wait.
const AT_A_TIME: usize = 6;

#[test]
fn transcripts_hold() {
    common::transcript::play_all("cluster/transcripts", AT_A_TIME, words::fleet);
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn slow_transcripts_hold() {
    common::transcript::play_all("cluster/transcripts/slow", AT_A_TIME, words::fleet);
}

/// A queue's share, in pairs: a run of three times the weight gets about three times as many.
#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn weights_share_a_fleet() {
    let shell = &mut shell::Shell::new("", words::fleet());
    shell.run("fleet 1", "");
    // Five pairs a second.
    shell.run("liar worker-1 leisure", "");
    let command = "tanren match --a base --b base,null_move=off --nodes 1 --pairs 1000 --audit 0";
    for weight in [1, 3] {
        let more = format!(
            "--seed {weight} --weight {weight} --cluster coordinator.toml --out w{weight} & w{weight}"
        );
        shell.run(&format!("{command} {more}"), "");
    }
    let mut wait_for = |count: i64| {
        let mut pairs = [0, 0];
        shell.until_it_is(shell::BOUND, "so many pairs", |shell| {
            let stored = |run| tools::in_ledger(&shell.folder.join(run), "SELECT count(*) FROM unit");
            pairs = ["w1", "w3"].map(stored);
            pairs.iter().sum::<i64>() >= count
        });
        pairs
    };
    // The first run fills the queue, which holds 20 pairs of one and 60 of the other; they come in blocks.
    let (before, after) = (wait_for(90), wait_for(170));
    let [light, heavy] = [0, 1].map(|run| after[run] - before[run]);
    assert!(
        light > 0 && (2 * light..5 * light).contains(&heavy),
        "{light} and {heavy} pairs"
    );
}

fn number(variable: &str, otherwise: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value.map_or(otherwise, |value| value.parse().unwrap())
}
