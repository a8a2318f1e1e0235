//! Sources that the rules must refuse, and some like them that they must not.

use crate::circles;
use crate::rules::{ENGINE, HARNESS, Layers, violations};
use crate::tree::Tree;

/// What is found in `text` as the file `path`, among modules that it may name.
fn found(layers: &Layers, path: &str, text: &str) -> Vec<String> {
    let mut texts: Vec<(String, String)> = layers
        .order
        .iter()
        .map(|stage| (format!("{stage}/mod.rs"), String::new()))
        .filter(|(other, _)| other != path)
        .collect();
    texts.push((path.to_owned(), text.to_owned()));
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    violations(layers, &Tree::of_texts(layers, &texts))
}

fn assert_refused(layers: &Layers, path: &str, text: &str, words: &[&str]) {
    let found = found(layers, path, text);
    assert_eq!(found.len(), words.len(), "{path}: {text}\n{found:#?}");
    for (found, word) in found.iter().zip(words) {
        assert!(found.contains(word), "{path}: {text}\n'{found}' lacks '{word}'");
    }
}

fn assert_allowed(layers: &Layers, path: &str, text: &str) {
    assert_refused(layers, path, text, &[]);
}

#[test]
fn a_later_stage_is_refused_however_it_is_named() {
    let later = ["'stats' imports the later 'ledger"];
    for text in [
        "use crate::ledger::Ledger;",
        "use crate::{stats::{elo, llr}, ledger::Ledger};",
        "use crate::{stats::{self, elo}, ledger::{self as book}};",
        "use crate as all; fn f() -> all::ledger::Ledger { loop {} }",
        "use crate::*; fn f() { ledger::open(); }",
        "use super::super::ledger::Ledger;",
        "use super::super::{ledger};",
        "use crate::r#ledger as record;",
        "pub(crate) use crate::ledger::Ledger;",
        "fn f() { crate::ledger::open(); }",
        "fn f(_: &super::super::ledger::Ledger) {}",
        "fn f() { self::super::super::ledger::open(); }",
        "fn f() { use crate::ledger; }",
        "struct S { field: Vec<crate::ledger::Ledger> }",
        "impl crate::ledger::Open for u8 {}",
        "fn f() { assert!(crate::ledger::is_open()); }",
        "macro_rules! open { () => { $crate::ledger::open() } }",
        "#[serde(with = \"x\")] struct S; #[wrap(crate::ledger::Ledger)] struct T;",
        "const URL: &str = \"https://x\"; use crate::ledger::Ledger;",
        "const URL: &str = \"//\"; fn f() { let _ = (\"//\", crate::ledger::open()); }",
        "/* use crate::stats; */ use crate::ledger::Ledger;",
        "#[cfg(test)]\nmod tests { fn f() {} }\nuse crate::ledger::Ledger;",
        "#[cfg(test)] mod tests { mod inner {} } fn f() { crate::ledger::open() }",
        "mod inner { use super::super::super::ledger::Ledger; }",
        "mod inner { fn f() { crate::ledger::open() } }",
        "use tanren::ledger::Ledger;",
        "#[cfg(not(test))] use crate::ledger::Ledger;",
    ] {
        assert_refused(&HARNESS, "stats/elo.rs", text, &later);
    }
    assert_refused(
        &HARNESS,
        "stop.rs",
        "use super::report;",
        &["'stop' imports the later 'report'"],
    );
    assert_refused(
        &ENGINE,
        "shogi/board.rs",
        "use crate::{game::Side, search::MATE};",
        &["'shogi' imports the later 'search::MATE'"],
    );
}

#[test]
fn earlier_stages_comments_strings_and_tests_are_allowed() {
    for text in [
        "use crate::{random::Random, stats::{self, llr}};",
        "use super::super::random;",
        "// use crate::ledger::Ledger;\n/// [`crate::ledger`]\nfn f() {}",
        "fn f() -> &'static str { \"use crate::ledger;\" }",
        "#[cfg(test)] mod tests { use crate::ledger::Ledger; }",
        "#[cfg(all(test, unix))] use crate::ledger::Ledger;",
        "#[test] fn f() { crate::ledger::open() }",
        "pub(in crate::cli) fn f() {}",
        "use serde::de::ledger::x; fn f(ledger: u8) -> u8 { ledger }",
    ] {
        assert_allowed(&HARNESS, "stats/elo.rs", text);
    }
}

#[test]
fn statistics_and_decisions_touch_nothing_outside() {
    for (text, words) in [
        ("use std::{fs, io};", &["std::fs", "std::io"][..]),
        (
            "use std::{self as all}; fn f() { all::fs::read(\"x\"); }",
            &["std::fs"],
        ),
        (
            "use std as all; fn f() { all::thread::sleep(x) }",
            &["std::thread"],
        ),
        ("use std::io::Write as _;", &["std::io"]),
        ("fn f() { std::env::args(); }", &["std::env"]),
        (
            "use std::{net::TcpStream, process::{self, exit}};",
            &["std::net", "std::process"],
        ),
        ("use std::time::{Duration, Instant};", &["std::time::Instant"]),
        ("fn f() { if true { println!(\"x\") } }", &["println!"]),
        ("fn f() { vec![eprintln!(\"x\")]; }", &["eprintln!"]),
        ("#[cfg(unix)] fn f() {}", &["cfg(unix)"]),
        ("fn f() -> bool { cfg!(windows) }", &["cfg(windows)"]),
    ] {
        for path in ["stats/elo.rs", "stop.rs", "tune/tuner.rs"] {
            assert_refused(&HARNESS, path, text, words);
        }
    }
    assert_allowed(&HARNESS, "ledger/mod.rs", "use std::{fs, io::{self, Write}};");
    assert_refused(
        &HARNESS,
        "runner/local.rs",
        "use std::io; fn f() { io::stdout(); }",
        &["std::io", "std::io"],
    );
    assert_refused(
        &HARNESS,
        "stats/elo.rs",
        "use rusqlite::Connection;",
        &["rusqlite"],
    );
    assert_refused(
        &HARNESS,
        "runner/local.rs",
        "use std::os::unix::ffi::OsStrExt;",
        &["std::os"],
    );
}

