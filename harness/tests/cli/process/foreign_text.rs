//! What engines and labels say never reaches a terminal, a record, a picture or a spreadsheet as a command.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::stderr;
use crate::folder::{Ended, Folder, InFolder, quoted};
use crate::process::faulty;

/// A label that HTML, PGN, a shell and a spreadsheet could take for something else.
const LABEL: &str = "=cmd|' /C calc'!A0 \"]<script>&";

fn loud() -> String {
    faulty("loud-words")
}

/// Letters that are written as `\u001b` instead: controls other than the end of a line, and marks of direction.
fn unsafe_letters(text: &str) -> Vec<char> {
    let is_unsafe =
        |letter: &char| letter.is_control() && *letter != '\n' || ('\u{202a}'..='\u{202e}').contains(letter);
    text.chars().filter(is_unsafe).collect()
}

fn check_streams(output: &Output) -> String {
    let text = output.text() + &stderr(output);
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
    let folder = &Folder::new();
    for json in ["", "--json"] {
        let output = folder.run(&format!("check '{}' --stall-ms 300 {json}", loud()));
        let text = check_streams(&output);
        assert!(text.contains(r"\u001b[2J<script>"), "{text}");
        assert!(text.contains(r"\u202e\u009b31m"), "{text}");
    }
    let output = folder.run(&format!("check '{},option.Colour=1'", loud()));
    let text = check_streams(&output);
    assert!(text.contains(r"\u001b]0;owned\u0007Size"), "{text}");
}

#[test]
fn words_of_engines_and_labels_are_harmless_in_every_file() {
    let folder = &Folder::new();
    let players = format!("--a {} --label-a {} --b plain", quoted(&loud()), quoted(LABEL));
    let output = folder.run(&format!(
        "match {players} --nodes 60 --pairs 1 --out m --engine-log log"
    ));
    let text = check_streams(&output);
    assert!(
        text.contains(r"\u001b[31m<script>"),
        "the fault is quoted: {text}"
    );
    let output = folder.run("report m --records csa,kif");
    check_streams(&output);
    check_files(folder);
    let file = |name: &str| folder.read(name);
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
    let folder = &Folder::new();
    folder.write("x.toml", format!("name = '''{LABEL}'''\n"));
    folder
        .run("nodes --config @x.toml --config plain --depth 2 --out n --quiet")
        .ok();
    let picture = folder.read("n/nodes.svg");
    assert!(
        picture.contains("&lt;script&gt;") && !picture.contains("<script"),
        "{picture}"
    );
    let rows = folder.read("n/nodes.csv");
    assert!(rows.contains("\n\"'=cmd"), "{rows}");
}

#[test]
fn a_label_with_controls_is_refused_before_anything_is_played() {
    let folder = &Folder::new();
    folder.write("x.toml", "name = \"a\\u001b[2Jb\"\n");
    for arguments in [
        "match --label-a 'a\u{1b}[2Jb'",
        "match --a @x.toml",
        "match --a 'usi:engine,name=a\u{1b}[2Jb'",
        "tournament --player base --player '{ name = \"a\\u001b[2Jb\", player = \"plain\" }'",
        "nodes --config @x.toml",
        "tune --player @x.toml --tune eval.pawn --games 10",
    ] {
        let output = folder.run(&format!("{arguments} --nodes 10 --out out"));
        let text = check_streams(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        if !arguments.contains("nodes") {
            assert!(
                text.contains(r"'a\u001b[2Jb'") || text.contains("U+001B"),
                "{arguments:?}: {text}"
            );
        }
        assert!(!folder.join("out").exists(), "{arguments:?}");
    }
}
