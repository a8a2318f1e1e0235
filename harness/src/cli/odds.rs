//! `tanren odds`.
//!
//! In: two players, a limit, a number of pairs. Out: a folder with a match for each batch, the ratio as text or JSON on
//! stdout. Must not: choose a ratio or judge a result itself.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use tanren_engine::eval::Evaluated;

use super::claim;
use super::error::CliError;
use super::folder;
use super::game::{GameArg, with_game};
use super::play::{Place, describe_run, executor, identify, load_openings};
use super::programs::Programs;
use crate::config::wire::MatchFile;
use crate::config::{ConfigError, Identity, MatchSpec, Resource};
use crate::event::Event;
use crate::interrupt::Interrupt;
use crate::openings::OpeningSuite;
use crate::random::Random;
use crate::report::{OddsReport, Progress, note, print_data};
use crate::runner::LocalExecutor;
use crate::schedule::Schedule;
use crate::study::odds::{OddsPlan, OddsStep};

const EXAMPLES: &str = "\
Examples:
  tanren odds --a base --b base,null_move=off --nodes 1000 --pairs 2000 --out results/null-move-odds
      how many nodes a technique is worth
  tanren odds --a usi:./new --b usi:./old --byoyomi 200 --pairs 500
      how much time a new build is worth";

/// Find the ratio of nodes (or time) at which A and B are equally strong.
///
/// B always plays with the limit given, A with a multiple of it that is chosen anew for every batch of pairs: beside the
/// ratio at which the players seem even by all batches before. A ratio below 1 says that A needs less.
///
/// The same command on the same folder goes on where it stopped, with more --pairs too.
///
/// Files: odds.csv, odds.svg, and the folder of a match for each batch (batches/...).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct OddsArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// Player A, whose limit varies: PRESET, PRESET,key=value,..., key=value,..., usi:COMMAND,... or @file.toml.
    #[arg(long, value_name = "PLAYER", default_value = "base")]
    a: String,
    /// Player B.
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Nodes a move of B (1000 if no limit is given).
    #[arg(long, value_name = "N", group = "limit")]
    nodes: Option<NonZero<u64>>,
    /// Time for each move of B in milliseconds.
    #[arg(long, value_name = "MS", group = "limit")]
    movetime: Option<NonZero<u64>>,
    /// Clock of B for a game in seconds: BASE or BASE+INC, BASE also as M:SS.
    #[arg(long, value_name = "BASE+INC", group = "limit")]
    tc: Option<String>,
    /// Time of B for each move on a clock in milliseconds.
    #[arg(long, value_name = "MS", group = "limit")]
    byoyomi: Option<NonZero<u64>>,
    /// Pairs in all; rounded up to whole batches.
    #[arg(long, value_name = "N", default_value = "1000")]
    pairs: NonZero<u64>,
    /// Pairs of a batch, all at one ratio.
    #[arg(long, value_name = "N", default_value = "50")]
    batch: NonZero<u64>,
    /// Greatest ratio either way.
    #[arg(long, value_name = "RATIO", default_value_t = 64.0)]
    ratio_max: f64,
    /// One position a line (the built-in suite if absent).
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// Orders the openings and varies the node limits.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Hash table of each player in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4)]
    hash: usize,
    /// Use openings again when there are more pairs than openings.
    #[arg(long)]
    repeat: bool,
    /// Vary the node limits of each game by up to this many percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    node_jitter: u32,
    /// Pairs played at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Where results go (results/<date>-odds-<a>-vs-<b> if absent).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the result and its batches as one JSON object on stdout.
    #[arg(long)]
    json: bool,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
}

