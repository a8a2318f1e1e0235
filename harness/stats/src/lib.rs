//! Statistics of a match: counts of pairs go in, estimates with intervals, likelihood ratios and probabilities come out.
//!
//! Pure functions only: nothing here reads a file, prints, parses or formats a number, starts a thread or knows how games are played. A value that
//! cannot be given is an explicit `None` (or a typed error), never NaN or infinity. The words used throughout:
//! *score* is a mean result in `[0, 1]`, *pair* is one opening played with both colours, *elo* is the logistic
//! scale of [`elo::score_of_elo`], *nelo* the normalized scale of [`elo::nelo`].

pub mod anytime;
pub mod binomial;
pub mod bootstrap;
mod brownian;
pub mod calculator;
pub mod clusters;
mod davidson;
pub mod elimination;
pub mod elo;
pub mod estimates;
pub mod homogeneity;
pub mod level;
mod linear;
pub mod llr;
pub mod looks;
pub mod multiple;
mod normal;
pub mod odds;
pub mod pair_model;
pub mod pooled;
pub mod random;
pub mod ratings;
pub mod sample;
mod search;
pub mod shrinkage;
pub mod small;
pub mod sprt;
pub mod stopped;
pub mod tally;
mod unadjusted;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod vectors;

pub use self::{
    anytime::*,
    bootstrap::*,
    calculator::*,
    clusters::*,
    davidson::PairedGames,
    elimination::*,
    elo::*,
    estimates::*,
    homogeneity::*,
    level::*,
    llr::*,
    looks::*,
    multiple::*,
    normal::normal_scores,
    odds::*,
    pair_model::*,
    pooled::*,
    ratings::*,
    sample::*,
    small::*,
    sprt::*,
    stopped::*,
    tally::*,
    unadjusted::{UnadjustedElo, unadjusted_elo},
};
