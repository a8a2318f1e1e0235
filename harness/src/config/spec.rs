//! The validated specification of a match.
//!
//! In: a [`MatchFile`]. Out: a [`MatchSpec`] in which every key has a value that can be played.
//! Must not: read openings (how many there are is checked where they are loaded), or create a file.

use std::path::{Path, PathBuf};

use tanren_engine::config::DeclarationRule;
use tanren_engine::game::Game;

use super::limit::LimitKeys;
use super::place::relative;
use super::range::in_range;
use super::sprt::{parse_sprt, sprt_text};
use super::wire::{Command, MatchFile};
use super::{ConfigError, Counting, Identity, MoveLimit, Patience, PlayerSpec, Rules, rules};
use crate::record::PlayerId;
use crate::stats::Sprt;

/// Pairs of a match without `pairs` and `sprt`.
const PAIRS_DEFAULT: u64 = 200;
/// The demonstration: null-move reduction on against off.
const DEMO_B: &str = "base,null_move=off";
const DEMO_SPRT: &str = "elo0=0,elo1=30,alpha=0.05,beta=0.05,model=normalized";
const DEMO_PAIRS: u64 = 800;
/// A day.
const PATIENCE_MS_MAX: u64 = 86_400_000;

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

/// Who sits at one side of a board, and what bounds its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// Who plays.
    pub player: PlayerSpec,
    /// The limit of each of its moves.
    pub limit: MoveLimit,
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
}

/// A match that can be played, apart from its openings.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchSpec {
    /// What both play under.
    pub conditions: Conditions,
    /// A and B.
    pub seats: [Seat; 2],
}

impl Conditions {
    /// Checks those keys of `file` that are no player's, and fills in the defaults.
    ///
    /// # Errors
    /// The first key whose value cannot be played.
    pub(super) fn from_file(file: &MatchFile) -> Result<Conditions, ConfigError> {
        let defaults = MatchFile::defaults();
        let is_demo = file.a.is_none() && file.b.is_none() && file.pairs.is_none() && file.sprt.is_none();
        let sprt = file.sprt.as_deref().or(is_demo.then_some(DEMO_SPRT));
        let sprt = sprt.map(parse_sprt).transpose()?;
        let patience_ms = |name, value| {
            in_range(
                name,
                value,
                1..=PATIENCE_MS_MAX,
                "from 1 to 86400000 milliseconds",
            )
        };
        Ok(Conditions {
            name: file.name.as_deref().map(check_name).transpose()?,
            game: match file.game.as_deref().or(defaults.game.as_deref()) {
                None => Game::Shogi,
                Some(name) => {
                    Game::from_name(name).ok_or_else(|| ConfigError::UnknownGame(name.to_owned()))?
                }
            },
            pairs: pairs_of(file, is_demo, sprt.is_some())?,
            sprt,
            openings: match &file.openings {
                Some(path) => OpeningSource::File(PathBuf::from(path)),
                None => OpeningSource::BuiltIn,
            },
            order: order_of(file.order.as_deref().or(defaults.order.as_deref()))?,
            seed: file.seed.or(defaults.seed).unwrap_or_default(),
            hash_mib: in_range(
                "hash",
                file.hash.or(defaults.hash),
                1..=65_536,
                "from 1 to 65536 MiB",
            )?,
            repeat: file.repeat.or(defaults.repeat).unwrap_or_default(),
            node_jitter_percent: in_range(
                "node_jitter",
                file.node_jitter.or(defaults.node_jitter),
                0..=90,
                "from 0 to 90 percent",
            )?,
            rules: rules::from_file(file, &defaults)?,
            patience: Patience {
                startup_ms: patience_ms("startup_ms", file.startup_ms.or(defaults.startup_ms))?,
                stall_ms: patience_ms("stall_ms", file.stall_ms.or(defaults.stall_ms))?,
            },
        })
    }

