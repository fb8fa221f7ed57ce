//! A method as a form: every key that can be set, its meaning, its value and its choices. Made from
//! the schema of specs, so that a new key is in it without a line here.

use std::path::PathBuf;
use std::sync::Arc;

use outflank_arena::Watch;
use outflank_learn::{Method, Spec, SpecError, example, resolve};
use outflank_schema::toml::{Table as Toml, Value};
use outflank_schema::{Shape, Table, TableKey, parse_override, parse_whole};
use outflank_store::spec_id;
use outflank_study::parse_seeds;
use serde::{Deserialize, Serialize};

use crate::{Command, Error, LearnRequest};

/// Describes all keys of a method, and checks settings as they are typed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FormRequest {
    /// A preset's name or a spec file.
    pub method: String,
    /// Keys to change, `KEY=VALUE`.
    pub set: Vec<String>,
    /// Seeds, such as `1..30`; 1 if it is empty.
    pub seeds: String,
    /// Games of a run, such as `1e6`; the method's own number if it is empty.
    pub games: String,
    /// Threads; all cores if it is empty.
    pub threads: String,
    /// The folder of the runs; one that is named after the method if it is empty.
    pub out: String,
}

/// A method as a form. Settings that are wrong are told and left out, so that there is always a
/// form.
#[derive(Clone, Debug, Serialize)]
pub struct FormAnswer {
    /// Its name.
    pub name: String,
    /// What it is, in one line.
    pub summary: String,
    /// The paper and its section.
    pub paper: String,
    /// The folder of its runs, if no other is chosen.
    pub out: String,
    /// Games of a run, with those of the stage before it.
    pub games: u64,
    /// The keys, in the order of a spec file.
    pub fields: Vec<Field>,
    /// What is wrong.
    pub problems: Vec<FormProblem>,
    /// Settings that were added: another kind needs keys that the method does not have, and these
    /// are the values of a preset.
    pub added: Vec<String>,
    /// The request that starts it, without the settings that are wrong.
    pub learn: LearnRequest,
    /// The words of the command that does the same.
    pub command: Vec<String>,
}

/// A setting that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FormProblem {
    /// The key, or `seeds`, `games` or `threads`.
    pub key: String,
    /// Its value as it was typed.
    pub value: String,
    /// The key, the value and what was expected.
    pub problem: String,
    /// Whether the method has such a key.
    pub applies: bool,
}

/// A key that can be set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// The key, as `--set` takes it.
    pub key: String,
    /// What it means.
    pub about: String,
    /// What it holds.
    pub holds: Holds,
    /// Its value as TOML; none if a table that may be missing is missing.
    pub value: Option<String>,
    /// The value that turns it off.
    pub off: Option<String>,
    /// The words to choose from.
    pub choices: Vec<Choice>,
}

/// What a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holds {
    /// A whole number.
    Whole,
    /// Any number.
    Number,
    /// True or false.
    Flag,
    /// A text, such as the name of a player.
    Text,
    /// One of the choices.
    Choice,
    /// A list, as TOML.
    List,
    /// A whole table that may be missing; `false` removes it.
    Table,
}

/// A word to choose.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// How it is written.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
}

impl Command for FormRequest {
    type Answer = FormAnswer;
    const NAME: &'static str = "form";

    fn run(&self, _watch: &dyn Watch) -> Result<FormAnswer, Error> {
        // If the method itself is wrong, there is no form.
        resolve(&self.method, &[])?;
        let mut problems = Vec::new();
        let (mut learn, mut added) = (self.learn(&mut problems), Vec::new());
        while let Some((culprit, problem)) = mistake(&mut learn, &mut added) {
            problems.push(match culprit {
                Some(culprit) => problem_of(&learn.set.remove(culprit), problem),
                None => {
                    learn.games = None;
                    of_option("games", &self.games, problem)
                }
            });
        }
        let Method { name, summary, paper, spec } = learn.resolve()?;
        let text = outflank_learn::run_text(&spec)?;
        let out = format!("runs/{name}-{}", spec_id(&text));
        let table = Toml::try_from(&spec).map_err(|error| Error::Failed(error.to_string()))?;
        let mut fields = Vec::new();
        list(&mut fields, &table, "", Spec::KEYS);
        for problem in problems.iter_mut().filter(|problem| !problem.applies) {
            problem.applies = fields.iter().any(|field| field.key == problem.key);
        }
        let (games, command) = (spec.all_games(), learn.words());
        Ok(FormAnswer { name, summary, paper, out, games, fields, problems, added, learn, command })
    }
}

