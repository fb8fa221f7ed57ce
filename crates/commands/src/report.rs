//! Studies as one HTML page with figures.

use std::fs;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use outflank_arena::{News, Watch};
use outflank_kernel::rng::Seed;
use outflank_lab::{Database, Effort, Fronts, Results, signature};
use outflank_report::{Evidence, EvidencePlan, FileFormat, Material, Page, Paper};
use outflank_store::WholeFile;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::teams::{Unfinished, parse_studies};
use crate::{Command, Error, all_cores, arena, parse_probes};

/// Writes a report on studies.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportRequest {
    /// Studies or runs, `[NAME=]PATH`.
    pub studies: Vec<String>,
    /// The page; figures go into a folder beside it.
    pub out: PathBuf,
    /// Benchmark opponents of all champions, or `utility`.
    pub vs: Vec<String>,
    /// Single games of each champion against each player, an even number.
    pub games: u64,
    /// Double games of each champion for its expected utility.
    pub sample: u64,
    /// The database of opponents for performance profiles; the one that comes with the program if
    /// there is none.
    pub profile_db: Option<PathBuf>,
    /// Whether there are performance profiles.
    pub profiles: bool,
    /// Seed of the games that the report plays.
    pub seed: u64,
    /// Threads; all cores if there is none.
    pub threads: Option<usize>,
    /// Whether to replace a file that is not a report.
    pub force: bool,
    /// The files of each figure: `svg`, `pdf` or both.
    pub figures_as: Vec<String>,
    /// The width of the files of figures in centimetres; as on a screen if there is none.
    pub width: Option<f64>,
    /// Whether the files of figures have titles.
    pub titles: bool,
}

impl ReportRequest {
    /// The default benchmark opponents.
    pub const VS: [&'static str; 5] = ["random", "heuristic", "lr2006", "ctdl2009-best", "utility"];

    /// The smallest and the largest width of a figure in centimetres.
    pub const WIDTHS: [f64; 2] = [3.0, 100.0];
}

impl Default for ReportRequest {
    fn default() -> ReportRequest {
        ReportRequest {
            studies: Vec::new(),
            out: "report.html".into(),
            vs: ReportRequest::VS.map(String::from).to_vec(),
            games: 10_000,
            sample: 25_000,
            profile_db: None,
            profiles: true,
            seed: 1,
            threads: None,
            force: false,
            figures_as: vec!["svg".into()],
            width: None,
            titles: true,
        }
    }
}

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct ReportAnswer {
    /// The page.
    pub report: String,
    /// Its figures.
    pub figures: Vec<String>,
    /// The data of its learning curves.
    pub data: Vec<String>,
    /// The studies.
    pub studies: Vec<Reported>,
    /// Runs that are not finished, taken as they stand.
    pub unfinished: Vec<Unfinished>,
    /// The benchmark opponents of all champions.
    pub vs: String,
    /// As in the request.
    pub games: u64,
    /// As in the request.
    pub sample: u64,
    /// As in the request.
    pub profiles: bool,
    /// As in the request.
    pub seed: u64,
}

/// A study of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Reported {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub path: String,
    /// Its runs with a probe.
    pub runs: usize,
    /// Those of all its runs that are not finished.
    pub unfinished: usize,
}

impl Command for ReportRequest {
    type Answer = ReportAnswer;
    const NAME: &'static str = "report";

    fn run(&self, watch: &dyn Watch) -> Result<ReportAnswer, Error> {
        let studies = parse_studies(&self.studies, None, watch)?;
        let written = self.write(&studies, watch)?;
        let reported = |study: &Results| Reported {
            name: study.name.clone(),
            path: study.path.to_string_lossy().into_owned(),
            runs: study.runs.len(),
            unfinished: study.standing().count() + study.left_out.len(),
        };
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        Ok(ReportAnswer {
            report: text(&self.out),
            figures: written.figures.iter().map(text).collect(),
            data: written.data.iter().map(text).collect(),
            studies: studies.iter().map(reported).collect(),
            unfinished: Unfinished::among(&studies),
            vs: self.vs.join(","),
            games: self.games,
            sample: self.sample,
            profiles: self.profiles,
            seed: self.seed,
        })
    }
}

