use super::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use outflank_arena::{Arena, News, Unwatched, Watch};
use outflank_game::book::{Book, Value};
use outflank_game::othello::{Board, Position};
use outflank_game::player::parse_player;
use outflank_kernel::Kernel;
use outflank_store::{Partial, RunError};
use tempfile::tempdir;

fn arena(threads: usize) -> Arena {
    Arena::new(Kernel::available()[0], threads).unwrap()
}

fn self_play(player: &str, games: u64) -> BookRecipe {
    let player = parse_player(player).unwrap();
    let self_play = SelfPlay { player, games, seed: 1, explore: 0.25, margin: 2.0 };
    BookRecipe { self_play: Some(self_play), depth: 12, least_visits: 1, ..BookRecipe::default() }
}

fn from_files(files: &[&Path], depth: u32) -> BookRecipe {
    let files = files.iter().map(|path| path.to_path_buf()).collect();
    let files = FromFiles { files, skip: false };
    BookRecipe { files, depth, least_visits: 1, ..BookRecipe::default() }
}

fn built(recipe: &BookRecipe, out: &Path) -> Result<BuiltBook, BookBuildError> {
    build_book(&arena(1), recipe, out, &Unwatched)
}

/// A file of different games of a random player, each in a line.
fn transcripts(path: &Path, games: std::ops::Range<u64>) {
    let recipe = self_play("random", 1).self_play.unwrap();
    let empty = outflank_game::book::Table::default();
    let lines = recipe.play(&arena(1), games, &empty, 0);
    let line = |moves: &[_]| moves.iter().map(ToString::to_string).collect::<String>() + "\n";
    fs::write(path, lines.iter().map(|(moves, _)| line(moves)).collect::<String>()).unwrap();
}

#[test]
fn a_book_is_the_same_on_any_threads_and_kernel() {
    let folder = tempdir().unwrap();
    let mut recipe = self_play("lr2006@epsilon=0.1", 5000);
    (recipe.depth, recipe.solve, recipe.least_visits) = (60, 8, 2);
    let mut first: Option<Vec<u8>> = None;
    for kernel in Kernel::available() {
        for threads in [1, 2, 5] {
            let out = folder.path().join(format!("{}-{threads}", kernel.name()));
            let arena = Arena::new(kernel, threads).unwrap();
            build_book(&arena, &recipe, &out, &Unwatched).unwrap();
            let bytes = fs::read(out).unwrap();
            assert!(*first.get_or_insert_with(|| bytes.clone()) == bytes, "{threads}");
        }
    }
    let again = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(again, 3 * Kernel::available().len(), "nothing else is left");
}

#[test]
fn games_explore_beyond_what_the_player_would_do() {
    let folder = tempdir().unwrap();
    let positions = |explore: f64, name: &str| {
        let mut recipe = self_play("lr2006@ties=first", 4000);
        recipe.self_play.as_mut().unwrap().explore = explore;
        let book = built(&recipe, &folder.path().join(name)).unwrap().book;
        assert_eq!(book.head().games, 4000);
        book.head().positions
    };
    // The player itself plays one game again and again.
    assert_eq!(positions(0.0, "still"), 12);
    let explored = positions(0.25, "restless");
    assert!(explored > 500, "{explored}");
}

#[test]
fn merging_books_is_building_from_all_games() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    transcripts(&at("one.txt"), 0..300);
    transcripts(&at("two.txt"), 300..700);
    for (depth, solve) in [(10, 0), (60, 6)] {
        let build = |files: &[&str], out: &str| {
            let files: Vec<PathBuf> = files.iter().map(|name| at(name)).collect();
            let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
            let recipe = BookRecipe { solve, ..from_files(&files, depth) };
            let out = at(&format!("{out}-{depth}"));
            built(&recipe, &out).unwrap();
            out
        };
        let parts = [build(&["one.txt"], "one"), build(&["two.txt"], "two")];
        let all = build(&["one.txt", "two.txt"], "all");
        let merged = at(&format!("merged-{depth}"));
        let book = merge_books(&parts, &merged).unwrap().book;
        assert_eq!(book.head().games, 700);
        assert!(fs::read(&merged).unwrap() == fs::read(&all).unwrap(), "depth {depth}");
        assert_eq!(book.head().proved > 700, solve > 0, "{}", book.head().proved);
        // Games that are in both would count twice.
        let twice = [all.clone(), parts[0].clone()];
        let error = merge_books(&twice, &at("twice")).unwrap_err().to_string();
        assert!(error.contains("both have the \"games of one.txt"), "{error}");
    }
}

