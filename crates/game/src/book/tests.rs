use std::borrow::Cow;
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::othello::{Board, Game, Position, Side, Square, Symmetry, parse_game};
use outflank_kernel::rng::{Seed, Stream};

/// A game from its start, with Black's margin.
type Played = (Vec<Square>, i32);

/// Random games that begin alike, so that positions are met again.
fn games(number: u64, seed: u64) -> Vec<Played> {
    (0..number).map(|index| game(index, seed)).collect()
}

fn game(index: u64, seed: u64) -> Played {
    let mut rng = Seed(seed).at(Stream::Game, index).rng();
    let (mut game, mut moves) = (Game::default(), Vec::new());
    while !game.is_over() {
        let legal = game.position().board.moves();
        // Of the first moves only two, so that games meet.
        let some = if moves.len() < 9 { legal.len().min(2) } else { legal.len() };
        let at = legal.nth(rng.below(some));
        game.play(at).unwrap();
        moves.push(at);
    }
    (moves, game.margin(Side::Black))
}

fn table(games: &[Played], depth: u32) -> Table {
    let games = games.iter().map(|(moves, margin)| (Position::START, &moves[..], *margin));
    let mut table = Table::of_games(games, depth);
    table.back_up();
    table
}

fn book(table: &Table) -> Book {
    let bytes = Book::write(table, vec!["a test".into()]);
    Book::from_bytes(Cow::Owned(bytes), "test.book").unwrap()
}

/// Positions of some games, and what follows them.
fn boards(games: &[Played]) -> Vec<Board> {
    let mut boards = Vec::new();
    for (moves, _) in games {
        let mut game = Game::default();
        for at in moves {
            boards.push(game.position().board);
            game.play(*at).unwrap();
        }
    }
    boards
}

#[test]
fn a_book_says_what_was_played_where_and_how_it_ended() {
    let tiger = parse_game("f5d6c3d3c4").unwrap();
    let moves: Vec<Square> = ["f5", "d6", "c3"].map(|at| at.parse().unwrap()).to_vec();
    let other: Vec<Square> = ["c4", "c3"].map(|at| at.parse().unwrap()).to_vec();
    let games = [(moves, 10), (other, -2)];
    let book = book(&table(&games, 60));
    let found = book.find(Position::START.board).unwrap().unwrap();
    let lines: Vec<BookLine> = found.moves().collect();
    assert_eq!(lines.len(), 1, "the four first moves are one");
    assert_eq!(lines[0].squares, Position::START.board.moves());
    let record = Record { wins: 1, draws: 0, losses: 1, discs: 8 };
    assert_eq!(lines[0].record, record);
    // White's best answer won by 2, but White lost by 4 on average: (2 - 25 * 4) / 26 = -3.77.
    // So Black's move is worth (2 * 3.77 + 25 * 4) / 27.
    assert_eq!((lines[0].value, found.value()), (Value(398), Value(398)));
    let answer = parse_game("f5").unwrap().position().board;
    let found = book.find(answer).unwrap().unwrap();
    let lines: Vec<(String, Value)> =
        found.moves().map(|of| (of.squares.map(|s| s.to_string()).collect(), of.value)).collect();
    assert_eq!(lines, [("f6".into(), Value(-377)), ("d6".into(), Value(-423))]);
    assert_eq!(found.best(3, Value(12_800)).len(), 2);
    assert_eq!(found.best(1, Value(12_800)).len(), 1);
    assert_eq!(found.best(3, Value(45)).len(), 1);
    assert_eq!(found.best(3, Value(46)).len(), 2);
    assert!(book.find(tiger.position().board).unwrap().is_none());
}

/// What is known about a position: its value for the side to move, and whether that is exact; none
/// if it is not in the table.
type Plain = Option<(i16, bool)>;

