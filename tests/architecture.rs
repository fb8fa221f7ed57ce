//! The rooms stand in a line and import only from their left; `unsafe` stays in the kernel's room.
//!
//! The checker reads tokens, not types, so it has one rule: a path to another room starts with
//! `crate::room`. What it cannot follow (`crate::*`, a renamed root, `super` out of the room) it
//! refuses.

use std::fs;
use std::path::{Path, PathBuf};

/// From left to right. A room is `src/<room>.rs` or the directory `src/<room>`.
const ROOMS: [&str; 9] =
    ["rng", "kernel", "othello", "model", "player", "arena", "learn", "lab", "cli"];

/// The crate roots, which stand outside of the line.
const ROOTS: [&str; 2] = ["lib", "main"];

#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    text: String,
    line: usize,
}

/// Splits a source into words and single signs, `::` as one. Comments, literals and lifetimes are
/// left out.
fn tokens(source: &str) -> Vec<Token> {
    let letters: Vec<char> = source.chars().collect();
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while at < letters.len() {
        let skipped = literal_or_comment_end(&letters, at);
        let end = match skipped {
            Some(end) => end,
            None if is_word(letters[at]) => skip_while(&letters, at, is_word),
            None if letters[at..].starts_with(&[':', ':']) => at + 2,
            None => at + 1,
        };
        if skipped.is_none() && !letters[at].is_whitespace() {
            tokens.push(Token { text: letters[at..end].iter().collect(), line });
        }
        line += letters[at..end].iter().filter(|&&letter| letter == '\n').count();
        at = end;
    }
    tokens
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn skip_while(letters: &[char], from: usize, test: impl Fn(char) -> bool) -> usize {
    letters[from..].iter().position(|&letter| !test(letter)).map_or(letters.len(), |n| from + n)
}

/// Where the comment, literal or lifetime that starts here ends; `None` if none does.
fn literal_or_comment_end(letters: &[char], at: usize) -> Option<usize> {
    match letters[at..] {
        ['/', '/', ..] => Some(skip_while(letters, at, |letter| letter != '\n')),
        ['/', '*', ..] => Some(block_comment_end(letters, at)),
        ['"', ..] | ['\'', '\\', ..] | ['\'', _, '\'', ..] => Some(quoted_end(letters, at)),
        ['\'', ..] => Some(skip_while(letters, at + 1, is_word)),
        ['b', '\'', ..] | ['b' | 'c', '"', ..] => Some(quoted_end(letters, at + 1)),
        ['r', '"' | '#', ..] => raw_string_end(letters, at + 1),
        ['b' | 'c', 'r', '"' | '#', ..] => raw_string_end(letters, at + 2),
        _ => None,
    }
}

fn block_comment_end(letters: &[char], from: usize) -> usize {
    let (mut at, mut depth) = (from, 0);
    while at < letters.len() {
        match letters[at..] {
            ['/', '*', ..] => (at, depth) = (at + 2, depth + 1),
            ['*', '/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// The end of a string or character whose opening quote stands at `from`.
fn quoted_end(letters: &[char], from: usize) -> usize {
    let mut at = from + 1;
    while at < letters.len() && letters[at] != letters[from] {
        at += if letters[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(letters.len())
}

/// The end of a raw string whose first `#` or quote stands at `from`; `None` for a raw name.
fn raw_string_end(letters: &[char], from: usize) -> Option<usize> {
    let open = skip_while(letters, from, |letter| letter == '#');
    if letters.get(open) != Some(&'"') {
        return None;
    }
    let mut close = vec!['"'];
    close.resize(1 + open - from, '#');
    let inside = &letters[open + 1..];
    let length = inside.windows(close.len()).position(|window| window == close);
    Some(length.map_or(letters.len(), |n| open + 1 + n + close.len()))
}

/// A path that starts with `crate`, `self` or `super`, and how many modules the file opens around it.
#[derive(Debug)]
struct Mention {
    names: Vec<String>,
    line: usize,
    inside_modules: usize,
}

/// All such paths of a file, groups (`crate::{a, b::c}`) written out.
fn mentions(tokens: &[Token]) -> Vec<Mention> {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let (mut found, mut at) = (Vec::new(), 0);
    // For each open brace, whether it opens a module.
    let mut braces: Vec<bool> = Vec::new();
    while at < tokens.len() {
        match text(at) {
            "{" => braces.push(at >= 2 && text(at - 2) == "mod"),
            "}" => {
                braces.pop();
            }
            "crate" | "self" | "super" if at == 0 || text(at - 1) != "::" => {
                let inside_modules = braces.iter().filter(|&&module| module).count();
                let mut paths = Vec::new();
                at = spell_out(tokens, at, &[], &mut paths);
                found.extend(paths.into_iter().map(|(names, line)| Mention {
                    names,
                    line,
                    inside_modules,
                }));
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Reads the path or group at `at`, which continues `before`; returns where it ends.
fn spell_out(
    tokens: &[Token],
    mut at: usize,
    before: &[String],
    paths: &mut Vec<(Vec<String>, usize)>,
) -> usize {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let line = |at: usize| tokens.get(at).map_or(0, |token| token.line);
    if text(at) == "{" {
        at += 1;
        while !matches!(text(at), "}" | "") {
            at = spell_out(tokens, at, before, paths);
            // To the next member, past `as name`.
            while !matches!(text(at), "," | "}" | "") {
                at += 1;
            }
            at += usize::from(text(at) == ",");
        }
        return at + 1;
    }
    let mut names = before.to_vec();
    names.push(text(at).to_owned());
    let continues = |name: &str| matches!(name, "{" | "*") || name.starts_with(is_word);
    if text(at + 1) == "::" && continues(text(at + 2)) {
        return spell_out(tokens, at + 2, &names, paths);
    }
    if text(at + 1) == "as" {
        names.push("as".to_owned());
    }
    paths.push((names, line(at)));
    at + 1
}

/// Where a file stands: its room, and how many modules below the crate root (`src/room/x.rs` is 2).
struct Place<'a> {
    room: &'a str,
    depth: usize,
}

/// The imports that a room may not have, with their lines.
fn import_faults(place: &Place<'_>, source: &str) -> Vec<(usize, String)> {
    let explain = |mention: &Mention| {
        let fault = import_fault(place, mention)?;
        Some((mention.line, format!("{}: {fault}", mention.names.join("::"))))
    };
    mentions(&tokens(source)).iter().filter_map(explain).collect()
}

/// The words that a file may not have, with their lines.
fn word_faults(room: &str, source: &str) -> Vec<(usize, String)> {
    let explain = |Token { text, line }: Token| match text.as_str() {
        "unsafe" if room != "kernel" => Some((line, "unsafe: only the kernel may".to_owned())),
        "thread_rng" => Some((line, "thread_rng: draw from a seed".to_owned())),
        _ => None,
    };
    tokens(source).into_iter().filter_map(explain).collect()
}

fn import_fault(place: &Place<'_>, mention: &Mention) -> Option<String> {
    let names: Vec<&str> = mention.names.iter().map(String::as_str).collect();
    let number = |room: &str| ROOMS.iter().position(|name| *name == room);
    match names.as_slice() {
        // pub(crate), pub(super)
        ["crate"] | ["super"] => None,
        ["crate", target, ..] => match number(target) {
            None => Some("a path from the crate root names a room".to_owned()),
            Some(target) if Some(target) <= number(place.room) => None,
            Some(_) => Some(format!("{target} stands to the right of {}", place.room)),
        },
        _ => {
            let climbs = names.iter().filter(|name| **name == "super").count();
            (climbs >= place.depth + mention.inside_modules)
                .then(|| format!("leaves the room {}; write crate::room", place.room))
        }
    }
}

/// The .rs files of a directory and those below it, in the order of their names.
fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The modules of a file by its path below `src`: `kernel/mod.rs` is kernel, `kernel/avx2.rs` is
/// kernel, avx2.
fn modules(file: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        file.with_extension("").iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    names.pop_if(|name| name == "mod");
    names
}

#[test]
fn rooms_import_only_from_their_left_and_only_the_kernel_is_unsafe() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    for path in rust_files(&src) {
        let file = path.strip_prefix(&src).unwrap();
        let source = fs::read_to_string(&path).unwrap();
        let modules = modules(file);
        let place = Place { room: &modules[0], depth: modules.len() };
        let mut faults = word_faults(place.room, &source);
        if ROOMS.contains(&place.room) {
            faults.extend(import_faults(&place, &source));
        } else if !ROOTS.contains(&place.room) {
            faults.push((1, format!("{} is no room of the line", place.room)));
        }
        found.extend(
            faults.iter().map(|(line, fault)| format!("src/{}:{line}: {fault}", file.display())),
        );
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// The lines and paths refused in a made-up file of the room `player`.
fn refused(depth: usize, source: &str) -> Vec<String> {
    import_faults(&Place { room: "player", depth }, source)
        .iter()
        .map(|(line, fault)| format!("{line} {}", fault.split(": ").next().unwrap()))
        .collect()
}

#[test]
fn imports_from_the_left_and_from_the_own_room_are_allowed() {
    let source = "
        use crate::kernel::{self, Kernel};
        use crate::{othello::{Board, Square as At}, rng::Rng};
        use super::{Player, policy::Policy};
        pub(crate) fn choose(&self) -> crate::player::Choice { self.0 }
        mod tests { use super::super::*; }
    ";
    assert_eq!(refused(2, source), Vec::<String>::new());
}

#[test]
fn imports_from_the_right_are_refused_with_their_lines() {
    let source = "use crate::arena;
        use crate::{othello::Board, arena::Match, rng::{Rng, Seed},
            learn::{a, b as c}};
        fn play() -> crate::lab::Run { $crate::cli::main() }";
    let expected = [
        "1 crate::arena",
        "2 crate::arena::Match",
        "3 crate::learn::a",
        "3 crate::learn::b::as",
        "4 crate::lab::Run",
        "4 crate::cli::main",
    ];
    assert_eq!(refused(1, source), expected);
    let message = &import_faults(&Place { room: "player", depth: 1 }, source)[0].1;
    assert_eq!(message, "crate::arena: arena stands to the right of player");
}

#[test]
fn roundabout_paths_out_of_a_room_are_refused() {
    for (depth, path) in [
        (1, "super::arena"),
        (2, "super::super::arena"),
        (2, "self::super::super::arena"),
        (3, "super::super::super::arena"),
        (1, "crate::*"),
        (1, "crate::unheard_of"),
    ] {
        assert_eq!(refused(depth, &format!("use {path};")), [format!("1 {path}")]);
    }
    assert_eq!(refused(2, "use super::{x, super::arena};"), ["1 super::super::arena"]);
    assert_eq!(refused(1, "use crate as root;"), ["1 crate::as"]);
    assert_eq!(refused(1, "use crate::{self as root};"), ["1 crate::self::as"]);
    assert_eq!(refused(1, "mod a { use super::super::arena; }"), ["1 super::super::arena"]);
    // A closed module no longer counts.
    assert_eq!(refused(1, "mod a { fn f() {} } use super::arena;"), ["1 super::arena"]);
}

#[test]
fn comments_and_literals_are_no_imports() {
    let source = r###"
        //! [`crate::arena`]
        /* crate::arena /* crate::lab */ crate::cli */
        const A: &str = "crate::arena \" unsafe";
        const B: &str = r#"crate::arena " unsafe"#;
        const C: (char, char, u8) = ('"', '\'', b'"');
        fn f<'a>(x: &'a str) -> &'a [u8] { br"unsafe" }
        use crate::lab;
    "###;
    assert_eq!(refused(1, source), ["8 crate::lab"]);
    assert_eq!(word_faults("player", source), []);
}

#[test]
fn unsafe_and_thread_rng_are_noticed() {
    let source = "fn f() {\n unsafe { g() }\n}\nlet unsafe_code = rand::thread_rng();";
    let lines = |room| word_faults(room, source).iter().map(|fault| fault.0).collect::<Vec<_>>();
    assert_eq!(lines("player"), [2, 4]);
    assert_eq!(lines("kernel"), [4]);
}

#[test]
fn files_stand_in_the_room_of_their_path() {
    for (file, expected) in [
        ("rng.rs", vec!["rng"]),
        ("kernel/mod.rs", vec!["kernel"]),
        ("kernel/avx2.rs", vec!["kernel", "avx2"]),
        ("learn/search/mod.rs", vec!["learn", "search"]),
    ] {
        assert_eq!(modules(Path::new(file)), expected);
    }
}
