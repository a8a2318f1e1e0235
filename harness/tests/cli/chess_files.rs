//! What chess users bring: books, Chess960, PGN, scripts of other programs.
#![expect(clippy::print_stderr, reason = "tests say what they did not test")]

use std::fs;
use std::path::Path;

use crate::folder::{Ended, Folder, InFolder, holds};

const STOCKFISH: &str = "/usr/games/stockfish";
const PGN: &str =
    "[Event \"a\"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 Nc6 *\n\n[Event \"b\"]\n\n1. d4 d5 2. c4 e6 *\n";

fn has_stockfish() -> bool {
    let has = Path::new(STOCKFISH).is_file();
    if !has {
        eprintln!("{STOCKFISH} is not there: not tested");
    }
    has
}

const SHORT: &str = "match --game chess --a base --b plain --nodes 100 --max-plies 20 --quiet";

#[test]
fn a_match_is_played_from_a_pgn_and_goes_on_from_its_compressed_copy() {
    let folder = &Folder::new();
    folder.write("book.pgn", PGN);
    let mut compressed = Vec::new();
    let mut reader = flate2::read::GzEncoder::new(PGN.as_bytes(), flate2::Compression::best());
    std::io::Read::read_to_end(&mut reader, &mut compressed).unwrap();
    folder.write("book.pgn.gz", compressed);
    let play = |book: &str, more: &str| {
        let args = format!("{SHORT} --openings '{book}' --plies 3 --pairs 2 --out m --json {more}");
        folder.run(&args)
    };
    play("book.pgn", "--pause-after 1").ok();
    let whole = play("book.pgn.gz", "");
    assert_eq!(whole.json()["pairs"].as_u64(), Some(2), "{}", whole.message());
    folder
        .run(&format!(
            "{SHORT} --openings book.pgn --plies 2 --pairs 2 --out m"
        ))
        .refused("plies of openings");
    folder.run(&format!("{SHORT} --plies 2")).refused("openings");
}

#[test]
fn a_pgn_that_cannot_be_written_or_is_a_file_of_the_run_is_refused_before_a_game() {
    let folder = &Folder::new();
    fs::create_dir(folder.join("there")).unwrap();
    for (pgn, why) in [
        ("m/summary.csv", "must end with .pgn"),
        ("./m/ledger.sqlite", "must end with .pgn"),
        ("nowhere/x.pgn", "there is no such folder"),
        ("there", "this is a folder"),
    ] {
        let args = format!("{SHORT} --pairs 1 --out m --force --pgn '{pgn}'");
        folder.run(&args).refused(why);
        assert!(!folder.join("m").exists(), "{pgn}");
    }
    let args = format!("{SHORT} --pairs 1 --out m --pgn m/live.pgn");
    folder.run(&args).ok();
    assert!(folder.join("m/live.pgn").exists());
}

#[test]
fn a_pgn_of_a_damaged_run_is_neither_replaced_nor_called_that_of_another() {
    let folder = &Folder::new();
    let plain = format!("{SHORT} --pairs 3 --out m");
    let args = format!("{plain} --pgn live.pgn");
    folder.run(&args).ok();
    let pgn = fs::read(folder.join("live.pgn")).unwrap();
    let ledger = rusqlite::Connection::open(folder.join("m/ledger.sqlite")).unwrap();
    let changed = ledger.execute("UPDATE unit SET summary = x'00' WHERE number = 1", []);
    assert_eq!(changed.unwrap(), 1);
    drop(ledger);
    folder
        .run(&args)
        .refused("cannot be told while the run is damaged");
    folder.run(&plain).ok();
    folder.run(&args).ok();
    assert_eq!(fs::read(folder.join("live.pgn")).unwrap(), pgn);
}

#[cfg(unix)]
#[test]
fn a_pgn_goes_where_a_link_leads_and_is_never_put_in_the_place_of_a_device_or_a_pipe() {
    use std::os::unix::fs::symlink;
    let folder = &Folder::new();
    symlink("/dev/null", folder.join("null.pgn")).unwrap();
    symlink("nowhere/x.pgn", folder.join("astray.pgn")).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(folder.join("pipe.pgn"))
        .status();
    assert!(pipe.unwrap().success());
    for pgn in ["null.pgn", "astray.pgn", "pipe.pgn"] {
        let args = format!("{SHORT} --pairs 1 --out m --force --pgn '{pgn}'");
        folder.run(&args).refused("name a file");
        assert!(!folder.join("m").exists(), "{pgn}");
    }
    folder.write("real.pgn", "");
    folder.write("real.pgn.new", "of somebody else");
    symlink("real.pgn", folder.join("link.pgn")).unwrap();
    let args = format!("{SHORT} --pairs 1 --out m --pgn link.pgn");
    folder.run(&args).ok();
    assert!(folder.join("link.pgn").is_symlink());
    holds(&folder.read("real.pgn"), ["[Result "]);
    let other = folder.read("real.pgn.new");
    assert_eq!(other, "of somebody else");
}

