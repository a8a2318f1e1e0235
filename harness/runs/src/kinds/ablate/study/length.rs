//! How far the match of a row goes.

use crate::match_state::{MatchState, Verdict};
use crate::stats::{CONFIDENCE, Level, Looks, Sample, looks_from, pooled};

/// A verdict of any row is wrong with this probability, all rows together.
pub const ALPHA: f64 = 0.05;
/// After so many pairs whose two games went the same way move for move, a change that shows nowhere is given up.
const PAIRS_UNTIL_IDENTICAL: u64 = 50;
/// How many times the first pairs a row gets at most of a budget, if nothing is said.
const SHARE_OF_BUDGET_MAX: u64 = 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Length {
    /// Pairs of a row at each limit.
    pub pairs: u64,
    /// Pairs of a row of which nothing is shown after that; none if that changes nothing. Of a budget, the most that a row gets.
    pub straddle_pairs: Option<u64>,
    /// Pairs of all rows together, spent where they decide; none if every row gets the same.
    pub budget: Option<u64>,
    /// Pairs at which rows were shown before the ablation got other lengths.
    pub earlier: Vec<u64>,
}

impl Length {
    /// All that rows are looked at after, those before it got other lengths included; ascending.
    pub fn looks(&self) -> Vec<u64> {
        let mut looks = [self.planned(), self.earlier.clone()].concat();
        looks.sort_unstable();
        looks.dedup();
        looks
    }

    /// Those of [`looks`](Length::looks) that a row can still be played to.
    pub fn planned(&self) -> Vec<u64> {
        match (self.budget, self.straddle_pairs) {
            (Some(_), most) => looks_from(self.pairs, most.unwrap_or(self.pairs * SHARE_OF_BUDGET_MAX)),
            (None, Some(most)) if most > self.pairs => vec![self.pairs, most],
            (None, _) => vec![self.pairs],
        }
    }

    pub fn most(&self) -> u64 {
        self.planned().last().copied().unwrap_or(self.pairs)
    }

    /// How far a match goes before it is looked at for the first time, given what is stored of it.
    pub fn first_stage(&self, stored: u64) -> u64 {
        self.pairs.min(PAIRS_UNTIL_IDENTICAL).max(stored)
    }

    /// How far the matches of a row go on after a finished stage, being one of `rows`; `None` if they are over, or a budget is to decide.
    pub fn next_stage(&self, matches: &[MatchState], rows: usize) -> Option<u64> {
        let is_invalid = |state: &MatchState| state.verdict() == Verdict::Invalid;
        let open = matches.iter().filter(|state| !is_over(state));
        let done = open.clone().map(|state| state.tally().pairs()).min()?;
        if matches.iter().any(is_invalid) {
            return None;
        }
        if done < self.pairs {
            return Some(self.pairs);
        }
        let most = Some(self.most()).filter(|&most| done < most && self.budget.is_none())?;
        let samples: Vec<Sample> = open.map(|state| state.progress.sample()).collect();
        let p = pooled(&samples, Level::two_sided(CONFIDENCE)).p;
        let p = p.map_or(1.0, |p| Looks::new(&self.looks()).p(p));
        (p * rows as f64 > ALPHA).then_some(most)
    }

    /// What an interval of one look must claim for those of all looks to hold together.
    pub fn level_of_each(&self) -> Level {
        Level::two_sided(Looks::new(&self.looks()).confidence_of_each(CONFIDENCE))
    }
}

pub(crate) fn is_over(match_state: &MatchState) -> bool {
    match_state.is_identical() || match_state.verdict() == Verdict::Invalid
}

#[cfg(test)]
mod tests {
    use super::*;
    use tanren_core::fixtures::counted;

    const PLAIN: Length = Length {
        pairs: 60,
        straddle_pairs: None,
        budget: None,
        earlier: Vec::new(),
    };
    const STRADDLING: Length = Length {
        pairs: 60,
        straddle_pairs: Some(200),
        budget: None,
        earlier: Vec::new(),
    };

    #[test]
    fn a_match_goes_on_while_nothing_is_shown_beside_all_rows_and_no_further_than_asked() {
        assert_eq!([0, 60].map(|stored| STRADDLING.first_stage(stored)), [50, 60]);
        let even = |pairs: usize| counted((0..pairs).map(|n| [2 * (n % 2), 1]));
        let won = |pairs: usize| counted((0..pairs).map(|n| [2, n % 3]));
        // 36 won, 24 lost: shown for itself, but not beside a hundred rows.
        let near = counted((0..60).map(|n| if n % 10 < 6 { [2, 1] } else { [0, 1] }));
        let p = crate::stats::p_even(&near.progress.sample()).unwrap();
        assert!(p > 0.0005 && p < 0.2, "{p}");
        for (length, match_state, rows, expected) in [
            (STRADDLING, even(50), 1, Some(60)),
            (STRADDLING, won(50), 1, Some(60)),
            (STRADDLING, even(60), 1, Some(200)),
            (STRADDLING, won(60), 1, None),
            (STRADDLING, even(200), 1, None),
            (PLAIN, even(60), 1, None),
            (STRADDLING, near, 100, Some(200)),
        ] {
            assert_eq!(
                length.next_stage(&[match_state], rows),
                expected,
                "{length:?} {rows}"
            );
        }
    }

    #[test]
    fn the_matches_of_a_row_go_on_together_while_nothing_is_shown_by_all() {
        let even = |pairs: usize| counted((0..pairs).map(|n| [2 * (n % 2), 1]));
        let won = |pairs: usize| counted((0..pairs).map(|n| [2, n % 3]));
        let lost = |pairs: usize| counted((0..pairs).map(|n| [0, n % 3]));
        for (matches, expected) in [
            ([won(60), even(50)], Some(60)),
            ([won(60), even(60)], None),
            ([won(60), lost(60)], Some(200)),
            ([even(60), even(60)], Some(200)),
        ] {
            assert_eq!(STRADDLING.next_stage(&matches, 1), expected);
        }
    }

    #[test]
    fn a_row_of_a_budget_is_looked_at_after_doublings_and_goes_on_by_its_rule_alone() {
        let length = Length {
            budget: Some(10_000),
            ..PLAIN
        };
        let at_most = Length {
            straddle_pairs: Some(300),
            ..length.clone()
        };
        assert_eq!(length.looks(), [60, 120, 240, 480, 960]);
        assert_eq!((at_most.looks(), at_most.most()), (vec![60, 120, 240], 240));
        let even = counted((0..60).map(|n| [2 * (n % 2), 1]));
        assert_eq!(length.next_stage(&[even], 1), None);
        assert!(length.level_of_each().confidence() > at_most.level_of_each().confidence());
        assert_eq!(PLAIN.level_of_each(), Level::two_sided(CONFIDENCE));
    }

    #[test]
    fn a_length_that_grew_is_looked_at_where_rows_were_shown_before_too() {
        let grown = Length {
            earlier: vec![20, 40, 60],
            ..PLAIN
        };
        assert_eq!((grown.looks(), grown.planned()), (vec![20, 40, 60], vec![60]));
        let at_most = Length {
            straddle_pairs: Some(90),
            ..grown.clone()
        };
        assert_eq!((at_most.looks(), at_most.most()), (vec![20, 40, 60, 90], 90));
        let confidence = |length: &Length| length.level_of_each().confidence();
        assert!(confidence(&at_most) > confidence(&grown) && confidence(&grown) > confidence(&STRADDLING));
    }
}
