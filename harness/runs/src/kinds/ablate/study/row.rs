//! What the games of one changed setting say, at one limit or several, alone and beside all others.

use super::length::{ALPHA, Length};
use super::{SummaryRow, Variant};

use crate::config::MoveLimit;
use crate::match_state::{FaultCounts, MatchState, Totals, Verdict};
use crate::stats::{
    Agreement, CONFIDENCE, Estimate, Interaction, Level, Looks, Sample, Tally, benjamini_hochberg, elo, holm,
    interaction, pooled,
};
use crate::stop::FaultLimits;

/// A technique that acts less often than this a game was not exercised.
const ACTS_MIN: f64 = 1.0;
/// Nor was a change that shows in a smaller share of the pairs.
const DIFFERING_MIN: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum GainOrLoss {
    /// The base is stronger than the changed engine, beside all other rows too.
    #[strum(serialize = "worth_it")]
    Pays,
    Costs,
    /// It gains at one limit and costs at another.
    LimitsDiffer,
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
        self.into()
    }

    /// Is it said of the strength of the setting, so that its estimate is one of those that stood out?
    pub fn is_shown(self) -> bool {
        matches!(self, GainOrLoss::Pays | GainOrLoss::Costs)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Acted {
    pub games: u64,
    pub acts: u64,
}

impl Acted {
    pub fn a_game(&self) -> Option<f64> {
        (self.games > 0).then(|| self.acts as f64 / self.games as f64)
    }
}

/// The match of a row at one limit.
#[derive(Debug, Clone, PartialEq)]
pub struct AtLimit {
    pub limit: MoveLimit,
    pub tally: Tally,
    pub elo: Estimate,
    pub repeated: u64,
    /// Pairs in which the engines never differed.
    pub mirrored: u64,
    pub totals: Totals,
    pub acted: Option<Acted>,
    pub faults: FaultCounts,
    verdict: Verdict,
    sample: Sample,
}

impl AtLimit {
    pub fn new(limit: MoveLimit, match_state: &MatchState, level: Level) -> AtLimit {
        let (sample, verdict) = (match_state.progress.sample(), match_state.verdict());
        AtLimit {
            limit,
            tally: *match_state.tally(),
            elo: match verdict {
                Verdict::Identical | Verdict::Invalid => Estimate::UNKNOWN,
                _ => elo(&sample, level),
            },
            repeated: match_state.repeated,
            mirrored: match_state.mirrored,
            totals: match_state.totals,
            acted: None,
            faults: match_state.faults.clone(),
            verdict,
            sample,
        }
    }

    /// Mean depth of the base's searches.
    pub fn mean_depth(&self) -> Option<f64> {
        self.totals.per_move(self.totals.depth_sum, 0)
    }

    fn has_estimate(&self) -> bool {
        !matches!(self.verdict, Verdict::Identical | Verdict::Invalid)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct AblationRow {
    pub variant: Variant,
    pub at: Vec<AtLimit>,
    /// Elo of the base against the changed engine, of all limits, valid for all looks at the row; without a value where no game differs.
    pub elo: Estimate,
    pub p_of_look: Option<f64>,
    pub p: Option<f64>,
    pub p_holm: Option<f64>,
    /// The least false-discovery rate at which the row is said to differ (Benjamini and Hochberg).
    pub q: Option<f64>,
    /// Do the limits agree? And Holm's probability for it.
    pub agreement: Option<Agreement>,
    pub agreement_p_holm: Option<f64>,
    /// How much better both changes are than the sum of each: of a row whose engines have another change.
    pub interaction: Option<Interaction>,
    pub interaction_p_holm: Option<f64>,
    pub worth: GainOrLoss,
    pub nodes: Option<SummaryRow>,
}

impl AblationRow {
    pub fn new(
        variant: Variant,
        at: Vec<AtLimit>,
        nodes: Option<SummaryRow>,
        length: &Length,
    ) -> AblationRow {
        let samples = at.iter().filter(|at| at.has_estimate());
        let samples: Vec<Sample> = samples.map(|at| at.sample).collect();
        let is_any = |verdict| at.iter().any(|at| at.verdict == verdict);
        let worth = match () {
            () if is_any(Verdict::Invalid) => GainOrLoss::Invalid,
            () if is_any(Verdict::Interrupted) => GainOrLoss::Interrupted,
            () if samples.is_empty() => GainOrLoss::Identical,
            () => GainOrLoss::NotShown,
        };
        let samples = if worth == GainOrLoss::Invalid {
            &[]
        } else {
            &samples[..]
        };
        let found = pooled(samples, length.level_of_each());
        AblationRow {
            variant,
            at,
            elo: found.elo,
            p_of_look: found.p,
            p: found.p.map(|p| Looks::new(&length.looks()).p(p)),
            p_holm: None,
            q: None,
            agreement: found.agreement,
            agreement_p_holm: None,
            interaction: None,
            interaction_p_holm: None,
            worth,
            nodes,
        }
    }

    pub fn tally(&self) -> Tally {
        let mut all = Tally::default();
        self.at.iter().for_each(|at| all.add_all(&at.tally));
        all
    }

    pub fn pairs(&self) -> u64 {
        self.sum(|at| at.tally.pairs())
    }

    pub fn sum(&self, count: impl Fn(&AtLimit) -> u64) -> u64 {
        self.at.iter().map(count).sum()
    }

    /// Pairs at the limit with the fewest of those that are not over.
    pub fn pairs_at_each(&self) -> u64 {
        let open = self.at.iter().filter(|at| at.has_estimate());
        open.map(|at| at.tally.pairs()).min().unwrap_or(0)
    }

    pub fn mean_depth(&self) -> Option<f64> {
        let [depth, moves] = [
            self.sum(|at| at.totals.depth_sum[0]),
            self.sum(|at| at.totals.moves[0]),
        ];
        (moves > 0).then(|| depth as f64 / moves as f64)
    }

    pub fn acted(&self) -> Option<Acted> {
        let known = self.at.iter().filter_map(|at| at.acted);
        known.reduce(|all, more| Acted {
            games: all.games + more.games,
            acts: all.acts + more.acts,
        })
    }

    pub fn faults(&self) -> FaultCounts {
        let mut all = FaultCounts::of_sides(FaultLimits::default());
        self.at.iter().for_each(|at| all.add(&at.faults));
        all
    }

    fn is_unexercised(&self) -> bool {
        let (pairs, mirrored) = (self.pairs(), self.sum(|at| at.mirrored));
        let differing = (pairs > 0).then(|| (pairs - mirrored) as f64 / pairs as f64);
        let acts = self.acted().and_then(|acted| acted.a_game());
        acts.is_some_and(|acts| acts < ACTS_MIN) || differing.is_some_and(|share| share < DIFFERING_MIN)
    }

    /// Is one limit's estimate above zero, and another's below?
    fn has_both_signs(&self) -> bool {
        let values = || self.at.iter().filter_map(|at| at.elo.value);
        values().any(|elo| elo > 0.0) && values().any(|elo| elo < 0.0)
    }

    /// The worth of this change less its worth where both engines have another one too.
    fn interaction_with(&self, given: &AblationRow, level: Level) -> Option<Interaction> {
        let given = given.at.iter().filter(|at| at.has_estimate());
        let pairs = given.filter_map(|given| {
            let own = self.at.iter().find(|at| at.limit == given.limit)?;
            own.has_estimate().then_some([own.sample, given.sample])
        });
        interaction(&pairs.collect::<Vec<_>>(), level)
    }
}

/// Says of every row what it is worth beside all others, `to_come` of which are not begun and stand for rows that show nothing.
pub fn judge(rows: &mut [AblationRow], to_come: usize) {
    let corrected = |values: Vec<Option<f64>>, by: fn(&[f64]) -> Vec<f64>| {
        let mut known: Vec<f64> = values.iter().flatten().copied().collect();
        known.resize(known.len() + to_come, 1.0);
        let mut corrected = by(&known).into_iter();
        let of = |value: Option<f64>| value.and_then(|_| corrected.next());
        values.into_iter().map(of).collect::<Vec<Option<f64>>>()
    };
    let level = Level::two_sided(CONFIDENCE);
    for index in 0..rows.len() {
        let alone = rows.iter().find(|row| {
            row.variant.given.is_none() && row.variant.assignment() == rows[index].variant.assignment()
        });
        let alone = alone.filter(|_| rows[index].variant.given.is_some());
        rows[index].interaction = alone.and_then(|alone| alone.interaction_with(&rows[index], level));
    }
    let p: Vec<_> = rows.iter().map(|row| row.p).collect();
    let of_limits = rows.iter().map(|row| row.agreement.map(|agreement| agreement.p));
    let of_limits = corrected(of_limits.collect(), holm);
    let of_pairs = rows
        .iter()
        .map(|row| row.interaction.map(|interaction| interaction.p));
    let of_pairs = corrected(of_pairs.collect(), holm);
    let families = corrected(p.clone(), holm)
        .into_iter()
        .zip(corrected(p, benjamini_hochberg));
    let families = families.zip(of_limits.into_iter().zip(of_pairs));
    for (row, ((p_holm, q), (agreement, interaction))) in rows.iter_mut().zip(families) {
        (row.p_holm, row.q) = (p_holm, q);
        (row.agreement_p_holm, row.interaction_p_holm) = (agreement, interaction);
        if matches!(
            row.worth,
            GainOrLoss::Identical | GainOrLoss::Interrupted | GainOrLoss::Invalid
        ) {
            continue;
        }
        let is_shown = |p: Option<f64>| p.is_some_and(|p| p <= ALPHA);
        row.worth = match row
            .elo
            .value
            .or_else(|| row.tally().score().map(|score| score - 0.5))
        {
            _ if is_shown(row.agreement_p_holm) && row.has_both_signs() => GainOrLoss::LimitsDiffer,
            Some(elo) if is_shown(row.p_holm) && elo > 0.0 => GainOrLoss::Pays,
            Some(elo) if is_shown(row.p_holm) && elo < 0.0 => GainOrLoss::Costs,
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
        earlier: Vec::new(),
    };

    fn judged(standings: &[MatchState], acted: Option<Acted>, to_come: usize) -> Vec<AblationRow> {
        let row = |match_state: &MatchState| {
            let mut row = row(std::slice::from_ref(match_state), None);
            row.at[0].acted = acted;
            row
        };
        let mut rows: Vec<AblationRow> = standings.iter().map(row).collect();
        judge(&mut rows, to_come);
        rows
    }

    /// Of matches at rising limits; late move reductions, and where both engines have `given`.
    fn row(matches: &[MatchState], given: Option<&str>) -> AblationRow {
        let new = |name| Variant::new(Game::Shogi, &Config::default(), name, "off").unwrap();
        let variant = Variant {
            given: given.map(new).map(Box::new),
            ..new("lmr")
        };
        let at = (1..).zip(matches).map(|(nodes, match_state)| {
            AtLimit::new(MoveLimit::Nodes(nodes), match_state, LENGTH.level_of_each())
        });
        AblationRow::new(variant, at.collect(), None, &LENGTH)
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

    fn faulty() -> MatchState {
        let mut faulty = fixed(40);
        for number in 0..40_u64 {
            let mut record = pair(number, [2, 1], 0);
            if number.is_multiple_of(2) {
                record.games[0].reason = Reason::WrongDeclaration;
            }
            faulty.count(&record);
        }
        faulty
    }

    #[test]
    fn games_that_never_differ_or_that_faults_decide_are_over_and_have_no_interval() {
        for (match_state, expected, faults) in [
            (mirrored(0, |_| 0), GainOrLoss::Identical, 0),
            (faulty(), GainOrLoss::Invalid, 20),
        ] {
            let row = &judged(std::slice::from_ref(&match_state), None, 0)[0];
            assert_eq!(LENGTH.next_stage(&[match_state], 1), None);
            assert_eq!((row.worth, row.elo.value), (expected, None));
            assert_eq!(row.faults().of(1).faults, faults);
        }
    }

    #[test]
    fn limits_are_judged_together_and_one_that_helps_beside_one_that_hurts_is_no_gain() {
        let lost = || counted((0..40).map(|n| [0, n % 3]));
        let even = || counted((0..40).map(|n| [2 * (n % 2), 1]));
        for (matches, expected, agree) in [
            (&[won(), won()], GainOrLoss::Pays, true),
            (&[won(), lost()], GainOrLoss::LimitsDiffer, false),
            (&[lost(), even()], GainOrLoss::Costs, false),
            (&[even(), even()], GainOrLoss::NotShown, true),
            (&[even(), mirrored(0, |_| 0)], GainOrLoss::NotShown, true),
            (&[won(), fixed(40)], GainOrLoss::Interrupted, true),
            (&[won(), faulty()], GainOrLoss::Invalid, true),
        ] {
            let mut rows = [row(matches, None)];
            judge(&mut rows, 0);
            let [row] = rows;
            assert_eq!(
                (row.worth, row.pairs()),
                (expected, row.at[0].tally.pairs() + row.at[1].tally.pairs())
            );
            let p = row.agreement_p_holm.unwrap_or(1.0);
            assert_eq!(p > ALPHA, agree, "{expected:?} {p}");
            assert!(row.elo.value.is_some() || expected == GainOrLoss::Invalid);
        }
    }

    #[test]
    fn an_interaction_is_what_a_change_is_worth_alone_less_what_it_is_worth_with_another() {
        let lost = || counted((0..40).map(|n| [0, n % 3]));
        let mut rows = [
            row(&[won()], None),
            row(&[lost()], Some("null_move")),
            row(&[won()], Some("iir")),
        ];
        judge(&mut rows, 0);
        let [alone, given, same] = &rows;
        assert_eq!(alone.interaction, None);
        let found = given.interaction.unwrap();
        let expected = alone.elo.value.unwrap() - given.elo.value.unwrap();
        assert!((found.elo.value.unwrap() - expected).abs() < 1e-3, "{found:?}");
        assert!(given.interaction_p_holm.unwrap() < 0.05);
        assert_eq!(same.interaction_p_holm, Some(1.0));
    }
}
