//! A page as one file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Page;
use super::assets::{STYLE, script};
use crate::document::language::Language;
use crate::document::text::Text;
use crate::sanitize;

pub(super) fn file(page: &Page, games: Option<&Value>) -> String {
    let script = script();
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(&script)
    );
    let title = format!("{} – tanren {}", sanitize::line(&page.title), page.kind);
    let [start, details] = parts(page);
    let body = html! {
        main { (start) @if let Some(games) = games { (board(games)) } (details) }
    };
    let data = games.map(|games| PreEscaped(harmless(games)));
    framed(&title, Frame::File { policy: &policy }, &body, data, &script)
}

/// What a page is in: a file has its policy in itself, a server's page leads to the list of runs.
pub(super) enum Frame<'a> {
    File {
        policy: &'a str,
    },
    #[cfg_attr(not(feature = "web"), expect(dead_code, reason = "no server"))]
    Served {
        base: &'a str,
    },
}

/// A whole page around `body`, at first in the language of the terminal; a file has its games in itself.
pub(super) fn framed(
    title: &str,
    frame: Frame<'_>,
    body: &Markup,
    games: Option<PreEscaped<String>>,
    script: &str,
) -> String {
    html! {
        (DOCTYPE)
        html lang=(Language::spoken().code()) {
            head {
                meta charset="utf-8";
                @if let Frame::File { policy } = frame { meta http-equiv="Content-Security-Policy" content=(policy); }
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(concat!("tanren ", env!("CARGO_PKG_VERSION")));
                link rel="icon" href=(ICON);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (top(&frame))
                (body)
                footer { "Tanren " (env!("CARGO_PKG_VERSION")) }
                @if let Some(games) = games { script type="application/json" id="games-data" { (games) } }
                @if !script.is_empty() { script type="module" { (PreEscaped(script)) } }
            }
        }
    }
    .into_string()
}

const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Crect width='24' height='24' rx='6' fill='%231d5fa6'/%3E%3Cpath d='M4 7h16' stroke='%23fff' stroke-width='1.8' stroke-dasharray='2.6 2'/%3E%3Cpath d='M4 18.5l4.5-4 3.5 1.8L20 7' fill='none' stroke='%23fff' stroke-width='2.4' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

fn mark() -> Markup {
    html! {
        svg viewBox="0 0 24 24" aria-hidden="true" {
            rect width="24" height="24" rx="6" fill="var(--accent)" {}
            path d="M4 7h16" stroke="var(--on)" stroke-width="1.8" stroke-dasharray="2.6 2" {}
            path d="M4 18.5l4.5-4 3.5 1.8L20 7" fill="none" stroke="var(--on)" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" {}
        }
    }
}

fn top(frame: &Frame<'_>) -> Markup {
    html! {
        header class="top" {
            @match frame {
                Frame::Served { base } => {
                    a class="brand" href=(base) { (mark()) "Tanren" }
                    nav aria-label="Main" data-en="Main" data-ja="メニュー" { a href=(base) { (Text::new("Runs")) } }
                }
                Frame::File { .. } => span class="brand" { (mark()) "Tanren" },
            }
            div class="right" {
                button type="button" id="switch-language" aria-label="日本語 / English" { span lang="en" { "日本語" } span lang="ja" { "English" } }
                button type="button" id="switch-theme" { (Text::new("light / dark")) }
            }
        }
    }
}

/// What stands above the games, and what stands below them: the answer with its evidence, and what is looked up.
pub(super) fn parts(page: &Page) -> [Markup; 2] {
    let start = html! {
        div id="answer" {
            div class="meta" { @for part in &page.about { span { (part) } } }
            div class={ "say " (page.answer.state.name()) } role="status" {
                span class="state" { (page.answer.state.icon()) " " (page.answer.state.word()) }
                h1 class="answer" { (page.answer.sentence) }
            }
        }
        div id="content" { @for section in &page.sections { (section) } }
    };
    let details = html! {
        div id="details" {
            h2 { (Text::new("Details")) }
            @for section in &page.details { (section) }
        }
    };
    [start, details]
}

/// What the script fills: the list of games with its filters, the board.
fn board(games: &Value) -> Markup {
    let shown = games["rows"].as_array().map_or(0, Vec::len) as u64;
    let counted = games["counted"].as_u64().unwrap_or(0);
    let note = html! {
        p class="note" {
            (Text::filled("The first {shown} of {counted} games are in this file; --games N takes more.", &[("shown", &shown), ("counted", &counted)]))
        }
    };
    games_section((shown < counted).then_some(note), None)
}

pub(super) fn games_section(note: Option<Markup>, choice: Option<Markup>) -> Markup {
    html! {
        section id="games" aria-labelledby="games-heading" {
            h2 id="games-heading" { (Text::new("Games")) }
            @if let Some(note) = note { (note) }
            noscript { p { (Text::new("The board needs scripts.")) } }
            @if let Some(choice) = choice { (choice) }
            div id="game-filters" {}
            div id="game-area" {
                div id="game-list" class="card" tabindex="0" {}
                div id="game-board" class="card" {}
            }
        }
    }
}

/// JSON that may stand in a script element: nothing in it ends or begins an element.
fn harmless(value: &Value) -> String {
    value
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

pub(super) fn digest(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}
