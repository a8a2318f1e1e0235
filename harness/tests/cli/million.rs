//! A ledger of a million games: how long a run takes to take it up, how long its report takes, how large it is.
//!
//! `cargo test --release -p tanren --test cli million:: -- --ignored --nocapture`, optionally with `TANREN_GAMES=100000`; it
//! needs about 1.5 GB in the folder for temporary files. The games are made of random numbers and go through the same
//! calls as played ones. The goals are seconds of an idle machine; what is tested is processor time, which a busy one
//! does not stretch.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use tanren::internals::{
    Finished, GameRecord, LEDGER_FILE, Ledger, Manifest, MatchFindings, MatchState, PairRecord, PlayerId,
    Reason, Score, StopRule, Turn, recount, write_files,
};
use tanren::stats::random::Random;
use tanren_core::config::MoveLimit;
use tanren_engine::game::{Game, GameMove, MoveList, Position};
use tanren_engine::shogi::Board;

const GAMES: u64 = 1_000_000;
const BATCH: u64 = 2_000;
/// As many plies as games at 1,000 nodes a move have in the mean.
const PLIES: usize = 110;

/// Bits of moves as they occur in games.
fn vocabulary() -> Vec<u16> {
    let mut random = Random::new(1, &[]);
    let (mut board, mut bits) = (Board::start(), Vec::new());
    while bits.len() < 2_000 {
        let mut moves = MoveList::new();
        board.legal(&mut moves);
        if moves.is_empty() {
            board = Board::start();
            continue;
        }
        let mv = moves[random.below(moves.len() as u64) as usize];
        bits.push(mv.bits());
        board.make(mv);
    }
    bits
}

fn game(random: &mut Random, vocabulary: &[u16], first: PlayerId) -> GameRecord {
    let pick = |random: &mut Random| vocabulary[random.below(vocabulary.len() as u64) as usize];
    let moves: Vec<u16> = (0..PLIES).map(|_| pick(random)).collect();
    let mut score = 0;
    let turns: Vec<Turn> = (0..=PLIES)
        .map(|_| {
            score = -score + random.below(121) as i32 - 60;
            Turn {
                score: Some(Score::Centipawns(score)),
                depth: 5 + random.below(3) as u32,
                nodes: 1000 + random.below(20),
                time_ms: random.below(4),
            }
        })
        .collect();
    let winner = [Some(PlayerId::A), Some(PlayerId::B), None][random.below(3) as usize];
    GameRecord {
        winner,
        reason: if winner.is_some() {
            Reason::NoLegalMove
        } else {
            Reason::Repetition
        },
        moves,
        nodes: [55_000, 56_000],
        time_us: [70_000 + random.below(9_000), 70_000],
        depth_sum: [330, 331],
        turns,
        ..GameRecord::unplayed(first, random.next_u64() as u32)
    }
}

fn fill(folder: &Path, manifest: &Manifest, games: u64) {
    let vocabulary = vocabulary();
    let mut random = Random::new(2, &[]);
    let mut ledger = Ledger::open_or_create(folder, manifest).unwrap();
    let opening = Board::start().to_string();
    for batch in 0..(games / 2).div_ceil(BATCH) {
        let pairs: Vec<_> = (batch * BATCH..(games / 2).min((batch + 1) * BATCH))
            .map(|pair| {
                let record = PairRecord {
                    replayed: Vec::new(),
                    pair,
                    players: [0, 1],
                    opening_line: (pair % 20_000) as u32 + 1,
                    opening: opening.clone(),
                    book: String::new(),
                    games: [
                        game(&mut random, &vocabulary, PlayerId::A),
                        game(&mut random, &vocabulary, PlayerId::B),
                    ],
                };
                (Finished::Pair(record), None)
            })
            .collect();
        ledger.insert(&pairs).unwrap();
    }
}

struct Watch(Instant, ProcessTime);

impl Watch {
    fn start() -> Watch {
        Watch(Instant::now(), ProcessTime::now())
    }

    /// Says how long `what` took; returns the processor time.
    #[expect(clippy::print_stderr, reason = "the figures are what the test is for")]
    fn stop(&self, what: &str) -> Duration {
        let (elapsed, processor) = (self.0.elapsed(), self.1.elapsed());
        eprintln!("{what:7} {elapsed:.2?}, {processor:.2?} of the processor");
        processor
    }
}

/// Greatest memory of this process so far, where the system tells.
fn memory_mib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn match_state(games: u64) -> MatchState {
    MatchState::new(StopRule::new(None, games / 2))
}

#[test]
#[ignore = "takes minutes and 1.5 GB of disk"]
fn a_million_games_are_taken_up_in_three_seconds_and_reported_in_ten() {
    let games = std::env::var("TANREN_GAMES").map_or(GAMES, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let manifest = Manifest {
        kind: "match".to_owned(),
        labels: vec!["a".to_owned(), "b".to_owned()],
        ..Manifest::default()
    };
    let watch = Watch::start();
    fill(folder.path(), &manifest, games);
    watch.stop("insert");
    let size = folder.path().join(LEDGER_FILE).metadata().unwrap().len();
    eprintln!("size    {} bytes a game", size / games);
    let before_mib = memory_mib();

    let watch = Watch::start();
    let ledger = Ledger::open_or_create(folder.path(), &manifest).unwrap();
    let mut counted = match_state(games);
    recount(&ledger, &mut counted).unwrap();
    assert_eq!(ledger.finished().unwrap().len() as u64, games / 2);
    let resume = watch.stop("resume");
    drop(ledger);

    let watch = Watch::start();
    let ledger = Ledger::open_existing(folder.path()).unwrap();
    let summaries = Watch::start();
    ledger.for_each_outcome(|_| ()).unwrap();
    summaries.stop("read");
    let mut counted = match_state(games);
    recount(&ledger, &mut counted).unwrap();
    let found = MatchFindings {
        hosts: Vec::new(),
        game: Game::Shogi,
        limits: [MoveLimit::Nodes(1000); 2],
        hash: ["4", "4"].map(str::to_owned),
        labels: ["a", "b"].map(str::to_owned),
        match_state: counted,
        engines: Vec::new(),
    };
    write_files(folder.path(), Some(&ledger), &found).unwrap();
    let report = watch.stop("report");
    eprintln!(
        "memory  {before_mib:?} MiB at most before, {:?} MiB after",
        memory_mib()
    );

    assert_eq!(found.match_state.tally().games(), games);
    let lines = fs::read_to_string(folder.path().join("games.csv"))
        .unwrap()
        .lines()
        .count() as u64;
    assert_eq!(lines, games + 1);
    let share = games as f64 / GAMES as f64;
    assert!(resume < Duration::from_secs(3).mul_f64(share), "{resume:?}");
    assert!(report < Duration::from_secs(10).mul_f64(share), "{report:?}");
}
