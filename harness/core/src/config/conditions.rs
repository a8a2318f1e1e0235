//! What all games of a run are played under, and the part of a run's identity that they are.

use std::path::{Path, PathBuf};

use tanren_engine::config::DeclarationRule;
use tanren_engine::game::Game;
use toml::{Table, Value};

use super::place::relative;
use super::sprt::{parse_sprt, sprt_text};
use super::{
    ClockKeys, ClockRules, ConfigError, FaultPolicy, GameKeys, Identity, LengthKeys, Mistakes, MoveLimit,
    Rules, Seat, TimeoutKeys, Timeouts,
};
use crate::openings::{PLIES, RandomOpenings};
use crate::shard::Shard;
use crate::stats::Sprt;
use crate::stop::{FaultLimits, StopRule};

/// The order in which openings are used; none is used again before all were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum OpeningOrder {
    /// By the seed, another order in each pass through them.
    #[default]
    Random,
    Sequential,
}

impl OpeningOrder {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Where openings come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OpeningSource {
    /// The suite that is part of the program.
    #[default]
    BuiltIn,
    File(PathBuf),
    Random(RandomOpenings),
}

impl OpeningSource {
    /// A path, or `random:PLIES` with the seed of the run, or `random:PLIES:SEED`.
    pub fn parse(text: &str, seed: u64) -> Result<OpeningSource, String> {
        let Some(random) = text.strip_prefix("random:") else {
            return Ok(OpeningSource::File(PathBuf::from(text)));
        };
        let (plies, own_seed) = random.split_once(':').unzip();
        let plies = plies.unwrap_or(random).parse().ok();
        let seed = own_seed.map_or(Some(seed), |seed| seed.parse().ok());
        match (plies.filter(|plies| PLIES.contains(plies)), seed) {
            (Some(plies), Some(seed)) => Ok(OpeningSource::Random(RandomOpenings { plies, seed })),
            _ => Err(format!(
                "openings '{text}' must be random:PLIES or random:PLIES:SEED, with {} to {} plies",
                PLIES.start(),
                PLIES.end()
            )),
        }
    }

    /// The value of `key`; the built-in suite where there is none.
    pub fn of_key(key: &str, text: Option<&String>, seed: u64, wrong: &mut Mistakes) -> OpeningSource {
        wrong.parsed(key, text, OpeningSource::BuiltIn, |text| {
            OpeningSource::parse(text, seed)
        })
    }

    /// What a file in `folder` calls it; the built-in suite has no name.
    pub fn text(&self, folder: &Path) -> Option<String> {
        match self {
            OpeningSource::BuiltIn => None,
            OpeningSource::File(path) => Some(relative(path, folder).to_string_lossy().into_owned()),
            OpeningSource::Random(random) => Some(random.to_string()),
        }
    }
}

/// Everything about games that is the same for all who play them.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditions {
    /// Part of the default folder's name.
    pub name: Option<String>,
    /// Where it is played, for the game records.
    pub site: Option<String>,
    pub game: Game,
    /// Most pairs of two players; `None` is one for each opening.
    pub pairs: Option<u64>,
    pub sprt: Option<Sprt>,
    pub openings: OpeningSource,
    /// Moves of each game of a book that are played at most.
    pub book_plies: Option<u32>,
    pub order: OpeningOrder,
    /// Where in that order play begins, from 1.
    pub first_opening: u64,
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
    pub syzygy: Option<PathBuf>,
}

/// What an identity calls the digest of the openings.
const OPENINGS: &str = "openings (SHA-256)";
const MS_OF_A_DAY: u64 = 86_400_000;

impl Default for Conditions {
    fn default() -> Self {
        let (games, length, timeouts) = Default::default();
        Conditions::from_keys(&games, &length, &timeouts, &[], &mut Mistakes::default())
    }
}

/// When a value is part of what two runs must share to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InIdentity {
    Always,
    /// Where it is not the default.
    Changed,
    /// Where anybody plays by a game clock, and where it is not the default.
    Clock,
}

use InIdentity::{Always, Changed, Clock};

