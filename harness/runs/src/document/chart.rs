//! What all charts have in common: colours, texts, axes with round marks, and what is drawn between them.

use std::error::Error;
use std::io;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::sanitize;

pub(crate) const INK: RGBColor = RGBColor(34, 34, 34);
pub(crate) const FAINT_INK: RGBColor = RGBColor(110, 110, 110);
const GRID: RGBColor = RGBColor(226, 226, 226);
pub(crate) const FAINT_GRID: RGBColor = RGBColor(244, 244, 244);
const FONT: &str = "Helvetica, Arial, sans-serif";

// Told apart by readers with any colour vision (Okabe and Ito, *Color Universal Design*, 2008).
pub(crate) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(crate) const VERMILION: RGBColor = RGBColor(213, 94, 0);
pub(crate) const GREEN: RGBColor = RGBColor(0, 158, 115);
pub(crate) const PURPLE: RGBColor = RGBColor(204, 121, 167);
pub(crate) const SKY: RGBColor = RGBColor(86, 180, 233);
pub(crate) const ORANGE: RGBColor = RGBColor(230, 159, 0);

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

pub(crate) fn image(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Result<(), Failure>,
) -> io::Result<String> {
    let mut image = String::new();
    let drawn = || -> Result<(), Failure> {
        let root = SVGBackend::with_string(&mut image, size).into_drawing_area();
        root.fill(&WHITE)?;
        draw(&root)?;
        root.present()?;
        Ok(())
    };
    drawn().map_err(io::Error::other)?;
    // Markup in a text is escaped where it is drawn; controls are no characters of XML.
    Ok(sanitize::lines(&image).into_owned())
}

pub(crate) fn text(size: u32, colour: RGBColor) -> TextStyle<'static> {
    (FONT, size).into_font().color(&colour)
}

pub(crate) fn row_text(size: u32, side: HPos) -> TextStyle<'static> {
    text(size, INK).pos(Pos::new(side, VPos::Center))
}

pub(crate) struct ChartFrame<'f> {
    pub(crate) margins: [u32; 4],
    /// Room for the labels of the axes; without room there is no vertical axis.
    pub(crate) rooms: [u32; 2],
    /// Of the marks; the names are a size larger.
    pub(crate) font: u32,
    pub(crate) axes: [NumberAxis; 2],
    pub(crate) names: [&'f str; 2],
    pub(crate) marks: [&'f dyn Fn(&f64) -> String; 2],
    pub(crate) has_grid: bool,
}

pub(crate) struct Chart<'a, 'b> {
    context: ChartContext<'a, SVGBackend<'b>, Cartesian2d<NumberAxis, NumberAxis>>,
}

impl ChartFrame<'_> {
    pub(crate) fn draw<'a, 'b>(&self, area: &'a Area<'b>) -> Result<Chart<'a, 'b>, Failure> {
        let [left, right, top, bottom] = self.margins;
        let [x, y] = self.axes;
        let mut context = ChartBuilder::on(area)
            .margin_left(left)
            .margin_right(right)
            .margin_top(top)
            .margin_bottom(bottom)
            .x_label_area_size(self.rooms[0])
            .y_label_area_size(self.rooms[1])
            .build_cartesian_2d(x, y)?;
        let mut mesh = context.configure_mesh();
        if self.rooms[1] == 0 {
            mesh.disable_y_axis().disable_y_mesh();
        }
        if !self.has_grid {
            mesh.disable_mesh();
        }
        let has_lines = self
            .axes
            .iter()
            .any(|axis| matches!(axis, NumberAxis::FineLog { .. }));
        mesh.bold_line_style(GRID)
            .light_line_style(if has_lines {
                FAINT_GRID.mix(1.0)
            } else {
                TRANSPARENT
            })
            .axis_style(FAINT_INK)
            .label_style(text(self.font, INK))
            .axis_desc_style(text(self.font + 1, INK))
            .x_label_formatter(self.marks[0])
            .y_label_formatter(self.marks[1])
            .x_desc(self.names[0])
            .y_desc(self.names[1])
            .draw()?;
        Ok(Chart { context })
    }
}

impl Chart<'_, '_> {
    pub(crate) fn line(
        &mut self,
        points: impl IntoIterator<Item = (f64, f64)>,
        style: impl Into<ShapeStyle>,
    ) -> Result<(), Failure> {
        self.context.draw_series(LineSeries::new(points, style))?;
        Ok(())
    }

    pub(crate) fn rule(
        &mut self,
        from: (f64, f64),
        to: (f64, f64),
        colour: RGBColor,
        width: u32,
    ) -> Result<(), Failure> {
        let line = PathElement::new(vec![from, to], colour.stroke_width(width));
        self.context.draw_series(std::iter::once(line))?;
        Ok(())
    }

    /// What lies between two lines, each from left to right.
    pub(crate) fn band(
        &mut self,
        one: impl IntoIterator<Item = (f64, f64)>,
        other: impl IntoIterator<Item = (f64, f64)>,
        colour: RGBAColor,
    ) -> Result<(), Failure> {
        let mut outline: Vec<(f64, f64)> = one.into_iter().collect();
        let back: Vec<(f64, f64)> = other.into_iter().collect();
        outline.extend(back.into_iter().rev());
        self.context
            .draw_series(std::iter::once(Polygon::new(outline, colour)))?;
        Ok(())
    }

    pub(crate) fn rectangles(
        &mut self,
        corners: impl IntoIterator<Item = ([(f64, f64); 2], RGBAColor)>,
    ) -> Result<(), Failure> {
        let corners = corners.into_iter();
        self.context
            .draw_series(corners.map(|(corners, colour)| Rectangle::new(corners, colour.filled())))?;
        Ok(())
    }

