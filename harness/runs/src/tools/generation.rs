//! Suites of openings: new ones, and what one is in numbers.

use std::fmt::Display;
use std::io::Write;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use tanren_engine::game::Game;
use tanren_engine::search::Searchable;

use crate::config::PlayerSpec;
use crate::document::Document;
use crate::document::file::write_atomically;
use crate::document::text::quote;
use crate::interrupt::Interrupt;
use crate::kinds::openings_check::SuiteStatistics;
use crate::openings::{self, GenerateError, GenerateSpec, Phase, Starts};
use crate::session::error::{ExperimentError, Result};
use crate::session::folder::check_out;
use crate::session::game::{GameArg, with_game};
use crate::session::options::RunOptions;

const PLIES_LIMIT: u32 = 200;
/// A position takes seconds to be judged and half a kilobyte to be kept.
const COUNT_MAX: usize = 10_000_000;

#[derive(Debug, Clone, Args)]
pub struct GenerationSpec {
    /// The game (shogi; chess with --chess960 and --dfrc).
    #[arg(long, value_enum)]
    pub game: Option<GameArg>,
    /// How many positions.
    #[arg(long, value_name = "N", required_unless_present_any = ["chess960", "dfrc"])]
    pub count: Option<NonZero<usize>>,
    /// Decides everything that is random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Replace FILE if it exists.
    #[arg(long)]
    pub force: bool,
    /// The 960 start positions of Chess960 by Scharnagl's numbers; with --count so many of them in an order of the seed.
    #[arg(long, conflicts_with_all = ["dfrc", "phase", "plies_min", "plies_max", "score_min", "score_max", "nodes", "nodes_move", "player", "concurrency"])]
    pub chess960: bool,
    /// The same with another position for each side: all 921,600, or --count of them.
    #[arg(long, conflicts_with_all = ["phase", "plies_min", "plies_max", "score_min", "score_max", "nodes", "nodes_move", "player", "concurrency"])]
    pub dfrc: bool,
    /// Only positions of this phase, from self-play.
    #[arg(long, value_enum)]
    pub phase: Option<Phase>,
    /// Fewest plies from the start position (8; with --phase middle 30, endgame 60).
    #[arg(long, value_name = "N")]
    pub plies_min: Option<u32>,
    /// Most plies from the start position (24; with --phase middle 70, endgame 120).
    #[arg(long, value_name = "N")]
    pub plies_max: Option<u32>,
    /// Least score of the better side in centipawns, for an unbalanced suite.
    #[arg(long, value_name = "CP", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    pub score_min: i32,
    /// Greatest score of a position either way, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 150)]
    pub score_max: i32,
    /// Nodes of the search that judges a position.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..))]
    pub nodes: u64,
    /// Nodes of the search for each move on the way (a 25th of --nodes).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes_move: Option<u64>,
    /// The player that makes the moves and judges; `foundation` plays the same in every version.
    #[arg(long, value_name = "PLAYER", default_value = GenerationSpec::PLAYER)]
    pub player: String,
    /// Threads (as many as there are cores).
    #[arg(long, value_name = "N")]
    pub concurrency: Option<NonZero<usize>>,
}

impl GenerationSpec {
    /// Who plays unless something else is said; the first line of a suite leaves it out.
    pub const PLAYER: &'static str = "base";

    fn game(&self) -> Game {
        self.game.map_or(Game::Shogi, GameArg::game)
    }

    fn plies(&self) -> Result<RangeInclusive<u32>> {
        let (least, most) = match self.phase {
            None | Some(Phase::Opening) => (8, 24),
            Some(Phase::Middle) => (30, 70),
            Some(Phase::Endgame) => (60, 120),
        };
        let (least, most) = (self.plies_min.unwrap_or(least), self.plies_max.unwrap_or(most));
        if least > most || most > PLIES_LIMIT {
            let message = format!("plies from {least} to {most} is no range within {PLIES_LIMIT}");
            return Err(ExperimentError::Input(message));
        }
        Ok(least..=most)
    }

    /// The command that makes the suite again.
    fn command(&self, plies: &RangeInclusive<u32>) -> String {
        let phase = self.phase.map(|phase| format!(" --phase {}", phase.name()));
        let nodes_move = self.nodes_move.map(|nodes| format!(" --nodes-move {nodes}"));
        let score_min = (self.score_min > 0).then(|| format!(" --score-min {}", self.score_min));
        let is_usual = self.player == GenerationSpec::PLAYER;
        let player = (!is_usual).then(|| format!(" --player {}", quote(&self.player)));
        format!(
            "tanren openings generate --game {} --count {} --seed {}{} --plies-min {} --plies-max {}{} --score-max {} --nodes {}{}{}",
            self.game().name(),
            self.count.map_or(0, NonZero::get),
            self.seed,
            phase.unwrap_or_default(),
            plies.start(),
            plies.end(),
            score_min.unwrap_or_default(),
            self.score_max,
            self.nodes,
            nodes_move.unwrap_or_default(),
            player.unwrap_or_default()
        )
    }
}

