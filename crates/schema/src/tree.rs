//! TOML as a tree in which every node knows its place, and how one tree changes another.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Value};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use crate::{Mistake, Place, Shape, parse_whole};

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where its key is.
    pub place: Place,
    /// What it is.
    pub item: Item,
}

/// What can be written.
#[derive(Clone, Debug)]
pub enum Item {
    /// A text, number, flag or date.
    Scalar(Value),
    /// A whole number beyond 64 bits as it was written, and the nearest number.
    Huge(String, Value),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(BTreeMap<String, Node>),
}

/// Specs are four tables deep. Much deeper ones are refused, so that the stack does not overflow.
const MAX_DEPTH: usize = 16;

/// Reads a document.
pub fn parse(text: &str, source: &Arc<str>) -> Result<Node, Mistake> {
    let lines = Lines::new(text, source);
    if let Some(at) = deep_key(text) {
        return Err(lines.place(at).wrong(format!("a key of more than {MAX_DEPTH} parts")));
    }
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        let (place, column) = (lines.place(at.start), lines.column(at.start));
        let key = text.get(at).filter(|_| error.message() == "duplicate key").unwrap_or_default();
        let problem = format!("not TOML at column {column}: {} {key}", error.message());
        place.wrong(problem.trim_end())
    })?;
    let item = lines.table(table.into_inner(), 0)?;
    Ok(Node { place: Place { source: Arc::clone(source), line: None }, item })
}

/// Reads an override, `a.b.c=value`; a value that is not TOML is a whole number as people write it
/// (`100k`), or else a text.
pub fn parse_override(text: &str) -> Result<Node, Mistake> {
    let mut shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    let source: Arc<str> = format!("--set {}", shown.replace(char::is_control, "?")).into();
    let place = Place { source: Arc::clone(&source), line: None };
    let expected = "expected KEY=VALUE, as in search.mutation.rate=0.1";
    if text.trim().is_empty() {
        return Err(place.wrong(format!("the override is empty, {expected}")));
    }
    let Some((path, value)) = text.split_once('=') else {
        return Err(place.wrong(format!("there is no =, {expected}")));
    };
    let parts: Vec<&str> = path.split('.').map(str::trim).collect();
    if parts.contains(&"") {
        return Err(place.wrong(format!("the key {:?} has an empty part, {expected}", path.trim())));
    }
    if parts.len() > MAX_DEPTH || deep_key(value).is_some() {
        return Err(place.wrong(format!("a key of more than {MAX_DEPTH} parts")));
    }
    let lines = Lines { starts: Vec::new(), source: &source };
    let value = value.trim();
    let item = match DeValue::parse(value) {
        Ok(parsed) => lines.item(parsed.into_inner(), parts.len())?,
        Err(_) => {
            // Commas separate the values of a sweep: 100,200 is not a number here.
            let whole = Some(value).filter(|value| !value.contains(',')).and_then(parse_whole);
            let whole = whole.and_then(|number| i64::try_from(number).ok());
            Item::Scalar(whole.map_or_else(|| Value::String(value.into()), Value::Integer))
        }
    };
    let wrap = |item, part: &&str| {
        let node = Node { place: place.clone(), item };
        Item::Table(BTreeMap::from([((*part).to_owned(), node)]))
    };
    let item = parts.iter().rev().fold(item, wrap);
    Ok(Node { place, item })
}

/// The place of a key with too many parts. The parser limits brackets, but not dots.
fn deep_key(text: &str) -> Option<usize> {
    let mut dots = 0;
    for token in Source::new(text).lex() {
        match token.kind() {
            TokenKind::Dot => dots += 1,
            TokenKind::Atom
            | TokenKind::Whitespace
            | TokenKind::BasicString
            | TokenKind::LiteralString => {}
            _ => dots = 0,
        }
        if dots >= MAX_DEPTH {
            return Some(token.span().start());
        }
    }
    None
}

/// Where the lines of a source start; empty for an override.
struct Lines<'a> {
    starts: Vec<usize>,
    source: &'a Arc<str>,
}

impl<'a> Lines<'a> {
    fn new(text: &str, source: &'a Arc<str>) -> Lines<'a> {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines { starts: std::iter::once(0).chain(ends).collect(), source }
    }

    fn place(&self, at: usize) -> Place {
        let line = self.starts.partition_point(|&start| start <= at);
        Place { source: Arc::clone(self.source), line: (line > 0).then_some(line) }
    }

    fn column(&self, at: usize) -> usize {
        let line = self.starts.partition_point(|&start| start <= at);
        at + 1 - self.starts.get(line.saturating_sub(1)).unwrap_or(&0)
    }

    fn table(&self, table: DeTable<'_>, depth: usize) -> Result<Item, Mistake> {
        let entry = |(key, value): (Spanned<Cow<'_, str>>, Spanned<DeValue<'_>>)| {
            let place = self.place(key.span().start);
            if depth >= MAX_DEPTH {
                return Err(place.wrong(format!("tables in tables, more than {MAX_DEPTH} deep")));
            }
            let item = self.item(value.into_inner(), depth + 1)?;
            Ok((key.into_inner().into_owned(), Node { place, item }))
        };
        Ok(Item::Table(table.into_iter().map(entry).collect::<Result<_, _>>()?))
    }

    fn item(&self, value: DeValue<'_>, depth: usize) -> Result<Item, Mistake> {
        let scalar = match value {
            DeValue::Table(table) => return self.table(table, depth),
            DeValue::Array(array) => {
                let member = |value: Spanned<DeValue<'_>>| {
                    let place = self.place(value.span().start);
                    Ok(Node { place, item: self.item(value.into_inner(), depth + 1)? })
                };
                return Ok(Item::List(array.into_iter().map(member).collect::<Result<_, _>>()?));
            }
            DeValue::String(text) => Value::String(text.into_owned()),
            DeValue::Integer(number) => {
                match i64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => Value::Integer(number),
                    Err(_) => return Ok(huge(number.as_str(), number.radix())),
                }
            }
            DeValue::Float(number) => Value::Float(float(number.as_str())),
            DeValue::Boolean(flag) => Value::Boolean(flag),
            DeValue::Datetime(date) => Value::Datetime(date),
        };
        Ok(Item::Scalar(scalar))
    }
}

