//! `tanren tune`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Deserializer};
use tanren_engine::game::Game;

use super::shared::{CliError, OutputArgs, PauseArgs, Plan, PlayKeys, Printing, Work, print_document};
use crate::config::{
    ADVANCED, ConfigError, GameKeys, LimitKeys, MatchKeys, MatchSpec, PlayerSpec, Refusals, TimeoutKeys,
    listed,
};
use crate::kinds::tune::TuningSpec;
use crate::kinds::tune::optimizer::{MethodName, Plan as TunePlan, Space, expand};
use crate::report::SearchProgress;
use crate::session::error::ExperimentError;
use crate::session::folder::check_out;
use crate::session::kind::Experiment;
use crate::tools::methods::{Comparison, compare_methods};

const EXAMPLES: &str = "\
Examples:
  tanren tune --tune 'lmr.*,futility.*' --games 40000
      the numbers of two techniques, with the steps of `tanren params`
  tanren params --space 'eval.hand.*' > hand.txt; tanren tune --space hand.txt --games 40000
      the same with a file that can be edited before
  tanren tune --bench --games 1000,10000 --seeds 50 --out methods.csv
      every method on every synthetic landscape

A line of a space is `name, int|float, start, min, max, c_end, r_end` (OpenBench's) or without the kind (fishtest's).
A tuning resumes where it stopped when the same command is given again; its files are the same at any --concurrency.
tuned.toml is a player: `tanren match --a @DIR/tuned.toml`.";

/// Tune numbers of a player by games of the player against itself, and test whether it became stronger.
///
/// Every iteration plays two sets of values, one on either side of the state, and moves the state towards the winner. At the
/// end the values found play a match against those of the start on openings that the tuning never saw.
///
/// Files: spsa.csv, spsa.svg, tuned.toml, summary.csv, run.toml and the folder of the match (confirm).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("openings", |arg| arg.help("Openings, as of a match (the built-in suite if absent); every fourth is kept for the confirming match")))]
#[command(mut_arg("node_jitter", |arg| arg.hide(true).help_heading(ADVANCED)))]
#[command(mut_arg("seed", |arg| arg.help("Decides every flip, orders the openings and varies the node limits (1)")))]
pub(super) struct TuneArgs {
    #[command(flatten)]
    keys: TuneKeys,
    #[command(flatten)]
    play: PlayKeys,
    #[command(flatten)]
    pause: PauseArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    bench: BenchArgs,
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(super) struct TuneKeys {
    /// Who is tuned: PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,... or @file.toml (base).
    #[arg(long, value_name = "PLAYER", help_heading = "Players")]
    player: Option<String>,
    /// What is tuned: a file of lines `name, int|float, start, min, max, c_end, r_end`.
    #[arg(long, value_name = "FILE", conflicts_with = "tune", help_heading = "Players")]
    space: Option<PathBuf>,
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
    games: Vec<u64>,
    /// Length in iterations.
    #[arg(long, value_name = "N", conflicts_with = "games", hide = true, help_heading = ADVANCED)]
    iterations: Option<NonZero<u64>>,
    /// Pairs of games that each iteration plays (1).
    #[arg(long, value_name = "N", hide = true, help_heading = ADVANCED)]
    pairs_per_iteration: Option<NonZero<u64>>,
    /// How results become steps: bayes, spsa, or surface for up to six numbers (bayes, or as --out was begun).
    #[arg(long, value_name = "METHOD", help_heading = "Steps")]
    method: Option<String>,
    /// Iteration k plays the state after iteration k - LAG; as many iterations are in flight (8).
    #[arg(long, value_name = "LAG", hide = true, help_heading = ADVANCED)]
    lag: Option<NonZero<u64>>,
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
    conditions: GameKeys,
    #[command(flatten)]
    #[serde(flatten)]
    timeouts: TimeoutKeys,
}

/// Options of the comparison of methods.
#[derive(Debug, Args)]
#[command(next_help_heading = ADVANCED)]
struct BenchArgs {
    /// Compare the methods on synthetic landscapes instead; no engine plays.
    #[arg(hide = true, long)]
    bench: bool,
    /// Tunings of each kind with --bench.
    #[arg(hide = true, long, value_name = "N", default_value = "50", requires = "bench")]
    seeds: NonZero<u64>,
    /// With --bench: replace the file of --out if it exists.
    #[arg(hide = true, long, requires = "bench")]
    force: bool,
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

impl Plan for TuneKeys {
    type Work = PlayKeys;
    const PAUSES: bool = true;

