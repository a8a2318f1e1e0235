//! What chess users bring: books, Chess960, PGN, scripts of other programs.
#![expect(clippy::print_stderr, reason = "tests say what they did not test")]

use std::fs;
use std::path::Path;

use crate::common::{json, run, stderr};

const STOCKFISH: &str = "/usr/games/stockfish";
const PGN: &str =
    "[Event \"a\"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 Nc6 *\n\n[Event \"b\"]\n\n1. d4 d5 2. c4 e6 *\n";

fn stdout(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn has_stockfish() -> bool {
    let has = Path::new(STOCKFISH).is_file();
    if !has {
        eprintln!("{STOCKFISH} is not there: not tested");
    }
    has
}

const SHORT: [&str; 12] = [
    "match",
    "--game",
    "chess",
    "--a",
    "base",
    "--b",
    "plain",
    "--nodes",
    "100",
    "--max-plies",
    "20",
    "--quiet",
];

#[test]
fn a_match_is_played_from_a_pgn_and_goes_on_from_its_compressed_copy() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("book.pgn"), PGN).unwrap();
    let mut compressed = Vec::new();
    let mut reader = flate2::read::GzEncoder::new(PGN.as_bytes(), flate2::Compression::best());
    std::io::Read::read_to_end(&mut reader, &mut compressed).unwrap();
    fs::write(folder.path().join("book.pgn.gz"), compressed).unwrap();
    let play = |book: &str, more: &[&str]| {
        let args = [
            &SHORT[..],
            &[
                "--openings",
                book,
                "--plies",
                "3",
                "--pairs",
                "2",
                "--out",
                "m",
                "--json",
            ],
            more,
        ];
        run(folder.path(), &args.concat())
    };
    let paused = play("book.pgn", &["--pause-after", "1"]);
    assert_eq!(paused.status.code(), Some(0), "{}", stderr(&paused));
    let whole = play("book.pgn.gz", &[]);
    assert_eq!(json(&whole)["pairs"].as_u64(), Some(2), "{}", stderr(&whole));
    let other = run(
        folder.path(),
        &[
            &SHORT[..],
            &[
                "--openings",
                "book.pgn",
                "--plies",
                "2",
                "--pairs",
                "2",
                "--out",
                "m",
            ],
        ]
        .concat(),
    );
    assert!(
        other.status.code() == Some(2) && stderr(&other).contains("plies of openings"),
        "{}",
        stderr(&other)
    );
    let wrong = run(folder.path(), &[&SHORT[..], &["--plies", "2"]].concat());
    assert!(
        wrong.status.code() == Some(2) && stderr(&wrong).contains("openings"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn a_pgn_that_cannot_be_written_or_is_a_file_of_the_run_is_refused_before_a_game() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("there")).unwrap();
    for (pgn, why) in [
        ("m/summary.csv", "must end with .pgn"),
        ("./m/ledger.sqlite", "must end with .pgn"),
        ("nowhere/x.pgn", "there is no such folder"),
        ("there", "this is a folder"),
    ] {
        let args = [
            &SHORT[..],
            &["--pairs", "1", "--out", "m", "--force", "--pgn", pgn],
        ];
        let refused = run(folder.path(), &args.concat());
        assert_eq!(refused.status.code(), Some(2), "{pgn}: {}", stderr(&refused));
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
        assert!(!folder.path().join("m").exists(), "{pgn}");
    }
    let args = [&SHORT[..], &["--pairs", "1", "--out", "m", "--pgn", "m/live.pgn"]];
    let played = run(folder.path(), &args.concat());
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    assert!(folder.path().join("m/live.pgn").exists());
}

