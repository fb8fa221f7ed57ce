//! A sweep from the command line: `--set key=a,b,c` as a study of one grid.

use outflank_schema::toml;
use outflank_study::{
    CaseSpec, Design, FigureKind, FigureSpec, Shrink, StudyFile, TableKind, TableSpec,
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

/// A value as TOML; what is not TOML is a text.
fn value(text: &str) -> toml::Value {
    let document = format!("value = {text}");
    let parsed = document.parse::<toml::Table>().ok();
    parsed.and_then(|mut table| table.remove("value")).unwrap_or_else(|| text.into())
}

/// The study that a request with lists in `set` asks for; none if it has no lists.
pub fn sweep(request: &LearnRequest) -> Result<Option<Design>, Error> {
    let (mut grid, mut set) = (toml::Table::new(), toml::Table::new());
    let mut names = Vec::new();
    for text in &request.set {
        let Some((key, list)) = text.split_once('=') else { continue };
        let (key, all) = (key.trim(), values(list));
        if all.iter().any(String::is_empty) && all.len() > 1 {
            return Err(Error::Usage(format!("--set {text}: a value between commas is empty")));
        }
        if grid.contains_key(key) || (all.len() > 1 && set.contains_key(key)) {
            return Err(Error::Usage(format!("--set {text}: {key} is set twice")));
        }
        let into = if all.len() > 1 { &mut grid } else { &mut set };
        let found = match &all[..] {
            [one] => value(one),
            many => toml::Value::Array(many.iter().map(|one| value(one)).collect()),
        };
        if all.len() > 1 {
            names.push(key.to_owned());
        }
        into.insert(key.into(), found);
    }
    if names.is_empty() {
        return Ok(None);
    }
    if request.continue_from.is_some() {
        let problem = "--continue continues one study, not every combination of a list in --set";
        return Err(Error::Usage(problem.into()));
    }
    if let Some(games) = request.games {
        set.insert("games".into(), toml::Value::Integer(games.min(i64::MAX as u64) as i64));
    }
    let method = outflank_learn::resolve(&request.method, &[])?;
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
            tournament: String::new(),
            note: String::new(),
        }],
        figure: figures,
    };
    let text = toml::to_string(&file).expect("a study is plain TOML");
    Ok(Some(Design::of_text(&name, &text, &Shrink::default())?))
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
        let wrong = sweep(&set(&["search.mu=10,x"])).unwrap_err();
        assert!(wrong.to_string().contains("search.mu"), "{wrong}");
    }
}
