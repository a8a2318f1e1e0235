//! Files of strangers and limits of the system: an answer in words and in time, whatever they hold.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::tanren;
use crate::folder::{Ended, Folder, InFolder};

/// Nothing here takes long; what waits for ever is ended by the limit on the time of its process.
const SECONDS_MAX: u64 = 30;

#[track_caller]
fn refused(folder: &Folder, line: &str, expected: &str) {
    let began = Instant::now();
    let said = folder.run(line).refused(expected);
    assert!(said.len() < 20_000, "{line}: {} bytes", said.len());
    assert!(began.elapsed() < Duration::from_secs(SECONDS_MAX), "{line}");
}

/// As a shell with `limit` starts it.
fn limited(folder: &Folder, limit: &str, line: &str) -> Output {
    let mut command = Command::new("sh");
    let script = format!("{limit}; exec \"$0\" {line}");
    command.args(["-c", &script]).arg(tanren().get_program());
    command.current_dir(&**folder).output().unwrap()
}

#[test]
fn a_pipe_or_a_device_is_no_file() {
    let folder = Folder::new();
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());
    for path in ["./pipe", "/dev/zero", "."] {
        for line in [
            "run [PATH]",
            "run [PATH] --dry-run",
            "match --openings [PATH] --nodes 1 --pairs 1",
            "match --a @[PATH] --nodes 1 --pairs 1",
            "tune --space [PATH] --nodes 1",
            "openings check [PATH]",
            "nodes --positions [PATH] --depth 1",
        ] {
            refused(&folder, &line.replace("[PATH]", path), "no regular file");
        }
    }
}

#[test]
fn what_is_nested_without_end_is_refused() {
    let folder = Folder::new();
    let many = 20_000;
    let nested = |before: &str, middle: &str, after: &str| {
        format!("{}{middle}{}", before.repeat(many), after.repeat(many))
    };
    let condition = format!(
        "[[job]]\nname = 'a'\ncommand = 'match'\nnodes = 1\n[[job]]\nname = 'b'\ncommand = 'match'\nnodes = 1\nonly_if = '{}'\n",
        nested("(", "a.failed", ")")
    );
    for (name, text, expected) in [
        ("condition.toml", condition, "at most 1000 words"),
        ("array.toml", format!("a = {}", nested("[", "", "]")), "recursion"),
        (
            "table.toml",
            format!("a = {}", nested("{ a = ", "1", " }")),
            "recursion",
        ),
        ("keys.toml", format!("{} = 1", nested("a.", "a", "")), "recursion"),
        ("header.toml", format!("[{}]", nested("a.", "a", "")), "recursion"),
    ] {
        folder.write(name, &text);
        refused(&folder, &format!("run {name}"), expected);
        refused(
            &folder,
            &format!("match --a @{name} --nodes 1"),
            if name == "condition.toml" { "job" } else { expected },
        );
    }
}

#[test]
fn a_text_of_somebody_else_is_quoted_in_part() {
    let folder = Folder::new();
    let long = "x".repeat(5_000_000);
    folder.write("long.pgn", format!("[Event \"?\"]\n\n1. {long} *\n"));
    folder.write("long.sfen", format!("startpos\n{long}\n"));
    folder.write("long.toml", format!("{long} = 1\n"));
    folder.write("value.toml", format!("command = 'match'\nnodes = '{long}'\n"));
    refused(&folder, "run long.toml", "long.toml");
    folder.write("name.toml", format!("command = '{long}'\n"));
    for line in [
        "match --game chess --openings long.pgn --nodes 1 --pairs 1",
        "match --openings long.sfen --nodes 1 --pairs 1",
        "openings check long.sfen",
        "match --a @long.toml --nodes 1",
        "run value.toml",
        "run name.toml",
    ] {
        refused(&folder, line, "bytes more");
    }
}

#[test]
fn a_write_beyond_the_limit_of_a_file_is_an_error_and_a_result_is_shown_without_room() {
    let folder = Folder::new();
    folder
        .run("match --b plain --nodes 5 --pairs 2 --hash 1 --out m --quiet")
        .ok();
    let stopped = limited(
        &folder,
        "ulimit -f 8",
        "match --b plain --nodes 5 --pairs 400 --hash 1 --out n --quiet",
    );
    assert_eq!(stopped.status.signal(), None, "{stopped:?}");
    assert_eq!(stopped.status.code(), Some(1), "{stopped:?}");
    let shown = limited(&folder, "ulimit -f 0", "report m");
    let said = String::from_utf8_lossy(&shown.stderr);
    assert!(
        shown.status.success() && said.contains("the result is shown"),
        "{said}"
    );
    assert_eq!(shown.stdout, folder.run("report m").ok().stdout);
}

