//! Which commands the page may call, and how they are run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use outflank_commands::{Error, Watch, answer};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::confine::Folder;
use crate::reply::{Reply, object, refuse};

/// A command of the page.
struct Open {
    name: &'static str,
    /// Keys whose strings are data: pasted games, not names of files.
    texts: &'static [&'static str],
    way: Way,
}

/// How a command is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Answers at once, and writes nothing.
    Now,
    /// Is started as a job.
    Job,
}

const fn now(name: &'static str, texts: &'static [&'static str]) -> Open {
    Open { name, texts, way: Way::Now }
}

const fn job(name: &'static str) -> Open {
    Open { name, texts: &[], way: Way::Job }
}

/// All commands of the page. Whatever is not listed is refused.
const OPEN: &[Open] = &[
    now("runs", &[]),
    now("players", &[]),
    now("presets", &[]),
    now("form", &["seeds", "games", "threads"]),
    now("curves", &[]),
    now("curve figure", &[]),
    now("papers", &[]),
    // A study that only says what it would do.
    now("plan", &[]),
    now("preset", &[]),
    now("show", &[]),
    now("match", &[]),
    now("measure", &[]),
    now("profile", &[]),
    now("front", &[]),
    now("compare", &[]),
    now("solve", &[]),
    now("analyse", &[]),
    now("position", &["text", "moves", "start"]),
    now("judge", &[]),
    now("explain", &[]),
    now("choose", &[]),
    now("portrait", &[]),
    now("opponents", &[]),
    job("measure"),
    job("learn"),
    job("resume"),
    job("study"),
    job("report"),
    job("tournament"),
];

/// Work that takes longer than this belongs into a job.
const PATIENCE: Duration = Duration::from_secs(60);

/// The door: lets in a limited number of commands at a time.
pub struct Door {
    folder: Folder,
    turns: Semaphore,
}

impl Door {
    pub fn new(folder: Folder) -> Door {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Door { folder, turns: Semaphore::new(2 * cores.max(2)) }
    }

    /// Refuses commands and paths that are not for the page.
    fn check(&self, command: &str, request: &Value, way: Way) -> Result<(), Box<Reply>> {
        let Some(open) = OPEN.iter().find(|open| open.name == command && open.way == way) else {
            let names: Vec<&str> =
                OPEN.iter().filter(|open| open.way == way).map(|open| open.name).collect();
            let why = format!("the page cannot call {command:?}, only {}", names.join(", "));
            return Err(refuse(StatusCode::NOT_FOUND, &why).into());
        };
        self.folder
            .check(request, open.texts)
            .map_err(|why| refuse(StatusCode::FORBIDDEN, &why).into())
    }

    /// Refuses jobs that are not for the page.
    pub fn check_job(&self, command: &str, request: &Value) -> Result<(), Box<Reply>> {
        self.check(command, request, Way::Job)
    }

    /// Runs a command that answers at once. If the caller goes away, the work stops.
    pub async fn call(&self, mut command: String, mut request: Value) -> Reply {
        if let Err(refusal) = self.check(&command, &request, Way::Now) {
            return *refusal;
        }
        if command == "plan" {
            command = "study".into();
            match request.as_object_mut() {
                Some(request) => request.insert("plan".into(), true.into()),
                None => return refuse(StatusCode::UNPROCESSABLE_ENTITY, "expected an object"),
            };
        }
        let turn = tokio::time::timeout(Duration::from_secs(10), self.turns.acquire()).await;
        let Ok(Ok(_turn)) = turn else {
            let why = "the server is busy with other requests; try again";
            return refuse(StatusCode::SERVICE_UNAVAILABLE, why);
        };
        let patient = Patient { gone: Arc::default(), until: Instant::now() + PATIENCE };
        let watch = patient.clone();
        // Sets the flag when this future is dropped, which is when the connection is gone.
        let _gone = Gone(Arc::clone(&patient.gone));
        let work = move || caught(|| answer(&command, request, &watch));
        match tokio::task::spawn_blocking(work).await {
            Ok(Ok(mut value)) => {
                self.folder.forget_outside(&mut value);
                object(&value)
            }
            Ok(Err(Error::Stopped | Error::Resumable)) => {
                let why = "it took longer than a minute and was stopped; ask for less, or use the \
                           command line";
                refuse(StatusCode::SERVICE_UNAVAILABLE, why)
            }
            Ok(Err(error)) => refuse(status(&error), &error.to_string()),
            Err(error) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        }
    }
}

/// The status of an error: whose fault it is.
pub fn status(error: &Error) -> StatusCode {
    match error {
        error if error.is_usage() => StatusCode::UNPROCESSABLE_ENTITY,
        Error::NotYet(_) => StatusCode::CONFLICT,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// A bug in one request does not end the others. The message has been printed.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(Error::Failed(format!("a bug in outflank: {text}")))
    })
}

/// Stops work for which nobody waits any more.
#[derive(Clone)]
struct Patient {
    gone: Arc<AtomicBool>,
    until: Instant,
}

impl Watch for Patient {
    fn stop(&self) -> bool {
        self.gone.load(Ordering::Relaxed) || Instant::now() > self.until
    }
}

struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
