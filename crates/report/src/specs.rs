//! What ran: the resolved specs, and the keys in which they differ.

use std::collections::BTreeMap;

use maud::{Markup, html};
use toml::{Table, Value};

use super::{Material, Section, table};

pub fn section(material: &Material<'_>) -> Section {
    let body = html! {
        @if material.studies.len() > 1 { (differences(material)) }
        p {
            "All settings of every study as they were used. " code { "outflank preset NAME" } " explains them."
        }
        @for study in material.studies {
            details {
                summary { "Settings of " (study.name) }
                pre { code { (study.spec) } }
            }
        }
    };
    Section { id: "specs".into(), title: "Settings".into(), body }
}

fn differences(material: &Material<'_>) -> Markup {
    let specs: Vec<BTreeMap<String, String>> =
        material.studies.iter().map(|study| keys(&study.spec)).collect();
    let mut all: Vec<&String> = specs.iter().flat_map(BTreeMap::keys).collect();
    all.sort_unstable();
    all.dedup();
    let differs = |key: &&String| specs.iter().any(|spec| spec.get(*key) != specs[0].get(*key));
    let rows: Vec<Vec<String>> = all
        .into_iter()
        .filter(differs)
        .map(|key| {
            let value =
                |spec: &BTreeMap<String, String>| spec.get(key).cloned().unwrap_or("–".into());
            [key.clone()].into_iter().chain(specs.iter().map(value)).collect()
        })
        .collect();
    let names = material.studies.iter().map(|study| study.name.clone());
    let head: Vec<String> = ["setting".into()].into_iter().chain(names).collect();
    html! {
        @if rows.is_empty() { p { "The studies have the same settings." } }
        @else { (table("Settings in which the studies differ", 1, &head, &rows)) }
    }
}

/// The keys of a spec with their values; keys in tables are dotted.
fn keys(spec: &str) -> BTreeMap<String, String> {
    let mut keys = BTreeMap::new();
    // A spec that was read is a table.
    collect("", &spec.parse::<Table>().unwrap_or_default(), &mut keys);
    keys
}

fn collect(prefix: &str, table: &Table, keys: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        match value {
            Value::Table(table) => collect(&format!("{prefix}{key}."), table, keys),
            value => {
                keys.insert(format!("{prefix}{key}"), value.to_string());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_dotted_keys() {
        let found =
            keys("games = 5\n[search]\nkind = \"es\"\n[search.mutation]\nbounds = [-1, 1.5]\n");
        let found: Vec<String> =
            found.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(found, ["games=5", "search.kind=\"es\"", "search.mutation.bounds=[-1, 1.5]"]);
    }
}
