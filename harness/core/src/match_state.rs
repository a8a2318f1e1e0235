//! How a match stands: everything that is counted, in schedule order, and what it comes to.
//!
//! The same pairs give the same match state, whether they come from a run or from a ledger.

pub use crate::stop::{Verdict, faults::FaultCounts};

use std::collections::HashSet;

use crate::record::{GameOutcome, PairOutcome, PlayerId, PlayingTime, Reason};
use crate::stats::{
    DecidedBy, Estimate, Estimates, GameResult, Level, PairResult, Sample, Tally, Walk, anytime_elo, elo,
};
use crate::stop::{StopRule, TestProgress};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MatchStep {
    pub pentanomial: [u64; 5],
    pub llr: Option<f64>,
    /// How many of the pairs are worth one of an opening of its own.
    pub design_effect: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    pub plies: u64,
    pub nodes: [u64; 2],
    pub time_us: [u64; 2],
    /// Sum over the moves of A and of B of the depth reached, and their moves.
    pub depth_sum: [u64; 2],
    pub moves: [u64; 2],
    /// Games by reason of their end, in the order of [`Reason::ALL`].
    pub reasons: [u64; Reason::ALL.len()],
}

impl Totals {
    /// The mean of `sums` over the moves of a player, if it made any.
    pub fn per_move(&self, sums: [u64; 2], player: usize) -> Option<f64> {
        (self.moves[player] > 0).then(|| sums[player] as f64 / self.moves[player] as f64)
    }
}

#[derive(Debug)]
pub struct MatchState {
    pub progress: TestProgress,
    pub faults: FaultCounts,
    pub totals: Totals,
    pub playing_time: PlayingTime,
    steps: Vec<MatchStep>,
    seen: HashSet<u64>,
    /// Pairs that repeat an earlier one move for move in both games.
    pub repeated: u64,
    /// Pairs whose two games went the same way, move for move: the players never differed in them.
    pub mirrored: u64,
}

impl MatchState {
    pub fn new(rule: StopRule) -> Self {
        MatchState {
            progress: TestProgress::new(rule),
            faults: FaultCounts::of_sides(rule.faults),
            totals: Totals::default(),
            playing_time: PlayingTime::default(),
            steps: Vec::new(),
            seen: HashSet::new(),
            repeated: 0,
            mirrored: 0,
        }
    }

    pub fn count(&mut self, pair: impl Into<PairOutcome>) {
        let pair = pair.into();
        self.progress.add(Some(pair.opening_line), result_of(&pair));
        self.faults.count(&pair);
        for game in pair.played() {
            self.totals.plies += u64::from(game.plies);
            self.playing_time.add(game.span);
            for player in 0..2 {
                self.totals.nodes[player] += game.nodes[player];
                self.totals.time_us[player] += game.time_us[player];
                self.totals.depth_sum[player] += game.depth_sum[player];
            }
            for player in [PlayerId::A, PlayerId::B] {
                self.totals.moves[player.index()] += u64::from(game.moves_by(player));
            }
            self.totals.reasons[game.reason as usize] += 1;
        }
        self.repeated += u64::from(!self.seen.insert(pair.fingerprint));
        self.mirrored += u64::from(pair.is_mirrored);
        if is_step(self.tally().pairs()) || self.is_decided() {
            self.steps.push(self.step());
        }
    }

    /// Over the time in which games were played; `None` if nothing is known of it.
    pub fn games_per_second(&self) -> Option<f64> {
        let seconds = self.playing_time.seconds();
        (seconds > 0.0).then(|| self.tally().games() as f64 / seconds)
    }

    pub fn tally(&self) -> &Tally {
        &self.progress.tally
    }

    /// What the counted pairs say.
    pub fn estimates(&self) -> Estimates {
        self.progress.estimates(self.decided_by())
    }

    fn decided_by(&self) -> DecidedBy {
        match self.is_decided() {
            true => self.progress.decided_by(),
            false => DecidedBy::Nothing,
        }
    }

    fn sample_at(&self, step: &MatchStep) -> Sample {
        let sample = self.progress.rule.sample(step.pentanomial);
        sample.with_design_effect(step.design_effect)
    }

    /// The estimate that is quoted in the end as it was after a step.
    pub fn estimate_at(&self, step: &MatchStep) -> Estimate {
        let sample = self.sample_at(step);
        let (llr, progress) = (step.llr, &self.progress);
        let test = progress.rule.sprt.zip(progress.corrected_bounds());
        let test = test.map(|(sprt, bounds)| Walk { sprt, llr, bounds });
        Estimates::new(&sample, test, self.decided_by()).elo
    }

    /// Elo after a step, with the interval of a fixed length and with the anytime-valid one.
    pub fn elo_at(&self, step: &MatchStep) -> [Estimate; 2] {
        let sample = self.sample_at(step);
        let level = Level::of(self.progress.rule.sprt.as_ref());
        [elo::elo(&sample, level), anytime_elo(&sample, level)]
    }

    /// The course of the match: after every pair of the first 1,000, then every tenth, beyond 10,000 every hundredth,
    /// and always the last.
    pub fn steps(&self) -> impl Iterator<Item = MatchStep> {
        let last = self.step();
        let pairs = |step: &MatchStep| step.pentanomial.iter().sum::<u64>();
        let is_missing = pairs(&last) > self.steps.last().map_or(0, pairs);
        self.steps.iter().copied().chain(is_missing.then_some(last))
    }

