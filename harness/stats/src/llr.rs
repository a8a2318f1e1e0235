//! The generalised sequential probability ratio test: counts and hypotheses in, log likelihood ratio and bounds out.
//!
//! The ratio is exact (multinomial maximum likelihood under each hypothesis), never a normal approximation: after 100
//! wins of 100 that would claim 28574 where the truth is 1.43. Sources: M. Van den Bergh, *A practical introduction to the
//! GSPRT* and *Normalized Elo practical*; D. Siegmund, *Sequential Analysis* (1985), Corollary 8.33.

use super::elo::{NELO_SCALE, score_of_elo};
use super::sample::{Sample, moments};
use super::sprt::{Bounds, EloModel, Sprt};

/// Iterations and precision of the maximum likelihood estimate for normalized Elo.
const ITERATIONS_MAX: usize = 10;
const PROBABILITY_TOLERANCE: f64 = 1e-9;

/// The exact log likelihood ratio of H1 against H0, pentanomial or trinomial as the sample is.
pub fn llr(sample: &Sample, sprt: &Sprt) -> f64 {
    let hypotheses = [sprt.elo0(), sprt.elo1()];
    let [under0, under1] = match sprt.model() {
        EloModel::Logistic => hypotheses.map(|elo| tilt_to_score(sample, score_of_elo(elo))),
        EloModel::Normalized => {
            let scale = (sample.games_per_sample() as f64).sqrt() / NELO_SCALE;
            hypotheses.map(|elo| tilt_to_t(sample, scale * elo))
        }
    };
    // Σ p̂ ln(p1/p0)
    let ratios = under0.iter().zip(&under1).map(|(l0, l1)| l0 - l1);
    let terms = sample.probabilities().iter().zip(ratios);
    sample.total() * terms.map(|(p, ratio)| p * ratio).sum::<f64>()
}

/// `ln(p̂_i / p_i)` for the most likely distribution with mean `score`.
fn tilt_to_score(sample: &Sample, score: f64) -> [f64; 5] {
    let mut offsets = [0.0; 5];
    for (offset, a) in offsets.iter_mut().zip(sample.scores()) {
        *offset = a - score;
    }
    let offsets = &offsets[..sample.scores().len()];
    let tilt = tilt_root(sample.probabilities(), offsets, 0.0).unwrap_or(0.0);
    logs(offsets, tilt)
}

/// `ln(p̂_i / p_i)` for the most likely distribution with `(mean - 1/2)/sigma = t`.
///
/// Starts from the uniform distribution and repeats the linearised problem. Within the range of [`Sprt`] the linearised problem
/// has a solution; were there none, the last distribution found would stand.
fn tilt_to_t(sample: &Sample, t: f64) -> [f64; 5] {
    let (scores, observed) = (sample.scores(), sample.probabilities());
    let size = scores.len();
    let mut fitted = [1.0 / size as f64; 5];
    let (mut offsets, mut tilt) = ([0.0; 5], 0.0);
    for _ in 0..ITERATIONS_MAX {
        let (mean, variance) = moments(scores, &fitted[..size]);
        let sigma = variance.sqrt();
        let mut next_offsets = [0.0; 5];
        for (offset, a) in next_offsets.iter_mut().zip(scores) {
            let z = (mean - a) / sigma;
            *offset = a - 0.5 - t * sigma * (1.0 + z * z) / 2.0;
        }
        let Some(next_tilt) = tilt_root(observed, &next_offsets[..size], tilt) else {
            break;
        };
        (offsets, tilt) = (next_offsets, next_tilt);
        let mut change: f64 = 0.0;
        for ((fit, p), offset) in fitted.iter_mut().zip(observed).zip(offsets) {
            let next = p / (1.0 + tilt * offset);
            change = change.max((next - *fit).abs());
            *fit = next;
        }
        if change < PROBABILITY_TOLERANCE {
            break;
        }
    }
    logs(&offsets[..size], tilt)
}

fn logs(offsets: &[f64], tilt: f64) -> [f64; 5] {
    let mut logs = [0.0; 5];
    for (log, offset) in logs.iter_mut().zip(offsets) {
        *log = (tilt * offset).ln_1p();
    }
    logs
}

/// The `x` with `Σ p_i b_i / (1 + x b_i) = 0` that keeps every `1 + x b_i` positive; `None` unless the offsets `b` have both signs.
///
/// The sum falls steadily between two poles, so Newton's method with bisection as a guard always arrives. Beside a pole
/// the plain step is no longer than the distance to it, which looks like convergence and is not; the step is therefore that of
/// the sum times both distances, and counts as short only in comparison with them.
fn tilt_root(probabilities: &[f64], offsets: &[f64], start: f64) -> Option<f64> {
    let largest = offsets.iter().copied().fold(f64::MIN, f64::max);
    let smallest = offsets.iter().copied().fold(f64::MAX, f64::min);
    if largest <= 0.0 || smallest >= 0.0 {
        return None;
    }
    let poles = (-1.0 / largest, -1.0 / smallest);
    // The fitted probabilities `p_i / (1 + x b_i)` sum to 1, so none exceeds it: the root keeps a distance from both poles.
    let (mut low, mut high) = poles;
    for (p, b) in probabilities.iter().zip(offsets) {
        let end = (p - 1.0) / b;
        if *b > 0.0 {
            low = low.max(end);
        } else if *b < 0.0 {
            high = high.min(end);
        }
    }
    // Zero always lies between the poles; a start from a neighbouring problem may not.
    let mut x = if start > low && start < high { start } else { 0.0 };
    for _ in 0..200 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (p, b) in probabilities.iter().zip(offsets) {
            let ratio = b / (1.0 + x * b);
            sum += p * ratio;
            slope += p * ratio * ratio;
        }
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let (from_low, from_high) = (x - poles.0, poles.1 - x);
        let newton = x + sum / (slope - sum * (1.0 / from_low - 1.0 / from_high));
        let next = if newton >= low && newton <= high {
            newton
        } else {
            0.5 * (low + high)
        };
        let step = (next - x).abs();
        x = next;
        // Newton squares the error: after a step this short the last digit is right.
        if step <= 1e-9 * from_low.min(from_high) || step <= 4.0 * f64::EPSILON * x.abs() {
            break;
        }
    }
    Some(x)
}