#[test]
fn a_pgn_of_a_damaged_run_is_neither_replaced_nor_called_that_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let plain = [&SHORT[..], &["--pairs", "3", "--out", "m"]].concat();
    let args = [&plain[..], &["--pgn", "live.pgn"]].concat();
    assert_eq!(run(folder.path(), &args).status.code(), Some(0));
    let pgn = fs::read(folder.path().join("live.pgn")).unwrap();
    let ledger = rusqlite::Connection::open(folder.path().join("m/ledger.sqlite")).unwrap();
    let changed = ledger.execute("UPDATE game SET plies = plies + 1 WHERE game = 2", []);
    assert_eq!(changed.unwrap(), 1);
    drop(ledger);
    let refused = run(folder.path(), &args);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(
        stderr(&refused).contains("cannot be told while the run is damaged"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(run(folder.path(), &plain).status.code(), Some(0));
    let output = run(folder.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(fs::read(folder.path().join("live.pgn")).unwrap(), pgn);
}

#[cfg(unix)]
#[test]
fn a_pgn_goes_where_a_link_leads_and_is_never_put_in_the_place_of_a_device_or_a_pipe() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    symlink("/dev/null", folder.path().join("null.pgn")).unwrap();
    symlink("nowhere/x.pgn", folder.path().join("astray.pgn")).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(folder.path().join("pipe.pgn"))
        .status();
    assert!(pipe.unwrap().success());
    for pgn in ["null.pgn", "astray.pgn", "pipe.pgn"] {
        let args = [
            &SHORT[..],
            &["--pairs", "1", "--out", "m", "--force", "--pgn", pgn],
        ];
        let refused = run(folder.path(), &args.concat());
        assert_eq!(refused.status.code(), Some(2), "{pgn}: {}", stderr(&refused));
        assert!(stderr(&refused).contains("name a file"), "{}", stderr(&refused));
        assert!(!folder.path().join("m").exists(), "{pgn}");
    }
    fs::write(folder.path().join("real.pgn"), "").unwrap();
    fs::write(folder.path().join("real.pgn.new"), "of somebody else").unwrap();
    symlink("real.pgn", folder.path().join("link.pgn")).unwrap();
    let args = [&SHORT[..], &["--pairs", "1", "--out", "m", "--pgn", "link.pgn"]];
    let played = run(folder.path(), &args.concat());
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    assert!(folder.path().join("link.pgn").is_symlink());
    assert!(
        fs::read_to_string(folder.path().join("real.pgn"))
            .unwrap()
            .contains("[Result ")
    );
    let other = fs::read_to_string(folder.path().join("real.pgn.new")).unwrap();
    assert_eq!(other, "of somebody else");
}

#[test]
fn a_pgn_grows_in_the_order_of_the_count_and_no_other_file_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.pgn");
    let play = |more: &[&str]| {
        let args = [
            &SHORT[..],
            &["--pairs", "3", "--out", "m", "--pgn", "live.pgn"],
            more,
        ];
        run(folder.path(), &args.concat())
    };
    assert_eq!(play(&["--pause-after", "1"]).status.code(), Some(0));
    let first = fs::read_to_string(&path).unwrap();
    assert_eq!(first.matches("[Event ").count(), 2, "{first}");
    // As a crash leaves it.
    fs::write(&path, &first[..first.len() - 40]).unwrap();
    let whole = play(&[]);
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let all = fs::read_to_string(&path).unwrap();
    assert!(
        all.starts_with(&first) && all.contains("[TimeControl \"-\"]") && all.contains(", n="),
        "{all}"
    );
    assert_eq!(
        run(folder.path(), &["report", "m", "--records", "pgn"])
            .status
            .code(),
        Some(0)
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("m/games.pgn")).unwrap(),
        all
    );
    fs::write(&path, "[Event \"mine\"]\n").unwrap();
    let refused = play(&[]);
    assert!(
        refused.status.code() == Some(2) && stderr(&refused).contains("--force"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "[Event \"mine\"]\n");
    assert_eq!(play(&["--force"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&path).unwrap(), all);
}

#[test]
fn start_positions_of_chess960_are_made_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let make = |args: &[&str]| run(folder.path(), &[&["openings", "generate"], args].concat());
    assert_eq!(make(&["--chess960", "--out", "all.epd"]).status.code(), Some(0));
    let all = fs::read_to_string(folder.path().join("all.epd")).unwrap();
    assert_eq!(all.lines().count(), 961);
    assert_eq!(
        make(&["--dfrc", "--count", "4", "--out", "some.epd"])
            .status
            .code(),
        Some(0)
    );
    let refused = make(&["--chess960", "--count", "961", "--out", "more.epd"]);
    assert!(
        refused.status.code() == Some(2) && stderr(&refused).contains("has 960"),
        "{}",
        stderr(&refused)
    );
    let args = [
        &SHORT[..],
        &[
            "--openings",
            "some.epd",
            "--pairs",
            "4",
            "--out",
            "m",
            "--pgn",
            "g.pgn",
        ],
    ]
    .concat();
    assert_eq!(run(folder.path(), &args).status.code(), Some(0));
    let pgn = fs::read_to_string(folder.path().join("g.pgn")).unwrap();
    assert_eq!(pgn.matches("[Variant \"Chess960\"]").count(), 8);
    assert_eq!(run(folder.path(), &["verify", "m"]).status.code(), Some(0));
}

