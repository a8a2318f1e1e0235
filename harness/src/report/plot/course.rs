//! The course of a match: its test between the bounds, and Elo with its interval, over pairs.
//!
//! In: points, thinned out by who asks. Out: an SVG image. Must not: compute what it shows.

use std::io;

use plotters::prelude::*;

use super::axis::NumberAxis;
use super::style::{BLUE, FAINT_INK, Failure, GREEN, GRID, INK, ORANGE, PURPLE, SKY, VERMILION, image, text};
use crate::stats::Estimate;

const SIZE: (u32, u32) = (760, 300);

/// The walk of a test.
pub(in crate::report) struct Walk {
    /// Pairs and the log likelihood ratio after them.
    pub(in crate::report) points: Vec<(f64, f64)>,
    /// Where the test ends.
    pub(in crate::report) bounds: [f64; 2],
}

/// Elo after so many pairs, and what allows for the moment of looking at the end.
pub(in crate::report) struct Course {
    /// Pairs and the estimate after them.
    pub(in crate::report) points: Vec<(f64, Estimate)>,
    /// The interval that holds at whatever moment one looks, and the one that allows for the test's stop.
    pub(in crate::report) at_end: [Option<Estimate>; 2],
}

/// The walk of the test.
pub(in crate::report) fn walk(walk: Walk) -> io::Result<String> {
    walks(&[(String::new(), walk)])
}

/// The walks of several tests on the same axes, each with its name and its bounds.
pub(in crate::report) fn walks(walks: &[(String, Walk)]) -> io::Result<String> {
    let points = || walks.iter().flat_map(|(_, walk)| &walk.points);
    let values = || {
        let bounds = walks.iter().flat_map(|(_, walk)| walk.bounds);
        points().map(|point| point.1).chain(bounds)
    };
    let (low, high) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let room = 0.08 * (high - low).max(0.1);
    let pairs = last_pair(points().map(|point| point.0));
    image(SIZE, |root| {
        let mut chart = frame(root, pairs, [low - room, high + room], "LLR")?;
        for (_, walk) in walks {
            let [lower, upper] = walk.bounds;
            for (bound, colour) in [(lower, VERMILION), (upper, GREEN), (0.0, FAINT_INK)] {
                let line = vec![(0.0, bound), (pairs, bound)];
                chart.draw_series(std::iter::once(PathElement::new(line, colour.stroke_width(1))))?;
            }
        }
        for ((name, walk), colour) in walks.iter().zip([BLUE, PURPLE, ORANGE, SKY].into_iter().cycle()) {
            let points = std::iter::once((0.0, 0.0)).chain(walk.points.iter().copied());
            chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
            if let Some(&end) = walk.points.last().filter(|_| !name.is_empty()) {
                chart.draw_series(std::iter::once(Circle::new(end, 4, colour.filled())))?;
            }
        }
        let names = walks.iter().map(|(name, _)| name).filter(|name| !name.is_empty());
        for ((place, name), colour) in names
            .enumerate()
            .zip([BLUE, PURPLE, ORANGE, SKY].into_iter().cycle())
        {
            let at = (72, 14 + 18 * place as i32);
            root.draw(&Rectangle::new([at, (at.0 + 12, at.1 + 12)], colour.filled()))?;
            root.draw_text(name, &text(14, INK), (at.0 + 18, at.1))?;
        }
        Ok(())
    })
}

