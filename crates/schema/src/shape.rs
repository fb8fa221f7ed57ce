//! Checks a document against the shape of a spec, and turns it into plain values.

use toml::{Table, Value};

use crate::{Item, Kind, Lacks, Mistake, Node, Shape, TableKey, did_you_mean, nearest, one_of};

/// The values of a spec that is written in full.
pub fn table(node: &Node, keys: &[TableKey]) -> Result<Table, Mistake> {
    members(node, "", keys, "")
}

fn members(node: &Node, path: &str, keys: &[TableKey], of: &str) -> Result<Table, Mistake> {
    let Item::Table(written) = &node.item else { return Err(wrong(node, path, "a table")) };
    let names: Vec<String> = keys.iter().map(TableKey::name).collect();
    for (name, member) in written {
        if !names.contains(name) && (of.is_empty() || name != "kind") {
            let mut inner = Vec::new();
            called(Some(node), path, keys, name, &mut inner);
            return Err(unknown(member, &joined(path, name), name, &names, &inner, of));
        }
    }
    let (mut table, mut lacking) = (Table::new(), Vec::new());
    for (key, name) in keys.iter().zip(names) {
        let path = joined(path, &name);
        match (written.get(&name), key.shape) {
            (None, Shape::Source(_) | Shape::Again(_) | Shape::Maybe(_)) => {}
            (None, Shape::Many(_)) => {
                table.insert(name, Value::Array(Vec::new()));
            }
            (None, Shape::Any) => {
                table.insert(name, Value::Table(Table::new()));
            }
            // A later layer removes a source with `false`.
            (Some(member), Shape::Source(_) | Shape::Again(_)) if member.to_string() == "false" => {
            }
            (None, _) => match key.neutral {
                Some(neutral) => {
                    table.insert(name, neutral());
                }
                None => lacking.push((name, key.about())),
            },
            (Some(member), shape) => {
                table.insert(name, value(member, &path, shape)?);
            }
        }
    }
    if lacking.is_empty() { Ok(table) } else { Err(missing(node, path, &lacking, of)) }
}

fn value(node: &Node, path: &str, shape: Shape) -> Result<Value, Mistake> {
    let scalar = match &node.item {
        Item::Scalar(value) | Item::Huge(_, value) => Some(value),
        _ => None,
    };
    match shape {
        Shape::Table(keys) => Ok(Value::Table(members(node, path, keys, "")?)),
        Shape::Kinds(kinds) => Ok(Value::Table(kind(node, path, kinds)?)),
        Shape::Source(keys) => match node.item {
            Item::Table(_) => Ok(Value::Table(members(node, path, keys, "")?)),
            _ => Err(wrong(node, path, "a table, or false for none")),
        },
        Shape::Again(keys) => match node.item {
            Item::Table(_) => Ok(Value::Table(members(node, path, keys(), "")?)),
            _ => Err(wrong(node, path, "a table, or false for none")),
        },
        Shape::Whole => match scalar {
            Some(Value::Integer(number)) if *number >= 0 => Ok(Value::Integer(*number)),
            // TOML reads 1e5 as a number with a fraction.
            Some(Value::Float(number)) if is_whole(*number) => Ok(Value::Integer(*number as i64)),
            _ => Err(wrong(node, path, "a whole number, 0 or more")),
        },
        Shape::Number => match scalar {
            Some(Value::Integer(number)) => Ok(Value::Float(*number as f64)),
            Some(Value::Float(number)) => Ok(Value::Float(*number)),
            _ => Err(wrong(node, path, "a number")),
        },
        Shape::Flag => match scalar {
            Some(Value::Boolean(flag)) => Ok(Value::Boolean(*flag)),
            _ => Err(wrong(node, path, "true or false")),
        },
        Shape::Word(words) => {
            let words: Vec<&str> = words.iter().map(|word| word.name).collect();
            Ok(Value::String(word(node, path, &words)?.into()))
        }
        Shape::Player | Shape::Origin | Shape::Book | Shape::Text => text(node, path),
        Shape::Maybe(shape) => value(node, path, *shape),
        Shape::Any => plain(node, path),
        Shape::Many(keys) => {
            let expected = format!("a list of tables, as [[{path}]]");
            let member = |node: &Node, path: &str| Ok(Value::Table(members(node, path, keys, "")?));
            list(node, path, &expected, member)
        }
        Shape::Wholes => {
            let number = |node: &Node, path: &str| value(node, path, Shape::Whole);
            list(node, path, "a list of whole numbers, as [20]", number)
        }
        Shape::Players | Shape::Yardsticks | Shape::Statistics | Shape::Files | Shape::Texts => {
            list(node, path, "a list of texts, as [\"random\"]", text)
        }
        Shape::Interval => {
            let expected = "two numbers, as [-1, 1]";
            let number = |node: &Node, path: &str| value(node, path, Shape::Number);
            match list(node, path, expected, number)? {
                Value::Array(two) if two.len() == 2 => Ok(Value::Array(two)),
                _ => Err(wrong(node, path, expected)),
            }
        }
    }
}

