use serde_json::{Value, json};

use outflank_arena::Unwatched;

use crate::{Error, answer};

fn ask(command: &str, request: Value) -> Value {
    answer(command, request, &Unwatched).unwrap_or_else(|error| panic!("{command}: {error}"))
}

fn refusal(command: &str, request: Value) -> String {
    let error: Error = answer(command, request, &Unwatched).unwrap_err();
    assert!(error.is_usage(), "{error}");
    error.to_string()
}

const WIPED: &str = "e6f4e3f6g5d6e7f5c5";

#[test]
fn a_position_has_all_steps_of_its_game() {
    let start = ask("position", json!({}));
    assert_eq!(start["steps"].as_array().unwrap().len(), 1);
    assert_eq!(start["steps"][0]["legal"], json!(["d3", "c4", "f5", "e6"]));
    assert_eq!((&start["over"], &start["start"]), (&json!(false), &Value::Null));
    let game = ask("position", json!({ "game": { "moves": "f5d6c3d3c4" } }));
    assert_eq!((&game["opening"], &game["opening_moves"]), (&json!("Tiger"), &json!(5)));
    let last = &game["steps"][5];
    assert_eq!(
        (&last["at"], &last["by"], &last["side"]),
        (&json!("c4"), &json!("black"), &json!("white"))
    );
    assert_eq!(last["discs"], json!([6, 3]));
    assert!(last["turned"].as_array().unwrap().contains(&json!("d4")));
    let over = ask("position", json!({ "game": { "moves": WIPED } }));
    assert_eq!((&over["over"], &over["margin"]), (&json!(true), &json!(64)));
    assert_eq!(over["steps"][9]["side"], Value::Null);
}

#[test]
fn passes_are_told_and_not_written() {
    // After a1 White has a disc on b8 and no move; Black takes it by c8.
    let empty = "-".repeat(8);
    let centre = "---XX---";
    let rows = ["-OX-----", &empty, &empty, centre, centre, &empty, &empty, "XO------"];
    let board = format!("{} X", rows.concat());
    let answer = ask("position", json!({ "game": { "start": board, "moves": "a1" } }));
    let last = &answer["steps"][1];
    assert_eq!((&last["passed"], &last["side"]), (&json!("white"), &json!("black")));
    assert_eq!((&last["legal"], &answer["moves"]), (&json!(["c8"]), &json!("a1")));
    let end = ask("position", json!({ "game": { "start": board, "moves": "a1c8" } }));
    assert_eq!((&end["over"], &end["margin"]), (&json!(true), &json!(64)));
    let hole = json!({ "start": board.replace("XX", "X-") });
    assert!(refusal("position", json!({ "game": hole })).contains("e4 is empty"));
}

#[test]
fn a_game_with_a_wrong_move_is_taken_up_to_it_if_asked() {
    let game = json!({ "moves": "f5d6a1c3" });
    assert!(refusal("position", json!({ "game": game })).contains("move 3: Black cannot play a1"));
    let taken = ask("position", json!({ "game": game, "as_far": true }));
    assert_eq!(taken["moves"], "f5d6");
    assert!(taken["problem"].as_str().unwrap().contains("move 3: Black cannot play a1"));
    let taken = ask("position", json!({ "game": { "moves": "f5?!" }, "as_far": true }));
    assert_eq!(
        (taken["moves"].as_str(), taken["steps"].as_array().unwrap().len()),
        (Some("f5"), 2)
    );
    let rubbish = json!({ "start": "hello", "moves": "f5" });
    let taken = ask("position", json!({ "game": rubbish, "as_far": true }));
    assert_eq!((&taken["moves"], &taken["start"]), (&json!(""), &Value::Null));
    assert!(taken["problem"].as_str().unwrap().starts_with("start: "));
    let fine = ask("position", json!({ "game": { "moves": "f5d6" }, "as_far": true }));
    assert_eq!(fine.get("problem"), None);
    let pasted = ask("position", json!({ "text": "1. f5 d6 2. f8 c3", "as_far": true }));
    assert_eq!(pasted["moves"], "f5d6");
    assert!(pasted["problem"].as_str().unwrap().contains("f8"));
    assert!(
        refusal("position", json!({ "text": "hello world", "as_far": true })).contains("no game")
    );
}

