//! What each technique is worth: the full engine against itself with one setting changed.
//!
//! In: a base configuration, counted matches, searches. Out: [`Variant`]s to play, [`AblationRow`]s that say what came
//! of it. Must not: play, search, or know a technique by name but for those that a fixed-node game cannot show.
//!
//! Everything is seen from the setting *as it stands in the base*: Elo is that of the base against the changed engine, a
//! ratio of nodes is the changed engine's over the base's. So both are above zero (above one) where the base is better.

use tanren_engine::config::{Config, Kind, Setting, SettingError};
use tanren_engine::game::Game;

use super::nodes::{NodesSummary, SummaryRow};
use crate::record::Search;
use crate::standing::{FaultCounts, Standing, Verdict};
use crate::stats::{Estimate, Tally};

/// After so many pairs whose two games went the same way move for move, a change that shows nowhere is given up.
const PAIRS_UNTIL_IDENTICAL: u64 = 50;

/// Settings, each with those below it, that act only where a clock runs.
const OF_CLOCKS: [&str; 6] = [
    "easy_move",
    "one_reply",
    "ponder_iterations",
    "stable_move",
    "time",
    "whole_second",
];
/// Settings that belong to the rules of the match.
const OF_RULES: [&str; 1] = ["declaration"];

/// The base with one setting changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The setting's name.
    pub technique: String,
    /// Its changed value.
    pub setting: String,
    /// Its value in the base.
    pub base_setting: String,
    /// The changed engine.
    pub config: Config,
}

impl Variant {
    /// `technique=setting`.
    pub fn assignment(&self) -> String {
        format!("{}={}", self.technique, self.setting)
    }

    /// `base` with `name` set to `value`.
    ///
    /// # Errors
    /// An unknown name or a value out of range.
    pub fn new(game: Game, base: &Config, name: &str, value: &str) -> Result<Variant, SettingError> {
        let mut config = base.clone();
        config.set(game, name, value)?;
        let text_of = |config: &Config| config.get(game, name).unwrap_or_default();
        Ok(Variant {
            technique: name.to_owned(),
            setting: text_of(&config),
            base_setting: text_of(base),
            config,
        })
    }
}

/// Why a setting has no row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Skipped {
    /// It does nothing under a node limit.
    #[error("{0} acts only where a clock runs")]
    OfClocks(&'static str),
    /// Both players must share it.
    #[error("{0} belongs to the rules of the match, not to a player")]
    OfRules(&'static str),
    /// It is a part of what the base has switched off.
    #[error("{name} does nothing while {parent}=off (--base base,{parent}=… has it on)")]
    PartOfOff {
        /// The setting.
        name: &'static str,
        /// What it is a part of.
        parent: &'static str,
    },
}

impl Skipped {
    /// The setting that is left out.
    pub fn name(&self) -> &'static str {
        match self {
            Skipped::OfClocks(name) | Skipped::OfRules(name) | Skipped::PartOfOff { name, .. } => name,
        }
    }
}

