//! Specs as text: a short name for a spec, and the differences between two. The meaning of the keys
//! is not known here.

use std::collections::BTreeMap;

/// The first 8 hexadecimal digits of the hash of a spec's text.
pub fn spec_id(spec: &str) -> String {
    spec_hash(spec.as_bytes())
}

/// The same for bytes that may not be text.
pub(super) fn spec_hash(spec: &[u8]) -> String {
    blake3::hash(spec).to_hex()[..8].to_string()
}

/// Where two specs differ first: `games = 4500000 there, 1000 here`.
pub fn spec_difference(there: &str, here: &str) -> String {
    let keys = |text: &str| text.parse::<toml::Table>().ok().map(|table| flat(&table));
    keys(there)
        .zip(keys(here))
        .and_then(|(there, here)| key_difference(&there, &here))
        .unwrap_or_else(|| line_difference(there, here))
}

fn key_difference(
    there: &BTreeMap<String, String>,
    here: &BTreeMap<String, String>,
) -> Option<String> {
    let keys: BTreeMap<&String, ()> =
        there.keys().chain(here.keys()).map(|key| (key, ())).collect();
    let mut differing = keys.into_keys().filter(|key| there.get(*key) != here.get(*key));
    let first = differing.next()?;
    let more = match differing.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    Some(match (there.get(first), here.get(first)) {
        (Some(there), Some(here)) => format!("{first} = {there} there, {here} here{more}"),
        (Some(there), None) => format!("{first} = {there} there, absent here{more}"),
        (_, here) => format!("{first} absent there, {} here{more}", here.map_or("", |text| text)),
    })
}

/// The values of a table by their dotted keys, as short texts.
fn flat(table: &toml::Table) -> BTreeMap<String, String> {
    let mut keys = BTreeMap::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => {
                keys.extend(
                    flat(inner).into_iter().map(|(rest, text)| (format!("{key}.{rest}"), text)),
                );
            }
            value => {
                keys.insert(key.clone(), value.to_string());
            }
        }
    }
    keys
}

fn line_difference(there: &str, here: &str) -> String {
    let (mut theirs, mut ours) = (there.lines(), here.lines());
    for line in 1.. {
        match (theirs.next(), ours.next()) {
            (None, None) => break,
            (there, here) if there == here => {}
            (there, here) => {
                let show = |text: Option<&str>| text.map_or("nothing".into(), shown);
                return format!("line {line} is {} there, {} here", show(there), show(here));
            }
        }
    }
    "their line endings differ".into()
}

/// The start of a line, quoted.
fn shown(line: &str) -> String {
    format!("{:?}", line.chars().take(60).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spec_is_named_by_its_hash() {
        assert_eq!(spec_id(""), "af1349b9");
        assert_ne!(spec_id("games = 1\n"), spec_id("games = 2\n"));
    }

    #[test]
    fn the_first_difference_is_named() {
        let there = "games = 4500000\n[search]\nkind = \"es\"\nmu = 5\n";
        for (here, expected) in [
            (there.replace("4500000", "1000"), "games = 4500000 there, 1000 here"),
            (there.replace("mu = 5", "mu = 6"), "search.mu = 5 there, 6 here"),
            (there.replace("mu = 5", ""), "search.mu = 5 there, absent here"),
            (format!("{there}nu = 1\n"), "search.nu absent there, 1 here"),
            (
                there.replace("\"es\"", "\"ga\"").replace('5', "7"),
                "games = 4500000 there, 4700000 here (and 2 more)",
            ),
            (format!("{there}# a remark\n"), "line 5 is nothing there, \"# a remark\" here"),
            (
                there.replace('=', ":"),
                "line 1 is \"games = 4500000\" there, \"games : 4500000\" here",
            ),
            (there.replace('\n', "\r\n"), "their line endings differ"),
        ] {
            assert_eq!(spec_difference(there, &here), expected);
        }
    }
}
