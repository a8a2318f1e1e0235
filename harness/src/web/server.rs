//! The server: who may connect, how many, until when.
//!
//! In: a folder, a place to listen at. Out: the address, then answers until a signal. Must not: hold more than a bounded number of
//! connections.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use super::connection::answer;
use super::control::Conductor;
use super::counted::Desk;
use super::follow::Follow;
use super::guard::{Guard, guarded};
use super::library::Library;
use super::routes::routes;
use super::shelf::Shelf;
use super::tls::{Certificate, TlsAcceptor, shake_hands};
use super::{Place, WebError};
use crate::interrupt::Interrupt;
use crate::report::Language;

/// Connections at a time; others wait.
const CONNECTIONS_MAX: usize = 1_024;
/// Threads that read ledgers for requests.
const READERS_MAX: usize = 8;
/// Between two looks whether the end is asked for.
const LOOK_PAUSE: Duration = Duration::from_millis(50);
/// After a connection that could not be taken: descriptors may be short.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long a run may take to save at the end; who is killed after it loses only the games in progress.
const SAVE_TIME: Duration = Duration::from_secs(20);
/// Between two looks whether a run has ended.
const CONDUCT_PAUSE: Duration = Duration::from_millis(200);
/// For answers that are under way at the end.
const END_TIME: Duration = Duration::from_millis(500);

/// What is served, and where.
#[derive(Debug)]
pub struct ServeOptions {
    /// The folder that holds runs.
    pub folder: PathBuf,
    /// Where to listen.
    pub place: Place,
    /// Who does not have it is refused.
    pub token: Option<String>,
    /// The files of a certificate and its key, for an address that others can reach.
    pub tls: Option<Certificate>,
    /// What others call this machine.
    pub names: Vec<String>,
    /// May runs be queued, paused, resumed and stopped from a page?
    pub control: Option<Control>,
    /// The language that pages begin in.
    pub language: Language,
}

/// What pages may do to runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// This program, which plays them.
    pub program: PathBuf,
    /// May files from a page name programs of this machine?
    pub allows_programs: bool,
}

/// Serves until `interrupt` is raised; tells `ready` the address to open.
///
/// # Errors
/// It cannot listen there.
pub fn serve(options: ServeOptions, interrupt: &Interrupt, ready: impl FnOnce(&str)) -> Result<(), WebError> {
    options.place.check(
        options.tls.is_some() && options.token.is_some(),
        !options.names.is_empty(),
    )?;
    let runtime = runtime()?;
    let served = runtime.block_on(serve_within(options, interrupt, ready));
    runtime.shutdown_timeout(END_TIME);
    served
}

fn runtime() -> Result<Runtime, WebError> {
    let mut builder = Builder::new_current_thread();
    Ok(builder.enable_all().max_blocking_threads(READERS_MAX).build()?)
}

async fn serve_within(
    options: ServeOptions,
    interrupt: &Interrupt,
    ready: impl FnOnce(&str),
) -> Result<(), WebError> {
    let acceptor = options.tls.as_ref().map(Certificate::acceptor).transpose()?;
    let conductor = options.control.as_ref().map(|control| {
        let program = control.program.clone();
        Conductor::new(options.folder.clone(), program, control.allows_programs)
    });
    let library = Arc::new(Library {
        conductor,
        shelf: Shelf::new(options.folder.clone()),
        desk: Desk::default(),
        follow: Follow::default(),
        wanted: Notify::new(),
        language: options.language,
    });
    tokio::spawn(count_when_wanted(Arc::clone(&library)));
    tokio::spawn(conduct(Arc::clone(&library)));
    let served = listen(&options, Arc::clone(&library), acceptor, interrupt, ready).await;
    end_runs(&library).await;
    served
}

