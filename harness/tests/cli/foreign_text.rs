//! What engines and labels say never reaches a terminal, a record, a picture or a spreadsheet as a command.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::stderr;
use crate::engines::faulty;
use crate::folder::{Ended, Folder, InFolder, quoted};

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
    let output = folder.run("report m --records csa,kifu");
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
