//! What all games of a run are played under.
//!
//! In: [`ConditionKeys`]. Out: [`Conditions`] in which every key has a value that can be played, and their part of an
//! identity. Must not: read openings (how many there are is checked where they are loaded), or create a file.

use std::path::{Path, PathBuf};

use tanren_engine::config::DeclarationRule;
use tanren_engine::game::Game;

use super::declare::{InIdentity, Keys, Meaning, conditions, written_as_name, written_as_text};
use super::place::relative;
use super::sprt::{parse_sprt, sprt_text};
use super::{
    ConfigError, Counting, DrawRule, FaultPolicy, Identity, MoveLimit, Patience, RepetitionRule, ResignRule,
    Rules, Seat,
};
use crate::stats::Sprt;
use crate::stop::{FaultLimits, StopRule};

/// Where openings come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpeningSource {
    /// The suite that is part of the program.
    BuiltIn,
    /// A file.
    File(PathBuf),
}

/// The order in which openings are used; none is used again before all were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OpeningOrder {
    /// By the seed, another order in each pass through them.
    #[default]
    Random,
    /// That of the file.
    Sequential,
}

impl OpeningOrder {
    /// The order of this name.
    pub fn from_name(name: &str) -> Option<OpeningOrder> {
        [OpeningOrder::Random, OpeningOrder::Sequential]
            .into_iter()
            .find(|order| order.name() == name)
    }

    /// `random` or `sequential`.
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
    /// What is played.
    pub game: Game,
    /// Most pairs of two players; `None` is one for each opening.
    pub pairs: Option<u64>,
    /// The test that may end a match early.
    pub sprt: Option<Sprt>,
    /// Where openings come from.
    pub openings: OpeningSource,
    /// Moves of each game of a book that are played at most.
    pub book_plies: Option<u32>,
    /// In which order they are used.
    pub order: OpeningOrder,
    /// Orders the openings and varies node limits.
    pub seed: u64,
    /// Hash table of each player.
    pub hash_mib: usize,
    /// May openings be used again?
    pub repeat: bool,
    /// Variation of node limits.
    pub node_jitter_percent: u32,
    /// The rules of the referee.
    pub rules: Rules,
    /// How long players that are other programs are waited for.
    pub patience: Patience,
    /// From when on faults make a run invalid.
    pub faults: FaultLimits,
    /// What each of them may use at most, where it says nothing else.
    pub engine_memory_mib: Option<u64>,
    /// The endgame tables that end games; what is in them is part of a run's identity where they are opened.
    pub syzygy: Option<TableFolder>,
}

/// A folder of endgame tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFolder(pub PathBuf);

