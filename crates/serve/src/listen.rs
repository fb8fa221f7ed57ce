//! Connections: as many as there may be, none of them for ever.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::Request;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};

use crate::reply::Reply;

/// Connections at a time. One more takes the place of the one that has been idle longest.
pub const MAX_CONNECTIONS: usize = 512;
/// The time for which no connection has to make place for another.
const GRACE: Duration = Duration::from_millis(200);
/// The time for the head of a request; also how long a connection may be idle.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Bytes of the head of a request.
const MAX_HEAD: usize = 16 << 10;
/// Headers of a request.
const MAX_HEADERS: usize = 64;

/// Answers a request that came to an address.
pub trait Answers: Send + Sync + 'static {
    /// The answer.
    fn answer(
        self: Arc<Self>,
        request: Request,
        local: SocketAddr,
    ) -> impl Future<Output = Reply> + Send;
}

/// Accepts connections until `end` changes.
pub async fn accept(listener: TcpListener, answers: Arc<impl Answers>, end: watch::Receiver<bool>) {
    let open = Arc::new(Open::default());
    let mut ending = end.clone();
    loop {
        let stream = tokio::select! {
            stream = listener.accept() => stream,
            _ = ending.wait_for(|end| *end) => return,
        };
        match stream {
            Ok((stream, _)) => {
                let place = open.enter().await;
                let (answers, end) = (Arc::clone(&answers), end.clone());
                tokio::spawn(async move {
                    // A connection that breaks concerns nobody else.
                    let _ = serve(stream, answers, &place, end).await;
                });
            }
            // Too many open files, say: others may be closed soon.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn serve(
    stream: TcpStream,
    answers: Arc<impl Answers>,
    place: &Place,
    mut end: watch::Receiver<bool>,
) -> io::Result<()> {
    let local = stream.local_addr()?;
    stream.set_nodelay(true)?;
    let busy = Arc::clone(&place.connection);
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let answers = Arc::clone(&answers);
        let work = Work::on(&busy);
        async move {
            let answer = answers.answer(request.map(axum::body::Body::new), local).await;
            drop(work);
            Ok::<Reply, Infallible>(answer)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(MAX_HEAD)
        .max_headers(MAX_HEADERS)
        .serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        served = connection => served.map_err(io::Error::other),
        () = place.connection.leave.notified() => Ok(()),
        _ = end.wait_for(|end| *end) => Ok(()),
    }
}

/// The open connections, the oldest first.
#[derive(Default)]
struct Open {
    all: Mutex<VecDeque<Arc<Connection>>>,
}

struct Connection {
    began: Instant,
    /// Requests that are being answered.
    busy: AtomicUsize,
    leave: Notify,
}

/// The place of a connection, until it is dropped.
struct Place {
    open: Arc<Open>,
    connection: Arc<Connection>,
}

impl Open {
    /// Makes place for a connection. If there is none, the oldest one that is idle has to leave,
    /// and if all are at work, the oldest; but none before it had time to say what it wants.
    async fn enter(self: &Arc<Open>) -> Place {
        loop {
            if let Some(place) = self.try_enter() {
                return place;
            }
            tokio::time::sleep(GRACE / 10).await;
        }
    }

    fn try_enter(self: &Arc<Open>) -> Option<Place> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_CONNECTIONS {
            let idle = |connection: &Arc<Connection>| connection.busy.load(Ordering::Relaxed) == 0;
            let oldest = all.iter().position(idle).unwrap_or(0);
            if all[oldest].began.elapsed() < GRACE {
                return None;
            }
            if let Some(connection) = all.remove(oldest) {
                connection.leave.notify_one();
            }
        }
        let connection = Arc::new(Connection {
            began: Instant::now(),
            busy: AtomicUsize::new(0),
            leave: Notify::new(),
        });
        all.push_back(Arc::clone(&connection));
        Some(Place { open: Arc::clone(self), connection })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.open.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| !Arc::ptr_eq(other, &self.connection));
    }
}

/// A request that is being answered.
struct Work(Arc<Connection>);

impl Work {
    fn on(connection: &Arc<Connection>) -> Work {
        connection.busy.fetch_add(1, Ordering::Relaxed);
        Work(Arc::clone(connection))
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}
