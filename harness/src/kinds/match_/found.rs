use std::path::Path;

use tanren_engine::game::Game;

use crate::document::Document;
use crate::document::file::FileError;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::kinds::match_::{game_files, report};
use crate::ledger::{Ledger, LedgerError, RunKind};
use crate::session::engines::EngineTotals;
use crate::session::found::Found;
use crate::session::hosts::HostTotals;
use crate::standing::{Standing, Verdict};

#[derive(Debug)]
pub struct MatchFindings {
    pub game: Game,
    pub labels: [String; 2],
    pub standing: Standing,
    pub engines: Vec<EngineTotals>,
    pub hosts: Vec<HostTotals>,
}

impl Found for MatchFindings {
    fn kind(&self) -> Option<RunKind> {
        Some(RunKind::Match)
    }

    fn document<'a>(&'a self, games: Option<&Gathered>) -> Document<'a> {
        report::document(self, games)
    }

    fn gathered(&self, ledger: &Ledger) -> Result<Option<Gathered>, LedgerError> {
        Gathered::of(ledger, self.standing.tally().pairs(), false).map(Some)
    }

    fn write_bulk(&self, folder: &Path, ledger: Option<&Ledger>) -> Result<bool, FileError> {
        let Some(ledger) = ledger else { return Ok(false) };
        let counted = self.standing.tally().pairs();
        game_files::write_games(folder, ledger, self.game, counted, &self.labels, false)?;
        report::write_steps(folder, self)?;
        Ok(true)
    }

    fn with_files(&self, text: &str, folder: &Path) -> String {
        format!("{text}files    {}\n", folder.display())
    }

    fn invalid(&self) -> Option<InvalidRun> {
        InvalidRun::of_match(&self.standing, &self.labels)
    }

    fn verdict(&self) -> Option<Verdict> {
        Some(self.standing.verdict())
    }

    fn pairs(&self) -> Option<u64> {
        Some(self.standing.tally().pairs())
    }

    fn p_value(&self) -> Option<f64> {
        self.standing.p_value().filter(|_| self.standing.is_decided())
    }

    fn game(&self) -> Option<Game> {
        Some(self.game)
    }
}
