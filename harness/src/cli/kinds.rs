//! The commands that play or search: each is a kind of run with its keys as options.

use std::sync::Arc;

use clap::Args;
use tanren_core::record::TimeScale;

use super::shared::{CliError, OutputArgs, PgnArgs, PlayArgs, Printing, Work, tell_if_late};
use crate::config::Engines;
use crate::kinds::inspection::inspect;
use crate::report::{Console, FastchessLines, LivePgn};
use crate::session::kind::{Experiment, Keys, Kind};
use crate::session::options::RunOptions;
use crate::session::outcome::Outcome;

/// A kind of run, how it is worked on, and what its command alone can do.
#[derive(Args)]
pub(super) struct KindArgs<K: Keys, W: Work = PlayArgs, M: More<K, W> = NoMore> {
    #[command(flatten)]
    pub(super) keys: K,
    #[command(flatten)]
    pub(super) work: W,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    more: M,
}

pub(super) trait More<K: Keys, W: Work>: Args {
    /// Does something else, if that is asked for.
    fn instead(&self, _: &KindArgs<K, W, Self>) -> Option<Result<(), CliError>>
    where
        Self: Sized,
    {
        None
    }

    /// The file that games are written to while they are played.
    fn pgn(&self, _spec: &K::Spec, _output: &OutputArgs) -> Result<Option<LivePgn>, CliError> {
        Ok(None)
    }
}

#[derive(Args)]
pub(super) struct NoMore {}

impl<K: Keys, W: Work> More<K, W> for NoMore {}

impl<K: Keys, W: Work> More<K, W> for PgnArgs {
    fn pgn(&self, spec: &K::Spec, output: &OutputArgs) -> Result<Option<LivePgn>, CliError> {
        match spec.games() {
            Some(games) => self.live(&games.conditions, output.out.as_deref()),
            None => Ok(None),
        }
    }
}

impl<K: Keys, W: Work, M: More<K, W>> KindArgs<K, W, M> {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if let Some(done) = self.more.instead(self) {
            return done;
        }
        self.run_told(&self.output.printing(), None)
    }

    /// Runs it; with `lines` stdout is for these.
    pub(super) fn run_told(
        &self,
        printing: &Printing,
        lines: Option<Arc<FastchessLines>>,
    ) -> Result<(), CliError> {
        self.run_with(printing, lines, |_| (), |_| Ok(()))
    }

    /// Runs a test of `engines`, on whatever day, where time is worth so much; `judge` sees what it came to.
    pub(super) fn run_judged(
        &self,
        pace: Option<TimeScale>,
        engines: Engines,
        judge: impl FnOnce(&Outcome) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let change = |options: &mut RunOptions| {
            options.pace = pace;
            options.engines = engines;
            options.undated = true;
        };
        self.run_with(&self.output.printing(), None, change, judge)
    }

    fn run_with(
        &self,
        printing: &Printing,
        lines: Option<Arc<FastchessLines>>,
        change: impl FnOnce(&mut RunOptions),
        judge: impl FnOnce(&Outcome) -> Result<(), CliError>,
    ) -> Result<(), CliError> {
        let spec = self.keys.spec(self.output.out.as_deref())?;
        let pgn = self.more.pgn(&spec, &self.output)?;
        let mut options = self.options()?;
        change(&mut options);
        let mut console = Console::new(printing.manner());
        console.pgn = pgn;
        console.command.clone_from(&printing.command);
        console.fastchess = lines;
        tell_if_late();
        printing.run_told(&Experiment::new(spec), &options, &mut console, judge)
    }

    /// The same with keys of another kind.
    pub(super) fn with_keys<L: Keys>(self, keys: L) -> KindArgs<L, W, M>
    where
        M: More<L, W>,
    {
        KindArgs {
            keys,
            work: self.work,
            output: self.output,
            more: self.more,
        }
    }

    pub(super) fn options(&self) -> Result<RunOptions, CliError> {
        self.work.run_options(self.output.out.as_deref())
    }

    /// Refuses what cannot be played, as far as it can be told without programs and files.
    pub(super) fn check(&self) -> Result<(), CliError> {
        self.options()?;
        Ok(Experiment::new(self.keys.spec(None)?).check_new()?)
    }

    /// Refuses programs and files that are not there or not as they should be, with `engines` besides those of a fleet; no program is
    /// started.
    pub(super) fn check_files(&self, engines: Engines) -> Result<(), CliError> {
        let experiment = Experiment::new(self.keys.spec(None)?);
        let options = RunOptions {
            engines,
            ..self.options()?
        };
        let found = inspect(&[(&experiment, &options)], false)?;
        let wrong = found.into_iter().flat_map(|inspection| inspection.mistakes);
        let lines: Vec<String> = wrong.map(|(_, message)| message).collect();
        if lines.is_empty() {
            Ok(())
        } else {
            Err(CliError::input(lines.join("\n")))
        }
    }
}
