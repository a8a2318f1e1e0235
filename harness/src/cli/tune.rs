//! `tanren tune`.
//!
//! In: a player, a space, a length. Out: a folder with the tuning and its confirming match; the result as text or JSON on
//! stdout. Must not: choose a value or judge a result itself.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use tanren_engine::game::Game;

use super::shared::{CliError, ConditionArgs, OfOne, PlayArgs, Printing, SeatArgs, Usage};
use crate::config::wire::MatchFile;
use crate::config::{Conditions, MatchSpec, PlayerSpec, SeatKeys};
use crate::experiment::{Experiment, RunOptions, TuningSpec, check_out, compare_methods};
use crate::report::{MethodsConsole, describe_methods, methods_json, print_data};
use crate::tune::bench::Comparison;
use crate::tune::landscape::Shape;
use crate::tune::{MethodName, Plan, Space, expand};

const EXAMPLES: &str = "\
Examples:
  tanren tune --tune 'lmr.*,futility.*' --games 40000
      the numbers of two techniques, with the steps of `tanren params`
  tanren params --space 'eval.hand.*' > hand.txt; tanren tune --space hand.txt --games 40000
      the same with a file that can be edited before
  tanren tune --bench --games 1000,10000 --seeds 50 --out methods.csv
      every method on every synthetic landscape

A line of a space is `name, int|float, start, min, max, c_end, r_end` (OpenBench's) or without the kind (fishtest's).
A tuning goes on where it stopped when the same command is given again; its files are the same at any --concurrency.
tuned.toml is a player: `tanren match --a @DIR/tuned.toml`.";

/// Tune numbers of a player by games of the player against itself, and test whether it became stronger.
///
/// Every iteration plays two sets of values, one on either side of the state, and moves the state towards the winner. At the
/// end the values found play a match against those of the start on openings that the tuning never saw.
///
/// Files: spsa.csv, spsa.svg, tuned.toml, summary.csv, run.toml and the folder of the match (confirm).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TuneArgs {
    /// Who is tuned: PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,... or @file.toml.
    #[arg(long, value_name = "PLAYER", default_value = "base")]
    player: String,
    /// What is tuned: a file of lines `name, int|float, start, min, max, c_end, r_end`.
    #[arg(long, value_name = "FILE", group = "what")]
    space: Option<PathBuf>,
    /// What is tuned: numbers of the built-in engine by name, `*` for anything, separated by commas.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', group = "what")]
    tune: Vec<String>,
    /// Length in games (20000); with --bench several lengths, separated by commas (1000,10000,100000).
    #[arg(long, value_name = "N", value_delimiter = ',', group = "length")]
    games: Vec<u64>,
    /// Length in iterations.
    #[arg(long, value_name = "N", group = "length")]
    iterations: Option<NonZero<u64>>,
    /// Pairs of games that each iteration plays.
    #[arg(long, value_name = "N", default_value = "1")]
    pairs_per_iteration: NonZero<u64>,
    /// How results become steps: bayes, classic, averaged, adaptive, scaled, or surface for up to six numbers (bayes, or as --out was begun).
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,
    /// Iteration k plays the state after iteration k - LAG; as many iterations are in flight.
    #[arg(long, value_name = "LAG", default_value = "8")]
    lag: NonZero<u64>,
    /// Measure c_end of every number before: at which width either side changes so great a share of the best moves.
    #[arg(long, value_name = "SHARE")]
    auto_c: Option<f64>,
    #[command(flatten)]
    seat: SeatArgs<OfOne>,
    #[command(flatten)]
    conditions: ConditionArgs<InTune>,
    /// Most pairs of the confirming match (one for each of its openings).
    #[arg(long, value_name = "N")]
    confirm_pairs: Option<NonZero<u64>>,
    /// The test of the confirming match.
    #[arg(
        long,
        value_name = "TEST",
        default_value = "elo0=0,elo1=15,alpha=0.05,beta=0.05,model=normalized"
    )]
    confirm_sprt: String,
    /// Play no confirming match.
    #[arg(long)]
    no_confirm: bool,
    /// Compare the methods on synthetic landscapes instead; no engine plays.
    #[arg(long)]
    bench: bool,
    /// Tunings of each kind with --bench.
    #[arg(long, value_name = "N", default_value = "50", requires = "bench")]
    seeds: NonZero<u64>,
    /// With --bench: landscapes that start so many Elo below the optimum, with rivals at their best r_end (the ten of before).
    #[arg(long, value_name = "ELO", value_delimiter = ',', requires = "bench")]
    starts: Vec<f64>,
    /// With --starts: how many numbers are tuned.
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        requires = "starts",
        default_value = "20"
    )]
    parameters: Vec<NonZero<usize>>,
    /// With --starts: share of drawn games in percent.
    #[arg(
        long,
        value_name = "PERCENT",
        value_delimiter = ',',
        requires = "starts",
        default_value = "30"
    )]
    draws: Vec<f64>,
    /// With --starts: parameters interact.
    #[arg(long, requires = "starts")]
    rotated: bool,
    /// Where results go (results/<date>-tune-<player> if absent); with --bench a CSV file.
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// With --bench: replace the file if it exists.
    #[arg(long, requires = "bench")]
    force: bool,
    #[command(flatten)]
    play: PlayArgs,
}