conditions! {
    /// The keys of [`Conditions`], as they stand in files and arguments.
    ConditionKeys of Conditions {
        game => game: Game = Game::Shogi, "GAME", "What is played: shogi or chess";
        time_margin => rules.clock.margin_ms: u64 = 100, "MS",
            "How far a move may overstep a game clock before the game is lost",
            in 0..=60_000 "from 0 to 60000 milliseconds", identity Clock "time margin" "ms";
        overhead => rules.clock.overhead_ms: u64 = 30, "MS",
            "What a built-in player leaves unused of what a game clock allows",
            in 0..=60_000 "from 0 to 60000 milliseconds", identity Clock "overhead" "ms";
        whole_seconds => rules.clock.counting: Counting = Counting::Exact, "",
            "Take only the whole seconds of each move off a game clock, as in shogi tournaments",
            shown "", identity Clock "clock counts";
        pairs => pairs: Option<u64> = None, "N", "Most pairs", shown "200; with --sprt one for each opening",
            in 1..=100_000_000 "from 1 to 100000000", identity Always "pairs";
        sprt => sprt: Option<Sprt> = None, "TEST",
            "Stop as soon as a sequential test is decided: elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized|logistic",
            shown "", identity Always "sprt";
        openings => openings: OpeningSource = OpeningSource::BuiltIn, "FILE",
            "Positions (SFEN, FEN, EPD), games (PGN, KIF, CSA) or a book of moves (Polyglot, YaneuraOu), also .gz, .zst or .bz2",
            shown "the built-in suite if absent", identity Always "openings (SHA-256)";
        plies => book_plies: Option<u32> = None, "N",
            "How many plies of each game of --openings are played, or of a book of moves",
            shown "all; of a book of moves 16", in 0..=1_000 "from 0 to 1000", identity Changed "plies of openings";
        order => order: OpeningOrder = OpeningOrder::Random, "ORDER",
            "The order in which openings are used, none again before all were: random or sequential",
            identity Changed "order";
        seed => seed: u64 = 1, "N", "Orders the openings and varies the node limits", identity Always "seed";
        hash => hash_mib: usize = 4, "MIB", "Hash table of each player in MiB",
            in 1..=65_536 "from 1 to 65536 MiB", identity Always "hash" "MiB";
        repeat => repeat: bool = false, "", "Use openings again when there are more pairs than openings", shown "";
        node_jitter => node_jitter_percent: u32 = 0, "PERCENT",
            "Vary the node limits of each game by up to this many percent",
            in 0..=90 "from 0 to 90 percent", identity Always "node jitter" "%";
        max_plies => rules.plies_max: u32 = 512, "N", "A game of so many plies is a draw; 0 for no limit",
            identity Always "max plies";
        declaration => rules.declaration: DeclarationRule = DeclarationRule::default(), "RULE",
            "The declaration rule: 27, 24 or off", identity Always "declaration";
        repetition => rules.repetition: RepetitionRule = RepetitionRule::On, "RULE",
            "Does a repetition end the game: on or off", identity Always "repetition";
        resign => rules.resign: Option<ResignRule> = None, "RULE",
            "A player that sees itself so far behind for so many moves in a row loses: score=600,moves=3[,both]; with both, its opponent must agree",
            shown "off", identity Always "resign";
        draw => rules.draw: Option<DrawRule> = None, "RULE",
            "A game in which both see no advantage for so many moves is a draw: from=40,moves=8,score=10, from in plies",
            shown "off", identity Always "draw";
        syzygy => syzygy: Option<TableFolder> = None, "DIR",
            "End a game of chess where the Syzygy tables in this folder know its result: no castling, and the last move captured or moved a pawn",
            shown "";
        startup_ms => patience.startup_ms: u64 = 10_000, "MS",
            "How long another program may take to start and to be ready, in milliseconds",
            in 1..=86_400_000 "from 1 to 86400000 milliseconds";
        stall_ms => patience.stall_ms: u64 = 10_000, "MS",
            "How long another program may take for a move without a limit in time, in milliseconds",
            in 1..=86_400_000 "from 1 to 86400000 milliseconds";
        on_fault => rules.on_fault: FaultPolicy = FaultPolicy::UNSAID, "POLICY",
            "What follows from a fault: KIND=loss|replay|stop,... with kinds as in docs/src/engines.md or all; replay:N plays the pair again N times at most, replay alone 3 times",
            shown "all=loss", identity Changed "on fault";
        faults_max => faults.max_percent: u32 = 2, "PERCENT",
            "A run is invalid if a greater share of a player's games ends by its faults, from 10 faults on, or if both sides lose so many on time; 100 for no such limit",
            in 0..=100 "from 0 to 100 percent", identity Changed "faults max" "%";
        faults_in_a_row => faults.in_a_row: u32 = 5, "N",
            "So many faults of one player in a row stop the run, which is invalid; 0 for no such limit",
            identity Changed "faults in a row";
        engine_memory => engine_memory_mib: Option<u64> = None, "MIB",
            "Memory that another program may use at most in MiB; its end by that is a fault, of kind memory",
            shown "", in 1..=16_777_216 "from 1 to 16777216 MiB", identity Changed "engine memory" "MiB";
        strict => rules.strict: bool = false, "",
            "Make remarks faults, of kind nonsense: an illegal variation, a mate that was announced and is taken back, an answer to stop that is late",
            shown "", identity Changed "strict";
        name => name: Option<String> = None, "NAME", "Part of the default folder's name", shown "";
    }
}

written_as_text!(ResignRule, DrawRule);
written_as_name! {
    Game, UnknownGame;
    OpeningOrder, UnknownOrder;
    DeclarationRule, UnknownDeclaration;
    RepetitionRule, UnknownRepetition;
}

impl Meaning for Sprt {
    type Wire = String;

    fn read(wire: &String) -> Result<Sprt, ConfigError> {
        Ok(parse_sprt(wire)?)
    }

    fn write(&self) -> Option<String> {
        Some(sprt_text(self))
    }

    fn text(&self) -> String {
        sprt_text(self)
    }
}

impl Meaning for OpeningSource {
    type Wire = String;

