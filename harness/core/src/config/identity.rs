//! What makes two runs the same run.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The named values that decide every result of a run, in the order of reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    entries: Vec<(String, String)>,
}

impl Identity {
    /// Name of the number of pairs, which may grow.
    pub const PAIRS: &'static str = "pairs";
    pub const SPRT: &'static str = "sprt";
    /// Value of [`SPRT`](Identity::SPRT) without a stop rule.
    pub const NONE: &'static str = "none";
    /// Name of whether each opening has one game alone; absent where it has a pair.
    pub const SINGLE_GAMES: &'static str = "single games";

    pub fn push(&mut self, name: &str, value: impl fmt::Display) {
        self.entries.push((name.to_owned(), value.to_string()));
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let entry = self.entries.iter().find(|(entry, _)| entry == name);
        entry.map(|(_, value)| value.as_str())
    }

    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        let entries = self.entries.iter();
        entries.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub fn pairs(&self) -> Option<u64> {
        self.get(Identity::PAIRS)?.parse().ok()
    }

    /// Games that are played for each opening: 1 or 2.
    pub fn games_per_pair(&self) -> u64 {
        match self.get(Identity::SINGLE_GAMES) {
            Some(_) => 1,
            None => 2,
        }
    }

    /// The names of values in which `wanted` differs from this, the stored identity.
    pub fn differences(&self, wanted: &Identity) -> Vec<String> {
        let names = self.entries.iter().map(|(name, _)| name);
        let new_names = wanted.entries.iter().map(|(name, _)| name);
        let mut all: Vec<&String> = names.collect();
        all.extend(new_names.filter(|name| self.get(name).is_none()));
        let changed = all.into_iter().filter(|name| self.get(name) != wanted.get(name));
        changed.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_changed_missing_and_new_values() {
        let (mut stored, mut wanted) = (Identity::default(), Identity::default());
        stored.push("same", 1);
        stored.push("changed", 1);
        stored.push("gone", 1);
        wanted.push("same", 1);
        wanted.push("changed", 2);
        wanted.push("new", 3);
        assert_eq!(stored.differences(&wanted), ["changed", "gone", "new"]);
    }
}
