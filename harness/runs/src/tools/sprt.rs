//! What a sequential test says about counts from elsewhere, and how it would go for true strengths.

mod results;

use std::path::Path;

use serde_json::{Map, Value, json};

use self::results::{OrderedResults, read_results};
use crate::config::sprt_text;
use crate::document::Document;
use crate::document::answer::{Answer, State};
use crate::document::columns::columns;
use crate::document::number::{percent, plural, signed};
use crate::document::summary::{estimate_text, estimates_columns, other_intervals, test_text};
use crate::document::table::{Align, inner_table, named_lines, titled};
use crate::document::text::Text;
use crate::kinds::match_::report::llr_gauge;
use crate::session::error::{ExperimentError, Result};
use crate::stats::elo::elo_of_score;
use crate::stats::{
    Bounds, Calculator, CalculatorError, DecidedBy, EloModel, Estimates, Forecast, Hypothesis, Sample, Sprt,
    Walk,
};
use crate::stop::{StopRule, TestProgress, Verdict};

/// True strengths where none is asked for, as shares of the way from H0 to H1.
const TRUTHS: [f64; 9] = [-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0];

/// What `sprt` says about counts whose order nobody knows.
pub fn test(sample: &Sample, sprt: &Sprt) -> Document<'static> {
    let walk = Walk::of_counts(sample, *sprt);
    let decided_by = if walk.accepted().is_some() {
        DecidedBy::Test
    } else {
        DecidedBy::Nothing
    };
    judged(
        sample,
        &Estimates::new(sample, Some(walk), decided_by),
        Vec::new(),
        Map::new(),
    )
}

/// What `sprt` says about the results in `path`, one by one, up to where it stops; from the view of `player`, or of who moved first in the
/// first game.
pub fn test_in_order(path: &Path, player: Option<&str>, sprt: &Sprt) -> Result<Document<'static>> {
    let OrderedResults {
        players: [a, b],
        pairs,
        unfinished,
    } = read_results(path, player)?;
    let mut progress = TestProgress::new(StopRule::new(Some(*sprt), u64::MAX));
    for &(opening, pair) in &pairs {
        progress.add(opening, pair);
        if progress.verdict().is_some() {
            break;
        }
    }
    let (counted, given) = (progress.tally.pairs(), pairs.len() as u64);
    let stop = match progress.verdict() {
        Some(_) => format!("after {counted} of {}", plural(given, "pair")),
        None => format!("none in {}", plural(given, "pair")),
    };
    let mut lines = vec![("A", a.clone()), ("B", b.clone()), ("Stop", stop)];
    if unfinished > 0 {
        let unfinished = plural(unfinished, "pair");
        lines.push(("", format!("{unfinished} left out: a game has no result")));
    }
    let values = json!({
        "a": a,
        "b": b,
        "pairs": counted,
        "pairs_given": given,
        "pairs_unfinished": unfinished,
        "stopped": progress.verdict().is_some(),
        "pentanomial": progress.tally.pentanomial,
    });
    let values = values.as_object().cloned().unwrap_or_default();
    let estimates = progress.estimates(progress.decided_by());
    Ok(judged(&progress.sample(), &estimates, lines, values))
}

/// The answer about `sample`, after what else is said of it.
fn judged(
    sample: &Sample,
    estimates: &Estimates,
    mut lines: Vec<(&'static str, String)>,
    mut values: Map<String, Value>,
) -> Document<'static> {
    let Some(walk) = estimates.test else {
        return Document::of_text(named_lines(lines), Value::Object(values));
    };
    let (state, claim) = match walk.accepted() {
        Some(Hypothesis::H1) => (State::Passed, Text::template("H1 accepted")),
        Some(Hypothesis::H0) => (State::Failed, Text::template("H0 accepted")),
        None => (State::Undecided, Text::template("no hypothesis accepted")),
    };
    let verdict = walk
        .accepted()
        .map_or("undecided", |hypothesis| Verdict::accepting(hypothesis).name());
    let (llr, Bounds { lower, upper }) = (walk.llr, walk.bounds);
    values.extend([
        ("llr".to_owned(), json!(llr)),
        ("lower".to_owned(), json!(lower)),
        ("upper".to_owned(), json!(upper)),
        ("verdict".to_owned(), json!(verdict)),
    ]);
    values.extend(estimates_columns().and(other_intervals()).object(estimates));
    let (name, counts) = counts(sample);
    lines.push((name, format!("{counts}   win rate {}", percent(estimates.score))));
    lines.extend(llr.map(|llr| ("LLR", format!("{llr:+.2}   {}", llr_gauge(llr, walk.bounds)))));
    lines.push(("LOS", percent(estimates.los)));
    let games = sample.count() * sample.games_per_sample();
    let test = Text::filled(", {test}", &[("test", &test_text(&walk.sprt))]);
    let answer = Answer::new(
        state,
        Text::filled(claim, &[])
            .then(&estimate_text(estimates, games))
            .then(&test),
    );
    Document::answered(answer, named_lines(lines), Value::Object(values))
}

