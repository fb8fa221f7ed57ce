//! A sweep from the command line: `--set key=a,b,c` as a study of one grid.

use outflank_learn::Method;
use outflank_schema::toml;
use outflank_study::{
    CaseSpec, Design, FigureKind, FigureSpec, MOST_CASES, Shrink, StudyError, StudyFile, TableKind,
    TableSpec,
};

use crate::{Error, LearnRequest};

/// The values of `a,b,c`: split at commas outside of brackets and quotes. One value if there is no
/// such comma.
fn values(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut quote) = (vec![String::new()], 0i32, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("there is a part").push(letter);
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

/// A value as TOML; what is not TOML is a whole number as people write it, or else a text.
fn value(text: &str) -> toml::Value {
    let document = format!("value = {text}");
    let parsed = document.parse::<toml::Table>().ok();
    let whole = || i64::try_from(outflank_schema::parse_whole(text)?).ok();
    let parsed = parsed.and_then(|mut table| table.remove("value"));
    parsed.unwrap_or_else(|| whole().map_or_else(|| text.into(), toml::Value::Integer))
}

/// The study that a request with lists in `set` asks for; none if it has no lists.
pub fn sweep(request: &LearnRequest) -> Result<Option<Design>, Error> {
    let (mut grid, mut set) = (toml::Table::new(), toml::Table::new());
    let mut lists = Lists { request, fixed: Vec::new(), lists: Vec::new() };
    for text in &request.set {
        let Some((key, list)) = text.split_once('=') else {
            // It is refused with the first combination.
            lists.fixed.push(text.clone());
            continue;
        };
        let (key, all) = (key.trim(), values(list));
        let wrong = |problem: String| Err(Error::Usage(format!("--set {text}: {problem}")));
        if all.iter().any(String::is_empty) && all.len() > 1 {
            return wrong("a value between commas is empty".into());
        }
        if grid.contains_key(key) || (all.len() > 1 && set.contains_key(key)) {
            return wrong(format!("{key} is set twice"));
        }
        if let [one] = &all[..] {
            set.insert(key.into(), value(one));
            lists.fixed.push(text.clone());
            continue;
        }
        let many: Vec<toml::Value> = all.iter().map(|one| value(one)).collect();
        if let Some(twice) = (1..many.len()).find(|&at| many[..at].contains(&many[at])) {
            return wrong(format!("{} is there twice", many[twice]));
        }
        grid.insert(key.into(), toml::Value::Array(many));
        lists.lists.push((key.to_owned(), all));
    }
    if lists.lists.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = lists.lists.iter().map(|(key, _)| key.clone()).collect();
    if request.continue_from.is_some() {
        let problem = "--continue continues one study, not every combination of a list in --set";
        return Err(Error::Usage(problem.into()));
    }
    if let Some(games) = request.games {
        set.insert("games".into(), toml::Value::Integer(games.min(i64::MAX as u64) as i64));
    }
    let method = lists.combination(0)?;
    let seeds = outflank_report::seeds(&request.seeds);
    let name = format!("{}-sweep", method.name);
    let case = "sweep".to_owned();
    let figure = |of, name: &str, title: &str| FigureSpec {
        name: name.into(),
        title: title.into(),
        of,
        cases: vec![case.clone()],
        probe: String::new(),
        tournament: String::new(),
        profile: String::new(),
        judge: String::new(),
        note: String::new(),
    };
    let title = format!("{}: {}", method.name, names.join(" and "));
    let mut figures = vec![
        figure(FigureKind::Boxes, "ends", "At the end of the runs"),
        figure(FigureKind::Curves, "curves", "Learning curves"),
    ];
    if names.len() == 2 {
        figures.insert(0, figure(FigureKind::Heatmap, "map", &title));
    }
    let file = StudyFile {
        title,
        version: 1,
        paper: String::new(),
        about: method.summary.clone(),
        seeds,
        margin: 0.0,
        case: vec![CaseSpec {
            name: case.clone(),
            method: request.method.clone(),
            label: method.name.clone(),
            set,
            grid,
            seeds: String::new(),
            reading: String::new(),
        }],
        tournament: Vec::new(),
        profile: Vec::new(),
        value: Vec::new(),
        table: vec![TableSpec {
            name: "grid".into(),
            title: "Every combination".into(),
            of: TableKind::Finals,
            cases: vec![case.clone()],
            probes: Vec::new(),
            against: Vec::new(),
            tournament: String::new(),
            note: String::new(),
        }],
        figure: figures,
    };
    let text = toml::to_string(&file).expect("a study is plain TOML");
    // Nobody has seen that text: mistakes are told in terms of the request.
    Design::of_text(&name, &text, &Shrink::default()).map(Some).map_err(|error| lists.wrong(error))
}

/// Lists in the settings of a request.
struct Lists<'a> {
    request: &'a LearnRequest,
    /// The settings that are no lists.
    fixed: Vec<String>,
    /// Keys and their values.
    lists: Vec<(String, Vec<String>)>,
}

