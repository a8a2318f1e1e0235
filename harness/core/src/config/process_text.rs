//! The text of a program as a player: a command of words, then keys and values, each after a comma.

use super::nearest::slip;

pub(super) const OPTION: &str = "option.";
pub(super) const ENVIRONMENT: &str = "env.";
const KEYS: [&str; 11] = [
    "name",
    "directory",
    "init",
    "restart",
    "time_margin_ms",
    "ponder",
    "ping",
    "ping_ms",
    "on_fault",
    "memory_mib",
    "white_pov",
];
/// Keys with a name of the engine's or the system's own.
const FAMILIES: [&str; 2] = ["option", "env"];

fn is_key(word: &str) -> bool {
    KEYS.contains(&word) || word.starts_with(OPTION) || word.starts_with(ENVIRONMENT)
}

/// Splits at each comma that a key and `=` follow: a value may hold other commas. A name that begins like a program is the
/// rest: it is that of a player without a name of its own, which is written last.
pub(super) fn split_keys(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(',') {
        let rest = &text[at + 1..];
        let key = rest
            .split('=')
            .next()
            .filter(|key| key.len() < rest.len())
            .unwrap_or_default();
        if is_key(key) {
            parts.push(&text[start..at]);
            start = at + 1;
            if rest.starts_with("name=usi:") || rest.starts_with("name=uci:") {
                break;
            }
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A word that stands where a key could and is nearly one, and the key that was probably meant; it would be taken for the end of
/// a command or of a value.
pub(super) fn mistyped_key(text: &str) -> Option<(&str, String)> {
    text.match_indices(',').find_map(|(at, _)| {
        let (key, _) = text[at + 1..].split_once('=')?;
        // A quotation mark is part of a command.
        if is_key(key) || key.contains(['"', '\'']) {
            return None;
        }
        let meant = match key.split_once('.') {
            Some((family, name)) => format!("{}.{name}", slip(family, FAMILIES)?),
            None => slip(key, KEYS)?.to_owned(),
        };
        Some((key, meant))
    })
}

/// What would be a line of its own for the engine, or a command for a terminal.
pub(super) fn refuse_controls(text: &str) -> Result<(), String> {
    match text.chars().find(|letter| letter.is_control()) {
        Some(letter) => Err(format!(
            "it holds the control character U+{:04X}",
            u32::from(letter)
        )),
        None => Ok(()),
    }
}

/// A key of an option or a variable in `part` that no `=` follows; it would be taken for the end of a path or of a value.
pub(super) fn key_without_value(part: &str) -> Option<&str> {
    let is_key = |word: &&str| word.starts_with(OPTION) || word.starts_with(ENVIRONMENT);
    part.split(',').find(|word| is_key(word) && !word.contains('='))
}

/// Stand for what a shell takes for an escape or a comment, and a path of Windows or an option does not.
const PLAIN: [(char, char); 2] = [('\\', '\u{1}'), ('#', '\u{2}')];

/// Splits at spaces outside of single or double quotes.
pub(super) fn split_words(text: &str) -> Result<Vec<String>, String> {
    let protected = PLAIN.iter().fold(text.to_owned(), |text, &(plain, other)| {
        text.replace(plain, other.encode_utf8(&mut [0; 4]))
    });
    let words = shlex::split(&protected).ok_or("a quotation mark is not closed")?;
    let unprotected = |word: String| {
        PLAIN.iter().fold(word, |word, &(plain, other)| {
            word.replace(other, plain.encode_utf8(&mut [0; 4]))
        })
    };
    Ok(words.into_iter().map(unprotected).collect())
}

/// `word` as `split_words` reads it as one word. Not shlex's: its escapes would be taken for parts of a path, and what
/// was written before would get another text, which is the identity of a run.
pub fn quote_word(word: &str) -> String {
    let is_plain = !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '\'' || c == '"');
    if is_plain {
        word.to_owned()
    } else if word.contains('"') && !word.contains('\'') {
        format!("'{word}'")
    } else {
        format!("\"{}\"", word.replace('"', "\"'\"'\""))
    }
}