/// As many threads as the command line takes.
const MAX_THREADS: usize = 4096;

impl FormRequest {
    /// The request, with the options that can be read.
    fn learn(&self, problems: &mut Vec<FormProblem>) -> LearnRequest {
        let (method, set) = (self.method.clone(), self.set.clone());
        let mut learn = LearnRequest { method, set, ..LearnRequest::default() };
        let mut wrong = |key: &str, value: &str, expected: &str| {
            let problem = format!("{key} = {value}, expected {expected}");
            problems.push(of_option(key, value, problem));
        };
        let [seeds, games, threads, out] =
            [&self.seeds, &self.games, &self.threads, &self.out].map(|text| text.trim());
        match parse_seeds(seeds) {
            _ if seeds.is_empty() => {}
            Ok(seeds) => learn.seeds = seeds,
            Err(_) => wrong("seeds", seeds, "whole numbers, each once, such as 7, 1..30 or 1,5,9"),
        }
        match parse_whole(games) {
            _ if games.is_empty() => {}
            Some(games) => learn.games = Some(games),
            None => wrong("games", games, "a whole number, such as 100000, 1e5 or 100k"),
        }
        match threads.parse() {
            _ if threads.is_empty() => {}
            Ok(threads) if (1..=MAX_THREADS).contains(&threads) => learn.threads = Some(threads),
            _ => wrong("threads", threads, &format!("a whole number from 1 to {MAX_THREADS}")),
        }
        learn.out = (!out.is_empty()).then(|| PathBuf::from(out));
        learn
    }
}

/// What is wrong with a request, and with which of its settings; none if it is the number of games.
/// Keys that another kind needs are added to the settings first.
fn mistake(learn: &mut LearnRequest, added: &mut Vec<String>) -> Option<(Option<usize>, String)> {
    let games = learn.games.map(|games| format!("games={games}"));
    let settings = |set: &[String]| set.iter().cloned().chain(games.clone()).collect::<Vec<_>>();
    let error = resolve(&learn.method, &settings(&learn.set)).err()?;
    let (place, problem) = match &error {
        SpecError::Content(mistake) => (Some(&mistake.place), mistake.problem.clone()),
        SpecError::Refused { place, fault } => (Some(place), fault.to_string()),
        other => (None, other.to_string()),
    };
    if let SpecError::Content(mistake) = &error
        && let Some(lacks) = &mistake.lacks
        && let Some((_, values)) = example(lacks)
    {
        let set = values.iter().map(|(key, value)| format!("{}.{key}={value}", lacks.table));
        // What was added and refused is not added again.
        let fresh: Vec<String> = set.filter(|set| !added.contains(set)).collect();
        if !fresh.is_empty() {
            learn.set.extend(fresh.iter().cloned());
            added.extend(fresh);
            return self::mistake(learn, added);
        }
    }
    let is_at = |text: &String| place.is_some_and(|place| source_of(text) == place.source);
    if games.as_ref().is_some_and(is_at) {
        return Some((None, problem));
    }
    // Where two keys disagree, the place may be that of the method's own.
    let helps = |without: &usize| {
        let mut set = learn.set.clone();
        set.remove(*without);
        resolve(&learn.method, &settings(&set)).is_ok()
    };
    let culprit = learn.set.iter().rposition(is_at);
    let culprit = culprit.or_else(|| (0..learn.set.len()).rev().find(helps));
    Some((culprit.or(learn.set.len().checked_sub(1)), problem))
}

