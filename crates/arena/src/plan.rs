//! How the players of a payoff table meet, and the games of a table, played on all threads.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::effort::{cost_of_one, pieces};
use super::{Arena, Cell, Fixtures, GameScratch, Payoff, Stopped, Watch, play_game};
use outflank_game::othello::{Board, Outcome, Position, Side, Squares};
use outflank_game::player::{Colour, Player, Work};
use outflank_kernel::rng::{Key, Seed, Stream};
use outflank_kernel::{Finished, LaneGame, Record};

/// How players of a table meet.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Which rows meet which columns.
    pub fixtures: &'a Fixtures,
    /// Games of a fixture. With one game, colours alternate over row + rank; with two, the row is
    /// Black in the first.
    pub games: usize,
    /// The colours of the rows, if they do not alternate.
    pub colour: Colour,
    /// The root of the games' streams.
    pub seed: Seed,
}

/// A game that was kept, with all its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptGame {
    /// Whether the row moved first.
    pub row_first: bool,
    /// Its moves, square indices or [`outflank_kernel::NO_MOVE`].
    pub moves: Vec<u8>,
}

/// Some games.
struct Piece {
    /// Their final positions.
    ends: Vec<Finished>,
    /// Their moves, if they are kept.
    kept: Vec<Vec<u8>>,
    /// The work of their players.
    work: Work,
}

/// One game of a fixture.
#[derive(Clone, Copy, Debug)]
pub struct Bout {
    fixture: usize,
    /// The row that plays.
    pub row: usize,
    /// The column it meets.
    pub column: usize,
    /// Whether the row moves first.
    pub row_first: bool,
    /// The game's stream.
    pub key: Key,
}

/// The maximum number of games between two checks whether to stop; fewer for large networks.
const PIECE: usize = 4096;

impl Arena {
    /// Plays all fixtures on all threads; the watch is asked now and then whether to stop. The
    /// players must not be of the kind that is drawn again for each pair of games.
    pub fn meet<P: AsRef<Player> + Sync>(
        &self,
        rows: &[P],
        columns: &[P],
        plan: Plan<'_>,
        watch: &dyn Watch,
    ) -> Result<Payoff, Stopped> {
        self.meet_and_keep(rows, columns, plan, false, watch).map(|(payoff, _)| payoff)
    }

    /// The same, and returns the games if they are to be kept: first those in which rows moved
    /// first, then the others.
    pub fn meet_and_keep<P: AsRef<Player> + Sync>(
        &self,
        rows: &[P],
        columns: &[P],
        plan: Plan<'_>,
        keep: bool,
        watch: &dyn Watch,
    ) -> Result<(Payoff, Vec<KeptGame>), Stopped> {
        let bouts = plan.bouts(rows.len(), columns.len());
        // At least two pieces for each thread, so that a slow one does not delay all.
        let share = bouts.len().div_ceil(2 * self.threads()).clamp(1, PIECE);
        let batch = self.kernel().batch_games();
        let size = if self.threads() == 1 { PIECE } else { share.next_multiple_of(batch) };
        let costs = |players: &[P]| -> Vec<u64> {
            players.iter().map(|player| cost_of_one(player.as_ref())).collect()
        };
        let (of_rows, of_columns) = (costs(rows), costs(columns));
        let pieces =
            pieces(&bouts, size, |bout| of_rows[bout.row].saturating_add(of_columns[bout.column]));
        let play =
            |piece: &[Bout]| watch.check().map(|()| self.play_piece(rows, columns, piece, keep));
        let pieces: Vec<Piece> = if self.threads() == 1 {
            pieces.into_iter().map(play).collect::<Result<_, _>>()?
        } else {
            self.install(|| {
                pieces.into_par_iter().with_max_len(1).map(play).collect::<Result<_, _>>()
            })?
        };
        let mut kept = Vec::with_capacity(if keep { bouts.len() } else { 0 });
        let work = pieces.iter().map(|piece| piece.work).sum();
        let (ends, moves): (Vec<_>, Vec<_>) =
            pieces.into_iter().map(|piece| (piece.ends, piece.kept)).unzip();
        let mut moves = moves.into_iter().flatten();
        let margins = bouts.iter().zip(ends.iter().flatten()).map(|(bout, end)| {
            let first = Board { own: Squares(end.first), opp: Squares(end.second) }.margin();
            kept.extend(moves.next().map(|moves| KeptGame { row_first: bout.row_first, moves }));
            (bout, if bout.row_first { first } else { -first })
        });
        let payoff = plan.payoff(rows.len(), columns.len(), margins);
        Ok((payoff.with_work(work), kept))
    }

