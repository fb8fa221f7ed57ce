//! A study that was read and checked: its cases with their methods and seeds, in full.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use outflank_learn::{Method, resolve};
use outflank_schema::{self as schema, Mistake, Place, Table, did_you_mean, nearest, toml};
use serde::Deserialize;

use crate::file::{CaseSpec, StudyFile, ValueSpec};
use crate::seeds::parse_seeds;
use crate::shrink::Shrink;
use crate::source::Needs;

/// A study, ready to be run.
#[derive(Clone, Debug)]
pub struct Design {
    /// The name of its file, without the ending.
    pub name: String,
    /// As it is written.
    pub file: StudyFile,
    /// Its cases; each member of a grid is one.
    pub cases: Vec<Case>,
    /// How much smaller it is than written.
    pub shrink: Shrink,
}

/// Runs of one method.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name; `grid/value` for a member of a grid.
    pub name: String,
    /// What it is called in tables and figures.
    pub label: String,
    /// The method.
    pub method: Method,
    /// The preset or file that it is based on.
    pub based_on: String,
    /// The keys that differ from it, `key=value`.
    pub set: Vec<String>,
    /// The keys of its grid and their values here.
    pub parameters: Vec<(String, String)>,
    /// The grid it belongs to.
    pub grid: Option<String>,
    /// The seeds of its runs.
    pub seeds: Vec<u64>,
    /// Games of a run and number of runs at full size.
    pub full: (u64, usize),
    /// What is read otherwise than usual, and why.
    pub reading: String,
}

/// Why a study cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Its file cannot be read.
    #[error("cannot read the study {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something in it is wrong.
    #[error(transparent)]
    Wrong(#[from] Mistake),
    /// `--only` names something that it does not have.
    #[error("{0}")]
    Only(String),
}

/// Larger files are refused.
const LARGEST: u64 = 4 << 20;
/// The version of the format that this program reads.
const VERSION: u64 = 1;
/// More cases are a mistake.
pub const MOST_CASES: usize = 10_000;

impl Design {
    /// Reads a study from a file.
    pub fn read(path: &Path, shrink: &Shrink) -> Result<Design, StudyError> {
        let wrong = |source| StudyError::Read { path: path.into(), source };
        let size = std::fs::metadata(path).map_err(wrong)?.len();
        let source: Arc<str> = format!("study {}", path.display()).into();
        if size > LARGEST {
            let place = Place { source, line: None };
            return Err(place.wrong(format!("larger than {} MiB", LARGEST >> 20)).into());
        }
        let text = std::fs::read_to_string(path).map_err(wrong)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(Path::new(""));
        Design::parse(&name, &source, &text, folder, shrink)
    }

    /// Reads a study that comes with the program.
    pub fn of_text(name: &str, text: &str, shrink: &Shrink) -> Result<Design, StudyError> {
        Design::parse(name, &format!("study {name}").into(), text, Path::new(""), shrink)
    }

    fn parse(
        name: &str,
        source: &Arc<str>,
        text: &str,
        folder: &Path,
        shrink: &Shrink,
    ) -> Result<Design, StudyError> {
        let node = schema::parse(text.trim_start_matches('\u{feff}'), source)?;
        let newer =
            node.get("version").map(ToString::to_string).and_then(|v| v.parse::<u64>().ok());
        if let Some(version) = newer.filter(|version| !(1..=VERSION).contains(version)) {
            let problem = match version {
                0 => format!("version = 0, expected {VERSION}"),
                _ => format!(
                    "version = {version}: a study of a newer program; this one reads up to \
                     {VERSION}"
                ),
            };
            return Err(node.place_of("version").wrong(problem).into());
        }
        let table = schema::read_table(&node, StudyFile::KEYS)?;
        let file =
            StudyFile::deserialize(table).map_err(|error| node.place.wrong(error.message()))?;
        let mut cases = Vec::new();
        for (index, spec) in file.case.iter().enumerate() {
            let at = |key: &str| match key {
                // Those of the study, if the case has none of its own.
                "seeds" if spec.seeds.is_empty() => node.place_of("seeds"),
                _ => node.place_of(&format!("case[{index}].{key}")),
            };
            cases.extend(members(spec, &file, folder, &at, shrink)?);
            if cases.len() > MOST_CASES {
                let problem = format!("more than {MOST_CASES} cases");
                return Err(at("grid").wrong(problem).into());
            }
        }
        let design = Design { name: name.into(), file, cases, shrink: shrink.clone() };
        design.check(&node)?;
        Ok(design)
    }