#[test]
fn the_engine_counts_in_integers_and_knows_no_harness() {
    for path in [
        "search/node.rs",
        "eval/mod.rs",
        "ordering/history.rs",
        "shogi/board.rs",
    ] {
        assert_refused(&ENGINE, path, "fn f(x: i32) -> f64 { x.into() }", &["f64"]);
        assert_refused(&ENGINE, path, "fn f(x: i32) -> i32 { x as f32 as i32 }", &["f32"]);
        assert_refused(&ENGINE, path, "const SHARE: i32 = (0.5 * 8) as i32;", &["f64"]);
        assert_refused(&ENGINE, path, "fn f() { assert!(x < 1f64) }", &["f64"]);
        assert_refused(&ENGINE, path, "use tanren::stats::Tally;", &["tanren"]);
        assert_refused(
            &ENGINE,
            path,
            "fn f() { std::time::Instant::now(); }",
            &["std::time"],
        );
        assert_refused(&ENGINE, path, "use std::io::{self};", &["std::io"]);
        assert_allowed(
            &ENGINE,
            path,
            "/// Not 0.5, not f64.\nconst F: &str = \"f64 0.5\"; const T: (u8,) = (T.0,);",
        );
    }
    assert_allowed(
        &ENGINE,
        "protocol/session.rs",
        "use std::{io, thread, time::Instant};",
    );
}

#[test]
fn search_names_no_game() {
    let text = "use crate::shogi::Board;";
    assert_refused(&ENGINE, "search/node.rs", text, &["must not name shogi"]);
    assert_refused(
        &ENGINE,
        "ordering/key.rs",
        "fn f(x: ShogiMove) {}",
        &["must not name shogi"],
    );
    assert_refused(
        &ENGINE,
        "search/node.rs",
        "fn is_chess() {}",
        &["must not name chess"],
    );
    assert_allowed(
        &ENGINE,
        "search/node.rs",
        "// as in shogi\nfn f() -> &'static str { \"chess\" }",
    );
}

#[test]
fn a_file_without_a_stage_is_refused() {
    assert_refused(&HARNESS, "novelty.rs", "", &["'novelty' has no place"]);
    assert_refused(
        &HARNESS,
        "stats/elo.rs",
        "use crate::novelty::New;",
        &["has no place"],
    );
}

/// The files of each circle among `texts`.
fn circles_of(texts: &[(&str, &str)]) -> Vec<Vec<String>> {
    let found = circles::circles(&Tree::of_texts(&HARNESS, texts));
    found.into_iter().map(|(files, _)| files).collect()
}

#[test]
fn two_files_that_import_each_other_are_a_circle() {
    let circle = ["report/odds.rs", "report/odds_plot.rs"];
    for (odds, plot) in [
        ("use super::odds_plot::Plot;", "use super::odds::Row;"),
        (
            "fn f() { super::odds_plot::draw() }",
            "use crate::report::{odds::{Row as Line}};",
        ),
        // Through what the folder hands on.
        ("use super::Plot;", "use super::Row;"),
        (
            "use super::*; fn f(_: Plot) {}",
            "use super::super::report as all; fn f(_: all::Row) {}",
        ),
    ] {
        let folder = "mod odds; mod odds_plot; pub use odds::Row; pub use odds_plot::Plot;";
        let texts = [("report/mod.rs", folder), (circle[0], odds), (circle[1], plot)];
        assert_eq!(circles_of(&texts), [circle], "{odds} {plot}");
        let texts = [("report/mod.rs", folder), (circle[0], odds), (circle[1], "")];
        assert_eq!(circles_of(&texts), [[""; 0]; 0], "{odds}");
    }
}

#[test]
fn a_circle_may_be_longer_and_lead_through_the_folder() {
    let three = [
        ("queue/mod.rs", "mod a; mod b; mod c;"),
        ("queue/a.rs", "use super::b::B;"),
        ("queue/b.rs", "use super::c::C;"),
        ("queue/c.rs", "fn f() { assert!(crate::queue::a::is()) }"),
    ];
    assert_eq!(circles_of(&three), [["queue/a.rs", "queue/b.rs", "queue/c.rs"]]);
    let folder = [
        ("play/mod.rs", "mod a; use a::A; pub struct B;"),
        ("play/a.rs", "use super::B;"),
    ];
    assert_eq!(circles_of(&folder), [["play/a.rs", "play/mod.rs"]]);
}

#[test]
fn a_new_circle_and_one_that_was_cut_are_both_told() {
    let known = Layers {
        known_circles: &[&["queue/a.rs", "queue/b.rs"]],
        ..HARNESS
    };
    let circle = (vec!["queue/a.rs".to_owned(), "queue/b.rs".to_owned()], Vec::new());
    let other = (vec!["queue/a.rs".to_owned(), "queue/c.rs".to_owned()], Vec::new());
    assert_eq!(
        circles::violations(&known, std::slice::from_ref(&circle)),
        [""; 0]
    );
    assert_eq!(circles::violations(&known, &[circle, other]).len(), 1);
    assert_eq!(circles::violations(&known, &[]).len(), 1);
}
