//! What a sequential test says about counts from elsewhere.
//!
//! In: a sample and a test. Out: JSON or text. Must not: compute statistics itself.

use serde_json::{Value, json};

use super::number::{percent, signed};
use super::summary::CONFIDENCE;
use super::table::wrapped;
use super::text::interval;
use crate::stats::{
    Estimate, Sample, Sprt, StoppedEstimate, anytime_elo, elo, exact_elo, llr, stopped_estimate,
};

/// The keys of `tanren sprt --json`.
pub fn test_json(sample: &Sample, sprt: &Sprt) -> Value {
    let bounds = sprt.bounds();
    let llr = llr(sample, sprt);
    let estimate = elo::elo(sample, CONFIDENCE);
    let stopped = stopped(sample, sprt);
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

/// The same for a reader, with the interval that holds at every look.
pub fn describe_test(sample: &Sample, sprt: &Sprt) -> String {
    let bounds = sprt.bounds();
    wrapped(&format!(
        "counts   {}\nLLR      {:+.4} between {:.4} and {:.4} ({sprt})\nstate    {}{}",
        counts(sample),
        llr(sample, sprt),
        bounds.lower,
        bounds.upper,
        state(sample, sprt),
        estimates(sample, sprt)
    ))
}

fn counts(sample: &Sample) -> String {
    let (names, unit): (&[&str], &str) = if sample.games_per_sample() == 2 {
        (&["LL", "LD", "DD+WL", "DW", "WW"], "pairs")
    } else {
        (&["L", "D", "W"], "games")
    };
    let each: Vec<String> = names
        .iter()
        .zip(sample.counts())
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    let points = sample.scores().iter().zip(sample.counts());
    let points: f64 = points.map(|(score, &count)| score * count as f64).sum();
    let score = percent(Some(points / sample.count() as f64));
    format!("{} {unit}: {} (score {score})", sample.count(), each.join(", "))
}

fn estimates(sample: &Sample, sprt: &Sprt) -> String {
    let mut text = String::new();
    match elo::elo(sample, CONFIDENCE) {
        Some(estimate) => {
            let nelo = elo::nelo(sample, CONFIDENCE).and_then(|estimate| estimate.value);
            text += &format!(
                "\nElo      {}  as if the length had been fixed (nElo {}, LOS {})",
                interval(&estimate),
                signed(nelo, 1),
                percent(elo::los(sample))
            );
        }
        None => {
            let exact = exact_elo(sample, CONFIDENCE).map_or("-".to_owned(), |exact| interval(&exact));
            text += &format!("\nElo      {exact}  exact, as if the length had been fixed: too few for more");
        }
    }
    if let Some(stopped) = stopped(sample, sprt) {
        text += &format!(
            "\n         {}  allowing for the test's stop (LOS {})",
            interval(&stopped.elo),
            percent(Some(stopped.los))
        );
    }
    if let Some(anytime) = anytime_elo(sample, CONFIDENCE) {
        text += &format!("\n         {}  at whatever moment one looks", interval(&anytime));
    }
    text + "\n"
}

/// As every estimate, it is not shown from too few results: one won pair would have a LOS of 1.
fn stopped(sample: &Sample, sprt: &Sprt) -> Option<StoppedEstimate> {
    stopped_estimate(sample, sprt, CONFIDENCE).filter(|_| elo::is_enough(sample))
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
        for key in [
            "elo",
            "elo_low",
            "nelo",
            "los",
            "stopped_elo",
            "stopped_low",
            "stopped_los",
        ] {
            assert!(value[key].is_null(), "{key}: {value}");
        }
        assert_eq!(value["state"], "undecided");
    }

    #[test]
    fn few_results_show_their_exact_interval_and_many_the_usual_one() {
        let sprt = Sprt::default();
        let few = describe_test(&Sample::games(1, 1, 3), &sprt);
        assert!(
            few.contains("5 games: L 1, D 1, W 3 (score 70.0 %)") && few.contains("exact"),
            "{few}"
        );
        let many = describe_test(&Sample::pairs([0, 3, 10, 4, 1]), &sprt);
        assert!(
            many.contains("18 pairs: LL 0, LD 3, DD+WL 10, DW 4, WW 1"),
            "{many}"
        );
        assert!(
            !many.contains("exact") && many.contains("at whatever moment one looks"),
            "{many}"
        );
    }
}