    fn read(wire: &String) -> Result<OpeningSource, ConfigError> {
        Ok(OpeningSource::File(PathBuf::from(wire)))
    }

    fn write(&self) -> Option<String> {
        match self {
            OpeningSource::BuiltIn => None,
            OpeningSource::File(path) => Some(path.to_string_lossy().into_owned()),
        }
    }

    fn text(&self) -> String {
        self.write().unwrap_or_default()
    }
}

impl Meaning for TableFolder {
    type Wire = String;

    fn read(wire: &String) -> Result<TableFolder, ConfigError> {
        Ok(TableFolder(PathBuf::from(wire)))
    }

    fn write(&self) -> Option<String> {
        Some(self.0.to_string_lossy().into_owned())
    }

    fn text(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }
}

impl Meaning for Counting {
    type Wire = bool;

    fn read(wire: &bool) -> Result<Counting, ConfigError> {
        Ok(if *wire {
            Counting::WholeSeconds
        } else {
            Counting::Exact
        })
    }

    fn write(&self) -> Option<bool> {
        Some(*self == Counting::WholeSeconds)
    }

    fn text(&self) -> String {
        self.name().to_owned()
    }
}

impl Meaning for FaultPolicy {
    type Wire = String;

    fn read(wire: &String) -> Result<FaultPolicy, ConfigError> {
        Ok(wire.parse()?)
    }

    fn write(&self) -> Option<String> {
        (!self.is_unsaid()).then(|| self.to_string())
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// What an identity holds that no key says.
pub(super) struct Digests<'a> {
    pub(super) openings_sha256: &'a str,
    /// Pairs that are played at most.
    pub(super) pairs: u64,
    /// The signature of the built-in engine.
    pub(super) engine: &'a str,
}

impl Conditions {
    /// Every key is set before anybody sees it.
    fn blank() -> Conditions {
        Conditions {
            name: None,
            game: Game::Shogi,
            pairs: None,
            sprt: None,
            openings: OpeningSource::BuiltIn,
            book_plies: None,
            order: OpeningOrder::default(),
            seed: 0,
            hash_mib: 0,
            repeat: false,
            node_jitter_percent: 0,
            rules: Rules::default(),
            patience: Patience {
                startup_ms: 0,
                stall_ms: 0,
            },
            faults: FaultLimits::default(),
            engine_memory_mib: None,
            syzygy: None,
        }
    }

    /// What follows from the faults of whoever sits in each of `seats`.
    pub fn fault_policies<'a>(&self, seats: impl IntoIterator<Item = &'a Seat>) -> Vec<FaultPolicy> {
        let of_seat = |seat: &Seat| {
            let own = seat.player.process().map(|process| process.on_fault);
            own.map_or(self.rules.on_fault, |own| own.or(self.rules.on_fault))
        };
        seats.into_iter().map(of_seat).collect()
    }

    /// Checks `keys` and fills in the defaults.
    ///
    /// # Errors
    /// The first key whose value cannot be played.
    pub fn from_keys(keys: &ConditionKeys) -> Result<Conditions, ConfigError> {
        let conditions = Conditions::read(keys)?;
        if let Some(name) = &conditions.name {
            check_name(name)?;
        }
        if conditions.openings == OpeningSource::BuiltIn && conditions.book_plies.is_some() {
            return Err(ConfigError::PliesWithoutOpenings);
        }
        if conditions.syzygy.is_some() && conditions.game != Game::Chess {
            return Err(ConfigError::TablesWithoutChess);
        }
        if conditions.rules.repetition == RepetitionRule::Off && conditions.rules.plies_max == 0 {
            return Err(ConfigError::EndlessGame);
        }
        Ok(conditions)
    }

    /// Checks what `keys` and the `seats` under them, by the names of messages, show together.
    ///
    /// # Errors
    /// The first setting that would do nothing.
    pub(super) fn check<N: ToString>(
        &self,
        keys: &ConditionKeys,
        seats: &[(N, &Seat)],
    ) -> Result<(), ConfigError> {
        if !has_clock(seats.iter().map(|(_, seat)| *seat)) {
            refuse_clock_keys(keys)?;
        }
        for (name, seat) in seats {
            if self.node_jitter_percent > 0 && !matches!(seat.limit, MoveLimit::Nodes(_)) {
                return Err(ConfigError::JitterWithoutNodes {
                    player: name.to_string(),
                    limit: seat.limit.to_string(),
                });
            }
        }
        for (name, seat) in seats {
            // The declaration rule belongs to the match; a player's own would be an option that does nothing.
            let Some(config) = seat.player.config() else {
                continue;
            };
            let rule = config.search.declaration;
            if rule != DeclarationRule::default() && rule != self.rules.declaration {
                return Err(ConfigError::PlayerDeclaration {
                    player: name.to_string(),
                    rule: rule.name(),
                });
            }
        }
        Ok(())
    }

