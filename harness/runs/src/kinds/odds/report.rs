//! Odds: the ratio of nodes or time at which A is as strong as B.

use serde_json::json;

use crate::document::answer::{Answer, State};
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::faults;
use crate::document::number::{ELO_DECIMALS, FINE_DECIMALS, or_dash, percent, plural};
use crate::document::table::named_lines;
use crate::document::text::Text;
use crate::document::{Block, Document, Figure, Section, Table, no_strength};
use crate::kinds::odds::OddsFindings;
use crate::kinds::odds::plan::{OddsStep, curve};
use crate::kinds::odds::plot;
use crate::match_state::Verdict;
use crate::stats::Estimate;

pub(crate) fn document(found: &OddsFindings) -> Document<'_> {
    let [a, b] = &found.labels;
    let known = estimate(found).unwrap_or(Estimate::UNKNOWN);
    let fine = |value| Cell::rounded(value, FINE_DECIMALS).value();
    let reason = found.invalid.as_ref().map(ToString::to_string);
    let batches = Table::of(&columns(), rows(found)).shown(&[
        "batch",
        "ratio",
        "pairs",
        "score",
        "estimate",
        "low",
        "high",
        "resource_a",
        "resource_b",
    ]);
    let blocks = vec![
        Block::Lines(lines(found)),
        Block::values(json!({
            "a": a,
            "b": b,
            "unit": found.unit,
            "resource": found.resource,
            "resource_b": resource_b(found),
            "limit_b": found.limit_b.map(|limit| limit.to_string()),
            "pairs": pairs(found),
            "ratio": fine(known.value),
            "ratio_low": fine(known.low),
            "ratio_high": fine(known.high),
            "doubling_elo": Cell::rounded(doubling_elo(found), ELO_DECIMALS).value(),
        })),
        Block::Figure(
            Figure::new(Text::new("Score of A over the ratio it was played at"), || {
                plot::plot(&found.steps)
            })
            .about(Text::filled(
                "{unit} of A over {one}",
                &[("unit", &found.unit), ("one", &one(found, "B"))],
            ))
            .file("odds.svg"),
        ),
        Block::Table(
            batches
                .key("batches")
                .caption(Text::new("Batches"))
                .file("odds.csv"),
        ),
        Block::values(json!({
            "verdict": reason.as_ref().map(|_| Verdict::Invalid.name()),
            "verdict_reason": reason,
        })),
        Block::values(faults::values(&found.faults)),
    ];
    Document {
        title: format!("{a} – {b}"),
        answer: answer(found),
        sections: vec![Section::new("result", Text::new("Equal strength"), blocks)],
    }
}

fn answer(found: &OddsFindings) -> Answer {
    if let Some(invalid) = &found.invalid {
        return no_strength(invalid);
    }
    let [a, b] = &found.labels;
    let games = 2 * pairs(found);
    let Some(estimate) = estimate(found).filter(has_interval) else {
        let sentence = Text::filled(
            "no ratio of equal strength for {a} and {b} yet: {games} games",
            &[("a", a), ("b", b), ("games", &games)],
        );
        return Answer::new(State::Undecided, sentence);
    };
    let (base, rival) = match found.limit_b {
        None => (b.clone(), b.clone()),
        Some(limit) => (found.resource.to_string(), format!("{b} ({})", limit.words())),
    };
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|number| or_dash(number, 2));
    let sentence = Text::filled(
        "{a} with {value} times {one} is as strong as {rival} (95 % CI {low} to {high}), {games} games",
        &[
            ("a", a),
            ("value", &value),
            ("low", &low),
            ("high", &high),
            ("one", &one(found, b)),
            ("rival", &rival),
            ("base", &base),
            ("unit", &found.unit),
            ("games", &games),
        ],
    );
    Answer::new(State::Counted, sentence)
}

/// Without either end it is a guess beyond the ratios that were played.
fn has_interval(estimate: &Estimate) -> bool {
    estimate.value.is_some() && (estimate.low.is_some() || estimate.high.is_some())
}

fn estimate(found: &OddsFindings) -> Option<Estimate> {
    let last = found.steps.last().filter(|_| found.invalid.is_none());
    last.map(|step| step.estimate)
}

fn pairs(found: &OddsFindings) -> u64 {
    found.steps.iter().map(|step| step.tally.pairs()).sum()
}

