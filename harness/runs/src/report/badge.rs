//! A result as a small image for a page that somebody else writes.

use maud::html;

use crate::document::number::signed;
use crate::document::summary::Summary;
use crate::kinds::match_::MatchFindings;
use crate::kinds::tune::TuningFindings;
use crate::match_state::Verdict;
use crate::sanitize;
use crate::session::outcome::Outcome;

const CHAR: usize = 7;
const GREEN: &str = "#00704d";
const RED: &str = "#b03a00";
const GREY: &str = "#555555";

pub fn badge(outcome: &Outcome) -> String {
    let confirmation = || outcome.findings.of::<TuningFindings>()?.confirmation.as_ref();
    let found = outcome.findings.of::<MatchFindings>().or_else(confirmation);
    let (name, value, colour) = match found {
        Some(found) => {
            let summary = Summary::new(&found.match_state, &found.labels);
            let elo = summary.estimates.elo;
            let [value, low, high] = [elo.value, elo.low, elo.high].map(|elo| signed(elo, 1));
            let colour = match summary.verdict {
                Verdict::AcceptedH1 => GREEN,
                Verdict::AcceptedH0 | Verdict::Invalid => RED,
                _ => GREY,
            };
            let name = format!("tanren {}", summary.verdict.name());
            (name, format!("{value} [{low}, {high}] Elo"), colour)
        }
        None => {
            let verdict = outcome.findings.verdict_name();
            ("tanren".to_owned(), verdict.unwrap_or("report").to_owned(), GREY)
        }
    };
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
