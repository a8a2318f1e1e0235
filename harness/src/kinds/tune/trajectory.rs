//! How the values of a tuning moved, in as many points as a picture shows.

use crate::kinds::tune::optimizer::{Plan, Space, Step, Surface};

/// Points that are kept at most.
const POINTS_MAX: u64 = 400;

#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub iteration: u64,
    pub state: Vec<f64>,
    pub widths: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Trajectory {
    pub points: Vec<Point>,
    pub estimate: Vec<f64>,
    /// Which share of the movement the method keeps in them; `None` if it does not ask.
    pub kept: Option<f64>,
    pub surface: Option<Surface>,
    pub applied: u64,
    every: u64,
}

impl Trajectory {
    pub fn new(space: &Space, plan: &Plan) -> Trajectory {
        Trajectory {
            points: Vec::new(),
            estimate: space.start(),
            kept: None,
            surface: None,
            applied: 0,
            every: plan.iterations.div_ceil(POINTS_MAX),
        }
    }

    pub fn push(&mut self, step: &Step) {
        self.applied = step.trial.iteration + 1;
        self.estimate.clone_from(&step.estimate);
        self.kept = step.kept;
        self.surface.clone_from(&step.surface);
        if self.applied == 1 || self.applied.is_multiple_of(self.every) {
            self.points.push(Point {
                iteration: self.applied,
                state: step.state.clone(),
                widths: step.trial.widths.clone(),
            });
        }
    }
}
