//! How much of many noisy slopes at once is signal: empirical Bayes with one unknown, what there is to gain in all.

/// What there may be to gain, in Elo: every factor of this step from the least to the greatest is as likely beforehand as any other.
const ELO_STEP: f64 = 1.6;
const ELO_RANGE: [f64; 2] = [3.0, 120.0];
/// What may be lost on average where there is nothing to gain, in Elo.
const LOSS_MAX: f64 = 0.2;
/// Logarithms of the odds of nothing to gain that are tried.
const ODDS: [f64; 2] = [-7.0, 14.0];
const HALVINGS: usize = 12;
/// Points of the distribution of the sum of squares.
const POINTS: u32 = 40;

/// How much of so many slopes is kept by the sum of their squares in units of their variances.
///
/// Slopes of a landscape with E Elo to gain have E / `noise` times the variance of noise, and of each slope r / (1 + r) is kept with that
/// ratio r (J. Berger, "Statistical decision theory and Bayesian analysis", 1985, 4.5). That there is nothing to gain gets the least
/// odds with which following slopes of noise costs no more than 0.2 Elo on average. No curvature is needed to tell slopes
/// from noise, only to tell what following noise costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Shrinkage {
    slopes: f64,
    noise: f64,
    /// The logarithm of the odds of nothing against an amount of [`ELO_RANGE`].
    nothing: f64,
}

impl Shrinkage {
    /// `noise`: what it costs to follow slopes that are nothing but noise to their end, in Elo.
    pub fn new(slopes: usize, noise: f64) -> Shrinkage {
        let mut shrinkage = Shrinkage {
            slopes: slopes as f64,
            noise,
            nothing: f64::NEG_INFINITY,
        };
        if shrinkage.loss() > LOSS_MAX {
            let [mut low, mut high] = ODDS;
            for _ in 0..HALVINGS {
                shrinkage.nothing = f64::midpoint(low, high);
                if shrinkage.loss() > LOSS_MAX {
                    low = shrinkage.nothing;
                } else {
                    high = shrinkage.nothing;
                }
            }
            shrinkage.nothing = high;
        }
        shrinkage
    }

    /// The share of slopes that is believed, 0 to 1.
    pub fn kept(&self, squares: f64) -> f64 {
        let steps = (ELO_RANGE[1] / ELO_RANGE[0]).ln() / ELO_STEP.ln();
        let amounts = (0..=steps as i32).map(|step| {
            let ratio = ELO_RANGE[0] * ELO_STEP.powi(step) / self.noise;
            let kept = ratio / (1.0 + ratio);
            (kept, 0.5 * (squares * kept - self.slopes * ratio.ln_1p()))
        });
        let likeliest = amounts.clone().map(|(_, log)| log).fold(self.nothing, f64::max);
        let weighed = amounts.map(|(kept, log)| (kept, (log - likeliest).exp()));
        let (count, whole, believed) =
            weighed.fold((0.0, 0.0, 0.0), |(count, whole, believed), (kept, weight)| {
                (count + 1.0, whole + weight, believed + weight * kept)
            });
        believed / (whole + count * (self.nothing - likeliest).exp())
    }

    /// What is lost on average where there is nothing to gain: the squares are chi-squared there.
    fn loss(&self) -> f64 {
        let count = self.slopes;
        let width = (count + 8.0 * (2.0 * count).sqrt() + 20.0) / f64::from(POINTS);
        let (whole, lost) = (0..POINTS).fold((0.0, 0.0), |(whole, lost), point| {
            let squares = width * (f64::from(point) + 0.5);
            let density = ((count / 2.0 - 1.0) * (squares / count).ln() - (squares - count) / 2.0).exp();
            let loss = self.kept(squares).powi(2) * squares / count * self.noise;
            (whole + density, lost + density * loss)
        });
        lost / whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn following_noise_costs_no_more_than_is_allowed() {
        let mut random = Random::new(2, &[]);
        for count in [1, 5, 20, 200] {
            for noise in [0.1, 1.0, 10.0, 100.0, 1000.0] {
                let shrinkage = Shrinkage::new(count, noise);
                let losses = (0..2000).map(|_| {
                    let squares: f64 = (0..count).map(|_| random.normal().powi(2)).sum();
                    shrinkage.kept(squares).powi(2) * squares / count as f64 * noise
                });
                let mean = losses.sum::<f64>() / 2000.0;
                assert!(mean < 1.5 * LOSS_MAX, "{count} slopes, {noise} Elo: {mean}");
            }
        }
    }

    #[test]
    fn what_stands_out_is_believed_and_more_squares_are_believed_more() {
        for count in [5, 20, 200] {
            for noise in [0.3, 10.0, 300.0] {
                let shrinkage = Shrinkage::new(count, noise);
                let kept = [0.5, 1.0, 2.0, 5.0, 20.0].map(|ratio| shrinkage.kept(ratio * count as f64));
                assert!(kept.is_sorted() && kept[0] >= 0.0 && kept[4] <= 1.0, "{kept:?}");
            }
        }
        assert!(Shrinkage::new(20, 10.0).kept(200.0) > 0.8);
        assert!(Shrinkage::new(20, 100.0).kept(20.0) < 0.1);
    }
}
