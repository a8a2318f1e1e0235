//! Simulated matches as a table, CSV and JSON.

use super::SimulationRow;
use crate::config::elo_model_name;
use crate::document::Document;
use crate::document::cell::Cell;
use crate::document::columns::{Columns, columns};
use crate::document::language::{said, said_lines};
use crate::document::number::{FINE_DECIMALS, or_dash, signed};
use crate::document::table::{Align, titled_table, wrapped};
use crate::stats::Sprt;
use crate::stop::simulate::{Goal, Rate, SimulationSpec, SimulationSummary};

pub(super) fn document(rows: &[SimulationRow]) -> Document<'static> {
    Document::of_text(text(rows), columns().array(rows))
}

fn cells(row: &SimulationRow) -> Vec<String> {
    let rule = row.spec.rule;
    let summary = &row.summary;
    let mark = |goal| if row.missed.contains(&goal) { "!" } else { "" };
    let share = |rate: Rate, mark: &str| match (rate.value(), rate.standard_error()) {
        (Some(value), Some(error)) => format!("{:.2} ±{:.2}{mark}", 100.0 * value, 100.0 * error),
        _ => "-".to_owned(),
    };
    let of_test = |rate: Rate| rule.sprt.map_or("-".to_owned(), |_| share(rate, ""));
    let pairs = summary.pairs().map_or("-".to_owned(), |(mean, error)| {
        format!("{mean:.1} ±{error:.1}{}", mark(Goal::Length))
    });
    let theory = row.expected_pairs;
    vec![
        elo_model_name(row.spec.model).to_owned(),
        mix(&row.spec),
        rule.sprt.map_or("-".to_owned(), |sprt| {
            format!("[{}, {}]", sprt.elo0(), sprt.elo1())
        }),
        signed(Some(row.spec.elo), 1),
        of_test(summary.accepted_h1),
        row.error
            .map_or("-".to_owned(), |(rate, _)| share(rate, mark(Goal::Error))),
        share(summary.fixed, mark(Goal::Fixed)),
        share(summary.corrected, mark(Goal::Corrected)),
        share(summary.anytime, mark(Goal::Anytime)),
        share(summary.normalized, ""),
        share(summary.corrected_above, ""),
        pairs,
        or_dash(theory, 1),
        or_dash(row.pairs_ratio(), 4),
    ]
}

fn mix(spec: &SimulationSpec) -> String {
    let openings = &spec.openings;
    let mut text = match &openings.pool {
        Some(pool) if pool.is_mirrored => said("pairs of the run, even").into_owned(),
        Some(_) => said("pairs of the run").into_owned(),
        None => format!("{} / {}", spec.draw_ratio, spec.opening_bias),
    };
    if openings.sd != 0.0 {
        text += &format!(" ±{}", openings.sd);
    }
    if let Some(repeated) = openings.repeated {
        text += &format!(" x{repeated}");
    }
    text
}

const HEADER: [&str; 14] = [
    "model",
    "draws / bias",
    "test",
    "true Elo",
    "accepts H1 %",
    "error %",
    "fixed %",
    "corrected %",
    "anytime %",
    "nElo %",
    "above %",
    "pairs",
    "theory",
    "ratio",
];

const KEYS: usize = 4;

const LEGEND: &str = "\
error      wrong verdicts where one hypothesis is true; asked for: alpha under H0, beta under H1
fixed      coverage of the interval for a fixed length; after a test it is naive and promises nothing
corrected  coverage of the interval that is quoted after a test
nElo       coverage of the quoted interval on the normalized scale
anytime    matches in which the anytime-valid interval held the truth after every single pair
above      corrected point estimates above the truth; 50 % is median-unbiased
theory     mean pairs by Wald, without overshoot
!          misses its goal by more than 3 standard errors (±): error at most as asked for, coverage at \
           least the confidence, mean pairs within 5 % of theory
";

fn text(rows: &[SimulationRow]) -> String {
    let lines = titled_table(&HEADER, rows.iter().map(cells), Align::Keyed(KEYS));
    let missed = rows.iter().filter(|row| !row.missed.is_empty()).count();
    let verdict = match (missed, rows.len()) {
        (0, _) => "every row keeps every promise within 3 standard errors\n".to_owned(),
        (missed, all) => format!("{missed} of {all} rows miss a promise by more than 3 standard errors\n"),
    };
    let legend = wrapped(LEGEND);
    format!("{lines}\n{legend}\n{}", said_lines(&verdict))
}

/// The columns of `simulate.csv`.
pub(crate) fn columns() -> Columns<'static, SimulationRow> {
    let columns = spec_columns().within(|row: &SimulationRow| &row.spec);
    let columns = RATES.into_iter().fold(columns, |columns, (name, about, rate)| {
        columns.and(rate_columns(name, about).within(move |row: &SimulationRow| rate(&row.summary)))
    });
    let openings = opening_columns().within(|row: &SimulationRow| &row.spec);
    columns.and(length_columns()).and(openings)
}

