//! No request leaves the folder that is served.
//!
//! Commands take paths in many places: players, studies, specs, values of keys. Rather than
//! to know them all, every string of a request is read as all the paths that it could hold.

use std::path::{Component, Path, PathBuf};

use outflank_game::player::find_folder;
use serde_json::Value;

/// What may stand beside a path in an argument: `NAME=PATH`, `PATH@book=PATH,depth=2`, `PATH#2`.
const BESIDE: &[char] = &['=', ',', '@', '#', ':', '"', '\'', '[', ']', '{', '}', ' ', '\t', '\n'];

/// More of these than any argument has; their pairs are looked at.
const MAX_BESIDE: usize = 40;

/// The folder that is served.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Its real path.
    root: PathBuf,
}

impl Folder {
    /// The folder at this path, which must exist.
    pub fn new(path: &Path) -> std::io::Result<Folder> {
        Ok(Folder { root: path.canonicalize()? })
    }

    /// Its real path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Refuses a request with a string that could lead outside. Strings of the keys in `texts` are
    /// data.
    pub fn check(&self, request: &Value, texts: &[&str]) -> Result<(), String> {
        match request {
            Value::String(text) => self.check_text(text),
            Value::Array(items) => items.iter().try_for_each(|item| self.check(item, texts)),
            Value::Object(items) => items
                .iter()
                .filter(|(key, value)| !(texts.contains(&key.as_str()) && value.is_string()))
                .try_for_each(|(_, item)| self.check(item, texts)),
            _ => Ok(()),
        }
    }

    fn check_text(&self, text: &str) -> Result<(), String> {
        let refuse = |why: &str| Err(format!("{text:?} is refused: {why}"));
        if text.contains(['\0', '\\']) {
            return refuse("such letters are not in names here");
        }
        // Players that are programs: a page must not start programs.
        let lower = text.to_ascii_lowercase();
        if ["gtp:", "nboard:", "exec:"].iter().any(|kind| lower.contains(kind)) {
            return refuse("the page does not start other programs; use the command line");
        }
        let outside = "the page reads only files in the folder that is served";
        if text.split(BESIDE).any(|part| part.starts_with('/')) {
            return refuse(outside);
        }
        let mut beside = text.split(|letter: char| letter == '/' || BESIDE.contains(&letter));
        if beside.any(|part| part == "..") {
            return refuse(outside);
        }
        let mut cuts = vec![0];
        let ends = text.char_indices().filter(|(_, letter)| BESIDE.contains(letter));
        cuts.extend(ends.flat_map(|(at, letter)| [at, at + letter.len_utf8()]));
        cuts.push(text.len());
        if cuts.len() > 2 * MAX_BESIDE {
            return refuse("it is too long for a name");
        }
        for (first, &from) in cuts.iter().enumerate() {
            for &to in cuts[first..].iter().filter(|&&to| to > from) {
                if !self.is_inside(Path::new(&text[from..to])) {
                    return refuse(outside);
                }
            }
        }
        Ok(())
    }

    /// Says whether a path, with all its links, is in the folder or does not exist.
    fn is_inside(&self, path: &Path) -> bool {
        let found = find_folder(path).unwrap_or_else(|_| path.into());
        [path, &found].iter().all(|path| {
            // A file that does not exist yet is where its folder is.
            let mut ancestors = self.root.join(path);
            loop {
                match ancestors.canonicalize() {
                    Ok(real) => break real.starts_with(&self.root),
                    // A link to nowhere may lead somewhere tomorrow.
                    Err(_) if ancestors.is_symlink() => break false,
                    Err(_) => {}
                }
                if !ancestors.pop() {
                    break false;
                }
            }
        })
    }

    /// Takes results off an answer whose `folder` is outside: a list of studies follows links.
    pub fn forget_outside(&self, answer: &mut Value) {
        let results = answer.get_mut("results").and_then(Value::as_array_mut);
        results.into_iter().for_each(|results| {
            results.retain(|result| {
                let folder = result.get("folder").and_then(Value::as_str);
                folder.is_none_or(|folder| self.is_inside(Path::new(folder)))
            });
        });
    }

    /// The real path of a file in the folder; nothing if there is none or if it is outside.
    pub fn file(&self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path);
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        if !path.components().all(plain) {
            return None;
        }
        let real = self.root.join(path).canonicalize().ok()?;
        real.starts_with(&self.root).then_some(real)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_leads_outside() {
        let scratch = tempfile::tempdir().unwrap();
        let inner = scratch.path().join("inner");
        fs::create_dir_all(inner.join("runs/rsel-12345678/1")).unwrap();
        fs::write(scratch.path().join("secret"), "x").unwrap();
        fs::write(inner.join("player.json"), "{}").unwrap();
        #[cfg(unix)]
        for (to, name) in
            [("..", "up"), ("../secret", "leak"), ("runs", "fine"), ("../no", "ghost")]
        {
            std::os::unix::fs::symlink(to, inner.join(name)).unwrap();
        }
        let folder = Folder::new(&inner).unwrap();
        let fine = [
            "lr2006",
            "runs/rsel/1",
            "runs/rsel-12345678/1#2",
            "player.json@depth=2,solve=10",
            "name=runs/rsel",
            "new.html",
            "new/folder/page.html",
            "f5d6c3",
            "search.kind=\"es\"",
            "<script>alert(1)</script>",
            "a..b",
            "...",
            "opponents.fixed.players=[\"lr2006\"]",
            "fine/rsel-12345678",
            "",
        ];
        for text in fine {
            assert_eq!(folder.check(&json!({ "a": [text] }), &[]), Ok(()), "{text}");
        }
        let outside = [
            "/etc/passwd",
            "../secret",
            "runs/../../secret",
            "..",
            "x=/etc/passwd",
            "x=../secret",
            "leak",
            "up/secret",
            "name=leak",
            "lr2006@book=leak",
            "lr2006@book=up/secret,depth=1",
            "probes.vs=[\"leak\"]",
            "probes.vs=[\"/etc/passwd\"]",
            "gtp:\"sh\"",
            "GTP:x",
            "a=gtp:sh",
            "up",
            "runs/../..",
            "ghost",
            "fine/../../secret",
            "a\0b",
            "..\\secret",
            "C:\\secret",
            "up/new/file",
        ];
        for text in outside {
            assert!(folder.check(&json!({ "a": { "b": text } }), &[]).is_err(), "{text}");
        }
        assert!(folder.check(&json!({ "text": "/etc/passwd" }), &["text"]).is_ok());
        assert!(folder.check(&json!({ "text": ["/etc/passwd"] }), &["text"]).is_err());
        assert!(folder.check(&json!("x,".repeat(200)), &[]).is_err());
        let mut list = json!({ "results": [{ "folder": "up" }, { "folder": "runs" }, { "a": 1 }] });
        folder.forget_outside(&mut list);
        assert_eq!(list, json!({ "results": [{ "folder": "runs" }, { "a": 1 }] }));
        for path in ["leak", "up/secret", "../secret", "/etc/passwd", "./player.json", "ghost"] {
            assert_eq!(folder.file(path).filter(|_| path != "./player.json"), None, "{path}");
        }
        assert!(folder.file("player.json").is_some());
    }
}