    /// The probability that equal players are as far apart: of the length that was fixed beforehand, or allowing for the test's stop;
    /// none where nothing can be said about strength.
    pub fn p_value(&self) -> Option<f64> {
        if matches!(
            self.verdict(),
            Verdict::Identical | Verdict::Invalid | Verdict::Shard
        ) {
            return None;
        }
        if self.progress.rule.is_extended {
            return None;
        }
        if self.progress.rule.sprt.is_none() {
            return elo::p_even(&self.progress.sample());
        }
        let los = self.estimates().los?;
        Some(2.0 * los.min(1.0 - los))
    }

    pub fn is_decided(&self) -> bool {
        self.progress.verdict_with(&self.faults).is_some()
    }

    pub fn is_identical(&self) -> bool {
        let pairs = self.tally().pairs();
        pairs > 0 && self.mirrored == pairs
    }

    pub fn verdict(&self) -> Verdict {
        match self.progress.verdict_with(&self.faults) {
            Some(Verdict::Invalid) => Verdict::Invalid,
            _ if !self.progress.rule.shard.is_whole() => Verdict::Shard,
            None => Verdict::Interrupted,
            Some(_) if self.is_identical() => Verdict::Identical,
            Some(verdict) => verdict,
        }
    }

    fn step(&self) -> MatchStep {
        MatchStep {
            pentanomial: self.tally().pentanomial,
            llr: self.progress.llr,
            design_effect: self.progress.design_effect(),
        }
    }
}

fn is_step(pairs: u64) -> bool {
    let every = match pairs {
        0..=1_000 => 1,
        1_001..=10_000 => 10,
        _ => 100,
    };
    pairs.is_multiple_of(every)
}

pub fn result_of(pair: &PairOutcome) -> PairResult {
    let [first, second] = pair.games_by_side();
    let result = |game: &GameOutcome| match game.winner {
        Some(PlayerId::A) => GameResult::Win,
        Some(PlayerId::B) => GameResult::Loss,
        None if game.is_played() => GameResult::Draw,
        None => GameResult::Unplayed,
    };
    PairResult {
        first: result(first),
        second: result(second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{counted, fixed, pair};

    /// A wins the game that it begins: as Sente or White, or as Gote or Black where these move first.
    #[test]
    fn results_by_colour_are_of_the_side_in_the_opening() {
        let (shogi, chess) = ("9/9/9/9/9/9/9/9/9", "8/8/8/8/8/8/8/8");
        for (opening, is_first_side) in [
            (format!("{shogi} b - 1"), true),
            (format!("{shogi} w - 1"), false),
            (format!("{chess} w - - 0 1"), true),
            (format!("{chess} b - - 0 1"), false),
            ("startpos".to_owned(), true),
        ] {
            let mut record = pair(0, [2, 0], 0);
            record.opening = opening;
            let result = result_of(&PairOutcome::from(&record));
            let expected = if is_first_side {
                [GameResult::Win, GameResult::Loss]
            } else {
                [GameResult::Loss, GameResult::Win]
            };
            assert_eq!([result.first, result.second], expected, "{}", record.opening);
        }
    }

    #[test]
    fn a_match_ends_with_its_last_pair() {
        let mut match_state = fixed(2);
        for (number, halves) in [[2, 2], [0, 1]].into_iter().enumerate() {
            assert_eq!(
                (match_state.is_decided(), match_state.verdict()),
                (false, Verdict::Interrupted)
            );
            match_state.count(&pair(number as u64, halves, 0));
        }
        assert_eq!(
            (match_state.is_decided(), match_state.verdict()),
            (true, Verdict::FixedLength)
        );
        assert_eq!(match_state.tally().pentanomial, [0, 1, 0, 0, 1]);
        assert_eq!(
            (match_state.totals.nodes, match_state.totals.plies),
            ([400, 800], 16)
        );
    }

    #[test]
    fn a_pair_that_repeats_an_earlier_one_is_noticed() {
        let mut match_state = fixed(9);
        for (number, variant, repeated, why) in [
            (0, 0, 0, "the first"),
            (1, 0, 0, "another opening is another game"),
            (3, 0, 1, "the same opening and moves"),
            (6, 5, 1, "other moves"),
        ] {
            match_state.count(&pair(number, [2, 0], variant));
            assert_eq!(match_state.repeated, repeated, "{why}");
        }
    }

    #[test]
    fn games_that_go_the_same_way_in_every_pair_are_identical_players() {
        let mut match_state = fixed(2);
        for number in 0..2 {
            let mut record = pair(number, [2, 0], 0);
            record.games[1].moves = record.games[0].moves.clone();
            match_state.count(&record);
        }
        assert_eq!(match_state.verdict(), Verdict::Identical);
    }

    #[test]
    fn the_course_holds_the_last_pair_once() {
        let steps = counted([[1, 1]; 1_005])
            .steps()
            .map(|step| step.pentanomial.iter().sum())
            .collect::<Vec<u64>>();
        assert_eq!(steps.len(), 1_001);
        assert_eq!(steps[999..], [1_000, 1_005]);
    }
}