impl OddsArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        with_game!(self.game.game(), find_odds(self))
    }

    fn plan(&self, resource: Resource) -> Result<OddsPlan, CliError> {
        if !(self.ratio_max > 1.0 && self.ratio_max <= 1e6) {
            let message = format!(
                "--ratio-max is {}, but must be greater than 1 and at most 1000000",
                self.ratio_max
            );
            return Err(CliError::Input(message));
        }
        Ok(OddsPlan {
            resource: resource.amount,
            ratio_max: self.ratio_max,
        })
    }

    fn batches(&self) -> u64 {
        self.pairs.get().div_ceil(self.batch.get())
    }

    /// The match that every batch is one of, both players with B's limit.
    fn spec(&self) -> Result<MatchSpec, CliError> {
        let file = MatchFile {
            game: Some(self.game.game().name().to_owned()),
            a: Some(self.a.clone()),
            b: Some(self.b.clone()),
            nodes: self.nodes.map(NonZero::get),
            movetime: self.movetime.map(NonZero::get),
            tc: self.tc.clone(),
            byoyomi: self.byoyomi.map(NonZero::get),
            pairs: Some(self.batch.get()),
            openings: self.openings.clone(),
            hash: Some(self.hash),
            repeat: Some(self.repeat),
            node_jitter: Some(self.node_jitter),
            ..MatchFile::default()
        };
        Ok(MatchSpec::from_file(&file)?)
    }

    fn identity(&self, spec: &MatchSpec, openings_sha256: &str) -> Identity {
        let mut identity = Identity::default();
        identity.push("study", "odds");
        identity.push("game", self.game.game().name());
        identity.push("a", spec.players[0].canonical());
        identity.push("b", spec.players[1].canonical());
        identity.push("limit of b", spec.limits[1]);
        identity.push("batch", self.batch);
        identity.push("ratio_max", self.ratio_max);
        identity.push("openings (SHA-256)", openings_sha256);
        identity.push("seed", self.seed);
        identity.push("hash", format_args!("{} MiB", self.hash));
        identity.push("node jitter", format_args!("{} %", self.node_jitter));
        identity
    }
}

/// What the batches share.
struct Study<'a, P> {
    args: &'a OddsArgs,
    spec: MatchSpec,
    unit: &'static str,
    plan: OddsPlan,
    labels: [String; 2],
    suite: OpeningSuite<P>,
    /// The openings of all pairs, in order.
    order: Vec<usize>,
    executor: LocalExecutor,
    process: Interrupt,
    programs: Programs,
    folder: PathBuf,
}

fn find_odds<P: Evaluated>(args: &OddsArgs) -> Result<(), CliError> {
    let spec = args.spec()?;
    // The options offer no depth, which alone has no resource.
    let resource = spec.limits[1]
        .resource()
        .ok_or_else(|| CliError::Input("a depth has no ratio: give nodes or a time".to_owned()))?;
    let plan = args.plan(resource)?;
    let suite = load_openings::<P>(&spec)?;
    let (pairs, openings) = (args.batches() * args.batch.get(), suite.openings.len());
    if pairs > openings as u64 && !args.repeat {
        return Err(ConfigError::TooFewOpenings { pairs, openings }.into());
    }
    let executor = executor(args.concurrency)?;
    let process = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let players = ["a", "b"].into_iter().zip(&spec.players);
    let programs = Programs::examine(&spec, players, None, &process)?;
    let mut identity = args.identity(&spec, &suite.sha256);
    programs.identify(&mut identity);
    let labels = spec.players.each_ref().map(|player| player.label.clone());
    let default = || {
        let name = folder::plain_name(&format!("odds-{}-vs-{}", labels[0], labels[1]));
        folder::first_usable(&name, |path| claim::is_resumable(path, &identity))
    };
    let folder = args.out.clone().unwrap_or_else(default);
    claim::claim(&folder, &identity)?;
    let schedule = Schedule::new(args.seed, openings, pairs);
    let study = Study {
        args,
        spec,
        unit: resource.unit,
        plan,
        labels,
        suite,
        order: schedule.map(|plan| plan.opening).collect(),
        executor,
        process,
        programs,
        folder,
    };
    let steps = study.run();
    study.programs.tell_faults();
    study.finish(&steps?)
}

