//! Several runs side by side: the same columns, the same axes, what differs between their specifications.

use maud::html;

use crate::kinds::match_::MatchFindings;
use crate::session::outcome::Outcome;
use crate::session::stored::Run;

use crate::document::answer::{Answer, State};
use crate::document::summary::Summary;
use crate::document::text::Text;
use crate::document::{Block, Document, Section, Table};
use crate::document::{course, intervals};
use crate::kinds::match_::page::walk_of;
use crate::kinds::match_::report::interval;

pub(super) fn document<'a>(runs: &[(&'a Outcome, &Run)]) -> Document<'a> {
    let name = |outcome: &Outcome| {
        let folder = &outcome.folder;
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        name.to_string_lossy().into_owned()
    };
    let names: Vec<String> = runs.iter().map(|(outcome, _)| name(outcome)).collect();
    let answers = runs.iter().zip(&names).map(|((outcome, _), name)| {
        let answer = outcome.findings.document(None).answer;
        (Text::plain(name), answer)
    });
    let answers: Vec<(Text, Answer)> = answers.collect();
    let mut sections = vec![Section::new(
        "result",
        Text::plain(""),
        vec![Block::figure(Text::new("Answers"), move || {
            html! { table { @for (name, answer) in &answers { tr { th scope="row" { (name) } td class=(answer.state.name()) { (answer) } } } } }
        })],
    )];
    let (mut summaries, mut walks) = (Vec::new(), Vec::new());
    for ((outcome, _), name) in runs.iter().zip(&names) {
        let Some(found) = outcome.findings.of::<MatchFindings>() else {
            continue;
        };
        summaries.push((name.clone(), Summary::new(&found.match_state, &found.labels)));
        walks.extend(walk_of(&found.match_state).map(|walk| course::LlrWalk {
            name: name.clone(),
            ..walk
        }));
    }
    if !summaries.is_empty() {
        sections.push(strengths(&summaries));
    }
    if !walks.is_empty() {
        let caption = Text::new("Tests: log-likelihood ratios over games");
        let figure = Block::figure(caption, move || course::walks(&walks));
        sections.push(Section::new("course", Text::plain(""), vec![figure]));
    }
    sections.push(specifications(runs, &names));
    Document {
        title: names.join(" – "),
        answer: Answer::new(
            State::Counted,
            Text::filled("{count} runs side by side.", &[("count", &runs.len())]),
        ),
        sections,
    }
}

fn strengths<'a>(matches: &[(String, Summary)]) -> Section<'a> {
    let names = [
        Text::new("run"),
        Text::plain("A"),
        Text::plain("B"),
        Text::new("pairs"),
        Text::new("Elo of A"),
        Text::new("verdict"),
    ];
    let (mut rows, mut estimates) = (Vec::new(), Vec::new());
    for (name, summary) in matches {
        let ([a, b], elo) = (summary.labels.clone(), summary.estimates.elo);
        let (pairs, verdict) = (summary.tally.pairs().to_string(), summary.state().said());
        rows.push(vec![name.clone(), a, b, pairs, interval(&elo), verdict]);
        estimates.push((name.clone(), elo));
    }
    let table = Table::page(Text::new("Matches"), names, rows);
    let figure = Block::figure(Text::new("Elo of A on one scale"), move || {
        intervals::elo(Text::new("run"), &estimates)
    });
    Section::new(
        "strength",
        Text::new("Strength"),
        vec![figure, Block::Table(table)],
    )
}

fn specifications<'a>(runs: &[(&Outcome, &Run)], names: &[String]) -> Section<'a> {
    let lines: Vec<Vec<&str>> = runs
        .iter()
        .map(|(_, run)| run.manifest.spec_toml.lines().collect())
        .collect();
    let blocks = names.iter().zip(&lines).flat_map(|(name, own)| {
        let is_shared = |line: &str| lines.iter().all(|other| other.contains(&line));
        let only = own
            .iter()
            .filter(|line| !is_shared(line) && !line.trim().is_empty());
        let only: Vec<&str> = only.copied().collect();
        let text = if only.is_empty() {
            "–".to_owned()
        } else {
            only.join("\n")
        };
        [Block::Note(Text::plain(name)), Block::Verbatim(text)]
    });
    let blocks = blocks.collect();
    Section::new(
        "differences",
        Text::new("Where their specifications differ"),
        blocks,
    )
}
