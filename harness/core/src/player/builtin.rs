//! The engine of this workspace as a player, called in process.

use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use tanren_engine::config::{Config, DeclarationRule};
use tanren_engine::game::{Claim, Path};
use tanren_engine::search::{MATE, MATE_IN_MAX, Observer, Searchable, Searcher, Silent};
use tanren_engine::time::{Limits, TimeLimit};

use super::{Action, ClockFace, Clocks, Player, Thought};
use crate::config::MoveLimit;
use crate::interrupt::Interrupt;
use crate::record::Score;
use crate::schedule::limit_of_game;

/// Enough to notice a change of search or evaluation, few enough to cost no time.
const SIGNATURE_POSITIONS: usize = 4;
const SIGNATURE_NODES: u64 = 500;
/// Of one search of a measurement of speed.
const MEASURED_NODES: u64 = 20_000;

const MATED_IN_MAX: i32 = -MATE_IN_MAX;

#[derive(Debug, Clone, Copy)]
pub struct BuiltinRules {
    pub limit: MoveLimit,
    /// What it leaves unused of what a game clock allows, in milliseconds.
    pub overhead_ms: u64,
    /// Variation of a node limit from game to game, in percent.
    pub node_jitter_percent: u32,
    pub declaration: DeclarationRule,
}

pub struct Builtin<P: Searchable> {
    searcher: Searcher<P>,
    rules: BuiltinRules,
    limits: Limits,
    interrupt: Interrupt,
}

impl<P: Searchable> Builtin<P> {
    pub fn new(config: &Config, hash_mib: usize, rules: BuiltinRules, interrupt: Interrupt) -> Self {
        // The rule of the match is the rule that the search must know of.
        let mut config = config.clone();
        config.search.declaration = rules.declaration;
        Builtin {
            searcher: Searcher::new(&config, hash_mib),
            rules,
            limits: Limits::default(),
            interrupt,
        }
    }
}

impl<P: Searchable> Player<P> for Builtin<P> {
    fn new_game(&mut self, _: &P, game_seed: u32) {
        self.searcher.new_game();
        let rules = &self.rules;
        let mut limits = Limits::default();
        match limit_of_game(rules.limit, rules.node_jitter_percent, game_seed) {
            MoveLimit::Nodes(nodes) => limits.nodes_max = Some(nodes),
            MoveLimit::Depth(depth) => limits.depth_max = Some(depth),
            MoveLimit::MoveTimeMs(move_ms) => limits.time = Some(TimeLimit::MoveTime { move_ms }),
            MoveLimit::Clock(_) => limits.overhead_ms = rules.overhead_ms,
        }
        self.limits = limits;
    }

    fn limit(&self) -> Option<MoveLimit> {
        Some(self.rules.limit)
    }

    fn think(&mut self, position: &P, path: &Path, clocks: &Clocks) -> Option<Thought<P::Move>> {
        // Before anything else: the referee's watch runs already.
        let start = Instant::now();
        if let Some(face) = clocks.own {
            self.limits.time = Some(time_limit(face));
            self.limits.moves_to_go = face.period.map(|period| period.moves_to_go);
        }
        let claim = position.claim(self.rules.declaration.claim());
        if claim == Claim::Win {
            return Some(Thought::of(Action::Declare));
        }
        let mut watch = StopCheck {
            start,
            interrupt: &self.interrupt,
        };
        let report = self.searcher.search(position, path, &self.limits, &mut watch);
        if self.interrupt.is_requested() {
            return None;
        }
        let action = match report.best {
            _ if claim == Claim::Draw && report.score < 0 => Action::Declare,
            Some(mv) => Action::Move(mv),
            None => Action::Resign,
        };
        Some(Thought {
            action,
            score: Some(score_of(report.score)),
            nodes: report.nodes,
            depth: report.depth,
            time: None,
        })
    }
}

/// The engine counts the increment of this turn as part of what is left.
fn time_limit(face: ClockFace) -> TimeLimit {
    TimeLimit::Clock {
        remaining_ms: face.remaining_ms + face.increment_ms,
        increment_ms: face.increment_ms,
        byoyomi_ms: face.byoyomi_ms,
    }
}

fn score_of(score: i32) -> Score {
    match score {
        MATE_IN_MAX.. => Score::Mate(MATE - score),
        ..=MATED_IN_MAX => Score::Mate(-MATE - score),
        _ => Score::Centipawns(score),
    }
}

struct StopCheck<'a> {
    start: Instant,
    interrupt: &'a Interrupt,
}

impl<M> Observer<M> for StopCheck<'_> {
    fn elapsed_ms(&mut self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    fn is_stop_requested(&mut self) -> bool {
        self.interrupt.is_requested()
    }
}

/// Nodes in a second of searches of `positions` one after the other, for about `time`, on the calling thread.
pub fn nodes_per_second<'a, P: Searchable>(
    config: &Config,
    positions: impl Iterator<Item = &'a P> + Clone,
    time: Duration,
) -> u64 {
    let limits = Limits::nodes(MEASURED_NODES);
    let mut searcher = Searcher::<P>::new(config, 1);
    let (mut nodes, begun) = (0, Instant::now());
    for position in positions.cycle() {
        searcher.new_game();
        nodes += searcher
            .search(position, &Path::new(position), &limits, &mut Silent)
            .nodes;
        if begun.elapsed() >= time {
            break;
        }
    }
    (nodes as f64 / begun.elapsed().as_secs_f64()) as u64
}

/// Identifies how the engine plays under `configs`: its version and a digest of what short searches of the first few
/// `positions` find. It changes with every change to search or evaluation that shows there. (Limited by nodes, because
/// without pruning even a modest depth takes minutes.)
pub fn signature<'a, P: Searchable>(
    configs: impl IntoIterator<Item = &'a Config>,
    positions: impl Iterator<Item = P>,
) -> String {
    let positions: Vec<P> = positions.take(SIGNATURE_POSITIONS).collect();
    let limits = Limits::nodes(SIGNATURE_NODES);
    let mut digest = Sha256::new();
    for config in configs {
        let mut searcher = Searcher::<P>::new(config, 1);
        for position in &positions {
            searcher.new_game();
            let report = searcher.search(position, &Path::new(position), &limits, &mut Silent);
            digest.update(format!("{report:?}"));
        }
    }
    let bytes = digest.finalize();
    let digits: String = bytes.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    format!("{} {digits}", env!("CARGO_PKG_VERSION"))
}
