use std::num::NonZero;
use std::path::Path;

use clap::Args;
use serde::Deserialize;

use crate::config::{
    ConfigError, GameKeys, Identity, LengthKeys, LimitKeys, MatchKeys, MatchSpec, Mistakes, MoveLimit, Of,
    RepeatKeys, Resource, TimeoutKeys,
};
use crate::kinds::odds::plan::OddsPlan;
use crate::session::error::{ExperimentError, Result};
use crate::session::kind::Keys;

const SAME_KIND: &str = "A gets a multiple of the limit of B, so one limit of a kind is all: leave out that of both players or that of B alone";

#[derive(Debug, Clone, PartialEq)]
pub struct OddsSpec {
    /// The match that every batch is one of, A with the limit that it gets multiples of: that of B, unless B has one of
    /// another kind. Its pairs are those of a batch, its seed is that of the study.
    pub games: MatchSpec,
    pub pairs: u64,
    pub batch: u64,
    pub ratio_max: f64,
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub struct OddsKeys {
    /// Player A, whose limit varies: a preset, settings, a path, usi:COMMAND or @file.toml (base).
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    a: Option<String>,
    /// Player B; it may have a limit of another kind: ,depth=8.
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    b: Option<String>,
    /// Pairs in all; rounded up to whole batches (1000).
    #[arg(long, value_name = "N", help_heading = "Length")]
    pairs: Option<NonZero<u64>>,
    /// Pairs of a batch, all at one ratio (50).
    #[arg(long, value_name = "N", help_heading = "Length")]
    batch: Option<NonZero<u64>>,
    /// Greatest ratio either way (64).
    #[arg(long, value_name = "RATIO", help_heading = "Length")]
    ratio_max: Option<f64>,
    #[command(flatten)]
    #[serde(flatten)]
    repeat: RepeatKeys,
    #[command(flatten)]
    #[serde(flatten)]
    limit: LimitKeys,
    #[command(flatten)]
    #[serde(flatten)]
    of_a: Of<'a'>,
    #[command(flatten)]
    #[serde(flatten)]
    of_b: Of<'b'>,
    #[command(flatten)]
    #[serde(flatten)]
    games: GameKeys,
    #[command(flatten)]
    #[serde(flatten)]
    timeouts: TimeoutKeys,
}

impl Keys for OddsKeys {
    type Spec = OddsSpec;

    fn spec(&self, _: Option<&Path>) -> Result<OddsSpec> {
        let (pairs, batch) = (
            self.pairs.map_or(1000, NonZero::get),
            self.batch.map_or(50, NonZero::get),
        );
        let of_games = MatchKeys {
            a: Some(self.a.clone().unwrap_or_else(|| "base".to_owned())),
            b: self.b.clone(),
            limit: self.limit.clone(),
            of_a: self.of_a.clone(),
            of_b: self.of_b.clone(),
            length: LengthKeys {
                pairs: Some(batch),
                repeat: self.repeat.clone(),
                ..LengthKeys::default()
            },
            games: self.games.clone(),
            timeouts: self.timeouts.clone(),
            ..MatchKeys::default()
        };
        let mut wrong = Mistakes::default();
        wrong.unless(self.b.is_some(), "", || {
            "there is no player B: give b, such as --b base,null_move=off".to_owned()
        });
        wrong.unless(self.of_a.keys.limit.is_empty(), "a", || {
            "the limit of A is what is looked for: give that of B, such as nodes".to_owned()
        });
        let mut games = MatchSpec::checked(&of_games, &mut wrong);
        // Where B alone has a limit, it is that of both.
        if self.limit.is_empty() && self.of_a.keys.limit.is_empty() {
            games.seats[0].limit = games.seats[1].limit;
        }
        let spec = OddsSpec::new(games, pairs, batch, self.ratio_max.unwrap_or(64.0));
        ExperimentError::with_all(wrong, spec)
    }
}

impl OddsSpec {
    pub fn new(mut games: MatchSpec, pairs: u64, batch: u64, ratio_max: f64) -> Result<OddsSpec> {
        if !(ratio_max > 1.0 && ratio_max <= 1e6) {
            let message = format!("ratio_max is {ratio_max}, but must be greater than 1 and at most 1000000");
            return Err(ConfigError::refused("ratio_max", message).into());
        }
        games.conditions.pairs = Some(batch);
        let spec = OddsSpec {
            games,
            pairs,
            batch,
            ratio_max,
        };
        let resource = spec.resource()?;
        let of_b = spec.limit_b().and_then(MoveLimit::resource);
        if of_b.is_some_and(|of_b| of_b.unit == resource.unit) {
            return Err(ConfigError::refused("b", SAME_KIND).into());
        }
        Ok(spec)
    }

    pub fn text(&self, folder: &Path) -> String {
        let mut table = self.games.table_of_both("odds", None, folder);
        for (key, value) in self.limit_b().into_iter().flat_map(MoveLimit::entries) {
            table.insert(format!("{key}_b"), value);
        }
        table.insert("pairs".to_owned(), (self.pairs as i64).into());
        table.insert("batch".to_owned(), (self.batch as i64).into());
        table.insert("ratio_max".to_owned(), self.ratio_max.into());
        table.to_string()
    }

    /// B's limit where it is none that A gets multiples of.
    pub fn limit_b(&self) -> Option<MoveLimit> {
        let [a, b] = self.games.seats.each_ref().map(|seat| seat.limit);
        (a != b).then_some(b)
    }

    pub fn resource(&self) -> Result<Resource> {
        let resource = self.games.seats[0].limit.resource();
        resource
            .ok_or_else(|| ExperimentError::Input("a depth has no ratio: A needs nodes or a time".to_owned()))
    }

    pub(crate) fn plan(&self) -> Result<OddsPlan> {
        Ok(OddsPlan {
            resource: self.resource()?.amount,
            ratio_max: self.ratio_max,
        })
    }

    pub fn batches(&self) -> u64 {
        self.pairs.div_ceil(self.batch)
    }

    pub(crate) fn identity(&self, openings_sha256: &str) -> Identity {
        let (conditions, seats) = (&self.games.conditions, &self.games.seats);
        let mut identity = Identity::default();
        identity.push("study", "odds");
        identity.push("game", conditions.game.name());
        identity.push("a", seats[0].player.canonical());
        identity.push("b", seats[1].player.canonical());
        if self.limit_b().is_some() {
            identity.push("limit of a", seats[0].limit);
        }
        identity.push("limit of b", seats[1].limit);
        identity.push("batch", self.batch);
        identity.push("ratio_max", self.ratio_max);
        identity.push("openings (SHA-256)", openings_sha256);
        identity.push("seed", conditions.seed);
        identity.push("hash", format_args!("{} MiB", conditions.hash_mib));
        identity.push(
            "node jitter",
            format_args!("{} %", conditions.node_jitter_percent),
        );
        conditions.identify_changes(&mut identity);
        identity
    }
}
