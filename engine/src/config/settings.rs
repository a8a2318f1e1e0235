//! All settings of one player, by name.

use super::chess::ChessWeights;
use super::declare::{Setting, SettingKind};
use super::lines::ChessTerms;
use super::search::SearchConfig;
use super::shogi::ShogiWeights;
use crate::game::Game;

/// What the rules or the search of chess have no use for. They keep their values there, since players on record have them.
const IDLE_IN_CHESS: [&str; 7] = [
    "declaration",
    "drop_pawn_mate",
    "king_evasions",
    "legal_moves",
    "mate_in_one",
    "pins",
    "quiescence_mate_in_one",
];

/// Settings, each with those below it, that act only where a clock runs.
const OF_CLOCKS: [&str; 8] = [
    "easy_move",
    "node_time",
    "one_reply",
    "partial_iteration",
    "ponder_iterations",
    "stable_move",
    "time",
    "whole_second",
];

/// What needs more than the techniques that its name is part of: of each row any one of these values.
const NEEDS: [(&str, &[(&str, &str)]); 31] = [
    ("capture_history.see", &[("see_pruning", "on")]),
    (
        "eval.threats",
        &[("eval.learned", "on"), ("eval.learned", "three_piece")],
    ),
    ("eval_history", &[("history", "on")]),
    ("forced_reply", &[("fail_soft", "on")]),
    ("forced_reply", &[("hash", "on")]),
    ("history.bonus", LEARNING),
    ("history.bonus_max", LEARNING),
    ("history.growth", LEARNING),
    ("history.limit", LEARNING),
    ("history.malus", LEARNING),
    ("history.malus_max", LEARNING),
    ("history.research", &[("history", "on"), ("continuation", "on")]),
    ("history.research", &[("lmr", "on")]),
    ("history.unanswered", &[("history", "on"), ("continuation", "on")]),
    ("lmr.killer", &[("killers", "on")]),
    ("lmr.research", &[("fail_soft", "on")]),
    ("null_move.hash", &[("null_move", "reduce")]),
    ("null_move.margin", &[("null_move.above_beta", "on")]),
    ("null_move.margin_step", &[("null_move.above_beta", "on")]),
    ("null_move.reduction", &[("null_move", "reduce")]),
    ("one_reply_hash", &[("hash", "on")]),
    ("second_best_stop", &[("fail_soft", "on")]),
    ("singular", &[("hash", "on")]),
    ("singular.double_margin", &[("singular.double", "on")]),
    ("singular.triple_margin", &[("singular.double", "on")]),
    ("soppo.aging", &[("soppo", "dynamic")]),
    ("soppo.distance", &[("soppo", "static")]),
    ("soppo.pooled", &[("soppo", "dynamic")]),
    ("soppo.samples_min", &[("soppo", "dynamic")]),
    ("soppo.share", &[("soppo", "dynamic")]),
    ("time.second_fraction", &[("whole_second", "on")]),
];

/// What learns from cuts, all by the same numbers.
const LEARNING: &[(&str, &str)] = &[
    ("history", "on"),
    ("continuation", "on"),
    ("capture_history", "on"),
];

/// A setting that does nothing in a configuration, because of another one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} does nothing while {technique}={value}: set {technique}={needed}")]
pub struct SwitchedOff {
    /// The setting.
    pub name: &'static str,
    /// The one that has to change.
    pub technique: &'static str,
    /// What that is.
    pub value: String,
    /// What it must be.
    pub needed: &'static str,
}

/// One complete engine configuration. Two of them can play each other in one process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Search techniques and their numbers, common to all games.
    pub search: SearchConfig,
    /// Evaluation weights of shogi.
    pub shogi: ShogiWeights,
    /// Evaluation weights of chess.
    pub chess: ChessWeights,
    /// Those that change with the number of pieces.
    pub chess_terms: ChessTerms,
}

