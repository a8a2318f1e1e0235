//! The result of a match for a reader.
//!
//! In: a summary and a standing. Out: a few lines of text. Must not: say more than the numbers do.

use std::fmt::Write;

use super::faults;
use super::number::{percent, signed};
use super::sheet::Sheet;
use super::summary::Summary;
use super::table::{Align, wrapped};
use crate::config::{elo_model_name, sprt_text};
use crate::event::Warning;
use crate::record::Reason;
use crate::standing::{Standing, Totals, Verdict};
use crate::stats::{Estimate, Sprt};

/// The lines that end a match on stdout.
pub fn describe(summary: &Summary, standing: &Standing) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = describe_into(&mut text, summary, standing);
    wrapped(&text)
}

/// Several results side by side, one line each.
pub fn compare<'a>(results: impl Iterator<Item = (String, &'a Summary)>) -> String {
    let elo = |(_, summary): &(String, &Summary)| summary.estimates.best_elo();
    let sheet = Sheet::new()
        .column("run", "the folder", |(name, _): &(String, &Summary)| name.into())
        .column("pairs", "pairs counted", |(_, summary)| {
            summary.tally.pairs().into()
        })
        .column("score", "score of A", |(_, summary)| {
            percent(summary.estimates.score).into()
        })
        .column("Elo", "Elo of A", move |row| signed(elo(row).value, 1).into())
        .column("low", "lower end of its interval", move |row| {
            signed(elo(row).low, 1).into()
        })
        .column("high", "upper end of its interval", move |row| {
            signed(elo(row).high, 1).into()
        })
        .column("LLR", "log likelihood ratio", |(_, summary)| {
            signed(summary.estimates.llr(), 2).into()
        })
        .column("verdict", "what the match says", |(_, summary)| {
            summary.verdict.name().into()
        });
    sheet.table(results, Align::Left)
}

fn describe_into(text: &mut String, summary: &Summary, standing: &Standing) -> std::fmt::Result {
    let tally = &summary.tally;
    let sprt = standing.progress().rule().sprt;
    let [ll, ld, even, dw, ww] = tally.pentanomial;
    writeln!(text, "A        {}", summary.labels[0])?;
    writeln!(text, "B        {}", summary.labels[1])?;
    writeln!(
        text,
        "games    {} in {} pairs: A won {}, lost {}, drew {} ({})",
        tally.games(),
        tally.pairs(),
        tally.wins(),
        tally.losses(),
        tally.draws,
        percent(summary.estimates.score)
    )?;
    writeln!(
        text,
        "pairs    0: {ll}  1/2: {ld}  1: {even}  3/2: {dw}  2: {ww}  (points of A)"
    )?;
    writeln!(
        text,
        "colours  A moving first +{} -{}, second +{} -{}",
        tally.first_wins, tally.first_losses, tally.second_wins, tally.second_losses
    )?;
    writeln!(text, "ends     {}", ends(standing.totals()))?;
    if tally.games() > 0 {
        writeln!(text, "         {}", averages(standing.totals(), tally.games()))?;
    }
    if summary.mirrored > 0 {
        let (same, of) = (summary.mirrored, tally.pairs());
        writeln!(
            text,
            "same     in {same} of {of} pairs the players never differed: both games went the same way"
        )?;
    }
    text.push_str(&faults::lines(&summary.faults, &summary.labels));
    if !matches!(summary.verdict, Verdict::Identical | Verdict::Invalid) {
        estimates(text, summary, standing)?;
    }
    writeln!(
        text,
        "verdict  {}: {}",
        summary.verdict.name(),
        meaning(summary, sprt.as_ref())
    )?;
    if summary.repeated > 0 {
        let (pairs, of) = (summary.repeated, tally.pairs());
        writeln!(text, "warning  {}", Warning::RepeatedPairs { pairs, of })?;
    }
    Ok(())
}

