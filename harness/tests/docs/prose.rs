//! The prose of documents, helps and messages: short sentences, one interval a paragraph, the field's words.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Command;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use tanren::cli::all_options;

use crate::markdown::{files_below, manual, repository, shown};

const WORDS_MAX: usize = 30;
const INTERVALS_MAX: usize = 1;

/// Phrases, and what to write instead.
const BANNED: [(&str, &str); 29] = [
    ("a night", "an overnight queue"),
    ("a remark", "a protocol violation"),
    ("as if the length had been fixed", "uncorrected"),
    ("as it stands", "in the base"),
    ("at whatever moment", "anytime-valid"),
    ("beside", "next to, compared with, besides"),
    ("comes to the same", "is the same"),
    ("go on alike", "continue unchanged"),
    ("goes on", "resumes, continues"),
    ("goes without saying", "is implied"),
    ("heeds", "supports"),
    ("if need be", "leave it out"),
    ("in vain", "unnecessarily"),
    ("nothing is shown", "not significant"),
    ("nothing that shows", "not significant"),
    ("of others", "external, by other authors"),
    ("other program", "external engine"),
    ("other programs", "external engines"),
    ("pruning by number", "late move pruning"),
    ("remarks", "protocol violations"),
    ("stands before", "is before"),
    ("stands behind", "follows"),
    ("stands in the", "is in the"),
    ("stands there", "is there"),
    ("stands twice", "is a duplicate"),
    ("taken up", "resumed"),
    ("told apart", "significantly different, distinguished"),
    ("who has not", "without"),
    ("whoever", "anyone who"),
];

/// A paragraph, an item of a list, a cell of a table, a message.
struct Passage {
    place: String,
    text: String,
}

/// The passages of a Markdown text; code is one word.
fn of_markdown(place: &str, text: &str) -> Vec<Passage> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let (mut passages, mut open, mut is_prose) = (Vec::new(), String::new(), true);
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::MetadataBlock(_)) => is_prose = false,
            Event::End(TagEnd::CodeBlock | TagEnd::MetadataBlock(_)) => is_prose = true,
            Event::Text(text) if is_prose => open += &text,
            Event::Code(_) => open += "CODE",
            Event::SoftBreak | Event::HardBreak => open.push(' '),
            Event::Start(Tag::Item)
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::Heading(_)) => {
                let text = std::mem::take(&mut open);
                let place = place.to_owned();
                passages.push(Passage { place, text });
            }
            _ => {}
        }
    }
    passages
}

fn of_help(command: &Command, path: &str) -> Vec<Passage> {
    let place = format!("{path} {}", command.get_name()).trim().to_owned();
    let about = command.get_long_about().or(command.get_about());
    let own = about.map(ToString::to_string).unwrap_or_default();
    let mut passages: Vec<Passage> = own
        .split("\n\n")
        .map(|text| Passage {
            place: format!("{place} --help"),
            text: text.to_owned(),
        })
        .collect();
    for argument in command.get_arguments() {
        let help = argument.get_long_help().or(argument.get_help());
        let place = format!("{place} --help: {}", argument.get_id());
        let text = help.map(ToString::to_string).unwrap_or_default();
        passages.push(Passage { place, text });
    }
    let below = command
        .get_subcommands()
        .filter(|below| below.get_name() != "help");
    passages.extend(below.flat_map(|below| of_help(below, &place)));
    passages
}

/// The texts between quotation marks of a source file, its tests and comments left out.
fn of_source(path: &Path) -> Vec<Passage> {
    let text = fs::read_to_string(path).unwrap();
    let program = text.split("#[cfg(test)]\nmod ").next().unwrap();
    let (mut passages, mut rest) = (Vec::new(), program);
    while let Some(start) = rest.find(['"', '/', '\'']) {
        let (before, found) = rest.split_at(start);
        if found.starts_with("//") {
            rest = found.split_once('\n').map_or("", |(_, after)| after);
        } else if let Some(after) = ["'\"'", "'\\\"'"]
            .iter()
            .find_map(|sign| found.strip_prefix(sign))
        {
            rest = after;
        } else if let Some(after) = found.strip_prefix('"') {
            let hashes = before.len() - before.trim_end_matches('#').len();
            let is_raw = before.trim_end_matches('#').ends_with('r');
            let end = if is_raw {
                after.find(&format!("\"{}", "#".repeat(hashes)))
            } else {
                end_of_text(after)
            };
            let end = end.map_or(found.len(), |end| end + 1);
            let literal = &found[1..end];
            let line = program[..program.len() - rest.len() + start]
                .matches('\n')
                .count();
            passages.push(Passage {
                place: format!("{}:{}", shown(path), line + 1),
                text: as_sentences(literal),
            });
            rest = found.get(end + 1..).unwrap_or_default();
        } else {
            rest = &found[1..];
        }
    }
    passages
}

/// A message as sentences: its lines, and what semicolons part.
fn as_sentences(literal: &str) -> String {
    let joined = literal.replace("\\\n", " ").replace("\\\"", "\"");
    ["\\n", "\n", "; "]
        .iter()
        .fold(joined, |text, end| text.replace(end, ". "))
}

