//! The page of a match.
//!
//! In: its findings, its ledger. Out: sections.

use super::answer::shown;
use super::gathered::Gathered;
use super::section::{Block, Row, Section, Table};
use super::text::Text;
use crate::experiment::{ExperimentError, FileError, MatchFindings, Run};
use crate::record::Reason;
use crate::report::number::percent;
use crate::report::plot::{bars, course};
use crate::report::summary::Summary;
use crate::report::{engines, files, hosts};
use crate::standing::{Standing, Step};

/// Points of a curve; more could not be told apart on paper.
const POINTS_MAX: usize = 400;
/// Openings shown at either end.
const OPENINGS_SHOWN: usize = 10;

/// The sections of a match that is stored.
pub(super) fn sections(found: &MatchFindings, run: &Run) -> Result<Vec<Section>, ExperimentError> {
    let gathered = Gathered::of(run, found.standing.tally().pairs())?;
    let mut sections = standing(&found.standing, &found.labels)?;
    sections.push(games(found, &gathered));
    if gathered.openings.len() > 1 {
        sections.push(openings(&gathered, &OF_PLAYERS));
    }
    let faults = run.ledger().excused()?;
    let mut blocks = Vec::new();
    if !found.engines.is_empty() {
        let caption = Text::new("Programs", "プログラム");
        blocks.push(Block::Table(Table::of_sheet(
            caption,
            &engines::sheet(),
            &found.engines,
            &[],
        )));
    }
    if !faults.is_empty() {
        let caption = Text::new("Pairs played again after a fault", "障害のため打ち直したペア");
        let sheet = files::replayed_sheet(&found.labels);
        blocks.push(Block::Table(Table::of_sheet(caption, &sheet, &faults, &[])));
    }
    if !found.hosts.is_empty() {
        let caption = Text::new("Machines", "計算機");
        blocks.push(Block::Table(Table::of_sheet(
            caption,
            &hosts::sheet(),
            &found.hosts,
            &[],
        )));
    }
    if !blocks.is_empty() {
        let title = Text::new("Programs and machines", "プログラムと計算機");
        sections.push(Section::new("programs", title, blocks));
    }
    Ok(sections)
}

/// Result and course.
pub(super) fn standing(standing: &Standing, labels: &[String; 2]) -> Result<Vec<Section>, FileError> {
    let summary = Summary::new(standing, labels);
    let steps = taken(standing);
    let mut blocks = Vec::new();
    if let Some(walk) = walk_of(standing, &summary) {
        blocks.push(Block::Figure {
            caption: Text::new(
                "The test: log likelihood ratio between its bounds, upper: A is stronger",
                "検定:対数尤度比と境界(上の境界:A が強い)",
            ),
            svg: drawn(course::walk(walk))?,
        });
    }
    let course = course::Course {
        points: steps.iter().map(|step| (pairs_of(step), step.elo())).collect(),
        at_end: [
            summary.estimates.anytime,
            summary.estimates.stopped.map(|stopped| stopped.elo),
        ],
    };
    blocks.push(Block::Figure {
        caption: Text::new(
            "Elo of A and its 95 % interval as if the length had been fixed; at the right end, green: at whatever moment one looks, red: \
             allowing for the test's stop",
            "A の Elo と 95% 区間(長さを固定とみなす)。右端の緑:いつ見ても有効な区間、赤:検定の停止を考慮した区間",
        ),
        svg: drawn(course::elo(&course))?,
    });
    let names = ["0", "½", "1", "1½", "2"];
    let rows = names.iter().zip(summary.tally.pentanomial);
    let rows: Vec<(String, u64)> = rows.map(|(name, count)| ((*name).to_owned(), count)).collect();
    blocks.push(Block::Figure {
        caption: Text::new("Pairs by the points that A scored in them", "A の得点別のペア数"),
        svg: drawn(bars::svg(&rows))?,
    });
    Ok(vec![
        Section::new(
            "result",
            Text::new("Result", "結果"),
            vec![Block::Facts(facts(&summary))],
        ),
        Section::new("course", Text::new("Course", "経過"), blocks),
    ])
}

