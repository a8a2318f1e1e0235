//! Settings that do nothing in the game that is to be played.

use tanren_engine::config::{Config, PRESETS};
use tanren_engine::game::Game;

use crate::config::PlayerSpec;
use crate::session::error::ExperimentError;

pub(crate) fn check(game: Game, player: &PlayerSpec) -> Result<(), ExperimentError> {
    let Some(config) = player.config() else {
        return Ok(());
    };
    let given = |name: &str| {
        let mut words = player.label.split(',').filter_map(|part| part.split_once('='));
        words.any(|(word, _)| word.trim() == name)
    };
    let found =
        Config::idle(game).find(|setting| given(setting.name) || !is_of_a_preset(game, config, setting.name));
    found.map_or(Ok(()), |setting| {
        let (name, label) = (setting.name, &player.label);
        Err(ExperimentError::Input(format!(
            "player '{label}': {name} does nothing in {}; leave it out",
            game.name()
        )))
    })
}

fn is_of_a_preset(game: Game, config: &Config, name: &str) -> bool {
    let value = config.get(game, name);
    let mut presets = PRESETS
        .iter()
        .filter_map(|(preset, _)| Config::preset(game, preset).ok());
    presets.any(|preset| preset.get(game, name) == value)
}
