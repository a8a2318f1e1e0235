//! Several runs side by side: the same columns, the same axes, what differs between their specifications.
//!
//! In: outcomes. Out: a page.

use super::answer::{self, shown};
use super::draft::Page;
use super::matches::{drawn, walk_of};
use super::section::{Block, Row, Section, Table};
use super::text::Text;
use crate::experiment::{ExperimentError, Findings, Outcome, Run};
use crate::report::plot::{course, intervals};
use crate::report::summary::Summary;
use crate::standing::Standing;

/// The page.
pub(super) fn page(runs: &[(&Outcome, &Run)]) -> Result<Page, ExperimentError> {
    let name = |outcome: &Outcome| {
        let last = outcome.folder.file_name();
        last.map_or_else(
            || outcome.folder.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        )
    };
    let names: Vec<String> = runs.iter().map(|(outcome, _)| name(outcome)).collect();
    let answers = runs.iter().zip(&names).map(|((outcome, _), name)| {
        let sentence = answer::sentence(outcome);
        (Text::same(name.clone()), sentence)
    });
    let mut sections = vec![Section::new(
        "result",
        Text::new("Answers", "答え"),
        vec![Block::Facts(answers.collect())],
    )];
    let matches = runs
        .iter()
        .zip(&names)
        .filter_map(|((outcome, _), name)| match &outcome.findings {
            Findings::Match(found) => Some((
                name.clone(),
                &found.standing,
                Summary::new(&found.standing, &found.labels),
            )),
            _ => None,
        });
    let matches: Vec<(String, &Standing, Summary)> = matches.collect();
    if !matches.is_empty() {
        sections.push(strengths(&matches)?);
    }
    let walks = matches.iter().filter_map(|(name, standing, summary)| {
        let walk = walk_of(standing, summary)?;
        Some((name.clone(), walk))
    });
    let walks: Vec<(String, course::Walk)> = walks.collect();
    if !walks.is_empty() {
        sections.push(tests(&walks)?);
    }
    sections.push(specifications(runs, &names));
    Ok(Page {
        title: names.join(" – "),
        kind: "comparison",
        verdict: None,
        answer: Text::new(
            format!("{} runs side by side.", runs.len()),
            format!("{} 件の実行を並べています。", runs.len()),
        ),
        sections,
    })
}

/// The walks of their tests.
fn tests(walks: &[(String, course::Walk)]) -> Result<Section, ExperimentError> {
    let figure = Block::Figure {
        caption: Text::new(
            "The tests: log likelihood ratios on one scale, each between its bounds",
            "検定:同じ目盛での対数尤度比と境界",
        ),
        svg: drawn(course::walks(walks))?,
    };
    Ok(Section::new("course", Text::new("Course", "経過"), vec![figure]))
}

fn strengths(matches: &[(String, &Standing, Summary)]) -> Result<Section, ExperimentError> {
    let rows: Vec<_> = matches
        .iter()
        .map(|(name, _, summary)| (name.clone(), summary.estimates.best_elo()))
        .collect();
    let table = Table {
        caption: Text::new("Matches", "対局"),
        columns: [
            ("run", "実行"),
            ("A", "A"),
            ("B", "B"),
            ("pairs", "ペア"),
            ("Elo of A", "A の Elo"),
            ("verdict", "判定"),
        ]
        .map(|(en, ja)| (Text::new(en, ja), String::new()))
        .to_vec(),
        rows: matches
            .iter()
            .map(|(name, _, summary)| Row {
                cells: vec![
                    name.clone(),
                    summary.labels[0].clone(),
                    summary.labels[1].clone(),
                    summary.tally.pairs().to_string(),
                    shown(&summary.estimates.best_elo()),
                    summary.verdict.name().to_owned(),
                ],
                ..Row::default()
            })
            .collect(),
    };
    let figure = Block::Figure {
        caption: Text::new("Elo of A on one scale", "同じ目盛での A の Elo"),
        svg: drawn(intervals::svg("Elo", &rows))?,
    };
    Ok(Section::new(
        "strength",
        Text::new("Strength", "強さ"),
        vec![figure, Block::Table(table)],
    ))
}

/// The lines of the specifications that are not in all of them.
fn specifications(runs: &[(&Outcome, &Run)], names: &[String]) -> Section {
    let lines: Vec<Vec<&str>> = runs
        .iter()
        .map(|(_, run)| run.about().spec_toml.lines().collect())
        .collect();
    let facts = names.iter().zip(&lines).map(|(name, own)| {
        let only = own
            .iter()
            .filter(|line| !lines.iter().all(|other| other.contains(line)));
        let text: Vec<&str> = only.copied().filter(|line| !line.trim().is_empty()).collect();
        [
            Block::Note(Text::same(name.clone())),
            Block::Verbatim(if text.is_empty() {
                "–".to_owned()
            } else {
                text.join("\n")
            }),
        ]
    });
    Section::new(
        "differences",
        Text::new("Where their specifications differ", "指定の相違点"),
        facts.flatten().collect(),
    )
}
