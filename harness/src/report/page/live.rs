//! The page of a run as a server gives it: the same sections, with what makes them follow the run.
//!
//! In: an outcome, its ledger. Out: HTML and the policy that goes with it. Must not: know how it is asked for.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::answer;
use super::assets::{STYLE, live_script};
use super::document::{Language, contents, digest, header, switches};
use super::draft::Page;
use super::games::{self, Games};
use super::text::Text;
use crate::experiment::{Ending, ExperimentError, Findings, Outcome, Run};
use crate::report::json as findings_json;

/// What a server sends: a page, and the policy (CSP) that belongs to it.
#[derive(Debug, Clone)]
pub struct Served {
    /// The page.
    pub html: String,
    /// The header's value.
    pub policy: String,
}

/// The part of a page that changes with its run.
#[derive(Debug, Clone)]
pub struct Fragment {
    title: String,
    kind: &'static str,
    /// Heading and sections.
    pub html: String,
    games: Option<u64>,
}

/// What a run comes to, in few words.
#[derive(Debug, Clone)]
pub struct Gist {
    /// As files name it.
    pub verdict: Option<&'static str>,
    /// Is there nothing more to play?
    pub is_over: bool,
    /// Log likelihood ratio of a match with a test.
    pub llr: Option<f64>,
    pub(super) answer: Text,
}

impl Gist {
    /// Of an outcome.
    pub fn of(outcome: &Outcome) -> Gist {
        let llr = match &outcome.findings {
            Findings::Match(_) => findings_json(&outcome.findings)["llr"].as_f64(),
            _ => None,
        };
        Gist {
            verdict: outcome.verdict_name(),
            is_over: matches!(outcome.ending, Ending::Complete | Ending::Invalid(_)),
            llr,
            answer: answer::sentence(outcome),
        }
    }

    /// The result in a sentence.
    pub fn answer(&self) -> &str {
        &self.answer.en
    }
}

/// The verdict of what lacks planned pairs.
pub(super) const INTERRUPTED: &str = "interrupted";

impl Fragment {
    /// Of a run whose pairs are being counted; the page takes what they come to when it is there.
    pub fn awaited(name: &str, pairs: u64) -> Fragment {
        let text = Text::new(
            format!("{pairs} pairs are being counted …"),
            format!("{pairs} 組を集計しています…"),
        );
        Fragment {
            title: name.to_owned(),
            kind: "",
            html: html! { header { (switches()) h1 { (name) } p class="answer" role="status" { (text) } } div id="content" {} }.into_string(),
            games: Some(0),
        }
    }

    /// Of an outcome; `run` is where its games are, and more may come where it `is_played`.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn of(outcome: &Outcome, run: &Run, is_played: bool) -> Result<Fragment, ExperimentError> {
        let mut page = Page::of(outcome, run)?;
        // Pairs are missing because they are being played.
        page.verdict = page
            .verdict
            .filter(|&verdict| !is_played || verdict != INTERRUPTED);
        Ok(Fragment {
            html: html! { (header(&page)) div id="content" { (contents(&page)) } }.into_string(),
            games: games::holding(outcome).map(|(_, pairs)| 2 * pairs),
            title: page.title,
            kind: page.kind,
        })
    }
}

/// The page of a run named `name` below the folder that is served; `base` leads to the first page.
/// where `is_control`, it has buttons for what may be done to the run.
pub fn live_page(
    fragment: &Fragment,
    [name, base]: [&str; 2],
    is_control: bool,
    language: Language,
) -> Served {
    let title = format!("{} – tanren {}", fragment.title, fragment.kind);
    let body = html! {
        nav aria-label="Path" data-en="Path" data-ja="場所" {
            p class="kind" { a href=(base) { (Text::new("all runs", "すべての実行")) } " / " (name) }
        }
        p class="note" id="live-state" role="status" data-run=(name) data-base=(base) {}
        @if is_control {
            section id="control" aria-label="Control" data-en="Control" data-ja="操作" data-run=(name) data-base=(base) {
                button type="button" data-wish="pause" disabled { (Text::new("pause", "中断")) } " "
                button type="button" data-wish="resume" disabled { (Text::new("resume", "再開")) } " "
                button type="button" data-wish="stop" disabled { (Text::new("stop", "停止")) } " "
                span id="control-said" role="status" {}
            }
        }
        main id="live" {
            (PreEscaped(&fragment.html))
        }
        section id="boards" aria-labelledby="boards-heading" hidden {
            h2 id="boards-heading" { (Text::new("Games in progress", "対局中")) }
            div id="board-list" {}
        }
        @if fragment.games.is_some() {
            section id="games" aria-labelledby="games-heading" {
                h2 id="games-heading" { (Text::new("Games", "棋譜")) }
                noscript { p { (Text::new("The board needs scripts.", "盤の表示にはスクリプトが必要です。")) } }
                p {
                    label {
                        input type="checkbox" id="follow";
                        " " (Text::new("show the newest finished game", "終わったばかりの対局を表示"))
                    }
                }
                div id="game-filters" {}
                div id="game-area" {
                    div id="game-list" tabindex="0" {}
                    div id="game-board" {}
                }
            }
        }
    };
    framed(&title, &body, &live_script(), language)
}

/// A page that says one thing: there is no such run, this ledger cannot be read.
pub fn notice_page(title: &str, text: &str, base: &str, language: Language) -> Served {
    let body = html! {
        main {
            h1 { (title) }
            pre tabindex="0" { (text) }
            p { a href=(base) { (Text::new("all runs", "すべての実行")) } }
        }
    };
    framed(title, &body, "", language)
}

/// Games of a run as its board takes them, from the game of this index: the pairs that they are of. `None` if it holds no games.
///
/// # Errors
/// The ledger cannot be read.
pub fn games_json(
    outcome: &Outcome,
    run: &Run,
    from: u64,
    count: u64,
) -> Result<Option<Value>, ExperimentError> {
    let pairs = [from / 2, from.saturating_add(count).div_ceil(2)];
    let games = Games::between(outcome, run, pairs)?;
    Ok(games.map(|games| {
        let mut value = games.value;
        value["from"] = json!(2 * pairs[0]);
        value
    }))
}

/// A whole page around `body`.
pub(super) fn framed(title: &str, body: &Markup, script: &str, language: Language) -> Served {
    let script_source = if script.is_empty() {
        "'none'".to_owned()
    } else {
        format!("'sha256-{}'", digest(script))
    };
    let policy = format!(
        "default-src 'none'; connect-src 'self'; img-src 'self' data:; style-src 'sha256-{}'; script-src {script_source}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        digest(STYLE),
    );
    let html = html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                footer { p { "tanren " (env!("CARGO_PKG_VERSION")) } }
                @if !script.is_empty() { script type="module" { (PreEscaped(script)) } }
            }
        }
    };
    Served {
        html: html.into_string(),
        policy,
    }
}
