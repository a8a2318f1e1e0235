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

    /// The values in which `wanted` differs from this, the stored identity.
    pub fn differences(&self, wanted: &Identity) -> Vec<Difference> {
        let names = self.entries.iter().map(|(name, _)| name);
        let new_names = wanted.entries.iter().map(|(name, _)| name);
        let mut all: Vec<&String> = names.collect();
        all.extend(new_names.filter(|name| self.get(name).is_none()));
        all.into_iter()
            .filter(|name| self.get(name) != wanted.get(name))
            .map(|name| Difference {
                name: name.clone(),
                stored: self.get(name).unwrap_or("-").to_owned(),
                wanted: wanted.get(name).unwrap_or("-").to_owned(),
            })
            .collect()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub name: String,
    pub stored: String,
    pub wanted: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: '{}' there, '{}' wanted now",
            self.name, self.stored, self.wanted
        )
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
        let shown: Vec<String> = stored
            .differences(&wanted)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            shown,
            [
                "changed: '1' there, '2' wanted now",
                "gone: '1' there, '-' wanted now",
                "new: '-' there, '3' wanted now"
            ]
        );
    }
}
