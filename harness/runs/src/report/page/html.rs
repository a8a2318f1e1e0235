//! A page as one file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Page;
use super::assets::{STYLE, script};
use crate::document::text::Text;
use crate::sanitize;

/// The language that a page begins in; it holds both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Language {
    /// English.
    #[default]
    #[value(name = "en")]
    English,
    /// Japanese.
    #[value(name = "ja")]
    Japanese,
}

impl Language {
    pub(super) fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }
}

pub(super) fn file(page: &Page, games: Option<&Value>, language: Language) -> String {
    let script = script();
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(&script)
    );
    let title = format!("{} – tanren {}", sanitize::line(&page.title), page.kind);
    let body = html! {
        (header(page))
        main id="content" { (contents(page)) @if let Some(games) = games { (board(games)) } }
    };
    let data = games.map(|games| PreEscaped(harmless(games)));
    framed(&title, Some(&policy), &body, data, &script, language)
}

/// A whole page around `body`; a file has its policy and its games in itself.
pub(super) fn framed(
    title: &str,
    policy: Option<&str>,
    body: &Markup,
    games: Option<PreEscaped<String>>,
    script: &str,
    language: Language,
) -> String {
    html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                @if let Some(policy) = policy { meta http-equiv="Content-Security-Policy" content=(policy); }
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if policy.is_some() {
                    meta name="generator" content=(concat!("tanren ", env!("CARGO_PKG_VERSION")));
                } @else {
                    link rel="icon" href="data:,";
                }
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                footer { p { "tanren " (env!("CARGO_PKG_VERSION")) } }
                @if let Some(games) = games { script type="application/json" id="games-data" { (games) } }
                @if !script.is_empty() { script type="module" { (PreEscaped(script)) } }
            }
        }
    }
    .into_string()
}

pub(super) fn switches() -> Markup {
    html! {
        div class="switches" {
            button type="button" id="switch-language" aria-label="日本語 / English" { "日本語 / English" }
            button type="button" id="switch-theme" { (Text::new("light / dark")) }
        }
    }
}

pub(super) fn header(page: &Page) -> Markup {
    html! {
        header {
            p class="kind" { "tanren " (page.kind) }
            (switches())
            h1 { (sanitize::line(&page.title)) }
            p class="answer" role="status" { (page.answer) }
            @if let Some(verdict) = page.verdict { p class={ "verdict " (verdict) } { (verdict) } }
        }
    }
}

pub(super) fn contents(page: &Page) -> Markup {
    html! {
        nav aria-label="Sections" data-en="Sections" data-ja="目次" {
            ul {
                @for (id, title, _) in &page.sections { li { a href={ "#" (id) } { (title) } } }
            }
        }
        @for (.., markup) in &page.sections { (markup) }
    }
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
                div id="game-list" tabindex="0" {}
                div id="game-board" {}
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
