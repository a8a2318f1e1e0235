//! Machines, servers and networks that fail in the middle of a run: the games are those of one machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::folder::{Ended, InFolder};
use crate::monitor::Monitor;
use crate::proxy::Proxy;
use crate::support::{BOUND, Fleet, Machine, SOON, signal, stored, tables, with_origin};

/// Lasts long enough to be disturbed.
const MATCH: &str = "match --a base --b base,null_move=off --nodes 400 --pairs 60";
const NODES: &str = "nodes --config base --config base,lmr=off --depth 5 --hash 1 --limit-positions 60";

/// A run that has begun.
struct Scene {
    run: Machine,
    command: String,
    workers: Vec<Machine>,
    twin: Option<Machine>,
    proxy: Proxy,
    fleet: Fleet,
    chance: u64,
}

impl Scene {
    fn begin(command: &str, workers: usize) -> Scene {
        let fleet = Fleet::start(workers);
        let proxy = Proxy::start(fleet.port);
        fleet.divert(proxy.port);
        Scene {
            workers: fleet.workers(workers),
            run: fleet.begin(command),
            command: command.to_owned(),
            twin: None,
            proxy,
            fleet,
            chance: 1,
        }
    }

    fn begin_again(&mut self) {
        self.run = self.fleet.begin(&self.command);
    }

    /// Workers that were ended, or found no server when they began.
    fn start_workers_again(&mut self) {
        for index in 0..self.workers.len() {
            if !self.workers[index].is_running() {
                self.workers[index] = self.fleet.worker(index + 1);
            }
        }
    }

    fn wait_for_stored(&mut self, count: u64) {
        self.run.wait_for_stored(&self.fleet.results(), count);
    }

    fn below(&mut self, bound: u64) -> u64 {
        let next = self.chance.wrapping_mul(6_364_136_223_846_793_005);
        self.chance = next.wrapping_add(1_442_695_040_888_963_407);
        (self.chance >> 33) % bound
    }

    fn pause(&mut self, least_ms: u64, most_ms: u64) {
        sleep(Duration::from_millis(least_ms + self.below(most_ms - least_ms)));
    }

    fn victim(&mut self) -> &mut Machine {
        let index = self.below(self.workers.len() as u64) as usize;
        &mut self.workers[index]
    }

    /// A process that hears nothing for a while.
    fn freeze(&mut self, id: u32) {
        signal(id, "STOP");
        self.pause(500, 6_000);
        signal(id, "CONT");
    }

    fn restart_server(&mut self, harm: impl FnOnce(&Fleet)) {
        self.fleet.kill_server();
        harm(&self.fleet);
        self.pause(1, 2_000);
        self.fleet.start_server();
    }
}