    /// Plays games in the batch kernel, and one at a time those that it cannot play.
    fn play_piece<P: AsRef<Player>>(
        &self,
        rows: &[P],
        columns: &[P],
        bouts: &[Bout],
        keep: bool,
    ) -> Piece {
        let Board { own, opp } = Board::START;
        let players = |bout: &Bout| {
            let (row, column) = (rows[bout.row].as_ref(), columns[bout.column].as_ref());
            if bout.row_first { [row, column] } else { [column, row] }
        };
        let mut finished = vec![Finished::default(); bouts.len()];
        let (mut games, mut order) =
            (Vec::with_capacity(bouts.len()), Vec::with_capacity(bouts.len()));
        let (mut table, before) = (GameScratch::default(), Work::so_far());
        let mut kept = vec![Vec::new(); if keep { bouts.len() } else { 0 }];
        for (index, bout) in bouts.iter().enumerate() {
            let [first, second] = players(bout);
            match (first.lane(), second.lane()) {
                (Some(first), Some(second)) => {
                    let (own, opp) = (own.0, opp.0);
                    games.push(LaneGame { own, opp, key: bout.key, first, second });
                    order.push(index);
                }
                _ => {
                    let start = Position::START;
                    let kernel = self.kernel();
                    finished[index] =
                        play_game(kernel, [first, second], start, bout.key, &mut table);
                    if keep {
                        kept[index] = table.moves.clone();
                    }
                }
            }
        }
        let mut ends = vec![Finished::default(); games.len()];
        let mut note = |game: usize, moves: &[u8], _| kept[order[game]] = moves.to_vec();
        let record = if keep { Record::Moves(&mut note) } else { Record::Nothing };
        self.kernel().play(&games, &mut ends, record);
        for (index, end) in order.into_iter().zip(ends) {
            finished[index] = end;
        }
        Piece { ends: finished, kept, work: Work::so_far() - before }
    }
}

