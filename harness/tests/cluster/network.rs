//! A network that cuts, delays, repeats and reorders what machines say.

use std::thread::sleep;
use std::time::Duration;

use crate::support::{Fleet, Proxy, assert_same, begin, play_here, wait_for_pairs};

const MATCH: [&str; 9] = [
    "match",
    "--a",
    "base",
    "--b",
    "base,null_move=off",
    "--nodes",
    "400",
    "--pairs",
    "60",
];

/// Plays over a network to which `harm` is done once pairs come, and compares.
fn plays_over(harm: impl FnOnce(&Proxy)) {
    let Some(fleet) = Fleet::start(2) else { return };
    let proxy = Proxy::start(fleet.port);
    fleet.divert(proxy.port);
    let _workers = fleet.workers(2);
    let mut run = begin(&fleet, &MATCH);
    wait_for_pairs(&fleet, &mut run, 4);
    harm(&proxy);
    assert!(run.end().success(), "{}", run.said());
    play_here(&fleet, &MATCH);
    assert_same(&fleet);
}

#[test]
fn connections_that_are_cut_again_and_again_lose_nothing() {
    plays_over(|proxy| {
        for _ in 0..5 {
            proxy.cut();
            sleep(Duration::from_millis(300));
        }
    });
}

#[test]
fn a_network_that_is_gone_for_a_while_loses_nothing() {
    plays_over(|proxy| {
        proxy.close(true);
        sleep(Duration::from_secs(3));
        proxy.close(false);
    });
}

#[test]
fn what_is_said_late_is_as_good() {
    plays_over(|proxy| proxy.delay(40));
}

#[test]
fn what_is_said_twice_counts_once() {
    plays_over(|proxy| proxy.repeat(50));
}

#[test]
fn what_comes_in_another_order_is_counted_in_order() {
    plays_over(|proxy| proxy.swap(50));
}

#[test]
fn all_of_it_together_changes_nothing() {
    plays_over(|proxy| {
        proxy.swap(30);
        proxy.repeat(30);
        for _ in 0..3 {
            sleep(Duration::from_millis(700));
            proxy.cut();
        }
        proxy.delay(5);
    });
}
