use serde_json::{Value, json};
use tanren_engine::game::{Game, Position};

use crate::config::{PlayerSpec, Timeouts};
use crate::document::Document;
use crate::interrupt::Interrupt;
use crate::player::{ExaminedFiles, Finding, Launch, NoAnswer, comply};
use crate::session::error::{ExperimentError, Result};
use crate::session::external_engines::{unanswered, unreadable};
use crate::session::game::with_game;

pub fn examine(game: Game, engine: &str, timeouts: Timeouts, hash_mib: usize) -> Result<Vec<Finding>> {
    let player = PlayerSpec::parse(game, "to check", engine)?;
    with_game!(game, ask(&player, engine, timeouts, hash_mib))
}

fn ask<P: Position>(
    player: &PlayerSpec,
    engine: &str,
    timeouts: Timeouts,
    hash_mib: usize,
) -> Result<Vec<Finding>> {
    let process = player.process().ok_or_else(|| {
        let message = format!("'{engine}' is the built-in engine; expected usi:COMMAND or uci:COMMAND");
        ExperimentError::Input(message)
    })?;
    player.check_game()?;
    let digest = ExaminedFiles::default().examine(process);
    digest.map_err(|error| unreadable(&player.label, process, &error))?;
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let launch = Launch::new(process.clone(), timeouts, hash_mib, &interrupt);
    comply::<P>(&launch).map_err(|no_answer| match no_answer {
        NoAnswer::Fault(fault) => ExperimentError::Input(fault.to_string()),
        no_answer => unanswered(&player.label, &interrupt, no_answer),
    })
}

pub fn document(findings: &[Finding]) -> Document<'static> {
    let line = |finding: &Finding| {
        let verdict = if finding.is_passed { "pass" } else { "FAIL" };
        format!("{verdict}  {}: {}\n", finding.check, finding.detail)
    };
    let row = |finding: &Finding| json!({"check": finding.check, "passed": finding.is_passed, "detail": finding.detail});
    Document::of_text(
        findings.iter().map(line).collect(),
        findings.iter().map(row).collect::<Value>(),
    )
}