    fn plan(&self, out: Option<&Path>) -> Result<Experiment, ExperimentError> {
        let mut wrong = Refusals::default();
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
        Ok(Experiment::new(spec))
    }
}

impl TuneKeys {
    fn steps(&self, seed: u64, out: Option<&Path>, wrong: &mut Refusals) -> TunePlan {
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
        TunePlan {
            method: self.method(out, wrong),
            iterations,
            pairs_per_iteration: per_iteration,
            lag: self.lag.map_or(8, NonZero::get),
            seed,
        }
    }

    /// The method; without the key that of the tuning in the folder, if there is one.
    fn method(&self, out: Option<&Path>, wrong: &mut Refusals) -> MethodName {
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

    fn read_space(&self, games: &MatchSpec, wrong: &mut Refusals) -> Option<Space> {
        let (game, player) = (games.conditions.game, &games.seats[0].player);
        let Some(path) = &self.space else {
            if self.tune.is_empty() {
                wrong.push("", "there is nothing to tune: give a file with space or patterns with tune, such as --tune 'lmr.*'");
                return None;
            }
            let config = wrong.take("player", player.builtin())?;
            return wrong.take("tune", expand(game, config, &self.tune));
        };
        let unread = |error| format!("cannot read '{}': {error}", path.display());
        let text = wrong.take("space", std::fs::read_to_string(path).map_err(unread))?;
        let origin = format!("'{}'", path.display());
        let builtin = player.config().map(|_| game);
        wrong.take("space", Space::parse(&text, &origin, builtin))
    }

    /// The games: the player against itself.
    fn match_spec(&self, wrong: &mut Refusals) -> MatchSpec {
        let mut keys = MatchKeys::mirror(self.player.as_deref(), self.label.as_ref(), &self.limit);
        keys.length.pairs = Some(1);
        keys.length.repeat.repeat = true;
        (keys.games, keys.timeouts) = (self.conditions.clone(), self.timeouts.clone());
        MatchSpec::checked(&keys, wrong)
    }
}

impl TuneArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.bench.bench {
            return self.compare_methods();
        }
        let out = self.output.out.as_deref();
        let options = self.play.run_options(out, Some(&self.pause))?;
        self.output.printing().run(&self.keys.plan(out)?, &options)
    }

    fn compare_methods(&self) -> Result<(), CliError> {
        let comparison = Comparison {
            games: self.keys.games.clone(),
            seeds: self.bench.seeds.get(),
            pairs_per_iteration: self.keys.pairs_per_iteration.map_or(1, NonZero::get),
            lag: self.keys.lag.map_or(8, NonZero::get),
            seed: self.keys.conditions.openings.seed.unwrap_or(1),
        };
        let Printing {
            is_quiet, is_json, ..
        } = self.output.printing();
        if let Some(out) = &self.output.out {
            check_out(out, self.bench.force)?;
        }
        let options = self.play.run_options(None, None)?;
        let mut progress = None;
        let found = compare_methods(
            comparison,
            &options,
            self.output.out.as_deref(),
            &mut |done, of| {
                if !is_quiet {
                    let progress = progress.get_or_insert_with(|| SearchProgress::of("comparisons", of));
                    progress.show(done);
                    if done == of {
                        progress.end();
                    }
                }
            },
        )?;
        print_document(is_json, &found)
    }
}

const CONFIRM_SPRT: &str = "elo0=0,elo1=15,alpha=0.05,beta=0.05,model=normalized";
const GAMES_DEFAULT: u64 = 20_000;
const PAIRS_MAX: u64 = 100_000_000;

/// The lines of a space of the built-in engine's numbers.
pub(super) fn space_lines(game: Game, patterns: &[String]) -> Result<String, CliError> {
    let base = PlayerSpec::parse(game, "a", "base")?;
    Ok(expand(game, base.builtin()?, patterns)?.lines())
}
