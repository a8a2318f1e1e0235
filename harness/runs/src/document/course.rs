//! The course of a match over pairs: its test between the bounds, and Elo with its interval.

use std::io;

use plotters::prelude::*;

use crate::document::chart::{
    Area, BLUE, Chart, ChartFrame, FAINT_INK, Failure, GREEN, INK, NumberAxis, ORANGE, PURPLE, SKY,
    VERMILION, image, range, text, whole_mark,
};
use crate::stats::Estimate;

const SIZE: (u32, u32) = (760, 300);
const COLOURS: [RGBColor; 4] = [BLUE, PURPLE, ORANGE, SKY];

pub(crate) struct LlrWalk {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) bounds: [f64; 2],
}

pub(crate) fn walks(walks: &[LlrWalk]) -> io::Result<String> {
    let points = || walks.iter().flat_map(|walk| &walk.points);
    let bounds = walks.iter().flat_map(|walk| walk.bounds);
    let (low, high) = range((0.0, 0.0), points().map(|point| point.1).chain(bounds));
    let room = 0.08 * (high - low).max(0.1);
    let (_, pairs) = range((1.0, 1.0), points().map(|point| point.0));
    let coloured = || walks.iter().zip(COLOURS.into_iter().cycle());
    image(SIZE, |root| {
        let mut chart = frame(root, pairs, [low - room, high + room], "LLR")?;
        for [lower, upper] in walks.iter().map(|walk| walk.bounds) {
            for (bound, colour) in [(lower, VERMILION), (upper, GREEN), (0.0, FAINT_INK)] {
                chart.rule((0.0, bound), (pairs, bound), colour, 1)?;
            }
        }
        for (walk, colour) in coloured() {
            let points = std::iter::once((0.0, 0.0)).chain(walk.points.iter().copied());
            chart.line(points, colour.stroke_width(2))?;
            let end = walk.points.last().filter(|_| !walk.name.is_empty());
            chart.dots(end.copied(), 4, colour.filled())?;
        }
        for (place, (walk, colour)) in coloured().filter(|(walk, _)| !walk.name.is_empty()).enumerate() {
            let at = (72, 14 + 18 * place as i32);
            root.draw(&Rectangle::new([at, (at.0 + 12, at.1 + 12)], colour.filled()))?;
            root.draw_text(&walk.name, &text(14, INK), (at.0 + 18, at.1))?;
        }
        Ok(())
    })
}

/// Elo after pairs, and at the end the estimate to quote.
pub(crate) fn elo(points: &[(f64, Estimate)], at_end: Estimate) -> io::Result<String> {
    let known = |estimate: &Estimate| Some([estimate.low?, estimate.value?, estimate.high?]);
    let points = points
        .iter()
        .filter_map(|(pairs, estimate)| Some((*pairs, known(estimate)?)));
    let points: Vec<(f64, [f64; 3])> = points.collect();
    let at_end = known(&at_end);
    // The first intervals are as wide as the chart is high: what comes later is what is looked at.
    let tail = points.iter().skip(points.len() / 8).map(|point| point.1);
    let (low, high) = range((-5.0, 5.0), tail.chain(at_end).flatten());
    let room = 0.06 * (high - low);
    let (low, high) = (low - room, high + room);
    let (_, pairs) = range((1.0, 1.0), points.iter().map(|point| point.0));
    image(SIZE, |root| {
        let mut chart = frame(root, pairs * 1.03, [low, high], "Elo of A")?;
        chart.rule((0.0, 0.0), (pairs, 0.0), FAINT_INK, 1)?;
        let at = |index: usize| {
            let points = points.iter();
            points.map(move |(pairs, ends)| (*pairs, ends[index].clamp(low, high)))
        };
        chart.band(at(2), at(0), BLUE.mix(0.18))?;
        chart.line(at(1), BLUE.stroke_width(2))?;
        if let Some([least, value, most]) = at_end {
            let x = pairs * 1.01;
            chart.rule((x, least.max(low)), (x, most.min(high)), GREEN, 2)?;
            chart.dots([(x, value)], 3, GREEN.filled())?;
        }
        Ok(())
    })
}

fn frame<'a, 'b>(
    root: &'a Area<'b>,
    pairs: f64,
    [low, high]: [f64; 2],
    name: &str,
) -> Result<Chart<'a, 'b>, Failure> {
    ChartFrame {
        margins: [8, 22, 8, 8],
        rooms: [42, 58],
        font: 15,
        axes: [
            NumberAxis::Linear {
                low: 0.0,
                high: pairs,
            },
            NumberAxis::Linear { low, high },
        ],
        names: ["pairs", name],
        marks: [&whole_mark, &|value| {
            format!("{}", (value * 100.0).round() / 100.0)
        }],
        has_grid: true,
    }
    .draw(root)
}

#[cfg(test)]
mod tests {
    use crate::document::course::*;

    #[test]
    fn a_walk_has_its_bounds_and_an_estimate_its_band() {
        let walk = LlrWalk {
            name: String::new(),
            points: vec![(1.0, 0.2), (2.0, -0.4), (3.0, 1.0)],
            bounds: [-2.9, 2.9],
        };
        assert_eq!(walks(&[walk]).unwrap().matches("stroke-width=\"2\"").count(), 1);
        let estimate = Estimate {
            value: Some(3.0),
            low: Some(-4.0),
            high: Some(10.0),
        };
        let points = [(5.0, Estimate::UNKNOWN), (6.0, estimate), (7.0, estimate)];
        let drawn = elo(&points, estimate).unwrap();
        assert_eq!(drawn.matches("<polygon").count(), 1);
        assert_eq!(drawn.matches("<circle").count(), 1);
        assert!(
            elo(&[], Estimate::UNKNOWN)
                .unwrap()
                .trim_end()
                .ends_with("</svg>")
        );
    }
}
