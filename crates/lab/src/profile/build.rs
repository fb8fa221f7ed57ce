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
mod tests;
