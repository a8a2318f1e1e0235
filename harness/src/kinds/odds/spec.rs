use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::config::{ConfigError, Identity, MatchKeys, MatchSpec, MoveLimit, Refusals, Resource, Source};
use crate::kinds::odds::plan::OddsPlan;
use crate::session::error::{ExperimentError, Result};

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

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OddsFile {
    command: String,
    pairs: u64,
    batch: u64,
    ratio_max: f64,
    games: toml::Table,
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
            return Err(ConfigError::refused("games", SAME_KIND).into());
        }
        Ok(spec)
    }

    /// The match of these keys. Where B alone has a limit, it is that of both.
    pub fn games_of(keys: &MatchKeys, mut games: MatchSpec) -> MatchSpec {
        if keys.limit.is_empty() && keys.of_a.keys.limit.is_empty() {
            games.seats[0].limit = games.seats[1].limit;
        }
        games
    }

    pub(crate) fn of_source(source: &Source) -> Result<OddsSpec> {
        let mut wrong = Refusals::default();
        let file: OddsFile = source.read_file(&["pairs", "batch", "ratio_max"], &mut wrong);
        let (keys, games) = source.games(&mut wrong);
        let spec = OddsSpec::new(
            OddsSpec::games_of(&keys, games),
            file.pairs.max(1),
            file.batch.max(1),
            file.ratio_max,
        );
        ExperimentError::with_all(wrong, spec)
    }

    pub fn text(&self, folder: &Path) -> String {
        let file = OddsFile {
            command: "odds".to_owned(),
            pairs: self.pairs,
            batch: self.batch,
            ratio_max: self.ratio_max,
            games: self.games.table(folder),
        };
        toml::to_string(&file).unwrap_or_else(|error| unreachable!("specification: {error}"))
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

    pub(crate) fn check_openings(&self, openings: usize) -> Result<(), ConfigError> {
        let pairs = self.batches() * self.batch;
        if pairs > openings as u64 && !self.games.conditions.repeat {
            return Err(ConfigError::TooFewOpenings { pairs, openings });
        }
        Ok(())
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
