//! All runs below a folder: a page and JSON.

use std::collections::BTreeSet;

use maud::{Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use strum::VariantArray as _;

use super::assets::index_script;
use super::live::{Served, served};
use super::new_run::{RunChoices, form, held};
use super::run_box::run_box;
use crate::document::answer::State;
use crate::document::text::Text;
use crate::session::outcome::Unit;
use crate::session::overview::{Overview, Strength, TestOverview};

pub(super) const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/');

#[derive(Debug, Clone, Default)]
pub struct RunRow {
    /// Its folder below that which is served, with `/` between names.
    pub run: String,
    /// Is there a ledger? It waits or failed otherwise.
    pub has_ledger: bool,
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
    /// Where pairs are counted.
    pub games_per_pair: u64,
    /// The speed as this server measured it.
    pub games_per_second: Option<f64>,
    /// Until the end that is expected, with a range of 80 %.
    pub time_left_s: Option<[u64; 3]>,
    /// When something was written last.
    pub age_s: Option<u64>,
    pub error: Option<String>,
}

impl RunRow {
    pub(super) fn strength(&self) -> Option<&Strength> {
        self.overview.as_ref()?.strength.as_ref()
    }

    pub(super) fn test(&self) -> Option<&TestOverview> {
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

/// The first page.
pub fn index_page(list: List<'_>) -> Served {
    let filter = list.filter;
    let rows: Vec<&RunRow> = list.rows.iter().filter(|row| filter.has(row)).collect();
    let mut states = State::VARIANTS.iter().copied();
    let state = states.find(|state| Some(state.name()) == filter.state.as_deref());
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
            @for &of in State::VARIANTS {
                @let count = of_state(of).count();
                @if count > 0 || state == Some(of) {
                    a class={ "chip " (of.name()) } href=(filter.query(Some(of), 0, None)) aria-current=[(state == Some(of)).then_some("true")] {
                        b { (of.icon()) } " " (of.text()) " " span { (count) }
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
    served(&format!("{} – tanren", list.folder), &body, &index_script(), "./")
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
                    @for row in rows { (run_box(row)) }
                }
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::metrics::metrics;
    use crate::report::page::run_box::{duration, rounded, thousands};

    fn page(rows: &[RunRow], filter: &ListFilter) -> String {
        let list = List {
            folder: "results",
            rows,
            filter,
            from: 0,
            count: 100,
            control: None,
        };
        index_page(list).html
    }

    #[test]
    fn names_are_text_in_the_list_encoded_in_addresses_and_escaped_in_metrics() {
        let row = RunRow {
            run: "a\"b\\c\nd <i>対".to_owned(),
            has_ledger: true,
            kind: Some("match".to_owned()),
            players: vec!["<script>".to_owned(), "b".to_owned()],
            state: Some(State::Running),
            done: 10,
            games_per_pair: 2,
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
            row("night", "queue", State::Error, false),
        ];
        let filter = |state: &str, kind: &str, words: &str| ListFilter {
            state: Some(state.to_owned()),
            kind: Some(kind.to_owned()),
            words: Some(words.to_owned()),
        };
        for (filter, expected) in [
            (ListFilter::default(), &["lmr", "lmp", "all", "night"][..]),
            (filter("", "", ""), &["lmr", "lmp", "all", "night"]),
            (filter("passed", "", ""), &["lmr"]),
            (filter("error", "", ""), &["night"]),
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
