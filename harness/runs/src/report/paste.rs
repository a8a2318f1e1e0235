//! A result to paste where changes are discussed: a few lines in the form that users of fishtest and OpenBench know, or Markdown.

use crate::config::elo_model_name;
use crate::document::number::signed;
use crate::document::summary::Summary;
use crate::kinds::match_::MatchFindings;
use crate::session::outcome::Outcome;
use crate::stats::Estimate;

pub fn text_block(outcome: &Outcome) -> String {
    let [headline, lines] = parts(outcome);
    format!("{headline}\n{lines}")
}

/// As [`text_block`], with the time control and the options of both, and the bench of A.
pub fn test_block(outcome: &Outcome, conditions: &str, bench: Option<u64>) -> String {
    let document = outcome.findings.document(None);
    let found = outcome.findings.of::<MatchFindings>();
    let lines = found.map_or_else(String::new, |found| lines(found, Some(conditions)));
    let bench = bench.map(|nodes| format!("Bench | {nodes}\n"));
    let answer = &document.answer;
    let (word, sentence) = (answer.state.word(), &answer.sentence.en);
    format!("{word}: {sentence}\n{lines}{}", bench.unwrap_or_default())
}

pub fn markdown_block(outcome: &Outcome) -> String {
    let [headline, lines] = parts(outcome);
    // A label may hold a fence: the fence around it is longer.
    let longest = lines.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!(
        "**{}**\n\n{fence}\n{}\n{fence}\n",
        escaped(&headline),
        lines.trim_end()
    )
}

fn parts(outcome: &Outcome) -> [String; 2] {
    let document = outcome.findings.document(None);
    let found = outcome.findings.of::<MatchFindings>();
    let lines = found.map_or_else(|| document.text(), |found| lines(found, None));
    let answer = document.answer;
    [format!("{}: {}", answer.state.word(), answer.sentence.en), lines]
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if matches!(character, '\\' | '*' | '_' | '`' | '<' | '|') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn lines(found: &MatchFindings, conditions: Option<&str>) -> String {
    let summary = Summary::new(&found.match_state, &found.labels);
    let (tally, estimates) = (&summary.tally, &summary.estimates);
    let percent = (1000.0 * estimates.level.confidence()).round() / 10.0;
    // The longer side of the interval, as OpenBench does.
    let margin = |estimate: &Estimate| match (estimate.value, estimate.low, estimate.high) {
        (Some(value), Some(low), Some(high)) => {
            format!(
                "{value:.2} +- {:.2} ({percent}%)",
                (value - low).max(high - value)
            )
        }
        (value, ..) => signed(value, 2),
    };
    let mut text = format!("A     | {}\nB     | {}\n", summary.labels[0], summary.labels[1]);
    text += &format!("Elo   | {}\n", margin(&estimates.elo));
    text += &format!("nElo  | {}\n", margin(&estimates.nelo));
    let sprt = found.match_state.progress.rule.sprt;
    if let Some(conditions) = conditions {
        let name = if sprt.is_some() { "SPRT" } else { "Conf" };
        text += &format!("{name}  | {conditions}\n");
    }
    if let (Some(sprt), Some(llr), Some(bounds)) = (sprt, estimates.llr(), estimates.bounds()) {
        let model = elo_model_name(sprt.model());
        text += &format!(
            "LLR   | {llr:.2} ({:.2}, {:.2}) [{:.2}, {:.2}] {model}\n",
            bounds.lower,
            bounds.upper,
            sprt.elo0(),
            sprt.elo1()
        );
    }
    text += &format!(
        "Games | N: {} W: {} L: {} D: {}\n",
        tally.games(),
        tally.wins(),
        tally.losses(),
        tally.draws
    );
    let [ll, ld, even, dw, ww] = tally.pentanomial;
    text + &format!("Penta | [{ll}, {ld}, {even}, {dw}, {ww}]\n")
}