    /// The keys that give these conditions again from `folder`, every default written out; settings of clocks only if
    /// there is one.
    pub(super) fn to_keys(&self, folder: &Path, has_clock: bool) -> ConditionKeys {
        let mut keys = self.write();
        if let OpeningSource::File(path) = &self.openings {
            keys.openings = Some(relative(path, folder).to_string_lossy().into_owned());
        }
        if let Some(TableFolder(path)) = &self.syzygy {
            keys.syzygy = Some(relative(path, folder).to_string_lossy().into_owned());
        }
        if !has_clock {
            (keys.time_margin, keys.overhead, keys.whole_seconds) = (None, None, None);
        }
        keys
    }

    /// How a match of at most so many pairs ends.
    pub fn stop_rule(&self, pairs_max: u64) -> StopRule {
        StopRule {
            sprt: self.sprt,
            pairs_max,
            faults: self.faults,
        }
    }

    /// As [`stop_rule`](Conditions::stop_rule), without a test.
    pub fn stop_rule_without_test(&self, pairs_max: u64) -> StopRule {
        StopRule {
            sprt: None,
            ..self.stop_rule(pairs_max)
        }
    }

    /// How many pairs two players play at most with so many openings.
    ///
    /// # Errors
    /// More pairs than openings without `repeat`.
    pub fn pairs_max(&self, openings: usize) -> Result<u64, ConfigError> {
        let pairs = self.pairs.unwrap_or(openings as u64);
        if pairs > openings as u64 && !self.repeat {
            return Err(ConfigError::TooFewOpenings { pairs, openings });
        }
        Ok(pairs)
    }

    /// Adds everything here that decides results; settings of clocks only if there is one.
    pub(super) fn identify(&self, identity: &mut Identity, digests: &Digests<'_>, has_clock: bool) {
        let counted = Conditions {
            pairs: Some(digests.pairs),
            openings: OpeningSource::File(digests.openings_sha256.into()),
            ..self.clone()
        };
        let (clock, others): (Vec<_>, Vec<_>) = counted
            .entries()
            .into_iter()
            .partition(|entry| entry.when == InIdentity::Clock);
        let others = others
            .into_iter()
            .filter(|entry| entry.when == InIdentity::Always || !entry.is_default);
        for entry in others.chain(clock.into_iter().filter(|_| has_clock)) {
            identity.push(entry.title, entry.text);
        }
        identity.push("engine", digests.engine);
    }

    /// Adds what is not the default and not in `identity` yet, for runs whose identity names the rest itself.
    pub fn identify_changes(&self, identity: &mut Identity) {
        let of_length = [Identity::PAIRS, Identity::SPRT];
        for entry in self.entries() {
            let is_new = identity.get(entry.title).is_none() && !of_length.contains(&entry.title);
            if is_new && !entry.is_default {
                identity.push(entry.title, entry.text);
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

/// Does anybody play by a game clock?
pub(super) fn has_clock<'a>(seats: impl IntoIterator<Item = &'a Seat>) -> bool {
    seats
        .into_iter()
        .any(|seat| matches!(seat.limit, MoveLimit::Clock(_)))
}

/// A setting of clocks without a clock would be an option that does nothing.
fn refuse_clock_keys(keys: &ConditionKeys) -> Result<(), ConfigError> {
    let is_of_clocks = |name: &str| {
        let mut table = ConditionKeys::TABLE.iter();
        table.any(|key| key.name == name && key.in_identity == InIdentity::Clock)
    };
    let given = keys
        .write()
        .into_iter()
        .find(|(name, value)| is_of_clocks(name) && *value != toml::Value::Boolean(false));
    match given {
        Some((name, _)) => Err(ConfigError::NoClock(name)),
        None => Ok(()),
    }
}

fn check_name(name: &str) -> Result<(), ConfigError> {
    let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
        return Err(ConfigError::BadName(name.to_owned()));
    }
    Ok(())
}
