//! What is at which address.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};

use crate::assets::Assets;
use crate::door::Door;
use crate::guard::{Guard, protect};
use crate::jobs::Jobs;
use crate::listen::Answers;
use crate::reply::{Reply, bytes, not_found, object, refuse};
use crate::view::{Views, unescape};
use crate::work::prepare;

/// Bytes of the body of a request, and the time it may take to arrive.
const MAX_BODY: usize = 256 << 10;
const BODY_TIME: Duration = Duration::from_secs(10);
/// Bytes of an address.
const MAX_ADDRESS: usize = 8 << 10;
/// Pages that are told of jobs as they change.
const MAX_FOLLOWERS: usize = 64;
/// Changes are told at most this often, and after this time there is a sign of life.
const TELL_EVERY: Duration = Duration::from_millis(250);
const LIFE_EVERY: Duration = Duration::from_secs(15);

/// Everything that is served.
pub struct Site {
    pub guard: Guard,
    pub assets: Assets,
    pub door: Door,
    pub jobs: Arc<Jobs>,
    pub views: Views,
    pub followers: Arc<Semaphore>,
    pub end: watch::Receiver<bool>,
}

impl Site {
    /// Places for the pages that follow jobs.
    pub fn followers() -> Arc<Semaphore> {
        Arc::new(Semaphore::new(MAX_FOLLOWERS))
    }
}

impl Answers for Site {
    async fn answer(self: Arc<Site>, request: Request, local: SocketAddr) -> Reply {
        let is_head = request.method() == Method::HEAD;
        let mut answer = match self.guard.check(request.method(), request.headers(), local) {
            Ok(()) => self.route(request).await,
            Err(refusal) => *refusal,
        };
        if is_head {
            *answer.body_mut() = Body::empty();
        }
        protect(&mut answer);
        answer
    }
}

impl Site {
    async fn route(&self, request: Request) -> Reply {
        let uri = request.uri();
        // A proxy's request names another server.
        if uri.authority().is_some() || uri.path().len() > MAX_ADDRESS {
            return refuse(StatusCode::BAD_REQUEST, "this is no address of a page");
        }
        let path = uri.path().to_owned();
        let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
        if let Some(rest) = path.strip_prefix("/api/") {
            return match self.guard.check_token(request.headers()) {
                Ok(()) => self.api(rest, request).await,
                Err(refusal) => *refusal,
            };
        }
        if !is_read {
            return refuse(StatusCode::METHOD_NOT_ALLOWED, "this address can only be read");
        }
        match path.strip_prefix("/view/") {
            Some(rest) => self.views.get(rest),
            None => self.assets.get(&path, request.headers()),
        }
    }

    async fn api(&self, rest: &str, request: Request) -> Reply {
        let method = request.method().clone();
        match (&method, rest) {
            (&Method::GET, "jobs") => return object(&self.jobs.list()),
            (&Method::GET, "events") => return self.events(),
            (&Method::POST, _) => {}
            _ => return refuse(StatusCode::METHOD_NOT_ALLOWED, "expected POST"),
        }
        let body = match read(request).await {
            Ok(body) => body,
            Err(refusal) => return *refusal,
        };
        match (rest, rest.strip_prefix("jobs/")) {
            ("jobs", _) => self.start(&body),
            ("ticket", _) => {
                let address = body["path"].as_str().and_then(|path| self.views.address(path));
                address.map_or_else(not_found, |url| object(&json!({ "url": url })))
            }
            (_, Some(job)) => self.change(job),
            _ => match unescape(rest) {
                Some(command) => self.door.call(command, body).await,
                None => not_found(),
            },
        }
    }

    /// Starts a job.
    fn start(&self, body: &Value) -> Reply {
        let Some(command) = body["command"].as_str() else {
            return refuse(StatusCode::UNPROCESSABLE_ENTITY, "command is missing");
        };
        let request = body["request"].clone();
        if let Err(refusal) = self.door.check_job(command, &request) {
            return *refusal;
        }
        let started = prepare(command, request)
            .map_err(|why| (StatusCode::UNPROCESSABLE_ENTITY, why))
            .and_then(|job| {
                let started = self.jobs.start(job);
                started.map_err(|why| (StatusCode::SERVICE_UNAVAILABLE, why))
            });
        match started {
            Ok(id) => object(&json!({ "id": id })),
            Err((status, why)) => refuse(status, &why),
        }
    }

    /// Stops or forgets a job: `ID/stop`.
    fn change(&self, job: &str) -> Reply {
        let Some((Ok(id), what)) = job.split_once('/').map(|(id, what)| (id.parse(), what)) else {
            return not_found();
        };
        let is_done = match what {
            "stop" => self.jobs.stop(id),
            "forget" => self.jobs.forget(id),
            _ => false,
        };
        if is_done { object(&json!({ "id": id })) } else { not_found() }
    }

    /// Tells all jobs whenever one changes, as server-sent events.
    fn events(&self) -> Reply {
        let Ok(place) = Arc::clone(&self.followers).try_acquire_owned() else {
            let why = "too many pages are open; close some";
            return refuse(StatusCode::SERVICE_UNAVAILABLE, why);
        };
        let (changes, end) = (self.jobs.changes(), self.end.clone());
        let state = (Arc::clone(&self.jobs), changes, end, place, true);
        let stream = stream::unfold(state, |mut state| async move {
            let (jobs, changes, end, _, is_first) = &mut state;
            let is_news = if *is_first {
                *is_first = false;
                changes.mark_unchanged();
                true
            } else {
                // One message for all changes of this time.
                tokio::time::sleep(TELL_EVERY).await;
                tokio::select! {
                    changed = changes.changed() => changed.is_ok(),
                    () = tokio::time::sleep(LIFE_EVERY) => false,
                    _ = end.wait_for(|end| *end) => return None,
                }
            };
            let text = if is_news { format!("data: {}\n\n", jobs.list()) } else { ":\n\n".into() };
            Some((Ok::<String, Infallible>(text), state))
        });
        let mut answer = bytes("text/event-stream", Body::from_stream(stream));
        answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        answer
    }
}

/// The JSON body of a request.
async fn read(request: Request) -> Result<Value, Box<Reply>> {
    let wrong = |status, why: &str| Err(refuse(status, why).into());
    let kind = request.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    if !kind.is_some_and(|kind| kind.starts_with(b"application/json")) {
        return wrong(StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected application/json");
    }
    let body = tokio::time::timeout(BODY_TIME, to_bytes(request.into_body(), MAX_BODY)).await;
    let body = match body {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            let why = format!("the request is longer than {} kB", MAX_BODY >> 10);
            return wrong(StatusCode::PAYLOAD_TOO_LARGE, &why);
        }
        Err(_) => return wrong(StatusCode::REQUEST_TIMEOUT, "the request took too long"),
    };
    match serde_json::from_slice(&body) {
        Ok(body) => Ok(body),
        Err(error) => wrong(StatusCode::BAD_REQUEST, &format!("the request is no JSON: {error}")),
    }
}