#[test]
fn a_pasted_text_is_read_and_may_have_several_games() {
    let two = ask("position", json!({ "text": "f5d6c3\nf5f6", "number": 2 }));
    assert_eq!(
        (&two["moves"], &two["games"], &two["format"]),
        (&json!("f5f6"), &json!(2), &json!("game"))
    );
    let ggf =
        ask("position", json!({ "game": { "moves": WIPED }, "black": "a]b", "white": "<b>" }));
    let ggf = ggf["ggf"].as_str().unwrap();
    assert!(ggf.contains("PB[a?b]PW[<b>]RE[+64]"), "{ggf}");
    assert_eq!(ask("position", json!({ "text": ggf }))["moves"], json!(WIPED));
    // A text is never taken for the name of a file.
    assert!(refusal("position", json!({ "text": "Cargo.toml" })).contains("no game"));
    assert!(refusal("position", json!({ "text": "f5d6", "number": 2 })).contains("1 games"));
    assert!(refusal("position", json!({ "game": { "moves": "f5f5" } })).contains("move 2"));
}

#[test]
fn values_are_those_of_the_player_and_exact_at_the_end() {
    let request =
        |depth: u32| json!({ "player": "heuristic", "game": { "moves": "f5" }, "depth": depth });
    let answer = ask("judge", request(1));
    assert_eq!(
        (&answer["side"], &answer["exact"], &answer["limited"]),
        (&json!("white"), &json!(false), &json!(false))
    );
    let at: Vec<&str> =
        answer["moves"].as_array().unwrap().iter().map(|m| m["at"].as_str().unwrap()).collect();
    assert_eq!(at, ["f4", "d6", "f6"]);
    // f6 (0.05) turns e5 (0.01), d6 (0.02) turns d5 (0.01), f4 too; what they gain is twice that of
    // turned discs, beside the rest of the board.
    let value = |index: usize| answer["moves"][index]["value"].as_f64().unwrap();
    assert!(value(2) > value(1) && (value(0) - value(1)).abs() < 1e-6, "{answer}");
    assert_eq!(answer["best"], json!(["f6"]));
    assert_eq!(ask("judge", request(5))["depth"], 5);
    // The end, solved and looked at: the same results.
    let mut late = String::new();
    while late.len() < 100 {
        let request = json!({ "player": "lr2006@epsilon=0.3", "game": { "moves": late } });
        late += ask("choose", request)["move"].as_str().unwrap();
    }
    let game = json!({ "moves": late });
    let solved = ask("judge", json!({ "player": "lr2006", "game": game, "solve": 16 }));
    let looked = ask("judge", json!({ "player": "lr2006", "game": game, "depth": 16 }));
    assert_eq!(solved["exact"], true);
    assert_eq!(looked["exact"], true, "{looked}");
    assert_eq!(solved["moves"], looked["moves"]);
    assert_eq!(solved["best"], looked["best"]);
    let drawn = ask("judge", json!({ "player": "random" }));
    assert_eq!((&drawn["draws"], &drawn["moves"]), (&json!(true), &json!([])));
    assert!(refusal("judge", json!({ "player": "lr2006", "depth": 99 })).contains("1 to 20"));
    assert!(refusal("judge", json!({ "player": "lr2006", "solve": 40 })).contains("0 to 24"));
}

#[test]
fn what_takes_long_is_limited_and_says_so() {
    let deep =
        ask("judge", json!({ "player": "td-greedy", "game": { "moves": "f5d6" }, "depth": 20 }));
    assert_eq!(deep["limited"], true);
    assert!(deep["depth"].as_u64().unwrap() >= 3, "{}", deep["depth"]);
    let request = json!({ "player": "mobility@depth=40", "game": { "moves": "f5d6" } });
    let chosen = ask("choose", request.clone());
    assert_eq!(
        (&chosen["limited"], &chosen["move"]),
        (&json!(true), &ask("choose", request)["move"])
    );
}

