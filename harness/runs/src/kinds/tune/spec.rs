use std::num::NonZero;
use std::path::Path;

use clap::Args;
use serde::{Deserialize, Deserializer};
use tanren_engine::config::Config;
use tanren_engine::game::Game;
use toml::{Table, Value};

use crate::config::{
    ADVANCED, ConfigError, GameKeys, Identity, LimitKeys, MatchKeys, MatchSpec, Mistakes, MoveLimit,
    PlayerKind, PlayerSpec, Seat, TimeoutKeys, listed, parse_sprt, read_text, sprt_text,
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
    pub confirm: Confirm,
    pub confirm_pairs: Option<u64>,
    pub widths: Widths,
}

/// The test of tuned against start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Confirm {
    Off,
    /// One that its pairs probably decide.
    Auto,
    By(Sprt),
}

impl Confirm {
    fn parse(text: &str) -> Result<Confirm, String> {
        match text {
            "off" => Ok(Confirm::Off),
            "auto" => Ok(Confirm::Auto),
            test => parse_sprt(test)
                .map(Confirm::By)
                .map_err(|error| format!("confirm is auto, off or a test such as elo0=0,elo1=5: {error}")),
        }
    }

    fn text(self) -> String {
        match self {
            Confirm::Off => "off".to_owned(),
            Confirm::Auto => "auto".to_owned(),
            Confirm::By(test) => sprt_text(&test),
        }
    }
}

/// Where the widths come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Widths {
    Given,
    /// Measured before the first game, unless the run has them: those at which so great a share of the moves changes.
    Measured(f64),
}

impl Widths {
    const USUAL: Widths = Widths::Measured(0.1);

    pub(super) fn text(self) -> String {
        match self {
            Widths::Given => "given".to_owned(),
            Widths::Measured(share) => format!("measured:{share}"),
        }
    }

    fn parse(text: &str) -> Result<Widths, String> {
        let share = |text: &str| {
            text.parse()
                .ok()
                .filter(|share: &f64| *share > 0.0 && *share < 1.0)
        };
        let read = match text.split_once(':') {
            None if text == "given" => Some(Widths::Given),
            None if text == "measured" => Some(Widths::USUAL),
            Some(("measured", text)) => share(text).map(Widths::Measured),
            _ => None,
        };
        read.ok_or_else(|| {
            format!(
                "widths is '{text}', but must be measured, measured:SHARE with a share above 0 and below 1 such as measured:0.2, or \
                 given"
            )
        })
    }
}

/// What the lines of the space are called in the identity of a run.
pub(super) const SPACE: &str = "space";

const GAMES_DEFAULT: u64 = 20_000;
/// Of one iteration at most, where nothing is said, and how many iterations there are at least then.
const PAIRS_PER_ITERATION_MAX: u64 = 4;
const ITERATIONS_MIN: u64 = 500;
const PAIRS_MAX: u64 = 100_000_000;

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub struct TuneKeys {
    /// Who is tuned: a preset, settings, a path, usi:COMMAND or @file.toml (base).
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    player: Option<String>,
    /// What is tuned: a file of lines `name, int|float, start, min, max, c_end, r_end`.
    #[arg(long, value_name = "FILE", conflicts_with = "tune", help_heading = "Players")]
    space: Option<String>,
    /// What is tuned: settings of the built-in engine, such as lmr.*, separated by commas.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "Players")]
    #[serde(deserialize_with = "listed")]
    tune: Vec<String>,
    /// What reports call the player.
    #[arg(long, value_name = "LABEL", hide = true, help_heading = ADVANCED)]
    label: Option<String>,
    /// Length in games (20000).
    ///
    /// With --bench several lengths, separated by commas (1000,10000,100000).
    #[arg(long, value_name = "N", value_delimiter = ',', help_heading = "Length")]
    #[serde(deserialize_with = "numbers")]
    pub games: Vec<u64>,
    /// Length in iterations.
    #[arg(long, value_name = "N", conflicts_with = "games", hide = true, help_heading = ADVANCED)]
    iterations: Option<NonZero<u64>>,
    /// Pairs of games that each iteration plays (1 to 4, so that there are 500 iterations).
    #[arg(long, value_name = "N", hide = true, help_heading = ADVANCED)]
    pub pairs_per_iteration: Option<NonZero<u64>>,
    /// Optimizer: newton or spsa (newton).
    #[arg(long, value_name = "METHOD", help_heading = "Steps")]
    method: Option<String>,
    /// Iterations in flight: iteration k plays the state after k - LAG (8).
    #[arg(long, value_name = "LAG", hide = true, help_heading = ADVANCED)]
    pub lag: Option<NonZero<u64>>,
    /// Widths (c_end): measured by how often they change a move, or given (measured).
    #[arg(long, value_name = "HOW", help_heading = "Steps")]
    widths: Option<String>,
    /// Match of tuned against start: auto, off, or a test such as 0,5 (auto).
    #[arg(
        long,
        value_name = "TEST",
        help_heading = "Confirming match",
        allow_hyphen_values = true
    )]
    confirm: Option<String>,
    /// Most pairs of the confirming match (as many as the tuning, at least 500).
    #[arg(long, value_name = "N", hide = true, help_heading = ADVANCED)]
    confirm_pairs: Option<NonZero<u64>>,
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
        // So many that workers have enough to do, and not so many that there are few steps.
        let usual = match (self.iterations, &self.games[..]) {
            (Some(_), _) => 1,
            (None, games) => games.first().unwrap_or(&GAMES_DEFAULT) / 2 / ITERATIONS_MIN,
        };
        let usual = usual.clamp(1, PAIRS_PER_ITERATION_MAX);
        let per_iteration = self.pairs_per_iteration.map_or(usual, NonZero::get);
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
                wrong.push("", "there is nothing to tune: give a file with --space or patterns with --tune, such as --tune 'lmr.*'");
                return None;
            }
            let Some(config) = player.config() else {
                let (label, names) = (&player.label, self.tune.join(","));
                wrong.push(
                    "tune",
                    format!(
                        "--tune '{names}' names settings of the built-in engine, but '{label}' is an external one; give its options \
                         in a file with --space, one a line, such as: Hash, int, 16, 1, 1024, 8, 0.002"
                    ),
                );
                return None;
            };
            let idle = |name| without_effect(game, config, &games.seats[0], name);
            return wrong.take("tune", expand(game, config, &self.tune, &idle));
        };
        // Lines of a run on record may be of an engine with other numbers.
        if path.contains('\n') {
            return wrong.take("space", Space::parse(path, "the space", None));
        }
        let path = Path::new(path);
        let text = wrong.take("space", read_text(path))?;
        let builtin = player.config().map(|_| game);
        let space = Space::parse(&text, &format!("'{}'", path.display()), builtin);
        wrong.take(
            "space",
            space.map_err(|error| ConfigError::refused("space", error).of_named(path)),
        )
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

