//! What engines and labels say never reaches a terminal, a record, a picture or a spreadsheet as a command.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{run, stderr};
use crate::engines::example;

/// A label that HTML, PGN, a shell and a spreadsheet could take for something else.
const LABEL: &str = "=cmd|' /C calc'!A0 \"]<script>&";

fn loud() -> String {
    format!("usi:{} loud-words", example("fault_engine").display())
}

/// Letters that are written as `\u001b` instead: controls other than the end of a line, and marks of direction.
fn unsafe_letters(text: &str) -> Vec<char> {
    let is_unsafe =
        |letter: &char| letter.is_control() && *letter != '\n' || ('\u{202a}'..='\u{202e}').contains(letter);
    text.chars().filter(is_unsafe).collect()
}

fn check_streams(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(output);
    assert!(unsafe_letters(&text).is_empty(), "{text}");
    text
}

/// Every file below `folder` but ledgers.
fn check_files(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            check_files(&path);
        } else if !path.to_string_lossy().contains("ledger.sqlite") {
            let text = fs::read_to_string(&path).unwrap();
            assert!(unsafe_letters(&text).is_empty(), "{}: {text}", path.display());
        }
    }
}

#[test]
fn an_engine_that_commands_the_terminal_is_quoted() {
    let folder = tempfile::tempdir().unwrap();
    for json in [&[][..], &["--json"]] {
        let output = run(
            folder.path(),
            &[&["check", &loud(), "--stall-ms", "300"], json].concat(),
        );
        let text = check_streams(&output);
        assert!(text.contains(r"\u001b[2J<script>"), "{text}");
        assert!(text.contains(r"\u202e\u009b31m"), "{text}");
    }
    let output = run(folder.path(), &["check", &format!("{},option.Colour=1", loud())]);
    let text = check_streams(&output);
    assert!(text.contains(r"\u001b]0;owned\u0007Size"), "{text}");
}

#[test]
fn words_of_engines_and_labels_are_harmless_in_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let players = [
        "match",
        "--a",
        &loud(),
        "--b",
        "plain",
        "--nodes",
        "60",
        "--pairs",
        "1",
    ];
    let more = ["--label-a", LABEL, "--out", "m", "--engine-log", "log"];
    let output = run(folder.path(), &[&players[..], &more].concat());
    let text = check_streams(&output);
    assert!(
        text.contains(r"\u001b[31m<script>"),
        "the fault is quoted: {text}"
    );
    let output = run(folder.path(), &["report", "m", "--records", "csa,kif"]);
    check_streams(&output);
    check_files(folder.path());
    let file = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let summary = file("m/summary.csv");
    let row = summary.lines().nth(1).unwrap();
    assert!(
        row.starts_with("\"'=cmd|' /C calc'!A0 \"\"]<script>&\","),
        "{row}"
    );
    assert!(file("m/games.csa").contains(&format!("\nN+{LABEL}\n")));
    assert!(file("m/run.toml").contains("=cmd"));
}

#[test]
fn a_label_in_a_picture_is_no_markup() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), format!("name = '''{LABEL}'''\n")).unwrap();
    let output = run(
        folder.path(),
        &[
            "nodes", "--config", "@x.toml", "--config", "plain", "--depth", "2", "--out", "n", "--quiet",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let picture = fs::read_to_string(folder.path().join("n/nodes.svg")).unwrap();
    assert!(
        picture.contains("&lt;script&gt;") && !picture.contains("<script"),
        "{picture}"
    );
    let rows = fs::read_to_string(folder.path().join("n/nodes.csv")).unwrap();
    assert!(rows.contains("\n\"'=cmd"), "{rows}");
}

#[test]
fn a_label_with_controls_is_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), "name = \"a\\u001b[2Jb\"\n").unwrap();
    for arguments in [
        &["match", "--label-a", "a\u{1b}[2Jb"][..],
        &["match", "--a", "@x.toml"],
        &["match", "--a", "usi:engine,name=a\u{1b}[2Jb"],
        &[
            "tournament",
            "--player",
            "base",
            "--player",
            "{ name = \"a\\u001b[2Jb\", player = \"plain\" }",
        ],
        &["nodes", "--config", "@x.toml"],
        &[
            "tune",
            "--player",
            "@x.toml",
            "--tune",
            "eval.pawn",
            "--games",
            "10",
        ],
    ] {
        let output = run(
            folder.path(),
            &[arguments, &["--nodes", "10", "--out", "out"]].concat(),
        );
        let text = check_streams(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        if !arguments.contains(&"nodes") {
            assert!(
                text.contains(r"'a\u001b[2Jb'") || text.contains("U+001B"),
                "{arguments:?}: {text}"
            );
        }
        assert!(!folder.path().join("out").exists(), "{arguments:?}");
    }
}