    pub(crate) fn dots(
        &mut self,
        points: impl IntoIterator<Item = (f64, f64)>,
        size: u32,
        style: impl Into<ShapeStyle>,
    ) -> Result<(), Failure> {
        let style = style.into();
        let points = points.into_iter();
        self.context
            .draw_series(points.map(|point| Circle::new(point, size, style)))?;
        Ok(())
    }
}

pub(crate) fn range(from: (f64, f64), values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let wider = |(low, high): (f64, f64), value| (low.min(value), high.max(value));
    values.into_iter().fold(from, wider)
}

pub(crate) fn plain_mark(value: &f64) -> String {
    format!("{}", (value * 1e3).round() / 1e3)
}

/// `× 0.95`, `× 2`.
pub(crate) fn ratio_mark(ratio: &f64) -> String {
    format!("× {}", (ratio * 1e3).round() / 1e3)
}

pub(crate) fn whole_mark(value: &f64) -> String {
    format!("{value:.0}")
}

/// An axis of numbers with round marks.
#[derive(Debug, Clone, Copy)]
pub(crate) enum NumberAxis {
    Linear {
        low: f64,
        high: f64,
    },
    /// Equal ratios are equally long; both ends are positive.
    Log {
        low: f64,
        high: f64,
    },
    /// The same with lines between its marks.
    FineLog {
        low: f64,
        high: f64,
    },
    /// Whole numbers from 1, with half a step of room on both sides.
    Depths {
        max: u32,
    },
}

impl NumberAxis {
    fn ends(&self) -> (f64, f64) {
        match *self {
            NumberAxis::Linear { low, high }
            | NumberAxis::Log { low, high }
            | NumberAxis::FineLog { low, high } => (low, high),
            NumberAxis::Depths { max } => (0.5, f64::from(max) + 0.5),
        }
    }
}

impl Ranged for NumberAxis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (left, right): (i32, i32)) -> i32 {
        let (low, high) = self.ends();
        let share = match self {
            NumberAxis::Linear { .. } | NumberAxis::Depths { .. } => (value - low) / (high - low),
            NumberAxis::Log { .. } | NumberAxis::FineLog { .. } => (value / low).ln() / (high / low).ln(),
        };
        left + (share * f64::from(right - left)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let is_light = hint.weight().allow_light_points();
        match *self {
            NumberAxis::FineLog { low, high } if is_light => log_lines(low, high),
            _ if is_light => Vec::new(),
            NumberAxis::Linear { low, high } => linear_marks(low, high),
            NumberAxis::Log { low, high } | NumberAxis::FineLog { low, high } => log_marks(low, high),
            NumberAxis::Depths { max } => depth_marks(max),
        }
    }

    fn range(&self) -> Range<f64> {
        let (low, high) = self.ends();
        low..high
    }
}

/// Marks of a linear stretch that is neither empty nor crowded.
const MARKS_MAX: f64 = 6.0;

/// Round numbers for a logarithmic axis from `low` to `high` (both positive): the wider the range, the fewer within a
/// power of ten; equal steps if it is narrow.
fn log_marks(low: f64, high: f64) -> Vec<f64> {
    let decades = (high / low).log10();
    match decades {
        ..0.3 => linear_marks(low, high),
        ..1.0 => multiples(low, high, &[1.0, 1.5, 2.0, 3.0, 5.0, 7.0]),
        ..2.5 => multiples(low, high, &[1.0, 2.0, 5.0]),
        _ => multiples(low, high, &[1.0]),
    }
}

/// What lies between the powers of ten of a wide range; nothing in a narrow one.
fn log_lines(low: f64, high: f64) -> Vec<f64> {
    if (high / low).log10() < 1.0 {
        return Vec::new();
    }
    multiples(low, high, &[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
}

fn multiples(low: f64, high: f64, factors: &[f64]) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let marks = powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
    marks.filter(|mark| (low..=high).contains(mark)).collect()
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear_marks(low: f64, high: f64) -> Vec<f64> {
    let least = (high - low) / MARKS_MAX;
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * power >= least);
    let step = factor.unwrap_or(10.0) * power;
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|multiple| multiple as f64 * step).collect()
}

/// Every depth, or every second, fifth, … if there are many.
fn depth_marks(depth_max: u32) -> Vec<f64> {
    let step = [1, 2, 5, 10, 20].into_iter().find(|step| depth_max / step <= 20);
    let step = step.unwrap_or(50);
    let multiples = (1..=depth_max).filter(|depth| depth % step == 0);
    multiples.map(f64::from).collect()
}

#[cfg(test)]
mod tests {
    use crate::document::chart::*;

    #[test]
    fn a_wide_range_is_marked_at_powers_and_a_narrow_one_in_equal_steps() {
        assert_eq!(log_marks(50.0, 2e5), [100.0, 1e3, 1e4, 1e5]);
        assert_eq!(log_marks(0.5, 12.0), [0.5, 1.0, 2.0, 5.0, 10.0]);
        assert_eq!(log_marks(0.9, 3.5), [1.0, 1.5, 2.0, 3.0]);
        assert!(log_lines(0.9, 3.5).is_empty());
        assert_eq!(log_lines(70.0, 700.0)[..4], [70.0, 80.0, 90.0, 200.0]);
        let narrow: Vec<String> = log_marks(0.91, 1.08)
            .iter()
            .map(|mark| format!("{mark:.2}"))
            .collect();
        assert_eq!(narrow, ["0.95", "1.00", "1.05"]);
    }

    #[test]
    fn depths_are_whole_and_never_crowded() {
        assert_eq!(depth_marks(3), [1.0, 2.0, 3.0]);
        for depth in 1..=127 {
            let marks = depth_marks(depth);
            assert!((1..=20).contains(&marks.len()), "{depth}: {marks:?}");
        }
    }
}