/// What messages call a setting.
fn source_of(text: &str) -> Arc<str> {
    parse_override(text).map_or_else(|mistake| mistake.place.source, |node| node.place.source)
}

fn problem_of(setting: &str, problem: String) -> FormProblem {
    let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
    let (key, value) = (key.trim().into(), value.trim().into());
    FormProblem { key, value, problem, applies: false }
}

fn of_option(key: &str, value: &str, problem: String) -> FormProblem {
    FormProblem { key: key.into(), value: value.trim().into(), problem, applies: true }
}

/// Lists the keys of a table, and those of the tables in it.
fn list(fields: &mut Vec<Field>, table: &Toml, path: &str, keys: &'static [TableKey]) {
    for key in keys {
        let name = key.name();
        let value = table.get(&name);
        let at = if path.is_empty() { name } else { format!("{path}.{name}") };
        let mut field = Field {
            key: at.clone(),
            about: key.about().into(),
            holds: Holds::Text,
            value: value.map(ToString::to_string),
            off: key.neutral.map(|neutral| neutral().to_string()),
            choices: Vec::new(),
        };
        let inner = value.and_then(Value::as_table);
        match key.shape {
            Shape::Table(keys) => {
                inner.into_iter().for_each(|inner| list(fields, inner, &at, keys));
                continue;
            }
            Shape::Kinds(kinds) => {
                let Some(inner) = inner else { continue };
                let kind = inner.get("kind").and_then(Value::as_str).unwrap_or_default();
                field.key = format!("{at}.kind");
                field.holds = Holds::Choice;
                field.value = Some(kind.into());
                let choice =
                    |kind: &outflank_schema::Kind| Choice { name: kind.name, about: kind.about() };
                field.choices = kinds.iter().map(choice).collect();
                fields.push(field);
                let chosen = kinds.iter().find(|other| other.name == kind);
                chosen.into_iter().for_each(|kind| list(fields, inner, &at, kind.keys));
                continue;
            }
            Shape::Source(keys) => {
                field.holds = Holds::Table;
                field.value = inner.map(|_| "true".into());
                fields.push(field);
                inner.into_iter().for_each(|inner| list(fields, inner, &at, keys));
                continue;
            }
            Shape::Again(_) | Shape::Any => {
                field.holds = Holds::Table;
                field.value = inner.filter(|inner| !inner.is_empty()).map(|_| "true".into());
            }
            Shape::Word(words) => {
                field.holds = Holds::Choice;
                field.value = value.and_then(Value::as_str).map(str::to_owned);
                let choice =
                    |word: &outflank_schema::Word| Choice { name: word.name, about: word.about() };
                field.choices = words.iter().map(choice).collect();
            }
            shape => {
                field.holds = holds(shape);
                if let Some(Value::String(text)) = value {
                    field.value = Some(text.clone());
                }
            }
        }
        fields.push(field);
    }
}

/// What a plain key holds.
fn holds(shape: Shape) -> Holds {
    match shape {
        Shape::Whole => Holds::Whole,
        Shape::Number => Holds::Number,
        Shape::Flag => Holds::Flag,
        Shape::Maybe(shape) => holds(*shape),
        Shape::Player | Shape::Origin | Shape::Book | Shape::Text => Holds::Text,
        _ => Holds::List,
    }
}

#[cfg(test)]
mod tests {
    use outflank_arena::Unwatched;
    use outflank_learn::PRESETS;

    use super::*;

