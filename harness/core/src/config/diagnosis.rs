//! All that is wrong with a set of keys, where the reader of them tells only the first thing.
//!
//! In: how to read the keys without some of them. Out: each refusal with the key that it is about: the one without which it
//! is another refusal, or none. Must not: know what a key means.

/// No file has so many mistakes that a user would mend at once.
const MISTAKES_MAX: usize = 50;
/// Keys that a refusal does not name are tried up to this number.
const UNNAMED_MAX: usize = 200;

/// What a refusal is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusalKind {
    /// A key or its value.
    Key,
    /// Keys that do not fit together; it may follow from what was left out.
    Together,
    /// A key that is not there; leaving out another does not mend it.
    Missing,
}

/// Why keys cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// In words.
    pub message: String,
    /// What it is about.
    pub kind: RefusalKind,
}

/// What the keys give, and every mistake with the number of its key.
///
/// `attempt` reads the keys without those that are marked; `is_named` tells whether a message names a key or its value.
pub fn diagnose<T>(
    keys: usize,
    is_named: impl Fn(usize, &str) -> bool,
    attempt: impl Fn(&[bool]) -> Result<T, Refusal>,
) -> (Option<T>, Vec<(Option<usize>, String)>) {
    let mut left_out = vec![false; keys];
    let mut found: Vec<(Option<usize>, String)> = Vec::new();
    while found.len() < MISTAKES_MAX {
        let refusal = match attempt(&left_out) {
            Ok(read) => return (found.is_empty().then_some(read), found),
            Err(refusal) => refusal,
        };
        let is_first = found.is_empty();
        match culprit(&refusal, &mut left_out, &is_named, &attempt) {
            Some(key) => {
                left_out[key] = true;
                if is_first || refusal.kind == RefusalKind::Key {
                    found.push((Some(key), refusal.message));
                }
            }
            None => {
                // Without what was left out anything may be missing.
                if is_first {
                    found.push((None, refusal.message));
                }
                break;
            }
        }
    }
    (None, found)
}

/// The key without which the keys are not refused for this reason.
fn culprit<T>(
    refusal: &Refusal,
    left_out: &mut [bool],
    is_named: &impl Fn(usize, &str) -> bool,
    attempt: &impl Fn(&[bool]) -> Result<T, Refusal>,
) -> Option<usize> {
    let there: Vec<usize> = (0..left_out.len()).filter(|&key| !left_out[key]).collect();
    let (named, others): (Vec<usize>, Vec<usize>) = there
        .into_iter()
        .partition(|&key| is_named(key, &refusal.message));
    let named = named.into_iter().rev().map(|key| (key, true));
    let others = others.into_iter().rev().map(|key| (key, false)).take(UNNAMED_MAX);
    named
        .chain(others)
        .find(|&(key, is_named)| {
            left_out[key] = true;
            let again = attempt(left_out);
            left_out[key] = false;
            match again {
                Ok(_) => true,
                Err(other) => {
                    other.message != refusal.message && (is_named || other.kind != RefusalKind::Missing)
                }
            }
        })
        .map(|(key, _)| key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys `nodes` (must be even), `clock` (must be there for `margin`), `margin`, `size` (must be there, and 1).
    const NAMES: [&str; 4] = ["nodes", "clock", "margin", "size"];

    fn found(values: [Option<i32>; 4]) -> Vec<(Option<usize>, String)> {
        let refuse = |message: &str, kind| {
            Err(Refusal {
                message: message.to_owned(),
                kind,
            })
        };
        let attempt = |left_out: &[bool]| {
            let value = |key: usize| values[key].filter(|_| !left_out[key]);
            match value(3) {
                None => return refuse("size is missing", RefusalKind::Missing),
                Some(1) => {}
                Some(_) => return refuse("size is wrong", RefusalKind::Key),
            }
            if value(0).is_some_and(|nodes| nodes % 2 == 1) {
                return refuse("an odd number", RefusalKind::Key);
            }
            match (value(1), value(2)) {
                (Some(clock), _) if clock < 0 => refuse("the clock is wrong", RefusalKind::Key),
                (None, Some(_)) => refuse("margin without a clock", RefusalKind::Together),
                _ => Ok(()),
            }
        };
        let (read, found) = diagnose(4, |key, message| message.contains(NAMES[key]), attempt);
        assert_eq!(read.is_some(), found.is_empty());
        found
    }

    fn of(key: usize, message: &str) -> (Option<usize>, String) {
        (Some(key), message.to_owned())
    }

    #[test]
    fn every_wrong_key_is_found_at_once() {
        assert_eq!(found([Some(2), None, None, Some(1)]), []);
        assert_eq!(
            found([Some(3), Some(-1), Some(5), Some(1)]),
            [of(0, "an odd number"), of(1, "the clock is wrong")]
        );
    }

    #[test]
    fn what_follows_from_another_mistake_is_no_mistake_of_its_own() {
        assert_eq!(
            found([None, Some(-1), Some(5), Some(1)]),
            [of(1, "the clock is wrong")]
        );
        assert_eq!(
            found([None, None, Some(5), Some(1)]),
            [of(2, "margin without a clock")]
        );
        assert_eq!(found([Some(2), None, None, Some(7)]), [of(3, "size is wrong")]);
    }

    #[test]
    fn what_is_missing_is_the_fault_of_no_key() {
        let message = "size is missing".to_owned();
        assert_eq!(found([Some(3), None, None, None]), [(None, message)]);
    }
}
