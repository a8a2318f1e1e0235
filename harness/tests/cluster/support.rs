//! A fleet on this machine, its processes, and what two runs of the same command left behind.

use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use crate::common::{columns_but_times, tanren};
use crate::folder::{Ended, InFolder, words};

/// Nothing here takes longer, however busy the machine is.
pub(crate) const BOUND: Duration = Duration::from_secs(240);
/// For a wish to stop, even where the server is gone.
pub(crate) const SOON: Duration = Duration::from_secs(20);

pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + BOUND;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        sleep(Duration::from_millis(10));
    }
}

/// A folder with the files of a fleet, and its server.
pub(crate) struct Fleet {
    folder: TempDir,
    pub(crate) port: u16,
    server: Option<Child>,
}

impl Fleet {
    /// Speaks plain text, which a proxy can read. `None` if there is no server's program here.
    pub(crate) fn start(workers: usize) -> Option<Fleet> {
        let mut fleet = Fleet::encrypted(workers)?;
        fleet.kill_server();
        for (name, text) in fleet.files() {
            let text = match name.extension().and_then(|extension| extension.to_str()) {
                Some("conf") => without(&text, "tls {", "}"),
                _ => without(&text, "ca = \"\"\"", "\"\"\"").replace("tls://localhost", "nats://127.0.0.1"),
            };
            fleet.write(&name, text);
        }
        fleet.start_server();
        Some(fleet)
    }

    /// As `tanren cluster init` makes it.
    pub(crate) fn encrypted(workers: usize) -> Option<Fleet> {
        let program = program()?;
        let (folder, port) = (tempfile::tempdir().unwrap(), free_port());
        // It writes for the server that it finds.
        let mut places = vec![program.parent().unwrap().to_owned()];
        places.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
        let line = format!("cluster init club --workers {workers} --port {port} --host localhost");
        let made = tanren()
            .args(words(&line))
            .env("PATH", std::env::join_paths(places).unwrap())
            .current_dir(folder.path())
            .output();
        made.unwrap().ok();
        let mut fleet = Fleet {
            folder,
            port,
            server: None,
        };
        for (name, text) in fleet.files() {
            fleet.write(&name, text);
        }
        fleet.start_server();
        Some(fleet)
    }

