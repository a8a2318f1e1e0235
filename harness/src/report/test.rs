//! What a sequential test says about counts from elsewhere.

use serde_json::{Value, json};

use super::matches::interval;
use super::number::{percent, signed};
use super::table::wrapped;
use crate::config::sprt_text;
use crate::stats::{Estimate, Estimates, Sample, Sprt, Walk};
use crate::stop::{Decision, judge};

/// The keys of `tanren sprt --json`.
pub fn test_json(sample: &Sample, sprt: &Sprt) -> Value {
    let walk = Walk::of_counts(sample, *sprt);
    let estimates = Estimates::new(sample, Some(walk));
    let stopped_elo = estimates.stopped.map_or(Estimate::UNKNOWN, |stopped| stopped.elo);
    json!({
        "llr": walk.llr,
        "lower": walk.bounds.lower,
        "upper": walk.bounds.upper,
        "state": state(&walk),
        "elo": estimates.elo.value,
        "elo_low": estimates.elo.low,
        "elo_high": estimates.elo.high,
        "nelo": estimates.nelo.value,
        "los": estimates.los,
        "stopped_elo": stopped_elo.value,
        "stopped_low": stopped_elo.low,
        "stopped_high": stopped_elo.high,
        "stopped_los": estimates.stopped.map(|stopped| stopped.los),
    })
}

/// The same for a reader, with the interval that holds at every look.
pub fn describe_test(sample: &Sample, sprt: &Sprt) -> String {
    let walk = Walk::of_counts(sample, *sprt);
    let estimates = Estimates::new(sample, Some(walk));
    wrapped(&format!(
        "counts   {}\nLLR      {:+.4} between {:.4} and {:.4} ({})\nstate    {}{}",
        counts(sample, &estimates),
        walk.llr.unwrap_or(0.0),
        walk.bounds.lower,
        walk.bounds.upper,
        sprt_text(sprt),
        state(&walk),
        describe(&estimates)
    ))
}

fn counts(sample: &Sample, estimates: &Estimates) -> String {
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
    let score = percent(estimates.score);
    format!("{} {unit}: {} (score {score})", sample.count(), each.join(", "))
}

fn describe(estimates: &Estimates) -> String {
    let mut text = String::new();
    if estimates.is_enough {
        text += &format!(
            "\nElo      {}  as if the length had been fixed (nElo {}, LOS {})",
            interval(&estimates.elo),
            signed(estimates.nelo.value, 1),
            percent(estimates.los)
        );
    } else {
        let exact = estimates.exact.map_or("-".to_owned(), |exact| interval(&exact));
        text += &format!("\nElo      {exact}  exact, as if the length had been fixed: too few for more");
    }
    if let Some(stopped) = &estimates.stopped {
        text += &format!(
            "\n         {}  allowing for the test's stop (LOS {})",
            interval(&stopped.elo),
            percent(Some(stopped.los))
        );
    }
    if let Some(anytime) = &estimates.anytime {
        text += &format!("\n         {}  at whatever moment one looks", interval(anytime));
    }
    text + "\n"
}

fn state(walk: &Walk) -> &'static str {
    match walk.llr.map(|llr| judge(llr, walk.bounds)) {
        Some(Decision::AcceptH1) => "accepted_h1",
        Some(Decision::AcceptH0) => "accepted_h0",
        _ => "undecided",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_counts_give_the_reference_values() {
        let sprt: Sprt = crate::config::parse_sprt("elo0=0,elo1=2,model=normalized").unwrap();
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
        let value = test_json(&Sample::games(0, 0, 3), &Sprt::default());
        let keys = "elo elo_low nelo los stopped_elo stopped_low stopped_los";
        assert!(keys.split(' ').all(|key| value[key].is_null()), "{value}");
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