    /// The case with this name.
    pub fn case(&self, name: &str) -> Option<&Case> {
        self.cases.iter().find(|case| case.name == name)
    }

    /// The cases that a name stands for: one, or all members of a grid.
    pub fn named(&self, name: &str) -> Vec<&Case> {
        let own = |case: &&Case| case.name == name || case.grid.as_deref() == Some(name);
        self.cases.iter().filter(own).collect()
    }

    /// What every output says about its size; nothing if no other than its own was asked for.
    pub fn size_note(&self) -> Option<String> {
        let fewer_runs = self.cases.iter().any(|case| case.seeds.len() < case.full.1);
        let fewer_games = self.cases.iter().any(|case| case.method.spec.games < case.full.0);
        self.shrink.note(fewer_runs, fewer_games)
    }

    /// The study as it is written, with the meaning of every key.
    pub fn explained(&self) -> String {
        let table = toml::Table::try_from(&self.file).unwrap_or_default();
        schema::write(&table, StudyFile::KEYS, true)
    }

    /// The names of all cases that a list of names stands for.
    pub fn teams(&self, names: &[String]) -> Vec<String> {
        let all = names.iter().flat_map(|name| self.named(name));
        all.map(|case| case.name.clone()).collect()
    }

    /// The names of its tables and figures.
    fn made(&self) -> impl Iterator<Item = &str> {
        let tables = self.file.table.iter().map(|table| table.name.as_str());
        tables.chain(self.file.figure.iter().map(|figure| figure.name.as_str()))
    }

    /// Says whether it has a table or figure of this name, or a published value of this place.
    pub fn makes(&self, name: &str) -> bool {
        let values = self.file.value.iter().map(|value| value.printed.as_str());
        let known: Vec<String> = self.made().chain(values).flat_map(places).collect();
        places(name).iter().all(|place| known.contains(place))
    }

    /// What `--only` is given for a published value: a table or figure, or where it is printed.
    pub fn only_for(&self, value: &ValueSpec) -> String {
        let own = places(&value.printed);
        let made = self.made().find(|name| places(name).iter().any(|place| own.contains(place)));
        let printed = || value.printed.split(['/', ',']).next().unwrap_or_default().trim();
        made.unwrap_or_else(printed).to_owned()
    }

