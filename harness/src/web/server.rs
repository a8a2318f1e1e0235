//! The server: who may connect, how many at a time, until when.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{Mutex, MutexGuard, Notify, Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};
use tokio_rustls::TlsAcceptor;

use super::WebError;
use super::cache::Cache;
use super::change_feed::ChangeFeed;
use super::connection::{Certificate, answer};
use super::guard::{RequestGuard, guarded};
use super::job_controller::JobController;
use super::places::Places;
use super::routes::routes;
use super::run_index::RunIndex;
use crate::document::answer::State;
use crate::interrupt::Interrupt;
use crate::platform::{raise_descriptors, survey};
use crate::report::{RunChoices, RunRow};

const CONNECTIONS_MAX: usize = 1_024;
/// Threads that read ledgers for requests.
const READERS_MAX: usize = 8;
/// Those of them that read one run; lists need no ledger.
const RUN_READERS_MAX: usize = 4;
const LOOK_PAUSE: Duration = Duration::from_millis(50);
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);
/// For ledgers and what else is open beside connections.
const DESCRIPTORS_OF_OWN: u64 = 256;
const JOB_PAUSE: Duration = Duration::from_millis(200);
/// How long a run may take to save at the end; one that is killed then loses only the games in progress.
const SAVE_TIMEOUT: Duration = Duration::from_secs(20);
/// For answers in progress at the end.
const END_TIMEOUT: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub struct ServeOptions {
    pub folder: PathBuf,
    /// Port 0 is any that is free.
    pub address: SocketAddr,
    pub token: Option<String>,
    pub tls: Option<Certificate>,
    /// What others call this machine.
    pub names: Vec<String>,
    pub control: Option<Control>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    pub program: PathBuf,
    /// May files from a page name programs of this machine?
    pub allows_programs: bool,
}

pub(super) struct Site {
    pub(super) controller: Option<JobController>,
    pub(super) index: RunIndex,
    pub(super) cache: Cache,
    pub(super) feed: ChangeFeed,
    pub(super) gates: Gates,
    /// Somebody viewed the list: what it lacks is to be counted.
    pub(super) wanted: Notify,
}

impl Site {
    pub(super) fn is_held(&self) -> bool {
        self.controller.as_ref().is_some_and(JobController::is_held)
    }

    pub(super) fn choices(&self) -> Option<RunChoices> {
        let controller = self.controller.as_ref()?;
        Some(RunChoices {
            is_held: controller.is_held(),
            ..self.index.choices(controller.allows_programs())
        })
    }

    /// A row of every run: those that wait to be played first, then the newest change.
    pub(super) fn rows(&self) -> Vec<RunRow> {
        let mut rows = self.index.rows();
        let Some(controller) = &self.controller else {
            return rows;
        };
        let (waiting, failures) = controller.queue_state();
        let mut to_front = |name: String, tell: &dyn Fn(&mut RunRow)| {
            let known = rows.iter().position(|row| row.run == name);
            let mut row = known.map_or_else(RunRow::default, |place| rows.remove(place));
            row.run = name;
            tell(&mut row);
            rows.insert(0, row);
        };
        for (name, why) in failures {
            to_front(name, &|row| {
                // A ledger tells the state of its run better.
                if row.kind.is_none() {
                    row.state = Some(State::Invalid);
                }
                row.error = Some(why.clone());
            });
        }
        for name in waiting.into_iter().rev() {
            to_front(name, &|row| row.state = Some(State::Queued));
        }
        rows
    }
}

/// Who waits for a run that is read slowly keeps no thread from those who ask for something else.
pub(super) struct Gates {
    /// For runs by their names: one request at a time reads a run.
    runs: [Mutex<()>; 16],
    /// Of the threads that read, those that read runs.
    readers: Arc<Semaphore>,
    /// One request at a time changes something.
    pub(super) changes: Mutex<()>,
}

impl Gates {
    fn new() -> Gates {
        Gates {
            runs: Default::default(),
            readers: Arc::new(Semaphore::new(RUN_READERS_MAX)),
            changes: Mutex::default(),
        }
    }

    /// What is held while the run of this name is read.
    pub(super) async fn enter(&self, name: &str) -> (MutexGuard<'_, ()>, Option<SemaphorePermit<'_>>) {
        let hash = name.bytes().fold(0_usize, |hash, byte| {
            hash.wrapping_mul(31).wrapping_add(byte.into())
        });
        let gate = self.runs[hash % self.runs.len()].lock().await;
        (gate, self.readers.acquire().await.ok())
    }
}

