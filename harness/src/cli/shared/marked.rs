//! A command line with a wrong word marked, and the command that was probably meant.

use std::env;
use std::ops::Range;

use super::notify::without_secrets;
use crate::config::Mistake;
use crate::report::{command_line, quote};

const WIDTH: usize = 76;

/// The words of this process, without the program's name.
pub(super) fn own_words() -> Vec<String> {
    let words = env::args_os().skip(1);
    without_secrets(words.map(|word| word.to_string_lossy().into_owned()))
}

/// What is wrong, the value of its option marked, and the command with what was probably meant.
pub(super) fn marked_mistake(mistake: &Mistake) -> String {
    marked_in(&own_words(), mistake)
}

/// What is wrong with an engine, where its player is on the command line.
pub(super) fn marked_engine(label: &str, message: &str) -> String {
    let words = own_words();
    let message = format!("player '{label}': {message}");
    // A path has got its protocol before it.
    let text = label.split_once(':').map_or(label, |(_, path)| path);
    let found = words
        .iter()
        .position(|word| word.ends_with(text) || word.contains(&format!("{text},")));
    let Some((index, name)) = found.and_then(|index| Some((index, words[index].find(text)?))) else {
        return format!("error: {message}");
    };
    let word = &words[index];
    if let Some(at) = option_in(word, &message) {
        return format!("error: {message}\n\n{}", marked(&words, index, at));
    }
    if !word[..name].ends_with("name=") {
        return marked_at(&words, (index, name), &message);
    }
    let player = word.find("usi:").or_else(|| word.find("uci:")).unwrap_or(0);
    let end = word[player..]
        .find(',')
        .map_or(word.len(), |comma| player + comma);
    format!("error: {message}\n\n{}", marked(&words, index, player..end))
}

/// Where the engine's option that `message` is about stands in a player's text.
fn option_in(player: &str, message: &str) -> Option<Range<usize>> {
    let mut starts = player.match_indices("option.").map(|(start, _)| start);
    starts.find_map(|start| {
        let (name, rest) = player[start + "option.".len()..].split_once('=')?;
        let is_meant = ["option 'X'", "option X "]
            .iter()
            .any(|form| message.contains(&form.replace('X', name)));
        let value = rest.split(',').next().unwrap_or(rest);
        let end = player.len() - rest.len() + value.len();
        is_meant.then_some(start..end)
    })
}

fn marked_in(words: &[String], mistake: &Mistake) -> String {
    match value_of(words, &mistake.key) {
        Some(place) => marked_at(words, place, &mistake.message),
        None => format!("error: {mistake}"),
    }
}

fn marked_at(words: &[String], (index, value): (usize, usize), message: &str) -> String {
    let word = &words[index];
    let quoted = quoted_parts(message);
    let wrong = quoted.iter().find_map(|part| {
        let start = word[value..].rfind(part)? + value;
        (part.len() < word.len() - value).then(|| start..start + part.len())
    });
    let at = wrong.unwrap_or(value..word.len());
    let mut text = format!("error: {message}\n\n{}", marked(words, index, at.clone()));
    let meant = message.split_once("did you mean '");
    let meant = meant.and_then(|(_, rest)| rest.split_once('\''));
    if let Some((meant, _)) = meant {
        let mut right = words.to_vec();
        right[index].replace_range(at, meant);
        text += &tried(&right);
    }
    text
}

/// `  try: tanren match --rounds 10`
pub(in crate::cli) fn tried(words: &[String]) -> String {
    format!("\n  try: tanren {}", command_line(words))
}

/// The word that holds the value of the option for `key`, and where in it the value begins.
fn value_of(words: &[String], key: &str) -> Option<(usize, usize)> {
    // A list has an option for each of its elements.
    let (name, number) = match key.split_once('.') {
        Some((name, rest)) => (name, rest.split('.').next()?.parse().ok()?),
        None => (key, 0),
    };
    let option = format!("--{}", name.replace('_', "-"));
    let mut found = words.iter().enumerate().filter_map(|(index, word)| {
        if *word == option {
            // What stands alone has no value.
            let value = words.get(index + 1).filter(|value| !value.starts_with("--"));
            return Some((index + usize::from(value.is_some()), 0));
        }
        let value = word.strip_prefix(&option)?.strip_prefix('=')?;
        Some((index, word.len() - value.len()))
    });
    found.nth(number)
}

fn quoted_parts(message: &str) -> Vec<&str> {
    let parts = message.split('\'').skip(1).step_by(2);
    parts
        .chain(message.split('`').skip(1).step_by(2))
        .filter(|part| !part.is_empty())
        .collect()
}

/// The words in one line, part of the word at `index` marked below it.
pub(in crate::cli) fn marked(words: &[String], index: usize, at: Range<usize>) -> String {
    let quoted: Vec<String> = words.iter().map(|word| quote(word)).collect();
    let opening = usize::from(quoted[index] != words[index]);
    let before = quoted[..index]
        .iter()
        .map(|word| word.chars().count() + 1)
        .sum::<usize>();
    let start = before + opening + words[index][..at.start].chars().count();
    let length = words[index][at].chars().count().max(1);
    let line = quoted.join(" ");
    // A long line is shown from where the mark fits.
    let left_out = (start + length.min(WIDTH - 3)).saturating_sub(WIDTH);
    let left_out = if left_out > 0 { left_out + 2 } else { 0 };
    let shown: String = line.chars().skip(left_out).take(WIDTH).collect();
    let head = if left_out > 0 { "… " } else { "" };
    let cut = if line.chars().count() > left_out + WIDTH {
        "…"
    } else {
        ""
    };
    let margin = " ".repeat(start - left_out + head.chars().count());
    format!(
        "  {head}{shown}{cut}\n  {margin}{}\n",
        "^".repeat(length.min(WIDTH))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_that_an_engine_refuses_is_marked_and_not_its_players_name() {
        let player = "usi:./e x,option.Hash=9,option.Nope=1,name=Nope";
        for (message, expected) in [
            (
                "player 'Nope': the engine has no option 'Nope' (options: Hash)",
                Some("option.Nope=1"),
            ),
            (
                "player 'Nope': option Hash is '9', but the engine takes a whole number from 1 to 4",
                Some("option.Hash=9"),
            ),
            ("player 'Nope': './e' did not start", None),
        ] {
            assert_eq!(
                option_in(player, message).map(|at| &player[at]),
                expected,
                "{message}"
            );
        }
    }
}
