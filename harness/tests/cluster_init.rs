//! The folder of a fleet, and who a server started from it lets in to do what.
//!
//! `TANREN_NATS_SERVER=PATH` chooses the nats-server; without one these tests say that they were skipped.
#![cfg(feature = "cluster")]
#![expect(clippy::unwrap_used, reason = "a helper of tests may panic")]

#[expect(dead_code, reason = "no data is read here")]
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{run, stderr};
use tanren::internals::{COORDINATOR, CoordinatorFile, WorkerFile};

const FILES: [&str; 10] = [
    "ca.pem",
    "compose.yaml",
    "coordinator.toml",
    "server.conf",
    "server.key",
    "server.pem",
    "tanren-nats.service",
    "tanren-worker.service",
    "worker-1.toml",
    "worker-2.toml",
];

fn made(folder: &Path, more: &[&str]) -> PathBuf {
    let output = run(folder, &[&["cluster", "init", "club"], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    folder.join("club")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What is said about bad input in `folder`.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_new_fleet_has_every_file_and_says_what_comes_next() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &["cluster", "init", "club"]);
    let said = stderr(&output);
    assert_eq!(names(&folder.path().join("club")), FILES);
    for words in FILES {
        assert!(said.contains(words), "{words}: {said}");
    }
    for command in [
        "tanren cluster up club",
        "tanren worker club/worker-1.toml",
        "--cluster club/coordinator.toml",
    ] {
        assert!(said.contains(command), "{command}: {said}");
    }
}

#[test]
fn the_files_of_machines_belong_together_and_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let club = made(
        folder.path(),
        &[
            "--workers",
            "3",
            "--host",
            "club.example.org",
            "--host",
            "2001:db8::1",
            "--port",
            "4333",
        ],
    );
    let coordinator = CoordinatorFile::open(&club.join("coordinator.toml")).unwrap();
    assert_eq!(coordinator.workers.len(), 3);
    for (name, key) in &coordinator.workers {
        let worker = WorkerFile::open(&club.join(format!("{name}.toml"))).unwrap();
        assert_eq!(worker.name, *name);
        assert_eq!(worker.url, "tls://club.example.org:4333");
        assert_eq!(worker.seed.key_pair().unwrap().public_key(), *key);
        assert_eq!(
            worker.coordinator,
            coordinator.seed.key_pair().unwrap().public_key()
        );
        assert_eq!(worker.ca, Some(fs::read_to_string(club.join("ca.pem")).unwrap()));
    }
    assert_eq!(coordinator.access(false).name, COORDINATOR);
    let conf = fs::read_to_string(club.join("server.conf")).unwrap();
    assert!(conf.contains("host: \"::\"\nport: 4333\n"), "{conf}");
    for (name, key) in &coordinator.workers {
        assert!(
            conf.contains(&format!("  {name}: {{\n    users: [{{\n      nkey: {key}\n")),
            "{conf}"
        );
    }
    let compose = fs::read_to_string(club.join("compose.yaml")).unwrap();
    let server_conf = club.join("server.conf");
    assert!(compose.contains(server_conf.to_str().unwrap()), "{compose}");
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_a_key() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let club = made(folder.path(), &[]);
    for name in names(&club) {
        let mode = club.join(&name).metadata().unwrap().permissions().mode() & 0o777;
        let text = fs::read_to_string(club.join(&name)).unwrap();
        let is_secret = text.contains("seed = \"SU") || text.contains("PRIVATE KEY");
        let is_named = ["server.key", "coordinator.toml", "worker-1.toml", "worker-2.toml"].contains(&&*name);
        assert_eq!(is_secret, is_named, "{name}");
        assert_eq!(is_secret, mode == 0o600, "{name}: {mode:o}");
    }
}

#[test]
fn an_occupied_folder_is_refused_and_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let club = made(folder.path(), &[]);
    let before = fs::read_to_string(club.join("coordinator.toml")).unwrap();
    let said = refused(folder.path(), &["cluster", "init", "club"]);
    assert!(said.contains("'club' is not empty"), "{said}");
    assert_eq!(names(&club), FILES);
    assert_eq!(fs::read_to_string(club.join("coordinator.toml")).unwrap(), before);
    fs::write(folder.path().join("file"), "").unwrap();
    let said = refused(folder.path(), &["cluster", "init", "file"]);
    assert!(said.contains("'file' is not empty"), "{said}");
    fs::create_dir(folder.path().join("empty")).unwrap();
    let output = run(folder.path(), &["cluster", "init", "empty"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn hosts_and_folders_that_cannot_be_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for host in [
        "",
        "two words",
        "-x",
        "a..b",
        "0.0.0.0",
        "1.2.3",
        "club.example.org:4222",
        "a\"b",
    ] {
        let said = refused(
            folder.path(),
            &["cluster", "init", "club", &format!("--host={host}")],
        );
        assert!(said.contains(&format!("host '{host}' is neither")), "{said}");
    }
    let said = refused(folder.path(), &["cluster", "init", "cl$ub"]);
    assert!(said.contains("holds '$'"), "{said}");
    refused(folder.path(), &["cluster", "init", "club", "--workers", "0"]);
    refused(folder.path(), &["cluster", "init", "club", "--port", "0"]);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn the_server_of_no_fleet_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let said = refused(folder.path(), &["cluster", "up", "."]);
    assert!(
        said.contains("no server.conf in '.'") && said.contains("cluster init"),
        "{said}"
    );
}

#[test]
fn what_is_wrong_in_the_file_of_a_worker_is_told_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let club = made(folder.path(), &[]);
    let path = club.join("worker-1.toml");
    let right = fs::read_to_string(&path).unwrap();
    for (from, to, words) in [
        (
            "name = \"worker-1\"",
            "name = \"worker 1\"",
            "line 2, column 1: name 'worker 1' must be",
        ),
        ("seed = \"SU", "seed = \"SA", "line 4, column 1: seed is no seed"),
        ("url =", "urls =", "line 3, column 1: unknown key 'urls'"),
        (
            "coordinator = \"U",
            "coordinator = \"",
            "line 6, column 1: coordinator: ",
        ),
        ("name = \"worker-1\"", "name = ", "line 2, column"),
    ] {
        fs::write(&path, right.replace(from, to)).unwrap();
        let said = WorkerFile::open(&path).unwrap_err().to_string();
        assert!(said.contains(words), "{words}: {said}");
        assert!(said.contains("worker-1.toml'"), "{said}");
        assert!(!said.contains("seed = "), "{said}");
    }
    let said = WorkerFile::open(&club.join("worker-9.toml"))
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("cannot read") && said.contains("worker-9.toml"),
        "{said}"
    );
}
