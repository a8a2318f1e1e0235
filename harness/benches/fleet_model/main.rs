//! A model of a fleet: how busy its cores are, and where the first limit lies.
//!
//! In: cores, length of games, what a message costs a server and a pair the coordinator. Out: a table. Must not: measure anything: its
//! costs are those that were measured of the real server and coordinator, and stand in `COSTS`.
//!
//! Discrete events. A slot plays one job while one more waits for it, as `fleet::flights` has it; a job holds as many pairs as take two
//! seconds; the server and the coordinator do one thing at a time; a message takes its way. Pairs last as long as two games, each
//! with a spread of 40 %.
//!
//! `cargo bench -p tanren --bench fleet_model`

#![expect(clippy::print_stdout, reason = "a bench says what it found")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Pairs that a core plays in the time of the model; the first tenth does not count.
const PAIRS_EACH: f64 = 40.0;
/// As `fleet::flights`.
const JOB_S: f64 = 2.0;
const JOB_PAIRS_MAX: f64 = 256.0;
const JOBS_PER_SLOT: usize = 2;

/// What things cost.
struct Costs {
    name: &'static str,
    /// A message is written, or handed out and acknowledged, in seconds of the server.
    publish_s: f64,
    take_s: f64,
    /// A pair is checked and stored, in seconds of the coordinator.
    pair_s: f64,
    /// One way, in seconds.
    way_s: f64,
}

/// Rates across accounts as measured on two shared cores (docs/src/fleet.md, "What it takes").
const COSTS: [Costs; 3] = [
    Costs {
        name: "2.9.10, LAN",
        publish_s: 1.0 / 20_000.0,
        take_s: 1.0 / 33_000.0,
        pair_s: 0.0005,
        way_s: 0.0005,
    },
    Costs {
        name: "2.9.10, far away",
        publish_s: 1.0 / 20_000.0,
        take_s: 1.0 / 33_000.0,
        pair_s: 0.0005,
        way_s: 0.1,
    },
    Costs {
        name: "2.15.1, every write synced",
        publish_s: 1.0 / 1_100.0,
        take_s: 1.0 / 2_300.0,
        pair_s: 0.0005,
        way_s: 0.0005,
    },
];

/// Times in nanoseconds, so that they can be ordered.
type Time = u64;

fn time(seconds: f64) -> Time {
    (seconds * 1e9) as Time
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A job has come to the server.
    Arrives,
    /// It can be handed out.
    Queued,
    /// A slot is free.
    Free,
    /// A slot has a job.
    Begins,
    /// The result of a pair has come to the server; was it the last of its job?
    Result { is_last: bool },
    /// It has come to the coordinator.
    Delivered { is_last: bool },
}

struct Model<'a> {
    costs: &'a Costs,
    cores: usize,
    pairs_of_job: usize,
    pair_s: f64,
    events: BinaryHeap<Reverse<(Time, Event)>>,
    /// When the server, and the coordinator, can do the next thing.
    server: Time,
    coordinator: Time,
    queued: usize,
    free: usize,
    random: u64,
    busy_s: f64,
    pairs: u64,
}

impl Model<'_> {
    /// A number from 0 to 1 (xorshift64*).
    fn random(&mut self) -> f64 {
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        (self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About normal, from twelve uniform ones.
    fn pair_length(&mut self) -> f64 {
        let normal: f64 = (0..12).map(|_| self.random()).sum::<f64>() - 6.0;
        // Two games of a spread of 0.4 each.
        self.pair_s * (1.0 + 0.4 / 2.0_f64.sqrt() * normal).max(0.1)
    }

    fn at(&mut self, time: Time, event: Event) {
        self.events.push(Reverse((time, event)));
    }

    /// The server does something that takes `cost_s`; when it is done.
    fn serve(&mut self, from: Time, cost_s: f64) -> Time {
        self.server = self.server.max(from) + time(cost_s);
        self.server
    }

    fn publish_job(&mut self, from: Time) {
        self.at(from + time(self.costs.way_s), Event::Arrives);
    }

    fn hand_out(&mut self, now: Time) {
        while self.free > 0 && self.queued > 0 {
            self.free -= 1;
            self.queued -= 1;
            let done = self.serve(now, self.costs.take_s);
            self.at(done + time(self.costs.way_s), Event::Begins);
        }
    }

    fn play(&mut self, now: Time, begin: Time, end: Time) {
        let mut at = now;
        for pair in 1..=self.pairs_of_job {
            let length = self.pair_length();
            let from = at;
            at += time(length);
            // The part of it that lies in the time that counts.
            self.busy_s += at.min(end).saturating_sub(from.max(begin)) as f64 / 1e9;
            self.pairs += u64::from(at > begin && at <= end);
            // The way to the server; what it costs there is paid when it comes.
            let is_last = pair == self.pairs_of_job;
            self.at(at + time(self.costs.way_s), Event::Result { is_last });
        }
        self.at(at, Event::Free);
    }

    fn run(&mut self) -> (f64, f64) {
        for _ in 0..JOBS_PER_SLOT * self.cores {
            self.publish_job(0);
        }
        for _ in 0..self.cores {
            self.at(0, Event::Free);
        }
        let length_s = PAIRS_EACH * self.pair_s;
        let (begin, end) = (time(length_s / 10.0), time(length_s));
        while let Some(Reverse((now, event))) = self.events.pop() {
            if now > end {
                break;
            }
            match event {
                Event::Arrives => {
                    let done = self.serve(now, self.costs.publish_s);
                    self.at(done, Event::Queued);
                }
                Event::Queued => self.queued += 1,
                Event::Free => self.free += 1,
                Event::Begins => self.play(now, begin, end),
                Event::Result { is_last } => {
                    let done = self.serve(now, self.costs.publish_s + self.costs.take_s);
                    self.at(done + time(self.costs.way_s), Event::Delivered { is_last });
                }
                Event::Delivered { is_last } => {
                    self.coordinator = self.coordinator.max(now) + time(self.costs.pair_s);
                    if is_last {
                        self.publish_job(self.coordinator);
                    }
                }
            }
            self.hand_out(now);
        }
        let counted_s = length_s * 0.9;
        let busy = self.busy_s / (counted_s * self.cores as f64);
        (busy, self.pairs as f64 / counted_s)
    }
}

fn main() {
    println!("| server | games of | cores | cores busy | pairs/s | pairs played in vain at a stop |");
    println!("|---|---|---|---|---|---|");
    for costs in &COSTS {
        for game_s in [1.0, 10.0, 60.0] {
            for cores in [100, 1_000, 10_000] {
                let pair_s = 2.0 * game_s;
                let mut model = Model {
                    costs,
                    cores,
                    pairs_of_job: (JOB_S / pair_s).clamp(1.0, JOB_PAIRS_MAX) as usize,
                    pair_s,
                    events: BinaryHeap::new(),
                    server: 0,
                    coordinator: 0,
                    queued: 0,
                    free: 0,
                    random: 0x9e37_79b9_7f4a_7c15,
                    busy_s: 0.0,
                    pairs: 0,
                };
                let (busy, rate) = model.run();
                println!(
                    "| {} | {game_s:.0} s | {cores} | {:.1} % | {rate:.1} | {cores} begun |",
                    costs.name,
                    100.0 * busy
                );
            }
        }
    }
}
