//! Tables as TOML: canonical for programs, with comments for people.

use std::fmt::Write;

use toml::{Table, Value};

use crate::{Shape, TableKey};

/// A table as TOML, in the order of its keys. The canonical text has every key that is not neutral
/// and no comments, so the same values have the same text, and a new key in the schema changes no
/// text until it is used. For people, each key has a comment above it that says what it means.
pub fn write(table: &Table, keys: &[TableKey], for_people: bool) -> String {
    let mut text = String::new();
    write_table(&mut text, table, "", keys, for_people);
    text
}

/// Writes plain keys first: in TOML, keys after a table header belong to that table.
fn write_table(text: &mut String, table: &Table, path: &str, keys: &[TableKey], comments: bool) {
    let is_table = |key: &&TableKey| {
        matches!(table.get(&key.name()), Some(Value::Table(_)))
            || matches!(key.shape, Shape::Many(_))
    };
    for key in keys.iter().filter(|key| !is_table(key)) {
        let Some(value) = table.get(&key.name()) else { continue };
        if !comments && key.neutral.is_some_and(|neutral| neutral() == *value) {
            continue;
        }
        if comments {
            let blank = if path.is_empty() { "\n" } else { "" };
            text.push_str(blank);
            write_comment(text, &comment(key, value));
        }
        let _ = writeln!(text, "{} = {value}", key.name());
    }
    for key in keys.iter().filter(is_table) {
        let path = match path {
            "" => key.name(),
            path => format!("{path}.{}", key.name()),
        };
        if let (Some(Value::Array(members)), Shape::Many(keys)) =
            (table.get(&key.name()), key.shape)
        {
            write_members(text, members, &path, keys, comments.then_some(key.about()));
            continue;
        }
        let Some(Value::Table(inner)) = table.get(&key.name()) else { continue };
        if key.shape.is_any() && inner.is_empty() {
            continue;
        }
        text.push('\n');
        if comments {
            write_comment(text, key.about());
        }
        let _ = writeln!(text, "[{path}]");
        write_inner(text, inner, &path, key.shape, comments);
    }
}

/// Writes a list of tables. Only the first explains its keys.
fn write_members(
    text: &mut String,
    members: &[Value],
    path: &str,
    keys: &[TableKey],
    about: Option<&str>,
) {
    for (number, member) in members.iter().enumerate() {
        let Value::Table(member) = member else { continue };
        let about = about.filter(|_| number == 0);
        text.push('\n');
        about.into_iter().for_each(|about| write_comment(text, about));
        let _ = writeln!(text, "[[{path}]]");
        write_table(text, member, path, keys, about.is_some());
    }
}

fn write_inner(text: &mut String, table: &Table, path: &str, shape: Shape, comments: bool) {
    let keys = match shape {
        Shape::Kinds(kinds) => {
            let name = table.get("kind").and_then(Value::as_str).unwrap_or_default();
            let Some(kind) = kinds.iter().find(|kind| kind.name == name) else { return };
            if comments {
                let others = kinds.iter().map(|kind| kind.name).filter(|other| *other != name);
                write_comment(text, &with_others(kind.about(), others));
            }
            let _ = writeln!(text, "kind = {name:?}");
            kind.keys
        }
        Shape::Table(keys) | Shape::Source(keys) => keys,
        Shape::Again(keys) => keys(),
        Shape::Any => {
            // Keys that this schema does not know, as TOML has them.
            for (key, value) in table {
                let _ = writeln!(text, "{key} = {value}");
            }
            return;
        }
        _ => &[],
    };
    write_table(text, table, path, keys, comments);
}

fn comment(key: &TableKey, value: &Value) -> String {
    let without = key.neutral.map(|neutral| format!(" Without it: {}.", neutral()));
    let about = format!("{}{}", key.about(), without.unwrap_or_default());
    let Shape::Word(words) = key.shape else { return about };
    let name = value.as_str().unwrap_or_default();
    let chosen = words.iter().find(|word| word.name == name).map_or("", |word| word.about());
    let others = words.iter().map(|word| word.name).filter(|other| *other != name);
    with_others(&format!("{about} {chosen}"), others)
}

/// The meaning of the choice, and the other choices.
fn with_others<'a>(about: &str, others: impl Iterator<Item = &'a str>) -> String {
    let others: Vec<&str> = others.collect();
    match others[..] {
        [] => about.into(),
        _ => format!("{about} Otherwise: {}.", others.join(", ")),
    }
}

/// Comments are wrapped at this width.
const WIDTH: usize = 100;

fn write_comment(text: &mut String, comment: &str) {
    let mut line = String::from("#");
    for word in comment.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{line}");
            line = String::from("#");
        }
        line.extend([" ", word]);
    }
    let _ = writeln!(text, "{line}");
}
