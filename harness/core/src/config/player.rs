//! Player specifications: `base`, `PRESET`, `PRESET,key=value,…`, `key=value,…`, `usi:COMMAND…`, `uci:COMMAND…`, `@file.toml` or the
//! name of a table.

use std::path::Path;

use tanren_engine::config::{Config, SettingError};
use tanren_engine::game::Game;

use super::player_file::{PlayerFile, PlayerTables};
use super::source::{Source, read_table};
use super::{ConfigError, EngineProtocol, ProcessSpec, Refusal, Refusals};
use crate::foreign;

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

    /// The built-in engine playing by `config`.
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
        if let Some(path) = text.strip_prefix('@') {
            return PlayerSpec::read(game, Path::new(path));
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
        Ok(PlayerSpec {
            label: text.to_owned(),
            kind: PlayerKind::Builtin(Box::new(config)),
            game,
        })
    }

    fn read(game: Game, path: &Path) -> Result<PlayerSpec, ConfigError> {
        let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let source = Source::open(path)?;
        let mut wrong = Refusals::default();
        let file = read_table(&source.table, &mut wrong);
        wrong.check().map_err(|error| source.placed(error))?;
        PlayerSpec::from_file(game, &file, &stem, "of this file").map_err(|error| source.placed(error))
    }

    /// The player of a file or table called `name`, which stands at `place`.
    fn from_file(game: Game, file: &PlayerFile, name: &str, place: &str) -> Result<PlayerSpec, ConfigError> {
        let label = file.name.clone().unwrap_or_else(|| name.to_owned());
        let in_process = |refusal: Refusal| {
            let player = place.to_owned();
            let message = refusal.message;
            ConfigError::refused(refusal.key, ConfigError::Process { player, message })
        };
        if let Some(spec) = ProcessSpec::from_file(file).map_err(in_process)? {
            let kind = PlayerKind::Process(Box::new(spec));
            return Ok(PlayerSpec { label, kind, game });
        }
        let mut wrong = Refusals::default();
        let in_file = |source: SettingError| ConfigError::Setting {
            player: place.to_owned(),
            source,
        };
        let preset = Config::preset(game, file.preset.as_deref().unwrap_or("base"));
        let mut config = wrong
            .take("preset", preset.map_err(in_file))
            .unwrap_or_else(|| Config::base(game));
        for (name, value) in file.assignments() {
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

    /// Refuses an engine of chess in games of shogi, which no game should begin with, though games on record may have one.
    pub fn check_game(&self) -> Result<(), ConfigError> {
        let speaks_uci = self
            .process()
            .is_some_and(|process| process.protocol == EngineProtocol::Uci);
        if self.game == Game::Shogi && speaks_uci {
            let label = self.label.clone();
            return Err(ConfigError::ChessEngine { label });
        }
        Ok(())
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
    let Some(character) = foreign::unsafe_character(label) else {
        return Ok(());
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

    #[test]
    fn a_file_gives_the_same_player_as_its_settings_on_the_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("careful.toml");
        let text = "preset = \"base\"\n[settings]\nnull_move = \"prune\"\n\"null_move.reduction\" = 2\n[settings.eval]\npawn = 90\n";
        std::fs::write(&path, text).unwrap();
        let from_file = PlayerSpec::parse(Game::Shogi, "a", &format!("@{}", path.display())).unwrap();
        let text = "null_move=prune,null_move.reduction=2,eval.pawn=90";
        let from_text = PlayerSpec::parse(Game::Shogi, "a", text).unwrap();
        assert_eq!(from_file.kind, from_text.kind);
        assert_eq!(from_file.label, "careful");
        assert_eq!(from_file.canonical(), from_text.canonical());
    }

    #[test]
    fn an_unknown_key_of_a_file_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wrong.toml");
        std::fs::write(&path, "preset = \"base\"\ncolour = 1\n").unwrap();
        let error = PlayerSpec::parse(Game::Shogi, "a", &format!("@{}", path.display())).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("line 2") && message.contains("colour"),
            "{message}"
        );
    }

    #[test]
    fn a_misspelt_setting_is_refused_with_the_player_and_the_nearest_name() {
        let error = PlayerSpec::parse(Game::Shogi, "b", "base,nul_move=off").unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("player b") && message.contains("did you mean 'null_move'"),
            "{message}"
        );
    }

    #[test]
    fn a_program_of_a_file_is_the_same_as_on_the_command_line_and_keeps_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.toml");
        let text = "name = \"old, 1\"\ncommand = \"engine\"\narguments = [\"-x\"]\nponder = true\n[options]\nThreads = 1\nBook = false\n";
        std::fs::write(&path, text).unwrap();
        let from_file = PlayerSpec::parse(Game::Shogi, "a", &format!("@{}", path.display())).unwrap();
        let text = "usi:engine -x,option.Threads=1,option.Book=false,ponder=on";
        let from_text = PlayerSpec::parse(Game::Shogi, "a", text).unwrap();
        assert_eq!(from_file.kind, from_text.kind);
        assert_eq!(from_text.label, text);
        let again = PlayerSpec::parse(Game::Shogi, "a", &from_file.text()).unwrap();
        assert_eq!(again, from_file);
    }

    #[test]
    fn a_label_with_controls_is_refused_wherever_it_comes_from() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loud.toml");
        std::fs::write(&path, "name = \"a\\u001b[2Jb\"\n").unwrap();
        let refusal = |text: &str| PlayerSpec::parse(Game::Shogi, "b", text).unwrap_err().to_string();
        let message = refusal(&format!("@{}", path.display()));
        assert!(
            message.contains(r"player b, 'a\u001b[2Jb', holds the character U+001B"),
            "{message}"
        );
        assert!(refusal("usi:engine,name=a\u{202e}b").contains("U+202E"));
        assert!(refusal("usi:engine a\u{1b}b,name=x").contains("U+001B"));
        let refused = check_label("b", "two\nlines").unwrap_err();
        assert!(refused.to_string().contains("U+000A"), "{refused}");
    }

    #[test]
    fn a_program_has_no_settings_and_cannot_stand_where_the_built_in_engine_must() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("both.toml");
        std::fs::write(&path, "command = \"engine\"\n[settings]\nnull_move = \"off\"\n").unwrap();
        let error = PlayerSpec::parse(Game::Shogi, "a", &format!("@{}", path.display())).unwrap_err();
        assert!(error.to_string().contains("built-in engine"), "{error}");
        std::fs::write(&path, "ponder = true\n").unwrap();
        let error = PlayerSpec::parse(Game::Shogi, "a", &format!("@{}", path.display())).unwrap_err();
        assert!(error.to_string().contains("no command"), "{error}");
        let program = PlayerSpec::parse(Game::Shogi, "a", "usi:engine").unwrap();
        assert!(
            program
                .builtin()
                .unwrap_err()
                .to_string()
                .contains("external engine")
        );
    }
}
