//! Two players against each other, and how sure the result is.
//!
//! cargo run --release --example 1_match

use outflank::arena::Unwatched;
use outflank::commands::{Command, MatchRequest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Players are named as on the command line: a name, a file or the folder of a run.
    let request = MatchRequest {
        a: "lr2006@epsilon=0.1".into(),
        b: "heuristic@epsilon=0.1".into(),
        games: 20_000,
        ..MatchRequest::default()
    };
    let answer = request.run(&Unwatched)?;
    let [low, high] = answer.interval.map(|share| 100.0 * share);
    println!("{} scores {:.1}% ({low:.1} to {high:.1})", answer.players[0], 100.0 * answer.score);
    Ok(())
}
