//! The validated specification of a match.
//!
//! In: a [`MatchFile`]. Out: a [`MatchSpec`] in which every key has a value that can be played.
//! Must not: read openings (how many there are is checked where they are loaded), or create a file.

use std::path::PathBuf;

use tanren_engine::game::{DeclarationRule, Game};

use super::limit::LimitKeys;
use super::wire::{Command, MatchFile};
use super::{ConfigError, Identity, MoveLimit, PlayerSpec, Rules};
use crate::record::PlayerId;
use crate::stats::Sprt;

/// Pairs of a match without `pairs` and `sprt`.
const PAIRS_DEFAULT: u64 = 200;
/// The demonstration: null-move reduction on against off.
const DEMO_B: &str = "base,null_move=off";
const DEMO_SPRT: &str = "elo0=0,elo1=30,alpha=0.05,beta=0.05,model=normalized";
const DEMO_PAIRS: u64 = 800;

/// Where openings come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpeningSource {
    /// The suite that is part of the program.
    BuiltIn,
    /// A file.
    File(PathBuf),
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
            PlayerSpec::parse(game, id, given.or(default).unwrap_or("base"))
        };
        let sprt_text = file.sprt.as_deref().or(is_demo.then_some(DEMO_SPRT));
        let sprt = sprt_text.map(parse_sprt).transpose()?;
        let spec = MatchSpec {
            name: file.name.as_deref().map(check_name).transpose()?,
            game,
            players: [
                player("a", file.a.as_deref(), defaults.a.as_deref())?,
                player("b", file.b.as_deref(), default_b)?,
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
            rules: Rules {
                plies_max: file.max_plies.or(defaults.max_plies).unwrap_or_default(),
                declaration: declaration_of(file.declaration.as_deref().or(defaults.declaration.as_deref()))?,
            },
        };
        spec.check_jitter()?;
        spec.check_declarations()?;
        Ok(spec)
    }

    /// The declaration rule belongs to the match; a player's own would be an option that does nothing.
    fn check_declarations(&self) -> Result<(), ConfigError> {
        for (player, spec) in ["a", "b"].into_iter().zip(&self.players) {
            let rule = spec.config.search.declaration;
            if rule != DeclarationRule::default() && rule != self.rules.declaration {
                return Err(ConfigError::PlayerDeclaration {
                    player,
                    rule: rule.name(),
                });
            }
        }
        Ok(())
    }

    /// The file that gives this specification again, every default written out.
    pub fn to_file(&self) -> MatchFile {
        let [a, b] = self.limits;
        let nodes = |limit| {
            if let MoveLimit::Nodes(nodes) = limit {
                Some(nodes)
            } else {
                None
            }
        };
        let depth = |limit| {
            if let MoveLimit::Depth(depth) = limit {
                Some(depth)
            } else {
                None
            }
        };
        let movetime = |limit| {
            if let MoveLimit::MoveTimeMs(time_ms) = limit {
                Some(time_ms)
            } else {
                None
            }
        };
        MatchFile {
            command: Some(Command::Match),
            name: self.name.clone(),
            game: Some(self.game.name().to_owned()),
            a: Some(self.players[0].text()),
            b: Some(self.players[1].text()),
            nodes_a: nodes(a),
            nodes_b: nodes(b),
            depth_a: depth(a),
            depth_b: depth(b),
            movetime_a: movetime(a),
            movetime_b: movetime(b),
            pairs: self.pairs,
            sprt: self.sprt.map(|sprt| sprt.to_string()),
            openings: match &self.openings {
                OpeningSource::BuiltIn => None,
                OpeningSource::File(path) => Some(path.to_string_lossy().into_owned()),
            },
            seed: Some(self.seed),
            hash: Some(self.hash_mib),
            repeat: Some(self.repeat),
            node_jitter: Some(self.node_jitter_percent),
            max_plies: Some(self.rules.plies_max),
            declaration: Some(self.rules.declaration.name().to_owned()),
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
        let sprt = self
            .sprt
            .map_or(Identity::NONE.to_owned(), |sprt| sprt.to_string());
        identity.push(Identity::SPRT, sprt);
        identity.push("openings (SHA-256)", openings_sha256);
        identity.push("seed", self.seed);
        identity.push("hash", format_args!("{} MiB", self.hash_mib));
        identity.push("node jitter", format_args!("{} %", self.node_jitter_percent));
        identity.push("max plies", self.rules.plies_max);
        identity.push("declaration", self.rules.declaration.name());
        identity.push("engine", engine);
        identity
    }

    /// Can A and B, given the same position, do nothing but the same?
    pub fn is_mirror(&self) -> bool {
        let [a, b] = self.limits;
        self.players[0].config == self.players[1].config
            && a == b
            && !matches!(a, MoveLimit::MoveTimeMs(_))
            && self.node_jitter_percent == 0
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
        },
        PlayerId::B => LimitKeys {
            nodes: file.nodes_b,
            depth: file.depth_b,
            movetime: file.movetime_b,
        },
    };
    let common = LimitKeys {
        nodes: file.nodes,
        depth: file.depth,
        movetime: file.movetime,
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

fn parse_sprt(text: &str) -> Result<Sprt, ConfigError> {
    text.parse().map_err(ConfigError::Sprt)
}

fn declaration_of(text: Option<&str>) -> Result<DeclarationRule, ConfigError> {
    let Some(text) = text else {
        return Ok(DeclarationRule::default());
    };
    DeclarationRule::from_name(text).ok_or_else(|| ConfigError::UnknownDeclaration(text.to_owned()))
}

fn check_name(name: &str) -> Result<String, ConfigError> {
    let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(is_plain) {
        return Err(ConfigError::BadName(name.to_owned()));
    }
    Ok(name.to_owned())
}

fn in_range<N>(
    name: &str,
    value: Option<N>,
    range: std::ops::RangeInclusive<N>,
    expected: &'static str,
) -> Result<N, ConfigError>
where
    N: PartialOrd + std::fmt::Display + Default,
{
    let value = value.unwrap_or_default();
    if range.contains(&value) {
        return Ok(value);
    }
    Err(ConfigError::OutOfRange {
        name: name.to_owned(),
        value: value.to_string(),
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> MatchFile {
        toml::from_str(text).unwrap()
    }

    fn refusal(text: &str) -> String {
        MatchSpec::from_file(&file(text)).unwrap_err().to_string()
    }

    #[test]
    fn no_key_at_all_is_null_move_reduction_on_against_off_under_an_sprt_with_a_cap() {
        let spec = MatchSpec::from_file(&MatchFile::default()).unwrap();
        assert_eq!(
            spec.players.map(|player| player.label),
            ["base", "base,null_move=off"]
        );
        assert!(spec.sprt.is_some() && spec.pairs.is_some());
        assert_eq!(spec.openings, OpeningSource::BuiltIn);
    }

    #[test]
    fn the_written_file_gives_the_same_specification_again() {
        let texts = [
            "",
            "a = \"null_move=prune\"\nb = \"plain\"\nnodes_a = 50\ndepth_b = 3\npairs = 7\nrepeat = true",
            "sprt = \"elo0=-3,elo1=1,model=logistic\"\nmovetime = 20\ndeclaration = \"off\"\nmax_plies = 0",
        ];
        for text in texts {
            let spec = MatchSpec::from_file(&file(text)).unwrap();
            let written = toml::to_string(&spec.to_file()).unwrap();
            let again = MatchSpec::from_file(&file(&written)).unwrap();
            assert_eq!(again, spec, "{written}");
        }
    }

    #[test]
    fn a_limit_of_one_player_replaces_the_common_one() {
        let spec = MatchSpec::from_file(&file("depth = 5\nnodes_a = 1000")).unwrap();
        assert_eq!(spec.limits, [MoveLimit::Nodes(1000), MoveLimit::Depth(5)]);
    }

    #[test]
    fn wrong_values_are_refused_with_their_names() {
        let cases = [
            ("pairs = 0", "pairs is 0"),
            ("nodes = 0", "nodes of player a is 0"),
            ("nodes = 5\ndepth = 2", "several limits (nodes 5, depth 2)"),
            ("hash = 0", "hash is 0"),
            ("node_jitter = 95", "node_jitter is 95"),
            ("node_jitter = 5\ndepth = 3", "player a plays by depth 3"),
            ("declaration = \"30\"", "unknown declaration rule '30'"),
            ("game = \"go\"", "unknown game 'go'"),
            ("name = \"../x\"", "name '../x'"),
            ("sprt = \"elo0=5,elo1=5\"", "elo1=5 must be greater than elo0=5"),
        ];
        for (text, expected) in cases {
            let message = refusal(text);
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn more_pairs_than_openings_are_refused_unless_they_may_repeat() {
        let spec = MatchSpec::from_file(&file("pairs = 11")).unwrap();
        assert!(spec.pairs_max(10).unwrap_err().to_string().contains("--repeat"));
        assert_eq!(spec.pairs_max(11).unwrap(), 11);
        let spec = MatchSpec::from_file(&file("pairs = 11\nrepeat = true")).unwrap();
        assert_eq!(spec.pairs_max(10).unwrap(), 11);
    }

    #[test]
    fn identical_players_are_a_mirror_until_something_tells_them_apart() {
        let is_mirror = |text| MatchSpec::from_file(&file(text)).unwrap().is_mirror();
        assert!(is_mirror("a = \"base\"\nb = \"base\""));
        assert!(!is_mirror("a = \"base\"\nb = \"base\"\nnode_jitter = 20"));
        assert!(!is_mirror("a = \"base\"\nb = \"base\"\nnodes_a = 20"));
        assert!(!is_mirror("a = \"base\"\nb = \"base\"\nmovetime = 20"));
        assert!(!is_mirror("a = \"base\"\nb = \"plain\""));
    }
}
