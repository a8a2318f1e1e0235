//! `tanren ablate`.
//!
//! In: a base, what to change, limits. Out: a folder with a match and a count of nodes for each change, a table or JSON
//! on stdout. Must not: judge a result itself.

mod rows;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use tanren_engine::config::Config;
use tanren_engine::eval::Evaluated;
use tanren_engine::search::PLY_MAX;

use super::claim;
use super::error::CliError;
use super::folder;
use super::game::{GameArg, with_game};
use super::play::{Place, describe_run, executor, identify, load_openings};
use super::programs::Programs;
use crate::config::wire::MatchFile;
use crate::config::{Identity, MatchSpec, PlayerSpec};
use crate::event::Event;
use crate::interrupt::Interrupt;
use crate::ledger::Ledger;
use crate::openings::{self, OpeningSuite};
use crate::report::{
    Progress, ablation_json, ablation_line, describe_ablation, note, print_data, write_ablation,
};
use crate::runner::LocalExecutor;
use crate::study::ablate::{AblationRow, Length, Variant, Worth, compare_nodes};
use crate::study::nodes::{Journal, NodesStudy, Search, SummaryRow, without_early_stops};

const EXAMPLES: &str = "\
Examples:
  tanren ablate --pairs 1000 --nodes 1000 --straddle-pairs 4000 --out results/ablation
      every setting; more pairs where nothing is shown yet
  tanren ablate --only null_move,lmr --also lmr.base=500 --pairs 500 --out results/two
      two techniques, and a number
  tanren ablate --list
      the rows alone";

/// Measure what each technique is worth: the engine against itself with one setting changed.
///
/// Every switch and choice of the settings table has a row for each of its other values; settings that act only where a
/// clock runs have none. Everything is seen from the setting as it stands in the base: Elo is that of the base against the
/// changed engine (above 0: the base is stronger), the ratio of nodes at a fixed depth is the changed engine's over the
/// base's (above 1: the base needs fewer).
///
/// The same command on the same folder goes on where it stopped; more pairs, rows or positions can be asked for later.
/// A change that shows in no game of the first 50 pairs is given up as identical.
///
/// Files: ablation.csv, ablation.svg, and for each row the folder of a match (matches/...) and of its searches (nodes/...).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AblateArgs {
    /// The game.
    #[arg(long, value_enum, default_value = "shogi")]
    game: GameArg,
    /// The full engine: base, PRESET, PRESET,key=value,..., key=value,... or @file.toml.
    #[arg(long, value_name = "PLAYER", default_value = "base")]
    base: String,
    /// Only these settings.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// A further row for any setting, numbers too; once for each.
    #[arg(long, value_name = "NAME=VALUE")]
    also: Vec<String>,
    /// Pairs of each row.
    #[arg(long, value_name = "N", default_value = "1000")]
    pairs: NonZero<u64>,
    /// Play on up to so many pairs where the interval still holds zero after --pairs.
    #[arg(long, value_name = "M")]
    straddle_pairs: Option<NonZero<u64>>,
    /// Nodes a move.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// Depth at which nodes are compared, in plies; 0 for no comparison.
    #[arg(long, value_name = "D", default_value_t = 8)]
    node_depth: u32,
    /// Give a search of that comparison up after so many nodes; its position is left out of its row.
    #[arg(long, value_name = "N", default_value = "2000000")]
    nodes_max: NonZero<u64>,
    /// Positions of that comparison, one a line (a built-in suite of 100 positions from all parts of games if absent).
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Openings of the games, one a line (the built-in suite if absent).
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// Orders the openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Hash table of each player in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4)]
    hash: usize,
    /// Use openings again when there are more pairs than openings.
    #[arg(long)]
    repeat: bool,
    /// Pairs or searches at the same time (as many as there are cores).
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// Where results go (results/<date>-ablate-<base> if absent).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show the rows that would be measured and those left out, and play nothing.
    #[arg(long)]
    list: bool,
    /// Print the rows of ablation.csv as a JSON array on stdout.
    #[arg(long)]
    json: bool,
    /// Show no progress and no text.
    #[arg(long)]
    quiet: bool,
}

