//! The one row that a match comes to.
//!
//! Every number about a match that is shown or written is asked of the statistics here.

use serde_json::{Map, Value};

use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::faults;
use crate::document::invalid::InvalidRun;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS};
use crate::match_state::{FaultCounts, MatchState, Verdict};
use crate::stats::Corrected;
use crate::stats::{Calculator, Estimate, Estimates, Tally, elo};

#[derive(Debug, Clone)]
pub struct Summary {
    pub(crate) labels: [String; 2],
    pub(crate) tally: Tally,
    pub(crate) estimates: Estimates,
    pub(crate) verdict: Verdict,
    pub(crate) invalid: Option<InvalidRun>,
    pub(crate) repeated: u64,
    pub(crate) mirrored: u64,
    pub(crate) faults: FaultCounts,
}

impl Summary {
    pub fn new(match_state: &MatchState, labels: &[String; 2]) -> Summary {
        let summary = Summary {
            labels: labels.clone(),
            tally: *match_state.tally(),
            estimates: match_state.estimates(),
            verdict: match_state.verdict(),
            invalid: None,
            repeated: match_state.repeated,
            mirrored: match_state.mirrored,
            faults: match_state.faults.clone(),
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
        self.estimates.elo = Estimate::UNKNOWN;
        self.estimates.nelo = Estimate::UNKNOWN;
        self.estimates.los = None;
        self.estimates.stopped = None;
        self
    }

    pub(crate) fn values(&self) -> Map<String, Value> {
        let mut values = columns().object(self);
        values.extend(faults::kinds_of_both(&self.faults));
        values
    }
}

/// Pairs that a match still takes to its end: to the decision that is expected if the true strength is the present estimate,
/// or to its last pair if that comes first. `None` while a test has too few pairs for an estimate.
pub(crate) fn pairs_left(match_state: &MatchState) -> Option<f64> {
    let progress = &match_state.progress;
    let tally = progress.tally;
    let most = progress.rule.pairs_max.saturating_sub(tally.pairs()) as f64;
    let Some(sprt) = progress.rule.sprt else {
        return Some(most);
    };
    let (llr, bounds) = (progress.llr?, progress.corrected_bounds()?);
    let sample = progress.sample();
    if !elo::is_enough(&sample) {
        return None;
    }
    let sigma = sample.sigma_game();
    let calculator = Calculator::with_variance(&sprt, sigma * sigma).ok()?;
    let rest = calculator.standing_at(llr, bounds);
    let forecast = rest.forecast_logistic(elo::elo_of_score(sample.mean())?).ok()?;
    Some(forecast.pairs().min(most))
}

/// The columns of `summary.csv`.
pub(crate) fn columns() -> Columns<'static, Summary> {
    results().and(validity()).and(differing())
}

pub(crate) fn differing() -> Columns<'static, Summary> {
    columns! { row: Summary;
        "identical_pairs",
            "pairs whose two games went the same way, move for move: the players never differed in them" => row.mirrored;
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
    .estimate(
        ["elo", "elo_low", "elo_high"],
        "Elo of A, as if the length had been fixed",
        ELO_DECIMALS,
        |row| row.estimates.elo,
    )
    .estimate(
        ["nelo", "nelo_low", "nelo_high"],
        "normalized Elo of A, as if the length had been fixed",
        ELO_DECIMALS,
        |row| row.estimates.nelo,
    )
    .and(columns! { row: Summary;
        "los", "probability that A is the stronger, as if the length had been fixed" => fine(row.estimates.los);
    })
    .pentanomial(|row| row.tally.pentanomial)
    .and(columns! { row: Summary;
        "llr", "log likelihood ratio, if there is a test" => fine(row.estimates.llr());
        "llr_lower", "lower bound in force of the test" => fine(row.estimates.bounds().map(|bounds| bounds.lower));
        "llr_upper", "upper bound in force of the test" => fine(row.estimates.bounds().map(|bounds| bounds.upper));
        "verdict", "what the match says" => row.verdict.name();
    })
    .estimate(
        ["stopped_elo", "stopped_low", "stopped_high"],
        "Elo of A, allowing for the test's stop",
        ELO_DECIMALS,
        |row| row.estimates.stopped.map_or(Estimate::UNKNOWN, |stopped| stopped.elo),
    )
    .and(columns! { row: Summary;
        "first_wins", "games that A won moving first" => row.tally.first_wins;
        "first_losses", "games that A lost moving first" => row.tally.first_losses;
        "second_wins", "games that A won moving second" => row.tally.second_wins;
        "second_losses", "games that A lost moving second" => row.tally.second_losses;
        "duplicates", "pairs that repeat an earlier one, move for move" => row.repeated;
    })
}

/// What stands out of several comparisons, for all of them together.
pub(crate) fn family_text(family: &[Corrected]) -> String {
    let count = |is: fn(&Corrected) -> bool| family.iter().filter(|row| is(row)).count();
    let (alone, together) = (count(|row| row.p <= 0.05), count(|row| row.p_holm <= 0.05));
    format!("{alone} show a difference each for itself, {together} for all of them together (Holm, 5 %)\n")
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::document::summary::*;
    use crate::stop::{FaultLimits, StopRule};
    use tanren_core::fixtures::pair;

    pub(crate) fn match_state(
        sprt: Option<&str>,
        pairs: u64,
        halves: impl Fn(u64) -> [usize; 2],
    ) -> MatchState {
        let mut match_state = MatchState::new(StopRule {
            sprt: sprt.and_then(|text| crate::config::parse_sprt(text).ok()),
            pairs_max: 20_000,
            faults: FaultLimits::default(),
        });
        for number in 0..pairs {
            match_state.count(&pair(number, halves(number), 0));
        }
        match_state
    }

    /// Without a test to the last pair; with one to the decision that the estimate makes likely, the sooner the nearer its bound.
    #[test]
    fn pairs_are_left_up_to_the_end_that_is_expected() {
        let left = |sprt, pairs, halves: fn(u64) -> [usize; 2]| pairs_left(&match_state(sprt, pairs, halves));
        let won = |number: u64| [2, number as usize % 3];
        assert_eq!(left(None, 30, |_| [1, 1]), Some(19_970.0));
        let even = |number: u64| [2, 2 * (number % 2) as usize];
        assert_eq!(left(Some("elo0=0,elo1=100"), 9, even), None);
        let known = [("elo0=0,elo1=100", 40), ("elo0=0,elo1=5", 40)]
            .map(|(test, pairs)| left(Some(test), pairs, won));
        assert!(known[0] < known[1] && known[1] < Some(2_000.0), "{known:?}");
        let nearer = [20, 40, 60].map(|pairs| left(Some("elo0=0,elo1=20"), pairs, won));
        assert!(
            nearer[0] > nearer[1] && nearer[1] > nearer[2] && nearer[2].is_some(),
            "{nearer:?}"
        );
        // The two games of each pair may go the same way.
        let same = left(Some("elo0=0,elo1=2"), 60, |number| [2 * (number % 2) as usize; 2]);
        assert!(same > Some(100.0), "{same:?}");
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
            ("first_wins", 3),
            ("first_losses", 2),
            ("second_wins", 2),
            ("second_losses", 3),
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
