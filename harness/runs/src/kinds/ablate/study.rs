//! What each technique is worth: the full engine against itself with one setting changed.
//!
//! Everything is seen from the setting *as it stands in the base*: Elo is that of the base against the changed engine, a
//! ratio of nodes is the changed engine's over the base's. So both are above zero (above one) where the base is better.

mod length;
mod row;

use tanren_engine::config::{Config, Setting, SettingError, SettingKind, SwitchedOff};
use tanren_engine::game::Game;

use crate::kinds::nodes::{NodesSummary, SummaryRow};
use crate::record::Search;

pub use length::{ALPHA, Length};
pub use row::{AblationRow, Acted, AtLimit, GainOrLoss, judge};

/// Belongs to the rules of a match.
const OF_RULES: &str = "declaration";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    pub technique: String,
    pub setting: String,
    pub base_setting: String,
    pub config: Config,
    /// What both engines have changed.
    pub given: Option<Box<Variant>>,
}

impl Variant {
    pub fn assignment(&self) -> String {
        format!("{}={}", self.technique, self.setting)
    }

    /// `lmr=off with null_move=off`
    pub fn name(&self) -> String {
        let given = self.given.as_ref();
        let given = given.map_or_else(String::new, |given| format!(" with {}", given.assignment()));
        self.assignment() + &given
    }

    /// The same change where both engines have `given`; nothing if it does nothing there.
    fn with(&self, game: Game, given: &Variant) -> Option<Variant> {
        let name = &self.technique;
        if *name == given.technique || given.config.switched_off(game, name).is_some() {
            return None;
        }
        let variant = Variant::new(game, &given.config, name, &self.setting).ok()?;
        Some(Variant {
            given: Some(Box::new(given.clone())),
            ..variant
        })
    }

