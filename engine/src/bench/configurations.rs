//! The players whose signatures are kept: a change of play shows in one of them.
//!
//! In: a game. Out: texts that [`Config::parse`] takes.

use crate::config::{Config, Kind, PRESETS, Setting};
use crate::game::Game;

/// The presets, and `base` with each switch and each choice set to each value that is not its own; what belongs to a
/// technique that `base` does without (`singular.double`) together with the technique.
pub fn configurations(game: Game) -> Vec<String> {
    let presets = PRESETS.iter().map(|(name, _)| (*name).to_owned());
    let flipped = Config::settings(game).flat_map(|setting| {
        let technique = setting.name.split_once('.').map(|(technique, _)| technique);
        let owner = Config::settings(game).find(|other| Some(other.name) == technique);
        let with = owner
            .and_then(switched_on)
            .map(|on| format!("{on},"))
            .unwrap_or_default();
        let others = values(setting)
            .iter()
            .filter(|value| **value != setting.default_text());
        others
            .map(move |value| format!("{with}{}={value}", setting.name))
            .collect::<Vec<_>>()
    });
    presets.chain(flipped).collect()
}

fn values(setting: &Setting) -> &'static [&'static str] {
    match setting.kind {
        Kind::Switch { .. } => &["on", "off"],
        Kind::Choice { choices, .. } => choices,
        Kind::Int { .. } => &[],
    }
}

/// What switches on a technique that is off.
fn switched_on(setting: &Setting) -> Option<String> {
    let on = match setting.kind {
        Kind::Switch { default: false } => "on",
        Kind::Choice { default: 0, choices } => choices.last()?,
        _ => return None,
    };
    Some(format!("{}={on}", setting.name))
}
