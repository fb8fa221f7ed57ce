//! The learning curves of studies, finished or not, for whoever draws them while they grow.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use outflank_arena::Watch;
use outflank_game::player::find_folder;
use outflank_lab::{COST, Cost, Measurement, Results, measurements};
use outflank_learn::{MEASURES, Quantity, label};
use outflank_report::{FileFormat, curve_figure};
use outflank_store::{Progress, RunSketch, Study};
use serde::{Deserialize, Serialize};

use crate::report::paper;
use crate::{Command, Error, parse_studies, split_name};

/// Reads the learning curves of studies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CurvesRequest {
    /// Studies or runs, `[NAME=]PATH`.
    pub studies: Vec<String>,
    /// For the folder of a run, points at its beginning that are known already and left out.
    pub known: BTreeMap<String, usize>,
}

/// Learning curves.
#[derive(Clone, Debug, Serialize)]
pub struct CurvesAnswer {
    /// The probes of all studies, in the order in which they appear.
    pub probes: Vec<ProbeName>,
    /// The studies, in the order of the request.
    pub results: Vec<StudyCurves>,
}

/// A probe.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProbeName {
    /// Its name.
    pub name: String,
    /// What it measures, in a few words.
    pub title: String,
    /// Whether it is a share from 0 to 1, shown in percent.
    pub is_share: bool,
}

/// The curves of a study.
#[derive(Clone, Debug, Serialize)]
pub struct StudyCurves {
    /// Its name.
    pub name: String,
    /// Its preset and what differs from it.
    pub label: String,
    /// Its folder.
    pub folder: String,
    /// Its runs that have begun.
    pub runs: Vec<RunCurve>,
}

/// The curve of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunCurve {
    /// Its folder.
    pub folder: String,
    /// Its seed.
    pub seed: Option<u64>,
    /// Whether it is finished, going or stopped.
    pub state: &'static str,
    /// Seconds of training for a game, on average; unknown until it ends or is stopped.
    pub pace: Option<f64>,
    /// Points that were left out.
    pub known: usize,
    /// Training games at each point.
    pub games: Vec<u64>,
    /// Generations at each point.
    pub generations: Vec<u64>,
    /// The values of each probe at these points; none where it was not taken.
    pub values: BTreeMap<String, Vec<Option<f64>>>,
}

impl Command for CurvesRequest {
    type Answer = CurvesAnswer;
    const NAME: &'static str = "curves";

    fn run(&self, watch: &dyn Watch) -> Result<CurvesAnswer, Error> {
        let mut answer = CurvesAnswer { probes: Vec::new(), results: Vec::new() };
        for text in &self.studies {
            watch.check()?;
            let (name, path) =
                split_name(text).map_or((None, text.as_str()), |(name, path)| (Some(name), path));
            let folder = find_folder(Path::new(path))?;
            let study = self.study(&folder, name, &mut answer.probes)?;
            answer.results.push(study);
        }
        Ok(answer)
    }
}

impl CurvesRequest {
    fn study(
        &self,
        folder: &Path,
        name: Option<&str>,
        probes: &mut Vec<ProbeName>,
    ) -> Result<StudyCurves, Error> {
        let (label, runs): (String, Vec<PathBuf>) = if folder.join("manifest.json").exists() {
            (folder.to_string_lossy().into_owned(), vec![folder.into()])
        } else {
            let study = Study::read(folder).map_err(Error::Results)?;
            (label(study.preset(), study.spec()), study.runs().collect())
        };
        let mut curves = StudyCurves {
            name: name.unwrap_or(&label).into(),
            label,
            folder: folder.to_string_lossy().into_owned(),
            runs: Vec::new(),
        };
        for run in runs {
            curves.runs.extend(self.run_curve(&run, probes)?);
        }
        Ok(curves)
    }

    /// The curve of a run; none if it has not begun.
    fn run_curve(
        &self,
        path: &Path,
        probes: &mut Vec<ProbeName>,
    ) -> Result<Option<RunCurve>, Error> {
        let sketch = RunSketch::read(path).map_err(Error::Results)?;
        let state = match sketch.progress {
            Progress::Finished => "finished",
            Progress::Going => "going",
            Progress::Stopped => "stopped",
            Progress::Waiting => return Ok(None),
        };
        // A line may be half written.
        let end = sketch.metrics.rfind('\n').map_or(0, |at| at + 1);
        let rows = measurements(&sketch.metrics[..end], path).map_err(Error::Results)?;
        for row in &rows {
            if !probes.iter().any(|probe| probe.name == row.probe) {
                probes.push(ProbeName::of(&row.probe));
            }
        }
        let folder = path.to_string_lossy().into_owned();
        let cost = sketch.circumstances.get(COST).and_then(|cost| Cost::deserialize(cost).ok());
        let games = rows.last().map_or(0, |row| row.games);
        let pace = cost.filter(|_| games > 0).map(|cost| cost.training_seconds / games as f64);
        let known = self.known.get(&folder).copied().unwrap_or(0);
        let seed = path.file_name().and_then(|name| name.to_str()?.parse().ok());
        let curve = RunCurve {
            folder,
            seed,
            state,
            pace,
            known,
            games: Vec::new(),
            generations: Vec::new(),
            values: BTreeMap::new(),
        };
        Ok(Some(curve.with(&rows)))
    }
}