/// As the server of a page runs what was posted there: nobody learns anything of files elsewhere, nor what is in those of the folder.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn a_file_from_a_page_names_files_of_the_served_folder_alone_and_no_words_of_them_are_told() {
    use std::os::unix::fs::symlink;

    let outer = Folder::new();
    for folder in ["served/deep", "served/.tanren"] {
        std::fs::create_dir_all(outer.join(folder)).unwrap();
    }
    outer.write("secret", "SECRET-OUTSIDE line\n");
    outer.write("served/openings.sfen", "startpos\nstartpos moves 7g7f\n");
    outer.write("served/secret", "seed = 'SECRET-INSIDE'\nSECRET-INSIDE line\n");
    outer.write("served/secret.toml", "seed = 'SECRET-INSIDE'\n");
    outer.write("served/deep/space", "SECRET-INSIDE, int\n");
    symlink("../secret", outer.join("served/link")).unwrap();
    symlink("..", outer.join("served/up")).unwrap();
    let made = Command::new("mkfifo").arg(outer.join("served/pipe")).status();
    assert!(made.unwrap().success());
    let (outside, short) = (
        "outside of the folder",
        "a = 'base'\nb = 'plain'\nnodes = 20\npairs = 2\nhash = 1\n",
    );
    let job = |command: &str, keys: &str| format!("[[job]]\nname = 'j'\ncommand = '{command}'\n{keys}\n");
    let with = |key: &str, path: &str| format!("command = 'match'\n{short}{key} = '{path}'\n");
    let player = |path: &str| {
        // A bare name is one of the engine library.
        let path = if path.contains('/') {
            path.to_owned()
        } else {
            format!("./{path}")
        };
        with("seed", "1")
            .replace("'base'", &format!("'@{path}'"))
            .replace("'1'", "1")
    };
    let absolute = outer.join("secret").display().to_string();
    for (text, expected) in [
        (with("openings", &absolute), outside),
        (with("openings", "../../secret"), outside),
        (with("openings", "deep/../../secret"), outside),
        (with("openings", "link"), outside),
        (with("openings", "up/secret"), outside),
        (with("openings", "/none/at/all"), outside),
        (with("openings", "/dev/stdin"), outside),
        (with("game = 'chess'\nsyzygy", "/usr"), outside),
        (with("openings", "pipe"), "no regular file"),
        (with("openings", "deep"), "no regular file"),
        (with("openings", "secret"), "line 1"),
        (player("../../secret"), outside),
        (player("/etc/passwd"), outside),
        (player("secret.toml"), "has an error"),
        (player("secret"), "has an error"),
        (job("match", "spec = '../../secret'"), outside),
        (job("match", "spec = '../secret'"), "has an error"),
        (job("match", "spec = 'secret.toml'"), "has an error"),
        (job("match", "spec = 'secret'"), "has an error"),
        (job("tune", "space = '../../secret'\nnodes = 5"), outside),
        (job("tune", "space = 'deep/space'\nnodes = 5"), "has an error"),
        (job("nodes", "positions = '../../secret'\ndepth = 2"), outside),
        (job("nodes", "positions = 'secret'\ndepth = 2"), "line 1"),
        (job("openings-check", "file = '../../secret'"), outside),
        (job("openings-check", "file = 'secret'"), "line 1"),
        (job("match", &format!("{short}cluster = '../secret'")), outside),
        (job("match", &format!("{short}engine_log = '../logs'")), outside),
        (
            with("openings", "openings.sfen").replace("'plain'", "'usi:/bin/sh'"),
            "--control-programs",
        ),
        (
            with("openings", "openings.sfen").replace("'plain'", "'usi:/none'"),
            "--control-programs",
        ),
    ] {
        outer.write("served/.tanren/x.toml", &text);
        for more in ["--dry-run --json", "--quiet --out x"] {
            let line = format!("run --for-page . --no-programs .tanren/x.toml {more}");
            let said = outer.join("served").as_path().run(&line).refused(expected);
            assert!(!said.contains("SECRET"), "{text}: {said}");
        }
    }
    outer.write("served/.tanren/x.toml", with("openings", "openings.sfen"));
    outer
        .join("served")
        .as_path()
        .run("run --for-page . --no-programs .tanren/x.toml --quiet --out good")
        .ok();
    assert_eq!(outer.read("served/good/games.csv").lines().count(), 5);
}
