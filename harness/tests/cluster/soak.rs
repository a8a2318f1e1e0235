//! Random misfortune, hundreds of times, during runs of every kind: `scripts/fleet_test.sh`.
//!
//! TANREN_EVENTS says how much, TANREN_SEED in which order. It prints a table: events by kind, runs, differences.

use std::collections::BTreeMap;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::folder::{Ended, InFolder};
use crate::proxy::Proxy;
use crate::support::{BOUND, Fleet, Machine, first_difference, games, signal};

const RUNS: [(&str, &str); 6] = [
    (
        "match",
        "match --a base --b base,null_move=off --nodes 300 --pairs 250",
    ),
    (
        "sprt",
        "match --a base --b plain --nodes 300 --pairs 400 --sprt elo0=0,elo1=60",
    ),
    (
        "tournament",
        "tournament --player base --player plain --player base,lmr=off --nodes 300 --pairs 70",
    ),
    (
        "tune",
        "tune --method spsa --tune futility.* --iterations 60 --pairs-per-iteration 2 --nodes 300 --confirm-pairs 40",
    ),
    (
        "odds",
        "odds --a base --b base,lmr=off --nodes 200 --pairs 120 --batch 20",
    ),
    (
        "ablate",
        "ablate --only lmr,null_move,futility --nodes 200 --pairs 40",
    ),
];

const EVENTS: [&str; 14] = [
    "worker killed",
    "worker stopped politely",
    "worker paused",
    "second worker of one name",
    "coordinator killed",
    "coordinator stopped politely",
    "coordinator paused",
    "server killed",
    "server paused",
    "disk of the server lost",
    "connections cut",
    "network gone",
    "network slow",
    "messages twice and out of order",
];

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn pause(&mut self, least_ms: u64, most_ms: u64) {
        sleep(Duration::from_millis(least_ms + self.below(most_ms - least_ms)));
    }
}

struct Soak {
    proxy: Proxy,
    dice: Dice,
    workers: Vec<Machine>,
    twin: Option<Machine>,
    fleet: Fleet,
}

impl Soak {
    /// A worker that found no server when it began has ended.
    fn start_again(&mut self) {
        for index in 0..self.workers.len() {
            if !self.workers[index].is_running() {
                self.workers[index] = self.fleet.worker(index + 1);
            }
        }
    }

    /// Lets one thing go wrong; gives back the coordinator.
    fn misfortune(&mut self, event: &str, mut run: Machine, command: &str) -> Machine {
        let victim = self.dice.below(self.workers.len() as u64) as usize;
        match event {
            "worker killed" => {
                self.workers[victim].kill();
                self.workers[victim] = self.fleet.worker(victim + 1);
            }
            "worker stopped politely" => {
                self.workers[victim].signal("TERM");
                self.workers[victim].end();
                self.workers[victim] = self.fleet.worker(victim + 1);
            }
            "worker paused" => pause(&mut self.dice, self.workers[victim].id()),
            "second worker of one name" => {
                self.twin = Some(self.fleet.worker(victim + 1));
            }
            "coordinator killed" => {
                run.kill();
                return self.fleet.begin(command);
            }
            "coordinator stopped politely" => {
                if run.is_running() {
                    run.signal("INT");
                    run.end();
                }
                return self.fleet.begin(command);
            }
            "coordinator paused" => pause(&mut self.dice, run.id()),
            "server paused" => pause(&mut self.dice, self.fleet.server_id()),
            "server killed" | "disk of the server lost" => {
                self.fleet.kill_server();
                if event != "server killed" {
                    self.fleet.delete_disk();
                }
                self.dice.pause(1, 2_000);
                self.fleet.start_server();
            }
            "connections cut" => self.proxy.cut(),
            "network gone" => {
                self.proxy.close(true);
                self.dice.pause(100, 4_000);
                self.proxy.close(false);
            }
            "network slow" => {
                self.proxy.delay(20 + self.dice.below(80));
                self.dice.pause(500, 3_000);
                self.proxy.delay(0);
            }
            _ => {
                self.proxy.repeat(30);
                self.proxy.swap(30);
                self.dice.pause(500, 3_000);
                self.proxy.repeat(0);
                self.proxy.swap(0);
            }
        }
        run
    }
}

