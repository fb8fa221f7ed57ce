//! The files of the page: embedded in the program, or on disk while somebody writes a page.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use miniz_oxide::deflate::compress_to_vec_zlib;

use crate::reply::{self, Reply};

const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The files of the page.
pub struct Assets {
    files: BTreeMap<&'static str, Asset>,
    /// Where they are read from instead.
    disk: Option<PathBuf>,
}

struct Asset {
    plain: &'static [u8],
    /// Empty if it would not be shorter.
    deflated: Vec<u8>,
    tag: String,
}

impl Assets {
    pub fn new(disk: Option<PathBuf>) -> Assets {
        let asset = |&(name, plain): &(&'static str, &'static [u8])| {
            let mut deflated = compress_to_vec_zlib(plain, 8);
            if deflated.len() >= plain.len() {
                deflated.clear();
            }
            (name, Asset { plain, deflated, tag: tag(plain) })
        };
        Assets { files: EMBEDDED.iter().map(asset).collect(), disk }
    }

    /// A file of the page. Names are looked up in a list and never joined to a path of anything
    /// else.
    pub fn get(&self, path: &str, headers: &HeaderMap) -> Reply {
        let name = match path.strip_prefix('/').unwrap_or(path) {
            "" => "index.html",
            name => name,
        };
        if let Some(folder) = &self.disk {
            return from_disk(folder, name);
        }
        let Some(asset) = self.files.get(name) else { return reply::not_found() };
        let says = |name, part: &str| {
            headers.get(name).and_then(|v| v.to_str().ok()).is_some_and(|v| v.contains(part))
        };
        if says(header::IF_NONE_MATCH, &asset.tag) {
            return with_tag(reply::empty(StatusCode::NOT_MODIFIED), &asset.tag);
        }
        let deflated = !asset.deflated.is_empty() && says(header::ACCEPT_ENCODING, "deflate");
        let bytes = if deflated { Body::from(asset.deflated.clone()) } else { asset.plain.into() };
        let mut answer = with_tag(reply::bytes(kind(name), bytes), &asset.tag);
        answer.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if deflated {
            let encoding = HeaderValue::from_static("deflate");
            answer.headers_mut().insert(header::CONTENT_ENCODING, encoding);
        }
        answer
    }
}

/// A file of the page that is on disk; its name is plain.
fn from_disk(folder: &Path, name: &str) -> Reply {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if name.starts_with('.') || !name.chars().all(plain) {
        return reply::not_found();
    }
    match fs::read(folder.join(name)) {
        Ok(bytes) => reply::bytes(kind(name), bytes.into()),
        Err(_) => reply::not_found(),
    }
}

fn tag(bytes: &[u8]) -> String {
    format!("\"{}\"", &blake3::hash(bytes).to_hex()[..16])
}

fn with_tag(mut answer: Response<Body>, tag: &str) -> Reply {
    if let Ok(tag) = HeaderValue::from_str(tag) {
        answer.headers_mut().insert(header::ETAG, tag);
    }
    // A browser asks again every time, and gets three lines if nothing has changed.
    answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer
}

/// The media type of a file, by its ending.
pub fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "pdf" => "application/pdf",
        "json" => "application/json",
        "csv" => "text/csv; charset=utf-8",
        "txt" | "md" | "toml" | "sh" | "obf" | "ggf" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
