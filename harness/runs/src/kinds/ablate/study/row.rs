//! What the games of one changed setting say, alone and beside all others.

use super::length::{ALPHA, Length};
use super::{SummaryRow, Variant};

use crate::match_state::{FaultCounts, MatchState, Verdict};
use crate::stats::elo::{elo, p_even};
use crate::stats::{Estimate, Level, Looks, Tally, benjamini_hochberg, holm};

/// A technique that acts less often than this a game was not exercised.
const ACTS_MIN: f64 = 1.0;
/// Nor was a change that shows in a smaller share of the pairs.
const DIFFERING_MIN: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GainOrLoss {
    /// The base is stronger than the changed engine, beside all other rows too.
    Pays,
    Costs,
    /// Neither is shown.
    NotShown,
    /// Neither is shown, and the technique hardly acted, or the change hardly showed: its worth was not measured.
    NotExercised,
    Identical,
    Interrupted,
    Invalid,
}

impl GainOrLoss {
    pub fn name(self) -> &'static str {
        match self {
            GainOrLoss::Pays => "worth_it",
            GainOrLoss::Costs => "costs",
            GainOrLoss::NotShown => "not_shown",
            GainOrLoss::NotExercised => "not_exercised",
            GainOrLoss::Identical => "identical",
            GainOrLoss::Interrupted => "interrupted",
            GainOrLoss::Invalid => "invalid",
        }
    }

    /// Is it said of the strength of the setting, so that its estimate is one of those that stood out?
    pub fn is_shown(self) -> bool {
        matches!(self, GainOrLoss::Pays | GainOrLoss::Costs)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acted {
    pub games: u64,
    pub acts: u64,
}

impl Acted {
    pub fn a_game(&self) -> Option<f64> {
        (self.games > 0).then(|| self.acts as f64 / self.games as f64)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct AblationRow {
    pub variant: Variant,
    pub tally: Tally,
    /// Elo of the base against the changed engine, valid for all looks at the row; without a value where no game differs.
    pub elo: Estimate,
    pub p_of_look: Option<f64>,
    pub p: Option<f64>,
    pub p_holm: Option<f64>,
    /// The least false-discovery rate at which the row is said to differ (Benjamini and Hochberg).
    pub q: Option<f64>,
    pub worth: GainOrLoss,
    pub nodes: Option<SummaryRow>,
    pub repeated: u64,
    /// Pairs in which the engines never differed.
    pub mirrored: u64,
    pub mean_depth: Option<f64>,
    pub acted: Option<Acted>,
    pub faults: FaultCounts,
}

impl AblationRow {
    pub fn new(
        variant: Variant,
        match_state: &MatchState,
        nodes: Option<SummaryRow>,
        length: &Length,
    ) -> AblationRow {
        let sample = match_state.progress.sample();
        let estimate = elo(&sample, Level::two_sided(length.confidence_of_each()));
        let (elo, p_of_look, worth) = match match_state.verdict() {
            Verdict::Identical => (Estimate::UNKNOWN, None, GainOrLoss::Identical),
            Verdict::Invalid => (Estimate::UNKNOWN, None, GainOrLoss::Invalid),
            Verdict::Interrupted => (estimate, p_even(&sample), GainOrLoss::Interrupted),
            _ => (estimate, p_even(&sample), GainOrLoss::NotShown),
        };
        let totals = &match_state.totals;
        AblationRow {
            variant,
            tally: *match_state.tally(),
            elo,
            p_of_look,
            p: p_of_look.map(|p| Looks::new(&length.looks()).p(p)),
            p_holm: None,
            q: None,
            worth,
            nodes,
            repeated: match_state.repeated,
            mirrored: match_state.mirrored,
            mean_depth: totals.per_move(totals.depth_sum, 0),
            acted: None,
            faults: match_state.faults.clone(),
        }
    }

    fn is_unexercised(&self) -> bool {
        let pairs = self.tally.pairs();
        let differing = (pairs > 0).then(|| (pairs - self.mirrored) as f64 / pairs as f64);
        let acts = self.acted.and_then(|acted| acted.a_game());
        acts.is_some_and(|acts| acts < ACTS_MIN) || differing.is_some_and(|share| share < DIFFERING_MIN)
    }
}

/// Says of every row what it is worth beside all others, `to_come` of which are not begun and stand for rows that show nothing.
pub fn judge(rows: &mut [AblationRow], to_come: usize) {
    let with_p: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].p.is_some()).collect();
    let mut values: Vec<f64> = with_p.iter().filter_map(|&row| rows[row].p).collect();
    values.resize(values.len() + to_come, 1.0);
    let corrected = holm(&values).into_iter().zip(benjamini_hochberg(&values));
    for (index, (p_holm, q)) in with_p.into_iter().zip(corrected) {
        (rows[index].p_holm, rows[index].q) = (Some(p_holm), Some(q));
    }
    for row in rows {
        if matches!(
            row.worth,
            GainOrLoss::Identical | GainOrLoss::Interrupted | GainOrLoss::Invalid
        ) {
            continue;
        }
        let is_shown = row.p_holm.is_some_and(|p| p <= ALPHA);
        row.worth = match row.tally.score() {
            Some(score) if is_shown && score > 0.5 => GainOrLoss::Pays,
            Some(score) if is_shown && score < 0.5 => GainOrLoss::Costs,
            _ if row.is_unexercised() => GainOrLoss::NotExercised,
            _ => GainOrLoss::NotShown,
        };
    }
}

#[cfg(test)]
mod tests {
    use tanren_engine::config::Config;
    use tanren_engine::game::Game;

    use super::*;
    use crate::record::Reason;
    use tanren_core::fixtures::{counted, fixed, pair};

    const LENGTH: Length = Length {
        pairs: 100,
        straddle_pairs: None,
        budget: None,
    };

    fn judged(standings: &[MatchState], acted: Option<Acted>, to_come: usize) -> Vec<AblationRow> {
        let row = |match_state: &MatchState| {
            let variant = Variant::new(Game::Shogi, &Config::default(), "lmr", "off").unwrap();
            let mut row = AblationRow::new(variant, match_state, None, &LENGTH);
            row.acted = acted;
            row
        };
        let mut rows: Vec<AblationRow> = standings.iter().map(row).collect();
        judge(&mut rows, to_come);
        rows
    }

    fn worth(rows: &[AblationRow]) -> Vec<GainOrLoss> {
        rows.iter().map(|row| row.worth).collect()
    }

    fn won() -> MatchState {
        counted((0..40).map(|n| [2, n % 3]))
    }

    #[test]
    fn the_verdict_is_that_of_the_probability_from_the_base_s_view() {
        let lost = counted((0..40).map(|n| [0, n % 3]));
        let few = counted((0..4).map(|_| [2, 2]));
        let rows = judged(&[won(), lost, few, fixed(2)], None, 0);
        let expected = [
            GainOrLoss::Pays,
            GainOrLoss::Costs,
            GainOrLoss::NotShown,
            GainOrLoss::Interrupted,
        ];
        assert_eq!(worth(&rows), expected);
        assert!(rows[0].elo.low > Some(0.0) && rows[2].p == Some(0.125) && rows[3].p.is_none());
    }

    #[test]
    fn what_stands_out_alone_is_not_shown_beside_many_others() {
        // 28 won pairs, 12 lost ones.
        let near = || counted((0..40).map(|n| if n % 10 < 7 { [2, 1] } else { [0, 1] }));
        let alone = judged(&[near()], None, 0);
        let p = alone[0].p.unwrap();
        assert!(p > 0.001 && p < 0.05, "{p}");
        assert_eq!(alone[0].worth, GainOrLoss::Pays);
        let beside = judged(&[near(), won()], None, 43);
        assert_eq!(worth(&beside), [GainOrLoss::NotShown, GainOrLoss::Pays]);
        assert!(beside[0].p_holm.unwrap() > 0.05 && beside[0].q.unwrap() < beside[0].p_holm.unwrap());
        assert_eq!(beside[0].p, alone[0].p);
    }

    /// Forty pairs whose two games go the same way from pair `from` on.
    fn mirrored(from: u64, variant: impl Fn(u64) -> u16) -> MatchState {
        let mut match_state = fixed(40);
        for number in 0..40 {
            let mut record = pair(number, [2, 0], variant(number));
            if number >= from {
                record.games[1].moves = record.games[0].moves.clone();
            }
            match_state.count(&record);
        }
        match_state
    }

    #[test]
    fn a_technique_that_hardly_acted_is_not_exercised_and_one_that_shows_is_whatever_its_count() {
        let even = || counted((0..40).map(|n| [2 * (n % 2), 1]));
        let acts = |acts| Some(Acted { games: 8, acts });
        for (match_state, acted, expected) in [
            (even(), acts(7), GainOrLoss::NotExercised),
            (even(), acts(8), GainOrLoss::NotShown),
            (even(), None, GainOrLoss::NotShown),
            (won(), acts(0), GainOrLoss::Pays),
            (
                mirrored(1, |number| number as u16),
                None,
                GainOrLoss::NotExercised,
            ),
        ] {
            assert_eq!(worth(&judged(&[match_state], acted, 0)), [expected], "{acted:?}");
        }
    }

    #[test]
    fn games_that_never_differ_or_that_faults_decide_are_over_and_have_no_interval() {
        let mut faulty = fixed(40);
        for number in 0..40_u64 {
            let mut record = pair(number, [2, 1], 0);
            if number.is_multiple_of(2) {
                record.games[0].reason = Reason::WrongDeclaration;
            }
            faulty.count(&record);
        }
        for (match_state, expected, faults) in [
            (mirrored(0, |_| 0), GainOrLoss::Identical, 0),
            (faulty, GainOrLoss::Invalid, 20),
        ] {
            assert_eq!(LENGTH.next_stage(&match_state, 1), None);
            let row = &judged(&[match_state], None, 0)[0];
            assert_eq!((row.worth, row.elo.value), (expected, None));
            assert_eq!(row.faults.of(1).faults, faults);
        }
    }
}