pub(super) fn spec_columns() -> Columns<'static, SimulationSpec> {
    let of_test = |spec: &SimulationSpec, part: fn(&Sprt) -> f64| spec.rule.sprt.as_ref().map(part);
    columns! { spec: SimulationSpec;
        "model", "scale of the hypotheses and of the true strength" => elo_model_name(spec.model);
        "elo", "true strength of A on that scale" => spec.elo;
        "draws", "share of drawn games" => spec.draw_ratio;
        "bias", "what openings are worth to the first mover, in Elo" => spec.opening_bias;
        "elo0", "H0; empty without a test" => of_test(spec, Sprt::elo0);
        "elo1", "H1" => of_test(spec, Sprt::elo1);
        "alpha", "probability asked for to accept H1 under H0" => of_test(spec, Sprt::alpha);
        "beta", "probability asked for to accept H0 under H1" => of_test(spec, Sprt::beta);
        "pairs_max", "pairs after which a match ends undecided" => spec.rule.pairs_max;
        "confidence", "confidence of the intervals: 0.95, or what the errors of the test leave"
            => Cell::rounded(Some(spec.level().confidence()), FINE_DECIMALS);
        "matches", "matches simulated" => spec.matches;
        "seed", "decides every game" => spec.seed;
    }
}

/// How pairs depend on openings, which is empty where they do not.
pub(super) fn opening_columns() -> Columns<'static, SimulationSpec> {
    columns! { spec: SimulationSpec;
        "opening_sd", "by how much what an opening is worth to A varies, in Elo"
            => Some(spec.openings.sd).filter(|sd| *sd != 0.0);
        "repeat", "openings that are used again and again" => spec.openings.repeated;
        "from", "the run whose pairs were drawn again" => spec.openings.pool.as_ref().map(|pool| pool.origin.as_str());
        "even", "1 if the players of that run were exchanged in half of the openings"
            => spec.openings.pool.as_ref().filter(|pool| pool.is_mirrored).map(|_| 1_u64);
    }
}

/// A rate by its column, what it counts, and where it is kept.
type CountedRate = (&'static str, &'static str, fn(&SimulationSummary) -> &Rate);

const RATES: [CountedRate; 9] = [
    ("accepted_h1", "matches that accepted H1", |all| &all.accepted_h1),
    ("accepted_h0", "matches that accepted H0", |all| &all.accepted_h0),
    ("limit_reached", "matches that ended undecided", |all| {
        &all.limit_reached
    }),
    (
        "fixed",
        "matches whose interval for a fixed length held the truth",
        |all| &all.fixed,
    ),
    (
        "corrected",
        "matches whose quoted interval held the truth, after a test",
        |all| &all.corrected,
    ),
    (
        "corrected_above",
        "matches whose quoted estimate was above the truth, after a test",
        |all| &all.corrected_above,
    ),
    (
        "anytime",
        "matches whose anytime-valid interval held the truth after every pair",
        |all| &all.anytime,
    ),
    (
        "nelo",
        "matches whose quoted interval of normalized Elo held the truth",
        |all| &all.normalized,
    ),
    (
        "exact",
        "matches whose quoted interval was the exact one",
        |all| &all.exact,
    ),
];

fn rate_columns(name: &'static str, about: &'static str) -> Columns<'static, Rate> {
    columns! { rate: Rate;
        name, about => rate.hits;
        format!("{name}_of"), "matches that can be judged" => rate.trials;
        format!("{name}_rate"), "the share" => Cell::rounded(rate.value(), FINE_DECIMALS);
        format!("{name}_se"), "its standard error" => Cell::rounded(rate.standard_error(), FINE_DECIMALS);
    }
}

fn length_columns() -> Columns<'static, SimulationRow> {
    let fine = |value: Option<f64>| Cell::rounded(value, FINE_DECIMALS);
    columns! { row: SimulationRow;
        "pairs_sum", "pairs of all matches" => row.summary.pairs_sum as u64;
        "pairs_squares", "sum of the squares of their lengths in pairs" => row.summary.pairs_squares as u64;
        "pairs_mean", "mean length in pairs" => fine(row.summary.pairs().map(|(mean, _)| mean));
        "pairs_se", "its standard error" => fine(row.summary.pairs().map(|(_, error)| error));
        "pairs_theory", "mean length by Wald, without overshoot" => fine(row.expected_pairs);
        "pairs_ratio", "pairs_mean over pairs_theory" => fine(row.pairs_ratio());
        "error_rate", "share of wrong verdicts, where one hypothesis is true"
            => fine(row.error.and_then(|(rate, _)| rate.value()));
        "error_nominal", "the share asked for" => fine(row.error.map(|(_, nominal)| nominal));
        "missed", "promises missed by more than 3 standard errors"
            => row.missed.iter().map(|goal| goal.name()).collect::<Vec<_>>().join(" ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::simulation::tests::{grid, row};

    #[test]
    fn a_table_marks_what_misses_its_promise() {
        let mut kept = row(grid("--elo 0").specs().unwrap().remove(0));
        kept.missed.clear();
        let shown = text(&[kept.clone()]);
        assert!(shown.ends_with("every row keeps every promise within 3 standard errors\n"));
        kept.missed = vec![Goal::Corrected];
        let shown = text(&[kept.clone(), kept]);
        assert!(shown.matches("! ").count() == 3, "{shown}");
        assert!(shown.contains("2 of 2 rows miss"), "{shown}");
    }
}
