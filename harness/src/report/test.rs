//! What a sequential test says about counts from elsewhere, and how one would go.
//!
//! In: a sample and a test, or a forecast. Out: JSON or text. Must not: compute statistics itself.

use serde_json::{Value, json};

use super::number::{percent, signed};
use super::summary::CONFIDENCE;
use super::text::interval;
use crate::stats::{Estimate, Forecast, Sample, Sprt, elo, llr, stopped_estimate};

/// The keys of `tanren sprt --json`.
pub fn test_json(sample: &Sample, sprt: &Sprt) -> Value {
    let bounds = sprt.bounds();
    let llr = llr(sample, sprt);
    let estimate = elo::elo(sample, CONFIDENCE);
    let stopped = stopped_estimate(sample, sprt, CONFIDENCE);
    let of = |estimate: Option<Estimate>, part: fn(&Estimate) -> Option<f64>| {
        estimate.as_ref().and_then(part).filter(|value| value.is_finite())
    };
    let stopped_elo = stopped.map(|stopped| stopped.elo);
    json!({
        "llr": Some(llr).filter(|llr| llr.is_finite()),
        "lower": bounds.lower,
        "upper": bounds.upper,
        "state": state(sample, sprt),
        "elo": of(estimate, |estimate| estimate.value),
        "elo_low": of(estimate, |estimate| estimate.low),
        "elo_high": of(estimate, |estimate| estimate.high),
        "nelo": of(elo::nelo(sample, CONFIDENCE), |estimate| estimate.value),
        "los": elo::los(sample),
        "stopped_elo": of(stopped_elo, |estimate| estimate.value),
        "stopped_low": of(stopped_elo, |estimate| estimate.low),
        "stopped_high": of(stopped_elo, |estimate| estimate.high),
        "stopped_los": stopped.map(|stopped| stopped.los),
    })
}

/// The same for a reader.
pub fn describe_test(sample: &Sample, sprt: &Sprt) -> String {
    let bounds = sprt.bounds();
    let mut text = format!(
        "LLR      {:+.4} between {:.4} and {:.4} ({sprt})\nstate    {}\n",
        llr(sample, sprt),
        bounds.lower,
        bounds.upper,
        state(sample, sprt)
    );
    match elo::elo(sample, CONFIDENCE) {
        None => text += "Elo      too few results for an estimate of fixed length\n",
        Some(estimate) => {
            let nelo = elo::nelo(sample, CONFIDENCE).and_then(|estimate| estimate.value);
            text += &format!(
                "Elo      {}  as if the length had been fixed (nElo {}, LOS {})\n",
                interval(&estimate),
                signed(nelo, 1),
                percent(elo::los(sample))
            );
        }
    }
    if let Some(stopped) = stopped_estimate(sample, sprt, CONFIDENCE) {
        text += &format!(
            "         {}  allowing for the test's stop (LOS {})\n",
            interval(&stopped.elo),
            percent(Some(stopped.los))
        );
    }
    text
}

/// How a test would go, for a reader.
pub fn describe_forecast(forecast: &Forecast, sprt: &Sprt, elo: f64, draws: f64) -> String {
    format!(
        "test     {sprt}\ntruth    {elo} {} Elo, {} draws\npass     {}\nlength   {:.0} pairs on average\n",
        sprt.model(),
        percent(Some(draws)),
        percent(Some(forecast.pass_probability)),
        forecast.pairs()
    )
}

fn state(sample: &Sample, sprt: &Sprt) -> &'static str {
    let (bounds, llr) = (sprt.bounds(), llr(sample, sprt));
    if llr >= bounds.upper {
        "accepted_h1"
    } else if llr <= bounds.lower {
        "accepted_h0"
    } else {
        "undecided"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_counts_give_the_reference_values() {
        let sprt: Sprt = "elo0=0,elo1=2,model=normalized".parse().unwrap();
        let value = test_json(&Sample::pairs([379, 10170, 21828, 10640, 343]), &sprt);
        let near = |key: &str, expected: f64| (value[key].as_f64().unwrap() - expected).abs() < 1e-4;
        assert!(near("llr", 2.945_495_430_9), "{value}");
        assert!(
            near("stopped_elo", 1.421_11) && near("stopped_los", 0.985_302),
            "{value}"
        );
        assert_eq!(value["state"], "accepted_h1");
    }

    #[test]
    fn what_cannot_be_given_is_null() {
        let sprt = Sprt::default();
        let value = test_json(&Sample::games(0, 0, 3), &sprt);
        assert!(value["elo"].is_null() && value["nelo"].is_null() && value["los"].is_null());
        assert_eq!(value["state"], "undecided");
    }
}
