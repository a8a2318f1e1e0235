//! `surface.svg`: the slice of a surface through its optimum in the plane of two parameters, Elo against the start in colours.

use std::io;

use plotters::prelude::*;

use crate::document::chart::{
    Area, Failure, Frame, GREEN, INK, NumberAxis, VERMILION, image, plain_mark, text,
};
use crate::kinds::tune::optimizer::{Parameter, Space, Surface};

const SIZE: (u32, u32) = (640, 600);
const DOT: u32 = 6;
const CELLS: usize = 40;
/// What is shown beyond start and optimum, in units of `c_end`.
const ROOM: f64 = 3.0;
const LEGEND: u32 = 34;

/// Of the two parameters whose optimum is farthest from the start; nothing of a single one.
pub(crate) fn slice<'a>(space: &'a Space, surface: &'a Surface) -> Option<Slice<'a>> {
    let parameters = &space.parameters;
    let place = |index: usize| (surface.optimum[index] - parameters[index].start) / parameters[index].c_end;
    let mut order: Vec<usize> = (0..parameters.len()).collect();
    order.sort_by(|&one, &two| place(two).abs().total_cmp(&place(one).abs()));
    let &[x, y, ..] = &order[..] else { return None };
    Some(Slice {
        surface,
        axes: [x, y],
        parameters: [&parameters[x], &parameters[y]],
        optimum: (0..parameters.len()).map(place).collect(),
    })
}

pub(crate) struct Slice<'a> {
    surface: &'a Surface,
    axes: [usize; 2],
    parameters: [&'a Parameter; 2],
    optimum: Vec<f64>,
}

impl Slice<'_> {
    pub(crate) fn names(&self) -> [&String; 2] {
        self.parameters.map(|parameter| &parameter.name)
    }

    pub(crate) fn svg(&self) -> io::Result<String> {
        image(SIZE, |root| draw(root, self))
    }

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
    let [x, y] = slice.names();
    let mut chart = Frame {
        margins: [12, 24, 12, 12],
        rooms: [46, 72],
        font: 15,
        axes: [slice.number_axis(0), slice.number_axis(1)],
        names: [x, y],
        marks: [&plain_mark, &plain_mark],
        has_grid: false,
    }
    .draw(&below)?;
    let at = |x: f64, y: f64| (slice.value(0, x), slice.value(1, y));
    chart.rectangles(
        cells
            .iter()
            .map(|&([x, y, right, high], elo)| ([at(x, y), at(right, high)], colour(elo, most).mix(1.0))),
    )?;
    let optimum = slice.axes.map(|axis| slice.optimum[axis]);
    chart.dots([at(0.0, 0.0)], DOT, VERMILION.filled())?;
    chart.dots([at(optimum[0], optimum[1])], DOT, GREEN.filled())
}

#[cfg(test)]
mod tests {
    use crate::kinds::tune::optimizer::ValueKind;
    use crate::kinds::tune::slice_plot::*;

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