/// SIGSTOP, and SIGCONT after a while; the process may have ended.
fn pause(dice: &mut Dice, id: u32) {
    signal(id, "STOP");
    dice.pause(200, 4_000);
    signal(id, "CONT");
}

pub(crate) fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(default, |text| text.parse().unwrap())
}

#[test]
#[ignore = "takes half an hour: scripts/fleet_test.sh"]
#[expect(clippy::too_many_lines, reason = "one story, told in order")]
fn runs_of_every_kind_survive_hundreds_of_misfortunes() {
    let (events, seed) = (number("TANREN_EVENTS", 200), number("TANREN_SEED", 1));
    let Some(fleet) = Fleet::start(3) else { return };
    let proxy = Proxy::start(fleet.port);
    fleet.divert(proxy.port);
    for (name, command) in RUNS {
        fleet.path().run(&format!("{command} --out local-{name}")).ok();
    }
    let mut soak = Soak {
        workers: fleet.workers(3),
        fleet,
        proxy,
        dice: Dice(seed),
        twin: None,
    };
    let mut done: BTreeMap<&str, u64> = BTreeMap::new();
    let mut differences = Vec::new();
    let (mut runs, mut refused, mut longest) = (0, 0, Duration::ZERO);
    while done.values().sum::<u64>() < events {
        let (name, command) = RUNS[runs % RUNS.len()];
        let begun = Instant::now();
        let mut run = soak.fleet.begin(command);
        let mut befell = Vec::new();
        // Not so many that it never ends.
        while run.is_running() && befell.len() < 12 {
            soak.dice.pause(200, 3_000);
            if !run.is_running() {
                break;
            }
            soak.start_again();
            let event = EVENTS[soak.dice.below(EVENTS.len() as u64) as usize];
            run = soak.misfortune(event, run, command);
            *done.entry(event).or_default() += 1;
            befell.push(event);
        }
        // The last of them may have begun while something was gone.
        while run.is_running() && begun.elapsed() < BOUND {
            soak.start_again();
            sleep(Duration::from_millis(500));
        }
        let mut status = run.end();
        // A command that finds no server says so, and is given again.
        while !status.success() && run.said().contains("error: no NATS server") {
            refused += 1;
            run = soak.fleet.begin(command);
            status = run.end();
        }
        longest = longest.max(begun.elapsed());
        runs += 1;
        let (local, remote) = (
            games(&soak.fleet.path().join(format!("local-{name}"))),
            games(&soak.fleet.results()),
        );
        if !status.success() || local != remote {
            let difference = first_difference(&local, &remote);
            differences.push(format!(
                "{name}: {status}; {befell:?}; {difference}; {}",
                run.said()
            ));
        }
        println!("{name}: {:.0} s, {befell:?}", begun.elapsed().as_secs_f64());
        fs::remove_dir_all(soak.fleet.results()).unwrap();
    }
    println!("| event | times |\n|---|---|");
    for (event, times) in &done {
        println!("| {event} | {times} |");
    }
    let total: u64 = done.values().sum();
    println!("{refused} commands found no server, and were given again");
    println!(
        "{total} events, {runs} runs, longest {:.0} s, {} differences",
        longest.as_secs_f64(),
        differences.len()
    );
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let expected = soak.workers.len() + usize::from(soak.twin.is_some()) + 1;
    assert!(
        processes_in(&soak) <= expected,
        "there is more than workers and a server"
    );
}

/// How many processes work in the folder of the fleet.
fn processes_in(soak: &Soak) -> usize {
    let folder = soak.fleet.path().canonicalize().unwrap();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let works_here = |path: &std::path::Path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == folder);
    entries.filter(|entry| works_here(&entry.path())).count()
}
