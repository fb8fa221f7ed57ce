//! Databases of opponents: how they are drawn, rated and read.

use super::*;
use crate::{Effort, Probe, measure};
use outflank_game::player::Brain;
use outflank_kernel::Kernel;
use outflank_kernel::rng::Seed;
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::{TempDir, tempdir};

const SMALL: Recipe = Recipe { seed: 1, opponents: 16, doubles: 8, cap: None };

fn arena(threads: usize) -> Arena {
    Arena::new(Kernel::available()[0], threads).unwrap()
}

/// Stops at the `stop_at`-th check, and records the news.
struct Looks {
    looks: AtomicUsize,
    stop_at: usize,
    told: Mutex<Vec<String>>,
}

impl Watch for Looks {
    fn tell(&self, news: News<'_>) {
        let text = match news {
            News::Resumed(games) => format!("resumed at {games}"),
            News::Note(text) => text.into(),
            _ => return,
        };
        self.told.lock().unwrap().push(text);
    }

    fn stop(&self) -> bool {
        self.looks.fetch_add(1, Ordering::Relaxed) + 1 >= self.stop_at
    }
}

/// Builds with a block for every opponent, and stops at the `stop_at`-th check.
fn build_until(
    recipe: &Recipe,
    out: &Path,
    stop_at: usize,
) -> (Result<Built, BuildError>, Vec<String>) {
    let watch = Looks { looks: AtomicUsize::new(0), stop_at, told: Mutex::default() };
    let built = build(&arena(1), recipe, out, Duration::ZERO, &watch);
    let told = watch.told.into_inner().unwrap();
    (built, told)
}

fn whole(recipe: &Recipe) -> Vec<u8> {
    let folder = tempdir().unwrap();
    let out = folder.path().join("x.db");
    build_until(recipe, &out, usize::MAX).0.unwrap();
    fs::read(out).unwrap()
}

fn message(error: Result<Built, BuildError>) -> String {
    error.unwrap_err().to_string()
}

fn left_in(folder: &TempDir) -> usize {
    fs::read_dir(folder.path()).unwrap().count()
}

#[test]
fn the_stamp_of_the_games_is_that_of_these() {
    for kernel in Kernel::available() {
        let arena = Arena::new(kernel, 1).unwrap();
        let points = judge(&arena, &SMALL, 0..SMALL.opponents, &Unwatched).unwrap();
        let mut hasher = blake3::Hasher::new();
        for (index, points) in (0..).zip(points) {
            let Brain::Wpc(wpc) = SMALL.opponent(index).brain else { unreachable!() };
            for weight in wpc.grid() {
                hasher.update(&weight.to_le_bytes());
            }
            hasher.update(&points.to_le_bytes());
        }
        let bytes = hasher.finalize();
        let stamp = bytes.as_bytes()[..8].try_into().map(u64::from_le_bytes).unwrap();
        assert_eq!(stamp, GAMES, "{stamp:#018x}");
    }
}

#[test]
fn a_database_is_the_same_on_any_threads_and_kernel() {
    let recipe = Recipe { opponents: 50, doubles: 40, ..SMALL };
    let expected = whole(&recipe);
    let folder = tempdir().unwrap();
    for kernel in Kernel::available() {
        for threads in [1, 2, 3] {
            let out = folder.path().join(format!("{}-{threads}", kernel.name()));
            let arena = Arena::new(kernel, threads).unwrap();
            let every = Duration::from_secs(5);
            build(&arena, &recipe, &out, every, &Unwatched).unwrap();
            assert_eq!(fs::read(out).unwrap(), expected);
        }
    }
}

#[test]
fn stopped_again_and_again_a_build_ends_with_the_same_bytes() {
    let expected = whole(&SMALL);
    for every in [2, 3, 7] {
        let folder = tempdir().unwrap();
        let out = folder.path().join("x.db");
        let mut stops = 0;
        while let (Err(error), _) = build_until(&SMALL, &out, every) {
            assert!(matches!(error, BuildError::Stopped(_)));
            assert!(!out.exists());
            stops += 1;
        }
        assert_eq!(stops, (SMALL.opponents as usize - 1) / (every - 1), "every {every}");
        assert_eq!(fs::read(&out).unwrap(), expected);
        assert!(matches!(build_until(&SMALL, &out, 1).0, Ok(Built::AlreadyThere(_))));
        assert_eq!(left_in(&folder), 1);
    }
}

#[test]
fn parts_of_several_machines_are_put_together_to_the_same_bytes() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("x.db");
    let part = |range| judge(&arena(1), &SMALL, range, &Unwatched).unwrap();
    let points: Vec<u32> = [0..5, 5..6, 6..16].into_iter().flat_map(part).collect();
    put_together(&SMALL, &points, &out).unwrap();
    assert_eq!(fs::read(&out).unwrap(), whole(&SMALL));
    let again = put_together(&SMALL, &points, &out);
    assert!(matches!(again, Ok(Built::AlreadyThere(_))));
    let other = folder.path().join("y.db");
    let error = message(put_together(&SMALL, &points[1..], &other));
    assert!(error.contains("impossible points") && !other.exists(), "{error}");
}

