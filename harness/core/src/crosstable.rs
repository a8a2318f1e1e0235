//! How a tournament stands: each pairing like a match of its own, and the ratings of all players.

use crate::match_state::{FaultCounts, MatchState, Verdict};
use crate::record::{PairOutcome, PlayerId};
use crate::stats::elo::p_even;
use crate::stats::{PairedGames, Ratings, RatingsError};
use crate::stop::StopRule;

/// One pairing: its players, its count, and what its test said when it was decided.
#[derive(Debug)]
pub struct CrosstableCell {
    pub players: [u16; 2],
    pub match_state: MatchState,
    /// Pairs by the result of the game that A began (rows) and of the one that B began: loss, draw, win of A.
    pub results: [[u64; 3]; 3],
    /// What the test accepted and after how many pairs; later pairs do not change it.
    pub accepted: Option<(Verdict, u64)>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WinDrawLoss {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl WinDrawLoss {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half a point for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Points a game; `None` without a game.
    pub fn share(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    fn mirrored(self) -> WinDrawLoss {
        WinDrawLoss {
            wins: self.losses,
            losses: self.wins,
            ..self
        }
    }
}

#[derive(Debug)]
pub struct Crosstable {
    players: usize,
    pub cells: Vec<CrosstableCell>,
    pub faults: FaultCounts,
}

impl Crosstable {
    pub fn new(players: usize, pairings: &[[u16; 2]], rule: StopRule) -> Self {
        let cell = |&players: &[u16; 2]| CrosstableCell {
            players,
            match_state: MatchState::new(rule),
            results: [[0; 3]; 3],
            accepted: None,
        };
        Crosstable {
            players,
            cells: pairings.iter().map(cell).collect(),
            faults: FaultCounts::of_players(rule.faults, players),
        }
    }

    /// Counts the next pair of the schedule. Returns whether it belongs to a pairing of this tournament.
    pub fn count(&mut self, pair: &PairOutcome) -> bool {
        let Some(cell) = self.cells.iter_mut().find(|cell| cell.players == pair.players) else {
            return false;
        };
        self.faults.count(pair);
        let [first, second] = pair.games_by_side().map(|game| match game.winner {
            Some(PlayerId::B) => 0,
            None => 1,
            Some(PlayerId::A) => 2,
        });
        cell.results[first][second] += 1;
        cell.match_state.count(pair.clone());
        if cell.accepted.is_none() {
            let verdict = cell.match_state.verdict();
            let is_accepted = matches!(verdict, Verdict::AcceptedH0 | Verdict::AcceptedH1);
            cell.accepted = is_accepted.then(|| (verdict, cell.match_state.tally().pairs()));
        }
        true
    }

    /// What a pairing says: the verdict that the test gave first, and nothing where faults decide it or all of the tournament.
    pub fn verdict(&self, cell: &CrosstableCell) -> Verdict {
        let own = cell
            .accepted
            .map_or_else(|| cell.match_state.verdict(), |(verdict, _)| verdict);
        let is_invalid = || self.faults.judge().is_some() || cell.match_state.faults.judge().is_some();
        if self.faults.in_a_row().is_some() || own != Verdict::Interrupted && is_invalid() {
            Verdict::Invalid
        } else {
            own
        }
    }

    /// The probability that equal players are as far apart as those of each pairing, for itself: its length was fixed beforehand. None
    /// where there are too few pairs, or the verdict says that nothing can be said.
    pub fn p_values(&self) -> Vec<Option<f64>> {
        let cells = self.cells.iter();
        let p = |cell: &CrosstableCell| {
            let is_said = !matches!(
                self.verdict(cell),
                Verdict::Invalid | Verdict::Identical | Verdict::Shard
            );
            p_even(&cell.match_state.progress.sample()).filter(|_| is_said)
        };
        cells.map(p).collect()
    }

    /// What `player` scored against `other`; `None` if they do not meet.
    pub fn between(&self, player: usize, other: usize) -> Option<WinDrawLoss> {
        self.cells.iter().find_map(|cell| {
            let [a, b] = cell.players.map(usize::from);
            let tally = cell.match_state.tally();
            let score = WinDrawLoss {
                wins: tally.wins(),
                draws: tally.draws,
                losses: tally.losses(),
            };
            match (a == player && b == other, b == player && a == other) {
                (true, _) => Some(score),
                (_, true) => Some(score.mirrored()),
                _ => None,
            }
        })
    }

    pub fn total(&self, player: usize) -> WinDrawLoss {
        let scores = (0..self.players).filter_map(|other| self.between(player, other));
        scores.fold(WinDrawLoss::default(), |sum, score| WinDrawLoss {
            wins: sum.wins + score.wins,
            draws: sum.draws + score.draws,
            losses: sum.losses + score.losses,
        })
    }

    pub fn ratings(&self) -> Result<Ratings, RatingsError> {
        let paired = self.cells.iter().map(|cell| {
            let [a, b] = cell.players.map(usize::from);
            PairedGames {
                a,
                b,
                results: cell.results,
            }
        });
        Ratings::fit(self.players, &paired.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{pair, played};
    use crate::record::{PairFault, Reason};

    #[test]
    fn points_are_counted_from_both_sides() {
        let table = played(8, None);
        let score = table.between(0, 1).unwrap();
        assert_eq!((score.wins, score.draws, score.losses), (14, 0, 2));
        assert_eq!(table.between(1, 0), Some(score.mirrored()));
        assert_eq!(table.total(0).points(), 14.0 + 8.0);
        assert_eq!(table.total(2).games(), 32);
        let points: f64 = (0..3).map(|player| table.total(player).points()).sum();
        assert_eq!(points, 48.0, "every game gives one point");
    }

    #[test]
    fn who_scores_more_is_rated_higher_and_unlikely_to_be_equal() {
        let few = played(8, None).p_values();
        assert!(
            few.iter().flatten().all(|p| *p > 0.001) && few[0] < Some(0.1),
            "{few:?}"
        );
        let table = played(40, None);
        let p: Vec<f64> = table.p_values().into_iter().flatten().collect();
        assert!(p[0] < 0.001 && p[1] == 1.0 && p[2] < 0.01, "{p:?}");
        let ratings = table.ratings().unwrap();
        let value = |player| ratings.rating(player, 0.95).unwrap().value.unwrap();
        assert!(value(0) > value(1) && value(0) > value(2));
        let advantage = ratings.first_move_advantage(0.95).unwrap().value.unwrap();
        assert!(advantage > 0.0, "{advantage}");
    }

    #[test]
    fn a_verdict_stands_unless_faults_of_any_player_make_all_invalid() {
        let mut table = played(100, Some("elo0=0,elo1=100"));
        let (verdict, pairs) = table.cells[0].accepted.unwrap();
        assert_eq!(
            (verdict, table.cells[0].match_state.tally().pairs()),
            (Verdict::AcceptedH1, 100)
        );
        assert!(pairs < 100);
        let stall = PairFault {
            pair: 305,
            game: 0,
            player: 2,
            reason: Reason::Stall,
        };
        for (number, stalls, invalid) in [
            (300, 0, 0),
            (301, 0, 0),
            (302, 0, 0),
            (303, 0, 0),
            (304, 0, 0),
            (305, 5, 3),
        ] {
            let mut record = pair(number, [2, 1], number as u16);
            record.players = [1, 2];
            // A crash of 2, with a sound game between any two of them.
            record.games[0].reason = Reason::Crash;
            record.replayed = vec![stall; stalls];
            table.count(&PairOutcome::from(&record));
            let verdicts = table.cells.iter().map(|cell| table.verdict(cell));
            let found = verdicts.filter(|&verdict| verdict == Verdict::Invalid).count();
            assert_eq!(found, invalid, "{number}");
        }
    }

    #[test]
    fn a_pair_of_players_who_do_not_meet_is_not_counted() {
        let mut record = pair(9, [2, 2], 0);
        record.players = [2, 0];
        assert!(!played(1, None).count(&PairOutcome::from(&record)));
    }
}