#[test]
fn a_player_chooses_as_in_a_game_and_by_its_seed() {
    let request = |seed: u64| json!({ "player": "random", "seed": seed });
    let moves: Vec<Value> =
        (0..40).map(|seed| ask("choose", request(seed))["move"].clone()).collect();
    for at in ["d3", "c4", "f5", "e6"] {
        assert!(moves.contains(&json!(at)), "{at}");
    }
    assert_eq!(moves[7], ask("choose", request(7))["move"]);
    // A player that looks ahead chooses what it does without the bounds of a page.
    let game = json!({ "moves": "f5d6c3d3c4f4" });
    let chosen = ask("choose", json!({ "player": "lr2006@depth=4", "game": game }));
    let judged = ask("judge", json!({ "player": "lr2006", "game": game, "depth": 4 }));
    assert_eq!((&chosen["depth"], &chosen["limited"]), (&json!(4), &json!(false)));
    assert!(judged["best"].as_array().unwrap().contains(&chosen["move"]));
    assert!(
        refusal("choose", json!({ "player": "lr2006", "game": { "moves": WIPED } }))
            .contains("over")
    );
    assert!(refusal("choose", json!({ "player": "lr20006" })).contains("did you mean"));
}

#[test]
fn a_wpc_is_explained_by_weight_times_disc() {
    let game = json!({ "moves": "f5" });
    let answer = ask("explain", json!({ "player": "heuristic", "game": game, "after": "f6" }));
    let squares: Vec<f64> =
        answer["squares"].as_array().unwrap().iter().map(|s| s.as_f64().unwrap()).collect();
    // White's own: f6 (0.05); Black's: f5 (0.02).
    assert!((squares[45] - 0.05).abs() < 1e-6 && (squares[37] + 0.02).abs() < 1e-6, "{squares:?}");
    let sum: f64 = squares.iter().sum();
    assert!((sum - answer["value"].as_f64().unwrap()).abs() < 1e-6);
    assert_eq!((&answer["adds_up"], &answer["side"]), (&json!(true), &json!("white")));
    assert!(
        refusal("explain", json!({ "player": "heuristic", "after": "a1" }))
            .contains("turns no disc")
    );
}

#[test]
fn a_network_is_explained_by_its_nodes() {
    use outflank_game::othello::parse_game;
    use outflank_game::player::{Brain, parse_player};
    let player = parse_player("td-greedy").unwrap();
    let Brain::Model { model, view } = &player.brain else { unreachable!() };
    for moves in ["f5", "f5d6", "f5d6c3d3c4f4f6"] {
        let answer = ask("explain", json!({ "player": "td-greedy", "game": { "moves": moves } }));
        let number = |value: &Value| value.as_f64().unwrap_or(0.0);
        let nodes = answer["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), 20);
        let sum: f64 = nodes.iter().map(|node| number(&node["adds"])).sum();
        let input = number(&answer["value"]);
        assert!((sum + number(&answer["bias"]) - input).abs() < 1e-4, "{moves}: {sum} {input}");
        // The input of the last curve gives the value that the player plays by.
        let position = parse_game(moves).unwrap().position();
        let side = position.side;
        let eyes = if *view == outflank_game::model::View::Mover {
            side
        } else {
            outflank_game::othello::Side::Black
        };
        let sign = if eyes == side { 1.0 } else { -1.0 };
        let expected = model.value(position.seen_by(eyes));
        let curve = player.portrait().unwrap().output;
        let found = curve.at((sign * input) as f32);
        assert!((found - expected).abs() < 1e-3, "{moves}: {found} {expected}");
    }
    let random = ask("explain", json!({ "player": "random" }));
    assert_eq!(random["value"], Value::Null);
}
