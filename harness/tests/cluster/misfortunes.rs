//! Machines, servers and networks that fail in the middle of a run: the games are those of one machine.

use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use crate::common::tanren;
use crate::folder::{Ended, InFolder, words};
use crate::monitor::Monitor;
use crate::proxy::Proxy;
use crate::support::{Fleet, Machine, SOON, in_ledger, stored, with_origin};

/// Lasts long enough to be disturbed.
const MATCH: &str = "match --a base --b base,null_move=off --nodes 400 --pairs 60";
const NODES: &str = "nodes --config base --config base,lmr=off --depth 5 --hash 1 --limit-positions 60";

/// A run that has begun.
struct Scene {
    fleet: Fleet,
    proxy: Proxy,
    workers: Vec<Machine>,
    run: Machine,
    command: &'static str,
}

impl Scene {
    fn begin(command: &'static str, is_proxied: bool) -> Option<Scene> {
        let fleet = Fleet::start(2)?;
        let proxy = Proxy::start(fleet.port);
        if is_proxied {
            fleet.divert(proxy.port);
        }
        let workers = fleet.workers(2);
        let mut run = fleet.begin(command);
        run.wait_for_stored(&fleet.results(), 6);
        Some(Scene {
            fleet,
            proxy,
            workers,
            run,
            command,
        })
    }

    fn begin_again(&mut self) {
        self.run = self.fleet.begin(self.command);
    }
}

fn survives_with(command: &'static str, is_proxied: bool, harm: impl FnOnce(&mut Scene)) {
    let Some(mut scene) = Scene::begin(command, is_proxied) else {
        return;
    };
    harm(&mut scene);
    scene.fleet.ends_the_same(&mut scene.run, command);
}

fn survives(harm: impl FnOnce(&mut Scene)) {
    survives_with(MATCH, false, harm);
}

fn survives_network(harm: impl FnOnce(&Proxy)) {
    survives_with(MATCH, true, |scene| harm(&scene.proxy));
}

#[test]
fn a_worker_that_is_killed_takes_nothing_with_it() {
    survives(|scene| scene.workers[0].kill());
}

#[test]
fn a_worker_that_is_stopped_hands_back_what_it_has() {
    survives(|scene| {
        scene.workers[0].signal("TERM");
        assert!(scene.workers[0].end_within(SOON).success());
    });
}

#[test]
#[ignore = "nightly"]
fn what_a_frozen_worker_says_later_counts_for_nothing() {
    survives(|scene| {
        scene.workers[0].signal("STOP");
        scene.run.succeeds();
        scene.workers[0].signal("CONT");
        scene.begin_again();
        scene.run.succeeds();
        let folder = scene.fleet.results();
        assert_eq!((stored(&folder), with_origin(&folder)), (60, 60));
        scene.begin_again();
    });
}

#[test]
fn a_coordinator_that_is_killed_is_resumed_by_the_same_command() {
    survives(|scene| {
        scene.run.kill();
        scene.begin_again();
    });
}

#[test]
#[ignore = "nightly"]
fn searches_of_a_coordinator_that_is_killed_are_resumed_by_the_same_command() {
    let Some(mut scene) = Scene::begin(NODES, false) else {
        return;
    };
    scene.run.kill();
    scene.begin_again();
    scene.run.succeeds();
    assert_eq!(stored(&scene.fleet.results()), 120);
}

#[test]
fn a_coordinator_that_is_stopped_leaves_the_lease_to_the_next_one() {
    survives(|scene| {
        scene.run.signal("INT");
        assert_eq!(scene.run.end_within(SOON).code(), Some(130));
        scene.begin_again();
        let said = scene.run.succeeds();
        assert!(!said.contains("takes over"), "{said}");
        scene.begin_again();
    });
}

#[test]
fn a_second_coordinator_of_the_same_run_is_refused() {
    survives(|scene| {
        let mut second = scene.fleet.begin_in(MATCH, "second");
        second.fails(1, "is coordinated by another process already");
    });
}

#[test]
#[ignore = "nightly"]
fn a_server_that_is_killed_and_started_again_loses_nothing() {
    survives(|scene| scene.fleet.restart_server());
}

#[test]
fn a_server_that_loses_its_disk_loses_nothing_but_time() {
    survives(|scene| {
        scene.fleet.kill_server();
        scene.fleet.delete_disk();
        scene.fleet.start_server();
    });
}

