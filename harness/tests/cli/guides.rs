//! The commands of README.md and of the guides, in the order in which a reader types them, with small budgets.

use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use rayon::prelude::*;

use crate::engines::own_engine;
use crate::folder::{InFolder, quoted, words};
use crate::shell::Shell;
use crate::transcript::tell_untested;

/// Documents whose commands are typed in one folder.
const READ: [&[&str]; 8] = [
    &["README.md"],
    &["docs/src/for-chess-authors.md"],
    &["docs/src/for-shogi-authors.md"],
    &["docs/src/for-shogi-authors.ja.md"],
    &["docs/src/getting-started.md", "docs/src/for-researchers.md"],
    &["docs/src/test-a-branch.md"],
    &["docs/src/spsa.md"],
    &["docs/src/overnight-queue.md", "docs/src/pandas.md"],
];

/// What is built, installed or copied with is not tried.
const OTHERS: [&str; 5] = ["cargo", "git", "(cd", "make", "pip"];

/// Options whose value is made small; a game that is asked for is one of the first.
const SMALL: [(&str, &str); 14] = [
    ("--budget", "200"),
    ("--byoyomi", "5"),
    ("--confirm-pairs", "2"),
    ("--depth", "3"),
    ("--game", "2"),
    ("--games", "16"),
    ("--movetime", "5"),
    ("--nodes", "60"),
    ("--pairs", "2"),
    ("--pause-after", "1"),
    ("--tc", "0.1+0.01"),
    ("-each", "tc=0.1+0.01"),
    ("-rounds", "1"),
    ("-concurrency", "1"),
];

const PAUSED: [&str; 4] = ["match", "tournament", "odds", "ablate"];

/// Fenced blocks: the language and the lines.
fn blocks(text: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut fences = text.split("\n```");
    fences.next();
    while let (Some(block), _) = (fences.next(), fences.next()) {
        let (language, lines) = block.split_once('\n').unwrap();
        blocks.push((language, lines.replace("\\\n", " ") + "\n"));
    }
    blocks
}

/// The command with a budget of seconds.
fn small(line: &str) -> Vec<String> {
    let line = line.replacen("cargo run --release -- ", "tanren ", 1);
    let line = line
        .replace("uci:stockfish,option.Threads=1", "uci:./new")
        .replace("usi:fairy-stockfish,option.Threads=1", "usi:./new")
        .replace("tune --player usi:./new", "tune --player 'usi:./new --tunables'");
    let mut typed = words(&line);
    for at in 1..typed.len() {
        let is_number = typed[at].starts_with(|symbol: char| symbol.is_ascii_digit());
        let value = SMALL.iter().find(|(option, _)| *option == typed[at - 1]);
        match value {
            Some((_, small)) if is_number || small.starts_with("tc") => typed[at] = (*small).to_owned(),
            _ => {
                let parts = typed[at].split(',');
                let parts = parts.map(|part| {
                    if part.starts_with("nodes=") {
                        "nodes=60"
                    } else {
                        part
                    }
                });
                typed[at] = parts.collect::<Vec<_>>().join(",");
            }
        }
    }
    typed.retain(|word| word != "--open");
    if typed.len() == 2 && typed[1] == "match" {
        typed.extend(["--nodes", "60"].map(str::to_owned));
    }
    let command = typed.get(1).map_or("", String::as_str);
    if command == "test" && typed[2] != "init" {
        let more = ["--nodes", "60", "--pairs", "2", "--cache", "cache"];
        let is_new = |pair: &&[&str]| !typed.iter().any(|word| word == pair[0]);
        let more: Vec<&[&str]> = more.chunks(2).filter(is_new).collect();
        typed.extend(more.concat().iter().map(|word| (*word).to_owned()));
    }
    let command = typed.get(1).map_or("", String::as_str);
    let is_paused = PAUSED.contains(&command) && !line.contains("--pause-after");
    if is_paused {
        typed.extend(["--pause-after", "2"].map(str::to_owned));
    }
    typed
}

/// A file of the reader, if the block is one: its first line names it.
fn file_of(block: &str) -> Option<(&str, String)> {
    let (name, _) = block.strip_prefix("# ")?.split_once('\n')?;
    let is_number = |value: &str| value.starts_with(|symbol: char| symbol.is_ascii_digit());
    let line = |line: &str| match line.split_once(" = ") {
        Some(("depth", value)) if is_number(value) => "depth = 3\n".to_owned(),
        Some(("command", "\"match\"")) => format!("{line}\nbudget_pairs = 2\n"),
        Some(("tc", _)) => "tc = \"0.1+0.01\"\n".to_owned(),
        _ => format!("{line}\n"),
    };
    Some((name, block.lines().map(line).collect()))
}