fn counts(sample: &Sample) -> (&'static str, String) {
    let (names, unit): (&[&str], &str) = if sample.games_per_sample() == 2 {
        (&["0", "½", "1", "1½", "2"], "Pairs")
    } else {
        (&["L", "D", "W"], "Games")
    };
    let each = names.iter().zip(sample.counts());
    let each: Vec<String> = each.map(|(name, count)| format!("{name}: {count}")).collect();
    (unit, each.join("   "))
}

struct ForecastRow {
    elo: f64,
    elo_logistic: Option<f64>,
    forecast: Forecast,
}

impl ForecastRow {
    fn new(calculator: &Calculator, elo: f64) -> Result<ForecastRow, CalculatorError> {
        Ok(ForecastRow {
            elo,
            elo_logistic: elo_of_score(calculator.score(elo)?),
            forecast: calculator.forecast(elo)?,
        })
    }
}

/// How `sprt` goes for these true strengths on its scale, or as far as possible for a range around the hypotheses; `draws` is the share
/// of drawn games, `bias` the root mean square advantage that openings give to one side, in Elo.
pub fn forecast(sprt: &Sprt, draws: f64, bias: f64, elo: &[f64]) -> Result<Document<'static>> {
    let rows = forecast_rows(sprt, draws, bias, elo)?;
    let games = format!("share of draws {draws}, advantage of the opening {bias} Elo (assumed)");
    Ok(Document::of_text(
        forecast_text(&rows, sprt, games),
        forecast_values(&rows),
    ))
}

fn forecast_rows(sprt: &Sprt, draws: f64, bias: f64, elo: &[f64]) -> Result<Vec<ForecastRow>> {
    if !bias.is_finite() || bias < 0.0 {
        let message =
            format!("--bias {bias} must be a finite number, and not below 0: it is a root mean square");
        return Err(ExperimentError::Input(message));
    }
    let calculator = Calculator::new(sprt, draws, bias)
        .map_err(|error| ExperimentError::Input(format!("--draws {draws}, --bias {bias}: {error}")))?;
    if elo.is_empty() {
        let width = sprt.elo1() - sprt.elo0();
        let truths = TRUTHS.into_iter().map(|share| sprt.elo0() + share * width);
        return Ok(truths
            .flat_map(|elo| ForecastRow::new(&calculator, elo))
            .collect());
    }
    let row = |&elo: &f64| {
        ForecastRow::new(&calculator, elo)
            .map_err(|error| ExperimentError::Input(format!("--elo {elo}: {error}")))
    };
    elo.iter().map(row).collect()
}

/// An array of rows; one row alone is an object.
fn forecast_values(rows: &[ForecastRow]) -> Value {
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
fn forecast_text(rows: &[ForecastRow], sprt: &Sprt, games: String) -> String {
    let is_normalized = sprt.model() == EloModel::Normalized;
    let header: &[&str] = if is_normalized {
        &["true nElo", "Elo", "accepts H1", "pairs", "games"]
    } else {
        &["true Elo", "accepts H1", "pairs", "games"]
    };
    let cells = rows.iter().map(|row| {
        let mut cells = vec![signed(Some(row.elo), 2)];
        cells.extend(is_normalized.then(|| signed(row.elo_logistic, 2)));
        cells.push(percent(Some(row.forecast.pass_probability)));
        cells.extend([row.forecast.pairs(), row.forecast.games].map(|count| format!("{count:.0}")));
        cells
    });
    format!(
        "{}\n{}\n  Pairs and games are means; single matches vary widely.\n",
        named_lines([("Test", sprt_text(sprt)), ("Games", games)]),
        inner_table(&titled(header, cells), Align::Right)
    )
}