impl<P: Evaluated> Study<'_, P> {
    /// Plays batch by batch; the files are written after each.
    fn run(&self) -> Result<Vec<OddsStep>, CliError> {
        let batches = self.args.batches();
        self.say(&format!(
            "{} against {}: {batches} batches of {} pairs, B with {} {} a move; results in {}",
            self.labels[0],
            self.labels[1],
            self.args.batch,
            self.plan.resource,
            self.unit,
            self.folder.display()
        ));
        let mut steps: Vec<OddsStep> = Vec::new();
        for number in 0..batches {
            if self.process.is_requested() {
                break;
            }
            let Some(step) = self.batch(number, &steps)? else {
                break;
            };
            steps.push(step);
            let report = self.report(&steps);
            report.write(&self.folder)?;
            self.say(&format!("[{}/{batches}] {}", number + 1, report.line()));
        }
        Ok(steps)
    }

    /// One batch; `None` if it was interrupted.
    fn batch(&self, number: u64, steps: &[OddsStep]) -> Result<Option<OddsStep>, CliError> {
        let resource_a = self.plan.next_resource(steps);
        let mut spec = self.spec.clone();
        spec.limits[0] = spec.limits[0].with_amount(resource_a);
        // Files hold seeds up to 2^63.
        spec.seed = Random::new(self.args.seed, &[number]).next_u64() >> 1;
        let suite = self.openings(number);
        let pairs = self.args.batch.get();
        let folder = self.folder.join("batches").join(format!("{:03}", number + 1));
        let mut identity = identify(&spec, &suite, pairs);
        self.programs.identify(&mut identity);
        let about = describe_run(&spec, identity, &folder);
        let part = format!("batch {} of {}", number + 1, self.args.batches());
        let mut progress = (!self.args.quiet).then(|| Progress::new(pairs).within(part));
        let mut listener = |event: &Event<'_>| {
            if let Some(progress) = &mut progress {
                progress.event(event);
            }
        };
        let place = Place {
            suite: &suite,
            executor: &self.executor,
            process: &self.process,
            folder: &folder,
            programs: &self.programs,
        };
        let (_, standing) = place.play(&spec, &about, pairs, &mut listener)?;
        let step = self.plan.step(steps, resource_a, standing.tally());
        Ok(standing.is_decided().then_some(step))
    }

    /// The openings of one batch: no opening is used again before all were.
    fn openings(&self, number: u64) -> OpeningSuite<P> {
        let pairs = self.args.batch.get() as usize;
        let from = number as usize * pairs;
        let places = &self.order[from..from + pairs];
        OpeningSuite {
            openings: places
                .iter()
                .map(|&place| self.suite.openings[place].clone())
                .collect(),
            duplicates: Vec::new(),
            sha256: format!(
                "{}, pairs {} to {} in the order of seed {}",
                self.suite.sha256,
                from + 1,
                from + pairs,
                self.args.seed
            ),
        }
    }

    fn report<'a>(&'a self, steps: &'a [OddsStep]) -> OddsReport<'a> {
        OddsReport {
            labels: &self.labels,
            unit: self.unit,
            resource: self.plan.resource,
            steps,
        }
    }

    fn finish(&self, steps: &[OddsStep]) -> Result<(), CliError> {
        let report = self.report(steps);
        let text = if self.args.json {
            report.json().to_string()
        } else {
            format!("{}files    {}\n", report.describe(), self.folder.display())
        };
        if self.args.json || !self.args.quiet {
            print_data(&text).map_err(CliError::system("print the result"))?;
        }
        match self.process.signal() {
            Some(signal) if (steps.len() as u64) < self.args.batches() => {
                note(&format!(
                    "stopped after {} of {} batches, all games saved; to go on: {}",
                    steps.len(),
                    self.args.batches(),
                    folder::resume_command(&self.folder)
                ));
                Err(CliError::Stopped(signal))
            }
            _ => Ok(()),
        }
    }

    fn say(&self, text: &str) {
        if !self.args.quiet {
            note(text);
        }
    }
}
