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
use tokio::time::sleep;

use super::connection::answer;
use super::counted::Desk;
use super::follow::Follow;
use super::guard::{Guard, guarded};
use super::routes::{Library, routes};
use super::shelf::Shelf;
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
    /// The language that pages begin in.
    pub language: Language,
}

/// Serves until `interrupt` is raised; tells `ready` the address to open.
///
/// # Errors
/// It cannot listen there.
pub fn serve(options: ServeOptions, interrupt: &Interrupt, ready: impl FnOnce(&str)) -> Result<(), WebError> {
    options.place.check()?;
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
    let library = Arc::new(Library {
        shelf: Shelf::new(options.folder),
        desk: Desk::default(),
        follow: Follow::default(),
        wanted: Notify::new(),
        language: options.language,
    });
    tokio::spawn(count_when_wanted(Arc::clone(&library)));
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
            let router = guarded_routes(library, Guard::new(Some(address), token));
            ready(&format!("http://{address}/{query}"));
            let take = async move || listener.accept().await.map(|(stream, _)| stream);
            accept(take, router, interrupt).await;
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
            let router = guarded_routes(library, Guard::new(None, token));
            ready(&format!("unix:{}{query}", path.display()));
            let take = async move || listener.accept().await.map(|(stream, _)| stream);
            accept(take, router, interrupt).await;
            crate::platform::remove_socket(path);
            Ok(())
        }
        #[cfg(not(unix))]
        Place::Socket(_) => Err(WebError::NoSockets),
    }
}

fn guarded_routes(library: Arc<Library>, guard: Guard) -> Router {
    routes(library).layer(from_fn_with_state(Arc::new(guard), guarded))
}

async fn accept<S>(take: impl AsyncFn() -> std::io::Result<S>, router: Router, interrupt: &Interrupt)
where
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
                    let router = router.clone();
                    tokio::spawn(async move {
                        answer(stream, router).await;
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
