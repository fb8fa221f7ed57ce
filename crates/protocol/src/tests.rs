//! Conversations.

use outflank_game::othello::{Game, GgfGame, Ply, Side, parse_game, write_ggf};
use outflank_game::player::parse_player;
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Rng, Seed, Stream};

use crate::{GTP_COMMANDS, Gtp, LONGEST_LINE, Nboard, Speaks, Table};

fn table(player: &str) -> Table {
    Table::new(Kernel::available()[0], parse_player(player).unwrap(), Seed(1))
}

fn gtp(player: &str) -> Gtp {
    Gtp::new(table(player))
}

/// The answers to lines of text, each without its end.
fn say(engine: &mut dyn Speaks, lines: &str) -> Vec<String> {
    lines.lines().map(|line| engine.answer(line).text.trim_end().to_owned()).collect()
}

/// A game of the first legal moves, which has passes.
fn with_passes() -> Game {
    let mut game = Game::default();
    while let Some(at) = game.position().board.moves().first() {
        game.play(at).unwrap();
    }
    assert!(game.plies().contains(&Ply::Pass));
    game
}

/// The plies with their sides.
fn sides(game: &Game) -> impl Iterator<Item = (Side, Ply)> {
    [Side::Black, Side::White].into_iter().cycle().zip(game.plies().iter().copied())
}

#[test]
fn commands_have_the_answers_of_the_protocol() {
    let mut engine = gtp("heuristic@ties=first");
    for (line, answer) in [
        ("protocol_version", "= 2"),
        ("12 known_command genmove", "=12 true"),
        ("known_command fly", "= false"),
        ("list_games", "= Othello"),
        ("set_game othello", "="),
        ("set_game Go", "? unsupported game"),
        ("boardsize 8", "="),
        ("boardsize 19", "? unacceptable size"),
        ("boardsize", "? boardsize not an integer"),
        ("komi 0.5", "="),
        ("play B f5", "="),
        ("play BLACK d6", "? illegal move: it is White's turn"),
        ("play white f5", "? illegal move: White cannot play f5: it is occupied"),
        ("play white pass", "? illegal move: White cannot pass here"),
        ("play white z9", "? invalid color or coordinate"),
        ("play red d6", "? invalid color or coordinate"),
        ("play d6", "? expected color and move"),
        ("3 PLAY w d6", "?3 unknown command"),
        ("play W D6", "="),
        ("gogui-rules_side_to_move", "= black"),
        ("undo", "="),
        ("gogui-rules_side_to_move", "= white"),
        ("gogui-rules_legal_moves", "= F4 D6 F6"),
        ("gogui-rules_final_result", "= The game is not over"),
        ("final_score", "? cannot score: the game is not over"),
        ("undo", "="),
        ("undo", "? cannot undo"),
        ("4", "?4 unknown command"),
        ("# a comment", ""),
        ("", ""),
        ("\tname\t# a comment", "= Outflank heuristic@ties=first"),
        ("reg_genmove black", "= D3"),
        ("genmove black", "= D3"),
        ("genmove black", "? illegal move: it is White's turn"),
        ("genmove", "? expected color"),
        ("time_settings 60 0 0", "="),
        ("time_settings 60", "? expected main time, byo yomi time and byo yomi stones"),
        ("time_left w 30 0", "="),
        ("time_left 30 0", "? expected color, time and stones"),
    ] {
        assert_eq!(
            say(&mut engine, if line.is_empty() { "\n" } else { line })[0],
            answer,
            "{line}"
        );
    }
    assert_eq!(engine.answer(&"x".repeat(LONGEST_LINE + 1)).text, "? the line is too long\n\n");
    assert!(engine.answer("quit").quits && !engine.answer("name").quits);
}

#[test]
fn what_is_listed_is_known_and_answers_keep_their_form() {
    let mut engine = gtp("lr2006@solve=3");
    for command in GTP_COMMANDS {
        let answer = engine.answer(&format!("5 {command} b"));
        assert_ne!(answer.text, "?5 unknown command\n\n", "{command}");
        let body = answer.text.strip_suffix("\n\n").unwrap();
        assert!(!body.contains("\n\n"), "{command}: {body:?}");
        assert!(body.starts_with("=5") || body.starts_with("?5"), "{command}: {body:?}");
    }
}

#[test]
fn a_board_is_drawn_with_row_1_above_and_for_gogui_below() {
    let mut engine = gtp("random");
    let shown = engine.answer("play b d3").text + &engine.answer("showboard").text;
    assert!(shown.contains("3 . . . X . . . . 3\n4 . . . X X . . . 4\n"), "{shown}");
    assert!(shown.contains("Black X 4, White O 1. White to move"), "{shown}");
    // GoGui's first line is row 8.
    let rows = engine.answer("gogui-rules_board").text;
    let rows: Vec<&str> = rows.trim_start_matches("= ").lines().collect();
    assert_eq!((rows[0], rows[5]), (". . . . . . . .", ". . . X . . . ."));
}

