//! Statistics of a match: counts of pairs go in, estimates with intervals, likelihood ratios and probabilities come out.
//!
//! Pure functions only: nothing here reads a file, prints, parses or formats a number, starts a thread or knows how games are played. A value that
//! cannot be given is an explicit `None` (or a typed error), never NaN or infinity. The words used throughout:
//! *score* is a mean result in `[0, 1]`, *pair* is one opening played with both colours, *elo* is the logistic
//! scale of [`elo::score_of_elo`], *nelo* the normalized scale of [`elo::nelo`].

pub mod anytime;
pub mod bootstrap;
mod brownian;
pub mod calculator;
pub mod clusters;
mod davidson;
pub mod elimination;
pub mod elo;
pub mod estimates;
pub mod homogeneity;
pub mod llr;
pub mod looks;
pub mod multiple;
mod normal;
pub mod odds;
pub mod pair_model;
pub mod random;
pub mod ratings;
pub mod sample;
mod search;
pub mod shrinkage;
pub mod small;
pub mod sprt;
pub mod stopped;
pub mod tally;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod vectors;

pub use anytime::{AnytimeTest, anytime_elo, anytime_scores};
pub use bootstrap::{BootstrapError, geometric_mean};
pub use calculator::{Calculator, CalculatorError, Forecast};
pub use clusters::Clusters;
pub use davidson::PairedGames;
pub use elimination::{Elimination, Question, looks_from};
pub use elo::{Estimate, MIN_GAMES, MIN_PAIRS};
pub use estimates::{CONFIDENCE, Estimates, Walk};
pub use homogeneity::same_distribution;
pub use llr::{Overshoot, llr};
pub use looks::Looks;
pub use multiple::{Corrected, benjamini_hochberg, corrected, holm};
pub use normal::normal_scores;
pub use odds::{OddsBatch, OddsCurve, even_ratio, next_log_ratio};
pub use pair_model::{PairModel, PairModelError};
pub use ratings::{Ratings, RatingsError};
pub use sample::Sample;
pub use small::{exact_elo, exact_scores};
pub use sprt::{Bounds, EloModel, Sprt, SprtError};
pub use stopped::{StoppedEstimate, stopped_estimate};
pub use tally::{GameResult, PairResult, Tally};
