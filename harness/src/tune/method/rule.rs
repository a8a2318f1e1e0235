//! What every method is: a rule by which results become steps.
//!
//! In: a trial and its result. Out: a new state, widths for the next trial, the values found.

use crate::tune::Trial;

/// A method between two results. Iterations are numbered from 0.
pub trait Method: Send {
    /// The values that the next trial is played about.
    fn state(&self) -> &[f64];
    /// Half the distance of the two sides in `iteration`.
    fn widths(&self, iteration: u64) -> Vec<f64>;
    /// Takes in a result: games that A won less those that B won.
    fn update(&mut self, trial: &Trial, balance: f64);
    /// The values found so far.
    fn estimate(&self) -> Vec<f64> {
        self.state().to_vec()
    }
}
