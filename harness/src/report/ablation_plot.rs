//! `ablation.svg`: a dot and an interval for each changed setting, Elo to the left and nodes to the right.
//!
//! In: rows, in the order of the picture. Out: an SVG image. Must not: sort or compute.

use std::error::Error;
use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::NumberAxis;
use crate::study::ablate::{AblationRow, Worth};

const INK: RGBColor = RGBColor(34, 34, 34);
const FAINT_INK: RGBColor = RGBColor(110, 110, 110);
const GRID: RGBColor = RGBColor(226, 226, 226);
/// Told apart by readers with any colour vision (Okabe and Ito, *Color Universal Design*, 2008).
const GAIN: RGBColor = RGBColor(0, 114, 178);
const LOSS: RGBColor = RGBColor(213, 94, 0);
const UNKNOWN: RGBColor = RGBColor(110, 110, 110);
const FONT: &str = "Helvetica, Arial, sans-serif";

const HEAD_HEIGHT: u32 = 84;
const FOOT_HEIGHT: u32 = 54;
const ROW_HEIGHT: u32 = 22;
const CHAR_WIDTH: u32 = 8;
const LABEL_CHARS_MAX: usize = 40;
const ELO_WIDTH: u32 = 480;
const RATIO_WIDTH: u32 = 300;
const MARGIN: u32 = 16;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Failure = Box<dyn Error + Send + Sync>;

/// The image's text.
pub(super) fn svg(rows: &[&AblationRow]) -> io::Result<String> {
    let mut image = String::new();
    draw(&mut image, rows).map_err(io::Error::other)?;
    Ok(image)
}

fn draw(image: &mut String, rows: &[&AblationRow]) -> Result<(), Failure> {
    let labels: Vec<String> = rows.iter().map(|row| label(row)).collect();
    let chars = labels.iter().map(|label| label.chars().count()).max();
    let labels_width = MARGIN + CHAR_WIDTH * chars.unwrap_or(0) as u32 + MARGIN;
    let rows_height = ROW_HEIGHT * rows.len().max(1) as u32;
    let size = (
        labels_width + ELO_WIDTH + RATIO_WIDTH + MARGIN,
        HEAD_HEIGHT + rows_height + FOOT_HEIGHT,
    );
    let root = SVGBackend::with_string(image, size).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, body) = root.split_vertically(HEAD_HEIGHT);
    let title = (FONT, 24).into_font().color(&INK);
    head.draw_text(
        "What each setting is worth as it stands in the base",
        &title,
        (16, 14),
    )?;
    let subtitle = (FONT, 15).into_font().color(&FAINT_INK);
    let text =
        "changed setting (what the base has); to the right of the line: the base is better; 95 % intervals";
    head.draw_text(text, &subtitle, (16, 46))?;
    let (names, plots) = body.split_horizontally(labels_width);
    let style = (FONT, 14)
        .into_font()
        .color(&INK)
        .pos(Pos::new(HPos::Right, VPos::Center));
    for (place, label) in labels.iter().enumerate() {
        let y = place as u32 * ROW_HEIGHT + ROW_HEIGHT / 2;
        names.draw_text(label, &style, ((labels_width - 8) as i32, y as i32))?;
    }
    let (elo, ratio) = plots.split_horizontally(ELO_WIDTH);
    draw_elo(&elo, rows)?;
    draw_ratio(&ratio, rows)?;
    root.present()?;
    Ok(())
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
                Worth::WorthIt => GAIN,
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
        .label_style((FONT, 14).into_font().color(&INK))
        .axis_desc_style((FONT, 15).into_font().color(&INK))
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
    use super::super::ablation::tests::row;
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
