//! The specification that a ledger was made by.
//!
//! In: a ledger. Out: its game, rules and players by number. Must not: need a file beside the ledger.

use std::path::Path;

use tanren_engine::eval::Evaluated;
use tanren_engine::game::Game;

use super::error::CliError;
use super::play;
use super::programs::Programs;
use crate::config::wire::MatchFile;
use crate::config::{MatchSpec, Rules, TournamentFile, TournamentSpec};
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError, RunKind};
use crate::player::Player;
use crate::record::PlayerId;
use crate::stats::Sprt;

/// What was played: a match or a tournament.
pub(super) struct StoredRun {
    pub(super) game: Game,
    pub(super) name: Option<String>,
    pub(super) rules: Rules,
    /// By the player's number: a specification, and the place in it that holds the player.
    seats: Vec<(MatchSpec, PlayerId)>,
}

impl StoredRun {
    /// Reads it from the ledger in `folder`.
    pub(super) fn read(folder: &Path, ledger: &Ledger) -> Result<StoredRun, CliError> {
        let about = ledger.about()?;
        let damaged = |error: &dyn std::fmt::Display| LedgerError::Damaged {
            path: folder.to_owned(),
            message: error.to_string(),
        };
        if about.kind == RunKind::Tune {
            let message = format!(
                "'{}' is a tuning, whose players change with every iteration; its confirming match is in '{}'",
                folder.display(),
                folder.join("confirm").display()
            );
            return Err(CliError::Input(message));
        }
        if about.kind == RunKind::Nodes {
            let message = format!("'{}' is a count of nodes, without games", folder.display());
            return Err(CliError::Input(message));
        }
        if about.kind == RunKind::Tournament {
            let file: TournamentFile = toml::from_str(&about.spec_toml).map_err(|error| damaged(&error))?;
            let spec = TournamentSpec::from_file(&file)?;
            let shared = spec.shared();
            return Ok(StoredRun {
                game: shared.game,
                name: shared.name.clone(),
                rules: shared.rules,
                seats: spec
                    .seats
                    .iter()
                    .map(|seat| (seat.clone(), PlayerId::A))
                    .collect(),
            });
        }
        let file: MatchFile = toml::from_str(&about.spec_toml).map_err(|error| damaged(&error))?;
        let spec = MatchSpec::from_file(&file)?;
        Ok(StoredRun {
            game: spec.game,
            name: spec.name.clone(),
            rules: spec.rules,
            seats: vec![(spec.clone(), PlayerId::A), (spec, PlayerId::B)],
        })
    }

    /// The test of a match.
    pub(super) fn sprt(&self) -> Option<Sprt> {
        self.seats[0].0.sprt
    }

    /// Does time decide what any player plays?
    pub(super) fn is_timed(&self) -> bool {
        self.seats
            .iter()
            .any(|(spec, id)| spec.limits[id.index()].is_timed())
    }

    /// Does the player of this number play the same whenever it is asked the same?
    pub(super) fn is_repeatable(&self, number: u16) -> bool {
        self.seats.get(usize::from(number)).is_some_and(|(spec, id)| {
            !spec.limits[id.index()].is_timed() && spec.players[id.index()].config().is_some()
        })
    }

    /// What a player is and plays by, for messages.
    pub(super) fn describe(&self, number: u16) -> String {
        self.seats
            .get(usize::from(number))
            .map_or_else(String::new, |(spec, id)| {
                format!(
                    "{} by {}",
                    spec.players[id.index()].label,
                    spec.limits[id.index()]
                )
            })
    }

    /// Makes a player, if there is one of that number.
    pub(super) fn player<P: Evaluated>(
        &self,
        number: u16,
        interrupt: &Interrupt,
    ) -> Option<Box<dyn Player<P>>> {
        let (spec, id) = self.seats.get(usize::from(number))?;
        Some(play::player(spec, *id, &Programs::default(), interrupt))
    }
}
