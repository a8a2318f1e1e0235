//! A result to paste where changes are discussed: a few lines in the form that users of fishtest and OpenBench know, or Markdown.

use crate::config::elo_model_name;
use crate::document::language::Language;
use crate::document::number::signed;
use crate::document::summary::Summary;
use crate::document::{Block, Document, Table};
use crate::kinds::match_::MatchFindings;
use crate::kinds::match_::report::time_losses;
use crate::kinds::tournament::TournamentFindings;
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
    if outcome.findings.of::<TournamentFindings>().is_some() {
        let tables = tables(&outcome.findings.document(None));
        return format!("**{}**\n\n{tables}\n", escaped(&headline));
    }
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
    // Its first line is the headline.
    let rest = || {
        document
            .text()
            .split_once('\n')
            .map_or_else(String::new, |(_, rest)| rest.to_owned())
    };
    let lines = found.map_or_else(rest, |found| lines(found, None));
    let answer = document.answer;
    let headline = match Language::spoken() {
        Language::English => format!("{}: {}", answer.state.word(), answer.sentence.en),
        Language::Japanese => format!("{}：{}", answer.state.said(), answer.sentence.said()),
    };
    [headline, lines]
}

/// The ratings, and the points of each pairing.
fn tables(document: &Document<'_>) -> String {
    let blocks = document.sections.iter().flat_map(|section| &section.blocks);
    let tables = blocks.filter_map(|block| match block {
        Block::Table(table) if table.caption.is_some() => Some(markdown_table(table)),
        _ => None,
    });
    tables.take(2).collect::<Vec<_>>().join("\n")
}

fn markdown_table(table: &Table) -> String {
    let shown: Vec<usize> = (0..table.columns.len())
        .filter(|&column| table.columns[column].is_on_page)
        .collect();
    let line = |cell: &dyn Fn(usize) -> String| {
        let cells: Vec<String> = shown.iter().map(|&column| cell(column)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let head = line(&|column| escaped(table.columns[column].name.said())) + &line(&|_| "---".to_owned());
    let rows = table
        .rows
        .iter()
        .map(|row| line(&|column| escaped(&row.cells[column].short())));
    head + &rows.collect::<String>()
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
    if !tally.is_of_single_games() {
        let [ll, ld, even, dw, ww] = tally.pentanomial;
        text += &format!("Penta | [{ll}, {ld}, {even}, {dw}, {ww}]\n");
    }
    let warnings = time_losses(&summary).map(|warning| format!("Time  | {warning}\n"));
    text + &warnings.collect::<String>()
}
