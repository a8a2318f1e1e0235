//! Transcripts: Markdown whose fenced blocks hold commands (`$ tanren match …`) and what they print.
//!
//! The commands of a file run one after the other in one new folder, without a shell (`shell.rs` and `tools.rs` have the few words besides
//! `tanren`). `? 2` is an exit code other than 0; standard output comes before standard error. `[..]` stands for any text in a line, `[#]` for
//! a number, a line `...` for any lines but an exit code. `TRANSCRIPT=queue,tune` plays those alone whose names hold one
//! of the words; `TANREN_REWRITE=1` writes what differs anew and keeps the rest, placeholders included; review the difference.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use rayon::prelude::*;

use crate::folder::InFolder;
use crate::shell::{Shell, Words};

/// Plays all files of this folder of the tests, so many at a time (0: one a core), with further words.
pub(crate) fn play_all(folder: &str, at_a_time: usize, words: fn() -> Words) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let chosen = std::env::var("TRANSCRIPT").unwrap_or_default();
    let mut names = folder.names();
    let is_chosen = |name: &String| chosen.split(',').any(|word| name.contains(word));
    names.retain(|name| name.ends_with(".md") && is_chosen(name));
    assert!(!names.is_empty(), "TRANSCRIPT={chosen} is in no name");
    let threads = rayon::ThreadPoolBuilder::new().num_threads(at_a_time).build();
    let play = |name: &String| play(&folder.join(name), words()).err();
    let failures: Vec<String> = threads
        .unwrap()
        .install(|| names.par_iter().filter_map(play).collect());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[expect(clippy::print_stderr, reason = "what is not tested is said")]
pub(crate) fn tell_untested(what: &str, missing: &str) {
    eprintln!("{what}: not tested, {missing} is not installed");
}

/// Is a program that the file needs not installed? Says so.
fn lacks_program(path: &Path, text: &str) -> bool {
    let needed = text
        .lines()
        .find_map(|line| line.strip_prefix("Needs `")?.strip_suffix("`."));
    let missing = needed.filter(|program| !Path::new(program).is_file());
    if let Some(program) = missing {
        tell_untested(&path.display().to_string(), program);
    }
    missing.is_some()
}

/// Plays a file again; an error is the first difference.
fn play(path: &Path, more: Words) -> Result<(), String> {
    let text = std::fs::read_to_string(path).unwrap();
    if lacks_program(path, &text) {
        return Ok(());
    }
    let (mut shell, mut renewed, mut in_block) = (Shell::new(&text, more), String::new(), false);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        renewed += &format!("{line}\n");
        in_block ^= line.starts_with("```");
        let Some(mut command) = line.strip_prefix("$ ").filter(|_| in_block).map(str::to_owned) else {
            continue;
        };
        while let Some(begun) = command.strip_suffix('\\') {
            let more = lines.next().unwrap_or_default();
            renewed += &format!("{more}\n");
            command = begun.to_owned() + more;
        }
        let (command, has_input) = command
            .strip_suffix(" <<END")
            .map_or((&*command, false), |command| (command, true));
        let mut input = String::new();
        while let Some(line) = has_input.then(|| lines.next()).flatten() {
            renewed += &format!("{line}\n");
            if line == "END" {
                break;
            }
            input += &format!("{line}\n");
        }
        let rest = lines
            .clone()
            .take_while(|line| !line.starts_with("$ ") && !line.starts_with("```"));
        let expected: Vec<&str> = rest.collect();
        lines.by_ref().take(expected.len()).for_each(drop);
        let Ok(printed) = catch_unwind(AssertUnwindSafe(|| shell.run(command, &input))) else {
            let before: Vec<&str> = renewed.lines().rev().take(12).collect();
            let before = before.into_iter().rev().collect::<Vec<_>>().join("\n");
            return Err(format!("{}, at the end of this:\n{before}", path.display()));
        };
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        merged(&expected, &printed)
            .iter()
            .for_each(|line| renewed += &format!("{line}\n"));
    }
    if renewed == text {
        return Ok(());
    }
    if std::env::var_os("TANREN_REWRITE").is_some() {
        std::fs::write(path, renewed).unwrap();
        return Ok(());
    }
    Err(format!(
        "{}: it prints now\n{}\n",
        path.display(),
        news(&text, &renewed)
    ))
}

/// The first lines of `renewed` that are not in `text`.
fn news(text: &str, renewed: &str) -> String {
    let lines: BTreeSet<&str> = text.lines().collect();
    let news = renewed.lines().filter(|line| !lines.contains(line)).take(20);
    news.collect::<Vec<_>>().join("\n")
}

/// The expected lines where they fit and what is printed elsewhere, by the cheapest way from one to the other.
fn merged<'t>(expected: &[&'t str], printed: &[&'t str]) -> Vec<&'t str> {
    let (rows, columns) = (expected.len(), printed.len());
    // Of the rest: what it costs, how many lines the first step takes of both, and what it writes.
    let mut best = vec![vec![(0, 0, 0, None); columns + 1]; rows + 1];
    for row in (0..=rows).rev() {
        for column in (0..=columns).rev() {
            let mut ways = Vec::new();
            let (old, new) = (expected.get(row).copied(), printed.get(column).copied());
            ways.extend(new.map(|_| (15, 0, 1, new)));
            match (old, new) {
                (Some("..."), _) => {
                    ways.push((0, 1, 0, old));
                    let is_hidden = |line: &&str| !line.starts_with("? ");
                    ways.extend(new.filter(is_hidden).map(|_| (0, 0, 1, None)));
                }
                (Some(pattern), Some(line)) if fits(pattern, line) => ways.push((0, 1, 1, old)),
                (Some(pattern), Some(line)) => ways.push((20 - common_tenths(pattern, line), 1, 1, new)),
                _ => {}
            }
            ways.extend(old.map(|_| (30, 1, 0, None)));
            let ways = ways
                .into_iter()
                .map(|(cost, old, new, line)| (cost + best[row + old][column + new].0, old, new, line));
            best[row][column] = ways.min().unwrap_or_default();
        }
    }
    let (mut at, mut lines) = ((0, 0), Vec::new());
    while at != (rows, columns) {
        let (_, old, new, line) = best[at.0][at.1];
        lines.extend(line);
        at = (at.0 + old, at.1 + new);
    }
    lines
}

/// How many tenths of the words of `one` are in `other`.
fn common_tenths(one: &str, other: &str) -> usize {
    let words: Vec<&str> = one.split_whitespace().collect();
    10 * words.iter().filter(|word| other.contains(**word)).count() / words.len().max(1)
}

fn fits(pattern: &str, line: &str) -> bool {
    let places = ["[..]", "[#]"].map(|kind| Some((pattern.find(kind)?, kind)));
    let Some((start, kind)) = places.into_iter().flatten().min() else {
        return pattern == line;
    };
    let Some(line) = line.strip_prefix(&pattern[..start]) else {
        return false;
    };
    let is_longer = |symbol: char| kind == "[#]" && !symbol.is_ascii_digit() && !"+-−.e".contains(symbol);
    let ends = usize::from(kind == "[#]")..=line.find(is_longer).unwrap_or(line.len());
    let rest = &pattern[start + kind.len()..];
    ends.filter(|&end| line.is_char_boundary(end))
        .any(|end| fits(rest, &line[end..]))
}
