//! `odds.svg`: A's score in each batch over the ratio it was played at, the fitted curve, and where it crosses one half.

use std::io;

use plotters::prelude::*;

use crate::document::chart::{
    Area, BLUE, ChartFrame, FAINT_INK, Failure, INK, NumberAxis, VERMILION, image, range, ratio_mark, text,
};
use crate::document::number::plural;
use crate::kinds::odds::plan::{OddsStep, curve};

const SIZE: (u32, u32) = (760, 500);
const HEAD_HEIGHT: u32 = 80;
const CURVE_POINTS: usize = 120;
/// Half a factor of two and a bit on both sides of what was played.
const ROOM: f64 = 1.3;

pub(crate) fn svg(unit: &str, one: &str, steps: &[OddsStep]) -> io::Result<String> {
    image(SIZE, |root| draw(root, unit, one, steps))
}

fn draw(root: &Area<'_>, unit: &str, one: &str, steps: &[OddsStep]) -> Result<(), Failure> {
    let (head, body) = root.split_vertically(HEAD_HEIGHT);
    head.draw_text(
        "At which ratio the players are equally strong",
        &text(24, INK),
        (20, 16),
    )?;
    head.draw_text(&subtitle_text(steps), &text(15, FAINT_INK), (20, 50))?;
    let (low, high) = range((1.0, 1.0), steps.iter().map(|step| step.ratio));
    let (low, high) = (low / ROOM, high * ROOM);
    let mut chart = ChartFrame {
        margins: [12, 24, 8, 8],
        rooms: [46, 58],
        font: 15,
        axes: [
            NumberAxis::Log { low, high },
            NumberAxis::Linear { low: 0.0, high: 1.0 },
        ],
        names: [&format!("{unit} of A over {one}"), "score of A"],
        marks: [&ratio_mark, &|score| format!("{:.0} %", 100.0 * score)],
        has_grid: true,
    }
    .draw(&body)?;
    let known = steps
        .last()
        .and_then(|step| step.estimate.low.zip(step.estimate.high));
    if let Some((left, right)) = known {
        let corners = [(left.clamp(low, high), 0.0), (right.clamp(low, high), 1.0)];
        chart.rectangles([(corners, BLUE.mix(0.15))])?;
    }
    chart.rule((low, 0.5), (high, 0.5), FAINT_INK, 1)?;
    if let Some(curve) = curve(steps) {
        let ratio = |point: usize| low * (high / low).powf(point as f64 / CURVE_POINTS as f64);
        let points = (0..=CURVE_POINTS).map(ratio);
        chart.line(
            points.map(|ratio| (ratio, curve.score(ratio.ln()))),
            BLUE.stroke_width(2),
        )?;
    }
    let dots = steps
        .iter()
        .filter_map(|step| Some((step.ratio, step.tally.score()?)));
    chart.dots(dots, 4, VERMILION.mix(0.7).filled())
}

fn subtitle_text(steps: &[OddsStep]) -> String {
    let pairs: u64 = steps.iter().map(|step| step.tally.pairs()).sum();
    let counts = format!(
        "{} in {}",
        plural(pairs, "pair"),
        plural(steps.len() as u64, "batch")
    );
    let estimate = steps.last().map(|step| step.estimate);
    match estimate.map(|estimate| (estimate.value, estimate.low, estimate.high)) {
        Some((Some(value), Some(low), Some(high))) => {
            format!("{counts}; even at × {value:.3}, shaded: 95 % interval {low:.3} to {high:.3}")
        }
        Some((Some(value), ..)) => format!("{counts}; even at × {value:.3}, without bounds as yet"),
        _ => format!("{counts}; no curve fits as yet"),
    }
}

#[cfg(test)]
mod tests {
    use crate::kinds::fixtures::odds_steps;
    use crate::kinds::odds::plot::*;

    #[test]
    fn every_batch_is_a_dot_and_the_interval_is_shaded_once_there_is_one() {
        let steps = odds_steps();
        let image = |steps| svg("nodes", "the nodes of B", steps).unwrap();
        let whole = image(&steps);
        assert_eq!(whole.matches("<circle").count(), 2);
        assert!(whole.contains("even at × 1.000, shaded"));
        assert!(image(&steps[..1]).contains("no curve fits"));
        assert!(image(&[]).trim_end().ends_with("</svg>"));
    }
}