    /// Keeps only some tables and figures, and what they need; published values of the same names
    /// (`Table 2` for `table2`) stay, and those of sections that are named.
    pub fn only(&mut self, wanted: &[String]) -> Result<(), StudyError> {
        if let Some(name) = wanted.iter().find(|name| !self.makes(name)) {
            let meant = nearest(name, self.made());
            return Err(StudyError::Only(format!(
                "study {:?} has no table or figure {name:?}{}; it has {}",
                self.name,
                did_you_mean(meant.as_deref()),
                self.made().collect::<Vec<_>>().join(", ")
            )));
        }
        let file = &mut self.file;
        let kept: Vec<String> = wanted.iter().flat_map(|name| places(name)).collect();
        let is_kept = |name: &str| places(name).iter().any(|place| kept.contains(place));
        file.table.retain(|table| is_kept(&table.name));
        file.figure.retain(|figure| is_kept(&figure.name));
        file.value.retain(|value| is_kept(&value.printed));
        let needs = self.needs();
        let has = |list: &[(&'static str, String)], name: &str| {
            list.iter().any(|(_, other)| other == name)
        };
        let file = &mut self.file;
        file.tournament.retain(|one| has(&needs.tournaments, &one.name));
        file.profile.retain(|one| has(&needs.profiles, &one.name));
        let mut cases: BTreeSet<String> = needs.cases.into_iter().map(|(_, name)| name).collect();
        cases.extend(self.file.tournament.iter().flat_map(|one| one.cases.clone()));
        cases.extend(self.file.profile.iter().flat_map(|one| one.cases.clone()));
        let wanted = |name: Option<&str>| name.is_some_and(|name| cases.contains(name));
        self.cases.retain(|case| wanted(Some(&case.name)) || wanted(case.grid.as_deref()));
        Ok(())
    }

    /// What its values, tables and figures need.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        let sources = self.file.value.iter().flat_map(|value| {
            std::iter::once(&value.ours).chain(value.tried.iter().map(|tried| &tried.ours))
        });
        for source in sources {
            let more = source.needs();
            needs.cases.extend(more.cases);
            needs.tournaments.extend(more.tournaments);
            needs.profiles.extend(more.profiles);
            needs.matches.extend(more.matches);
        }
        let name = |text: &str| ("", text.to_owned());
        for table in &self.file.table {
            let cases = table.cases.iter().chain(&table.against);
            needs.cases.extend(cases.map(|case| name(case)));
            needs.tournaments.extend([name(&table.tournament)]);
        }
        for figure in &self.file.figure {
            needs.cases.extend(figure.cases.iter().map(|case| name(case)));
            needs.tournaments.extend([name(&figure.tournament)]);
            needs.profiles.extend([name(&figure.profile)]);
        }
        needs.matches.dedup();
        needs
    }
}

/// The tables and figures that a text names, in one spelling: `Table III/Fig. 4b` is `table3` and
/// `fig4b`; `figure-3` is `fig3`; `Figs. 4.7, 4.8` are `fig47` and `fig48`.
fn places(text: &str) -> Vec<String> {
    const ROMAN: [&str; 10] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"];
    let place = |part: &str| {
        let plain: String = part.chars().filter(|letter| letter.is_alphanumeric()).collect();
        let plain = plain.to_lowercase();
        if let Some(number) = plain.strip_prefix("table") {
            let roman = ROMAN.iter().position(|roman| *roman == number);
            return roman.map_or(plain.clone(), |index| format!("table{}", index + 1));
        }
        let number = ["figures", "figure", "figs", "fig"]
            .iter()
            .find_map(|word| plain.strip_prefix(word))
            .filter(|number| number.starts_with(|first: char| first.is_ascii_digit()));
        number.map_or(plain.clone(), |number| format!("fig{number}"))
    };
    let listed = |part: &str| -> Vec<String> {
        let is_figure = place(part).starts_with("fig");
        let mut own = part.split(',').map(str::trim);
        let first = own.next().map(place);
        // The word stands once.
        let others = own.map(|one| match is_figure {
            true => place(&format!("fig {one}")),
            false => place(one),
        });
        first.into_iter().chain(others).collect()
    };
    text.split('/').flat_map(listed).collect()
}

/// The leaves of a table of settings: full keys and values.
fn leaves(table: &toml::Table, path: &str, into: &mut Vec<(String, toml::Value)>) {
    for (name, value) in table {
        let key = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match value {
            toml::Value::Table(inner) => leaves(inner, &key, into),
            value => into.push((key, value.clone())),
        }
    }
}