#[test]
fn passes_may_be_said_or_not() {
    let game = with_passes();
    for explicit in [true, false] {
        let mut engine = gtp("random");
        for (side, ply) in sides(&game) {
            let line = match ply {
                Ply::Place(at) => format!("play {side} {at}"),
                Ply::Pass if explicit => format!("play {side} pass"),
                Ply::Pass => continue,
            };
            assert_eq!(say(&mut engine, &line), ["="], "{line}");
        }
        let margin = game.margin(Side::Black);
        let winner = if margin > 0 { "B" } else { "W" };
        assert_eq!(say(&mut engine, "final_score"), [format!("= {winner}+{}", margin.abs())]);
        // Both pass at the end, if the other program wants to.
        assert_eq!(
            say(&mut engine, "genmove b\ngenmove w\nplay b pass"),
            ["= pass", "= pass", "="]
        );
    }
}

#[test]
fn a_side_that_cannot_move_passes_when_asked_and_undo_goes_back_a_command() {
    let game = with_passes();
    let mut engine = gtp("random");
    let mut commands = 0;
    for (side, ply) in sides(&game) {
        match ply {
            Ply::Place(at) => {
                assert_eq!(say(&mut engine, &format!("play {side} {at}")), ["="]);
            }
            Ply::Pass => {
                assert_eq!(say(&mut engine, &format!("genmove {side}")), ["= pass"]);
                let again = say(&mut engine, &format!("play {side} pass"))[0].clone();
                assert!(again.starts_with("? illegal move"), "said twice: {again}");
                // The pass alone is taken back, and can be made again.
                assert_eq!(say(&mut engine, &format!("undo\nplay {side} pass")), ["=", "="]);
            }
        }
        commands += 1;
    }
    for left in (0..commands).rev() {
        assert_eq!(say(&mut engine, "undo"), ["="], "{left}");
    }
    assert_eq!(say(&mut engine, "undo"), ["? cannot undo"]);
    assert_eq!(say(&mut engine, "gogui-rules_legal_moves"), ["= D3 C4 F5 E6"]);
}

#[test]
fn values_are_discs_where_they_are_exact() {
    let mut engine = gtp("lr2006@solve=10");
    let values = engine.answer("outflank-values").text;
    assert!(values.starts_with("= LABEL ") && values.contains('.'), "{values}");
    let game = with_passes();
    let moves: Vec<(Side, Ply)> = sides(&game).collect();
    let last = moves.iter().rposition(|(_, ply)| matches!(ply, Ply::Place(_))).unwrap();
    for (side, ply) in &moves[..last] {
        if let Ply::Place(at) = ply {
            engine.answer(&format!("play {side} {at}"));
        }
    }
    let values = engine.answer("outflank-values").text;
    let Ply::Place(at) = moves[last].1 else { unreachable!() };
    let margin = game.margin(moves[last].0);
    let label = format!("{} {margin:+}", at.to_string().to_uppercase());
    assert!(values.contains(&label) && !values.contains('.'), "{values}: {label}");
    assert_eq!(gtp("random").answer("outflank-values").text, "=\n\n");
}

fn ggf(moves: &str) -> String {
    let game = parse_game(moves).unwrap();
    write_ggf(&GgfGame { game, result: None, properties: vec![] })
}

#[test]
fn nboard_is_given_games_and_asks_for_moves() {
    let mut engine = Nboard::new(table("heuristic@ties=first,depth=2"));
    let mut says = |line: &str| engine.answer(line).text;
    assert_eq!(says("nboard 2"), "set myname heuristic@ties=first,depth=2\n");
    assert!(says("set depth 26").ends_with("status depth 2\n"), "not above its own");
    assert_eq!(says(&format!("set game {}", ggf("f5d6"))), "");
    let go = says("go");
    assert!(go.starts_with("=== ") && go.matches('/').count() == 2, "{go}");
    assert_eq!(says("go")[..6], go[..6], "it does not make the move itself");
    let hints = says("hint 3");
    let hints: Vec<&str> = hints.lines().collect();
    assert_eq!((hints.len(), hints[3]), (4, "status"));
    assert!(hints[..3].iter().all(|line| line.starts_with("search ")), "{hints:?}");
    assert_eq!(hints[0][7..9], go[4..6], "the best move is the one it would make");
    assert_eq!(says("move C3/1.2/3"), "");
    let analysis = says("analyze");
    assert_eq!(analysis.matches("analysis ").count(), 4, "{analysis}");
    assert!(analysis.starts_with("analysis 0 ") && analysis.ends_with("status\n"));
    assert_eq!(says("ping 12"), "pong 12\n");
    assert_eq!(says("move a1"), "status move: White cannot play a1: it turns no disc\n");
    assert!(says("set game (;GM[Go];)").starts_with("status set game: GM[Go] is not Othello"));
    assert_eq!((says("fly"), says("")), (String::new(), String::new()));
    assert!(engine.answer("quit").quits);
}

