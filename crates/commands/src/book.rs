//! Asking an opening book: what it knows of a position, what is in it, all of it.

use std::path::Path;

use outflank_arena::Watch;
use outflank_game::book::{Book, BookLine, BookMove, Found, Key, SMALL, Table, open_book};
use outflank_game::othello::{
    Board, Game, Ply, Position, Side, Squares, check_playable, parse_game, parse_position,
    write_position,
};
use outflank_lab::BookSpeed;
use serde::{Deserialize, Serialize};

use crate::{Command, Error};

/// Shows what a book knows of a position.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BookShowRequest {
    /// The book: a file, or `small`, also if empty.
    pub book: String,
    /// A position, or a game that leads to it; the start if empty.
    pub position: String,
}

/// A position in a book.
#[derive(Clone, Debug, Serialize)]
pub struct BookShowAnswer {
    /// The book.
    pub book: String,
    /// The hash that stands for all of it.
    pub hash: String,
    /// The position: 64 squares and the side to move.
    pub position: String,
    /// Whether the book has it.
    pub in_book: bool,
    /// Of a game that was given: how many of its moves the book has, from the first on.
    pub moves_in_book: Option<usize>,
    /// What it is worth to the side to move, in discs.
    pub value: Option<f64>,
    /// Whether that is exact.
    pub proved: bool,
    /// Its moves, the best first.
    pub moves: Vec<BookMoveAnswer>,
}

/// A move of a position in a book.
#[derive(Clone, Debug, Serialize)]
pub struct BookMoveAnswer {
    /// The square, the first if several are symmetric to each other.
    #[serde(rename = "move")]
    pub at: String,
    /// All squares that are symmetric to it.
    pub squares: Vec<String>,
    /// What it is worth to the side that makes it, in discs.
    pub value: f64,
    /// Whether it is known to be the best.
    pub exact: bool,
    /// Games in which it was played.
    pub visits: u64,
    /// Won by the side that made it.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
    /// The mean margin of these games.
    pub mean_margin: f64,
    /// How it goes on with the best moves of the book.
    pub line: String,
}

fn opened(name: &str) -> Result<(String, std::sync::Arc<Book>), Error> {
    check_book_name(name)?;
    let name = if name.is_empty() { SMALL } else { name };
    Ok((name.into(), open_book(name)?))
}

/// Refuses the name of the book that comes with the program where a file has it, too.
pub(crate) fn check_book_name(name: &str) -> Result<(), Error> {
    if name == SMALL && Path::new(name).is_file() {
        return Err(Error::Usage(format!(
            "BOOK {name} is ambiguous: it is the book that comes with the program, and there is a \
             file of this name. Write ./{name} for the file; the other is meant where no book is \
             named, and in another folder"
        )));
    }
    Ok(())
}

impl Command for BookShowRequest {
    type Answer = BookShowAnswer;
    const NAME: &'static str = "book show";

    fn run(&self, _watch: &dyn Watch) -> Result<BookShowAnswer, Error> {
        let (name, book) = opened(&self.book)?;
        let (position, game) = read_position(&self.position)?;
        let found = book.find(position.board)?;
        let answer_of = |line: BookLine| answer_of(&book, position, &line);
        let moves = found.map_or(Ok(Vec::new()), |found| found.moves().map(answer_of).collect());
        Ok(BookShowAnswer {
            book: name,
            hash: book.hash(),
            position: write_position(position),
            in_book: found.is_some(),
            moves_in_book: game.map(|game| known(&book, &game)).transpose()?,
            value: found.map(|found| found.value().discs()),
            proved: found.is_some_and(Found::is_proved),
            moves: moves?,
        })
    }
}

/// A position has 64 squares; anything else is a game.
fn read_position(text: &str) -> Result<(Position, Option<Game>), Error> {
    let text = text.trim();
    let is_position = text.chars().take(2).all(|letter| !letter.is_ascii_digit());
    if is_position && !text.is_empty() {
        let wrong = |error| Error::Usage(format!("POSITION {text:?}: {error}"));
        let position = parse_position(text).map_err(wrong)?;
        check_playable(position).map_err(wrong)?;
        return Ok((position, None));
    }
    let wrong = |error| Error::Usage(format!("GAME {text:?}: {error}"));
    let game = parse_game(text).map_err(wrong)?;
    Ok((game.position(), Some(game).filter(|_| !text.is_empty())))
}

