//! All runs below a folder: a page, JSON, and metrics as Prometheus reads them.

use std::collections::BTreeSet;
use std::fmt::Write;

use maud::{Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use super::assets::index_script;
use super::html::Language;
use super::live::{Served, served};
use super::new_run::{RunChoices, form, held};
use crate::document::answer::State;
use crate::document::number::signed;
use crate::document::text::Text;
use crate::session::outcome::Unit;
use crate::session::overview::{Overview, Strength, TestOverview};
use crate::stats::MIN_PAIRS;

const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

/// Elo at the ends of the small scale of a row.
const ELO_SHOWN: f64 = 80.0;
/// Of a tournament or a count, in a row.
const PLAYERS_SHOWN: usize = 4;

#[derive(Debug, Clone, Default)]
pub struct RunRow {
    /// Its folder below that which is served, with `/` between names.
    pub run: String,
    /// Its kind; nothing if its ledger cannot be read.
    pub kind: Option<String>,
    pub players: Vec<String>,
    /// The game and what bounds a move.
    pub conditions: Vec<String>,
    /// Nothing until it is counted.
    pub state: Option<State>,
    /// It is not over, and nobody plays it.
    pub is_stopped: bool,
    /// A part of another run that is no queue: its numbers are in that one.
    pub is_part: bool,
    pub overview: Option<Overview>,
    pub done: u64,
    /// Units that are expected; nothing until it is counted, or where nobody knows.
    pub expected: Option<[u64; 3]>,
    /// What is counted.
    pub unit: Unit,
    /// The speed as this server measured it.
    pub games_per_second: Option<f64>,
    /// Until the end that is expected, with a range of 80 %.
    pub time_left_s: Option<[u64; 3]>,
    /// When something was written last.
    pub age_s: Option<u64>,
    pub error: Option<String>,
}

impl RunRow {
    fn strength(&self) -> Option<&Strength> {
        self.overview.as_ref()?.strength.as_ref()
    }

    fn test(&self) -> Option<&TestOverview> {
        self.strength()?.test.as_ref()
    }

    fn json(&self) -> Value {
        let overview = self.overview.clone().unwrap_or_default();
        let strength = self.strength();
        let test = self.test();
        let elo = |end: usize| strength.and_then(|strength| strength.elo[end]);
        json!({
            "run": self.run,
            "kind": self.kind,
            "players": self.players,
            "conditions": self.conditions,
            "state": self.state,
            "is_stopped": self.is_stopped,
            "answer": overview.answer.map(|answer| answer.sentence),
            "verdict": overview.verdict,
            "games": overview.games,
            "wins": strength.map(|strength| strength.wins),
            "losses": strength.map(|strength| strength.losses),
            "draws": strength.map(|strength| strength.draws),
            "pentanomial": strength.map(|strength| strength.pentanomial),
            "elo": elo(0),
            "elo_low": elo(1),
            "elo_high": elo(2),
            "llr": test.map(|test| test.llr),
            "llr_bounds": test.map(|test| test.bounds),
            "done": self.done,
            "expected": self.expected.map(|[expected, ..]| expected),
            "unit": <&str>::from(self.unit),
            "games_per_second": self.games_per_second,
            "time_left_s": self.time_left_s.map(|[expected, ..]| expected),
            "last_change_s": self.age_s,
            "error": self.error,
        })
    }
}

/// `{"total": …, "from": …, "runs": […]}`.
pub fn index_json(rows: &[RunRow], from: usize, total: usize) -> Value {
    json!({ "total": total, "from": from, "runs": rows.iter().map(RunRow::json).collect::<Vec<_>>() })
}

/// Which runs are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListFilter {
    pub state: Option<String>,
    pub kind: Option<String>,
    /// Words in the folder or the players.
    pub words: Option<String>,
}

impl ListFilter {
    /// Parts of a run are found by their words alone.
    fn has(&self, row: &RunRow) -> bool {
        let wanted = |wanted: &Option<String>| wanted.clone().filter(|wanted| !wanted.is_empty());
        let words = wanted(&self.words).map(|words| words.to_lowercase());
        let of_row = || format!("{} {}", row.run, row.players.join(" ")).to_lowercase();
        wanted(&self.kind).is_none_or(|kind| row.kind.as_deref() == Some(&*kind))
            && match words {
                Some(words) => words.split_whitespace().all(|word| of_row().contains(word)),
                None => !row.is_part,
            }
    }