#[test]
fn a_pgn_grows_in_the_order_of_the_count_and_no_other_file_is_replaced() {
    let folder = &Folder::new();
    let path = folder.join("live.pgn");
    let play = |more: &str| {
        let args = format!("{SHORT} --pairs 3 --out m --pgn live.pgn {more}");
        folder.run(&args)
    };
    play("--pause-after 1").ok();
    let first = fs::read_to_string(&path).unwrap();
    assert_eq!(first.matches("[Event ").count(), 2, "{first}");
    // As a crash leaves it.
    fs::write(&path, &first[..first.len() - 40]).unwrap();
    play("").ok();
    let all = fs::read_to_string(&path).unwrap();
    assert!(
        all.starts_with(&first) && all.contains("[TimeControl \"-\"]") && all.contains(", n="),
        "{all}"
    );
    folder.run("report m --records pgn").ok();
    assert_eq!(folder.read("m/games.pgn"), all);
    fs::write(&path, "[Event \"mine\"]\n").unwrap();
    play("").refused("--force");
    assert_eq!(fs::read_to_string(&path).unwrap(), "[Event \"mine\"]\n");
    play("--force").ok();
    assert_eq!(fs::read_to_string(&path).unwrap(), all);
}

#[test]
fn start_positions_of_chess960_are_made_and_played() {
    let folder = &Folder::new();
    let make = |args: &str| folder.run(&format!("openings generate {args}"));
    make("--chess960 --out all.epd").ok();
    let all = folder.read("all.epd");
    assert_eq!(all.lines().count(), 961);
    make("--dfrc --count 4 --out some.epd").ok();
    make("--chess960 --count 961 --out more.epd").refused("has 960");
    let args = format!("{SHORT} --openings some.epd --pairs 4 --out m --pgn g.pgn");
    folder.run(&args).ok();
    let pgn = folder.read("g.pgn");
    assert_eq!(pgn.matches("[Variant \"Chess960\"]").count(), 8);
    folder.run("verify m").ok();
}

#[test]
fn an_engine_plays_chess960_as_it_is_told_and_one_that_cannot_is_refused() {
    if !has_stockfish() {
        return;
    }
    let folder = &Folder::new();
    // Castling at once, and a game of ordinary chess after it.
    let openings = "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1\nr3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n";
    folder.write("c.epd", openings);
    let engine = format!("uci:{STOCKFISH},option.Threads=1");
    let args = format!(
        "match --game chess --a '{engine}' --b base --nodes 200 --openings c.epd --order \
        sequential --pairs 2 --max-plies 40 --out m --quiet --json --engine-log log"
    );
    let played = folder.run(&args);
    assert_eq!(
        played.json()["faults_a"].as_u64(),
        Some(0),
        "{}",
        played.message()
    );
    let mut told = String::new();
    for file in fs::read_dir(folder.join("log")).unwrap() {
        told += &fs::read_to_string(file.unwrap().path()).unwrap();
    }
    holds(
        &told,
        [
            "UCI_Chess960 value true",
            "position fen 1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb",
        ],
    );
    let unable = folder.join("unable.sh");
    fs::write(
        &unable,
        "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac; done",
    )
    .unwrap();
    let engine = format!("uci:/bin/sh {}", unable.display());
    let args = format!("match --game chess --a '{engine}' --openings c.epd --pairs 1 --out n");
    folder.run(&args).refused("does not offer UCI_Chess960");
}

#[test]
fn a_script_of_fastchess_runs_as_it_is() {
    if !has_stockfish() {
        return;
    }
    let folder = &Folder::new();
    folder.write("book.pgn", PGN);
    let cmd = format!("cmd={STOCKFISH}");
    let script = format!(
        "-engine '{cmd}' name=one nodes=100 -engine '{cmd}' name=two nodes=50 -each proto=uci \
        option.Threads=1 option.Hash=1 -openings file=book.pgn format=pgn order=sequential \
        plies=2 -rounds 2 -games 2 -repeat -concurrency 2 -resign movecount=3 score=600 -draw \
        movenumber=20 movecount=4 score=20 -maxmoves 30 -pgnout file=out.pgn -recover \
        -ratinginterval 10 --out m --json"
    );
    for name in ["fastchess", "cutechess"] {
        let played = folder.run(&format!("{name} {script}")).ok();
        played.says(["-recover means nothing here", "tanren match --game chess --a"]);
        let result = played.json();
        assert_eq!(
            (result["a"].as_str(), result["games"].as_u64()),
            (Some("one"), Some(4)),
            "{result}"
        );
    }
    let pgn = folder.read("out.pgn");
    assert_eq!(pgn.matches("[White \"one\"]").count(), 2, "{pgn}");
}

#[test]
fn a_script_that_cannot_be_followed_is_refused_with_what_to_do() {
    let folder = &Folder::new();
    let script = "fastchess -engine cmd=x -engine cmd=y -each nodes=9 -tbignore50";
    folder.run(script).refused("leave it out");
    let shown = folder.run("fastchess --translate-only -engine cmd=/x -engine cmd=/y -each st=0.5");
    assert!(
        shown
            .text()
            .starts_with("tanren match --game chess --a uci:/x --b uci:/y --movetime 500"),
        "{}",
        shown.text()
    );
    let words = "fastchess -engine cmd=/x -engine cmd=/y -each";
    let last = folder.run(&format!("{words} st=0.5 --translate-only"));
    assert_eq!(last.text(), shown.text());
    let live = "st=0.5 -pgnout file=x.pgn --translate-only";
    let live = folder.run(&format!("{words} {live}"));
    assert!(live.text().contains("--pgn x.pgn"), "{}", live.message());
    folder.run(&format!("{words} tc=nan --translate-only")).ended(2);
}
