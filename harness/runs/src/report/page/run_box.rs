//! A run in the list: its state, its results, and how far its test is.

use indicatif::HumanCount;
use maud::{Markup, html};
use percent_encoding::utf8_percent_encode;

use super::index::{PLAIN, RunRow};
use crate::document::answer::State;
use crate::document::bars;
use crate::document::number::signed;
use crate::document::summary::too_few;
use crate::document::text::Text;
use crate::session::outcome::Unit;
use crate::session::overview::Strength;
use crate::stats::MIN_PAIRS;

/// Elo at the ends of the small scale of a row.
const ELO_SHOWN: f64 = 80.0;
/// Of a tournament or a count, in a row.
const PLAYERS_SHOWN: usize = 4;

pub(super) fn run_box(row: &RunRow) -> Markup {
    let address = format!("runs/{}/", utf8_percent_encode(&row.run, PLAIN));
    let is_match = row.strength().is_some() && row.error.is_none() && row.state != Some(State::Invalid);
    let title = match (row.kind.as_deref(), &*row.players) {
        (Some("match"), [a, b]) => format!("{a} – {b}"),
        (Some("tournament" | "nodes" | "odds"), players) if players.len() > PLAYERS_SHOWN => {
            format!("{}, … ({})", players[..PLAYERS_SHOWN].join(", "), players.len())
        }
        (Some("tournament" | "nodes" | "odds"), players) => players.join(", "),
        _ => row.run.clone(),
    };
    let folder = Some(&row.run).filter(|run| **run != title);
    let about = [folder, row.kind.as_ref()]
        .into_iter()
        .flatten()
        .chain(&row.conditions);
    let about: Vec<&str> = about.map(String::as_str).collect();
    html! {
        article class={ "run " (row.state.map_or("waiting", State::name)) } data-run=(row.run) {
            (result_box(row))
            div class="nm" {
                @if row.has_ledger { a href=(address) { (title) } } @else { b { (title) } }
                div class="dim" { (about.join(" · ")) }
            }
            @if let (true, Some(strength)) = (is_match, row.strength()) {
                (won(strength))
                (elo(row, strength))
            } @else {
                div class="said" { (said(row)) }
            }
            (progress(row))
        }
    }
}

/// State and test.
fn result_box(row: &RunRow) -> Markup {
    let Some(state) = row.state else {
        return html! { div class="box" { span class="state" { "…" } div class="small" { (Text::new("being counted")) } } };
    };
    let test = row.test().filter(|_| state != State::Invalid);
    html! {
        div class={ "box " (state.name()) } {
            span class={ "state " (state.name()) } { (state.icon()) " " (state.word()) }
            @if let Some(test) = test {
                @let [low, high] = test.bounds;
                @let place = 100.0 * ((test.llr - low) / (high - low)).clamp(0.0, 1.0);
                div { "LLR " b { (signed(Some(test.llr), 2)) } }
                svg class="llr" viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label=(format!("LLR {:+.2} ({low:+.2}, {high:+.2})", test.llr)) {
                    line class="track" x1="0" x2="100" y1="6" y2="6" {}
                    line class="zero" x1="50" x2="50" y1="1" y2="11" {}
                    line class="at" x1=(format!("{place:.1}")) x2=(format!("{place:.1}")) y1="6" y2="6" {}
                }
                div class="ends" { span { (format!("H0 {low:+.2}")) } span { (format!("H1 {high:+.2}")) } }
                div class="small" { (test.words) }
            } @else if row.is_stopped && state != State::Invalid {
                div class="small" { (Text::new("stopped before its end")) }
            } @else if row.strength().is_some() && state != State::Invalid {
                div class="small" { (Text::new("fixed length")) }
            }
        }
    }
}

fn won(strength: &Strength) -> Markup {
    let Strength {
        wins,
        losses,
        draws,
        pentanomial,
        ..
    } = strength;
    let most = pentanomial.iter().copied().max().unwrap_or(0).max(1) as f64;
    let label = bars::POINTS
        .iter()
        .zip(pentanomial)
        .map(|(points, pairs)| format!("{points}: {pairs}"));
    html! {
        div class="wd" {
            div {
                span class="wdl" title="won – lost – drawn" { (format!("{wins} – {losses} – {draws}")) }
                @if let Some(score) = strength.score { " " span class="dim" { (format!("{:.1} %", 100.0 * score)) } }
            }
            div class="pn" role="img" aria-label=(label.collect::<Vec<_>>().join(", ")) {
                @for pairs in pentanomial {
                    @let height = 26.0 * *pairs as f64 / most;
                    span {
                        svg viewBox="0 0 10 26" preserveAspectRatio="none" aria-hidden="true" {
                            rect x="0" width="10" y=(format!("{:.1}", 26.0 - height)) height=(format!("{:.1}", height.max(0.6))) {}
                        }
                        (pairs)
                    }
                }
            }
        }
    }
}