    fn query(&self, state: Option<State>, from: usize, count: Option<usize>) -> String {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let text = |name, value: Option<&str>| Some(format!("{name}={}", encoded(value?)));
        let parts = [
            text("state", state.map(State::name)),
            text("kind", self.kind.as_deref().filter(|kind| !kind.is_empty())),
            text("q", self.words.as_deref().filter(|words| !words.is_empty())),
            (from > 0).then(|| format!("from={from}")),
            count.map(|count| format!("count={count}")),
        ];
        format!("?{}", parts.into_iter().flatten().collect::<Vec<_>>().join("&"))
    }
}

pub struct List<'a> {
    pub folder: &'a str,
    pub rows: &'a [RunRow],
    pub filter: &'a ListFilter,
    pub from: usize,
    /// So many on a page.
    pub count: usize,
    /// Of a server that may change runs.
    pub control: Option<RunChoices>,
}

const STATES: [State; 9] = [
    State::Running,
    State::Queued,
    State::Passed,
    State::Failed,
    State::Undecided,
    State::NoDifference,
    State::Invalid,
    State::Ranked,
    State::Counted,
];

/// The first page.
pub fn index_page(list: List<'_>, language: Language) -> Served {
    let filter = list.filter;
    let rows: Vec<&RunRow> = list.rows.iter().filter(|row| filter.has(row)).collect();
    let state = STATES
        .into_iter()
        .find(|state| Some(state.name()) == filter.state.as_deref());
    let of_state = |state: State| rows.iter().filter(move |row| row.state == Some(state));
    let kinds: BTreeSet<&str> = list
        .rows
        .iter()
        .filter(|row| !row.is_part)
        .filter_map(|row| row.kind.as_deref())
        .collect();
    let found: Vec<&RunRow> = match state {
        Some(state) => of_state(state).copied().collect(),
        None => rows.clone(),
    };
    let from = list.from.min(found.len());
    let shown = &found[from..from.saturating_add(list.count).min(found.len())];
    let chips = html! {
        nav class="chips" aria-label="States" data-en="States" data-ja="状態" {
            a class="chip" href=(filter.query(None, 0, None)) aria-current=[state.is_none().then_some("true")] { (Text::new("All")) " " span { (rows.len()) } }
            @for of in STATES {
                @let count = of_state(of).count();
                @if count > 0 || state == Some(of) {
                    a class={ "chip " (of.name()) } href=(filter.query(Some(of), 0, None)) aria-current=[(state == Some(of)).then_some("true")] {
                        b { (of.icon()) } " " (state_text(of)) " " span { (count) }
                    }
                }
            }
        }
    };
    let body = html! {
        main class="list" {
            div class="list-head" {
                h1 { (Text::filled("Runs in {folder}", &[("folder", &list.folder)])) }
                form id="filters" class="controls" role="search" {
                    input type="search" name="q" value=(filter.words.as_deref().unwrap_or_default()) placeholder="base lmr" aria-label="Search" data-en="Search" data-ja="検索";
                    select name="kind" aria-label="Kind of run" data-en="Kind of run" data-ja="種類" {
                        (choice("", &Text::new("all kinds")))
                        @for kind in &kinds { option value=(kind) selected[filter.kind.as_deref() == Some(kind)] { (kind) } }
                    }
                    @if let Some(state) = state { input type="hidden" name="state" value=(state.name()); }
                    button type="submit" { (Text::new("search")) }
                    @if list.control.is_some() { button type="button" class="go" popovertarget="new" { "+ " (Text::new("New match")) } }
                }
            }
            @if let Some(choices) = &list.control { (form(choices)) }
            p class="note" id="live-state" role="status" {}
            div id="runs" {
                @if list.control.as_ref().is_some_and(|choices| choices.is_held) { (held()) }
                (chips)
                (head())
                (groups(shown))
                @if found.is_empty() { p { (Text::new("No run is here yet.")) } }
                (pages(filter, state, from, list.count, found.len()))
            }
        }
    };
    served(
        &format!("{} – tanren", list.folder),
        &body,
        &index_script(),
        "./",
        language,
    )
}