/// A setting that cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// No setting has this name.
    #[error("unknown setting '{name}'{}", suggestion.map(|s| format!(" (did you mean '{s}'?)")).unwrap_or_default())]
    UnknownName {
        /// The name as it was given.
        name: String,
        /// The nearest existing name, if one is near.
        suggestion: Option<&'static str>,
    },
    /// It was set before.
    #[error("'{0}' is set twice: leave one of them out")]
    Twice(String),
    /// The value is outside what the setting allows.
    #[error("'{value}' is not a value of '{name}': expected {expected}", value = .1, name = .0.name, expected = .0.expected())]
    BadValue(&'static Setting, String),
    /// The program was built without the weights that `eval.learned=three_piece` needs.
    #[error(
        "'eval.learned=three_piece' needs weights that are not in this program: build it with --features three-piece"
    )]
    NotBuilt,
    /// A preset that does not exist, and all that do.
    #[error("unknown preset '{0}' (presets: {1})")]
    UnknownPreset(String, String),
    /// Not of the form `name=value`.
    #[error("'{0}' is not of the form name=value")]
    NotAssignment(String),
}

/// That of shogi, as it ships.
impl Default for Config {
    fn default() -> Self {
        Config::base(Game::Shogi)
    }
}

impl Config {
    /// Are the weights of `eval.learned=three_piece` in this program?
    pub const HAS_THREE_PIECE: bool = cfg!(any(test, feature = "three-piece"));

    /// The player of `game` as it ships.
    pub fn base(game: Game) -> Config {
        Config {
            search: match game {
                Game::Shogi => SearchConfig::default(),
                Game::Chess => SearchConfig::of_chess(),
            },
            shogi: ShogiWeights::default(),
            chess: ChessWeights::default(),
            chess_terms: ChessTerms::default(),
        }
    }

    /// All settings that do something in `game`, in table order.
    pub fn settings(game: Game) -> impl Iterator<Item = &'static Setting> {
        Config::known(game).filter(move |setting| !Config::is_idle(game, setting.name))
    }

    /// Is this a setting that does nothing in `game`?
    pub fn is_idle(game: Game, name: &str) -> bool {
        game == Game::Chess && IDLE_IN_CHESS.contains(&name)
    }

    /// Does this setting act only where a clock runs?
    pub fn is_of_clocks(name: &str) -> bool {
        OF_CLOCKS.iter().any(|head| is_within(name, head))
    }

    /// Why a setting of `game` does nothing in this configuration, if so.
    pub fn switched_off(&self, game: Game, name: &str) -> Option<SwitchedOff> {
        let settings = || Config::settings(game);
        let name = settings().find(|setting| setting.name == name)?.name;
        let is = |other: &str, value: &str| self.get(game, other).as_deref() == Some(value);
        let off = |technique: &'static str, needed: &'static str| SwitchedOff {
            name,
            technique,
            value: self.get(game, technique).unwrap_or_default(),
            needed,
        };
        let rows = || {
            NEEDS
                .iter()
                .filter(|(needing, _)| *needing == name)
                .map(|(_, needs)| *needs)
        };
        let unmet = rows().find(|needs| !needs.iter().any(|(other, value)| is(other, value)));
        if let Some([(technique, needed), ..]) = unmet {
            return Some(off(technique, needed));
        }
        // What a row names has been judged there.
        let is_needed = |parent| rows().flatten().any(|(other, _)| *other == parent);
        let mut parents = settings().filter(|parent| parent.name != name && is_within(name, parent.name));
        let parent = parents.find(|parent| !is_needed(parent.name) && is(parent.name, "off"))?;
        Some(off(
            parent.name,
            match parent.kind {
                SettingKind::Choice { choices, .. } => choices.iter().find(|choice| **choice != "off")?,
                _ => "on",
            },
        ))
    }

    /// The settings that do nothing in `game`.
    pub fn idle(game: Game) -> impl Iterator<Item = &'static Setting> {
        Config::known(game).filter(move |setting| Config::is_idle(game, setting.name))
    }

    /// All settings that have a value in `game`, whether or not it does anything.
    pub(super) fn known(game: Game) -> impl Iterator<Item = &'static Setting> {
        let tables: [&[Setting]; 3] = match game {
            Game::Shogi => [SearchConfig::SETTINGS, ShogiWeights::SETTINGS, &[]],
            Game::Chess => [
                SearchConfig::CHESS_SETTINGS,
                ChessWeights::SETTINGS,
                ChessTerms::settings(),
            ],
        };
        tables.into_iter().flatten()
    }

    /// Sets one setting by `name=value`.
    pub(super) fn assign(&mut self, game: Game, text: &str) -> Result<(), SettingError> {
        let assignment = text.split_once('=');
        let (name, value) = assignment.ok_or_else(|| SettingError::NotAssignment(text.to_owned()))?;
        self.set(game, name.trim(), value.trim())
    }

    /// Sets one setting by name.
    pub fn set(&mut self, game: Game, name: &str, value: &str) -> Result<(), SettingError> {
        let Some(setting) = Config::known(game).find(|setting| setting.name == name) else {
            return Err(SettingError::UnknownName {
                name: name.to_owned(),
                suggestion: nearest(game, name),
            });
        };
        let Some(number) = setting.parse(value) else {
            return Err(SettingError::BadValue(setting, value.to_owned()));
        };
        if (name, value) == ("eval.learned", "three_piece") && !Config::HAS_THREE_PIECE {
            return Err(SettingError::NotBuilt);
        }
        if !self.search.set_number(name, number) {
            match game {
                Game::Shogi => self.shogi.set_number(name, number),
                Game::Chess => {
                    self.chess.set_number(name, number) || self.chess_terms.set_number(name, number)
                }
            };
        }
        Ok(())
    }

    /// The value of a setting as text, `None` if `game` has no such setting.
    pub fn get(&self, game: Game, name: &str) -> Option<String> {
        let setting = Config::known(game).find(|setting| setting.name == name)?;
        let number = self.search.number(name).or_else(|| match game {
            Game::Shogi => self.shogi.number(name),
            Game::Chess => self.chess.number(name).or_else(|| self.chess_terms.number(name)),
        })?;
        Some(setting.text(number))
    }

    /// `name=value` of every setting that differs from the default, in table order: a canonical identity.
    pub fn changes(&self, game: Game) -> Vec<String> {
        let base = Config::base(game);
        Config::known(game)
            .filter_map(|setting| {
                let value = self.get(game, setting.name)?;
                (Some(&value) != base.get(game, setting.name).as_ref())
                    .then(|| format!("{}={value}", setting.name))
            })
            .collect()
    }
}

