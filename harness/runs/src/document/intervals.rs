//! Values with their intervals, one below the other.

use std::io;

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::document::chart::{
    Area, BLUE, ChartFrame, FAINT_INK, Failure, NumberAxis, image, range, row_text,
};
use crate::document::number::shortened;
use crate::stats::Estimate;

const WIDTH: u32 = 760;
const NAME_WIDTH: u32 = 230;
const NAME_CHARS_MAX: usize = 28;
const ROW_HEIGHT: u32 = 30;
const FOOT_HEIGHT: u32 = 52;
const MARGIN: u32 = 16;

pub(crate) fn svg(name: &str, rows: &[(String, Estimate)]) -> io::Result<String> {
    let dots = rows
        .iter()
        .enumerate()
        .filter_map(|(place, (_, estimate))| Dot::of(place, estimate, BLUE));
    let dots: Vec<Dot> = dots.collect();
    let (low, high) = range((-1.0, 1.0), dots.iter().flat_map(Dot::ends));
    let room = 0.05 * (high - low);
    let size = (WIDTH, ROW_HEIGHT * rows.len().max(1) as u32 + FOOT_HEIGHT);
    image(size, |root| {
        let (names, plot) = root.split_horizontally(NAME_WIDTH);
        draw_names(
            &names,
            rows.iter().map(|(name, _)| shortened(name, NAME_CHARS_MAX)),
            [NAME_WIDTH - 10, ROW_HEIGHT],
            15,
        )?;
        let panel = Panel {
            axis: NumberAxis::Linear {
                low: low - room,
                high: high + room,
            },
            name,
            mark: &|value| format!("{value:+.0}"),
            middle: None,
            foot_height: FOOT_HEIGHT,
            font: 15,
        };
        panel.draw(&plot, rows.len(), &dots)
    })
}

pub(crate) fn draw_names(
    area: &Area<'_>,
    names: impl Iterator<Item = String>,
    [right, row_height]: [u32; 2],
    font: u32,
) -> Result<(), Failure> {
    let style = row_text(font, HPos::Right);
    for (place, name) in names.enumerate() {
        let y = place as u32 * row_height + row_height / 2;
        area.draw_text(&name, &style, (right as i32, y as i32))?;
    }
    Ok(())
}

pub(crate) struct Dot {
    place: usize,
    value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) colour: RGBColor,
}

impl Dot {
    pub(crate) fn of(place: usize, estimate: &Estimate, colour: RGBColor) -> Option<Dot> {
        let value = estimate.value?;
        Some(Dot {
            place,
            value,
            low: estimate.low.unwrap_or(value),
            high: estimate.high.unwrap_or(value),
            colour,
        })
    }

    pub(crate) fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }
}

pub(crate) struct Panel<'a> {
    pub(crate) axis: NumberAxis,
    pub(crate) name: &'a str,
    pub(crate) mark: &'a dyn Fn(&f64) -> String,
    pub(crate) middle: Option<f64>,
    pub(crate) foot_height: u32,
    pub(crate) font: u32,
}

impl Panel<'_> {
    pub(crate) fn draw(&self, area: &Area<'_>, rows: usize, dots: &[Dot]) -> Result<(), Failure> {
        let height = rows.max(1) as f64;
        let mut chart = ChartFrame {
            margins: [0, MARGIN, 0, 0],
            rooms: [self.foot_height, 0],
            font: self.font,
            axes: [
                self.axis,
                NumberAxis::Linear {
                    low: height,
                    high: 0.0,
                },
            ],
            names: [self.name, ""],
            marks: [self.mark, &|_| String::new()],
            has_grid: true,
        }
        .draw(area)?;
        if let Some(middle) = self.middle {
            chart.rule((middle, height), (middle, 0.0), FAINT_INK, 1)?;
        }
        for dot in dots {
            let y = dot.place as f64 + 0.5;
            chart.rule((dot.low, y), (dot.high, y), dot.colour, 2)?;
            chart.dots([(dot.value, y)], 4, dot.colour.filled())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::document::intervals::*;

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
