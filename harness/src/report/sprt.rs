//! What a sequential test says about counts from elsewhere, and how it would go for true strengths.

use serde_json::{Value, json};

use crate::config::sprt_text;
use crate::document::columns::columns;
use crate::document::number::{percent, signed};
use crate::document::table::{Align, named_lines, titled_table};
use crate::kinds::match_::report::interval;
use crate::stats::{EloModel, Estimate, Estimates, Sample, Sprt, Walk};
use crate::stop::{Verdict, judge};
use crate::tools::forecast::ForecastRow;

/// The keys of `tanren sprt --json`.
pub fn test_json(sample: &Sample, sprt: &Sprt) -> Value {
    let walk = Walk::of_counts(sample, *sprt);
    let estimates = Estimates::new(sample, Some(walk));
    let stopped_elo = estimates.stopped.map_or(Estimate::UNKNOWN, |stopped| stopped.elo);
    json!({
        "llr": walk.llr,
        "lower": walk.bounds.lower,
        "upper": walk.bounds.upper,
        "state": state(&walk),
        "elo": estimates.elo.value,
        "elo_low": estimates.elo.low,
        "elo_high": estimates.elo.high,
        "nelo": estimates.nelo.value,
        "los": estimates.los,
        "stopped_elo": stopped_elo.value,
        "stopped_low": stopped_elo.low,
        "stopped_high": stopped_elo.high,
        "stopped_los": estimates.stopped.map(|stopped| stopped.los),
    })
}

/// The same for a reader, with the interval that holds at every look.
pub fn describe_test(sample: &Sample, sprt: &Sprt) -> String {
    let walk = Walk::of_counts(sample, *sprt);
    let estimates = Estimates::new(sample, Some(walk));
    let (llr, lower, upper) = (walk.llr.unwrap_or(0.0), walk.bounds.lower, walk.bounds.upper);
    let test = sprt_text(sprt);
    let elo = if estimates.is_enough {
        let (elo, nelo) = (interval(&estimates.elo), signed(estimates.nelo.value, 1));
        let los = percent(estimates.los);
        format!("{elo}  as if the length had been fixed (nElo {nelo}, LOS {los})")
    } else {
        let exact = estimates.exact.map_or("-".to_owned(), |exact| interval(&exact));
        format!("{exact}  exact, as if the length had been fixed: too few for more")
    };
    let mut lines = vec![
        ("counts", counts(sample, &estimates)),
        (
            "LLR",
            format!("{llr:+.4} between {lower:.4} and {upper:.4} ({test})"),
        ),
        ("state", state(&walk).to_owned()),
        ("Elo", elo),
    ];
    lines.extend(estimates.stopped.as_ref().map(|stopped| {
        let (elo, los) = (interval(&stopped.elo), percent(Some(stopped.los)));
        ("", format!("{elo}  allowing for the test's stop (LOS {los})"))
    }));
    let anytime = estimates.anytime.as_ref();
    lines.extend(anytime.map(|anytime| ("", interval(anytime) + "  at whatever moment one looks")));
    named_lines(lines)
}

fn counts(sample: &Sample, estimates: &Estimates) -> String {
    let (names, unit): (&[&str], &str) = if sample.games_per_sample() == 2 {
        (&["LL", "LD", "DD+WL", "DW", "WW"], "pairs")
    } else {
        (&["L", "D", "W"], "games")
    };
    let each: Vec<String> = names
        .iter()
        .zip(sample.counts())
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let score = percent(estimates.score);
    format!("{} {unit}: {} (score {score})", sample.count(), each.join(", "))
}

fn state(walk: &Walk) -> &'static str {
    let verdict = walk.llr.and_then(|llr| judge(llr, walk.bounds));
    verdict.map_or("undecided", Verdict::name)
}

