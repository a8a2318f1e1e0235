//! `tanren tournament`.
//!
//! In: arguments. Out: a [`TournamentFile`], and what is played of it. Must not: check what the specification checks.

use std::path::{Path, PathBuf};

use clap::Args;
use tanren_engine::eval::Evaluated;

use super::error::CliError;
use super::folder;
use super::game::with_game;
use super::play::{PlayOptions, load_openings, player};
use super::programs::Programs;
use crate::config::{ConfigError, Identity, TournamentFile, TournamentPlayer, TournamentSpec};
use crate::crosstable::Crosstable;
use crate::event::Event;
use crate::interrupt::{Interrupt, Signal};
use crate::ledger::{About, Ledger, LedgerError};
use crate::openings::OpeningSuite;
use crate::play::Roster;
use crate::player::signature;
use crate::record::PlayerId;
use crate::report::{SearchProgress, TournamentReport, note, print_data};
use crate::runner::{self, Run};
use crate::schedule::Schedule;
use crate::standing::Standing;
use crate::stop::StopRule;

const EXAMPLES: &str = "\
Examples:
  tanren tournament --player base --player plain --player base,lmr=off --nodes 1000 --rounds 100
      a round robin of three
  tanren tournament --gauntlet 1 --player usi:./new --player usi:./old --player usi:./older --byoyomi 100 --rounds 50
      the first against all others
  tanren tournament --player base --player '{ name = \"half\", player = \"base\", nodes = 500 }' --nodes 1000 --rounds 200
      one engine under two limits";

/// Play a round robin or a gauntlet of many players in pairs of games, and rate them.
///
/// Round by round every pairing gets the same next opening, so that a tournament that is stopped is a shorter one. The
/// same command on the same folder takes up where it stopped.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TournamentArgs {
    /// What is played: shogi or chess (shogi).
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// A player, once for each: as --a of a match, or '{ name = "NAME", player = "PLAYER", nodes = N }' with a name or a limit
    /// (nodes, depth, movetime) of its own.
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// Who meets whom: round-robin or gauntlet (round-robin).
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// The first N players meet all others, and nobody else meets (1 with --format gauntlet).
    #[arg(long, value_name = "N")]
    gauntlet: Option<usize>,
    /// Pairs of each pairing, which are the rounds (50).
    #[arg(long, value_name = "N", visible_alias = "rounds")]
    pairs: Option<u64>,
    /// Nodes a move (1000 if no limit is given).
    #[arg(long, value_name = "N", group = "limit")]
    nodes: Option<u64>,
    /// Depth of each move in plies.
    #[arg(long, value_name = "D", group = "limit")]
    depth: Option<u32>,
    /// Time for each move in milliseconds.
    #[arg(long, value_name = "MS", group = "limit")]
    movetime: Option<u64>,
    /// Game clock of each player: BASE+INC in seconds, such as 10+0.1 or 5:00+3.
    #[arg(long, value_name = "BASE+INC", group = "limit")]
    tc: Option<String>,
    /// Milliseconds for each move when the clock is used up; with --tc or alone.
    #[arg(long, value_name = "MS")]
    byoyomi: Option<u64>,
    /// With a clock: a move may overstep it by so many milliseconds (100).
    #[arg(long, value_name = "MS")]
    time_margin: Option<u64>,
    /// With a clock: what built-in players leave unused of it for each move, in milliseconds (30).
    #[arg(long, value_name = "MS")]
    overhead: Option<u64>,
    /// With a clock: a move takes the whole seconds of its time off it, as in shogi tournaments.
    #[arg(long)]
    whole_seconds: bool,
    /// Say of each pairing what a sequential test says: elo0=0,elo1=5,... as for a match. A pairing that is decided plays on.
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// One position a line (the built-in suite if absent).
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// The order in which openings are used, none again before all were: random or sequential (random).
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
    /// Orders the openings and varies the node limits (1).
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Hash table of each player in MiB (4).
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,
    /// Use openings again when there are more rounds than openings.
    #[arg(long)]
    repeat: bool,
    /// Vary the node limits of each game by up to this many percent, the same for both players (0).
    #[arg(long, value_name = "PERCENT")]
    node_jitter: Option<u32>,
    /// A game of so many plies is a draw; 0 for no limit (512).
    #[arg(long, value_name = "N")]
    max_plies: Option<u32>,
    /// The declaration rule: 27, 24 or off (27).
    #[arg(long, value_name = "RULE")]
    declaration: Option<String>,
    /// Whether a repetition ends the game: on or off (on).
    #[arg(long, value_name = "RULE")]
    repetition: Option<String>,
    /// A player loses whose score is hopeless for some moves: score=600,moves=3 or score=600,moves=3,both.
    #[arg(long, value_name = "RULE")]
    resign: Option<String>,
    /// A game is drawn in which nobody sees an advantage: from=40,moves=8,score=10.
    #[arg(long, value_name = "RULE")]
    draw: Option<String>,
    /// How long another program may take to start and to be ready, in milliseconds (10000).
    #[arg(long, value_name = "MS")]
    startup_ms: Option<u64>,
    /// How long another program may take for a move without a limit in time, in milliseconds (10000).
    #[arg(long, value_name = "MS")]
    stall_ms: Option<u64>,
    /// What follows from a fault: KIND=loss|replay|stop,... with kinds as in docs/engines.md or all; replay:N plays the pair
    /// again N times at most, replay alone 3 times (all=loss).
    #[arg(long, value_name = "POLICY")]
    on_fault: Option<String>,
    /// Part of the default folder's name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Where results go (results/<date>-<name> if absent); a folder with an unfinished tournament is taken up.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) options: PlayOptions,
}

