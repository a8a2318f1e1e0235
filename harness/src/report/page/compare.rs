//! Several runs side by side: the same columns, the same axes, what differs between their specifications.

use crate::kinds::match_::MatchFindings;
use crate::session::outcome::Outcome;
use crate::session::stored::Run;

use crate::document::summary::Summary;
use crate::document::text::{Text, text};
use crate::document::{Block, Document, Section, Table};
use crate::document::{course, intervals};
use crate::kinds::match_::report::{interval, walk_of};

pub(super) fn document<'a>(runs: &[(&'a Outcome, &Run)]) -> Document<'a> {
    let name = |outcome: &Outcome| {
        let last = outcome.folder.file_name();
        last.map_or_else(
            || outcome.folder.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        )
    };
    let names: Vec<String> = runs.iter().map(|(outcome, _)| name(outcome)).collect();
    let answers = runs.iter().zip(&names).map(|((outcome, _), name)| {
        let document = outcome.findings.document(None);
        (Text::plain(name), document.headline)
    });
    let mut sections = vec![Section::new(
        "result",
        text!("Answers"),
        vec![Block::Facts(answers.collect())],
    )];
    let matches = runs.iter().zip(&names).filter_map(|((outcome, _), name)| {
        let found = outcome.findings.of::<MatchFindings>()?;
        let summary = Summary::new(&found.standing, &found.labels);
        Some((name, summary, walk_of(&found.standing)))
    });
    let (mut summaries, mut walks) = (Vec::new(), Vec::new());
    for (name, summary, walk) in matches {
        summaries.push((name.clone(), summary));
        walks.extend(walk.map(|walk| course::Walk {
            name: name.clone(),
            ..walk
        }));
    }
    if !summaries.is_empty() {
        sections.push(strengths(&summaries));
    }
    if !walks.is_empty() {
        let caption = text!("The tests: log likelihood ratios on one scale, each between its bounds");
        let figure = Block::figure(caption, move || course::walks(&walks));
        sections.push(Section::new("course", text!("Course"), vec![figure]));
    }
    sections.push(specifications(runs, &names));
    Document {
        title: names.join(" – "),
        headline: text!("{count} runs side by side.", count = runs.len()),
        sections,
    }
}

fn strengths<'a>(matches: &[(String, Summary)]) -> Section<'a> {
    let rows = matches
        .iter()
        .map(|(name, summary)| (name.clone(), summary.estimates.best_elo()));
    let rows: Vec<_> = rows.collect();
    let names = [
        text!("run"),
        Text::plain("A"),
        Text::plain("B"),
        text!("pairs"),
        text!("Elo of A"),
        text!("verdict"),
    ];
    let table = Table::page(
        text!("Matches"),
        names,
        matches.iter().map(|(name, summary)| {
            vec![
                name.clone(),
                summary.labels[0].clone(),
                summary.labels[1].clone(),
                summary.tally.pairs().to_string(),
                interval(&summary.estimates.best_elo()),
                summary.verdict.name().to_owned(),
            ]
        }),
    );
    let figure = Block::figure(text!("Elo of A on one scale"), move || {
        intervals::svg("Elo", &rows)
    });
    Section::new("strength", text!("Strength"), vec![figure, Block::Table(table)])
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
    Section::new("differences", text!("Where their specifications differ"), blocks)
}