    fn form(method: &str, set: &[&str]) -> FormAnswer {
        let set = set.iter().map(ToString::to_string).collect();
        let request = FormRequest { method: method.into(), set, ..FormRequest::default() };
        request.run(&Unwatched).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn value<'a>(form: &'a FormAnswer, key: &str) -> Option<&'a str> {
        form.fields.iter().find(|field| field.key == key)?.value.as_deref()
    }

    #[test]
    fn every_preset_is_a_form_whose_values_can_be_set_again() {
        for preset in PRESETS {
            let request = FormRequest { method: preset.name.into(), ..FormRequest::default() };
            let form = request.run(&Unwatched).unwrap();
            assert!(form.fields.iter().all(|field| !field.about.is_empty()), "{}", preset.name);
            let set = form.fields.iter().filter_map(|field| {
                let value = field.value.as_ref()?;
                match field.holds {
                    Holds::Table => None,
                    Holds::Text | Holds::Choice => Some(format!("{}={value:?}", field.key)),
                    _ => Some(format!("{}={value}", field.key)),
                }
            });
            let again = FormRequest { set: set.collect(), ..request };
            let again = again.run(&Unwatched).unwrap();
            assert_eq!(again.problems, []);
            assert_eq!(again.fields, form.fields, "{}", preset.name);
            assert_eq!(again.out, form.out);
        }
    }

    #[test]
    fn a_wrong_value_is_told_with_its_key_and_the_others_are_kept() {
        let set = ["search.mutation.size=large", "probes.every=5e3", "probes.games=100k"];
        let form = form("rsel", &set);
        let [wrong] = &form.problems[..] else { panic!("{:?}", form.problems) };
        assert_eq!(
            (&*wrong.key, &*wrong.value, wrong.applies),
            ("search.mutation.size", "large", true)
        );
        assert_eq!(wrong.problem, "search.mutation.size = \"large\", expected a number");
        assert_eq!(value(&form, "probes.every"), Some("5000"));
        assert_eq!(value(&form, "probes.games"), Some("100000"));
        assert_eq!(form.learn.set, &set[1..]);
    }

    #[test]
    fn keys_of_another_method_do_not_apply() {
        let other = PRESETS.iter().find(|preset| {
            let form = form(preset.name, &[]);
            value(&form, "search.kind") != Some("neat")
        });
        let form = form(other.unwrap().name, &["search.compatibility=3", "probes.every=1000"]);
        let applies: Vec<bool> = form.problems.iter().map(|problem| problem.applies).collect();
        assert_eq!(applies, [false], "{:?}", form.problems);
        assert_eq!(value(&form, "probes.every"), Some("1000"));
    }

    #[test]
    fn options_are_read_as_on_the_command_line() {
        let mut request = FormRequest {
            method: "rsel".into(),
            seeds: "1..3, 9".into(),
            games: "1e5".into(),
            threads: "2".into(),
            ..FormRequest::default()
        };
        let form = request.run(&Unwatched).unwrap();
        assert_eq!(form.problems, []);
        assert_eq!((form.learn.games, form.learn.threads), (Some(100_000), Some(2)));
        assert_eq!(
            form.command.join(" "),
            "outflank learn rsel --seeds 1,2,3,9 --games 100000 --threads 2"
        );
        (request.seeds, request.games, request.threads) = ("x".into(), "0".into(), "0".into());
        let wrong = request.run(&Unwatched).unwrap().problems;
        let keys: Vec<&str> = wrong.iter().map(|problem| &*problem.key).collect();
        assert_eq!(keys, ["seeds", "threads", "games"]);
        assert!(wrong.iter().all(|wrong| wrong.applies && wrong.problem.contains("expected")));
        request.method = "rsell".into();
        assert!(request.run(&Unwatched).unwrap_err().to_string().contains("rsel"));
    }

    #[test]
    fn every_kind_can_be_chosen_or_is_refused_by_name() {
        // Of a method with a population, one with particles and one that grows networks.
        for preset in ["rsel", "mopso", "neat"] {
            let own = form(preset, &[]);
            for field in own.fields.iter().filter(|field| field.key.ends_with(".kind")) {
                for choice in &field.choices {
                    let set = format!("{}={:?}", field.key, choice.name);
                    let form = form(preset, &[&set]);
                    // Some disagree with the rest of the method, and some need keys that no preset
                    // has. Those are refused, and what was added for them must not come back.
                    let is_taken = value(&form, &field.key) == Some(choice.name);
                    let is_refused = form.problems.iter().any(|wrong| wrong.key == field.key);
                    assert!(is_taken || is_refused, "{preset}: {set}: {:?}", form.problems);
                }
            }
        }
    }
}
