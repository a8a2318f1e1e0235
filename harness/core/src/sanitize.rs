//! Text of others, such as an engine's name or its answer, made safe to be shown.
//!
//! What is unsafe is written as `\u001b`, which is also its form in JSON.

use std::borrow::Cow;
use std::fmt::Write;

/// As one line: the end of a line is unsafe too.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_unsafe)
}

/// As lines: the ends of lines and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| is_unsafe(letter) && !matches!(letter, '\n' | '\t'))
}

/// `text` if it is not longer than so many characters, else its beginning; what is left out is counted.
pub fn short(text: &str, chars: usize) -> Cow<'_, str> {
    let Some((end, _)) = text.char_indices().nth(chars) else {
        return Cow::Borrowed(text);
    };
    let left = text.len() - end;
    Cow::Owned(format!("{}... ({left} bytes more)", &text[..end]))
}

/// The first character of `text` that cannot be shown as it is, by its number.
pub fn unsafe_character(text: &str) -> Option<String> {
    let letter = text.chars().find(|&letter| is_unsafe(letter))?;
    Some(format!("U+{:04X}", u32::from(letter)))
}

/// Controls of terminals, of lines and of the direction of writing (Unicode Standard Annex 9), and letters that nobody sees.
fn is_unsafe(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{061c}'
                | '\u{200e}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

fn escaped(text: &str, is_unsafe: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_unsafe(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(letter);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_as_its_number() {
        assert_eq!(
            line("\u{1b}[2J\u{7}evil\u{9b}31m\u{7f}"),
            r"\u001b[2J\u0007evil\u009b31m\u007f"
        );
        assert_eq!(line("a\u{202e}cod.exe"), r"a\u202ecod.exe");
        assert_eq!(line("tag\u{e0041}"), r"tag\udb40\udc41");
        assert_eq!(line("two\nlines\r\tof it"), r"two\u000alines\u000d\u0009of it");
        assert_eq!(lines("two\nlines\r\tof it"), "two\nlines\\u000d\tof it");
        assert_eq!(unsafe_character("a\u{1b}").as_deref(), Some("U+001B"));
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(short("鍛錬", 2), "鍛錬");
        assert_eq!(short("鍛錬 2", 2), "鍛錬... (2 bytes more)");
    }

    #[test]
    fn what_people_write_stays_as_it_is() {
        for text in [
            "",
            "Stockfish 17",
            "鍛錬 2",
            "émigré ♞",
            "می‌خواهم",
            r"C:\x",
            "<b>&\"'",
        ] {
            assert_eq!((line(text).as_ref(), unsafe_character(text)), (text, None));
        }
    }

    proptest! {
        #[test]
        fn nothing_unsafe_is_left_and_json_reads_it_back(text in any::<String>()) {
            prop_assert_eq!(unsafe_character(&line(&text)), None);
            let json = serde_json::to_string(&text).unwrap();
            let shown: String = serde_json::from_str(&lines(&json)).unwrap();
            prop_assert_eq!(shown, text);
        }
    }
}