impl AblateArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        with_game!(self.game.game(), ablate(self))
    }

    fn check_numbers(&self) -> Result<(), CliError> {
        let depth_max = PLY_MAX as u32 - 1;
        if self.node_depth > depth_max {
            let message = format!(
                "--node-depth is {}, but must be from 0 to {depth_max}",
                self.node_depth
            );
            return Err(CliError::Input(message));
        }
        match self.straddle_pairs {
            Some(most) if most < self.pairs => {
                let message = format!(
                    "--straddle-pairs is {most}, but must be at least the {} of --pairs",
                    self.pairs
                );
                Err(CliError::Input(message))
            }
            _ => Ok(()),
        }
    }

    fn length(&self) -> Length {
        Length {
            pairs: self.pairs.get(),
            straddle_pairs: self.straddle_pairs.map(NonZero::get),
        }
    }

    /// The match of one row so far as `pairs` go.
    fn spec(&self, base: &PlayerSpec, variant: &Variant, pairs: u64) -> Result<MatchSpec, CliError> {
        let changed = format!("{},{}", base.canonical(), variant.assignment());
        let file = MatchFile {
            game: Some(self.game.game().name().to_owned()),
            a: Some(base.text()),
            b: Some(changed),
            nodes: Some(self.nodes),
            pairs: Some(pairs),
            openings: self.openings.clone(),
            seed: Some(self.seed),
            hash: Some(self.hash),
            repeat: Some(self.repeat),
            ..MatchFile::default()
        };
        Ok(MatchSpec::from_file(&file)?)
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            note(text);
        }
    }
}

/// What the rows of one command share.
struct Study<'a, P> {
    args: &'a AblateArgs,
    base: &'a PlayerSpec,
    suite: OpeningSuite<P>,
    positions: OpeningSuite<P>,
    executor: LocalExecutor,
    process: Interrupt,
    folder: PathBuf,
}

fn ablate<P: Evaluated>(args: &AblateArgs) -> Result<(), CliError> {
    args.check_numbers()?;
    let base = PlayerSpec::parse(args.game.game(), "of --base", &args.base)?;
    let (variants, skipped) = args.rows(&base)?;
    if args.list {
        return rows::list(args, &variants, &skipped);
    }
    let Some(first) = variants.first() else {
        return Err(CliError::Input("there is no setting to change".to_owned()));
    };
    let most = args.straddle_pairs.unwrap_or(args.pairs).get();
    let spec = args.spec(&base, first, most)?;
    let suite = load_openings::<P>(&spec)?;
    spec.pairs_max(suite.openings.len())?;
    let positions = match &args.positions {
        None => openings::parse(
            openings::built_in_nodes(P::GAME),
            "the built-in positions for counting nodes",
        ),
        Some(path) => openings::load(path),
    }?;
    let executor = executor(args.concurrency)?;
    let identity = identity(args, &base, &suite.sha256);
    let default = || {
        let name = folder::plain_name(&format!("ablate-{}", base.label));
        folder::first_usable(&name, |path| claim::is_resumable(path, &identity))
    };
    let folder = args.out.clone().unwrap_or_else(default);
    claim::claim(&folder, &identity)?;
    let study = Study {
        args,
        base: &base,
        suite,
        positions,
        executor,
        process: Interrupt::install().map_err(CliError::system("watch for signals"))?,
        folder,
    };
    for reason in &skipped {
        args.say(&format!("left out: {reason}"));
    }
    let rows = study.run(&variants)?;
    study.finish(&rows, variants.len())
}

