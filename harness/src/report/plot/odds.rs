//! `odds.svg`: A's score in each batch over the ratio it was played at, the fitted curve, and where it crosses one half.
//!
//! In: the batches of a study. Out: an SVG image. Must not: fit anything.

use std::io;

use plotters::prelude::*;

use super::axis::NumberAxis;
use super::style::{Area, BLUE, FAINT_INK, Failure, GRID, INK, VERMILION, image, text};
use crate::report::number::plural;
use crate::study::odds::{OddsStep, curve};

const CURVE: RGBColor = BLUE;
const DOT: RGBColor = VERMILION;

const SIZE: (u32, u32) = (760, 500);
const HEAD_HEIGHT: u32 = 80;
const CURVE_POINTS: usize = 120;
/// Half a factor of two and a bit on both sides of what was played.
const ROOM: f64 = 1.3;

/// The image's text; `one` is what a ratio of 1 is, in words.
pub(in crate::report) fn svg(unit: &str, one: &str, steps: &[OddsStep]) -> io::Result<String> {
    image(SIZE, |root| draw(root, unit, one, steps))
}

fn draw(root: &Area<'_>, unit: &str, one: &str, steps: &[OddsStep]) -> Result<(), Failure> {
    let (head, body) = root.split_vertically(HEAD_HEIGHT);
    let title = text(24, INK);
    head.draw_text("At which ratio the players are equally strong", &title, (20, 16))?;
    let subtitle = text(15, FAINT_INK);
    head.draw_text(&subtitle_text(steps), &subtitle, (20, 50))?;
    let ratios = steps.iter().map(|step| step.ratio);
    let low = ratios.clone().fold(1.0, f64::min) / ROOM;
    let high = ratios.fold(1.0, f64::max) * ROOM;
    let mut chart = ChartBuilder::on(&body)
        .margin_left(12)
        .margin_right(24)
        .margin_top(8)
        .margin_bottom(8)
        .x_label_area_size(46)
        .y_label_area_size(58)
        .build_cartesian_2d(
            NumberAxis::Log { low, high },
            NumberAxis::Linear { low: 0.0, high: 1.0 },
        )?;
    let x_name = format!("{unit} of A over {one}");
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT_INK)
        .label_style(text(15, INK))
        .axis_desc_style(text(16, INK))
        .x_label_formatter(&|ratio| format!("× {}", (ratio * 1e3).round() / 1e3))
        .y_label_formatter(&|score| format!("{:.0} %", 100.0 * score))
        .x_desc(x_name)
        .y_desc("score of A")
        .draw()?;
    if let Some((left, right)) = steps
        .last()
        .and_then(|step| step.estimate.low.zip(step.estimate.high))
    {
        let (left, right) = (left.clamp(low, high), right.clamp(low, high));
        let band = Rectangle::new([(left, 0.0), (right, 1.0)], CURVE.mix(0.15).filled());
        chart.draw_series(std::iter::once(band))?;
    }
    let half = vec![(low, 0.5), (high, 0.5)];
    chart.draw_series(std::iter::once(PathElement::new(half, FAINT_INK.stroke_width(1))))?;
    if let Some(curve) = curve(steps) {
        let ratio = |point: usize| low * (high / low).powf(point as f64 / CURVE_POINTS as f64);
        let points = (0..=CURVE_POINTS).map(ratio);
        let points = points.map(|ratio| (ratio, curve.score(ratio.ln())));
        chart.draw_series(LineSeries::new(points, CURVE.stroke_width(2)))?;
    }
    let dots = steps
        .iter()
        .filter_map(|step| Some((step.ratio, step.tally.score()?)));
    chart.draw_series(dots.map(|dot| Circle::new(dot, 4, DOT.mix(0.7).filled())))?;
    Ok(())
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
    use super::super::super::fixtures::odds_steps;
    use super::*;

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
