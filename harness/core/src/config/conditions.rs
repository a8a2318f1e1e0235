//! What all games of a run are played under, and the part of a run's identity that they are.

use std::path::{Path, PathBuf};

use tanren_engine::config::DeclarationRule;
use tanren_engine::game::Game;
use toml::{Table, Value};

use super::place::relative;
use super::sprt::{parse_sprt, sprt_text};
use super::{
    ClockKeys, ConfigError, Counting, FaultPolicy, GameKeys, Identity, LengthKeys, Mistakes, MoveLimit,
    RepetitionRule, Rules, Seat, TimeoutKeys, Timeouts,
};
use crate::stats::Sprt;
use crate::stop::{FaultLimits, StopRule};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpeningSource {
    BuiltIn,
    File(PathBuf),
}

/// The order in which openings are used; none is used again before all were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OpeningOrder {
    /// By the seed, another order in each pass through them.
    #[default]
    Random,
    Sequential,
}

impl OpeningOrder {
    pub fn from_name(name: &str) -> Option<OpeningOrder> {
        [OpeningOrder::Random, OpeningOrder::Sequential]
            .into_iter()
            .find(|order| order.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            OpeningOrder::Random => "random",
            OpeningOrder::Sequential => "sequential",
        }
    }
}

/// Everything about games that is the same for all who play them.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditions {
    /// Part of the default folder's name.
    pub name: Option<String>,
    pub game: Game,
    /// Most pairs of two players; `None` is one for each opening.
    pub pairs: Option<u64>,
    pub sprt: Option<Sprt>,
    pub openings: OpeningSource,
    /// Moves of each game of a book that are played at most.
    pub book_plies: Option<u32>,
    pub order: OpeningOrder,
    pub seed: u64,
    pub hash_mib: usize,
    pub repeat: bool,
    pub node_jitter_percent: u32,
    pub rules: Rules,
    pub timeouts: Timeouts,
    pub faults: FaultLimits,
    /// What each of them may use at most, where it says nothing else.
    pub engine_memory_mib: Option<u64>,
    /// The endgame tables that end games; what is in them is part of a run's identity where they are opened.
    pub syzygy: Option<TableFolder>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFolder(pub PathBuf);

/// What an identity calls the digest of the openings.
const OPENINGS: &str = "openings (SHA-256)";
const MS_OF_A_DAY: u64 = 86_400_000;

impl Default for Conditions {
    fn default() -> Self {
        Conditions {
            name: None,
            game: Game::Shogi,
            pairs: None,
            sprt: None,
            openings: OpeningSource::BuiltIn,
            book_plies: None,
            order: OpeningOrder::Random,
            seed: 1,
            hash_mib: 4,
            repeat: false,
            node_jitter_percent: 0,
            rules: Rules {
                plies_max: 512,
                ..Rules::default()
            },
            timeouts: Timeouts::default(),
            faults: FaultLimits::default(),
            engine_memory_mib: None,
            syzygy: None,
        }
    }
}

/// When a value is part of what two runs must share to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InIdentity {
    Always,
    /// Where it is not the default.
    Changed,
    /// Where anybody plays by a game clock.
    Clock,
}