    pub fn new(game: Game, base: &Config, name: &str, value: &str) -> Result<Variant, SettingError> {
        let mut config = base.clone();
        config.set(game, name, value)?;
        let text_of = |config: &Config| config.get(game, name).unwrap_or_default();
        Ok(Variant {
            technique: name.to_owned(),
            setting: text_of(&config),
            base_setting: text_of(base),
            config,
            given: None,
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Skipped {
    #[error("{0} acts only where a clock runs")]
    OfClocks(&'static str),
    #[error("{name} does nothing in {game}")]
    OfOtherGames { name: &'static str, game: &'static str },
    #[error("{0} belongs to the rules of the match, not to a player")]
    OfRules(&'static str),
    #[error("{0} (as in --base base,{technique}={needed})", technique = .0.technique, needed = .0.needed)]
    SwitchedOff(SwitchedOff),
}

impl Skipped {
    pub fn of_other_games(name: &'static str, game: Game) -> Skipped {
        Skipped::OfOtherGames {
            name,
            game: game.name(),
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Skipped::OfClocks(name) | Skipped::OfRules(name) | Skipped::OfOtherGames { name, .. } => name,
            Skipped::SwitchedOff(off) => off.name,
        }
    }
}

pub fn variants(game: Game, base: &Config) -> (Vec<Variant>, Vec<Skipped>) {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    for setting in Config::settings(game) {
        let values = match setting.kind {
            SettingKind::Switch { .. } => &["off", "on"][..],
            SettingKind::Choice { choices, .. } => choices,
            SettingKind::Int { .. } => continue,
        };
        if let Some(reason) = reason_to_skip(game, base, setting) {
            skipped.push(reason);
            continue;
        }
        let of_setting = values
            .iter()
            .filter_map(|value| Variant::new(game, base, setting.name, value).ok());
        found.extend(of_setting.filter(|variant| variant.setting != variant.base_setting));
    }
    skipped.extend(Config::idle(game).map(|setting| Skipped::of_other_games(setting.name, game)));
    (found, skipped)
}

/// Each row once more for each of `given` that both engines have changed. Two that are given are paired once.
pub fn pairs_of(game: Game, rows: &[Variant], given: &[Variant]) -> Vec<Variant> {
    let of = |(number, both): (usize, &Variant)| -> Vec<Variant> {
        let is_paired = |row: &&Variant| given[..number].contains(row) && rows.contains(both);
        let rows = rows.iter().filter(|row| !is_paired(row));
        rows.filter_map(|row| row.with(game, both)).collect()
    };
    given.iter().enumerate().flat_map(of).collect()
}

fn reason_to_skip(game: Game, base: &Config, setting: &Setting) -> Option<Skipped> {
    let name = setting.name;
    if Config::is_of_clocks(name) {
        return Some(Skipped::OfClocks(name));
    }
    if name == OF_RULES {
        return Some(Skipped::OfRules(name));
    }
    base.switched_off(game, name).map(Skipped::SwitchedOff)
}

pub fn compare_nodes(base: &[Search], changed: &[Search], depth: u32) -> Option<SummaryRow> {
    let as_config = |config, searches: &[Search]| -> Vec<Search> {
        let renamed = searches.iter().cloned();
        renamed.map(|search| Search { config, ..search }).collect()
    };
    let searches = [as_config(0, base), as_config(1, changed)].concat();
    let summary = NodesSummary::new(&searches, &[false; 2], depth);
    summary.rows.into_iter().next_back()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn every_switch_is_turned_and_every_choice_takes_each_other_value() {
        for game in [Game::Shogi, Game::Chess] {
            let base = Config::base(game);
            let (variants, skipped) = variants(game, &base);
            let of = |name: &str| -> Vec<&str> {
                let rows = variants.iter().filter(|row| row.technique == name);
                rows.map(|row| row.setting.as_str()).collect()
            };
            assert_eq!(of("null_move"), ["off", "reduce"]);
            assert_eq!(of("lmr"), ["off"]);
            assert_eq!(of("iid"), ["on"]);
            assert!(of("lmr.base").is_empty() && of("one_reply").is_empty());
            assert!(skipped.contains(&Skipped::OfClocks("one_reply")));
            let declaration = match game {
                Game::Shogi => Skipped::OfRules("declaration"),
                Game::Chess => Skipped::of_other_games("declaration", game),
            };
            assert!(skipped.contains(&declaration));
            assert_eq!(of("king_evasions").is_empty(), game == Game::Chess);
            for variant in &variants {
                assert_eq!(variant.config.changes(game), [variant.assignment()]);
            }
        }
    }

    #[test]
    fn a_part_of_what_is_off_has_no_row_until_it_is_on_and_what_is_on_is_measured_against_off() {
        let rows = |base: &str| variants(Game::Shogi, &Config::parse(Game::Shogi, base).unwrap());
        let (_, skipped) = rows("base,null_move=off");
        let is_off = |skipped: &Skipped| matches!(skipped, Skipped::SwitchedOff(off) if off.name == "null_move.nested");
        assert!(skipped.iter().any(is_off), "{skipped:?}");
        let (on, _) = rows("base,iid=on");
        let row = |name| on.iter().find(|row| row.technique == name).unwrap();
        assert_eq!(row("null_move.nested").base_setting, "on");
        assert_eq!([&row("iid").setting, &row("iid").base_setting], ["off", "on"]);
    }

    #[test]
    fn the_ratio_of_nodes_is_the_changed_engine_s_over_the_base_s() {
        let search = |position, nodes| Search {
            config: 0,
            position,
            iterations: vec![crate::record::SearchIteration {
                depth: 1,
                nodes,
                time_us: Some(1),
                score: Some(0),
                pv: Vec::new(),
                tried: Vec::new(),
            }],
            fault: None,
        };
        let base = [search(0, 10), search(1, 10)];
        let changed = [search(0, 40), search(1, 10)];
        let row = compare_nodes(&base, &changed, 1).unwrap();
        assert!((row.ratio.value.unwrap() - 2.0).abs() < 1e-9);
    }
}
