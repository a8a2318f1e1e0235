//! The surface of a tuning: its optimum with the interval, and a picture.
//!
//! In: a surface. Out: `surface.csv`, `surface.svg`, text. Must not: fit.

use std::io::Write;
use std::path::Path;

use super::cell::Cell;
use super::files::{ReportError, write_atomically};
use super::number::signed;
use super::plot;
use super::sheet::Sheet;
use super::table::{Align, table};
use crate::tune::{Parameter, Space, Surface};

/// Deviations to either end of a 95 % interval.
const DEVIATIONS: f64 = 1.96;
const DECIMALS: usize = 4;

/// A parameter and where its optimum is.
pub(super) struct Optimum<'a> {
    parameter: &'a Parameter,
    value: f64,
    deviation: f64,
    slope: f64,
    curvature: f64,
}

impl Optimum<'_> {
    fn low(&self) -> f64 {
        self.parameter.clip(self.value - DEVIATIONS * self.deviation)
    }

    fn high(&self) -> f64 {
        self.parameter.clip(self.value + DEVIATIONS * self.deviation)
    }
}

/// The columns of `surface.csv`.
pub(super) fn sheet<'a>() -> Sheet<'a, Optimum<'a>> {
    Sheet::new()
        .column("parameter", "its name", |of: &Optimum<'_>| {
            of.parameter.name.clone().into()
        })
        .column("start", "where the tuning began", |of| {
            Cell::fixed(of.parameter.start, DECIMALS)
        })
        .column("optimum", "the optimum of the surface", |of| {
            Cell::fixed(of.value, DECIMALS)
        })
        .column(
            "optimum_low",
            "lower end of its 95 % interval, within the range",
            |of| Cell::fixed(of.low(), DECIMALS),
        )
        .column(
            "optimum_high",
            "upper end of its 95 % interval, within the range",
            |of| Cell::fixed(of.high(), DECIMALS),
        )
        .column("slope", "Elo for each `c_end` at the start", |of| {
            Cell::fixed(of.slope, DECIMALS)
        })
        .column(
            "curvature",
            "Elo lost for each half square of `c_end` from the optimum",
            |of| Cell::fixed(of.curvature, DECIMALS),
        )
}

fn optima<'a>(surface: &'a Surface, space: &'a Space) -> impl Iterator<Item = Optimum<'a>> {
    let count = surface.optimum.len();
    let parameters = space.parameters().iter().enumerate();
    parameters.map(move |(index, parameter)| Optimum {
        parameter,
        value: surface.optimum[index],
        deviation: surface.deviation[index],
        slope: surface.slopes[index],
        curvature: surface.curvatures[index * count + index],
    })
}

/// Writes `surface.csv` and, of at least two numbers, `surface.svg` into `folder`.
pub(super) fn write(surface: &Surface, space: &Space, folder: &Path) -> Result<(), ReportError> {
    let csv = sheet().csv(optima(surface, space));
    write_atomically(&folder.join("surface.csv"), |output| output.write_all(&csv?))?;
    let Some((svg, _)) = plot::slice::svg(space, surface) else {
        return Ok(());
    };
    write_atomically(&folder.join("surface.svg"), |output| {
        output.write_all(svg?.as_bytes())
    })
}

/// The optimum of each number with its interval, and what it would gain.
pub(super) fn describe(surface: &Surface, space: &Space) -> String {
    let mut rows = vec![
        ["parameter", "optimum", "low", "high"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for of in optima(surface, space) {
        let number = |value: f64| format!("{:.2}", value);
        rows.push(vec![
            of.parameter.name.clone(),
            number(of.value),
            number(of.low()),
            number(of.high()),
        ]);
    }
    let (gain, deviation) = surface.gain;
    let [low, high] =
        [-DEVIATIONS, DEVIATIONS].map(|deviations| signed(Some(gain + deviations * deviation), 1));
    let gain = signed(Some(gain), 1);
    format!(
        "\n{}surface  its optimum is worth {gain} Elo [{low}, {high}] by the tuning's own games\n",
        table(&rows, Align::Right)
    )
}
