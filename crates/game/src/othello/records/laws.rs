//! Games through every format and back: what comes out is what the format can hold.

use super::*;
use crate::othello::parse_position;

/// A game of moves that a small generator picks, to its end or for some moves.
fn game(seed: u64, most: usize) -> Game {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut game = Game::default();
    for _ in 0..most {
        let moves = game.position().board.moves();
        if moves.is_empty() {
            break;
        }
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        game.play(moves.nth((state >> 33) as u32 % moves.len())).unwrap();
    }
    game
}

/// Games with everything that is known about games; some stop early.
fn samples(number: u64) -> Vec<GameRecord> {
    let of = |seed: u64| {
        let most = if seed % 7 == 3 { 5 + seed as usize % 50 } else { 60 };
        let mut record = GameRecord::new(game(seed, most), Some(2 * (seed as i32 % 64) - 64));
        let moves = record.moves();
        let about = &mut record.about;
        about.black = format!("Zoë {}", seed % 90);
        about.white = format!("{} % # ; \u{1b}[31m \"x\" (; [y]", seed % 70);
        about.event = if seed.is_multiple_of(3) { String::new() } else { "Cup\tof\nLyon".into() };
        about.date = "1985-07-01".into();
        if seed.is_multiple_of(2) {
            let note = |ply: usize| MoveNote { value: format!("{ply}.25"), time: "1.5".into() };
            about.notes = (0..moves).map(note).collect();
            about.properties = vec![("RB".into(), "1700.1".into()), ("C".into(), "a;)]b".into())];
        }
        record
    };
    (0..number).map(of).collect()
}

fn written(format: Format, games: &[GameRecord]) -> (Vec<u8>, WrittenGames) {
    let mut writer = GameWriter::new(format);
    let mut bytes = Vec::new();
    for game in games {
        bytes.extend(writer.add(game).unwrap().into_bytes());
    }
    let end = writer.finish().unwrap();
    bytes.extend(&end.rest);
    (bytes, end)
}

fn through(format: Format, games: &[GameRecord]) -> Vec<GameRecord> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("games.{}", format.ending()));
    let (bytes, end) = written(format, games);
    std::fs::write(&path, bytes).unwrap();
    for (list, bytes) in end.lists {
        std::fs::write(path.with_extension(list.ending()), bytes).unwrap();
    }
    read(&path)
}

fn read(path: &Path) -> Vec<GameRecord> {
    let mut read = Vec::new();
    let mut see = |_, record: Result<GameRecord, RecordProblem>| {
        read.push(record.unwrap_or_else(|problem| panic!("{}: {problem}", path.display())));
        ControlFlow::Continue(())
    };
    read_records(path, &mut see).unwrap();
    read
}

fn assert_same(format: Format, games: &[GameRecord]) {
    let back = through(format, games);
    assert_eq!(back.len(), games.len(), "{format:?}");
    for (back, game) in back.iter().zip(games) {
        assert_eq!(*back, format.kept(game), "{format:?}");
        assert_eq!(format.kept(back), *back, "{format:?}: twice is once");
        if !format.is_of_positions() {
            assert_eq!(back.game, game.game);
        }
    }
}

#[test]
fn games_come_back_from_every_format_as_far_as_it_can_hold_them() {
    let games = samples(2000);
    Format::ALL.into_iter().for_each(|format| assert_same(format, &games));
}

#[test]
fn a_chain_of_all_formats_of_games_keeps_moves_names_and_order() {
    let games: Vec<GameRecord> = samples(300)
        .into_iter()
        .filter(|record| record.game.is_over())
        .map(|record| GameRecord::new(record.game, None))
        .collect();
    let mut chained = games.clone();
    for format in Format::ALL.into_iter().filter(|format| !format.is_of_positions()) {
        chained = through(format, &chained);
    }
    assert!(chained.iter().zip(&games).all(|(a, b)| (&a.game, a.margin) == (&b.game, b.margin)));
}

