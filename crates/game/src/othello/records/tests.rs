use super::*;
use crate::othello::{GgfGame, Wthor, WthorGame, parse_game, write_ggf, write_wthor};

type Seen = Vec<Result<GameRecord, RecordProblem>>;

fn read(bytes: &[u8]) -> Result<Seen, RecordsError> {
    let mut seen = Vec::new();
    let mut see = |_, record| {
        seen.push(record);
        ControlFlow::Continue(())
    };
    parse_records(bytes, Path::new("some"), &mut see)?;
    Ok(seen)
}

const WIPED: &str = "e6f4e3f6g5d6e7f5c5";

#[test]
fn formats_are_recognised_and_give_the_same_game() {
    let game = parse_game(WIPED).unwrap();
    let expected = (game.clone(), Some(64));
    let record = WthorGame {
        tournament: 0,
        black: 0,
        white: 0,
        game: game.clone(),
        black_score: 64,
        theoretical_score: 32,
    };
    let wthor = write_wthor(&Wthor { games: vec![record], ..Wthor::default() }).unwrap();
    let ggf =
        write_ggf(&GgfGame { game, result: None, properties: vec![("PB".into(), "a # b".into())] });
    let broken = ggf.replace("W[", "\r\nW[");
    let saved = format!("0\theuristic\trandom\t+64\t-\t{WIPED}");
    let text = format!("# games\r\n\n{WIPED} % wiped out\n{saved}\n2 {ggf}{broken}\n");
    let games = |bytes: &[u8]| -> Vec<(Game, Option<i32>)> {
        let read = read(bytes).unwrap().into_iter().map(Result::unwrap);
        read.map(|record| (record.game, record.margin)).collect()
    };
    assert_eq!(games(&wthor), std::slice::from_ref(&expected));
    assert_eq!(games(text.as_bytes()), vec![expected; 4]);
}

#[test]
fn names_and_dates_are_read() {
    let playok = "[Event \"Cup # 1\"]\n[Date \"2020\"]\n[Black \"a (; b\"]\n[White \"c\"]\n\
                  1. f5 d6\n2. c3 d3 40-24\n\n1. c4 c3 2. d3\n";
    let ggf = "(;GM[Othello]PC[Cup # 1]DT[2020]PB[a (; b]PW[c]RE[16]B[f5]W[d6]B[c3]W[d3];)";
    let quest = "{\"x\":{\"moves\":[{\"m\":\"f5\",\"t\":3},{\"m\":\"D6\"}]},\"players\":\
                 [{\"id\":\"i\",\"name\":\"a\"},{\"id\":\"c\"}]}";
    let one = |text: &str| read(text.as_bytes()).unwrap()[0].clone().unwrap();
    assert_eq!(read(playok.as_bytes()).unwrap().len(), 2);
    assert_eq!(one(playok), one(ggf));
    let (about, margin) = (one(playok).about, one(playok).margin);
    assert_eq!((&*about.event, &*about.black, &*about.white), ("Cup # 1", "a (; b", "c"));
    assert_eq!((&*about.date, margin), ("2020", Some(16)));
    let quest = one(quest);
    assert_eq!((quest.moves(), &*quest.about.black, &*quest.about.white), (2, "a", "c"));
}

#[test]
fn pasted_games_may_have_headings_numbers_and_several_lines() {
    let moves = |text: &str| -> Vec<String> {
        let games = parse_text(text).unwrap();
        games.iter().map(|record| crate::othello::write_game(record.game.plies())).collect()
    };
    let game = "f5d6c3d3c4";
    for text in [
        "Round 1\n\n 1. f5 d6\n 2. c3 d3\n 3. c4\n",
        "f5\nd6\nc3 d3\nc4",
        "-------\nF5 D6 C3 D3 C4 (White to move) 30-34",
        "1. F5 2. D6 3. C3\n4. D3 5. C4",
        "\u{feff}\u{201c}f5d6c3d3c4\u{201d}",
    ] {
        assert_eq!(moves(text), [game], "{text}");
    }
    assert_eq!(moves("f5d6\n\nf5f6\nf5f4"), ["f5d6", "f5f6", "f5f4"]);
    let wrong = |text: &str| parse_text(text).unwrap_err();
    assert_eq!(
        wrong("1. f5 d6\n2. c3 a1"),
        "line 2: move 2: White cannot play a1: it turns no disc"
    );
    assert_eq!(wrong("f5 x9"), "move 2: \"x9\" is not a square a1 to h8");
    assert_eq!(wrong("XXOO X"), "position: 4 squares, expected 64 and the side to move");
    assert_eq!(wrong("nothing at all"), "there is no game in it");
    assert!(wrong("{\"a\": 1}").contains("without the moves of a game of Othello Quest"));
    assert!(wrong("{\"a\": ").contains("not JSON"));
}

