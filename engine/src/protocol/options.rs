//! The options a GUI sees, and those of the settings, which `--tunables` lists.

use super::Protocol;
use crate::config::{Config, Setting, SettingKind};
use crate::game::Game;

/// Default size of the hash table.
pub(super) const HASH_MIB: u64 = 64;
/// Default for the time lost between the engine and a GUI's clock.
pub(super) const OVERHEAD_MS: u64 = 30;

/// An option of the protocol itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GuiOption {
    Hash,
    /// Always one; announced because match runners set it.
    Threads,
    /// May the GUI say `go ponder`? Nothing follows from it.
    Ponder,
    MultiPv,
    Chess960,
    ShowWdl,
    Overhead,
}

/// Default, least and greatest value; a check has none.
type Range = Option<[u64; 3]>;

/// With the names in USI and UCI, empty where the protocol does without.
const GUI_OPTIONS: [(GuiOption, [&str; 2], Range); 7] = [
    (GuiOption::Hash, ["USI_Hash", "Hash"], Some([HASH_MIB, 1, 65_536])),
    (GuiOption::Threads, ["", "Threads"], Some([1, 1, 1])),
    (GuiOption::Ponder, ["USI_Ponder", "Ponder"], None),
    (GuiOption::MultiPv, ["MultiPV", "MultiPV"], Some([1, 1, 500])),
    (GuiOption::Chess960, ["", "UCI_Chess960"], None),
    (GuiOption::ShowWdl, ["", "UCI_ShowWDL"], None),
    (
        GuiOption::Overhead,
        ["Overhead_ms", "Overhead_ms"],
        Some([OVERHEAD_MS, 0, 10_000]),
    ),
];

fn rows(protocol: Protocol) -> impl Iterator<Item = (GuiOption, &'static str, Range)> {
    let named = GUI_OPTIONS
        .into_iter()
        .map(move |(option, names, range)| (option, names[protocol as usize], range));
    named.filter(|(_, name, _)| !name.is_empty())
}

/// The option of this name, in any case, and the number that `value` means, of a check 0 or 1.
pub(super) fn parse(protocol: Protocol, name: &str, value: &str) -> Option<Result<(GuiOption, u64), String>> {
    let (option, name, range) = rows(protocol).find(|row| row.1.eq_ignore_ascii_case(name))?;
    let (number, expected) = match range {
        Some([_, min, max]) => {
            let number = value.parse().ok().filter(|number| (min..=max).contains(number));
            (number, format!("{min} to {max}"))
        }
        None => {
            let number = ["false", "true"]
                .iter()
                .position(|text| value.eq_ignore_ascii_case(text));
            (number.map(|number| number as u64), "true or false".to_owned())
        }
    };
    let error = || format!("'{value}' is not a value of '{name}': expected {expected}");
    Some(number.map(|number| (option, number)).ok_or_else(error))
}

pub(super) fn hash_name(protocol: Protocol) -> &'static str {
    GUI_OPTIONS[0].1[protocol as usize]
}

/// The `option` lines that every GUI gets.
pub(super) fn gui_lines(protocol: Protocol) -> impl Iterator<Item = String> {
    rows(protocol).map(|(_, name, range)| match range {
        Some([default, min, max]) => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        None => format!("option name {name} type check default false"),
    })
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
        SettingKind::Choice { default, choices } => {
            let vars: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option name {name} type combo default {}{vars}", choices[default])
        }
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
