//! `--auto-c`: widths by how much they change play.
//!
//! In: a specification. Out: the same with measured widths. Must not: play a game.

use tanren_engine::eval::Evaluated;

use super::super::error::CliError;
use super::super::game::with_game;
use super::super::play::PlayOptions;
use super::spec::TuneSpec;
use crate::config::MoveLimit;
use crate::openings::{built_in_nodes, parse};
use crate::runner::LocalExecutor;
use crate::tune::{Sensitivity, Space};

/// Replaces the widths of the space; the same command measures the same again.
pub(super) fn measure(spec: &mut TuneSpec, share: f64, options: &PlayOptions) -> Result<(), CliError> {
    if !(share > 0.0 && share < 1.0) {
        return Err(CliError::Input(format!(
            "--auto-c is {share}, but must be above 0 and below 1"
        )));
    }
    let MoveLimit::Nodes(nodes) = spec.games.seats[0].limit else {
        return Err(CliError::Input("--auto-c needs a node limit".to_owned()));
    };
    let sensitivity = Sensitivity { share, nodes };
    options.say("measuring how much every parameter changes play");
    let executor = options.executor()?;
    spec.space = with_game!(spec.games.conditions.game, widen(spec, &sensitivity, &executor))?;
    Ok(())
}

fn widen<P: Evaluated>(
    spec: &TuneSpec,
    sensitivity: &Sensitivity,
    executor: &LocalExecutor,
) -> Result<Space, CliError> {
    let suite = parse::<P>(built_in_nodes(spec.games.conditions.game), "the built-in suite")?;
    let positions: Vec<P> = suite
        .openings
        .into_iter()
        .map(|opening| opening.position)
        .collect();
    let config = spec.games.seats[0].player.builtin()?;
    let widen = || sensitivity.widen(&spec.space, config, &positions);
    executor
        .pool()
        .install(widen)
        .map_err(|error| CliError::Input(error.to_string()))
}