impl TuneArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        if self.bench {
            return self.compare_methods();
        }
        let (experiment, options) = self.experiment()?;
        self.play.printing().run(&experiment, &options)
    }

    /// What is to be tuned, and how.
    pub(super) fn experiment(&self) -> Result<(Experiment, RunOptions), CliError> {
        if self.bench {
            return Err(CliError::input("--bench plays no game and is run by itself"));
        }
        let games = MatchSpec::from_file(&self.file())?;
        let (space, has_lines) = self.read_space(&games)?;
        if let Some(path) = has_lines
            .as_ref()
            .filter(|_| games.seats[0].player.config().is_some())
        {
            let (origin, text) = path;
            space.check_builtin(games.conditions.game, |name| place_of(origin, text, name))?;
        }
        let confirm = (!self.no_confirm).then(|| self.confirm_sprt.clone());
        let confirm_pairs = self.confirm_pairs.map(NonZero::get);
        let plan = self.plan(games.conditions.seed)?;
        let mut spec = TuningSpec::new(games, space, plan, confirm, confirm_pairs)?;
        spec.auto_width = self.auto_c;
        let options = self.play.run_options(self.out.as_deref());
        Ok((Experiment::Tuning(Box::new(spec)), options))
    }

    fn plan(&self, seed: u64) -> Result<Plan, CliError> {
        let method = self.method()?;
        let per_iteration = self.pairs_per_iteration.get();
        let iterations = match (self.iterations, &self.games[..]) {
            (Some(iterations), _) => iterations.get(),
            (None, []) => GAMES_DEFAULT.div_ceil(2 * per_iteration),
            (None, &[games]) if games >= 2 => games.div_ceil(2).div_ceil(per_iteration),
            (None, games) => {
                let message = format!("--games is {games:?}, but must be one number of at least 2");
                return Err(CliError::input(message));
            }
        };
        if iterations
            .checked_mul(per_iteration)
            .is_none_or(|pairs| pairs > PAIRS_MAX)
        {
            return Err(CliError::input(format!("a tuning has at most {PAIRS_MAX} pairs")));
        }
        Ok(Plan {
            method,
            iterations,
            pairs_per_iteration: per_iteration,
            lag: self.lag.get(),
            seed,
        })
    }

    /// The method; without the option that of the tuning in the folder, if there is one.
    fn method(&self) -> Result<MethodName, CliError> {
        let Some(name) = &self.method else {
            let begun = self.out.as_ref().and_then(|out| TuningSpec::method_of(out));
            return Ok(begun.unwrap_or(MethodName::DEFAULT));
        };
        MethodName::from_name(name).ok_or_else(|| {
            let known = MethodName::ALL.map(MethodName::name).join(", ");
            CliError::input(format!("unknown method '{name}' (methods: {known})"))
        })
    }

    /// The space, and the text that it was read from with its name.
    fn read_space(&self, games: &MatchSpec) -> Result<(Space, Option<(String, String)>), CliError> {
        let Some(path) = &self.space else {
            if self.tune.is_empty() {
                let message = "say what to tune: --space FILE or --tune PATTERN".to_owned();
                return Err(CliError::input(message));
            }
            return Ok((
                expand(
                    games.conditions.game,
                    games.seats[0].player.builtin()?,
                    &self.tune,
                )?,
                None,
            ));
        };
        let text = std::fs::read_to_string(path)
            .map_err(|error| CliError::input(format!("cannot read '{}': {error}", path.display())))?;
        let origin = format!("'{}'", path.display());
        Ok((Space::parse(&text, &origin)?, Some((origin, text))))
    }

    /// The games: the player against itself.
    fn file(&self) -> MatchFile {
        let mut conditions = self.conditions.keys.clone();
        (conditions.pairs, conditions.repeat) = (Some(1), Some(true));
        let label = SeatKeys {
            label: self.seat.keys.label.clone(),
            ..SeatKeys::default()
        };
        MatchFile {
            players: [Some(self.player.clone()), Some(self.player.clone())],
            common: self.seat.keys.clone(),
            seats: [label.clone(), label],
            conditions,
            ..MatchFile::default()
        }
    }

    /// The landscapes that `--starts` and what goes with it say.
    fn shapes(&self) -> Result<Vec<Shape>, CliError> {
        let mut shapes = Vec::new();
        for (&elo, &parameters) in self
            .starts
            .iter()
            .flat_map(|elo| self.parameters.iter().map(move |of| (elo, of)))
        {
            for &draws in &self.draws {
                if !(0.0..=200.0).contains(&elo) || !(0.0..=95.0).contains(&draws) || parameters.get() > 1_000
                {
                    let message = format!(
                        "--starts {elo}, --parameters {parameters}, --draws {draws}: 0 to 200 Elo, at most 1000 numbers and 0 to 95 % draws"
                    );
                    return Err(CliError::input(message));
                }
                shapes.push(Shape::start_below(
                    elo,
                    parameters.get(),
                    draws / 100.0,
                    self.rotated,
                ));
            }
        }
        Ok(shapes)
    }

    fn compare_methods(&self) -> Result<(), CliError> {
        let comparison = Comparison {
            games: self.games.clone(),
            seeds: self.seeds.get(),
            pairs_per_iteration: self.pairs_per_iteration.get(),
            lag: self.lag.get(),
            seed: Conditions::from_keys(&self.conditions.keys)?.seed,
            shapes: self.shapes()?,
        };
        let Printing {
            is_quiet, is_json, ..
        } = self.play.printing();
        if let Some(out) = &self.out {
            check_out(out, self.force)?;
        }
        let mut console = MethodsConsole::new(self.out.as_deref(), is_quiet);
        let options = self.play.run_options(None);
        let rows = compare_methods(comparison, &options, &mut |progress| console.hear(progress))?;
        let text = if is_json {
            methods_json(&rows).to_string()
        } else {
            describe_methods(&rows)
        };
        print_data(&text).map_err(CliError::system("print the table"))
    }
}

#[derive(Debug, Clone)]
struct InTune;

impl Usage for InTune {
    const LEFT_OUT: &'static [&'static str] = &["pairs", "sprt", "repeat"];
    const WORDS: &'static [(&'static str, &'static str)] = &[
        (
            "openings",
            "Openings, as of a match (the built-in suite if absent); every fourth is kept for the confirming match",
        ),
        (
            "seed",
            "Decides every flip, orders the openings and varies the node limits (1)",
        ),
    ];
}

const GAMES_DEFAULT: u64 = 20_000;
const PAIRS_MAX: u64 = 100_000_000;

/// Where the parameter of this name stands in a file.
fn place_of(origin: &str, text: &str, name: &str) -> String {
    let is_its = |line: &str| line.split(',').next().is_some_and(|first| first.trim() == name);
    let line = text.lines().position(is_its);
    line.map_or_else(
        || origin.to_owned(),
        |line| format!("{origin}, line {}", line + 1),
    )
}

/// The lines of a space of the built-in engine's numbers.
pub(super) fn space_lines(game: Game, patterns: &[String]) -> Result<String, CliError> {
    let base = PlayerSpec::parse(game, "a", "base")?;
    Ok(expand(game, base.builtin()?, patterns)?.lines())
}
