//! The key reference of docs/specs.md. Keys and meanings come from the schema, typical values from
//! the presets, and ranges from the program itself: a key is set to an absurd value, and the
//! message says what was expected.

use std::fmt::Write;

use outflank::learn::{LocalSpec, ModelSpec, ObjectiveSpec, PRESETS, SearchSpec, Spec, resolve};
use outflank::schema::toml::{Table as Tree, Value};
use outflank::schema::{Kind, Shape, Table, TableKey, Word};

/// A preset and its spec.
type Example = (&'static str, Tree);

/// The head of a table of keys.
const HEAD: &str = "| key | meaning | range or words | typical value |\n|---|---|---|---|\n";

/// Presets that a cell lists by name.
const MAX_NAMED: usize = 4;

/// The width of prose.
const WIDTH: usize = 100;

/// The blocks of the reference by name: `spec` for the keys that are in no table, then every axis.
pub fn blocks() -> Vec<(String, String)> {
    let mut reference = Reference::default();
    reference.find_shared("", Spec::KEYS);
    let mut blocks = vec![("spec".into(), reference.rows("", &[], Spec::KEYS))];
    for key in Spec::KEYS.iter().filter(|key| !matches!(key.shape, Shape::Whole | Shape::Again(_)))
    {
        blocks.push((key.name(), reference.axis(key)));
    }
    blocks
}

struct Reference {
    presets: Vec<Example>,
    /// Every table by its shape, with all of its paths. It is described at the first.
    tables: Vec<(String, Vec<String>)>,
    /// Sets of words that have been described, and their anchors.
    words: Vec<(String, String)>,
    /// Tables in tables that are still to be described.
    pending: Vec<(String, &'static [TableKey])>,
}

impl Default for Reference {
    fn default() -> Reference {
        let tree = |name| Tree::try_from(resolve(name, &[]).unwrap().spec).unwrap();
        let presets = PRESETS.iter().map(|preset| (preset.name, tree(preset.name))).collect();
        Reference { presets, tables: Vec::new(), words: Vec::new(), pending: Vec::new() }
    }
}

impl Reference {
    /// Notes where each table occurs. Those of a level come before those in them.
    fn find_shared(&mut self, path: &str, keys: &[TableKey]) {
        let inner: Vec<&TableKey> = keys.iter().filter(|key| is_table(key.shape)).collect();
        for key in &inner {
            let (shape, path) = (format!("{:?}", key.shape), joined(path, &key.name()));
            match self.tables.iter_mut().find(|(other, _)| *other == shape) {
                Some((_, paths)) if paths.contains(&path) => {}
                Some((_, paths)) => paths.push(path),
                None => self.tables.push((shape, vec![path])),
            }
        }
        for key in inner {
            let path = joined(path, &key.name());
            match key.shape {
                Shape::Kinds(kinds) => {
                    kinds.iter().for_each(|kind| self.find_shared(&path, kind.keys));
                }
                Shape::Table(keys) | Shape::Source(keys) => self.find_shared(&path, keys),
                _ => {}
            }
        }
    }

    /// All paths of a table that is described at this path.
    fn paths(&self, path: &str) -> Vec<String> {
        let same = self.tables.iter().find(|(_, paths)| paths[0] == path);
        same.map_or(vec![path.into()], |(_, paths)| paths.clone())
    }

    /// Where a table is described.
    fn home(&self, shape: Shape, path: &str) -> String {
        let shape = format!("{shape:?}");
        let same = self.tables.iter().find(|(other, _)| *other == shape);
        same.map_or(path.into(), |(_, paths)| paths[0].clone())
    }

    fn axis(&mut self, key: &TableKey) -> String {
        let path = key.name();
        let mut text = match key.shape {
            Shape::Kinds(kinds) => self.kinds(&path, kinds),
            Shape::Table(keys) | Shape::Source(keys) => self.rows(&path, &[], keys),
            _ => panic!("{path} is not an axis"),
        };
        // A table in a table may have tables of its own.
        while !self.pending.is_empty() {
            let (path, keys) = self.pending.remove(0);
            let rows = self.rows(&path, &[], keys);
            let _ = write!(text, "\n<a id=\"{}\"></a>\n\n#### `{path}`\n\n{rows}", anchor(&path));
        }
        text
    }

    /// The kinds of an axis, then the keys of each; kinds with the same keys have one table.
    fn kinds(&mut self, path: &str, kinds: &'static [Kind]) -> String {
        let mut text = format!("| `{path}.kind` | meaning | presets |\n|---|---|---|\n");
        for kind in kinds {
            check_comment(kind.name, kind.about());
            let _ = writeln!(
                text,
                "| {} | {} | {} |",
                match kind.keys {
                    [] => format!("`{:?}`", kind.name),
                    _ => format!("[`{:?}`](#{})", kind.name, anchor(&joined(path, kind.name))),
                },
                kind.about(),
                self.presets_with(path, kind.name)
            );
        }
        let mut groups: Vec<(Vec<&str>, &'static [TableKey])> = Vec::new();
        for kind in kinds.iter().filter(|kind| !kind.keys.is_empty()) {
            let keys = format!("{:?}", kind.keys);
            match groups.iter_mut().find(|(_, other)| format!("{other:?}") == keys) {
                Some((names, _)) => names.push(kind.name),
                None => groups.push((vec![kind.name], kind.keys)),
            }
        }
        for (names, keys) in groups {
            text.push('\n');
            for name in &names {
                let _ = writeln!(text, "<a id=\"{}\"></a>", anchor(&joined(path, name)));
            }
            let title: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let rows = self.rows(path, &names, keys);
            let _ = write!(text, "\n#### {path}: {}\n\n{rows}", title.join(" and "));
        }
        text
    }

    /// A table of keys, and what their words mean.
    fn rows(&mut self, path: &str, kinds: &[&str], keys: &'static [TableKey]) -> String {
        let mut text = String::from(HEAD);
        let mut lists = Vec::new();
        for key in keys {
            let full = joined(path, &key.name());
            check_comment(&full, key.about());
            let typical = match is_table(key.shape) {
                true => String::new(),
                false => self.typical(path, kinds, key),
            };
            let range = self.range(path, kinds, key, &mut lists);
            let _ = writeln!(text, "| `{full}` | {} | {range} | {typical} |", key.about());
        }
        for (words, anchor) in lists {
            let used = |key: &&TableKey| format!("{:?}", key.shape) == format!("{words:?}");
            let names: Vec<String> = keys
                .iter()
                .filter(used)
                .map(|key| format!("`{}`", joined(path, &key.name())))
                .collect();
            let _ = write!(text, "\n<a id=\"{anchor}\"></a>\n\n{}:\n\n", names.join(" and "));
            let Shape::Word(words) = words else { unreachable!("only words have lists") };
            words.iter().for_each(|word| write_word(&mut text, word));
        }
        text
    }

    fn range(
        &mut self,
        path: &str,
        kinds: &[&str],
        key: &TableKey,
        lists: &mut Vec<(Shape, String)>,
    ) -> String {
        let full = joined(path, &key.name());
        match key.shape {
            Shape::Whole | Shape::Number | Shape::Wholes | Shape::Interval => {
                let (all, one) = match key.shape {
                    Shape::Whole => ("whole number", "whole number"),
                    Shape::Number => ("number", "number"),
                    Shape::Wholes => ("list of whole numbers", "whole number"),
                    _ => ("two numbers", "number"),
                };
                match self.probed(path, kinds, key) {
                    None => all.into(),
                    Some(range) if range.starts_with(char::is_alphabetic) => {
                        range.strip_prefix(one).map_or(range.clone(), |rest| format!("{all}{rest}"))
                    }
                    Some(range) => format!("{all}, {range}"),
                }
            }
            Shape::Flag => "`true` or `false`".into(),
            Shape::Player => "player".into(),
            Shape::Origin => "player or study".into(),
            Shape::Book => "book file or name".into(),
            Shape::Players => "list of players".into(),
            Shape::Yardsticks => "list of players or measures".into(),
            Shape::Statistics => "list of statistics".into(),
            Shape::Files => "list of files".into(),
            Shape::Word(words) => {
                let shape = format!("{:?}", key.shape);
                let known = self.words.iter().find(|(other, _)| *other == shape);
                let anchor = known.map(|(_, anchor)| anchor.clone()).unwrap_or_else(|| {
                    let anchor = anchor(&full);
                    lists.push((key.shape, anchor.clone()));
                    self.words.push((shape, anchor.clone()));
                    anchor
                });
                let names: Vec<String> =
                    words.iter().map(|word| format!("`{:?}`", word.name)).collect();
                format!("{} ([meanings](#{anchor}))", names.join(", "))
            }
            Shape::Kinds(_) => format!("[table with a kind](#{})", self.link(key, &full)),
            Shape::Table(_) => format!("[table](#{})", self.link(key, &full)),
            Shape::Source(_) => format!("[table](#{}), or `false`", self.link(key, &full)),
            Shape::Text => "text".into(),
            Shape::Again(_) => "a whole spec, or `false`".into(),
            Shape::Texts | Shape::Any | Shape::Maybe(_) | Shape::Many(_) => {
                unreachable!("specs have no such keys")
            }
        }
    }

    /// The anchor of a table, which is described later if this is its first place.
    fn link(&mut self, key: &TableKey, path: &str) -> String {
        let home = self.home(key.shape, path);
        if let (Shape::Table(keys) | Shape::Source(keys), true) = (key.shape, home.contains('.')) {
            let pending = self.pending.iter().any(|(other, _)| *other == home);
            if home == path && !pending {
                self.pending.push((home.clone(), keys));
            }
        }
        anchor(&home)
    }

    /// What a key expects, as the message says that refuses an absurd value.
    fn probed(&self, path: &str, kinds: &[&str], key: &TableKey) -> Option<String> {
        let full = joined(path, &key.name());
        let absurd = match key.shape {
            Shape::Whole => "9000000000000000000",
            Shape::Wholes => "[9000000000000000000]",
            Shape::Interval => "[nan, nan]",
            _ => "nan",
        };
        let set = format!("{full}={absurd}");
        let has = |(name, tree): &Example| {
            table_of(tree, path, kinds).map(|_| (*name, vec![set.clone()]))
        };
        // A kind that no preset has is tried as its sample, on top of every preset.
        let sample = samples(path).into_iter().find(|sample| is_kind(sample, kinds));
        let sampled = sample.into_iter().flat_map(|sample| {
            let sample = format!("{path}={}", Value::Table(sample));
            self.presets.iter().map(move |(name, _)| (*name, sample.clone()))
        });
        let sampled = sampled.map(|(name, sample)| (name, vec![sample, set.clone()]));
        self.presets.iter().filter_map(has).chain(sampled).find_map(|(name, sets)| {
            let message = resolve(name, &sets).err()?.to_string();
            let refused = [format!(": {full} = "), format!(": {full}[0] = ")];
            let (_, value) = refused.iter().find_map(|key| message.split_once(key))?;
            as_range(value.split_once(", expected ")?.1)
        })
    }

    /// The values of a key in the presets, each with the first preset that has it.
    fn typical(&self, path: &str, kinds: &[&str], key: &TableKey) -> String {
        let mut values: Vec<(Value, &str)> = Vec::new();
        for (name, tree) in &self.presets {
            for path in self.paths(path) {
                let table = table_of(tree, &path, kinds);
                let Some(value) = table.and_then(|table| table.get(&key.name())) else { continue };
                if !values.iter().any(|(other, _)| other == value) {
                    values.push((value.clone(), name));
                }
            }
        }
        let numbers: Option<Vec<f64>> = values.iter().map(|(value, _)| number(value)).collect();
        match (&values[..], numbers) {
            ([], _) => "in no preset".into(),
            ([(value, _)], _) => format!("`{}`", shown(value)),
            (_, Some(numbers)) if numbers.len() > MAX_NAMED => {
                let by_size = |a: &&(Value, &str), b: &&(Value, &str)| {
                    number(&a.0).partial_cmp(&number(&b.0)).unwrap()
                };
                let ends = [values.iter().min_by(by_size), values.iter().max_by(by_size)];
                let [least, most] = ends.map(|end| {
                    let (value, preset) = end.unwrap();
                    format!("`{}` ({preset})", shown(value))
                });
                format!("{least} to {most}")
            }
            (values, _) => {
                let each =
                    values.iter().map(|(value, name)| format!("`{}` ({name})", shown(value)));
                let more = if values.len() > MAX_NAMED { ", …" } else { "" };
                format!("{}{more}", each.take(MAX_NAMED).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn presets_with(&self, path: &str, kind: &str) -> String {
        let paths = self.paths(path);
        let has =
            |(_, tree): &&Example| paths.iter().any(|path| table_of(tree, path, &[kind]).is_some());
        let names: Vec<&str> = self.presets.iter().filter(has).map(|(name, _)| *name).collect();
        match names.len() {
            0 => "none".into(),
            count if count > MAX_NAMED => {
                format!("{} and {} more", names[..MAX_NAMED].join(", "), count - MAX_NAMED)
            }
            _ => names.join(", "),
        }
    }
}

/// The sample of each kind of an axis.
fn samples(path: &str) -> Vec<Tree> {
    macro_rules! trees {
        ($axis:ty) => {
            <$axis>::samples().into_iter().map(|one| Tree::try_from(one).unwrap()).collect()
        };
    }
    match path {
        "model" => trees!(ModelSpec),
        "search" => trees!(SearchSpec),
        "local" => trees!(LocalSpec),
        "objective" => trees!(ObjectiveSpec),
        _ => Vec::new(),
    }
}

fn is_table(shape: Shape) -> bool {
    matches!(shape, Shape::Table(_) | Shape::Source(_) | Shape::Kinds(_))
}

fn is_kind(table: &Tree, kinds: &[&str]) -> bool {
    let kind = table.get("kind").and_then(Value::as_str);
    kinds.is_empty() || kind.is_some_and(|kind| kinds.contains(&kind))
}

/// The table of a spec at a path, if it is there and of one of these kinds.
fn table_of<'a>(tree: &'a Tree, path: &str, kinds: &[&str]) -> Option<&'a Tree> {
    let parts = path.split('.').filter(|part| !part.is_empty());
    let table = parts.into_iter().try_fold(tree, |table, part| table.get(part)?.as_table())?;
    is_kind(table, kinds).then_some(table)
}

/// "a whole number from 1 to 1000" as "whole number, 1 to 1000", and "1 to search.mu = 50" as "1 to
/// `search.mu`". None if it holds for one preset only.
fn as_range(expected: &str) -> Option<String> {
    let text = expected.split([':', ';']).next()?.split(", so that").next()?;
    if text.contains("because") || text.contains(", the ") || text.contains("generation,") {
        return None;
    }
    let text = ["a ", "an "].iter().find_map(|article| text.strip_prefix(article)).unwrap_or(text);
    let text = text.replacen(" from ", ", ", 1);
    let mut words: Vec<String> = Vec::new();
    let mut parts = text.split(' ');
    while let Some(part) = parts.next() {
        match part.parse::<i64>() {
            Ok(number) => words.push(with_commas(number)),
            // The value of another key is that of one preset.
            _ if part == "=" => drop(parts.next()),
            _ if part.contains('.') => match part.parse::<f64>() {
                Ok(_) => words.push(part.into()),
                Err(_) => words.push(format!("`{part}`")),
            },
            _ => words.push(part.into()),
        }
    }
    Some(words.join(" "))
}

/// A number with commas from five digits on.
fn with_commas(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && digits.len() > 4 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or(value.as_integer().map(|whole| whole as f64))
}

/// A value as one would write it in a spec.
fn shown(value: &Value) -> String {
    match value {
        Value::Integer(whole) => with_commas(*whole).replace(',', "_"),
        Value::Float(number) => number.to_string(),
        Value::Array(list) => {
            format!("[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.into() } else { format!("{path}.{name}") }
}

fn anchor(path: &str) -> String {
    path.replace('.', "-")
}

fn check_comment(name: &str, about: &str) {
    assert!(about.len() > 10 && about.ends_with('.'), "{name} has no comment");
}

/// A word of a list, and what it means.
fn write_word(text: &mut String, word: &Word) {
    check_comment(word.name, word.about());
    let mut line = format!("- `{:?}`:", word.name);
    for part in word.about().split(' ') {
        if line.chars().count() + 1 + part.chars().count() > WIDTH {
            let _ = writeln!(text, "{line}");
            line = String::from(" ");
        }
        line.extend([" ", part]);
    }
    let _ = writeln!(text, "{line}");
}
