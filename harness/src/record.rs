//! What is kept of a game.
//!
//! In: nothing. Out: [`GameRecord`] and [`PairRecord`], plain data. Must not: know a game's rules or a file format.

/// One of the two players of a match, whichever colour it has.
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

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The side to move had no legal move and lost.
    NoLegalMove,
    /// The side to move resigned.
    Resignation,
    /// A valid declaration won.
    Declaration,
    /// A valid declaration drew (24-point rule).
    DeclarationDraw,
    /// A declaration whose conditions were not met lost.
    WrongDeclaration,
    /// The same position occurred too often: a draw.
    Repetition,
    /// The same position occurred too often by perpetual check, which lost.
    PerpetualCheck,
    /// The side to move has no legal move and is not in check, in a game where that is a draw.
    Stalemate,
    /// Fifty moves without progress, or too little material to mate.
    DrawnByRule,
    /// The longest allowed game was reached: a draw.
    MaxPlies,
    /// A move that is not legal lost.
    IllegalMove,
}

impl Reason {
    /// All reasons, in the order of reports.
    pub const ALL: [Reason; 11] = [
        Reason::NoLegalMove,
        Reason::Resignation,
        Reason::Declaration,
        Reason::DeclarationDraw,
        Reason::WrongDeclaration,
        Reason::Repetition,
        Reason::PerpetualCheck,
        Reason::Stalemate,
        Reason::DrawnByRule,
        Reason::MaxPlies,
        Reason::IllegalMove,
    ];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Reason::NoLegalMove => "no_legal_move",
            Reason::Resignation => "resignation",
            Reason::Declaration => "declaration",
            Reason::DeclarationDraw => "declaration_draw",
            Reason::WrongDeclaration => "wrong_declaration",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual_check",
            Reason::Stalemate => "stalemate",
            Reason::DrawnByRule => "drawn_by_rule",
            Reason::MaxPlies => "max_plies",
            Reason::IllegalMove => "illegal_move",
        }
    }

    /// The reason of this name.
    pub fn from_name(name: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.name() == name)
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

    /// How many moves `player` made.
    pub fn moves_by(&self, player: PlayerId) -> usize {
        if player == self.first {
            self.moves.len().div_ceil(2)
        } else {
            self.moves.len() / 2
        }
    }
}

/// A finished pair: one opening, both colours; the unit that is stored and counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairRecord {
    /// Place in the schedule, from 0.
    pub pair: u64,
    /// The opening's line in its file, from 1.
    pub opening_line: u32,
    /// The opening position, in the game's notation.
    pub opening: String,
    /// First the game that A began, then the one that B began.
    pub games: [GameRecord; 2],
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_found_again_by_its_name() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_name(reason.name()), Some(reason));
        }
        assert_eq!(Reason::from_name("boredom"), None);
    }

    #[test]
    fn the_first_mover_made_the_odd_move() {
        let record = GameRecord {
            first: PlayerId::B,
            winner: Some(PlayerId::B),
            reason: Reason::Resignation,
            moves: vec![1, 2, 3],
            nodes: [0; 2],
            time_us: [0; 2],
            depth_sum: [0; 2],
            seed: 0,
        };
        assert_eq!(record.moves_by(PlayerId::B), 2);
        assert_eq!(record.moves_by(PlayerId::A), 1);
        assert_eq!(record.half_points_a(), 0);
    }
}
