//! docs/specs.md and docs/methods.md agree with the program.

use super::*;

/// The keys as docs/specs.md lists them. Tables that are alike are listed once.
#[derive(Default)]
struct KeyTable {
    text: String,
    /// Shapes that have been listed, and where.
    listed: Vec<(String, String)>,
}

impl KeyTable {
    fn of_all_keys() -> String {
        let mut table = KeyTable::default();
        table.text.push_str("| key | holds | means |\n|---|---|---|\n");
        table.list("", Spec::KEYS, "");
        table.text
    }

    fn row(&mut self, name: &str, of: &str, holds: &str, about: &str) {
        assert!(about.len() > 10 && about.ends_with('.'), "{name} has no comment");
        self.text.push_str(&format!("| `{name}`{of} | {holds} | {about} |\n"));
    }

    fn list(&mut self, path: &str, keys: &[TableKey], of: &str) {
        for key in keys {
            let path = if path.is_empty() { key.name() } else { format!("{path}.{}", key.name()) };
            let shape = format!("{:?}", key.shape);
            let listed = self.listed.iter().find(|(other, _)| *other == shape);
            match (listed, key.shape.keys().next()) {
                (Some((_, at)), Some(_)) => {
                    let holds = format!("as `{at}`");
                    self.row(&path, of, &holds, key.about());
                }
                _ => {
                    self.listed.push((shape, path.clone()));
                    self.list_one(&path, key, of);
                }
            }
        }
    }

    fn list_one(&mut self, path: &str, key: &TableKey, of: &str) {
        let holds = match key.shape {
            Shape::Whole => "whole number",
            Shape::Number => "number",
            Shape::Flag => "true or false",
            Shape::Player => "player",
            Shape::Wholes => "list of whole numbers",
            Shape::Players => "list of players",
            Shape::Yardsticks => "list of players or measures",
            Shape::Statistics => "list of statistics",
            Shape::Files => "list of files",
            Shape::Interval => "two numbers",
            Shape::Word(_) => "word",
            Shape::Table(_) => "table",
            Shape::Source(_) => "table, or `false`",
            Shape::Kinds(_) => "table with a kind",
        };
        self.row(path, of, holds, key.about());
        match key.shape {
            Shape::Word(words) => {
                for word in words {
                    self.row(path, of, &format!("`{:?}`", word.name), word.about());
                }
            }
            Shape::Table(inner) | Shape::Source(inner) => self.list(path, inner, of),
            Shape::Kinds(kinds) => {
                for kind in kinds {
                    let name = format!("{path}.kind");
                    self.row(&name, "", &format!("`{:?}`", kind.name), kind.about());
                }
                for kind in kinds {
                    self.list(path, kind.keys, &format!(" ({})", kind.name));
                }
            }
            _ => {}
        }
    }
}

#[test]
fn the_documentation_lists_every_key() {
    let docs = std::fs::read_to_string("docs/specs.md").unwrap();
    let table = KeyTable::of_all_keys();
    let from = docs.find("| key |").expect("docs/specs.md has a table of keys");
    let written =
        &docs[from..from + docs[from..].find("\n\n").unwrap_or(docs.len() - from - 1) + 1];
    assert!(written == table, "docs/specs.md should have this table:\n{table}");
}

/// A word without its quotes; none if it has a special meaning for a shell.
fn as_a_shell_reads(word: &str) -> Option<String> {
    for quote in ['"', '\''] {
        if let Some(inner) = word.strip_prefix(quote) {
            return inner.strip_suffix(quote).map(str::to_owned);
        }
    }
    (!word.contains(['[', '\'', '"', '*', '$', '{', '('])).then(|| word.to_owned())
}

#[test]
fn the_documentation_has_every_preset() {
    let docs = std::fs::read_to_string("docs/methods.md").unwrap();
    for preset in PRESETS {
        assert!(
            docs.contains(&format!("**{}**", preset.name)),
            "{} in docs/methods.md",
            preset.name
        );
    }
    // Commands in the documentation are complete and valid.
    for line in ["docs/methods.md", "docs/specs.md"]
        .iter()
        .flat_map(|path| {
            std::fs::read_to_string(path).unwrap().lines().map(String::from).collect::<Vec<_>>()
        })
        .filter(|line| line.starts_with("outflank learn ") || line.starts_with("outflank preset "))
    {
        let words: Vec<&str> = line.split_whitespace().collect();
        let sets: Vec<String> = words
            .windows(2)
            .filter(|pair| pair[0] == "--set")
            .map(|pair| as_a_shell_reads(pair[1]).unwrap_or_else(|| panic!("{line}: quote it")))
            .collect();
        if Path::new(words[2]).extension().is_none() {
            resolve(words[2], &sets).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }
}

#[test]
fn the_documentation_has_sound_specs() {
    for name in ["docs/specs.md", "docs/extending.md"] {
        let docs = std::fs::read_to_string(name).unwrap();
        let blocks: Vec<&str> = docs.split("```toml\n").skip(1).collect();
        assert!(!blocks.is_empty());
        for block in blocks {
            let text = block.split("```").next().unwrap();
            let folder = Folder::with(&[("mine.toml", text)]);
            let path = folder.0.path().join("mine.toml");
            resolve(path.to_str().unwrap(), &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn the_experiments_are_sound() {
    let mut found = 0;
    for folder in std::fs::read_dir("experiments").unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let method = resolve(path.to_str().unwrap(), &[]);
            assert!(method.is_ok(), "{}: {:?}", path.display(), method.err());
            found += 1;
        }
    }
    assert!(found >= 4);
}

#[test]
fn the_checklist_names_places_that_exist() {
    let docs = std::fs::read_to_string("docs/extending.md").unwrap();
    let quoted: Vec<&str> = docs.split('`').skip(1).step_by(2).collect();
    let is_path = |text: &&str| {
        ["src/", "crates/", "tests/", "fuzz/"].iter().any(|room| text.starts_with(room))
    };
    let paths: Vec<&str> =
        quoted.into_iter().filter(is_path).filter(|path| !path.contains(' ')).collect();
    assert!(paths.len() > 15, "{paths:?}");
    for path in paths {
        let path = path.replace("TARGET", "wthor");
        assert!(Path::new(&path).exists() || path.starts_with("fuzz/artifacts"), "{path}");
    }
}