/// Why a number of the built-in engine does nothing in this seat, and what to do about it.
fn without_effect(game: Game, config: &Config, seat: &Seat, name: &str) -> Option<String> {
    if Config::is_of_clocks(name) && !matches!(seat.limit, MoveLimit::Clock(_)) {
        return Some(format!(
            "{name} acts only where a clock runs: give one with --tc, or tune something else"
        ));
    }
    let off = config.switched_off(game, name)?;
    Some(format!("{off} in --player, or tune something else"))
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
        let text = self.confirm.as_deref().unwrap_or("auto");
        let confirm = wrong
            .take("confirm", Confirm::parse(text))
            .unwrap_or(Confirm::Auto);
        let widths = self.widths.as_deref().map(Widths::parse);
        let widths = wrong.take("widths", widths.unwrap_or(Ok(Widths::USUAL)));
        let spec = TuningSpec::new(games, space, plan, confirm, self.confirm_pairs.map(NonZero::get));
        let mut spec = ExperimentError::with_all(wrong, spec)?;
        spec.widths = widths.unwrap_or(Widths::Given);
        Ok(spec)
    }
}

impl TuningSpec {
    pub const SIDES: [&'static str; 2] = ["plus", "minus"];

    pub fn new(
        mut games: MatchSpec,
        space: Space,
        plan: Plan,
        confirm: Confirm,
        confirm_pairs: Option<u64>,
    ) -> Result<TuningSpec> {
        games.conditions.pairs = Some(plan.pairs());
        let spec = TuningSpec {
            games,
            space,
            plan,
            confirm,
            confirm_pairs,
            widths: Widths::Given,
        };
        // A value that the player refuses must show before a game is played.
        spec.seat(&spec.space.start())?;
        Ok(spec)
    }

    fn method_of(folder: &Path) -> Option<MethodName> {
        let text = read_text(&folder.join("run.toml")).ok()?;
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
            ("widths", Some("given".into())),
            ("confirm", Some(self.confirm.text().into())),
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
        identity.push(SPACE, self.space.lines());
    }

    pub fn label(&self) -> &str {
        &self.games.seats[0].player.label
    }

    /// Refuses numbers that do nothing in games by these limits.
    pub(super) fn check_parameters(&self) -> Result<()> {
        let (game, seat) = (self.games.conditions.game, &self.games.seats[0]);
        let Some(config) = seat.player.config() else {
            return Ok(());
        };
        let mut whys = self.space.parameters.iter();
        let why = whys.find_map(|parameter| without_effect(game, config, seat, &parameter.name));
        why.map_or(Ok(()), |why| Err(ExperimentError::Input(why)))
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
                table.insert("game".to_owned(), text(self.games.conditions.game.name()));
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
