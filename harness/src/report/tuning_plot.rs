//! `spsa.svg`: the way of every parameter in units of `c_end`, with the band in which it was perturbed.
//!
//! In: a report of a tuning. Out: an SVG image. Must not: compute a step.

use std::error::Error;
use std::io;

use plotters::prelude::*;

use super::axis::NumberAxis;
use super::tuning::TuningReport;

const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
    RGBColor(120, 94, 240),
];
const INK: RGBColor = RGBColor(34, 34, 34);
const FAINT_INK: RGBColor = RGBColor(110, 110, 110);
const GRID: RGBColor = RGBColor(226, 226, 226);
const FONT: &str = "Helvetica, Arial, sans-serif";
const WIDTH: u32 = 900;
const HEIGHT: u32 = 560;
const HEAD_HEIGHT: u32 = 78;
const NAMES_WIDTH: u32 = 230;
const NAME_HEIGHT: i32 = 20;
/// Bands of more parameters would hide each other.
const BANDS_MAX: usize = 3;

type Failure = Box<dyn Error + Send + Sync>;

/// The image's text.
pub(super) fn svg(report: &TuningReport<'_>) -> io::Result<String> {
    let mut image = String::new();
    draw(&mut image, report).map_err(io::Error::other)?;
    Ok(image)
}

/// The way of one parameter: iteration, distance from the start and width, both in units of `c_end`.
type Way = Vec<(f64, f64, f64)>;

fn ways(report: &TuningReport<'_>) -> Vec<Way> {
    let points = &report.found.trajectory.points;
    let way = |(index, parameter): (usize, &crate::tune::Parameter)| {
        let start = std::iter::once((
            0.0,
            0.0,
            points.first().map_or(0.0, |p| p.widths[index] / parameter.c_end),
        ));
        let later = points.iter().map(move |point| {
            let moved = (point.state[index] - parameter.start) / parameter.c_end;
            (
                point.iteration as f64,
                moved,
                point.widths[index] / parameter.c_end,
            )
        });
        start.chain(later).collect()
    };
    report.space().parameters().iter().enumerate().map(way).collect()
}

/// The parameters as their ways end, the highest first: names beside the picture stand in the order of the lines.
fn from_top(ways: &[Way]) -> Vec<usize> {
    let end = |&index: &usize| ways[index].last().map_or(0.0, |&(_, moved, _)| moved);
    let mut order: Vec<usize> = (0..ways.len()).collect();
    order.sort_by(|a, b| end(b).total_cmp(&end(a)));
    order
}

/// What lies within `width` of `moved`, as a polygon.
fn band(way: impl DoubleEndedIterator<Item = (f64, f64, f64)> + Clone) -> Vec<(f64, f64)> {
    let upper = way.clone().map(|(x, moved, width)| (x, moved + width));
    let lower = way.rev().map(|(x, moved, width)| (x, moved - width));
    upper.chain(lower).collect()
}

fn draw(image: &mut String, report: &TuningReport<'_>) -> Result<(), Failure> {
    let ways = ways(report);
    let height = HEIGHT.max(HEAD_HEIGHT + 40 + NAME_HEIGHT as u32 * ways.len() as u32);
    let root = SVGBackend::with_string(image, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, body) = root.split_vertically(HEAD_HEIGHT);
    let title = (FONT, 24).into_font().color(&INK);
    head.draw_text("Where the tuning went", &title, (20, 16))?;
    let subtitle = (FONT, 15).into_font().color(&FAINT_INK);
    let about = format!(
        "{}: {} of {} iterations, method {}; distances from the start in units of c",
        report.found.spec.label(),
        report.found.trajectory.applied,
        report.found.spec.plan.iterations,
        report.found.spec.plan.method.name()
    );
    head.draw_text(&about, &subtitle, (20, 48))?;
    let (chart, names) = body.split_horizontally(WIDTH - NAMES_WIDTH);
    let order = from_top(&ways);
    draw_ways(&chart, report, &ways, &order)?;
    for (place, &index) in order.iter().enumerate() {
        let parameter = &report.space().parameters()[index];
        let y = 20 + NAME_HEIGHT * place as i32;
        let colour = COLOURS[place % COLOURS.len()];
        names.draw(&PathElement::new(vec![(4, y), (24, y)], colour.stroke_width(3)))?;
        let style = (FONT, 14).into_font().color(&INK);
        names.draw_text(&parameter.name, &style, (30, y - 8))?;
    }
    root.present()?;
    Ok(())
}

fn draw_ways(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    report: &TuningReport<'_>,
    ways: &[Way],
    order: &[usize],
) -> Result<(), Failure> {
    let bands = ways.len() <= BANDS_MAX;
    let reach = |&(_, moved, width): &(f64, f64, f64)| moved.abs() + if bands { width } else { 0.0 };
    let reach = ways.iter().flatten().map(reach).fold(1.0, f64::max) * 1.05;
    let last = report.found.trajectory.applied.max(1) as f64;
    let mut chart = ChartBuilder::on(area)
        .margin_left(12)
        .margin_right(16)
        .margin_top(8)
        .margin_bottom(8)
        .x_label_area_size(46)
        .y_label_area_size(58)
        .build_cartesian_2d(
            NumberAxis::Linear { low: 0.0, high: last },
            NumberAxis::Linear {
                low: -reach,
                high: reach,
            },
        )?;
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT_INK)
        .label_style((FONT, 15).into_font().color(&INK))
        .axis_desc_style((FONT, 16).into_font().color(&INK))
        .x_label_formatter(&|iteration| format!("{iteration:.0}"))
        .y_label_formatter(&|moved| format!("{:+}", (moved * 1e3).round() / 1e3))
        .x_desc("iteration")
        .y_desc("change in units of c")
        .draw()?;
    if !bands && let Some(way) = order.first().map(|&index| &ways[index]) {
        // In units of `c_end` the width is nearly the same for all: one band about the start shows it.
        let about_start = band(way.iter().map(|&(x, _, width)| (x, 0.0, width)));
        let about_start = Polygon::new(about_start, FAINT_INK.mix(0.12));
        chart.draw_series(std::iter::once(about_start))?;
    }
    for (place, &index) in order.iter().enumerate() {
        let (way, colour) = (&ways[index], COLOURS[place % COLOURS.len()]);
        if bands {
            let band = Polygon::new(band(way.iter().copied()), colour.mix(0.12));
            chart.draw_series(std::iter::once(band))?;
        }
        let line = way.iter().map(|&(x, moved, _)| (x, moved));
        chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
    }
    Ok(())
}
