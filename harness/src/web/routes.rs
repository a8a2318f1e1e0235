//! What can be asked for. No request becomes a path of the file system: a run is found by its name among those of the index.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::change_feed::{Snapshot, events};
use super::requests;
use super::run_index::StoredRun;
use super::server::Site;
use crate::ledger::LedgerStamp;
use crate::report::{
    FirstGame, Fragment, List, ListFilter, Served, index_json, index_page, live_page, metrics, notice_page,
};

const RUNS_SHOWN: usize = 100;
const RUNS_MAX: usize = 1_000;
const GAMES_SHOWN: u64 = 100;
const GAMES_MAX: u64 = 1_000;
const LIST_PAUSE: Duration = Duration::from_secs(2);

pub(super) type SiteState = State<Arc<Site>>;

pub(super) fn routes(site: Arc<Site>) -> Router {
    Router::new()
        .merge(requests::routes())
        .route("/", get(list))
        .route("/events", get(list_events))
        .route("/metrics", get(metrics_text))
        .route("/runs/{*path}", get(page))
        .route("/fragment/{*path}", get(fragment))
        .route("/live/{*path}", get(live))
        .route("/api/v1/runs", get(api_list))
        .route("/api/v1/runs/{*path}", get(api_run))
        .fallback(|| async { missing() })
        .with_state(site)
}

#[derive(Deserialize)]
struct PageQuery {
    from: Option<u64>,
    count: Option<u64>,
    /// Of the first game.
    number: Option<u64>,
    /// 1: the last ones.
    last: Option<u8>,
    state: Option<String>,
    kind: Option<String>,
    q: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for PageQuery {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PageQuery, Self::Rejection> {
        let read = Query::from_request_parts(parts, state).await;
        let wrong = "from, count, number and last are whole numbers of at least 0\n";
        read.map(|Query(page)| page)
            .map_err(|_| (StatusCode::BAD_REQUEST, wrong))
    }
}

impl PageQuery {
    fn of_runs(&self) -> [usize; 2] {
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let count = self.count.map_or(RUNS_SHOWN, number).clamp(1, RUNS_MAX);
        [self.from.map_or(0, number), count]
    }

