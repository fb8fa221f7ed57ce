//! The papers whose experiments come with the program, and the pages of studies on disk.

use std::fs;
use std::path::{Path, PathBuf};

use outflank_arena::Watch;
use outflank_report::Page;
use outflank_study::PAPERS;
use serde::{Deserialize, Serialize};

use crate::{Command, Error};

/// Folders below this depth are not looked into.
const DEPTH: usize = 5;
/// More pages than this are not listed.
const MOST: usize = 200;

/// Lists the papers, and the pages of studies and reports below a folder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PapersRequest {
    /// The folder; the working directory if there is none.
    pub folder: Option<PathBuf>,
}

/// The papers and pages.
#[derive(Clone, Debug, Serialize)]
pub struct PapersAnswer {
    /// The papers.
    pub papers: Vec<PaperEntry>,
    /// The pages, the latest first.
    pub pages: Vec<PageEntry>,
}

/// A paper.
#[derive(Clone, Debug, Serialize)]
pub struct PaperEntry {
    /// Its name.
    pub name: &'static str,
    /// The title of its study.
    pub title: String,
}

/// A page on disk.
#[derive(Clone, Debug, Serialize)]
pub struct PageEntry {
    /// Its file.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Seconds since it was written.
    pub age: f64,
}

impl Command for PapersRequest {
    type Answer = PapersAnswer;
    const NAME: &'static str = "papers";

    fn run(&self, watch: &dyn Watch) -> Result<PapersAnswer, Error> {
        let title = |text: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix("title = "));
            line.unwrap_or_default().trim().trim_matches('"').to_owned()
        };
        let papers = PAPERS.iter().map(|&(name, text)| PaperEntry { name, title: title(text) });
        let mut pages = Vec::new();
        find(self.folder.as_deref().unwrap_or(Path::new(".")), 0, watch, &mut pages)?;
        pages.sort_by(|a, b| a.age.total_cmp(&b.age));
        pages.truncate(MOST);
        Ok(PapersAnswer { papers: papers.collect(), pages })
    }
}

/// Finds pages that this program wrote. Links are not followed, and runs not looked into.
fn find(
    folder: &Path,
    depth: usize,
    watch: &dyn Watch,
    pages: &mut Vec<PageEntry>,
) -> Result<(), Error> {
    watch.check()?;
    if depth > DEPTH || folder.join("manifest.json").exists() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        if kind.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') {
            find(&path, depth + 1, watch, pages)?;
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "html") {
            pages.extend(page(&path));
        }
    }
    Ok(())
}

/// A page, if this program wrote it.
fn page(path: &Path) -> Option<PageEntry> {
    use std::io::Read;
    let file = fs::File::open(path).ok()?;
    let age = file.metadata().ok()?.modified().ok()?.elapsed().unwrap_or_default();
    let mut beginning = Vec::new();
    file.take(16 << 10).read_to_end(&mut beginning).ok()?;
    let text = String::from_utf8_lossy(&beginning);
    if !text.contains(&format!("content=\"{}\"", Page::GENERATOR)) {
        return None;
    }
    let title = text.split_once("<title>")?.1.split_once("</title>")?.0;
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    let title = plain.iter().fold(title.to_owned(), |title, (from, to)| title.replace(from, to));
    let path = path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned();
    Some(PageEntry { path, title, age: age.as_secs_f64() })
}

#[cfg(test)]
mod tests {
    use outflank_arena::Unwatched;

    use super::*;

    #[test]
    fn only_our_own_pages_are_listed() {
        let scratch = tempfile::tempdir().unwrap();
        let inner = scratch.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        let ours = format!(
            "<meta name=\"generator\" content=\"{}\"><title>A &lt;b&gt; &amp;amp;</title>",
            Page::GENERATOR
        );
        fs::write(inner.join("mine.html"), ours).unwrap();
        fs::write(inner.join("other.html"), "<title>Other</title>").unwrap();
        let request = PapersRequest { folder: Some(scratch.path().into()) };
        let answer = request.run(&Unwatched).unwrap();
        let titles: Vec<&str> = answer.pages.iter().map(|page| page.title.as_str()).collect();
        assert_eq!(titles, ["A <b> &amp;"]);
        assert!(answer.papers.iter().all(|paper| !paper.title.is_empty()), "{answer:?}");
    }
}