/// Elo with its interval.
pub(in crate::report) fn elo(course: &Course) -> io::Result<String> {
    let known = |estimate: &Estimate| Some([estimate.low?, estimate.value?, estimate.high?]);
    let points: Vec<(f64, [f64; 3])> = course
        .points
        .iter()
        .filter_map(|(pairs, estimate)| Some((*pairs, known(estimate)?)))
        .collect();
    let ends = course.at_end.iter().flatten().filter_map(known);
    // The first intervals are as wide as the chart is high: what comes later is what is looked at.
    let tail = points.iter().skip(points.len() / 8).map(|point| point.1);
    let (low, high) = tail
        .chain(ends)
        .fold((-5.0_f64, 5.0_f64), |(low, high), [least, _, most]| {
            (low.min(least), high.max(most))
        });
    let room = 0.06 * (high - low);
    let (low, high) = (low - room, high + room);
    let pairs = last_pair(points.iter().map(|point| point.0));
    image(SIZE, |root| {
        let mut chart = frame(root, pairs * 1.03, [low, high], "Elo of A")?;
        let zero = vec![(0.0, 0.0), (pairs, 0.0)];
        chart.draw_series(std::iter::once(PathElement::new(zero, FAINT_INK.stroke_width(1))))?;
        let at = |index: usize| {
            points
                .iter()
                .map(move |(pairs, ends)| (*pairs, ends[index].clamp(low, high)))
        };
        let band: Vec<(f64, f64)> = at(2).chain(at(0).collect::<Vec<_>>().into_iter().rev()).collect();
        chart.draw_series(std::iter::once(Polygon::new(band, BLUE.mix(0.18))))?;
        chart.draw_series(LineSeries::new(at(1), BLUE.stroke_width(2)))?;
        for ((place, colour), estimate) in [(1.01, GREEN), (1.02, VERMILION)].into_iter().zip(&course.at_end)
        {
            if let Some([least, value, most]) = estimate.as_ref().and_then(known) {
                let x = pairs * place;
                let line = vec![(x, least.max(low)), (x, most.min(high))];
                chart.draw_series(std::iter::once(PathElement::new(line, colour.stroke_width(2))))?;
                chart.draw_series(std::iter::once(Circle::new((x, value), 3, colour.filled())))?;
            }
        }
        Ok(())
    })
}

fn last_pair(pairs: impl Iterator<Item = f64>) -> f64 {
    pairs.fold(1.0, f64::max)
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<NumberAxis, NumberAxis>>;

fn frame<'a, 'b>(
    root: &'a super::style::Area<'b>,
    pairs: f64,
    [low, high]: [f64; 2],
    name: &str,
) -> Result<Chart<'a, 'b>, Failure> {
    let mut chart = ChartBuilder::on(root)
        .margin(8)
        .margin_right(22)
        .x_label_area_size(42)
        .y_label_area_size(58)
        .build_cartesian_2d(
            NumberAxis::Linear {
                low: 0.0,
                high: pairs,
            },
            NumberAxis::Linear { low, high },
        )?;
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT_INK)
        .label_style(text(15, INK))
        .axis_desc_style(text(16, INK))
        .x_label_formatter(&|pairs| format!("{pairs:.0}"))
        .y_label_formatter(&|value| format!("{}", (value * 100.0).round() / 100.0))
        .x_desc("pairs")
        .y_desc(name)
        .draw()?;
    Ok(chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_has_its_bounds_and_an_estimate_its_band() {
        let drawn = walk(Walk {
            points: vec![(1.0, 0.2), (2.0, -0.4), (3.0, 1.0)],
            bounds: [-2.9, 2.9],
        });
        assert_eq!(drawn.unwrap().matches("stroke-width=\"2\"").count(), 1);
        let estimate = Estimate {
            value: Some(3.0),
            low: Some(-4.0),
            high: Some(10.0),
        };
        let course = Course {
            points: vec![(5.0, Estimate::UNKNOWN), (6.0, estimate), (7.0, estimate)],
            at_end: [Some(estimate), None],
        };
        let drawn = elo(&course).unwrap();
        assert_eq!(drawn.matches("<polygon").count(), 1);
        assert_eq!(drawn.matches("<circle").count(), 1);
        let empty = Course {
            points: Vec::new(),
            at_end: [None; 2],
        };
        assert!(elo(&empty).unwrap().trim_end().ends_with("</svg>"));
    }
}
