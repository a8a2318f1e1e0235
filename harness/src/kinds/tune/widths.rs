//! `--auto-c`: widths by how much they change play.

use tanren_engine::search::Searchable;

use super::spec::TuningSpec;

use crate::config::MoveLimit;
use crate::kinds::tune::optimizer::{Sensitivity, Space};
use crate::openings::Opening;
use crate::runner::LocalExecutor;
use crate::session::error::ExperimentError;
use crate::session::game::with_game;
use crate::session::observer::{RunEvent, RunObserver};
use crate::session::openings::load_positions;
use crate::session::options::RunOptions;

/// `spec` with measured widths if it wants them; the same command measures the same again.
pub(crate) fn measured(
    spec: &TuningSpec,
    options: &RunOptions,
    observer: &mut dyn RunObserver,
) -> Result<Option<TuningSpec>, ExperimentError> {
    let Some(share) = spec.auto_width else {
        return Ok(None);
    };
    if !(share > 0.0 && share < 1.0) {
        return Err(ExperimentError::Input(format!(
            "--auto-c is {share}, but must be above 0 and below 1"
        )));
    }
    let MoveLimit::Nodes(nodes) = spec.games.seats[0].limit else {
        return Err(ExperimentError::Input("--auto-c needs a node limit".to_owned()));
    };
    let sensitivity = Sensitivity { share, nodes };
    let line = "measuring how much every parameter changes play";
    observer.on_event(RunEvent::Line(line.to_owned()))?;
    let executor = options.executor()?;
    let mut measured = spec.clone();
    measured.space = with_game!(spec.games.conditions.game, widen(spec, &sensitivity, &executor))?;
    measured.auto_width = None;
    Ok(Some(measured))
}

fn widen<P: Searchable>(
    spec: &TuningSpec,
    sensitivity: &Sensitivity,
    executor: &LocalExecutor,
) -> Result<Space, ExperimentError> {
    let suite = load_positions::<P>(None)?;
    let positions: Vec<P> = suite.openings.iter().map(Opening::position).collect();
    let config = spec.games.seats[0].player.builtin()?;
    let widen = || sensitivity.widen(&spec.space, config, &positions);
    executor
        .pool()
        .install(widen)
        .map_err(|error| ExperimentError::Input(error.to_string()))
}
