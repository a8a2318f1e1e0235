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

use crate::common::{columns_but_times, measures_time, tanren};
use crate::folder::{Ended, InFolder, words};

/// Nothing here takes longer, however busy the machine is.
pub(crate) const BOUND: Duration = Duration::from_secs(240);
/// For a wish to stop, even where the server is gone.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// Is it so before this time has passed?
fn within(time: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + time;
    while !is_so() {
        if Instant::now() > until {
            return false;
        }
        sleep(Duration::from_millis(10));
    }
    true
}

#[track_caller]
pub(crate) fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    assert!(within(BOUND, is_so), "{what}");
}

/// A folder with the files of a fleet, and its server.
pub(crate) struct Fleet {
    folder: TempDir,
    pub(crate) port: u16,
    server: Option<Child>,
}

impl Fleet {
    /// Speaks plain text, which a proxy can read.
    pub(crate) fn start(workers: usize) -> Fleet {
        Fleet::new(workers, |name, text| match name {
            "server.conf" => without(&text, "tls {", "}"),
            _ => without(&text, "ca = \"\"\"", "\"\"\"").replace("tls://localhost", "nats://127.0.0.1"),
        })
    }

    /// As `tanren cluster init` makes it.
    pub(crate) fn encrypted(workers: usize) -> Fleet {
        Fleet::new(workers, |_, text| text)
    }

    fn new(workers: usize, edit: fn(&str, String) -> String) -> Fleet {
        let program = program();
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
        let club = fleet.join("club");
        for name in club.names() {
            if name.ends_with(".conf") || name.ends_with(".toml") {
                fleet.write(&name, edit(&name, club.read(&name)));
            }
        }
        fleet.start_server();
        fleet
    }

    /// Of the run that [`begin`](Fleet::begin) plays.
    pub(crate) fn results(&self) -> PathBuf {
        self.join("fleet")
    }

    /// Workers are numbered from 1.
    pub(crate) fn worker_file(&self, number: usize) -> PathBuf {
        self.join(format!("worker-{number}.toml"))
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
        for name in self.names() {
            if name.ends_with(".toml") {
                let text = self.read(&name);
                self.write(
                    &name,
                    text.replace(&format!(":{}", self.port), &format!(":{port}")),
                );
            }
        }
    }

    pub(crate) fn tanren(&self, line: &str) -> Machine {
        Machine::start(self, line, &[])
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
        self.run(&format!("{command} --concurrency 2 --out local")).ok();
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
        assert_same(&self.join("local"), &self.results());
    }

    pub(crate) fn start_server(&mut self) {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.join("server.log"));
        let server = Command::new(program())
            .args(["-c", "server.conf"])
            .current_dir(&**self)
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

    pub(crate) fn server_id(&self) -> u32 {
        self.server.as_ref().unwrap().id()
    }

    /// All that the server has stored.
    pub(crate) fn delete_disk(&self) {
        fs::remove_dir_all(self.join("club/store")).unwrap();
    }

    /// The messages that the server has stored; its consumers keep their positions.
    pub(crate) fn delete_messages(&self) {
        let accounts = self.join("club/store/jetstream");
        for (account, stream) in accounts
            .names()
            .iter()
            .flat_map(|name| [(name, "jobs"), (name, "results")])
        {
            let messages = accounts.join(account).join(format!("streams/{stream}/msgs"));
            if messages.exists() {
                fs::remove_dir_all(&messages).unwrap();
                fs::create_dir(&messages).unwrap();
            }
        }
    }
}

impl std::ops::Deref for Fleet {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.folder.path()
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

fn program() -> PathBuf {
    if let Some(path) = std::env::var_os("TANREN_NATS_SERVER") {
        return fs::canonicalize(path).expect("TANREN_NATS_SERVER names no file");
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let found = folders.find(|folder| folder.join("nats-server").is_file());
    let folder = found.expect("there is no nats-server on the PATH, and no TANREN_NATS_SERVER");
    folder.join("nats-server")
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
    pub(crate) fn start(folder: &Path, line: &str, environment: &[(&str, String)]) -> Machine {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let stderr = folder.join(format!("stderr-{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
        let child = tanren()
            .args(words(line))
            .envs(environment.iter().cloned())
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
        self.wait_until(text, |machine| machine.said().contains(text));
    }

    /// Waits until so many pairs or searches of the folder are stored.
    #[track_caller]
    pub(crate) fn wait_for_stored(&mut self, folder: &Path, count: u64) {
        self.wait_until("it is stored", |_| stored(folder) >= count);
    }

    /// Fails if it ends before.
    #[track_caller]
    fn wait_until(&mut self, what: &str, is_so: impl Fn(&Machine) -> bool) {
        let is_in_time = within(BOUND, || is_so(self) || !self.is_running());
        assert!(is_in_time && is_so(self), "not '{what}', but: {}", self.said());
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
        let has_ended = within(time, || !self.is_running());
        assert!(has_ended, "not ended within {time:?}: {}", self.said());
        self.child.wait().unwrap()
    }

    /// It ends soon after this signal.
    #[track_caller]
    pub(crate) fn end_by(&mut self, name: &str) -> Option<i32> {
        self.signal(name);
        self.end_within(SOON).code()
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

/// Every table below `folder` but for what machines and their clocks decide; there is one at least.
pub(crate) fn tables(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for name in folder.names() {
        let path = folder.join(&name);
        if path.is_dir() {
            let below = tables(&path).into_iter();
            found.extend(below.map(|(below, rows)| (Path::new(&name).join(below), rows)));
        } else if name.ends_with(".csv") && !["hosts.csv", "engines.csv", "replayed.csv"].contains(&&*name) {
            let text = folder.read(&name);
            let header = text.lines().next().unwrap_or_default();
            let is_timed = header.split(',').any(measures_time);
            let text = if is_timed { columns_but_times(&text) } else { text };
            found.insert(name.into(), text);
        }
    }
    found
}

#[track_caller]
pub(crate) fn assert_same(local: &Path, remote: &Path) {
    let [local, remote] = [local, remote].map(tables);
    assert!(
        !local.is_empty() && local.keys().eq(remote.keys()),
        "{:?} {:?}",
        local.keys(),
        remote.keys()
    );
    for (name, text) in &local {
        let rows = text.lines().zip(remote[name].lines());
        let different = rows.enumerate().find(|(_, (row, other))| row != other);
        assert!(
            different.is_none(),
            "{}, row and values: {different:?}",
            name.display()
        );
        assert_eq!(text, &remote[name], "{}", name.display());
    }
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
    in_ledger(folder, "SELECT count(*) FROM unit WHERE origin IS NOT NULL")
}
