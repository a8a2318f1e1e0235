//! Any run, before it is begun: one value that can be read from a file, run, and written again.
//!
//! In: a file of a run, or the specifications that the command line makes. Out: an [`Experiment`].

use std::path::Path;

use super::ablation::{AblationSpec, ablate};
use super::r#match::play_match;
use super::news::{Audience, News};
use super::nodes::count_nodes;
use super::odds::{OddsSpec, find_odds};
use super::options::RunOptions;
use super::outcome::Outcome;
use super::searching::NodesSpec;
use super::suite::SuiteSpec;
use super::tournament::play_tournament;
use super::tuning::{TuningSpec, play_tuning};
use super::{ExperimentError, idle, suite};
use crate::config::{
    MatchKeys, MatchSpec, Mistakes, PlayerSpec, Refusals, Seat, Source, TournamentKeys, TournamentSpec,
    did_you_mean, nearest, resolve_files,
};
use crate::event::Warning;
use crate::ledger::RunKind;

/// What is to be run, every key checked.
#[derive(Debug, Clone, PartialEq)]
pub enum Experiment {
    /// Two players.
    Match(Box<MatchSpec>),
    /// Several players.
    Tournament(Box<TournamentSpec>),
    /// Numbers that move with the results of games.
    Tuning(Box<TuningSpec>),
    /// The ratio of equal strength.
    Odds(Box<OddsSpec>),
    /// Every setting changed in turn.
    Ablation(Box<AblationSpec>),
    /// Nodes for each depth.
    Nodes(Box<NodesSpec>),
    /// The check of a suite of openings.
    Suite(SuiteSpec),
}

impl Experiment {
    /// Takes the text of a file of a run, such as `run.toml`: `command` says of which kind it is.
    ///
    /// # Errors
    /// Not TOML, without a command, or all of its keys that cannot be played.
    pub fn from_toml(text: &str) -> Result<Experiment, ExperimentError> {
        Experiment::of_source(&Source::parse(text, "the file of a run")?, Path::new(""))
    }

