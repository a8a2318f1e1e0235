//! Player specifications.
//!
//! In: `base`, `PRESET`, `PRESET,key=value,…`, `key=value,…` or `@file.toml`. Out: a [`PlayerSpec`].
//! Must not: start or allocate a player.

use std::path::Path;

use tanren_engine::config::{Config, SettingError};
use tanren_engine::game::Game;

use super::ConfigError;
use super::wire::PlayerFile;

/// One player of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerSpec {
    /// What reports call it.
    pub label: String,
    /// How it plays.
    pub config: Config,
    game: Game,
}

impl PlayerSpec {
    /// Parses what the user gave for `player` (`a` or `b`, for messages).
    ///
    /// # Errors
    /// An unknown preset or setting, a value out of range, an unreadable file, or another program.
    pub fn parse(game: Game, player: &str, text: &str) -> Result<PlayerSpec, ConfigError> {
        let text = text.trim();
        if let Some(path) = text.strip_prefix('@') {
            return PlayerSpec::read(game, Path::new(path));
        }
        if text.starts_with("usi:") || text.starts_with("uci:") {
            return Err(ConfigError::ProcessPlayer {
                player: player.to_owned(),
                text: text.to_owned(),
            });
        }
        let config = Config::parse(game, text).map_err(|source| ConfigError::Setting {
            player: player.to_owned(),
            source,
        })?;
        Ok(PlayerSpec {
            label: text.to_owned(),
            config,
            game,
        })
    }

    fn read(game: Game, path: &Path) -> Result<PlayerSpec, ConfigError> {
        let file = PlayerFile::read(path)?;
        let in_file = |source: SettingError| ConfigError::Setting {
            player: format!("in '{}'", path.display()),
            source,
        };
        let mut config = Config::preset(file.preset.as_deref().unwrap_or("base")).map_err(in_file)?;
        for (name, value) in file.assignments() {
            config.set(game, &name, &value).map_err(in_file)?;
        }
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        Ok(PlayerSpec {
            label: file.name.unwrap_or_else(|| stem.to_string_lossy().into_owned()),
            config,
            game,
        })
    }

    /// The shortest text that [`parse`](PlayerSpec::parse) takes to this player without its file.
    pub fn text(&self) -> String {
        match Config::parse(self.game, &self.label) {
            Ok(config) if config == self.config => self.label.clone(),
            _ => self.canonical(),
        }
    }

    /// Every setting that differs from `base`, in table order: two players with the same text play the same.
    pub fn canonical(&self) -> String {
        let mut parts = vec!["base".to_owned()];
        parts.extend(self.config.changes(self.game));
        parts.join(",")
    }
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
        assert_eq!(from_file.config, from_text.config);
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
    fn another_program_is_refused_in_words() {
        let error = PlayerSpec::parse(Game::Shogi, "a", "usi:./engine").unwrap_err();
        assert!(error.to_string().contains("built-in engine only"), "{error}");
    }
}
