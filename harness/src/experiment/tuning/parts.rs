//! What a tuning and its confirming match share.
//!
//! In: a specification, openings, workers. Out: [`Tuning`], the openings of each part.

use std::path::PathBuf;

use super::spec::TuningSpec;
use crate::experiment::options::RunOptions;
use crate::experiment::programs::Programs;
use crate::experiment::workers::Workers;
use crate::interrupt::Interrupt;
use crate::openings::OpeningSuite;

/// Every so many openings one is kept for the confirming match.
pub(super) const CONFIRM_EVERY: usize = 4;

/// What the parts of a tuning share.
pub(super) struct Tuning<'a, P> {
    pub(super) spec: &'a TuningSpec,
    pub(super) options: &'a RunOptions,
    /// All openings.
    pub(super) suite: OpeningSuite<P>,
    pub(super) workers: Workers,
    pub(super) process: Interrupt,
    pub(super) programs: Programs,
    pub(super) folder: PathBuf,
}

impl<P: Clone> Tuning<'_, P> {
    /// The openings of the tuning or of the confirming match; no opening is in both.
    pub(super) fn openings(&self, confirms: bool) -> OpeningSuite<P> {
        let all = &self.suite;
        if self.spec.confirm.is_none() {
            return all.clone();
        }
        let is_kept = |index: usize| index % CONFIRM_EVERY == CONFIRM_EVERY - 1;
        let chosen = all
            .openings
            .iter()
            .enumerate()
            .filter(|&(index, _)| is_kept(index) == confirms);
        OpeningSuite {
            openings: chosen.map(|(_, opening)| opening.clone()).collect(),
            duplicates: Vec::new(),
            sha256: format!("{}, every {CONFIRM_EVERY}th: {confirms}", all.sha256),
        }
    }
}
