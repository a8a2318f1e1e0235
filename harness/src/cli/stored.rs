//! The specification that a ledger was made by.
//!
//! In: a ledger. Out: its game, rules and players by number. Must not: need a file beside the ledger.

use std::path::Path;

use tanren_engine::eval::Evaluated;

use super::error::CliError;
use super::play;
use super::programs::Programs;
use crate::config::wire::MatchFile;
use crate::config::{Conditions, MatchSpec, Seat, TournamentFile, TournamentSpec};
use crate::interrupt::Interrupt;
use crate::ledger::{Ledger, LedgerError, RunKind};
use crate::player::Player;
use crate::record::PlayerId;
use crate::stats::Sprt;

/// What was played: a match or a tournament.
pub(super) struct StoredRun {
    pub(super) conditions: Conditions,
    /// By the player's number: a seat, and its place at a table.
    seats: Vec<(Seat, PlayerId)>,
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
        if about.kind == RunKind::Tournament {
            let file: TournamentFile = toml::from_str(&about.spec_toml).map_err(|error| damaged(&error))?;
            let spec = TournamentSpec::from_file(&file)?;
            return Ok(StoredRun {
                conditions: spec.conditions,
                seats: spec.seats.into_iter().map(|seat| (seat, PlayerId::A)).collect(),
            });
        }
        let file: MatchFile = toml::from_str(&about.spec_toml).map_err(|error| damaged(&error))?;
        let spec = MatchSpec::from_file(&file)?;
        let [a, b] = spec.seats;
        Ok(StoredRun {
            conditions: spec.conditions,
            seats: vec![(a, PlayerId::A), (b, PlayerId::B)],
        })
    }

    /// The test of a match.
    pub(super) fn sprt(&self) -> Option<Sprt> {
        self.conditions.sprt
    }

    /// Does time decide what any player plays?
    pub(super) fn is_timed(&self) -> bool {
        self.seats.iter().any(|(seat, _)| seat.limit.is_timed())
    }

    /// Does the player of this number play the same whenever it is asked the same?
    pub(super) fn is_repeatable(&self, number: u16) -> bool {
        self.seats
            .get(usize::from(number))
            .is_some_and(|(seat, _)| !seat.limit.is_timed() && seat.player.config().is_some())
    }

    /// What a player is and plays by, for messages.
    pub(super) fn describe(&self, number: u16) -> String {
        self.seats
            .get(usize::from(number))
            .map_or_else(String::new, |(seat, _)| {
                format!("{} by {}", seat.player.label, seat.limit)
            })
    }

    /// Makes a player, if there is one of that number.
    pub(super) fn player<P: Evaluated>(
        &self,
        number: u16,
        interrupt: &Interrupt,
    ) -> Option<Box<dyn Player<P>>> {
        let (seat, id) = self.seats.get(usize::from(number))?;
        Some(play::player(
            &self.conditions,
            seat,
            *id,
            &Programs::default(),
            interrupt,
        ))
    }
}
