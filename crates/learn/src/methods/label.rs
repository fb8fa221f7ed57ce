//! What a study is called in tables and figures: its preset, and what differs from it.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::{Preset, resolve};

/// More differences than this are counted, not named.
const MOST: usize = 6;

/// The name of a method and what its spec (the text of [`run_text`](super::run_text)) has otherwise
/// than the preset of that name, with keys as short as they can be: `rsel games=500k mu=10`. A
/// source of opponents that is missing is `false`; of a table with another `kind`, the kind is
/// named, and not the keys that only one of the two has. A method that is no preset has nothing to
/// differ from.
pub fn label(name: &str, spec: &str) -> String {
    let preset = Preset::find(name).and_then(|preset| resolve(preset.name, &[]).ok());
    let (Some(preset), Ok(ours)) = (preset, spec.parse::<Table>()) else { return name.into() };
    let Ok(theirs) = preset.spec.to_toml().parse::<Table>() else { return name.into() };
    let differences = differences(&leaves(&theirs), &leaves(&ours));
    let more = differences.len().saturating_sub(MOST);
    let mut label = name.to_owned();
    for difference in differences.iter().take(MOST) {
        label += &format!(" {difference}");
    }
    if more > 0 {
        label += &format!(" +{more}");
    }
    label
}

/// Values by path.
type Leaves = BTreeMap<String, Value>;

fn leaves(table: &Table) -> Leaves {
    fn add(leaves: &mut Leaves, path: &str, value: &Value) {
        match value {
            Value::Table(table) if !table.is_empty() => {
                for (key, value) in table {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    add(leaves, &path, value);
                }
            }
            _ => {
                leaves.insert(path.into(), value.clone());
            }
        }
    }
    let mut leaves = Leaves::new();
    add(&mut leaves, "", &Value::Table(table.clone()));
    leaves
}

/// `key=value` for each difference, the keys of no table first, and last what is measured.
fn differences(theirs: &Leaves, ours: &Leaves) -> Vec<String> {
    let mut paths: Vec<&str> = theirs.keys().chain(ours.keys()).map(String::as_str).collect();
    paths.sort_by_key(|path| (path.starts_with("probes."), path.contains('.'), *path));
    paths.dedup();
    let has_other_kind = |path: &str| {
        let kind = format!("{path}.kind");
        matches!((theirs.get(&kind), ours.get(&kind)), (Some(a), Some(b)) if a != b)
    };
    let is_gone = |path: &str| {
        let under = |leaves: &Leaves| {
            leaves.keys().any(|leaf| leaf == path || leaf.starts_with(&format!("{path}.")))
        };
        under(theirs) && !under(ours)
    };
    // The tables around a key, the outermost first.
    let tables = |path: &str| {
        let ends: Vec<usize> = path.match_indices('.').map(|(at, _)| at).collect();
        ends.into_iter().map(|end| path[..end].to_owned()).collect::<Vec<String>>()
    };
    let mut found: Vec<String> = Vec::new();
    for path in &paths {
        let (before, now) = (theirs.get(*path), ours.get(*path));
        if before == now {
            continue;
        }
        let around = tables(path);
        let difference = if let Some(gone) = around.iter().find(|table| is_gone(table)) {
            format!("{}=false", short(gone, &paths))
        } else if let Some(table) = path.strip_suffix(".kind").filter(|_| now.is_some()) {
            format!("{}={}", short(table, &paths), shown(now))
        } else if around.iter().any(|table| has_other_kind(table))
            && (before.is_none() || now.is_none())
        {
            continue;
        } else {
            format!("{}={}", short(path, &paths), shown(now))
        };
        if !found.contains(&difference) {
            found.push(difference);
        }
    }
    found
}

/// The shortest end of a path that no other path, or table of one, has; or all of it.
fn short<'a>(path: &'a str, paths: &[&str]) -> &'a str {
    let is_end = |whole: &str, end: &str| {
        whole.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let is_other = |other: &str, end: &str| {
        let tables = other.match_indices('.').map(|(at, _)| &other[..at]);
        tables.chain([other]).any(|other| other != path && is_end(other, end))
    };
    let ends = path.match_indices('.').map(|(at, _)| &path[at + 1..]);
    // The last ends are the shortest.
    let mut ends: Vec<&str> = [path].into_iter().chain(ends).collect();
    ends.reverse();
    ends.into_iter().find(|end| !paths.iter().any(|other| is_other(other, end))).unwrap_or(path)
}

/// A value as short as it can be; a key that is not there is off.
fn shown(value: Option<&Value>) -> String {
    match value {
        None => "off".into(),
        Some(Value::String(text)) if !text.is_empty() => text.clone(),
        Some(Value::Integer(number)) if *number != 0 && number % 1_000_000 == 0 => {
            format!("{}M", number / 1_000_000)
        }
        Some(Value::Integer(number)) if *number != 0 && number % 1000 == 0 => {
            format!("{}k", number / 1000)
        }
        Some(Value::Array(values)) => {
            let values: Vec<String> = values.iter().map(|value| shown(Some(value))).collect();
            format!("[{}]", values.join(","))
        }
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, sets: &[&str]) -> String {
        let sets: Vec<String> = sets.iter().map(|set| (*set).into()).collect();
        let method = resolve(name, &sets).unwrap_or_else(|error| panic!("{error}"));
        label(name, &method.spec.to_toml())
    }

    #[test]
    fn a_preset_is_called_by_its_name_and_what_differs_by_short_keys() {
        assert_eq!(of("rsel", &[]), "rsel");
        assert_eq!(of("rsel", &["games=500000", "search.mu=10"]), "rsel games=500k mu=10");
        assert_eq!(of("rsel", &["opponents.games=4"]), "rsel opponents.games=4");
        assert_eq!(of("esp", &["search.deal=\"random\""]), "esp deal=random");
        // Both populations of 2cel have a mu, so that each is told by its table.
        let both = of("2cel", &["search.mu=10", "opponents.tests.search.mu=12"]);
        assert_eq!(both, "2cel tests.search.mu=12 search.mu=10");
        let players = of("sane", &["opponents.fixed.players=[\"random\", \"mobility\"]"]);
        assert_eq!(players, "sane players=[random,mobility]");
    }

    #[test]
    fn what_is_gone_or_of_another_kind_is_named_once() {
        let sets = ["opponents.peers=false", "opponents.random-wpc.number=50"];
        assert_eq!(of("cel", &sets), "cel peers=false number=50");
        let kind = of("cel", &["search=preset:rsel"]);
        assert!(kind.starts_with("cel search=es"), "{kind}");
        assert!(!kind.contains("mu="), "{kind}");
    }

    #[test]
    fn what_is_no_preset_has_its_own_name_and_many_differences_are_counted() {
        assert_eq!(label("mine", "games = 7\n"), "mine");
        assert_eq!(label("rsel", "no spec"), "rsel");
        let label = label("rsel", "games = 7\n");
        assert!(label.starts_with("rsel games=7 ") && label.contains(" +"), "{label}");
        // Hashes of files are comments.
        let spec = resolve("rsel", &[]).unwrap().spec.to_toml();
        assert_eq!(super::label("rsel", &format!("{spec}# player \"a\" is 12\n")), "rsel");
    }
}
