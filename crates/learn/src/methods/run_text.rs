//! Everything that a run depends on besides its seed, as text: the spec, and the content of the
//! files that it names. The schema says which keys name players and files, by their types; no key
//! is known by its name here.

use std::io::Read;
use std::path::Path;

use toml::{Table, Value};

use crate::{LearnError, Measure, OPPONENTS, Spec};
use outflank_game::book::open_book;
use outflank_game::player::{Champions, NAMED, parse_player, read_player_file, split_options};
use outflank_schema::{Shape, Table as _, TableKey};

/// Larger files of games are refused.
const LARGEST_GAMES: u64 = 256 << 20;

/// The text that a run depends on. Files may change while the spec does not, so their hashes follow
/// it.
pub fn run_text(spec: &Spec) -> Result<String, LearnError> {
    let mut named = Named::default();
    named.look(&spec.to_table(), Spec::KEYS);
    named.look_for_books();
    let mut players: Vec<&str> = named
        .players
        .iter()
        .map(|player| split_options(player).0)
        .filter(|name| !NAMED.iter().any(|named| named.name == *name))
        .collect();
    players.sort_unstable();
    players.dedup();
    let mut text = spec.to_toml();
    for name in &named.books {
        let hash = &open_book(name)?.hash()[..16];
        text += &format!("# book {name:?} is {hash}\n");
    }
    for name in players {
        // The runs of a study depend on its spec and on seeds, which are those of the runs that
        // start from them; more seeds do not change it.
        if let Some(study) = Champions::of(name)? {
            let hash = &blake3::hash(study.spec().as_bytes()).to_hex()[..16];
            text += &format!("# study {name:?} is {hash}\n");
            continue;
        }
        // A misspelt name is not a file, and the error lists the names there are.
        parse_player(name)?;
        let file = read_player_file(Path::new(name))?;
        let bytes = serde_json::to_vec(&file).expect("a player is plain JSON");
        let hash = &blake3::hash(&bytes).to_hex()[..16];
        text += &format!("# player {name:?} is {hash}\n");
    }
    for name in &named.files {
        let wrong = |problem: String| LearnError::Games { path: name.into(), problem };
        let failed = |error: std::io::Error| wrong(error.to_string());
        // A device is endless, and a pipe may block forever: neither is opened.
        let metadata = std::fs::metadata(name).map_err(failed)?;
        if !metadata.is_file() {
            return Err(wrong("it is not a regular file".into()));
        }
        if metadata.len() > LARGEST_GAMES {
            return Err(wrong(format!("larger than {} MiB", LARGEST_GAMES >> 20)));
        }
        let mut content = blake3::Hasher::new();
        std::fs::File::open(name)
            .and_then(|file| std::io::copy(&mut file.take(LARGEST_GAMES), &mut content))
            .map_err(failed)?;
        let hash = &content.finalize().to_hex()[..16];
        text += &format!("# games {name:?} are {hash}\n");
    }
    Ok(text)
}

/// The names in a spec, key by key in the order of its schema.
#[derive(Default)]
struct Named {
    players: Vec<String>,
    files: Vec<String>,
    books: Vec<String>,
}

impl Named {
    /// Players may have books, too.
    fn look_for_books(&mut self) {
        for player in &self.players {
            let options = split_options(player).1.unwrap_or_default();
            let named = options.split(',').filter_map(|option| option.split_once('='));
            let books = named.filter(|(name, _)| name.trim() == "book");
            self.books.extend(books.map(|(_, book)| book.trim().to_owned()));
        }
        self.books.sort_unstable();
        self.books.dedup();
    }

