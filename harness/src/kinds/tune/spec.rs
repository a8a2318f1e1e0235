use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::config::{
    ConfigError, Identity, MatchSpec, PlayerKind, PlayerSpec, Refusals, Seat, Source, parse_sprt,
};
use crate::kinds::tune::optimizer::{MethodName, Plan, SURFACE_PARAMETERS_MAX, Space};
use crate::session::error::{ExperimentError, Result};
use crate::stats::Sprt;

#[derive(Debug, Clone, PartialEq)]
pub struct TuningSpec {
    pub games: MatchSpec,
    pub space: Space,
    pub plan: Plan,
    pub confirm: Option<String>,
    pub confirm_pairs: Option<u64>,
    /// Measure the widths before: at which either side changes so great a share of the best moves.
    pub auto_width: Option<f64>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TuningFile {
    command: String,
    method: String,
    iterations: u64,
    pairs_per_iteration: u64,
    lag: u64,
    confirm_sprt: Option<String>,
    confirm_pairs: Option<u64>,
    space: String,
    games: toml::Table,
}

impl TuningSpec {
    pub const SIDES: [&'static str; 2] = ["plus", "minus"];

    pub fn new(
        mut games: MatchSpec,
        space: Space,
        plan: Plan,
        confirm: Option<String>,
        confirm_pairs: Option<u64>,
    ) -> Result<TuningSpec> {
        games.conditions.pairs = Some(plan.pairs());
        let spec = TuningSpec {
            games,
            space,
            plan,
            confirm,
            confirm_pairs,
            auto_width: None,
        };
        spec.confirm_test()?;
        let count = spec.space.parameters.len();
        if !plan.method.takes(count) {
            let message = format!(
                "method {} takes at most {SURFACE_PARAMETERS_MAX} numbers, but there are {count}",
                plan.method.name()
            );
            return Err(ConfigError::refused("method", message).into());
        }
        // A value that the player refuses must show before a game is played.
        spec.seat(&spec.space.start())?;
        Ok(spec)
    }

    pub fn method_of(folder: &Path) -> Option<MethodName> {
        let text = std::fs::read_to_string(folder.join("run.toml")).ok()?;
        let file: TuningFile = toml::from_str(&text).ok()?;
        MethodName::from_name(&file.method)
    }

    pub(crate) fn of_source(source: &Source) -> Result<TuningSpec> {
        let mut wrong = Refusals::default();
        let required = ["method", "iterations", "pairs_per_iteration", "lag", "space"];
        let file: TuningFile = source.read_file(&required, &mut wrong);
        let (_, games) = source.games(&mut wrong);
        let method = MethodName::from_name(&file.method);
        wrong.unless(method.is_some(), "method", || {
            format!("unknown method '{}'", file.method)
        });
        let plan = Plan {
            method: method.unwrap_or(MethodName::DEFAULT),
            iterations: file.iterations.max(1),
            pairs_per_iteration: file.pairs_per_iteration.max(1),
            lag: file.lag.max(1),
            seed: games.conditions.seed,
        };
        let space = wrong.take("space", Space::parse(&file.space, "the space", None));
        let Some(space) = space else {
            return Err(ConfigError::from(wrong).into());
        };
        ExperimentError::with_all(
            wrong,
            TuningSpec::new(games, space, plan, file.confirm_sprt, file.confirm_pairs),
        )
    }

    pub fn text(&self, folder: &Path) -> String {
        let file = TuningFile {
            command: "tune".to_owned(),
            method: self.plan.method.name().to_owned(),
            iterations: self.plan.iterations,
            pairs_per_iteration: self.plan.pairs_per_iteration,
            lag: self.plan.lag,
            confirm_sprt: self.confirm.clone(),
            confirm_pairs: self.confirm_pairs,
            space: self.space.lines(),
            games: self.games.table(folder),
        };
        toml::to_string(&file).unwrap_or_else(|error| unreachable!("specification: {error}"))
    }

    pub(crate) fn identify(&self, identity: &mut Identity) {
        identity.push("study", "tune");
        identity.push("method", self.plan.method.name());
        identity.push("iterations", self.plan.iterations);
        identity.push("pairs per iteration", self.plan.pairs_per_iteration);
        identity.push("lag", self.plan.lag);
        identity.push("space", self.space.lines());
    }

    pub fn label(&self) -> &str {
        &self.games.seats[0].player.label
    }

    pub(crate) fn confirm_test(&self) -> Result<Option<Sprt>> {
        let parse = |text: &String| {
            let refuse = |error| ConfigError::refused("confirm_sprt", format!("confirm_sprt: {error}"));
            Ok(parse_sprt(text).map_err(refuse)?)
        };
        self.confirm.as_ref().map(parse).transpose()
    }

    pub(crate) fn seat(&self, values: &[f64]) -> Result<Seat> {
        let mut seat = self.games.seats[0].clone();
        let parameters = self.space.parameters.iter().zip(values);
        for (parameter, &value) in parameters {
            let text = parameter.text(value);
            match &mut seat.player.kind {
                PlayerKind::Builtin(config) => config
                    .set(self.games.conditions.game, &parameter.name, &text)
                    .map_err(|error| ExperimentError::Input(error.to_string()))?,
                PlayerKind::Process(process) => {
                    process.options.retain(|(name, _)| *name != parameter.name);
                    process.options.push((parameter.name.clone(), text));
                }
            }
        }
        Ok(seat)
    }

    pub fn player_toml(&self, values: &[f64]) -> Result<String> {
        let player: PlayerSpec = self.seat(values)?.player;
        let mut table = toml::Table::new();
        let text = |text: &str| toml::Value::String(text.to_owned());
        match &player.kind {
            PlayerKind::Builtin(config) => {
                let changes = config.changes(self.games.conditions.game).into_iter();
                let settings = changes.filter_map(|change| {
                    let (name, value) = change.split_once('=')?;
                    Some((name.to_owned(), text(value)))
                });
                table.insert("preset".to_owned(), text("base"));
                table.insert("settings".to_owned(), toml::Value::Table(settings.collect()));
            }
            PlayerKind::Process(process) => {
                let arguments = process.arguments.iter().map(|argument| text(argument)).collect();
                let options = process.options.iter();
                let options = options.map(|(name, value)| (name.clone(), text(value))).collect();
                table.insert("protocol".to_owned(), text(process.protocol.name()));
                table.insert("command".to_owned(), text(&process.command.to_string_lossy()));
                table.insert("arguments".to_owned(), toml::Value::Array(arguments));
                table.insert("options".to_owned(), toml::Value::Table(options));
            }
        }
        toml::to_string(&table).map_err(ExperimentError::system("write tuned.toml"))
    }
}