fn elo(row: &RunRow, strength: &Strength) -> Markup {
    let [value, low, high] = strength.elo;
    let pairs: u64 = strength.pentanomial.iter().sum();
    let is_young = row.state == Some(State::Running) && pairs < MIN_PAIRS;
    if value.or(low).or(high).is_none() && !is_young {
        return html! { div class="elo" { span class="dim" { "–" } } };
    }
    if is_young {
        return html! { div class="elo" { span class="dim" { (too_few(pairs)) } } };
    }
    let place = |elo: f64| format!("{:.1}", 50.0 + 50.0 * (elo / ELO_SHOWN).clamp(-1.0, 1.0));
    let [from, to] = [low.unwrap_or(-ELO_SHOWN), high.unwrap_or(ELO_SHOWN)].map(place);
    let confidence = format!("{:.0} % CI", 100.0 * strength.confidence);
    html! {
        div class="elo" {
            span class="big" { (signed(value, 1)) } " " span class="dim" { "Elo" @if row.state == Some(State::Running) { " " (Text::new("so far")) } }
            svg class="iv" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true" {
                line class="axis" x1="0" x2="100" y1="6" y2="6" {}
                line class="zero" x1="50" x2="50" y1="0" y2="12" {}
                line class="range" x1=(from) x2=(to) y1="6" y2="6" {}
                @if let Some(value) = value { line class="at" x1=(place(value)) x2=(place(value)) y1="1" y2="11" {} }
            }
            span class="dim small" { (confidence) " " (signed(low, 1)) " " (Text::new("to")) " " (signed(high, 1)) }
        }
    }
}

/// What a run comes to that is no match of two.
fn said(row: &RunRow) -> Markup {
    if let Some(error) = &row.error {
        return html! { (error) };
    }
    let overview = row.overview.as_ref();
    let answer = overview.and_then(|overview| overview.answer.as_ref());
    let tuned = overview
        .and_then(|overview| overview.tuned.as_deref())
        .filter(|tuned| !tuned.is_empty());
    html! {
        @if let Some(answer) = answer { (answer.sentence) }
        @if let Some(tuned) = tuned { div class="dim" { (Text::filled("Changed: {tuned}.", &[("tuned", &tuned)])) } }
        @if row.state == Some(State::Queued) && answer.is_none() { (Text::new("It begins when the runs before it are over.")) }
    }
}

/// Of the test, not of the pairs that are played at most.
fn progress(row: &RunRow) -> Markup {
    let (unit, factor) = match row.unit {
        Unit::Pairs => (Text::new("games"), row.games_per_pair),
        Unit::Searches => (Text::new("searches"), 1),
        Unit::Iterations => (Text::new("iterations"), 1),
        Unit::Rows => (Text::new("settings"), 1),
        Unit::Jobs => (Text::new("jobs"), 1),
        Unit::Batches => (Text::new("batches"), 1),
    };
    let done = factor * row.done;
    let is_open = row.is_stopped || row.state == Some(State::Running);
    let expected = row
        .expected
        .map(|[expected, ..]| factor * expected)
        .filter(|&expected| is_open && expected > done);
    let is_about = row.test().is_some();
    html! {
        div class="pg" {
            @if row.done > 0 || is_open {
                div {
                    b { (thousands(done)) }
                    @if let Some(expected) = expected { " " @if is_about { (Text::new("of about")) } @else { (Text::new("of")) } " " (thousands(rounded(expected, is_about))) }
                    " " (unit)
                }
            }
            @if let Some(expected) = expected {
                @let share = 100.0 * done as f64 / expected.max(1) as f64;
                svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" { rect x="0" y="0" height="8" width=(format!("{share:.1}")) {} }
            }
            div class="dim small" {
                @if let Some(speed) = row.games_per_second { span { (format!("{speed:.1}")) " " (Text::new("games/s")) } " " }
                @if let Some([left, low, high]) = row.time_left_s {
                    span {
                        @if is_about { (Text::new("about")) " " }
                        (duration(left)) " " (Text::new("left"))
                        @if high > low { " (" (duration(low)) " – " (duration(high)) ")" }
                    }
                }
                @if row.is_stopped { span { (Text::new("stopped; the same command resumes it")) } " " }
                @if let (Some(age), false) = (row.age_s, row.state == Some(State::Running)) { span { (ago(age)) } }
                @if row.state == Some(State::Queued) || !row.has_ledger { button type="button" data-take-out=(row.run) { (Text::new("take out")) } }
            }
        }
    }
}

pub(super) fn ago(age_s: u64) -> Text {
    let (count, text) = match age_s {
        0..60 => return Text::new("just now"),
        60..3_600 => (age_s / 60, ["min ago", "分前"]),
        3_600..172_800 => (age_s / 3_600, ["h ago", "時間前"]),
        _ => (age_s / 86_400, ["days ago", "日前"]),
    };
    let [en, ja] = text.map(|unit| format!("{count} {unit}"));
    Text { en, ja }
}

/// An expectation to two digits: more are not known.
pub(super) fn rounded(count: u64, is_about: bool) -> u64 {
    let step = 10_u64.pow(count.max(1).ilog10().saturating_sub(1));
    if is_about {
        count.div_ceil(step) * step
    } else {
        count
    }
}

pub(super) fn thousands(count: u64) -> String {
    HumanCount(count).to_string()
}

pub(super) fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds.div_ceil(60)),
        3_600..36_000 => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} h", seconds.div_ceil(3_600)),
    }
}
