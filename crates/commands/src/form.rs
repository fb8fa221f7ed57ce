//! A method as a form: every key that can be set, its meaning, its value and its choices. Made from
//! the schema of specs, so that a new key is in it without a line here.

use outflank_arena::Watch;
use outflank_learn::{Method, Spec};
use outflank_schema::toml::{Table as Toml, Value};
use outflank_schema::{Shape, Table, TableKey};
use outflank_store::spec_id;
use serde::{Deserialize, Serialize};

use crate::{Command, Error, LearnRequest};

/// Describes all keys of a method, and checks settings.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FormRequest {
    /// A preset's name or a spec file.
    pub method: String,
    /// Keys to change, `KEY=VALUE`.
    pub set: Vec<String>,
}

/// A method as a form.
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
        let (method, set) = (self.method.clone(), self.set.clone());
        let learn = LearnRequest { method, set, ..LearnRequest::default() };
        let Method { name, summary, paper, spec } = learn.resolve()?;
        let text = outflank_learn::run_text(&spec)?;
        let out = format!("runs/{name}-{}", spec_id(&text));
        let table = Toml::try_from(&spec).map_err(|error| Error::Failed(error.to_string()))?;
        let mut fields = Vec::new();
        list(&mut fields, &table, "", Spec::KEYS);
        Ok(FormAnswer { name, summary, paper, out, games: spec.all_games(), fields })
    }
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

    #[test]
    fn every_preset_is_a_form_whose_values_can_be_set_again() {
        for preset in PRESETS {
            let request = FormRequest { method: preset.name.into(), set: Vec::new() };
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
            assert_eq!(again.fields, form.fields, "{}", preset.name);
            assert_eq!(again.out, form.out);
        }
    }

    #[test]
    fn a_wrong_value_is_an_error_that_names_its_key() {
        let set = vec!["search.mutation.size=\"large\"".into()];
        let error = FormRequest { method: "rsel".into(), set }.run(&Unwatched).unwrap_err();
        assert!(error.to_string().contains("search.mutation.size"), "{error}");
        assert!(error.is_usage());
    }
}