/// What an identity calls the value of a key, and the unit of it.
const TITLES: [(&str, InIdentity, &str, &str); 24] = [
    ("time_margin", Clock, "time margin", "ms"),
    ("overhead", Clock, "overhead", "ms"),
    ("whole_seconds", Clock, "clock counts", ""),
    ("pairs", Always, Identity::PAIRS, ""),
    ("sprt", Always, Identity::SPRT, ""),
    ("openings", Always, OPENINGS, ""),
    ("plies", Changed, "plies of openings", ""),
    ("order", Changed, "order", ""),
    ("first_opening", Changed, "first opening", ""),
    ("seed", Always, "seed", ""),
    ("hash", Always, "hash", "MiB"),
    ("node_jitter", Always, "node jitter", "%"),
    ("max_plies", Always, "max plies", ""),
    ("declaration", Always, "declaration", ""),
    ("repetition", Always, "repetition", ""),
    ("resign", Always, "resign", ""),
    ("draw", Always, "draw", ""),
    ("timeout_draw", Changed, "timeout draw", ""),
    ("on_fault", Changed, "on fault", ""),
    ("faults_max", Changed, "faults max", "%"),
    ("faults_in_a_row", Changed, "faults in a row", ""),
    ("engine_memory", Changed, "engine memory", "MiB"),
    ("strict", Changed, "strict", ""),
    ("single_games", Changed, Identity::SINGLE_GAMES, ""),
];

/// The value of an entry as identities have it.
fn shown(key: &str, value: Option<&Value>, unit: &str) -> String {
    match value {
        None => Identity::NONE.to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Boolean(true)) if key == "whole_seconds" => "whole seconds".to_owned(),
        Some(Value::Boolean(false)) if key == "whole_seconds" => "exact".to_owned(),
        Some(other) => format!("{other} {unit}").trim_end().to_owned(),
    }
}

fn number(number: impl TryInto<i64>) -> Option<Value> {
    Some(Value::Integer(number.try_into().unwrap_or(i64::MAX)))
}