/// The reader's repository: an engine that make copies, and a branch.
const REPOSITORY: &str = r#"
printf 'EXE ?= engine\nall:\n\tcp toy.sh $(EXE)\n' > Makefile
printf '#!/bin/sh\n[ "$1" = bench ] && echo "1000 nodes 1000 nps" && exit\nexec %s\n' "$0" > toy.sh
chmod +x toy.sh
git init -q -b main
git add Makefile toy.sh
git -c user.name=t -c user.email=t@example.org commit -qm engine
git checkout -q -b my-branch
git -c user.name=t -c user.email=t@example.org commit -qm change --allow-empty
git checkout -q main
"#;

fn follow(documents: &[&str]) -> Result<(), String> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut shell = Shell::new("", Rc::new(|_, _, _| None));
    let engine = own_engine();
    for name in ["new", "old", "dev"] {
        std::fs::copy(&engine, shell.folder.join(name)).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(repository.join("openings"), shell.folder.join("openings")).unwrap();
    shell.folder.write(
        "book.epd",
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n",
    );
    let mut made = Command::new("sh");
    made.args(["-c", REPOSITORY]).arg(&engine);
    let made = made.current_dir(&shell.folder).status();
    assert!(made.unwrap().success());
    let has_pandas = Command::new("python3")
        .args(["-c", "import pandas, matplotlib"])
        .output();
    let has_pandas = has_pandas.is_ok_and(|ended| ended.status.success());
    for document in documents {
        let mut typed = 0;
        for (language, block) in blocks(&repository.read(document)) {
            match language {
                "toml" | "text" => {
                    if let Some((name, text)) = file_of(&block) {
                        shell.folder.write(name, text);
                    }
                }
                "python" if has_pandas => {
                    // As in a notebook without a screen.
                    let cell = format!("import matplotlib, pandas as pd\nmatplotlib.use('Agg')\n{block}");
                    let mut python = Command::new("python3");
                    let ended = python
                        .args(["-c", &cell])
                        .current_dir(&shell.folder)
                        .output()
                        .unwrap();
                    let said = String::from_utf8_lossy(&ended.stderr);
                    if !ended.status.success() {
                        return Err(format!("{document}: {block}{said}"));
                    }
                }
                "sh" => {
                    let lines = block.lines().filter(|line| !line.starts_with('#'));
                    for line in lines.flat_map(|line| line.split(" && ")) {
                        type_in(&mut shell, line).map_err(|said| format!("{document}: {line}\n{said}"))?;
                        typed += 1;
                    }
                }
                "python" => tell_untested(document, "pandas or matplotlib"),
                _ => {}
            }
        }
        if typed == 0 {
            return Err(format!("{document}: no command"));
        }
    }
    Ok(())
}

fn type_in(shell: &mut Shell, line: &str) -> Result<(), String> {
    let typed = small(line);
    let Some(first) = typed.first() else {
        return Ok(());
    };
    if first != "tanren" {
        return if OTHERS.contains(&first.as_str()) {
            Ok(())
        } else {
            Err("what is this?".to_owned())
        };
    }
    let plain = |word: &String| if word == ">" { word.clone() } else { quoted(word) };
    let command = typed.iter().map(plain).collect::<Vec<_>>().join(" ");
    if typed[1] == "serve" {
        shell.run(&format!("{command} & served"), "");
        shell.run("until http said served", "");
        shell.run("signal served INT", "");
        shell.run("reap served", "");
        return Ok(());
    }
    let printed = shell.run(&command, "");
    // On a busy machine no engine keeps to its time.
    let is_of_time = |line: &str| {
        line.contains("keeps to a time") || line.contains("stall:") || line.contains("time_loss:")
    };
    let failed: Vec<&str> = printed.lines().filter(|line| line.starts_with("FAIL")).collect();
    let is_slow = !failed.is_empty() && failed.into_iter().all(is_of_time);
    let is_late = typed[1] == "check" && printed.starts_with("? 1") && is_slow
        || printed.contains("cannot keep up with this time control");
    if printed.starts_with("? ") && !is_late {
        Err(printed)
    } else {
        Ok(())
    }
}

#[test]
fn every_command_of_the_readme_and_the_guides_runs_in_order() {
    let failures: Vec<String> = READ
        .par_iter()
        .filter_map(|documents| follow(documents).err())
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
