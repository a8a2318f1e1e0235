//! The built-in presets: lists of settings with a name.
//!
//! `foundation` is the engine of the first release, whatever later releases make of the defaults: its file names every
//! setting there was. A setting that came later is as good as absent in it: a switch is off, a choice is the first of its
//! list (by custom the absence of the technique), a number has its default; numbers that act without a switch are named too.
//! A test of `bench` holds its play fast.

use super::declare::SettingKind;
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
        "tacos-paper-n",
        "base without late move reductions and pruning by LMP, futility, history or SEE: near the search of the paper on soppo moves",
    ),
    (
        "tacos-paper-ss",
        "tacos-paper-n with SS-Cut when moves are generated",
    ),
    (
        "tacos-paper-ds",
        "tacos-paper-n with DS-Cut when moves are generated",
    ),
    (
        "sayuri",
        "Sayuri's published search, in chess its evaluation too (without pins, threats, weak squares, centre, development, and its own square values)",
    ),
    (
        "sayuri-article",
        "sayuri with the pass of its author's article, which is searched at depth - 4",
    ),
    (
        "bonanza",
        "base with Bonanza's rule of easy positions: less time where one root move leads by quiescence search (easy_move.reading=small: where none does)",
    ),
    (
        "hiyoko",
        "base with Hiyoko's rules: a move is played once all others are mated, stable positions (a small gap) get less time, ponder hits end by iterations",
    ),
    ("foundation", "the engine of the first release, a fixed reference"),
];

/// Sayuri's search as far as shogi has it too, on top of alpha-beta without techniques. The late move reduction is one ply whatever
/// else: `lmr.base` is far enough from none and two for the history term, which cannot be switched off.
const SAYURI: &str = include_str!("presets/sayuri.txt");

/// The rest of Sayuri's search, and its evaluation as published: material, weights and phase. Without a setting here are pins, attacked and
/// defended pieces, weak squares, control of the centre, development, bad bishops, Sayuri's own square values (those of `base` are used), the
/// grades of the pawn shield by rank, and that a check is extended where it is answered.
const SAYURI_CHESS: &str = include_str!("presets/sayuri_chess.txt");

/// What the search of the paper on soppo moves does without: pruning and reducing by the number, score or exchange of a move,
/// which drops many of the moves that a cut by distance would drop.
const TACOS_PAPER: &str = include_str!("presets/tacos_paper.txt");

/// Hiyoko's changes from one version to the next: fail-soft with the rule it allows at the root, stable positions answered a
/// little sooner, and as many iterations after a ponder hit as the search before.
const HIYOKO: &str = include_str!("presets/hiyoko.txt");

/// One line a setting: the table it belongs to (`search` or the game that it weighs), its name and value.
const FOUNDATION: &str = include_str!("presets/foundation.txt");

impl Config {
    /// The preset of this name, for `game`.
    pub fn preset(game: Game, name: &str) -> Result<Config, SettingError> {
        let base = Config::base(game);
        match name {
            "base" => Ok(base),
            "plain" => Ok(base.plain()),
            "tacos-n" => base.with(game, "soppo=off"),
            "tacos-ss" => base.with(game, "soppo=static"),
            "tacos-ds" => base.with(game, "soppo=dynamic"),
            "tacos-paper-n" => base.with(game, TACOS_PAPER),
            "tacos-paper-ss" => base.with(game, TACOS_PAPER)?.with(game, "soppo=static"),
            "tacos-paper-ds" => base.with(game, TACOS_PAPER)?.with(game, "soppo=dynamic"),
            "sayuri" => {
                let more = if game == Game::Chess { SAYURI_CHESS } else { "" };
                base.plain().with(game, SAYURI)?.with(game, more)
            }
            "sayuri-article" => Config::preset(game, "sayuri")?.with(game, "null_move.shallower=4"),
            "bonanza" => base.with(game, "easy_move=on easy_move.reading=large"),
            "hiyoko" => base.with(game, HIYOKO),
            "foundation" => foundation(game),
            _ => {
                let known: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
                Err(SettingError::UnknownPreset(name.to_owned(), known.join(", ")))
            }
        }
    }

    /// Parses `PRESET`, `PRESET,key=value,…` or `key=value,…` (starting from `base`).
    pub fn parse(game: Game, text: &str) -> Result<Config, SettingError> {
        match text.split_once(',') {
            Some((preset, changes)) if !preset.contains('=') => {
                Config::preset(game, preset.trim())?.amended(game, changes)
            }
            None if !text.contains('=') => Config::preset(game, text.trim()),
            _ => Config::base(game).amended(game, text),
        }
    }

    /// With `key=value,…` in place of its own settings; each may be given once.
    pub fn amended(mut self, game: Game, text: &str) -> Result<Config, SettingError> {
        let mut given = Vec::new();
        for part in text.split(',').map(str::trim) {
            let name = part.split('=').next().unwrap_or(part).trim();
            if given.contains(&name) {
                return Err(SettingError::Twice(name.to_owned()));
            }
            given.push(name);
            self.assign(game, part)?;
        }
        Ok(self)
    }

    fn plain(self) -> Config {
        Config {
            search: self.search.plain(),
            ..self
        }
    }

    fn with(mut self, game: Game, assignments: &str) -> Result<Config, SettingError> {
        for assignment in assignments.split_whitespace() {
            self.assign(game, assignment)?;
        }
        Ok(self)
    }
}

fn foundation(game: Game) -> Result<Config, SettingError> {
    let mut config = Config::base(game);
    for setting in Config::known(game) {
        match setting.kind {
            SettingKind::Switch { .. } => config.set(game, setting.name, "off")?,
            SettingKind::Choice { choices, .. } => config.set(game, setting.name, choices[0])?,
            SettingKind::Int { .. } => {}
        }
    }
    for line in FOUNDATION.lines() {
        let (table, assignment) = line.split_once(' ').unwrap_or(("", line));
        if ["search", game.name()].contains(&table) {
            config.assign(game, assignment)?;
        }
    }
    Ok(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_of_the_list_exists_and_no_other() {
        for (name, _) in PRESETS {
            for game in [Game::Shogi, Game::Chess] {
                assert!(Config::preset(game, name).is_ok(), "{name}");
            }
        }
        let error = Config::preset(Game::Shogi, "strong").unwrap_err().to_string();
        assert!(
            error.ends_with("sayuri, sayuri-article, bonanza, hiyoko, foundation)"),
            "{error}"
        );
    }
}
