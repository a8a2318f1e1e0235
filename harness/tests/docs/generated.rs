//! What the program's declarations and the studies make of the documents: tables between `<!-- KIND: NAME -->` and `<!-- end -->`,
//! and figures that stand before the name of their file.
//!
//! `TANREN_REWRITE_DOCS=1 cargo test -p tanren --test docs` writes them anew.

use std::fs;

use clap::{Arg, Command, CommandFactory};
use tanren::cli::{Cli, all_options};
use tanren_engine::config::{Config, PRESETS, Setting, SettingKind};
use tanren_engine::game::Game;

use crate::markdown::{files_below, manual, repository, shown};
use crate::studies;

const REWRITE: &str = "TANREN_REWRITE_DOCS";
const KINDS: [&str; 5] = ["options", "settings", "presets", "studies", "fastchess"];
const END: &str = "<!-- end -->";

/// The text with every generated table replaced by what it should be, and how many there are.
fn with_tables(text: &str) -> (String, usize) {
    let mut renewed = String::new();
    let (mut rest, mut tables) = (text, 0);
    while let Some((before, kind, name, after)) = next_table(rest) {
        let (_, after) = after
            .split_once(END)
            .unwrap_or_else(|| panic!("{kind}: {name} has no end"));
        let made = generated(kind, name, text).unwrap_or_else(|| panic!("{kind}: {name} is nothing"));
        renewed += &format!("{before}<!-- {kind}: {name} -->\n\n{made}\n{END}");
        (rest, tables) = (after, tables + 1);
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
    let shogi = Config::settings(Game::Shogi).map(setting);
    match (kind, name) {
        ("options", command) => Some(options(command)),
        ("settings", "shogi") => Some(table("name | default | values | meaning", shogi)),
        ("settings", "chess") => {
            let shogi: Vec<String> = shogi.collect();
            let chess = Config::settings(Game::Chess).map(setting);
            let chess = chess.filter(|row| !shogi.contains(row));
            Some(table("name | default | values | meaning", chess))
        }
        ("presets", "all") => {
            let rows = PRESETS
                .iter()
                .map(|(name, help)| format!("`{name}` | {}", cell(help)));
            Some(table("preset | what it is", rows))
        }
        ("fastchess", "all") => Some(of_fastchess()),
        ("studies", "all") => Some(studies::by_age()),
        ("studies", "quoted") => Some(studies::quoted(page)),
        _ => None,
    }
}

/// What the options of fastchess become, from the table that the program itself reads.
fn of_fastchess() -> String {
    let text = fs::read_to_string(repository().join("harness/src/cli/fastchess/options.tsv")).unwrap();
    let rows = text.lines().map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let names: Vec<String> = cells[0].split(' ').map(|name| format!("`{name}`")).collect();
        let theirs = if cells[2].is_empty() {
            &names.join(", ")
        } else {
            cells[2]
        };
        format!("{theirs} | {}", cells[3])
    });
    table("theirs | ours", rows)
}

pub(crate) fn table(head: &str, rows: impl Iterator<Item = String>) -> String {
    let rule = "|---".repeat(head.split('|').count());
    let rows: String = rows.map(|row| format!("| {row} |\n")).collect();
    format!("| {head} |\n{rule}|\n{rows}")
}

/// Numbers are tuned: their defaults are left to `tanren params`, so that no page changes with them.
fn setting(setting: &Setting) -> String {
    let (default, values) = match setting.kind {
        SettingKind::Int { min, max, .. } => (String::new(), format!("{min} to {max}")),
        SettingKind::Switch { .. } | SettingKind::Choice { .. } => {
            (setting.default_text(), setting.expected())
        }
    };
    format!(
        "`{}` | {default} | {values} | {}",
        setting.name,
        cell(setting.help)
    )
}

/// The arguments of `command` (`openings generate`), in the order of `--help`, without those that every command has.
fn options(command: &str) -> String {
    let mut program = all_options();
    program.build();
    let mut names = command.split(' ');
    let found = names.try_fold(&program, |above: &Command, name| above.find_subcommand(name));
    let found = found.unwrap_or_else(|| panic!("there is no command '{command}'"));
    let is_own =
        |argument: &&Arg| !["help", "help_all", "nice", "version"].contains(&argument.get_id().as_str());
    let shown = found
        .get_arguments()
        .filter(is_own)
        .filter(|argument| !argument.is_hide_set());
    let rows = shown.map(|argument| format!("{} | {}", called(argument), meaning(argument)));
    table("option | meaning", rows)
}

fn called(argument: &Arg) -> String {
    let names = argument
        .get_value_names()
        .filter(|_| argument.get_action().takes_values());
    let value = names.unwrap_or_default().join(" ");
    match argument.get_long() {
        Some(long) => format!("`{}`", format!("--{long} {value}").trim().replace('|', "\\|")),
        None => format!("`{value}`"),
    }
}

fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help());
    let mut text = cell(&help.map(ToString::to_string).unwrap_or_default());
    if argument.get_action().takes_values() {
        let choices = argument.get_possible_values();
        let choices: Vec<String> = choices
            .iter()
            .map(|choice| format!("`{}`", choice.get_name()))
            .collect();
        if !choices.is_empty() {
            text += &format!(": {}", choices.join(", "));
        }
        let defaults: Vec<_> = argument
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy())
            .collect();
        if !defaults.is_empty() {
            text += &format!(" ({})", cell(&defaults.join(", ")));
        }
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
        in_code ^= symbol == '`';
        match symbol {
            '<' if !in_code => cell += "&lt;",
            '|' => cell += "\\|",
            '*' if !in_code => cell += "\\*",
            _ => cell.push(symbol),
        }
    }
    cell
}

#[test]
fn the_tables_and_figures_of_documents_are_those_of_the_program_and_the_studies() {
    let (mut stale, mut tables) = (Vec::new(), 0);
    let mut documents = files_below(&manual(), &[".md"]);
    documents.push(repository().join("README.md"));
    for path in documents {
        let text = fs::read_to_string(&path).unwrap();
        let (renewed, of_page) = with_tables(&studies::with_figures(&text));
        tables += of_page;
        if renewed != text && std::env::var_os(REWRITE).is_some() {
            fs::write(&path, &renewed).unwrap();
        } else if renewed != text {
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
fn every_option_of_every_command_is_in_a_table() {
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        let text = fs::read_to_string(manual().join(format!("commands/{name}.md"))).unwrap();
        let below: Vec<String> = command
            .get_subcommands()
            .map(|below| format!("{name} {}", below.get_name()))
            .collect();
        let tables = if below.is_empty() {
            vec![name.to_owned()]
        } else {
            below
        };
        for table in tables {
            assert!(text.contains(&format!("<!-- options: {table} -->")), "{table}");
        }
    }
}
