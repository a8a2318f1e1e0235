//! The validated specification of a tuning, and its file.
//!
//! In: games, a space, a plan, or the file of an earlier tuning. Out: a [`TuneSpec`]. Must not: play, or create a file.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::error::CliError;
use crate::config::wire::{Command, MatchFile};
use crate::config::{Identity, MatchSpec, OpeningSource, PlayerKind, PlayerSpec, resolve};
use crate::tune::{MethodName, Plan, Space};

/// Every so many openings one is kept for the confirming match.
pub(super) const CONFIRM_EVERY: usize = 4;

/// A tuning that can be played, apart from its openings.
#[derive(Debug, Clone)]
pub(crate) struct TuneSpec {
    /// The player against itself.
    pub(super) games: MatchSpec,
    pub(super) space: Space,
    pub(super) plan: Plan,
    /// The test of the confirming match; `None` for no match.
    pub(super) confirm: Option<String>,
    /// Most pairs of the confirming match.
    pub(super) confirm_pairs: Option<u64>,
}

/// The file of a tuning.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TuneFile {
    command: Command,
    method: String,
    iterations: u64,
    pairs_per_iteration: u64,
    lag: u64,
    confirm_sprt: Option<String>,
    confirm_pairs: Option<u64>,
    space: String,
    games: MatchFile,
}

impl TuneSpec {
    /// Checks what only the parts together show.
    pub(super) fn new(
        mut games: MatchSpec,
        space: Space,
        plan: Plan,
        confirm: Option<String>,
        confirm_pairs: Option<u64>,
    ) -> Result<TuneSpec, CliError> {
        games.pairs = Some(plan.pairs());
        if let Some(text) = &confirm {
            let parsed = crate::config::parse_sprt(text);
            parsed.map_err(|error| CliError::Input(format!("--confirm-sprt: {error}")))?;
        }
        let spec = TuneSpec {
            games,
            space,
            plan,
            confirm,
            confirm_pairs,
        };
        // A value that the player refuses must show before a game is played.
        spec.player(&spec.space.start())?;
        Ok(spec)
    }

    /// Reads the file at `path`; the openings that it names are looked for from its own folder first.
    pub(crate) fn read(path: &Path) -> Result<TuneSpec, CliError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| CliError::Input(format!("cannot read '{}': {error}", path.display())))?;
        let mut spec = TuneSpec::parse(&text, &format!("'{}'", path.display()))?;
        if let OpeningSource::File(openings) = &mut spec.games.openings {
            let folder = path.parent().unwrap_or(Path::new(""));
            *openings = resolve(&openings.to_string_lossy(), folder).into();
        }
        Ok(spec)
    }

    /// Takes the text of the file of an earlier tuning.
    pub(crate) fn parse(text: &str, origin: &str) -> Result<TuneSpec, CliError> {
        let file: TuneFile = toml::from_str(text)
            .map_err(|error| CliError::Input(format!("{origin} is no file of a tuning: {error}")))?;
        let games = MatchSpec::from_file(&file.games)?;
        let method = MethodName::from_name(&file.method)
            .ok_or_else(|| CliError::Input(format!("{origin}: unknown method '{}'", file.method)))?;
        let plan = Plan {
            method,
            iterations: file.iterations.max(1),
            pairs_per_iteration: file.pairs_per_iteration.max(1),
            lag: file.lag.max(1),
            seed: games.seed,
        };
        let space = Space::parse(&file.space, &format!("the space in {origin}"))?;
        TuneSpec::new(games, space, plan, file.confirm_sprt, file.confirm_pairs)
    }

    /// The file that gives this specification again from `folder`.
    pub(super) fn text(&self, folder: &Path) -> String {
        let file = TuneFile {
            command: Command::Tune,
            method: self.plan.method.name().to_owned(),
            iterations: self.plan.iterations,
            pairs_per_iteration: self.plan.pairs_per_iteration,
            lag: self.plan.lag,
            confirm_sprt: self.confirm.clone(),
            confirm_pairs: self.confirm_pairs,
            space: self.space.lines(),
            games: self.games.to_file(folder),
        };
        toml::to_string(&file).unwrap_or_else(|error| unreachable!("specification: {error}"))
    }

    /// Adds what decides the tuning beside its games.
    pub(super) fn identify(&self, identity: &mut Identity) {
        identity.push("study", "tune");
        identity.push("method", self.plan.method.name());
        identity.push("iterations", self.plan.iterations);
        identity.push("pairs per iteration", self.plan.pairs_per_iteration);
        identity.push("lag", self.plan.lag);
        identity.push("space", self.space.lines());
    }

    /// The player with these values.
    pub(super) fn player(&self, values: &[f64]) -> Result<PlayerSpec, CliError> {
        let mut player = self.games.players[0].clone();
        let parameters = self.space.parameters().iter().zip(values);
        for (parameter, &value) in parameters {
            let text = parameter.text(value);
            match &mut player.kind {
                PlayerKind::Builtin(config) => config
                    .set(self.games.game, &parameter.name, &text)
                    .map_err(|error| CliError::Input(error.to_string()))?,
                PlayerKind::Process(process) => {
                    process.options.retain(|(name, _)| *name != parameter.name);
                    process.options.push((parameter.name.clone(), text));
                }
            }
        }
        Ok(player)
    }

    /// The games of the tuning with A's and B's values.
    pub(super) fn match_of(&self, values: [&[f64]; 2]) -> Result<MatchSpec, CliError> {
        let [a, b] = values;
        Ok(MatchSpec {
            players: [self.player(a)?, self.player(b)?],
            ..self.games.clone()
        })
    }

    /// The tuned player as a file.
    pub(super) fn tuned_toml(&self, values: &[f64]) -> Result<String, CliError> {
        let player = self.player(values)?;
        let mut table = toml::Table::new();
        let text = |text: &str| toml::Value::String(text.to_owned());
        match &player.kind {
            PlayerKind::Builtin(config) => {
                let changes = config.changes(self.games.game).into_iter();
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
        toml::to_string(&table).map_err(CliError::system("write tuned.toml"))
    }
}
