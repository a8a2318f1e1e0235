//! Suites of openings: the file of a new one, and one in numbers.

use std::io::Write;

use serde_json::{Value, json};

use super::command::quote;
use crate::document::file::{FileError, write_atomically};
use crate::kinds::openings_check::SuiteStatistics;
use crate::tools::generation::{GeneratedSuite, GenerationSpec, StartsSpec};

/// Writes a new suite: the command that makes it again, and a position a line.
pub fn write_generated(spec: &GenerationSpec, made: &GeneratedSuite) -> Result<(), FileError> {
    write_atomically(&spec.out, |output| {
        writeln!(output, "# {}", command(spec, made))?;
        let mut positions = made.positions.iter();
        positions.try_for_each(|position| writeln!(output, "{position}"))
    })
}

/// Writes the start positions of Chess960, the command that makes them again first.
pub fn write_starts(spec: &StartsSpec, lines: &[String]) -> Result<(), FileError> {
    let order = spec
        .count
        .map(|count| format!(" --count {count} --seed {}", spec.seed));
    write_atomically(&spec.out, |output| {
        let order = order.as_deref().unwrap_or_default();
        writeln!(
            output,
            "# tanren openings generate --{}{order}",
            spec.starts.name()
        )?;
        lines.iter().try_for_each(|line| writeln!(output, "{line}"))
    })
}

fn command(spec: &GenerationSpec, made: &GeneratedSuite) -> String {
    let phase = spec.phase.map(|phase| format!(" --phase {}", phase.name()));
    let nodes_move = spec.nodes_move.map(|nodes| format!(" --nodes-move {nodes}"));
    let score_min = (spec.score_min > 0).then(|| format!(" --score-min {}", spec.score_min));
    let is_usual = spec.player == GenerationSpec::PLAYER;
    let player = (!is_usual).then(|| format!(" --player {}", quote(&spec.player)));
    format!(
        "tanren openings generate --game {} --count {} --seed {}{} --plies-min {} --plies-max {}{} --score-max {} --nodes {}{}{}",
        spec.game.name(),
        spec.count,
        spec.seed,
        phase.unwrap_or_default(),
        made.plies.start(),
        made.plies.end(),
        score_min.unwrap_or_default(),
        spec.score_max,
        spec.nodes_judge,
        nodes_move.unwrap_or_default(),
        player.unwrap_or_default()
    )
}

/// A suite in numbers, a line each.
pub fn describe_statistics(found: &SuiteStatistics) -> String {
    let SuiteStatistics {
        origin,
        figures,
        sha256,
    } = found;
    format!(
        "{origin}\npositions       {}\nrepeated lines  {}\nsecond to move  {}\nin check        {}\nlegal moves     {:.1} on average\nSHA-256         {sha256}\n",
        figures.positions,
        figures.duplicates,
        figures.second_to_move,
        figures.in_check,
        figures.legal_moves_mean,
    )
}

pub fn statistics_json(found: &SuiteStatistics) -> Value {
    json!({
        "positions": found.figures.positions,
        "duplicates": found.figures.duplicates,
        "second_to_move": found.figures.second_to_move,
        "in_check": found.figures.in_check,
        "legal_moves_mean": found.figures.legal_moves_mean,
        "sha256": found.sha256,
    })
}

#[cfg(test)]
mod tests {
    use tanren_engine::game::Game;

    use super::*;
    use crate::openings::Phase;

    #[test]
    fn a_suite_begins_with_the_command_that_makes_it_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut spec = GenerationSpec {
            game: Game::Shogi,
            count: 2,
            seed: 7,
            phase: None,
            plies_min: None,
            plies_max: None,
            score_min: 0,
            score_max: 150,
            nodes_judge: 10_000,
            nodes_move: None,
            player: "base".to_owned(),
            out: folder.path().join("mine.sfen"),
            replaces: false,
            concurrency: None,
        };
        let made = GeneratedSuite {
            plies: 8..=24,
            positions: vec!["ONE".to_owned(), "TWO".to_owned()],
        };
        write_generated(&spec, &made).unwrap();
        assert_eq!(
            std::fs::read_to_string(&spec.out).unwrap(),
            "# tanren openings generate --game shogi --count 2 --seed 7 --plies-min 8 --plies-max 24 --score-max 150 \
             --nodes 10000\nONE\nTWO\n"
        );
        spec.phase = Some(Phase::Endgame);
        spec.nodes_move = Some(5);
        spec.player = "@my player.toml".to_owned();
        let line = command(&spec, &made);
        assert!(
            line.contains(" --seed 7 --phase endgame --plies-min 8 "),
            "{line}"
        );
        assert!(
            line.ends_with(" --nodes 10000 --nodes-move 5 --player '@my player.toml'"),
            "{line}"
        );
    }
}
