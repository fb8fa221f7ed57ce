//! Whom one can play against: players with a name, player files, and the champions of the studies
//! below a folder.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use outflank_arena::Watch;
use outflank_game::player::NAMED;
use outflank_learn::label;
use outflank_store::{FinishedRun, Study};
use serde::{Deserialize, Serialize};

use crate::{Command, Error, Named};

/// Lists whom one can play against.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpponentsRequest {
    /// The folder; the current one if there is none.
    pub folder: Option<PathBuf>,
}

/// Whom one can play against.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OpponentsAnswer {
    /// Players with a name.
    pub named: Vec<Named>,
    /// Player files in the folder.
    pub files: Vec<String>,
    /// Studies below the folder.
    pub studies: Vec<StudyPlayers>,
    /// Whether there are more studies, runs or files than are listed.
    pub more: bool,
}

/// The players of a study.
#[derive(Clone, Debug, Serialize)]
pub struct StudyPlayers {
    /// Its preset and what differs from it.
    pub label: String,
    /// Its folder.
    pub folder: String,
    /// The folders of its runs that have begun: each names the run's champion.
    pub runs: Vec<String>,
    /// Whether its runs have fronts.
    pub has_front: bool,
}

/// More than anybody looks through.
const MOST: usize = 2000;
/// How deep folders are searched.
const DEPTH: u32 = 8;

impl Command for OpponentsRequest {
    type Answer = OpponentsAnswer;
    const NAME: &'static str = "opponents";

    fn run(&self, watch: &dyn Watch) -> Result<OpponentsAnswer, Error> {
        let folder = self.folder.clone().unwrap_or_else(|| ".".into());
        if !folder.is_dir() {
            return Err(Error::Usage(format!("{} is not a folder", folder.display())));
        }
        let named = NAMED.iter().map(|named| Named { name: named.name, summary: named.summary });
        let answer = OpponentsAnswer { named: named.collect(), ..OpponentsAnswer::default() };
        let mut search = Search { watch, seen: BTreeSet::new(), runs: 0, answer };
        search.walk(&folder, DEPTH)?;
        Ok(search.answer)
    }
}

struct Search<'a> {
    watch: &'a dyn Watch,
    /// The real paths of the folders seen: links may lead back.
    seen: BTreeSet<PathBuf>,
    runs: usize,
    answer: OpponentsAnswer,
}

impl Search<'_> {
    fn walk(&mut self, folder: &Path, depth: u32) -> Result<(), Error> {
        self.watch.check()?;
        let real = folder.canonicalize().unwrap_or_else(|_| folder.into());
        // The folder of a run has nothing of its own to list.
        if depth == 0 || !self.seen.insert(real) || folder.join("manifest.json").exists() {
            return Ok(());
        }
        let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        if let Ok(study) = Study::read(folder) {
            self.note(&study, folder);
        }
        for path in paths {
            if self.runs + self.answer.files.len() >= MOST {
                self.answer.more = true;
                return Ok(());
            }
            if path.is_dir() {
                // Links are not followed: what they lead to may be outside of the folder.
                let is_hidden =
                    path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
                if !path.is_symlink() && !is_hidden {
                    self.walk(&path, depth - 1)?;
                }
            } else if is_player(&path) {
                self.answer.files.push(shown(&path));
            }
        }
        Ok(())
    }

    fn note(&mut self, study: &Study, folder: &Path) {
        let begun = study.seeds().iter().map(|seed| folder.join(seed.to_string()));
        let begun = begun.filter(|run| FinishedRun::is_begun(run));
        let room = MOST.saturating_sub(self.runs);
        let mut runs: Vec<String> = begun.take(room + 1).map(|run| shown(&run)).collect();
        self.answer.more |= runs.len() > room;
        runs.truncate(room);
        self.runs += runs.len();
        self.answer.studies.push(StudyPlayers {
            label: label(study.preset(), study.spec()),
            folder: shown(folder),
            runs,
            has_front: study.spec().contains("kind = \"fronts\""),
        });
    }
}

/// A path as it is written in requests.
fn shown(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned()
}

/// Says whether a file looks like a player file, by its beginning.
fn is_player(path: &Path) -> bool {
    if path.extension().is_none_or(|ending| ending != "json") || path.is_symlink() {
        return false;
    }
    let mut beginning = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(200).read_to_end(&mut beginning));
    read.is_ok() && String::from_utf8_lossy(&beginning).contains("\"outflank-player\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LearnRequest, PortraitRequest, ShowRequest};
    use outflank_arena::Unwatched;

    #[test]
    fn champions_files_and_names_are_listed_and_have_a_history() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("deep/here");
        let learn = LearnRequest {
            method: "tdl".into(),
            set: vec!["games=400".into(), "probes.every=100".into()],
            seeds: vec![1, 2],
            out: Some(out.clone()),
            ..LearnRequest::default()
        };
        learn.run(&Unwatched).unwrap();
        let show = ShowRequest { player: "lr2006".into(), ..ShowRequest::default() };
        let file = show.run(&Unwatched).unwrap().player_file().unwrap();
        let file = serde_json::to_string_pretty(&file).unwrap();
        fs::write(folder.path().join("mine.json"), file).unwrap();
        fs::write(folder.path().join("other.json"), "{}").unwrap();
        let request = OpponentsRequest { folder: Some(folder.path().into()) };
        let answer = request.run(&Unwatched).unwrap();
        assert!(answer.named.iter().any(|named| named.name == "heuristic") && !answer.more);
        assert_eq!(answer.files.len(), 1);
        assert!(answer.files[0].ends_with("mine.json"));
        let [study] = &answer.studies[..] else { panic!("{answer:?}") };
        assert_eq!((study.runs.len(), study.has_front), (2, false));
        let request =
            PortraitRequest { player: study.runs[0].clone(), history: true, ..Default::default() };
        let portrait = request.run(&Unwatched).unwrap();
        assert!(portrait.has_history && portrait.moments >= 4, "{}", portrait.moments);
        assert_eq!(portrait.history.len(), portrait.moments);
        assert_eq!(portrait.history.last().unwrap().squares, portrait.weights);
        let nowhere = OpponentsRequest { folder: Some("no/such/folder".into()) };
        assert!(nowhere.run(&Unwatched).unwrap_err().is_usage());
    }
}
