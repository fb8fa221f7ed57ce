use super::*;
use crate::othello::parse_game;

/// Black wipes White out in nine moves.
const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

fn of(game: Game) -> WthorGame {
    let black_score = ((64 + game.margin(Side::Black)) / 2) as u8;
    let (black, white) = (2, 0x0304);
    WthorGame { tournament: 1, black, white, game, black_score, theoretical_score: 33 }
}

/// The first legal move each time: a full game, with passes.
fn full_game() -> Game {
    let mut game = Game::default();
    while let Some(at) = game.position().board.moves().first() {
        game.play(at).unwrap();
    }
    assert!(game.plies().contains(&Ply::Pass));
    game
}

/// A game in full, the shortest one, and one that stops early with a result.
fn sample() -> Wthor {
    let mut stopped = of(parse_game("f5d6c3d3c4").unwrap());
    stopped.black_score = 20;
    let games = vec![of(full_game()), of(parse_game(SHORTEST).unwrap()), stopped];
    Wthor { written: [20, 13, 2, 28], year: 1999, theoretical_empties: 24, games }
}

fn bytes() -> Vec<u8> {
    write_wthor(&sample()).unwrap()
}

/// The error after changing some bytes of the sample.
fn changed(changes: &[(usize, u8)]) -> String {
    let mut bytes = bytes();
    for &(at, byte) in changes {
        bytes[at] = byte;
    }
    message(&bytes)
}

fn message(bytes: &[u8]) -> String {
    parse_wthor(bytes).unwrap_err().to_string()
}

/// Where a record begins, counted from 1.
fn record(number: usize) -> usize {
    HEADER + RECORD * (number - 1)
}

#[test]
fn what_is_written_reads_back() {
    assert_eq!(parse_wthor(&bytes()), Ok(sample()));
    let nothing = Wthor::default();
    assert_eq!(parse_wthor(&write_wthor(&nothing).unwrap()), Ok(nothing));
}

#[test]
fn the_bytes_are_those_of_the_format() {
    let bytes = bytes();
    assert_eq!(bytes[..HEADER], [20, 13, 2, 28, 3, 0, 0, 0, 0, 0, 0xCF, 7, 8, 0, 24, 0]);
    let last = &bytes[record(3)..];
    assert_eq!(last[..MOVES], [1, 0, 2, 0, 4, 3, 20, 33]);
    // f5 d6 c3 d3 c4, the row first.
    assert_eq!(last[MOVES..MOVES + 7], [56, 64, 33, 34, 43, 0, 0]);
    assert_eq!(bytes.len(), HEADER + 3 * RECORD);
}

#[test]
fn a_game_that_stops_early_keeps_the_result_that_was_written_down() {
    let games = parse_wthor(&bytes()).unwrap().games;
    assert_eq!(
        games.iter().map(|game| game.game.is_over()).collect::<Vec<_>>(),
        [true, true, false]
    );
    let stopped = &games[2];
    assert_eq!((stopped.margin(Side::Black), stopped.margin(Side::White)), (-24, 24));
    assert_eq!(stopped.outcome(Side::White), Outcome::Win);
    assert_eq!(games[1].outcome(Side::Black), Outcome::Win);
}

#[test]
fn old_files_have_a_board_size_of_0() {
    let mut old = bytes();
    old[12] = 0;
    assert_eq!(parse_wthor(&old), Ok(sample()));
}

#[test]
fn a_file_cut_off_anywhere_says_where() {
    let whole = bytes();
    for length in 0..whole.len() {
        let fault = parse_wthor(&whole[..length]).unwrap_err();
        match fault {
            WthorFault::Empty => assert_eq!(length, 0),
            WthorFault::Header { found } => assert!(found == length && length < HEADER),
            WthorFault::Cut { record: number, offset, found, claimed: 3 } => {
                assert_eq!((record(number), offset + found), (offset, length));
            }
            WthorFault::Count { claimed: 3, found } => {
                assert!(found == length && (length - HEADER).is_multiple_of(RECORD));
            }
            other => panic!("{length} bytes: {other}"),
        }
    }
    assert_eq!(message(&[]), "the file is empty");
    assert_eq!(message(&whole[..15]), "the file ends after 15 of the 16 bytes of its header");
    assert_eq!(
        message(&whole[..record(2) + 20]),
        "record 2, byte 84: the file ends after 20 of the record's 68 bytes; the header says 3 games"
    );
}

#[test]
fn more_or_fewer_records_than_the_header_says_are_refused() {
    assert_eq!(
        changed(&[(4, 2)]),
        "the header says 2 games, expected 152 bytes, found 220, enough for 3 games"
    );
    assert_eq!(
        changed(&[(4, 4)]),
        "the header says 4 games, expected 288 bytes, found 220, enough for 3 games"
    );
    assert_eq!(
        message(&bytes()[..record(2)]),
        "the header says 3 games, expected 220 bytes, found 84, enough for 1 game"
    );
    let mut longer = bytes();
    longer.push(0);
    assert_eq!(
        message(&longer),
        "the header says 3 games, expected 220 bytes, found 221, enough for 3 games"
    );
}

#[test]
fn a_claim_of_all_games_of_the_world_costs_nothing() {
    assert_eq!(
        changed(&[(4, 255), (5, 255), (6, 255), (7, 255)]),
        "the header says 4294967295 games, expected 292057776076 bytes, found 220, enough for 3 games"
    );
}