fn estimates(text: &mut String, summary: &Summary, standing: &Standing) -> std::fmt::Result {
    let (progress, estimates) = (standing.progress(), &summary.estimates);
    let sprt = progress.rule().sprt;
    if !estimates.is_enough {
        return writeln!(text, "Elo      too few pairs for an estimate");
    }
    let note = if sprt.is_some() {
        "  as if the length had been fixed"
    } else {
        ""
    };
    writeln!(text, "Elo      {}{note}", interval(&estimates.elo))?;
    if let Some(stopped) = &estimates.stopped {
        writeln!(
            text,
            "         {}  allowing for the test's stop: use this one (LOS {})",
            interval(&stopped.elo),
            percent(Some(stopped.los))
        )?;
    }
    if let Some(anytime) = &estimates.anytime {
        writeln!(
            text,
            "         {}  at whatever moment one looks",
            interval(anytime)
        )?;
    }
    writeln!(
        text,
        "nElo     {}   LOS {}",
        interval(&estimates.nelo),
        percent(estimates.los)
    )?;
    let bounds = progress.bounds().zip(estimates.bounds());
    if let (Some(sprt), Some(llr), Some((asked, used))) = (sprt, estimates.llr(), bounds) {
        writeln!(
            text,
            "LLR      {llr:+.3}, bounds {:+.3} {:+.3} (Wald's {:+.3} {:+.3} less half the mean overshoot)",
            used.lower, used.upper, asked.lower, asked.upper
        )?;
        writeln!(text, "test     {}", sprt_text(&sprt))?;
    }
    Ok(())
}

pub(super) fn interval(estimate: &Estimate) -> String {
    format!(
        "{} [{}, {}]",
        signed(estimate.value, 1),
        signed(estimate.low, 1),
        signed(estimate.high, 1)
    )
}

fn ends(totals: &Totals) -> String {
    let counts = Reason::ALL.iter().zip(totals.reasons);
    let seen = counts.filter(|(_, count)| *count > 0);
    let texts: Vec<String> = seen
        .map(|(reason, count)| format!("{} {count}", reason.name()))
        .collect();
    texts.join(", ")
}

fn averages(totals: &Totals, games: u64) -> String {
    let per_game = |sum: u64| sum as f64 / games as f64;
    format!(
        "a game: {:.1} plies, {:.0} nodes of A, {:.0} of B",
        per_game(totals.plies),
        per_game(totals.nodes[0]),
        per_game(totals.nodes[1])
    )
}

fn meaning(summary: &Summary, sprt: Option<&Sprt>) -> String {
    let test = sprt.copied().unwrap_or_default();
    let (elo0, elo1, model) = (test.elo0(), test.elo1(), elo_model_name(test.model()));
    match summary.verdict {
        Verdict::AcceptedH1 => format!(
            "A is stronger than {elo0} {model} Elo (were it not, this would happen with probability about {})",
            test.alpha()
        ),
        Verdict::AcceptedH0 => format!(
            "A is not {elo1} {model} Elo stronger (were it, this would happen with probability about {})",
            test.beta()
        ),
        Verdict::LimitReached => {
            "all pairs are played and the test is undecided; nothing is accepted".to_owned()
        }
        Verdict::FixedLength => match (summary.estimates.elo.low, summary.estimates.elo.high) {
            (Some(low), _) if low > 0.0 => "A is stronger (the 95 % interval lies above 0)".to_owned(),
            (_, Some(high)) if high < 0.0 => "B is stronger (the 95 % interval lies below 0)".to_owned(),
            _ if !summary.estimates.is_enough => "too few pairs to tell".to_owned(),
            _ => "no difference shown (the 95 % interval contains 0)".to_owned(),
        },
        Verdict::Identical => {
            "both games of every pair went the same way, move for move; A and B cannot be told apart here"
                .to_owned()
        }
        Verdict::Interrupted => "stopped before the end; nothing is accepted".to_owned(),
        Verdict::Invalid => match &summary.invalid {
            Some(invalid) => format!("{invalid}; nothing is said about strength"),
            None => "faults decided it; nothing is said about strength".to_owned(),
        },
    }
}
