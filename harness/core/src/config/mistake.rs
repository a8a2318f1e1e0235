//! What a user must change: each mistake with the key that it is about, and the place where that stands.

use std::fmt;
use std::ops::{Deref, Range, RangeInclusive};
use std::sync::Arc;

use tanren_engine::game::Game;

use super::nearest::nearest;
use super::{ConfigError, PlayerSpec};

/// The text of a file, and what messages call it.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceText {
    pub origin: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub source: Arc<SourceText>,
    pub span: Range<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SourceText { origin, text } = &*self.source;
        let before = text.get(..self.span.start).unwrap_or(text);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.chars().rev().take_while(|c| *c != '\n').count();
        write!(f, "'{origin}', line {line}, column {column}")
    }
}

/// Something that must be changed at a key; the message names it, its value and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Its path in a file, such as `nodes_a` or `player.2.nodes`; empty if no key is at fault.
    pub key: String,
    pub message: String,
    pub place: Option<Place>,
    /// Is it the key itself, and not its value?
    pub is_key: bool,
}

impl Mistake {
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Mistake {
        Mistake {
            key: key.into(),
            message: message.into(),
            place: None,
            is_key: false,
        }
    }
}

impl Mistake {
    /// Does it stand in the file at this path?
    pub fn is_in(&self, path: &str) -> bool {
        self.place
            .as_ref()
            .is_some_and(|place| place.source.origin == path)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// All that a user must change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mistakes(Vec<Mistake>);

impl Mistakes {
    pub fn add(&mut self, mistake: Mistake) {
        self.0.push(mistake);
    }

    pub fn push(&mut self, key: impl Into<String>, message: impl Into<String>) {
        self.add(Mistake::new(key, message));
    }

    /// A mistake at `key` unless what it must be `holds`.
    pub fn unless(&mut self, holds: bool, key: &str, message: impl FnOnce() -> String) {
        if !holds {
            self.push(key, message());
        }
    }

    /// The value, or nothing and the error as a mistake at `key`.
    pub fn take<T>(&mut self, key: &str, value: Result<T, impl fmt::Display>) -> Option<T> {
        value.map_err(|error| self.push(key, error.to_string())).ok()
    }

    /// As [`take`](Mistakes::take); mistakes that have a place in another file stay there.
    pub(super) fn take_placed<T>(&mut self, key: &str, value: Result<T, ConfigError>) -> Option<T> {
        match value {
            Err(ConfigError::Mistakes(inner)) if inner.iter().all(|mistake| mistake.place.is_some()) => {
                self.0.extend(inner);
                None
            }
            value => self.take(key, value),
        }
    }

    /// Adds what is wrong with the table at `prefix`.
    pub fn extend_at(&mut self, prefix: &str, inner: Mistakes) {
        self.0.extend(inner.into_iter().map(|mistake| Mistake {
            key: format!("{prefix}{}", mistake.key),
            ..mistake
        }));
    }

    /// A key that is none of `known`.
    pub fn unknown<'a>(&mut self, key: &str, known: impl IntoIterator<Item = &'a str>) {
        let mut names: Vec<&str> = known.into_iter().collect();
        names.sort_unstable();
        let alias = names.contains(&"pairs").then_some("rounds");
        let message = match nearest(key, names.iter().copied().chain(alias)) {
            Some(near) => format!("unknown key '{key}' (did you mean '{near}'?)"),
            None => format!("unknown key '{key}'; there are: {}", names.join(", ")),
        };
        self.add(Mistake {
            is_key: true,
            ..Mistake::new(key, message)
        });
    }

    /// `value` if it is within `range`, else a mistake; `default` if there is none.
    pub fn number<N: PartialOrd + fmt::Display>(
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

    /// What `value` parses to, or a mistake; `default` if there is none.
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

    /// The game of this name; without one chess if a player of `players` is one of chess, else shogi.
    pub fn game<'a>(&mut self, name: Option<&String>, players: impl IntoIterator<Item = &'a String>) -> Game {
        let usual = match name.is_none() && players.into_iter().any(|player| PlayerSpec::is_of_chess(player))
        {
            true => Game::Chess,
            false => Game::Shogi,
        };
        self.parsed("game", name, usual, |name| {
            Game::from_name(name).ok_or_else(|| format!("unknown game '{name}' (games: shogi, chess)"))
        })
    }

    pub fn check(self) -> Result<(), ConfigError> {
        if self.is_empty() { Ok(()) } else { Err(self.into()) }
    }

    /// File by file, from top to bottom, and none twice.
    #[must_use]
    pub fn sorted(mut self) -> Mistakes {
        let mut origins: Vec<Arc<SourceText>> = Vec::new();
        for place in self.0.iter().filter_map(|mistake| mistake.place.as_ref()) {
            if !origins.iter().any(|source| source.origin == place.source.origin) {
                origins.push(place.source.clone());
            }
        }
        self.0.sort_by_key(|mistake| {
            let place = mistake.place.as_ref()?;
            let mut origins = origins.iter();
            let file = origins.position(|source| source.origin == place.source.origin);
            Some((file, place.span.start))
        });
        self.0.dedup();
        self
    }
}

impl Deref for Mistakes {
    type Target = [Mistake];

    fn deref(&self) -> &[Mistake] {
        &self.0
    }
}

impl From<Mistake> for Mistakes {
    fn from(mistake: Mistake) -> Mistakes {
        Mistakes(vec![mistake])
    }
}

impl FromIterator<Mistake> for Mistakes {
    fn from_iter<I: IntoIterator<Item = Mistake>>(mistakes: I) -> Mistakes {
        Mistakes(mistakes.into_iter().collect())
    }
}

impl Extend<Mistake> for Mistakes {
    fn extend<I: IntoIterator<Item = Mistake>>(&mut self, mistakes: I) {
        self.0.extend(mistakes);
    }
}

impl IntoIterator for Mistakes {
    type Item = Mistake;
    type IntoIter = std::vec::IntoIter<Mistake>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One as it is, several below their number.
impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [mistake] = &self.0[..] {
            return mistake.fmt(f);
        }
        write!(f, "{} mistakes", self.len())?;
        self.iter().try_for_each(|mistake| write!(f, "\n{mistake}"))
    }
}

impl std::error::Error for Mistakes {}
