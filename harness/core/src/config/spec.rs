//! The validated specification of a match.
//!
//! In: a [`MatchFile`]. Out: a [`MatchSpec`] in which every key has a value that can be played.

use std::path::Path;

use super::conditions::{Digests, has_clock};
use super::sprt::parse_sprt;
use super::wire::{Command, MatchFile};
use super::{Conditions, ConfigError, Identity, PlayerSpec, Seat, SeatKeys};

/// Pairs of a match without `pairs` and `sprt`.
const PAIRS_DEFAULT: u64 = 200;
/// The demonstration: null-move reduction on against off, at the fewest nodes at which it acts hundreds of times a game.
const DEMO_B: &str = "base,null_move=off";
const DEMO_NODES: u64 = 2500;
const DEMO_SPRT: &str = "elo0=0,elo1=40,alpha=0.05,beta=0.05,model=normalized";
const DEMO_PAIRS: u64 = 800;
/// A and B, as messages and identities call them.
const IDS: [&str; 2] = ["a", "b"];

/// A match that can be played, apart from its openings.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchSpec {
    /// What both play under.
    pub conditions: Conditions,
    /// A and B.
    pub seats: [Seat; 2],
}

impl MatchSpec {
    /// Checks `file` and fills in the defaults.
    ///
    /// # Errors
    /// The first key whose value cannot be played.
    pub fn from_file(file: &MatchFile) -> Result<MatchSpec, ConfigError> {
        let mut conditions = Conditions::from_keys(&file.conditions)?;
        let names_no_player = file.players == [None, None];
        if names_no_player && conditions.pairs.is_none() && conditions.sprt.is_none() {
            conditions.sprt = Some(parse_sprt(DEMO_SPRT)?);
            conditions.pairs = Some(DEMO_PAIRS);
        }
        if conditions.sprt.is_none() {
            conditions.pairs.get_or_insert(PAIRS_DEFAULT);
        }
        let mut common = file.common.clone();
        if names_no_player && common.limit(None)?.is_none() {
            common.nodes = Some(DEMO_NODES);
        }
        let seat = |index: usize, default: &str| -> Result<Seat, ConfigError> {
            let (id, keys) = (IDS[index], &file.seats[index]);
            let text = file.players[index].as_deref().unwrap_or(default);
            let player = PlayerSpec::parse_among(conditions.game, id, text, &file.tables)?;
            Ok(Seat {
                player: player.labelled(id, keys.label.as_deref())?,
                limit: keys.limit_or(&common, id)?,
            })
        };
        let seats = [
            seat(0, "base")?,
            seat(1, if names_no_player { DEMO_B } else { "base" })?,
        ];
        conditions.check(&file.conditions, &[(IDS[0], &seats[0]), (IDS[1], &seats[1])])?;
        Ok(MatchSpec { conditions, seats })
    }

    /// Does a player play by a game clock?
    pub fn has_clock(&self) -> bool {
        has_clock(&self.seats)
    }

    /// The file that gives this specification again from `folder`, every default written out.
    pub fn to_file(&self, folder: &Path) -> MatchFile {
        MatchFile {
            command: Some(Command::Match),
            players: self.seats.each_ref().map(|seat| Some(seat.player.text())),
            seats: self.seats.each_ref().map(|seat| SeatKeys {
                label: seat.player.own_label(),
                ..SeatKeys::from(seat.limit)
            }),
            conditions: self.conditions.to_keys(folder, self.has_clock()),
            ..MatchFile::default()
        }
    }

    /// Everything that decides the results, given the openings' hash, the number of pairs and the engine's signature.
    pub fn identity(&self, openings_sha256: &str, pairs: u64, engine: &str) -> Identity {
        let mut identity = Identity::default();
        identity.push("game", self.conditions.game.name());
        for (id, seat) in IDS.into_iter().zip(&self.seats) {
            identity.push(id, seat.player.canonical());
        }
        for (id, seat) in IDS.into_iter().zip(&self.seats) {
            identity.push(&format!("limit {id}"), seat.limit);
        }
        let digests = Digests {
            openings_sha256,
            pairs,
            engine,
        };
        self.conditions
            .identify(&mut identity, &digests, self.has_clock());
        identity
    }

    /// Can A and B, given the same position, do nothing but the same?
    pub fn is_mirror(&self) -> bool {
        self.conditions.are_mirror(self.seats.each_ref())
    }
}

#[cfg(test)]
mod tests;
