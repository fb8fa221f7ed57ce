//! What studies answer: their pages, tables and notes, from the chapters that were written.

use std::path::{Path, PathBuf};

use outflank_report::Paper;
use outflank_study::{Chapter, ValueAnswer, html, markdown};
use serde::Serialize;

use super::Work;
use super::folder::RESULTS;
use super::plan::PlanAnswer;

/// What studies found.
#[derive(Clone, Debug, Serialize)]
pub struct StudyAnswer {
    /// What was planned.
    pub plan: PlanAnswer,
    /// The folder of everything that was made.
    pub out: String,
    /// The page; none if only a plan was wanted.
    pub page: Option<String>,
    /// The same as Markdown.
    pub markdown: Option<String>,
    /// The published values with ours.
    pub results: Vec<ValueAnswer>,
    /// How often each verdict was given, in a line.
    pub verdicts: String,
    /// Whether the studies are smaller than written, damaged, or not finished.
    pub notes: Vec<String>,
    /// The tables.
    pub tables: Vec<TableAnswer>,
    /// Runs that are damaged; nothing that needs their cases was attempted.
    pub damaged: Vec<String>,
    /// Runs that were trained this time.
    pub trained: usize,
    /// Where the time of this call went, in seconds.
    pub seconds: Phases,
}

/// A table.
#[derive(Clone, Debug, Serialize)]
pub struct TableAnswer {
    /// The study.
    pub study: String,
    /// Its title.
    pub title: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

/// Where the time of a call went, in seconds of the clock.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Phases {
    /// Reading the studies and what was there.
    pub planning: f64,
    /// Training.
    pub training: f64,
    /// Tournaments, profiles and matches.
    pub contests: f64,
    /// Judging and writing.
    pub writing: f64,
}

impl StudyAnswer {
    /// The answer to a question for the plan alone.
    pub(super) fn planned(plan: PlanAnswer, out: &Path, works: &[Work]) -> StudyAnswer {
        StudyAnswer {
            plan,
            out: out.to_string_lossy().into_owned(),
            page: None,
            markdown: None,
            results: Vec::new(),
            verdicts: String::new(),
            notes: once(works.iter().filter_map(|work| work.design.size_note())),
            tables: Vec::new(),
            damaged: Vec::new(),
            trained: 0,
            seconds: Phases::default(),
        }
    }
}

/// What chapters say of themselves, each sentence once.
pub(super) fn notes(chapters: &[Chapter]) -> Vec<String> {
    once(chapters.iter().flat_map(|chapter| chapter.notes.clone()))
}

/// Each text once.
fn once(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    texts.for_each(|text| {
        if !all.contains(&text) {
            all.push(text);
        }
    });
    all
}

/// The published values of all chapters with ours.
pub(super) fn answers(chapters: &[Chapter]) -> Vec<ValueAnswer> {
    let all = chapters
        .iter()
        .flat_map(|chapter| chapter.rows.iter().map(|row| row.answer(&chapter.name)));
    all.collect()
}

/// The tables of a chapter.
pub(super) fn tables(chapter: &Chapter) -> impl Iterator<Item = TableAnswer> {
    chapter.tables.iter().map(|table| TableAnswer {
        study: chapter.name.clone(),
        title: table.title.clone(),
        head: table.head.clone(),
        rows: table.texts(),
    })
}

/// The files of a page.
pub(super) fn page(chapters: &[Chapter], paper: &Paper) -> Vec<(PathBuf, String)> {
    let (heading, about) = match chapters {
        [one] => (one.title.clone(), String::new()),
        _ => ("Papers repeated".into(), ABOUT.into()),
    };
    let json = serde_json::to_string_pretty(&answers(chapters)).expect("answers are plain data");
    let mut files = vec![
        (PathBuf::from("index.html"), html(chapters, RESULTS)),
        ("results.md".into(), markdown(&heading, &about, chapters, RESULTS)),
        ("results.json".into(), json + "\n"),
    ];
    for (name, text) in chapters.iter().flat_map(|chapter| chapter.files(paper)) {
        files.push((Path::new(RESULTS).join(name), text));
    }
    files
}

/// The paragraph at the top of a page on several papers.
const ABOUT: &str = "What Outflank finds when it repeats papers, beside what they print. This page \
    is made by the command; verdicts are computed. Figures are means over runs with their 95% \
    intervals (Student's t). The same command gives the same bytes on any machine.";
