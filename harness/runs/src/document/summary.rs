//! The one row that a match comes to.
//!
//! Every number about a match that is shown or written is asked of the statistics here.

use std::fmt::Display;

use serde_json::{Map, Value};

use crate::document::answer::{Answer, State};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::faults;
use crate::document::invalid::InvalidRun;
use crate::document::no_strength;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS, plural, signed};
use crate::document::text::Text;
use crate::match_state::{FaultCounts, MatchState, Verdict};
use crate::shard::Shard;
use crate::stats::Corrected;
use crate::stats::{Basis, EloModel, Estimates, MIN_PAIRS, Outlook, Sprt, Tally};

#[derive(Debug, Clone)]
pub struct Summary {
    pub(crate) labels: [String; 2],
    pub(crate) tally: Tally,
    pub(crate) estimates: Estimates,
    pub(crate) sprt: Option<Sprt>,
    pub(crate) verdict: Verdict,
    pub(crate) invalid: Option<InvalidRun>,
    pub(crate) repeated: u64,
    pub(crate) mirrored: u64,
    pub(crate) faults: FaultCounts,
    pub(crate) shard: Shard,
}

impl Summary {
    pub fn new(match_state: &MatchState, labels: &[String; 2]) -> Summary {
        let summary = Summary {
            labels: labels.clone(),
            tally: *match_state.tally(),
            estimates: match_state.estimates(),
            sprt: match_state.progress.rule.sprt,
            verdict: match_state.verdict(),
            invalid: None,
            repeated: match_state.repeated,
            mirrored: match_state.mirrored,
            faults: match_state.faults.clone(),
            shard: match_state.progress.rule.shard,
        };
        match InvalidRun::of_match(match_state, labels) {
            Some(invalid) => summary.made_invalid(invalid),
            None => summary,
        }
    }

    /// The same as a part of what is invalid: no strength can be given honestly.
    pub(crate) fn made_invalid(mut self, invalid: InvalidRun) -> Summary {
        self.verdict = Verdict::Invalid;
        self.invalid = Some(invalid);
        self.estimates = self.estimates.without_strength();
        self
    }

    pub(crate) fn state(&self) -> State {
        match (self.verdict, self.estimates.elo.low, self.estimates.elo.high) {
            (Verdict::Invalid, ..) => State::Invalid,
            (Verdict::AcceptedH1, ..) => State::Passed,
            (Verdict::AcceptedH0, ..) => State::Failed,
            (Verdict::FixedLength, Some(low), _) if low > 0.0 => State::Passed,
            (Verdict::FixedLength, _, Some(high)) if high < 0.0 => State::Failed,
            (Verdict::FixedLength, ..) if self.tally.pairs() < MIN_PAIRS => State::Undecided,
            (Verdict::FixedLength | Verdict::Identical, ..) => State::NoDifference,
            (Verdict::LimitReached | Verdict::Interrupted | Verdict::Shard, ..) => State::Undecided,
        }
    }

    /// Who is stronger, by how much, and how sure that is.
    pub(crate) fn answer(&self) -> Answer {
        if let Some(invalid) = &self.invalid {
            return no_strength(invalid);
        }
        let [a, b] = &self.labels;
        let state = self.state();
        let accepted = self
            .sprt
            .and_then(|sprt| accepted(self.verdict, &sprt, &self.labels));
        let claim = accepted.unwrap_or_else(|| {
            let claim = match (state, self.verdict) {
                (_, Verdict::Identical) => {
                    Text::template("{a} and {b} play the same moves, so nothing was measured")
                }
                (_, Verdict::Shard) => Text::template("shard {shard} of {a} – {b}"),
                (State::Passed, _) => Text::template("{a} is stronger than {b}"),
                (State::Failed, _) => Text::template("{a} is weaker than {b}"),
                (State::NoDifference, _) => Text::template("no significant difference between {a} and {b}"),
                _ => Text::template("{a} – {b}"),
            };
            Text::filled(claim, &[("shard", &self.shard), ("a", a), ("b", b)])
        });
        Answer::new(state, claim.then(&self.measured()))
    }

