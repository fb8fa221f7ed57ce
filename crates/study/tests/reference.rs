//! The key reference in `docs/studies.md` is made from the schema; this test says what it must be.

use std::fmt::Write;

use outflank_schema::{Shape, Table, TableKey};
use outflank_study::StudyFile;

/// The reference begins and ends with these lines.
const MARKS: [&str; 2] = ["<!-- keys begin -->", "<!-- keys end -->"];

/// What a key holds, in words.
fn holds(shape: &Shape) -> String {
    match shape {
        Shape::Whole => "whole number".into(),
        Shape::Number => "number".into(),
        Shape::Text => "text".into(),
        Shape::Texts => "list of texts".into(),
        Shape::Player | Shape::Origin => "player".into(),
        Shape::Players => "list of players".into(),
        Shape::Book => "book".into(),
        Shape::Interval => "two numbers".into(),
        Shape::Any => "keys of a spec".into(),
        Shape::Maybe(inner) => format!("{}, optional", holds(inner)),
        Shape::Many(_) => "list of tables".into(),
        Shape::Kinds(_) => "table with a kind".into(),
        Shape::Word(words) => {
            let names: Vec<String> = words.iter().map(|word| format!("`{}`", word.name)).collect();
            names.join(", ")
        }
        other => panic!("a study has no key of shape {other:?}"),
    }
}

fn rows(text: &mut String, keys: &[TableKey]) {
    text.push_str("| key | holds | meaning |\n|---|---|---|\n");
    for key in keys {
        let mut meaning = key.about().to_owned();
        if let Shape::Word(words) = key.shape {
            for word in words {
                let _ = write!(meaning, " `{}`: {}", word.name, word.about());
            }
        }
        let off = key.neutral.map(|neutral| neutral().to_string());
        let off = off.filter(|off| !["\"\"", "[]", "0", "0.0"].contains(&off.as_str()));
        let off = off.map_or(String::new(), |off| format!(" Without it: {off}."));
        let _ = writeln!(text, "| `{}` | {} | {meaning}{off} |", key.name(), holds(&key.shape));
    }
    text.push('\n');
}

fn reference() -> String {
    let mut text = String::from("\n### The study\n\n");
    rows(&mut text, StudyFile::KEYS);
    let mut sources = None;
    for key in StudyFile::KEYS {
        let Shape::Many(keys) = key.shape else { continue };
        let _ = writeln!(text, "### `[[{}]]`\n", key.name());
        rows(&mut text, keys);
        for inner in keys {
            match inner.shape {
                Shape::Kinds(kinds) => sources = Some(kinds),
                Shape::Many(keys) => {
                    let _ = writeln!(text, "A member of `{}`:\n", inner.name());
                    rows(&mut text, keys);
                }
                _ => {}
            }
        }
    }
    text.push_str("### Where a value of ours comes from\n\n");
    for kind in sources.expect("values have sources") {
        let _ = writeln!(text, "**`kind = \"{}\"`**: {}\n", kind.name, kind.about());
        rows(&mut text, kind.keys);
    }
    text.trim_end().to_owned() + "\n"
}

#[test]
fn the_key_reference_is_that_of_the_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/studies.md");
    let page = std::fs::read_to_string(path).expect("docs/studies.md is there");
    let (before, rest) = page.split_once(MARKS[0]).expect("the reference begins");
    let (found, after) = rest.split_once(MARKS[1]).expect("the reference ends");
    let expected = format!("\n{}\n", reference());
    if std::env::var_os("OUTFLANK_WRITE_DOCS").is_some() {
        let written = [before, MARKS[0], &expected, MARKS[1], after].concat();
        std::fs::write(path, written).expect("docs/studies.md can be written");
        return;
    }
    assert!(
        found == expected,
        "docs/studies.md is out of date; OUTFLANK_WRITE_DOCS=1 cargo test -p outflank-study \
         --test reference writes it"
    );
}
