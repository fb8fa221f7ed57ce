//! Making a database: every opponent's double games against random WPCs. It takes long, so finished
//! work is saved beside the file every few seconds; the bytes at the end do not depend on
//! interruptions.

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use super::database::{GAMES, read, written};
use super::recipe::random_wpc;
use super::{Database, DatabaseError, Opponent, Recipe};
use outflank_arena::{After, Arena, Meeting, News, Openings, Stopped, Unwatched, Watch};
use outflank_game::player::{Colour, Player};
use outflank_store::{KeptBlocks, Partial, RunError};

/// Why there is no database at the end.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The file exists, and it is not a database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The files cannot be used.
    #[error(transparent)]
    Files(#[from] RunError),
    /// A database cannot become one with a larger cap.
    #[error(
        "that database keeps {there} opponents in each bin, so {here} are impossible; use a --cap up to {there}"
    )]
    Cap {
        /// The cap of the database at hand.
        there: u64,
        /// The cap that was asked for.
        here: u64,
    },
    /// It was stopped; repeating it continues where it stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A database, and where it comes from.
#[derive(Debug)]
pub enum Built {
    /// It was made.
    New(Database),
    /// It had been made before.
    AlreadyThere(Database),
}

/// Makes the database of a recipe, or continues it. Finished work is saved about every
/// `keep_every`.
pub fn build(
    arena: &Arena,
    recipe: &Recipe,
    out: &Path,
    keep_every: Duration,
    watch: &dyn Watch,
) -> Result<Built, BuildError> {
    assert!(recipe.is_sound(), "numbers of a recipe are checked where they come from");
    let (mut partial, mut all) = match start(out, recipe, watch)? {
        Start::Whole(database) => return Ok(Built::AlreadyThere(database)),
        Start::Begun(partial, all) => (partial, all),
    };
    let games = |opponents: u64| 2 * opponents * recipe.doubles;
    // Opponents in a block: the number grows until a block takes as long as it should.
    let mut size = 1;
    while (all.len() as u64) < recipe.opponents {
        let (began, start) = (Instant::now(), all.len() as u64);
        let range = start..recipe.opponents.min(start + size);
        let block = judge(arena, recipe, range, &After::new(watch, games(start)))?;
        let bytes = block.iter().fold(Vec::new(), |bytes, points| written(points, bytes));
        partial.add(&bytes)?;
        all.extend(block);
        if began.elapsed() < keep_every / 2 {
            size *= 2;
        } else if began.elapsed() > keep_every {
            size = (size / 2).max(1);
        }
    }
    let opponents = (0..).zip(all);
    let opponents = opponents.map(|(index, half_points)| Opponent { index, half_points });
    let database = Database::new(*recipe, opponents);
    partial.finish(&database.to_bytes())?;
    Ok(Built::New(database))
}

/// Makes a database with a smaller cap from another: the same bytes as with [`build`].
pub fn cut(from: &Database, cap: u64, out: &Path) -> Result<Built, BuildError> {
    if let Some(there) = from.recipe().cap.filter(|there| *there < cap) {
        return Err(BuildError::Cap { there, here: cap });
    }
    let recipe = Recipe { cap: Some(cap), ..*from.recipe() };
    let partial = match start(out, &recipe, &Unwatched)? {
        Start::Whole(database) => return Ok(Built::AlreadyThere(database)),
        Start::Begun(partial, _) => partial,
    };
    let database = Database::new(recipe, from.opponents().iter().copied());
    partial.finish(&database.to_bytes())?;
    Ok(Built::New(database))
}

/// Makes a database of the half points of all opponents of a recipe, found on several machines: the
/// same bytes as with [`build`].
pub fn put_together(recipe: &Recipe, points: &[u32], out: &Path) -> Result<Built, BuildError> {
    let partial = match start(out, recipe, &Unwatched)? {
        Start::Whole(database) => return Ok(Built::AlreadyThere(database)),
        Start::Begun(partial, _) => partial,
    };
    let is_possible = |points: &u32| u64::from(*points) <= recipe.most_half_points();
    if points.len() as u64 != recipe.opponents || !points.iter().all(is_possible) {
        return Err(damaged(out, "its blocks have impossible points").into());
    }
    let opponents = (0..).zip(points);
    let opponents = opponents.map(|(index, &half_points)| Opponent { index, half_points });
    let database = Database::new(*recipe, opponents);
    partial.finish(&database.to_bytes())?;
    Ok(Built::New(database))
}

/// The half points of some opponents of a recipe in its double games.
pub fn judge(
    arena: &Arena,
    recipe: &Recipe,
    opponents: Range<u64>,
    watch: &dyn Watch,
) -> Result<Vec<u32>, Stopped> {
    let others = random_wpc();
    let players: Vec<Player> = opponents.clone().map(|index| recipe.opponent(index)).collect();
    let meetings: Vec<Meeting<'_>> = players
        .iter()
        .zip(opponents)
        .map(|(player, index)| Meeting {
            a: player,
            b: &others,
            pairs: recipe.doubles,
            seed: recipe.judging_seed(index),
            openings: &Openings::Start,
            colour: Colour::Both,
        })
        .collect();
    let tallies = arena.play(&meetings, watch)?;
    Ok(tallies.iter().map(|tally| (2 * tally.wins + tally.draws) as u32).collect())
}

