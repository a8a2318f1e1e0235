//! A run that is stored in a folder, of any kind.
//!
//! In: a folder. Out: a [`Run`]: what was run, its ledger, and what it comes to.

use std::path::{Path, PathBuf};

use tanren_engine::game::Game;
use tanren_engine::search::Searchable;

use super::engines;
use super::experiment::Experiment;
use super::findings::MatchFindings;
use super::hosts;
use super::news::{Audience, Silent};
use super::outcome::{Ending, Findings, Outcome};
use super::programs::Programs;
use super::seating;
use super::tuning::CONFIRM_FOLDER;
use super::{ExperimentError, ablation, night, nodes, odds, tournament, tuning};
use crate::config::{Conditions, MatchSpec, MoveLimit, Seat};
use crate::interrupt::Interrupt;
use crate::ledger::{About, Ledger, LedgerError, RunKind};
use crate::player::Player;
use crate::record::PlayerId;
use crate::runner;
use crate::standing::Standing;

/// A stored run.
pub struct Run {
    folder: PathBuf,
    ledger: Ledger,
    about: About,
}

impl Run {
    /// Opens the run in `folder` for reading, whether or not it is going on.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn open(folder: &Path) -> Result<Run, ExperimentError> {
        let ledger = Ledger::open_existing(folder)?;
        Ok(Run {
            folder: folder.to_owned(),
            about: ledger.about()?,
            ledger,
        })
    }

    /// The run in `folder` whose ledger is open and says this.
    pub(super) fn of_ledger(folder: &Path, ledger: Ledger, about: About) -> Run {
        Run {
            folder: folder.to_owned(),
            ledger,
            about,
        }
    }

    /// Its kind.
    pub fn kind(&self) -> RunKind {
        self.about.kind
    }

    /// Its ledger.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What its ledger says about itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What was run; a night is no single experiment. Files that it names are looked for from its folder first.
    ///
    /// # Errors
    /// The ledger does not hold a specification that this version understands.
    pub fn experiment(&self) -> Result<Experiment, ExperimentError> {
        let origin = format!("the specification in '{}'", self.folder.display());
        Experiment::parse(self.kind(), &self.about.spec_toml, &origin, &self.folder)
    }

    /// What it comes to; `audience` hears of the steps of a tuning, from which its files are made.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn outcome(&self, audience: &mut dyn Audience) -> Result<Outcome, ExperimentError> {
        let (findings, is_over) = self.findings(audience)?;
        let ending = match (findings.invalid(), is_over) {
            (Some(invalid), _) => Ending::Invalid(invalid),
            (None, true) => Ending::Complete,
            (None, false) => Ending::Paused,
        };
        Ok(Outcome {
            folder: self.folder.clone(),
            ending,
            findings,
        })
    }

    fn findings(&self, audience: &mut dyn Audience) -> Result<(Findings, bool), ExperimentError> {
        match self.kind() {
            RunKind::Night => {
                let found = night::recount(&self.about.spec_toml, &self.folder)?;
                return Ok((Findings::Night(found), true));
            }
            RunKind::Nodes => {
                let (found, is_over) = nodes::recount(&self.folder, &self.ledger)?;
                return Ok((Findings::Nodes(found), is_over));
            }
            _ => {}
        }
        Ok(match &self.experiment()? {
            Experiment::Match(spec) => {
                let found = self.recount_match(spec)?;
                let is_over = found.standing.is_decided();
                (Findings::Match(Box::new(found)), is_over)
            }
            Experiment::Tournament(spec) => {
                let rounds = self.pairs()?;
                let found = tournament::recount(spec, &self.ledger, rounds)?;
                let is_over = found.counted == rounds * spec.pairings.len() as u64;
                (Findings::Tournament(found), is_over)
            }
            Experiment::Tuning(spec) => {
                let mut found = tuning::recount(spec, &self.folder, &self.ledger, audience)?;
                let confirm = self.folder.join(CONFIRM_FOLDER);
                if Ledger::exists(&confirm)
                    && let Findings::Match(confirmation) = Run::open(&confirm)?.outcome(&mut Silent)?.findings
                {
                    found.confirmation = Some(*confirmation);
                }
                let is_over = found.is_finished();
                (Findings::Tuning(Box::new(found)), is_over)
            }
            Experiment::Odds(spec) => {
                let found = odds::recount(spec, &self.folder)?;
                let is_over = found.steps.len() as u64 == spec.batches();
                (Findings::Odds(found), is_over)
            }
            Experiment::Ablation(spec) => {
                let found = ablation::recount(spec, &self.folder)?;
                let is_over = found.rows.len() == spec.rows.len();
                (Findings::Ablation(found), is_over)
            }
            Experiment::Nodes(_) | Experiment::Suite(_) => {
                unreachable!("no ledger holds the specification of one")
            }
        })
    }

    fn recount_match(&self, spec: &MatchSpec) -> Result<MatchFindings, ExperimentError> {
        let mut standing = Standing::new(spec.conditions.stop_rule(self.pairs()?));
        runner::recount(&self.ledger, &mut standing)?;
        let labels = self.about.labels_of([0, 1]);
        Ok(MatchFindings {
            game: spec.conditions.game,
            engines: engines::count(&self.ledger, &labels, standing.tally().pairs())?,
            hosts: hosts::count(&self.ledger, standing.tally().pairs())?,
            labels,
            standing,
        })
    }

    /// The pairs that were meant to be played, of each pairing.
    fn pairs(&self) -> Result<u64, ExperimentError> {
        let pairs = self.about.identity.pairs();
        Ok(pairs.ok_or_else(|| LedgerError::Damaged {
            path: self.folder.clone(),
            message: "it does not say its number of pairs".to_owned(),
        })?)
    }

    /// Who played under which conditions, for playing its games again.
    ///
    /// # Errors
    /// Its players change, or it has none.
    pub fn seats(&self) -> Result<StoredSeats, ExperimentError> {
        let of_parts = |what: &str, parts: &str| {
            let folder = self.folder.display();
            Err(ExperimentError::Input(format!("'{folder}' is {what}; {parts}")))
        };
        let (conditions, seats) = match self.kind() {
            RunKind::Match | RunKind::Tournament => match self.experiment()? {
                Experiment::Match(spec) => {
                    let [a, b] = spec.seats;
                    (spec.conditions, vec![(a, PlayerId::A), (b, PlayerId::B)])
                }
                Experiment::Tournament(spec) => {
                    let seats = spec.seats.into_iter().map(|seat| (seat, PlayerId::A));
                    (spec.conditions, seats.collect())
                }
                _ => unreachable!("the kind says what it is"),
            },
            RunKind::Tune => {
                let confirm = self.folder.join(CONFIRM_FOLDER);
                return of_parts(
                    "a tuning, whose players change with every iteration",
                    &format!("its confirming match is in '{}'", confirm.display()),
                );
            }
            RunKind::Odds => return of_parts("a study of odds", "its matches are in the folder 'batches'"),
            RunKind::Ablation => return of_parts("an ablation", "its matches are in the folder 'matches'"),
            RunKind::Night => return of_parts("a queue", "its jobs have folders of their own"),
            RunKind::Nodes => return of_parts("a count of nodes", "it holds no games"),
        };
        Ok(StoredSeats { conditions, seats })
    }
}

