//! What is kept of a game or a search. A field of [`GameRecord`] travels through a fleet and is stored without more; one that
//! is counted or stands in `games.csv` belongs into [`GameOutcome`], too.

mod engine_warnings;
mod origin;
pub(crate) mod packed;
mod reason;
mod search;
mod time_span;
mod turn;
mod variations;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use engine_warnings::EngineWarnings;
pub use origin::{Host, Origin, TimeScale};
pub use packed::Packed;
pub use reason::Reason;
pub use search::{FinishedSearch, Search, SearchIteration, TechniqueCounts};
pub use time_span::{PlayingTime, TimeSpan};
pub use turn::{Score, Turn};
pub use variations::Variations;

/// One of the two players of a pair, whichever colour it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PlayerId {
    /// The player whose results are reported.
    A,
    B,
}

impl PlayerId {
    #[must_use]
    pub fn opponent(self) -> PlayerId {
        match self {
            PlayerId::A => PlayerId::B,
            PlayerId::B => PlayerId::A,
        }
    }

    /// 0 for A, 1 for B.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter used in files.
    pub fn letter(self) -> &'static str {
        match self {
            PlayerId::A => "a",
            PlayerId::B => "b",
        }
    }
}

/// One finished game. Arrays of two are indexed by [`PlayerId::index`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    pub first: PlayerId,
    pub winner: Option<PlayerId>,
    pub reason: Reason,
    #[serde(with = "packed")]
    pub moves: Vec<u16>,
    /// What each turn cost and found, in order: one a move, and one more if the game ended by something that is no
    /// move on the board.
    #[serde(with = "packed")]
    pub turns: Vec<Turn>,
    /// What the players expected at these turns.
    #[serde(with = "packed")]
    pub variations: Variations,
    /// What engines themselves wrote about turns, by their indices.
    pub comments: Vec<(u32, String)>,
    pub span: TimeSpan,
    /// What was noticed of the players that are external engines.
    pub warnings: [Option<EngineWarnings>; 2],
    pub nodes: [u64; 2],
    pub time_us: [u64; 2],
    /// Sum over each player's searches of the depth reached.
    pub depth_sum: [u64; 2],
    pub seed: u32,
}

impl GameRecord {
    /// What stands for the game that is not played, where an opening has one alone.
    pub fn unplayed(first: PlayerId, seed: u32) -> GameRecord {
        GameRecord {
            first,
            winner: None,
            reason: Reason::Unplayed,
            moves: Vec::new(),
            turns: Vec::new(),
            variations: Variations::default(),
            comments: Default::default(),
            span: Default::default(),
            warnings: [None; 2],
            nodes: [0; 2],
            time_us: [0; 2],
            depth_sum: [0; 2],
            seed,
        }
    }

    pub fn is_played(&self) -> bool {
        self.reason != Reason::Unplayed
    }
}

/// A finished pair: one opening, both colours; the unit that is stored and counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Place in the schedule, from 0.
    pub pair: u64,
    /// Which of the run's players sat at A's and at B's place; 0 and 1 in a match.
    pub players: [u16; 2],
    /// The opening's line in its file, from 1.
    pub opening_line: u32,
    pub opening: String,
    /// The moves that lead to it where a book has moves, as `START moves …`; empty otherwise.
    pub book: String,
    /// First the game that A began, then the one that B began.
    pub games: [GameRecord; 2],
    /// The faults after each of which the pair was played again, in order.
    pub replayed: Vec<PairFault>,
}

impl PairRecord {
    /// The games that were played, with their places.
    pub fn played(&self) -> impl Iterator<Item = (usize, &GameRecord)> {
        self.games.iter().enumerate().filter(|(_, game)| game.is_played())
    }

    /// Do Gote or Black move first in its opening? Its second field is the side to move: `w` is Gote in shogi, whose boards have nine
    /// ranks, and `b` is Black in chess.
    pub fn is_begun_by_second_side(&self) -> bool {
        let mut fields = self.opening.split(' ');
        let is_shogi = fields.next().is_some_and(|board| board.matches('/').count() == 8);
        fields.next() == Some(if is_shogi { "w" } else { "b" })
    }

    /// Who has Sente or White in a game that `first` begins.
    pub fn first_side(&self, first: PlayerId) -> PlayerId {
        if self.is_begun_by_second_side() {
            first.opponent()
        } else {
            first
        }
    }

    /// Did both games go the same way, move for move?
    pub fn is_mirrored(&self) -> bool {
        self.games.iter().all(GameRecord::is_played) && self.games[0].moves == self.games[1].moves
    }

    /// A hash of the opening, the players and the moves: pairs that repeat each other have the same, others by chance
    /// of 2^-64. It is stored, so it is the same in every version (FNV-1a over 16-bit units).
    pub fn fingerprint(&self) -> u64 {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0100_0000_01b3;
        let opening = self.opening.bytes().map(u16::from);
        // No move has these bits in all games, so a list's end cannot be taken for a part of it.
        let moves = self
            .games
            .iter()
            .flat_map(|game| game.moves.iter().copied().chain([u16::MAX]));
        let units = opening.chain([u16::MAX]).chain(self.players).chain(moves);
        units.fold(OFFSET, |hash, unit| (hash ^ u64::from(unit)).wrapping_mul(PRIME))
    }
}

