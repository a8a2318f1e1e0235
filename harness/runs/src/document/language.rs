//! The language of what this process says on its terminal. Files and JSON do not depend on it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::document::text::JAPANESE;

/// The language of the terminal, and the one that a page, which holds both, begins in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Language {
    /// English.
    #[default]
    #[value(name = "en")]
    English,
    /// Japanese.
    #[value(name = "ja")]
    Japanese,
}

static IS_JAPANESE: AtomicBool = AtomicBool::new(false);

impl Language {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Japanese => "ja",
        }
    }

    /// What the first variable that is set asks for, as other programs read it. Japanese needs a locale in UTF-8.
    pub fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Language {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
        let locale = names.filter_map(variable).find(|value| !value.is_empty());
        let locale = locale.unwrap_or_default().to_ascii_lowercase();
        let encoding = locale.split_once('.').map_or("", |(_, encoding)| encoding);
        let encoding = encoding.split('@').next().unwrap_or_default();
        let is_japanese = locale.starts_with("ja_") || locale.starts_with("ja.");
        if is_japanese && matches!(encoding, "utf-8" | "utf8") {
            Language::Japanese
        } else {
            Language::English
        }
    }

    /// From now on, for all of this process.
    pub fn speak(self) {
        IS_JAPANESE.store(self == Language::Japanese, Ordering::Relaxed);
    }

    pub fn spoken() -> Language {
        if IS_JAPANESE.load(Ordering::Relaxed) {
            Language::Japanese
        } else {
            Language::English
        }
    }
}

/// `text` in the language that is spoken; without a translation as it is.
pub fn said(text: &str) -> Cow<'_, str> {
    match Language::spoken() {
        Language::English => text.into(),
        Language::Japanese => japanese(text).map_or_else(|| text.into(), Cow::Owned),
    }
}

/// As [`said`] of each line, the spaces before it kept; after `error: ` and `warning: ` the rest is a message.
pub fn said_lines(text: &str) -> Cow<'_, str> {
    if Language::spoken() == Language::English {
        return text.into();
    }
    let line = |line: &str| {
        let content = line.trim_start_matches(' ');
        let margin = &line[..line.len() - content.len()];
        for (head, own) in [("error: ", "エラー: "), ("warning: ", "警告: ")] {
            if let Some(message) = content.strip_prefix(head) {
                return format!("{margin}{own}{}", said(message));
            }
        }
        format!("{margin}{}", said(content))
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n").into()
}

/// A message of the catalogue: what stands between its values, and its Japanese.
struct Message {
    start: String,
    /// Each value's name, and what follows it.
    parts: Vec<(&'static str, String)>,
    japanese: &'static str,
}

static MESSAGES: LazyLock<(HashMap<&str, &str>, Vec<Message>)> = LazyLock::new(|| {
    let lines = include_str!("messages.ja.tsv").lines();
    let (mut whole, mut messages) = (JAPANESE.clone(), Vec::new());
    for (english, japanese) in lines.filter_map(|line| line.split_once('\t')) {
        if !english.contains('{') {
            whole.insert(english, japanese);
            continue;
        }
        let forms = if english.contains("[s]") || english.contains("[es]") {
            2
        } else {
            1
        };
        for is_many in (0..forms).map(|form| form == 1) {
            let number = |text: &str| match is_many {
                true => text.replace("[s]", "s").replace("[es]", "es"),
                false => text.replace("[s]", "").replace("[es]", ""),
            };
            let mut pieces = english.split('{');
            let start = number(pieces.next().unwrap_or_default());
            let parts = pieces.filter_map(|piece| piece.split_once('}'));
            let parts = parts.map(|(name, after)| (name, number(after))).collect();
            messages.push(Message {
                start,
                parts,
                japanese,
            });
        }
    }
    (whole, messages)
});

/// The Japanese of `text`, all of it: nobody reads a sentence in two languages.
fn japanese(text: &str) -> Option<String> {
    let (whole, messages) = &*MESSAGES;
    if let Some(japanese) = whole.get(text) {
        return Some((*japanese).to_owned());
    }
    if !text.contains(char::is_alphabetic) {
        return Some(text.to_owned());
    }
    // What begins with a value may begin with a message.
    let (of_value, own): (Vec<_>, Vec<_>) = messages.iter().partition(|message| message.start.is_empty());
    let first_of = |messages: Vec<&Message>| messages.iter().find_map(|message| message.translated(text));
    let whole = first_of(own).or_else(|| joined(text));
    whole.or_else(|| first_of(of_value))
}

/// A message and its remedy, or what was done and why it failed.
fn joined(text: &str) -> Option<String> {
    let joints = [("; ", "。"), (": ", "："), (", ", "、")].into_iter();
    let mut parts = joints.flat_map(|(joint, own)| text.match_indices(joint).map(move |at| (at, own)));
    parts.find_map(|((at, joint), own)| {
        let (head, rest) = (&text[..at], &text[at + joint.len()..]);
        head.contains(char::is_alphabetic).then_some(())?;
        Some(format!("{}{own}{}", japanese(head)?, japanese(rest)?))
    })
}

impl Message {
    fn translated(&self, text: &str) -> Option<String> {
        let mut values = Vec::new();
        found(&self.parts, text.strip_prefix(&*self.start)?, &mut values).then_some(())?;
        let mut pieces = self.japanese.split('{');
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (name, after) = piece.split_once('}')?;
            let plain = |name: &str| name.trim_end_matches(['!', '#']).to_owned();
            let at = self
                .parts
                .iter()
                .position(|(known, _)| plain(known) == plain(name))?;
            // A message within a message.
            match self.parts[at].0.ends_with('!') {
                true => filled += &japanese(values[at])?,
                false => filled += values[at],
            }
            filled += after;
        }
        Some(filled)
    }
}