#[test]
fn damaged_blocks_are_told_of_and_played_again() {
    let expected = whole(&SMALL);
    let folder = tempdir().unwrap();
    let out = folder.path().join("x.db");
    let blocks = Partial::path(&out).join("blocks");
    for damage in 0..4 {
        build_until(&SMALL, &out, 10).0.unwrap_err();
        let mut bytes = fs::read(&blocks).unwrap();
        let last = bytes.len() - 1;
        match damage {
            0 => bytes.truncate(last),
            1 => bytes[last] ^= 1,
            2 => bytes.push(0),
            _ => bytes[0] ^= 1,
        }
        fs::write(&blocks, bytes).unwrap();
        let (built, told) = build_until(&SMALL, &out, usize::MAX);
        built.unwrap();
        assert!(told[0].contains("damaged or were not written whole"), "{told:?}");
        let resumed =
            [Some("resumed at 128"), Some("resumed at 128"), Some("resumed at 144"), None];
        assert_eq!(told.get(1).map(String::as_str), resumed[damage]);
        assert_eq!(fs::read(&out).unwrap(), expected);
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn other_recipes_are_refused_and_left_alone() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("x.db");
    build_until(&SMALL, &out, 5).0.unwrap_err();
    let kept = fs::read(Partial::path(&out).join("blocks")).unwrap();
    let others = [
        (Recipe { seed: 2, ..SMALL }, "x.db.part has other settings: seed = 1 there, 2 here"),
        (Recipe { opponents: 17, ..SMALL }, "opponents = 16 there, 17 here"),
        (Recipe { doubles: 9, ..SMALL }, "doubles = 8 there, 9 here"),
    ];
    for (recipe, difference) in &others {
        let message = message(build_until(recipe, &out, usize::MAX).0);
        assert!(message.contains(difference), "{message}");
    }
    assert_eq!(fs::read(Partial::path(&out).join("blocks")).unwrap(), kept);
    // Another cap needs the same games.
    let capped = Recipe { cap: Some(1), ..SMALL };
    assert_eq!(build_until(&capped, &out, usize::MAX).1, ["resumed at 64"]);
    assert_eq!(fs::read(&out).unwrap(), whole(&capped));
    let message = message(build_until(&SMALL, &out, usize::MAX).0);
    assert!(message.contains("x.db has other settings: cap = 1 there, none here"), "{message}");
}

#[test]
fn files_that_are_no_databases_are_not_overwritten() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("notes.txt");
    fs::write(&out, "notes").unwrap();
    let text = message(build_until(&SMALL, &out, usize::MAX).0);
    let expected = "notes.txt is not a database of opponents: it does not begin like one";
    assert!(text.contains(expected), "{text}");
    assert_eq!((fs::read(&out).unwrap(), left_in(&folder)), (b"notes".to_vec(), 1));
    let text = message(build_until(&SMALL, folder.path(), usize::MAX).0);
    assert!(text.starts_with("cannot read database"), "{text}");
    let missing = folder.path().join("none/x.db");
    let text = message(build_until(&SMALL, &missing, usize::MAX).0);
    assert!(text.contains("there is no folder"), "{text}");
}

#[test]
fn two_processes_do_not_build_the_same_file() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("x.db");
    let held = Partial::open(&out, &head(&SMALL)).unwrap();
    let text = message(build_until(&SMALL, &out, usize::MAX).0);
    assert!(text.contains("x.db.part is in use by process"), "{text}");
    drop(held);
    build_until(&SMALL, &out, usize::MAX).0.unwrap();
}

#[test]
fn a_cut_is_what_a_build_of_its_cap_is() {
    let recipe = Recipe { opponents: 60, doubles: 4, ..SMALL };
    let folder = tempdir().unwrap();
    let full = Database::from_bytes(&whole(&recipe)).unwrap();
    let direct = |cap| Database::from_bytes(&whole(&Recipe { cap: Some(cap), ..recipe })).unwrap();
    for (cap, from) in [(1, &full), (3, &full), (2, &direct(3)), (1_000, &full)] {
        let out = folder.path().join(cap.to_string());
        assert!(matches!(cut(from, cap, &out).unwrap(), Built::New(_)));
        assert_eq!(Database::read(&out).unwrap(), direct(cap));
        assert!(matches!(cut(from, cap, &out).unwrap(), Built::AlreadyThere(_)));
    }
    let text = message(cut(&direct(3), 4, &folder.path().join("more")));
    assert!(text.contains("keeps 3 opponents in each bin, so 4 are impossible"), "{text}");
}

#[test]
fn a_performance_is_an_expected_utility() {
    let recipe = Recipe { opponents: 4, doubles: 5000, ..SMALL };
    let database = Database::from_bytes(&whole(&recipe)).unwrap();
    let players: Vec<Player> = (0..4).map(|index| recipe.opponent(index)).collect();
    let effort = Effort { games: 2, sample: 5000 };
    let utility = Probe::parse("utility").unwrap();
    let tallies =
        measure(&arena(1), &players, std::slice::from_ref(&utility), effort, Seed(9), &Unwatched)
            .unwrap();
    for (opponent, tally) in database.opponents().iter().zip(tallies) {
        let performance = f64::from(opponent.half_points) / (4.0 * 5000.0);
        // Of the difference of two means of 5000 results between 0 and 1.
        let error = (2.0 * 0.25 / 5000.0f64).sqrt();
        assert!((performance - tally[0].score()).abs() < 4.0 * error, "{opponent:?}");
    }
}