#[test]
#[ignore = "nightly"]
fn a_disk_that_is_lost_is_noticed_by_every_run_of_the_server() {
    survives(|scene| {
        // Of another priority, so that it has a queue of its own.
        let mut other = scene
            .fleet
            .begin_in(&format!("{MATCH} --seed 9 --priority 3"), "other");
        other.wait_for("pairs");
        scene.fleet.kill_server();
        scene.fleet.delete_disk();
        scene.fleet.start_server();
        other.succeeds();
    });
}

#[test]
#[ignore = "nightly"]
fn a_server_that_numbers_its_messages_anew_is_noticed() {
    survives(|scene| {
        scene.fleet.kill_server();
        scene.fleet.delete_messages();
        scene.fleet.start_server();
    });
}

#[test]
#[ignore = "nightly"]
fn signals_end_a_worker_and_a_run_whose_server_is_gone() {
    survives(|scene| {
        scene.fleet.kill_server();
        scene.workers[0].signal("TERM");
        scene.workers[0].end_within(SOON);
        // The coordinator notices that the server is gone, and looks for it.
        sleep(Duration::from_secs(4));
        scene.run.signal("INT");
        assert_eq!(scene.run.end_within(SOON).code(), Some(130));
        scene.fleet.start_server();
        scene.begin_again();
    });
}

#[test]
#[ignore = "nightly"]
fn a_run_that_this_machine_can_finish_alone_does_not_wait_for_a_server_that_is_gone() {
    let Some(mut fleet) = Fleet::start(1) else { return };
    let mut run = fleet.begin(&format!("{MATCH} --slots 1"));
    run.wait_for_stored(&fleet.results(), 20);
    fleet.kill_server();
    fleet.ends_the_same(&mut run, MATCH);
}

#[test]
#[ignore = "nightly"]
fn connections_that_are_cut_again_and_again_lose_nothing() {
    survives_network(|proxy| {
        for _ in 0..5 {
            proxy.cut();
            sleep(Duration::from_millis(300));
        }
    });
}

#[test]
#[ignore = "nightly"]
fn a_network_that_is_gone_for_a_while_loses_nothing() {
    survives_network(|proxy| {
        proxy.close(true);
        sleep(Duration::from_secs(3));
        proxy.close(false);
    });
}

#[test]
fn messages_may_come_late_twice_out_of_order_and_over_connections_that_are_cut() {
    survives_network(|proxy| {
        proxy.swap(30);
        proxy.repeat(50);
        for _ in 0..3 {
            sleep(Duration::from_millis(700));
            proxy.cut();
        }
        proxy.delay(20);
    });
}

#[test]
fn a_server_without_room_for_results_and_jobs_is_waited_for_and_told_of() {
    survives(|scene| {
        let monitor = Monitor::open(&scene.fleet);
        monitor.limit("results", 1);
        scene.workers[0].wait_for("the server does not take a result (maximum bytes exceeded");
        monitor.limit("results", 1 << 30);
        monitor.limit("jobs", 1);
        scene
            .run
            .wait_for("the server takes no jobs (maximum bytes exceeded");
        assert!(scene.run.is_running());
        monitor.limit("jobs", 1 << 30);
        let told = scene.run.succeeds().matches("the server takes no jobs").count();
        assert_eq!(told, 1);
        scene.begin_again();
    });
}

#[test]
#[ignore = "nightly"]
fn a_server_without_room_for_a_fleet_is_told_of_before_the_first_game() {
    let Some(mut fleet) = Fleet::start(1) else { return };
    fleet.configure("max_file_store: 8GB", "max_file_store: 1MB");
    fleet.begin(MATCH).fails(1, "max_file_store in server.conf");
    assert_eq!(in_ledger(&fleet.results(), "SELECT count(*) FROM origin"), 0);
}

/// libfaketime (Debian's package `faketime`) sets clocks wrong; without it these tests say so, and fail if TANREN_REQUIRE_FAKETIME is set.
fn faketime() -> Option<PathBuf> {
    let given = std::env::var_os("TANREN_FAKETIME").map(PathBuf::from);
    let places = [
        "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
        "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
        "/usr/lib64/faketime/libfaketimeMT.so.1",
        "/usr/lib/faketime/libfaketimeMT.so.1",
    ];
    let found = given.or_else(|| places.iter().map(PathBuf::from).find(|path| path.is_file()));
    if found.is_none() {
        eprintln!("there is no libfaketime, and no TANREN_FAKETIME: no clock was set wrong");
        assert!(
            std::env::var_os("TANREN_REQUIRE_FAKETIME").is_none(),
            "TANREN_REQUIRE_FAKETIME asks for libfaketime"
        );
    }
    found
}

