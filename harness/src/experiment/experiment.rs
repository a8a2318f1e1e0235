//! Any run, before it is begun: one value that can be read from a file, run, and written again.
//!
//! In: a file of a run, or the specifications that the command line makes. Out: an [`Experiment`].

use std::path::Path;

use serde::de::DeserializeOwned;
use toml::Table;

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
use crate::config::wire::{Command, MatchFile};
use crate::config::{
    Document, MatchSpec, Mistakes, PlayerSpec, Seat, TournamentFile, TournamentSpec, did_you_mean, nearest,
    resolve_files, with_suggestion,
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
    /// Takes the text of a file of a run: its keys are those of the command line, `command` says which command's.
    ///
    /// # Errors
    /// Not TOML, without a command, or keys that cannot be played.
    pub fn from_toml(text: &str) -> Result<Experiment, ExperimentError> {
        let refuse = |message: &str| ExperimentError::Input(format!("the file of a run: {message}"));
        let command = Command::of(text).map_err(|error| refuse(&error.to_string()))?;
        let command = command.ok_or_else(|| refuse("it does not say its command"))?;
        Experiment::parse(kind_of(command), text, "the file of a run")
    }

    /// Reads the file at `path`, such as the `run.toml` of an earlier run. Files that it names are looked for from its own
    /// folder first.
    ///
    /// # Errors
    /// Unreadable, without a command, or all of its keys that cannot be played.
    pub fn read(path: &Path) -> Result<Experiment, ExperimentError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        Experiment::of_document(&Document::open(path)?, folder)
    }

    /// What `document`, which stands in `folder`, asks for.
    ///
    /// # Errors
    /// It does not say its command, or has keys that cannot be played: all of them.
    pub fn of_document(document: &Document, folder: &Path) -> Result<Experiment, ExperimentError> {
        let Some(command) = document.table().get("command") else {
            let names = document.table().keys().map(String::as_str);
            let hint = names
                .filter(|name| nearest(name, ["job", "command"]).is_some())
                .map(|name| did_you_mean(name, ["job", "command"]))
                .next();
            let message = format!(
                "it has neither a command, such as command = \"match\", nor a [[job]]{}",
                hint.unwrap_or_default()
            );
            return Err(Mistakes::from(document.mistake(None, message)).into());
        };
        let command = command.clone().try_into::<Command>().map_err(|error| {
            let mut message = with_suggestion(error.message());
            if !message.contains("command") {
                message = format!("command: {message}");
            }
            Mistakes::from(document.mistake(document.place_of("command", None), message))
        })?;
        let experiment = document.read(|mut table| {
            resolve_files(&mut table, folder);
            let experiment = Experiment::of_table(kind_of(command), table);
            let checked = experiment.and_then(|experiment| experiment.check_new().map(|()| experiment));
            checked.map_err(|error| error.refusal())
        });
        Ok(experiment?)
    }

    fn of_table(kind: RunKind, table: Table) -> Result<Experiment, ExperimentError> {
        Ok(match kind {
            RunKind::Match => Experiment::Match(Box::new(MatchSpec::from_file(&of_keys(table)?)?)),
            RunKind::Tournament => {
                Experiment::Tournament(Box::new(TournamentSpec::from_file(&of_keys(table)?)?))
            }
            RunKind::Tune => Experiment::Tuning(Box::new(TuningSpec::of_file(of_keys(table)?, "this file")?)),
            RunKind::Odds => Experiment::Odds(Box::new(OddsSpec::of_file(&of_keys(table)?)?)),
            RunKind::Ablation => {
                Experiment::Ablation(Box::new(AblationSpec::of_file(of_keys(table)?, "this file")?))
            }
            RunKind::Nodes | RunKind::Night => unreachable!("no command of a file gives this kind"),
        })
    }

    /// Takes the text of the file of a run of this kind; `origin` is what messages call it.
    ///
    /// # Errors
    /// The text is none, or its keys cannot be played.
    pub fn parse(kind: RunKind, text: &str, origin: &str) -> Result<Experiment, ExperimentError> {
        let bad_file = |error: toml::de::Error| {
            ExperimentError::Input(format!("{origin} is no file of a {}: {error}", kind.name()))
        };
        Ok(match kind {
            RunKind::Match => {
                let file: MatchFile = toml::from_str(text).map_err(bad_file)?;
                Experiment::Match(Box::new(MatchSpec::from_file(&file)?))
            }
            RunKind::Tournament => {
                let file: TournamentFile = toml::from_str(text).map_err(bad_file)?;
                Experiment::Tournament(Box::new(TournamentSpec::from_file(&file)?))
            }
            RunKind::Tune => Experiment::Tuning(Box::new(TuningSpec::parse(text, origin)?)),
            RunKind::Odds => Experiment::Odds(Box::new(OddsSpec::parse(text, origin)?)),
            RunKind::Ablation => Experiment::Ablation(Box::new(AblationSpec::parse(text, origin)?)),
            RunKind::Nodes | RunKind::Night => {
                let message = format!("{origin} is of a kind ({}) that no file describes", kind.name());
                return Err(ExperimentError::Input(message));
            }
        })
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

/// The keys of a file as a command has them.
fn of_keys<T: DeserializeOwned>(table: Table) -> Result<T, ExperimentError> {
    let read = table.try_into();
    read.map_err(|error: toml::de::Error| ExperimentError::Input(with_suggestion(error.message())))
}

fn kind_of(command: Command) -> RunKind {
    match command {
        Command::Match => RunKind::Match,
        Command::Tournament => RunKind::Tournament,
        Command::Tune => RunKind::Tune,
        Command::Odds => RunKind::Odds,
        Command::Ablate => RunKind::Ablation,
    }
}

#[cfg(test)]
mod tests;