/// By going through all games again and again: nothing is shared with the code that it checks.
fn plain(
    games: &[Played],
    depth: usize,
    board: Board,
    memo: &mut BTreeMap<[u64; 2], Plain>,
) -> Plain {
    let smallest = |board: Board| {
        Symmetry::ALL.map(|s| s.board(board)).map(|b| [b.own.0, b.opp.0]).into_iter().min().unwrap()
    };
    if let Some(known) = memo.get(&smallest(board)) {
        return *known;
    }
    // What follows each move, once if symmetry makes moves the same, with its games.
    let mut moves: BTreeMap<[u64; 2], (Board, i64, i64)> = BTreeMap::new();
    for at in board.moves() {
        let after = board.play(at);
        moves.entry(smallest(after)).or_insert((after, 0, 0));
    }
    for (game_moves, margin) in games {
        let mut game = Game::default();
        for &made in game_moves.iter().take(depth) {
            let Position { board: here, side } = game.position();
            if smallest(here) == smallest(board) {
                let (_, sum, visits) = moves.get_mut(&smallest(here.play(made))).unwrap();
                *sum += i64::from(if side == Side::Black { *margin } else { -*margin });
                *visits += 1;
            }
            game.play(made).unwrap();
        }
    }
    let mean = |sum: i64, visits: i64| (100.0 * sum as f64 / visits.max(1) as f64).round();
    let seen = |moves: &BTreeMap<_, (Board, i64, i64)>, of: fn(&(Board, i64, i64)) -> i64| {
        moves.values().map(of).sum::<i64>()
    };
    let usual = mean(seen(&moves, |of| of.1), seen(&moves, |of| of.2));
    let mut found: Vec<(f64, bool)> = Vec::new();
    for (after, sum, visits) in moves.values().filter(|of| of.2 > 0) {
        let known = if !after.moves().is_empty() {
            plain(games, depth, *after, memo).map(|(value, exact)| (-value, exact))
        } else if !after.pass().moves().is_empty() {
            plain(games, depth, after.pass(), memo)
        } else {
            Some(((-100 * after.margin()) as i16, true))
        };
        let (value, exact) =
            known.map_or((mean(*sum, *visits), false), |(value, exact)| (value.into(), exact));
        let visits = *visits as f64;
        let doubted = ((visits * value + 25.0 * usual) / (visits + 25.0)).round();
        found.push((if exact { value } else { doubted }, exact));
    }
    let best = |only_exact: bool| {
        found.iter().filter(|of| of.1 || !only_exact).map(|of| of.0 as i16).max()
    };
    let all = found.len() == moves.len() && found.iter().all(|of| of.1);
    let known = match best(true).filter(|score| all || *score == 6400) {
        Some(score) => Some((score, true)),
        None => best(false).map(|value| (value, false)),
    };
    memo.insert(smallest(board), known);
    known
}

#[test]
fn values_are_those_of_a_plain_recursion() {
    for (seed, depth) in [(1, 12), (2, 7), (3, 60)] {
        let games = games(20, seed);
        let book = book(&table(&games, depth));
        let mut memo = BTreeMap::new();
        plain(&games, depth as usize, Position::START.board, &mut memo);
        let (mut checked, mut exact) = (0, 0);
        for board in boards(&games) {
            let Some(found) = book.find(board).unwrap() else { continue };
            let expected = plain(&games, depth as usize, board, &mut memo);
            // Where a won end is proved, the rest is not worth more than that.
            exact += u32::from(found.is_proved());
            assert_eq!(Some((found.value().0, found.is_proved())), expected, "{board:?}");
            checked += 1;
        }
        assert!(checked >= 20 * depth.min(50) && (depth < 60) == (exact == 0), "{checked} {exact}");
    }
}

