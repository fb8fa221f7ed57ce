//! Games of Othello Quest: JSON in which each move is `{"m": "f5"}` and a pass `{"m": "-"}`, with
//! the players, Black first. A file has one game, a list of them, or one after another.

use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::pasted::{Step, play_on};
use super::{GameRecord, RecordPlace, RecordProblem, SeeRecord};
use crate::othello::{Game, Ply};

/// Says whether bytes begin like JSON. `[Black "name"]` does not.
pub(super) fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut letters = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    match letters.next() {
        Some(b'{') => true,
        Some(b'[') => matches!(letters.next(), Some(b'{' | b'[' | b']')),
        _ => false,
    }
}

pub(super) fn parse(bytes: &[u8], see: &mut SeeRecord<'_>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<Value>();
    let (mut line, mut counted) = (1, 0);
    while let Some(value) = values.next() {
        match value {
            Ok(value) => {
                if see_value(&value, line, see).is_break() {
                    return;
                }
                let upto = values.byte_offset().min(bytes.len());
                line += bytes[counted..upto].iter().filter(|byte| **byte == b'\n').count();
                // The next value begins after the end of this line, if it ends here.
                line += usize::from(bytes.get(upto) == Some(&b'\n'));
                counted = (upto + 1).min(bytes.len());
            }
            Err(error) => {
                let problem = format!("not JSON: {error}");
                let line = error.line().max(1);
                let _ = see(RecordPlace::Line(line), Err(RecordProblem { line, problem }));
                return;
            }
        }
    }
}

fn see_value(value: &Value, line: usize, see: &mut SeeRecord<'_>) -> ControlFlow<()> {
    match value {
        Value::Array(games) => games.iter().try_for_each(|game| see_value(game, line, see)),
        game => {
            let game = game_of(game).map_err(|problem| RecordProblem { line, problem });
            see(RecordPlace::Line(line), game)
        }
    }
}

fn game_of(value: &Value) -> Result<GameRecord, String> {
    let moves = moves(value).ok_or("JSON without the moves of a game of Othello Quest")?;
    let mut steps = Vec::new();
    for (index, step) in moves.iter().enumerate() {
        let word = step["m"].as_str().unwrap_or_default();
        steps.push(match word.parse() {
            Ok(at) => Step::Place(at),
            Err(()) if matches!(word, "-" | "--" | "pass") => Step::Pass,
            Err(()) => {
                return Err(format!("move {}: {word:?} is not a square a1 to h8", index + 1));
            }
        });
    }
    let mut game = Game::default();
    play_on(&mut game, &steps)?;
    let mut record = GameRecord::new(game, None);
    let name = |side: usize| {
        let player = &value["players"][side];
        let name = player["name"].as_str().or(player["id"].as_str());
        name.unwrap_or_default().trim().to_owned()
    };
    (record.about.black, record.about.white) = (name(0), name(1));
    Ok(record)
}

/// The list of moves, wherever it stands.
fn moves(value: &Value) -> Option<&Vec<Value>> {
    let is_move = |step: &Value| step.get("m").is_some_and(Value::is_string);
    match value {
        Value::Array(steps) if !steps.is_empty() && steps.iter().all(is_move) => Some(steps),
        Value::Array(values) => values.iter().find_map(moves),
        Value::Object(keys) => match keys.get("moves") {
            Some(Value::Array(none)) if none.is_empty() => Some(none),
            _ => keys.values().find_map(moves),
        },
        _ => None,
    }
}

/// A game as a line of JSON.
pub(super) fn write(record: &GameRecord) -> String {
    let step = |ply: &Ply| match ply {
        Ply::Place(at) => json!({ "m": at.to_string() }),
        Ply::Pass => json!({ "m": "-" }),
    };
    let moves: Vec<Value> = record.game.plies().iter().map(step).collect();
    let player = |name: &str| json!({ "id": name, "name": name });
    let players = [player(&record.about.black), player(&record.about.white)];
    json!({ "players": players, "position": { "moves": moves } }).to_string()
}