fn end_of_text(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, symbol)| {
        let is_end = symbol == '"' && !is_escaped;
        is_escaped = symbol == '\\' && !is_escaped;
        is_end.then_some(at)
    })
}

fn sentences(text: &str) -> Vec<&str> {
    let (mut sentences, mut start) = (Vec::new(), 0);
    let symbols: Vec<(usize, char)> = text.char_indices().collect();
    for pair in symbols.windows(2) {
        let is_end = ['.', '?', '!'].contains(&pair[0].1) && pair[1].1.is_whitespace();
        if is_end || pair[0].1 == '。' {
            sentences.push(&text[start..pair[1].0]);
            start = pair[1].0;
        }
    }
    sentences.push(&text[start..]);
    sentences
}

fn words(sentence: &str) -> usize {
    let words = sentence.split(|symbol: char| symbol.is_whitespace() || "—–".contains(symbol));
    words
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count()
}

/// Intervals such as `[−3.8, +11.8]` and `± 7.8`; the bounds of an SPRT are none.
fn intervals(text: &str) -> usize {
    let is_number = |text: &str| {
        let digits = text.trim().trim_start_matches(['+', '-', '−']);
        digits.starts_with(|symbol: char| symbol.is_ascii_digit())
    };
    let brackets = text.match_indices('[').filter(|(at, _)| {
        let within = text[at + 1..].split(']').next().unwrap_or_default();
        let is_pair = within
            .split_once(", ")
            .is_some_and(|(low, high)| is_number(low) && is_number(high));
        is_pair && !text[..*at].ends_with("SPRT ")
    });
    brackets.count() + text.matches('±').count()
}

/// Does `phrase` occur in `text` between the bounds of words?
fn holds(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        ![before, after]
            .into_iter()
            .flatten()
            .any(|symbol| symbol.is_alphanumeric() || "_.=/".contains(symbol) && Some(symbol) == before)
    })
}

/// What is wrong with a passage, if anything.
fn faults(passage: &Passage) -> Vec<String> {
    let at = |what: String| format!("{}: {what}", passage.place);
    let long = sentences(&passage.text).into_iter().filter_map(|sentence| {
        let count = words(sentence);
        (count > WORDS_MAX).then(|| at(format!("{count} words in a sentence: {}", sentence.trim())))
    });
    let mut faults: Vec<String> = long.collect();
    let count = intervals(&passage.text);
    if count > INTERVALS_MAX {
        faults.push(at(format!("{count} intervals in a paragraph: {}", passage.text)));
    }
    let text = passage.text.to_lowercase();
    let banned = BANNED.iter().filter(|(phrase, _)| holds(&text, phrase));
    faults
        .extend(banned.map(|(phrase, better)| at(format!("'{phrase}' ({better}): {}", passage.text.trim()))));
    faults
}

#[test]
fn prose_is_in_short_sentences_and_the_words_of_the_field() {
    let mut documents = files_below(&manual(), &[".md"]);
    documents.push(repository().join("README.md"));
    let of_document = |path: &PathBuf| of_markdown(&shown(path), &fs::read_to_string(path).unwrap());
    let mut passages: Vec<Passage> = documents.iter().flat_map(of_document).collect();
    let mut program = all_options();
    program.build();
    passages.extend(of_help(&program, ""));
    for folder in [
        "harness/src",
        "harness/core/src",
        "harness/runs/src",
        "harness/fleet/src",
    ] {
        let sources = files_below(&repository().join(folder), &[".rs"]);
        let programs = sources
            .iter()
            .filter(|path| !path.ends_with("tests.rs") && !shown(path).contains("/tests/"));
        passages.extend(programs.flat_map(|path| of_source(path)));
    }
    assert!(
        passages.len() > 5_000,
        "only {} passages were found",
        passages.len()
    );
    let faults: Vec<String> = passages.iter().flat_map(faults).collect();
    assert!(
        faults.is_empty(),
        "{}\n{} faults of prose",
        faults.join("\n"),
        faults.len()
    );
}

#[test]
fn faults_of_prose_are_found() {
    let found = |text: &str| {
        let passages = of_markdown("page.md", text);
        passages.iter().flat_map(faults).collect::<Vec<_>>().join("\n")
    };
    let long = |words: usize| format!("{} end.\n", "word ".repeat(words - 1));
    assert_eq!(found(&long(30)), "");
    assert!(found(&long(31)).contains("31 words"));
    assert_eq!(found(&(long(20) + &long(20))), "");
    assert_eq!(found("A +4.0 [−3.8, +11.8]. SPRT [0, 5] passed."), "");
    assert!(found("A +4.0 [−3.8, +11.8], B −3.2 ± 7.8.").contains("2 intervals"));
    assert_eq!(found("| A | B |\n|---|---|\n| 1 [0, 2] | 3 [2, 4] |\n"), "");
    assert!(found("The run goes on.").contains("resumes"));
    assert_eq!(found("`goes on`, ergoes on, goes one better."), "");
    assert!(found("- item\n- As it stands\n").contains("in the base"));
    assert_eq!(found("```sh\nwhoever goes on\n```\n"), "");
}