#[test]
fn nboard_hears_of_passes() {
    let game = with_passes();
    let mut engine = Nboard::new(table("mobility"));
    let mut passes = 0;
    for ply in game.plies() {
        match ply {
            Ply::Place(at) => assert_eq!(engine.answer(&format!("move {at}")).text, ""),
            Ply::Pass => {
                passes += 1;
                assert_eq!(engine.answer("go").text, "=== PA\n");
                assert_eq!(engine.answer("move PA//0.1").text, "");
                assert!(engine.answer("move PA").text.starts_with("status move"));
            }
        }
    }
    assert!(passes > 0 && engine.answer("go").text == "status the game is over\n");
    // A game that is given as a whole may end with a pass, written or not.
    let at = game.plies().iter().position(|ply| *ply == Ply::Pass).unwrap();
    let mut part = Game::default();
    for ply in &game.plies()[..at] {
        if let Ply::Place(at) = ply {
            part.play(*at).unwrap();
        }
    }
    let written = write_ggf(&GgfGame { game: part, result: None, properties: vec![] });
    engine.answer(&format!("set game {written}"));
    assert_ne!(engine.answer("go").text, "=== PA\n");
    let unwritten = written.replace("B[PA]", "").replace("W[PA]", "");
    assert_ne!(written, unwritten);
    engine.answer(&format!("set game {unwritten}"));
    assert_eq!(engine.answer("go").text, "=== PA\n");
}

#[test]
fn a_book_and_the_solver_show_in_hints() {
    let mut engine = Nboard::new(table("lr2006@book=small"));
    let hints = engine.answer("hint 2").text;
    assert!(hints.starts_with("book "), "{hints}");
    let mut engine = Nboard::new(table("lr2006@solve=12"));
    let game = with_passes();
    let moves: Vec<Ply> = game.plies().to_vec();
    let placed = moves.iter().filter(|ply| matches!(ply, Ply::Place(_)));
    for ply in placed.take(50) {
        if let Ply::Place(at) = ply {
            engine.answer(&format!("move {at}"));
        }
    }
    if engine.answer("go").text == "=== PA\n" {
        engine.answer("move PA");
    }
    let hints = engine.answer("hint 20").text;
    assert!(hints.contains("100% exact, in discs"), "{hints}");
    let mut random = Nboard::new(table("random"));
    assert_eq!(random.answer("hint 1").text, "status this player does not value moves\n");
    assert!(random.answer("go").text.contains("//"), "no value");
}

/// Words of both protocols, and some that are of neither.
const WORDS: [&str; 40] = [
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "clear_board",
    "boardsize",
    "8",
    "b",
    "white",
    "pass",
    "f5",
    "D6",
    "c3",
    "d3",
    "h8",
    "a1",
    "i9",
    "showboard",
    "final_score",
    "outflank-values",
    "12",
    "-1",
    "NaN",
    "#",
    "\t",
    "\u{0}",
    "é",
    "set",
    "game",
    "depth",
    "(;GM[Othello]B[f5]W[PA];)",
    "move",
    "hint",
    "go",
    "ping",
    "analyze",
    "PA",
    "f5/1/2",
    "nboard",
    "gogui-rules_board",
];

/// A line of up to four words; mostly one that is understood.
fn line(rng: &mut Rng) -> String {
    let any = |rng: &mut Rng| WORDS[rng.below(WORDS.len() as u32) as usize];
    match rng.below(6) {
        0 => "genmove b".into(),
        1 => "genmove w".into(),
        2 => format!("move {}", any(rng)),
        3 => format!("play {} {}", any(rng), any(rng)),
        _ => (0..=rng.below(4)).map(|_| any(rng)).collect::<Vec<_>>().join(" "),
    }
}

#[test]
fn no_conversation_breaks_the_form_of_answers() {
    let mut rng = Seed(7).at(Stream::Weights, 0).rng();
    for _ in 0..300 {
        let mut engine = gtp("heuristic");
        let mut nboard = Nboard::new(table("heuristic@depth=2"));
        for _ in 0..100 {
            let line = line(&mut rng);
            let said = engine.answer(&line).text;
            if !said.is_empty() {
                let body =
                    said.strip_suffix("\n\n").unwrap_or_else(|| panic!("{line:?}: {said:?}"));
                assert!(
                    !body.contains("\n\n") && body.starts_with(['=', '?']),
                    "{line:?}: {said:?}"
                );
            }
            let said = nboard.answer(&line).text;
            assert!(said.is_empty() || said.ends_with('\n'), "{line:?}: {said:?}");
        }
    }
}
