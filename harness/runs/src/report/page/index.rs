//! All runs below a folder: a page, JSON, and metrics as Prometheus reads them.

use std::fmt::Write;

use maud::{Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::{Value, json};

use super::assets::index_script;
use super::html::Language;
use super::live::{INTERRUPTED, Served, served};
use crate::document::text::Text;

const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

#[derive(Debug, Clone, Serialize)]
pub struct RunRow {
    /// Its folder below that which is served, with `/` between names.
    pub run: String,
    /// Its kind; nothing if its ledger cannot be read.
    pub kind: Option<String>,
    pub players: Vec<String>,
    /// `running`, `paused`, `over`, `unreadable`; nothing until it is counted.
    pub state: Option<&'static str>,
    /// As everything that it comes to, nothing until it is counted.
    pub verdict: Option<&'static str>,
    pub answer: Option<Text>,
    pub done: u64,
    pub planned: Option<u64>,
    /// What is counted: `pairs` or `searches`.
    pub unit: &'static str,
    /// The speed as this server measured it.
    pub games_per_second: Option<f64>,
    /// Until all planned pairs are played; a test may end sooner.
    pub time_left_s: Option<u64>,
    pub llr: Option<f64>,
    #[serde(rename = "last_change_s")]
    pub age_s: Option<u64>,
    pub error: Option<String>,
}

/// `{"total": …, "from": …, "runs": […]}`.
pub fn index_json(rows: &[RunRow], from: usize, total: usize) -> Value {
    json!({ "total": total, "from": from, "runs": rows })
}

/// The first page: `rows` are those from `from` of `total`.
pub fn index_page(
    folder: &str,
    rows: &[RunRow],
    [from, count, total]: [usize; 3],
    is_control: bool,
    language: Language,
) -> Served {
    let body = html! {
        main {
            h1 { (Text::filled("Runs in {folder}", &[("folder", &folder)])) }
            p class="note" id="live-state" role="status" {}
            div id="runs" { (table(rows)) (pages(from, count, total)) }
            @if is_control { (queue_form()) }
        }
    };
    served(
        &format!("{folder} – tanren"),
        &body,
        &index_script(),
        "./",
        language,
    )
}

fn queue_form() -> Markup {
    html! {
        section id="queue" aria-labelledby="queue-heading" {
            h2 id="queue-heading" { (Text::new("Queue")) }
            p id="queue-line" role="status" {}
            p { button type="button" id="queue-resume" hidden { (Text::new("go on with the queue")) } }
            form id="queue-form" {
                p {
                    label for="queue-name" { (Text::new("folder of the results")) } " "
                    input id="queue-name" name="name" required maxlength="64" pattern="[A-Za-z0-9_\\-][A-Za-z0-9._\\-]*" autocomplete="off";
                }
                p {
                    label for="queue-text" { (Text::new("a run.toml or a queue of jobs")) }
                    textarea id="queue-text" name="text" rows="10" required spellcheck="false" {}
                }
                p { button type="submit" { (Text::new("queue it")) } }
            }
            pre id="queue-said" role="alert" tabindex="0" hidden {}
        }
    }
}

fn table(rows: &[RunRow]) -> Markup {
    let heads = [
        Text::new("run"),
        Text::new("kind"),
        Text::new("players"),
        Text::new("state"),
        Text::new("verdict"),
        Text::new("answer"),
        Text::new("progress"),
        Text::new("games/s"),
        Text::new("time left"),
    ];
    html! {
        div class="scroll" tabindex="0" role="group" aria-label="Runs" data-en="Runs" data-ja="実行の一覧" {
            table {
                caption { (Text::new("The newest change first")) }
                thead { tr { @for head in &heads { th scope="col" { (head) } } } }
                tbody { @for row in rows { (table_row(row)) } }
            }
        }
        @if rows.is_empty() { p { (Text::new("No run is here yet.")) } }
    }
}

fn table_row(row: &RunRow) -> Markup {
    let progress = match row.planned {
        Some(planned) => format!("{} / {planned} {}", row.done, row.unit),
        None if row.done == 0 => String::new(),
        None => format!("{} {}", row.done, row.unit),
    };
    let address = format!("runs/{}/", utf8_percent_encode(&row.run, PLAIN));
    // Pairs that are missing because they are being played are no verdict.
    let is_played = row.state == Some("running");
    let verdict = row
        .verdict
        .filter(|&verdict| !is_played || verdict != INTERRUPTED);
    let speed = row.games_per_second.map(|speed| format!("{speed:.1}"));
    html! {
        tr data-run=(row.run) class=[row.error.is_some().then_some("faint")] {
            th scope="row" { a href=(address) { (row.run) } }
            td { (row.kind.as_deref().unwrap_or("?")) }
            td { (row.players.join(" – ")) }
            td class="state" { (state_text(row.state)) }
            td { @if let Some(verdict) = verdict { span class={ "verdict " (verdict) } { (verdict) } } }
            td class="answer-cell" {
                @if let Some(answer) = &row.answer { (answer) }
                @if let Some(error) = &row.error { (error) }
            }
            td class="number" { (progress) }
            td class="number" { (speed.unwrap_or_default()) }
            td class="number" { @if let Some(left) = row.time_left_s { "≤ " (duration(left)) } }
        }
    }
}

fn state_text(state: Option<&'static str>) -> Text {
    match state {
        Some("running") => Text::new("running"),
        Some("paused") => Text::new("paused"),
        Some("over") => Text::new("over"),
        Some("unreadable") => Text::new("unreadable"),
        _ => Text::plain("…"),
    }
}

fn pages(from: usize, count: usize, total: usize) -> Markup {
    let count = count.max(1);
    html! {
        @if total > count {
            nav aria-label="Pages" data-en="Pages" data-ja="ページ" {
                ul {
                    @for page in 0..total.div_ceil(count) {
                        li {
                            @if page * count == from {
                                strong { (page + 1) }
                            } @else {
                                a href={ "?from=" (page * count) "&count=" (count) } { (page + 1) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

pub fn metrics(rows: &[RunRow]) -> String {
    let mut text = String::new();
    let mut family = |name: &str, about: &str, value: &dyn Fn(&RunRow) -> Option<(String, f64)>| {
        writeln!(text, "# HELP {name} {about}\n# TYPE {name} gauge").ok();
        for row in rows {
            if let Some((labels, value)) = value(row) {
                let run = escaped(&row.run);
                let kind = row.kind.as_deref().unwrap_or("unknown");
                writeln!(text, "{name}{{run=\"{run}\",kind=\"{kind}\"{labels}}} {value}").ok();
            }
        }
    };
    let plain = |value: Option<f64>| value.map(|value| (String::new(), value));
    let is_pairs = |row: &RunRow| row.unit == "pairs" && row.kind.is_some();
    family("tanren_run_games", "Finished games.", &|row| {
        plain(is_pairs(row).then_some(2.0 * row.done as f64))
    });
    family("tanren_run_pairs", "Finished pairs of games.", &|row| {
        plain(is_pairs(row).then_some(row.done as f64))
    });
    family(
        "tanren_run_pairs_planned",
        "Pairs that are to be played at most.",
        &|row| plain(row.planned.map(|planned| planned as f64)),
    );
    family(
        "tanren_run_games_per_second",
        "Games finished in a second, as the server saw it.",
        &|row| plain(row.games_per_second),
    );
    family("tanren_run_llr", "Log likelihood ratio of the test.", &|row| {
        plain(row.llr)
    });
    family("tanren_run_verdict", "1 for the verdict of the run.", &|row| {
        Some((format!(",verdict=\"{}\"", row.verdict?), 1.0))
    });
    family("tanren_run_state", "1 for the state of the run.", &|row| {
        Some((format!(",state=\"{}\"", row.state?), 1.0))
    });
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_in_the_list_encoded_in_addresses_and_escaped_in_metrics() {
        let row = RunRow {
            run: "a\"b\\c\nd <i>対".to_owned(),
            kind: Some("match".to_owned()),
            players: vec!["<script>".to_owned(), "b".to_owned()],
            state: Some("running"),
            verdict: None,
            answer: None,
            done: 10,
            planned: Some(110),
            unit: "pairs",
            games_per_second: Some(4.0),
            time_left_s: Some(50),
            llr: None,
            age_s: Some(1),
            error: None,
        };
        let text = metrics(std::slice::from_ref(&row));
        for (name, value) in [("games", 20), ("games_per_second", 4)] {
            let line = format!("tanren_run_{name}{{run=\"a\\\"b\\\\c\\nd <i>対\",kind=\"match\"}} {value}\n");
            assert!(text.contains(&line), "{text}");
        }
        let page = index_page("results", &[row], [0, 100, 1], false, Language::English);
        assert!(page.html.contains("&lt;script&gt;") && !page.html.contains("<td><script>"));
        assert!(
            page.html.contains("runs/a%22b%5Cc%0Ad%20%3Ci%3E%E5%AF%BE/"),
            "{}",
            page.html
        );
    }
}
