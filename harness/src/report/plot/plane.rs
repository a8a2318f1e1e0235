//! The way of a tuning in the plane of two parameters.
//!
//! In: the trajectory of a tuning. Out: an SVG image of the two that moved most. Must not: compute a step.

use std::io;

use plotters::prelude::*;

use super::axis::NumberAxis;
use super::style::{Area, BLUE, FAINT_INK, Failure, GREEN, GRID, INK, VERMILION, image, text};
use crate::experiment::Trajectory;
use crate::tune::{Parameter, Space};

const SIZE: (u32, u32) = (640, 560);
const DOT: u32 = 6;

/// The image's text, and the names of both; nothing of a single parameter, or before the first step.
pub(in crate::report) fn svg(
    space: &Space,
    trajectory: &Trajectory,
) -> Option<(io::Result<String>, [String; 2])> {
    let last = trajectory.points.last()?;
    let parameters = space.parameters();
    let moved =
        |index: usize| ((last.state[index] - parameters[index].start) / parameters[index].c_end).abs();
    let mut order: Vec<usize> = (0..parameters.len()).collect();
    order.sort_by(|&one, &two| moved(two).total_cmp(&moved(one)));
    let &[x, y, ..] = &order[..] else { return None };
    let pair = [&parameters[x], &parameters[y]];
    let states = trajectory
        .points
        .iter()
        .map(|point| (point.state[x], point.state[y]));
    let way: Vec<(f64, f64)> = std::iter::once((pair[0].start, pair[1].start))
        .chain(states)
        .collect();
    let names = pair.map(|parameter| parameter.name.clone());
    Some((image(SIZE, |root| draw(root, pair, &way)), names))
}

/// What is shown of an axis: all of the way, and a step to either side of where it began.
fn reach(parameter: &Parameter, values: impl Iterator<Item = f64>) -> NumberAxis {
    let (low, high) = values.fold(
        (
            parameter.start - parameter.c_end,
            parameter.start + parameter.c_end,
        ),
        |(low, high), value| (low.min(value), high.max(value)),
    );
    let room = 0.05 * (high - low);
    NumberAxis::Linear {
        low: low - room,
        high: high + room,
    }
}

fn draw(root: &Area<'_>, pair: [&Parameter; 2], way: &[(f64, f64)]) -> Result<(), Failure> {
    let mut chart = ChartBuilder::on(root)
        .margin(12)
        .margin_right(24)
        .x_label_area_size(46)
        .y_label_area_size(72)
        .build_cartesian_2d(
            reach(pair[0], way.iter().map(|&(x, _)| x)),
            reach(pair[1], way.iter().map(|&(_, y)| y)),
        )?;
    let mark = |value: &f64| format!("{}", (value * 1e3).round() / 1e3);
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT_INK)
        .label_style(text(15, INK))
        .axis_desc_style(text(16, INK))
        .x_label_formatter(&mark)
        .y_label_formatter(&mark)
        .x_desc(&pair[0].name)
        .y_desc(&pair[1].name)
        .draw()?;
    chart.draw_series(LineSeries::new(
        way.iter().copied(),
        BLUE.mix(0.7).stroke_width(1),
    ))?;
    let ends = [(way.first(), VERMILION), (way.last(), GREEN)];
    let ends = ends
        .into_iter()
        .filter_map(|(place, colour)| Some((*place?, colour)));
    chart.draw_series(ends.map(|(place, colour)| Circle::new(place, DOT, colour.filled())))?;
    Ok(())
}
