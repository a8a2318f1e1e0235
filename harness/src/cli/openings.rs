//! `tanren openings`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;
use tanren_engine::game::Game;

use super::shared::{CliError, GameArg, NotifyArgs, Printing, print, print_document};
use crate::kinds::openings_check::{SuiteKeys, deduplicate, suite_statistics};
use crate::openings::{Phase, Starts};
use crate::report::{SearchProgress, note};
use crate::session::kind::{Experiment, Keys};
use crate::session::openings::SuiteSpec;
use crate::session::options::RunOptions;
use crate::tools::generation::{GenerationSpec, StartsSpec, generate_suite, statistics, write_starts};

/// Make, check, deduplicate and describe opening suites.
#[derive(Debug, Subcommand)]
pub(super) enum OpeningsCommand {
    /// Make a suite: games that begin like games, stopped where both sides still stand well.
    Generate(GenerateArgs),
    /// Check every line of a suite; exit code 2 if one is wrong.
    Check(FileArgs),
    /// Write a suite without the lines that repeat a position.
    Dedup(DedupArgs),
    /// Describe a suite.
    Stats(FileArgs),
}

#[derive(Debug, Args)]
pub(super) struct GenerateArgs {
    /// The game (shogi; chess with --chess960 and --dfrc).
    #[arg(long, value_enum)]
    game: Option<GameArg>,
    /// How many positions.
    #[arg(long, value_name = "N", required_unless_present_any = ["chess960", "dfrc"])]
    count: Option<NonZero<usize>>,
    /// Decides everything that is random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace FILE if it exists.
    #[arg(long)]
    force: bool,
    /// The 960 start positions of Chess960 by Scharnagl's numbers; with --count so many of them in an order of the seed.
    #[arg(long, conflicts_with_all = ["dfrc", "phase", "plies_min", "plies_max", "score_min", "score_max", "nodes", "nodes_move", "player", "concurrency"])]
    chess960: bool,
    /// The same with another position for each side: all 921,600, or --count of them.
    #[arg(long, conflicts_with_all = ["phase", "plies_min", "plies_max", "score_min", "score_max", "nodes", "nodes_move", "player", "concurrency"])]
    dfrc: bool,
    /// Only positions of this phase, from games of the engine against itself: thirds of the way to the ending by the phase
    /// variable of the evaluation.
    #[arg(long, value_enum)]
    phase: Option<Phase>,
    /// Fewest plies from the start position (8; with --phase middle 30, endgame 60).
    #[arg(long, value_name = "N")]
    plies_min: Option<u32>,
    /// Most plies from the start position; with --phase a position may come a little later (24; middle 70, endgame 120).
    #[arg(long, value_name = "N")]
    plies_max: Option<u32>,
    /// Least score of the side that stands better, in centipawns, for a suite that is not balanced.
    #[arg(long, value_name = "CP", default_value_t = 0, value_parser = clap::value_parser!(i32).range(0..))]
    score_min: i32,
    /// Greatest score of a position either way, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 150)]
    score_max: i32,
    /// Nodes of the search that judges a position.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,
    /// Nodes of the search for each move on the way (a 25th of --nodes).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes_move: Option<u64>,
    /// The player that makes the moves and judges: base, PRESET, PRESET,key=value,..., key=value,... or @file.toml. The
    /// preset `foundation` plays alike in every version, so its suites can be made again.
    #[arg(long, value_name = "PLAYER", default_value = GenerationSpec::PLAYER)]
    player: String,
    /// Threads (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

impl GenerateArgs {
    fn run(&self) -> Result<(), CliError> {
        let starts = match (self.chess960, self.dfrc) {
            (true, _) => Some(Starts::Chess960),
            (_, true) => Some(Starts::Double),
            _ => None,
        };
        if let Some(starts) = starts {
            if self.game == Some(GameArg::Shogi) {
                let message =
                    "--chess960 and --dfrc are positions of chess: leave out --game, or say --game chess";
                return Err(CliError::input(message));
            }
            return self.write_starts(starts);
        }
        let spec = self.spec();
        let progress = (!self.quiet).then(|| SearchProgress::of("positions", spec.count));
        let made = generate_suite(&spec, &mut |found| {
            if let Some(progress) = &progress {
                progress.show(found);
            }
        });
        if let Some(progress) = &progress {
            progress.end();
        }
        self.tell(made.map_err(CliError::of_unwritten)?)
    }

    fn write_starts(&self, starts: Starts) -> Result<(), CliError> {
        let spec = StartsSpec {
            starts,
            count: self.count.map(NonZero::get),
            seed: self.seed,
            out: self.out.clone(),
            replaces: self.force,
        };
        self.tell(write_starts(&spec)?)
    }

    fn tell(&self, count: usize) -> Result<(), CliError> {
        let out = self.out.display();
        if !self.quiet {
            note(&format!("{count} positions in {out}"));
        }
        if self.json {
            print(&json!({ "positions": count, "file": out.to_string() }).to_string())?;
        }
        Ok(())
    }

    fn spec(&self) -> GenerationSpec {
        GenerationSpec {
            game: self.game.map_or(Game::Shogi, GameArg::game),
            count: self.count.map_or(0, NonZero::get),
            seed: self.seed,
            phase: self.phase,
            plies_min: self.plies_min,
            plies_max: self.plies_max,
            score_min: self.score_min,
            score_max: self.score_max,
            nodes_judge: self.nodes,
            nodes_move: self.nodes_move,
            player: self.player.clone(),
            out: self.out.clone(),
            replaces: self.force,
            concurrency: self.concurrency,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct FileArgs {
    #[command(flatten)]
    keys: SuiteKeys,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct DedupArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// The suite; games and books of moves are written as positions.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many plies of each of its games are played, or of a book of moves (all; of a book of moves 16).
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace it if it exists.
    #[arg(long)]
    force: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl OpeningsCommand {
    pub(super) fn run(&self) -> Result<(), CliError> {
        match self {
            OpeningsCommand::Generate(args) => args.run(),
            OpeningsCommand::Check(args) => {
                let printing = Printing {
                    is_quiet: false,
                    is_json: args.json,
                    notify: NotifyArgs::default(),
                };
                printing.run(&Experiment::new(args.keys.spec(None)?), &RunOptions::default())
            }
            OpeningsCommand::Dedup(args) => args.run(),
            OpeningsCommand::Stats(args) => args.print_statistics(),
        }
    }
}

impl FileArgs {
    fn print_statistics(&self) -> Result<(), CliError> {
        let found = suite_statistics(&self.keys.spec(None)?)?;
        print_document(self.json, &statistics(&found))
    }
}

impl DedupArgs {
    fn run(&self) -> Result<(), CliError> {
        let suite = SuiteSpec {
            game: self.game.game(),
            file: Some(self.file.clone()),
            plies: self.plies,
        };
        let found = deduplicate(&suite, &self.out, self.force)?;
        note(&format!(
            "{} positions in {}, {} lines left out",
            found.positions,
            self.out.display(),
            found.duplicates.len()
        ));
        if !self.json {
            return Ok(());
        }
        let json = json!({
            "positions": found.positions,
            "left_out": found.duplicates.len(),
            "file": self.out.display().to_string(),
        });
        print(&json.to_string())
    }
}
