//! Commands and options in the documents: the program takes them.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory, Parser};
use tanren::cli::Cli;

use crate::markdown::{Page, files_below, manual, repository, shown};

/// Options of other programs that pages speak of.
const OF_OTHERS: [(&str, &[&str]); 2] = [
    ("engines.md", &["--node-count-hard-limit"]),
    (
        "learning.md",
        &["--shrink", "--from", "--scores", "--three-piece", "--chess"],
    ),
];

const THROUGH_CARGO: &str = "cargo run --release -- ";

/// All commands with what clap adds to them.
fn program() -> Command {
    let mut program = Cli::command();
    program.build();
    program
}

/// The long options of `command` and of those below it.
fn options(command: &Command) -> Vec<String> {
    let own = command
        .get_arguments()
        .filter_map(|argument| argument.get_long())
        .map(|long| format!("--{long}"));
    let aliases = command
        .get_arguments()
        .filter_map(|argument| argument.get_visible_aliases())
        .flatten()
        .map(|alias| format!("--{alias}"));
    let below = command.get_subcommands().flat_map(options);
    own.chain(aliases).chain(below).collect()
}

/// The commands typed in a block, by the program's name or through cargo, without comments and redirections; a line that ends
/// in a backslash goes on.
fn typed(language: &str, text: &str) -> Vec<Vec<String>> {
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().filter_map(|line| match language {
        "sh" => Some(line.replacen(THROUGH_CARGO, "tanren ", 1)),
        "console" => line.strip_prefix("$ ").map(str::to_owned),
        "" => line
            .strip_prefix(THROUGH_CARGO)
            .map(|arguments| format!("tanren {arguments}")),
        _ => None,
    });
    lines
        .flat_map(|line| {
            let mut words = shlex::Shlex::new(&line);
            let all: Vec<String> = words.by_ref().collect();
            assert!(!words.had_error, "{line}");
            all.split(|word| ["|", "&&", ">"].contains(&word.as_str()))
                .flat_map(split_at_semicolon)
                .collect::<Vec<_>>()
        })
        .filter(|words| words.first().is_some_and(|word| word == "tanren"))
        .collect()
}

/// `a; b` has the words `a;` and `b`.
fn split_at_semicolon(words: &[String]) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    for word in words {
        let command = commands.last_mut().unwrap();
        command.push(word.trim_end_matches(';').to_owned());
        if word.ends_with(';') {
            commands.push(Vec::new());
        }
    }
    commands
}

fn documents() -> Vec<PathBuf> {
    let mut documents = files_below(&manual(), &[".md"]);
    documents.extend(["README.md", "CONTRIBUTING.md"].map(|name| repository().join(name)));
    documents
}

#[test]
fn every_command_that_is_shown_is_one_that_the_program_takes() {
    let mut shown_commands = 0;
    for path in documents() {
        for block in Page::read(&path).blocks {
            for words in typed(&block.language, &block.text) {
                shown_commands += 1;
                if let Err(error) = Cli::try_parse_from(&words) {
                    let harmless = ["--help", "--version"].contains(&words.last().unwrap().as_str());
                    assert!(harmless, "{}: {}\n{error}", shown(&path), words.join(" "));
                }
            }
        }
    }
    assert!(shown_commands > 60, "only {shown_commands} commands were found");
}

#[test]
fn commands_are_found_in_blocks() {
    let found = typed(
        "sh",
        "cd x; tanren a --b 'c d' \\\n  -e > f # tanren g\ncargo h | tanren i\n",
    );
    assert_eq!(
        found,
        [vec!["tanren", "a", "--b", "c d", "-e"], vec!["tanren", "i"]]
    );
    assert_eq!(
        typed("console", "$ tanren a\ntanren is said\n"),
        [["tanren", "a"]]
    );
    assert!(typed("text", "tanren a\n").is_empty());
}

#[test]
fn indented_blocks_hide_no_command() {
    for path in documents() {
        for block in Page::read(&path).blocks {
            let hidden =
                block.language.is_empty() && block.text.lines().any(|line| line.starts_with("tanren "));
            assert!(
                !hidden,
                "{}: write it between fences:\n{}",
                shown(&path),
                block.text
            );
        }
    }
}

#[test]
fn every_command_has_a_page_with_an_example_of_it() {
    for command in Cli::command().get_subcommands() {
        let path = manual().join(format!("commands/{}.md", command.get_name()));
        let page = Page::read(&path);
        let examples = page
            .blocks
            .iter()
            .flat_map(|block| typed(&block.language, &block.text));
        let own = examples.filter(|words| words.get(1).is_some_and(|word| word == command.get_name()));
        assert!(own.count() > 0, "{}", shown(&path));
    }
}

/// The options that a piece of code names: `--nodes N`, `tanren report DIR --json`.
fn named(span: &str) -> Vec<&str> {
    let words = span.split_whitespace();
    let is_ours = span.starts_with("--") || span.starts_with("tanren ");
    words
        .filter(|word| is_ours && word.starts_with("--") && word.len() > 2)
        .map(|word| word.split(['=', ',', ')', '…']).next().unwrap())
        .collect()
}

#[test]
fn every_option_that_a_page_names_exists() {
    let program = program();
    let mut unknown = Vec::new();
    for path in documents() {
        let others = OF_OTHERS.iter().find(|(page, _)| path.ends_with(page));
        let of_command = command_of(&path, &program);
        for span in Page::read(&path).spans {
            let in_span = span.strip_prefix("tanren ").and_then(|rest| {
                let name = rest.split_whitespace().next()?;
                program.find_subcommand(name)
            });
            let known = options(in_span.or(of_command).unwrap_or(&program));
            for option in named(&span) {
                let is_others = others.is_some_and(|(_, names)| names.contains(&option));
                if !known.iter().any(|one| one == option) && !is_others {
                    unknown.push(format!("{}: {span}", shown(&path)));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// The command that a page is about.
fn command_of<'p>(path: &Path, program: &'p Command) -> Option<&'p Command> {
    let stem = path.file_stem()?.to_str()?;
    let is_page = path.parent()?.ends_with("commands");
    is_page.then(|| program.find_subcommand(stem)).flatten()
}

#[test]
fn every_page_of_a_command_is_about_one_that_exists() {
    let program = program();
    for entry in fs::read_dir(manual().join("commands")).unwrap() {
        let path = entry.unwrap().path();
        assert!(command_of(&path, &program).is_some(), "{}", shown(&path));
    }
}
