//! A book that grows, in memory: positions in the order of their keys, each with its moves in the
//! order of squares. Adding games and joining tables are sums, so their order does not matter.

use std::fmt;

use super::Key;
use crate::othello::{Board, Position, Side, Square};

/// Positions and their moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub(super) places: Vec<Place>,
    /// The moves of all places, one place after another.
    pub(super) moves: Vec<BookMove>,
    /// Games that were added.
    pub(super) games: u64,
}

/// A position of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub key: Key,
    /// The number of its first move; its last is before that of the next place.
    pub first: u32,
    /// Whether its value is exact: it was solved, or follows from solved positions.
    pub proved: bool,
}

/// A move of a position, on the board of the position's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The square.
    pub at: Square,
    /// The games in which it was played.
    pub record: Record,
    /// What it is worth to the side that makes it, backed up through the book.
    pub value: Value,
    /// Whether the value is exact.
    pub exact: bool,
}

/// How games ended for the side that made a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The sum of the margins, in discs.
    pub discs: i64,
}

/// A value in hundredths of a disc: whole numbers, so that it is the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub i16);

/// A move of a game, waiting to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    key: Key,
    at: Square,
    margin: i8,
}

/// Two tables disagree about what a solved position is worth, so one of them is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableConflict {
    /// The position.
    pub board: Board,
    /// Its two values.
    pub values: [Value; 2],
}

impl Record {
    /// The number of games.
    pub fn visits(&self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    /// The mean margin; zero without games.
    pub fn mean(&self) -> Value {
        // Rounded away from zero at a half, so that the other side's mean is its negative.
        let visits = self.visits().max(1) as i64;
        let rounded = (200 * self.discs.abs() + visits) / (2 * visits);
        Value((rounded * self.discs.signum()).clamp(-6400, 6400) as i16)
    }

    fn of(margin: i8) -> Record {
        let is = |sign: i8| u32::from(margin.signum() == sign);
        Record { wins: is(1), draws: is(0), losses: is(-1), discs: margin.into() }
    }

    pub(super) fn add(&mut self, other: &Record) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
        self.discs = self.discs.saturating_add(other.discs);
    }
}

impl Value {
    /// A whole number of discs.
    pub fn of_discs(discs: i32) -> Value {
        Value((100 * discs.clamp(-64, 64)) as i16)
    }

    /// In discs.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

/// In discs, with a sign: `+2.50`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", self.discs())
    }
}

/// The largest margin of a game.
const MOST_DISCS: i32 = 64;

impl Table {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Says whether it has no positions.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The number of games that were added.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The table of some games: where each starts, its moves, and Black's margin. Moves from
    /// positions with `depth` discs or more beyond the first four are left out. The moves must be
    /// legal; passes are made, not given.
    pub fn of_games<'a>(
        games: impl IntoIterator<Item = (Position, &'a [Square], i32)>,
        depth: u32,
    ) -> Table {
        let (mut seen, mut number) = (Vec::new(), 0);
        for (start, moves, margin) in games {
            note(start, moves, margin, depth, &mut seen);
            number += 1;
        }
        seen.sort_unstable();
        let mut table = Table { games: number, ..Table::default() };
        for Seen { key, at, margin } in seen {
            table.place(key, false);
            let record = Record::of(margin);
            match table.moves[table.places[table.places.len() - 1].first as usize..].last_mut() {
                Some(last) if last.at == at => last.record.add(&record),
                _ => table.moves.push(BookMove { at, record, value: Value(0), exact: false }),
            }
        }
        table
    }

    /// Starts a place at the end, unless it is the last one already.
    fn place(&mut self, key: Key, proved: bool) {
        if self.places.last().is_none_or(|last| last.key != key) {
            let first = u32::try_from(self.moves.len()).expect("a book has fewer moves than that");
            self.places.push(Place { key, first, proved });
        }
    }

    /// Adds a place after all others, with moves in any order.
    pub(super) fn push(&mut self, key: Key, proved: bool, moves: &[BookMove]) {
        self.place(key, proved);
        let first = self.moves.len();
        self.moves.extend_from_slice(moves);
        self.moves[first..].sort_unstable_by_key(|of| of.at);
    }

    /// The moves of a place.
    pub(super) fn moves_of(&self, index: usize) -> &[BookMove] {
        &self.moves[self.range(index)]
    }

    pub(super) fn range(&self, index: usize) -> std::ops::Range<usize> {
        let end = self.places.get(index + 1).map_or(self.moves.len(), |next| next.first as usize);
        self.places[index].first as usize..end
    }

    /// The number of a position, if it is in the table.
    #[inline]
    pub(super) fn index_of(&self, key: Key) -> Option<usize> {
        self.places.binary_search_by_key(&key, |place| place.key).ok()
    }

    /// The positions in the order of their keys: the key, whether its value is exact, its moves.
    pub fn positions(&self) -> impl Iterator<Item = (Key, bool, &[BookMove])> {
        let of = |(index, place): (usize, &Place)| (place.key, place.proved, index);
        self.places
            .iter()
            .enumerate()
            .map(of)
            .map(|(key, proved, i)| (key, proved, self.moves_of(i)))
    }

