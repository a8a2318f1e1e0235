//! The pages of what is no match and no tournament, and what every page says of what was run.
//!
//! In: findings. Out: sections.

use super::matches::{drawn, standing};
use super::section::{Block, Row, Section, Table};
use super::text::Text;
use crate::experiment::{
    AblationFindings, FileError, NightFindings, NodesFindings, OddsFindings, Run, TuningFindings,
};
use crate::report::found::{night as night_rows, nodes as nodes_report, odds as odds_report};
use crate::report::{ablation as ablation_report, night as night_report, nodes, odds as odds_files, plot};

/// Pictures of a tuning in the plane of two numbers: its surface if it has one, and its way.
fn planes(found: &TuningFindings) -> Result<Vec<Block>, FileError> {
    let mut blocks = Vec::new();
    let surface = found.trajectory.surface.as_ref();
    if let Some((svg, [one, other])) =
        surface.and_then(|surface| plot::slice::svg(&found.spec.space, surface))
    {
        blocks.push(Block::Figure {
            caption: Text::new(
                format!("The surface in the plane of {one} and {other}: Elo against the start"),
                format!("{one} と {other} の面での曲面(開始時との Elo 差)"),
            ),
            svg: drawn(svg)?,
        });
    }
    if let Some((svg, [one, other])) = plot::plane::svg(&found.spec.space, &found.trajectory) {
        blocks.push(Block::Figure {
            caption: Text::new(
                format!("{one} and {other}, which moved most, together: from the red dot to the green one"),
                format!("最も動いた {one} と {other} の軌跡(赤が開始、緑が現在)"),
            ),
            svg: drawn(svg)?,
        });
    }
    Ok(blocks)
}

/// A tuning: the values, their paths, the match that confirms them.
pub(super) fn tuning(found: &TuningFindings) -> Result<Vec<Section>, FileError> {
    let parameters = found.spec.space.parameters().iter().zip(found.tuned());
    let rows = parameters.map(|(parameter, now)| Row {
        cells: vec![
            parameter.name.clone(),
            parameter.text(parameter.start),
            parameter.text(now),
            format!("{:+.2}", (now - parameter.start) / parameter.c_end),
        ],
        ..Row::default()
    });
    let column = |en: &str, ja: &str, about: &str| (Text::new(en, ja), about.to_owned());
    let values = Table {
        caption: Text::new("Values", "値"),
        columns: vec![
            column("parameter", "パラメータ", ""),
            column("start", "開始", ""),
            column("now", "現在", ""),
            column(
                "change in c_end",
                "変化(c_end 単位)",
                "how many of its last steps it moved",
            ),
        ],
        rows: rows.collect(),
    };
    let svg = plot::tuning::svg(
        found.spec.label(),
        &found.spec.plan,
        &found.spec.space,
        &found.trajectory,
    );
    let mut blocks = vec![
        Block::Table(values),
        Block::Figure {
            caption: Text::new("The path of every parameter", "各パラメータの推移"),
            svg: drawn(svg)?,
        },
    ];
    blocks.extend(planes(found)?);
    let mut sections = vec![Section::new("result", Text::new("Values", "値"), blocks)];
    if let Some(confirmation) = &found.confirmation {
        let mut confirmed = standing(&confirmation.standing, &confirmation.labels)?;
        let titles = [
            Text::new(
                "The match that confirms it: tuned (A) against start (B)",
                "確認の対局:調整後 (A) 対 開始時 (B)",
            ),
            Text::new("Its course", "確認の対局の経過"),
        ];
        for ((section, title), id) in confirmed
            .iter_mut()
            .zip(titles)
            .zip(["confirm", "confirm-course"])
        {
            (section.id, section.title) = (id, title);
        }
        sections.append(&mut confirmed);
    }
    Ok(sections)
}

/// A study of odds: the curve and its batches.
pub(super) fn odds(found: &OddsFindings) -> Result<Vec<Section>, FileError> {
    let report = odds_report(found);
    let rows: Vec<_> = report.rows().collect();
    let blocks = vec![
        Block::Figure {
            caption: Text::new("Score of A over the ratio it was played at", "比と A の得点"),
            svg: drawn(report.svg())?,
        },
        Block::Table(Table::of_sheet(
            Text::new("Batches", "バッチ"),
            &odds_files::sheet(),
            &rows,
            &[],
        )),
    ];
    Ok(vec![Section::new(
        "result",
        Text::new("Equal strength", "同じ強さ"),
        blocks,
    )])
}

/// An ablation: a row a setting, by what it is worth.
pub(super) fn ablation(found: &AblationFindings) -> Result<Vec<Section>, FileError> {
    let rows = ablation_report::by_worth(&found.rows);
    let mut table = Table::of_sheet(
        Text::new("Settings", "設定"),
        &ablation_report::sheet(),
        rows.iter().copied(),
        &[],
    );
    for (row, of) in table.rows.iter_mut().zip(&rows) {
        row.is_faint = of.elo.value.is_none();
    }
    let blocks = vec![
        Block::Figure {
            caption: Text::new(
                "Elo and nodes of every setting as it stands against its change",
                "各設定を変えた場合との Elo とノード数の比較",
            ),
            svg: drawn(plot::ablation::svg(&rows))?,
        },
        Block::Table(table),
    ];
    Ok(vec![Section::new(
        "result",
        Text::new("What each is worth", "各設定の価値"),
        blocks,
    )])
}

/// A count of nodes.
pub(super) fn nodes(found: &NodesFindings) -> Result<Vec<Section>, FileError> {
    let report = nodes_report(found);
    let rows: Vec<_> = report.summary_rows().collect();
    let counters: Vec<_> = report.counter_rows().collect();
    let mut sections = vec![Section::new(
        "result",
        Text::new("Nodes to each depth", "各深さまでのノード数"),
        vec![
            Block::Figure {
                caption: Text::new(
                    "Nodes to each depth and their ratio to the first",
                    "各深さまでのノード数と最初の設定に対する比",
                ),
                svg: drawn(report.image())?,
            },
            Block::Table(Table::of_sheet(
                Text::new("By depth", "深さ別"),
                &nodes::summary_sheet(),
                &rows,
                &[],
            )),
        ],
    )];
    if !counters.is_empty() {
        let table = Table::of_sheet(
            Text::new("Counters", "計数"),
            &nodes::counters_sheet(),
            &counters,
            &[],
        );
        sections.push(Section::new(
            "counters",
            Text::new("How often each technique acted", "各手法の働いた回数"),
            vec![Block::Table(table)],
        ));
    }
    Ok(sections)
}

/// A night's queue: a row a job, each leading to its own page.
pub(super) fn night(found: &NightFindings) -> Vec<Section> {
    let rows = night_rows(found);
    let mut table = Table::of_sheet(Text::new("Jobs", "ジョブ"), &night_report::sheet(), &rows, &[]);
    for (row, (job, entry)) in table.rows.iter_mut().zip(&found.jobs) {
        row.link = entry.is_some().then(|| format!("{}/report.html", job.name));
        row.is_faint = entry.is_none();
    }
    vec![Section::new(
        "result",
        Text::new("The plan and its verdicts", "計画と判定"),
        vec![Block::Table(table)],
    )]
}

/// What was run.
pub(super) fn specification(run: &Run) -> Section {
    let blocks = vec![Block::Verbatim(run.about().spec_toml.clone())];
    Section::new("specification", Text::new("What was run", "実行した内容"), blocks)
}
