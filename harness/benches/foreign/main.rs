//! What the harness costs where other programs play: `cargo bench -p tanren --bench foreign`.
//!
//! An engine that answers at once (this program again, called with `replay`) plays whole matches against itself through
//! the real pipeline: pipes, clock, referee with every move's legality, order, count and ledger on disk. Games a second
//! are of the whole machine, the engines included; CPU time is that of this process alone.
#![expect(clippy::print_stdout, reason = "a bench prints its result")]

mod replayer;

use std::time::Instant;

use cpu_time::ProcessTime;

use tanren::internals::{
    ClockRules, Cores, FaultLog, GameTable, Interrupt, Launch, Ledger, LocalExecutor, Manifest, MatchState,
    MoveLimit, Opening, PairRun, Player, PlayerId, PlayerKind, PlayerSpec, Process, ProcessRules,
    ProcessSpec, Rules, StopRule, Timeouts, play,
};
use tanren_engine::game::{Game, Position};
use tanren_engine::shogi::Board;

const ROUNDS: usize = 5;
const PAIRS: u64 = 1500;
const CONCURRENCY: usize = 2;

/// One match: games a second, and CPU time of this process in microseconds a ply.
struct Figures {
    games_per_second: f64,
    cpu_us_per_ply: f64,
}

fn measure(spec: &ProcessSpec, limit: MoveLimit, executor: &LocalExecutor) -> Figures {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let manifest = Manifest {
        kind: "match".to_owned(),
        labels: vec!["a".to_owned(), "b".to_owned()],
        ..Manifest::default()
    };
    let interrupt = Interrupt::default();
    let faults = FaultLog::default();
    let player = |id: PlayerId| -> Box<dyn Player<Board>> {
        let rules = ProcessRules {
            label: id.letter().to_owned(),
            limit,
            node_jitter_percent: 0,
            time_margin_ms: ClockRules::default().margin_ms,
            faults: faults.clone(),
        };
        let timeouts = Timeouts {
            startup_ms: 10_000,
            stall_ms: 10_000,
        };
        let launch = Launch::new(spec.clone(), timeouts, 1, &interrupt);
        Box::new(Process::new(launch, rules))
    };
    let make_table = || GameTable::new([PlayerId::A, PlayerId::B].map(player), Rules::default());
    let openings = [Opening::new(1, Board::start())];
    let run = PairRun {
        openings: &openings,
        seed: 1,
        pairs_max: PAIRS,
        make_table: &make_table,
        elsewhere: None,
        game_listener: None,
        interrupt: &interrupt,
    };
    let mut match_state = MatchState::new(StopRule::new(None, PAIRS));
    let mut ledger = Ledger::open_or_create(&folder.path().join("run"), &manifest).expect("a ledger");
    let (began, cpu) = (Instant::now(), ProcessTime::now());
    play(&run, executor, &mut ledger, &mut match_state, &mut |_| {}).expect("a match");
    let (elapsed, cpu) = (began.elapsed(), cpu.elapsed());
    assert_eq!(match_state.tally().pairs(), PAIRS, "every pair is counted");
    assert!(faults.counts().is_empty(), "{:?}", faults.counts());
    let games = 2.0 * PAIRS as f64;
    Figures {
        games_per_second: games / elapsed.as_secs_f64(),
        // A turn more than there are plies: the resignation.
        cpu_us_per_ply: cpu.as_secs_f64() * 1e6 / (games * replayer::plies() as f64),
    }
}

fn show(name: &str, spec: &ProcessSpec, limit: MoveLimit, executor: &LocalExecutor) {
    let mut rounds: Vec<Figures> = (0..ROUNDS).map(|_| measure(spec, limit, executor)).collect();
    rounds.sort_by(|a, b| b.games_per_second.total_cmp(&a.games_per_second));
    let listed: Vec<String> = rounds
        .iter()
        .map(|round| format!("{:.0} ({:.1})", round.games_per_second, round.cpu_us_per_ply))
        .collect();
    println!("{name:<24}  {}", listed.join("  "));
}

fn main() -> std::io::Result<()> {
    tanren::guard_engines();
    if std::env::args().nth(1).is_some_and(|word| word == "replay") {
        return replayer::serve();
    }
    let program = std::env::current_exe()?;
    let text = format!("usi:\"{}\" replay", program.display());
    let player = PlayerSpec::parse(Game::Shogi, "a", &text).expect("a player");
    let PlayerKind::Process(spec) = player.kind else {
        unreachable!("usi: is a program");
    };
    println!(
        "games of {} plies, concurrency {CONCURRENCY}, {ROUNDS} rounds of {} games: games/s (µs of this process's CPU a ply)",
        replayer::plies(),
        2 * PAIRS
    );
    let free = LocalExecutor::new(CONCURRENCY).expect("workers");
    show("nodes", &spec, MoveLimit::Nodes(1), &free);
    show("movetime", &spec, MoveLimit::MoveTimeMs(1000), &free);
    if let Ok(cores) = Cores::available() {
        let pinned = LocalExecutor::on_cores(CONCURRENCY, cores).expect("workers");
        show("nodes, --pin-cores", &spec, MoveLimit::Nodes(1), &pinned);
    }
    Ok(())
}