impl TournamentArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        play_tournament(&self.spec()?, self.out.as_deref(), &self.options)
    }

    /// What is to be played.
    pub(super) fn spec(&self) -> Result<TournamentSpec, CliError> {
        Ok(TournamentSpec::from_file(&self.file()?)?)
    }

    fn file(&self) -> Result<TournamentFile, ConfigError> {
        let players = self.players.iter().map(|text| TournamentPlayer::parse(text));
        Ok(TournamentFile {
            command: None,
            name: self.name.clone(),
            game: self.game.clone(),
            format: self.format.clone(),
            gauntlet: self.gauntlet,
            pairs: self.pairs,
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime,
            tc: self.tc.clone(),
            byoyomi: self.byoyomi,
            time_margin: self.time_margin,
            overhead: self.overhead,
            whole_seconds: self.whole_seconds.then_some(true),
            sprt: self.sprt.clone(),
            openings: self.openings.clone(),
            order: self.order.clone(),
            seed: self.seed,
            hash: self.hash,
            repeat: self.repeat.then_some(true),
            node_jitter: self.node_jitter,
            max_plies: self.max_plies,
            declaration: self.declaration.clone(),
            repetition: self.repetition.clone(),
            resign: self.resign.clone(),
            draw: self.draw.clone(),
            startup_ms: self.startup_ms,
            stall_ms: self.stall_ms,
            on_fault: self.on_fault.clone(),
            player: players.collect::<Result<_, _>>()?,
        })
    }
}

/// Plays `spec`, or what is left of it, in `out` or the default folder.
pub(super) fn play_tournament(
    spec: &TournamentSpec,
    out: Option<&Path>,
    options: &PlayOptions,
) -> Result<(), CliError> {
    with_game!(spec.shared().game, play(spec, out, options))
}

fn play<P: Evaluated>(
    spec: &TournamentSpec,
    out: Option<&Path>,
    options: &PlayOptions,
) -> Result<(), CliError> {
    let shared = spec.shared();
    let suite = load_openings::<P>(shared)?;
    let planned = shared.pairs_max(suite.openings.len())?;
    let executor = options.executor()?;
    let process = Interrupt::install().map_err(CliError::system("watch for signals"))?;
    let players = (1_u32..).zip(spec.seats.iter().map(|seat| &seat.players[0]));
    let programs = Programs::examine(shared, players, options.engine_log.as_deref(), &process)?;
    let mut identity = identify(spec, &suite, planned);
    programs.identify(&mut identity);
    let chosen = out.map_or_else(|| default_folder(spec, &identity), Path::to_owned);
    let about = describe_run(spec, identity, &chosen);
    if let Some(signal) = process.signal() {
        return Err(CliError::Stopped(signal));
    }
    let interrupt = process.for_run();
    let mut ledger = Ledger::open_or_create(&chosen, &about)?;
    warn_of_mirror(spec);
    let pairs_all = planned * spec.pairings.len() as u64;
    let pairs_max = pairs_all.min(options.pause_after());
    let mut total = Standing::new(StopRule {
        sprt: None,
        pairs_max,
    });
    let make_player = |number: u16| {
        player::<P>(
            &spec.seats[usize::from(number)],
            PlayerId::A,
            &programs,
            &interrupt,
        )
    };
    let make_table = || Roster::new(spec.seats.len(), shared.rules, Box::new(make_player));
    let run = Run {
        openings: &suite.openings,
        seed: shared.seed,
        pairs_max,
        make_table: &make_table,
        interrupt: &interrupt,
    };
    let pairings = spec.pairings.clone();
    let schedule =
        Schedule::of_pairings(shared.seed, suite.openings.len(), pairings, pairs_max).in_order(shared.order);
    let progress = (!options.quiet).then(|| SearchProgress::of("pairs", pairs_max as usize));
    let mut listener = |event: &Event<'_>| match event {
        Event::Started { standing } => {
            options.say(&opening_line(spec, standing.tally().pairs(), planned, &chosen));
        }
        Event::Counted { standing, .. } => {
            if let Some(progress) = &progress {
                progress.show(standing.tally().pairs() as usize);
            }
        }
        Event::Ended { .. } => {
            if let Some(progress) = &progress {
                progress.end();
            }
        }
    };
    let fault = runner::play_schedule(&run, schedule, &executor, &mut ledger, &mut total, &mut listener)?;
    let counted = total.tally().pairs();
    let crosstable = crosstable(spec, &ledger, planned, counted)?;
    let report = TournamentReport::new(&spec.labels, &crosstable);
    report.write::<P>(&chosen, &ledger, counted)?;
    programs.tell_faults();
    fault.map_or(Ok(()), |fault| Err(CliError::fault(&about, fault)))?;
    finish(&report, &chosen, options)?;
    match interrupt.signal() {
        Some(signal) if counted < pairs_max => Err(stopped(signal, counted, pairs_all, &chosen)),
        _ => Ok(()),
    }
}

