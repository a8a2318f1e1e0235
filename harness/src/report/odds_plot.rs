//! `odds.svg`: A's score in each batch over the ratio it was played at, the fitted curve, and where it crosses one half.
//!
//! In: a report of a study. Out: an SVG image. Must not: fit anything.

use std::error::Error;
use std::io;

use plotters::prelude::*;

use super::axis::NumberAxis;
use super::odds::OddsReport;

const INK: RGBColor = RGBColor(34, 34, 34);
const FAINT_INK: RGBColor = RGBColor(110, 110, 110);
const GRID: RGBColor = RGBColor(226, 226, 226);
const CURVE: RGBColor = RGBColor(0, 114, 178);
const DOT: RGBColor = RGBColor(213, 94, 0);
const FONT: &str = "Helvetica, Arial, sans-serif";

const SIZE: (u32, u32) = (760, 500);
const HEAD_HEIGHT: u32 = 80;
const CURVE_POINTS: usize = 120;
/// Half a factor of two and a bit on both sides of what was played.
const ROOM: f64 = 1.3;

type Failure = Box<dyn Error + Send + Sync>;

/// The image's text.
pub(super) fn svg(report: &OddsReport<'_>) -> io::Result<String> {
    let mut image = String::new();
    draw(&mut image, report).map_err(io::Error::other)?;
    Ok(image)
}

fn draw(image: &mut String, report: &OddsReport<'_>) -> Result<(), Failure> {
    let root = SVGBackend::with_string(image, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, body) = root.split_vertically(HEAD_HEIGHT);
    let title = (FONT, 24).into_font().color(&INK);
    head.draw_text("At which ratio the players are equally strong", &title, (20, 16))?;
    let subtitle = (FONT, 15).into_font().color(&FAINT_INK);
    head.draw_text(&subtitle_text(report), &subtitle, (20, 50))?;
    let ratios = report.steps.iter().map(|step| step.ratio);
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
    let x_name = format!("ratio of {}, A's over B's", report.unit);
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT_INK)
        .label_style((FONT, 15).into_font().color(&INK))
        .axis_desc_style((FONT, 16).into_font().color(&INK))
        .x_label_formatter(&|ratio| format!("× {}", (ratio * 1e3).round() / 1e3))
        .y_label_formatter(&|score| format!("{:.0} %", 100.0 * score))
        .x_desc(x_name)
        .y_desc("score of A")
        .draw()?;
    if let Some((left, right)) = report
        .estimate()
        .and_then(|estimate| estimate.low.zip(estimate.high))
    {
        let (left, right) = (left.clamp(low, high), right.clamp(low, high));
        let band = Rectangle::new([(left, 0.0), (right, 1.0)], CURVE.mix(0.15).filled());
        chart.draw_series(std::iter::once(band))?;
    }
    let half = vec![(low, 0.5), (high, 0.5)];
    chart.draw_series(std::iter::once(PathElement::new(half, FAINT_INK.stroke_width(1))))?;
    if let Some(curve) = report.curve() {
        let ratio = |point: usize| low * (high / low).powf(point as f64 / CURVE_POINTS as f64);
        let points = (0..=CURVE_POINTS).map(ratio);
        let points = points.map(|ratio| (ratio, curve.score(ratio.ln())));
        chart.draw_series(LineSeries::new(points, CURVE.stroke_width(2)))?;
    }
    let dots = report
        .steps
        .iter()
        .filter_map(|step| Some((step.ratio, step.tally.score()?)));
    chart.draw_series(dots.map(|dot| Circle::new(dot, 4, DOT.mix(0.7).filled())))?;
    root.present()?;
    Ok(())
}

fn subtitle_text(report: &OddsReport<'_>) -> String {
    let counts = format!("{} pairs in {} batches", report.pairs(), report.steps.len());
    let estimate = report.estimate();
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
    use super::super::odds::tests::steps;
    use super::*;

    #[test]
    fn every_batch_is_a_dot_and_the_interval_is_shaded_once_there_is_one() {
        let labels = ["base".to_owned(), "plain".to_owned()];
        let steps = steps();
        let image = |steps| {
            let report = OddsReport {
                labels: &labels,
                unit: "nodes",
                resource: 1000,
                steps,
            };
            svg(&report).unwrap()
        };
        let whole = image(&steps);
        assert_eq!(whole.matches("<circle").count(), 2);
        assert!(whole.contains("even at × 1.000, shaded"));
        assert!(image(&steps[..1]).contains("no curve fits"));
        assert!(image(&[]).trim_end().ends_with("</svg>"));
    }
}