    /// The moves of a position, if the table has it.
    pub fn find(&self, key: Key) -> Option<&[BookMove]> {
        self.index_of(key).map(|index| self.moves_of(index))
    }

    /// All games of two tables. Values are to be computed again.
    pub fn join(&self, other: &Table) -> Result<Table, TableConflict> {
        let mut joined = Table {
            places: Vec::with_capacity(self.places.len().max(other.places.len())),
            moves: Vec::with_capacity(self.moves.len().max(other.moves.len())),
            games: self.games.saturating_add(other.games),
        };
        let (mut i, mut j) = (0, 0);
        while i < self.places.len() || j < other.places.len() {
            let left = self.places.get(i).map(|place| place.key);
            let right = other.places.get(j).map(|place| place.key);
            let from_left = right.is_none_or(|right| left.is_some_and(|left| left <= right));
            let from_right = left.is_none_or(|left| right.is_some_and(|right| right <= left));
            match (from_left, from_right) {
                (true, true) => {
                    joined.join_place(self, i, other, j)?;
                    (i, j) = (i + 1, j + 1);
                }
                (true, false) => {
                    joined.push(self.places[i].key, self.places[i].proved, self.moves_of(i));
                    i += 1;
                }
                _ => {
                    joined.push(other.places[j].key, other.places[j].proved, other.moves_of(j));
                    j += 1;
                }
            }
        }
        Ok(joined)
    }

    fn join_place(
        &mut self,
        a: &Table,
        i: usize,
        b: &Table,
        j: usize,
    ) -> Result<(), TableConflict> {
        let (one, two) = (a.places[i], b.places[j]);
        let (theirs, ours) = (a.moves_of(i), b.moves_of(j));
        if one.proved && two.proved && best_value(theirs) != best_value(ours) {
            let values = [best_value(theirs), best_value(ours)];
            return Err(TableConflict { board: one.key.board(), values });
        }
        let mut moves = theirs.to_vec();
        for more in ours {
            match moves.iter_mut().find(|same| same.at == more.at) {
                None => moves.push(*more),
                Some(same) => {
                    same.record.add(&more.record);
                    if more.exact && !same.exact {
                        (same.value, same.exact) = (more.value, true);
                    }
                }
            }
        }
        self.push(one.key, one.proved || two.proved, &moves);
        Ok(())
    }

    /// Drops moves that were played in fewer games, unless they are known to be best, and positions
    /// without moves. Values are to be computed again.
    pub fn keep_visited(&self, least: u64) -> Table {
        let mut kept = Table { games: self.games, ..Table::default() };
        for (key, proved, moves) in self.positions() {
            let best = best_value(moves);
            let stays = |of: &&BookMove| of.record.visits() >= least || proved && of.value == best;
            let visits: u64 = moves.iter().map(|of| of.record.visits()).sum();
            let moves: Vec<BookMove> = moves.iter().filter(stays).copied().collect();
            if visits >= least && !moves.is_empty() {
                kept.push(key, proved, &moves);
            }
        }
        kept
    }

    /// Notes that a position was solved: its exact score and all its best moves. A best move that
    /// was never played is added. Nothing happens if the table has no such position.
    pub fn prove(&mut self, solved: &[(Key, i32, Vec<Square>)]) {
        let mut proved = Table { games: 0, ..Table::default() };
        let mut solved: Vec<&(Key, i32, Vec<Square>)> = solved.iter().collect();
        solved.sort_unstable_by_key(|of| of.0);
        solved.dedup_by_key(|of| of.0);
        for (key, score, best) in solved {
            let (_, ways) = Key::of(key.board());
            let mut best: Vec<Square> = best.iter().map(|at| ways.forth(*at)).collect();
            best.sort_unstable();
            best.dedup();
            let value = Value::of_discs(*score);
            let exact = |at: Square| BookMove { at, record: Record::default(), value, exact: true };
            let moves: Vec<BookMove> = best.into_iter().map(exact).collect();
            if let Some(index) = self.index_of(*key) {
                // What was proved before is the same or follows from other positions.
                self.places[index].proved = false;
                let range = self.range(index);
                self.moves[range].iter_mut().for_each(|of| of.exact = false);
                proved.push(*key, true, &moves);
            }
        }
        *self = self.join(&proved).expect("only one of the two has proofs of these positions");
    }
}

/// The value of the best move.
pub(super) fn best_value(moves: &[BookMove]) -> Value {
    moves.iter().map(|of| of.value).max().unwrap_or_default()
}

/// Notes the moves of a game.
fn note(start: Position, moves: &[Square], margin: i32, depth: u32, seen: &mut Vec<Seen>) {
    let mut position = start;
    let margin = margin.clamp(-MOST_DISCS, MOST_DISCS) as i8;
    for &at in moves {
        if position.board.moves().is_empty() {
            position = position.pass();
        }
        let (key, ways) = Key::of(position.board);
        if key.discs() >= depth.saturating_add(4) {
            return;
        }
        let margin = if position.side == Side::Black { margin } else { -margin };
        seen.push(Seen { key, at: ways.forth(at), margin });
        position = position.play(at);
    }
}
