//! Tables of the manual that the program's declarations make.
//!
//! Each stands between `<!-- begin NAME -->` and `<!-- end -->`. `TANREN_DOCS=write cargo test -p tanren --test docs` writes
//! them anew.

use std::fs;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use tanren::cli::Cli;
use tanren_engine::config::{Config, Kind, PRESETS, Setting};
use tanren_engine::game::Game;

use crate::markdown::{files_below, manual, shown};

const END: &str = "<!-- end -->";

/// The text with every generated part replaced by what it should be.
fn renewed(path: &Path, text: &str) -> String {
    let mut parts = text.split("<!-- begin ");
    let mut renewed = parts.next().unwrap().to_owned();
    for part in parts {
        let place = || format!("{}: {part:.40}", shown(path));
        let (name, rest) = part.split_once(" -->").unwrap_or_else(|| panic!("{}", place()));
        let (_, after) = rest
            .split_once(END)
            .unwrap_or_else(|| panic!("{} has no end", place()));
        let made = generated(name).unwrap_or_else(|| panic!("{}: nothing has this name", place()));
        renewed += &format!("<!-- begin {name} -->\n\n{made}\n{END}{after}");
    }
    renewed
}

fn generated(name: &str) -> Option<String> {
    match name.split_once(' ').unwrap_or((name, "")) {
        ("options", command) => Some(options(command)),
        ("settings", "shogi") => Some(settings(Config::settings(Game::Shogi).collect())),
        ("settings", "chess") => {
            let shogi: Vec<&str> = Config::settings(Game::Shogi).map(|one| one.name).collect();
            let chess = Config::settings(Game::Chess);
            Some(settings(chess.filter(|one| !shogi.contains(&one.name)).collect()))
        }
        ("presets", "") => Some(presets()),
        _ => None,
    }
}

fn settings(settings: Vec<&Setting>) -> String {
    let mut table = "| name | default | values | meaning |\n|---|---|---|---|\n".to_owned();
    for setting in settings {
        table += &format!(
            "| `{}` | {} | {} | {} |\n",
            setting.name,
            setting.default_text(),
            values(setting),
            cell(setting.help)
        );
    }
    table
}

fn values(setting: &Setting) -> String {
    match setting.kind {
        Kind::Int { min, max, .. } => format!("{min} to {max}"),
        Kind::Switch { .. } | Kind::Choice { .. } => setting.expected(),
    }
}

fn presets() -> String {
    let mut table = "| preset | what it is |\n|---|---|\n".to_owned();
    for (name, help) in PRESETS {
        table += &format!("| `{name}` | {} |\n", cell(help));
    }
    table
}

/// The arguments of `command` (`openings generate`), in the order of `--help`, without those that every command has.
fn options(command: &str) -> String {
    let mut program = Cli::command();
    program.build();
    let found = command
        .split(' ')
        .try_fold(&program, |above: &Command, name| above.find_subcommand(name));
    let found = found.unwrap_or_else(|| panic!("there is no command '{command}'"));
    let mut table = "| option | meaning |\n|---|---|\n".to_owned();
    let shown = found
        .get_arguments()
        .filter(|argument| !["help", "nice", "version"].contains(&argument.get_id().as_str()));
    for argument in shown {
        table += &format!("| {} | {} |\n", called(argument), meaning(argument));
    }
    table
}

fn called(argument: &Arg) -> String {
    let names: Vec<&str> = argument
        .get_value_names()
        .unwrap_or_default()
        .iter()
        .map(|name| name.as_str())
        .collect();
    let takes_value = argument.get_action().takes_values();
    let value = if takes_value {
        names.join(" ")
    } else {
        String::new()
    };
    match argument.get_long() {
        Some(long) => format!("`{}`", format!("--{long} {value}").trim().replace('|', "\\|")),
        None => format!("`{value}`"),
    }
}

fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help());
    let mut text = cell(&help.map(ToString::to_string).unwrap_or_default());
    let choices: Vec<String> = argument
        .get_possible_values()
        .iter()
        .map(|choice| format!("`{}`", choice.get_name()))
        .collect();
    if argument.get_action().takes_values() && !choices.is_empty() {
        text += &format!(": {}", choices.join(", "));
    }
    let defaults: Vec<String> = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    if argument.get_action().takes_values() && !defaults.is_empty() {
        text += &format!(" ({})", cell(&defaults.join(", ")));
    }
    if let Some(aliases) = argument.get_visible_aliases() {
        text += &format!("; also `--{}`", aliases.join("`, `--"));
    }
    text
}

/// Text as it may stand in a cell of a table.
fn cell(text: &str) -> String {
    let mut cell = String::new();
    let mut in_code = false;
    for symbol in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match symbol {
            '`' => in_code = !in_code,
            '<' if !in_code => {
                cell += "&lt;";
                continue;
            }
            '|' | '*' if symbol == '|' || !in_code => cell.push('\\'),
            _ => {}
        }
        cell.push(symbol);
    }
    cell
}

#[test]
fn the_tables_of_the_manual_are_those_of_the_program() {
    let write = std::env::var("TANREN_DOCS").is_ok_and(|value| value == "write");
    let mut stale = Vec::new();
    let mut tables = 0;
    for path in files_below(&manual(), &[".md"]) {
        let text = fs::read_to_string(&path).unwrap();
        tables += text.matches(END).count();
        let renewed = renewed(&path, &text);
        if renewed != text && write {
            fs::write(&path, &renewed).unwrap();
        } else if renewed != text {
            stale.push(shown(&path));
        }
    }
    assert!(tables > 20, "only {tables} generated tables were found");
    assert!(
        stale.is_empty(),
        "stale, TANREN_DOCS=write writes them anew: {}",
        stale.join(", ")
    );
}

#[test]
fn every_option_of_every_command_is_in_a_table() {
    for command in Cli::command().get_subcommands() {
        let path = manual().join(format!("commands/{}.md", command.get_name()));
        let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} is missing", shown(&path)));
        let subcommands: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        if subcommands.is_empty() {
            assert!(
                text.contains(&format!("<!-- begin options {} -->", command.get_name())),
                "{}",
                shown(&path)
            );
        }
        for name in subcommands {
            let begin = format!("<!-- begin options {} {name} -->", command.get_name());
            assert!(text.contains(&begin), "{}: {name}", shown(&path));
        }
    }
}
