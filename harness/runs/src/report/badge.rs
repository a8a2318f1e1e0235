//! A result as a small image for a page that somebody else writes.

use maud::html;

use crate::document::answer::State;
use crate::document::number::signed;
use crate::sanitize;
use crate::session::outcome::Outcome;

const CHAR: usize = 7;
const GREEN: &str = "#00704d";
const RED: &str = "#b03a00";
const GREY: &str = "#555555";

pub fn badge(outcome: &Outcome) -> String {
    let overview = outcome.findings.overview();
    let state = overview.answer.map_or(State::Counted, |answer| answer.state);
    let colour = match state {
        State::Passed => GREEN,
        State::Failed | State::Invalid => RED,
        _ => GREY,
    };
    let value = match overview.strength {
        Some(strength) => {
            let [value, low, high] = strength.elo.map(|elo| signed(elo, 1));
            format!("{value} [{low}, {high}] Elo")
        }
        None => overview.verdict.unwrap_or("report".to_owned()),
    };
    let name = format!("tanren {}", state.word());
    let (name, value) = (sanitize::line(&name), sanitize::line(&value));
    let [left, right] = [&name, &value].map(|text| text.chars().count() * CHAR + 12);
    let width = left + right;
    html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height="20" role="img" aria-label={ (name) ": " (value) } {
            rect width=(left) height="20" fill="#333333" {}
            rect x=(left) width=(right) height="20" fill=(colour) {}
            g fill="#ffffff" font-family="Verdana, Helvetica, Arial, sans-serif" font-size="11" {
                text x="6" y="14" { (name) }
                text x=(left + 6) y="14" { (value) }
            }
        }
    }
    .into_string()
}