    /// Names and texts of the configurations that were made.
    fn files(&self) -> Vec<(PathBuf, String)> {
        let entries = fs::read_dir(self.path().join("club")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let is_read = |path: &PathBuf| path.extension().is_some_and(|end| end == "conf" || end == "toml");
        let read = |path: PathBuf| {
            (
                path.file_name().unwrap().into(),
                fs::read_to_string(&path).unwrap(),
            )
        };
        paths.filter(is_read).map(read).collect()
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Of the run that [`begin`](Fleet::begin) plays.
    pub(crate) fn results(&self) -> PathBuf {
        self.path().join("fleet")
    }

    /// From 1.
    pub(crate) fn worker_file(&self, number: usize) -> PathBuf {
        self.path().join(format!("worker-{number}.toml"))
    }

    /// Gives every machine this file of engines.
    pub(crate) fn write_engines(&self, engines: &str) {
        self.write("engines.toml", engines);
        for file in ["coordinator.toml", "worker-1.toml", "worker-2.toml"] {
            let text = self.read(file);
            self.write(file, format!("engines = \"engines.toml\"\n{text}"));
        }
    }

    /// Machines speak with the port of a proxy from now on.
    pub(crate) fn divert(&self, port: u16) {
        for (name, _) in self.files() {
            if name.extension().is_some_and(|end| end == "toml") {
                let text = self.read(&name);
                self.write(
                    &name,
                    text.replace(&format!(":{}", self.port), &format!(":{port}")),
                );
            }
        }
    }

    pub(crate) fn tanren(&self, line: &str) -> Machine {
        Machine::start(self.path(), line, None)
    }

    pub(crate) fn worker(&self, number: usize) -> Machine {
        self.tanren(&format!("worker worker-{number}.toml --slots 1"))
    }

    pub(crate) fn workers(&self, count: usize) -> Vec<Machine> {
        (1..=count).map(|number| self.worker(number)).collect()
    }

    /// Begins to play the command on the fleet.
    pub(crate) fn begin(&self, command: &str) -> Machine {
        self.begin_in(command, "fleet")
    }

    pub(crate) fn begin_in(&self, command: &str, folder: &str) -> Machine {
        self.tanren(&format!("{command} --cluster coordinator.toml --out {folder}"))
    }

    /// Plays the command on the fleet to its end, and gives what it said.
    #[track_caller]
    pub(crate) fn play(&self, command: &str) -> String {
        self.begin(command).succeeds()
    }

    /// Plays the command on this machine alone.
    pub(crate) fn play_here(&self, command: &str) {
        self.path()
            .run(&format!("{command} --concurrency 2 --out local"))
            .ok();
    }

    /// The run of the fleet ends well and has the games of this machine.
    #[track_caller]
    pub(crate) fn ends_the_same(&self, run: &mut Machine, command: &str) -> String {
        let said = run.succeeds();
        self.play_here(command);
        self.assert_same();
        said
    }

    #[track_caller]
    pub(crate) fn assert_same(&self) {
        let [local, remote] = ["local", "fleet"].map(|folder| games(&self.path().join(folder)));
        assert!(local == remote, "{}", first_difference(&local, &remote));
    }

    pub(crate) fn start_server(&mut self) {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.path().join("server.log"));
        let server = Command::new(program().unwrap())
            .args(["-c", "server.conf"])
            .current_dir(self.path())
            .stdout(Stdio::null())
            .stderr(log.unwrap())
            .spawn();
        self.server = Some(server.unwrap());
        wait_until("the server does not listen", || {
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    pub(crate) fn kill_server(&mut self) {
        let mut server = self.server.take().unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
    }

    pub(crate) fn restart_server(&mut self) {
        self.kill_server();
        self.start_server();
    }

    pub(crate) fn configure(&mut self, from: &str, to: &str) {
        let text = self.read("server.conf");
        assert!(text.contains(from), "{text}");
        self.write("server.conf", text.replace(from, to));
        self.restart_server();
    }

    pub(crate) fn server_id(&self) -> u32 {
        self.server.as_ref().unwrap().id()
    }

    /// All that the server has stored.
    pub(crate) fn delete_disk(&self) {
        fs::remove_dir_all(self.path().join("club/store")).unwrap();
    }

    /// The messages that the server has stored; its consumers keep their positions.
    pub(crate) fn delete_messages(&self) {
        for account in fs::read_dir(self.path().join("club/store/jetstream")).unwrap() {
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

impl std::ops::Deref for Fleet {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.path()
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        if self.server.is_some() {
            self.kill_server();
        }
        if std::thread::panicking() {
            let log = self.read("server.log");
            let last: Vec<&str> = log.lines().rev().take(10).collect();
            eprintln!("the server's last words, newest first:\n{}", last.join("\n"));
        }
    }
}

/// The server's program; says so if there is none, and fails if there has to be one.
fn program() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TANREN_NATS_SERVER") {
        return Some(fs::canonicalize(path).expect("TANREN_NATS_SERVER names no file"));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let found = folders
        .map(|folder| folder.join("nats-server"))
        .find(|path| path.is_file());
    if found.is_none() {
        eprintln!("there is no nats-server on the PATH or in TANREN_NATS_SERVER: nothing was tested");
        assert!(
            std::env::var_os("TANREN_REQUIRE_NATS").is_none(),
            "TANREN_REQUIRE_NATS asks for a nats-server"
        );
    }
    found
}

/// A port on which nobody listens.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// `text` without the lines from the one that is `first` to the next that is `last`.
fn without(text: &str, first: &str, last: &str) -> String {
    let (before, rest) = text.split_once(&format!("\n{first}\n")).unwrap();
    let (_, after) = rest.split_once(&format!("\n{last}\n")).unwrap();
    format!("{before}\n{after}")
}

/// A process of `tanren`, a worker or a coordinator, which ends with the value.
pub(crate) struct Machine {
    child: Child,
    stderr: PathBuf,
}

impl Machine {
    /// With a clock of the day that is wrong by so many hours, if one is given.
    pub(crate) fn start(folder: &Path, line: &str, clock: Option<&(PathBuf, i64)>) -> Machine {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let stderr = folder.join(format!("stderr-{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
        let mut command = tanren();
        if let Some((library, hours)) = clock {
            command
                .env("LD_PRELOAD", library)
                .env("FAKETIME", format!("{hours:+}h"))
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .env("DONT_FAKE_MONOTONIC", "1")
                .env("NO_FAKE_STAT", "1");
        }
        let child = command
            .args(words(line))
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(fs::File::create(&stderr).unwrap())
            .spawn();
        Machine {
            child: child.unwrap(),
            stderr,
        }
    }

    pub(crate) fn said(&self) -> String {
        fs::read_to_string(&self.stderr).unwrap()
    }

    #[track_caller]
    pub(crate) fn wait_for(&mut self, text: &str) {
        let until = Instant::now() + BOUND;
        while !self.said().contains(text) {
            let is_over = !self.is_running() && !self.said().contains(text);
            let is_late = Instant::now() > until;
            assert!(
                !is_over && !is_late,
                "'{text}' was not said, but: {}",
                self.said()
            );
            sleep(Duration::from_millis(20));
        }
    }

    /// Waits until so many pairs or searches of the folder are stored; fails if the run ends before.
    #[track_caller]
    pub(crate) fn wait_for_stored(&mut self, folder: &Path, count: u64) {
        let until = Instant::now() + BOUND;
        while stored(folder) < count {
            assert!(self.is_running(), "it ended too early: {}", self.said());
            assert!(Instant::now() < until, "{count} were not stored: {}", self.said());
            sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(self.id(), name);
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    #[track_caller]
    pub(crate) fn end(&mut self) -> ExitStatus {
        self.end_within(BOUND)
    }

    #[track_caller]
    pub(crate) fn end_within(&mut self, time: Duration) -> ExitStatus {
        let until = Instant::now() + time;
        while self.is_running() {
            assert!(
                Instant::now() < until,
                "not ended within {time:?}: {}",
                self.said()
            );
            sleep(Duration::from_millis(10));
        }
        self.child.wait().unwrap()
    }

    #[track_caller]
    pub(crate) fn succeeds(&mut self) -> String {
        let status = self.end();
        assert!(status.success(), "{status}: {}", self.said());
        self.said()
    }

    /// It ends with this code and says this.
    #[track_caller]
    pub(crate) fn fails(&mut self, code: i32, text: &str) {
        assert_eq!(self.end().code(), Some(code), "{}", self.said());
        assert!(self.said().contains(text), "no '{text}' in {}", self.said());
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("{}: {}", self.stderr.display(), self.said());
        }
    }
}

pub(crate) fn signal(id: u32, name: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &id.to_string()])
        .status();
    assert!(sent.unwrap().success(), "{name} to {id}");
}

/// Every `games.csv` below `folder` without times, and the course of every tuning; there is one at least.
pub(crate) fn games(folder: &Path) -> BTreeMap<String, String> {
    fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = match path.file_name().and_then(|name| name.to_str()) {
                _ if path.is_dir() => {
                    collect(root, &path, found);
                    continue;
                }
                Some("games.csv") => columns_but_times(&fs::read_to_string(&path).unwrap()),
                Some("spsa.csv") => fs::read_to_string(&path).unwrap(),
                _ => continue,
            };
            found.insert(path.strip_prefix(root).unwrap().display().to_string(), text);
        }
    }
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    assert!(!found.is_empty(), "there are no games below {}", folder.display());
    found
}

pub(crate) fn first_difference(
    local: &BTreeMap<String, String>,
    remote: &BTreeMap<String, String>,
) -> String {
    for (name, games) in local {
        let Some(other) = remote.get(name) else {
            return format!("{name} is not there");
        };
        for (number, line) in games.lines().enumerate() {
            let played = other.lines().nth(number).unwrap_or("nothing");
            if line != played {
                return format!("{name}, game {}: local {line}\nfleet {played}", number + 1);
            }
        }
    }
    format!("{:?} and {:?} are not the same", local.keys(), remote.keys())
}

/// The values of a column of hosts.csv, by machine.
pub(crate) fn of_hosts(fleet: &Fleet, column: &str) -> Vec<(String, String)> {
    let text = fleet.read("fleet/hosts.csv");
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let place = rows
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == column)
        .unwrap();
    let rows = rows.records().map(|row| row.unwrap());
    rows.map(|row| (row[0].to_owned(), row[place].to_owned()))
        .collect()
}

/// The number that `sql` gives in the ledger of `folder`; 0 if there is none.
pub(crate) fn in_ledger(folder: &Path, sql: &str) -> u64 {
    let opened = Connection::open_with_flags(folder.join("ledger.sqlite"), OpenFlags::SQLITE_OPEN_READ_ONLY);
    let asked = opened.and_then(|connection| connection.query_row(sql, [], |row| row.get::<_, i64>(0)));
    asked.unwrap_or(0) as u64
}

pub(crate) fn stored(folder: &Path) -> u64 {
    in_ledger(folder, "SELECT count(*) FROM unit")
}

/// Those of which it is known who played them.
pub(crate) fn with_origin(folder: &Path) -> u64 {
    in_ledger(folder, "SELECT count(*) FROM origin")
}
