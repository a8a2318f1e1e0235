//! Whom jobs are for.
//!
//! In: a priority, what players take. Out: the name of a class, and its parts again.

use std::collections::BTreeMap;

use super::digest::digest_of;

/// Who may play jobs of a run: those whose built-in engine does the same, and who have the same other engines; the highest priority
/// first.
pub(super) fn class_of(priority: u8, engine: &str, engines: &BTreeMap<String, String>) -> String {
    if engines.is_empty() {
        return format!("{priority}-{engine}");
    }
    let listed = engines.iter().map(|(name, digest)| format!("{name} {digest}\n"));
    format!("{priority}-{engine}-{}", digest_of(&listed.collect::<String>()))
}

/// The priority and the engine of a class.
pub(super) fn parts_of_class(class: &str) -> Option<(u8, &str)> {
    let mut parts = class.split('-');
    Some((parts.next()?.parse().ok()?, parts.next()?))
}
