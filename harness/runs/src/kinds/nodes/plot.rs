//! `nodes.svg`: nodes to each depth, a line for each configuration, and below it their ratio to the first.

use std::io;

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::document::chart::{
    Area, BLUE, Chart, ChartFrame, FAINT_INK, Failure, GREEN, INK, NumberAxis, ORANGE, PURPLE, SKY,
    VERMILION, image, range, row_text, text, whole_mark,
};
use crate::kinds::nodes::{NodesSummary, SummaryRow};

/// Of the lines, the yellow of the palette left out.
const COLOURS: [RGBColor; 7] = [BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, RGBColor(40, 40, 40)];

const PLOT_WIDTH: u32 = 720;
const HEAD_HEIGHT: u32 = 76;
const NODES_HEIGHT: u32 = 400;
const RATIO_HEIGHT: u32 = 230;
const LEGEND_LINE: u32 = 24;
const LEGEND_MARGIN: u32 = 60;
const CHAR_WIDTH: u32 = 9;
const LABEL_CHARS_MAX: usize = 48;
const AXIS_WIDTH: u32 = 78;
const DEPTH: &str = "depth (plies)";

pub(crate) fn svg(summary: &NodesSummary, labels: &[String]) -> io::Result<String> {
    let labels: Vec<String> = labels.iter().map(|label| shortened(label)).collect();
    let has_ratio = labels.len() > 1;
    let plots_height = NODES_HEIGHT + if has_ratio { RATIO_HEIGHT } else { 0 };
    let legend_height = LEGEND_LINE * labels.len() as u32;
    let chars = labels.iter().map(|label| label.chars().count()).max();
    let legend_width = LEGEND_MARGIN + CHAR_WIDTH * chars.unwrap_or(0) as u32;
    let size = (
        PLOT_WIDTH + legend_width,
        HEAD_HEIGHT + plots_height.max(legend_height + LEGEND_LINE),
    );
    image(size, |root| {
        let (head, body) = root.split_vertically(HEAD_HEIGHT);
        let (plots, legend) = body.split_horizontally(PLOT_WIDTH);
        draw_head(&head, summary, has_ratio)?;
        draw_legend(&legend, &labels)?;
        let Some(depth_max) = summary.depth_compared() else {
            return Ok(());
        };
        let (nodes, rest) = plots.split_vertically(NODES_HEIGHT);
        draw_nodes(&nodes, summary, labels.len(), depth_max)?;
        if has_ratio {
            let (ratio, _) = rest.split_vertically(RATIO_HEIGHT);
            draw_ratio(&ratio, summary, labels.len(), depth_max)?;
        }
        Ok(())
    })
}

fn shortened(label: &str) -> String {
    let chars = label.chars().count();
    if chars <= LABEL_CHARS_MAX {
        return label.to_owned();
    }
    let end = label.chars().skip(chars - LABEL_CHARS_MAX + 1);
    std::iter::once('…').chain(end).collect()
}

fn draw_head(head: &Area<'_>, summary: &NodesSummary, has_ratio: bool) -> Result<(), Failure> {
    let title = text(26, INK);
    head.draw_text("Nodes to each depth", &title, (24, 20))?;
    let counts = || {
        summary
            .rows_of(0)
            .map(|row| row.positions)
            .filter(|&count| count > 0)
    };
    let positions = match (counts().min(), counts().max()) {
        (Some(least), Some(most)) if least == most => format!("geometric mean over {most} positions"),
        (Some(least), Some(most)) => {
            format!("geometric mean over the {most} to {least} positions that all finished")
        }
        _ => "no position was searched by every configuration".to_owned(),
    };
    let intervals = if has_ratio {
        "; shaded: 95 % intervals of the ratios"
    } else {
        ""
    };
    head.draw_text(&(positions + intervals), &text(17, FAINT_INK), (24, 50))?;
    Ok(())
}

fn draw_legend(legend: &Area<'_>, labels: &[String]) -> Result<(), Failure> {
    let style = row_text(17, HPos::Left);
    for (config, label) in labels.iter().enumerate() {
        let y = (LEGEND_LINE * config as u32 + LEGEND_LINE / 2 + 6) as i32;
        let line = vec![(8, y), (36, y)];
        legend.draw(&PathElement::new(line, colour(config).stroke_width(2)))?;
        legend.draw(&Circle::new((22, y), 4, marker(config)))?;
        legend.draw_text(label, &style, (44, y))?;
    }
    Ok(())
}

fn draw_nodes(
    area: &Area<'_>,
    summary: &NodesSummary,
    configs: usize,
    depth_max: u32,
) -> Result<(), Failure> {
    let value = |row: &SummaryRow| row.nodes_geomean;
    let (low, high) = range((f64::INFINITY, 0.0), summary.rows.iter().filter_map(value));
    if low > high {
        return Ok(());
    }
    let x_name = if configs > 1 { "" } else { DEPTH };
    let mut panel = panel(
        area,
        depth_max,
        [low / 1.5, high * 1.5],
        [x_name, "nodes"],
        &nodes_mark,
    )?;
    for config in (0..configs).rev() {
        let points = points(summary, config, value);
        panel.line(points.iter().copied(), colour(config).stroke_width(2))?;
        panel.dots(points, 4, marker(config))?;
    }
    Ok(())
}

