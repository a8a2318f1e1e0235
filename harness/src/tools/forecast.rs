use crate::session::error::{ExperimentError, Result};
use crate::stats::elo::elo_of_score;
use crate::stats::{Calculator, CalculatorError, Forecast, Sprt};

const TRUTHS: [f64; 9] = [-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0];

#[derive(Debug, Clone, PartialEq)]
pub struct ForecastSpec {
    pub sprt: Sprt,
    pub draws: f64,
    /// Root mean square advantage that openings give to one side, in Elo.
    pub bias: f64,
    /// True strengths on the test's scale; a range around the hypotheses if there are none.
    pub elo: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
pub struct ForecastRow {
    pub elo: f64,
    pub elo_logistic: Option<f64>,
    pub forecast: Forecast,
}

impl ForecastRow {
    pub fn new(calculator: &Calculator, elo: f64) -> Result<ForecastRow, CalculatorError> {
        Ok(ForecastRow {
            elo,
            elo_logistic: elo_of_score(calculator.score(elo)?),
            forecast: calculator.forecast(elo)?,
        })
    }
}

/// For the strengths asked for, or as far as possible for a range around the hypotheses.
pub fn forecast(spec: &ForecastSpec) -> Result<Vec<ForecastRow>> {
    let ForecastSpec {
        sprt, draws, bias, ..
    } = spec;
    if !bias.is_finite() || *bias < 0.0 {
        let message =
            format!("--bias {bias} must be a finite number, and not below 0: it is a root mean square");
        return Err(ExperimentError::Input(message));
    }
    let calculator = Calculator::new(sprt, *draws, *bias)
        .map_err(|error| ExperimentError::Input(format!("--draws {draws}, --bias {bias}: {error}")))?;
    if spec.elo.is_empty() {
        let width = sprt.elo1() - sprt.elo0();
        let truths = TRUTHS.map(|share| sprt.elo0() + share * width);
        let rows = truths
            .into_iter()
            .flat_map(|elo| ForecastRow::new(&calculator, elo));
        return Ok(rows.collect());
    }
    let row = |&elo: &f64| {
        ForecastRow::new(&calculator, elo)
            .map_err(|error| ExperimentError::Input(format!("--elo {elo}: {error}")))
    };
    spec.elo.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_strengths_the_hypotheses_are_among_a_range_around_them() {
        let mut spec = ForecastSpec {
            sprt: Sprt::default(),
            draws: 0.3,
            bias: 0.0,
            elo: Vec::new(),
        };
        let elo: Vec<f64> = forecast(&spec).unwrap().iter().map(|row| row.elo).collect();
        assert_eq!(elo, [-5.0, -2.5, 0.0, 1.25, 2.5, 3.75, 5.0, 7.5, 10.0]);
        spec.elo = vec![f64::NAN];
        assert!(forecast(&spec).unwrap_err().to_string().starts_with("--elo NaN"));
        for bias in [f64::INFINITY, -5.0] {
            spec.bias = bias;
            assert!(forecast(&spec).unwrap_err().to_string().contains("--bias"));
        }
    }
}