/// An array of rows with the keys `elo`, `elo_logistic`, `pass_probability`, `expected_pairs`, `expected_games`; one row alone is an object.
pub fn forecasts_json(rows: &[ForecastRow]) -> Value {
    let columns = columns! { row: ForecastRow;
        "elo", "true strength on the test's scale" => row.elo;
        "elo_logistic", "the same in Elo" => row.elo_logistic;
        "pass_probability", "probability to accept H1" => row.forecast.pass_probability;
        "expected_pairs", "expected pairs" => row.forecast.pairs();
        "expected_games", "expected games" => row.forecast.games;
    };
    match rows {
        [row] => Value::Object(columns.object(row)),
        rows => columns.array(rows),
    }
}

/// A table with one line for each true strength; `games` says what the games were taken to be.
pub fn describe_forecasts(rows: &[ForecastRow], sprt: &Sprt, games: &str) -> String {
    let is_normalized = sprt.model() == EloModel::Normalized;
    let header: &[&str] = if is_normalized {
        &["true nElo", "Elo", "accepts H1", "pairs", "games"]
    } else {
        &["true Elo", "accepts H1", "pairs", "games"]
    };
    let cells = rows.iter().map(|row| {
        let elo = is_normalized.then(|| signed(row.elo_logistic, 2));
        let forecast = &row.forecast;
        let more = [
            percent(Some(forecast.pass_probability)),
            format!("{:.0}", forecast.pairs()),
            format!("{:.0}", forecast.games),
        ];
        std::iter::once(signed(Some(row.elo), 2))
            .chain(elo)
            .chain(more)
            .collect::<Vec<String>>()
    });
    format!(
        "{}\n{}\npairs and games are means of Wald's theory; single matches vary widely\n",
        named_lines([("test", sprt_text(sprt)), ("games", games.to_owned())]),
        titled_table(header, cells, Align::Right)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Calculator;

    #[test]
    fn the_reference_counts_give_the_reference_values() {
        let sprt: Sprt = crate::config::parse_sprt("elo0=0,elo1=2,model=normalized").unwrap();
        let value = test_json(&Sample::pairs([379, 10170, 21828, 10640, 343]), &sprt);
        let near = |key: &str, expected: f64| (value[key].as_f64().unwrap() - expected).abs() < 1e-4;
        assert!(near("llr", 2.945_495_430_9), "{value}");
        assert!(
            near("stopped_elo", 1.421_11) && near("stopped_los", 0.985_302),
            "{value}"
        );
        assert_eq!(value["state"], "accepted_h1");
    }

    #[test]
    fn what_cannot_be_given_is_null() {
        let value = test_json(&Sample::games(0, 0, 3), &Sprt::default());
        let keys = "elo elo_low nelo los stopped_elo stopped_low stopped_los";
        assert!(keys.split(' ').all(|key| value[key].is_null()), "{value}");
        assert_eq!(value["state"], "undecided");
    }

    #[test]
    fn few_results_show_their_exact_interval_and_many_the_usual_one() {
        let sprt = Sprt::default();
        let few = describe_test(&Sample::games(1, 1, 3), &sprt);
        assert!(
            few.contains("5 games: L 1, D 1, W 3 (score 70.0 %)") && few.contains("exact"),
            "{few}"
        );
        let many = describe_test(&Sample::pairs([0, 3, 10, 4, 1]), &sprt);
        assert!(
            many.contains("18 pairs: LL 0, LD 3, DD+WL 10, DW 4, WW 1"),
            "{many}"
        );
        assert!(
            !many.contains("exact") && many.contains("at whatever moment one looks"),
            "{many}"
        );
    }

    #[test]
    fn a_table_has_a_line_for_each_truth_and_names_both_scales() {
        let sprt = Sprt::default();
        let calculator = Calculator::new(&sprt, 0.3, 0.0).unwrap();
        let rows = [0.0, 5.0].map(|elo| ForecastRow::new(&calculator, elo).unwrap());
        let text = describe_forecasts(&rows, &sprt, "30 % draws");
        let line = |start: &str| {
            text.lines()
                .find(|line| line.trim_start().starts_with(start))
                .unwrap()
        };
        assert!(line("true nElo").contains("Elo") && line("games  ").contains("30 % draws"));
        assert!(
            line("+0.00").contains("5.0 %") && line("+5.00").contains("95.0 %"),
            "{text}"
        );
    }
}
