//! A fleet on this machine: a server, and files of machines.
//!
//! In: how many workers. Out: a folder, processes that end with the value. Must not: know a run.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::machine::{Clock, Machine};
use crate::common::{stderr, tanren};
use crate::nats::{free_port, nats_server};

/// Nothing here takes longer, however busy the machine is.
pub(crate) const BOUND: Duration = Duration::from_secs(240);

/// A folder with the files of a fleet, and its server.
pub(crate) struct Fleet {
    folder: TempDir,
    pub(crate) port: u16,
    server: Option<Child>,
}

impl Fleet {
    /// With so many workers' keys and a server; `None` if there is no server's program here.
    pub(crate) fn start(workers: usize) -> Option<Fleet> {
        program()?;
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        write_files(folder.path(), workers, port);
        let mut fleet = Fleet {
            folder,
            port,
            server: None,
        };
        fleet.start_server();
        Some(fleet)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The file of a worker, from 1.
    pub(crate) fn worker_file(&self, number: usize) -> PathBuf {
        self.path().join(format!("worker-{number}.toml"))
    }

    /// Gives every machine this file of engines.
    pub(crate) fn write_engines(&self, engines: &str) {
        fs::write(self.path().join("engines.toml"), engines).unwrap();
        for file in ["coordinator.toml", "worker-1.toml", "worker-2.toml"] {
            let text = fs::read_to_string(self.path().join(file)).unwrap();
            let named = format!("engines = \"engines.toml\"\n{text}");
            fs::write(self.path().join(file), named).unwrap();
        }
    }

    /// The same files for machines that speak with another port: that of a proxy.
    pub(crate) fn divert(&self, port: u16) {
        for entry in fs::read_dir(self.path()).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let text = fs::read_to_string(&path).unwrap();
                let diverted = text.replace(&format!(":{}", self.port), &format!(":{port}"));
                fs::write(&path, diverted).unwrap();
            }
        }
    }

    /// A worker of one slot.
    pub(crate) fn worker(&self, number: usize) -> Machine {
        let file = self.worker_file(number);
        let args = ["worker", file.to_str().unwrap(), "--slots", "1"];
        Machine::start(self.path(), &args)
    }

    /// With a clock that is wrong.
    pub(crate) fn worker_at(&self, number: usize, clock: &Clock) -> Machine {
        let file = self.worker_file(number);
        let args = ["worker", file.to_str().unwrap(), "--slots", "1"];
        Machine::start_at(self.path(), &args, Some(clock))
    }

    /// So many of them.
    pub(crate) fn workers(&self, count: usize) -> Vec<Machine> {
        (1..=count).map(|number| self.worker(number)).collect()
    }

    pub(crate) fn start_server(&mut self) {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.path().join("server.log"))
            .unwrap();
        let server = Command::new(program().unwrap())
            .args(["-c", "server.conf"])
            .current_dir(self.path())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.server = Some(server.unwrap());
        let until = Instant::now() + BOUND;
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < until, "the server does not listen");
            sleep(Duration::from_millis(20));
        }
    }

    /// SIGKILL.
    pub(crate) fn kill_server(&mut self) {
        let mut server = self.server.take().unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
    }

    /// Says something else in the server's configuration, and starts it anew.
    pub(crate) fn configure(&mut self, from: &str, to: &str) {
        let path = self.path().join("server.conf");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        self.kill_server();
        fs::write(&path, text.replace(from, to)).unwrap();
        self.start_server();
    }

    /// Speaks TLS from now on, as fleets do outside of tests.
    pub(crate) fn encrypt(&mut self) {
        self.kill_server();
        for entry in fs::read_dir(self.path().join("club")).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "conf" || extension == "toml")
            {
                fs::copy(&path, self.path().join(path.file_name().unwrap())).unwrap();
            }
        }
        self.start_server();
    }

    pub(crate) fn server_id(&self) -> u32 {
        self.server.as_ref().unwrap().id()
    }

    /// All that the server has stored.
    pub(crate) fn delete_disk(&self) {
        fs::remove_dir_all(self.path().join("club/store")).unwrap();
    }
}

impl Fleet {
    /// The messages that the server has stored; what it knows of those who fetch them stays.
    pub(crate) fn delete_messages(&self) {
        let accounts = fs::read_dir(self.path().join("club/store/jetstream")).unwrap();
        for account in accounts {
            for stream in ["jobs", "results"] {
                let messages = account
                    .as_ref()
                    .unwrap()
                    .path()
                    .join(format!("streams/{stream}/msgs"));
                if messages.exists() {
                    fs::remove_dir_all(&messages).unwrap();
                    fs::create_dir(&messages).unwrap();
                }
            }
        }
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        if self.server.is_some() {
            self.kill_server();
        }
        if std::thread::panicking() {
            let log = fs::read_to_string(self.path().join("server.log")).unwrap_or_default();
            let last: Vec<&str> = log.lines().rev().take(10).collect();
            eprintln!("the server's last words, newest first:\n{}", last.join("\n"));
        }
    }
}

/// The server's program; says so if there is none, and fails if there has to be one.
fn program() -> Option<PathBuf> {
    let found = nats_server();
    if found.is_none() {
        eprintln!("there is no nats-server on the PATH or in TANREN_NATS_SERVER: nothing was tested");
        assert!(
            std::env::var_os("TANREN_REQUIRE_NATS").is_none(),
            "TANREN_REQUIRE_NATS asks for a nats-server"
        );
    }
    found
}

/// As `tanren cluster init` does, but in plain text, which a proxy between machines and server can read.
fn write_files(folder: &Path, workers: usize, port: u16) {
    let (workers, port) = (workers.to_string(), port.to_string());
    let club = folder.join("club");
    // It writes for the server that it finds.
    let mut places = vec![program().unwrap().parent().unwrap().to_owned()];
    places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let made = tanren()
        .args(["cluster", "init", "club", "--workers", &workers, "--port", &port])
        .args(["--host", "localhost"])
        .env("PATH", std::env::join_paths(places).unwrap())
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    for entry in fs::read_dir(club).unwrap() {
        let path = entry.unwrap().path();
        let (name, text) = (
            path.file_name().unwrap().to_owned(),
            fs::read_to_string(&path).unwrap(),
        );
        let text = match path.extension().and_then(|extension| extension.to_str()) {
            Some("conf") => without(&text, "tls {", "}"),
            Some("toml") => {
                without(&text, "ca = \"\"\"", "\"\"\"").replace("tls://localhost", "nats://127.0.0.1")
            }
            _ => continue,
        };
        fs::write(folder.join(name), text).unwrap();
    }
}

/// `text` without the lines from the one that is `first` to the next that is `last`.
fn without(text: &str, first: &str, last: &str) -> String {
    let (before, rest) = text.split_once(&format!("\n{first}\n")).unwrap();
    let (_, after) = rest.split_once(&format!("\n{last}\n")).unwrap();
    format!("{before}\n{after}")
}