fn huge(digits: &str, radix: u32) -> Item {
    let (prefix, nearest) = match radix {
        10 => ("", float(digits)),
        2 => ("0b", f64::INFINITY),
        8 => ("0o", f64::INFINITY),
        _ => ("0x", f64::INFINITY),
    };
    let nearest = u128::from_str_radix(digits, radix).map_or(nearest, |number| number as f64);
    let shown: String = digits.chars().take(60).collect();
    let more = if shown.len() < digits.len() { "..." } else { "" };
    Item::Huge(format!("{prefix}{shown}{more}"), Value::Float(nearest))
}

fn float(digits: &str) -> f64 {
    digits.parse().unwrap_or(f64::INFINITY)
}

impl Node {
    /// The member of a table.
    pub fn get(&self, name: &str) -> Option<&Node> {
        match &self.item {
            Item::Table(table) => table.get(name),
            _ => None,
        }
    }

    /// Removes a member of a table.
    pub fn remove(&mut self, name: &str) -> Option<Node> {
        match &mut self.item {
            Item::Table(table) => table.remove(name),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.item {
            Item::Scalar(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// The place of a key, or else of the table without it. A number in brackets is an index in a
    /// list.
    pub fn place_of(&self, path: &str) -> &Place {
        let mut node = self;
        for part in path.split(['.', '[']) {
            let member = match (&node.item, part.trim_end_matches(']')) {
                (Item::Table(table), name) => table.get(name),
                (Item::List(nodes), index) => index.parse().ok().and_then(|i: usize| nodes.get(i)),
                (Item::Scalar(_) | Item::Huge(..), _) => None,
            };
            match member {
                Some(member) => node = member,
                None => break,
            }
        }
        &node.place
    }

    /// Puts a member into a table.
    pub fn put(&mut self, name: &str, member: Node) {
        if let Item::Table(members) = &mut self.item {
            members.insert(name.into(), member);
        }
    }

    /// Adds a later layer: tables merge, everything else is replaced.
    ///
    /// A later `kind` chooses another value of an axis: keys that the new kind does not have are
    /// dropped, because otherwise no layer could change a kind. Keys that both kinds have stay: an
    /// `es` on top of a `ga` keeps its mutation.
    pub fn overlay(&mut self, later: Node, shape: Option<&Shape>) {
        let (Item::Table(old), Item::Table(_)) = (&mut self.item, &later.item) else {
            *self = later;
            return;
        };
        let kind = later.get("kind").and_then(Node::as_str);
        if kind.is_some() && kind != old.get("kind").and_then(Node::as_str) {
            let kinds = if let Some(Shape::Kinds(kinds)) = shape { kinds } else { &[][..] };
            if let Some(kind) = kinds.iter().find(|other| Some(other.name) == kind) {
                old.retain(|name, _| kind.keys.iter().any(|key| key.name() == *name));
                self.place = later.place;
            }
        }
        let Item::Table(new) = later.item else { return };
        for (name, node) in new {
            let key = shape.and_then(|shape| shape.keys().find(|key| key.name() == name));
            match old.entry(name) {
                Entry::Occupied(mut member) => {
                    member.get_mut().overlay(node, key.map(|key| &key.shape));
                }
                Entry::Vacant(member) => {
                    member.insert(node);
                }
            }
        }
    }
}

impl fmt::Display for Node {
    /// As in a file, but short.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.item {
            Item::Table(_) => f.write_str("a table"),
            Item::List(members) if members.is_empty() => f.write_str("[]"),
            Item::List(members) if members.len() <= 3 => {
                let members: Vec<String> = members.iter().map(Node::to_string).collect();
                write!(f, "[{}]", members.join(", "))
            }
            Item::List(members) => write!(f, "[{}, ...]", members[0]),
            Item::Scalar(Value::String(text)) if text.chars().count() > 60 => {
                write!(f, "{:?}...", text.chars().take(60).collect::<String>())
            }
            Item::Scalar(Value::String(text)) => write!(f, "{text:?}"),
            Item::Huge(text, _) => f.write_str(text),
            Item::Scalar(value) => write!(f, "{value}"),
        }
    }
}
