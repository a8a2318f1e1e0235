//! Whom jobs are for.
//!
//! In: a priority, what players take. Out: the name of a class, and its parts again.

use std::collections::BTreeMap;

use super::digest::digest_of;

/// The last part of the name of a class whose games are by time.
const TIMED: &str = "-timed";

/// Who may play jobs of a run: those whose built-in engine does the same, who have the same other engines and, if its games are by
/// time, whose speed is known; the highest priority first.
pub(super) fn class_of(
    priority: u8,
    engine: &str,
    engines: &BTreeMap<String, String>,
    is_timed: bool,
) -> String {
    let mut class = format!("{priority}-{engine}");
    if !engines.is_empty() {
        let listed = engines.iter().map(|(name, digest)| format!("{name} {digest}\n"));
        class = format!("{class}-{}", digest_of(&listed.collect::<String>()));
    }
    if is_timed {
        class += TIMED;
    }
    class
}

/// Are the games of this class by time?
pub(super) fn is_timed_class(class: &str) -> bool {
    class.ends_with(TIMED)
}

/// The priority and the engine of a class.
pub(super) fn parts_of_class(class: &str) -> Option<(u8, &str)> {
    let mut parts = class.split('-');
    Some((parts.next()?.parse().ok()?, parts.next()?))
}
