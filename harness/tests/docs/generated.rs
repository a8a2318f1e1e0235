//! What the program's declarations and the studies make of the documents: tables between `<!-- KIND: NAME -->` and `<!-- end -->`,
//! and figures that stand before the name of their file.
//!
//! `TANREN_REWRITE_DOCS=1 cargo test -p tanren --test docs` writes them anew.

use std::fs;

use clap::{Arg, Command, CommandFactory};
use tanren::cli::{Cli, all_options};
use tanren::tools::engines::known_engines;
use tanren_engine::config::{Config, PRESETS, Setting, SettingKind};
use tanren_engine::game::Game;

use crate::markdown::{files_below, manual, repository, shown};
use crate::studies;

const REWRITE: &str = "TANREN_REWRITE_DOCS";
const KINDS: [&str; 6] = [
    "options",
    "settings",
    "presets",
    "studies",
    "fastchess",
    "engines",
];
const END: &str = "<!-- end -->";

/// The text with every generated table replaced by what it should be, and how many there are.
fn with_tables(text: &str) -> (String, usize) {
    let mut renewed = String::new();
    let (mut rest, mut tables) = (text, 0);
    while let Some((before, kind, name, after)) = next_table(rest) {
        let (_, after) = after
            .split_once(END)
            .unwrap_or_else(|| panic!("{kind}: {name} has no end"));
        let made = generated(kind, name).unwrap_or_else(|| panic!("{kind}: {name} is nothing"));
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

fn generated(kind: &str, name: &str) -> Option<String> {
    match (kind, name) {
        ("options", "common") => Some(common_options()),
        ("options", command) => Some(options(command)),
        ("settings", "shogi") => Some(settings(Config::settings(Game::Shogi))),
        ("settings", "chess") => {
            let shogi: Vec<&Setting> = Config::settings(Game::Shogi).collect();
            let is_shogis = |own: &Setting| {
                let other = shogi.iter().find(|other| other.name == own.name);
                other.is_some_and(|other| (other.help, values(other)) == (own.help, values(own)))
            };
            Some(settings(
                Config::settings(Game::Chess).filter(|own| !is_shogis(own)),
            ))
        }
        ("presets", "all") => {
            let rows = PRESETS
                .iter()
                .map(|(name, help)| format!("`{name}` | {}", cell(help)));
            Some(table("preset | what it is", rows))
        }
        ("fastchess", "all") => Some(of_fastchess()),
        ("engines", "known") => Some(of_known_engines()),
        ("studies", "all") => Some(studies::by_age()),
        _ => None,
    }
}

/// The engines whose options are suggested.
fn of_known_engines() -> String {
    let rows = known_engines().iter().map(|known| {
        let options: Vec<String> = known
            .options()
            .map(|(name, value)| format!("`{name}={value}`"))
            .collect();
        format!(
            "{} | {} | {} | {}",
            known.name,
            options.join(", "),
            known.note,
            known.tried
        )
    });
    table("engine | options | to know | tried with", rows)
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

/// What a setting takes, its default first. Numbers are tuned: their defaults are left to `tanren params`, so that no page changes
/// with them.
fn values(setting: &Setting) -> String {
    match setting.kind {
        SettingKind::Int { min, max, .. } => format!("{min}..{max}"),
        SettingKind::Switch { .. } => setting.default_text(),
        SettingKind::Choice { choices, .. } => {
            let default = setting.default_text();
            let others = choices
                .iter()
                .filter(|one| **one != default)
                .map(ToString::to_string);
            let all: Vec<String> = std::iter::once(default.clone()).chain(others).collect();
            all.join(", ")
        }
    }
}

/// Settings that differ in one word of their name and of their meaning, as one row.
struct SettingRow {
    /// The parts of its name between dots, each with its alternatives.
    name: Vec<Vec<&'static str>>,
    values: String,
    help: Vec<Vec<&'static str>>,
}

impl SettingRow {
    fn of(setting: &Setting) -> SettingRow {
        let single = |text: &'static str, at: char| text.split(at).map(|part| vec![part]).collect();
        let help = setting.help.trim_end_matches(", opening value");
        SettingRow {
            name: single(setting.name, '.'),
            values: values(setting),
            help: single(help, ' '),
        }
    }

    /// Takes `other` in, if it differs in one place of the name and at most one of the meaning.
    fn absorb(&mut self, other: &SettingRow) -> bool {
        let differing = |ours: &[Vec<&'static str>], theirs: &[Vec<&'static str>]| -> Option<Vec<usize>> {
            let pairs = ours.iter().zip(theirs).enumerate();
            let differ = pairs.filter(|(_, (ours, theirs))| !theirs.iter().all(|one| ours.contains(one)));
            (ours.len() == theirs.len()).then(|| differ.map(|(at, _)| at).collect())
        };
        let (Some(name), Some(help)) = (
            differing(&self.name, &other.name),
            differing(&self.help, &other.help),
        ) else {
            return false;
        };
        let is_one = |parts: &[Vec<&str>], at: usize| {
            parts
                .iter()
                .enumerate()
                .all(|(one, alternatives)| one == at || alternatives.len() == 1)
        };
        let ([name], true) = (&name[..], help.len() <= 1 && self.values == other.values) else {
            return false;
        };
        if !is_one(&self.name, *name) || !help.iter().all(|&at| is_one(&self.help, at)) {
            return false;
        }
        self.name[*name].extend(&other.name[*name]);
        for at in help {
            self.help[at].extend(&other.help[at]);
        }
        true
    }

    fn shown(&self) -> String {
        let braces = |part: &Vec<&str>| match &part[..] {
            [one] => (*one).to_owned(),
            several => format!("{{{}}}", several.join(",")),
        };
        let name: Vec<String> = self.name.iter().map(braces).collect();
        let help: Vec<String> = self.help.iter().map(|word| word.join("/")).collect();
        let name = name.join(".");
        let is_part = name.contains('.') && !name.starts_with("eval.");
        let indent = if is_part { "  " } else { "" };
        format!(
            "{indent}- `{name}` ({}): {}\n",
            self.values,
            cell(&help.join(" "))
        )
    }
}

/// One line for the values of a weight in the opening and in the ending, and for those of pieces alike; none for the switch of a term.
fn settings<'s>(settings: impl Iterator<Item = &'s Setting>) -> String {
    let is_apart = |help: &str| {
        let endings = [" that opening value ", " that ending value "];
        !help.ends_with(", ending value") && !endings.iter().any(|part| help.contains(part))
    };
    let is_switch_of_a_term = |setting: &Setting| setting.help.starts_with("count ");
    let mut rows: Vec<SettingRow> = Vec::new();
    for setting in settings.filter(|own| is_apart(own.help) && !is_switch_of_a_term(own)) {
        let row = SettingRow::of(setting);
        if !rows.last_mut().is_some_and(|last| last.absorb(&row)) {
            rows.push(row);
        }
    }
    let mut technique = "";
    let indented = rows.iter().map(|row| {
        let [head] = row.name[0][..] else {
            return row.shown();
        };
        if row.name.len() == 1 {
            technique = head;
        }
        let is_part = row.name.len() > 1 && head == technique;
        format!("{}{}", if is_part { "  " } else { "" }, row.shown())
    });
    indented.collect()
}

/// An option as tables show it: how it is called and what it means.
type OptionRow = (String, String);

/// The arguments of a command in the order of `--help`, without those that every command has.
fn arguments(command: &Command) -> Vec<OptionRow> {
    let everywhere = ["help", "help_all", "lang", "nice", "version"];
    let shown = command
        .get_arguments()
        .filter(|argument| !everywhere.contains(&argument.get_id().as_str()) && !argument.is_hide_set());
    shown
        .map(|argument| (called(argument), meaning(argument)))
        .collect()
}

/// The options of runs: those that the same words describe in three commands at least, with the names of these.
fn common(program: &Command) -> Vec<(OptionRow, Vec<&str>)> {
    let mut rows: Vec<(OptionRow, Vec<&str>)> = Vec::new();
    for command in program.get_subcommands() {
        for row in arguments(command) {
            match rows.iter_mut().find(|(known, _)| *known == row) {
                Some((_, commands)) => commands.push(command.get_name()),
                None => rows.push((row, vec![command.get_name()])),
            }
        }
    }
    rows.retain(|(_, commands)| commands.len() >= 3);
    rows
}

/// Tables of the options of several commands, one for each set of commands.
fn common_options() -> String {
    let mut program = all_options();
    program.build();
    let mut sets: Vec<(Vec<&str>, Vec<OptionRow>)> = Vec::new();
    for (row, commands) in common(&program) {
        match sets.iter_mut().find(|(known, _)| *known == commands) {
            Some((_, rows)) => rows.push(row),
            None => sets.push((commands, vec![row])),
        }
    }
    sets.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    let shown = sets.iter().map(|(commands, rows)| {
        let lines: String = rows.iter().map(line).collect();
        format!("In `{}`:\n\n{lines}", commands.join("`, `"))
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// The options that `command` (`openings generate`) does not have in common with others.
fn options(command: &str) -> String {
    let mut program = all_options();
    program.build();
    let mut names = command.split(' ');
    let found = names.try_fold(&program, |above: &Command, name| above.find_subcommand(name));
    let found = found.unwrap_or_else(|| panic!("there is no command '{command}'"));
    let common = common(&program);
    let own = arguments(found).into_iter();
    let own = own.filter(|row| !common.iter().any(|(known, _)| known == row));
    let (of_one, own): (Vec<OptionRow>, Vec<OptionRow>) =
        own.partition(|(_, meaning)| meaning.starts_with(OF_ONE));
    let mut lines: String = own.iter().map(line).collect();
    let of_a = of_one.iter().map(|(called, _)| &**called);
    let of_a: Vec<&str> = of_a.filter(|called| called.contains("-a")).collect();
    if !of_a.is_empty() {
        lines += &format!(
            "- {}: the option of that name for A alone; with `-b` for B alone\n",
            of_a.join(", ")
        );
    }
    lines
}

fn line((called, meaning): &OptionRow) -> String {
    format!("- {called}: {meaning}\n")
}

const OF_ONE: &str = "Of player ";

fn called(argument: &Arg) -> String {
    let names = argument
        .get_value_names()
        .filter(|_| argument.get_action().takes_values());
    let value = names.unwrap_or_default().join(" ");
    match argument.get_long() {
        Some(long) => format!("`{}`", format!("--{long} {value}").trim()),
        None => format!("`{value}`"),
    }
}

fn meaning(argument: &Arg) -> String {
    let help = argument.get_help();
    let mut text = plain(&help.map(ToString::to_string).unwrap_or_default());
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
            text += &format!(" ({})", plain(&defaults.join(", ")));
        }
    }
    let aliases = argument.get_visible_aliases().unwrap_or_default();
    if !aliases.is_empty() {
        text += &format!("; also `--{}`", aliases.join("`, `--"));
    }
    text
}

/// Text as it may stand in a cell of a table.
fn cell(text: &str) -> String {
    plain(text).replace('|', "\\|")
}

/// Text of a help as Markdown.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut in_code = false;
    for symbol in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        in_code ^= symbol == '`';
        match symbol {
            '<' if !in_code => plain += "&lt;",
            '*' if !in_code => plain += "\\*",
            _ => plain.push(symbol),
        }
    }
    plain
}

#[test]
fn the_tables_and_figures_of_documents_are_those_of_the_program_and_the_studies() {
    let (mut stale, mut tables) = (Vec::new(), 0);
    let mut documents = files_below(&repository().join("docs"), &[".md"]);
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
    let pages = files_below(&manual(), &[".md"]).into_iter();
    let manual: String = pages.map(|path| fs::read_to_string(path).unwrap()).collect();
    assert_eq!(manual.matches("<!-- options: common -->").count(), 1);
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
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
            assert_eq!(
                manual.matches(&format!("<!-- options: {table} -->")).count(),
                1,
                "{table}"
            );
        }
    }
}