/// Every other value of every switch and choice of `game`, in table order, and the settings left out.
pub fn variants(game: Game, base: &Config) -> (Vec<Variant>, Vec<Skipped>) {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    for setting in Config::settings(game) {
        let values = match setting.kind {
            Kind::Switch { .. } => &["off", "on"][..],
            Kind::Choice { choices, .. } => choices,
            Kind::Int { .. } => continue,
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
    (found, skipped)
}

fn reason_to_skip(game: Game, base: &Config, setting: &Setting) -> Option<Skipped> {
    let name = setting.name;
    if OF_CLOCKS.iter().any(|head| is_within(name, head)) {
        return Some(Skipped::OfClocks(name));
    }
    if OF_RULES.iter().any(|head| is_within(name, head)) {
        return Some(Skipped::OfRules(name));
    }
    let parent = Config::settings(game).find(|parent| {
        parent.name != name
            && is_within(name, parent.name)
            && base.get(game, parent.name).as_deref() == Some("off")
    })?;
    Some(Skipped::PartOfOff {
        name,
        parent: parent.name,
    })
}

/// Is `name` the setting `head` or a part of it?
fn is_within(name: &str, head: &str) -> bool {
    name.strip_prefix(head)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// How many pairs a match of an ablation plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// Pairs of every row.
    pub pairs: u64,
    /// Pairs of a row whose interval still holds zero after that; none if that changes nothing.
    pub straddle_pairs: Option<u64>,
}

impl Length {
    /// How far a match goes before it is looked at for the first time, given what is stored of it.
    pub fn first_stage(&self, stored: u64) -> u64 {
        self.pairs.min(PAIRS_UNTIL_IDENTICAL).max(stored)
    }

    /// How far it goes on after a finished stage; `None` if it is over.
    pub fn next_stage(&self, standing: &Standing) -> Option<u64> {
        let done = standing.tally().pairs();
        if standing.is_identical() || standing.verdict() == Verdict::Invalid {
            return None;
        }
        if done < self.pairs {
            return Some(self.pairs);
        }
        let most = self.straddle_pairs.filter(|&most| done < most)?;
        (Worth::of(&standing.estimates().elo) == Worth::NotShown).then_some(most)
    }
}

/// What the games say about the setting as it stands in the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// The base is stronger than the changed engine: the interval lies above zero.
    Pays,
    /// The changed engine is stronger: the interval lies below zero.
    Costs,
    /// The interval holds zero, or there are too few pairs for one.
    NotShown,
    /// The change made no difference in any game.
    Identical,
    /// The match was stopped before its end.
    Interrupted,
    /// Faults decided the match, and not strength.
    Invalid,
}

impl Worth {
    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Worth::Pays => "worth_it",
            Worth::Costs => "costs",
            Worth::NotShown => "not_shown",
            Worth::Identical => "identical",
            Worth::Interrupted => "interrupted",
            Worth::Invalid => "invalid",
        }
    }

    fn of(elo: &Estimate) -> Worth {
        match (elo.low, elo.high) {
            (Some(low), _) if low > 0.0 => Worth::Pays,
            (_, Some(high)) if high < 0.0 => Worth::Costs,
            _ => Worth::NotShown,
        }
    }
}

/// One changed setting and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct AblationRow {
    /// What was changed.
    pub variant: Variant,
    /// The counts, from the base's view.
    pub tally: Tally,
    /// Elo of the base against the changed engine; without a value where there are too few pairs or no differing game.
    pub elo: Estimate,
    /// What that says.
    pub worth: Worth,
    /// Nodes of the changed engine over those of the base at the depth of the study; none if it was not made.
    pub nodes: Option<SummaryRow>,
    /// Pairs that repeat an earlier one.
    pub repeated: u64,
    /// The faults of the base and of the changed engine.
    pub faults: FaultCounts,
}

impl AblationRow {
    /// The row of a match that stands so.
    pub fn new(variant: Variant, standing: &Standing, nodes: Option<SummaryRow>) -> AblationRow {
        let estimate = standing.estimates().elo;
        let (elo, worth) = match standing.verdict() {
            Verdict::Identical => (Estimate::UNKNOWN, Worth::Identical),
            Verdict::Invalid => (Estimate::UNKNOWN, Worth::Invalid),
            Verdict::Interrupted => (estimate, Worth::Interrupted),
            _ => (estimate, Worth::of(&estimate)),
        };
        AblationRow {
            variant,
            tally: *standing.tally(),
            elo,
            worth,
            nodes,
            repeated: standing.repeated(),
            faults: standing.faults().clone(),
        }
    }
}

