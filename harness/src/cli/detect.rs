//! A path to a program is an engine: its protocol is what it answers to.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tanren_engine::config::Config;
use tanren_engine::game::Game;

use crate::config::{EngineProtocol, ProcessSpec, SSH};
use tanren_core::player::program_path;

/// Options whose values are players.
const PLAYERS: [&str; 5] = ["--a", "--b", "--player", "--config", "--base"];
/// How long an engine may take to say which protocol it speaks.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The words of a command line, with `usi:` or `uci:` before each engine that is given as a path.
pub(super) fn with_protocols(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let is_chess = words
        .windows(2)
        .any(|pair| pair[0] == "--game" && pair[1] == "chess")
        || words.iter().any(|word| word == "--game=chess");
    let is_check = words.get(1).is_some_and(|word| word == "check");
    let mut found = Vec::with_capacity(words.len());
    for word in words {
        let is_player = found
            .last()
            .and_then(|last: &OsString| last.to_str())
            .is_some_and(|last| PLAYERS.contains(&last) || is_check && last == "check");
        let text = word.to_str().unwrap_or_default();
        let (head, player) = match text.split_once('=') {
            Some((option, value)) if PLAYERS.contains(&option) => (format!("{option}="), value),
            _ if is_player => (String::new(), text),
            _ => (String::new(), ""),
        };
        let (name, command) = match (command_of(player), remote(player)?) {
            (Some(command), _) => (command, local(command)),
            (_, Some(remote)) => (player, remote),
            (None, None) => {
                refuse_missing(player)?;
                found.push(word);
                continue;
            }
        };
        let protocol = protocol_of(name, command, is_chess)?.name();
        found.push(format!("{head}{protocol}:{player}").into());
    }
    Ok(found)
}

/// The program of a player that is a path, such as `./engine,option.Threads=1`.
fn command_of(player: &str) -> Option<&str> {
    let command = player.split([',', ' ']).next()?;
    let is_path = command.contains(std::path::is_separator) && !command.starts_with('@');
    let has_protocol = ["usi:", "uci:"]
        .iter()
        .any(|protocol| command.starts_with(protocol));
    let is_file = || Path::new(command).is_file() && !is_player_file(command);
    (is_path && !has_protocol && is_file()).then_some(command)
}

pub(super) fn local(program: &str) -> Command {
    detached(Command::new(program))
}

/// Without what it says on standard error.
pub(super) fn detached(mut command: Command) -> Command {
    command.stderr(Stdio::null());
    command
}

/// What starts a player on another machine, such as `ssh:box:/opt/engine`.
fn remote(player: &str) -> Result<Option<Command>, String> {
    if !player.starts_with(SSH) {
        return Ok(None);
    }
    let read = ProcessSpec::parse(&format!("uci:{player}")).transpose()?;
    Ok(read.map(|(_, spec)| tanren_core::player::command_of(&spec)))
}

fn is_player_file(command: &str) -> bool {
    command.to_ascii_lowercase().ends_with(".toml") && Path::new(command).is_file()
}

/// Says what is wrong with a player that is a path to nothing, the name of a program, or a player file without its @.
fn refuse_missing(player: &str) -> Result<(), String> {
    let command = player.split([',', ' ']).next().unwrap_or_default();
    let is_other = command.starts_with('@') || command.contains([':', '=']) || command.is_empty();
    if is_other {
        return Ok(());
    }
    if is_player_file(command) {
        return Err(format!("'{command}' is a player file: write @{command}"));
    }
    if command.contains(std::path::is_separator) {
        return Err(match Path::new(command).is_dir() {
            true => format!("'{command}' is a folder: give the program in it"),
            false => format!("there is no file '{command}': give the path of an engine, or a preset"),
        });
    }
    let is_preset = [Game::Shogi, Game::Chess]
        .iter()
        .any(|&game| Config::preset(game, command).is_ok());
    let is_program = || {
        let read = ProcessSpec::parse(&format!("uci:{command}"));
        let spec = read.and_then(Result::ok).map(|(_, spec)| spec);
        spec.is_some_and(|spec| program_path(&spec).is_ok())
    };
    if !is_preset && is_program() {
        return Err(format!(
            "'{command}' is no preset, but a program on the PATH: write uci:{command} (chess) or usi:{command} (shogi)"
        ));
    }
    Ok(())
}