    /// Behind a claim: `: +30.6 Elo (90 % CI +2.9 to +57.3), 512 games, SPRT [0, 40] nElo`.
    pub(crate) fn measured(&self) -> Text {
        let (pairs, games) = (self.tally.pairs(), self.tally.games());
        if self.verdict == Verdict::Identical {
            return Text::filled(": {games} games", &[("games", &games)]);
        }
        let few = matches!(self.verdict, Verdict::Interrupted | Verdict::Shard) && pairs < MIN_PAIRS;
        let estimate = match few {
            true => Text::filled(
                ": {pairs}, too few for an estimate ({few} needed)",
                &[
                    ("pairs", &plural(pairs, "pair")),
                    ("count", &pairs),
                    ("few", &MIN_PAIRS),
                ],
            ),
            false => estimate_text(&self.estimates, games),
        };
        let test = self.sprt.map_or(Text::plain(""), |sprt| {
            Text::filled(", {test}", &[("test", &test_text(&sprt))])
        });
        let measured = estimate.then(&test);
        match self.verdict {
            Verdict::LimitReached => measured.then(&Text::new(", all pairs are played without a decision")),
            Verdict::Interrupted if !few => measured.then(&Text::new(", no decision yet")),
            Verdict::FixedLength if self.state() == State::Undecided => {
                measured.then(&Text::new(", too few to find a difference"))
            }
            Verdict::Shard => measured.then(&Text::new("; tanren merge makes one run of all shards")),
            _ => measured,
        }
    }

    pub(crate) fn values(&self) -> Map<String, Value> {
        let mut values = columns().object(self);
        values.extend(faults::kinds_of_both(&self.faults));
        values
    }
}

/// Pairs that a match still takes to its end: to the decision that is expected after what was seen, or to its last pair if that comes
/// first.
pub(crate) fn pairs_left(match_state: &MatchState) -> Option<f64> {
    let progress = &match_state.progress;
    let most = progress.rule.pairs_max.saturating_sub(progress.tally.pairs()) as f64;
    match progress.rule.sprt {
        Some(_) => Some(outlook(match_state)?.pairs().min(most)),
        None => Some(most),
    }
}

/// What a test says of its players with this verdict; nothing if it has accepted neither hypothesis.
pub(crate) fn accepted(verdict: Verdict, sprt: &Sprt, [a, b]: &[String; 2]) -> Option<Text> {
    let (least, most) = (sprt.elo0(), sprt.elo1());
    let claim = match verdict {
        Verdict::AcceptedH1 if least > 0.0 => {
            Text::template("{a} is more than {least} {unit} stronger than {b}")
        }
        Verdict::AcceptedH1 if least < 0.0 => {
            Text::template("{a} is less than {loss} {unit} weaker than {b}")
        }
        Verdict::AcceptedH1 => Text::template("{a} is stronger than {b}"),
        Verdict::AcceptedH0 if most > 0.0 => Text::template("{a} is not {most} {unit} stronger than {b}"),
        Verdict::AcceptedH0 if most < 0.0 => Text::template("{a} is more than {gain} {unit} weaker than {b}"),
        Verdict::AcceptedH0 => Text::template("{a} is weaker than {b}"),
        _ => return None,
    };
    let values: [(&str, &dyn Display); 7] = [
        ("a", a),
        ("b", b),
        ("least", &least),
        ("most", &most),
        ("loss", &-least),
        ("gain", &-most),
        ("unit", &elo_unit(sprt)),
    ];
    Some(Text::filled(claim, &values))
}

/// What is still to come of a test.
pub(crate) fn outlook(match_state: &MatchState) -> Option<Outlook> {
    let progress = &match_state.progress;
    let (sprt, bounds) = progress.rule.sprt.zip(progress.corrected_bounds())?;
    Outlook::new(&sprt, &progress.sample(), progress.llr.unwrap_or(0.0), bounds)
}