fn draw_ratio(
    area: &Area<'_>,
    summary: &NodesSummary,
    configs: usize,
    depth_max: u32,
) -> Result<(), Failure> {
    let rows = summary.rows.iter();
    let shown = rows
        .flat_map(|row| [row.ratio.low, row.ratio.value, row.ratio.high])
        .flatten();
    if shown.clone().next().is_none() {
        return Ok(());
    }
    // A few percent are noise more often than not, and must not fill the picture.
    let (low, high) = range((0.95, 1.05), shown);
    let names = [DEPTH, "ratio to the first"];
    let mut panel = panel(area, depth_max, [low / 1.03, high * 1.03], names, &ratio_mark)?;
    for config in (1..configs).rev() {
        let end = |end: fn(&SummaryRow) -> Option<f64>| points(summary, config, end);
        panel.band(
            end(|row| row.ratio.low),
            end(|row| row.ratio.high),
            colour(config).mix(0.15),
        )?;
    }
    for config in (0..configs).rev() {
        let points = points(summary, config, |row| row.ratio.value);
        panel.line(points.iter().copied(), colour(config).stroke_width(2))?;
        if config > 0 {
            panel.dots(points, 4, marker(config))?;
        }
    }
    Ok(())
}

fn panel<'a, 'b>(
    area: &'a Area<'b>,
    depth_max: u32,
    [low, high]: [f64; 2],
    names: [&str; 2],
    mark: &dyn Fn(&f64) -> String,
) -> Result<Chart<'a, 'b>, Failure> {
    ChartFrame {
        margins: [12, 16, 8, 6],
        rooms: [44, AXIS_WIDTH],
        font: 16,
        axes: [
            NumberAxis::Depths { max: depth_max },
            NumberAxis::FineLog { low, high },
        ],
        names,
        marks: [&whole_mark, mark],
        has_grid: true,
    }
    .draw(area)
}

fn colour(config: usize) -> RGBColor {
    COLOURS[config % COLOURS.len()]
}

/// Filled, or hollow where colours come round again.
fn marker(config: usize) -> ShapeStyle {
    if config / COLOURS.len() % 2 == 1 {
        colour(config).stroke_width(2)
    } else {
        colour(config).filled()
    }
}

fn points(
    summary: &NodesSummary,
    config: usize,
    value: impl Fn(&SummaryRow) -> Option<f64>,
) -> Vec<(f64, f64)> {
    summary
        .rows_of(config)
        .filter_map(|row| Some((f64::from(row.depth), value(row)?)))
        .collect()
}

fn nodes_mark(nodes: &f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let unit = units.into_iter().find(|(size, _)| *nodes >= 0.9995 * size);
    let (size, name) = unit.unwrap_or((1.0, ""));
    format!("{}{name}", (nodes / size * 1e3).round() / 1e3)
}

/// `× 0.95`, `× 2`.
fn ratio_mark(ratio: &f64) -> String {
    format!("× {}", (ratio * 1e6).round() / 1e6)
}

#[cfg(test)]
mod tests {
    use crate::kinds::nodes::plot::*;
    use crate::kinds::nodes::summary::tests::search;

    fn image(labels: &[String], depth: u32) -> String {
        let nodes = |config: u64, position: u64| {
            (1..=depth).map(move |depth| ((30 + 7 * position) * 3u64.pow(depth.min(20)) / (config + 1), "a"))
        };
        let jobs = (0..labels.len()).flat_map(|config| (0..5).map(move |position| (config, position)));
        let searches = jobs.map(|(config, position)| {
            let found: Vec<(u64, &str)> = nodes(config as u64, position as u64).collect();
            search(config, position, &found)
        });
        let searches: Vec<_> = searches.collect();
        let summary = NodesSummary::new(&searches, &vec![false; labels.len()], depth.max(1));
        svg(&summary, labels).unwrap()
    }

    #[test]
    fn every_configuration_has_its_name_its_lines_and_a_marker_at_each_depth() {
        let labels = ["base", "base,lmr=off", "a<b"].map(str::to_owned);
        let image = image(&labels, 6);
        for name in ["base", "base,lmr=off", "a&lt;b", "over 5 positions"] {
            assert!(image.contains(name), "{name}");
        }
        // Legend, nodes, and ratios of all but the first.
        assert_eq!(image.matches("<circle").count(), 3 + 3 * 6 + 2 * 6);
        let lines = image.matches("<polyline").count() - image.matches("stroke=\"#6E6E6E\"").count();
        assert_eq!(lines, 3 + 3 + 3);
        assert_eq!(image.matches("<polygon").count(), 2);
    }

    #[test]
    fn one_depth_one_configuration_or_nothing_at_all_still_make_an_image() {
        for (configs, depth) in [(1, 1), (1, 127), (9, 1), (20, 12), (1, 0)] {
            let labels: Vec<String> = (0..configs).map(|config| format!("config {config}")).collect();
            let image = image(&labels, depth);
            assert!(image.trim_end().ends_with("</svg>"), "{configs} {depth}");
            assert_eq!(image.contains("no position"), depth == 0);
        }
    }

    #[test]
    fn marks_are_short() {
        assert_eq!(
            [100.0, 2e3, 5e6].map(|nodes| nodes_mark(&nodes)),
            ["100", "2k", "5M"]
        );
        assert_eq!([0.1 + 0.2, 2.0].map(|ratio| ratio_mark(&ratio)), ["× 0.3", "× 2"]);
        assert_eq!(shortened(&"x".repeat(60)).chars().count(), LABEL_CHARS_MAX);
    }
}
