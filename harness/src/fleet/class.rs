//! Whom jobs are for.
//!
//! In: a priority, what players take. Out: the name of a class, and its parts again.

use std::collections::BTreeMap;

use super::digest::digest_of;

/// The last part of the name of a class whose games are by time.
const TIMED: &str = "-timed";
/// The last part of the name of a class of pairs that are played a second time.
const AUDIT: &str = "-audit";

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

/// The class of second plays of pairs of `class`, which precede the others of their priority: the longer one waits, the more a machine
/// that is not to be believed plays in the meantime.
pub(super) fn audits_of(class: &str) -> String {
    format!("{class}{AUDIT}")
}

/// May pairs of this class be played a second time? Another program may play the same pair in two ways, and so may anybody by time.
pub(super) fn has_audits(class: &str, engines: &BTreeMap<String, String>) -> bool {
    engines.is_empty() && !is_timed_class(class)
}

/// What precedes what, from 0.
pub(super) fn rank_of_class(class: &str) -> usize {
    let (priority, _) = parts_of_class(class).unwrap_or_default();
    2 * usize::from(priority.min(9)) + usize::from(class.ends_with(AUDIT))
}

/// Ranks of classes.
pub(super) const RANKS: usize = 20;

/// The priority and the engine of a class.
pub(super) fn parts_of_class(class: &str) -> Option<(u8, &str)> {
    let mut parts = class.split('-');
    Some((parts.next()?.parse().ok()?, parts.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_play_precedes_what_has_its_priority_and_nothing_of_a_higher_one() {
        let class = |priority| class_of(priority, "0123456789abcdef", &BTreeMap::new(), false);
        let ranks = [class(4), audits_of(&class(4)), class(5), audits_of(&class(9))]
            .map(|class| rank_of_class(&class));
        assert!(ranks.is_sorted_by(|one, other| one < other), "{ranks:?}");
        assert_eq!(ranks[3], RANKS - 1);
    }

    #[test]
    fn programs_and_games_by_time_are_not_played_a_second_time() {
        let engines = BTreeMap::from([("fairy".to_owned(), "0".to_owned())]);
        let has = |engines: &BTreeMap<String, String>, is_timed| {
            has_audits(&class_of(0, "0123456789abcdef", engines, is_timed), engines)
        };
        assert!(has(&BTreeMap::new(), false));
        assert!(!has(&engines, false) && !has(&BTreeMap::new(), true));
    }
}