    fn first_game(&self) -> FirstGame {
        match (self.last, self.number) {
            (Some(1), _) => FirstGame::OfLast,
            (_, Some(number)) => FirstGame::Numbered(number),
            _ => FirstGame::At(self.from.unwrap_or(0)),
        }
    }
}

pub(super) type Answer = Result<Value, (StatusCode, String)>;

/// Answers with what `read` gives, made in a blocking thread.
pub(super) async fn answer(
    site: &Arc<Site>,
    read: impl FnOnce(&Site) -> Answer + Send + 'static,
) -> Response {
    let (status, value) = match reading(site, read).await {
        Ok(Ok(value)) => (StatusCode::OK, value),
        Ok(Err((status, why))) => (status, json!({ "error": why })),
        Err(response) => return response,
    };
    (status, [(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

async fn reading<T: Send + 'static>(
    site: &Arc<Site>,
    read: impl FnOnce(&Site) -> T + Send + 'static,
) -> Result<T, Response> {
    let site = Arc::clone(site);
    let read = spawn_blocking(move || read(&site)).await;
    read.map_err(|_| (StatusCode::INTERNAL_SERVER_ERROR, "this run cannot be read\n").into_response())
}

async fn list(State(site): SiteState, page: PageQuery) -> Result<Response, Response> {
    let made = reading(&site, move |site| {
        let [from, count] = page.of_runs();
        let list = List {
            folder: &site.index.root.display().to_string(),
            rows: &site.rows(),
            filter: &ListFilter {
                state: page.state,
                kind: page.kind,
                words: page.q,
            },
            from,
            count,
            control: site.choices(),
        };
        index_page(list)
    });
    let made = made.await?;
    site.wanted.notify_one();
    Ok(sent(StatusCode::OK, made))
}

async fn api_list(State(site): SiteState, page: PageQuery) -> Response {
    let answer = answer(&site, move |site| {
        let rows = site.rows();
        let [from, count] = page.of_runs();
        let from = from.min(rows.len());
        let end = from.saturating_add(count).min(rows.len());
        Ok(index_json(&rows[from..end], from, rows.len()))
    });
    let answer = answer.await;
    site.wanted.notify_one();
    answer
}

async fn metrics_text(State(site): SiteState) -> Result<Response, Response> {
    let text = reading(&site, |site| metrics(&site.rows())).await?;
    site.wanted.notify_one();
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

async fn list_events(State(site): SiteState) -> Response {
    let watched = Arc::clone(&site);
    let changes = site.feed.watch("/", move || {
        watched.wanted.notify_one();
        let rows = watched.rows();
        let mut value = index_json(&rows, 0, rows.len());
        for row in value["runs"].as_array_mut().into_iter().flatten() {
            // The passing of time is no change.
            row["last_change_s"] = Value::Null;
        }
        Snapshot {
            state: format!("{value} {}", watched.is_held()).into_bytes(),
            boards: String::new(),
            age_s: rows.first().and_then(|row| row.age_s),
            pause: LIST_PAUSE,
        }
    });
    events(changes).into_response()
}

async fn page(State(site): SiteState, Path(path): Path<String>, uri: Uri) -> Result<Response, Response> {
    if let Some(run) = path.strip_suffix("/report.html") {
        // Pages of queues link to the files of their jobs.
        let up = if run.is_empty() { "../" } else { "./" };
        return Ok(Redirect::to(up).into_response());
    }
    if !path.ends_with('/') {
        let last = uri.path().rsplit('/').next().unwrap_or_default();
        return Ok(Redirect::to(&format!("./{last}/")).into_response());
    }
    let name = path.trim_end_matches('/').to_owned();
    let _turn = site.gates.enter(&name).await;
    let base = "../".repeat(name.split('/').count() + 1);
    let made = reading(&site, move |site| {
        let Some(run) = site.index.find(&name) else {
            let text = format!("no run is called '{name}' here\n");
            return (StatusCode::NOT_FOUND, notice_page("404", &text, &base));
        };
        let fragment = if site.cache.is_slow(&run) {
            Ok(Fragment::awaited(&name, run.finished()))
        } else {
            site.cache.fragment(&run, &site.index.stamps(&run))
        };
        match fragment {
            Ok(fragment) => (
                StatusCode::OK,
                live_page(&fragment, [&run.name, &base], site.controller.is_some()),
            ),
            Err(error) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                notice_page(&name, &error, &base),
            ),
        }
    });
    let (status, made) = made.await?;
    Ok(sent(status, made))
}

async fn fragment(State(site): SiteState, Path(path): Path<String>) -> Result<Response, Response> {
    if let Some(body) = site.cache.fresh(&path) {
        return Ok(Html(body).into_response());
    }
    let _turn = site.gates.enter(&path).await;
    let made = reading(&site, move |site| {
        let run = site.index.find(&path)?;
        Some(site.cache.fragment(&run, &site.index.stamps(&run)))
    });
    Ok(match made.await? {
        Some(Ok(fragment)) => Html(fragment.html()).into_response(),
        Some(Err(error)) => (StatusCode::INTERNAL_SERVER_ERROR, error).into_response(),
        None => missing(),
    })
}

async fn live(State(site): SiteState, Path(path): Path<String>) -> Result<Response, Response> {
    let found = reading(&site, {
        let path = path.clone();
        move |site| site.index.find(&path)
    });
    let Some(run) = found.await? else {
        return Ok(missing());
    };
    let watched = Arc::clone(&site);
    let changes = site.feed.watch(&path, move || snapshot(&watched, &run));
    Ok(events(changes).into_response())
}

/// Of a run and of all below it, counted where they changed.
fn snapshot(site: &Site, run: &StoredRun) -> Snapshot {
    let stamps = site.index.stamps(run);
    let pause = site.cache.refresh(run, &stamps);
    // Every viewer asks for it at once.
    drop(site.cache.fragment(run, &stamps));
    Snapshot {
        age_s: stamps.iter().filter_map(LedgerStamp::age_s).min(),
        pause,
        state: format!("{stamps:?}").into_bytes(),
        boards: site.index.boards(run).to_string(),
    }
}

async fn api_run(State(site): SiteState, Path(path): Path<String>, page: PageQuery) -> Response {
    let path = path.trim_end_matches('/').to_owned();
    let part = path
        .strip_suffix("/games")
        .or_else(|| path.strip_suffix("/boards"));
    let _turn = site.gates.enter(part.unwrap_or(&path)).await;
    answer(&site, move |site| {
        let found = |name: &str| site.index.find(name);
        // A job may be called 'games'.
        let made = if let Some(run) = found(&path) {
            site.cache.json(&run, &site.index.stamps(&run))
        } else if let Some(run) = path.strip_suffix("/games").and_then(found) {
            let count = page.count.unwrap_or(GAMES_SHOWN).clamp(1, GAMES_MAX);
            let first = page.first_game();
            let games = site.cache.games(&run, &site.index.stamps(&run), first, count);
            match games.transpose() {
                Some(games) => games,
                None => return Err((StatusCode::NOT_FOUND, "this run holds no games".to_owned())),
            }
        } else if let Some(run) = path.strip_suffix("/boards").and_then(found) {
            Ok(site.index.boards(&run))
        } else {
            return Err((StatusCode::NOT_FOUND, "no such run".to_owned()));
        };
        made.map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error))
    })
    .await
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "there is nothing\n").into_response()
}

fn sent(status: StatusCode, served: Served) -> Response {
    (
        status,
        [(CONTENT_SECURITY_POLICY, served.policy)],
        Html(served.html),
    )
        .into_response()
}