/// Finds the values of `parts` in `text`; none with spaces around it, and one whose name ends with `#` without words.
fn found<'t>(parts: &[(&str, String)], text: &'t str, values: &mut Vec<&'t str>) -> bool {
    let Some(((name, after), rest)) = parts.split_first() else {
        return text.is_empty();
    };
    let ends: Vec<usize> = if rest.is_empty() {
        let end = text.len().checked_sub(after.len());
        end.filter(|_| text.ends_with(&**after)).into_iter().collect()
    } else {
        text.match_indices(&**after).map(|(end, _)| end).collect()
    };
    let is_word = |c: char| c.is_alphabetic() && !"kMG".contains(c);
    for end in ends.into_iter().filter(|end| *end > 0) {
        let value = &text[..end];
        if value.trim() != value || name.ends_with('#') && value.contains(is_word) {
            continue;
        }
        values.push(value);
        if found(rest, &text[end + after.len()..], values) {
            return true;
        }
        values.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use crate::document::language::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        for (set, expected) in [
            (&[("LANG", "ja_JP.UTF-8")][..], Language::Japanese),
            (&[("LANG", "ja_JP.utf8")], Language::Japanese),
            (&[("LANG", "ja_JP.UTF-8@x")], Language::Japanese),
            (&[("LANG", "ja_JP.eucJP")], Language::English),
            (&[("LANG", "ja_JP")], Language::English),
            (&[("LANG", "jam_JM.UTF-8")], Language::English),
            (
                &[("LC_ALL", "C.UTF-8"), ("LANG", "ja_JP.UTF-8")],
                Language::English,
            ),
            (&[("LC_ALL", ""), ("LANG", "ja_JP.UTF-8")], Language::Japanese),
            (
                &[("LC_MESSAGES", "ja_JP.UTF-8"), ("LANG", "en_US.UTF-8")],
                Language::Japanese,
            ),
            (&[], Language::English),
        ] {
            let variable = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(Language::of_locale(variable), expected, "{set:?}");
        }
    }

    /// Sources of all crates, without the breaks in long texts.
    fn sources(folder: &Path, found: &mut String) {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("language.rs") {
                let source = std::fs::read_to_string(&path).unwrap();
                let mut parts = source.split("\\\n");
                found.push_str(parts.next().unwrap());
                parts.for_each(|part| found.push_str(part.trim_start()));
            }
        }
    }

    fn all_sources() -> String {
        let mut found = String::new();
        for folder in ["../core/src", "../fleet/src", "src", "../src"] {
            sources(Path::new(folder), &mut found);
        }
        found
    }

    #[test]
    fn the_catalogue_has_each_message_once_and_only_values_that_it_is_given() {
        let lines = include_str!("messages.ja.tsv")
            .lines()
            .filter(|line| !line.starts_with('#'));
        let mut known = BTreeSet::new();
        for line in lines {
            let (english, japanese) = line.split_once('\t').unwrap();
            let values = |text: &str| {
                let names = text.split('{').skip(1).filter_map(|piece| piece.split_once('}'));
                let names = names.map(|(name, _)| name.trim_end_matches(['!', '#']).to_owned());
                names.collect::<BTreeSet<_>>()
            };
            assert!(values(english).is_superset(&values(japanese)), "{line}");
            assert!(!japanese.is_empty() && known.insert(english), "{line}");
        }
    }

    const ENGLISH: &str = "src/document/errors_in_english.txt";

    /// An error has its line in `messages.ja.tsv`, or is in the list of those that have none.
    #[test]
    fn errors_without_japanese_are_listed() {
        let sources = all_sources();
        let sources = sources.replace("\\\"", "\u{1}");
        let literals = sources.split("#[error(").skip(1);
        let literals = literals.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"'));
        let literals = literals.filter_map(|(literal, _)| literal.split("\\n").next());
        let literals = literals.map(|literal| literal.replace('\u{1}', "\""));
        // In the place of every value a number, which is the same in both languages.
        let filled = |literal: &str| {
            let mut pieces = literal.split('{');
            let start = pieces.next().unwrap().to_owned();
            let after = pieces.map(|piece| piece.split_once('}').map_or("", |(_, after)| after));
            after.fold(start, |text, after| text + "7" + after)
        };
        let lacking = literals.filter(|literal| japanese(&filled(literal)).is_none());
        let lacking: BTreeSet<String> = lacking.collect();
        let lines = lacking.iter().map(|line| format!("{line}\n")).collect::<String>();
        if std::env::var_os("TANREN_REWRITE_DOCS").is_some() {
            std::fs::write(ENGLISH, &lines).unwrap();
        }
        assert_eq!(
            lines,
            std::fs::read_to_string(ENGLISH).unwrap_or_default(),
            "give new errors a line in messages.ja.tsv"
        );
    }

    #[test]
    fn a_message_is_japanese_as_a_whole_or_not_at_all() {
        for (text, expected) in [
            ("checkmate", Some("詰み")),
            ("300 games", Some("300局")),
            (
                "cannot read 'a.toml': Permission denied (os error 13)",
                Some("'a.toml' を読めません：権限がありません (os error 13)"),
            ),
            ("12 of 400 searches", Some("12 / 400探索")),
            ("cannot read 'a.toml': of a stranger", None),
            ("give more pairs", None),
        ] {
            assert_eq!(japanese(text).as_deref(), expected, "{text}");
        }
    }
}
