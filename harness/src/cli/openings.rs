//! `tanren openings`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use super::shared::{CliError, GameArg, Printing, print, print_document};
use crate::config::OpeningSource;
use crate::kinds::openings_check::{SuiteKeys, deduplicate, suite_statistics};
use crate::report::{SearchProgress, note, plural};
use crate::session::kind::{Experiment, Keys};
use crate::session::openings::SuiteSpec;
use crate::session::options::RunOptions;
use crate::tools::generation::{GenerationSpec, make_suite, statistics};

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
    #[command(flatten)]
    spec: GenerationSpec,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

impl GenerateArgs {
    fn run(&self) -> Result<(), CliError> {
        let wanted = self.spec.count.map_or(0, NonZero::get);
        let progress = (!self.quiet).then(|| SearchProgress::of("position", wanted));
        let made = make_suite(&self.spec, &mut |found| {
            if let Some(progress) = &progress {
                progress.show(found);
            }
        });
        if let Some(progress) = &progress {
            progress.end();
        }
        let (count, out) = (made.map_err(CliError::of_unwritten)?, self.spec.out.display());
        if !self.quiet {
            note(&format!("{} in {out}", plural(count as u64, "position")));
        }
        if self.json {
            print(&json!({ "positions": count, "file": out.to_string() }).to_string())?;
        }
        Ok(())
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
    /// The suite, or random:PLIES; games and books of moves are written as positions.
    #[arg(value_name = "FILE", value_parser = |text: &str| OpeningSource::parse(text, 1))]
    file: OpeningSource,
    /// Plies taken from each game (all; from a book of moves 16).
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
                    is_json: args.json,
                    ..Printing::default()
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
            source: self.file.clone(),
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
