//! `tanren doctor`.

use std::io;
use std::sync::OnceLock;

use clap::Args;
use tanren_engine::protocol::converse;

use super::shared::{CliError, print_document};
use crate::report::{SearchProgress, plural};
use crate::session::observer::Standings;
use crate::tools::doctor::examine;

const ENGINE: &str = "--engine";

/// Check this machine: what it lacks, and how many games by which time control it can play at a time.
///
/// The built-in engine plays games of 10 ms a move, one at first and then more at a time. How late its moves end and how fast it searches is
/// measured. That takes about 7 seconds. The disk is that of the current folder; nothing is left there.
///
/// Exit code 0, or 2 if nothing can be played.
#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Be the engine whose moves are timed: speak USI.
    #[arg(long, hide = true, conflicts_with = "json")]
    engine: bool,
}

impl DoctorArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.engine {
            return converse(io::stdin().lock(), io::stdout(), false).map_err(CliError::system("speak USI"));
        }
        let program = std::env::current_exe().map_err(CliError::system("find this program"))?;
        let shown = OnceLock::new();
        let tell = |done: usize, of: usize, games: usize| {
            let games = plural(games as u64, "game");
            shown
                .get_or_init(|| SearchProgress::of("measurement", of))
                .show_with(done, &|_| Standings {
                    parts: vec![format!("{games} at a time")],
                    ..Standings::default()
                });
        };
        let found = examine(&program, &["doctor", ENGINE], &tell);
        if let Some(progress) = shown.get() {
            progress.end();
        }
        let found = found?;
        print_document(self.json, &found.document())?;
        if found.is_unfit() {
            return Err(CliError::input(
                "nothing can be played here; what is marked above says why",
            ));
        }
        Ok(())
    }
}
