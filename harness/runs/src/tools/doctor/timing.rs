//! How late moves end that are timed here, with how many games at the same time.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use tanren_engine::game::{Path, Position};
use tanren_engine::shogi::Board;

use crate::config::{MoveLimit, ProcessSpec, Timeouts};
use crate::interrupt::Interrupt;
use crate::player::{Action, Clocks, FaultLog, Launch, Player, Process, ProcessRules};

/// The time for each move.
pub(super) const MOVE_MS: u64 = 10;
/// Moves from the start of the game on: speed differs little among them.
const PLIES: usize = 40;
/// The shortest time controls, with their increments in milliseconds.
const TIME_CONTROLS: [(&str, f64); 6] = [
    ("1+0.01", 10.0),
    ("2+0.02", 20.0),
    ("5+0.05", 50.0),
    ("10+0.1", 100.0),
    ("20+0.2", 200.0),
    ("60+0.6", 600.0),
];
/// An engine that searches at less than this share of its speed alone has no core for itself.
const SPEED_MIN: f64 = 0.8;

/// Of engines that think at the same time, one a game.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Timing {
    pub(super) games: usize,
    /// Of each move, ascending.
    pub(super) late_us: Vec<u64>,
    /// Of one engine.
    pub(super) nodes_per_second: f64,
}

impl Timing {
    /// What so many of 100 moves are not later than.
    pub(super) fn late_ms(&self, percent: usize) -> f64 {
        let last = self.late_us.len().saturating_sub(1);
        let late_us = self.late_us.get((self.late_us.len() * percent / 100).min(last));
        late_us.map_or(f64::NAN, |&late_us| late_us as f64 / 1000.0)
    }

    /// The shortest time control that this lateness leaves fair: it is less than the increment in 99 of 100 moves, and less than a tenth of
    /// it in half of them.
    pub(super) fn time_control(&self) -> Option<&'static str> {
        let fits = |(_, increment_ms): &&(&str, f64)| {
            self.late_ms(99) <= *increment_ms && 10.0 * self.late_ms(50) <= *increment_ms
        };
        TIME_CONTROLS.iter().find(fits).map(|(text, _)| *text)
    }
}

/// Numbers of games to measure, from one to `most`.
pub(super) fn steps(most: usize) -> Vec<usize> {
    let mut steps = vec![1, most / 2, most.saturating_sub(1), most];
    steps.retain(|&games| (1..=most).contains(&games));
    steps.dedup();
    steps
}

/// The most games whose engines keep their speed and can play by some time control.
pub(super) fn best(timings: &[Timing]) -> Option<&Timing> {
    let alone = timings.first()?.nodes_per_second;
    let holds =
        |timing: &&Timing| timing.nodes_per_second >= SPEED_MIN * alone && timing.time_control().is_some();
    timings.iter().rfind(holds)
}

/// Lets `engine` play so many games by itself at the same time, for this long.
pub(super) fn measure(
    engine: &ProcessSpec,
    games: usize,
    time: Duration,
    interrupt: &Interrupt,
) -> Result<Timing, String> {
    let all_started = Barrier::new(games);
    let moves = thread::scope(|scope| {
        let play = || play(engine, &all_started, time, interrupt);
        let games: Vec<_> = (0..games).map(|_| scope.spawn(play)).collect();
        let games = games.into_iter().map(|game| {
            game.join()
                .unwrap_or_else(|_| Err("a thread panicked".to_owned()))
        });
        games.collect::<Result<Vec<_>, _>>()
    })?;
    let moves: Vec<Move> = moves.into_iter().flatten().collect();
    let mut late_us: Vec<u64> = moves.iter().map(|one| one.late_us).collect();
    late_us.sort_unstable();
    let seconds: f64 = moves.iter().map(|one| one.time.as_secs_f64()).sum();
    let nodes: u64 = moves.iter().map(|one| one.nodes).sum();
    Ok(Timing {
        games,
        late_us,
        nodes_per_second: nodes as f64 / seconds.max(1e-9),
    })
}