/// One key with its value as files have it, and what an identity calls it.
struct Entry {
    key: &'static str,
    value: Option<Value>,
    identity: Option<(InIdentity, &'static str)>,
    text: String,
}

impl Entry {
    fn new(key: &'static str, value: Option<Value>) -> Entry {
        let text = match &value {
            None => Identity::NONE.to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        Entry {
            key,
            value,
            identity: None,
            text,
        }
    }

    fn named(self, when: InIdentity, title: &'static str) -> Entry {
        Entry {
            identity: Some((when, title)),
            ..self
        }
    }

    fn unit(self, unit: &str) -> Entry {
        Entry {
            text: format!("{} {unit}", self.text),
            ..self
        }
    }

    fn text(self, text: impl Into<String>) -> Entry {
        Entry {
            text: text.into(),
            ..self
        }
    }
}

fn number(number: impl TryInto<i64>) -> Option<Value> {
    Some(Value::Integer(number.try_into().unwrap_or(i64::MAX)))
}

fn text(text: impl Into<String>) -> Option<Value> {
    Some(Value::String(text.into()))
}

pub(super) struct Digests<'a> {
    pub(super) openings_sha256: &'a str,
    pub(super) pairs: u64,
    pub(super) engine: &'a str,
}

impl Conditions {
    pub fn from_keys(
        keys: &GameKeys,
        length: &LengthKeys,
        timeouts: &TimeoutKeys,
        wrong: &mut Mistakes,
    ) -> Conditions {
        let defaults = Conditions::default();
        let faults = &keys.faults;
        let conditions = Conditions {
            name: keys.name.clone(),
            game: wrong.game(keys.game.as_ref()),
            pairs: length
                .pairs
                .map(|_| wrong.number("pairs", length.pairs, 1, 1..=100_000_000, "")),
            sprt: wrong.parsed("sprt", length.sprt.as_ref(), None, |text| {
                parse_sprt(text).map(Some)
            }),
            openings: match &keys.openings.openings {
                Some(path) => OpeningSource::File(path.into()),
                None => OpeningSource::BuiltIn,
            },
            book_plies: (keys.openings.plies)
                .map(|plies| wrong.number("plies", Some(plies), 0, 0..=1_000, "")),
            order: wrong.parsed("order", keys.openings.order.as_ref(), defaults.order, |name| {
                OpeningOrder::from_name(name).ok_or_else(|| {
                    format!("unknown order of the openings '{name}' (orders: random, sequential)")
                })
            }),
            seed: keys.openings.seed.unwrap_or(defaults.seed),
            hash_mib: wrong.number("hash", keys.hash, defaults.hash_mib, 1..=65_536, " MiB"),
            repeat: length.repeat.repeat,
            node_jitter_percent: wrong.number("node_jitter", keys.node_jitter, 0, 0..=90, " percent"),
            rules: rules_of(keys, wrong),
            timeouts: Timeouts {
                startup_ms: wrong.number(
                    "startup_ms",
                    timeouts.startup_ms,
                    defaults.timeouts.startup_ms,
                    1..=MS_OF_A_DAY,
                    " milliseconds",
                ),
                stall_ms: wrong.number(
                    "stall_ms",
                    timeouts.stall_ms,
                    defaults.timeouts.stall_ms,
                    1..=MS_OF_A_DAY,
                    " milliseconds",
                ),
            },
            faults: FaultLimits {
                max_percent: wrong.number(
                    "faults_max",
                    faults.faults_max,
                    defaults.faults.max_percent,
                    0..=100,
                    " percent",
                ),
                in_a_row: faults.faults_in_a_row.unwrap_or(defaults.faults.in_a_row),
            },
            engine_memory_mib: (faults.engine_memory)
                .map(|mib| wrong.number("engine_memory", Some(mib), 1, 1..=16_777_216, " MiB")),
            syzygy: keys
                .rules
                .syzygy
                .as_ref()
                .map(|folder| TableFolder(folder.into())),
        };
        conditions.check_together(wrong);
        conditions
    }

    fn check_together(&self, wrong: &mut Mistakes) {
        if let Some(name) = &self.name {
            wrong.unless(is_plain_name(name), "name", || {
                format!("name '{name}' must be made of letters, digits, '.', '_' and '-'")
            });
        }
        let has_openings = self.openings != OpeningSource::BuiltIn;
        wrong.unless(has_openings || self.book_plies.is_none(), "plies", || {
            "plies are those of the games of an openings file: give openings, or leave plies out".to_owned()
        });
        let is_chess = self.game == Game::Chess;
        wrong.unless(is_chess || self.syzygy.is_none(), "syzygy", || {
            "Syzygy tables are of chess: give --game chess, or leave --syzygy out".to_owned()
        });
        let ends = self.rules.repetition == RepetitionRule::On || self.rules.plies_max > 0;
        wrong.unless(ends, "max_plies", || {
            "without the repetition rule a game needs an end: give max_plies".to_owned()
        });
    }

    /// What follows from the faults of whoever sits in each of `seats`.
    pub fn fault_policies<'a>(&self, seats: impl IntoIterator<Item = &'a Seat>) -> Vec<FaultPolicy> {
        let of_seat = |seat: &Seat| {
            let own = seat.player.process().map(|process| process.on_fault);
            own.map_or(self.rules.on_fault, |own| own.or(self.rules.on_fault))
        };
        seats.into_iter().map(of_seat).collect()
    }

    /// Refuses what does nothing for these seats, each with the key of its player and what messages call it. What follows from other
    /// mistakes is none.
    pub(super) fn check_seats(
        &self,
        clock: &ClockKeys,
        seats: &[(String, &str, &Seat)],
        wrong: &mut Mistakes,
    ) {
        if !wrong.is_empty() {
            return;
        }
        let given = [
            ("time_margin", clock.time_margin.is_some()),
            ("overhead", clock.overhead.is_some()),
            ("whole_seconds", clock.whole_seconds),
        ];
        let has_clock = has_clock(seats.iter().map(|(_, _, seat)| *seat));
        for (key, is_given) in given {
            wrong.unless(has_clock || !is_given, key, || {
                format!(
                    "{key} is about game clocks, but no player has one: give tc or byoyomi, or leave it out"
                )
            });
        }
        for (key, player, seat) in seats {
            let limit = seat.limit;
            let can_vary = self.node_jitter_percent == 0 || matches!(limit, MoveLimit::Nodes(_));
            wrong.unless(can_vary, "node_jitter", || {
                format!(
                    "node_jitter needs a node limit for every player, but player {player} plays by {limit}"
                )
            });
            // The declaration rule belongs to the match; a player's own would be an option that does nothing.
            let rule = seat
                .player
                .config()
                .map_or(self.rules.declaration, |config| config.search.declaration);
            wrong.unless(rule == DeclarationRule::default() || rule == self.rules.declaration, key, || {
                let rule = rule.name();
                format!("player {player} has declaration={rule}, but the rule is the match's: use --declaration")
            });
        }
    }

