//! The folder of a new fleet.

use std::fs;

use tanren::internals::{COORDINATOR, CoordinatorFile, WorkerFile};

use crate::folder::{Ended, Folder, InFolder};

#[test]
fn the_files_of_machines_belong_together_and_are_read() {
    let folder = Folder::new();
    folder
        .run("cluster init club --workers 3 --host club.example.org --host 2001:db8::1 --port 4333")
        .ok();
    let club = folder.join("club");
    let coordinator = CoordinatorFile::open(&club.join("coordinator.toml")).unwrap();
    assert_eq!(
        (coordinator.workers.len(), coordinator.access(false).name),
        (3, COORDINATOR)
    );
    let conf = club.read("server.conf");
    assert!(conf.contains("host: \"::\"\nport: 4333\n"), "{conf}");
    for (name, key) in &coordinator.workers {
        let worker = WorkerFile::open(&club.join(format!("{name}.toml"))).unwrap();
        assert_eq!(
            (worker.name, &*worker.url),
            (name.clone(), "tls://club.example.org:4333")
        );
        assert_eq!(worker.seed.key_pair().unwrap().public_key(), *key);
        assert_eq!(
            worker.coordinator,
            coordinator.seed.key_pair().unwrap().public_key()
        );
        assert_eq!(worker.ca, Some(club.read("ca.pem")));
        let account = format!("  {name}: {{\n    users: [{{\n      nkey: {key}\n");
        assert!(conf.contains(&account), "{conf}");
    }
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_a_key() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.run("cluster init club").ok();
    let club = folder.join("club");
    for name in club.names() {
        let mode = club.join(&name).metadata().unwrap().permissions().mode() & 0o777;
        let text = club.read(&name);
        let is_secret = text.contains("seed = \"SU") || text.contains("PRIVATE KEY");
        let is_named = ["server.key", "coordinator.toml", "worker-1.toml", "worker-2.toml"].contains(&&*name);
        assert_eq!(is_secret, is_named, "{name}");
        assert_eq!(is_secret, mode == 0o600, "{name}: {mode:o}");
    }
}

#[test]
fn what_is_wrong_in_the_file_of_a_worker_is_told_with_file_and_line() {
    let folder = Folder::new();
    folder.run("cluster init club").ok();
    let path = folder.join("club/worker-1.toml");
    let right = fs::read_to_string(&path).unwrap();
    for (from, to, expected) in [
        (
            "name = \"worker-1\"",
            "name = \"worker 1\"",
            "name 'worker 1' must be",
        ),
        ("name = \"worker-1\"", "name = \"\"", "name '' must be"),
        ("name = \"worker-1\"", "name = \"coordinator\"", "choose another"),
        ("seed = \"SU", "seed = \"SA", "seed is no seed"),
        ("url =", "urls =", "urls"),
        (
            "ca =",
            "engine = \"engines.toml\"\nca =",
            "did you mean 'engines'",
        ),
        ("coordinator = \"U", "coordinator = \"", "coordinator: "),
        ("name = \"worker-1\"", "name = ", "line 2, column"),
    ] {
        fs::write(&path, right.replace(from, to)).unwrap();
        let said = WorkerFile::open(&path).unwrap_err().to_string();
        assert!(
            said.contains(expected) && said.contains("worker-1.toml', line "),
            "{expected}: {said}"
        );
        assert!(!said.contains("seed = "), "{said}");
    }
    fs::write(&path, right.replace("# engines", "engines")).unwrap();
    let engines = WorkerFile::open(&path).unwrap().engines;
    assert_eq!(engines, Some(path.with_file_name("engines.toml")));
    folder.run("worker club/worker-9.toml").refused("worker-9.toml");
}