#[test]
fn positions_near_the_end_are_solved_exactly() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    transcripts(&at("games.txt"), 0..30);
    let recipe = BookRecipe { solve: 6, ..from_files(&[&at("games.txt")], 60) };
    let book = built(&recipe, &at("some.book")).unwrap().book;
    let mut solved = 0;
    for (key, proved, moves) in book.table().unwrap().positions() {
        let board = key.board();
        if board.empty().len() > 6 {
            continue;
        }
        assert!(proved);
        let best = moves.iter().map(|of| of.value).max().unwrap();
        assert_eq!(best, Value::of_discs(minimax(board)), "{board:?}");
        // The moves with that value are exactly the best ones.
        let (_, ways) = outflank_game::book::Key::of(board);
        for at in board.moves() {
            let is_best = -minimax(board.play(at)) == minimax(board);
            let of = moves.iter().find(|of| of.at == ways.forth(at));
            assert_eq!(of.is_some_and(|of| of.value == best), is_best, "{at} {board:?}");
        }
        solved += 1;
    }
    assert!(solved > 100, "{solved}");
}

/// The score for the side to move, by trying everything.
fn minimax(board: Board) -> i32 {
    let moves = board.moves();
    if moves.is_empty() {
        let after = board.pass();
        return if after.moves().is_empty() { board.margin() } else { -minimax(after) };
    }
    moves.map(|at| -minimax(board.play(at))).max().unwrap()
}

#[test]
fn a_file_that_is_there_is_never_overwritten_and_two_writers_do_not_meet() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("some.book");
    let recipe = self_play("lr2006", 100);
    let first = built(&recipe, &out).unwrap();
    assert!(!first.was_there);
    let bytes = fs::read(&out).unwrap();
    assert!(built(&recipe, &out).unwrap().was_there);
    let error = built(&self_play("lr2006", 200), &out).unwrap_err().to_string();
    assert!(
        error.contains("some.book is already there: a book of other games (100 games of lr2006")
    );
    assert!(error.ends_with("choose another --out, or remove it"), "{error}");
    assert_eq!(fs::read(&out).unwrap(), bytes);
    let text = folder.path().join("text");
    fs::write(&text, "f5d6").unwrap();
    let error = built(&recipe, &text).unwrap_err().to_string();
    assert!(error.contains("is already there: ") && error.contains("not an opening book"));
    assert_eq!(fs::read_to_string(&text).unwrap(), "f5d6");
    // While another process has the lock.
    let other = folder.path().join("other.book");
    let (held, _) = Partial::open(&other, b"").unwrap();
    let error = built(&recipe, &other).unwrap_err();
    assert!(matches!(error, BookBuildError::Files(RunError::Held { .. })), "{error}");
    assert!(error.to_string().contains("other.book.part is in use by process"), "{error}");
    drop(held);
    built(&recipe, &other).unwrap();
    assert!(fs::read(&other).unwrap() == bytes);
    assert!(!Partial::path(&other).exists());
}

/// Records notes.
struct Notes(Mutex<Vec<String>>);

impl Watch for Notes {
    fn tell(&self, news: News<'_>) {
        if let News::Note(text) = news {
            self.0.lock().unwrap().push(text.into());
        }
    }
}