fn text(text: impl ToString) -> Option<Value> {
    Some(Value::String(text.to_string()))
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
        players: &[&String],
        wrong: &mut Mistakes,
    ) -> Conditions {
        let (openings, faults) = (&keys.openings, &keys.faults);
        let limits = FaultLimits::default();
        let mut conditions = Conditions {
            name: keys.name.clone(),
            site: keys.site.clone(),
            game: wrong.game(keys.game.as_ref(), players.iter().copied()),
            pairs: length
                .pairs
                .map(|pairs| wrong.number("pairs", Some(pairs), 1, 1..=100_000_000, "")),
            sprt: wrong.parsed("sprt", length.sprt.as_ref(), None, |text| {
                parse_sprt(text).map(Some)
            }),
            openings: OpeningSource::of_key(
                "openings",
                openings.openings.as_ref(),
                openings.seed.unwrap_or(1),
                wrong,
            ),
            book_plies: (openings.plies).map(|plies| wrong.number("plies", Some(plies), 0, 0..=1_000, "")),
            order: wrong.parsed("order", openings.order.as_ref(), OpeningOrder::Random, |name| {
                name.parse().map_err(|_| {
                    format!("unknown order of the openings '{name}' (orders: random, sequential)")
                })
            }),
            first_opening: wrong.number(
                "first_opening",
                openings.first_opening,
                1,
                1..=1_000_000_000_000,
                "",
            ),
            seed: openings.seed.unwrap_or(1),
            hash_mib: wrong.number("hash", keys.hash, 4, 1..=65_536, " MiB"),
            repeat: length.repeat.repeat,
            node_jitter_percent: wrong.number("node_jitter", keys.node_jitter, 0, 0..=90, " percent"),
            rules: rules_of(keys, wrong),
            timeouts: timeouts.checked(wrong),
            faults: FaultLimits {
                max_percent: wrong.number(
                    "faults_max",
                    faults.faults_max,
                    limits.max_percent,
                    0..=100,
                    " percent",
                ),
                in_a_row: faults.faults_in_a_row.unwrap_or(limits.in_a_row),
            },
            engine_memory_mib: (faults.engine_memory)
                .map(|mib| wrong.number("engine_memory", Some(mib), 1, 1..=16_777_216, " MiB")),
            syzygy: keys.rules.syzygy.as_ref().map(PathBuf::from),
        };
        conditions.check_together(wrong);
        if matches!(conditions.openings, OpeningSource::Random(_)) {
            let is_free = openings.order.is_none() || conditions.order == OpeningOrder::Sequential;
            wrong.unless(is_free, "order", || {
                "random openings are played in the order in which they are made: leave order out".to_owned()
            });
            conditions.order = OpeningOrder::Sequential;
        }
        conditions
    }

    fn check_together(&self, wrong: &mut Mistakes) {
        if let Some(name) = &self.name {
            wrong.unless(is_plain_name(name), "name", || {
                format!("name '{name}' must be made of letters, digits, '.', '_' and '-'")
            });
        }
        wrong.unless(
            matches!(self.openings, OpeningSource::File(_)) || self.book_plies.is_none(),
            "plies",
            || {
                "plies are those of the games of an openings file: give openings, or leave plies out"
                    .to_owned()
            },
        );
        let is_chess = self.game == Game::Chess;
        wrong.unless(is_chess || self.syzygy.is_none(), "syzygy", || {
            "Syzygy tables are of chess: give --game chess, or leave --syzygy out".to_owned()
        });
        wrong.unless(is_chess || !self.rules.timeout_draw, "timeout_draw", || {
            "timeout_draw is a rule of chess: give --game chess, or leave it out".to_owned()
        });
        let ends = !self.rules.ignores_repetition || self.rules.plies_max > 0;
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
        let is_timed =
            |seat: &Seat| seat.player.process().is_some() && matches!(seat.limit, MoveLimit::MoveTimeMs(_));
        let is_timed = seats.iter().any(|(_, _, seat)| is_timed(seat));
        for (key, is_given) in given {
            let does_something = has_clock || (is_timed && key == "time_margin");
            wrong.unless(does_something || !is_given, key, || {
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
    fn entries(&self, folder: &Path) -> Vec<(&'static str, Option<Value>)> {
        let seen = |path: &PathBuf| text(relative(path, folder).display());
        let (rules, clock) = (&self.rules, &self.rules.clock);
        let repetition = if rules.ignores_repetition { "off" } else { "on" };
        let on_fault = Some(rules.on_fault).filter(|policy| !policy.is_unsaid());
        let sprt = self.sprt.as_ref().map(sprt_text);
        vec![
            ("name", self.name.as_ref().and_then(text)),
            ("site", self.site.as_ref().and_then(text)),
            ("game", text(self.game.name())),
            ("time_margin", number(clock.margin_ms)),
            ("overhead", number(clock.overhead_ms)),
            ("whole_seconds", Some(clock.whole_seconds.into())),
            ("pairs", self.pairs.and_then(number)),
            ("sprt", sprt.and_then(text)),
            ("openings", self.openings.text(folder).and_then(text)),
            ("plies", self.book_plies.and_then(number)),
            ("order", text(self.order.name())),
            (
                "first_opening",
                Some(self.first_opening)
                    .filter(|&first| first > 1)
                    .and_then(number),
            ),
            ("seed", number(self.seed)),
            ("hash", number(self.hash_mib as u64)),
            ("repeat", Some(self.repeat.into())),
            ("node_jitter", number(self.node_jitter_percent)),
            ("max_plies", number(rules.plies_max)),
            ("declaration", text(rules.declaration.name())),
            ("repetition", text(repetition)),
            ("resign", rules.resign.and_then(text)),
            ("draw", rules.draw.and_then(text)),
            ("timeout_draw", rules.timeout_draw.then_some(true.into())),
            ("syzygy", self.syzygy.as_ref().and_then(seen)),
            ("startup_ms", number(self.timeouts.startup_ms)),
            ("stall_ms", number(self.timeouts.stall_ms)),
            ("on_fault", on_fault.and_then(text)),
            ("faults_max", number(self.faults.max_percent)),
            ("faults_in_a_row", number(self.faults.in_a_row)),
            ("engine_memory", self.engine_memory_mib.and_then(number)),
            ("strict", Some(rules.strict.into())),
            ("single_games", rules.single_games.then(|| true.into())),
        ]
    }

    /// Those that an identity has, each with whether it is not the default.
    fn identity_entries(&self) -> impl Iterator<Item = (InIdentity, &'static str, String, bool)> {
        let nowhere = Path::new("");
        let defaults = Conditions::default().entries(nowhere);
        let own = self.entries(nowhere).into_iter().zip(defaults);
        own.filter_map(|((key, value), (_, default))| {
            let (_, when, title, unit) = TITLES.iter().find(|(name, ..)| *name == key)?;
            Some((*when, *title, shown(key, value.as_ref(), unit), value != default))
        })
    }

    /// The keys that give these conditions again from `folder`, every default written out; those of settings of clocks only if there is
    /// one.
    pub(super) fn table(&self, folder: &Path, has_clock: bool) -> Table {
        let is_of_clocks = |key: &str| {
            TITLES
                .iter()
                .any(|(name, when, ..)| *name == key && *when == Clock)
        };
        let defaults = Conditions::default().entries(folder);
        let entries = self.entries(folder).into_iter().zip(defaults);
        entries
            .filter(|(own, default)| has_clock || !is_of_clocks(own.0) || own != default)
            .filter_map(|((key, value), _)| Some((key.to_owned(), value?)))
            .collect()
    }

    /// How a match of at most so many pairs ends.
    pub fn stop_rule(&self, pairs_max: u64) -> StopRule {
        StopRule {
            faults: self.faults,
            is_single: self.rules.single_games,
            ..StopRule::new(self.sprt, pairs_max)
        }
    }

    /// The same of a shard, which ends with its last pair: what the test says is known only where all shards are together.
    pub fn stop_rule_of(&self, shard: Shard, pairs_max: u64) -> StopRule {
        match shard.is_whole() {
            true => self.stop_rule(pairs_max),
            false => StopRule {
                shard,
                ..self.stop_rule_without_test(pairs_max)
            },
        }
    }

    pub fn stop_rule_without_test(&self, pairs_max: u64) -> StopRule {
        StopRule {
            sprt: None,
            ..self.stop_rule(pairs_max)
        }
    }

    /// Games that are played for each opening of a pairing.
    pub fn games_per_pair(&self) -> u64 {
        if self.rules.single_games { 1 } else { 2 }
    }

    /// How many pairs two players play at most with so many openings.
    pub fn pairs_max(&self, openings: usize) -> Result<u64, ConfigError> {
        let pairs = self.pairs.unwrap_or(self.openings_once(openings) as u64);
        self.check_pairs(pairs, openings)?;
        Ok(pairs)
    }

    /// Refuses more pairs than there are openings, unless they may repeat.
    pub fn check_pairs(&self, pairs: u64, openings: usize) -> Result<(), ConfigError> {
        let once = self.openings_once(openings);
        if pairs <= once as u64 || self.repeat {
            return Ok(());
        }
        Err(ConfigError::TooFewOpenings {
            pairs,
            openings: once,
            before: openings - once,
        })
    }

    /// How many of so many openings are used before one is used again. In a random order those before the first are left out, since the
    /// next pass through the openings has another order.
    pub fn openings_once(&self, openings: usize) -> usize {
        match self.order {
            OpeningOrder::Sequential => openings,
            OpeningOrder::Random => {
                openings - self.first_opening.saturating_sub(1) as usize % openings.max(1)
            }
        }
    }

    /// Adds everything here that decides results; settings of clocks at the end, their defaults only if there is one.
    pub(super) fn identify(&self, identity: &mut Identity, digests: &Digests<'_>, has_clock: bool) {
        let entries = self.identity_entries();
        let (clock, others): (Vec<_>, Vec<_>) = entries.partition(|(when, ..)| *when == Clock);
        let others = others.into_iter();
        let others = others.filter(|(when, _, _, is_changed)| *when == Always || *is_changed);
        let clock = clock.into_iter();
        let clock = clock.filter(|(_, _, _, is_changed)| has_clock || *is_changed);
        for (_, title, text, _) in others.chain(clock) {
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
    let defaults = ClockRules::default();
    let ms = " milliseconds";
    Rules {
        plies_max: rules.max_plies.unwrap_or(512),
        declaration: wrong.parsed(
            "declaration",
            rules.declaration.as_ref(),
            DeclarationRule::default(),
            |name| {
                DeclarationRule::from_name(name).ok_or_else(|| {
                    format!(
                        "unknown declaration rule '{name}' (rules: {})",
                        DeclarationRule::NAMES.join(", ")
                    )
                })
            },
        ),
        ignores_repetition: wrong.parsed(
            "repetition",
            rules.repetition.as_ref(),
            false,
            |name| match name {
                "on" => Ok(false),
                "off" => Ok(true),
                _ => Err(format!("unknown repetition rule '{name}' (rules: on, off)")),
            },
        ),
        timeout_draw: rules.timeout_draw,
        resign: wrong.parsed("resign", rules.resign.as_ref(), None, |text| {
            text.parse().map(Some)
        }),
        draw: wrong.parsed("draw", rules.draw.as_ref(), None, |text| text.parse().map(Some)),
        clock: ClockRules {
            margin_ms: wrong.number(
                "time_margin",
                clock.time_margin,
                defaults.margin_ms,
                0..=60_000,
                ms,
            ),
            overhead_ms: wrong.number("overhead", clock.overhead, defaults.overhead_ms, 0..=60_000, ms),
            whole_seconds: clock.whole_seconds,
        },
        on_fault: wrong.parsed(
            "on_fault",
            faults.on_fault.as_ref(),
            FaultPolicy::UNSAID,
            str::parse,
        ),
        strict: faults.strict,
        single_games: false,
    }
}

impl TimeoutKeys {
    pub fn checked(&self, wrong: &mut Mistakes) -> Timeouts {
        let default = Timeouts::default();
        let mut within =
            |key: &str, value, default| wrong.number(key, value, default, 1..=MS_OF_A_DAY, " milliseconds");
        Timeouts {
            startup_ms: within("startup_ms", self.startup_ms, default.startup_ms),
            stall_ms: within("stall_ms", self.stall_ms, default.stall_ms),
        }
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