/// What the columns are, where they stand side by side.
fn head() -> Markup {
    html! {
        div class="list-columns" aria-hidden="true" {
            span { (Text::new("result and test")) }
            span { (Text::new("players")) }
            span { (Text::new("won – lost – drawn, win rate")) br; (Text::new("pairs by points")) " 0 ½ 1 1½ 2" }
            span { "Elo" div class="ends" { span { "−80" } span { "0" } span { "+80" } } }
            span { (Text::new("games and time")) }
        }
    }
}

/// An option, which a script renames in the language of the page.
pub(super) fn choice(value: &str, name: &Text) -> Markup {
    html! { option value=(value) data-en=(name.en) data-ja=(name.ja) { (name.en) } }
}

fn groups(rows: &[&RunRow]) -> Markup {
    let of = |row: &RunRow| match row.state {
        Some(State::Running) => 0,
        Some(State::Queued) => 1,
        _ => 2,
    };
    let names = [
        Text::new("Running"),
        Text::new("Queued"),
        Text::new("Finished and stopped"),
    ];
    html! {
        @for (group, name) in names.iter().enumerate() {
            @let rows: Vec<&&RunRow> = rows.iter().filter(|row| of(row) == group).collect();
            @if !rows.is_empty() {
                section class="group" {
                    h2 { (name) }
                    @for row in rows { (run(row)) }
                }
            }
        }
    }
}

fn run(row: &RunRow) -> Markup {
    let address = format!("runs/{}/", utf8_percent_encode(&row.run, PLAIN));
    let is_match = row.strength().is_some() && row.error.is_none() && row.state != Some(State::Invalid);
    let has_page = row.kind.is_some() || row.error.is_some() && row.state != Some(State::Queued);
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
                @if has_page { a href=(address) { (title) } } @else { b { (title) } }
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
    let names = ["0", "½", "1", "1½", "2"];
    let label = names
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
        return html! { div class="elo" { span class="dim" { (Text::filled("{pairs} of {few} pairs: too few for an estimate", &[("pairs", &pairs), ("few", &MIN_PAIRS)])) } } };
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
        Unit::Pairs => (Text::new("games"), 2),
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
                @if row.state == Some(State::Queued) { button type="button" data-take-out=(row.run) { (Text::new("take out")) } }
            }
        }
    }
}

fn ago(age_s: u64) -> Text {
    let (count, text) = match age_s {
        0..60 => return Text::new("just now"),
        60..3_600 => (age_s / 60, ["min ago", "分前"]),
        3_600..172_800 => (age_s / 3_600, ["h ago", "時間前"]),
        _ => (age_s / 86_400, ["days ago", "日前"]),
    };
    let [en, ja] = text.map(|unit| format!("{count} {unit}"));
    Text { en, ja }
}

fn state_text(state: State) -> Text {
    match state {
        State::Running => Text::new("Running"),
        State::Queued => Text::new("Queued"),
        State::Passed => Text::new("Passed"),
        State::Failed => Text::new("Failed"),
        State::Undecided => Text::new("Undecided"),
        State::NoDifference => Text::new("No difference"),
        State::Invalid => Text::new("Invalid"),
        State::Skipped => Text::new("Skipped"),
        State::Ranked => Text::new("Ranked"),
        State::Counted => Text::new("Counted"),
    }
}

fn pages(filter: &ListFilter, state: Option<State>, from: usize, count: usize, total: usize) -> Markup {
    let count = count.max(1);
    html! {
        @if total > count {
            nav class="chips" aria-label="Pages" data-en="Pages" data-ja="ページ" {
                @for page in 0..total.div_ceil(count) {
                    a class="chip" href=(filter.query(state, page * count, Some(count))) aria-current=[(page * count == from).then_some("true")] { (page + 1) }
                }
            }
        }
    }
}

/// An expectation to two digits: more are not known.
fn rounded(count: u64, is_about: bool) -> u64 {
    let step = 10_u64.pow(count.max(1).ilog10().saturating_sub(1));
    if is_about {
        count.div_ceil(step) * step
    } else {
        count
    }
}

fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .filter_map(|group| str::from_utf8(group).ok())
        .collect();
    groups.join(",")
}

fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds.div_ceil(60)),
        3_600..36_000 => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} h", seconds.div_ceil(3_600)),
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
    let is_pairs = |row: &RunRow| row.unit == Unit::Pairs && row.kind.is_some();
    family("tanren_run_games", "Finished games.", &|row| {
        plain(is_pairs(row).then_some(2.0 * row.done as f64))
    });
    family("tanren_run_pairs", "Finished pairs of games.", &|row| {
        plain(is_pairs(row).then_some(row.done as f64))
    });
    family(
        "tanren_run_pairs_expected",
        "Pairs at which the run is expected to end.",
        &|row| {
            plain(
                row.expected
                    .filter(|_| is_pairs(row))
                    .map(|[expected, ..]| expected as f64),
            )
        },
    );
    family(
        "tanren_run_games_per_second",
        "Games finished in a second, as the server saw it.",
        &|row| plain(row.games_per_second),
    );
    family("tanren_run_llr", "Log likelihood ratio of the test.", &|row| {
        plain(row.test().map(|test| test.llr))
    });
    family("tanren_run_verdict", "1 for the verdict of the run.", &|row| {
        Some((
            format!(",verdict=\"{}\"", row.overview.as_ref()?.verdict.as_ref()?),
            1.0,
        ))
    });
    family("tanren_run_state", "1 for the state of the run.", &|row| {
        Some((format!(",state=\"{}\"", row.state?.name()), 1.0))
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

    fn page(rows: &[RunRow], filter: &ListFilter) -> String {
        let list = List {
            folder: "results",
            rows,
            filter,
            from: 0,
            count: 100,
            control: None,
        };
        index_page(list, Language::English).html
    }

    #[test]
    fn names_are_text_in_the_list_encoded_in_addresses_and_escaped_in_metrics() {
        let row = RunRow {
            run: "a\"b\\c\nd <i>対".to_owned(),
            kind: Some("match".to_owned()),
            players: vec!["<script>".to_owned(), "b".to_owned()],
            state: Some(State::Running),
            done: 10,
            games_per_second: Some(4.0),
            ..RunRow::default()
        };
        let text = metrics(std::slice::from_ref(&row));
        for (name, value) in [("games", 20), ("games_per_second", 4)] {
            let line = format!("tanren_run_{name}{{run=\"a\\\"b\\\\c\\nd <i>対\",kind=\"match\"}} {value}\n");
            assert!(text.contains(&line), "{text}");
        }
        let page = page(&[row], &ListFilter::default());
        assert!(page.contains("&lt;script&gt; – b") && !page.contains("<a><script>"));
        assert!(page.contains("runs/a%22b%5Cc%0Ad%20%3Ci%3E%E5%AF%BE/"), "{page}");
    }

    #[test]
    fn states_kinds_and_words_choose_among_the_runs_and_parts_are_found_by_words_alone() {
        let row = |run: &str, kind: &str, state, is_part| RunRow {
            run: run.to_owned(),
            kind: Some(kind.to_owned()),
            state: Some(state),
            is_part,
            ..RunRow::default()
        };
        let rows = [
            row("lmr", "match", State::Passed, false),
            row("lmp", "match", State::Failed, false),
            row("all", "ablate", State::Ranked, false),
            row("all/lmr", "match", State::Passed, true),
        ];
        let filter = |state: &str, kind: &str, words: &str| ListFilter {
            state: Some(state.to_owned()),
            kind: Some(kind.to_owned()),
            words: Some(words.to_owned()),
        };
        for (filter, expected) in [
            (ListFilter::default(), &["lmr", "lmp", "all"][..]),
            (filter("", "", ""), &["lmr", "lmp", "all"]),
            (filter("passed", "", ""), &["lmr"]),
            (filter("nonsense", "ablate", ""), &["all"]),
            (filter("", "", "LMR"), &["lmr", "all/lmr"]),
            (filter("", "", "all lmr"), &["all/lmr"]),
            (filter("failed", "ablate", ""), &[]),
        ] {
            let page = page(&rows, &filter);
            let shown: Vec<&str> = page
                .split("data-run=\"")
                .skip(1)
                .map(|rest| rest.split('"').next().unwrap())
                .collect();
            assert_eq!(shown, expected, "{filter:?}");
        }
    }

    #[test]
    fn an_expectation_has_two_digits_and_a_time_the_unit_that_it_is_read_in() {
        assert_eq!(
            [0, 7, 99, 6_391, 25_611].map(|count| thousands(rounded(count, true))),
            ["0", "7", "99", "6,400", "26,000"]
        );
        assert_eq!(thousands(rounded(1_234_567, false)), "1,234,567");
        assert_eq!(
            [59, 61, 3_700, 90_000].map(duration),
            ["59 s", "2 min", "1 h 1 min", "25 h"]
        );
    }
}
