//! The language of help, results, progress and errors, and help in Japanese.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::LazyLock;

use clap::error::ErrorKind;
use clap::{Arg, Command, ValueEnum};
use console::Term;
use unicode_width::UnicodeWidthStr;

use crate::document::language::{Language, said};
use crate::document::table::broken;

/// A paragraph of help or a line of an example, and its Japanese.
static HELP: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("help.ja.tsv").lines();
    lines.filter_map(|line| line.split_once('\t')).collect()
});

/// What `--lang` or the environment asks for, before anything is said.
pub(super) fn choose(words: &[OsString]) -> Result<Language, String> {
    let own = words.split(|word| word == "--").next().unwrap_or_default();
    let mut own = own.iter().map(|word| word.to_string_lossy());
    let mut option = None;
    while let Some(word) = own.next() {
        if word == "--lang" {
            option = own.next();
        } else if let Some(value) = word.strip_prefix("--lang=") {
            option = Some(value.to_owned().into());
        }
    }
    let variable = |name: &str| std::env::var(name).ok();
    // What is wrong with the option's value says the parser.
    if let Some(value) = option {
        return Ok(Language::from_str(&value, false).unwrap_or_default());
    }
    match variable("TANREN_LANG").filter(|value| !value.is_empty()) {
        Some(value) => Language::from_str(&value, false)
            .map_err(|_| format!("TANREN_LANG is '{value}', but it takes en or ja")),
        None => Ok(Language::of_locale(variable)),
    }
}

const WIDTH_MAX: usize = 100;
/// The long text of an option that takes more of the window than this stands below it.
const OPTION_SHARE_MAX: f64 = 0.4;
const BELOW: usize = 10;

/// What clap says in its own words.
const FRAME: [(&str, &str); 5] = [
    ("Usage:", "使い方:"),
    ("Options:", "オプション:"),
    ("Arguments:", "引数:"),
    ("[OPTIONS] <COMMAND>", "[オプション] <コマンド>"),
    ("[OPTIONS]", "[オプション]"),
];

/// The help that `words` ask for, in Japanese.
pub(super) fn japanese_help(mut command: Command, words: &[OsString]) -> Option<(String, i32)> {
    let is_long = words.iter().any(|word| word == "--help");
    command.build();
    let error = translated(command, is_long).try_get_matches_from(words).err()?;
    let is_help = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    let help = error.render();
    let text = if Term::stdout().features().colors_supported() {
        help.ansi().to_string()
    } else {
        help.to_string()
    };
    let in_frame = |text: String, (english, own): (&str, &str)| text.replace(english, own);
    is_help.then(|| (FRAME.into_iter().fold(text, in_frame), error.exit_code()))
}

fn translated(command: Command, is_long: bool) -> Command {
    let window = Term::stdout().size_checked();
    let width = window.map_or(WIDTH_MAX, |(_, columns)| usize::from(columns).min(WIDTH_MAX));
    let about = command.get_about().map(|text| wrapped(text, width));
    let long = command.get_long_about().map(|text| wrapped(text, width));
    let after = command.get_after_help().map(|text| wrapped(text, width));
    let rooms = rooms(&command, width, is_long);
    let arg = |arg: Arg| {
        let heading = arg.get_help_heading().map(str::to_owned);
        let room = rooms[&(heading.clone(), arg.is_positional())];
        let text = text_of(&arg, is_long);
        let text = wrapped(&text, room.unwrap_or(width.saturating_sub(BELOW)));
        let arg = arg
            .help(text.clone())
            .long_help(text)
            .next_line_help(room.is_none());
        let arg = arg.hide_default_value(true).hide_possible_values(true);
        match heading {
            Some(heading) => arg.help_heading(
                HELP.get(&*heading)
                    .map_or(heading.clone(), |own| (*own).to_owned()),
            ),
            None => arg,
        }
    };
    let command = command.mut_args(arg).subcommand_help_heading("コマンド");
    let command = command
        .about(about.unwrap_or_default())
        .after_help(after.unwrap_or_default());
    let command = match long {
        Some(long) => command.long_about(long),
        None => command,
    };
    command.mut_subcommands(|command| translated(command, is_long))
}

/// Columns for the texts of each group of options; `None` if they stand below their options.
fn rooms(command: &Command, width: usize, is_long: bool) -> HashMap<(Option<String>, bool), Option<usize>> {
    let mut taken: HashMap<(Option<String>, bool), [usize; 2]> = HashMap::new();
    for arg in command.get_arguments() {
        let key = (arg.get_help_heading().map(str::to_owned), arg.is_positional());
        let [longest, text] = taken.entry(key).or_default();
        if arg.is_hide_set() || !is_long && arg.is_hide_short_help_set() {
            continue;
        }
        let name = arg.to_string().width() + if arg.is_positional() { 4 } else { 8 };
        *longest = name.max(*longest);
        *text = text_of(arg, is_long).width().max(*text);
    }
    taken
        .into_iter()
        .map(|(key, [longest, text])| {
            let room = width.saturating_sub(longest);
            let is_below = is_long || longest as f64 > OPTION_SHARE_MAX * width as f64 && text > room;
            (key, (!is_below).then_some(room))
        })
        .collect()
}

