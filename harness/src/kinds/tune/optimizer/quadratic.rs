/// Numbers that a surface is fitted to at most: with six there are 27 unknowns.
pub const SURFACE_PARAMETERS_MAX: usize = 6;

/// The surface that was found; values are in the units of the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    pub optimum: Vec<f64>,
    pub deviation: Vec<f64>,
    /// Elo of the optimum against the start, and its standard deviation.
    pub gain: (f64, f64),
    /// Elo for each `c_end` at the start, by parameter.
    pub slopes: Vec<f64>,
    /// Elo lost for each half square of `c_end`, row by row.
    pub curvatures: Vec<f64>,
}

impl Surface {
    pub fn elo(&self, x: &[f64]) -> f64 {
        let count = x.len();
        let slopes: f64 = self.slopes.iter().zip(x).map(|(slope, x)| slope * x).sum();
        let square = |place: usize| self.curvatures[place] * x[place / count] * x[place % count];
        slopes - 0.5 * (0..count * count).map(square).sum::<f64>()
    }
}
