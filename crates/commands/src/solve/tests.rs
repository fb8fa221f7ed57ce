use super::*;
use outflank_arena::Unwatched;

/// Fourteen empty squares; the first of the FFO suite.
const ENDGAME: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

fn solve(inputs: &[&str]) -> Result<SolveAnswer, Error> {
    let inputs = inputs.iter().map(ToString::to_string).collect();
    SolveRequest { inputs, ..SolveRequest::default() }.run(&Unwatched)
}

fn refused(inputs: &[&str]) -> (bool, String) {
    let error = solve(inputs).unwrap_err();
    (error.is_usage(), error.to_string())
}

fn file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".obf").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

#[test]
fn a_position_is_solved() {
    let answer = solve(&[ENDGAME]).unwrap();
    let result = &answer.results[0];
    assert_eq!(
        (result.score, result.empties, &result.best[..]),
        (Some(18), 14, &["g8".into()][..])
    );
    let dotted = solve(&[&ENDGAME.replace('-', ".")]).unwrap();
    assert_eq!(dotted.results[0].position, ENDGAME);
    let line = result.line.clone().unwrap();
    assert!(line.starts_with("g8") && result.nodes > 1000 && result.agrees.is_none());
    let outcome =
        SolveRequest { inputs: vec![ENDGAME.into()], outcome: true, ..SolveRequest::default() };
    let answer = outcome.run(&Unwatched).unwrap();
    assert_eq!(answer.results[0].score, Some(1));
    assert!(answer.results[0].best.contains(&"g8".to_string()));
}

#[test]
fn of_a_game_the_last_position_is_solved() {
    // A whole game of first moves, stopped before its end.
    let mut game = outflank_game::othello::Game::default();
    while game.position().board.empty().len() > 8 {
        let at = game.position().board.moves().first().unwrap();
        game.play(at).unwrap();
    }
    let text = outflank_game::othello::write_game(game.plies());
    let result = &solve(&[&text]).unwrap().results[0];
    assert_eq!(result.position, write_position(game.position()));
    let rest = result.line.clone().unwrap().replace("--", "");
    let whole = outflank_game::othello::parse_game(&format!("{text}{rest}")).unwrap();
    assert_eq!(Some(whole.margin(game.position().side)), result.score);
}

#[test]
fn files_are_solved_in_order_and_compared() {
    let lines = [
        "% endgames".to_string(),
        format!("{ENDGAME}; g8:+18; h1:+12;"),
        String::new(),
        format!("{ENDGAME}; +16;"),
        ENDGAME.to_string(),
    ];
    // Few are solved one by one, many side by side.
    for copies in [1, 10] {
        let text = format!("{}\n", lines.join("\n")).repeat(copies);
        let obf = file(&text);
        let name = obf.path().to_str().unwrap();
        let request = SolveRequest {
            inputs: vec![name.into(), ENDGAME.into()],
            threads: Some(2),
            ..SolveRequest::default()
        };
        let answer = request.run(&Unwatched).unwrap();
        let SolveTotal { solved, agree, differ, unsolved, .. } = answer.total;
        let copies = copies as u64;
        assert_eq!((solved, agree, differ, unsolved), (3 * copies + 1, copies, copies, 0));
        let agrees: Vec<Option<bool>> = answer.results.iter().map(|r| r.agrees).take(3).collect();
        assert_eq!(agrees, [Some(true), Some(false), None]);
        assert_eq!(answer.results[1].source, Some(format!("{name}:4")));
        assert_eq!(answer.results.last().unwrap().source, None);
    }
}

#[test]
fn bad_input_is_named_with_its_place() {
    let (usage, message) = refused(&["f5d6x9"]);
    assert!(usage && message.contains("move 3: \"x9\" is not a square"), "{message}");
    let (usage, message) = refused(&["nonsense"]);
    assert!(usage && message.contains("expected 64 squares"), "{message}");
    let (usage, message) = refused(&["e6f4e3f6g5d6e7f5c5"]);
    assert!(usage && message.contains("the game is over, with -64"), "{message}");
    let (usage, message) = refused(&["nowhere.obf"]);
    assert!(!usage && message.contains("cannot read nowhere.obf"), "{message}");
    assert!(refused(&[]).0);

    let start = "---------------------------OX------XO--------------------------- X";
    let cases = [
        (start.replacen("OX", "-X", 1), "d4 is empty"),
        (start.replace('O', "X"), "neither side can move"),
        (start.replacen('-', "?", 1), "square a1 (character 1): '?'"),
        (format!("{start}; a1:+2"), "field 2: Black cannot play a1"),
        (format!("{start}; d3:+1"), "field 2: no game ends with +1"),
        (format!("{start}; d3:+2; e"), "field 3: \"e\" is not a move:score"),
        (start[..64].to_string(), "the side to move is missing"),
        ("x".repeat(70_000), "longer than 65536 bytes"),
        // Elsewhere these are a heading.
        ("a few words".to_string(), "square a1 (character 1): 'a'"),
    ];
    for (line, problem) in cases {
        let obf = file(&format!("% a comment\n{ENDGAME}\n{line}\n"));
        let (usage, message) = refused(&[obf.path().to_str().unwrap()]);
        assert!(!usage && message.contains(", line 3: ") && message.contains(problem), "{message}");
    }
    let (_, message) = refused(&[file("% nothing\n").path().to_str().unwrap()]);
    assert!(message.contains("no position in it"), "{message}");
}

#[test]
fn a_table_that_does_not_fit_is_refused() {
    for bytes in [1 << 45, u64::MAX] {
        let request = SolveRequest {
            inputs: vec![ENDGAME.into()],
            table_bytes: Some(bytes),
            ..SolveRequest::default()
        };
        let error = request.run(&Unwatched).unwrap_err();
        assert!(error.is_usage(), "{error}");
        assert!(error.to_string().contains("choose a smaller --table-size"), "{error}");
    }
}

#[test]
fn time_and_interruptions_end_it_with_what_is_known() {
    let start = "---------------------------OX------XO--------------------------- X";
    let request = SolveRequest {
        inputs: vec![start.into(), ENDGAME.into()],
        max_seconds: Some(0.2),
        table_bytes: Some(1 << 20),
        ..SolveRequest::default()
    };
    let answer = request.run(&Unwatched).unwrap();
    let [unsolved, solved] = &answer.results[..] else { panic!("two results") };
    assert_eq!((unsolved.score, unsolved.bounds), (None, Some([-64, 64])));
    assert_eq!((solved.score, answer.total.unsolved), (Some(18), 1));

    let endless = SolveRequest { max_seconds: None, ..request };
    let began = Instant::now();
    let answer = endless.run(&|| began.elapsed() > Duration::from_millis(200)).unwrap();
    assert!(answer.total.interrupted && answer.results.len() == 1);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let request = SolveRequest { max_seconds: Some(bad), ..endless.clone() };
        assert!(request.run(&Unwatched).unwrap_err().is_usage(), "{bad}");
    }
}
