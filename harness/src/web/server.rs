//! The server: who may connect, how many at a time, until when.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{Notify, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};
use tokio_rustls::TlsAcceptor;

use super::WebError;
use super::cache::Cache;
use super::change_feed::ChangeFeed;
use super::connection::{Certificate, answer};
use super::guard::{RequestGuard, guarded};
use super::job_controller::JobController;
use super::routes::routes;
use super::run_index::RunIndex;
use crate::interrupt::Interrupt;
use crate::report::Language;

const CONNECTIONS_MAX: usize = 1_024;
/// Threads that read ledgers for requests.
const READERS_MAX: usize = 8;
const LOOK_PAUSE: Duration = Duration::from_millis(50);
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
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
    pub language: Language,
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
    /// Somebody viewed the list: what it lacks is to be counted.
    pub(super) wanted: Notify,
    pub(super) language: Language,
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
    let site = Arc::new(Site {
        controller: options
            .control
            .map(|control| JobController::new(options.folder.clone(), control)),
        index: RunIndex::new(options.folder),
        cache: Cache::default(),
        feed: ChangeFeed::default(),
        wanted: Notify::new(),
        language: options.language,
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
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let (router, tls) = (router.clone(), tls.clone());
                tokio::spawn(async move {
                    answer(stream, tls, router).await;
                    drop(place);
                });
            }
            // Descriptors may be short for a moment.
            Err(_) => sleep(ACCEPT_PAUSE).await,
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
