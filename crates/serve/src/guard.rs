//! Who may ask: the checks that come before any work.
//!
//! A web page that somebody visits in the same browser can send requests to this server, and by
//! giving its own name our address (DNS rebinding) it can even read the answers. So a request must
//! be addressed to this machine by a name that only it has, must not come from another page, and
//! must carry the token in a header, which no other page can add.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use crate::reply::{Reply, refuse};

/// Requests a second that are answered in the long run, and at once.
const RATE: f64 = 1000.0;
const BURST: f64 = 2000.0;

/// What a page may do: run our scripts and talk to us, and nothing that stands in its markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' \
     data: blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// The checks.
pub struct Guard {
    /// The hash of the token: two hashes are compared in constant time.
    token: blake3::Hash,
    bucket: Mutex<(f64, Instant)>,
}

impl Guard {
    pub fn new(token: &str) -> Guard {
        let bucket = Mutex::new((BURST, Instant::now()));
        Guard { token: blake3::hash(token.as_bytes()), bucket }
    }

    /// Refuses requests that are too many or not meant for us. `local` is the address at which the
    /// request arrived.
    pub fn check(
        &self,
        method: &Method,
        headers: &HeaderMap,
        local: SocketAddr,
    ) -> Result<(), Box<Reply>> {
        if !self.take() {
            let why = "too many requests; wait a second";
            return Err(refuse(StatusCode::TOO_MANY_REQUESTS, why).into());
        }
        let Some(host) = only(headers, header::HOST).filter(|host| is_ours(host, local)) else {
            let why = "this address does not belong to the server: open the one that `outflank \
                       serve` printed";
            return Err(refuse(StatusCode::FORBIDDEN, why).into());
        };
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        let is_foreign = matches!(site, Some(b"cross-site" | b"same-site"))
            && method != Method::GET
            || match headers.get(header::ORIGIN) {
                None => false,
                Some(_) => only(headers, header::ORIGIN)
                    .and_then(|origin| origin.strip_prefix("http://"))
                    .is_none_or(|origin| origin != host),
            };
        if is_foreign {
            return Err(refuse(StatusCode::FORBIDDEN, "the request came from another page").into());
        }
        Ok(())
    }

    /// Refuses requests without the token.
    pub fn check_token(&self, headers: &HeaderMap) -> Result<(), Box<Reply>> {
        let given = only(headers, header::AUTHORIZATION)
            .and_then(|value| value.strip_prefix("Bearer "))
            .unwrap_or_default();
        if blake3::hash(given.as_bytes()) == self.token {
            return Ok(());
        }
        let why = "the token is missing or wrong: open the address that `outflank serve` printed";
        Err(refuse(StatusCode::UNAUTHORIZED, why).into())
    }

    /// Takes one of the requests of this moment, if there is one left.
    fn take(&self) -> bool {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let left = (bucket.0 + RATE * (now - bucket.1).as_secs_f64()).min(BURST);
        let is_taken = left >= 1.0;
        *bucket = (if is_taken { left - 1.0 } else { left }, now);
        is_taken
    }
}

/// The value of a header that is there exactly once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    all.next().is_none().then(|| first.to_str().ok()).flatten()
}

/// Says whether a host is a name of this machine that no one else can give away: `localhost`, or
/// the very address at which the request arrived. The port may be that of a tunnel.
fn is_ours(host: &str, local: SocketAddr) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port),
        _ => (host, "80"),
    };
    if port.is_empty() || port.len() > 5 || !port.bytes().all(|digit| digit.is_ascii_digit()) {
        return false;
    }
    let ip = match local.ip().to_canonical() {
        std::net::IpAddr::V4(ip) => ip.to_string(),
        std::net::IpAddr::V6(ip) => format!("[{ip}]"),
    };
    let is_loopback = local.ip().to_canonical().is_loopback();
    name == ip || is_loopback && ["localhost", "127.0.0.1", "[::1]"].contains(&name)
}

/// Headers of every answer. Files of the folder bring a stricter policy of their own.
pub fn protect(answer: &mut Reply) {
    let headers = answer.headers_mut();
    let fixed = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert_with(|| HeaderValue::from_static(POLICY));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_ours() {
        let local: SocketAddr = "127.0.0.1:8000".parse().unwrap();
        for host in ["127.0.0.1:8000", "localhost:8000", "localhost", "127.0.0.1:9", "[::1]:8000"] {
            assert!(is_ours(host, local), "{host}");
        }
        let foreign = [
            "",
            ":",
            ":80",
            "evil.example",
            "evil.example:8000",
            "127.0.0.1.evil.example:8000",
            "localhost.:8000",
            "localhost.evil.example",
            "LOCALHOST:8000",
            "127.1:8000",
            "2130706433:8000",
            "0x7f.0.0.1:8000",
            "0.0.0.0:8000",
            "user@127.0.0.1:8000",
            "127.0.0.1:8000@evil.example",
            "127.0.0.1:80x",
            "127.0.0.1:",
            "127.0.0.1:123456",
            "[::1",
            "[::1]x",
            "::1",
            "[::ffff:127.0.0.1]:80",
            " 127.0.0.1",
            "127.0.0.1 ",
            "xn--a",
            "127.0.0.2:8000",
            "10.0.0.7:8000",
            "[::]:8000",
            "localhost:8000:8000",
        ];
        for host in foreign {
            assert!(!is_ours(host, local), "{host}");
        }
        let open: SocketAddr = "10.0.0.7:8000".parse().unwrap();
        assert!(is_ours("10.0.0.7:8000", open));
        // From outside, localhost would be a lie.
        assert!(!is_ours("localhost:8000", open) && !is_ours("127.0.0.1:8000", open));
    }

    #[test]
    fn the_rate_of_requests_is_bounded() {
        let guard = Guard::new("t");
        let began = Instant::now();
        let taken = (0..100_000).filter(|_| guard.take()).count() as f64;
        assert!(taken <= BURST + RATE * began.elapsed().as_secs_f64() + 1.0, "{taken}");
        assert!(taken >= BURST, "{taken}");
    }
}
