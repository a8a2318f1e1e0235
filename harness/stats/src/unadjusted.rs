//! Elo as other runners print it: by the normal approximation alone, however few the results are and however a test has stopped.
//!
//! [`super::Estimates`] is what reports quote; these are for those who read the output of fastchess or cutechess-cli.

use super::elo::{NELO_SCALE, elo_of_score};
use super::normal::{cdf, two_sided_z};
use super::sample::Sample;

/// `None`: the formula has no finite value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnadjustedElo {
    /// By the mean score.
    pub elo: Option<f64>,
    /// Half the width of the interval.
    pub elo_error: Option<f64>,
    /// The same on the normalized scale.
    pub nelo: Option<f64>,
    /// Half the width of its interval.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority.
    pub los: Option<f64>,
}

/// By the mean and the variance of what was counted.
pub fn unadjusted_elo(sample: &Sample) -> UnadjustedElo {
    let Some(score) = sample.score() else {
        return UnadjustedElo::default();
    };
    let count = sample.count() as f64;
    let squares = sample.scores().iter().zip(sample.counts());
    let variance = squares
        .map(|(a, &n)| (a - score).powi(2) * n as f64 / count)
        .sum::<f64>();
    let error = (variance / count).sqrt();
    let width = two_sided_z(0.95);
    let ends = [score + width * error, score - width * error].map(elo_of_score);
    let sigma_game = (sample.games_per_sample() as f64 * variance).sqrt();
    let is_known = variance > 0.0;
    UnadjustedElo {
        elo: elo_of_score(score),
        elo_error: match ends {
            [Some(high), Some(low)] => Some((high - low) / 2.0),
            _ => None,
        },
        nelo: is_known.then(|| NELO_SCALE * (score - 0.5) / sigma_game),
        nelo_error: is_known.then(|| NELO_SCALE * width * error / sigma_game),
        los: (score != 0.5 || is_known).then(|| cdf((score - 0.5) / error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As fastchess 1.8.2 printed it of such counts.
    #[test]
    fn the_figures_are_those_of_the_other_runners() {
        let shown = |sample: Sample| {
            let UnadjustedElo {
                elo,
                elo_error,
                nelo,
                nelo_error,
                los,
            } = unadjusted_elo(&sample);
            [elo, elo_error, nelo, nelo_error, los.map(|los| 100.0 * los)]
                .map(|value| value.map_or("-".to_owned(), |value| format!("{value:.2}")))
                .join(" ")
        };
        for (sample, expected) in [
            (Sample::pairs([0; 5]), "- - - - -"),
            (Sample::pairs([0, 0, 0, 0, 3]), "- - - - 100.00"),
            (Sample::pairs([0, 0, 2, 0, 0]), "0.00 0.00 - - -"),
            (Sample::pairs([0, 0, 3, 1, 0]), "43.66 76.14 141.84 240.76 87.59"),
            (Sample::pairs([0, 0, 3, 2, 0]), "70.44 79.21 200.59 215.34 96.61"),
        ] {
            assert_eq!(shown(sample), expected);
        }
    }
}