impl Lists<'_> {
    /// The method of a combination of values; the last list changes fastest.
    fn combination(&self, mut number: usize) -> Result<Method, Error> {
        let mut set = self.fixed.clone();
        for (key, all) in self.lists.iter().rev() {
            set.push(format!("{key}={}", all[number % all.len()]));
            number /= all.len();
        }
        LearnRequest { set, ..self.request.clone() }.resolve()
    }

    /// What is wrong with the first combination that is no method; otherwise what is wrong with the
    /// study of all.
    fn wrong(&self, error: StudyError) -> Error {
        let sizes = self.lists.iter().map(|(_, all)| all.len());
        let size = sizes.fold(1, usize::saturating_mul);
        let combinations = if size <= MOST_CASES { size } else { 0 };
        if let Some(error) = (0..combinations).find_map(|number| self.combination(number).err()) {
            return error;
        }
        let keys: Vec<&str> = self.lists.iter().map(|(key, _)| key.as_str()).collect();
        match error {
            StudyError::Wrong(mistake) => {
                Error::Usage(format!("--set of {}: {}", keys.join(" and "), mistake.problem))
            }
            error => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_outside_of_brackets_and_quotes_make_a_list() {
        assert_eq!(values("0.05,0.1, 0.2"), ["0.05", "0.1", "0.2"]);
        assert_eq!(values("['a,b','c']"), ["['a,b','c']"]);
        assert_eq!(values("[-1, 1],[-2, 2]"), ["[-1, 1]", "[-2, 2]"]);
        assert_eq!(values("\"a,b\""), ["\"a,b\""]);
    }

    #[test]
    fn lists_are_a_study_of_a_grid() {
        let set = |list: &[&str]| LearnRequest {
            method: "rsel".into(),
            set: list.iter().map(ToString::to_string).collect(),
            seeds: vec![1, 2, 3],
            ..LearnRequest::default()
        };
        assert!(sweep(&set(&["search.mu=10"])).unwrap().is_none());
        let two = set(&["search.mutation.size=0.05,0.1,0.2", "search.mu=10,25", "games=50000"]);
        let design = sweep(&two).unwrap().unwrap();
        assert_eq!(design.cases.len(), 6);
        assert_eq!(design.cases[0].seeds, [1, 2, 3]);
        assert!(design.cases.iter().all(|case| case.method.spec.games == 50_000));
        assert_eq!(design.file.figure[0].of, FigureKind::Heatmap);
        // Numbers as people write them; a comma is always between two values.
        let design = sweep(&set(&["games=20k,1e5", "search.mu=100"])).unwrap().unwrap();
        let games = design.cases.iter().map(|case| case.method.spec.games);
        assert_eq!(games.collect::<Vec<u64>>(), [20_000, 100_000]);
        assert!(outflank_learn::resolve("rsel", &["search.mu=100,200".into()]).is_err());
    }

    #[test]
    fn mistakes_are_told_in_terms_of_the_request() {
        let wrong = |method: &str, set: &[&str], games: Option<u64>| {
            let request = LearnRequest {
                method: method.into(),
                set: set.iter().map(ToString::to_string).collect(),
                seeds: vec![1],
                games,
                ..LearnRequest::default()
            };
            sweep(&request).unwrap_err().to_string()
        };
        let many: Vec<String> = (1..=200).map(|number| number.to_string()).collect();
        let [mu, lambda] = ["mu", "lambda"].map(|key| format!("search.{key}={}", many.join(",")));
        let messages = [
            (
                wrong("rsel", &["search.mu=10,x"], None),
                "--set search.mu=x: search.mu = \"x\", expected a whole number, 0 or more",
            ),
            (
                wrong("rsel", &["search.mu=10,25", "search.lambda=5,0"], None),
                "--set search.lambda=0: search.lambda = 0, expected a whole number from 1 to 100000",
            ),
            (wrong("rsel", &["search.mu=10,25", "games=x"], None), "--set games=x: games = \"x\""),
            (wrong("rsel", &["search.mu=10,25", "games"], None), "--set games: there is no ="),
            (wrong("rsel", &["search.mu=10,25"], Some(3)), "games = 3, expected at least 3500"),
            (wrong("rsel", &["mu=10,25"], None), "--set mu=10: unknown key mu = 10: did you mean"),
            (wrong("rsel", &["search.mu=5,5"], None), "--set search.mu=5,5: 5 is there twice"),
            (
                wrong("rsel", &[&mu, &lambda], None),
                "--set of search.mu and search.lambda: a grid of 200 × 200 cases, expected at most",
            ),
        ];
        for (message, expected) in messages {
            assert!(message.starts_with(expected), "{message}");
            assert!(!message.contains("line ") && !message.contains("case \""), "{message}");
        }
    }
}