#[test]
fn an_engine_plays_chess960_as_it_is_told_and_one_that_cannot_is_refused() {
    if !has_stockfish() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // Castling at once, and a game of ordinary chess after it.
    let openings = "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1\nr3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n";
    fs::write(folder.path().join("c.epd"), openings).unwrap();
    let engine = format!("uci:{STOCKFISH},option.Threads=1");
    let args = [
        "match",
        "--game",
        "chess",
        "--a",
        &engine,
        "--b",
        "base",
        "--nodes",
        "200",
        "--openings",
        "c.epd",
        "--order",
        "sequential",
        "--pairs",
        "2",
        "--max-plies",
        "40",
        "--out",
        "m",
        "--quiet",
        "--json",
        "--engine-log",
        "log",
    ];
    let played = run(folder.path(), &args);
    assert_eq!(json(&played)["faults_a"].as_u64(), Some(0), "{}", stderr(&played));
    let mut told = String::new();
    for file in fs::read_dir(folder.path().join("log")).unwrap() {
        told += &fs::read_to_string(file.unwrap().path()).unwrap();
    }
    assert!(
        told.contains("UCI_Chess960 value true")
            && told.contains("position fen 1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb"),
        "{told}"
    );
    let unable = folder.path().join("unable.sh");
    fs::write(
        &unable,
        "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac; done",
    )
    .unwrap();
    let engine = format!("uci:/bin/sh {}", unable.display());
    let args = [
        "match",
        "--game",
        "chess",
        "--a",
        &engine,
        "--openings",
        "c.epd",
        "--pairs",
        "1",
        "--out",
        "n",
    ];
    let refused = run(folder.path(), &args);
    assert!(
        refused.status.code() == Some(2) && stderr(&refused).contains("does not offer UCI_Chess960"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn a_script_of_fastchess_runs_as_it_is() {
    if !has_stockfish() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("book.pgn"), PGN).unwrap();
    let cmd = format!("cmd={STOCKFISH}");
    let script = [
        "-engine",
        &cmd,
        "name=one",
        "nodes=100",
        "-engine",
        &cmd,
        "name=two",
        "nodes=50",
        "-each",
        "proto=uci",
        "option.Threads=1",
        "option.Hash=1",
        "-openings",
        "file=book.pgn",
        "format=pgn",
        "order=sequential",
        "plies=2",
        "-rounds",
        "2",
        "-games",
        "2",
        "-repeat",
        "-concurrency",
        "2",
        "-resign",
        "movecount=3",
        "score=600",
        "-draw",
        "movenumber=20",
        "movecount=4",
        "score=20",
        "-maxmoves",
        "30",
        "-pgnout",
        "file=out.pgn",
        "-recover",
        "-ratinginterval",
        "10",
        "--out",
        "m",
        "--json",
    ];
    for name in ["fastchess", "cutechess"] {
        let played = run(folder.path(), &[&[name], &script[..]].concat());
        assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
        let said = stderr(&played);
        assert!(
            said.contains("-recover means nothing here") && said.contains("tanren match --game chess --a"),
            "{said}"
        );
        let result = json(&played);
        assert_eq!(
            (result["a"].as_str(), result["games"].as_u64()),
            (Some("one"), Some(4)),
            "{result}"
        );
    }
    let pgn = fs::read_to_string(folder.path().join("out.pgn")).unwrap();
    assert_eq!(pgn.matches("[White \"one\"]").count(), 2, "{pgn}");
}

#[test]
fn a_script_that_cannot_be_followed_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let script = [
        "fastchess",
        "-engine",
        "cmd=x",
        "-engine",
        "cmd=y",
        "-each",
        "nodes=9",
        "-tbignore50",
    ];
    let refused = run(folder.path(), &script);
    assert!(
        refused.status.code() == Some(2) && stderr(&refused).contains("leave it out"),
        "{}",
        stderr(&refused)
    );
    let shown = run(
        folder.path(),
        &[
            "fastchess",
            "--translate-only",
            "-engine",
            "cmd=/x",
            "-engine",
            "cmd=/y",
            "-each",
            "st=0.5",
        ],
    );
    assert!(
        stdout(&shown).starts_with("tanren match --game chess --a uci:/x --b uci:/y --movetime 500"),
        "{}",
        stdout(&shown)
    );
    let words = ["fastchess", "-engine", "cmd=/x", "-engine", "cmd=/y", "-each"];
    let last = run(
        folder.path(),
        &[&words[..], &["st=0.5", "--translate-only"]].concat(),
    );
    assert_eq!(stdout(&last), stdout(&shown));
    let live = ["st=0.5", "-pgnout", "file=x.pgn", "--translate-only"];
    let live = run(folder.path(), &[&words[..], &live].concat());
    assert!(stdout(&live).contains("--pgn x.pgn"), "{}", stderr(&live));
    let impossible = run(
        folder.path(),
        &[&words[..], &["tc=nan", "--translate-only"]].concat(),
    );
    assert_eq!(impossible.status.code(), Some(2), "{}", stdout(&impossible));
}
