//! Options: those of the conversation itself, and the lines that announce them and every setting.
//!
//! In: names and values. Out: [`Own`] options, what they are set to, lines. Must not: act on them.

use super::dialect::Dialect;
use crate::config::{Config, Kind, Setting};
use crate::game::Game;

/// Size of the hash table, where nothing is said.
pub(super) const HASH_MIB: u64 = 64;
/// Time lost between the engine and a GUI's clock, where nothing is said.
pub(super) const OVERHEAD_MS: u64 = 30;

/// An option of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    /// Size of the hash table in MiB.
    Hash,
    /// May the GUI say `go ponder`? Nothing follows from it.
    Ponder,
    /// What to leave unused of a clock.
    Overhead,
    /// How many of the best moves to tell lines of.
    Lines,
    /// Is castling the king's move onto its rook?
    Chess960,
    /// Are scores told as chances, too?
    Chances,
    /// One, as every search has; announced because runners of matches set it.
    Threads,
}

enum Range {
    Number { default: u64, min: u64, max: u64 },
    Check,
}

impl Own {
    const ALL: [Own; 7] = [
        Own::Hash,
        Own::Threads,
        Own::Ponder,
        Own::Lines,
        Own::Chess960,
        Own::Chances,
        Own::Overhead,
    ];

    /// Its name; `None` if the protocol does without it.
    pub(super) fn name(self, dialect: Dialect) -> Option<&'static str> {
        match (self, dialect) {
            (Own::Hash, Dialect::Usi) => Some("USI_Hash"),
            (Own::Hash, Dialect::Uci) => Some("Hash"),
            (Own::Ponder, Dialect::Usi) => Some("USI_Ponder"),
            (Own::Ponder, Dialect::Uci) => Some("Ponder"),
            (Own::Overhead, _) => Some("Overhead_ms"),
            (Own::Lines, _) => Some("MultiPV"),
            (Own::Chess960, Dialect::Uci) => Some("UCI_Chess960"),
            (Own::Chances, Dialect::Uci) => Some("UCI_ShowWDL"),
            (Own::Threads, Dialect::Uci) => Some("Threads"),
            (Own::Chess960 | Own::Chances | Own::Threads, Dialect::Usi) => None,
        }
    }

    /// The option of this name; case means nothing.
    pub(super) fn of(dialect: Dialect, name: &str) -> Option<Own> {
        let is_named = |own: &Own| {
            own.name(dialect)
                .is_some_and(|own| own.eq_ignore_ascii_case(name))
        };
        Own::ALL.into_iter().find(is_named)
    }

    fn range(self) -> Range {
        let number = |default, min, max| Range::Number { default, min, max };
        match self {
            Own::Hash => number(HASH_MIB, 1, 65_536),
            Own::Overhead => number(OVERHEAD_MS, 0, 10_000),
            Own::Lines => number(1, 1, 500),
            Own::Threads => number(1, 1, 1),
            Own::Ponder | Own::Chess960 | Own::Chances => Range::Check,
        }
    }

    /// The number that `value` means, of a check 0 or 1; an error says what is allowed.
    pub(super) fn parse(self, dialect: Dialect, value: &str) -> Result<u64, String> {
        let name = self.name(dialect).unwrap_or_default();
        let (number, expected) = match self.range() {
            Range::Number { min, max, .. } => {
                let number = value.parse().ok();
                let number = number.filter(|number| (min..=max).contains(number));
                (number, format!("{min} to {max}"))
            }
            Range::Check => {
                let number = match value.to_ascii_lowercase().as_str() {
                    "true" => Some(1),
                    "false" => Some(0),
                    _ => None,
                };
                (number, "true or false".to_owned())
            }
        };
        number.ok_or_else(|| format!("'{value}' is not a value of '{name}': expected {expected}"))
    }

    fn line(self, name: &str) -> String {
        match self.range() {
            Range::Number { default, min, max } => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            Range::Check => format!("option name {name} type check default false"),
        }
    }
}

/// The `option` lines of the conversation's own.
pub(super) fn own(dialect: Dialect) -> impl Iterator<Item = String> {
    Own::ALL
        .into_iter()
        .filter_map(move |own| Some(own.line(own.name(dialect)?)))
}

/// What a setting is called: as everywhere else, but for the one that UCI, where case means nothing, would take for `Hash`.
fn name_of(dialect: Dialect, setting: &'static Setting) -> &'static str {
    match (dialect, setting.name) {
        (Dialect::Uci, "hash") => "hash_table",
        (_, name) => name,
    }
}

/// The setting of this name; case means nothing.
pub(super) fn setting(dialect: Dialect, game: Game, name: &str) -> Option<&'static Setting> {
    Config::settings(game).find(|setting| name_of(dialect, setting).eq_ignore_ascii_case(name))
}

/// The `option` line of a setting.
pub(super) fn of_setting(dialect: Dialect, setting: &'static Setting) -> String {
    let name = name_of(dialect, setting);
    match setting.kind {
        Kind::Switch { default } => format!("option name {name} type check default {default}"),
        Kind::Choice { default, choices } => {
            let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option name {name} type combo default {}{vars}", choices[default])
        }
        Kind::Int {
            default, min, max, ..
        } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protocol_has_its_own_names_and_case_means_nothing() {
        assert_eq!(Own::of(Dialect::Usi, "usi_hash"), Some(Own::Hash));
        assert_eq!(Own::of(Dialect::Uci, "HASH"), Some(Own::Hash));
        assert_eq!(Own::of(Dialect::Usi, "Hash"), None);
        assert_eq!(Own::of(Dialect::Usi, "UCI_Chess960"), None);
    }

    #[test]
    fn no_two_options_have_one_name() {
        for (dialect, game) in [(Dialect::Usi, Game::Shogi), (Dialect::Uci, Game::Chess)] {
            let own = Own::ALL.into_iter().filter_map(|own| own.name(dialect));
            let settings = Config::settings(game).map(|setting| name_of(dialect, setting));
            let mut names: Vec<String> = own.chain(settings).map(str::to_lowercase).collect();
            let len = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), len);
            for option in Config::settings(game) {
                let found = setting(dialect, game, name_of(dialect, option)).unwrap();
                assert_eq!(found.name, option.name);
            }
        }
    }

    #[test]
    fn a_value_out_of_range_is_refused_with_what_is_allowed() {
        assert_eq!(Own::Hash.parse(Dialect::Uci, "65536"), Ok(65_536));
        let error = Own::Hash.parse(Dialect::Uci, "0").unwrap_err();
        assert_eq!(error, "'0' is not a value of 'Hash': expected 1 to 65536");
        assert_eq!(Own::Chess960.parse(Dialect::Uci, "True"), Ok(1));
        assert!(Own::Chess960.parse(Dialect::Uci, "1").is_err());
    }
}
