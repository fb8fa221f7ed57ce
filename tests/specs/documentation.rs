//! docs/specs.md and docs/methods.md agree with the program.

use super::*;

/// A page with its generated blocks, which stand between comments, as they should be.
fn with_blocks(page: &str, blocks: &[(String, String)]) -> String {
    let mut page = page.to_owned();
    for (name, block) in blocks {
        let (start, end) = (format!("<!-- keys: {name} -->\n"), "<!-- end -->");
        let from = page.find(&start).unwrap_or_else(|| panic!("no {start}")) + start.len();
        let length = page[from..].find(end).unwrap_or_else(|| panic!("no end of {start}"));
        page.replace_range(from..from + length, &format!("\n{block}\n"));
    }
    page
}

#[test]
fn the_documentation_lists_every_key() {
    let written = std::fs::read_to_string("docs/specs.md").unwrap();
    let expected = with_blocks(&written, &key_reference::blocks());
    assert!(written == expected, "docs/specs.md should be:\n{expected}");
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
