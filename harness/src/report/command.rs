//! Command lines to be typed again.

/// `word` as a shell reads it as one word.
pub fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=,./:@+%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    // Only a NUL, which no argument has, cannot be quoted.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_special_characters_is_quoted_for_a_shell() {
        assert_eq!(quote("base,null_move=off"), "base,null_move=off");
        assert_eq!(quote("my dir"), "'my dir'");
        assert_eq!(quote("it's"), "\"it's\"");
    }
}
