use std::num::NonZero;
use std::path::Path;

use clap::Args;
use serde::{Deserialize, Deserializer};
use toml::{Table, Value};

use crate::config::{
    ADVANCED, ConfigError, GameKeys, Identity, LimitKeys, MatchKeys, MatchSpec, Mistakes, PlayerKind,
    PlayerSpec, Seat, TimeoutKeys, listed, parse_sprt,
};
use crate::kinds::tune::optimizer::{MethodName, Plan, Space, expand};
use crate::session::error::{ExperimentError, Result};
use crate::session::kind::Keys;
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

const CONFIRM_SPRT: &str = "elo0=0,elo1=15,alpha=0.05,beta=0.05,model=normalized";
const GAMES_DEFAULT: u64 = 20_000;
const PAIRS_MAX: u64 = 100_000_000;

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub struct TuneKeys {
    /// Who is tuned: PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,... or @file.toml (base).
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    player: Option<String>,
    /// What is tuned: a file of lines `name, int|float, start, min, max, c_end, r_end` (or these lines themselves).
    #[arg(long, value_name = "FILE", conflicts_with = "tune", help_heading = "Players")]
    space: Option<String>,
    /// What is tuned: numbers of the built-in engine by name, `*` for anything, separated by commas.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "Players")]
    #[serde(deserialize_with = "listed")]
    tune: Vec<String>,
    /// What reports call the player.
    #[arg(long, value_name = "LABEL", hide = true, help_heading = ADVANCED)]
    label: Option<String>,
    /// Length in games (20000); with --bench several lengths, separated by commas (1000,10000,100000).
    #[arg(long, value_name = "N", value_delimiter = ',', help_heading = "Length")]
    #[serde(deserialize_with = "numbers")]
    pub games: Vec<u64>,
    /// Length in iterations.
    #[arg(long, value_name = "N", conflicts_with = "games", hide = true, help_heading = ADVANCED)]
    iterations: Option<NonZero<u64>>,
    /// Pairs of games that each iteration plays (1).
    #[arg(long, value_name = "N", hide = true, help_heading = ADVANCED)]
    pub pairs_per_iteration: Option<NonZero<u64>>,
    /// How results become steps: newton or spsa (newton, or as --out was begun).
    #[arg(long, value_name = "METHOD", help_heading = "Steps")]
    method: Option<String>,
    /// Iteration k plays the state after iteration k - LAG; as many iterations are in flight (8).
    #[arg(long, value_name = "LAG", hide = true, help_heading = ADVANCED)]
    pub lag: Option<NonZero<u64>>,
    /// Measure c_end of every number before: at which width either side changes so great a share of the best moves.
    #[arg(long, value_name = "SHARE", hide = true, help_heading = ADVANCED)]
    auto_c: Option<f64>,
    /// Most pairs of the confirming match (one for each of its openings).
    #[arg(long, value_name = "N", help_heading = "Confirming match")]
    confirm_pairs: Option<NonZero<u64>>,
    /// The test of the confirming match (elo0=0,elo1=15,alpha=0.05,beta=0.05,model=normalized).
    #[arg(long, value_name = "TEST", hide = true, help_heading = ADVANCED)]
    confirm_sprt: Option<String>,
    /// Play no confirming match.
    #[arg(long, help_heading = "Confirming match")]
    no_confirm: bool,
    #[command(flatten)]
    #[serde(flatten)]
    limit: LimitKeys,
    #[command(flatten)]
    #[serde(flatten)]
    pub conditions: GameKeys,
    #[command(flatten)]
    #[serde(flatten)]
    timeouts: TimeoutKeys,
}

/// One number or a list of them.
fn numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Numbers {
        One(u64),
        Many(Vec<u64>),
    }
    Ok(match Numbers::deserialize(deserializer)? {
        Numbers::One(number) => vec![number],
        Numbers::Many(numbers) => numbers,
    })
}

impl TuneKeys {
    fn steps(&self, seed: u64, out: Option<&Path>, wrong: &mut Mistakes) -> Plan {
        let per_iteration = self.pairs_per_iteration.map_or(1, NonZero::get);
        let iterations = match (self.iterations, &self.games[..]) {
            (Some(iterations), _) => iterations.get(),
            (None, []) => GAMES_DEFAULT.div_ceil(2 * per_iteration),
            (None, &[games]) if games >= 2 => games.div_ceil(2).div_ceil(per_iteration),
            (None, games) => {
                wrong.push(
                    "games",
                    format!("games is {games:?}, but must be one number of at least 2"),
                );
                1
            }
        };
        let pairs = iterations.checked_mul(per_iteration);
        wrong.unless(
            pairs.is_some_and(|pairs| pairs <= PAIRS_MAX),
            "iterations",
            || format!("a tuning has at most {PAIRS_MAX} pairs"),
        );
        Plan {
            method: self.method(out, wrong),
            iterations,
            pairs_per_iteration: per_iteration,
            lag: self.lag.map_or(8, NonZero::get),
            seed,
        }
    }

