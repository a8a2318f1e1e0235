//! The built-in presets: lists of settings with a name.
//!
//! In: a name. Out: a [`Config`]. Must not: set what cannot be set by name.
//!
//! `foundation` is the engine of the first release, whatever later releases make of the defaults: its file names every
//! setting there was. A setting that came later is as good as absent in it: a switch is off, a choice is the first of its
//! list (by custom the absence of the technique), a number has its default; numbers that act without a switch are named too.
//! A test of `bench` holds its play fast.

use super::declare::Kind;
use super::search::SearchConfig;
use super::settings::{Config, SettingError};
use crate::game::Game;

/// The names of the built-in presets with one line of help each.
pub const PRESETS: &[(&str, &str)] = &[
    ("base", "the engine as it ships"),
    ("plain", "alpha-beta with every optional technique switched off"),
    ("tacos-n", "base without pruning by region"),
    ("tacos-ss", "base with SS-Cut"),
    ("tacos-ds", "base with DS-Cut"),
    (
        "sayuri",
        "Sayuri's published search (chess), as far as the settings go",
    ),
    ("foundation", "the engine of the first release, a fixed reference"),
];

/// What Sayuri publishes that has a setting here, on top of alpha-beta without techniques. Without a setting are: the part of
/// the moves (3 in 10) after which late moves are reduced, futility on material instead of the evaluation, internal deepening
/// to depth 4 whatever the depth (it is one ply at depth 5), history gains of depth squared, and all evaluation terms but
/// material, pair of bishops and the phase line (whose defaults are Sayuri's). ProbCut and history reductions are off there.
const SAYURI: &[&str] = &[
    "hash=on",
    "killers=on",
    "history=on",
    "null_move=reduce",
    "null_move.depth_min=4",
    "null_move.shallower=5",
    "null_move.reduction=3",
    "lmr=on",
    "lmr.depth_min=4",
    "lmr.moves_min=4",
    // One ply whatever else: far enough from none and two for the history term, which cannot be switched off.
    "lmr.base=1536",
    "lmr.slope=0",
    "lmr.pv=0",
    "lmr.cut=0",
    "lmr.worsening=0",
    "lmr.killer=4096",
    "lmr.check=0",
    "lmr.history=65536",
    "futility=on",
    "futility.depth_max=3",
    "futility.base=0",
    "futility.margin=400",
    "iid=on",
    "iid.depth_min=5",
    "iid.shallower=1",
    "aspiration=on",
    "aspiration.depth_min=5",
    "aspiration.delta=15",
    "aspiration.growth=100",
    "check_extension=on",
    "check_extension.depth_max=128",
];

/// One line a setting: the table it belongs to (`search` or the game that it weighs), its name and value.
const FOUNDATION: &str = include_str!("foundation.txt");

impl Config {
    /// The preset of this name.
    ///
    /// # Errors
    /// Lists the presets if there is none of this name.
    pub fn preset(name: &str) -> Result<Config, SettingError> {
        preset(name)
    }

    /// Parses `PRESET`, `PRESET,key=value,…` or `key=value,…` (starting from `base`).
    ///
    /// # Errors
    /// Names the first part that is no preset or no valid assignment.
    pub fn parse(game: Game, text: &str) -> Result<Config, SettingError> {
        let mut config = Config::default();
        for (index, part) in text.split(',').map(str::trim).enumerate() {
            if index == 0 && !part.contains('=') {
                config = Config::preset(part)?;
            } else {
                config.assign(game, part)?;
            }
        }
        Ok(config)
    }
}

/// The preset of this name.
fn preset(name: &str) -> Result<Config, SettingError> {
    match name {
        "base" => Ok(Config::default()),
        "plain" => Ok(Config {
            search: SearchConfig::plain(),
            ..Config::default()
        }),
        "tacos-n" => built(Config::default(), &["soppo=off"]),
        "tacos-ss" => built(Config::default(), &["soppo=static"]),
        "tacos-ds" => built(Config::default(), &["soppo=dynamic"]),
        "sayuri" => built(Config::preset("plain")?, SAYURI),
        "foundation" => foundation(),
        _ => Err(SettingError::UnknownPreset {
            name: name.to_owned(),
            known: PRESETS
                .iter()
                .map(|(name, _)| *name)
                .collect::<Vec<_>>()
                .join(", "),
        }),
    }
}

/// `start` with these settings, which every game has.
fn built(start: Config, settings: &[&str]) -> Result<Config, SettingError> {
    let mut config = start;
    for setting in settings {
        config.assign(Game::Shogi, setting)?;
    }
    Ok(config)
}

fn foundation() -> Result<Config, SettingError> {
    let mut config = Config::default();
    for game in [Game::Shogi, Game::Chess] {
        for setting in Config::settings(game) {
            match setting.kind {
                Kind::Switch { .. } => config.set(game, setting.name, "off")?,
                Kind::Choice { choices, .. } => config.set(game, setting.name, choices[0])?,
                Kind::Int { .. } => {}
            }
        }
    }
    for line in FOUNDATION.lines() {
        let (table, assignment) = line.split_once(' ').unwrap_or(("", line));
        let game = match table {
            "chess" => Game::Chess,
            _ => Game::Shogi,
        };
        config.assign(game, assignment)?;
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_of_the_list_exists_and_no_other() {
        for (name, _) in PRESETS {
            assert!(Config::preset(name).is_ok(), "{name}");
        }
        let error = Config::preset("strong").unwrap_err().to_string();
        assert!(error.ends_with("sayuri, foundation)"), "{error}");
    }

    #[test]
    fn the_foundation_names_each_setting_once() {
        let mut lines: Vec<&str> = FOUNDATION
            .lines()
            .map(|line| line.split('=').next().unwrap_or(line))
            .collect();
        let count = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!((lines.len(), count), (180, 180));
    }

    #[test]
    fn the_tacos_players_differ_in_nothing_but_the_cut() {
        let changes = |name| Config::preset(name).unwrap().changes(Game::Shogi);
        assert_eq!(changes("tacos-n"), [""; 0]);
        assert_eq!(changes("tacos-ss"), ["soppo=static"]);
        assert_eq!(changes("tacos-ds"), ["soppo=dynamic"]);
    }

    #[test]
    fn sayuri_has_its_published_numbers() {
        let sayuri = Config::preset("sayuri").unwrap();
        let value = |name| sayuri.get(Game::Chess, name).unwrap();
        assert_eq!(value("eval.knight"), "400");
        assert_eq!(value("aspiration.delta"), "15");
        assert_eq!((value("lmp"), value("iid")), ("off".to_owned(), "on".to_owned()));
    }
}