/// Elo of A at the even ratio for twice its resource.
fn doubling_elo(found: &OddsFindings) -> Option<f64> {
    let curve = curve(&found.steps).filter(|_| found.invalid.is_none());
    curve.map(|curve| curve.doubling_elo())
}

fn resource_b(found: &OddsFindings) -> Option<u64> {
    found.limit_b.is_none().then_some(found.resource)
}

/// What a ratio of 1 is: the nodes of B, which is called `b`, or so many nodes.
fn one(found: &OddsFindings, b: &str) -> String {
    match found.limit_b {
        None => format!("the {} of {b}", found.unit),
        Some(_) => format!("{} {}", found.resource, found.unit),
    }
}

pub(crate) fn line(found: &OddsFindings) -> String {
    let Some(step) = found.steps.last() else {
        return String::new();
    };
    let score = percent(step.tally.score());
    format!("ratio {:.3}: {score}; {}", step.ratio, even_text(&step.estimate))
}

fn lines(found: &OddsFindings) -> String {
    let batches = plural(found.steps.len() as u64, "batch");
    let games = 2 * pairs(found);
    let elo = doubling_elo(found).map(|elo| {
        let text = format!(
            "twice the {} are worth {elo:+.0} Elo to A near this ratio",
            found.unit
        );
        ("Slope", text)
    });
    let games = Some(("Games", format!("{games} in {batches}")));
    named_lines(games.into_iter().chain(elo)) + &faults::lines(&found.faults, &found.labels)
}

fn even_text(estimate: &Estimate) -> String {
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|value| or_dash(value, 3));
    format!("even at {value} [{low}, {high}]")
}

type BatchRow<'a> = (usize, &'a OddsStep, Option<u64>);

fn rows(found: &OddsFindings) -> impl Iterator<Item = BatchRow<'_>> {
    let steps = (1..).zip(&found.steps);
    steps.map(|(number, step)| (number, step, resource_b(found)))
}

pub(crate) fn columns<'a>() -> Columns<'a, BatchRow<'a>> {
    let fine = |value: Option<f64>| Cell::rounded(value, FINE_DECIMALS);
    columns! { of: BatchRow<'a>;
        "batch", "number of the batch, from 1" => of.0;
        "ratio", "A's nodes or milliseconds a move over those of a ratio of 1" => fine(Some(of.1.ratio));
        "pairs", "pairs of the batch" => of.1.tally.pairs();
        "score", "mean points of A in a game of the batch" => fine(of.1.tally.score());
        "estimate", "the ratio at which both are even, by this and all batches before" => fine(of.1.estimate.value);
        "low", "lower end of its 95 % interval" => fine(of.1.estimate.low);
        "high", "upper end of its 95 % interval" => fine(of.1.estimate.high);
        "resource_a", "A's nodes or milliseconds a move" => of.1.resource_a;
        "resource_b",
            "B's nodes or milliseconds a move, as many as A has at a ratio of 1; empty where B has a limit of another kind" => of.2;
    }
    .pentanomial(|of| of.1.tally.pentanomial)
    .and(faults::of_both(["A", "B"], |of: &BatchRow<'a>| of.1.faults))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::kinds::fixtures::odds_steps;
    use crate::kinds::odds::report::*;
    use crate::match_state::FaultCounts;
    use crate::stop::FaultLimits;

    fn found(batches: usize) -> OddsFindings {
        OddsFindings {
            labels: ["base", "plain"].map(str::to_owned),
            unit: "nodes",
            resource: 1000,
            limit_b: None,
            steps: odds_steps()[..batches].to_vec(),
            faults: FaultCounts::of_sides(FaultLimits::default()),
            invalid: None,
        }
    }

    #[test]
    fn the_text_says_what_the_ratio_means() {
        let found = found(2);
        let document = document(&found);
        let text = document.text();
        for part in [
            "COUNTED  base with 1.00 times the nodes of plain is as strong as plain",
            "  Games   400 in 2 batches\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(line(&found).starts_with("ratio 2.000: 70.0 %; even at 1.000 ["));
        let json = document.json();
        assert_eq!((&json["ratio"], &json["pairs"]), (&json!(1.0), &json!(200)));
        assert_eq!(json["batches"][0]["estimate"], Value::Null);
    }

    #[test]
    fn without_a_curve_nothing_is_claimed() {
        let found = found(1);
        let document = document(&found);
        assert!(document.text().starts_with("UNDECIDED  no ratio"));
        assert_eq!(document.json()["ratio_low"], Value::Null);
    }
}
