//! Does an engine start, and does it take its options? Asked before the first game.

use super::engine::{Engine, NoAnswer};
use super::fault::Fault;
use super::fitness::unfit_among;
use super::option::EngineOption;
use crate::config::{ProcessSpec, Timeouts};
use crate::interrupt::Interrupt;
use crate::record::Reason;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    /// What it calls itself; empty if it did not say.
    pub name: String,
    pub options: Vec<EngineOption>,
}

/// Starts the engine, sets its options, waits until it is ready and ends it.
pub fn probe(
    spec: &ProcessSpec,
    timeouts: Timeouts,
    hash_mib: usize,
    interrupt: &Interrupt,
) -> Result<Probe, NoAnswer> {
    fits(spec, &[])?;
    let engine = Engine::start(spec, timeouts, hash_mib, None, interrupt)?;
    fits(spec, engine.options())?;
    Ok(Probe {
        name: engine.name().to_owned(),
        options: engine.options().to_vec(),
    })
}

pub(super) fn fits(spec: &ProcessSpec, announced: &[EngineOption]) -> Result<(), NoAnswer> {
    match unfit_among(spec, announced) {
        None => Ok(()),
        Some(why) => Err(Fault::new(Reason::RefusedOption, why).into()),
    }
}