async fn listen(
    options: &ServeOptions,
    library: Arc<Library>,
    acceptor: Option<TlsAcceptor>,
    interrupt: &Interrupt,
    ready: impl FnOnce(&str),
) -> Result<(), WebError> {
    let token = options.token.as_deref();
    let query = token.map_or(String::new(), |token| format!("?token={token}"));
    match &options.place {
        Place::Address(address) => {
            let refused = |source| WebError::Listen {
                place: address.to_string(),
                source,
            };
            let listener = TcpListener::bind(address).await.map_err(refused)?;
            let address = listener.local_addr()?;
            let guard = Guard::new(Some((address, &options.names)), token);
            let router = guarded_routes(library, guard, options);
            let scheme = if acceptor.is_some() { "https" } else { "http" };
            let name = options
                .names
                .first()
                .map(|name| format!("{name}:{}", address.port()));
            ready(&format!(
                "{scheme}://{}/{query}",
                name.unwrap_or_else(|| address.to_string())
            ));
            let take = async move || listener.accept().await.map(|(stream, _)| stream);
            accept(take, router, acceptor, interrupt).await;
            Ok(())
        }
        #[cfg(unix)]
        Place::Socket(path) => {
            let refused = |source| WebError::Listen {
                place: path.display().to_string(),
                source,
            };
            let listener = crate::platform::listen_alone(path).map_err(refused)?;
            let listener = tokio::net::UnixListener::from_std(listener).map_err(refused)?;
            let router = guarded_routes(library, Guard::new(None, token), options);
            ready(&format!("unix:{}{query}", path.display()));
            let take = async move || listener.accept().await.map(|(stream, _)| stream);
            accept(take, router, None, interrupt).await;
            crate::platform::remove_socket(path);
            Ok(())
        }
        #[cfg(not(unix))]
        Place::Socket(_) => Err(WebError::NoSockets),
    }
}

fn guarded_routes(library: Arc<Library>, guard: Guard, options: &ServeOptions) -> Router {
    let guard = guard
        .with_control(options.control.is_some())
        .with_tls(options.tls.is_some());
    routes(library).layer(from_fn_with_state(Arc::new(guard), guarded))
}

async fn accept<S>(
    take: impl AsyncFn() -> std::io::Result<S>,
    router: Router,
    acceptor: Option<TlsAcceptor>,
    interrupt: &Interrupt,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let serving = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else {
                return;
            };
            match take().await {
                Ok(stream) => {
                    let (router, acceptor) = (router.clone(), acceptor.clone());
                    tokio::spawn(async move {
                        match acceptor {
                            None => answer(stream, router).await,
                            Some(acceptor) => {
                                if let Some(stream) = shake_hands(&acceptor, stream).await {
                                    answer(stream, router).await;
                                }
                            }
                        }
                        drop(place);
                    });
                }
                Err(_) => sleep(ACCEPT_PAUSE).await,
            }
        }
    };
    let ending = async {
        while !interrupt.is_requested() {
            sleep(LOOK_PAUSE).await;
        }
    };
    tokio::select! {
        () = serving => {}
        () = ending => {}
    }
}

/// Waits until whoever plays for this server has saved.
async fn end_runs(library: &Library) {
    let Some(conductor) = &library.conductor else {
        return;
    };
    conductor.end();
    let until = Instant::now() + SAVE_TIME;
    while !conductor.has_ended() && Instant::now() < until {
        sleep(LOOK_PAUSE).await;
    }
}

/// Starts runs whose turn it is.
async fn conduct(library: Arc<Library>) {
    while library.conductor.is_some() {
        let library = Arc::clone(&library);
        drop(spawn_blocking(move || library.conductor.as_ref().map(Conductor::tick)).await);
        sleep(CONDUCT_PAUSE).await;
    }
}

/// Counts what the list of runs lacks, one run after the other, after somebody looked at it.
async fn count_when_wanted(library: Arc<Library>) {
    loop {
        library.wanted.notified().await;
        loop {
            let library = Arc::clone(&library);
            // A run whose count panics is tried again with the next look, not now.
            if !spawn_blocking(move || library.shelf.count_one())
                .await
                .unwrap_or(false)
            {
                break;
            }
        }
    }
}
