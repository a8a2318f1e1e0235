//! The rules of a game that a match may choose.
//!
//! In: the keys of a [`MatchFile`]. Out: [`Rules`]. Must not: apply them.

use tanren_engine::config::DeclarationRule;

use super::range::in_range;
use super::wire::MatchFile;
use super::{ClockRules, ConfigError, Counting, DrawRule, FaultPolicy, Identity, ResignRule};

/// Longest margin and overhead.
const MARGIN_MS_MAX: u64 = 60_000;

/// The rules that a match chooses. By default: no limit of plies, no adjudication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// After so many plies from the opening the game is a draw; 0 for no limit.
    pub plies_max: u32,
    /// The declaration rule.
    pub declaration: DeclarationRule,
    /// Whether a repetition ends the game.
    pub repetition: RepetitionRule,
    /// When the referee ends a lost game.
    pub resign: Option<ResignRule>,
    /// When the referee ends a drawn game.
    pub draw: Option<DrawRule>,
    /// How clocks are read.
    pub clock: ClockRules,
    /// What follows from faults where a player says nothing else.
    pub on_fault: FaultPolicy,
}

impl Rules {
    /// Everything here that decides results; settings of clocks only if there is one.
    pub(super) fn identify(&self, has_clock: bool, identity: &mut Identity) {
        let rule = |text: Option<String>| text.unwrap_or_else(|| Identity::NONE.to_owned());
        identity.push("max plies", self.plies_max);
        identity.push("declaration", self.declaration.name());
        identity.push("repetition", self.repetition.name());
        identity.push("resign", rule(self.resign.map(|rule| rule.to_string())));
        identity.push("draw", rule(self.draw.map(|rule| rule.to_string())));
        // Older ledgers know of losses alone and do not name them.
        if !self.on_fault.is_unsaid() {
            identity.push("on fault", self.on_fault);
        }
        if has_clock {
            identity.push("time margin", format_args!("{} ms", self.clock.margin_ms));
            identity.push("overhead", format_args!("{} ms", self.clock.overhead_ms));
            identity.push("clock counts", self.clock.counting.name());
        }
    }
}

/// The rules that `file` gives, with `defaults` for what it leaves out.
///
/// # Errors
/// The first key whose value is no rule.
pub(super) fn from_file(file: &MatchFile, defaults: &MatchFile) -> Result<Rules, ConfigError> {
    let clock = ClockRules::default();
    let in_margin = |name, value| {
        in_range(
            name,
            Some(value),
            0..=MARGIN_MS_MAX,
            "from 0 to 60000 milliseconds",
        )
    };
    let rules = Rules {
        plies_max: file.max_plies.or(defaults.max_plies).unwrap_or_default(),
        declaration: match file.declaration.as_deref().or(defaults.declaration.as_deref()) {
            None => DeclarationRule::default(),
            Some(name) => DeclarationRule::from_name(name)
                .ok_or_else(|| ConfigError::UnknownDeclaration(name.to_owned()))?,
        },
        repetition: match file.repetition.as_deref().or(defaults.repetition.as_deref()) {
            None => RepetitionRule::default(),
            Some(name) => RepetitionRule::from_name(name)
                .ok_or_else(|| ConfigError::UnknownRepetition(name.to_owned()))?,
        },
        resign: file.resign.as_deref().map(str::parse).transpose()?,
        draw: file.draw.as_deref().map(str::parse).transpose()?,
        clock: ClockRules {
            margin_ms: in_margin("time_margin", file.time_margin.unwrap_or(clock.margin_ms))?,
            overhead_ms: in_margin("overhead", file.overhead.unwrap_or(clock.overhead_ms))?,
            counting: if file.whole_seconds.unwrap_or_default() {
                Counting::WholeSeconds
            } else {
                Counting::Exact
            },
        },
        on_fault: file
            .on_fault
            .as_deref()
            .map_or(Ok(FaultPolicy::UNSAID), str::parse)?,
    };
    if rules.repetition == RepetitionRule::Off && rules.plies_max == 0 {
        return Err(ConfigError::EndlessGame);
    }
    Ok(rules)
}

/// Whether a repetition ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RepetitionRule {
    /// As the rules of the game say.
    #[default]
    On,
    /// The game goes on.
    Off,
}

impl RepetitionRule {
    /// The rule called `on` or `off`.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "on" => Some(RepetitionRule::On),
            "off" => Some(RepetitionRule::Off),
            _ => None,
        }
    }

    /// `on` or `off`.
    pub fn name(self) -> &'static str {
        match self {
            RepetitionRule::On => "on",
            RepetitionRule::Off => "off",
        }
    }
}
