use std::any::Any;
use std::fmt::Debug;
use std::path::Path;

use tanren_engine::game::Game;

use crate::document::Document;
use crate::document::file::FileError;
use crate::document::gathered::Gathered;
use crate::document::invalid::InvalidRun;
use crate::ledger::{Ledger, LedgerError};
use crate::match_state::Verdict;
use crate::session::overview::Overview;

pub trait Found: Any + Debug + Send + Sync {
    fn kind(&self) -> Option<&'static str> {
        None
    }

    /// `games` is what only the games tell, which a page shows.
    fn document<'a>(&'a self, games: Option<&Gathered>) -> Document<'a>;

    /// What only the games in its own store tell.
    fn gathered(&self, _: &Ledger) -> Result<Option<Gathered>, LedgerError> {
        Ok(None)
    }

    /// Writes the files that are too large for a document. Of a run without a store there may be none: false.
    fn write_bulk(&self, _folder: &Path, _: Option<&Ledger>) -> Result<bool, FileError> {
        Ok(true)
    }

    fn has_run_file(&self) -> bool {
        true
    }

    /// What to look at, with the name of its line.
    fn files(&self) -> &'static [(&'static str, &'static str)] {
        &[("Report", "report.html")]
    }

    fn invalid(&self) -> Option<InvalidRun> {
        None
    }

    /// What the run says as a whole; only a match, a tuning that ended with one, and what is invalid say something.
    fn verdict(&self) -> Option<Verdict> {
        self.invalid().map(|_| Verdict::Invalid)
    }

    fn verdict_name(&self) -> Option<&'static str> {
        self.verdict().map(Verdict::name)
    }

    fn pairs(&self) -> Option<u64> {
        None
    }

    /// What a row of a list says besides the answer, the verdict and the pairs.
    fn numbers(&self) -> Overview {
        Overview::default()
    }

    /// What is played, if its own store holds games that can be shown.
    fn game(&self) -> Option<Game> {
        None
    }
}

impl dyn Found {
    pub fn of<T: Found>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}
