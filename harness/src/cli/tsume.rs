//! `tanren tsume`.
//!
//! In: a suite of mate problems, or games. Out: the share that a player solves, the check of a suite, or a new suite. Must not:
//! look for a mate itself.

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use tanren_engine::eval::Evaluated;
use tanren_engine::game::{Game, Position};

use super::shared::{CliError, GameArg, executor};
use crate::config::PlayerSpec;
use crate::experiment::{ExperimentError, first_usable, plain_name, with_game, write_atomically};
use crate::interrupt::Interrupt;
use crate::report::{SearchProgress, TsumeReport, note, print_data};
use crate::study::tsume::{self, MineSpec, Problem, SolveSpec};

const SHOGI_SUITE: &str = "suites/shogi-tsume.sfen";
/// The solver that judges answers and checks suites gives up after so many nodes.
const SOLVER_NODES_MAX: u64 = 20_000_000;

const EXAMPLES: &str = "\
Examples:
  tanren tsume --nodes 100000
      the default player on the built-in suite of the repository
  tanren tsume --config base,mate_in_one=on --suite mine.sfen --nodes 20000 --out results/mine
      another player on another suite
  tanren tsume --mine results/night/games.sfen --out mine.sfen
      a suite from the games of a match";

/// Count the mate problems that a player solves; check a suite of them, or mine one from games.
///
/// A problem is a position with a mate by checks alone. It is solved if the player's score is a mate and its move is proven
/// to be the first of one by an exhaustive solver. Nothing depends on --concurrency.
///
/// File: tsume.csv.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TsumeArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// The problems, a line each: POSITION ; mate PLIES (suites/shogi-tsume.sfen if absent).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "mine"])]
    suite: Option<PathBuf>,
    /// Prove the lengths of all problems in FILE instead; exit code 2 if one is wrong.
    #[arg(long, value_name = "FILE", conflicts_with = "mine")]
    check: Option<PathBuf>,
    /// Write a suite of mates from the ends of games instead, one game a line: sfen POSITION moves MOVE ...
    #[arg(long, value_name = "GAMES", num_args = 1.., requires = "out")]
    mine: Vec<PathBuf>,
    /// The player: base, PRESET, PRESET,key=value,..., key=value,... or @file.toml.
    #[arg(long, value_name = "PLAYER", default_value = "base")]
    config: String,
    /// The player's nodes for each problem.
    #[arg(long, value_name = "N", default_value = "1000000")]
    nodes: NonZero<u64>,
    /// The player's hash table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Longest mate to mine, in plies.
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=31))]
    plies_max: u32,
    /// Problems of each length to mine.
    #[arg(long, value_name = "N", default_value = "16")]
    per_length: NonZero<usize>,
    /// Leave out positions whose proof takes more nodes when mining.
    #[arg(long, value_name = "N", default_value = "50000")]
    mine_nodes: NonZero<u64>,
    /// Positions at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Where the result goes (results/<date>-tsume-<player> if absent); with --mine the file to write.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Print one JSON object on stdout.
    #[arg(long)]
    json: bool,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
}

impl TsumeArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        match (&self.check, &self.out) {
            (Some(file), _) => with_game!(self.game.game(), check(self, file)),
            (None, Some(out)) if !self.mine.is_empty() => with_game!(self.game.game(), mine(self, out)),
            _ => with_game!(self.game.game(), solve(self)),
        }
    }

    fn print(&self, text: &str, json: &serde_json::Value) -> Result<(), CliError> {
        if self.json {
            print_data(&json.to_string()).map_err(CliError::system("print the result"))
        } else if self.quiet {
            Ok(())
        } else {
            print_data(text).map_err(CliError::system("print the result"))
        }
    }
}

fn stopped(interrupt: &Interrupt) -> CliError {
    match interrupt.signal() {
        Some(signal) => {
            note("stopped; nothing is written");
            CliError::Stopped(signal)
        }
        None => CliError::input("interrupted".to_owned()),
    }
}