#[test]
fn bad_games_end_the_work_or_are_left_out() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let wiped = "e6f4e3f6g5d6e7f5c5";
    fs::write(at("bad.txt"), format!("{wiped}\nf5f5\n\nf5d6\n")).unwrap();
    let mut recipe = from_files(&[&at("bad.txt")], 60);
    let error = built(&recipe, &at("out")).unwrap_err().to_string();
    assert!(error.ends_with("bad.txt: line 2: move 2: White cannot play f5: it is occupied"));
    assert!(!at("out").exists() && !Partial::path(&at("out")).exists());
    recipe.files.skip = true;
    let notes = Notes(Mutex::default());
    let book = build_book(&arena(1), &recipe, &at("out"), &notes).unwrap().book;
    assert_eq!(book.head().games, 1);
    let told = notes.0.into_inner().unwrap();
    assert!(told[0].contains("bad.txt: 2 games were left out, the first because of line 2: "));
    fs::write(at("unfinished.txt"), "f5d6\n").unwrap();
    let recipe = from_files(&[&at("unfinished.txt")], 60);
    let error = built(&recipe, &at("none")).unwrap_err().to_string();
    assert!(error.contains("stops after 2 moves, without a result; --skip leaves"), "{error}");
    fs::write(at("empty.txt"), "# nothing\n").unwrap();
    let error = built(&from_files(&[&at("empty.txt")], 60), &at("none")).unwrap_err().to_string();
    assert!(error.ends_with("there are no games in it that can be used"), "{error}");
    assert!(built(&from_files(&[&at("missing")], 60), &at("none")).is_err());
    assert!(built(&from_files(&[folder.path()], 60), &at("none")).is_err());
    let rare = BookRecipe { least_visits: 99, ..self_play("random", 50) };
    let error = built(&rare, &at("none")).unwrap_err().to_string();
    assert!(error.contains("no move was made in 99 games or more"), "{error}");
}

/// Says stop when it is asked for the time of this number.
struct Patience(AtomicUsize);

impl Watch for Patience {
    fn stop(&self) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

#[test]
fn a_stopped_build_goes_on_with_its_games_and_ends_with_the_same_bytes() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let recipe = BookRecipe { solve: 6, depth: 56, ..self_play("lr2006@epsilon=0.1", 9000) };
    built(&recipe, &at("whole")).unwrap();
    // It asks after each of its six pieces.
    for patience in [1, 3, 4] {
        let watch = Patience(AtomicUsize::new(patience));
        let error = build_book(&arena(2), &recipe, &at("stopped"), &watch).unwrap_err();
        assert!(matches!(error, BookBuildError::Resumable) && !at("stopped").exists());
    }
    assert!(!built(&recipe, &at("stopped")).unwrap().was_there);
    assert_eq!(fs::read(at("stopped")).unwrap(), fs::read(at("whole")).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "the games are gone");
    // Games of another recipe are not taken for its own, and are not lost.
    let watch = Patience(AtomicUsize::new(1));
    build_book(&arena(1), &recipe, &at("other"), &watch).unwrap_err();
    let (games, part) = (self_play("random", 9000), Partial::path(&at("other")));
    let before = fs::read(part.join("blocks")).unwrap();
    let error = built(&games, &at("other")).unwrap_err().to_string();
    assert!(error.contains("other.part is already there: games of an unfinished book"), "{error}");
    assert_eq!(fs::read(part.join("blocks")).unwrap(), before);
}

#[test]
fn what_is_played_most_is_worth_what_the_games_say() {
    let folder = tempdir().unwrap();
    let book = built(&self_play("random", 2000), &folder.path().join("x")).unwrap().book;
    let found = book.find(Position::START.board).unwrap().unwrap();
    let first = found.moves().next().unwrap();
    assert_eq!((first.record.visits(), first.squares), (2000, Position::START.board.moves()));
    let sum = first.record.wins + first.record.draws + first.record.losses;
    assert_eq!(sum, 2000);
    assert!(Book::open(&folder.path().join("x")).is_ok());
}
