//! The options a GUI sees, and those of the settings, which `--tunables` lists.

use super::Protocol;
use crate::config::{Config, DeclarationRule, Setting, SettingKind};
use crate::game::Game;

/// Default size of the hash table.
pub(super) const HASH_MIB: u64 = 64;
/// Default for the time lost between the engine and a GUI's clock.
pub(super) const OVERHEAD_MS: u64 = 30;

/// An option of the protocol itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GuiOption {
    Hash,
    Threads,
    /// May the GUI say `go ponder`? Nothing follows from it.
    Ponder,
    MultiPv,
    Chess960,
    ShowWdl,
    /// The folders of Syzygy tables.
    Syzygy,
    Overhead,
    /// The rule of declaration, by the names of other engines.
    EnteringKing,
}

#[derive(Debug, Clone, Copy)]
enum Values {
    Check,
    /// Default, least and greatest.
    Spin([u64; 3]),
    /// The names, and which of them is the default.
    Combo(&'static [&'static str], DeclarationRule),
    Text,
}

use Values::{Check, Combo, Spin, Text};

/// The value of a text that is not set.
pub(super) const EMPTY: &str = "<empty>";

/// With the names in USI and UCI, empty where the protocol does without.
const GUI_OPTIONS: [(GuiOption, [&str; 2], Values); 9] = [
    (GuiOption::Hash, ["USI_Hash", "Hash"], Spin([HASH_MIB, 1, 65_536])),
    (GuiOption::Threads, ["Threads", "Threads"], Spin([1, 1, 256])),
    (GuiOption::Ponder, ["USI_Ponder", "Ponder"], Check),
    (GuiOption::MultiPv, ["MultiPV", "MultiPV"], Spin([1, 1, 500])),
    (GuiOption::Chess960, ["", "UCI_Chess960"], Check),
    (GuiOption::ShowWdl, ["", "UCI_ShowWDL"], Check),
    (GuiOption::Syzygy, ["", "SyzygyPath"], Text),
    (
        GuiOption::Overhead,
        ["Overhead_ms", "Overhead_ms"],
        Spin([OVERHEAD_MS, 0, 10_000]),
    ),
    (
        GuiOption::EnteringKing,
        ["EnteringKingRule", ""],
        Combo(&DeclarationRule::USI_NAMES, DeclarationRule::Points27),
    ),
];

fn rows(protocol: Protocol) -> impl Iterator<Item = (GuiOption, &'static str, Values)> {
    let named = GUI_OPTIONS
        .into_iter()
        .map(move |(option, names, values)| (option, names[protocol as usize], values));
    named.filter(|(_, name, _)| !name.is_empty())
}

/// The option of this name, in any case, and the number that `value` means: of a check 0 or 1, of a combo its
/// place, of a text 0.
pub(super) fn parse(protocol: Protocol, name: &str, value: &str) -> Option<Result<(GuiOption, u64), String>> {
    let (option, name, values) = rows(protocol).find(|row| row.1.eq_ignore_ascii_case(name))?;
    let place = |names: &[&str]| {
        let place = names.iter().position(|text| value.eq_ignore_ascii_case(text));
        place.map(|place| place as u64)
    };
    let (number, expected) = match values {
        Spin([_, min, max]) => {
            let number = value.parse().ok().filter(|number| (min..=max).contains(number));
            (number, format!("{min} to {max}"))
        }
        Check => (place(&["false", "true"]), "true or false".to_owned()),
        Combo(names, _) => (place(names), names.join(", ")),
        Text => (Some(0), String::new()),
    };
    let error = || format!("'{value}' is not a value of '{name}': expected {expected}");
    Some(number.map(|number| (option, number)).ok_or_else(error))
}

pub(super) fn hash_name(protocol: Protocol) -> &'static str {
    GUI_OPTIONS[0].1[protocol as usize]
}

/// The `option` lines that every GUI gets.
pub(super) fn gui_lines(protocol: Protocol) -> impl Iterator<Item = String> {
    rows(protocol).map(|(_, name, values)| match values {
        Spin([default, min, max]) => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        Check => format!("option name {name} type check default false"),
        Combo(names, default) => combo_line(name, default.usi_name(), names),
        Text => format!("option name {name} type string default {EMPTY}"),
    })
}

fn combo_line(name: &str, default: &str, choices: &[&str]) -> String {
    let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
    format!("option name {name} type combo default {default}{vars}")
}

/// What a setting is called: as everywhere else, but for the one that UCI, where case means nothing, would take for `Hash`.
fn name_of(protocol: Protocol, setting: &'static Setting) -> &'static str {
    match (protocol, setting.name) {
        (Protocol::Uci, "hash") => "hash_table",
        (_, name) => name,
    }
}

/// The setting of this name, in any case.
pub(super) fn setting(protocol: Protocol, game: Game, name: &str) -> Option<&'static Setting> {
    Config::settings(game).find(|setting| name_of(protocol, setting).eq_ignore_ascii_case(name))
}

/// The `option` line of a setting.
pub(super) fn setting_line(protocol: Protocol, setting: &'static Setting) -> String {
    let name = name_of(protocol, setting);
    match setting.kind {
        SettingKind::Switch { default } => format!("option name {name} type check default {default}"),
        SettingKind::Choice { default, choices } => combo_line(name, choices[default], choices),
        SettingKind::Int {
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
    fn no_two_options_have_one_name() {
        for (protocol, game) in [(Protocol::Usi, Game::Shogi), (Protocol::Uci, Game::Chess)] {
            let settings = Config::settings(game).map(|setting| name_of(protocol, setting));
            let names = rows(protocol).map(|row| row.1).chain(settings);
            let mut seen = std::collections::HashSet::new();
            assert!(names.map(str::to_lowercase).all(|name| seen.insert(name)));
            for option in Config::settings(game) {
                assert_eq!(setting(protocol, game, name_of(protocol, option)), Some(option));
            }
        }
    }
}