/// `: +30.6 Elo (90 % CI +2.9 to +57.3), 512 games`
pub(crate) fn estimate_text(estimates: &Estimates, games: u64) -> Text {
    let elo = estimates.elo;
    let template = match (elo.value, elo.low, elo.high, estimates.basis) {
        (Some(_), .., Basis::Anytime) => {
            Text::template(": {elo} Elo ({confidence} % CI {low} to {high}, anytime-valid), {games} games")
        }
        (Some(_), ..) => Text::template(": {elo} Elo ({confidence} % CI {low} to {high}), {games} games"),
        (None, Some(_), ..) => Text::template(": more than {low} Elo ({confidence} % CI), {games} games"),
        (None, None, Some(_), _) => {
            Text::template(": less than {high} Elo ({confidence} % CI), {games} games")
        }
        (None, None, None, _) => Text::template(": {games} games, too few for an estimate"),
    };
    let [value, low, high] = [elo.value, elo.low, elo.high].map(|value| signed(value, 1));
    let values: [(&str, &dyn Display); 5] = [
        ("games", &games),
        ("elo", &value),
        ("low", &low),
        ("high", &high),
        ("confidence", &percent_of(estimates)),
    ];
    Text::filled(template, &values)
}

/// `SPRT [0, 40] nElo`
pub(crate) fn test_text(sprt: &Sprt) -> String {
    format!("SPRT [{}, {}] {}", sprt.elo0(), sprt.elo1(), elo_unit(sprt))
}

pub(crate) fn elo_unit(sprt: &Sprt) -> &'static str {
    match sprt.model() {
        EloModel::Normalized => "nElo",
        EloModel::Logistic => "Elo",
    }
}

/// To a tenth, for errors such as 0.5 %.
fn percent_of(estimates: &Estimates) -> f64 {
    (1000.0 * estimates.level.confidence()).round() / 10.0
}

/// `90 % CI, corrected for early stopping`
pub(crate) fn interval_words(estimates: &Estimates) -> String {
    let basis = match estimates.basis {
        Basis::FixedLength => "",
        Basis::Exact => ", exact",
        Basis::Stopped => ", corrected for early stopping",
        Basis::Anytime => ", anytime-valid",
    };
    format!("{} % CI{basis}", percent_of(estimates))
}

fn basis_name(basis: Basis) -> &'static str {
    match basis {
        Basis::FixedLength => "fixed",
        Basis::Exact => "exact",
        Basis::Stopped => "stopped",
        Basis::Anytime => "anytime",
    }
}

/// The columns of `summary.csv`.
pub(crate) fn columns() -> Columns<'static, Summary> {
    results().and(validity()).and(differing())
}

pub(crate) fn differing() -> Columns<'static, Summary> {
    columns! { row: Summary;
        "identical_pairs",
            "pairs whose two games are identical: the players never differed" => row.mirrored;
    }
}

pub(crate) fn validity() -> Columns<'static, Summary> {
    faults::of_both(["A", "B"], |row: &Summary| row.faults.of_both()).and(columns! { row: Summary;
        "verdict_reason", "why the verdict is `invalid`" => row.invalid.as_ref().map(ToString::to_string);
    })
}

pub(crate) fn results() -> Columns<'static, Summary> {
    let fine = |value: Option<f64>| Cell::rounded(value, FINE_DECIMALS);
    columns! { row: Summary;
        "a", "label of A" => &row.labels[0];
        "b", "label of B" => &row.labels[1];
        "pairs", "pairs counted" => row.tally.pairs();
        "games", "games counted, two a pair" => row.tally.games();
        "wins", "games that A won" => row.tally.wins();
        "losses", "games that A lost" => row.tally.losses();
        "draws", "games drawn" => row.tally.draws;
        "score", "mean points of A in a game, from 0 to 1" => fine(row.estimates.score);
    }
    .and(estimates_columns().within(|row: &Summary| &row.estimates))
    .pentanomial(|row| row.tally.pentanomial)
    .and(columns! { row: Summary;
        "llr", "log likelihood ratio of the test" => fine(row.estimates.llr());
        "llr_lower", "lower bound of the LLR" => fine(row.estimates.bounds().map(|bounds| bounds.lower));
        "llr_upper", "upper bound of the LLR" => fine(row.estimates.bounds().map(|bounds| bounds.upper));
        "state", "the answer in a word" => row.state().name();
        "verdict", "what the stop rule concludes" => row.verdict.name();
    })
    .and(other_intervals().within(|row: &Summary| &row.estimates))
    .and(columns! { row: Summary;
        "first_side_wins", "games that A won as Sente or White" => row.tally.first_wins;
        "first_side_losses", "games that A lost as Sente or White" => row.tally.first_losses;
        "second_side_wins", "games that A won as Gote or Black" => row.tally.second_wins;
        "second_side_losses", "games that A lost as Gote or Black" => row.tally.second_losses;
        "duplicates", "pairs identical to an earlier one" => row.repeated;
    })
}