/// What a game came to, without its moves: all that a count needs. Arrays of two are indexed by [`PlayerId::index`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameOutcome {
    pub first: PlayerId,
    pub winner: Option<PlayerId>,
    pub reason: Reason,
    pub plies: u32,
    pub span: TimeSpan,
    /// What was noticed of the players that are external engines.
    pub warnings: [Option<EngineWarnings>; 2],
    pub nodes: [u64; 2],
    pub time_us: [u64; 2],
    /// Sum over each player's searches of the depth reached.
    pub depth_sum: [u64; 2],
    pub seed: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairOutcome {
    /// Place in the schedule, from 0.
    pub pair: u64,
    /// Which of the run's players sat at A's and at B's place.
    pub players: [u16; 2],
    /// The opening's line in its file, from 1.
    pub opening_line: u32,
    /// What [`PairRecord::fingerprint`] says of it.
    pub fingerprint: u64,
    /// What [`PairRecord::is_mirrored`] says of it.
    pub is_mirrored: bool,
    /// What [`PairRecord::is_begun_by_second_side`] says of it.
    pub is_begun_by_second_side: bool,
    /// First the game that A began, then the one that B began.
    pub games: [GameOutcome; 2],
    /// The faults after each of which the pair was played again, in order.
    pub replayed: Vec<PairFault>,
}

impl PairOutcome {
    pub fn played(&self) -> impl Iterator<Item = &GameOutcome> {
        self.games.iter().filter(|game| game.is_played())
    }

    /// The game in which A has Sente or White, then the other.
    pub fn games_by_side(&self) -> [&GameOutcome; 2] {
        let [first, second] = &self.games;
        if self.is_begun_by_second_side {
            [second, first]
        } else {
            [first, second]
        }
    }

    /// Who has Sente or White in the game of this index.
    pub fn first_side(&self, index: usize) -> PlayerId {
        let first = self.games[index].first;
        if self.is_begun_by_second_side {
            first.opponent()
        } else {
            first
        }
    }
}

impl From<&GameRecord> for GameOutcome {
    fn from(game: &GameRecord) -> Self {
        GameOutcome {
            first: game.first,
            winner: game.winner,
            reason: game.reason,
            plies: game.moves.len() as u32,
            span: game.span,
            warnings: game.warnings,
            nodes: game.nodes,
            time_us: game.time_us,
            depth_sum: game.depth_sum,
            seed: game.seed,
        }
    }
}

impl From<&PairRecord> for PairOutcome {
    fn from(record: &PairRecord) -> Self {
        PairOutcome {
            pair: record.pair,
            players: record.players,
            opening_line: record.opening_line,
            fingerprint: record.fingerprint(),
            is_mirrored: record.is_mirrored(),
            is_begun_by_second_side: record.is_begun_by_second_side(),
            games: record.games.each_ref().map(GameOutcome::from),
            replayed: record.replayed.clone(),
        }
    }
}

impl GameOutcome {
    pub fn is_played(&self) -> bool {
        self.reason != Reason::Unplayed
    }

    /// How many moves `player` made.
    pub fn moves_by(&self, player: PlayerId) -> u32 {
        if player == self.first {
            self.plies.div_ceil(2)
        } else {
            self.plies / 2
        }
    }
}

/// A fault of a player in a game that does not count: its pair is played again, or was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairFault {
    /// Place of the pair in the schedule, from 0.
    pub pair: u64,
    /// 0 for the game that A began, 1 for the other.
    pub game: u8,
    pub player: u16,
    pub reason: Reason,
}

/// A finished unit of work, whoever did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are pairs, and none is kept for long"
)]
pub enum Finished {
    Pair(PairRecord),
    Search(FinishedSearch),
    /// A pair that has no result: whoever wants the run to stop after this fault said so.
    Stopped(PairFault),
}

impl Finished {
    /// Its place in its run.
    pub fn number(&self) -> u64 {
        match self {
            Finished::Pair(record) => record.pair,
            Finished::Search(search) => search.number,
            Finished::Stopped(fault) => fault.pair,
        }
    }

    /// What was done to finish it: it was played, or made.
    pub fn verb(&self) -> &'static str {
        match self {
            Finished::Pair(_) | Finished::Stopped(_) => "played",
            Finished::Search(_) => "made",
        }
    }
}

/// What it is called, by its number from 1.
impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            Finished::Pair(_) | Finished::Stopped(_) => "pair",
            Finished::Search(_) => "search",
        };
        write!(f, "{kind} {}", self.number() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::pair;

    #[test]
    fn the_first_mover_made_the_odd_move() {
        let mut record = pair(0, [0, 0], 7).games[1].clone();
        record.moves.truncate(3);
        let outcome = GameOutcome::from(&record);
        assert_eq!(outcome.moves_by(PlayerId::B), 2);
        assert_eq!(outcome.moves_by(PlayerId::A), 1);
    }
}