/// The steps of a course, thinned out, with the last.
fn taken(standing: &Standing) -> Vec<Step> {
    let steps: Vec<Step> = standing.steps().collect();
    let every = steps.len().div_ceil(POINTS_MAX).max(1);
    let last = steps.len().saturating_sub(1);
    let steps = steps.into_iter().enumerate();
    let taken = steps.filter(|(index, _)| index % every == 0 || *index == last);
    taken.map(|(_, step)| step).collect()
}

fn pairs_of(step: &Step) -> f64 {
    step.pentanomial.iter().sum::<u64>() as f64
}

/// The walk of a match with a test.
pub(super) fn walk_of(standing: &Standing, summary: &Summary) -> Option<course::Walk> {
    let bounds = summary.estimates.bounds()?;
    let steps = taken(standing);
    Some(course::Walk {
        points: steps
            .iter()
            .filter_map(|step| Some((pairs_of(step), step.llr?)))
            .collect(),
        bounds: [bounds.lower, bounds.upper],
    })
}

fn facts(summary: &Summary) -> Vec<(Text, Text)> {
    let (tally, estimates) = (&summary.tally, &summary.estimates);
    let [a, b] = &summary.labels;
    let value = |text: String| Text::same(text);
    let mut facts = vec![
        (Text::same("A"), value(a.clone())),
        (Text::same("B"), value(b.clone())),
        (
            Text::new("Games", "対局"),
            Text::new(
                format!("{} in {} pairs", tally.games(), tally.pairs()),
                format!("{} 局({} ペア)", tally.games(), tally.pairs()),
            ),
        ),
        (
            Text::new("A won, drew, lost", "A の勝ち・引分・負け"),
            value(format!(
                "{} – {} – {} ({})",
                tally.wins(),
                tally.draws,
                tally.losses(),
                percent(estimates.score)
            )),
        ),
        (Text::new("Elo of A", "A の Elo"), value(shown(&estimates.elo))),
    ];
    if let Some(stopped) = &estimates.stopped {
        facts.push((
            Text::new("allowing for the stop", "停止を考慮"),
            value(shown(&stopped.elo)),
        ));
    }
    if let Some(anytime) = &estimates.anytime {
        facts.push((
            Text::new("at any moment", "いつ見ても有効"),
            value(shown(anytime)),
        ));
    }
    facts.push((
        Text::new("normalized Elo", "正規化 Elo"),
        value(shown(&estimates.nelo)),
    ));
    facts.push((
        Text::new("likelihood of superiority", "優越確率 (LOS)"),
        value(percent(estimates.los)),
    ));
    if let (Some(llr), Some(bounds)) = (estimates.llr(), estimates.bounds()) {
        facts.push((
            Text::same("LLR"),
            value(format!("{llr:+.2} ({:+.2}, {:+.2})", bounds.lower, bounds.upper)),
        ));
    }
    facts
}

fn games(found: &MatchFindings, gathered: &Gathered) -> Section {
    let games = found.standing.tally().games().max(1) as f64;
    let length = format!("{:.1}", found.standing.totals().plies as f64 / games);
    let note = Text::new(
        format!("A game has {length} plies in the mean."),
        format!("1局の平均手数は {length} 手です。"),
    );
    let blocks = vec![
        Block::Table(colours(gathered)),
        Block::Table(reasons(gathered, &OF_PLAYERS)),
        Block::Table(players(found, gathered)),
        Block::Note(note),
    ];
    let title = Text::new("What the games were like", "対局の内容");
    Section::new("games-summary", title, blocks)
}

fn columns(names: &[(&str, &str)]) -> Vec<(Text, String)> {
    let texts = names.iter().map(|(en, ja)| Text::new(*en, *ja));
    texts.map(|text| (text, String::new())).collect()
}

fn row(cells: Vec<String>) -> Row {
    Row {
        cells,
        ..Row::default()
    }
}

/// A name and counts.
fn counted(name: &str, counts: [u64; 3]) -> Row {
    let counts = counts.iter().map(u64::to_string);
    row(std::iter::once(name.to_owned()).chain(counts).collect())
}

fn colours(gathered: &Gathered) -> Table {
    let names = [
        ("A moves", "A の手番"),
        ("won", "勝ち"),
        ("drew", "引分"),
        ("lost", "負け"),
    ];
    let places = ["first", "second"].iter().zip(gathered.colours);
    Table {
        caption: Text::new("By colour", "手番別"),
        columns: columns(&names),
        rows: places.map(|(name, counts)| counted(name, counts)).collect(),
    }
}