/// Writes a new suite: the command that makes it again, and a position a line. How many there are.
pub fn make_suite(spec: &GenerationSpec, progress: &mut (dyn FnMut(usize) + Send)) -> Result<usize> {
    let starts = match (spec.chess960, spec.dfrc) {
        (true, _) => Starts::Chess960,
        (_, true) => Starts::Double,
        _ => return with_game!(spec.game(), generate(spec, progress)),
    };
    if spec.game == Some(GameArg::Shogi) {
        let message = "--chess960 and --dfrc are positions of chess: leave out --game, or say --game chess";
        return Err(ExperimentError::Input(message.to_owned()));
    }
    let (name, all, count) = (starts.name(), starts.count(), spec.count.map(NonZero::get));
    if let Some(count) = count.filter(|&count| count > all) {
        let message = format!("--count is {count}, but --{name} has {all} positions");
        return Err(ExperimentError::Input(message));
    }
    check_out(&spec.out, spec.force)?;
    let order = count.map(|count| format!(" --count {count} --seed {}", spec.seed));
    let command = format!("tanren openings generate --{name}{}", order.unwrap_or_default());
    write(&spec.out, &command, &starts.lines(count, spec.seed))
}

fn write(path: &Path, command: &str, positions: &[impl Display]) -> Result<usize> {
    write_atomically(path, |output| {
        writeln!(output, "# {command}")?;
        positions
            .iter()
            .try_for_each(|position| writeln!(output, "{position}"))
    })?;
    Ok(positions.len())
}

fn generate<P: Searchable>(spec: &GenerationSpec, progress: &mut (dyn FnMut(usize) + Send)) -> Result<usize> {
    let count = spec.count.map_or(0, NonZero::get);
    if count > COUNT_MAX {
        let message = format!("--count is {count}, but must be {COUNT_MAX} at most");
        return Err(ExperimentError::Input(message));
    }
    if spec.score_min > spec.score_max {
        let message = format!(
            "--score-min {} is more than --score-max {}",
            spec.score_min, spec.score_max
        );
        return Err(ExperimentError::Input(message));
    }
    let plies = spec.plies()?;
    let player = PlayerSpec::parse(spec.game(), "of --player", &spec.player)?;
    let engine = player.builtin()?.clone();
    check_out(&spec.out, spec.force)?;
    let interrupt = Interrupt::install().map_err(ExperimentError::system("watch for signals"))?;
    let wanted = GenerateSpec {
        count,
        seed: spec.seed,
        plies: plies.clone(),
        phase: spec.phase,
        score_min: spec.score_min,
        score_max: spec.score_max,
        nodes_judge: spec.nodes,
        nodes_move: spec.nodes_move.unwrap_or(spec.nodes / 25),
        engine,
    };
    let options = RunOptions {
        concurrency: spec.concurrency,
        ..RunOptions::default()
    };
    let executor = options.executor()?;
    let made = executor
        .pool
        .install(|| openings::generate::<P>(&wanted, &interrupt, progress));
    let positions = made.map_err(|error| match error {
        GenerateError::Interrupted => ExperimentError::stopped(&interrupt),
        error => error.into(),
    })?;
    write(&spec.out, &spec.command(&plies), &positions)
}

/// A suite in numbers.
pub fn statistics(found: &SuiteStatistics) -> Document<'static> {
    let SuiteStatistics {
        origin,
        figures,
        sha256,
    } = found;
    let text = format!(
        "{origin}\npositions       {}\nrepeated lines  {}\nsecond to move  {}\nin check        {}\nlegal moves     {:.1} on average\nSHA-256         {sha256}\n",
        figures.positions,
        figures.duplicates,
        figures.second_to_move,
        figures.in_check,
        figures.legal_moves_mean,
    );
    let values = json!({
        "positions": figures.positions,
        "duplicates": figures.duplicates,
        "second_to_move": figures.second_to_move,
        "in_check": figures.in_check,
        "legal_moves_mean": figures.legal_moves_mean,
        "sha256": sha256,
    });
    Document::of_text(text, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(more: &str) -> GenerationSpec {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            spec: GenerationSpec,
        }
        let line = format!("generate --count 3 --seed 7 --score-max 300 --nodes 100 --out {more}");
        <Line as clap::Parser>::parse_from(line.split_whitespace()).spec
    }

    #[test]
    fn plies_are_those_of_the_phase_unless_given_and_stand_in_the_command() {
        let mut spec = spec("x.sfen");
        assert_eq!(spec.plies().unwrap(), 8..=24);
        spec.phase = Some(Phase::Endgame);
        assert_eq!(spec.plies().unwrap(), 60..=120);
        (spec.nodes_move, spec.player) = (Some(5), "@my player.toml".to_owned());
        assert_eq!(
            spec.command(&(60..=120)),
            "tanren openings generate --game shogi --count 3 --seed 7 --phase endgame --plies-min 60 --plies-max 120 \
             --score-max 300 --nodes 100 --nodes-move 5 --player '@my player.toml'"
        );
        spec.plies_max = Some(50);
        let error = spec.plies().unwrap_err();
        assert!(error.to_string().contains("plies from 60 to 50"), "{error}");
        (spec.plies_min, spec.plies_max) = (Some(1), Some(201));
        assert!(spec.plies().is_err());
    }
}
