//! `spsa.svg`: the way of every parameter in units of `c_end`, with the band in which it was perturbed; the way of two parameters in
//! their plane.

use crate::document::plot::{Anchor, NumberAxis, Plot, plain_mark, range, series, signed_mark};
use crate::document::text::Text;
use crate::kinds::tune::TuningFindings;
use crate::kinds::tune::optimizer::{Parameter, Space, TuningStep};

const HEIGHT: u32 = 320;
const BANDS_MAX: usize = 3;

/// The way of one parameter.
struct Way<'a> {
    name: &'a str,
    /// Iteration, distance from the start and width, both in units of `c_end`.
    points: Vec<(f64, f64, f64)>,
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

/// Each parameter over the iterations, in units of `c_end` from its start.
pub(crate) fn ways_plot(found: &TuningFindings) -> Plot {
    let ways = ways(found);
    let has_bands = ways.len() <= BANDS_MAX;
    let reach = |&(_, moved, width): &(f64, f64, f64)| moved.abs() + if has_bands { width } else { 0.0 };
    let points = ways.iter().flat_map(|way| &way.points);
    let reach = points.map(reach).fold(1.0, f64::max) * 1.05;
    let last = found.applied().max(1) as f64;
    let axes = [(0.0, last), (-reach, reach)].map(|(low, high)| NumberAxis::Linear { low, high });
    let mut plot = Plot::new(axes, [&plain_mark, &signed_mark], HEIGHT);
    plot.axis(0.0);
    if !has_bands && let Some(way) = ways.first() {
        // In units of `c_end` the width is nearly the same for all: one band about the start shows it.
        let at = |sign: f64| way.points.iter().map(move |&(x, _, width)| (x, sign * width));
        plot.band(at(1.0), at(-1.0), "dim");
    }
    for (index, way) in ways.iter().enumerate() {
        let at = |sign: f64| {
            let points = way.points.iter();
            points.map(move |&(x, moved, width)| (x, moved + sign * width))
        };
        let colour = series(index);
        if has_bands {
            plot.band(at(1.0), at(-1.0), colour);
        }
        plot.line(at(0.0), colour);
        plot.name(index, Text::plain(way.name));
    }
    plot
}

/// The two parameters with `values` farthest from the start; nothing of a single one.
pub(crate) fn farthest(space: &Space, values: &[f64]) -> Option<[usize; 2]> {
    let moved = |&index: &usize| space.parameters[index].place(values[index]).abs();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, two| moved(two).total_cmp(&moved(one)));
    order.first_chunk().copied()
}

pub(crate) fn plane(found: &TuningFindings, [x, y]: [usize; 2]) -> Plot {
    let parameters = [x, y].map(|index| &found.spec.space.parameters[index]);
    let states = found.steps.iter().map(|step| (step.state[x], step.state[y]));
    let start = (parameters[0].start, parameters[1].start);
    let way: Vec<(f64, f64)> = std::iter::once(start).chain(states).collect();
    let axes = [
        reach(parameters[0], way.iter().map(|&(x, _)| x)),
        reach(parameters[1], way.iter().map(|&(_, y)| y)),
    ];
    let mut plot = Plot::new(axes, [&plain_mark, &plain_mark], HEIGHT);
    plot.line(way.iter().copied(), "accent");
    let ends = [
        (way.first(), "b", Text::new("start")),
        (way.last(), "accent", Text::new("now")),
    ];
    for (end, colour, text) in ends {
        if let Some(&end) = end {
            plot.dot(end, colour);
            plot.label(end, [0, -10], Anchor::Middle, Some(colour), text);
        }
    }
    plot
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
