//! `tanren openings`.
//!
//! In: opening files, or a specification of one. Out: checks, counts, files. Must not: judge a position itself.

use std::io::Write;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::{Args, Subcommand};
use rayon::ThreadPoolBuilder;
use serde_json::json;
use tanren_engine::eval::Evaluated;
use tanren_engine::game::Position;

use super::shared::{CliError, GameArg, Printing, quote};
use crate::config::PlayerSpec;
use crate::experiment::{Experiment, ExperimentError, RunOptions, SuiteSpec, with_game, write_atomically};
use crate::interrupt::Interrupt;
use crate::openings::{self, GenerateError, GenerateSpec, OpeningSuite, Phase};
use crate::report::{SearchProgress, note, print_data};

/// Plies from the start position at most.
const PLIES_LIMIT: u32 = 200;
/// Who plays unless --player says otherwise; a suite's first line leaves it out.
const BASE: &str = "base";

const EXAMPLES: &str = "\
Examples:
  tanren openings generate --count 2000 --seed 7 --out mine.sfen
      a suite of our own
  tanren openings generate --count 500 --phase endgame --player foundation --out endgames.sfen
      positions from the ends of games, by a player that is the same in every version
  tanren openings check mine.sfen; tanren openings dedup mine.sfen --out clean.sfen; tanren openings stats clean.sfen
      a suite from elsewhere";

/// Make, check, deduplicate and describe opening suites.
#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
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
#[command(after_help = EXAMPLES)]
pub(super) struct GenerateArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// How many positions.
    #[arg(long, value_name = "N")]
    count: NonZero<usize>,
    /// Decides everything that is random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace FILE if it exists.
    #[arg(long)]
    force: bool,
    /// Only positions of this phase, from games of the engine against itself: thirds of the way to the ending by the phase
    /// variable of the evaluation.
    #[arg(long, value_enum)]
    phase: Option<PhaseArg>,
    /// Fewest plies from the start position (8; with --phase middle 30, endgame 60).
    #[arg(long, value_name = "N")]
    plies_min: Option<u32>,
    /// Most plies from the start position; with --phase a position may come a little later (24; middle 70, endgame 120).
    #[arg(long, value_name = "N")]
    plies_max: Option<u32>,
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
    #[arg(long, value_name = "PLAYER", default_value = BASE)]
    player: String,
    /// Threads (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The phases as a command-line option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum PhaseArg {
    Opening,
    Middle,
    Endgame,
}

impl PhaseArg {
    fn phase(self) -> Phase {
        match self {
            PhaseArg::Opening => Phase::Opening,
            PhaseArg::Middle => Phase::Middle,
            PhaseArg::Endgame => Phase::Endgame,
        }
    }
}

impl GenerateArgs {
    fn phase(&self) -> Option<Phase> {
        self.phase.map(PhaseArg::phase)
    }

    /// Plies from the start position, as given or as usual for the phase.
    fn plies(&self) -> Result<RangeInclusive<u32>, CliError> {
        let (least, most) = match self.phase() {
            None | Some(Phase::Opening) => (8, 24),
            Some(Phase::Middle) => (30, 70),
            Some(Phase::Endgame) => (60, 120),
        };
        let (least, most) = (self.plies_min.unwrap_or(least), self.plies_max.unwrap_or(most));
        if least > most || most > PLIES_LIMIT {
            let message = format!("plies from {least} to {most} is no range within {PLIES_LIMIT}");
            return Err(CliError::input(message));
        }
        Ok(least..=most)
    }

    fn nodes_move(&self) -> u64 {
        self.nodes_move.unwrap_or(self.nodes / 25)
    }
}

#[derive(Debug, Args)]
pub(super) struct FileArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// The suite; the built-in one if absent.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct DedupArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// The suite.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl OpeningsCommand {
    pub(super) fn run(&self) -> Result<(), CliError> {
        match self {
            OpeningsCommand::Generate(args) => with_game!(args.game.game(), generate(args)),
            OpeningsCommand::Check(args) => {
                let printing = Printing {
                    is_quiet: false,
                    is_json: args.json,
                };
                printing.run(&Experiment::Suite(args.suite()), &RunOptions::default())
            }
            OpeningsCommand::Dedup(args) => with_game!(args.game.game(), dedup(args)),
            OpeningsCommand::Stats(args) => with_game!(args.game.game(), stats(args)),
        }
    }
}

impl OpeningsCommand {
    /// The check of a suite can be a job of a queue.
    pub(super) fn experiment(&self) -> Option<Result<(Experiment, RunOptions), CliError>> {
        match self {
            OpeningsCommand::Check(args) => {
                Some(Ok((Experiment::Suite(args.suite()), RunOptions::default())))
            }
            _ => None,
        }
    }
}

impl FileArgs {
    fn suite(&self) -> SuiteSpec {
        SuiteSpec {
            game: self.game.game(),
            file: self.file.clone(),
        }
    }
}