/// Serves until `interrupt` is raised; calls `ready` with the address to open.
pub fn serve(options: ServeOptions, interrupt: &Interrupt, ready: impl FnOnce(&str)) -> Result<(), WebError> {
    options.check()?;
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(READERS_MAX)
        .build()?;
    let served = runtime.block_on(serve_within(options, interrupt, ready));
    runtime.shutdown_timeout(END_TIMEOUT);
    served
}

impl ServeOptions {
    /// Others may reach only what is encrypted and has a token, under a name that its certificate has.
    fn check(&self) -> Result<(), WebError> {
        let is_private = self.tls.is_some() && self.token.is_some();
        if !self.address.ip().is_loopback() && !is_private {
            return Err(WebError::Exposed(self.address));
        }
        if self.address.ip().is_unspecified() && self.names.is_empty() {
            return Err(WebError::Nameless(self.address));
        }
        Ok(())
    }
}

async fn serve_within(
    options: ServeOptions,
    interrupt: &Interrupt,
    ready: impl FnOnce(&str),
) -> Result<(), WebError> {
    let tls = options.tls.as_ref().map(Certificate::acceptor).transpose()?;
    let refused = |source| WebError::Listen {
        address: options.address,
        source,
    };
    let listener = TcpListener::bind(options.address).await.map_err(refused)?;
    let address = listener.local_addr()?;
    let token = options.token.as_deref();
    let mut guard = RequestGuard::new(address, &options.names, token);
    guard.is_control = options.control.is_some();
    guard.is_tls = tls.is_some();
    let host = match options.names.first() {
        Some(name) => format!("{name}:{}", address.port()),
        None => address.to_string(),
    };
    let scheme = if tls.is_some() { "https" } else { "http" };
    let query = token.map_or(String::new(), |token| format!("?token={token}"));
    let gates = Gates::new();
    let site = Arc::new(Site {
        controller: options
            .control
            .map(|control| JobController::new(options.folder.clone(), control)),
        index: RunIndex::new(options.folder),
        cache: Cache::default(),
        feed: ChangeFeed::new(Arc::clone(&gates.readers)),
        gates,
        wanted: Notify::new(),
    });
    let router = routes(Arc::clone(&site)).layer(from_fn_with_state(Arc::new(guard), guarded));
    tokio::spawn(count_when_wanted(Arc::clone(&site)));
    tokio::spawn(run_jobs(Arc::clone(&site)));
    ready(&format!("{scheme}://{host}/{query}"));
    tokio::select! {
        () = accept(&listener, router, tls) => {}
        () = raised(interrupt) => {}
    }
    end_jobs(&site).await;
    Ok(())
}

async fn raised(interrupt: &Interrupt) {
    while !interrupt.is_requested() {
        sleep(LOOK_PAUSE).await;
    }
}

async fn accept(listener: &TcpListener, router: Router, tls: Option<TlsAcceptor>) {
    raise_descriptors(CONNECTIONS_MAX as u64 + DESCRIPTORS_OF_OWN);
    let open_max = survey().descriptors.map_or(u64::MAX, |open| open.soft);
    let others = DESCRIPTORS_OF_OWN.min(open_max / 2);
    let places = Places::new(CONNECTIONS_MAX.min(usize::try_from(open_max - others).unwrap_or(usize::MAX)));
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let place = places.take(peer.ip());
                let id = place.id();
                let answered = tokio::spawn(answer(stream, tls.clone(), router.clone(), place));
                places.ends(id, answered.abort_handle());
            }
            // Descriptors may be short.
            Err(_) => {
                places.spare_one();
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn end_jobs(site: &Site) {
    let Some(controller) = &site.controller else {
        return;
    };
    controller.end();
    let until = Instant::now() + SAVE_TIMEOUT;
    while !controller.has_ended() && Instant::now() < until {
        sleep(LOOK_PAUSE).await;
    }
}

async fn run_jobs(site: Arc<Site>) {
    while site.controller.is_some() {
        let site = Arc::clone(&site);
        drop(spawn_blocking(move || site.controller.as_ref().map(JobController::tick)).await);
        sleep(JOB_PAUSE).await;
    }
}

/// Counts what the list lacks, one run after the other, after somebody viewed it.
async fn count_when_wanted(site: Arc<Site>) {
    loop {
        site.wanted.notified().await;
        loop {
            let site = Arc::clone(&site);
            // A run whose count panics is tried again with the next view, not now.
            if !spawn_blocking(move || site.index.count_one())
                .await
                .unwrap_or(false)
            {
                break;
            }
        }
    }
}
