//! A share of a run that is played by itself.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A share of the pairs of a run: those whose number leaves `index` when it is divided by `of`. It is no part of a run's identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };
    const SHARDS_MAX: u64 = 10_000;

    pub fn is_whole(&self) -> bool {
        self.of == 1
    }

    pub fn of(self) -> u64 {
        self.of
    }

    /// All shards of which this is one.
    pub fn all(self) -> impl Iterator<Item = Shard> {
        (0..self.of).map(move |index| Shard { index, ..self })
    }

    pub fn holds(self, pair: u64) -> bool {
        pair % self.of == self.index
    }

    /// The number of the pair at this place of the share.
    pub fn pair(self, place: u64) -> u64 {
        place * self.of + self.index
    }

    /// The place of a pair in the share.
    pub fn place(self, pair: u64) -> u64 {
        pair / self.of
    }

    /// The first so many pairs of the share are those with smaller numbers than this.
    pub fn below(self, places: u64) -> u64 {
        places.saturating_mul(self.of)
    }

    /// How many of so many pairs are in the share.
    pub fn share(self, pairs: u64) -> u64 {
        (pairs + self.of - 1 - self.index) / self.of
    }
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/');
        let number = |text: &str| text.parse::<u64>().ok();
        match numbers.and_then(|(number_of, of)| Some((number(number_of)?, number(of)?))) {
            Some((number, of)) if (1..=of).contains(&number) && of <= Shard::SHARDS_MAX => Ok(Shard {
                index: number - 1,
                of,
            }),
            _ => Err(format!(
                "it must be I/N, such as 2/3, with I from 1 to N and N at most {}",
                Shard::SHARDS_MAX
            )),
        }
    }
}
