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

/// Messages with values, or those without.
fn catalogue(has_values: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("messages.ja.tsv").lines();
    let messages = lines.filter_map(|line| line.split_once('\t'));
    messages.filter(move |(english, _)| english.contains('{') == has_values)
}

static WHOLE: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| JAPANESE.clone().into_iter().chain(catalogue(false)).collect());

/// Those that begin with words of their own, and those that begin with a value.
static MESSAGES: LazyLock<[Vec<Message>; 2]> = LazyLock::new(|| {
    let messages = catalogue(true).flat_map(|(english, japanese)| Message::of(english, japanese));
    let (own, of_value) = messages.partition(|message| !message.start.is_empty());
    [own, of_value]
});

/// The Japanese of `text`, all of it: nobody reads a sentence in two languages.
pub(super) fn japanese(text: &str) -> Option<String> {
    if text.len() > BYTES_MAX {
        return None;
    }
    let mut look_up = LookUp {
        left: LOOK_UPS_MAX,
        found: HashMap::new(),
    };
    look_up.text(text)
}

/// A line of a stranger may have parts without end.
const LOOK_UPS_MAX: u32 = 20_000;
const BYTES_MAX: usize = 4_000;

struct LookUp<'t> {
    left: u32,
    found: HashMap<&'t str, Option<String>>,
}

impl<'t> LookUp<'t> {
    fn text(&mut self, text: &'t str) -> Option<String> {
        if let Some(found) = self.found.get(text) {
            return found.clone();
        }
        self.left = self.left.checked_sub(1)?;
        let [own, of_value] = &*MESSAGES;
        let japanese = known(text)
            .or_else(|| self.first_of(own, text))
            .or_else(|| self.joined(text))
            .or_else(|| self.first_of(of_value, text));
        self.found.insert(text, japanese.clone());
        japanese
    }

    fn first_of(&mut self, messages: &[Message], text: &'t str) -> Option<String> {
        messages.iter().find_map(|message| self.message(message, text))
    }

    /// A message and its remedy, or what was done and why it failed.
    fn joined(&mut self, text: &'t str) -> Option<String> {
        let [own, of_value] = &*MESSAGES;
        let joints = [("; ", "。"), (": ", "："), (", ", "、")].into_iter();
        let mut parts = joints.flat_map(|(joint, own)| text.match_indices(joint).map(move |at| (at, own)));
        parts.find_map(|((at, joint), between)| {
            let (head, rest) = (&text[..at], &text[at + joint.len()..]);
            head.contains(char::is_alphabetic).then_some(())?;
            let head = known(head)
                .or_else(|| self.first_of(own, head))
                .or_else(|| self.first_of(of_value, head))?;
            Some(head + between + &self.text(rest)?)
        })
    }

