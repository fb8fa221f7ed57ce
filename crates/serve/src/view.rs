//! Files of the folder for frames and downloads, which cannot send the token. Their address holds a
//! ticket instead: a hash of the path that only this server can make.

use std::fs;
use std::path::Path;

use axum::http::{HeaderValue, header};

use crate::assets::kind;
use crate::confine::Folder;
use crate::reply::{self, Reply};

/// Larger files are not sent.
const MAX_FILE: u64 = 64 << 20;

/// Endings of files that may be looked at.
const SEEN: [&str; 10] = ["html", "svg", "pdf", "csv", "json", "toml", "txt", "md", "png", "ggf"];

/// A report needs its own styles and pictures, and may run nothing at all.
const POLICY: &str = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; \
     img-src 'self' data:; frame-ancestors 'self'";

/// Makes tickets and honours them.
pub struct Views {
    folder: Folder,
    key: [u8; 32],
}

impl Views {
    pub fn new(folder: Folder, token: &str) -> Views {
        Views {
            folder,
            key: blake3::derive_key("outflank serve 2026 tickets of files", token.as_bytes()),
        }
    }

    fn ticket(&self, folder: &str) -> String {
        blake3::keyed_hash(&self.key, folder.as_bytes()).to_hex()[..32].into()
    }

    /// The address of a file. Its ticket is good for all files beside it and below, such as the
    /// figures of a report.
    pub fn address(&self, path: &str) -> Option<String> {
        self.folder.file(path).filter(|file| file.is_file())?;
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parts: Vec<String> = folder.split('/').chain([name]).map(escape).collect();
        let depth = folder.split('/').filter(|part| !part.is_empty()).count();
        Some(format!(
            "/view/{}/{depth}/{}",
            self.ticket(folder),
            parts.join("/").trim_start_matches('/')
        ))
    }

    /// The file at the rest of an address: `TICKET/DEPTH/PATH`.
    pub fn get(&self, rest: &str) -> Reply {
        self.find(rest).unwrap_or_else(reply::not_found)
    }

    fn find(&self, rest: &str) -> Option<Reply> {
        let mut parts = rest.splitn(3, '/');
        let (ticket, depth, path) = (parts.next()?, parts.next()?, parts.next()?);
        let path = unescape(path)?;
        let depth: usize = depth.parse().ok()?;
        let folder: Vec<&str> = path.split('/').take(depth).collect();
        let expected = blake3::hash(self.ticket(&folder.join("/")).as_bytes());
        if blake3::hash(ticket.as_bytes()) != expected {
            return None;
        }
        let file = self.folder.file(&path)?;
        let ending = Path::new(&path).extension()?.to_str()?;
        let data = fs::metadata(&file).ok()?;
        if !SEEN.contains(&ending) || !data.is_file() || data.len() > MAX_FILE {
            return None;
        }
        let mut answer = reply::bytes(kind(&path), fs::read(&file).ok()?.into());
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        Some(answer)
    }
}

fn escape(part: &str) -> String {
    let mut text = String::new();
    for byte in part.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => text.push(byte.into()),
            byte => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// The text behind an address, decoded once.
pub fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'%' => {
                let digit = |digit: u8| char::from(digit).to_digit(16);
                let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                (16 * high + low) as u8
            }
            byte => byte,
        };
        bytes.push(byte);
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_opens_its_folder_only() {
        let scratch = tempfile::tempdir().unwrap();
        for folder in ["a/page-figures", "b"] {
            fs::create_dir_all(scratch.path().join(folder)).unwrap();
        }
        for name in
            ["a/page <1>.html", "a/page-figures/1.svg", "b/other.html", "top.html", "a/x.bin"]
        {
            fs::write(scratch.path().join(name), name).unwrap();
        }
        let views = Views::new(Folder::new(scratch.path()).unwrap(), "token");
        let status = |address: &str| views.get(address.strip_prefix("/view/").unwrap()).status();
        let page = views.address("a/page <1>.html").unwrap();
        assert_eq!(status(&page), 200, "{page}");
        let other = |path: &str| page.replace("a/page%20%3C1%3E.html", path);
        assert_eq!(status(&other("a/page-figures/1.svg")), 200);
        let refused = [
            "b/other.html",
            "top.html",
            "a/../b/other.html",
            "a/%2e%2e/b/other.html",
            "a/x.bin",
            "a/%2E%2E%2Ftop.html",
            "a//etc/passwd",
            "a",
            "a/",
            "",
            "a/%00",
            "a/%",
            "a/%zz",
        ];
        for path in refused {
            assert_eq!(status(&other(path)), 404, "{path}");
        }
        assert_eq!(status(&views.address("top.html").unwrap()), 200);
        let foreign = Views::new(Folder::new(scratch.path()).unwrap(), "another");
        assert_ne!(foreign.address("top.html"), views.address("top.html"));
        assert_eq!(views.address("../top.html"), None);
    }
}