/// What exists at the start.
enum Start {
    /// The database.
    Whole(Database),
    /// The half points of the first opponents, or of none yet.
    Begun(Partial, Vec<u32>),
}

fn start(out: &Path, recipe: &Recipe, watch: &dyn Watch) -> Result<Start, BuildError> {
    if let Some(database) = made_before(out, recipe)? {
        return Ok(Start::Whole(database));
    }
    let (partial, kept) = Partial::open(out, &head(recipe))?;
    if out.exists() {
        // Another process has finished it since the first check.
        drop(partial);
        return start(out, recipe, watch);
    }
    let all = take_up(out, recipe, &kept, watch)?;
    Ok(Start::Begun(partial, all))
}

/// The database, if it exists. One with another recipe is refused.
fn made_before(out: &Path, recipe: &Recipe) -> Result<Option<Database>, BuildError> {
    if out.symlink_metadata().is_err() {
        return Ok(None);
    }
    let database = Database::read(out)?;
    if let Some(difference) = database.recipe().difference(recipe) {
        return Err(RunError::OtherSpec { path: out.into(), difference }.into());
    }
    Partial::sweep(out);
    Ok(Some(database))
}

/// What the games of a recipe depend on.
pub fn recipe_key(recipe: &Recipe) -> Vec<u8> {
    head(recipe)
}

/// What the blocks belong to. The cap is not part of it: it matters only at the end.
fn head(recipe: &Recipe) -> Vec<u8> {
    written(&(HEAD_VERSION, GAMES, Recipe { cap: None, ..*recipe }), Vec::new())
}

const HEAD_VERSION: u32 = 1;

/// The half points that were saved before. Blocks of another recipe are refused.
fn take_up(
    out: &Path,
    recipe: &Recipe,
    kept: &KeptBlocks,
    watch: &dyn Watch,
) -> Result<Vec<u32>, RunError> {
    let path = Partial::path(out);
    refuse_others(&path, recipe, &kept.head)?;
    if let Some(damage) = &kept.damage {
        let note = format!("{}: {damage}; the work before them is used", path.display());
        watch.tell(News::Note(&note));
    }
    let mut all = Vec::new();
    for block in &kept.blocks {
        let mut rest = &block[..];
        while !rest.is_empty() {
            let points = read::<u32>(rest)
                .filter(|(points, _)| u64::from(*points) <= recipe.most_half_points());
            let (points, after) = points.ok_or_else(|| damaged(&path, "impossible points"))?;
            all.push(points);
            rest = after;
        }
    }
    if all.len() as u64 > recipe.opponents {
        return Err(damaged(&path, "more opponents than its recipe has"));
    }
    if !all.is_empty() {
        watch.tell(News::Resumed(2 * all.len() as u64 * recipe.doubles));
    }
    Ok(all)
}

fn refuse_others(path: &Path, recipe: &Recipe, head: &[u8]) -> Result<(), RunError> {
    let wrong = || damaged(path, "its recipe is missing");
    let (version, after) = read::<u32>(head).ok_or_else(wrong)?;
    if version > HEAD_VERSION {
        let (version, newest) = (version.into(), HEAD_VERSION);
        return Err(RunError::Newer { path: path.into(), version, newest });
    }
    let ((games, there), _) = read::<(u64, Recipe)>(after).ok_or_else(wrong)?;
    let difference = if games == GAMES {
        there.difference(&Recipe { cap: None, ..*recipe })
    } else {
        Some("its program has other random WPCs or games".into())
    };
    match difference {
        Some(difference) => Err(RunError::OtherSpec { path: path.into(), difference }),
        None => Ok(()),
    }
}

fn damaged(path: &Path, problem: &str) -> RunError {
    RunError::Damaged { path: path.into(), problem: problem.into() }
}

#[cfg(test)]
mod tests {
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
        let direct =
            |cap| Database::from_bytes(&whole(&Recipe { cap: Some(cap), ..recipe })).unwrap();
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
        let tallies = measure(
            &arena(1),
            &players,
            std::slice::from_ref(&utility),
            effort,
            Seed(9),
            &Unwatched,
        )
        .unwrap();
        for (opponent, tally) in database.opponents().iter().zip(tallies) {
            let performance = f64::from(opponent.half_points) / (4.0 * 5000.0);
            // Of the difference of two means of 5000 results between 0 and 1.
            let error = (2.0 * 0.25 / 5000.0f64).sqrt();
            assert!((performance - tally[0].score()).abs() < 4.0 * error, "{opponent:?}");
        }
    }
}
