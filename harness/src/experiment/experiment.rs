//! Any run, before it is begun: one value that can be read from a file, run, and written again.
//!
//! In: a file of a run, or the specifications that the command line makes. Out: an [`Experiment`].

use std::fs;
use std::path::Path;

use super::ablation::{AblationSpec, ablate};
use super::r#match::play_match;
use super::news::Audience;
use super::nodes::{NodesSpec, count_nodes};
use super::odds::{OddsSpec, find_odds};
use super::options::RunOptions;
use super::outcome::Outcome;
use super::suite::SuiteSpec;
use super::tournament::play_tournament;
use super::tuning::{TuningSpec, play_tuning};
use super::{ExperimentError, suite};
use crate::config::wire::{Command, MatchFile};
use crate::config::{ConfigError, MatchSpec, OpeningSource, TournamentFile, TournamentSpec, resolve};
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
    /// Unreadable, without a command, or keys that cannot be played.
    pub fn read(path: &Path) -> Result<Experiment, ExperimentError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut experiment = match Command::read(path)? {
            Some(Command::Match) => {
                let spec = MatchSpec::from_file(&MatchFile::read(path)?)?;
                return Ok(Experiment::Match(Box::new(spec)));
            }
            Some(Command::Tournament) => {
                let spec = TournamentSpec::from_file(&TournamentFile::read(path)?)?;
                return Ok(Experiment::Tournament(Box::new(spec)));
            }
            Some(command) => {
                let text = fs::read_to_string(path).map_err(|source| ConfigError::Unreadable {
                    path: path.to_owned(),
                    source,
                })?;
                Experiment::parse(kind_of(command), &text, &format!("'{}'", path.display()))?
            }
            None => {
                let path = path.display();
                let message = format!("'{path}' does not say its command, such as command = \"match\"");
                return Err(ExperimentError::Input(message));
            }
        };
        experiment.resolve(folder);
        Ok(experiment)
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

    /// The games that it is about, as far as all have them in common.
    fn games_mut(&mut self) -> Option<&mut MatchSpec> {
        match self {
            Experiment::Match(spec) => Some(spec),
            Experiment::Tuning(spec) => Some(&mut spec.games),
            Experiment::Odds(spec) => Some(&mut spec.games),
            Experiment::Ablation(spec) => Some(&mut spec.games),
            Experiment::Tournament(_) | Experiment::Nodes(_) | Experiment::Suite(_) => None,
        }
    }

    /// Looks for the files that it names from `folder` first.
    fn resolve(&mut self, folder: &Path) {
        if let Some(games) = self.games_mut()
            && let OpeningSource::File(path) = &mut games.conditions.openings
        {
            *path = resolve(&path.to_string_lossy(), folder).into();
        }
        if let Experiment::Ablation(spec) = self {
            spec.resolve(folder);
        }
    }
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