/// The interval to quote, on both scales.
pub(crate) fn estimates_columns() -> Columns<'static, Estimates> {
    Columns::new()
        .estimate(["elo", "elo_low", "elo_high"], "Elo of A", "the interval", ELO_DECIMALS, |row: &Estimates| {
            row.elo
        })
        .and(columns! { row: Estimates;
            "interval",
                "kind of interval: `fixed` (uncorrected), `stopped` (corrected for early stopping), `anytime`, or `exact` (few games)"
                => basis_name(row.basis);
            "confidence", "confidence level of the intervals" => Cell::rounded(Some(row.level.confidence()), FINE_DECIMALS);
        })
        .estimate(
            ["nelo", "nelo_low", "nelo_high"],
            "Elo of A on the normalized scale",
            "the interval",
            ELO_DECIMALS,
            |row| row.nelo,
        )
        .and(columns! { row: Estimates;
            "los", "likelihood of superiority, corrected for early stopping" => Cell::rounded(row.los, FINE_DECIMALS);
        })
}

/// For comparison with the one to quote, at its confidence.
pub(crate) fn other_intervals() -> Columns<'static, Estimates> {
    columns! { row: Estimates;
        "anytime_low", "lower end of the anytime-valid interval" => Cell::rounded(row.anytime.low, ELO_DECIMALS);
        "anytime_high", "upper end of the anytime-valid interval" => Cell::rounded(row.anytime.high, ELO_DECIMALS);
    }
    .estimate(
        ["uncorrected_elo", "uncorrected_low", "uncorrected_high"],
        "uncorrected Elo of A",
        "the interval",
        ELO_DECIMALS,
        |row| row.uncorrected,
    )
}

/// What stands out of several comparisons, for all of them together.
pub(crate) fn family_text(family: &[Corrected]) -> String {
    let count = |is: fn(&Corrected) -> bool| family.iter().filter(|row| is(row)).count();
    let (alone, together) = (count(|row| row.p <= 0.05), count(|row| row.p_holm <= 0.05));
    format!("{alone} are significant on their own, {together} after Holm correction (5 %)\n")
}

