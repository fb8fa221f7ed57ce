//! Specs as TOML: bare for programs, with comments for people.

use std::fmt::Write;

use toml::{Table, Value};

use super::Method;
use super::shape::one_of;
use crate::learn::{Key, Shape, Spec, Table as _};

impl Spec {
    /// The spec as TOML: every key, in a fixed order, without comments. The same specs have the same
    /// text.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        write_table(&mut text, &self.to_table(), "", Spec::KEYS, false);
        text
    }

    /// Numbers above 2^63 have no TOML; [`Spec::check`] refuses them.
    fn to_table(&self) -> Table {
        Table::try_from(self).expect("a checked spec has no number that TOML has not")
    }
}

impl Method {
    /// The method as a file for people: each key below a line that says what it means. Reading it gives
    /// the same method.
    pub fn commented(&self) -> String {
        let mut text = String::new();
        for (key, value) in [("summary", &self.summary), ("paper", &self.paper)] {
            if !value.is_empty() {
                let _ = writeln!(text, "{key} = {}", Value::String(value.clone()));
            }
        }
        write_table(&mut text, &self.spec.to_table(), "", Spec::KEYS, true);
        text.trim_start().into()
    }
}

/// Writes plain keys first: in TOML what follows a table belongs to it.
fn write_table(text: &mut String, table: &Table, path: &str, keys: &[Key], comments: bool) {
    let is_table = |key: &&Key| matches!(table.get(&key.name()), Some(Value::Table(_)));
    for key in keys.iter().filter(|key| !is_table(key)) {
        let Some(value) = table.get(&key.name()) else { continue };
        if comments {
            let blank = if path.is_empty() { "\n" } else { "" };
            let _ = writeln!(text, "{blank}# {}", comment(key, value));
        }
        let _ = writeln!(text, "{} = {value}", key.name());
    }
    for key in keys.iter().filter(is_table) {
        let Some(Value::Table(inner)) = table.get(&key.name()) else { continue };
        let path = match path {
            "" => key.name(),
            path => format!("{path}.{}", key.name()),
        };
        text.push('\n');
        if comments {
            let _ = writeln!(text, "# {}", key.about());
        }
        let _ = writeln!(text, "[{path}]");
        write_inner(text, inner, &path, key.shape, comments);
    }
}

fn write_inner(text: &mut String, table: &Table, path: &str, shape: Shape, comments: bool) {
    let keys = match shape {
        Shape::Kinds(kinds) => {
            let name = table.get("kind").and_then(Value::as_str).unwrap_or_default();
            let Some(kind) = kinds.iter().find(|kind| kind.name == name) else { return };
            if comments {
                let others = kinds.iter().filter(|other| other.name != name);
                let _ = writeln!(text, "# {}{}", kind.about(), or(others.map(|kind| kind.name)));
            }
            let _ = writeln!(text, "kind = {name:?}");
            kind.keys
        }
        Shape::Table(keys) | Shape::Source(keys) => keys,
        _ => &[],
    };
    write_table(text, table, path, keys, comments);
}

fn comment(key: &Key, value: &Value) -> String {
    let Shape::Word(words) = key.shape else { return key.about().into() };
    let name = value.as_str().unwrap_or_default();
    let (chosen, others): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.name == name);
    let about = chosen.first().map_or("", |word| word.about());
    format!("{} {about}{}", key.about(), or(others.into_iter().map(|word| word.name)))
}

/// What else could be chosen.
fn or<'a>(others: impl Iterator<Item = &'a str>) -> String {
    let others: Vec<&str> = others.collect();
    if others.is_empty() { String::new() } else { format!(" (Or {}.)", one_of(&others)) }
}
