//! The payoff table: the results of some players (rows) against others (columns). Learning computes
//! fitness from it.

use outflank_game::othello::Outcome;
use outflank_game::player::Work;

/// Which rows meet which columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fixtures {
    /// Every row meets every column, in order.
    All,
    /// Row i meets the columns listed in the i-th list, in that order.
    Each(Vec<Vec<usize>>),
}

/// Results of one row against one column, from the row's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Cell {
    /// The same games from the column's side.
    pub fn reversed(self) -> Cell {
        Cell { wins: self.losses, losses: self.wins, ..self }
    }

    /// Twice the score: two for a win, one for a draw.
    pub fn half_points(self) -> u32 {
        2 * self.wins + self.draws
    }

    pub(crate) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }
}

/// The results of all fixtures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payoff {
    rows: usize,
    columns: usize,
    fixtures: Fixtures,
    /// Row by row, in the order of the row's fixtures.
    cells: Vec<Cell>,
    work: Work,
}

impl Payoff {
    /// Makes a table of given results, row by row in the order of the fixtures.
    pub fn new(rows: usize, columns: usize, fixtures: Fixtures, cells: Vec<Cell>) -> Payoff {
        assert_eq!(cells.len(), fixtures.count(rows, columns), "a cell for each fixture");
        Payoff { rows, columns, fixtures, cells, work: Work::default() }
    }

    /// The same games, and what work their players had with them.
    #[must_use]
    pub fn with_work(self, work: Work) -> Payoff {
        Payoff { work, ..self }
    }

    /// The work of players that looked ahead or solved endgames.
    pub fn work(&self) -> Work {
        self.work
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All results: row, column, cell.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, Cell)> {
        self.fixtures
            .list(self.rows, self.columns)
            .zip(&self.cells)
            .map(|((r, c, _), x)| (r, c, *x))
    }

    /// The whole table as rows of cells, if every row met every column.
    pub fn matrix(&self) -> Option<Vec<&[Cell]>> {
        (self.fixtures == Fixtures::All && self.columns > 0)
            .then(|| self.cells.chunks(self.columns).collect())
    }

    /// The same games from the other side: columns become rows. Only for tables in which every row
    /// met every column.
    pub fn transposed(&self) -> Payoff {
        let rows = self.matrix().unwrap_or_default();
        let column = |column: usize| rows.iter().map(move |row| row[column].reversed());
        let cells = (0..self.columns).flat_map(column).collect();
        Payoff::new(self.columns, rows.len(), Fixtures::All, cells)
    }

    /// Every game twice: as it is, and from the other side as a game of the row that the column
    /// stands for. For tables whose columns are its rows.
    pub fn doubled(&self) -> Payoff {
        let mut lists = vec![Vec::new(); self.rows];
        for (row, column, cell) in self.cells() {
            lists[row].push((column, cell));
            lists[column].push((row, cell.reversed()));
        }
        let cells = lists.iter().flatten().map(|(_, cell)| *cell).collect();
        let columns = lists.iter().map(|list| list.iter().map(|(column, _)| *column).collect());
        Payoff::new(self.rows, self.columns, Fixtures::Each(columns.collect()), cells)
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.cells.iter().map(|cell| u64::from(cell.wins + cell.draws + cell.losses)).sum()
    }
}

impl Fixtures {
    /// How many there are.
    pub fn count(&self, rows: usize, columns: usize) -> usize {
        match self {
            Fixtures::All => rows * columns,
            Fixtures::Each(lists) => lists.iter().map(Vec::len).sum(),
        }
    }

    /// Row, column and rank among the row's fixtures.
    pub(crate) fn list(
        &self,
        rows: usize,
        columns: usize,
    ) -> Box<dyn Iterator<Item = (usize, usize, usize)> + '_> {
        match self {
            Fixtures::All => {
                Box::new((0..rows).flat_map(move |row| (0..columns).map(move |c| (row, c, c))))
            }
            Fixtures::Each(lists) => Box::new(lists.iter().enumerate().flat_map(|(row, list)| {
                list.iter().enumerate().map(move |(rank, &column)| (row, column, rank))
            })),
        }
    }
}
