//! The validated specification of a match.
//!
//! In: a [`MatchFile`]. Out: a [`MatchSpec`] in which every key has a value that can be played.
//! Must not: read openings (how many there are is checked where they are loaded), or create a file.

use std::path::{Path, PathBuf};

use tanren_engine::game::{DeclarationRule, Game};

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

/// A match that can be played, apart from its openings.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchSpec {
    /// Part of the default folder's name.
    pub name: Option<String>,
    /// What is played.
    pub game: Game,
    /// A and B.
    pub players: [PlayerSpec; 2],
    /// The limit of each move of A and B.
    pub limits: [MoveLimit; 2],
    /// Most pairs; `None` is one for each opening.
    pub pairs: Option<u64>,
    /// The test that may end the match early.
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

impl MatchSpec {
    /// Checks `file` and fills in the defaults.
    ///
    /// # Errors
    /// The first key whose value cannot be played.
    pub fn from_file(file: &MatchFile) -> Result<MatchSpec, ConfigError> {
        let defaults = MatchFile::defaults();
        let is_demo = file.a.is_none() && file.b.is_none() && file.pairs.is_none() && file.sprt.is_none();
        let game = match file.game.as_deref().or(defaults.game.as_deref()) {
            None => Game::Shogi,
            Some(name) => Game::from_name(name).ok_or_else(|| ConfigError::UnknownGame(name.to_owned()))?,
        };
        let names_no_player = file.a.is_none() && file.b.is_none();
        let default_b = names_no_player.then_some(DEMO_B).or(defaults.b.as_deref());
        let player = |id: &str, given: Option<&str>, default: Option<&str>| {
            PlayerSpec::parse_among(game, id, given.or(default).unwrap_or("base"), &file.player)
        };
        let sprt = file.sprt.as_deref().or(is_demo.then_some(DEMO_SPRT));
        let sprt = sprt.map(parse_sprt).transpose()?;
        let spec = MatchSpec {
            name: file.name.as_deref().map(check_name).transpose()?,
            game,
            players: [
                player("a", file.a.as_deref(), defaults.a.as_deref())?.labelled(file.label_a.as_deref()),
                player("b", file.b.as_deref(), default_b)?.labelled(file.label_b.as_deref()),
            ],
            limits: [
                limit_of(file, &defaults, PlayerId::A)?,
                limit_of(file, &defaults, PlayerId::B)?,
            ],
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
                startup_ms: in_range(
                    "startup_ms",
                    file.startup_ms.or(defaults.startup_ms),
                    1..=PATIENCE_MS_MAX,
                    "from 1 to 86400000 milliseconds",
                )?,
                stall_ms: in_range(
                    "stall_ms",
                    file.stall_ms.or(defaults.stall_ms),
                    1..=PATIENCE_MS_MAX,
                    "from 1 to 86400000 milliseconds",
                )?,
            },
        };
        spec.check_clock(file)?;
        spec.check_jitter()?;
        spec.check_declarations()?;
        Ok(spec)
    }

    /// Does a player play by a game clock?
    pub fn has_clock(&self) -> bool {
        self.limits
            .iter()
            .any(|limit| matches!(limit, MoveLimit::Clock(_)))
    }

    /// A setting of clocks without a clock would be an option that does nothing.
    fn check_clock(&self, file: &MatchFile) -> Result<(), ConfigError> {
        let given = [
            ("time_margin", file.time_margin.is_some()),
            ("overhead", file.overhead.is_some()),
            ("whole_seconds", file.whole_seconds == Some(true)),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) if !self.has_clock() => Err(ConfigError::NoClock(name)),
            _ => Ok(()),
        }
    }

    /// The declaration rule belongs to the match; a player's own would be an option that does nothing.
    fn check_declarations(&self) -> Result<(), ConfigError> {
        for (player, spec) in ["a", "b"].into_iter().zip(&self.players) {
            let Some(config) = spec.config() else { continue };
            let rule = config.search.declaration;
            if rule != DeclarationRule::default() && rule != self.rules.declaration {
                return Err(ConfigError::PlayerDeclaration {
                    player,
                    rule: rule.name(),
                });
            }
        }
        Ok(())
    }

    /// The file that gives this specification again from `folder`, every default written out.
    pub fn to_file(&self, folder: &Path) -> MatchFile {
        let [a, b] = self.limits.map(LimitKeys::from);
        let clock = self.has_clock().then_some(self.rules.clock);
        MatchFile {
            command: Some(Command::Match),
            name: self.name.clone(),
            game: Some(self.game.name().to_owned()),
            a: Some(self.players[0].text()),
            b: Some(self.players[1].text()),
            label_a: self.players[0].own_label(),
            label_b: self.players[1].own_label(),
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
            ..MatchFile::default()
        }
    }

    /// How many pairs are played at most with so many openings.
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

    /// Everything that decides the results, given the openings' hash, the number of pairs and the engine's signature.
    pub fn identity(&self, openings_sha256: &str, pairs: u64, engine: &str) -> Identity {
        let mut identity = Identity::default();
        identity.push("game", self.game.name());
        identity.push("a", self.players[0].canonical());
        identity.push("b", self.players[1].canonical());
        identity.push("limit a", self.limits[0]);
        identity.push("limit b", self.limits[1]);
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
        self.rules.identify(self.has_clock(), &mut identity);
        identity.push("engine", engine);
        identity
    }

    /// Can A and B, given the same position, do nothing but the same?
    pub fn is_mirror(&self) -> bool {
        let [a, b] = self.limits;
        let [config_a, config_b] = self.players.each_ref().map(PlayerSpec::config);
        config_a.is_some() && config_a == config_b && a == b && !a.is_timed() && self.node_jitter_percent == 0
    }

    fn check_jitter(&self) -> Result<(), ConfigError> {
        if self.node_jitter_percent == 0 {
            return Ok(());
        }
        for (player, limit) in ["a", "b"].into_iter().zip(self.limits) {
            if !matches!(limit, MoveLimit::Nodes(_)) {
                return Err(ConfigError::JitterWithoutNodes {
                    player,
                    limit: limit.to_string(),
                });
            }
        }
        Ok(())
    }
}

fn limit_of(file: &MatchFile, defaults: &MatchFile, id: PlayerId) -> Result<MoveLimit, ConfigError> {
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
    let name = id.letter();
    // Both are checked, so that a wrong common limit is reported even where it is overridden.
    let (own, common) = (own.limit(name)?, common.limit(name)?);
    let default = MoveLimit::Nodes(defaults.nodes.unwrap_or(1));
    Ok(own.or(common).unwrap_or(default))
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