type Misfortune = (&'static str, fn(&mut Scene));

/// They cost nothing but time.
const MISFORTUNES: [Misfortune; 15] = [
    ("worker killed", |scene| scene.victim().kill()),
    ("worker stopped", |scene| _ = scene.victim().end_by("TERM")),
    ("worker frozen", |scene| {
        let id = scene.victim().id();
        scene.freeze(id);
    }),
    ("second worker of one name", |scene| {
        scene.twin = Some(scene.fleet.worker(1))
    }),
    ("coordinator killed", |scene| {
        scene.run.kill();
        scene.begin_again();
    }),
    ("coordinator stopped", |scene| {
        scene.run.signal("INT");
        scene.run.end_within(SOON);
        scene.begin_again();
    }),
    ("coordinator frozen", |scene| scene.freeze(scene.run.id())),
    ("server killed", |scene| scene.restart_server(|_| ())),
    ("server frozen", |scene| scene.freeze(scene.fleet.server_id())),
    ("disk of the server lost", |scene| {
        scene.restart_server(Fleet::delete_disk)
    }),
    ("messages numbered anew", |scene| {
        scene.restart_server(Fleet::delete_messages)
    }),
    ("connections cut", |scene| {
        for _ in 0..3 {
            scene.proxy.cut();
            scene.pause(300, 700);
        }
    }),
    ("network gone", |scene| {
        scene.proxy.close(true);
        scene.pause(100, 4_000);
        scene.proxy.close(false);
    }),
    ("network slow", |scene| {
        scene.proxy.delay(20);
        scene.pause(500, 3_000);
        scene.proxy.delay(0);
    }),
    ("messages twice and out of order", |scene| {
        scene.proxy.repeat(50);
        scene.proxy.swap(30);
        scene.pause(500, 3_000);
        scene.proxy.repeat(0);
        scene.proxy.swap(0);
    }),
];

/// Plays the command while these things happen one after the other; what the last coordinator said.
#[track_caller]
fn survives(command: &str, names: &[&str]) -> String {
    let mut scene = Scene::begin(command, 2);
    for (count, name) in (1..).zip(names) {
        scene.wait_for_stored(6 * count);
        let (_, harm) = MISFORTUNES.iter().find(|(other, _)| other == name).unwrap();
        harm(&mut scene);
        scene.start_workers_again();
    }
    scene.fleet.ends_the_same(&mut scene.run, command)
}

#[test]
fn workers_and_coordinators_that_go_take_nothing_with_them() {
    let said = survives(
        &MATCH.replace("60", "90"),
        &[
            "worker killed",
            "coordinator killed",
            "worker stopped",
            "coordinator stopped",
        ],
    );
    assert!(!said.contains("takes over"), "{said}");
}

#[test]
fn a_server_that_loses_its_disk_loses_nothing_but_time() {
    survives(MATCH, &["disk of the server lost"]);
}

#[test]
fn messages_may_come_late_twice_out_of_order_and_over_connections_that_are_cut() {
    let names = [
        "messages twice and out of order",
        "connections cut",
        "network slow",
    ];
    survives(&MATCH.replace("60", "90"), &names);
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn nothing_that_fails_takes_a_game_with_it() {
    for (name, _) in MISFORTUNES {
        survives(MATCH, &[name]);
    }
    survives(NODES, &["coordinator killed"]);
}

/// Plays the command while `harm` is done to it.
fn endures(command: &str, harm: impl FnOnce(&mut Scene)) {
    let mut scene = Scene::begin(command, 2);
    scene.wait_for_stored(6);
    harm(&mut scene);
    scene.fleet.ends_the_same(&mut scene.run, command);
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn what_a_frozen_worker_says_later_counts_for_nothing() {
    endures(MATCH, |scene| {
        scene.workers[0].signal("STOP");
        scene.run.succeeds();
        scene.workers[0].signal("CONT");
        scene.begin_again();
        scene.run.succeeds();
        let folder = scene.fleet.results();
        assert_eq!((stored(&folder), with_origin(&folder)), (60, 60));
    });
}

#[test]
fn a_second_coordinator_of_the_same_run_is_refused() {
    endures(MATCH, |scene| {
        let mut second = scene.fleet.begin_in(MATCH, "second");
        second.fails(1, "is coordinated by another process already");
    });
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn a_disk_that_is_lost_is_noticed_by_every_run_of_the_server() {
    endures(MATCH, |scene| {
        // Of another priority, so that it has a queue of its own.
        let other = format!("{MATCH} --seed 9 --priority 3");
        let mut other = scene.fleet.begin_in(&other, "other");
        other.wait_for_stored(&scene.fleet.join("other"), 1);
        scene.restart_server(Fleet::delete_disk);
        other.succeeds();
    });
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn signals_end_a_worker_and_a_run_whose_server_is_gone() {
    endures(MATCH, |scene| {
        scene.fleet.kill_server();
        scene.workers[0].end_by("TERM");
        // The coordinator notices that the server is gone, and looks for it.
        sleep(Duration::from_secs(4));
        assert_eq!(scene.run.end_by("INT"), Some(130));
        scene.fleet.start_server();
        scene.begin_again();
    });
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn a_run_that_this_machine_can_finish_alone_does_not_wait_for_a_server_that_is_gone() {
    let mut fleet = Fleet::start(1);
    let mut run = fleet.begin(&format!("{MATCH} --slots 1"));
    run.wait_for_stored(&fleet.results(), 20);
    fleet.kill_server();
    fleet.ends_the_same(&mut run, MATCH);
}

#[test]
fn a_server_without_room_for_results_and_jobs_is_waited_for_and_told_of() {
    endures(MATCH, |scene| {
        let monitor = Monitor::open(&scene.fleet);
        monitor.limit("results", 1);
        scene.workers[0].wait_for("the server does not take a result (maximum bytes exceeded");
        monitor.limit("results", 1 << 30);
        monitor.limit("jobs", 1);
        let told = "the server takes no jobs";
        scene.run.wait_for(&format!("{told} (maximum bytes exceeded"));
        assert!(scene.run.is_running());
        monitor.limit("jobs", 1 << 30);
        assert_eq!(scene.run.succeeds().matches(told).count(), 1);
    });
}

#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn a_server_without_room_for_a_fleet_is_told_of_before_the_first_game() {
    let mut fleet = Fleet::start(1);
    fleet.kill_server();
    let conf = fleet.read("server.conf");
    fleet.write(
        "server.conf",
        conf.replace("max_file_store: 8GB", "max_file_store: 1MB"),
    );
    fleet.start_server();
    fleet.begin(MATCH).fails(1, "max_file_store in server.conf");
    assert_eq!(with_origin(&fleet.results()), 0);
}

/// scripts/nightly.sh names the library of libfaketime, which sets clocks wrong.
#[test]
#[ignore = "slow: scripts/nightly.sh fleet"]
fn machines_whose_clocks_are_wrong_play_as_others_do() {
    let library = std::env::var("TANREN_FAKETIME").expect("TANREN_FAKETIME names libfaketime");
    let fleet = Fleet::encrypted(2);
    let at = |hours: i64, line: &str| {
        let environment = [
            ("LD_PRELOAD", library.clone()),
            ("FAKETIME", format!("{hours:+}h")),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("NO_FAKE_STAT", "1".to_owned()),
        ];
        Machine::start(&fleet, line, &environment)
    };
    let _workers =
        [(1, 1), (-1, 2)].map(|(hours, number)| at(hours, &format!("worker worker-{number}.toml --slots 1")));
    let line = format!("{MATCH} --cluster coordinator.toml --out fleet");
    let mut run = at(1, &line);
    run.wait_for_stored(&fleet.results(), 4);
    run.kill();
    fleet.ends_the_same(&mut at(-1, &line), MATCH);
    // The clocks of this test are wrong.
    at(24 * 400, "match --a base --b plain --nodes 1 --pairs 1").succeeds();
    let name = fleet.join("results").names().remove(0);
    let date = std::process::Command::new("date").arg("+%Y").output().unwrap();
    assert!(!name.starts_with(date.text().trim()), "{name}");
}

#[test]
fn workers_give_up_what_they_play_and_the_queue_is_emptied_when_a_run_is_stopped() {
    let fleet = Fleet::start(2);
    let _workers = fleet.workers(2);
    // Pairs of many minutes.
    let mut run = fleet.begin("match --a base --b base,null_move=off --nodes 2000000 --pairs 40");
    let mut monitor = Monitor::open(&fleet);
    while monitor.next_heartbeat().busy == 0 {}
    assert!(monitor.messages("jobs") > 1, "nothing waits");
    let run_id = monitor.next_announcement().run;
    fleet.run(&format!("cluster stop coordinator.toml {run_id}")).ok();
    run.fails(1, "stopped by `tanren cluster stop`");
    monitor.forget();
    for _ in 0..2 {
        while monitor.next_heartbeat().busy > 0 {}
    }
    assert_eq!(monitor.messages("jobs"), 0);
}

#[test]
fn the_games_of_workers_are_seen_at_the_coordinator_until_the_run_ends() {
    let fleet = Fleet::start(1);
    let _workers = fleet.workers(1);
    let mut run = fleet.begin("match --a base --b base,null_move=off --nodes 100000 --pairs 40");
    let path = fleet.results().join("live.json");
    let mut games = serde_json::Value::Null;
    crate::support::wait_until("no game is shown", || {
        games = serde_json::from_slice(&fs::read(&path).unwrap_or_default()).unwrap_or_default();
        games[0].is_object()
    });
    assert_eq!(games[0]["game"], "shogi");
    assert!(games[0]["pair"].as_u64().unwrap() < 40 && games[0]["opening"].is_string());
    run.end_by("INT");
    assert!(!path.exists());
}

#[test]
fn a_log_file_tells_what_a_fleet_does_and_a_worker_that_is_told_to_go_goes() {
    let fleet = Fleet::start(1);
    let mut worker = fleet.tanren("worker worker-1.toml --slots 1 --log worker.log");
    fleet.play(&format!("{MATCH} --log coordinator.log"));
    for (file, events) in [
        (
            "worker.log",
            [
                "connection: ",
                "plays a job",
                "answers the job",
                "sends a heartbeat",
            ],
        ),
        (
            "coordinator.log",
            [
                "coordinates the run",
                "sends a job",
                "receives a result",
                "heartbeat",
            ],
        ),
    ] {
        let log = fleet.read(file);
        let missing: Vec<&str> = events.into_iter().filter(|event| !log.contains(event)).collect();
        assert!(missing.is_empty(), "no {missing:?} in {file}: {log}");
    }
    let refused = fleet.run("cluster drain coordinator.toml worker-9");
    refused.refused("'worker-9' is no worker of this fleet");
    assert!(worker.is_running());
    fleet.run("cluster drain coordinator.toml worker-1").ok();
    assert!(worker.end_within(SOON).success());
    worker = fleet.worker(1);
    worker.wait_for("ready");
    assert_eq!(worker.end_by("TERM"), Some(0));
}

pub(crate) fn number(variable: &str, otherwise: u64) -> u64 {
    let value = std::env::var(variable).ok();
    value.map_or(otherwise, |value| value.parse().unwrap())
}

/// `scripts/fleet_test.sh`: TANREN_EVENTS says how much happens, TANREN_SEED in which order. It prints how often.
mod soak {
    use super::*;

    const RUNS: [&str; 6] = [
        "match --a base --b base,null_move=off --nodes 300 --pairs 250",
        "match --a base --b plain --nodes 300 --pairs 400 --sprt elo0=0,elo1=60",
        "tournament --player base --player plain --player base,lmr=off --nodes 300 --pairs 70",
        "tune --method spsa --tune futility.* --iterations 60 --pairs-per-iteration 2 --nodes 300 --confirm-pairs 40",
        "odds --a base --b base,lmr=off --nodes 200 --pairs 120 --batch 20",
        "ablate --only lmr,null_move,futility --nodes 200 --pairs 40",
    ];

    #[test]
    #[ignore = "some minutes: scripts/fleet_test.sh"]
    fn runs_of_every_kind_survive_hundreds_of_misfortunes() {
        let events = number("TANREN_EVENTS", 200);
        let mut scene = Scene::begin(RUNS[0], 3);
        scene.chance = number("TANREN_SEED", 1);
        let (mut done, mut refused) = (BTreeMap::<&str, u64>::new(), 0);
        let mut differences = Vec::new();
        for command in RUNS.iter().cycle() {
            (*command).clone_into(&mut scene.command);
            scene.begin_again();
            let begun = Instant::now();
            let mut befell = Vec::new();
            // Not so many that it never ends.
            while scene.run.is_running() && befell.len() < 12 {
                scene.pause(200, 3_000);
                scene.start_workers_again();
                let (name, harm) = MISFORTUNES[scene.below(MISFORTUNES.len() as u64) as usize];
                if scene.run.is_running() {
                    harm(&mut scene);
                    befell.push(name);
                    *done.entry(name).or_default() += 1;
                }
            }
            // The last of them may have begun while something was gone.
            while scene.run.is_running() && begun.elapsed() < BOUND {
                scene.start_workers_again();
                sleep(Duration::from_millis(500));
            }
            // A command that finds no server says so, and is given again.
            while !scene.run.end().success() && scene.run.said().contains("error: no NATS server") {
                refused += 1;
                scene.begin_again();
            }
            let status = scene.run.end();
            scene.fleet.play_here(command);
            let [local, remote] = ["local", "fleet"].map(|folder| tables(&scene.fleet.join(folder)));
            if !status.success() || local != remote {
                differences.push(format!("{command}: {status}; {befell:?}; {}", scene.run.said()));
            }
            println!("{command}: {:.0} s, {befell:?}", begun.elapsed().as_secs_f64());
            for folder in ["local", "fleet"] {
                fs::remove_dir_all(scene.fleet.join(folder)).unwrap();
            }
            if done.values().sum::<u64>() >= events {
                break;
            }
        }
        println!("{done:#?}\n{refused} commands found no server, and were given again");
        assert!(differences.is_empty(), "{}", differences.join("\n"));
        let expected = scene.workers.len() + usize::from(scene.twin.is_some()) + 1;
        assert!(
            processes_in(&scene) <= expected,
            "there is more than workers and a server"
        );
    }

    /// How many processes work in the folder of the fleet.
    fn processes_in(scene: &Scene) -> usize {
        let folder = scene.fleet.canonicalize().unwrap();
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let works_here = |path: PathBuf| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == folder);
        entries.filter(|entry| works_here(entry.path())).count()
    }
}