#[test]
fn what_stops_early_has_the_result_that_is_written_if_any() {
    let margins = |text: &str| -> Vec<Option<i32>> {
        read(text.as_bytes()).unwrap().into_iter().map(|game| game.unwrap().margin).collect()
    };
    let saved = "0\ta\tb\t-8\t-\tf5d6";
    let text = format!("f5d6\n(;B[f5]W[d6];)\n(;RE[-4.00:t]B[f5];)\n{saved}\n");
    assert_eq!(margins(&text), [None, None, Some(-4), Some(-8)]);
}

#[test]
fn a_bad_game_names_its_line_and_the_rest_is_read() {
    let text = format!("{WIPED}\nf5f5\n(;B[f5]\nW[a1];)\n0\ta\tb\tx\t-\tf5\nzz\n(;B[f5]\n");
    let seen = read(text.as_bytes()).unwrap();
    let problems: Vec<String> =
        seen.iter().filter_map(|game| game.as_ref().err()).map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "line 2: move 2: White cannot play f5: it is occupied",
            "line 3: move 2: White cannot play a1: it turns no disc",
            "line 5: the fourth field is not a margin from -64 to 64",
            "line 6: move 1: \"zz\" is not a square a1 to h8",
            "line 7: the game in GGF has no ;) at its end",
        ]
    );
    assert_eq!(seen.len(), 6);
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert_eq!(
        error(b"f5d6\n\xff\xfe\n"),
        "games file some, line 2: not text; expected transcripts, GGF or a WTHOR database"
    );
    assert!(error(&vec![b'f'; (1 << 20) + 1]).contains("line 1: longer than 1 MiB"));
    assert!(error(&[0; 20]).starts_with("WTHOR file some: "));
    let endless = format!("(;B[f5]{}", "\nC[x]".repeat(300_000));
    assert!(error(endless.as_bytes()).contains("longer than 1 MiB"));
}

#[test]
fn a_million_lines_are_read_one_by_one() {
    let text = format!("{WIPED}\n").repeat(1_000_000);
    let mut number = 0;
    let mut see = |_, record: Result<GameRecord, RecordProblem>| {
        assert_eq!(record.unwrap().margin, Some(64));
        number += 1;
        if number == 1_000_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    parse_records(text.as_bytes(), Path::new("some"), &mut see).unwrap();
    assert_eq!(number, 1_000_000);
}

#[test]
fn every_game_has_its_place() {
    let places = |bytes: &[u8]| {
        let mut places = Vec::new();
        let mut see = |place: RecordPlace, _: Result<GameRecord, RecordProblem>| {
            places.push(place.to_string());
            ControlFlow::Continue(())
        };
        parse_records(bytes, Path::new("some"), &mut see).unwrap();
        places
    };
    // A game over two lines, one in GGF, a wrong one and a position.
    let ggf = "(;GM[Othello]B[f5]\nW[d6];)";
    let start = crate::othello::write_position(crate::othello::Position::START);
    let text = format!("# games\n1. f5 d6\n2. c3 d3\n\n{ggf}\nf5f5\n{start}\n");
    assert_eq!(places(text.as_bytes()), ["line 2", "line 5", "line 7", "line 8"]);
    let wthor = include_bytes!("../../../../../fuzz/corpus/games/ok-wthor");
    assert_eq!(places(wthor), ["game 1", "game 2", "game 3"]);
}

#[test]
fn a_damaged_position_is_not_taken_for_passes() {
    let start = crate::othello::write_position(crate::othello::Position::START);
    for text in [start.replacen('-', "?", 1), start.replace('X', "Y")] {
        let seen = read(format!("{text}\n").as_bytes()).unwrap();
        let [Err(RecordProblem { line: 1, problem })] = &seen[..] else { panic!("{seen:?}") };
        assert!(problem.contains("is none of X (black)"), "{problem}");
    }
    // Long words of a page are none.
    let words = format!("{} f5d6 {}", "a".repeat(80), "https://example.org/box/".repeat(4));
    assert_eq!(read(words.as_bytes()).unwrap().len(), 1);
}
