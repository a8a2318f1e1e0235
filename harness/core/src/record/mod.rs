//! What is kept of a game.
//!
//! In: nothing. Out: [`GameRecord`] and [`PairRecord`], plain data. Must not: know a game's rules or a file format.

mod fault;
mod finished;
mod origin;
mod outcome;
mod reason;
mod remarks;
mod search;
mod turn;
mod variations;

pub use fault::PairFault;
pub use finished::{Finished, FinishedSearch};
pub use origin::{Host, Origin, Pace};
pub use outcome::{GameOutcome, PairOutcome};
pub use reason::Reason;
pub use remarks::{Remark, Remarks};
pub use search::{Search, SearchIteration, Tried};
pub use turn::{Score, Turn};
pub use variations::Variations;

/// One of the two players of a pair, whichever colour it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlayerId {
    /// The player whose results are reported.
    A,
    /// Its opponent.
    B,
}

impl PlayerId {
    /// The other player.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// Who moved first.
    pub first: PlayerId,
    /// Who won; `None` for a draw.
    pub winner: Option<PlayerId>,
    /// Why it ended.
    pub reason: Reason,
    /// The moves' bits, in order.
    pub moves: Vec<u16>,
    /// What each turn cost and found, in order: one a move, and one more if the game ended by something that is no
    /// move on the board.
    pub turns: Vec<Turn>,
    /// What the players expected at these turns.
    pub variations: Variations,
    /// What was remarked of the players that are programs.
    pub remarks: [Option<Remarks>; 2],
    /// Nodes searched by each player.
    pub nodes: [u64; 2],
    /// Thinking time of each player in microseconds.
    pub time_us: [u64; 2],
    /// Sum over each player's searches of the depth reached.
    pub depth_sum: [u64; 2],
    /// The game's seed.
    pub seed: u32,
}

impl GameRecord {
    /// A's half points: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points_a(&self) -> usize {
        match self.winner {
            Some(PlayerId::A) => 2,
            None => 1,
            Some(PlayerId::B) => 0,
        }
    }
}

/// A finished pair: one opening, both colours; the unit that is stored and counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairRecord {
    /// Place in the schedule, from 0.
    pub pair: u64,
    /// Which of the run's players sat at A's and at B's place; 0 and 1 in a match.
    pub players: [u16; 2],
    /// The opening's line in its file, from 1.
    pub opening_line: u32,
    /// The opening position, in the game's notation.
    pub opening: String,
    /// First the game that A began, then the one that B began.
    pub games: [GameRecord; 2],
    /// The faults after each of which the pair was played again, in order.
    pub excused: Vec<PairFault>,
}

impl PairRecord {
    /// A's half points in both games together, 0 to 4: the index of the pentanomial count.
    pub fn half_points_a(&self) -> usize {
        self.games.iter().map(GameRecord::half_points_a).sum()
    }

    /// Did both games go the same way, move for move?
    pub fn is_mirrored(&self) -> bool {
        self.games[0].moves == self.games[1].moves
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mover_made_the_odd_move() {
        let record = GameRecord {
            first: PlayerId::B,
            winner: Some(PlayerId::B),
            reason: Reason::Resignation,
            moves: vec![1, 2, 3],
            turns: Vec::new(),
            variations: Variations::default(),
            remarks: [None; 2],
            nodes: [0; 2],
            time_us: [0; 2],
            depth_sum: [0; 2],
            seed: 0,
        };
        let outcome = GameOutcome::from(&record);
        assert_eq!(outcome.moves_by(PlayerId::B), 2);
        assert_eq!(outcome.moves_by(PlayerId::A), 1);
        assert_eq!(record.half_points_a(), 0);
    }
}