/// The nodes of the changed engine against the base's: both searched the same positions down to `depth`.
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
    use crate::standing::tests::pair;
    use crate::stop::{FaultLimits, StopRule};

    fn standing(results: impl IntoIterator<Item = [usize; 2]>) -> Standing {
        let results: Vec<[usize; 2]> = results.into_iter().collect();
        let mut standing = Standing::new(StopRule {
            sprt: None,
            pairs_max: results.len() as u64,
            faults: FaultLimits::default(),
        });
        for (number, halves) in results.into_iter().enumerate() {
            standing.count(&pair(number as u64, halves, 0));
        }
        standing
    }

    #[test]
    fn every_switch_is_turned_and_every_choice_takes_each_other_value() {
        for game in [Game::Shogi, Game::Chess] {
            let base = Config::base(game);
            let (variants, skipped) = variants(game, &base);
            let of = |name: &str| -> Vec<&str> {
                let rows = variants.iter().filter(|row| row.technique == name);
                rows.map(|row| row.setting.as_str()).collect()
            };
            assert_eq!(of("null_move"), ["off", "prune"]);
            assert_eq!(of("lmr"), ["off"]);
            assert_eq!(of("iid"), ["on"]);
            assert!(of("lmr.base").is_empty() && of("one_reply").is_empty());
            assert!(skipped.contains(&Skipped::OfClocks("one_reply")));
            assert!(skipped.contains(&Skipped::OfRules("declaration")));
            for variant in &variants {
                assert_eq!(variant.config.changes(game), [variant.assignment()]);
            }
        }
    }

    #[test]
    fn a_part_of_what_is_off_has_no_row_until_it_is_on() {
        let base = Config::parse(Game::Shogi, "base,null_move=off").unwrap();
        let (_, skipped) = variants(Game::Shogi, &base);
        let expected = Skipped::PartOfOff {
            name: "null_move.nested",
            parent: "null_move",
        };
        assert!(skipped.contains(&expected), "{skipped:?}");
        let (on, _) = variants(Game::Shogi, &Config::default());
        assert!(on.iter().any(|row| row.technique == "null_move.nested"));
    }

    #[test]
    fn a_base_that_has_a_technique_on_is_measured_against_off() {
        let base = Config::parse(Game::Shogi, "base,iid=on").unwrap();
        let (variants, _) = variants(Game::Shogi, &base);
        let row = variants.iter().find(|row| row.technique == "iid").unwrap();
        assert_eq!((row.setting.as_str(), row.base_setting.as_str()), ("off", "on"));
    }

    #[test]
    fn a_match_goes_on_while_its_interval_holds_zero_and_no_further_than_asked() {
        let length = Length {
            pairs: 60,
            straddle_pairs: Some(200),
        };
        assert_eq!(length.first_stage(0), 50);
        assert_eq!(length.first_stage(60), 60);
        let even = |pairs: usize| standing((0..pairs).map(|n| [2 * (n % 2), 1]));
        let won = |pairs: usize| standing((0..pairs).map(|n| [2, n % 3]));
        assert_eq!(length.next_stage(&even(50)), Some(60));
        assert_eq!(length.next_stage(&won(50)), Some(60));
        assert_eq!(length.next_stage(&even(60)), Some(200));
        assert_eq!(length.next_stage(&won(60)), None);
        assert_eq!(length.next_stage(&even(200)), None);
        let fixed = Length {
            pairs: 60,
            straddle_pairs: None,
        };
        assert_eq!(fixed.next_stage(&even(60)), None);
    }

    #[test]
    fn the_verdict_is_that_of_the_interval_from_the_base_s_view() {
        let variant = || Variant::new(Game::Shogi, &Config::default(), "lmr", "off").unwrap();
        let row = |standing: &Standing| AblationRow::new(variant(), standing, None);
        let won = row(&standing((0..40).map(|n| [2, n % 3])));
        assert_eq!(won.worth, Worth::Pays);
        assert!(won.elo.low > Some(0.0));
        let lost = row(&standing((0..40).map(|n| [0, n % 3])));
        assert_eq!(lost.worth, Worth::Costs);
        assert_eq!(row(&standing((0..4).map(|_| [2, 2]))).worth, Worth::NotShown);
        let unfinished = Standing::new(StopRule {
            sprt: None,
            pairs_max: 2,
            faults: FaultLimits::default(),
        });
        assert_eq!(row(&unfinished).worth, Worth::Interrupted);
    }

    #[test]
    fn games_that_never_differ_say_so_instead_of_an_interval() {
        let mut standing = Standing::new(StopRule {
            sprt: None,
            pairs_max: 40,
            faults: FaultLimits::default(),
        });
        for number in 0..40 {
            let mut record = pair(number, [2, 0], 0);
            record.games[1].moves = record.games[0].moves.clone();
            standing.count(&record);
        }
        let length = Length {
            pairs: 100,
            straddle_pairs: None,
        };
        assert_eq!(length.next_stage(&standing), None);
        let variant = Variant::new(Game::Shogi, &Config::default(), "lmr", "off").unwrap();
        let row = AblationRow::new(variant, &standing, None);
        assert_eq!((row.worth, row.elo.value), (Worth::Identical, None));
    }

    #[test]
    fn a_row_that_faults_decide_is_over_and_says_nothing() {
        let mut standing = Standing::new(StopRule {
            sprt: None,
            pairs_max: 40,
            faults: FaultLimits::default(),
        });
        for number in 0..40_u64 {
            let mut record = pair(number, [2, 1], 0);
            if number.is_multiple_of(2) {
                record.games[0].reason = crate::record::Reason::WrongDeclaration;
            }
            standing.count(&record);
        }
        let length = Length {
            pairs: 100,
            straddle_pairs: None,
        };
        assert_eq!(length.next_stage(&standing), None);
        let variant = Variant::new(Game::Shogi, &Config::default(), "lmr", "off").unwrap();
        let row = AblationRow::new(variant, &standing, None);
        assert_eq!((row.worth, row.elo.value), (Worth::Invalid, None));
        assert_eq!(row.faults.of(1).faults, 20);
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