/// The players of a stored run, by their number.
pub struct StoredSeats {
    /// What they played under.
    pub conditions: Conditions,
    /// With the place that each plays at: its node limits vary by it.
    seats: Vec<(Seat, PlayerId)>,
}

impl StoredSeats {
    /// The game.
    pub fn game(&self) -> Game {
        self.conditions.game
    }

    /// Does time decide what any player plays?
    pub fn is_timed(&self) -> bool {
        self.seats.iter().any(|(seat, _)| seat.limit.is_timed())
    }

    /// Does the player of this number play the same whenever it is asked the same?
    pub fn is_repeatable(&self, number: u16) -> bool {
        self.seat(number)
            .is_some_and(|seat| !seat.limit.is_timed() && seat.player.config().is_some())
    }

    /// What a player is and plays by, for messages.
    pub fn describe(&self, number: u16) -> String {
        self.seat(number).map_or_else(String::new, |seat| {
            format!("{} by {}", seat.player.label, seat.limit)
        })
    }

    /// Makes a player, if there is one of that number, for the place that it played at.
    pub fn player<P: Searchable>(&self, number: u16, interrupt: &Interrupt) -> Option<Box<dyn Player<P>>> {
        let (seat, id) = self.seats.get(usize::from(number))?;
        Some(seating::player(
            &self.conditions,
            seat,
            *id,
            &Programs::default(),
            interrupt,
        ))
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.seats.len()
    }

    /// What a player plays by, if there is one of that number.
    pub fn limit(&self, number: u16) -> Option<MoveLimit> {
        self.seat(number).map(|seat| seat.limit)
    }

    /// What a player is called.
    pub fn label(&self, number: u16) -> &str {
        self.seat(number).map_or("", |seat| &seat.player.label)
    }

    /// A player's seat, and the place that it plays at.
    pub(super) fn placed(&self, number: u16) -> Option<(&Seat, PlayerId)> {
        self.seats.get(usize::from(number)).map(|(seat, id)| (seat, *id))
    }

    fn seat(&self, number: u16) -> Option<&Seat> {
        self.placed(number).map(|(seat, _)| seat)
    }
}