    /// Checks what conditions and the `seats` under them, by the names of messages, show together.
    ///
    /// # Errors
    /// The first setting that would do nothing.
    pub(super) fn check<N: ToString>(
        &self,
        file: &MatchFile,
        seats: &[(N, &Seat)],
    ) -> Result<(), ConfigError> {
        let given = [
            ("time_margin", file.time_margin.is_some()),
            ("overhead", file.overhead.is_some()),
            ("whole_seconds", file.whole_seconds == Some(true)),
        ];
        if let Some((name, _)) = given.into_iter().find(|(_, is_given)| *is_given)
            && !has_clock(seats.iter().map(|(_, seat)| *seat))
        {
            return Err(ConfigError::NoClock(name));
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
    pub(super) fn identify(
        &self,
        identity: &mut Identity,
        openings_sha256: &str,
        pairs: u64,
        engine: &str,
        has_clock: bool,
    ) {
        identity.push(Identity::PAIRS, pairs);
        let sprt = self.sprt.as_ref().map_or(Identity::NONE.to_owned(), sprt_text);
        identity.push(Identity::SPRT, sprt);
        identity.push("openings (SHA-256)", openings_sha256);
        // Older ledgers know of the random order alone and do not name it.
        if self.order != OpeningOrder::default() {
            identity.push("order", self.order.name());
        }
        identity.push("seed", self.seed);
        identity.push("hash", format_args!("{} MiB", self.hash_mib));
        identity.push("node jitter", format_args!("{} %", self.node_jitter_percent));
        self.rules.identify(has_clock, identity);
        identity.push("engine", engine);
    }

    /// Adds these conditions to `file`, every default written out; settings of clocks only if there is one.
    pub(super) fn to_file(&self, folder: &Path, has_clock: bool, file: MatchFile) -> MatchFile {
        let clock = has_clock.then_some(self.rules.clock);
        MatchFile {
            name: self.name.clone(),
            game: Some(self.game.name().to_owned()),
            time_margin: clock.map(|clock| clock.margin_ms),
            overhead: clock.map(|clock| clock.overhead_ms),
            whole_seconds: clock.map(|clock| clock.counting == Counting::WholeSeconds),
            pairs: self.pairs,
            sprt: self.sprt.as_ref().map(sprt_text),
            openings: match &self.openings {
                OpeningSource::BuiltIn => None,
                OpeningSource::File(path) => Some(relative(path, folder).to_string_lossy().into_owned()),
            },
            order: Some(self.order.name().to_owned()),
            seed: Some(self.seed),
            hash: Some(self.hash_mib),
            repeat: Some(self.repeat),
            node_jitter: Some(self.node_jitter_percent),
            max_plies: Some(self.rules.plies_max),
            declaration: Some(self.rules.declaration.name().to_owned()),
            repetition: Some(self.rules.repetition.name().to_owned()),
            resign: self.rules.resign.map(|rule| rule.to_string()),
            draw: self.rules.draw.map(|rule| rule.to_string()),
            startup_ms: Some(self.patience.startup_ms),
            stall_ms: Some(self.patience.stall_ms),
            on_fault: (!self.rules.on_fault.is_unsaid()).then(|| self.rules.on_fault.to_string()),
            ..file
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

impl MatchSpec {
    /// Checks `file` and fills in the defaults.
    ///
    /// # Errors
    /// The first key whose value cannot be played.
    pub fn from_file(file: &MatchFile) -> Result<MatchSpec, ConfigError> {
        let defaults = MatchFile::defaults();
        let conditions = Conditions::from_file(file)?;
        let names_no_player = file.a.is_none() && file.b.is_none();
        let default_b = names_no_player.then_some(DEMO_B).or(defaults.b.as_deref());
        let player = |id: &str, given: Option<&str>, default: Option<&str>| {
            let text = given.or(default).unwrap_or("base");
            PlayerSpec::parse_among(conditions.game, id, text, &file.player)
        };
        let seats = [
            Seat {
                player: player("a", file.a.as_deref(), defaults.a.as_deref())?
                    .labelled(file.label_a.as_deref()),
                limit: limit_of(file, PlayerId::A)?,
            },
            Seat {
                player: player("b", file.b.as_deref(), default_b)?.labelled(file.label_b.as_deref()),
                limit: limit_of(file, PlayerId::B)?,
            },
        ];
        conditions.check(file, &[("a", &seats[0]), ("b", &seats[1])])?;
        Ok(MatchSpec { conditions, seats })
    }

    /// Does a player play by a game clock?
    pub fn has_clock(&self) -> bool {
        has_clock(&self.seats)
    }

    /// The file that gives this specification again from `folder`, every default written out.
    pub fn to_file(&self, folder: &Path) -> MatchFile {
        let [a, b] = self.seats.each_ref().map(|seat| LimitKeys::from(seat.limit));
        let file = MatchFile {
            command: Some(Command::Match),
            a: Some(self.seats[0].player.text()),
            b: Some(self.seats[1].player.text()),
            label_a: self.seats[0].player.own_label(),
            label_b: self.seats[1].player.own_label(),
            nodes_a: a.nodes,
            nodes_b: b.nodes,
            depth_a: a.depth,
            depth_b: b.depth,
            movetime_a: a.movetime,
            movetime_b: b.movetime,
            tc_a: a.tc,
            tc_b: b.tc,
            byoyomi_a: a.byoyomi,
            byoyomi_b: b.byoyomi,
            ..MatchFile::default()
        };
        self.conditions.to_file(folder, self.has_clock(), file)
    }

    /// Everything that decides the results, given the openings' hash, the number of pairs and the engine's signature.
    pub fn identity(&self, openings_sha256: &str, pairs: u64, engine: &str) -> Identity {
        let mut identity = Identity::default();
        identity.push("game", self.conditions.game.name());
        for (id, seat) in ["a", "b"].into_iter().zip(&self.seats) {
            identity.push(id, seat.player.canonical());
        }
        for (id, seat) in ["a", "b"].into_iter().zip(&self.seats) {
            identity.push(&format!("limit {id}"), seat.limit);
        }
        self.conditions
            .identify(&mut identity, openings_sha256, pairs, engine, self.has_clock());
        identity
    }

    /// Can A and B, given the same position, do nothing but the same?
    pub fn is_mirror(&self) -> bool {
        self.conditions.are_mirror(self.seats.each_ref())
    }
}

fn limit_of(file: &MatchFile, id: PlayerId) -> Result<MoveLimit, ConfigError> {
    let own = match id {
        PlayerId::A => LimitKeys {
            nodes: file.nodes_a,
            depth: file.depth_a,
            movetime: file.movetime_a,
            tc: file.tc_a.clone(),
            byoyomi: file.byoyomi_a,
        },
        PlayerId::B => LimitKeys {
            nodes: file.nodes_b,
            depth: file.depth_b,
            movetime: file.movetime_b,
            tc: file.tc_b.clone(),
            byoyomi: file.byoyomi_b,
        },
    };
    let common = LimitKeys {
        nodes: file.nodes,
        depth: file.depth,
        movetime: file.movetime,
        tc: file.tc.clone(),
        byoyomi: file.byoyomi,
    };
    own.or(common, id.letter())
}

fn pairs_of(file: &MatchFile, is_demo: bool, has_sprt: bool) -> Result<Option<u64>, ConfigError> {
    match file.pairs {
        Some(pairs) => in_range("pairs", Some(pairs), 1..=100_000_000, "from 1 to 100000000").map(Some),
        None if is_demo => Ok(Some(DEMO_PAIRS)),
        None if has_sprt => Ok(None),
        None => Ok(Some(PAIRS_DEFAULT)),
    }
}

fn order_of(text: Option<&str>) -> Result<OpeningOrder, ConfigError> {
    let Some(text) = text else {
        return Ok(OpeningOrder::default());
    };
    OpeningOrder::from_name(text).ok_or_else(|| ConfigError::UnknownOrder(text.to_owned()))
}

fn check_name(name: &str) -> Result<String, ConfigError> {
    let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
        return Err(ConfigError::BadName(name.to_owned()));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests;
