//! What a validator refuses, each with the key that it is about.

use std::fmt;
use std::ops::RangeInclusive;

use tanren_engine::game::Game;

use super::ConfigError;

/// Something that must be changed at a key; the message names it, its value and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Its path in a file, such as `nodes_a` or `player.2.nodes`; empty if no key is at fault.
    pub key: String,
    pub message: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refusals(Vec<Refusal>);

impl Refusals {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, key: impl Into<String>, message: impl Into<String>) {
        self.0.push(Refusal {
            key: key.into(),
            message: message.into(),
        });
    }

    /// Refuses `key` unless what it must be `holds`.
    pub fn unless(&mut self, holds: bool, key: &str, message: impl FnOnce() -> String) {
        if !holds {
            self.push(key, message());
        }
    }

    /// The value, or nothing and the error as a refusal of `key`.
    pub fn take<T>(&mut self, key: &str, value: Result<T, impl fmt::Display>) -> Option<T> {
        value.map_err(|error| self.push(key, error.to_string())).ok()
    }

    /// Adds what was refused of the table at `prefix`.
    pub fn extend_at(&mut self, prefix: &str, inner: Refusals) {
        self.0.extend(inner.0.into_iter().map(|refusal| Refusal {
            key: format!("{prefix}{}", refusal.key),
            ..refusal
        }));
    }

    /// `value` if it is within `range`, else a refusal; `default` if there is none.
    pub(super) fn number<N: PartialOrd + fmt::Display>(
        &mut self,
        key: &str,
        value: Option<N>,
        default: N,
        range: RangeInclusive<N>,
        unit: &str,
    ) -> N {
        match value {
            Some(value) if range.contains(&value) => value,
            Some(value) => {
                let (low, high) = (range.start(), range.end());
                self.push(
                    key,
                    format!("{key} is {value}, but must be from {low} to {high}{unit}"),
                );
                default
            }
            None => default,
        }
    }

    /// What `value` parses to, or a refusal; `default` if there is none.
    pub(super) fn parsed<T, E: fmt::Display>(
        &mut self,
        key: &str,
        value: Option<&String>,
        default: T,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> T {
        match value {
            Some(text) => self.take(key, parse(text)).unwrap_or(default),
            None => default,
        }
    }

    /// The game of this name, shogi if there is none.
    pub fn game(&mut self, name: Option<&String>) -> Game {
        self.parsed("game", name, Game::Shogi, |name| {
            Game::from_name(name).ok_or_else(|| format!("unknown game '{name}' (games: shogi, chess)"))
        })
    }

    pub fn check(self) -> Result<(), ConfigError> {
        if self.is_empty() { Ok(()) } else { Err(self.into()) }
    }
}

impl IntoIterator for Refusals {
    type Item = Refusal;
    type IntoIter = std::vec::IntoIter<Refusal>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Display for Refusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        super::mistake::list(f, &self.0)
    }
}

impl std::error::Error for Refusals {}
