//! What users of other programs type: understood, or answered with the option that does it here.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::language::sentence;
use super::shared::{marked, tried};
use crate::config::nearest;

/// A line each: the command (none stands for all), what is typed, what does it here, and a sentence.
const OPTIONS: &str = include_str!("attempts.tsv");

/// What the standard library says of a number, and what a user is told.
const RUST_WORDS: [(&str, &str); 5] = [
    ("number would be zero for non-zero type", "it must be at least 1"),
    ("number too large to fit in target type", "it is too large"),
    ("invalid digit found in string", "it must be a whole number"),
    (
        "cannot parse integer from empty string",
        "it must be a whole number",
    ),
    ("invalid float literal", "it is no number"),
];

pub(super) fn in_plain_words(error: &clap::Error) -> String {
    let plain = |text: String, (rust, own): &(&str, &str)| text.replace(rust, own);
    RUST_WORDS.iter().fold(error.to_string(), plain)
}

/// A mistake of clap's, in our words if it is one that we know more about.
pub(super) fn answer(words: &[OsString], error: &clap::Error, command: &clap::Command) -> String {
    let words: Vec<String> = words
        .iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let text = in_plain_words(error);
    let plain = text
        .split("\n\nUsage:")
        .next()
        .and_then(|text| text.split("\n\nFor more information").next())
        .unwrap_or(&text);
    match error.kind() {
        ErrorKind::UnknownArgument => unknown(&words, error, command).unwrap_or_else(|| plain.to_owned()),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = context(error, ContextKind::InvalidValue).filter(|value| !value.is_empty());
            let is_list = value.is_some_and(|value| value.contains(',')) && plain.contains("'--nodes");
            let plain = match words.first() {
                Some(word) if word == "ablate" && is_list => format!("{plain}; more limits are --pool"),
                _ => plain.to_owned(),
            };
            let found = value.and_then(|value| {
                let index = words.iter().rposition(|word| word.ends_with(value))?;
                let start = words[index].len() - value.len();
                Some(marked(&words, index, start..words[index].len()))
            });
            found.map_or_else(
                || plain.clone(),
                |marked| format!("{}\n\n{}", plain.trim_end(), marked.trim_end()),
            )
        }
        _ => text,
    }
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// An option that there is not.
fn unknown(words: &[String], error: &clap::Error, command: &clap::Command) -> Option<String> {
    let told = context(error, ContextKind::InvalidArg)?;
    // Of a word with one dash clap names its first letter.
    let is_told = |word: &&String| {
        let name = word.split('=').next().unwrap_or(word);
        name == told || *word == told || told.len() == 2 && word.starts_with(told) && !word.starts_with("--")
    };
    let word = words.iter().find(is_told)?;
    let index = words.iter().position(|other| other == word)?;
    if let Some(text) = split_value(words, index).or_else(|| negative(words, index)) {
        return Some(text);
    }
    let name = word.split('=').next().unwrap_or(word);
    let (subcommand, options) = options_of(words, command);
    let mut text = format!(
        "error: unknown option {name}\n\n{}",
        marked(words, index, 0..name.len())
    );
    let known: Vec<&str> = options.iter().map(|(long, _)| long.as_str()).collect();
    let with_dashes = format!("-{name}");
    let does_it_here = |line: &str| {
        let mut cells = line.split('\t');
        let [of, typed, right, about] = std::array::from_fn(|_| cells.next().unwrap_or_default());
        let is_named = (of.is_empty() || of == subcommand) && (typed == name || typed == with_dashes);
        (is_named && known.contains(&right)).then(|| (right.to_owned(), about.to_owned()))
    };
    let (meant, about) = if let Some(found) = OPTIONS.lines().find_map(does_it_here) {
        found
    } else {
        let wanted = if name.starts_with("--") {
            name
        } else {
            &with_dashes
        };
        let near = nearest(
            wanted.trim_start_matches('-'),
            known.iter().map(|long| long.trim_start_matches('-')),
        );
        let Some(near) = near else {
            return Some(text + &format!("\n  all options: tanren {subcommand} --help-all"));
        };
        let long = format!("--{near}");
        let about = options.iter().find(|(known, _)| *known == long);
        (long, about.map(|(_, about)| about.clone()).unwrap_or_default())
    };
    let about = sentence(&about);
    text += format!("\n  did you mean {meant}? {about}").trim_end();
    let mut right = words.to_vec();
    for (position, word) in right.iter_mut().enumerate() {
        if let Some(rest) = word
            .strip_prefix(name)
            .filter(|rest| rest.is_empty() || rest.starts_with('='))
        {
            // The second player is the other one.
            let is_second = meant == "--a" && words[..position].iter().any(|word| word.starts_with(name));
            *word = format!("{}{rest}", if is_second { "--b" } else { &meant });
        }
    }
    if name == "--games" {
        halve(&mut right, &meant);
    }
    if !matches!(&*meant, "--sprt" | "--resign") {
        text += &tried(&right);
    }
    if word.starts_with('-') && !word.starts_with("--") && subcommand != "fastchess" && name.len() > 2 {
        text += "\n  a whole command line of fastchess or cutechess: tanren fastchess ...";
    }
    Some(text)
}

/// A number below 0, or a list that begins with one, for an option that takes none.
fn negative(words: &[String], index: usize) -> Option<String> {
    let (option, number) = (words.get(index.checked_sub(1)?)?, &words[index]);
    let is_value = option.starts_with("--") && number.starts_with('-') && number.split(',').all(is_number);
    is_value.then(|| {
        let place = marked(words, index, 0..number.len());
        format!("error: invalid value '{number}' for '{option}': it must not be negative\n\n{place}")
    })
}

