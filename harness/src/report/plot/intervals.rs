//! Values with their intervals, one below the other.
//!
//! In: names and estimates. Out: an SVG image. Must not: sort or compute.

use std::io;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::NumberAxis;
use super::style::{BLUE, FAINT_INK, GRID, INK, image, text};
use crate::stats::Estimate;

const WIDTH: u32 = 760;
const NAME_WIDTH: u32 = 230;
const NAME_CHARS_MAX: usize = 28;
const ROW_HEIGHT: u32 = 30;
const FOOT_HEIGHT: u32 = 52;

/// A dot and a line for each name whose value is known.
pub(in crate::report) fn svg(axis: &str, rows: &[(String, Estimate)]) -> io::Result<String> {
    let height = ROW_HEIGHT * rows.len().max(1) as u32 + FOOT_HEIGHT;
    let ends = rows.iter().filter_map(|(_, estimate)| {
        let value = estimate.value?;
        Some((estimate.low.unwrap_or(value), estimate.high.unwrap_or(value)))
    });
    let (low, high) = ends.fold((-1.0_f64, 1.0_f64), |(low, high), ends| {
        (low.min(ends.0), high.max(ends.1))
    });
    let room = 0.05 * (high - low);
    image((WIDTH, height), |root| {
        let (names, plot) = root.split_horizontally(NAME_WIDTH);
        let style = text(15, INK).pos(Pos::new(HPos::Right, VPos::Center));
        for (place, (name, _)) in rows.iter().enumerate() {
            let y = place as i32 * ROW_HEIGHT as i32 + ROW_HEIGHT as i32 / 2;
            names.draw_text(&shortened(name), &style, (NAME_WIDTH as i32 - 10, y))?;
        }
        let mut chart = ChartBuilder::on(&plot)
            .margin_right(16)
            .x_label_area_size(FOOT_HEIGHT)
            .build_cartesian_2d(
                NumberAxis::Linear {
                    low: low - room,
                    high: high + room,
                },
                rows.len().max(1) as f64..0.0,
            )?;
        chart
            .configure_mesh()
            .disable_y_axis()
            .disable_y_mesh()
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(FAINT_INK)
            .label_style(text(15, INK))
            .axis_desc_style(text(16, INK))
            .x_label_formatter(&|value| format!("{value:+.0}"))
            .x_desc(axis)
            .draw()?;
        for (place, (_, estimate)) in rows.iter().enumerate() {
            let Some(value) = estimate.value else { continue };
            let y = place as f64 + 0.5;
            let line = vec![
                (estimate.low.unwrap_or(value), y),
                (estimate.high.unwrap_or(value), y),
            ];
            chart.draw_series(std::iter::once(PathElement::new(line, BLUE.stroke_width(2))))?;
            chart.draw_series(std::iter::once(Circle::new((value, y), 4, BLUE.filled())))?;
        }
        Ok(())
    })
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= NAME_CHARS_MAX {
        return name.to_owned();
    }
    name.chars()
        .take(NAME_CHARS_MAX - 1)
        .chain(std::iter::once('…'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_has_a_name_and_no_dot() {
        let known = Estimate {
            value: Some(10.0),
            low: Some(-2.0),
            high: None,
        };
        let rows = [("a".to_owned(), known), ("b".repeat(40), Estimate::UNKNOWN)];
        let drawn = svg("Elo", &rows).unwrap();
        assert_eq!(drawn.matches("<circle").count(), 1);
        assert!(drawn.contains('…'));
    }
}