#[test]
#[ignore = "nightly"]
fn machines_whose_clocks_are_wrong_play_as_others_do() {
    let Some(library) = faketime() else { return };
    let Some(fleet) = Fleet::encrypted(2) else { return };
    let [fast, slow] = [1, -1].map(|hours| (library.clone(), hours));
    let at = |line: &str, clock| Machine::start(fleet.path(), line, Some(clock));
    let _workers = [
        at("worker worker-1.toml --slots 1", &fast),
        at("worker worker-2.toml --slots 1", &slow),
    ];
    let line = format!("{MATCH} --cluster coordinator.toml --out fleet");
    let mut run = at(&line, &fast);
    run.wait_for_stored(&fleet.results(), 4);
    run.kill();
    fleet.ends_the_same(&mut at(&line, &slow), MATCH);
    // The clocks of this test are wrong.
    let years_ahead = (library, 24 * 400);
    at("match --a base --b plain --nodes 1 --pairs 1", &years_ahead).succeeds();
    let made = std::fs::read_dir(fleet.path().join("results")).unwrap().next();
    let name = made.unwrap().unwrap().file_name().into_string().unwrap();
    let date = std::process::Command::new("date").arg("+%Y").output().unwrap();
    assert!(!name.starts_with(date.text().trim()), "{name}");
}

#[test]
fn workers_give_up_what_they_play_and_the_queue_is_emptied_when_a_run_is_stopped() {
    let Some(fleet) = Fleet::start(2) else { return };
    let _workers = fleet.workers(2);
    // Pairs of many minutes.
    let mut run = fleet.begin("match --a base --b base,null_move=off --nodes 2000000 --pairs 40");
    let mut monitor = Monitor::open(&fleet);
    while monitor.next_heartbeat().busy == 0 {}
    assert!(monitor.messages("jobs") > 1, "nothing waits");
    let run_id = monitor.next_announcement().run;
    fleet
        .path()
        .run(&format!("cluster stop coordinator.toml {run_id}"))
        .ok();
    run.fails(1, "stopped by `tanren cluster stop`");
    monitor.forget();
    for _ in 0..2 {
        while monitor.next_heartbeat().busy > 0 {}
    }
    assert_eq!(monitor.messages("jobs"), 0);
}

#[test]
fn the_games_of_workers_are_seen_at_the_coordinator_until_the_run_ends() {
    let Some(fleet) = Fleet::start(1) else { return };
    let _workers = fleet.workers(1);
    let mut run = fleet.begin("match --a base --b base,null_move=off --nodes 100000 --pairs 40");
    let path = fleet.results().join("live.json");
    let mut games = serde_json::Value::Null;
    crate::support::wait_until("no game is shown", || {
        games = serde_json::from_slice(&std::fs::read(&path).unwrap_or_default()).unwrap_or_default();
        games[0].is_object()
    });
    assert_eq!(games[0]["game"], "shogi");
    assert!(games[0]["pair"].as_u64().unwrap() < 40 && games[0]["opening"].is_string());
    run.signal("INT");
    run.end();
    assert!(!path.exists());
}

#[test]
fn a_log_file_tells_what_a_fleet_does() {
    let Some(fleet) = Fleet::start(1) else { return };
    let _worker = fleet.tanren("worker worker-1.toml --slots 1 --log worker.log");
    fleet.play(&format!("{MATCH} --log coordinator.log"));
    for (file, events) in [
        (
            "worker.log",
            &[
                "connection: ",
                "plays a job",
                "answers the job",
                "sends a heartbeat",
            ][..],
        ),
        (
            "coordinator.log",
            &[
                "coordinates the run",
                "sends a job",
                "receives a result",
                "heartbeat",
            ],
        ),
    ] {
        let log = fleet.read(file);
        for event in events {
            assert!(log.contains(event), "no '{event}' in {file}: {log}");
        }
    }
}

#[test]
fn an_order_of_somebody_else_is_no_order() {
    let Some(fleet) = Fleet::start(1) else { return };
    let refused = tanren()
        .args(words("cluster drain coordinator.toml worker-9"))
        .current_dir(fleet.path())
        .output();
    refused.unwrap().refused("'worker-9' is no worker of this fleet");
    let mut worker = fleet.worker(1);
    worker.wait_for("ready");
    fleet.path().run("cluster drain coordinator.toml worker-1").ok();
    assert!(worker.end_within(SOON).success());
}