fn stopped(signal: Signal, counted: u64, pairs: u64, folder: &Path) -> CliError {
    let resume = folder::resume_command(folder);
    note(&format!(
        "stopped after {counted} of {pairs} pairs, all saved; to go on: {resume}"
    ));
    CliError::Stopped(signal)
}

fn opening_line(spec: &TournamentSpec, done: u64, rounds: u64, folder: &Path) -> String {
    let (players, pairings) = (spec.labels.len(), spec.pairings.len());
    let all = rounds * pairings as u64;
    format!(
        "{players} players, {pairings} pairings, {rounds} rounds; {done} of {all} pairs are done; results in {}",
        folder.display()
    )
}

fn default_folder(spec: &TournamentSpec, identity: &Identity) -> PathBuf {
    let default = || folder::plain_name(&format!("tournament-{}", spec.labels[0]));
    let name = spec.shared().name.clone().unwrap_or_else(default);
    folder::first_usable(&name, |path| Ledger::is_resumable(path, identity))
}

fn warn_of_mirror(spec: &TournamentSpec) {
    if let Some([one, two]) = spec.mirror() {
        note(&format!(
            "warning: {one} and {two} play the same in every position, so nothing can be learnt from their games; \
             --node-jitter makes them differ"
        ));
    }
}

fn finish(report: &TournamentReport<'_>, folder: &Path, options: &PlayOptions) -> Result<(), CliError> {
    let text = if options.json {
        report.json().to_string()
    } else if options.quiet {
        return Ok(());
    } else {
        format!("{}\nfiles  {}\n", report.describe(), folder.display())
    };
    print_data(&text).map_err(CliError::system("print the result"))
}

fn identify<P: Evaluated>(spec: &TournamentSpec, suite: &OpeningSuite<P>, pairs: u64) -> Identity {
    let configs = spec.seats.iter().filter_map(|seat| seat.players[0].config());
    let engine = signature(configs, suite.openings.iter().map(|opening| &opening.position));
    spec.identity(&suite.sha256, pairs, &engine)
}

fn describe_run(spec: &TournamentSpec, identity: Identity, folder: &Path) -> About {
    let file = spec.to_file(folder);
    About {
        identity,
        spec_toml: toml::to_string(&file).unwrap_or_else(|error| unreachable!("specification: {error}")),
        labels: spec.labels.clone(),
    }
}

/// The first `counted` pairs of `ledger`, pairing by pairing.
fn crosstable(
    spec: &TournamentSpec,
    ledger: &Ledger,
    pairs: u64,
    counted: u64,
) -> Result<Crosstable, LedgerError> {
    let rule = StopRule {
        sprt: spec.shared().sprt,
        pairs_max: pairs,
    };
    let mut crosstable = Crosstable::new(spec.labels.len(), &spec.pairings, rule);
    ledger.for_each_outcome(|pair| {
        if pair.pair < counted {
            crosstable.count(&pair);
        }
    })?;
    Ok(crosstable)
}

/// Text or JSON of a tournament's result, and how many pairs are counted; makes every file again from the ledger if that
/// is `allowed`.
pub(super) fn rebuild(
    folder: &Path,
    ledger: &Ledger,
    about: &About,
    is_json: bool,
    allowed: bool,
) -> Result<(String, u64), CliError> {
    let damaged = |message: String| LedgerError::Damaged {
        path: folder.to_owned(),
        message,
    };
    let file: TournamentFile =
        toml::from_str(&about.spec_toml).map_err(|error| damaged(error.to_string()))?;
    let spec = TournamentSpec::from_file(&file)?;
    let pairs = about
        .identity
        .get(Identity::PAIRS)
        .and_then(|pairs| pairs.parse::<u64>().ok());
    let pairs = pairs.ok_or_else(|| damaged("it does not say its number of pairs".to_owned()))?;
    let mut total = Standing::new(StopRule {
        sprt: None,
        pairs_max: pairs * spec.pairings.len() as u64,
    });
    runner::recount(ledger, &mut total)?;
    let counted = total.tally().pairs();
    let crosstable = crosstable(&spec, ledger, pairs, counted)?;
    let report = TournamentReport::new(&spec.labels, &crosstable);
    if allowed {
        with_game!(spec.shared().game, write_report(&report, folder, ledger, counted))?;
    }
    let text = if is_json {
        report.json().to_string()
    } else {
        report.describe()
    };
    Ok((text, counted))
}

fn write_report<P: Evaluated>(
    report: &TournamentReport<'_>,
    folder: &Path,
    ledger: &Ledger,
    counted: u64,
) -> Result<(), CliError> {
    Ok(report.write::<P>(folder, ledger, counted)?)
}
