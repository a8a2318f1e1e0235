//! `spsa.svg`: the way of every parameter in units of `c_end`, with the band in which it was perturbed; and the way of two
//! parameters in their plane.

use std::io;

use plotters::prelude::*;

use crate::document::chart::{
    Area, BLUE, FAINT_INK, Failure, Frame, GREEN, INK, NumberAxis, ORANGE, PURPLE, SKY, VERMILION, image,
    plain_mark, range, text, whole_mark,
};
use crate::kinds::tune::Trajectory;
use crate::kinds::tune::optimizer::{Parameter, Plan, Space};

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

pub(crate) fn svg(label: &str, plan: &Plan, space: &Space, trajectory: &Trajectory) -> io::Result<String> {
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
            let y = 20 + NAME_HEIGHT * place as i32;
            let colour = COLOURS[place % COLOURS.len()];
            names.draw(&PathElement::new(vec![(4, y), (24, y)], colour.stroke_width(3)))?;
            names.draw_text(&space.parameters[index].name, &text(14, INK), (30, y - 8))?;
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
    space.parameters.iter().enumerate().map(way).collect()
}

/// The parameters as their ways end, the highest first: the names next to the picture are in the order of the lines.
fn from_top(ways: &[Way]) -> Vec<usize> {
    let end = |&index: &usize| ways[index].last().map_or(0.0, |&(_, moved, _)| moved);
    let mut order: Vec<usize> = (0..ways.len()).collect();
    order.sort_by(|a, b| end(b).total_cmp(&end(a)));
    order
}

fn draw_ways(area: &Area<'_>, applied: u64, ways: &[Way], order: &[usize]) -> Result<(), Failure> {
    let has_bands = ways.len() <= BANDS_MAX;
    let reach = |&(_, moved, width): &(f64, f64, f64)| moved.abs() + if has_bands { width } else { 0.0 };
    let reach = ways.iter().flatten().map(reach).fold(1.0, f64::max) * 1.05;
    let last = applied.max(1) as f64;
    let mut chart = Frame {
        margins: [12, 16, 8, 8],
        rooms: [46, 58],
        font: 15,
        axes: [
            NumberAxis::Linear { low: 0.0, high: last },
            NumberAxis::Linear {
                low: -reach,
                high: reach,
            },
        ],
        names: ["iteration", "change in units of c"],
        marks: [&whole_mark, &|moved| format!("{:+}", (moved * 1e3).round() / 1e3)],
        has_grid: true,
    }
    .draw(area)?;
    if !has_bands && let Some(way) = order.first().map(|&index| &ways[index]) {
        // In units of `c_end` the width is nearly the same for all: one band about the start shows it.
        let at = |sign: f64| way.iter().map(move |&(x, _, width)| (x, sign * width));
        chart.band(at(1.0), at(-1.0), FAINT_INK.mix(0.12))?;
    }
    for (place, &index) in order.iter().enumerate() {
        let (way, colour) = (&ways[index], COLOURS[place % COLOURS.len()]);
        let at = |sign: f64| {
            way.iter()
                .map(move |&(x, moved, width)| (x, moved + sign * width))
        };
        if has_bands {
            chart.band(at(1.0), at(-1.0), colour.mix(0.12))?;
        }
        chart.line(
            way.iter().map(|&(x, moved, _)| (x, moved)),
            colour.stroke_width(2),
        )?;
    }
    Ok(())
}

/// The two parameters that moved most; nothing of a single one, or before the first step.
pub(crate) fn farthest(space: &Space, trajectory: &Trajectory) -> Option<[usize; 2]> {
    let last = trajectory.points.last()?;
    let parameters = &space.parameters;
    let moved =
        |index: usize| ((last.state[index] - parameters[index].start) / parameters[index].c_end).abs();
    let mut order: Vec<usize> = (0..parameters.len()).collect();
    order.sort_by(|&one, &two| moved(two).total_cmp(&moved(one)));
    order.first_chunk().copied()
}

pub(crate) fn plane(space: &Space, trajectory: &Trajectory, [x, y]: [usize; 2]) -> io::Result<String> {
    let pair = [x, y].map(|index| &space.parameters[index]);
    let states = trajectory
        .points
        .iter()
        .map(|point| (point.state[x], point.state[y]));
    let start = (pair[0].start, pair[1].start);
    let way: Vec<(f64, f64)> = std::iter::once(start).chain(states).collect();
    image(PLANE_SIZE, |root| {
        let mut chart = Frame {
            margins: [12, 24, 12, 12],
            rooms: [46, 72],
            font: 15,
            axes: [
                reach(pair[0], way.iter().map(|&(x, _)| x)),
                reach(pair[1], way.iter().map(|&(_, y)| y)),
            ],
            names: [&pair[0].name, &pair[1].name],
            marks: [&plain_mark, &plain_mark],
            has_grid: true,
        }
        .draw(root)?;
        chart.line(way.iter().copied(), BLUE.mix(0.7).stroke_width(1))?;
        chart.dots(way.first().copied(), 6, VERMILION.filled())?;
        chart.dots(way.last().copied(), 6, GREEN.filled())
    })
}

/// What is shown of an axis: all of the way, and a step to either side of where it began.
fn reach(parameter: &Parameter, values: impl Iterator<Item = f64>) -> NumberAxis {
    let step = (
        parameter.start - parameter.c_end,
        parameter.start + parameter.c_end,
    );
    let (low, high) = range(step, values);
    let room = 0.05 * (high - low);
    NumberAxis::Linear {
        low: low - room,
        high: high + room,
    }
}
