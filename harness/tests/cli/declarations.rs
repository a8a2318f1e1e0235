//! What the declarations of the commands feed: help with its examples, and completions.

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
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            assert!(script.contains(name), "{shell}: {name}");
        }
        assert!(script.contains("node-jitter"), "{shell} lacks an option");
    }
}

#[test]
fn help_shows_thirty_options_at_most_and_help_all_every_one() {
    let folder = &Folder::new();
    let options = |line: &str| {
        let text = folder.run(line).ok().text();
        // Descriptions are further to the right.
        let options = text
            .lines()
            .take_while(|line| !line.starts_with("Examples"))
            .filter(|line| line.find('-').is_some_and(|dash| dash <= 6));
        let options = options.map(str::trim_start).filter(|line| line.starts_with('-'));
        let options = options.filter(|line| !line.starts_with("--help-all"));
        options.map(str::to_owned).collect::<Vec<_>>()
    };
    for name in ["match", "tournament", "odds", "ablate", "tune", "nodes", "run"] {
        let shown = options(&format!("{name} --help"));
        assert!(shown.len() <= 30, "{name} shows {}: {shown:#?}", shown.len());
        assert!(
            options(&format!("{name} --help-all")).len() > shown.len(),
            "{name}"
        );
    }
    let all = options("match --help-all");
    for option in ["--nodes-a <N>", "--scale-time <HOW>", "--nice <N>"] {
        assert!(all.iter().any(|line| line == option), "{option}: {all:#?}");
    }
}
