use tanren_engine::game::{Game, Position};

use crate::config::{PlayerSpec, Timeouts};
use crate::interrupt::Interrupt;
use crate::player::{Finding, NoAnswer, comply, file_sha256, program_path};
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::unreadable;
use crate::session::game::with_game;

#[derive(Debug, Clone, PartialEq)]
pub struct ComplianceSpec {
    pub game: Game,
    pub engine: String,
    pub timeouts: Timeouts,
    pub hash_mib: usize,
}

pub fn examine(spec: &ComplianceSpec) -> Result<Vec<Finding>> {
    with_game!(spec.game, ask(spec))
}

fn ask<P: Position>(spec: &ComplianceSpec) -> Result<Vec<Finding>> {
    let player = PlayerSpec::parse(spec.game, "to check", &spec.engine)?;
    let process = player.process().ok_or_else(|| {
        let engine = &spec.engine;
        let message = format!("'{engine}' is the built-in engine; expected usi:COMMAND or uci:COMMAND");
        ExperimentError::Input(message)
    })?;
    player.check_game()?;
    let digest = program_path(process).and_then(|path| file_sha256(&path));
    digest.map_err(|error| unreadable(&player.label, process, &error))?;
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    comply::<P>(process, spec.timeouts, spec.hash_mib, &interrupt).map_err(|no_answer| match no_answer {
        NoAnswer::Fault(fault) => ExperimentError::Input(fault.to_string()),
        NoAnswer::Environment(environment_error) => ExperimentError::from(environment_error),
        NoAnswer::Interrupted => ExperimentError::stopped(&interrupt),
    })
}