    /// Every key with its value, in the order of files and identities.
    fn entries(&self, folder: &Path) -> Vec<Entry> {
        use InIdentity::{Always, Changed, Clock};
        let seen = |path: &Path| text(relative(path, folder).to_string_lossy());
        let rules = &self.rules;
        let on_fault = rules.on_fault.to_string();
        vec![
            Entry::new("name", self.name.clone().and_then(text)),
            Entry::new("game", text(self.game.name())),
            Entry::new("time_margin", number(rules.clock.margin_ms))
                .named(Clock, "time margin")
                .unit("ms"),
            Entry::new("overhead", number(rules.clock.overhead_ms))
                .named(Clock, "overhead")
                .unit("ms"),
            Entry::new(
                "whole_seconds",
                Some(Value::Boolean(rules.clock.counting == Counting::WholeSeconds)),
            )
            .named(Clock, "clock counts")
            .text(rules.clock.counting.name()),
            Entry::new("pairs", self.pairs.and_then(number)).named(Always, Identity::PAIRS),
            Entry::new("sprt", self.sprt.as_ref().map(sprt_text).and_then(text))
                .named(Always, Identity::SPRT),
            Entry::new(
                "openings",
                match &self.openings {
                    OpeningSource::BuiltIn => None,
                    OpeningSource::File(path) => seen(path),
                },
            )
            .named(Always, OPENINGS),
            Entry::new("plies", self.book_plies.and_then(number)).named(Changed, "plies of openings"),
            Entry::new("order", text(self.order.name())).named(Changed, "order"),
            Entry::new("seed", number(self.seed)).named(Always, "seed"),
            Entry::new("hash", number(self.hash_mib as u64))
                .named(Always, "hash")
                .unit("MiB"),
            Entry::new("repeat", Some(Value::Boolean(self.repeat))),
            Entry::new("node_jitter", number(self.node_jitter_percent))
                .named(Always, "node jitter")
                .unit("%"),
            Entry::new("max_plies", number(rules.plies_max)).named(Always, "max plies"),
            Entry::new("declaration", text(rules.declaration.name())).named(Always, "declaration"),
            Entry::new("repetition", text(rules.repetition.name())).named(Always, "repetition"),
            Entry::new("resign", rules.resign.map(|rule| rule.to_string()).and_then(text))
                .named(Always, "resign"),
            Entry::new("draw", rules.draw.map(|rule| rule.to_string()).and_then(text)).named(Always, "draw"),
            Entry::new(
                "syzygy",
                self.syzygy.as_ref().and_then(|TableFolder(path)| seen(path)),
            ),
            Entry::new("startup_ms", number(self.timeouts.startup_ms)),
            Entry::new("stall_ms", number(self.timeouts.stall_ms)),
            Entry::new(
                "on_fault",
                text(&on_fault).filter(|_| !rules.on_fault.is_unsaid()),
            )
            .named(Changed, "on fault")
            .text(on_fault),
            Entry::new("faults_max", number(self.faults.max_percent))
                .named(Changed, "faults max")
                .unit("%"),
            Entry::new("faults_in_a_row", number(self.faults.in_a_row)).named(Changed, "faults in a row"),
            Entry::new("engine_memory", self.engine_memory_mib.and_then(number))
                .named(Changed, "engine memory")
                .unit("MiB"),
            Entry::new("strict", Some(Value::Boolean(rules.strict))).named(Changed, "strict"),
        ]
    }

    /// Those that an identity has, each with whether it is not the default.
    fn identity_entries(&self) -> impl Iterator<Item = (InIdentity, &'static str, String, bool)> {
        let nowhere = Path::new("");
        let defaults = Conditions::default().entries(nowhere);
        let own = self.entries(nowhere).into_iter().zip(defaults);
        own.filter_map(|(own, default)| {
            let (when, title) = own.identity?;
            let is_changed = own.text != default.text;
            Some((when, title, own.text, is_changed))
        })
    }

    /// The keys that give these conditions again from `folder`, every default written out; settings of clocks only if there is one.
    pub(super) fn table(&self, folder: &Path, has_clock: bool) -> Table {
        let entries = self.entries(folder).into_iter();
        let entries = entries.filter(|entry| {
            let is_of_clocks = matches!(entry.identity, Some((InIdentity::Clock, _)));
            has_clock || !is_of_clocks
        });
        entries
            .filter_map(|entry| Some((entry.key.to_owned(), entry.value?)))
            .collect()
    }

