//! Making opening books.

use std::path::PathBuf;
use std::time::Instant;

use outflank_arena::Watch;
use outflank_game::player::parse_player;
use outflank_lab::{
    BookRecipe, BuiltBook, FromFiles, MOST_BOOK_DEPTH, MOST_SOLVED, SelfPlay, build_book,
    merge_books,
};
use serde::{Deserialize, Serialize};

use crate::book::{BookSummary, check_book_name};
use crate::{Command, Error, all_cores, arena};

/// Makes a book from games of a player with itself, and from files of games.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BookBuildRequest {
    /// The file to make.
    pub out: PathBuf,
    /// The player; none if there are only files.
    pub player: Option<String>,
    /// Games of the player with itself.
    pub games: u64,
    /// Files of games: WTHOR, GGF, transcripts, or saved games of a match.
    pub from: Vec<PathBuf>,
    /// Whether games of files that cannot be used are left out.
    pub skip: bool,
    /// Moves of a game that are added.
    pub depth: u32,
    /// The probability, at each position of the book, of a move that was not tried there.
    pub explore: f64,
    /// How many discs worse than the best a move may be for a game to follow it.
    pub margin: f64,
    /// Drop moves of fewer games.
    pub least_visits: u64,
    /// Solve positions with this many empty squares or fewer.
    pub solve: u32,
    /// Seed of the games.
    pub seed: u64,
    /// Threads; all cores if there is none.
    pub threads: Option<usize>,
}

impl Default for BookBuildRequest {
    fn default() -> BookBuildRequest {
        BookBuildRequest {
            out: PathBuf::new(),
            player: None,
            games: 10_000,
            from: Vec::new(),
            skip: false,
            depth: 24,
            explore: 0.25,
            margin: 2.0,
            least_visits: 1,
            solve: 10,
            seed: 1,
            threads: None,
        }
    }
}

/// What was made.
#[derive(Clone, Debug, Serialize)]
pub struct BookBuildAnswer {
    /// The file.
    pub file: String,
    /// `built`, or `already-there`.
    pub state: &'static str,
    /// What is in it.
    #[serde(flatten)]
    pub summary: BookSummary,
    /// Seconds it took.
    pub seconds: f64,
}

impl BookBuildAnswer {
    fn of(built: &BuiltBook, out: &std::path::Path, began: Instant) -> BookBuildAnswer {
        BookBuildAnswer {
            file: out.display().to_string(),
            state: if built.was_there { "already-there" } else { "built" },
            summary: BookSummary::of(&built.book),
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

impl Command for BookBuildRequest {
    type Answer = BookBuildAnswer;
    const NAME: &'static str = "book build";

    fn run(&self, watch: &dyn Watch) -> Result<BookBuildAnswer, Error> {
        let began = Instant::now();
        let recipe = self.recipe()?;
        let arena = arena(self.threads.unwrap_or_else(all_cores))?;
        let built = build_book(&arena, &recipe, &self.out, watch)?;
        Ok(BookBuildAnswer::of(&built, &self.out, began))
    }
}

impl BookBuildRequest {
    fn recipe(&self) -> Result<BookRecipe, Error> {
        let usage = |text: String| Err(Error::Usage(text));
        if self.player.is_none() && self.from.is_empty() {
            return usage("no games: name a player (--player) or files of games (--from)".into());
        }
        if self.out.as_os_str().is_empty() {
            return usage("out is empty, expected the file to make".into());
        }
        if !(1..=MOST_BOOK_DEPTH).contains(&self.depth) {
            return usage(format!("depth = {}, expected 1 to {MOST_BOOK_DEPTH}", self.depth));
        }
        if self.solve > MOST_SOLVED {
            return usage(format!("solve = {}, expected 0 to {MOST_SOLVED}", self.solve));
        }
        if !(0.0..=1.0).contains(&self.explore) {
            return usage(format!("explore = {}, expected a probability", self.explore));
        }
        if !(0.0..=128.0).contains(&self.margin) {
            return usage(format!("margin = {}, expected 0 to 128 discs", self.margin));
        }
        let player = self.player.as_deref().map(parse_player).transpose()?;
        if player.is_some() && self.games == 0 {
            return usage("games = 0, expected 1 or more".into());
        }
        let BookBuildRequest { games, seed, explore, margin, .. } = *self;
        Ok(BookRecipe {
            files: FromFiles { files: self.from.clone(), skip: self.skip },
            self_play: player.map(|player| SelfPlay { player, games, seed, explore, margin }),
            depth: self.depth,
            least_visits: self.least_visits,
            solve: self.solve,
        })
    }
}

/// Makes one book of several.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BookMergeRequest {
    /// The books: files, or `small`.
    pub from: Vec<PathBuf>,
    /// The file to make.
    pub out: PathBuf,
}

impl Command for BookMergeRequest {
    type Answer = BookBuildAnswer;
    const NAME: &'static str = "book merge";

    fn run(&self, _watch: &dyn Watch) -> Result<BookBuildAnswer, Error> {
        let began = Instant::now();
        if self.from.len() < 2 {
            return Err(Error::Usage("expected two books or more to merge".into()));
        }
        for name in self.from.iter().filter_map(|path| path.to_str()) {
            check_book_name(name)?;
        }
        let built = merge_books(&self.from, &self.out)?;
        Ok(BookBuildAnswer::of(&built, &self.out, began))
    }
}