impl Plan<'_> {
    /// All games of a table, first those in which the row moves first. Neighbours then have similar
    /// players, and a step in which all move at random is cheap.
    pub fn bouts(&self, rows: usize, columns: usize) -> Vec<Bout> {
        let Plan { fixtures, games, colour, seed } = *self;
        let mut bouts = Vec::with_capacity(games * fixtures.count(rows, columns));
        for first in [true, false] {
            for (fixture, (row, column, rank)) in fixtures.list(rows, columns).enumerate() {
                for game in 0..games {
                    let turn = if games == 1 { row + rank } else { game };
                    let row_first = colour.side(turn.is_multiple_of(2)) == Side::Black;
                    if row_first == first {
                        let key = seed.at(Stream::Game, (fixture * games + game) as u64);
                        bouts.push(Bout { fixture, row, column, row_first, key });
                    }
                }
            }
        }
        bouts
    }

    /// The table of bouts with the row's margin in each.
    pub fn payoff<'a>(
        &self,
        rows: usize,
        columns: usize,
        margins: impl Iterator<Item = (&'a Bout, i32)>,
    ) -> Payoff {
        let mut cells = vec![Cell::default(); self.fixtures.count(rows, columns)];
        for (bout, margin) in margins {
            cells[bout.fixture].add(Outcome::of(margin));
        }
        Payoff::new(rows, columns, self.fixtures.clone(), cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Meeting, Openings, Unwatched};
    use outflank_game::model::{Evaluate, View};
    use outflank_game::player::{Brain, Policy, parse_player};
    use outflank_kernel::Kernel;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn players(names: &[&str]) -> Vec<Arc<Player>> {
        names.iter().map(|name| Arc::new(parse_player(name).unwrap())).collect()
    }

    #[test]
    fn a_table_is_the_same_on_any_threads_and_kernel() {
        let rows = players(&["heuristic@epsilon=0.1", "random", "lr2006", "mobility"]);
        let columns = players(&["random", "ctdl2009-best@epsilon=0.5", "positional"]);
        let fixtures = Fixtures::Each(vec![vec![0, 1, 2, 1], vec![2], vec![], vec![0, 0]]);
        let mut tables = Vec::new();
        for kernel in Kernel::available() {
            for threads in [1, 2, 3] {
                let arena = Arena::new(kernel, threads).unwrap();
                for fixtures in [&Fixtures::All, &fixtures] {
                    let plan = Plan { fixtures, games: 300, colour: Colour::Both, seed: Seed(3) };
                    tables.push(arena.meet(&rows, &columns, plan, &Unwatched).unwrap());
                }
            }
        }
        for pair in tables.chunks(2) {
            assert_eq!(pair, &tables[..2]);
        }
        assert_eq!((tables[0].games(), tables[1].games()), (3600, 2100));
        assert_eq!(
            tables[1].cells().map(|(r, c, _)| (r, c)).collect::<Vec<_>>(),
            [(0, 0), (0, 1), (0, 2), (0, 1), (1, 2), (3, 0), (3, 0)]
        );
        assert!(tables[0].matrix().is_some() && tables[1].matrix().is_none());
    }

    #[test]
    fn nobody_to_meet_is_an_empty_table_on_any_threads() {
        let rows = players(&["random", "heuristic"]);
        for threads in [1, 2] {
            let arena = Arena::new(Kernel::available()[0], threads).unwrap();
            let fixtures = &Fixtures::Each(vec![vec![], vec![]]);
            let plan = Plan { fixtures, games: 1, colour: Colour::Both, seed: Seed(1) };
            assert_eq!(arena.meet(&rows, &[], plan, &Unwatched).unwrap().games(), 0);
        }
    }

    #[test]
    fn single_games_alternate_colours_and_pairs_swap_them() {
        let list = |games| {
            let plan =
                Plan { fixtures: &Fixtures::All, games, colour: Colour::Both, seed: Seed(1) };
            let mut bouts = plan.bouts(2, 3);
            bouts.sort_by_key(|bout| (bout.fixture, !bout.row_first));
            bouts.iter().map(|bout| (bout.row, bout.column, bout.row_first)).collect::<Vec<_>>()
        };
        let (black, white) = (true, false);
        assert_eq!(
            list(1),
            [
                (0, 0, black),
                (0, 1, white),
                (0, 2, black),
                (1, 0, white),
                (1, 1, black),
                (1, 2, white)
            ]
        );
        assert_eq!(list(2)[..4], [(0, 0, black), (0, 0, white), (0, 1, black), (0, 1, white)]);
        for (colour, is_black) in [(Colour::Black, true), (Colour::White, false)] {
            for games in [1, 2] {
                let plan = Plan { fixtures: &Fixtures::All, games, colour, seed: Seed(1) };
                let bouts = plan.bouts(2, 3);
                assert_eq!(bouts.len(), 6 * games);
                assert!(bouts.iter().all(|bout| bout.row_first == is_black), "{colour:?}");
            }
        }
    }

    #[test]
    fn a_table_of_two_players_scores_like_their_match() {
        let (rows, columns) = (players(&["heuristic"]), players(&["random"]));
        let arena = Arena::new(Kernel::available()[0], 1).unwrap();
        let plan =
            Plan { fixtures: &Fixtures::All, games: 20_000, colour: Colour::Both, seed: Seed(5) };
        let table = arena.meet(&rows, &columns, plan, &Unwatched).unwrap();
        let cell = table.cells().next().unwrap().2;
        let (a, b) = (&rows[0], &columns[0]);
        // Game g of a fixture has the key of game g of a match, and the same colours.
        let meeting = Meeting {
            a,
            b,
            pairs: 10_000,
            seed: Seed(5),
            openings: &Openings::Start,
            colour: Colour::Both,
        };
        let tallies = arena.play(&[meeting], &Unwatched).unwrap();
        let tally = &tallies[0];
        assert_eq!(u64::from(cell.wins), tally.wins);
        assert_eq!(u64::from(cell.losses), tally.losses);
    }

    /// A model with a large size that counts the boards it has scored.
    #[derive(Debug)]
    struct Large(AtomicUsize);

    impl Evaluate for Large {
        fn value(&self, _: Board) -> f32 {
            self.0.fetch_add(1, Ordering::Relaxed);
            0.0
        }

        fn size(&self) -> usize {
            2_000_000
        }
    }

    /// Boards scored after the request to stop, which comes after a hundred boards.
    fn scored_too_many(play: impl Fn(&Player, &dyn Watch)) -> usize {
        let large = Arc::new(Large(AtomicUsize::new(0)));
        let brain = Brain::Model { model: large.clone(), view: View::Mover };
        let player = Player { name: "large".into(), brain, policy: Policy::default() };
        let scored = || large.0.load(Ordering::Relaxed);
        play(&player, &|| scored() >= 100);
        scored() - 100
    }

    #[test]
    fn whoever_asks_to_stop_large_networks_waits_for_a_game_or_two() {
        // A game against random has about 30 moves with a choice of about eight, and at most half
        // as many again.
        const GAME: usize = 360;
        let random = &parse_player("random").unwrap();
        for threads in [1, 2] {
            let arena = Arena::new(Kernel::available()[0], threads).unwrap();
            let table = scored_too_many(|large, stop| {
                let plan = Plan {
                    fixtures: &Fixtures::All,
                    games: 200,
                    colour: Colour::Both,
                    seed: Seed(5),
                };
                let [rows, columns] = [large, random].map(|player| [Arc::new(player.clone())]);
                assert_eq!(arena.meet(&rows, &columns, plan, stop), Err(Stopped));
            });
            assert!(table <= threads * GAME, "{threads} threads: {table} boards");
            let meeting = scored_too_many(|a, stop| {
                let openings = &Openings::Start;
                let meeting = Meeting {
                    a,
                    b: random,
                    pairs: 100,
                    seed: Seed(5),
                    openings,
                    colour: Colour::Both,
                };
                assert_eq!(arena.play(&[meeting], stop).unwrap_err(), Stopped);
            });
            // Two pairs for each thread, whose first game had begun.
            assert!(meeting <= 4 * threads * GAME, "{threads} threads: {meeting} boards");
        }
    }

    #[test]
    fn a_stop_is_noticed() {
        let rows = players(&["random"]);
        let arena = Arena::new(Kernel::available()[0], 2).unwrap();
        let plan =
            Plan { fixtures: &Fixtures::All, games: 20_000, colour: Colour::Both, seed: Seed(5) };
        assert_eq!(arena.meet(&rows, &rows, plan, &|| true), Err(Stopped));
    }
}