/// The cases of an entry: itself, or the members of its grid.
fn members<'a>(
    spec: &CaseSpec,
    file: &StudyFile,
    folder: &Path,
    at: &dyn Fn(&str) -> &'a Place,
    shrink: &Shrink,
) -> Result<Vec<Case>, Mistake> {
    let text = if spec.seeds.is_empty() { &file.seeds } else { &spec.seeds };
    let seeds = parse_seeds(text)
        .map_err(|problem| at("seeds").wrong(format!("seeds = {text:?}: {problem}")))?;
    let (mut set, mut grid) = (Vec::new(), Vec::new());
    leaves(&spec.set, "", &mut set);
    leaves(&spec.grid, "", &mut grid);
    let mut axes: Vec<(String, Vec<toml::Value>)> = Vec::new();
    for (key, value) in grid {
        match value {
            toml::Value::Array(values) if !values.is_empty() => axes.push((key, values)),
            other => {
                let problem = format!("grid.{key} = {other}, expected a list of values");
                return Err(at("grid").wrong(problem));
            }
        }
    }
    for (key, values) in &axes {
        let twice = (1..values.len()).find(|&index| values[..index].contains(&values[index]));
        if let Some(index) = twice {
            let problem = format!("grid.{key} has {} twice", values[index]);
            return Err(at("grid").wrong(problem));
        }
    }
    let size = axes.iter().try_fold(1usize, |size, (_, values)| size.checked_mul(values.len()));
    let size = size.filter(|size| *size <= MOST_CASES).ok_or_else(|| {
        let sizes: Vec<String> = axes.iter().map(|(_, values)| values.len().to_string()).collect();
        at("grid")
            .wrong(format!("a grid of {} cases, expected at most {MOST_CASES}", sizes.join(" × ")))
    })?;
    let fixed: Vec<String> = set.iter().map(|(key, value)| format!("{key}={value}")).collect();
    (0..size)
        .map(|mut number| {
            let mut parameters = Vec::new();
            for (key, values) in axes.iter().rev() {
                parameters.push((key.clone(), values[number % values.len()].clone()));
                number /= values.len();
            }
            parameters.reverse();
            case(spec, &fixed, &parameters, &seeds, folder, at, shrink)
        })
        .collect()
}

fn case<'a>(
    spec: &CaseSpec,
    fixed: &[String],
    parameters: &[(String, toml::Value)],
    seeds: &[u64],
    folder: &Path,
    at: &dyn Fn(&str) -> &'a Place,
    shrink: &Shrink,
) -> Result<Case, Mistake> {
    let mut set = fixed.to_vec();
    set.extend(parameters.iter().map(|(key, value)| format!("{key}={value}")));
    let beside = folder.join(&spec.method);
    let is_file = spec.method.contains(['/', '.']) && beside.exists();
    let source = if is_file { beside.to_string_lossy().into_owned() } else { spec.method.clone() };
    let method = resolve(&source, &set).map_err(|error| {
        let key = match (fixed.is_empty(), parameters.is_empty()) {
            (true, true) => "method",
            (_, false) => "grid",
            (false, true) => "set",
        };
        // Settings of a file are not those of a command line.
        let error = error.to_string().replace("--set ", "");
        at(key).wrong(format!("case {:?}: {error}", spec.name))
    })?;
    let full = (method.spec.games, seeds.len());
    let (seeds, smaller) = shrink.of(&method.spec, seeds);
    let method = match &smaller[..] {
        [] => method,
        smaller => {
            let all: Vec<String> = set.iter().chain(smaller).cloned().collect();
            resolve(&source, &all).map_err(|error| {
                at("method").wrong(format!("case {:?}, made smaller: {error}", spec.name))
            })?
        }
    };
    set.extend(smaller);
    let shown = |value: &toml::Value| match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let parameters: Vec<(String, String)> =
        parameters.iter().map(|(key, value)| (key.clone(), shown(value))).collect();
    let values: Vec<&str> = parameters.iter().map(|(_, value)| value.as_str()).collect();
    let label = if spec.label.is_empty() { &spec.name } else { &spec.label };
    let (name, label, grid) = match parameters.is_empty() {
        true => (spec.name.clone(), label.clone(), None),
        false => {
            let short = |key: &str| key.rsplit('.').next().unwrap_or(key).to_owned();
            let settings: Vec<String> =
                parameters.iter().map(|(key, value)| format!("{}={value}", short(key))).collect();
            (
                format!("{}/{}", spec.name, values.join("/")),
                format!("{label} {}", settings.join(" ")),
                Some(spec.name.clone()),
            )
        }
    };
    Ok(Case {
        name,
        label,
        method,
        based_on: source,
        set,
        parameters,
        grid,
        seeds,
        full,
        reading: spec.reading.clone(),
    })
}
