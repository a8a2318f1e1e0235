//! What the declarations of the commands feed: examples in the help, completions, manual pages.

use std::fs;

use crate::folder::{Ended, Folder, InFolder};
use clap::{CommandFactory, Parser};
use tanren::cli::Cli;

/// The command lines in the help of `command`; a line that ends in a backslash goes on.
fn examples(command: &clap::Command) -> Vec<String> {
    let help = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let lines = help.replace("\\\n", " ");
    let examples = lines.lines().filter(|line| line.starts_with("  tanren "));
    examples
        .flat_map(|line| line.split("; "))
        .map(str::to_owned)
        .collect()
}

fn names() -> Vec<String> {
    let cli = Cli::command();
    let commands = cli.get_subcommands();
    commands.map(|command| command.get_name().to_owned()).collect()
}

#[test]
fn every_command_shows_examples_that_it_would_take() {
    for command in Cli::command().get_subcommands() {
        let examples = examples(command);
        assert!(!examples.is_empty(), "{} has no example", command.get_name());
        for example in examples {
            let typed = example.split(" > ").next().unwrap_or_default();
            let words = shlex::split(typed).unwrap_or_else(|| panic!("{example}"));
            if let Err(error) = Cli::try_parse_from(words) {
                panic!("{example}: {error}");
            }
        }
    }
}

#[test]
fn the_script_of_every_shell_knows_every_command() {
    let folder = &Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = folder.run(&format!("completions {shell}")).ok();
        let script = output.text();
        for name in names() {
            assert!(script.contains(&name), "{shell}: {name}");
        }
        assert!(script.contains("node-jitter"), "{shell} lacks an option");
    }
}

#[test]
fn every_command_has_a_page_with_its_options_and_examples() {
    let folder = &Folder::new();
    folder.run("man --out pages").ok();
    let read =
        |name: &str| fs::read_to_string(folder.join("pages").join(name)).unwrap_or_else(|_| panic!("{name}"));
    let program = read("tanren.1");
    for name in names() {
        assert!(
            program.contains(&format!("tanren\\-{name}(1)")),
            "tanren.1 lacks {name}"
        );
        assert!(read(&format!("tanren-{name}.1")).contains("Examples:"), "{name}");
    }
    assert!(read("tanren-openings-generate.1").contains("\\-\\-plies\\-min"));
    let one = folder.run("man openings generate");
    assert_eq!(one.text(), read("tanren-openings-generate.1"));
}

#[test]
fn a_page_of_no_command_is_refused_by_name() {
    let folder = &Folder::new();
    folder.run("man openings bake").refused("'openings bake'");
}
