//! Which of the names there are was probably meant.

/// A longer one was meant for no name, and comparing it would take its time.
const NAME_BYTES_MAX: usize = 200;

/// The one of `known` that is nearest to `name`, if it is near enough to be meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A third of the letters may be wrong, one in any case.
    within(name, name.chars().count().div_ceil(3), known)
}

/// The one of `known` that `name` is but for one slip, where a name that is none of them may as well be right.
pub fn slip<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    within(name, 1, known)
}

/// The one of `known` that is nearest to `name`, with at most so many letters wrong.
fn within<'a>(name: &str, most: usize, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let plain = |text: &str| text.to_lowercase().replace('-', "_");
    let wanted = plain(name);
    let scored = known
        .into_iter()
        .map(|other| (strsim::damerau_levenshtein(&wanted, &plain(other)), other));
    let near = scored.filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

/// The end of a message about the unknown `name`: a question, or nothing.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| format!(" (did you mean '{near}'?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_put_right_and_another_word_is_not() {
        let known = ["nodes", "depth", "pairs", "node_jitter"];
        for (name, expected) in [
            ("nodez", Some("nodes")),
            ("Nodes", Some("nodes")),
            ("node-jiter", Some("node_jitter")),
            ("apirs", Some("pairs")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
    }
}