#[test]
fn other_kinds_of_files_are_called_what_they_are() {
    let mut names = vec![20, 13, 2, 28, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0];
    names.extend([b'x'; 20]);
    assert_eq!(
        message(&names),
        "a list of names (.jou or .trn; 258 by its header), expected games (.wtb)"
    );
    assert_eq!(changed(&[(12, 10)]), "byte 12: board size 10, expected 8 (or 0, which is 8)");
    assert_eq!(changed(&[(13, 1)]), "byte 13: type 1 (solitaires), expected 0 (games)");
    assert_eq!(changed(&[(13, 2)]), "byte 13: type 2, expected 0 (games)");
}

#[test]
fn a_bad_move_is_named_with_its_record_and_byte() {
    let moves = record(3) + MOVES;
    assert_eq!(moves, 160);
    assert_eq!(
        changed(&[(moves + 2, 81)]),
        "record 3, byte 162: move 3 (a8): Black cannot play a8: it turns no disc"
    );
    assert_eq!(
        changed(&[(moves + 2, 56)]),
        "record 3, byte 162: move 3 (f5): Black cannot play f5: it is occupied"
    );
    for byte in [1, 9, 10, 19, 20, 89, 90, 99, 255] {
        assert_eq!(
            changed(&[(moves + 1, byte)]),
            format!("record 3, byte 161: move 2 is {byte}, expected a square, 11 (a1) to 88 (h8)")
        );
    }
}

#[test]
fn moves_after_the_end_are_refused() {
    assert_eq!(
        changed(&[(record(2) + MOVES + 9, 11)]),
        "record 2, byte 101: move 10 (a1): the game is already over"
    );
    assert_eq!(
        changed(&[(record(3) + MOVES + 6, 11)]),
        "record 3, byte 166: move 7 is 11 after the end of the moves, expected 0"
    );
    assert_eq!(
        changed(&[(record(3) + RECORD - 1, 255)]),
        "record 3, byte 219: move 60 is 255 after the end of the moves, expected 0"
    );
}

#[test]
fn a_score_is_that_of_the_board_where_the_game_is_over() {
    assert_eq!(
        changed(&[(record(2) + SCORE, 63)]),
        "record 2, byte 90: 63 discs for Black, expected 64, the score of the board"
    );
    assert_eq!(
        changed(&[(record(3) + SCORE, 65)]),
        "record 3, byte 158: a score of 65 discs, expected 0 to 64"
    );
    assert_eq!(
        changed(&[(record(1) + THEORETICAL, 200)]),
        "record 1, byte 23: a score of 200 discs, expected 0 to 64"
    );
}

#[test]
fn what_would_not_read_back_is_not_written() {
    let refused = |change: fn(&mut WthorGame)| {
        let mut wthor = sample();
        change(&mut wthor.games[1]);
        write_wthor(&wthor).unwrap_err().to_string()
    };
    assert_eq!(
        refused(|game| game.black_score = 0),
        "record 2, byte 90: 0 discs for Black, expected 64, the score of the board"
    );
    assert_eq!(
        refused(|game| game.game = Game::from(Position::START.pass())),
        "record 2, byte 92: the game does not begin at the usual position"
    );
}

#[test]
fn a_file_is_named_when_it_cannot_be_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.wtb");
    let shown = path.display();
    let said = || read_wthor(&path).unwrap_err().to_string();
    assert!(said().starts_with(&format!("cannot read WTHOR file {shown}: ")));
    std::fs::write(&path, bytes()).unwrap();
    assert_eq!(read_wthor(&path).unwrap(), sample());
    std::fs::write(&path, &bytes()[..3]).unwrap();
    let problem = "the file ends after 3 of the 16 bytes of its header";
    assert_eq!(said(), format!("WTHOR file {shown}: {problem}"));
    // A sparse file: only its length is stored.
    std::fs::File::create(&path).unwrap().set_len(MAX_BYTES + 1).unwrap();
    assert_eq!(said(), format!("WTHOR file {shown}: larger than 256 MiB"));
    let error = read_wthor(folder.path()).unwrap_err();
    assert!(matches!(&error, WthorError::Read { .. }), "{error}");
}

#[test]
fn no_more_is_read_than_allowed() {
    assert_eq!(read_up_to(3, &[1, 2, 3][..]).unwrap(), Some(vec![1, 2, 3]));
    assert_eq!(read_up_to(3, std::io::repeat(1)).unwrap(), None);
}

/// The federation's files may not be distributed; OUTFLANK_WTHOR names a folder with them.
#[test]
fn the_federations_files_read_and_write_back_to_the_last_byte() {
    let Some(folder) = std::env::var_os("OUTFLANK_WTHOR") else {
        println!("skipped: OUTFLANK_WTHOR names no folder of .wtb files");
        return;
    };
    let (mut games, mut unfinished, mut passes) = (0, 0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("wtb")) {
            continue;
        }
        let wthor = read_wthor(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(write_wthor(&wthor).unwrap() == std::fs::read(&path).unwrap(), "{path:?}");
        games += wthor.games.len();
        unfinished += wthor.games.iter().filter(|game| !game.game.is_over()).count();
        passes += wthor.games.iter().filter(|game| game.game.plies().contains(&Ply::Pass)).count();
    }
    println!("{games} games, {unfinished} stop early, {passes} with passes");
    assert!(games > 0);
}
