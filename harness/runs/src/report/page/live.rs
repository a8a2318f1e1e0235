//! The page of a run as a server gives it: the same sections, with what makes them follow the run.

use maud::{Markup, PreEscaped, html};

use super::Page;
use super::assets::{STYLE, live_script};
use super::html::{Frame, digest, framed, games_section, parts};
use crate::document::answer::State;
use crate::document::text::Text;
use crate::session::error::ExperimentError;
use crate::session::outcome::{Outcome, RunEnding};
use crate::session::overview::Overview;
use crate::session::stored::Run;

/// What a server sends: a page, and the policy (CSP) that belongs to it.
#[derive(Debug, Clone)]
pub struct Served {
    pub html: String,
    pub policy: String,
}

#[derive(Debug, Clone)]
pub struct Fragment {
    title: String,
    kind: &'static str,
    /// What stands above the games, and what stands below them.
    parts: [String; 2],
    has_games: bool,
}

/// What a run comes to, in one row.
#[derive(Debug, Clone)]
pub struct Gist {
    pub overview: Overview,
    pub is_over: bool,
}

impl Gist {
    pub fn of(outcome: &Outcome) -> Gist {
        Gist {
            overview: outcome.findings.overview(),
            is_over: matches!(outcome.ending, RunEnding::Complete | RunEnding::Invalid(_)),
        }
    }
}

impl Fragment {
    /// Of a run whose pairs are being counted; the page takes what they come to when it is there.
    pub fn awaited(name: &str, pairs: u64) -> Fragment {
        let text = Text::filled("{pairs} pairs are being counted …", &[("pairs", &pairs)]);
        Fragment {
            title: name.to_owned(),
            kind: "",
            parts: [
                html! {
                    div id="answer" { div class="say queued" role="status" { h1 class="answer" { (name) ": " (text) } } }
                    div id="content" {}
                },
                html! { div id="details" {} },
            ]
            .map(Markup::into_string),
            has_games: true,
        }
    }

    pub fn html(&self) -> String {
        self.parts.concat()
    }

    /// Of an outcome; `run` is where its games are, and more may come where it `is_played`.
    pub fn of(outcome: &Outcome, run: &Run, is_played: bool) -> Result<Fragment, ExperimentError> {
        let mut page = Page::of(outcome, run)?;
        if is_played && page.answer.state == State::Undecided {
            page.answer.state = State::Running;
        }
        Ok(Fragment {
            parts: parts(&page).map(Markup::into_string),
            has_games: outcome.findings.game().is_some(),
            title: page.title,
            kind: page.kind,
        })
    }
}

/// The page of a run named `name` below the folder that is served; `base` leads to the first page.
/// where `is_control`, it has buttons for what may be done to the run.
pub fn live_page(fragment: &Fragment, [name, base]: [&str; 2], is_control: bool) -> Served {
    let title = format!("{} – tanren {}", fragment.title, fragment.kind);
    let follow = html! {
        p {
            label {
                input type="checkbox" id="follow";
                " " (Text::new("show the newest finished game"))
            }
        }
    };
    let [start, details] = fragment.parts.each_ref().map(PreEscaped);
    let body = html! {
        main {
            nav class="meta" aria-label="Path" data-en="Path" data-ja="場所" {
                a href=(base) { (Text::new("all runs")) } span { (name) }
                span id="live-state" role="status" data-run=(name) data-base=(base) {}
            }
            @if is_control {
                section id="control" class="controls" aria-label="Control" data-en="Control" data-ja="操作" data-run=(name) data-base=(base) {
                    button type="button" data-wish="pause" disabled { (Text::new("pause")) }
                    button type="button" data-wish="resume" disabled { (Text::new("resume")) }
                    button type="button" data-wish="stop" disabled { (Text::new("stop")) }
                    span id="control-said" role="status" {}
                }
            }
            (start)
            section id="boards" aria-labelledby="boards-heading" hidden {
                h2 id="boards-heading" { (Text::new("Games in progress")) }
                div id="board-list" {}
            }
            @if fragment.has_games { (games_section(None, Some(follow))) }
            (details)
        }
    };
    served(&title, &body, &live_script(), base)
}

/// A page that says one thing: there is no such run, this ledger cannot be read.
pub fn notice_page(title: &str, text: &str, base: &str) -> Served {
    let body = html! {
        main {
            h1 { (title) }
            pre tabindex="0" { (text) }
            p { a href=(base) { (Text::new("all runs")) } }
        }
    };
    served(title, &body, "", base)
}

pub(super) fn served(title: &str, body: &Markup, script: &str, base: &str) -> Served {
    let script_source = if script.is_empty() {
        "'none'".to_owned()
    } else {
        format!("'sha256-{}'", digest(script))
    };
    let policy = format!(
        "default-src 'none'; connect-src 'self'; img-src 'self' data:; style-src 'sha256-{}'; script-src {script_source}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        digest(STYLE),
    );
    Served {
        html: framed(title, Frame::Served { base }, body, None, script),
        policy,
    }
}