#[test]
fn other_starts_and_positions_come_back_where_they_can_be_written() {
    let start = format!("{}OX-- O", "X".repeat(60));
    let start = parse_position(&start).unwrap();
    let mut moved = Game::from(start);
    moved.play("g8".parse().unwrap()).unwrap();
    let mut scored = GameRecord::new(Game::from(start), None);
    scored.about.scores = vec![("g8".parse().unwrap(), -64)];
    scored.about.score = Some(-64);
    // The side to move of the last one must pass.
    let stuck = Game::from(start.pass());
    let games = [
        GameRecord::new(moved, None),
        scored,
        GameRecord::new(Game::default(), None),
        GameRecord::new(stuck, Some(4)),
    ];
    for format in Format::ALL.into_iter().filter(|format| format.has_starts()) {
        assert_same(format, &games);
    }
    for format in [Format::Wthor, Format::PlayOk, Format::Quest] {
        let refused = GameWriter::new(format).add(&games[0]).unwrap_err().to_string();
        assert!(refused.contains("does not begin at the usual position"), "{refused}");
    }
}

#[test]
fn a_database_needs_results_and_says_what_it_cannot_hold() {
    let unknown = GameRecord::new(game(1, 20), None);
    let refused = |record: &GameRecord| GameWriter::new(Format::Wthor).add(record).unwrap_err();
    assert_eq!(refused(&unknown), Unwritable::NoResult);
    assert_eq!(refused(&GameRecord::new(game(1, 20), Some(3))), Unwritable::OddResult(3));
    let mut games = samples(3);
    games[2].about.date = "1999".into();
    let (_, end) = written(Format::Wthor, &games);
    assert!(end.notes[0].contains("1985 was written, though some games are of 1999"));
    let (_, end) = written(Format::Transcripts, &samples(10));
    let lost: Vec<&str> = end.lost.0.iter().map(|(what, _)| *what).collect();
    assert!(lost.contains(&"players") && lost.contains(&"values and times of moves"), "{lost:?}");
    let (_, end) = written(Format::Transcripts, &[GameRecord::new(game(1, 60), None)]);
    assert_eq!(end.lost, Lost::default());
}

#[test]
fn numbers_of_names_that_are_not_at_hand_stay_the_same() {
    let mut games = samples(4);
    for (index, record) in games.iter_mut().enumerate() {
        record.about.black = format!("#{}", 1000 + index);
        record.about.white = "#7".into();
        record.about.event = "#65535".into();
    }
    let (bytes, end) = written(Format::Wthor, &games);
    assert!(end.lists.is_empty());
    let wthor = super::super::parse_wthor(&bytes).unwrap();
    assert_eq!((wthor.games[3].black, wthor.games[3].tournament), (1003, 65535));
    games[0].about.black = "a name".into();
    let (bytes, end) = written(Format::Wthor, &games);
    let wthor = super::super::parse_wthor(&bytes).unwrap();
    assert_eq!((wthor.games[0].black, wthor.games[1].black), (0, 1001));
    assert_eq!(end.lists.len(), 1);
}

/// The federation's files may not be distributed; OUTFLANK_WTHOR names a folder with them.
#[test]
fn the_federations_games_come_back_from_every_format() {
    let Some(folder) = std::env::var_os("OUTFLANK_WTHOR") else {
        println!("skipped: OUTFLANK_WTHOR names no folder of .wtb files");
        return;
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wtb")))
        .collect();
    paths.sort();
    let mut total = 0;
    for path in paths {
        let games = read(&path);
        total += games.len();
        for format in Format::ALL {
            assert_same(format, &games);
        }
        assert!(written(Format::Wthor, &games).0 == std::fs::read(&path).unwrap(), "{path:?}");
    }
    println!("{total} games came back from {} formats", Format::ALL.len());
    assert!(total > 0);
}
