//! The ratio at which players are even, checked by hand and by simulated studies.

use super::*;
use crate::random::Random;
use crate::{EloModel, PairModel, Tally};

fn batch(ratio: f64, pentanomial: [u64; 5]) -> OddsBatch {
    OddsBatch {
        log_ratio: ratio.ln(),
        pentanomial,
    }
}

/// Of `runs` whole studies of 20 batches of 25 pairs, how many intervals hold the true ratio.
fn covered([ratio, doubling_elo, kept, draws, bias]: [f64; 5], runs: u64) -> u64 {
    // What each doubling is worth, summed up from the even ratio on.
    let elo_of = |doublings: f64| {
        if kept < 1.0 {
            doubling_elo * (1.0 - kept.powf(doublings)) / -kept.ln()
        } else {
            doubling_elo * doublings
        }
    };
    let covers = |run: u64| {
        let mut random = Random::long(run, 77);
        let mut batches: Vec<OddsBatch> = Vec::new();
        for _ in 0..20 {
            let log_ratio = next_log_ratio(&batches, 64f64.ln());
            let elo = elo_of((log_ratio - ratio.ln()) / 2f64.ln());
            // Beyond this, draws leave no room; the score is as good as certain.
            let elo = elo.clamp(-450.0, 450.0);
            let model = PairModel::new(elo, EloModel::Logistic, draws, bias).unwrap();
            let mut tally = Tally::default();
            (0..25).for_each(|_| tally.add(model.draw(&mut random)));
            batches.push(OddsBatch {
                log_ratio,
                pentanomial: tally.pentanomial,
            });
        }
        let estimate = even_ratio(&batches, 0.95);
        estimate.value.is_some() && estimate.contains(ratio)
    };
    (0..runs).filter(|&run| covers(run)).count() as u64
}

/// Ratio, Elo of doubling, what the next doubling keeps, draws, bias.
const TRUTHS: [[f64; 5]; 6] = [
    [2.5, 100.0, 0.85, 0.02, 50.0],
    [0.4, 80.0, 0.8, 0.1, 50.0],
    [1.0, 100.0, 1.0, 0.02, 50.0],
    [2.5, 100.0, 1.0, 0.02, 100.0],
    [0.3, 60.0, 1.0, 0.1, 0.0],
    [8.0, 150.0, 1.0, 0.02, 50.0],
];

fn assert_coverage(runs: u64) {
    for truth in TRUTHS {
        let share = covered(truth, runs) as f64 / runs as f64;
        let least = 0.95 - 3.0 * (0.95 * 0.05 / runs as f64).sqrt();
        assert!(
            share >= least,
            "{truth:?}: covered {share:.4} of {runs}, less than {least:.4}"
        );
    }
}

#[test]
fn the_interval_of_a_whole_study_covers_the_truth_as_often_as_promised() {
    assert_coverage(300);
}

#[test]
#[ignore = "20,000 studies for each of six truths: run with --ignored"]
fn the_interval_covers_the_truth_in_twenty_thousand_studies_each() {
    assert_coverage(20_000);
}

#[test]
fn two_ratios_with_mirrored_scores_are_even_in_their_middle() {
    let batches = [batch(0.5, [20, 0, 60, 0, 10]), batch(2.0, [10, 0, 60, 0, 20])];
    let curve = OddsCurve::fit(&batches).unwrap();
    let even = curve.even_ratio(0.95);
    assert!((even.value.unwrap() - 1.0).abs() < 1e-9, "{even:?}");
    // Scores of 80/180 and 100/180 at ±ln 2.
    let expected = (100f64 / 80.0).ln() / 2f64.ln();
    assert!((curve.slope - expected).abs() < 1e-9, "{curve:?}");
    assert!((curve.score(2f64.ln()) - 100.0 / 180.0).abs() < 1e-9);
    let doubling = 400.0 * (100f64 / 80.0).log10();
    assert!((curve.doubling_elo() - doubling).abs() < 1e-9);
}

#[test]
fn the_interval_is_fieller_s_and_of_the_usual_width_where_the_slope_is_sure() {
    let many = [
        batch(0.5, [400_000, 0, 400_000, 0, 200_000]),
        batch(2.0, [200_000, 0, 400_000, 0, 400_000]),
    ];
    let even = even_ratio(&many, 0.95);
    let width = (even.high.unwrap() / even.low.unwrap()).ln();
    // Score ±0.1 beside one half, variance of a pair 0.14, slope of the score as of the curve at one half.
    let slope = (0.6f64 / 0.4).ln() / 2f64.ln();
    // Of two batches with the least freedom that is taken.
    let expected = 2.0 * 3.182 * (0.14f64 / 2e6).sqrt() / (0.24 * slope);
    assert!((width / expected - 1.0).abs() < 0.01, "{width} {expected}");
}

#[test]
fn without_a_slope_that_is_shown_there_are_no_bounds() {
    let flat = [batch(0.5, [10, 0, 20, 0, 10]), batch(2.0, [10, 0, 19, 0, 11])];
    let even = even_ratio(&flat, 0.95);
    assert_eq!((even.low, even.high), (None, None));
    let falling = [batch(0.5, [0, 0, 20, 0, 20]), batch(2.0, [20, 0, 20, 0, 0])];
    assert_eq!(even_ratio(&falling, 0.95).value, None);
}

#[test]
fn one_ratio_or_nothing_but_wins_fit_no_curve_but_still_say_where_to_play_next() {
    assert!(OddsCurve::fit(&[]).is_none());
    assert!(OddsCurve::fit(&[batch(1.0, [9, 0, 30, 0, 9])]).is_none());
    let won = [batch(1.0, [0, 0, 0, 0, 25]), batch(0.5, [0, 0, 0, 0, 25])];
    assert!(OddsCurve::fit(&won).is_none());
    assert_eq!(next_log_ratio(&[], 9.0), 0.0);
    let next = next_log_ratio(&won, 9.0);
    assert!((0.125f64.ln()..0.5f64.ln()).contains(&next), "{next}");
    assert!(next_log_ratio(&won, 1.0) >= -1.0);
}

#[test]
fn batches_lie_on_both_sides_of_the_estimate_in_turn() {
    let even = |ratio| batch(ratio, [5, 0, 15, 0, 5]);
    let mut batches = vec![even(1.0)];
    let second = next_log_ratio(&batches, 9.0);
    batches.push(batch(second.exp(), [3, 0, 14, 0, 8]));
    let third = next_log_ratio(&batches, 9.0);
    assert!(second > 0.1 && third < -0.1, "{second} {third}");
}
