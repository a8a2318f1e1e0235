//! Counts of a match: results of pairs go in one by one, the pentanomial and the results by colour come out.
//! Counts only; every estimate is made elsewhere.

/// The result of one game from A's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameResult {
    /// A lost the game.
    Loss,
    /// Nobody won the game.
    Draw,
    /// A won the game.
    Win,
    /// The opening has one game alone, and this is the other one.
    Unplayed,
}

impl GameResult {
    /// All results, from A's worst to A's best.
    pub const ALL: [GameResult; 3] = [GameResult::Loss, GameResult::Draw, GameResult::Win];

    /// The same from B's view.
    #[must_use]
    pub fn mirrored(self) -> GameResult {
        match self {
            GameResult::Unplayed => self,
            played => GameResult::ALL[2 - played as usize],
        }
    }
}

/// The two games of one opening from A's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairResult {
    /// The game in which A has the first side: Sente or White.
    pub first: GameResult,
    /// The game in which A has the second side: Gote or Black.
    pub second: GameResult,
}

impl PairResult {
    /// Index into the pentanomial: 0 is LL, 1 LD, 2 DD or WL, 3 DW, 4 WW. A game alone counts as two of the same result.
    pub fn category(self) -> usize {
        match (self.first, self.second) {
            (alone, GameResult::Unplayed) | (GameResult::Unplayed, alone) => 2 * alone as usize,
            (first, second) => first as usize + second as usize,
        }
    }
}

/// Counts of finished pairs from A's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs LL, LD, DD or WL, DW, WW.
    pub pentanomial: [u64; 5],
    /// Games A won as Sente or White.
    pub first_wins: u64,
    /// Games A lost as Sente or White.
    pub first_losses: u64,
    /// Games A won as Gote or Black.
    pub second_wins: u64,
    /// Games A lost as Gote or Black.
    pub second_losses: u64,
    /// Drawn games, as either side.
    pub draws: u64,
    /// Those of them that A had Sente or White in.
    pub first_draws: u64,
}

impl Tally {
    /// Adds the result of a pair.
    pub fn add(&mut self, pair: PairResult) {
        self.pentanomial[pair.category()] += 1;
        match pair.first {
            GameResult::Loss => self.first_losses += 1,
            GameResult::Draw => {
                self.draws += 1;
                self.first_draws += 1;
            }
            GameResult::Win => self.first_wins += 1,
            GameResult::Unplayed => {}
        }
        match pair.second {
            GameResult::Loss => self.second_losses += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Win => self.second_wins += 1,
            GameResult::Unplayed => {}
        }
    }

    /// Adds all pairs of another.
    pub fn add_all(&mut self, other: &Tally) {
        for (own, more) in self.pentanomial.iter_mut().zip(other.pentanomial) {
            *own += more;
        }
        self.draws += other.draws;
        self.first_wins += other.first_wins;
        self.first_draws += other.first_draws;
        self.first_losses += other.first_losses;
        self.second_wins += other.second_wins;
        self.second_losses += other.second_losses;
    }

    /// The number of finished pairs.
    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// Finished games: two a pair, or one where openings have one alone.
    pub fn games(&self) -> u64 {
        self.wins() + self.draws + self.losses()
    }

    /// Have openings one game alone?
    pub fn is_of_single_games(&self) -> bool {
        self.games() > 0 && self.games() == self.pairs()
    }

    /// The number of games that A won.
    pub fn wins(&self) -> u64 {
        self.first_wins + self.second_wins
    }

    /// The number of games that A lost.
    pub fn losses(&self) -> u64 {
        self.first_losses + self.second_losses
    }

    /// A's mean score a game in `[0, 1]`; `None` before the first pair.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins() as f64 + 0.5 * self.draws as f64) / games as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameResult::{Draw, Loss, Win};

    fn tally(pairs: &[(GameResult, GameResult)]) -> Tally {
        let mut tally = Tally::default();
        pairs
            .iter()
            .for_each(|&(first, second)| tally.add(PairResult { first, second }));
        tally
    }

    #[test]
    fn nine_different_pairs_fall_into_five_categories() {
        let pairs = GameResult::ALL.map(|first| GameResult::ALL.map(|second| (first, second)));
        let tally = tally(pairs.as_flattened());
        assert_eq!(tally.pentanomial, [1, 2, 3, 2, 1]);
        assert_eq!((tally.wins(), tally.draws, tally.losses()), (6, 6, 6));
        assert_eq!((tally.score(), Tally::default().score()), (Some(0.5), None));
    }

    #[test]
    fn each_colour_s_wins_and_losses_are_counted_for_themselves() {
        let ends = [(Win, Loss), (Draw, Win), (Loss, Draw), (Loss, Loss), (Loss, Loss)];
        let tally = tally(&[[(Win, Draw); 2].as_slice(), &ends].concat());
        assert_eq!((tally.first_wins, tally.second_wins), (3, 1));
        assert_eq!((tally.first_losses, tally.second_losses), (3, 3));
        assert_eq!((tally.wins(), tally.draws, tally.losses()), (4, 4, 6));
        assert_eq!((tally.pairs(), tally.games()), (7, 14));
        assert_eq!(tally.pentanomial, [2, 1, 1, 3, 0]);
        assert_eq!(tally.score(), Some(6.0 / 14.0));
    }
}