/// Says whether a number is whole, 0 or more, and small enough to be exact.
fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && (0.0..=9e15).contains(&number)
}

fn text(node: &Node, path: &str) -> Result<Value, Mistake> {
    let text = node.as_str().ok_or_else(|| wrong(node, path, "a text"))?;
    Ok(Value::String(text.into()))
}

/// A value as it is written.
fn plain(node: &Node, path: &str) -> Result<Value, Mistake> {
    match &node.item {
        Item::Scalar(value) => Ok(value.clone()),
        Item::Huge(..) => Err(wrong(node, path, "a smaller number")),
        Item::List(nodes) => {
            Ok(Value::Array(nodes.iter().map(|n| plain(n, path)).collect::<Result<_, _>>()?))
        }
        Item::Table(members) => {
            let member = |(name, node): (&String, &Node)| {
                Ok((name.clone(), plain(node, &joined(path, name))?))
            };
            Ok(Value::Table(members.iter().map(member).collect::<Result<_, _>>()?))
        }
    }
}

fn kind(node: &Node, path: &str, kinds: &[Kind]) -> Result<Table, Mistake> {
    let Item::Table(_) = node.item else {
        let expected = format!("a table with a kind, as {{ kind = {:?} }}", kinds[0].name);
        return Err(wrong(node, path, &expected));
    };
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
    let path_of_kind = joined(path, "kind");
    let Some(written) = node.get("kind") else {
        return Err(missing(node, path, &[("kind".into(), &one_of(&names))], ""));
    };
    let name = word(written, &path_of_kind, &names)?;
    let keys = kinds.iter().find(|kind| kind.name == name).map_or(&[][..], |kind| kind.keys);
    of_another_kind(node, path, keys, kinds, name)?;
    let mut table = members(node, path, keys, &format!(" of {path_of_kind} = {name:?}"))?;
    table.insert("kind".into(), name.into());
    Ok(table)
}

/// A key that belongs to another kind is not a misspelt one.
fn of_another_kind(
    node: &Node,
    path: &str,
    keys: &[TableKey],
    kinds: &[Kind],
    chosen: &str,
) -> Result<(), Mistake> {
    let Item::Table(written_keys) = &node.item else { return Ok(()) };
    let knows = |keys: &[TableKey], name: &str| keys.iter().any(|key| key.name() == name);
    for (name, member) in written_keys.iter().filter(|(name, _)| !knows(keys, name)) {
        if let Some(other) = kinds.iter().find(|kind| knows(kind.keys, name)) {
            let path_of_kind = joined(path, "kind");
            return Err(member.place.wrong(format!(
                "unknown key {}: {path_of_kind} = {:?} has it, but not {chosen:?}",
                written(member, &joined(path, name)),
                other.name
            )));
        }
    }
    Ok(())
}