impl ReportRequest {
    /// The command that writes the same report.
    fn command(&self) -> Vec<String> {
        let usual = ReportRequest::default();
        let mut words = vec!["outflank".to_string(), "report".into()];
        words.extend(self.studies.iter().cloned());
        words.extend(["--out".into(), self.out.to_string_lossy().into_owned()]);
        if self.vs != usual.vs {
            words.extend(["--vs".into(), self.vs.join(",")]);
        }
        let numbers = [
            ("--games", self.games, usual.games),
            ("--sample", self.sample, usual.sample),
            ("--seed", self.seed, usual.seed),
        ];
        for (option, number, usual) in numbers {
            if number != usual {
                words.extend([option.into(), number.to_string()]);
            }
        }
        if let Some(path) = &self.profile_db {
            words.extend(["--profile-db".into(), path.to_string_lossy().into_owned()]);
        }
        if !self.profiles {
            words.push("--no-profiles".into());
        }
        if self.figures_as != usual.figures_as {
            words.extend(["--figures-as".into(), self.figures_as.join(",")]);
        }
        if let Some(width) = self.width {
            words.extend(["--width".into(), format!("{width}cm")]);
        }
        if !self.titles {
            words.push("--no-titles".into());
        }
        words
    }

    /// The files of each figure, each kind once.
    fn formats(&self) -> Result<Vec<FileFormat>, Error> {
        let mut formats = Vec::new();
        for name in &self.figures_as {
            let format = FileFormat::from_name(name).ok_or_else(|| {
                Error::Usage(format!("figures_as = {name:?}, expected \"svg\" or \"pdf\""))
            })?;
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        if formats.is_empty() {
            let message = "figures_as is empty, expected \"svg\", \"pdf\" or both";
            return Err(Error::Usage(message.into()));
        }
        Ok(formats)
    }

    fn plan(&self) -> Result<EvidencePlan, Error> {
        if self.games == 0 || self.games % 2 == 1 {
            let games = self.games;
            return Err(Error::Usage(format!("games = {games}, expected an even number above 0")));
        }
        let yardsticks = parse_probes(&self.vs)?;
        let opponents = match &self.profile_db {
            _ if !self.profiles => None,
            Some(path) => Some(Database::read(path)?),
            None => Some(Database::shipped()),
        };
        let effort = Effort { games: self.games, sample: self.sample };
        Ok(EvidencePlan { yardsticks, effort, opponents, seed: Seed(self.seed) })
    }

    /// Plays the report's games and writes its files. If anything fails before, nothing is written.
    fn write(&self, studies: &[Results], watch: &dyn Watch) -> Result<Files, Error> {
        let plan = self.plan()?;
        let (formats, paper) = (self.formats()?, paper(self.width, self.titles)?);
        // A file that cannot be written fails before the work.
        if !self.force && self.out.is_file() && !is_report(&self.out) {
            return Err(Error::Usage(format!(
                "{} exists and was not made by this command; choose another name, or --force to \
                 replace it",
                self.out.display()
            )));
        }
        let failed = |error: io::Error| Error::writing(&self.out, &error);
        let mut file = WholeFile::create(&self.out).map_err(failed)?;
        let folder = NewFolder::create(figures_folder(&self.out))?;
        let arena = arena(self.threads.unwrap_or_else(all_cores))?;
        let teams = Evidence::teams(studies)?;
        let fronts = studies.iter().map(Fronts::of).collect::<Result<Vec<_>, _>>()?;
        let fronts: Vec<Fronts> = fronts.into_iter().flatten().collect();
        watch.tell(News::Begins { unit: "games", total: Evidence::games(&teams, &plan) });
        let evidence = Evidence::gather(&arena, teams, plan, watch)?;
        let page = Page::write(&Material {
            studies,
            evidence: &evidence,
            fronts: &fronts,
            command: &self.command(),
            folder: &folder.name(),
            signature: signature(arena.kernel()).digest(),
            formats: &formats,
        });
        watch.check()?;
        let mut names = Names::default();
        for figure in &page.figures {
            for &format in &formats {
                let (name, bytes) = figure.file(format, &paper);
                folder.add_bytes(&name, &bytes)?;
                names.figures.push(name);
            }
            for (name, csv) in &figure.data {
                folder.add(name, csv)?;
                names.data.push(name.clone());
            }
        }
        // From here on only the page needs room on the disk, and it is written whole or not at all.
        file.line(&page.html).and_then(|()| file.finish()).map_err(failed)?;
        let path = folder.arrive(&names)?;
        let [figures, data] = [names.figures, names.data]
            .map(|names| names.iter().map(|name| path.join(name)).collect());
        Ok(Files { figures, data })
    }
}

/// How figures are to be in a paper, if that can be.
pub(crate) fn paper(width: Option<f64>, titles: bool) -> Result<Paper, Error> {
    let [least, most] = ReportRequest::WIDTHS;
    match width {
        Some(width) if !(least..=most).contains(&width) => {
            Err(Error::Usage(format!("width = {width}, expected {least} to {most} centimetres")))
        }
        width => Ok(Paper { width, titles }),
    }
}

/// The files of a report beside its page.
struct Files {
    figures: Vec<PathBuf>,
    data: Vec<PathBuf>,
}

/// The files of a folder of figures.
#[derive(Default)]
struct Names {
    figures: Vec<String>,
    data: Vec<String>,
}

/// `report-figures` beside `report.html`.
fn figures_folder(page: &Path) -> PathBuf {
    let mut name = page.file_stem().unwrap_or_default().to_os_string();
    name.push("-figures");
    page.with_file_name(name)
}

/// A folder of figures that is filled under a temporary name and moved into place when it is
/// complete. It is removed if anything fails before.
struct NewFolder {
    path: PathBuf,
    /// Inside the folder if it exists, else beside it.
    temporary: TempDir,
    is_new: bool,
}

impl NewFolder {
    fn create(path: PathBuf) -> Result<NewFolder, Error> {
        let is_new = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(Error::writing(&path, &error)),
            Ok(_) if path.is_dir() => false,
            Ok(_) => {
                let error = io::Error::new(io::ErrorKind::AlreadyExists, "it is not a folder");
                return Err(Error::writing(&path, &error));
            }
        };
        let beside = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let temporary = builder.prefix(".figures-").tempdir_in(if is_new { beside } else { &path });
        let temporary = temporary.map_err(|error| Error::writing(&path, &error))?;
        Ok(NewFolder { path, temporary, is_new })
    }