/// How many moves of a game a book has, from the first on.
fn known(book: &Book, game: &Game) -> Result<usize, Error> {
    let (mut position, mut number) = (game.start(), 0);
    for ply in game.plies() {
        let Ply::Place(at) = ply else {
            position = position.pass();
            continue;
        };
        let found = book.find(position.board)?;
        if !found.is_some_and(|found| found.moves().any(|of| of.squares.has(*at))) {
            break;
        }
        number += 1;
        position = position.play(*at);
    }
    Ok(number)
}

fn answer_of(book: &Book, position: Position, line: &BookLine) -> Result<BookMoveAnswer, Error> {
    let BookLine { squares, record, value, exact } = *line;
    let mut goes_on = String::new();
    let mut next: Option<Squares> = Some(squares);
    let mut here = position;
    while let Some(at) = next.and_then(Squares::first) {
        goes_on += &at.to_string();
        here = here.play(at);
        if here.board.moves().is_empty() {
            here = here.pass();
        }
        next = book.find(here.board)?.and_then(|found| found.moves().next()).map(|of| of.squares);
    }
    let squares: Vec<String> = squares.map(|at| at.to_string()).collect();
    Ok(BookMoveAnswer {
        at: squares.first().cloned().unwrap_or_default(),
        squares,
        value: value.discs(),
        exact,
        visits: record.visits(),
        wins: record.wins,
        draws: record.draws,
        losses: record.losses,
        mean_margin: mean(&record),
        line: goes_on,
    })
}

fn mean(record: &outflank_game::book::Record) -> f64 {
    record.discs as f64 / record.visits().max(1) as f64
}

/// Reads and checks a whole book, and counts what is in it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BookStatsRequest {
    /// The book: a file, or `small`, also if empty.
    pub book: String,
}

/// What is in a book.
#[derive(Clone, Debug, Serialize)]
pub struct BookStatsAnswer {
    /// The book.
    pub book: String,
    /// What its head says.
    #[serde(flatten)]
    pub summary: BookSummary,
    /// What the start of the game is worth to Black, in discs, if the book has it.
    pub start_value: Option<f64>,
    /// Positions by the number of moves before them.
    pub by_ply: Vec<BookPly>,
    /// Seconds to open the file, which reads its head only; null for the book that comes with the
    /// program.
    pub open_seconds: Option<f64>,
    /// Seconds to read and check all of it, as a player does once.
    pub load_seconds: Option<f64>,
    /// Nanoseconds to look up a position.
    pub look_up_nanoseconds: Option<f64>,
}

/// A book in a few numbers.
#[derive(Clone, Debug, Serialize)]
pub struct BookSummary {
    /// The hash that stands for all of it.
    pub hash: String,
    /// The length of the file.
    pub bytes: u64,
    /// Games.
    pub games: u64,
    /// Positions, symmetric ones counted once.
    pub positions: u64,
    /// Moves of all positions.
    pub moves: u64,
    /// Positions whose value is exact.
    pub proved: u64,
    /// Where the games come from.
    pub sources: Vec<String>,
}

/// The positions with a number of discs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BookPly {
    /// Moves before them.
    pub ply: u32,
    /// Positions.
    pub positions: u64,
    /// Of these, how many have an exact value.
    pub proved: u64,
    /// Moves of these positions.
    pub moves: u64,
    /// Games that came through them.
    pub visits: u64,
}

impl BookSummary {
    pub(crate) fn of(book: &Book) -> BookSummary {
        let head = book.head();
        BookSummary {
            hash: book.hash(),
            bytes: book.bytes(),
            games: head.games,
            positions: head.positions,
            moves: head.moves,
            proved: head.proved,
            sources: head.sources.clone(),
        }
    }
}

impl Command for BookStatsRequest {
    type Answer = BookStatsAnswer;
    const NAME: &'static str = "book stats";