fn solve<P: Evaluated>(args: &TsumeArgs) -> Result<(), CliError> {
    let suite = match (&args.suite, P::GAME) {
        (Some(path), _) => path,
        (None, Game::Shogi) => Path::new(SHOGI_SUITE),
        (None, game) => {
            let message = format!(
                "there is no suite of mates for {}: give --suite FILE",
                game.name()
            );
            return Err(CliError::input(message));
        }
    };
    let player = PlayerSpec::parse(P::GAME, "of --config", &args.config)?;
    let problems: Vec<Problem<P>> = tsume::load(suite)?;
    let executor = executor(args.concurrency)?;
    let interrupt = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let spec = SolveSpec {
        config: player.builtin()?,
        nodes_max: args.nodes.get(),
        hash_mib: args.hash as usize,
        solver_nodes_max: SOLVER_NODES_MAX,
    };
    let progress = (!args.quiet).then(|| SearchProgress::of("problems", problems.len()));
    let tell = || {
        if let Some(progress) = &progress {
            progress.add(1);
        }
    };
    let solved = executor
        .pool()
        .install(|| tsume::solve(spec, &problems, &interrupt, &tell));
    if let Some(progress) = &progress {
        progress.end();
    }
    let answers = solved.ok_or_else(|| stopped(&interrupt))?;
    let report = TsumeReport {
        label: &player.label,
        nodes_max: spec.nodes_max,
        answers: &answers,
    };
    let name = plain_name(&format!("tsume-{}", player.label));
    let default = || first_usable(&name, |_| false);
    let folder = args.out.clone().unwrap_or_else(default);
    std::fs::create_dir_all(&folder).map_err(|source| ExperimentError::Unwritable {
        path: folder.clone(),
        source,
    })?;
    report.write(&folder)?;
    let text = format!(
        "{}\nfile  {}\n",
        report.describe(),
        folder.join("tsume.csv").display()
    );
    args.print(&text, &report.json())
}

fn check<P: Position>(args: &TsumeArgs, file: &Path) -> Result<(), CliError> {
    let problems: Vec<Problem<P>> = tsume::load(file)?;
    let executor = executor(args.concurrency)?;
    let wrong = executor
        .pool()
        .install(|| tsume::wrong_problems(&problems, SOLVER_NODES_MAX));
    if !wrong.is_empty() {
        let line = |(line, message): &(u32, String)| format!("'{}', line {line}: {message}", file.display());
        let lines: Vec<String> = wrong.iter().map(line).collect();
        return Err(CliError::input(lines.join("\n")));
    }
    let text = format!(
        "'{}': {} shortest mates, all proven",
        file.display(),
        problems.len()
    );
    args.print(&text, &json!({ "positions": problems.len() }))
}

fn mine<P: Position>(args: &TsumeArgs, out: &Path) -> Result<(), CliError> {
    let mut games: Vec<Vec<P>> = Vec::new();
    for path in &args.mine {
        games.extend(tsume::games(path)?);
    }
    let executor = executor(args.concurrency)?;
    let interrupt = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let spec = MineSpec {
        plies_max: args.plies_max,
        per_length: args.per_length.get(),
        nodes_max: args.mine_nodes.get(),
    };
    let mined = executor.pool().install(|| tsume::mine(spec, &games, &interrupt));
    let problems = mined.ok_or_else(|| stopped(&interrupt))?;
    write_atomically(out, |output| {
        writeln!(
            output,
            "# tanren tsume --game {} --mine GAMES --plies-max {} --per-length {} --mine-nodes {}",
            P::GAME.name(),
            args.plies_max,
            args.per_length,
            args.mine_nodes
        )?;
        problems
            .iter()
            .try_for_each(|problem| writeln!(output, "{} ; mate {}", problem.position, problem.plies))
    })?;
    let text = format!(
        "{} problems from {} games in {}",
        problems.len(),
        games.len(),
        out.display()
    );
    args.print(
        &text,
        &json!({ "positions": problems.len(), "games": games.len() }),
    )
}
