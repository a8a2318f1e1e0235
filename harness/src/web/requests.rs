//! Requests that change runs. None of them is a `GET`, and the guard lets through only those that it trusts.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde_json::{Value, json};

use super::guard::BODY_BYTES_MAX;
use super::job_controller::JobController;
use super::routes::{Answer, SiteState, answer};
use super::server::Site;

pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/api/v1/queue", get(look).post(add))
        .route("/api/v1/control/{*path}", get(choices).post(act))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
}

async fn with_controller(
    site: &Arc<Site>,
    act: impl FnOnce(&Site, &JobController) -> Answer + Send + 'static,
) -> Response {
    answer(site, |site| match &site.controller {
        Some(controller) => act(site, controller),
        None => Err((
            StatusCode::METHOD_NOT_ALLOWED,
            "only a server with --control does that".to_owned(),
        )),
    })
    .await
}

async fn look(State(site): SiteState) -> Response {
    with_controller(&site, |_, controller| Ok(controller.json())).await
}

async fn add(State(site): SiteState, body: String) -> Response {
    let _turn = site.gates.changes.lock().await;
    with_controller(&site, move |_, controller| {
        let refused = |why: String| (StatusCode::UNPROCESSABLE_ENTITY, why);
        let request: Value =
            serde_json::from_str(&body).map_err(|error| refused(format!("no JSON: {error}")))?;
        let [name, text] = ["name", "text"].map(|key| request[key].as_str());
        let (Some(name), Some(text)) = (name, text) else {
            return Err(refused("give {\"name\": …, \"text\": …}".to_owned()));
        };
        controller.queue(name, text).map_err(refused)?;
        Ok(controller.json())
    })
    .await
}

async fn choices(State(site): SiteState, Path(path): Path<String>) -> Response {
    with_controller(&site, move |site, controller| {
        let run = site.index.find(path.trim_end_matches('/'));
        let run = run.ok_or_else(|| (StatusCode::NOT_FOUND, "no such run".to_owned()))?;
        let (may, why) = controller.choices(&run);
        Ok(json!({ "may": may, "why": why }))
    })
    .await
}

async fn act(State(site): SiteState, Path(path): Path<String>) -> Response {
    let _turn = site.gates.changes.lock().await;
    with_controller(&site, move |site, controller| {
        let (name, request) = path.rsplit_once('/').unwrap_or(("", &path));
        let acted = match (request, site.index.find(name)) {
            ("resume", _) if name.is_empty() => {
                controller.start_queue();
                Ok(())
            }
            ("pause", Some(run)) => controller.pause(&run),
            ("resume", Some(run)) => controller.resume(&run),
            ("stop", _) => controller.stop(name),
            _ => return Err((StatusCode::NOT_FOUND, "no such run or request".to_owned())),
        };
        acted.map_err(|why| (StatusCode::CONFLICT, why))?;
        Ok(controller.json())
    })
    .await
}