struct Move {
    late_us: u64,
    time: Duration,
    nodes: u64,
}

fn play(
    engine: &ProcessSpec,
    all_started: &Barrier,
    time: Duration,
    interrupt: &Interrupt,
) -> Result<Vec<Move>, String> {
    let timeouts = Timeouts {
        startup_ms: 10_000,
        stall_ms: 10_000,
    };
    let faults = FaultLog::default();
    let rules = ProcessRules {
        label: String::new(),
        limit: MoveLimit::MoveTimeMs(MOVE_MS),
        node_jitter_percent: 0,
        time_margin_ms: timeouts.stall_ms,
        faults: faults.clone(),
    };
    let mut player = Process::<Board>::new(Launch::new(engine.clone(), timeouts, 1, interrupt), rules);
    let (mut moves, mut until) = (Vec::new(), None);
    loop {
        let mut position = Board::start();
        player.new_game(&position, 0);
        for _ in 0..PLIES {
            let thought = player.think(&position, &Path::new(&position), &Clocks::default());
            let is_first = until.is_none();
            // Whoever failed is waited for, too.
            let until = *until.get_or_insert_with(|| {
                all_started.wait();
                Instant::now() + time
            });
            let thought = thought.ok_or_else(|| match player.environment_error() {
                Some(error) => error.to_string(),
                None => "interrupted".to_owned(),
            })?;
            let mv = match thought.action {
                Action::Move(mv) => mv,
                Action::Resign | Action::Declare => break,
                Action::Fault(_) => {
                    let example = faults.counts().into_values().next();
                    return Err(example.map(|count| count.example).unwrap_or_default());
                }
            };
            if !is_first {
                moves.push(Move::of(thought.time.unwrap_or_default(), thought.nodes));
            }
            if Instant::now() >= until {
                return Ok(moves);
            }
            position.make(mv);
            player.moved(mv);
        }
    }
}

impl Move {
    fn of(time: Duration, nodes: u64) -> Move {
        let late = time.saturating_sub(Duration::from_millis(MOVE_MS));
        Move {
            late_us: late.as_micros() as u64,
            time,
            nodes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(games: usize, late_us: &[u64], nodes_per_second: f64) -> Timing {
        Timing {
            games,
            late_us: late_us.to_vec(),
            nodes_per_second,
        }
    }

    #[test]
    fn the_increment_bounds_how_late_moves_may_be() {
        let late = |typical: u64, rare: u64| {
            let mut late_us = vec![typical; 97];
            late_us.extend([rare; 3]);
            timing(1, &late_us, 1e6).time_control()
        };
        for (typical_us, rare_us, expected) in [
            (0, 10_000, Some("1+0.01")),
            (0, 10_001, Some("2+0.02")),
            (1_001, 1_001, Some("2+0.02")),
            (60_000, 600_000, Some("60+0.6")),
            (60_001, 60_001, None),
        ] {
            assert_eq!(late(typical_us, rare_us), expected, "{typical_us} {rare_us}");
        }
        assert_eq!(timing(1, &[], 0.0).time_control(), None);
    }

    #[test]
    fn engines_that_share_a_core_are_too_many() {
        let of = |speeds: &[f64]| -> Option<usize> {
            let timings = speeds.iter().zip(1..);
            let timings = timings.map(|(&speed, games)| timing(games, &[100], speed));
            best(&timings.collect::<Vec<_>>()).map(|best| best.games)
        };
        assert_eq!(of(&[100.0, 99.0, 80.0, 79.0]), Some(3));
        assert_eq!(of(&[100.0, 50.0]), Some(1));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn one_game_half_of_them_and_all_are_measured() {
        for (most, expected) in [
            (0, vec![]),
            (1, vec![1]),
            (2, vec![1, 2]),
            (4, vec![1, 2, 3, 4]),
            (16, vec![1, 8, 15, 16]),
        ] {
            assert_eq!(steps(most), expected);
        }
    }
}