    fn look(&mut self, table: &Table, keys: &[TableKey]) {
        for key in keys {
            let Some(value) = table.get(&key.name()) else { continue };
            let mut texts: Vec<String> = match value {
                Value::Array(texts) => {
                    texts.iter().filter_map(Value::as_str).map(str::to_owned).collect()
                }
                Value::String(text) => vec![text.clone()],
                _ => Vec::new(),
            };
            match key.shape {
                Shape::Player | Shape::Players | Shape::Origin => {
                    // An empty name means none.
                    texts.retain(|name| !name.is_empty());
                    self.players.extend(texts);
                }
                Shape::Yardsticks => {
                    texts.retain(|name| name != OPPONENTS && Measure::named(name).is_none());
                    self.players.extend(texts);
                }
                Shape::Files => self.files.extend(texts),
                Shape::Book => {
                    texts.retain(|name| !name.is_empty());
                    self.books.extend(texts);
                }
                Shape::Table(inner) | Shape::Source(inner) => {
                    value.as_table().into_iter().for_each(|table| self.look(table, inner));
                }
                Shape::Again(inner) => {
                    value.as_table().into_iter().for_each(|table| self.look(table, inner()));
                }
                Shape::Kinds(kinds) => {
                    let Some(table) = value.as_table() else { continue };
                    let name = table.get("kind").and_then(Value::as_str);
                    let kind = kinds.iter().find(|kind| Some(kind.name) == name);
                    kind.into_iter().for_each(|kind| self.look(table, kind.keys));
                }
                Shape::Whole
                | Shape::Number
                | Shape::Flag
                | Shape::Wholes
                | Shape::Interval
                | Shape::Statistics
                | Shape::Text
                | Shape::Word(_) => {}
                Shape::Texts | Shape::Any | Shape::Maybe(_) | Shape::Many(_) => {
                    unreachable!("specs have no such keys")
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::resolve;
    use super::*;
    use outflank_game::book::{Book, Table};
    use outflank_game::othello::{Position, Square};

    #[test]
    fn every_file_that_a_spec_names_is_part_of_what_ran() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let weights = |first: u32| format!("{first} {}", "0.5 ".repeat(63));
        let network = outflank_game::player::PlayerFile::of_player(
            &parse_player("td-greedy").unwrap(),
            serde_json::Map::new(),
        );
        for name in ["opponent.txt", "yardstick.txt", "met.txt", "other.txt"] {
            std::fs::write(at(name), weights(1)).unwrap();
        }
        std::fs::write(at("from.json"), serde_json::to_string(&network.unwrap()).unwrap()).unwrap();
        std::fs::write(at("games.txt"), "f5f6\n").unwrap();
        let text = |sets: &[String]| {
            let spec = resolve("td-lambda", sets).unwrap_or_else(|error| panic!("{error}")).spec;
            run_text(&spec).unwrap()
        };
        let local = |rest: &str| {
            format!("local={{kind='games', meetings=2, games=1, alpha=0.1, lambda=0, {rest}}}")
        };
        let cases = [
            (
                "opponent.txt",
                format!("opponents.fixed.players=['{}@epsilon=0.1']", at("opponent.txt")),
            ),
            (
                "yardstick.txt",
                format!("probes.vs=['utility', 'opponents', '{}']", at("yardstick.txt")),
            ),
            ("met.txt", local(&format!("files=[], players=['{}', 'random']", at("met.txt")))),
            ("from.json", format!("model.from='{}'", at("from.json"))),
            ("games.txt", local(&format!("files=['{}'], players=[]", at("games.txt")))),
        ];
        for (name, set) in cases {
            let sets = [set];
            let before = text(&sets);
            let what = if name == "games.txt" { "games" } else { "player" };
            assert!(before.contains(&format!("# {what} {:?}", at(name))), "{before}");
            assert_eq!(before.matches("\n# ").count(), 1, "{before}");
            let content = std::fs::read_to_string(at(name)).unwrap();
            let other = match name {
                "from.json" => content.replacen("0.", "1.", 1),
                "games.txt" => "f5d6\n".into(),
                _ => weights(2),
            };
            std::fs::write(at(name), other).unwrap();
            assert_ne!(text(&sets), before, "{name}");
        }
        assert!(!text(&[]).contains('#'), "players with names are not files");
        // A book of the policy and one of a player, which are the same here.
        let book = at("some.book");
        let write = |game: &[Square]| {
            let mut table = Table::of_games([(Position::START, game, 4)], 60);
            table.back_up();
            std::fs::write(&book, Book::write(&table, vec![])).unwrap();
        };
        let [f5, d6] = ["f5", "d6"].map(|at| at.parse().unwrap());
        for set in [
            format!("policy.book='{book}'"),
            format!("opponents.fixed.players=['heuristic@epsilon=0.1,book={book}']"),
        ] {
            write(&[f5]);
            let sets = [set];
            let before = text(&sets);
            assert!(before.contains(&format!("\n# book {book:?} is ")), "{before}");
            write(&[f5, d6]);
            assert_ne!(text(&sets), before);
        }
        assert!(text(&["policy.book='small'".into()]).contains("\n# book \"small\" is "));
        std::fs::write(&book, "no book").unwrap();
        let wrong = resolve("td-lambda", &[format!("policy.book='{book}'")]).unwrap_err();
        assert!(wrong.to_string().contains("is not an opening book"), "{wrong}");
    }
}