    /// Writes a file that does not exist yet.
    fn add(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.temporary.path().join(name);
        let write = || {
            let mut file = WholeFile::create(&path)?;
            file.line(text)?;
            file.finish()
        };
        write().map_err(|error| Error::writing(&self.path.join(name), &error))
    }

    /// Writes a file of bytes that does not exist yet. It may be cut short by a kill, but then the
    /// folder never arrives.
    fn add_bytes(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let write = || {
            let mut file = fs::File::create_new(self.temporary.path().join(name))?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(|error: io::Error| Error::writing(&self.path.join(name), &error))
    }

    /// Moves the files into place and removes those of an earlier report. Returns the folder.
    fn arrive(self, names: &Names) -> Result<PathBuf, Error> {
        let NewFolder { path, temporary, is_new } = self;
        if is_new && fs::rename(temporary.path(), &path).is_ok() {
            // The temporary folder was renamed, so there is nothing to remove.
            let _ = temporary.keep();
            return Ok(path);
        }
        // The folder exists, perhaps only since a moment ago.
        let all: Vec<&String> = names.figures.iter().chain(&names.data).collect();
        for name in &all {
            let to = path.join(name);
            fs::rename(temporary.path().join(name), &to)
                .map_err(|error| Error::writing(&to, &error))?;
        }
        forget_others(&path, &all);
        Ok(path)
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Removes figures of earlier reports: files with the name and the first line of one.
fn forget_others(folder: &Path, names: &[&String]) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        // For a link this is the type of the link, not of its target.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && !names.contains(&&name) && Page::is_figure(&name) && is_marked(&entry.path())
        {
            // It does no harm if one is left.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Says whether a file was made by a report.
fn is_marked(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = fs::File::open(path)
        .and_then(|file| file.take(Page::MARK_LENGTH as u64).read_to_end(&mut beginning));
    read.is_ok() && Page::has_mark(&beginning)
}

/// Says whether a file is a report, or empty.
fn is_report(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(4096).read_to_end(&mut beginning));
    let text = String::from_utf8_lossy(&beginning);
    read.is_ok() && (text.is_empty() || text.contains(&format!("content=\"{}\"", Page::GENERATOR)))
}