/// A base and an increment, or the parts of a test, with spaces between them.
fn split_value(words: &[String], index: usize) -> Option<String> {
    let before = words.get(index.checked_sub(1)?)?;
    let option = words.get(index.wrapping_sub(2)).map_or("", String::as_str);
    let is_of = |name: &str| option.starts_with(name) || before.starts_with(name);
    let mut right = words.to_vec();
    let is_part = |word: &str| is_number(word) || word.contains('=') && !word.starts_with('-');
    let (joint, form) = if is_of("--tc") && is_number(&words[index]) {
        ('+', "a base and an increment are one value: BASE+INC")
    } else if is_of("--sprt") && is_part(&words[index]) {
        let parts = words[index..].iter().take_while(|word| is_part(word)).count();
        let rest: Vec<String> = right.drain(index + 1..index + parts.max(1)).collect();
        right[index] = [&words[index..=index], &rest].concat().join(",");
        (',', "a test is one value, with commas: 0,5")
    } else {
        return None;
    };
    right[index - 1] = format!("{before}{joint}{}", right.remove(index));
    Some(format!(
        "error: unexpected word '{}'\n\n{}\n  {form}{}",
        words[index],
        marked(words, index, 0..words[index].len()),
        tried(&right)
    ))
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// Games become pairs.
fn halve(words: &mut [String], option: &str) {
    let mut is_next = false;
    for word in words {
        let value = match word.strip_prefix(option).and_then(|rest| rest.strip_prefix('=')) {
            Some(value) => Some((format!("{option}="), value.to_owned())),
            None => is_next.then(|| (String::new(), word.clone())),
        };
        is_next = word == option;
        if let Some((head, games)) = value.and_then(|(head, value)| Some((head, value.parse::<u64>().ok()?)))
        {
            *word = format!("{head}{}", games.div_ceil(2).max(1));
        }
    }
}

/// The command that is called, and its options with the first sentence of their help.
fn options_of(words: &[String], command: &clap::Command) -> (String, Vec<(String, String)>) {
    let mut inner = command;
    let mut name = Vec::new();
    for word in words {
        let Some(next) = inner.find_subcommand(word) else {
            break;
        };
        name.push(next.get_name().to_owned());
        inner = next;
    }
    let about = |arg: &clap::Arg| {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let sentence = help
            .split(". ")
            .next()
            .unwrap_or_default()
            .split(": ")
            .next()
            .unwrap_or_default()
            .to_owned();
        format!("{}.", sentence.trim_end_matches('.'))
    };
    let options = inner.get_arguments().flat_map(|arg| {
        let aliases = arg.get_all_aliases().unwrap_or_default();
        let names = arg.get_long().into_iter().chain(aliases);
        names
            .map(|long| (format!("--{long}"), about(arg)))
            .collect::<Vec<_>>()
    });
    (name.join(" "), options.collect())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::cli::Cli;

    fn told(line: &str) -> String {
        let words: Vec<OsString> = ["tanren"]
            .into_iter()
            .chain(line.split(' '))
            .map(OsString::from)
            .collect();
        match Cli::try_parse_from(&words) {
            Ok(_) => "understood".to_owned(),
            Err(error) => answer(&words, &error, &Cli::command()),
        }
    }

    #[test]
    fn first_attempts_are_understood_or_answered() {
        for (line, expected) in [
            ("match --rounds 10", "understood"),
            ("match --nodes 1k", "understood"),
            ("match --sprt 0,5", "understood"),
            ("match --sprt [0,5]", "understood"),
            ("tune --method spsa --tune lmr.*", "understood"),
            (
                "match --games 20",
                "did you mean --pairs? A pair is two games, one with each colour.\n  try: tanren match --pairs 10",
            ),
            ("match --games=21", "try: tanren match --pairs=11"),
            (
                "match --engine x --engine y",
                "did you mean --a? The players of a match are --a and --b.\n  try: tanren match --a x --b y",
            ),
            (
                "tournament --engine x --engine y",
                "try: tanren tournament --player x --player y",
            ),
            ("nodes --engine x", "try: tanren nodes --config x"),
            (
                "match -concurrency 4",
                "did you mean --concurrency? Games or searches in parallel",
            ),
            (
                "match -concurrency 4",
                "try: tanren match --concurrency 4\n  a whole command line of fastchess",
            ),
            ("match -rounds 4", "try: tanren match --rounds 4"),
            ("match --threads 2", "did you mean --concurrency?"),
            ("match --threads 2", "  match --threads 2\n        ^^^^^^^^^\n"),
            (
                "match --elo0 0 --elo1 5",
                "did you mean --sprt? The hypotheses are one value: --sprt 0,5.",
            ),
            (
                "match --tc 10 0.1 --pairs 2",
                "BASE+INC\n  try: tanren match --tc 10+0.1 --pairs 2",
            ),
            ("match --tc-a=10 1", "try: tanren match --tc-a=10+1"),
            (
                "match --sprt elo0=0 elo1=5 alpha=0.1 --pairs 2",
                "try: tanren match --sprt elo0=0,elo1=5,alpha=0.1 --pairs 2",
            ),
            ("match --sprt 0 5", "try: tanren match --sprt 0,5"),
            ("match --nodes -5", "'-5' for '--nodes': it must not be negative"),
            (
                "sprt --counts -1,2,3,4,5",
                "'-1,2,3,4,5' for '--counts': it must not be negative",
            ),
            ("match --concurrency 0", "it must be at least 1"),
            ("sprt --wins 56", "did you mean --wdl?"),
            ("match --jobs 3", "try: tanren match --concurrency 3"),
            ("match --nodes 1x", "  match --nodes 1x\n                ^^"),
            ("match --colour red", "all options: tanren match --help-all"),
        ] {
            let text = told(line);
            assert!(text.contains(expected), "{line}: {text}");
        }
    }
}
