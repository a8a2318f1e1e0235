//! Wishes as requests.
//!
//! In: requests that the guard let through. Out: JSON. Must not: act on a `GET`.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::Conductor;
use crate::web::guard::BODY_BYTES_MAX;
use crate::web::library::Library;

type Shared = State<Arc<Library>>;

/// The line: looked at, added to, and let go on.
pub(in crate::web) fn wishes() -> [(&'static str, MethodRouter<Arc<Library>>); 2] {
    let limit = || DefaultBodyLimit::max(BODY_BYTES_MAX);
    [
        ("/api/v1/queue", get(look).post(add).layer(limit())),
        (
            "/api/v1/control/{*path}",
            get(choices).merge(post(act)).layer(limit()),
        ),
    ]
}

/// Does what looks at files or starts processes away from those who wait for others.
async fn conducting<T: Send + 'static>(
    library: Arc<Library>,
    act: impl FnOnce(&Library, &Conductor) -> Result<T, (StatusCode, String)> + Send + 'static,
) -> Result<T, Response> {
    let acted = spawn_blocking(move || match &library.conductor {
        Some(conductor) => act(&library, conductor),
        None => Err((
            StatusCode::METHOD_NOT_ALLOWED,
            "only a server with --control does that".to_owned(),
        )),
    });
    let acted = acted
        .await
        .unwrap_or_else(|_| Err((StatusCode::INTERNAL_SERVER_ERROR, "that failed".to_owned())));
    acted.map_err(|(status, why)| said(status, &json!({ "error": why })))
}

async fn look(State(library): Shared) -> Result<Response, Response> {
    let line = conducting(library, |_, conductor| Ok(conductor.json())).await?;
    Ok(said(StatusCode::OK, &line))
}

async fn add(State(library): Shared, body: String) -> Result<Response, Response> {
    let line = conducting(library, move |_, conductor| {
        let refused = |why: String| (StatusCode::UNPROCESSABLE_ENTITY, why);
        let wish: Value =
            serde_json::from_str(&body).map_err(|error| refused(format!("no JSON: {error}")))?;
        let [name, text] = ["name", "text"].map(|key| wish[key].as_str());
        let (Some(name), Some(text)) = (name, text) else {
            return Err(refused("give {\"name\": …, \"text\": …}".to_owned()));
        };
        conductor.queue(name, text).map_err(refused)?;
        Ok(conductor.json())
    });
    Ok(said(StatusCode::OK, &line.await?))
}

async fn choices(State(library): Shared, Path(path): Path<String>) -> Result<Response, Response> {
    let found = conducting(library, move |library, conductor| {
        let run = library.shelf.find(path.trim_end_matches('/'));
        let run = run.ok_or_else(|| (StatusCode::NOT_FOUND, "no such run".to_owned()))?;
        let choices = conductor.choices(&run);
        Ok(json!({ "may": choices.may, "why": choices.why }))
    });
    Ok(said(StatusCode::OK, &found.await?))
}

async fn act(State(library): Shared, Path(path): Path<String>) -> Result<Response, Response> {
    let line = conducting(library, move |library, conductor| {
        let missing = || (StatusCode::NOT_FOUND, "no such run or wish".to_owned());
        let (name, wish) = path.rsplit_once('/').unwrap_or(("", &path));
        let run = library.shelf.find(name);
        let acted = match (wish, run) {
            ("resume", _) if name.is_empty() => {
                conductor.go_on();
                Ok(())
            }
            ("pause", Some(run)) => conductor.pause(&run),
            ("resume", Some(run)) => conductor.resume(&run),
            ("stop", _) => conductor.stop(name),
            _ => return Err(missing()),
        };
        acted.map_err(|why| (StatusCode::CONFLICT, why))?;
        Ok(conductor.json())
    });
    Ok(said(StatusCode::OK, &line.await?))
}

fn said(status: StatusCode, value: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}
