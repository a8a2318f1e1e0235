//! What every method is: a rule by which results become steps.
//!
//! In: a trial and its result. Out: a new state, widths for the next trial, the values found.

use crate::tune::Trial;
use crate::tune::quadratic::Surface;

/// A method between two results. Iterations are numbered from 0.
pub trait Method: Send {
    /// Where it is.
    fn state(&self) -> &[f64];
    /// The values that the trial of `iteration` is played about.
    fn state_for(&self, _iteration: u64) -> Vec<f64> {
        self.state().to_vec()
    }
    /// Half the distance of the two sides in `iteration`.
    fn widths(&self, iteration: u64) -> Vec<f64>;
    /// Takes in a result: games that A won less those that B won.
    fn update(&mut self, trial: &Trial, balance: f64);
    /// The values found so far.
    fn estimate(&self) -> Vec<f64> {
        self.state().to_vec()
    }
    /// Which share of its movement it kept, 0 if it saw no signal; `None` if it does not ask.
    fn kept(&self) -> Option<f64> {
        None
    }
    /// The surface through the results, if it fits one.
    fn surface(&self) -> Option<Surface> {
        None
    }
}