impl<P: Evaluated> Study<'_, P> {
    /// Plays and searches row by row; the files are written after each.
    fn run(&self, variants: &[Variant]) -> Result<Vec<AblationRow>, CliError> {
        let began = Instant::now();
        let (mut rows, mut pairs_played) = (Vec::new(), 0);
        self.args.say(&format!(
            "{} against {} changes of it, {} pairs each at {} nodes a move; results in {}",
            self.base.label,
            variants.len(),
            self.args.pairs,
            self.args.nodes,
            self.folder.display()
        ));
        let base_searches = self.searches("base", self.base.builtin()?)?;
        for (number, variant) in (1..).zip(variants) {
            self.args
                .say(&format!("[{number}/{}] {}", variants.len(), variant.assignment()));
            let searches = self.searches(&folder_name(variant), &variant.config)?;
            // A comparison of half of the searches is no row.
            if self.process.is_requested() {
                break;
            }
            let depth = self.args.node_depth;
            let nodes = (depth > 0).then(|| compare_nodes(&base_searches, &searches, depth));
            let (row, pairs) = self.row(variant, nodes.flatten())?;
            pairs_played += pairs;
            rows.push(row);
            write_ablation(&self.folder, &rows)?;
            self.say_left(&rows, variants.len(), pairs_played, began);
        }
        Ok(rows)
    }

    /// One row, and how many of its pairs were played now.
    fn row(&self, variant: &Variant, nodes: Option<SummaryRow>) -> Result<(AblationRow, u64), CliError> {
        let folder = self.folder.join("matches").join(folder_name(variant));
        let length = self.args.length();
        let mut pairs = length.first_stage(stored_pairs(&folder));
        let mut pairs_before = None;
        loop {
            let spec = self.args.spec(self.base, variant, pairs)?;
            let identity = identify(&spec, &self.suite, pairs);
            let about = describe_run(&spec, identity, &folder);
            let mut progress = (!self.args.quiet).then(|| Progress::new(pairs).within(variant.assignment()));
            let mut listener = |event: &Event<'_>| {
                if let Event::Started { standing } = event {
                    pairs_before.get_or_insert(standing.tally().pairs());
                }
                if let Some(progress) = &mut progress {
                    progress.event(event);
                }
            };
            let place = Place {
                suite: &self.suite,
                executor: &self.executor,
                process: &self.process,
                folder: &folder,
                programs: &Programs::default(),
            };
            let (_, standing) = place.play(&spec, &about, pairs, &mut listener)?;
            let next = length.next_stage(&standing);
            if let Some(next) = next
                && !self.process.is_requested()
            {
                pairs = next;
                continue;
            }
            let played = standing.tally().pairs() - pairs_before.unwrap_or_default();
            let mut row = AblationRow::new(variant.clone(), &standing, nodes);
            if next.is_some() {
                row.worth = Worth::Interrupted;
            }
            return Ok((row, played));
        }
    }

    /// The searches of one configuration, made now or found in its journal.
    fn searches(&self, name: &str, config: &Config) -> Result<Vec<Search>, CliError> {
        if self.args.node_depth == 0 {
            return Ok(Vec::new());
        }
        let configs = [without_early_stops(config)];
        let openings = self.positions.openings.iter();
        let positions: Vec<P> = openings.map(|opening| opening.position.clone()).collect();
        let study = NodesStudy {
            configs: &configs,
            positions: &positions,
            depth: self.args.node_depth,
            nodes_max: Some(self.args.nodes_max.get()),
            hash_mib: self.args.hash,
        };
        let changes = config.changes(P::GAME).into_iter();
        let canonical: Vec<String> = std::iter::once("base".to_owned()).chain(changes).collect();
        let identity = study.identity(&[canonical.join(",")], &self.positions.sha256);
        let folder = self.folder.join("nodes").join(name);
        let mut journal = Journal::open_or_create(&folder, &identity, 1, positions.len())?;
        let interrupt = self.process.for_run();
        study.run(self.executor.pool(), &mut journal, &interrupt, |_| {})?;
        Ok(journal.searches().to_vec())
    }

    fn say_left(&self, rows: &[AblationRow], of: usize, pairs_played: u64, began: Instant) {
        let Some(last) = rows.last() else { return };
        let mut text = format!("[{}/{of}] {}", rows.len(), ablation_line(last));
        if pairs_played > 0 && rows.len() < of {
            let minutes = began.elapsed().as_secs_f64() / 60.0 / pairs_played as f64;
            let pairs_left = self.args.pairs.get() * (of - rows.len()) as u64;
            text += &format!("; about {:.0} min left", minutes * pairs_left as f64);
        }
        self.args.say(&text);
    }

    fn finish(&self, rows: &[AblationRow], of: usize) -> Result<(), CliError> {
        let text = if self.args.json {
            ablation_json(rows).to_string()
        } else {
            format!("{}\nfiles  {}\n", describe_ablation(rows), self.folder.display())
        };
        if self.args.json || !self.args.quiet {
            print_data(&text).map_err(CliError::system("print the result"))?;
        }
        let finished = rows.iter().filter(|row| row.worth != Worth::Interrupted).count();
        match self.process.signal() {
            Some(signal) if finished < of => {
                note(&format!(
                    "stopped after {finished} of {of} rows, all games saved; to go on: {}",
                    folder::resume_command(&self.folder)
                ));
                Err(CliError::Stopped(signal))
            }
            _ => Ok(()),
        }
    }
}

/// What all rows of a folder share; their matches and searches have an identity of their own.
fn identity(args: &AblateArgs, base: &PlayerSpec, openings_sha256: &str) -> Identity {
    let mut identity = Identity::default();
    identity.push("study", "ablate");
    identity.push("game", args.game.game().name());
    identity.push("base", base.canonical());
    identity.push("nodes", args.nodes);
    identity.push("openings (SHA-256)", openings_sha256);
    identity.push("seed", args.seed);
    identity.push("hash", format_args!("{} MiB", args.hash));
    identity
}

fn folder_name(variant: &Variant) -> String {
    folder::plain_name(&variant.assignment())
}

/// How many pairs the match in `folder` was meant to have; 0 if there is none.
fn stored_pairs(folder: &Path) -> u64 {
    let about = Ledger::open_existing(folder).and_then(|ledger| ledger.about());
    let pairs = about
        .ok()
        .and_then(|about| about.identity.get(Identity::PAIRS)?.parse().ok());
    pairs.unwrap_or(0)
}