/// Is it `head`, or a part of it?
fn is_within(name: &str, head: &str) -> bool {
    name.strip_prefix(head)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A longer name is no slip, and would take long to compare.
const NAME_BYTES_MAX: usize = 64;

/// The nearest setting name by edit distance, if it is near enough to be a slip.
fn nearest(game: Game, name: &str) -> Option<&'static str> {
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let (distance, nearest) = Config::settings(game)
        .map(|setting| (strsim::levenshtein(name, setting.name), setting.name))
        .min()?;
    (distance <= 1 + name.len() / 3).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_its_preset_with_changes_and_an_error_names_what_was_meant() {
        let parse = |text| Config::parse(Game::Shogi, text);
        assert_eq!(
            parse("base,null_move=off").unwrap().changes(Game::Shogi),
            ["null_move=off"]
        );
        for (text, message) in [
            (
                "nul_move=off",
                "unknown setting 'nul_move' (did you mean 'null_move'?)",
            ),
            (
                "null_move=maybe",
                "'maybe' is not a value of 'null_move': expected off, prune or reduce",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn settings_of_the_clock_are_those_of_its_techniques() {
        for name in [
            "node_time",
            "node_time.base",
            "stable_move.percent",
            "time.moves_left",
        ] {
            assert!(Config::is_of_clocks(name), "{name}");
        }
        assert!(!Config::is_of_clocks("null_move"));
    }

    #[test]
    fn what_does_nothing_in_chess_is_not_offered_there_and_players_on_record_still_read_back() {
        let offered = |game, name: &str| Config::settings(game).any(|setting| setting.name == name);
        for setting in Config::idle(Game::Chess) {
            assert!(offered(Game::Shogi, setting.name) && !offered(Game::Chess, setting.name));
        }
        assert_eq!(Config::idle(Game::Chess).count(), IDLE_IN_CHESS.len());
        assert_eq!(Config::idle(Game::Shogi).count(), 0);
        assert!(offered(Game::Chess, "soppo"), "it acts in both games");
        let config = Config::parse(Game::Chess, "base,king_evasions=early").unwrap();
        assert_eq!(config.changes(Game::Chess), ["king_evasions=early"]);
    }

    #[test]
    fn a_part_of_what_is_off_does_nothing_and_what_would_have_it_act_is_said() {
        for (player, name, expected) in [
            ("base", "lmr.base", ""),
            ("base", "lmr", ""),
            ("base,lmr=off", "lmr.base", "lmr=off: set lmr=on"),
            ("base", "probcut.margin", "probcut=off: set probcut=on"),
            (
                "base,lmr.research=on,fail_soft=off",
                "lmr.research",
                "fail_soft=off: set fail_soft=on",
            ),
            (
                "base,null_move=off",
                "null_move.shallower",
                "null_move=off: set null_move=prune",
            ),
            (
                "base,null_move=prune",
                "null_move.reduction",
                "null_move=prune: set null_move=reduce",
            ),
            (
                "base,soppo=dynamic",
                "soppo.distance",
                "soppo=dynamic: set soppo=static",
            ),
            ("base,soppo=dynamic", "soppo.share", ""),
            ("base,history=off", "history.bonus", ""),
            ("base,history=off", "history.aging", "history=off: set history=on"),
            (
                "base,history=off,eval_history=on",
                "eval_history",
                "history=off: set history=on",
            ),
            ("base,history=off", "history.unanswered", ""),
            ("base,lmr=off", "history.research", "lmr=off: set lmr=on"),
            (
                "base,singular.double=off",
                "singular.triple_margin",
                "singular.double=off: set singular.double=on",
            ),
            (
                "base,singular=off",
                "singular.double_margin",
                "singular=off: set singular=on",
            ),
            (
                "base,null_move=off",
                "null_move.margin",
                "null_move=off: set null_move=prune",
            ),
            ("base,hash=off", "singular", "hash=off: set hash=on"),
            (
                "base,history=off,continuation=off,capture_history=off",
                "history.bonus",
                "history=off: set history=on",
            ),
        ] {
            let config = Config::parse(Game::Shogi, player).unwrap();
            let found = config.switched_off(Game::Shogi, name).map(|off| off.to_string());
            let expected = (!expected.is_empty()).then(|| format!("{name} does nothing while {expected}"));
            assert_eq!(found, expected, "{player}");
        }
        let chess = Config::parse(Game::Chess, "base,eval.mobility=off").unwrap();
        let off = chess
            .switched_off(Game::Chess, "eval.mobility.rook.ending")
            .unwrap();
        assert_eq!(off.technique, "eval.mobility");
    }

    #[test]
    fn what_a_setting_needs_is_there() {
        for (name, needs) in NEEDS {
            for name in needs.iter().map(|(other, _)| *other).chain([name]) {
                assert!(
                    Config::settings(Game::Shogi).any(|setting| setting.name == name),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn every_setting_can_be_set_to_its_own_text_and_names_are_unique() {
        for game in [Game::Shogi, Game::Chess] {
            let mut config = Config::base(game);
            let mut names = std::collections::HashSet::new();
            for setting in Config::settings(game) {
                assert!(names.insert(setting.name), "{} is declared twice", setting.name);
                let value = config.get(game, setting.name).unwrap();
                assert_eq!(value, setting.default_text(), "{}", setting.name);
                config.set(game, setting.name, &value).unwrap();
                let SettingKind::Int { min, max, .. } = setting.kind else {
                    continue;
                };
                for number in [min, max] {
                    let mut changed = config.clone();
                    changed.set(game, setting.name, &number.to_string()).unwrap();
                    let is_default = number.to_string() == value;
                    assert_eq!(changed.changes(game).is_empty(), is_default, "{}", setting.name);
                }
            }
            assert_eq!(config, Config::base(game));
        }
    }
}
