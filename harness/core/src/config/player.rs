//! Player specifications: `base`, `PRESET`, `key=value,…`, `@FILE.toml`, `@NAME` of the engine library, each with `,key=value…`;
//! `usi:COMMAND…`, `uci:COMMAND…`; or the name of a table.

use std::path::Path;

use tanren_engine::config::{Config, SettingError};
use tanren_engine::game::Game;

use super::library::named_file;
use super::player_file::{PlayerFile, PlayerTables, flat};
use super::{ConfigError, EngineProtocol, Mistake, Mistakes, ProcessSpec};
use crate::sanitize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerSpec {
    pub label: String,
    pub kind: PlayerKind,
    game: Game,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerKind {
    /// The engine of this workspace, playing by this configuration.
    Builtin(Box<Config>),
    Process(Box<ProcessSpec>),
}

impl PlayerSpec {
    /// Parses what the user gave for `player` (`a` or `b`, for messages).
    pub fn parse(game: Game, player: &str, text: &str) -> Result<PlayerSpec, ConfigError> {
        PlayerSpec::parse_among(game, player, text, &PlayerTables::new())
    }

    pub fn of_config(game: Game, label: String, config: Config) -> PlayerSpec {
        PlayerSpec {
            label,
            kind: PlayerKind::Builtin(Box::new(config)),
            game,
        }
    }

    /// As [`parse`](PlayerSpec::parse), where `text` may also be the name of one of `tables`.
    pub(super) fn parse_among(
        game: Game,
        player: &str,
        text: &str,
        tables: &PlayerTables,
    ) -> Result<PlayerSpec, ConfigError> {
        let spec = PlayerSpec::parse_unchecked(game, player, text.trim(), tables)?;
        check_label(player, &spec.label)?;
        Ok(spec)
    }

    fn parse_unchecked(
        game: Game,
        player: &str,
        text: &str,
        tables: &PlayerTables,
    ) -> Result<PlayerSpec, ConfigError> {
        if text == "@" {
            let message =
                format!("player {player}: @ needs a name: @NAME of the engine library, or @FILE.toml");
            return Err(ConfigError::refused(player, message));
        }
        if let Some(named) = named_file(text) {
            let (path, text, keys) = named?;
            return PlayerSpec::read(game, &path, &text)?.amended(player, keys);
        }
        if let Some(table) = tables.get(text) {
            return PlayerSpec::from_file(game, table, text, &format!("[player.{text}]"));
        }
        if let Some(process) = ProcessSpec::parse(text) {
            let (name, spec) = process.map_err(|message| ConfigError::Process {
                player: player.to_owned(),
                message,
            })?;
            return Ok(PlayerSpec {
                label: name.unwrap_or_else(|| text.to_owned()),
                kind: PlayerKind::Process(Box::new(spec)),
                game,
            });
        }
        let config = Config::parse(game, text).map_err(|source| ConfigError::Setting {
            player: player.to_owned(),
            source,
        })?;
        Ok(PlayerSpec::of_config(game, text.to_owned(), config))
    }

    /// The same with `keys`, `,key=value…`, in place of those of its file.
    fn amended(mut self, player: &str, keys: &str) -> Result<PlayerSpec, ConfigError> {
        let Some(settings) = keys.strip_prefix(',') else {
            return Ok(self);
        };
        let mut label = None;
        match &mut self.kind {
            PlayerKind::Builtin(config) => {
                let amended = config.clone().amended(self.game, settings);
                **config = amended.map_err(|source| ConfigError::Setting {
                    player: player.to_owned(),
                    source,
                })?;
            }
            PlayerKind::Process(process) => {
                let amended = process.with_keys(keys).map_err(|message| ConfigError::Process {
                    player: player.to_owned(),
                    message,
                })?;
                (label, **process) = amended;
            }
        }
        self.label = label.unwrap_or_else(|| self.label + keys);
        Ok(self)
    }

    /// Is a player of this text one of chess, by what it speaks or by what its file says?
    pub(super) fn is_of_chess(text: &str) -> bool {
        let text = text.trim();
        let Some(named) = named_file(text) else {
            return text.starts_with("uci:");
        };
        // No key behind a file changes its game.
        let read = named
            .ok()
            .and_then(|(path, text, _)| PlayerFile::parse(&path, &text).ok());
        read.is_some_and(|(file, _)| {
            let is = |key: &Option<String>, name: &str| key.as_deref() == Some(name);
            is(&file.game, Game::Chess.name()) || is(&file.protocol, EngineProtocol::Uci.name())
        })
    }

    /// The player of the file at `path`, which holds `text`.
    fn read(game: Game, path: &Path, text: &str) -> Result<PlayerSpec, ConfigError> {
        let read = || {
            let (file, source) = PlayerFile::parse(path, text)?;
            let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
            PlayerSpec::from_file(game, &file, &stem, "of this file").map_err(|error| error.placed(&source))
        };
        read().map_err(|error: ConfigError| error.of_named(path))
    }

    /// The player of a file or table called `name`, which stands at `place`.
    fn from_file(game: Game, file: &PlayerFile, name: &str, place: &str) -> Result<PlayerSpec, ConfigError> {
        let label = file.name.clone().unwrap_or_else(|| name.to_owned());
        if let Some(own) = file.game.as_deref().filter(|own| *own != game.name()) {
            let message = match Game::from_name(own) {
                Some(_) => format!(
                    "the player is one of {own}, not of {}: give --game {own}",
                    game.name()
                ),
                None => format!("unknown game '{own}' (games: shogi, chess)"),
            };
            return Err(ConfigError::refused("game", message));
        }
        let in_process = |mistake: Mistake| {
            let player = place.to_owned();
            let message = mistake.message;
            ConfigError::refused(mistake.key, ConfigError::Process { player, message })
        };
        if let Some(spec) = ProcessSpec::from_file(file).map_err(in_process)? {
            let kind = PlayerKind::Process(Box::new(spec));
            return Ok(PlayerSpec { label, kind, game });
        }
        let mut wrong = Mistakes::default();
        let in_file = |source: SettingError| ConfigError::Setting {
            player: place.to_owned(),
            source,
        };
        let preset = Config::preset(game, file.preset.as_deref().unwrap_or("base"));
        let mut config = wrong
            .take("preset", preset.map_err(in_file))
            .unwrap_or_else(|| Config::base(game));
        for (name, value) in flat(&file.settings) {
            wrong.take(
                &format!("settings.{name}"),
                config.set(game, &name, &value).map_err(in_file),
            );
        }
        wrong.check()?;
        let kind = PlayerKind::Builtin(Box::new(config));
        Ok(PlayerSpec { label, kind, game })
    }

    /// The configuration of the built-in engine; `None` if this is an external engine.
    pub fn config(&self) -> Option<&Config> {
        match &self.kind {
            PlayerKind::Builtin(config) => Some(config),
            PlayerKind::Process(_) => None,
        }
    }

    /// The configuration of the built-in engine, for what an external engine cannot do.
    pub fn builtin(&self) -> Result<&Config, ConfigError> {
        self.config().ok_or_else(|| ConfigError::NotBuiltin {
            label: self.label.clone(),
        })
    }

    /// The external engine; `None` if this is the built-in engine.
    pub fn process(&self) -> Option<&ProcessSpec> {
        match &self.kind {
            PlayerKind::Builtin(_) => None,
            PlayerKind::Process(spec) => Some(spec),
        }
    }

    /// Refuses an engine of the other game, which no run should begin with, though games on record may have one.
    pub fn check_game(&self) -> Result<(), ConfigError> {
        let label = || self.label.clone();
        match (self.game, self.process().map(|process| process.protocol)) {
            (Game::Shogi, Some(EngineProtocol::Uci)) => Err(ConfigError::ChessEngine { label: label() }),
            (Game::Chess, Some(EngineProtocol::Usi)) => Err(ConfigError::ShogiEngine { label: label() }),
            _ => Ok(()),
        }
    }

    /// Its name, unless [`text`](PlayerSpec::text) gives it anyway.
    pub(super) fn own_label(&self) -> Option<String> {
        let read = PlayerSpec::parse(self.game, "", &self.text());
        let is_given = read.is_ok_and(|read| read.label == self.label);
        (!is_given).then(|| self.label.clone())
    }

    /// The same player with the name that its text gives, for where the text is all that is written down.
    pub(super) fn named_by_text(self) -> PlayerSpec {
        PlayerSpec::parse(self.game, "", &self.text()).unwrap_or(self)
    }

    /// The shortest text that [`parse`](PlayerSpec::parse) takes to this player without its file.
    pub fn text(&self) -> String {
        match (&self.kind, Config::parse(self.game, &self.label)) {
            (PlayerKind::Builtin(config), Ok(labelled)) if labelled == **config => self.label.clone(),
            (PlayerKind::Builtin(_), _) => self.canonical(),
            (PlayerKind::Process(spec), _) => {
                let text = format!("{},name={}", spec.text(), self.label);
                match ProcessSpec::parse(text.trim()) {
                    Some(Ok((Some(name), read))) if name == self.label && read == **spec => text,
                    // Not every name can stand there.
                    _ => spec.text(),
                }
            }
        }
    }

    /// Every setting that differs from `base`, in table order, or the whole command: two players of the same text (and
    /// the same program) play the same.
    pub fn canonical(&self) -> String {
        let config = match &self.kind {
            PlayerKind::Builtin(config) => config,
            PlayerKind::Process(spec) => return spec.text(),
        };
        let mut parts = vec!["base".to_owned()];
        parts.extend(config.changes(self.game));
        parts.join(",")
    }
}

/// Refuses a label that holds controls of a terminal or of a line.
pub(super) fn check_label(player: &str, label: &str) -> Result<(), ConfigError> {
    let character = match sanitize::unsafe_character(label) {
        None if label.trim().is_empty() => {
            let message = format!("the name of player {player} is empty: give one, or leave name out");
            return Err(ConfigError::refused("name", message));
        }
        None => return Ok(()),
        Some(character) => character,
    };
    Err(ConfigError::UnsafeLabel {
        player: player.to_owned(),
        label: label.to_owned(),
        character,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PlayerSpec, ConfigError> {
        PlayerSpec::parse(Game::Shogi, "b", text)
    }

    fn of_file(text: &str) -> Result<PlayerSpec, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("careful.toml");
        std::fs::write(&path, text).unwrap();
        parse(&format!("@{}", path.display()))
    }

    #[test]
    fn a_file_gives_the_same_player_as_its_settings_on_the_command_line() {
        let text = "preset = \"base\"\n[settings]\nnull_move = \"prune\"\n\"null_move.reduction\" = 2\n[settings.eval]\npawn = 90\n";
        let from_file = of_file(text).unwrap();
        let from_text = parse("null_move=prune,null_move.reduction=2,eval.pawn=90").unwrap();
        assert_eq!(from_file.kind, from_text.kind);
        assert_eq!(from_file.label, "careful");
        assert_eq!(from_file.canonical(), from_text.canonical());
    }

    #[test]
    fn settings_and_options_behind_a_file_take_the_place_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| format!("@{}", folder.path().join(name).display());
        let write = |name, text| std::fs::write(folder.path().join(name), text).unwrap();
        write(
            "tuned.toml",
            "[settings]\n\"lmr.base\" = 500\nrazoring = \"on\"\n",
        );
        write("old, new.toml", "command = \"engine\"\n[options]\nHash = 1\n");
        let tuned = place("tuned.toml");
        let amended = parse(&format!("{tuned},lmr.base=600,null_move=off")).unwrap();
        assert_eq!(amended.label, "tuned,lmr.base=600,null_move=off");
        assert_eq!(amended.canonical(), "base,null_move=off,razoring=on,lmr.base=600");
        let engine = parse(&format!("{},option.Hash=2", place("old, new.toml"))).unwrap();
        assert!(engine.text().contains("option.Hash=2"), "{}", engine.text());
        for (keys, expected) in [("nul_move=off", "null_move"), ("", "''")] {
            let refused = parse(&format!("{tuned},{keys}")).unwrap_err().to_string();
            assert!(refused.contains(expected), "{refused}");
        }
    }

    #[test]
    fn a_file_may_name_its_game_and_is_refused_in_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let write = |text| {
            std::fs::write(folder.path().join("tuned.toml"), text).unwrap();
            format!("@{},lmr=off", folder.path().join("tuned.toml").display())
        };
        let chess = write("game = \"chess\"\n[settings]\n\"lmr.base\" = 500\n");
        assert!(PlayerSpec::is_of_chess(&chess));
        assert!(PlayerSpec::parse(Game::Chess, "a", &chess).is_ok());
        let refused = parse(&chess).unwrap_err().to_string();
        assert!(
            refused.contains("one of chess, not of shogi: give --game chess"),
            "{refused}"
        );
        let refused = parse(&write("game = \"go\"\n")).unwrap_err().to_string();
        assert!(refused.contains("unknown game 'go'"), "{refused}");
    }

    #[test]
    fn a_program_of_a_file_is_the_same_as_on_the_command_line_and_keeps_its_name() {
        let text = "name = \"old, 1\"\ncommand = \"engine\"\narguments = [\"-x\"]\nponder = true\n[options]\nThreads = 1\nBook = false\n";
        let from_file = of_file(text).unwrap();
        let text = "usi:engine -x,option.Threads=1,option.Book=false,ponder=on";
        let from_text = parse(text).unwrap();
        assert_eq!(from_file.kind, from_text.kind);
        assert_eq!(from_text.label, text);
        assert_eq!(parse(&from_file.text()).unwrap(), from_file);
        let refused = from_text.builtin().unwrap_err().to_string();
        assert!(refused.contains("external engine"), "{refused}");
    }

    #[test]
    #[cfg_attr(windows, ignore = "paths of Unix")]
    fn a_program_beside_its_file_is_found_from_any_folder() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        std::fs::write(place("engine"), "").unwrap();
        std::fs::write(place("x.toml"), "command = \"./engine\"\ndirectory = \".\"\n").unwrap();
        let player = parse(&format!("@{}", place("x.toml").display())).unwrap();
        let process = player.process().unwrap();
        assert_eq!(process.command, place("engine"));
        assert_eq!(process.directory.as_deref(), Some(folder.path()));
    }

    #[test]
    fn what_cannot_be_a_player_is_refused_with_its_place_and_the_nearest_name() {
        let cases = [
            (of_file("preset = \"base\"\ncolour = 1\n"), ["line 2", "colour"]),
            (
                of_file("command = \"engine\"\n[settings]\nnull_move = \"off\"\n"),
                ["line 1", "built-in engine"],
            ),
            (of_file("ponder = true\n"), ["of this file", "no command"]),
            (
                of_file("name = \"a\\u001b[2Jb\"\n"),
                ["player b, 'a\\u001b[2Jb', holds", "the character U+001B"],
            ),
        ];
        for (refused, expected) in cases {
            let message = refused.unwrap_err().to_string();
            assert!(
                expected.iter().all(|part| message.contains(part)),
                "{expected:?}: {message}"
            );
        }
    }
}