    /// The method; without the key that of the tuning in the folder, if there is one.
    fn method(&self, out: Option<&Path>, wrong: &mut Mistakes) -> MethodName {
        let Some(name) = &self.method else {
            return out.and_then(TuningSpec::method_of).unwrap_or(MethodName::DEFAULT);
        };
        let method = MethodName::from_name(name);
        wrong.unless(method.is_some(), "method", || {
            let known = MethodName::ALL.map(MethodName::name).join(", ");
            format!("unknown method '{name}' (methods: {known})")
        });
        method.unwrap_or(MethodName::DEFAULT)
    }

    fn read_space(&self, games: &MatchSpec, wrong: &mut Mistakes) -> Option<Space> {
        let (game, player) = (games.conditions.game, &games.seats[0].player);
        let Some(path) = &self.space else {
            if self.tune.is_empty() {
                wrong.push("", "there is nothing to tune: give a file with space or patterns with tune, such as --tune 'lmr.*'");
                return None;
            }
            let config = wrong.take("player", player.builtin())?;
            return wrong.take("tune", expand(game, config, &self.tune));
        };
        // Lines of a run on record may be of an engine with other numbers.
        if path.contains('\n') {
            return wrong.take("space", Space::parse(path, "the space", None));
        }
        let unread = |error| format!("cannot read '{path}': {error}");
        let text = wrong.take("space", std::fs::read_to_string(path).map_err(unread))?;
        let builtin = player.config().map(|_| game);
        wrong.take("space", Space::parse(&text, &format!("'{path}'"), builtin))
    }

    /// The games: the player against itself.
    fn match_spec(&self, wrong: &mut Mistakes) -> MatchSpec {
        let mut keys = MatchKeys::mirror(self.player.as_deref(), self.label.as_ref(), &self.limit);
        keys.length.pairs = Some(1);
        keys.length.repeat.repeat = true;
        (keys.games, keys.timeouts) = (self.conditions.clone(), self.timeouts.clone());
        MatchSpec::checked(&keys, wrong)
    }
}

impl Keys for TuneKeys {
    type Spec = TuningSpec;

    fn spec(&self, out: Option<&Path>) -> Result<TuningSpec> {
        let mut wrong = Mistakes::default();
        let games = self.match_spec(&mut wrong);
        let plan = self.steps(games.conditions.seed, out, &mut wrong);
        let Some(space) = self.read_space(&games, &mut wrong) else {
            return Err(ConfigError::from(wrong).into());
        };
        let confirm = self.confirm_sprt.as_deref().unwrap_or(CONFIRM_SPRT);
        let confirm = (!self.no_confirm).then(|| confirm.to_owned());
        let spec = TuningSpec::new(games, space, plan, confirm, self.confirm_pairs.map(NonZero::get));
        let mut spec = ExperimentError::with_all(wrong, spec)?;
        spec.auto_width = self.auto_c;
        Ok(spec)
    }
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
        // A value that the player refuses must show before a game is played.
        spec.seat(&spec.space.start())?;
        Ok(spec)
    }

    fn method_of(folder: &Path) -> Option<MethodName> {
        let text = std::fs::read_to_string(folder.join("run.toml")).ok()?;
        let file: Table = text.parse().ok()?;
        MethodName::from_name(file.get("method")?.as_str()?)
    }

    pub fn text(&self, folder: &Path) -> String {
        let mut table = self.games.table_of_both("tune", Some("player"), folder);
        table.retain(|key, _| !["pairs", "repeat"].contains(&key));
        let number = |number: u64| Value::Integer(number as i64);
        let entries = [
            ("method", Some(self.plan.method.name().into())),
            ("iterations", Some(number(self.plan.iterations))),
            ("pairs_per_iteration", Some(number(self.plan.pairs_per_iteration))),
            ("lag", Some(number(self.plan.lag))),
            ("no_confirm", self.confirm.is_none().then_some(true.into())),
            ("confirm_sprt", self.confirm.clone().map(Value::from)),
            ("confirm_pairs", self.confirm_pairs.map(number)),
            ("space", Some(self.space.lines().into())),
        ];
        let entries = entries.into_iter();
        table.extend(entries.filter_map(|(key, value)| Some((key.to_owned(), value?))));
        table.to_string()
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