    fn message(&mut self, message: &Message, text: &'t str) -> Option<String> {
        let mut values = Vec::new();
        self.values(&message.parts, text.strip_prefix(&*message.start)?, &mut values)
            .then_some(())?;
        let mut pieces = message.japanese.split('{');
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (name, after) = piece.split_once('}')?;
            let is_meant = |(known, _): &&(&str, String)| plain(known) == plain(name);
            filled += &values.iter().find(is_meant)?.1;
            filled += after;
        }
        Some(filled)
    }

    /// Finds the values of `parts` in `text`, and their Japanese.
    fn values(
        &mut self,
        parts: &[(&'static str, String)],
        text: &'t str,
        values: &mut Vec<(&'static str, String)>,
    ) -> bool {
        let Some(((name, after), rest)) = parts.split_first() else {
            return text.is_empty();
        };
        let ends: Vec<usize> = if rest.is_empty() {
            let end = text.len().checked_sub(after.len());
            end.filter(|_| text.ends_with(&**after)).into_iter().collect()
        } else {
            text.match_indices(&**after).map(|(end, _)| end).collect()
        };
        for end in ends {
            let Some(value) = self.value(name, &text[..end], after) else {
                continue;
            };
            values.push((name, value));
            if self.values(rest, &text[end + after.len()..], values) {
                return true;
            }
            values.pop();
        }
        false
    }

    /// `value` as the Japanese has it, if it can be one of that name. The name ends with what it is: `#` no words, `!` a message, `?` a
    /// message or what another program says, `|` a list with "and" or "or".
    fn value(&mut self, name: &str, value: &'t str, after: &str) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        let is_word = |c: char| c.is_alphabetic() && !"kMG".contains(c);
        let is_quoted = after.starts_with(['\'', '`']);
        match name.chars().last() {
            _ if value.trim() != value || value.is_empty() && !is_quoted => None,
            Some('#') => (!value.contains(is_word)).then(|| value.to_owned()),
            Some('!') => self.text(value),
            Some('?') => Some(self.text(value).unwrap_or_else(|| value.to_owned())),
            Some('|') => Some(
                value
                    .replace(" or ", "、")
                    .replace(" and ", "、")
                    .replace(", ", "、"),
            ),
            // What is quoted at the end may be a whole line.
            _ if is_quoted => (after.len() == 1 || !value.contains(&after[..1])).then(|| value.to_owned()),
            _ if value.contains("; ") || value.contains(": ") || value.ends_with(':') => None,
            _ if value.split(' ').any(|word| OF_SENTENCES.contains(&word)) => None,
            _ => Some(value.to_owned()),
        }
    }
}

/// What has one of these is no name, but a sentence without Japanese.
const OF_SENTENCES: [&str; 16] = [
    "the", "is", "are", "was", "has", "have", "must", "cannot", "would", "it", "its", "of", "to", "in",
    "and", "or",
];

fn known(text: &str) -> Option<String> {
    let known = WHOLE.get(text).map(|japanese| (*japanese).to_owned());
    known.or_else(|| (!text.contains(char::is_alphabetic)).then(|| text.to_owned()))
}

fn plain(name: &str) -> &str {
    name.trim_end_matches(['#', '!', '?', '|'])
}

impl Message {
    /// One for each number where the words differ by it.
    fn of(english: &'static str, japanese: &'static str) -> impl Iterator<Item = Message> {
        let has_numbers = english.contains("[s]") || english.contains("[es]");
        let forms = [["", ""], ["s", "es"]]
            .into_iter()
            .take(1 + usize::from(has_numbers));
        forms.map(move |[s, es]| {
            let number = |text: &str| text.replace("[s]", s).replace("[es]", es);
            let mut pieces = english.split('{');
            let start = number(pieces.next().unwrap_or_default());
            let parts = pieces.filter_map(|piece| piece.split_once('}'));
            let parts = parts.map(|(name, after)| (name, number(after))).collect();
            Message {
                start,
                parts,
                japanese,
            }
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use tanren_engine::config::{Config, PRESETS};
    use tanren_engine::game::Game;

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

    /// Sources below `folder` but of the catalogues themselves, without the breaks in long texts.
    pub(crate) fn sources(folder: &Path, found: &mut String) {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs")
                && !path.ends_with("language.rs")
                && !path.ends_with("document/text.rs")
            {
                let source = std::fs::read_to_string(&path).unwrap();
                let mut parts = source.split("\\\n");
                found.push_str(parts.next().unwrap());
                parts.for_each(|part| found.push_str(part.trim_start()));
            }
        }
    }

    fn all_sources() -> String {
        let mut found = String::new();
        for folder in [
            "../../engine/src",
            "../stats/src",
            "../core/src",
            "../fleet/src",
            "src",
            "../src",
        ] {
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
                let names = names.map(|(name, _)| plain(name).to_owned());
                names.collect::<BTreeSet<_>>()
            };
            assert!(values(english).is_superset(&values(japanese)), "{line}");
            assert!(!japanese.is_empty() && known.insert(english), "{line}");
        }
    }

    /// The typed errors of all crates, with a number in the place of every value, and nothing where a hint may follow.
    fn typed_errors() -> BTreeSet<String> {
        let sources = all_sources().replace("\\\"", "\u{1}");
        let literals = sources.split("#[error(").skip(1);
        let literals = literals.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"'));
        let literals = literals.filter_map(|(literal, _)| literal.split("\\n").next());
        let filled = |literal: &str| {
            let mut pieces = literal.split('{');
            let start = pieces.next().unwrap().to_owned();
            let after = pieces.map(|piece| piece.split_once('}').map_or("", |(_, after)| after));
            after.fold(start, |text, after| {
                let is_hint = text.ends_with("7'") || text.ends_with(')');
                text + if is_hint { "" } else { "7" } + after
            })
        };
        let whole = literals.map(|literal| filled(&literal.replace('\u{1}', "\"")));
        whole.collect()
    }

    /// The errors and warnings that transcripts show, with a number for what differs from time to time.
    fn shown_errors(folder: &Path, found: &mut BTreeSet<String>) {
        for path in std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path.is_dir() {
                shown_errors(&path, found);
            } else if path.extension().is_some_and(|end| end == "md") {
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.replace("[#]", "7").replace("[..]", "7");
                let message = |line: &str| {
                    let at = line.find("error: ").or_else(|| line.find("warning: "))?;
                    let (before, rest) = (line[..at].trim_start(), line[at..].split_once(": ")?.1);
                    // A job has its name before the line.
                    (before.is_empty() || before.ends_with(": ")).then(|| rest.to_owned())
                };
                // JSON says that there is no error.
                found.extend(
                    text.lines()
                        .filter_map(message)
                        .filter(|message| message != "null"),
                );
            }
        }
    }

    #[test]
    fn every_error_has_its_japanese() {
        let mut errors = typed_errors();
        assert!(errors.len() > 150, "{errors:#?}");
        shown_errors(Path::new("../tests"), &mut errors);
        assert!(errors.len() > 500, "{errors:#?}");
        errors.retain(|error| japanese(error).is_none());
        assert!(
            errors.is_empty(),
            "without Japanese in messages.ja.tsv:\n{errors:#?}"
        );
    }

    #[test]
    fn every_meaning_of_a_setting_and_preset_has_its_japanese() {
        let settings = [Game::Shogi, Game::Chess].into_iter().flat_map(Config::settings);
        let meanings = settings.map(|setting| setting.help);
        let meanings = meanings.chain(PRESETS.iter().map(|(_, help)| *help));
        let lacking: BTreeSet<_> = meanings.filter(|text| japanese(text).is_none()).collect();
        assert!(
            lacking.is_empty(),
            "without Japanese in messages.ja.tsv:\n{lacking:#?}"
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
            (
                "new was at fault in 4 of 8 games (stall 1, wrong_declaration 3), more than 2 % of them",
                Some("new の異常が8局中4局（無応答 1、宣言不成立 3）で、2% を超えました"),
            ),
            (
                "cannot read 'a.toml': said by another system",
                Some("'a.toml' を読めません：said by another system"),
            ),
            (
                "player 'x': lmr.base does nothing while lmr=off: set lmr=on, or leave it out",
                Some("対局者 'x'：lmr=off では lmr.base は働きません。lmr=on にするか、外してください"),
            ),
            (
                "seed is -1, but must be a whole number of at least 0",
                Some("seed が -1 です。0 以上の整数を指定してください"),
            ),
            ("the book is open: give more pairs", None),
            ("a: b: c, ".repeat(4_000).leak(), None),
            ("give more pairs", None),
        ] {
            assert_eq!(japanese(text).as_deref(), expected, "{text}");
        }
    }
}
