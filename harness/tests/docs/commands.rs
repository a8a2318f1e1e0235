//! Commands and options in the documents: the program takes them.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory, Parser};
use tanren::cli::Cli;

use crate::markdown::{Page, files_below, manual, repository, shown};

/// Options of other programs that pages speak of: engines, the learner, cargo.
const OF_OTHERS: [&str; 8] = [
    "--chess",
    "--features",
    "--from",
    "--node-count-hard-limit",
    "--scores",
    "--shrink",
    "--three-piece",
    "--tunables",
];

const THROUGH_CARGO: &str = "cargo run --release -- ";

fn program() -> Command {
    let mut program = Cli::command();
    program.build();
    program
}

/// The long options of `command` and of those below it.
fn options(command: &Command) -> Vec<String> {
    let arguments = command.get_arguments();
    let own = arguments.flat_map(|argument| {
        let aliases = argument.get_all_aliases().unwrap_or_default();
        argument.get_long().into_iter().chain(aliases)
    });
    let own = own.map(|long| format!("--{long}"));
    own.chain(command.get_subcommands().flat_map(options)).collect()
}

/// The commands typed in a block, by the program's name or through cargo, without comments and redirections.
fn typed(language: &str, text: &str) -> Vec<Vec<String>> {
    let joined = text.replace("\\\n", " ");
    let lines = joined.lines().filter_map(|line| match language {
        "sh" => Some(line.replacen(THROUGH_CARGO, "tanren ", 1)),
        "console" => line.strip_prefix("$ ").map(str::to_owned),
        "" => line
            .strip_prefix(THROUGH_CARGO)
            .map(|rest| format!("tanren {rest}")),
        _ => None,
    });
    let words = lines.flat_map(|line| {
        let words = shlex::split(&line.replace(';', " ;")).unwrap_or_else(|| panic!("{line}"));
        let commands = words.split(|word| ["|", "&&", ">", ";"].contains(&word.as_str()));
        commands.map(<[String]>::to_vec).collect::<Vec<_>>()
    });
    words
        .filter(|words| words.first().is_some_and(|word| word == "tanren"))
        .collect()
}

fn documents() -> Vec<PathBuf> {
    let mut documents = files_below(&manual(), &[".md"]);
    documents.extend(["README.md", "README.ja.md", "CONTRIBUTING.md"].map(|name| repository().join(name)));
    documents
}

#[test]
fn every_command_that_is_shown_is_one_that_the_program_takes() {
    let mut shown_commands = 0;
    for path in documents() {
        for block in Page::read(&path).blocks {
            for words in typed(&block.language, &block.text) {
                shown_commands += 1;
                let is_help = ["--help", "--help-all", "--version"].contains(&words.last().unwrap().as_str());
                if let (false, Err(error)) = (is_help, Cli::try_parse_from(&words)) {
                    panic!("{}: {}\n{error}", shown(&path), words.join(" "));
                }
            }
            let is_hidden =
                block.language.is_empty() && block.text.lines().any(|line| line.starts_with("tanren "));
            assert!(
                !is_hidden,
                "{}: write it between fences:\n{}",
                shown(&path),
                block.text
            );
        }
    }
    assert!(shown_commands > 60, "only {shown_commands} commands were found");
}

#[test]
fn the_japanese_readme_has_the_commands_of_the_english_one() {
    let [english, japanese] = ["README.md", "README.ja.md"].map(|name| -> Vec<Vec<String>> {
        let blocks = Page::read(&repository().join(name)).blocks;
        let typed = blocks
            .iter()
            .flat_map(|block| typed(&block.language, &block.text));
        typed.collect()
    });
    assert_eq!(japanese, english);
}

#[test]
fn every_command_has_an_example_in_the_manual_and_every_page_of_a_command_one_of_it() {
    let commands = Cli::command();
    let examples = |path: &PathBuf| -> Vec<String> {
        let blocks = Page::read(path).blocks;
        let typed = blocks
            .iter()
            .flat_map(|block| typed(&block.language, &block.text));
        typed.filter_map(|words| words.get(1).cloned()).collect()
    };
    let pages = files_below(&manual(), &[".md"]);
    let of_all: Vec<String> = pages.iter().flat_map(examples).collect();
    for command in commands.get_subcommands() {
        assert!(
            of_all.iter().any(|name| name == command.get_name()),
            "{}",
            command.get_name()
        );
    }
    for path in files_below(&manual().join("commands"), &[".md"]) {
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(examples(&path).iter().any(|own| own == name), "{}", shown(&path));
    }
}

/// The options that a piece of code names: `--nodes N`, `tanren report DIR --json`.
fn named(span: &str) -> impl Iterator<Item = &str> {
    let is_ours = span.starts_with("--") || span.starts_with("tanren ");
    let words = span
        .split_whitespace()
        .filter(move |word| is_ours && word.starts_with("--"));
    words.map(|word| word.split(['=', ',', ')', '…']).next().unwrap())
}

#[test]
fn every_option_that_a_page_names_exists() {
    let program = program();
    let (mut known_options, mut unknown) = (0, Vec::new());
    for path in documents() {
        let of_page = command_of(&path, &program);
        for span in Page::read(&path).spans {
            let mut words = span
                .strip_prefix("tanren ")
                .unwrap_or_default()
                .split_whitespace();
            let of_span = words.next().and_then(|name| program.find_subcommand(name));
            let known = options(of_span.or(of_page).unwrap_or(&program));
            let is_known =
                |option: &str| known.iter().any(|one| one == option) || OF_OTHERS.contains(&option);
            known_options += named(&span).filter(|option| is_known(option)).count();
            unknown.extend((!named(&span).all(is_known)).then(|| format!("{}: {span}", shown(&path))));
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(known_options > 200, "{known_options} options");
}

#[test]
fn every_command_that_a_message_names_exists() {
    let program = program();
    let messages = repository().join("harness/runs/src/document/messages.ja.tsv");
    let text = std::fs::read_to_string(messages).unwrap();
    let english = text.lines().filter_map(|line| line.split('\t').next());
    let named: Vec<&str> = english
        .flat_map(|message| message.split("tanren ").skip(1))
        .collect();
    assert!(named.len() > 20, "{named:?}");
    for rest in named {
        let is_end = |c: char| !c.is_ascii_lowercase() && c != '-';
        let mut words = rest
            .split(' ')
            .map(|word| word.split(is_end).next().unwrap_or_default());
        let name = words.next().unwrap_or_default();
        if name.starts_with('-') || name.is_empty() {
            continue;
        }
        let command = program.find_subcommand(name);
        let mut below = command
            .unwrap_or_else(|| panic!("tanren {rest}"))
            .get_subcommands()
            .peekable();
        let second = words.next().unwrap_or_default();
        assert!(
            below.peek().is_none() || below.any(|command| command.get_name() == second),
            "tanren {rest}"
        );
    }
}

/// The command that a page is about; that of fastchess takes the options of two others.
fn command_of<'p>(path: &Path, program: &'p Command) -> Option<&'p Command> {
    let is_page = path.parent()?.ends_with("commands") && !path.ends_with("fastchess.md");
    is_page
        .then(|| program.find_subcommand(path.file_stem()?.to_str()?))
        .flatten()
}