    fn run(&self, _watch: &dyn Watch) -> Result<BookStatsAnswer, Error> {
        let (name, book) = opened(&self.book)?;
        let table = book.table()?;
        let mut by_ply: Vec<BookPly> =
            (0..=60).map(|ply| BookPly { ply, ..BookPly::default() }).collect();
        for (key, proved, moves) in table.positions() {
            let Some(of) = by_ply.get_mut(key.discs().saturating_sub(4) as usize) else { continue };
            of.positions += 1;
            of.proved += u64::from(proved);
            of.moves += moves.len() as u64;
            of.visits += moves.iter().map(|of| of.record.visits()).sum::<u64>();
        }
        by_ply.retain(|of| of.positions > 0);
        let start = book.find(Board::START)?;
        let start_value = start.map(|found| found.value().discs());
        let is_file = name != SMALL;
        let speed = is_file.then(|| BookSpeed::of(Path::new(&name), &table)).transpose()?;
        Ok(BookStatsAnswer {
            book: name,
            summary: BookSummary::of(&book),
            start_value,
            by_ply,
            open_seconds: speed.map(|speed| speed.open),
            load_seconds: speed.map(|speed| speed.load),
            look_up_nanoseconds: speed.map(|speed| speed.look_up),
        })
    }
}

/// Lists all of a book, or what was played more often.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BookExportRequest {
    /// The book: a file, or `small`, also if empty.
    pub book: String,
    /// Leave out positions after more moves; all if there is none.
    pub plies: Option<u32>,
    /// Leave out moves of fewer games.
    pub least_visits: u64,
}

/// All positions of a book, by the number of moves before them.
#[derive(Clone, Debug, Serialize)]
pub struct BookExportAnswer {
    /// The book.
    pub book: String,
    /// What its head says.
    #[serde(flatten)]
    pub summary: BookSummary,
    /// The positions.
    pub results: Vec<BookPosition>,
}

/// A position of a book.
#[derive(Clone, Debug, Serialize)]
pub struct BookPosition {
    /// 64 squares and the side to move, here always Black; one of the eight symmetric positions.
    pub position: String,
    /// Moves before it.
    pub ply: u32,
    /// What it is worth to the side to move, in discs.
    pub value: f64,
    /// Whether that is exact.
    pub proved: bool,
    /// Its moves, the best first.
    pub moves: Vec<BookExportMove>,
}

/// A move of a position.
#[derive(Clone, Debug, Serialize)]
pub struct BookExportMove {
    /// The square; of symmetric ones the first.
    #[serde(rename = "move")]
    pub at: String,
    /// What it is worth to the side that makes it, in discs.
    pub value: f64,
    /// Games in which it was played.
    pub visits: u64,
    /// Won by the side that made it.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
    /// The mean margin of these games.
    pub mean_margin: f64,
}

impl Command for BookExportRequest {
    type Answer = BookExportAnswer;
    const NAME: &'static str = "book export";

    fn run(&self, _watch: &dyn Watch) -> Result<BookExportAnswer, Error> {
        let (name, book) = opened(&self.book)?;
        let table = book.table()?;
        let mut results = self.positions(&table);
        results.sort_by_key(|of| of.ply);
        Ok(BookExportAnswer { book: name, summary: BookSummary::of(&book), results })
    }
}

impl BookExportRequest {
    fn positions(&self, table: &Table) -> Vec<BookPosition> {
        let most = self.plies.unwrap_or(u32::MAX);
        let of = |(key, proved, moves): (Key, bool, &[BookMove])| {
            let ply = key.discs().saturating_sub(4);
            let stays = |of: &&BookMove| of.record.visits() >= self.least_visits;
            let mut moves: Vec<&BookMove> = moves.iter().filter(stays).collect();
            moves.sort_by_key(|of| (std::cmp::Reverse((of.value, of.record.visits())), of.at));
            let value = moves.first().filter(|_| ply <= most)?.value.discs();
            let moves = moves.into_iter().map(|of| BookExportMove {
                at: of.at.to_string(),
                value: of.value.discs(),
                visits: of.record.visits(),
                wins: of.record.wins,
                draws: of.record.draws,
                losses: of.record.losses,
                mean_margin: mean(&of.record),
            });
            let position = write_position(Position { board: key.board(), side: Side::Black });
            Some(BookPosition { position, ply, value, proved, moves: moves.collect() })
        };
        table.positions().filter_map(of).collect()
    }
}