/// Siegmund's correction for the distance by which a discrete walk overshoots its bounds.
///
/// Feed it the ratio after every batch, in the order in which batches were counted; it keeps the records of the walk
/// and estimates from them how far beyond a bound the walk lands on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overshoot {
    below: Records,
    above: Records,
}

/// The highest values so far, and sums over the steps from one to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Records {
    highest: f64,
    steps: f64,
    squares: f64,
}

impl Records {
    fn feed(&mut self, value: f64) {
        if value > self.highest {
            let step = value - self.highest;
            self.steps += step;
            self.squares += step * step;
            self.highest = value;
        }
    }

    fn overshoot(&self) -> f64 {
        if self.steps > 0.0 {
            self.squares / self.steps / 2.0
        } else {
            0.0
        }
    }
}

impl Overshoot {
    /// Takes the next value of the log likelihood ratio.
    pub fn feed(&mut self, llr: f64) {
        self.below.feed(-llr);
        self.above.feed(llr);
    }

    /// Mean overshoot below the lower bound, `>= 0`; 0 while the walk has no record there.
    pub fn lower(&self) -> f64 {
        self.below.overshoot()
    }

    /// Mean overshoot above the upper bound, `>= 0`; 0 while the walk has no record there.
    pub fn upper(&self) -> f64 {
        self.above.overshoot()
    }

    /// The bounds moved inwards by `share` of the mean overshoot, 1 being Siegmund's correction; they never cross zero.
    pub fn corrected(&self, bounds: Bounds, share: f64) -> Bounds {
        Bounds {
            lower: (bounds.lower + share * self.lower()).min(0.0),
            upper: (bounds.upper - share * self.upper()).max(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::bisect;
    use crate::testing::{assert_near, counts, mirrored, model};
    use proptest::prelude::*;

    fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn a_hundred_wins_of_a_hundred_give_1_43_and_not_28574() {
        let value = llr(&Sample::games(0, 0, 100), &sprt(0.0, 5.0, EloModel::Logistic));
        assert_near(value, 1.428_760_563_402_970_5, 1e-6);
    }

    /// Each of these made a Newton step land beside a pole, where it passed for the root and the ratio for -28.
    #[test]
    fn a_step_that_lands_beside_a_pole_is_not_taken_for_the_root() {
        let test = sprt(0.0, 20.0, EloModel::Normalized);
        let ratio = |counts| llr(&Sample::pairs(counts), &test);
        assert_near(ratio([3, 17, 20, 3, 1]), -1.592_477_660_967_463_6, 1e-9);
        assert_near(ratio([0, 11, 18, 1, 1]), -0.858_228_560_155_460_9, 1e-9);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_root_is_that_of_bisection_wherever_the_search_starts(
            counts in counts(5000),
            score in 0.05f64..0.95,
            start in -10.0f64..10.0,
        ) {
            let sample = Sample::pairs(counts);
            let offsets: Vec<f64> = sample.scores().iter().map(|a| a - score).collect();
            let root = tilt_root(sample.probabilities(), &offsets, start).unwrap();
            let terms = || sample.probabilities().iter().zip(&offsets);
            let [plain, _] = bisect([-1.0 / (1.0 - score), 1.0 / score], 200, |x| {
                terms().map(|(p, b)| p * b / (1.0 + x * b)).sum::<f64>() > 0.0
            });
            // What counts is each fitted probability.
            for (p, b) in terms() {
                let (fitted, expected) = (p / (1.0 + root * b), p / (1.0 + plain * b));
                prop_assert!((fitted - expected).abs() < 1e-7, "{} {}", fitted, expected);
            }
        }

        #[test]
        fn one_more_pair_of_an_ordinary_match_moves_the_ratio_a_little(
            counts in prop::array::uniform5(1u64..60),
            more in 0usize..5,
            model in model(),
        ) {
            let ratio = |counts| llr(&Sample::pairs(counts), &sprt(0.0, 20.0, model));
            let mut next = counts;
            next[more] += 1;
            prop_assert!((ratio(next) - ratio(counts)).abs() < 0.8);
        }

        #[test]
        fn swapping_players_and_hypotheses_negates_the_ratio(
            counts in counts(2000),
            elo0 in -20.0f64..20.0,
            width in 0.5f64..30.0,
            model in model(),
        ) {
            let value = llr(&Sample::pairs(counts), &sprt(elo0, elo0 + width, model));
            let other = llr(&Sample::pairs(mirrored(counts)), &sprt(-elo0 - width, -elo0, model));
            prop_assert!((value + other).abs() <= 1e-6 * (1.0 + value.abs()), "{} {}", value, other);
        }

        #[test]
        fn the_ratio_of_any_counts_is_finite(
            counts in counts(1_000_000_000),
            elo0 in -200.0f64..199.0,
            share in 0.001f64..1.0,
            model in model(),
        ) {
            let test = sprt(elo0, elo0 + share * (200.0 - elo0), model);
            prop_assert!(llr(&Sample::pairs(counts), &test).is_finite());
            prop_assert!(llr(&Sample::games(counts[0], counts[1], counts[2]), &test).is_finite());
        }
    }
}