/// The help of an option, with the values that clap adds in its own words.
fn text_of(arg: &Arg, is_long: bool) -> String {
    let long = arg.get_long_help().filter(|_| is_long);
    let text = long
        .or(arg.get_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    let text = text.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n");
    let takes_value = arg.get_action().takes_values();
    let names = |values: Vec<String>, is_hidden: bool| {
        (takes_value && !is_hidden && !values.is_empty()).then_some(values)
    };
    let choices = arg
        .get_possible_values()
        .iter()
        .map(|value| value.get_name().to_owned())
        .collect();
    let choices = names(choices, arg.is_hide_possible_values_set());
    let defaults = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    let defaults = names(defaults, arg.is_hide_default_value_set());
    let choices = choices.map(|values| format!("［{}］", values.join(" ")));
    let defaults = defaults.map(|values| format!("（{}）", values.join(",")));
    text + &choices.unwrap_or_default() + &defaults.unwrap_or_default()
}

/// The Japanese of a paragraph or a line.
fn own(text: &str) -> Option<String> {
    let key = text.strip_suffix('.').unwrap_or(text);
    if let Some(own) = HELP.get(key) {
        return Some((*own).to_owned());
    }
    let (seat, rest) = key.strip_prefix("Of player ")?.split_once(" alone: ")?;
    Some(format!("{seat} のみ：{}", own(rest)?))
}

/// A sentence about an option in the language that is spoken; none if it has only the other.
pub(super) fn sentence(text: &str) -> Cow<'_, str> {
    let known = || own(text).or_else(|| Some(said(text).into_owned()).filter(|said| said != text));
    match Language::spoken() {
        Language::English => text.into(),
        Language::Japanese => known().unwrap_or_default().into(),
    }
}

/// A paragraph in Japanese; of examples each line, but for the commands.
fn paragraph(text: &str) -> String {
    let whole = text.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
    own(&whole).unwrap_or_else(|| {
        let line = |line: &str| {
            let content = line.trim_start();
            let margin = &line[..line.len() - content.len()];
            format!("{margin}{}", own(content).unwrap_or_else(|| content.to_owned()))
        };
        text.split('\n').map(line).collect::<Vec<_>>().join("\n")
    })
}

/// Lines no wider than `width`.
fn wrapped(text: &impl ToString, width: usize) -> String {
    let text = text.to_string();
    let paragraphs = text.split("\n\n").map(paragraph).collect::<Vec<_>>().join("\n\n");
    // Commands of examples are broken by clap.
    let lines = paragraphs
        .split('\n')
        .flat_map(|line| match line.starts_with(' ') {
            true => vec![line.to_owned()],
            false => broken(line, width.max(1)),
        });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cli::all_options;

    fn paragraphs(text: impl ToString, found: &mut BTreeSet<String>) {
        for part in text.to_string().split("\n\n") {
            let whole = part.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
            let is_example = part.contains("\n  tanren ") || part.starts_with("  tanren ");
            let lines = part.split('\n').map(str::trim);
            let lines = lines.filter(|line| !line.starts_with("tanren ") && !line.starts_with('-'));
            found.extend(if is_example {
                lines.map(str::to_owned).collect()
            } else {
                vec![whole]
            });
        }
    }

    /// All that help says, below `command`.
    fn collect(command: &Command, found: &mut BTreeSet<String>) {
        let about = [
            command.get_about(),
            command.get_long_about(),
            command.get_after_help(),
        ];
        about
            .into_iter()
            .flatten()
            .for_each(|text| paragraphs(text, found));
        // What clap says of its own command `help` is not asked for.
        let arguments = command.get_arguments().filter(|_| command.get_name() != "help");
        for arg in arguments {
            let texts = [arg.get_help(), arg.get_long_help()];
            texts
                .into_iter()
                .flatten()
                .for_each(|text| paragraphs(text, found));
            found.extend(arg.get_help_heading().map(str::to_owned));
        }
        let below = command.get_subcommands().filter(|_| command.get_name() != "help");
        below.for_each(|command| collect(command, found));
    }

    #[test]
    fn every_text_of_help_has_its_japanese_and_the_catalogue_nothing_else() {
        let mut program = all_options();
        program.build();
        let mut found = BTreeSet::new();
        program
            .get_subcommands()
            .for_each(|command| collect(command, &mut found));
        found.retain(|text| !text.is_empty());
        let lacking: Vec<&String> = found.iter().filter(|text| own(text).is_none()).collect();
        assert!(
            lacking.is_empty(),
            "without Japanese in help.ja.tsv:\n{lacking:#?}"
        );
        let key = |text: &String| {
            let text = text.strip_suffix('.').unwrap_or(text);
            text.split_once(" alone: ")
                .map_or(text, |(_, rest)| rest)
                .to_owned()
        };
        let used: BTreeSet<String> = found.iter().map(key).collect();
        let unused: Vec<_> = HELP.keys().filter(|text| !used.contains(**text)).collect();
        assert!(unused.is_empty(), "in help.ja.tsv and in no help:\n{unused:#?}");
    }

    #[test]
    fn help_is_japanese_and_no_wider_than_its_window() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        for line in [
            "tanren match -h",
            "tanren tune --help",
            "tanren openings",
            "tanren report -h",
        ] {
            let (help, code) = japanese_help(all_options(), &words(line)).unwrap();
            assert_eq!(code, if line.ends_with("openings") { 2 } else { 0 }, "{line}");
            assert!(
                help.contains("使い方: tanren") && !help.contains("Usage"),
                "{help}"
            );
            let prose = help
                .lines()
                .filter(|line| !line.trim_start().starts_with("tanren "));
            for line in prose.filter(|line| line.contains(' ')) {
                assert!(line.width() <= WIDTH_MAX + 2, "{}: {line}", line.width());
            }
        }
        assert!(japanese_help(all_options(), &words("tanren match --pairs 1")).is_none());
    }
}
