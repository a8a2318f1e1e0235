//! Texts in English and Japanese. The Japanese is in `ja.tsv`: an English template and its translation a line.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::LazyLock;

use maud::{Markup, Render, html};
use serde::{Serialize, Serializer};

use crate::document::language::Language;
use crate::sanitize;

pub(super) static JAPANESE: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    include_str!("ja.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect()
});

/// The same in both languages; a page shows one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub en: String,
    pub ja: String,
}

impl Text {
    pub(crate) fn new(text: &str) -> Text {
        Text::filled(text, &[])
    }

    /// `Text::filled("{a} is stronger than {b}", &[("a", &label), ("b", &other)])`
    pub(crate) fn filled(template: &str, values: &[(&str, &dyn Display)]) -> Text {
        let ja = JAPANESE.get(template).copied().unwrap_or(template);
        let [en, ja] = [template, ja].map(|template| filled(template, values));
        Text { en, ja }
    }

    /// A template that is filled elsewhere.
    pub(crate) const fn template(template: &'static str) -> &'static str {
        template
    }

    /// This and then `more`.
    #[must_use]
    pub(crate) fn then(self, more: &Text) -> Text {
        Text {
            en: self.en + &more.en,
            ja: self.ja + &more.ja,
        }
    }

    pub(crate) fn plain(text: impl Into<String>) -> Text {
        let text = text.into();
        Text {
            ja: text.clone(),
            en: text,
        }
    }
}

fn filled(template: &str, values: &[(&str, &dyn Display)]) -> String {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').unwrap_or((part, ""));
        let value = values.iter().find(|(known, _)| *known == name);
        text += &value.map_or_else(|| name.to_owned(), |(_, value)| value.to_string());
        text += rest;
    }
    text
}

impl Text {
    /// In the language of the terminal.
    pub fn said(&self) -> &str {
        match Language::spoken() {
            Language::English => &self.en,
            Language::Japanese => &self.ja,
        }
    }
}

/// A command line as a shell takes it.
pub fn command_line(words: &[String]) -> String {
    let words = words.iter().map(|word| quote(word));
    words.collect::<Vec<_>>().join(" ")
}

/// `word` of a command line as a shell of this system reads it as one word.
pub fn quote(word: &str) -> String {
    if cfg!(windows) {
        quote_windows(word)
    } else {
        quote_unix(word)
    }
}

fn quote_unix(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=,./:@+%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // Only a NUL, which no argument has, cannot be quoted.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}

/// For cmd.exe and PowerShell both. The program reads two quotation marks as one, and backslashes before one doubled.
fn quote_windows(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=,./:+\\".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let mut quoted = String::from('"');
    let mut parts = word.split('"').peekable();
    while let Some(part) = parts.next() {
        let backslashes = part.len() - part.trim_end_matches('\\').len();
        quoted += part;
        quoted += &"\\".repeat(backslashes);
        quoted += if parts.peek().is_some() { "\"\"" } else { "\"" };
    }
    quoted
}

/// JSON is in English.
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.en)
    }
}

/// In both languages, for what keeps it.
pub(crate) mod both {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::document::text::Text;

    pub(crate) fn serialize<S: Serializer>(text: &Text, serializer: S) -> Result<S::Ok, S::Error> {
        [&text.en, &text.ja].serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        let [en, ja] = <[String; 2]>::deserialize(deserializer)?;
        Ok(Text { en, ja })
    }
}

impl Render for Text {
    fn render(&self) -> Markup {
        let (en, ja) = (sanitize::lines(&self.en), sanitize::lines(&self.ja));
        if en == ja {
            return html! { (en) };
        }
        html! { span lang="en" { (en) } span lang="ja" { (ja) } }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use crate::document::language::tests::sources;
    use crate::document::text::*;

    #[test]
    fn every_text_has_its_japanese_and_the_catalogue_nothing_else() {
        let mut source = String::new();
        sources(Path::new("src"), &mut source);
        let calls = ["Text::new(", "Text::filled(", "Text::template("];
        let made = calls.into_iter().flat_map(|call| source.split(call).skip(1));
        let literals = made.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next());
        assert_eq!(
            literals.collect::<BTreeSet<_>>(),
            JAPANESE.keys().copied().collect()
        );
    }

    #[test]
    fn a_value_is_no_template() {
        let text = Text::filled("{a} is stronger than {b}", &[("a", &"{b}"), ("b", &"x")]);
        assert_eq!(
            (&*text.en, &*text.ja),
            ("{b} is stronger than x", "{b} は x より強い")
        );
    }

    #[test]
    fn a_word_with_special_characters_is_quoted_for_a_shell() {
        for (word, unix, windows) in [
            ("base,null_move=off", "base,null_move=off", "base,null_move=off"),
            ("", "''", r#""""#),
            ("my dir", "'my dir'", r#""my dir""#),
            ("it's", r#""it's""#, r#""it's""#),
            ("@gps", "@gps", r#""@gps""#),
            (r"C:\将棋\新.exe", r#""C:\\将棋\\新.exe""#, r"C:\将棋\新.exe"),
            (r"my dir\", r#""my dir\\""#, r#""my dir\\""#),
            (
                r#"usi:"C:\a b\""#,
                r#""usi:\"C:\\a b\\\"""#,
                r#""usi:""C:\a b\\""""#,
            ),
        ] {
            assert_eq!(
                (quote_unix(word).as_str(), quote_windows(word).as_str()),
                (unix, windows)
            );
        }
    }
}