    /// Reads the file at `path`. Files that it names are looked for from its own folder first.
    ///
    /// # Errors
    /// Unreadable, without a command, or all of its keys that cannot be played.
    pub fn read(path: &Path) -> Result<Experiment, ExperimentError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        Experiment::of_source(&Source::open(path)?, folder)
    }

    /// What `source`, which stands in `folder`, asks for.
    ///
    /// # Errors
    /// It does not say its command, or has keys that cannot be played: all of them.
    pub fn of_source(source: &Source, folder: &Path) -> Result<Experiment, ExperimentError> {
        let Some(command) = source.table.get("command") else {
            let names = source.table.keys().map(String::as_str);
            let hint = names
                .filter(|name| nearest(name, ["job", "command"]).is_some())
                .map(|name| did_you_mean(name, ["job", "command"]))
                .next();
            let message = format!(
                "it has neither a command, such as command = \"match\", nor a [[job]]{}",
                hint.unwrap_or_default()
            );
            return Err(Mistakes::from(source.mistake("", message)).into());
        };
        let command = command.as_str().unwrap_or_default();
        let Some((kind, _)) = COMMANDS.iter().find(|(_, name)| *name == command) else {
            let names = COMMANDS.map(|(_, name)| name);
            let hint = did_you_mean(command, names);
            let message = format!("unknown command '{command}'{hint} (one of: {})", names.join(", "));
            return Err(Mistakes::from(source.mistake("command", message)).into());
        };
        let mut resolved = source.clone();
        resolve_files(&mut resolved.table, folder);
        let experiment = Experiment::of_keys(*kind, &resolved);
        let checked = experiment.and_then(|experiment| experiment.check_new().map(|()| experiment));
        checked.map_err(|error| error.placed(source))
    }

    fn of_keys(kind: RunKind, source: &Source) -> Result<Experiment, ExperimentError> {
        let mut wrong = Refusals::default();
        Ok(match kind {
            RunKind::Match => {
                let keys = MatchKeys::read(source, &mut wrong);
                let spec = MatchSpec::checked(&keys, &mut wrong);
                wrong.check()?;
                Experiment::Match(Box::new(spec))
            }
            RunKind::Tournament => {
                let keys = TournamentKeys::read(source, &mut wrong);
                Experiment::Tournament(Box::new(TournamentSpec::checked(&keys, wrong)?))
            }
            RunKind::Tune => Experiment::Tuning(Box::new(TuningSpec::of_source(source)?)),
            RunKind::Odds => Experiment::Odds(Box::new(OddsSpec::of_source(source)?)),
            RunKind::Ablation => Experiment::Ablation(Box::new(AblationSpec::of_source(source)?)),
            RunKind::Nodes | RunKind::Night => {
                let message = format!("no file describes a run of this kind ({})", kind.name());
                return Err(ExperimentError::Input(message));
            }
        })
    }

    /// What a run of this kind was played by; files are looked for in `folder` first.
    ///
    /// # Errors
    /// The text is none, or its keys cannot be played.
    pub fn parse(
        kind: RunKind,
        text: &str,
        origin: &str,
        folder: &Path,
    ) -> Result<Experiment, ExperimentError> {
        let mut source = Source::parse(text, origin)?;
        resolve_files(&mut source.table, folder);
        Experiment::of_keys(kind, &source).map_err(|error| error.placed(&source))
    }

    /// Runs it, or what is left of it, in the folder of `options` or the default one.
    ///
    /// # Errors
    /// What keeps it from an outcome; finished games are kept.
    pub fn run(&self, options: &RunOptions, audience: &mut dyn Audience) -> Result<Outcome, ExperimentError> {
        self.check_new()?;
        loop {
            match self.run_once(options, audience) {
                // As after a crash: what is stored is counted, and the rest is played.
                Err(ExperimentError::Again(why)) => {
                    audience.hear(News::Warning(Warning::Distrust { why: &why }))?;
                }
                ended => return ended,
            }
        }
    }

    /// Refuses what no run should begin with, though runs on record may have it: settings of players that do nothing in the game, engines
    /// of another game, and two players under one name.
    ///
    /// # Errors
    /// Names the first.
    pub fn check_new(&self) -> Result<(), ExperimentError> {
        let of_player = |game, player: &PlayerSpec| {
            player.check_game()?;
            idle::check(game, player)
        };
        let of_seats = |game, seats: &[Seat]| seats.iter().try_for_each(|seat| of_player(game, &seat.player));
        match self {
            Experiment::Match(spec) => {
                of_seats(spec.conditions.game, &spec.seats)?;
                check_names(&spec.seats)
            }
            Experiment::Tournament(spec) => of_seats(spec.conditions.game, &spec.seats),
            Experiment::Odds(spec) => of_seats(spec.games.conditions.game, &spec.games.seats),
            Experiment::Ablation(spec) => of_seats(spec.games.conditions.game, &spec.games.seats),
            Experiment::Nodes(spec) => {
                let mut players = spec.players.iter();
                players.try_for_each(|player| of_player(spec.game, player))
            }
            Experiment::Tuning(spec) => Ok(spec.games.seats[0].player.check_game()?),
            Experiment::Suite(_) => Ok(()),
        }
    }

    fn run_once(
        &self,
        options: &RunOptions,
        audience: &mut dyn Audience,
    ) -> Result<Outcome, ExperimentError> {
        match self {
            Experiment::Match(spec) => play_match(spec, options, audience),
            Experiment::Tournament(spec) => play_tournament(spec, options, audience),
            Experiment::Tuning(spec) => play_tuning(spec, options, audience),
            Experiment::Odds(spec) => find_odds(spec, options, audience),
            Experiment::Ablation(spec) => ablate(spec, options, audience),
            Experiment::Nodes(spec) => count_nodes(spec, options, audience),
            Experiment::Suite(spec) => suite::check(spec),
        }
    }
}

/// Refuses two players that differ and are called the same.
fn check_names([a, b]: &[Seat; 2]) -> Result<(), ExperimentError> {
    if a.player.label != b.player.label || a.player.kind == b.player.kind {
        return Ok(());
    }
    let label = &a.player.label;
    Err(ExperimentError::Input(format!(
        "players a and b are both called '{label}': give one of them another name, as with label_b"
    )))
}

/// The kinds of runs that a file can ask for, by the name of their command.
const COMMANDS: [(RunKind, &str); 5] = [
    (RunKind::Match, "match"),
    (RunKind::Tournament, "tournament"),
    (RunKind::Tune, "tune"),
    (RunKind::Odds, "odds"),
    (RunKind::Ablation, "ablate"),
];

#[cfg(test)]
mod tests;
