//! What can be asked for.
//!
//! In: a path. Out: a page, JSON, changes, metrics. Must not: make a path of the file system out of what was asked: a run is found by
//! its name among those that are there.

use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::control::wishes;
use super::follow::{Sight, events};
use super::library::Library;
use super::shelf::Stored;
use crate::ledger::LedgerStamp;
use crate::report::{Fragment, Served, index_json, index_page, live_page, metrics, notice_page};

/// Runs on a page of the list, and in an answer, at most.
const RUNS_SHOWN: usize = 100;
const RUNS_MAX: usize = 1_000;
/// Games in an answer, and at most.
const GAMES_SHOWN: u64 = 100;
const GAMES_MAX: u64 = 1_000;
/// Between two looks at all runs.
const LIST_PAUSE: Duration = Duration::from_secs(2);

type Shared = State<Arc<Library>>;

pub(super) fn routes(library: Arc<Library>) -> Router {
    let router = Router::new();
    let router = wishes()
        .into_iter()
        .fold(router, |router, (path, wish)| router.route(path, wish));
    router
        .route("/", get(list))
        .route("/events", get(list_events))
        .route("/metrics", get(metrics_text))
        .route("/runs/{*path}", get(page))
        .route("/fragment/{*path}", get(fragment))
        .route("/live/{*path}", get(live))
        .route("/api/v1/runs", get(api_list))
        .route("/api/v1/runs/{*path}", get(api_run))
        .fallback(|| async { missing() })
        .with_state(library)
}

#[derive(Deserialize)]
struct Part {
    from: Option<u64>,
    count: Option<u64>,
    /// The end of it.
    last: Option<u8>,
}

impl Part {
    fn of_runs(&self) -> [usize; 2] {
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let count = self.count.map_or(RUNS_SHOWN, number).clamp(1, RUNS_MAX);
        [self.from.map_or(0, number), count]
    }
}

/// Does what reads files, away from those who wait for others.
async fn reading<T: Send + 'static>(
    library: &Arc<Library>,
    read: impl FnOnce(&Library) -> T + Send + 'static,
) -> Result<T, Response> {
    let library = Arc::clone(library);
    let read = spawn_blocking(move || read(&library)).await;
    read.map_err(|_| (StatusCode::INTERNAL_SERVER_ERROR, "this run cannot be read\n").into_response())
}

async fn list(State(library): Shared, Query(part): Query<Part>) -> Result<Response, Response> {
    let made = reading(&library, move |library| {
        let rows = library.shelf.rows();
        let [from, count] = part.of_runs();
        let shown = rows.get(from.min(rows.len())..).unwrap_or_default();
        let shown = &shown[..count.min(shown.len())];
        index_page(
            &folder_name(library.shelf.root()),
            shown,
            [from, count, rows.len()],
            library.conductor.is_some(),
            library.language,
        )
    });
    let made = made.await?;
    library.wanted.notify_one();
    Ok(sent(StatusCode::OK, made))
}

async fn api_list(State(library): Shared, Query(part): Query<Part>) -> Result<Response, Response> {
    let made = reading(&library, move |library| {
        let rows = library.shelf.rows();
        let [from, count] = part.of_runs();
        let from = from.min(rows.len());
        let end = from.saturating_add(count).min(rows.len());
        index_json(&rows[from..end], from, rows.len())
    });
    let made = made.await?;
    library.wanted.notify_one();
    Ok(json_of(StatusCode::OK, &made))
}