#[test]
fn symmetric_positions_have_the_same_moves_mapped() {
    let games = games(60, 5);
    let book = book(&table(&games, 14));
    for board in boards(&games) {
        let Some(found) = book.find(board).unwrap() else { continue };
        for symmetry in Symmetry::ALL {
            let image = book.find(symmetry.board(board)).unwrap().unwrap();
            assert_eq!(image.value(), found.value());
            for (a, b) in found.moves().zip(image.moves()) {
                assert_eq!(symmetry.squares(a.squares), b.squares);
                assert_eq!((a.record, a.value), (b.record, b.value));
            }
            for most in 1..4 {
                let best = found.best(most, Value(300));
                assert_eq!(symmetry.squares(best), image.best(most, Value(300)));
                assert!(best.0 & !board.moves().0 == 0);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_table_written_and_read_is_the_same(number in 1u64..200, seed: u64, depth in 1u32..61) {
        let table = table(&games(number, seed), depth);
        let book = book(&table);
        prop_assert_eq!(book.head().positions as usize, table.len());
        let mut read = book.table().unwrap();
        prop_assert!(Book::write(&read, vec![]) == Book::write(&table, vec![]));
        // Which moves of unproved positions are exact follows from the rest.
        read.back_up();
        prop_assert!(read == table);
    }

    #[test]
    fn joining_tables_is_adding_their_games(
        number in 1u64..120, cut in 0u64..120, seed: u64, depth in 1u32..61
    ) {
        let all = games(number, seed);
        let cut = cut.min(number) as usize;
        let mut joined = table(&all[..cut], depth).join(&table(&all[cut..], depth)).unwrap();
        joined.back_up();
        let whole = table(&all, depth);
        prop_assert!(Book::write(&joined, vec![]) == Book::write(&whole, vec![]));
    }

    #[test]
    fn any_bytes_are_a_book_or_an_error(
        bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0usize..600, byte: u8
    ) {
        let _ = Book::from_bytes(Cow::Owned(bytes), "x").map(|book| book.table());
        // And a real one with a byte changed, its head sealed again so that it is looked at.
        let mut bytes = Book::write(&table(&games(20, 1), 20), vec!["a".into()]);
        let head = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let (end, place) = (24 + head, at % (24 + head));
        bytes[place] = byte;
        let hash = *blake3::hash(&bytes[..end]).as_bytes();
        bytes[end..end + 32].copy_from_slice(&hash);
        let _ = Book::from_bytes(Cow::Owned(bytes), "x").map(|book| book.table());
    }
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    let games = games(40, 9);
    let table = table(&games, 12);
    let bytes = Book::write(&table, vec!["flips".into()]);
    let asked: Vec<Board> = boards(&games).into_iter().take(2000).collect();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let Ok(book) = Book::from_bytes(Cow::Owned(flipped), "x") else { continue };
        // The head is as it was, so a block is not: what is answered is right or an error.
        assert!(book.table().is_err(), "bit {bit}");
        if bit % 97 == 0 {
            for board in &asked {
                if let Ok(found) = book.find(*board) {
                    let (key, _) = Key::of(*board);
                    assert_eq!(found.is_some(), table.find(key).is_some());
                }
            }
        }
    }
    for length in 0..bytes.len() {
        assert!(Book::from_bytes(Cow::Owned(bytes[..length].to_vec()), "x").is_err(), "{length}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(Book::from_bytes(Cow::Owned(longer), "x").is_err());
}

#[test]
fn a_file_is_read_in_parts_and_errors_name_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.book");
    let games = games(200, 3);
    let table = table(&games, 20);
    let bytes = Book::write(&table, vec!["here".into(), "there".into()]);
    std::fs::write(&path, &bytes).unwrap();
    let [open, load] = [Book::open(&path).unwrap(), Book::load(&path).unwrap()];
    assert_eq!((open.hash(), open.bytes()), (load.hash(), bytes.len() as u64));
    assert_eq!(open.head().sources, ["here", "there"]);
    assert!(Book::write(&open.table().unwrap(), open.head().sources.clone()) == bytes);
    assert!(bytes.len() < 16 * table.len(), "{} bytes, {}", bytes.len(), table.len());
    // The last byte is damaged: opening does not see it, loading and looking do.
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 4;
    std::fs::write(&path, &damaged).unwrap();
    let open = Book::open(&path).unwrap();
    assert!(open.find(Position::START.board).unwrap().is_some());
    let message = |error: BookError| error.to_string().replace(path.to_str().unwrap(), "FILE");
    let problem = message(open.table().unwrap_err());
    assert!(problem.starts_with("book FILE is damaged: the checksum of block"), "{problem}");
    assert!(Book::load(&path).is_err());
    let write = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        message(Book::open(&path).unwrap_err())
    };
    assert_eq!(write(b""), "FILE is not an opening book: it is empty");
    assert_eq!(write(b"f5d6c3"), "FILE is not an opening book: it does not begin like one");
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert!(write(&newer).contains("version 2 is newer than this program, which reads up to 1"));
    let cut = write(&bytes[..bytes.len() - 1]);
    assert!(cut.contains(&format!("{} bytes, expected {}", bytes.len() - 1, bytes.len())), "{cut}");
    let missing = Book::open(&folder.path().join("none")).unwrap_err().to_string();
    assert!(missing.contains("cannot read book") && missing.contains("none"), "{missing}");
    assert!(Book::open(folder.path()).is_err());
}

#[test]
fn moves_that_were_played_less_often_are_dropped() {
    let table = table(&games(100, 4), 30);
    let kept = table.keep_visited(3);
    assert!(kept.len() < table.len() && !kept.is_empty());
    for (key, _, moves) in kept.positions() {
        assert!(moves.iter().all(|of| of.record.visits() >= 3));
        let before = table.find(key).unwrap();
        assert_eq!(moves.len(), before.iter().filter(|of| of.record.visits() >= 3).count());
    }
}

#[test]
fn a_solved_position_has_its_score_and_what_leads_to_it_too() {
    let games = games(1, 8);
    let mut table = table(&games, 60);
    let boards = boards(&games);
    // As if it were solved: all its legal moves are best, with a draw.
    let at = 50;
    let solved = boards[at];
    let (key, _) = Key::of(solved);
    let best: Vec<Square> = key.board().moves().collect();
    table.prove(&[(key, 0, best.clone())]);
    table.back_up();
    let first = table.clone();
    table.back_up();
    assert_eq!(table, first, "once is enough");
    let book = book(&table);
    let found = book.find(solved).unwrap().unwrap();
    assert!(found.is_proved() && found.value() == Value(0));
    assert_eq!(found.best(64, Value(0)), solved.moves());
    assert_eq!(found.moves().map(|of| of.record.visits()).sum::<u64>(), 1);
    let before = book.find(boards[at - 1]).unwrap().unwrap();
    assert_eq!(before.value(), Value(0));
    let only_move = boards[at - 1].moves().len() == 1;
    assert_eq!(before.is_proved(), only_move);
    // Two books that disagree about it cannot be joined.
    let mut other = first.clone();
    other.prove(&[(key, 2, best)]);
    let conflict = first.join(&other).unwrap_err();
    assert_eq!((conflict.board, conflict.values), (key.board(), [Value(0), Value(200)]));
}
