use serde_json::json;

use super::*;
use outflank_arena::{News, Unwatched};

#[test]
fn a_request_in_json_has_the_answer_of_the_function() {
    let request = json!({ "a": "heuristic", "b": "random", "games": 100 });
    let answer = answer("match", request, &Unwatched).unwrap();
    let direct = MatchRequest {
        a: "heuristic".into(),
        b: "random".into(),
        games: 100,
        ..MatchRequest::default()
    };
    let direct = direct.run(&Unwatched).unwrap();
    assert_eq!((answer["schema"].as_u64(), answer["command"].as_str()), (Some(1), Some("match")));
    assert_eq!(answer["wins"], direct.wins);
    assert_eq!(answer["interval"], json!(direct.interval));
}

#[test]
fn every_command_says_what_is_wrong_with_a_request() {
    for (command, request, expected) in [
        ("match", json!({ "a": "random", "b": "heuristik" }), "did you mean"),
        ("match", json!({ "a": "random", "b": "random", "games": 7 }), "even"),
        ("match", json!({ "a": "random", "c": "random" }), "unknown field `c`"),
        ("measure", json!({ "players": ["random"], "vs": ["random", "random"] }), "twice"),
        ("tournament", json!({ "players": ["random"] }), "two players"),
        ("compare", json!({ "studies": [], "tail": "up" }), "two-sided"),
        ("learn", json!({ "method": "rsel", "seeds": [] }), "no seeds"),
        ("learn", json!({ "method": "rsell" }), "did you mean"),
        ("perft", json!({ "depth": 61 }), "60"),
        ("solve", json!({ "inputs": [] }), "a position, a game or a file"),
        ("profile", json!({ "teams": ["random-wpc"] }), "has no profile"),
        ("explode", json!({}), "expected one of learn, measure"),
    ] {
        let error = answer(command, request, &Unwatched).unwrap_err();
        assert!(error.is_usage() && error.to_string().contains(expected), "{command}: {error}");
    }
}

/// Records the news, and stops after a number of games.
struct Listener {
    told: std::sync::Mutex<Vec<String>>,
    most: u64,
}

impl Watch for Listener {
    fn tell(&self, news: News<'_>) {
        self.told.lock().unwrap().push(match news {
            News::Done(done) => format!("done {done}"),
            other => format!("{other:?}"),
        });
    }

    fn stop(&self) -> bool {
        let most = format!("done {}", self.most);
        self.told.lock().unwrap().iter().any(|told| *told >= most && told.len() >= most.len())
    }
}

#[test]
fn a_watch_follows_work_and_stops_it() {
    let request = json!({ "players": ["heuristic"], "vs": ["random"], "games": 200, "threads": 1 });
    let listener = Listener { told: Default::default(), most: u64::MAX };
    answer("measure", request.clone(), &listener).unwrap();
    let told = listener.told.into_inner().unwrap();
    assert_eq!(told[0], "Begins { unit: \"games\", total: 200 }");
    assert_eq!(told.last().unwrap(), "done 200");
    let listener = Listener { told: Default::default(), most: 0 };
    let stopped = answer("measure", request, &listener).unwrap_err();
    assert!(matches!(stopped, Error::Stopped), "{stopped}");
}