/// So few pairs that nothing can be said.
pub(crate) fn too_few(pairs: u64) -> Text {
    Text::filled(
        "{pairs}: too few for an estimate ({few} needed)",
        &[
            ("pairs", &plural(pairs, "pair")),
            ("count", &pairs),
            ("few", &MIN_PAIRS),
        ],
    )
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::document::summary::*;
    use crate::stop::StopRule;
    use tanren_core::fixtures::pair;

    pub(crate) fn match_state(
        sprt: Option<&str>,
        pairs: u64,
        halves: impl Fn(u64) -> [usize; 2],
    ) -> MatchState {
        let mut match_state = MatchState::new(StopRule::new(
            sprt.and_then(|text| crate::config::parse_sprt(text).ok()),
            20_000,
        ));
        for number in 0..pairs {
            match_state.count(&pair(number, halves(number), 0));
        }
        match_state
    }

    /// Without a test to the last pair; with one to the decision that is expected, the sooner the nearer its bound.
    #[test]
    fn pairs_are_left_up_to_the_end_that_is_expected() {
        let left = |sprt, pairs, halves: fn(u64) -> [usize; 2]| pairs_left(&match_state(sprt, pairs, halves));
        let won = |number: u64| [2, number as usize % 3];
        assert_eq!(left(None, 30, |_| [1, 1]), Some(19_970.0));
        let luck = |number: u64| if number % 5 < 3 { [2, 1] } else { [0, 1] };
        let [start, lucky] = [0, 20].map(|pairs| left(Some("elo0=0,elo1=8"), pairs, luck).unwrap());
        assert!(lucky > 0.3 * start && lucky < 1.2 * start, "{start} {lucky}");
        let nearer = [20, 40, 60, 300].map(|pairs| left(Some("elo0=0,elo1=8"), pairs, won));
        assert!(nearer.is_sorted_by(|one, two| one > two), "{nearer:?}");
        let most = left(Some("elo0=0,elo1=0.5"), 20, luck);
        assert_eq!(most, Some(19_980.0));
    }

    fn of_length(most: u64, pairs: u64, halves: fn(u64) -> [usize; 2]) -> MatchState {
        let mut match_state = tanren_core::fixtures::fixed(most);
        for number in 0..pairs {
            match_state.count(&pair(number, halves(number), 0));
        }
        match_state
    }

    #[test]
    fn the_answer_has_a_state_and_says_who_is_stronger_by_how_much() {
        let labels = ["new", "old"].map(str::to_owned);
        let won = |number: u64| [2, number as usize % 3];
        let lost = |number: u64| [0, number as usize % 3];
        let even = |number: u64| if number.is_multiple_of(2) { [2, 1] } else { [0, 1] };
        for (match_state, starts, ends) in [
            (
                of_length(40, 40, won),
                "PASSED  new is stronger than old: +",
                "), 80 games",
            ),
            (
                of_length(40, 40, lost),
                "FAILED  new is weaker than old: -",
                "), 80 games",
            ),
            (
                of_length(40, 40, even),
                "NO DIFFERENCE  no significant difference between new and old: +0.0 Elo (95 % CI -",
                "), 80 games",
            ),
            (
                of_length(4, 4, even),
                "UNDECIDED  new – old: +0.0 Elo (95 % CI -",
                "), 8 games, too few to find a difference",
            ),
            (
                of_length(40, 3, won),
                "UNDECIDED  new – old: 3 pairs, too few for an estimate (16 needed)",
                "",
            ),
            (
                of_length(40, 20, even),
                "UNDECIDED  new – old: +0.0 Elo (95 % CI -",
                ", anytime-valid), 40 games, no decision yet",
            ),
            (
                match_state(Some("0,50"), 300, won),
                "PASSED  new is stronger than old: +",
                ", 600 games, SPRT [0, 50] nElo",
            ),
            (
                match_state(Some("0,50"), 300, lost),
                "FAILED  new is not 50 nElo stronger than old: -",
                ", SPRT [0, 50] nElo",
            ),
            (
                match_state(Some("-50,0"), 300, won),
                "PASSED  new is less than 50 nElo weaker than old: +",
                ", SPRT [-50, 0] nElo",
            ),
            (
                match_state(Some("-50,0"), 300, lost),
                "FAILED  new is weaker than old: -",
                ", SPRT [-50, 0] nElo",
            ),
            (
                match_state(Some("0,5"), 20, even),
                "UNDECIDED  new – old: +0.0 Elo (90 % CI -",
                ", SPRT [0, 5] nElo, no decision yet",
            ),
        ] {
            let answer = Summary::new(&match_state, &labels).answer();
            let text = format!("{}  {}", answer.state.word(), answer.sentence.en);
            assert!(text.starts_with(starts) && text.ends_with(ends), "{text}");
        }
    }

    #[test]
    fn the_bounds_shown_are_those_in_force_and_results_stand_by_colour() {
        let halves = [
            [2, 1],
            [2, 1],
            [2, 1],
            [1, 2],
            [1, 2],
            [0, 1],
            [0, 0],
            [1, 0],
            [1, 0],
        ];
        let match_state = match_state(Some(""), 9, |number| halves[number as usize]);
        let shown = Summary::new(&match_state, &["a".to_owned(), "b".to_owned()]).values();
        let (wald, in_force) = (
            match_state.progress.bounds().unwrap(),
            match_state.progress.corrected_bounds().unwrap(),
        );
        assert!(in_force.lower > wald.lower && in_force.upper < wald.upper);
        let differs = |name: &str, value: f64| (shown[name].as_f64().unwrap() - value).abs();
        assert!(differs("llr_lower", in_force.lower) < 1e-4 && differs("llr_upper", in_force.upper) < 1e-4);
        for (name, expected) in [
            ("first_side_wins", 3),
            ("first_side_losses", 2),
            ("second_side_wins", 2),
            ("second_side_losses", 3),
            ("wins", 5),
            ("losses", 5),
            ("draws", 8),
            ("games", 18),
            ("pairs", 9),
            ("ptnml_0", 1),
            ("ptnml_1", 3),
            ("ptnml_2", 0),
            ("ptnml_3", 5),
            ("ptnml_4", 0),
        ] {
            assert_eq!(shown[name], expected, "{name}");
        }
    }
}
