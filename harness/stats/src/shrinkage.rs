//! How much of many noisy slopes at once is signal: empirical Bayes with one unknown, what there is to gain in all.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// What there may be to gain, in Elo: every factor of this step from the least to the greatest is as likely beforehand as any other.
const ELO_STEP: f64 = 1.25;
const ELO_RANGE: [f64; 2] = [0.1, 300.0];

/// One direction in which a loss was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slope {
    /// Elo gained by a unit's step, as measured.
    pub slope: f64,
    /// The inverse of the variance of that number.
    pub information: f64,
    /// Elo lost by a unit's step from the optimum, twice: the second derivative of the loss.
    pub curvature: f64,
}

impl Slope {
    /// How many variances the square of the slope is.
    fn square(&self) -> f64 {
        self.slope * self.slope * self.information
    }
}

/// What is believed of all slopes together.
#[derive(Debug, Clone, PartialEq)]
pub struct Belief {
    /// The share of each slope that is believed, 0 to 1, in their order.
    pub shares: Vec<f64>,
    /// How likely slopes as large as these are where there is nothing to gain (chi-squared).
    pub p_value: f64,
    /// What going to where the believed slopes lead is expected to be worth, in Elo.
    pub elo: f64,
}

impl Belief {
    /// What nothing measured tells.
    pub fn none(slopes: usize) -> Belief {
        Belief {
            shares: vec![0.0; slopes],
            p_value: 1.0,
            elo: 0.0,
        }
    }

    /// Weighs every amount that there may be to gain by how well it explains `slopes`. An amount of E Elo, spread evenly over n directions of
    /// curvature c, makes true slopes of variance 2 c E / n (a loss of c x²/2 has the slope c x), of which the share v / (v + 1 / information)
    /// of a measured slope is kept (J. Berger, "Statistical decision theory and Bayesian analysis", 1985, 4.5).
    pub fn of(slopes: &[Slope]) -> Belief {
        let known = slopes.iter().filter(|slope| slope.information > 0.0).count();
        if known == 0 {
            return Belief::none(slopes.len());
        }
        let kept = |slope: &Slope, elo: f64| {
            let ratio = 2.0 * slope.curvature * elo / known as f64 * slope.information;
            ratio / (1.0 + ratio)
        };
        let steps = (ELO_RANGE[1] / ELO_RANGE[0]).ln() / ELO_STEP.ln();
        let amounts: Vec<(f64, f64)> = (0..=steps as i32)
            .map(|step| {
                let elo = ELO_RANGE[0] * ELO_STEP.powi(step);
                let likelihoods = slopes.iter().map(|slope| {
                    let rest = 1.0 - kept(slope, elo);
                    0.5 * (rest.ln() - slope.square() * rest)
                });
                (elo, likelihoods.sum())
            })
            .collect();
        let likeliest = amounts.iter().map(|(_, log)| *log).fold(f64::MIN, f64::max);
        let weights: Vec<(f64, f64)> = amounts
            .iter()
            .map(|(elo, log)| (*elo, (log - likeliest).exp()))
            .collect();
        let whole: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let share = |slope: &Slope| {
            let parts = weights.iter().map(|&(elo, weight)| weight * kept(slope, elo));
            parts.sum::<f64>() / whole
        };
        let shares: Vec<f64> = slopes.iter().map(share).collect();
        let gains = slopes.iter().zip(&shares).map(|(slope, share)| {
            let believed = share * slope.slope;
            believed * believed / (2.0 * slope.curvature)
        });
        let squares: f64 = slopes.iter().map(Slope::square).sum();
        Belief {
            p_value: ChiSquared::new(known as f64).map_or(1.0, |distribution| distribution.sf(squares)),
            elo: gains.sum(),
            shares,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn slopes(count: usize, true_slope: f64, information: f64, random: &mut Random) -> Vec<Slope> {
        let slope = |_| Slope {
            slope: true_slope + random.normal() / information.sqrt(),
            information,
            curvature: 2.0,
        };
        (0..count).map(slope).collect()
    }

    #[test]
    fn noise_is_hardly_believed_and_what_stands_out_is() {
        let mut random = Random::new(1, &[]);
        let noise = Belief::of(&slopes(20, 0.0, 0.2, &mut random));
        assert!(noise.shares.iter().all(|&share| share < 0.3), "{noise:?}");
        assert!(noise.p_value > 0.01);
        let signal = Belief::of(&slopes(20, 12.0, 0.2, &mut random));
        assert!(signal.shares.iter().all(|&share| share > 0.9), "{signal:?}");
        assert!(signal.p_value < 1e-6 && signal.elo > 400.0);
    }

    #[test]
    fn following_what_is_believed_and_not_likely_noise_costs_less_than_an_elo_where_there_is_nothing() {
        let mut random = Random::new(2, &[]);
        for count in [5, 20, 200] {
            for information in [0.1, 0.3, 1.0] {
                let losses = (0..400).map(|_| {
                    let belief = Belief::of(&slopes(count, 0.0, information, &mut random));
                    // Nothing is gained at the optimum, so what is expected is lost.
                    if belief.p_value > 0.1 { 0.0 } else { belief.elo }
                });
                let mean = losses.sum::<f64>() / 400.0;
                assert!(mean < 1.0, "{count} slopes, information {information}: {mean}");
            }
        }
    }

    #[test]
    fn p_values_of_noise_are_spread_evenly() {
        let mut random = Random::new(3, &[]);
        let is_below = |_: &i32| Belief::of(&slopes(10, 0.0, 1.0, &mut random)).p_value < 0.1;
        let below = (0..2000).filter(is_below).count();
        assert!((140..260).contains(&below), "{below}");
    }

    #[test]
    fn directions_that_were_not_measured_are_left_alone() {
        let of = |slope, information| Slope {
            slope,
            information,
            curvature: 2.0,
        };
        assert_eq!(Belief::of(&[of(0.0, 0.0); 3]), Belief::none(3));
        let belief = Belief::of(&[of(0.0, 0.0), of(30.0, 1.0)]);
        assert!(belief.shares[0] == 0.0 && belief.shares[1] > 0.9);
    }
}
