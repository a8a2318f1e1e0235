//! `tanren simulate`.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::Args;
use console::Term;

use super::shared::{CliError, print_document};
use crate::report::{SearchProgress, note};
use crate::session::folder::check_out;
use crate::session::observer::Standings;
use crate::tools::simulation::{SimulationGrid, read_simulations, simulate};

/// Check the statistics: simulate matches of known strength and count how often tests err and intervals cover.
#[derive(Debug, Args)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    grid: SimulationGrid,
    /// Threads (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// The file of the rows; rows it already holds are kept.
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Replace the file if it exists, whatever it holds.
    #[arg(long, requires = "out")]
    force: bool,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print a JSON array of rows, keys as the columns of the CSV.
    #[arg(long)]
    json: bool,
}

impl SimulateArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let specs = self.grid.specs()?;
        let finished = match &self.out {
            Some(path) if !self.force => read_simulations(path, &specs)?,
            Some(path) => {
                check_out(path, self.force)?;
                vec![None; specs.len()]
            }
            None => vec![None; specs.len()],
        };
        let is_line = !self.quiet && Term::stderr().is_term();
        let shown = OnceLock::new();
        let tell = |[row, rows]: [usize; 2], [done, of]: [u64; 2], seconds: Option<f64>| {
            let row = format!("row {row} of {rows}");
            match seconds {
                _ if is_line => shown
                    .get_or_init(|| SearchProgress::of("match", of as usize))
                    .show_with(done as usize, &|_| Standings {
                        parts: vec![row.clone()],
                        ..Standings::default()
                    }),
                Some(seconds) if !self.quiet => note(&format!("{row} after {seconds:.1} s")),
                _ => {}
            }
        };
        let found = simulate(&specs, finished, self.concurrency, self.out.as_deref(), &tell);
        if let Some(progress) = shown.get() {
            progress.end();
        }
        let found = found?;
        if let Some(signal) = found.stopped {
            note(&self.interruption(found.rows, specs.len()));
            return Err(CliError::Stopped(signal));
        }
        print_document(self.json, &found.document)
    }

    fn interruption(&self, done: usize, all: usize) -> String {
        match &self.out {
            Some(path) => format!(
                "stopped after {done} of {all} rows, which are in {}; the same command resumes",
                path.display()
            ),
            None => "stopped; nothing is kept, since there is no --out".to_owned(),
        }
    }
}
