//! `ablation.svg`: a dot and an interval for each changed setting, Elo to the left and nodes to the right.
//!
//! In: rows, in the order of the picture. Out: an SVG image. Must not: sort or compute.

use std::io;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::NumberAxis;
use super::style::{Area, BLUE, FAINT_INK, Failure, GRID, INK, VERMILION, image, text};
use crate::study::ablate::{AblationRow, Worth};

const TITLE: &str = "What each setting is worth as it stands in the base";
const SUBTITLE: &str =
    "changed setting (what the base has); to the right of the line: the base is better; 95 % intervals";
const GAIN: RGBColor = BLUE;
const LOSS: RGBColor = VERMILION;
const UNKNOWN: RGBColor = FAINT_INK;

const HEAD_HEIGHT: u32 = 84;
const FOOT_HEIGHT: u32 = 54;
const ROW_HEIGHT: u32 = 22;
const CHAR_WIDTH: u32 = 8;
const LABEL_CHARS_MAX: usize = 40;
const ELO_WIDTH: u32 = 480;
const RATIO_WIDTH: u32 = 300;
const MARGIN: u32 = 16;

/// The image's text.
pub(in crate::report) fn svg(rows: &[&AblationRow]) -> io::Result<String> {
    let labels: Vec<String> = rows.iter().map(|row| label(row)).collect();
    let chars = labels.iter().map(|label| label.chars().count()).max();
    let labels_width = MARGIN + CHAR_WIDTH * chars.unwrap_or(0) as u32 + MARGIN;
    let rows_height = ROW_HEIGHT * rows.len().max(1) as u32;
    let size = (
        labels_width + ELO_WIDTH + RATIO_WIDTH + MARGIN,
        HEAD_HEIGHT + rows_height + FOOT_HEIGHT,
    );
    image(size, |root| {
        let (head, body) = root.split_vertically(HEAD_HEIGHT);
        head.draw_text(TITLE, &text(24, INK), (16, 14))?;
        head.draw_text(SUBTITLE, &text(15, FAINT_INK), (16, 46))?;
        let (names, plots) = body.split_horizontally(labels_width);
        let style = text(14, INK).pos(Pos::new(HPos::Right, VPos::Center));
        for (place, label) in labels.iter().enumerate() {
            let y = place as u32 * ROW_HEIGHT + ROW_HEIGHT / 2;
            names.draw_text(label, &style, ((labels_width - 8) as i32, y as i32))?;
        }
        let (elo, ratio) = plots.split_horizontally(ELO_WIDTH);
        draw_elo(&elo, rows)?;
        draw_ratio(&ratio, rows)
    })
}

fn label(row: &AblationRow) -> String {
    let text = format!("{} ({})", row.variant.assignment(), row.variant.base_setting);
    let chars = text.chars().count();
    if chars <= LABEL_CHARS_MAX {
        return text;
    }
    text.chars()
        .take(LABEL_CHARS_MAX - 1)
        .chain(std::iter::once('…'))
        .collect()
}

/// One dot with what is known of its interval.
struct Dot {
    /// Place from the top.
    place: usize,
    value: f64,
    low: f64,
    high: f64,
    colour: RGBColor,
}

fn draw_elo(area: &Area<'_>, rows: &[&AblationRow]) -> Result<(), Failure> {
    let dots = rows.iter().enumerate().filter_map(|(place, row)| {
        let value = row.elo.value?;
        Some(Dot {
            place,
            value,
            low: row.elo.low.unwrap_or(value),
            high: row.elo.high.unwrap_or(value),
            colour: match row.worth {
                Worth::Pays => GAIN,
                Worth::Costs => LOSS,
                _ => UNKNOWN,
            },
        })
    });
    let dots: Vec<Dot> = dots.collect();
    let (low, high) = range(&dots, 0.0);
    let room = 0.04 * (high - low).max(1.0);
    let (low, high) = (low - room, high + room);
    let x = NumberAxis::Linear { low, high };
    let mark = |elo: &f64| {
        if elo.abs() < 0.5 {
            "0".to_owned()
        } else {
            format!("{elo:+.0}")
        }
    };
    draw_panel(
        area,
        x,
        &dots,
        rows.len(),
        &Axis {
            name: "Elo",
            middle: 0.0,
            mark: &mark,
        },
    )
}

