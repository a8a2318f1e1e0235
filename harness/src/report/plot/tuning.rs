//! `spsa.svg`: the way of every parameter in units of `c_end`, with the band in which it was perturbed.
//!
//! In: the trajectory of a tuning. Out: an SVG image. Must not: compute a step.

use std::io;

use plotters::prelude::*;

use super::axis::NumberAxis;
use super::style::{
    Area, BLUE, FAINT_INK, Failure, GREEN, GRID, INK, ORANGE, PURPLE, SKY, VERMILION, image, text,
};
use crate::experiment::Trajectory;
use crate::tune::{Parameter, Plan, Space};

const COLOURS: [RGBColor; 8] = [
    BLUE,
    VERMILION,
    GREEN,
    PURPLE,
    ORANGE,
    SKY,
    FAINT_INK,
    RGBColor(120, 94, 240),
];
const WIDTH: u32 = 900;
const HEIGHT: u32 = 560;
const HEAD_HEIGHT: u32 = 78;
const NAMES_WIDTH: u32 = 230;
const NAME_HEIGHT: i32 = 20;
/// Bands of more parameters would hide each other.
const BANDS_MAX: usize = 3;

/// The image's text; `label` names the player.
pub(in crate::report) fn svg(
    label: &str,
    plan: &Plan,
    space: &Space,
    trajectory: &Trajectory,
) -> io::Result<String> {
    let ways = ways(space, trajectory);
    let height = HEIGHT.max(HEAD_HEIGHT + 40 + NAME_HEIGHT as u32 * ways.len() as u32);
    image((WIDTH, height), |root| {
        let (head, body) = root.split_vertically(HEAD_HEIGHT);
        head.draw_text("Where the tuning went", &text(24, INK), (20, 16))?;
        let about = format!(
            "{label}: {} of {} iterations, method {}; distances from the start in units of c",
            trajectory.applied,
            plan.iterations,
            plan.method.name()
        );
        head.draw_text(&about, &text(15, FAINT_INK), (20, 48))?;
        let (chart, names) = body.split_horizontally(WIDTH - NAMES_WIDTH);
        let order = from_top(&ways);
        draw_ways(&chart, trajectory.applied, &ways, &order)?;
        for (place, &index) in order.iter().enumerate() {
            let parameter = &space.parameters()[index];
            let y = 20 + NAME_HEIGHT * place as i32;
            let colour = COLOURS[place % COLOURS.len()];
            names.draw(&PathElement::new(vec![(4, y), (24, y)], colour.stroke_width(3)))?;
            names.draw_text(&parameter.name, &text(14, INK), (30, y - 8))?;
        }
        Ok(())
    })
}

/// The way of one parameter: iteration, distance from the start and width, both in units of `c_end`.
type Way = Vec<(f64, f64, f64)>;

fn ways(space: &Space, trajectory: &Trajectory) -> Vec<Way> {
    let points = &trajectory.points;
    let way = |(index, parameter): (usize, &Parameter)| {
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
    space.parameters().iter().enumerate().map(way).collect()
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

fn draw_ways(area: &Area<'_>, applied: u64, ways: &[Way], order: &[usize]) -> Result<(), Failure> {
    let bands = ways.len() <= BANDS_MAX;
    let reach = |&(_, moved, width): &(f64, f64, f64)| moved.abs() + if bands { width } else { 0.0 };
    let reach = ways.iter().flatten().map(reach).fold(1.0, f64::max) * 1.05;
    let last = applied.max(1) as f64;
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
        .label_style(text(15, INK))
        .axis_desc_style(text(16, INK))
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