/// Whose results are shown: English and Japanese.
pub(super) struct Sides {
    won: [(&'static str, &'static str); 2],
    worst: (&'static str, &'static str),
    best: (&'static str, &'static str),
    unit: (&'static str, &'static str),
    points: (&'static str, &'static str),
}

/// Of A and B.
const OF_PLAYERS: Sides = Sides {
    won: [("A won", "A 勝ち"), ("B won", "B 勝ち")],
    worst: ("Worst for A", "A に最も悪い定跡"),
    best: ("Best for A", "A に最も良い定跡"),
    unit: ("pairs", "ペア"),
    points: ("points of A in a pair", "A の得点(ペア)"),
};
/// Of who moves first and second.
pub(super) const OF_SIDES: Sides = Sides {
    won: [("first won", "先手勝ち"), ("second won", "後手勝ち")],
    worst: ("Worst for who moves first", "先手に最も悪い定跡"),
    best: ("Best for who moves first", "先手に最も良い定跡"),
    unit: ("games", "局"),
    points: ("points of the first in a game", "先手の得点(局)"),
};

pub(super) fn reasons(gathered: &Gathered, sides: &Sides) -> Table {
    let names = [("reason", "理由"), sides.won[0], sides.won[1], ("drawn", "引分")];
    let reasons = Reason::ALL.iter().zip(gathered.reasons);
    let seen = reasons.filter(|(_, counts)| counts.iter().sum::<u64>() > 0);
    Table {
        caption: Text::new("By reason of the end", "終局理由別"),
        columns: columns(&names),
        rows: seen
            .map(|(reason, counts)| counted(reason.name(), counts))
            .collect(),
    }
}

fn players(found: &MatchFindings, gathered: &Gathered) -> Table {
    let totals = found.standing.totals();
    let games = found.standing.tally().games().max(1) as f64;
    let names = [
        ("player", "対局者"),
        ("mean depth", "平均の深さ"),
        ("nodes a game", "1局のノード数"),
        ("seconds a game", "1局の秒数"),
    ];
    let rows = found.labels.iter().enumerate().map(|(player, label)| {
        let [depths, searches] = gathered.depths[player];
        row(vec![
            label.clone(),
            format!("{:.1}", depths as f64 / searches.max(1) as f64),
            format!("{:.0}", totals.nodes[player] as f64 / games),
            format!("{:.3}", totals.time_us[player] as f64 / games / 1e6),
        ])
    });
    Table {
        caption: Text::new("Depth, nodes and time", "深さ・ノード数・時間"),
        columns: columns(&names),
        rows: rows.collect(),
    }
}

pub(super) fn openings(gathered: &Gathered, sides: &Sides) -> Section {
    let ranked = gathered.ranked();
    let row = |&(line, pairs, halves): &(u32, u64, f64)| Row {
        cells: vec![
            line.to_string(),
            pairs.to_string(),
            format!("{:.2}", halves / 2.0),
        ],
        link: Some(format!("#opening={line}")),
        is_faint: false,
    };
    let table = |(en, ja): (&str, &str), rows: Vec<Row>| {
        Block::Table(Table {
            caption: Text::new(en, ja),
            columns: columns(&[("line in the suite", "行番号"), sides.unit, sides.points]),
            rows,
        })
    };
    let shown = OPENINGS_SHOWN.min(ranked.len() / 2);
    let blocks = vec![
        table(sides.worst, ranked.iter().take(shown).map(row).collect()),
        table(sides.best, ranked.iter().rev().take(shown).map(row).collect()),
        Block::Note(Text::new(
            format!("{} openings were played.", ranked.len()),
            format!("{} 個の開始局面が使われました。", ranked.len()),
        )),
    ];
    Section::new("openings", Text::new("By opening", "開始局面別"), blocks)
}

/// An image, or why there is none.
pub(super) fn drawn(svg: std::io::Result<String>) -> Result<String, FileError> {
    svg.map_err(|source| FileError::Write {
        path: "report.html".into(),
        source,
    })
}