fn word<'a>(node: &Node, path: &str, words: &[&'a str]) -> Result<&'a str, Mistake> {
    let written = node.as_str().unwrap_or_default();
    let found = words.iter().find(|word| **word == written).copied();
    found.ok_or_else(|| {
        let meant = did_you_mean(nearest(written, words.iter().copied()).as_deref());
        wrong(node, path, &format!("{}{meant}", one_of(words)))
    })
}

fn list(
    node: &Node,
    path: &str,
    expected: &str,
    member: impl Fn(&Node, &str) -> Result<Value, Mistake>,
) -> Result<Value, Mistake> {
    let Item::List(nodes) = &node.item else { return Err(wrong(node, path, expected)) };
    let members = nodes.iter().enumerate();
    let members = members.map(|(index, node)| member(node, &format!("{path}[{index}]")));
    Ok(Value::Array(members.collect::<Result<_, _>>()?))
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.into() } else { format!("{path}.{name}") }
}

fn written(node: &Node, path: &str) -> String {
    match node.item {
        Item::Table(_) => format!("{path} is a table"),
        _ => format!("{path} = {node}"),
    }
}

fn wrong(node: &Node, path: &str, expected: &str) -> Mistake {
    node.place.wrong(format!("{}, expected {expected}", written(node, path)))
}

/// All missing keys of a table in one message.
fn missing(node: &Node, path: &str, lacking: &[(String, &str)], of: &str) -> Mistake {
    let keys: Vec<String> = lacking.iter().map(|(name, _)| name.clone()).collect();
    let problem = match lacking {
        [(name, about)] => {
            let about = about.split(';').next().unwrap_or_default().trim_end_matches('.');
            format!("the key {} is missing ({})", joined(path, name), lower_first(about))
        }
        _ => {
            let [most @ .., last] = &*keys else { unreachable!("something is missing") };
            let of =
                if of.is_empty() && !path.is_empty() { format!(" of {path}") } else { of.into() };
            format!("the keys {} and {last}{of} are missing", most.join(", "))
        }
    };
    let kind = node.get("kind").and_then(Node::as_str).map(str::to_owned);
    Mistake {
        lacks: Some(Box::new(Lacks { table: path.into(), kind, keys })),
        ..node.place.wrong(problem)
    }
}

/// The full paths of keys with this name, at any depth of the tables that are there. Labels of
/// studies have only the ends of keys: `mu` for `search.mu`.
fn called(node: Option<&Node>, path: &str, keys: &[TableKey], name: &str, into: &mut Vec<String>) {
    for key in keys {
        let own = joined(path, &key.name());
        let inner = node.and_then(|node| node.get(&key.name()));
        let chosen = inner.and_then(|inner| inner.get("kind")).and_then(Node::as_str);
        match key.shape {
            Shape::Table(keys) => called(inner, &own, keys, name, into),
            Shape::Source(keys) if inner.is_some() => called(inner, &own, keys, name, into),
            Shape::Kinds(kinds) => {
                let kind = kinds.iter().find(|kind| Some(kind.name) == chosen);
                kind.into_iter().for_each(|kind| called(inner, &own, kind.keys, name, into));
            }
            _ => {}
        }
        if key.name() == name {
            into.push(own);
        }
    }
}

fn unknown(
    node: &Node,
    path: &str,
    name: &str,
    names: &[String],
    inner: &[String],
    of: &str,
) -> Mistake {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let inner: Vec<&str> = inner.iter().map(String::as_str).collect();
    let expected = match (nearest(name, names.iter().copied()), names.is_empty()) {
        _ if !inner.is_empty() => format!("did you mean {}?", one_of(&inner)),
        (Some(nearest), _) => format!("did you mean {}?", path_with(path, name, &nearest)),
        (None, false) => format!("the keys{of} are {}", names.join(", ")),
        (None, true) => format!("there are no keys{of}"),
    };
    let written = match node.item {
        Item::Table(_) => path.into(),
        _ => written(node, path),
    };
    node.place.wrong(format!("unknown key {written}: {expected}"))
}

fn path_with(path: &str, name: &str, other: &str) -> String {
    format!("{}{other}", &path[..path.len() - name.len()])
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}
