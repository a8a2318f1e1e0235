use std::path::Path;

use tanren_engine::game::Game;

use crate::crosstable::Crosstable;
use crate::document::Document;
use crate::document::file::FileError;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::kinds::match_::game_files;
use crate::kinds::tournament::report;
use crate::ledger::{Ledger, LedgerError, RunKind};
use crate::session::engines::EngineTotals;
use crate::session::found::Found;
use crate::session::hosts::HostTotals;

#[derive(Debug)]
pub struct TournamentFindings {
    pub game: Game,
    pub labels: Vec<String>,
    pub anchor: Option<(usize, f64)>,
    pub crosstable: Crosstable,
    pub counted: u64,
    pub engines: Vec<EngineTotals>,
    pub hosts: Vec<HostTotals>,
}

impl Found for TournamentFindings {
    fn kind(&self) -> Option<RunKind> {
        Some(RunKind::Tournament)
    }

    fn document<'a>(&'a self, games: Option<&Gathered>) -> Document<'a> {
        report::document(self, games)
    }

    fn gathered(&self, ledger: &Ledger) -> Result<Option<Gathered>, LedgerError> {
        Gathered::of(ledger, self.counted, true).map(Some)
    }

    fn write_bulk(&self, folder: &Path, ledger: Option<&Ledger>) -> Result<bool, FileError> {
        let Some(ledger) = ledger else { return Ok(false) };
        game_files::write_games(folder, ledger, self.game, self.counted, &self.labels, true)?;
        Ok(true)
    }

    fn pairs(&self) -> Option<u64> {
        Some(self.counted)
    }

    fn game(&self) -> Option<Game> {
        Some(self.game)
    }

    /// If it is over and faults decided it or one of its pairings.
    fn invalid(&self) -> Option<InvalidRun> {
        if !self.crosstable.is_over() {
            return None;
        }
        let of_cells = || {
            let mut cells = self.crosstable.cells().iter();
            cells.find_map(|cell| {
                let labels = cell
                    .players
                    .map(|player| self.labels[usize::from(player)].clone());
                InvalidRun::of_counts(cell.standing.faults(), &labels)
            })
        };
        InvalidRun::of_counts(self.crosstable.faults(), &self.labels).or_else(of_cells)
    }
}