async fn metrics_text(State(library): Shared) -> Result<Response, Response> {
    let text = reading(&library, |library| metrics(&library.shelf.rows())).await?;
    library.wanted.notify_one();
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

async fn list_events(State(library): Shared) -> Response {
    let watched = Arc::clone(&library);
    let changes = library.follow.watch("/", move || {
        watched.wanted.notify_one();
        let rows = watched.shelf.rows();
        let mut value = index_json(&rows, 0, rows.len());
        for row in value["runs"].as_array_mut().into_iter().flatten() {
            // Time that goes by is no change.
            row["last_change_s"] = Value::Null;
        }
        Sight {
            of: value.to_string().into_bytes(),
            boards: String::new(),
            age_s: rows.first().and_then(|row| row.age_s),
            pause: LIST_PAUSE,
        }
    });
    events(changes).into_response()
}

async fn page(State(library): Shared, Path(path): Path<String>, uri: Uri) -> Result<Response, Response> {
    if let Some(run) = path.strip_suffix("/report.html") {
        // Nights link to the files of their jobs.
        let up = if run.is_empty() { "../" } else { "./" };
        return Ok(Redirect::to(up).into_response());
    }
    if !path.ends_with('/') {
        let last = uri.path().rsplit('/').next().unwrap_or_default();
        return Ok(Redirect::to(&format!("./{last}/")).into_response());
    }
    let name = path.trim_end_matches('/').to_owned();
    let base = "../".repeat(name.split('/').count() + 1);
    let made = reading(&library, move |library| {
        let Some(run) = library.shelf.find(&name) else {
            let text = format!("no run is called '{name}' here\n");
            return (
                StatusCode::NOT_FOUND,
                notice_page("404", &text, &base, library.language),
            );
        };
        let fragment = if library.desk.is_slow(&run) {
            Ok(Fragment::awaited(&name, run.finished()))
        } else {
            library.desk.fragment(&run, &library.shelf.stamps(&run))
        };
        match fragment {
            Ok(fragment) => (
                StatusCode::OK,
                live_page(
                    &fragment,
                    [&name, &base],
                    library.conductor.is_some(),
                    library.language,
                ),
            ),
            Err(error) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                notice_page(&name, &error, &base, library.language),
            ),
        }
    });
    let (status, made) = made.await?;
    Ok(sent(status, made))
}

async fn fragment(State(library): Shared, Path(path): Path<String>) -> Result<Response, Response> {
    if let Some(body) = library.desk.fresh(&path) {
        return Ok(Html(body).into_response());
    }
    let made = reading(&library, move |library| {
        let run = library.shelf.find(&path)?;
        Some(library.desk.fragment(&run, &library.shelf.stamps(&run)))
    });
    Ok(match made.await? {
        Some(Ok(fragment)) => Html(fragment.html).into_response(),
        Some(Err(error)) => (StatusCode::INTERNAL_SERVER_ERROR, error).into_response(),
        None => missing(),
    })
}

async fn live(State(library): Shared, Path(path): Path<String>) -> Result<Response, Response> {
    let found = reading(&library, {
        let path = path.clone();
        move |library| library.shelf.find(&path)
    });
    let Some(run) = found.await? else {
        return Ok(missing());
    };
    let watched = Arc::clone(&library);
    let changes = library.follow.watch(&path, move || sight(&watched, &run));
    Ok(events(changes).into_response())
}

/// Of a run and of all below it, counted where it changed.
fn sight(library: &Library, run: &Stored) -> Sight {
    let stamps = library.shelf.stamps(run);
    let pause = library.desk.refresh(run, &stamps);
    // Everybody who hears of a change asks for it.
    drop(library.desk.fragment(run, &stamps));
    Sight {
        age_s: stamps.iter().filter_map(LedgerStamp::age_s).min(),
        pause,
        of: format!("{stamps:?}").into_bytes(),
        boards: library.shelf.boards(run).to_string(),
    }
}

async fn api_run(
    State(library): Shared,
    Path(path): Path<String>,
    Query(part): Query<Part>,
) -> Result<Response, Response> {
    let made = reading(&library, move |library| {
        let found = |name: &str| library.shelf.find(name);
        if let Some(run) = path.strip_suffix("/games").and_then(found) {
            let count = part.count.unwrap_or(GAMES_SHOWN).clamp(1, GAMES_MAX);
            let from = (part.last != Some(1)).then_some(part.from.unwrap_or(0));
            let games = library.desk.games(&run, &library.shelf.stamps(&run), from, count);
            return Some(games.map(|games| games.unwrap_or(Value::Null)));
        }
        if let Some(run) = path.strip_suffix("/boards").and_then(found) {
            return Some(Ok(library.shelf.boards(&run)));
        }
        found(path.trim_end_matches('/')).map(|run| library.desk.json(&run, &library.shelf.stamps(&run)))
    });
    Ok(match made.await? {
        Some(Ok(Value::Null)) => json_of(
            StatusCode::NOT_FOUND,
            &json!({ "error": "this run holds no games" }),
        ),
        Some(Ok(value)) => json_of(StatusCode::OK, &value),
        Some(Err(error)) => json_of(StatusCode::INTERNAL_SERVER_ERROR, &json!({ "error": error })),
        None => json_of(StatusCode::NOT_FOUND, &json!({ "error": "no such run" })),
    })
}

fn folder_name(root: &FilePath) -> String {
    root.display().to_string()
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "there is nothing\n").into_response()
}

fn json_of(status: StatusCode, value: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

fn sent(status: StatusCode, served: Served) -> Response {
    (
        status,
        [(CONTENT_SECURITY_POLICY, served.policy)],
        Html(served.html),
    )
        .into_response()
}
