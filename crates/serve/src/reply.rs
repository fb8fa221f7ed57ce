//! Answers of the server: JSON objects, files, and refusals in words.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde_json::{Value, json};

/// An answer.
pub type Reply = Response<Body>;

/// An answer without a body.
pub fn empty(status: StatusCode) -> Reply {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = status;
    answer
}

/// Bytes of a media type.
pub fn bytes(kind: &'static str, body: Body) -> Reply {
    let mut answer = Response::new(body);
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

/// A JSON object.
pub fn object(value: &Value) -> Reply {
    let mut answer = bytes("application/json", value.to_string().into());
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// A refusal that says why.
pub fn refuse(status: StatusCode, why: &str) -> Reply {
    let mut answer = object(&json!({ "error": why }));
    *answer.status_mut() = status;
    if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    answer
}

/// There is nothing of that name.
pub fn not_found() -> Reply {
    refuse(StatusCode::NOT_FOUND, "there is nothing of that name here")
}