impl RunCurve {
    /// Adds rows: those of one moment are one point.
    fn with(mut self, rows: &[Measurement]) -> RunCurve {
        let moments = rows.chunk_by(|a, b| (a.games, a.generation) == (b.games, b.generation));
        let moments: Vec<&[Measurement]> = moments.skip(self.known).collect();
        for (point, moment) in moments.iter().enumerate() {
            self.games.push(moment[0].games);
            self.generations.push(moment[0].generation);
            for row in *moment {
                let values = self.values.entry(row.probe.clone());
                values.or_insert_with(|| vec![None; moments.len()])[point] = Some(row.value);
            }
        }
        self
    }
}

impl ProbeName {
    fn of(name: &str) -> ProbeName {
        let measure = MEASURES.iter().find(|measure| measure.name == name);
        let title = measure.map_or_else(
            || format!("share of games won against {name}"),
            |measure| measure.meaning.into(),
        );
        let is_share = matches!(Quantity::of(name), Quantity::Strength | Quantity::Training);
        ProbeName { name: name.into(), title, is_share }
    }
}

/// Draws the learning curves of studies by one probe, as in a report.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CurveFigureRequest {
    /// Studies or runs, `[NAME=]PATH`.
    pub studies: Vec<String>,
    /// The probe.
    pub probe: String,
    /// `svg`, `pdf` or `csv`.
    pub format: String,
    /// The width in centimetres; as on a screen if there is none.
    pub width: Option<f64>,
}

/// A figure as a file.
#[derive(Clone, Debug, Serialize)]
pub struct CurveFigureAnswer {
    /// The name of the file.
    pub name: String,
    /// Its bytes, a letter from U+0000 to U+00FF for each; the text itself if it is SVG or CSV.
    pub content: String,
}

impl Command for CurveFigureRequest {
    type Answer = CurveFigureAnswer;
    const NAME: &'static str = "curve figure";

    fn run(&self, watch: &dyn Watch) -> Result<CurveFigureAnswer, Error> {
        let format = FileFormat::from_name(&self.format);
        if format.is_none() && self.format != "csv" {
            let message = format!("format = {:?}, expected svg, pdf or csv", self.format);
            return Err(Error::Usage(message));
        }
        let paper = paper(self.width, true)?;
        let studies = parse_studies(&self.studies, None, watch)?;
        let probes: Vec<String> = studies.iter().flat_map(Results::probes).collect();
        if !probes.contains(&self.probe) {
            let message = format!("probe = {:?}, expected {}", self.probe, probes.join(", "));
            return Err(Error::Usage(message));
        }
        let figure = curve_figure(&studies, &self.probe);
        let Some(format) = format else {
            let (name, content) = figure.data.into_iter().next().unwrap_or_default();
            return Ok(CurveFigureAnswer { name, content: content + "\n" });
        };
        let (name, bytes) = figure.file(format, &paper);
        let content = match format {
            FileFormat::Svg => String::from_utf8_lossy(&bytes).into_owned(),
            FileFormat::Pdf => bytes.iter().copied().map(char::from).collect(),
        };
        Ok(CurveFigureAnswer { name, content })
    }
}

#[cfg(test)]
mod tests {
    use outflank_arena::Unwatched;

    use super::*;
    use crate::LearnRequest;

    #[test]
    fn curves_have_a_point_for_each_probe_and_can_be_continued() {
        let scratch = tempfile::tempdir().unwrap();
        let out = scratch.path().join("study");
        let keys = ["probes.every=2000", "probes.sample=20", "probes.games=20", "games=30000"];
        let learn = LearnRequest {
            method: "rsel".into(),
            set: keys.map(String::from).to_vec(),
            seeds: vec![1, 2],
            out: Some(out.clone()),
            ..LearnRequest::default()
        };
        learn.run(&Unwatched).unwrap();
        let study = format!("mine={}", out.display());
        let request = CurvesRequest { studies: vec![study], ..CurvesRequest::default() };
        let answer = request.run(&Unwatched).unwrap();
        let [study] = &answer.results[..] else { panic!("{answer:?}") };
        assert_eq!((study.name.as_str(), study.runs.len()), ("mine", 2));
        let run = &study.runs[0];
        assert_eq!((run.seed, run.state), (Some(1), "finished"));
        assert!(run.games.len() >= 5 && run.games.is_sorted() && run.pace.is_some(), "{run:?}");
        assert!(answer.probes.iter().all(|probe| run.values.contains_key(&probe.name)));
        let known = BTreeMap::from_iter([(run.folder.clone(), 3)]);
        let rest = CurvesRequest { known, ..request.clone() }.run(&Unwatched).unwrap();
        assert_eq!(rest.results[0].runs[0].games, run.games[3..]);
        assert_eq!(rest.results[0].runs[1].games.len(), study.runs[1].games.len());
        let figure = |format: &str| {
            let (format, probe) = (format.into(), "utility".into());
            let studies = request.studies.clone();
            CurveFigureRequest { studies, probe, format, width: None }.run(&Unwatched)
        };
        assert!(figure("svg").unwrap().content.contains("<svg"));
        assert!(figure("pdf").unwrap().content.starts_with("%PDF"));
        assert!(figure("csv").unwrap().content.starts_with("study,training_games"));
        assert!(figure("png").unwrap_err().is_usage());
    }
}
