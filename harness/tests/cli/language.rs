//! What the program says in Japanese: the same facts, tables that stay aligned, files and JSON that do not change.

use std::process::Output;

use crate::common::{stderr, tanren};
use crate::folder::{Folder, InFolder, words};

fn run_in(folder: &Folder, language: &str, line: &str) -> Output {
    let mut command = tanren();
    command
        .args(words(line))
        .current_dir(folder)
        .env("TANREN_LANG", language);
    command.output().unwrap()
}

fn said(folder: &Folder, language: &str, line: &str) -> String {
    let output = run_in(folder, language, line);
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The columns of a table: where two cells or more are blank in each of its lines, from the second word on.
fn gaps(lines: &[&str]) -> usize {
    let rows: Vec<Vec<bool>> = lines.iter().map(|line| cells(line)).collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let is_blank = |column: usize| rows.iter().all(|row| !row.get(column).copied().unwrap_or(false));
    let start = (0..width).find(|&column| !is_blank(column)).unwrap_or(0);
    let blank: Vec<bool> = (start..width).map(is_blank).collect();
    let runs = blank.split(|is_blank| !is_blank);
    runs.filter(|run| run.len() >= 2).count()
}

/// For each cell of a terminal, is something in it? Of wide characters two.
fn cells(line: &str) -> Vec<bool> {
    let wide = |c: char| matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6);
    line.chars()
        .flat_map(|c| vec![c != ' '; if wide(c) { 2 } else { 1 }])
        .collect()
}

/// Lines that follow one another and have gaps in common, as those of a table do.
fn tables(text: &str) -> Vec<Vec<&str>> {
    let is_row = |line: &&str| line.trim().split("  ").filter(|part| !part.is_empty()).count() > 2;
    let blocks = text.split("\n\n");
    let blocks = blocks.map(|block| block.lines().filter(is_row).collect::<Vec<_>>());
    blocks
        .filter(|block| block.len() > 1 && gaps(block) > 2)
        .collect()
}

/// What is English in Japanese text: names and abbreviations are.
fn english(text: &str, names: &[&str]) -> Vec<String> {
    const TERMS: [&str; 12] = [
        "Elo",
        "nElo",
        "SPRT",
        "LLR",
        "LOS",
        "EBF",
        "Holm",
        "Wald",
        "PASSED",
        "tanren",
        "report.html",
        "SPSA",
    ];
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"_.=/-".contains(c));
    let is_word = |word: &&str| word.chars().filter(char::is_ascii_lowercase).count() > 2;
    let known = |word: &&str| !TERMS.contains(word) && !names.iter().any(|name| word.contains(name));
    words.filter(is_word).filter(known).map(str::to_owned).collect()
}

#[test]
fn reports_say_the_same_in_japanese_and_their_tables_stay_aligned() {
    let folder = Folder::new();
    for line in [
        "match --a base --b plain --nodes 50 --pairs 6 --quiet --out match",
        "tournament --player base --player plain --player base,lmr=off --nodes 50 --pairs 3 --quiet --out tournament",
        "nodes --config base --config base,lmr=off --depth 3 --limit-positions 4 --quiet --out nodes",
        "odds --a base --b plain --nodes 50 --pairs 8 --batch 4 --quiet --out odds",
        "ablate --only lmr,killers --pairs 4 --nodes 50 --node-depth 3 --quiet --out ablate",
    ] {
        said(&folder, "ja", line);
    }
    let mut compared = 0;
    for line in [
        "report match",
        "report match --verbose",
        "report tournament",
        "report nodes",
        "report odds",
        "report ablate",
        "report match match",
        "run match/run.toml --dry-run",
        "simulate --sprt 0,80 --matches 20 --quiet",
        "sprt --sprt 0,5",
        "sprt --counts 10,20,80,30,12 --sprt 0,5",
    ] {
        let [first, second] = ["en", "ja"].map(|language| said(&folder, language, line));
        assert_eq!(tables(&first).len(), tables(&second).len(), "{line}\n{second}");
        compared += tables(&first).len();
        for (table, own) in tables(&first).iter().zip(tables(&second)) {
            assert_eq!(
                gaps(table),
                gaps(&own),
                "{line}\n{}\n{}",
                table.join("\n"),
                own.join("\n")
            );
        }
        let names = [
            "base",
            "plain",
            "lmr",
            "killers",
            "match",
            "tournament",
            "nodes",
            "odds",
            "ablate",
            ".csv",
            "foundation",
            "elo0=",
            "elo1=",
            "alpha",
            "beta",
            "normalized",
            "model=",
        ];
        assert_eq!(english(&second, &names), [""; 0], "{line}\n{second}");
        if !line.contains("--verbose") {
            let [first, second] =
                ["en", "ja"].map(|language| said(&folder, language, &format!("{line} --json")));
            assert_eq!(first, second, "{line}");
        }
    }
    assert!(compared > 10, "{compared} tables");
}

#[test]
fn the_language_is_asked_for_by_option_variable_and_locale_in_this_order() {
    let folder = Folder::new();
    for (variables, option, expected) in [
        (&[("LANG", "ja_JP.UTF-8")][..], "", "合法手"),
        (&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")], "", "Count"),
        (&[("LANG", "C"), ("TANREN_LANG", "ja")], "", "合法手"),
        (&[("LANG", "ja_JP.UTF-8"), ("TANREN_LANG", "en")], "", "Count"),
        (&[("TANREN_LANG", "ja")], "--lang en", "Count"),
        (&[("TANREN_LANG", "en")], "--lang=ja", "合法手"),
    ] {
        let mut command = tanren();
        for name in ["LC_ALL", "LC_MESSAGES", "LANG", "TANREN_LANG"] {
            command.env_remove(name);
        }
        let line = format!("perft --help {option}");
        let output = command
            .args(words(&line))
            .envs(variables.iter().copied())
            .current_dir(&folder)
            .output();
        let output = output.unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            text.contains(expected),
            "{variables:?} {option}: {text}{}",
            stderr(&output)
        );
    }
    let output = run_in(&folder, "fr", "perft");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: TANREN_LANG is 'fr', but it takes en or ja\n"
    );
}

#[test]
fn errors_are_japanese_with_the_same_exit_code() {
    let folder = Folder::new();
    folder.write("wrong.toml", "command = \"match\"\nnods = 5\n");
    for (line, expected) in [
        (
            "match --b base,nul_move=off",
            "エラー: 対局者 b：設定 'nul_move' はありません（'null_move' のことですか？）。設定の一覧は `tanren params`",
        ),
        ("match --a usi:./none", "エラー: 対局者 'usi:./none'：'"),
        (
            "match --pairs x",
            "エラー: '--pairs <N>' の値 'x' は正しくありません",
        ),
        ("match --pears 5", "エラー: オプション --pears はありません"),
        (
            "report nowhere",
            "エラー: 'nowhere' に ledger.sqlite がありません",
        ),
        (
            "run wrong.toml",
            "キー 'nods' はありません（'nodes' のことですか？）",
        ),
    ] {
        let [first, second] = ["en", "ja"].map(|language| run_in(&folder, language, line));
        assert_eq!(first.status.code(), second.status.code(), "{line}");
        assert!(stderr(&second).contains(expected), "{line}: {}", stderr(&second));
    }
}