    /// How a match of at most so many pairs ends.
    pub fn stop_rule(&self, pairs_max: u64) -> StopRule {
        StopRule {
            sprt: self.sprt,
            pairs_max,
            faults: self.faults,
        }
    }

    pub fn stop_rule_without_test(&self, pairs_max: u64) -> StopRule {
        StopRule {
            sprt: None,
            ..self.stop_rule(pairs_max)
        }
    }

    /// How many pairs two players play at most with so many openings.
    pub fn pairs_max(&self, openings: usize) -> Result<u64, ConfigError> {
        let pairs = self.pairs.unwrap_or(openings as u64);
        if pairs > openings as u64 && !self.repeat {
            return Err(ConfigError::TooFewOpenings { pairs, openings });
        }
        Ok(pairs)
    }

    /// Adds everything here that decides results; settings of clocks at the end, and only if there is one.
    pub(super) fn identify(&self, identity: &mut Identity, digests: &Digests<'_>, has_clock: bool) {
        let (clock, others): (Vec<_>, Vec<_>) = self
            .identity_entries()
            .partition(|(when, ..)| *when == InIdentity::Clock);
        let others = others
            .into_iter()
            .filter(|(when, _, _, is_changed)| *when == InIdentity::Always || *is_changed);
        for (_, title, text, _) in others.chain(clock.into_iter().filter(|_| has_clock)) {
            match title {
                Identity::PAIRS => identity.push(title, digests.pairs),
                OPENINGS => identity.push(title, digests.openings_sha256),
                _ => identity.push(title, text),
            }
        }
        identity.push("engine", digests.engine);
    }

    /// Adds what is not the default and not in `identity` yet, for runs whose identity names the rest itself.
    pub fn identify_changes(&self, identity: &mut Identity) {
        let of_length = [Identity::PAIRS, Identity::SPRT];
        for (_, title, text, is_changed) in self.identity_entries() {
            let is_new = identity.get(title).is_none() && !of_length.contains(&title);
            if is_new && is_changed {
                identity.push(title, text);
            }
        }
    }

    /// Can these two, given the same position, do nothing but the same?
    pub fn are_mirror(&self, [a, b]: [&Seat; 2]) -> bool {
        let [config_a, config_b] = [a, b].map(|seat| seat.player.config());
        config_a.is_some()
            && config_a == config_b
            && a.limit == b.limit
            && !a.limit.is_timed()
            && self.node_jitter_percent == 0
    }
}

fn rules_of(keys: &GameKeys, wrong: &mut Mistakes) -> Rules {
    let (rules, clock, faults) = (&keys.rules, &keys.clock, &keys.faults);
    let defaults = Conditions::default().rules;
    Rules {
        plies_max: rules.max_plies.unwrap_or(defaults.plies_max),
        declaration: wrong.parsed(
            "declaration",
            rules.declaration.as_ref(),
            DeclarationRule::default(),
            |name| {
                DeclarationRule::from_name(name)
                    .ok_or_else(|| format!("unknown declaration rule '{name}' (rules: 27, 24, off)"))
            },
        ),
        repetition: wrong.parsed(
            "repetition",
            rules.repetition.as_ref(),
            RepetitionRule::On,
            |name| {
                RepetitionRule::from_name(name)
                    .ok_or_else(|| format!("unknown repetition rule '{name}' (rules: on, off)"))
            },
        ),
        resign: wrong.parsed("resign", rules.resign.as_ref(), None, |text| {
            text.parse().map(Some)
        }),
        draw: wrong.parsed("draw", rules.draw.as_ref(), None, |text| text.parse().map(Some)),
        clock: super::ClockRules {
            margin_ms: wrong.number(
                "time_margin",
                clock.time_margin,
                defaults.clock.margin_ms,
                0..=60_000,
                " milliseconds",
            ),
            overhead_ms: wrong.number(
                "overhead",
                clock.overhead,
                defaults.clock.overhead_ms,
                0..=60_000,
                " milliseconds",
            ),
            counting: if clock.whole_seconds {
                Counting::WholeSeconds
            } else {
                Counting::Exact
            },
        },
        on_fault: wrong.parsed(
            "on_fault",
            faults.on_fault.as_ref(),
            FaultPolicy::UNSAID,
            str::parse,
        ),
        strict: faults.strict,
    }
}

pub(super) fn has_clock<'a>(seats: impl IntoIterator<Item = &'a Seat>) -> bool {
    seats
        .into_iter()
        .any(|seat| matches!(seat.limit, MoveLimit::Clock(_)))
}

fn is_plain_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_plain)
}
