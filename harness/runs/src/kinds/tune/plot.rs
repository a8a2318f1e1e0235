//! `spsa.svg`: the way of every parameter in units of `c_end`, with the band in which it was perturbed; the way of two parameters in
//! their plane.

use std::io;

use plotters::prelude::*;

use crate::document::chart::{
    Area, BLUE, ChartFrame, FAINT_INK, Failure, GREEN, INK, NumberAxis, ORANGE, PURPLE, SKY, VERMILION,
    image, plain_mark, range, text, whole_mark,
};
use crate::kinds::tune::TuningFindings;
use crate::kinds::tune::optimizer::{Parameter, Space, TuningStep};

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
const BANDS_MAX: usize = 3;
const PLANE_SIZE: (u32, u32) = (640, 560);
const DOT: u32 = 6;

/// The way of one parameter.
struct Way<'a> {
    name: &'a str,
    /// Iteration, distance from the start and width, both in units of `c_end`.
    points: Vec<(f64, f64, f64)>,
}

pub(crate) fn svg(found: &TuningFindings) -> io::Result<String> {
    let (plan, ways) = (&found.spec.plan, ways(found));
    let height = HEIGHT.max(HEAD_HEIGHT + 40 + NAME_HEIGHT as u32 * ways.len() as u32);
    image((WIDTH, height), |root| {
        let (head, body) = root.split_vertically(HEAD_HEIGHT);
        head.draw_text("Where the tuning went", &text(24, INK), (20, 16))?;
        let about = format!(
            "{}: {} of {} iterations, method {}; distances from the start in units of c",
            found.spec.label(),
            found.applied(),
            plan.iterations,
            plan.method.name()
        );
        head.draw_text(&about, &text(15, FAINT_INK), (20, 48))?;
        let (chart, names) = body.split_horizontally(WIDTH - NAMES_WIDTH);
        draw_ways(&chart, found.applied(), &ways)?;
        for ((way, colour), y) in ways
            .iter()
            .zip(colours())
            .zip((20..).step_by(NAME_HEIGHT as usize))
        {
            names.draw(&PathElement::new(vec![(4, y), (24, y)], colour.stroke_width(3)))?;
            names.draw_text(way.name, &text(14, INK), (30, y - 8))?;
        }
        Ok(())
    })
}

fn colours() -> impl Iterator<Item = RGBColor> {
    COLOURS.into_iter().cycle()
}

/// The highest end first: the names next to the picture are in the order of the lines.
fn ways(found: &TuningFindings) -> Vec<Way<'_>> {
    let parameters = found.spec.space.parameters.iter().enumerate();
    let ways = parameters.map(|(index, parameter)| {
        let width = |step: &TuningStep| step.trial.widths[index] / parameter.c_end;
        let begun = (0.0, 0.0, found.steps.first().map_or(0.0, width));
        let later = found.steps.iter().map(|step| {
            let iteration = (step.trial.iteration + 1) as f64;
            (iteration, parameter.place(step.state[index]), width(step))
        });
        Way {
            name: &parameter.name,
            points: std::iter::once(begun).chain(later).collect(),
        }
    });
    let mut ways: Vec<Way<'_>> = ways.collect();
    let end = |way: &Way<'_>| way.points.last().map_or(0.0, |&(_, moved, _)| moved);
    ways.sort_by(|one, other| end(other).total_cmp(&end(one)));
    ways
}

fn draw_ways(area: &Area<'_>, applied: u64, ways: &[Way<'_>]) -> Result<(), Failure> {
    let has_bands = ways.len() <= BANDS_MAX;
    let reach = |&(_, moved, width): &(f64, f64, f64)| moved.abs() + if has_bands { width } else { 0.0 };
    let points = ways.iter().flat_map(|way| &way.points);
    let reach = points.map(reach).fold(1.0, f64::max) * 1.05;
    let last = applied.max(1) as f64;
    let mut chart = ChartFrame {
        margins: [12, 16, 8, 8],
        rooms: [46, 58],
        font: 15,
        axes: [(0.0, last), (-reach, reach)].map(|(low, high)| NumberAxis::Linear { low, high }),
        names: ["iteration", "change in units of c"],
        marks: [&whole_mark, &|moved| format!("{:+}", (moved * 1e3).round() / 1e3)],
        has_grid: true,
    }
    .draw(area)?;
    if !has_bands && let Some(way) = ways.first() {
        // In units of `c_end` the width is nearly the same for all: one band about the start shows it.
        let at = |sign: f64| way.points.iter().map(move |&(x, _, width)| (x, sign * width));
        chart.band(at(1.0), at(-1.0), FAINT_INK.mix(0.12))?;
    }
    for (way, colour) in ways.iter().zip(colours()) {
        let at = |sign: f64| {
            let points = way.points.iter();
            points.map(move |&(x, moved, width)| (x, moved + sign * width))
        };
        if has_bands {
            chart.band(at(1.0), at(-1.0), colour.mix(0.12))?;
        }
        chart.line(at(0.0), colour.stroke_width(2))?;
    }
    Ok(())
}

/// The two parameters with `values` farthest from the start; nothing of a single one.
pub(crate) fn farthest(space: &Space, values: &[f64]) -> Option<[usize; 2]> {
    let moved = |&index: &usize| space.parameters[index].place(values[index]).abs();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, two| moved(two).total_cmp(&moved(one)));
    order.first_chunk().copied()
}

fn plane_frame(axes: [NumberAxis; 2], parameters: [&Parameter; 2], has_grid: bool) -> ChartFrame<'_> {
    ChartFrame {
        margins: [12, 24, 12, 12],
        rooms: [46, 72],
        font: 15,
        axes,
        names: parameters.map(|parameter| parameter.name.as_str()),
        marks: [&plain_mark, &plain_mark],
        has_grid,
    }
}

pub(crate) fn plane(found: &TuningFindings, [x, y]: [usize; 2]) -> io::Result<String> {
    let parameters = [x, y].map(|index| &found.spec.space.parameters[index]);
    let states = found.steps.iter().map(|step| (step.state[x], step.state[y]));
    let start = (parameters[0].start, parameters[1].start);
    let way: Vec<(f64, f64)> = std::iter::once(start).chain(states).collect();
    image(PLANE_SIZE, |root| {
        let axes = [
            reach(parameters[0], way.iter().map(|&(x, _)| x)),
            reach(parameters[1], way.iter().map(|&(_, y)| y)),
        ];
        let mut chart = plane_frame(axes, parameters, true).draw(root)?;
        chart.line(way.iter().copied(), BLUE.mix(0.7).stroke_width(1))?;
        chart.dots(way.first().copied(), DOT, VERMILION.filled())?;
        chart.dots(way.last().copied(), DOT, GREEN.filled())
    })
}

/// What is shown of an axis: all of the way, and a step to either side of where it began.
fn reach(parameter: &Parameter, values: impl Iterator<Item = f64>) -> NumberAxis {
    let (start, step) = (parameter.start, parameter.c_end);
    let (low, high) = range((start - step, start + step), values);
    let room = 0.05 * (high - low);
    NumberAxis::Linear {
        low: low - room,
        high: high + room,
    }
}