/// What `command` speaks; both protocols are asked for at once, that of the game first.
pub(super) fn protocol_of(
    name: &str,
    mut command: Command,
    is_chess: bool,
) -> Result<EngineProtocol, String> {
    let failed = |error: std::io::Error| format!("cannot start '{name}': {error}");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let questions = if is_chess { "uci\nusi\n" } else { "usi\nuci\n" };
    let mut input = child.stdin.take();
    // Who closes its input says so by saying nothing.
    let _ = input.as_mut().map(|input| input.write_all(questions.as_bytes()));
    let (sender, lines) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
            for line in lines {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
    }
    let deadline = Instant::now() + PATIENCE;
    let mut spoken = None;
    while spoken.is_none()
        && let Ok(line) = lines.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    {
        spoken = match line.trim_ascii() {
            b"usiok" => Some(EngineProtocol::Usi),
            b"uciok" => Some(EngineProtocol::Uci),
            _ => None,
        };
    }
    let _ = input.map(|mut input| input.write_all(b"quit\n"));
    let _ = child.kill();
    let _ = child.wait();
    let waited = PATIENCE.as_secs();
    spoken.ok_or_else(|| {
        format!(
            "'{name}' answered neither 'usi' nor 'uci' within {waited} s: write usi:{name} or uci:{name} if it is an engine that \
             takes longer, with --startup-ms"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_to_a_file_is_an_engine_and_nothing_else_is() {
        let here = std::env::current_exe().unwrap();
        let here = here.to_str().unwrap();
        let with_options = format!("{here},option.Hash=1");
        for (player, expected) in [
            (here, Some(here)),
            (&with_options, Some(here)),
            ("base", None),
            ("./no-such-file", None),
            (&format!("usi:{here}"), None),
            (&format!("@{here}"), None),
        ] {
            assert_eq!(command_of(player), expected, "{player}");
        }
    }

    #[test]
    fn a_path_to_nothing_and_a_program_on_the_path_are_told_from_presets() {
        for (player, expected) in [
            ("base", ""),
            ("base,lmr=off", ""),
            ("lmr=off", ""),
            ("@none.toml", ""),
            ("uci:./none", ""),
            ("strong", ""),
            ("./none,option.Hash=1", "no file './none'"),
            ("/", "'/' is a folder"),
            ("cargo", "write uci:cargo (chess) or usi:cargo (shogi)"),
        ] {
            let refused = refuse_missing(player).err().unwrap_or_default();
            assert!(
                refused.contains(expected) && refused.is_empty() == expected.is_empty(),
                "{player}: {refused}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_protocol_is_what_the_program_answers_to() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let script = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let both = script("both", "while read line; do echo ${line}ok; done");
        let chess = script(
            "chess",
            "while read line; do test $line = uci && echo uciok; done",
        );
        let silent = script("silent", "exit 0");
        for (command, is_chess, expected) in [
            (&both, false, Some(EngineProtocol::Usi)),
            (&both, true, Some(EngineProtocol::Uci)),
            (&chess, false, Some(EngineProtocol::Uci)),
            (&silent, false, None),
        ] {
            assert_eq!(
                protocol_of(command, local(command), is_chess).ok(),
                expected,
                "{command} {is_chess}"
            );
        }
        let start = Instant::now();
        let words = ["tanren", "match", "--a", &chess, "--b=base"]
            .map(OsString::from)
            .to_vec();
        let found = with_protocols(words).unwrap();
        assert_eq!(found[3], OsString::from(format!("uci:{chess}")));
        assert_eq!(found[4], "--b=base");
        // Not waited for the other protocol.
        assert!(start.elapsed() < PATIENCE);
    }
}
