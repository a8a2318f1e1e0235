//! The slice of a surface through its optimum in the plane of two parameters.
//!
//! In: a surface. Out: an SVG image, Elo against the start in colours. Must not: fit.

use std::io;

use plotters::prelude::*;

use super::axis::NumberAxis;
use super::style::{Area, FAINT_INK, Failure, GREEN, INK, VERMILION, image, text};
use crate::tune::{Parameter, Space, Surface};

const SIZE: (u32, u32) = (640, 600);
const DOT: u32 = 6;
/// Cells to a side.
const CELLS: usize = 40;
/// What is shown beyond start and optimum, in units of `c_end`.
const ROOM: f64 = 3.0;
const LEGEND: u32 = 34;

/// The image's text, and the names of both: the two whose optimum is farthest from the start; nothing of a single one.
pub(in crate::report) fn svg(space: &Space, surface: &Surface) -> Option<(io::Result<String>, [String; 2])> {
    let parameters = space.parameters();
    let place = |index: usize| (surface.optimum[index] - parameters[index].start) / parameters[index].c_end;
    let mut order: Vec<usize> = (0..parameters.len()).collect();
    order.sort_by(|&one, &two| place(two).abs().total_cmp(&place(one).abs()));
    let &[x, y, ..] = &order[..] else { return None };
    let slice = Slice {
        surface,
        axes: [x, y],
        parameters: [&parameters[x], &parameters[y]],
        optimum: (0..parameters.len()).map(place).collect(),
    };
    let names = slice.parameters.map(|parameter| parameter.name.clone());
    Some((image(SIZE, |root| draw(root, &slice)), names))
}

struct Slice<'a> {
    surface: &'a Surface,
    axes: [usize; 2],
    parameters: [&'a Parameter; 2],
    /// In units of `c_end` from the start.
    optimum: Vec<f64>,
}

impl Slice<'_> {
    /// The ends of an axis in units of `c_end` from the start; no value that the parameter cannot have is shown.
    fn ends(&self, axis: usize) -> (f64, f64) {
        let optimum = self.optimum[self.axes[axis]];
        let parameter = self.parameters[axis];
        let place = |value: f64| (value - parameter.start) / parameter.c_end;
        let low = (optimum.min(0.0) - ROOM).max(place(parameter.min));
        let high = (optimum.max(0.0) + ROOM).min(place(parameter.max));
        (low, high)
    }

    fn value(&self, axis: usize, place: f64) -> f64 {
        self.parameters[axis].start + place * self.parameters[axis].c_end
    }

    fn number_axis(&self, axis: usize) -> NumberAxis {
        let (low, high) = self.ends(axis);
        NumberAxis::Linear {
            low: self.value(axis, low),
            high: self.value(axis, high),
        }
    }

    fn elo(&self, x: f64, y: f64) -> f64 {
        let mut point = self.optimum.clone();
        (point[self.axes[0]], point[self.axes[1]]) = (x, y);
        self.surface.elo(&point)
    }

    /// Corners of every cell in units of `c_end`, with the Elo of its middle.
    fn cells(&self) -> Vec<([f64; 4], f64)> {
        let (left, right) = self.ends(0);
        let (low, high) = self.ends(1);
        let steps = [(right - left) / CELLS as f64, (high - low) / CELLS as f64];
        let cell = |number: usize| {
            let x = left + steps[0] * (number % CELLS) as f64;
            let y = low + steps[1] * (number / CELLS) as f64;
            let elo = self.elo(x + 0.5 * steps[0], y + 0.5 * steps[1]);
            ([x, y, x + steps[0], y + steps[1]], elo)
        };
        (0..CELLS * CELLS).map(cell).collect()
    }
}

/// Blue for more than the start, orange for less, paler the nearer to it.
fn colour(elo: f64, most: f64) -> RGBColor {
    let share = (elo / most).clamp(-1.0, 1.0);
    let (red, green, blue) = if share < 0.0 {
        (213.0, 94.0, 0.0)
    } else {
        (0.0, 114.0, 178.0)
    };
    let mix = |one: f64| (255.0 + (one - 255.0) * share.abs()).round() as u8;
    RGBColor(mix(red), mix(green), mix(blue))
}

fn draw(root: &Area<'_>, slice: &Slice<'_>) -> Result<(), Failure> {
    let cells = slice.cells();
    let most = cells.iter().map(|(_, elo)| elo.abs()).fold(0.1, f64::max);
    let (top, below) = root.split_vertically(LEGEND);
    let legend = format!(
        "Elo against the start, {:+.1} (orange) to {:+.1} (blue); red: start, green: optimum",
        -most, most
    );
    top.draw(&Text::new(legend, (16, 12), text(15, INK)))?;
    let mut chart = ChartBuilder::on(&below)
        .margin(12)
        .margin_right(24)
        .x_label_area_size(46)
        .y_label_area_size(72)
        .build_cartesian_2d(slice.number_axis(0), slice.number_axis(1))?;
    let mark = |value: &f64| format!("{}", (value * 1e3).round() / 1e3);
    chart
        .configure_mesh()
        .disable_mesh()
        .axis_style(FAINT_INK)
        .label_style(text(15, INK))
        .axis_desc_style(text(16, INK))
        .x_label_formatter(&mark)
        .y_label_formatter(&mark)
        .x_desc(&slice.parameters[0].name)
        .y_desc(&slice.parameters[1].name)
        .draw()?;
    chart.draw_series(cells.iter().map(|(corners, elo)| {
        let [x, y, right, high] = *corners;
        let corners = [
            (slice.value(0, x), slice.value(1, y)),
            (slice.value(0, right), slice.value(1, high)),
        ];
        Rectangle::new(corners, colour(*elo, most).filled())
    }))?;
    let optimum = [slice.optimum[slice.axes[0]], slice.optimum[slice.axes[1]]];
    let dots = [([0.0, 0.0], VERMILION), (optimum, GREEN)];
    chart.draw_series(
        dots.map(|([x, y], colour)| {
            Circle::new((slice.value(0, x), slice.value(1, y)), DOT, colour.filled())
        }),
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::ValueKind;

    #[test]
    fn an_axis_goes_beyond_start_and_optimum_but_not_beyond_what_the_number_can_be() {
        let near_its_least = Parameter {
            name: "futility.base".to_owned(),
            kind: ValueKind::Integer,
            start: 1.0,
            min: 0.0,
            max: 100.0,
            c_end: 2.0,
            r_end: 0.01,
        };
        let surface = Surface {
            optimum: vec![5.0, 3.0],
            deviation: vec![1.0; 2],
            gain: (1.0, 1.0),
            slopes: vec![0.0; 2],
            curvatures: vec![0.0; 4],
        };
        let slice = Slice {
            surface: &surface,
            axes: [0, 1],
            parameters: [&near_its_least, &near_its_least],
            optimum: vec![2.0, 1.0],
        };
        let (low, high) = slice.ends(0);
        assert_eq!(
            (slice.value(0, low), slice.value(0, high)),
            (0.0, 5.0 + 2.0 * ROOM)
        );
    }
}
