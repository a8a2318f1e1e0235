//! What the program's declarations and the studies make of the manual: tables between `<!-- KIND: NAME -->` and `<!-- end -->`, and
//! figures that stand before the name of their file.
//!
//! `TANREN_REWRITE_DOCS=1 cargo test -p tanren --test docs` writes them anew.

use std::fs;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use tanren::cli::Cli;
use tanren_engine::config::{Config, Kind, PRESETS, Setting};
use tanren_engine::game::Game;

use crate::markdown::{files_below, manual, repository, shown};
use crate::studies;

const REWRITE: &str = "TANREN_REWRITE_DOCS";
const KINDS: [&str; 4] = ["options", "settings", "presets", "studies"];
const END: &str = "<!-- end -->";

/// The text with every generated part replaced by what it should be, and how many there are.
fn renewed(path: &Path, text: &str) -> (String, usize) {
    let mut renewed = String::new();
    let mut rest = text;
    let mut tables = 0;
    while let Some((before, kind, name, after)) = next_table(rest) {
        let place = || format!("{}: {kind}: {name}", shown(path));
        let (_, after) = after
            .split_once(END)
            .unwrap_or_else(|| panic!("{} has no end", place()));
        let made = generated(kind, name, text).unwrap_or_else(|| panic!("{} is nothing", place()));
        renewed += &format!("{before}<!-- {kind}: {name} -->\n\n{made}\n{END}");
        rest = after;
        tables += 1;
    }
    (renewed + rest, tables)
}

/// What stands before the next table, its kind and name, and what stands after its beginning.
fn next_table(text: &str) -> Option<(&str, &'static str, &str, &str)> {
    let places = KINDS.iter().filter_map(|kind| {
        let (before, after) = text.split_once(&format!("<!-- {kind}: "))?;
        let (name, after) = after.split_once(" -->")?;
        Some((before, *kind, name, after))
    });
    places.min_by_key(|(before, ..)| before.len())
}

fn generated(kind: &str, name: &str, page: &str) -> Option<String> {
    match (kind, name) {
        ("options", command) => Some(options(command)),
        ("settings", "shogi") => Some(settings(Config::settings(Game::Shogi).collect())),
        ("settings", "chess") => {
            // Those of chess alone, and those whose default is another one there.
            let shogi: Vec<(&str, Kind)> = Config::settings(Game::Shogi)
                .map(|one| (one.name, one.kind))
                .collect();
            let chess = Config::settings(Game::Chess);
            let differs = |one: &&Setting| !shogi.contains(&(one.name, one.kind));
            Some(settings(chess.filter(differs).collect()))
        }
        ("presets", "all") => Some(presets()),
        ("studies", "all") => Some(studies::by_age()),
        ("studies", "quoted") => Some(studies::quoted(page)),
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
        .filter(|argument| !["help", "nice", "version"].contains(&argument.get_id().as_str()))
        .filter(|argument| !argument.is_hide_set());
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
fn the_tables_and_figures_of_documents_are_those_of_the_program_and_the_studies() {
    let mut stale = Vec::new();
    let mut tables = 0;
    let mut documents = files_below(&manual(), &[".md"]);
    documents.push(repository().join("README.md"));
    for path in documents {
        let text = fs::read_to_string(&path).unwrap();
        let (renewed, of_page) = renewed(&path, &studies::with_figures(&text));
        tables += of_page;
        if renewed == text {
            continue;
        }
        if std::env::var_os(REWRITE).is_some() {
            fs::write(&path, &renewed).unwrap();
        } else {
            let mut lines = renewed.lines().zip(text.lines());
            let (new, old) = lines.find(|(new, old)| new != old).unwrap_or_default();
            stale.push(format!("{}:\n- {old}\n+ {new}", shown(&path)));
        }
    }
    assert!(tables > 20, "only {tables} generated tables were found");
    assert!(
        stale.is_empty(),
        "{REWRITE}=1 writes them anew:\n{}",
        stale.join("\n")
    );
}

#[test]
fn a_stale_table_is_replaced_and_the_rest_kept() {
    let text = "a\n<!-- presets: all -->\nold\n<!-- end -->\nb\n<!-- columns: x.csv -->\nc\n<!-- end -->\n";
    let (renewed, tables) = renewed(Path::new("docs/src/players.md"), text);
    let presets = presets();
    let expected = format!(
        "a\n<!-- presets: all -->\n\n{presets}\n<!-- end -->\nb\n<!-- columns: x.csv -->\nc\n<!-- end -->\n"
    );
    assert_eq!((renewed, tables), (expected, 1));
}

#[test]
fn every_option_of_every_command_is_in_a_table() {
    for command in Cli::command().get_subcommands() {
        let path = manual().join(format!("commands/{}.md", command.get_name()));
        let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} is missing", shown(&path)));
        let subcommands: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        if subcommands.is_empty() {
            assert!(
                text.contains(&format!("<!-- options: {} -->", command.get_name())),
                "{}",
                shown(&path)
            );
        }
        for name in subcommands {
            let begin = format!("<!-- options: {} {name} -->", command.get_name());
            assert!(text.contains(&begin), "{}: {name}", shown(&path));
        }
    }
}