fn generate<P: Evaluated>(args: &GenerateArgs) -> Result<(), CliError> {
    let plies = args.plies()?;
    let player = PlayerSpec::parse(P::GAME, "of --player", &args.player)?;
    let engine = player.builtin()?.clone();
    if args.out.exists() && !args.force {
        let message = format!(
            "'{}' exists; give another --out, or --force to replace it",
            args.out.display()
        );
        return Err(CliError::input(message));
    }
    check_writable(&args.out)?;
    let interrupt = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let spec = GenerateSpec {
        count: args.count.get(),
        seed: args.seed,
        plies: plies.clone(),
        phase: args.phase(),
        score_max: args.score_max,
        nodes_judge: args.nodes,
        nodes_move: args.nodes_move(),
        engine,
    };
    let progress = (!args.quiet).then(|| SearchProgress::of("positions", args.count.get()));
    let tell = |found: usize| {
        if let Some(progress) = &progress {
            progress.show(found);
        }
    };
    let threads = args
        .concurrency
        .or_else(|| available_parallelism().ok())
        .map_or(1, NonZero::get);
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(16 << 20)
        .build()
        .map_err(CliError::system("start the workers"))?;
    let made = pool.install(|| openings::generate::<P>(&spec, &interrupt, tell));
    if let Some(progress) = &progress {
        progress.end();
    }
    let positions = match (made, interrupt.signal()) {
        (Err(GenerateError::Interrupted), Some(signal)) => {
            note("stopped; nothing is written");
            return Err(CliError::Stopped(signal));
        }
        (made, _) => made?,
    };
    write_atomically(&args.out, |output| {
        writeln!(output, "# {}", description::<P>(args, &plies))?;
        positions
            .iter()
            .try_for_each(|position| writeln!(output, "{position}"))
    })?;
    let (count, out) = (positions.len(), args.out.display());
    if !args.quiet {
        note(&format!("{count} positions in {out}"));
    }
    if args.json {
        let json = json!({ "positions": count, "file": out.to_string() });
        print_data(&json.to_string()).map_err(CliError::system("print the result"))?;
    }
    Ok(())
}

/// The command that makes the same file again.
fn description<P: Position>(args: &GenerateArgs, plies: &RangeInclusive<u32>) -> String {
    let phase = args.phase().map(|phase| format!(" --phase {}", phase.name()));
    let nodes_move = args.nodes_move.map(|nodes| format!(" --nodes-move {nodes}"));
    let player = (args.player != BASE).then(|| format!(" --player {}", quote(&args.player)));
    format!(
        "tanren openings generate --game {} --count {} --seed {}{} --plies-min {} --plies-max {} --score-max {} --nodes {}{}{}",
        P::GAME.name(),
        args.count,
        args.seed,
        phase.unwrap_or_default(),
        plies.start(),
        plies.end(),
        args.score_max,
        args.nodes,
        nodes_move.unwrap_or_default(),
        player.unwrap_or_default()
    )
}

/// Minutes of work should not end in a missing folder.
fn check_writable(path: &Path) -> Result<(), CliError> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let probe = tempfile_in(folder);
    Ok(probe.map_err(|source| ExperimentError::Unwritable {
        path: path.to_owned(),
        source,
    })?)
}

fn tempfile_in(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!(".tanren-{}", std::process::id()));
    std::fs::File::create_new(&probe)?;
    std::fs::remove_file(probe)
}

fn dedup<P: Position>(args: &DedupArgs) -> Result<(), CliError> {
    let spec = SuiteSpec {
        game: P::GAME,
        file: Some(args.file.clone()),
    };
    let (text, origin) = spec.text()?;
    let suite: OpeningSuite<P> = openings::parse(&text, &origin)?;
    let repeated: std::collections::HashSet<u32> = suite.duplicates.iter().map(|&(line, _)| line).collect();
    check_writable(&args.out)?;
    write_atomically(&args.out, |output| {
        for (line, content) in (1..).zip(text.lines()) {
            if !repeated.contains(&line) {
                writeln!(output, "{content}")?;
            }
        }
        Ok(())
    })?;
    note(&format!(
        "{} positions in {}, {} lines left out",
        suite.openings.len(),
        args.out.display(),
        repeated.len()
    ));
    if args.json {
        let json = json!({
            "positions": suite.openings.len(),
            "left_out": repeated.len(),
            "file": args.out.display().to_string(),
        });
        print_data(&json.to_string()).map_err(CliError::system("print the result"))?;
    }
    Ok(())
}

fn stats<P: Position>(args: &FileArgs) -> Result<(), CliError> {
    let (text, origin) = args.suite().text()?;
    let suite: OpeningSuite<P> = openings::parse(&text, &origin)?;
    let figures = openings::Figures::of(&suite);
    let text = if args.json {
        json!({
            "positions": figures.positions,
            "duplicates": figures.duplicates,
            "second_to_move": figures.second_to_move,
            "in_check": figures.in_check,
            "legal_moves_mean": figures.legal_moves_mean,
            "sha256": suite.sha256,
        })
        .to_string()
    } else {
        format!(
            "{origin}\npositions       {}\nrepeated lines  {}\nsecond to move  {}\nin check        {}\nlegal moves     {:.1} on average\nSHA-256         {}\n",
            figures.positions,
            figures.duplicates,
            figures.second_to_move,
            figures.in_check,
            figures.legal_moves_mean,
            suite.sha256
        )
    };
    print_data(&text).map_err(CliError::system("print the result"))
}
