//! How a tournament stands: each pairing like a match of its own, and the ratings of all players.

use std::sync::Arc;

use crate::match_state::{FaultCounts, MatchState, Verdict};
use crate::record::{PairOutcome, PlayerId};
use crate::schedule::Rounds;
use crate::stats::elo::p_even;
use crate::stats::{PairedGames, Ratings, RatingsError, anytime_p_even};
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
    /// After how many pairs an adaptive tournament knew the order of the two.
    pub ordered: Option<u64>,
}

/// The error of any order that an adaptive tournament takes for known.
const ORDER_ALPHA: f64 = 0.05;

/// A pairing whose order is known plays so many rounds more: those that may be in play by then.
pub const ADAPTIVE_LAG: u64 = 8;

impl CrosstableCell {
    /// Is it not ordered yet, but would be with this error? Faults come first.
    fn is_ordered(&self, alpha: f64) -> bool {
        let sample = || self.match_state.progress.sample();
        self.ordered.is_none() && self.match_state.faults.are_few() && anytime_p_even(&sample()) <= alpha
    }
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
    /// Pairs that were counted, and those of all when all is played, as far as is known.
    pub pairs: u64,
    pub pairs_max: u64,
    /// Of an adaptive tournament.
    pub rounds: Option<Arc<Rounds>>,
}

impl Crosstable {
    pub fn new(players: usize, pairings: &[[u16; 2]], rule: StopRule) -> Self {
        let cell = |&players: &[u16; 2]| CrosstableCell {
            players,
            match_state: MatchState::new(rule),
            results: [[0; 3]; 3],
            accepted: None,
            ordered: None,
        };
        Crosstable {
            players,
            cells: pairings.iter().map(cell).collect(),
            faults: FaultCounts::of_players(rule.faults, players),
            pairs: 0,
            pairs_max: rule.pairs_max * pairings.len() as u64,
            rounds: None,
        }
    }

    /// Every pairing ends soon after its order is known.
    #[must_use]
    pub fn adaptive(self, rounds: u64) -> Crosstable {
        let rounds = Some(Arc::new(Rounds::new(self.cells.len(), rounds)));
        Crosstable { rounds, ..self }
    }

    /// Counts the next pair of the schedule. Returns whether it belongs to a pairing of this tournament.
    pub fn count(&mut self, pair: &PairOutcome) -> bool {
        let Some(cell) = self.cells.iter_mut().find(|cell| cell.players == pair.players) else {
            return false;
        };
        self.faults.count(pair);
        self.pairs += 1;
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
        self.order(pair.pair);
        true
    }

    /// Ends the pairings whose order is known with this pair, by Holm's order: a probability that holds at every look holds at the one
    /// that matters.
    fn order(&mut self, pair: u64) {
        let Some(rounds) = &self.rounds else { return };
        let (round, mut changed) = rounds.place_of(pair);
        let mut open = self.cells.iter().filter(|cell| cell.ordered.is_none()).count();
        while self.cells[changed].is_ordered(ORDER_ALPHA / open as f64) {
            let cell = &mut self.cells[changed];
            cell.ordered = Some(cell.match_state.tally().pairs());
            let last = &mut cell.match_state.progress.rule.pairs_max;
            let end = (*last).min(round + ADAPTIVE_LAG);
            self.pairs_max -= *last - end;
            *last = end;
            rounds.end(changed, end);
            open -= 1;
            let next = self
                .cells
                .iter()
                .position(|cell| cell.is_ordered(ORDER_ALPHA / open as f64));
            let Some(next) = next else { return };
            changed = next;
        }
    }