fn draw_ratio(area: &Area<'_>, rows: &[&AblationRow]) -> Result<(), Failure> {
    let dots = rows.iter().enumerate().filter_map(|(place, row)| {
        let ratio = row.nodes.as_ref()?.ratio;
        let value = ratio.value?;
        let (low, high) = (ratio.low.unwrap_or(value), ratio.high.unwrap_or(value));
        Some(Dot {
            place,
            value,
            low,
            high,
            colour: match (low > 1.0, high < 1.0) {
                (true, _) => GAIN,
                (_, true) => LOSS,
                _ => UNKNOWN,
            },
        })
    });
    let dots: Vec<Dot> = dots.collect();
    let (low, high) = range(&dots, 1.0);
    let (low, high) = (low.min(0.9) / 1.04, high.max(1.1) * 1.04);
    let x = NumberAxis::Log { low, high };
    let mark = |ratio: &f64| format!("× {}", (ratio * 1e3).round() / 1e3);
    draw_panel(
        area,
        x,
        &dots,
        rows.len(),
        &Axis {
            name: "nodes at a fixed depth",
            middle: 1.0,
            mark: &mark,
        },
    )
}

/// What is written along the horizontal axis, and where nothing is gained or lost.
struct Axis<'a> {
    name: &'a str,
    middle: f64,
    mark: &'a dyn Fn(&f64) -> String,
}

fn draw_panel(
    area: &Area<'_>,
    x: NumberAxis,
    dots: &[Dot],
    rows: usize,
    axis: &Axis<'_>,
) -> Result<(), Failure> {
    // From the bottom up, so that the first row is the highest.
    let height = rows.max(1) as f64;
    let mut chart = ChartBuilder::on(area)
        .margin_right(MARGIN)
        .x_label_area_size(FOOT_HEIGHT)
        .build_cartesian_2d(x, 0.0..height)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT_INK)
        .label_style(text(14, INK))
        .axis_desc_style(text(15, INK))
        .x_label_formatter(axis.mark)
        .x_desc(axis.name)
        .draw()?;
    let middle = vec![(axis.middle, 0.0), (axis.middle, height)];
    chart.draw_series(std::iter::once(PathElement::new(
        middle,
        FAINT_INK.stroke_width(1),
    )))?;
    for dot in dots {
        let y = height - dot.place as f64 - 0.5;
        let interval = vec![(dot.low, y), (dot.high, y)];
        chart.draw_series(std::iter::once(PathElement::new(
            interval,
            dot.colour.stroke_width(2),
        )))?;
        chart.draw_series(std::iter::once(Circle::new(
            (dot.value, y),
            4,
            dot.colour.filled(),
        )))?;
    }
    Ok(())
}

/// All that is drawn, and `middle`.
fn range(dots: &[Dot], middle: f64) -> (f64, f64) {
    dots.iter().fold((middle, middle), |(low, high), dot| {
        (low.min(dot.low), high.max(dot.high))
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::fixtures::ablation_row as row;
    use super::*;

    #[test]
    fn every_row_has_its_name_and_a_dot_in_both_panels() {
        let rows = [
            row("lmr", "off", 2),
            row("killers", "off", 0),
            row("null_move", "prune", 1),
        ];
        let image = svg(&rows.iter().collect::<Vec<_>>()).unwrap();
        for name in ["lmr=off (on)", "killers=off (on)", "null_move=prune (reduce)"] {
            assert!(image.contains(name), "{name}");
        }
        assert_eq!(image.matches("<circle").count(), 2 * 3);
    }

    #[test]
    fn nothing_at_all_still_makes_an_image() {
        assert!(svg(&[]).unwrap().trim_end().ends_with("</svg>"));
    }
}
