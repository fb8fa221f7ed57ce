//! Engines in requests: started before any game, and their faults reported at the end.

use outflank_arena::{Openings, Watch};
use outflank_game::engine::{EngineFaults, Trouble};
use outflank_game::player::{Player, parse_entrant};

use crate::Error;

/// Reads a player that only plays games; an engine is started, so that a program that is missing
/// is an error now and not a lost game later.
pub(crate) fn entrant(text: &str, watch: &dyn Watch) -> Result<Player, Error> {
    let player = parse_entrant(text)?;
    if let Some(engine) = player.engine() {
        engine.ready(&|| watch.stop()).map_err(|trouble| match trouble {
            Trouble::Stopped => Error::Stopped,
            Trouble::Fault(fault) => {
                let program = engine.command().words.first().map_or("", String::as_str);
                Error::Failed(format!("cannot start the engine {program:?}: {}", fault.what))
            }
        })?;
    }
    Ok(player)
}

/// Refuses openings of which only the positions are known, if an engine plays: it can only be told
/// moves.
pub(crate) fn check_openings<'a>(
    openings: &Openings,
    players: impl IntoIterator<Item = &'a Player>,
) -> Result<(), Error> {
    let engine = players.into_iter().find(|player| player.engine().is_some());
    match (engine, openings.without_moves()) {
        (Some(engine), Some(number)) => Err(Error::Usage(format!(
            "opening {number} is a position without its moves, and the engine {:?} can only be told \
             moves; write openings as transcripts such as f5d6c3",
            engine.name
        ))),
        _ => Ok(()),
    }
}

/// What went wrong with each engine among the players; none if there is no engine.
pub(crate) fn faults<'a>(players: impl IntoIterator<Item = &'a Player>) -> Vec<EngineFaults> {
    let of = |player: &Player| {
        let engine = player.engine()?;
        let faults = engine.faults();
        Some(EngineFaults {
            player: player.name.clone(),
            engine: engine.title().to_owned(),
            games: faults.iter().map(|count| count.games).sum(),
            faults,
        })
    };
    players.into_iter().filter_map(of).collect()
}