    /// Is there nothing more to play: every pair is played, or faults in a row ended it?
    pub fn is_over(&self) -> bool {
        self.faults.in_a_row().is_some() || self.pairs >= self.pairs_max
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

    /// Has it the length that was fixed before its first pair, or its share of that?
    pub fn is_of_length(&self, cell: &CrosstableCell) -> bool {
        let rule = &cell.match_state.progress.rule;
        let is_whole = match rule.shard.is_whole() {
            true => cell.match_state.tally().pairs() >= rule.pairs_max,
            false => self.pairs >= self.pairs_max,
        };
        self.rounds.is_none() && !rule.is_extended && is_whole
    }

    /// The probability that equal players are as far apart as those of each pairing, for itself: its length was fixed beforehand, or at
    /// any time. None where there are too few pairs, or the verdict says that nothing can be said.
    pub fn p_values(&self) -> Vec<Option<f64>> {
        let cells = self.cells.iter();
        let p = |cell: &CrosstableCell| {
            let is_said = !matches!(
                self.verdict(cell),
                Verdict::Invalid | Verdict::Identical | Verdict::Shard
            );
            let sample = cell.match_state.progress.sample();
            let p = if self.is_of_length(cell) {
                p_even(&sample)
            } else {
                sample.score().map(|_| anytime_p_even(&sample))
            };
            p.filter(|_| is_said)
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
    use crate::random::Random;
    use crate::record::{PairFault, Reason};
    use crate::stats::score_of_elo;

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
    fn a_length_that_was_not_fixed_has_the_probability_that_holds_at_any_time() {
        let fixed = played(40, None).p_values();
        for change in [
            |rule: &mut StopRule| rule.is_extended = true,
            |rule: &mut StopRule| rule.pairs_max = 50,
        ] {
            let mut table = played(40, None);
            table
                .cells
                .iter_mut()
                .for_each(|cell| change(&mut cell.match_state.progress.rule));
            let anytime = table.cells.iter();
            let anytime = anytime.map(|cell| Some(anytime_p_even(&cell.match_state.progress.sample())));
            assert_eq!(table.p_values(), anytime.collect::<Vec<_>>());
            assert!(fixed[0] < table.p_values()[0]);
        }
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

    /// Plays a round robin of players of these strengths, with 40 % draws, as a runner counts it.
    fn simulate(elos: &[f64], rounds: u64, is_adaptive: bool, seed: u64) -> Crosstable {
        let players = 0..elos.len();
        let pairings: Vec<[u16; 2]> = players
            .clone()
            .flat_map(|a| (a + 1..players.end).map(move |b| [a as u16, b as u16]))
            .collect();
        let rule = StopRule::new(None, rounds);
        let mut table = Crosstable::new(elos.len(), &pairings, rule);
        if is_adaptive {
            table = table.adaptive(rounds);
        }
        let mut random = Random::long(seed, 0);
        for number in 0..rounds * pairings.len() as u64 {
            let pairing = (number % pairings.len() as u64) as usize;
            let left_out = table
                .rounds
                .as_ref()
                .is_some_and(|rounds| rounds.leave_out(number));
            if left_out {
                continue;
            }
            let [a, b] = pairings[pairing].map(|player| elos[usize::from(player)]);
            let score = score_of_elo(a - b);
            let draws = 0.8 * score.min(1.0 - score);
            let mut half = || {
                let u = random.uniform();
                if u < score - 0.5 * draws {
                    2
                } else {
                    usize::from(u < score + 0.5 * draws)
                }
            };
            let mut record = pair(number, [half(), half()], number as u16);
            record.players = pairings[pairing];
            table.count(&PairOutcome::from(&record));
            if table.is_over() {
                break;
            }
        }
        table
    }

    const ELOS: [f64; 8] = [0.0, 20.0, 40.0, 80.0, 120.0, 160.0, 240.0, 320.0];

    /// Of so many tournaments of eight players the mean games, pairs of players that the ratings rank wrongly, pairings whose order was
    /// taken for known and of them wrong ones, and the share of 95 % intervals of differences that hold the truth.
    fn measured(is_adaptive: bool, rounds: u64, runs: u64) -> [f64; 5] {
        let mut sums = [0.0; 5];
        for seed in 0..runs {
            let table = simulate(&ELOS, rounds, is_adaptive, seed);
            let ratings = table.ratings().unwrap();
            sums[0] += 2.0 * table.pairs as f64;
            for cell in &table.cells {
                let [a, b] = cell.players.map(usize::from);
                let (difference, truth) = (ratings.difference(a, b, 0.95).unwrap(), ELOS[a] - ELOS[b]);
                let is_ordered = cell.ordered.is_some();
                let is_wrong = is_ordered && cell.match_state.tally().score() > Some(0.5);
                let is_held = difference.low < Some(truth) && difference.high > Some(truth);
                let holds = [difference.value > Some(0.0), is_ordered, is_wrong, is_held];
                for (sum, is_true) in sums[1..].iter_mut().zip(holds) {
                    *sum += f64::from(u8::from(is_true));
                }
            }
        }
        let of_run = sums.map(|sum| sum / runs as f64);
        [of_run[0], of_run[1], of_run[2], of_run[3], of_run[4] / 28.0]
    }

    #[test]
    fn an_adaptive_tournament_ranks_as_well_with_fewer_games() {
        let [fixed, adaptive] =
            [(false, 200), (true, 400)].map(|(is_adaptive, most)| measured(is_adaptive, most, 10));
        assert_eq!(fixed[0], 11_200.0);
        assert!(
            adaptive[0] < 0.7 * fixed[0] && adaptive[1] <= fixed[1] + 0.1,
            "{fixed:?} {adaptive:?}"
        );
        assert!(adaptive[2] > 22.0 && adaptive[3] == 0.0, "{adaptive:?}");
    }

    #[test]
    #[ignore = "a measurement: prints the table of docs/dev/statistics.md"]
    fn games_of_an_adaptive_tournament() {
        for (is_adaptive, rounds) in [100, 150, 200, 300]
            .map(|rounds| (false, rounds))
            .into_iter()
            .chain([200, 300, 400, 800].map(|rounds| (true, rounds)))
        {
            let [games, wrong, known, mistaken, held] = measured(is_adaptive, rounds, 1_000);
            println!(
                "| {} | {rounds} | {games:.0} | {wrong:.3} | {known:.1} | {mistaken:.3} | {:.1} % |",
                if is_adaptive { "adaptive" } else { "all" },
                100.0 * held
            );
        }
    }

    #[test]
    fn nothing_is_played_after_an_order_is_known_but_what_may_be_in_play() {
        let table = simulate(&[0.0, 200.0, 210.0], 100, true, 1);
        let pairs: Vec<u64> = table
            .cells
            .iter()
            .map(|cell| cell.match_state.tally().pairs())
            .collect();
        let known: Vec<Option<u64>> = table.cells.iter().map(|cell| cell.ordered).collect();
        assert_eq!(
            pairs,
            [
                known[0].unwrap() + ADAPTIVE_LAG - 1,
                known[1].unwrap() + ADAPTIVE_LAG - 1,
                100
            ]
        );
        assert_eq!(
            (known[2], table.is_over(), table.pairs),
            (None, true, table.pairs_max)
        );
        let rounds = table.rounds.unwrap();
        assert!(
            rounds.skip(3 * 99) && !rounds.skip(3 * 99 + 2) && !rounds.skip(300) && rounds.leave_out(300)
        );
    }

    #[test]
    fn a_pair_of_players_who_do_not_meet_is_not_counted() {
        let mut record = pair(9, [2, 2], 0);
        record.players = [2, 0];
        assert!(!played(1, None).count(&PairOutcome::from(&record)));
    }
}
