//! A fleet for tests: its folder and its server.
//!
//! `TANREN_NATS_SERVER=PATH` chooses the nats-server.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use tanren::internals::{CoordinatorFile, WorkerFile};

use crate::common::{stderr, tanren};
use crate::nats::{free_port, nats_server};

/// Nothing here takes as long; a test that waits for it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);
/// A server of a new fleet on a port of its own, ended with the test.
pub(crate) struct Fleet {
    _folder: tempfile::TempDir,
    /// What `tanren cluster init` wrote.
    pub(crate) club: PathBuf,
    pub(crate) port: u16,
    pub(crate) server: Child,
    path: String,
}

/// Starts the server of the fleet in `club`, from another folder.
fn serve(club: &Path, path: &str) -> Child {
    let log = fs::File::options()
        .create(true)
        .append(true)
        .open(club.with_file_name("log"))
        .unwrap();
    let mut up = tanren();
    up.args(["cluster", "up"])
        .arg(club)
        .current_dir("/")
        .env("PATH", path);
    up.stdout(Stdio::null()).stderr(log).spawn().unwrap()
}

impl Drop for Fleet {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Fleet {
    /// Nothing, and a word about it, if there is no nats-server.
    #[expect(
        clippy::print_stdout,
        reason = "who runs the tests is to know what did not run"
    )]
    pub(crate) fn start() -> Option<Fleet> {
        let Some(program) = nats_server() else {
            println!("skipped: there is no nats-server on the PATH, and TANREN_NATS_SERVER is not set");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        std::os::unix::fs::symlink(program, bin.join("nats-server")).unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", bin.display());
        let port = free_port();
        let mut init = tanren();
        init.args(["cluster", "init", "a club", "--port", &port.to_string()]);
        let output = init
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let club = folder.path().join("a club");
        let server = serve(&club, &path);
        let mut fleet = Fleet {
            _folder: folder,
            club,
            port,
            server,
            path,
        };
        fleet.wait_until_it_listens();
        Some(fleet)
    }

    /// Kills the server and starts it again.
    pub(crate) fn restart(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
        self.server = serve(&self.club, &self.path);
        self.wait_until_it_listens();
    }

    fn wait_until_it_listens(&mut self) {
        let until = Instant::now() + PATIENCE;
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let ended = self.server.try_wait().unwrap();
            assert!(
                ended.is_none() && Instant::now() < until,
                "{ended:?}: {}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What the server said.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.club.with_file_name("log")).unwrap()
    }

    pub(crate) fn coordinator(&self) -> CoordinatorFile {
        CoordinatorFile::open(&self.club.join("coordinator.toml")).unwrap()
    }

    pub(crate) fn worker(&self, number: usize) -> WorkerFile {
        WorkerFile::open(&self.club.join(format!("worker-{number}.toml"))).unwrap()
    }
}
