//! How a player is written on the command line: a name or a file, then `@` and its policy:
//! `heuristic`, `lr2006@epsilon=0.1`, `best.json@noise=0.01,epsilon=0.05`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{
    Brain, NAMED, Player, Policy, PolicyError, Several, read_player_file, stands_for_something,
};
use crate::engine::{Engine, EngineCommand, EngineError};
use outflank_schema::nearest;

/// Why there is no such player.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// Neither a name nor a file.
    #[error("unknown player {name:?}: {}", suggestion(.nearest.as_deref()))]
    Unknown {
        /// The text of the request.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// Its options are not a policy.
    #[error("player {player:?}: {problem}")]
    Policy {
        /// The text of the request.
        player: String,
        /// What is wrong with them.
        problem: PolicyError,
    },
    /// The text names an engine, but is not one.
    #[error("player {player:?}: {problem}")]
    Engine {
        /// The text of the request.
        player: String,
        /// What is wrong with it.
        problem: EngineError,
    },
    /// An engine where results must repeat, or where whole games are not played.
    #[error(
        "player {player:?} is another program, whose moves need not repeat; it can take part in \
         match, tournament and measure"
    )]
    NotHere {
        /// The text of the request.
        player: String,
    },
    /// The name fits several folders.
    #[error(transparent)]
    Several(#[from] Several),
    /// The front of a run has no such player.
    #[error("{name}: {problem}")]
    Front {
        /// The text of the request.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The file cannot be read.
    #[error("cannot read player file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file holds no player.
    #[error("player file {}: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

fn suggestion(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("did you mean {nearest:?}?"),
        None => {
            let names: Vec<&str> = NAMED.iter().map(|named| named.name).collect();
            format!("there is no such file, and the names are {}", names.join(", "))
        }
    }
}

impl PlayerError {
    /// Says whether the command was at fault, not the content of a file.
    pub fn is_usage(&self) -> bool {
        let is_file = matches!(
            self,
            PlayerError::Read { .. }
                | PlayerError::Content { .. }
                | PlayerError::Policy { problem: PolicyError::Book(_), .. }
        );
        !is_file
    }
}

/// Makes the player that a text names, or the engine (`gtp:COMMAND`), for those who only play games
/// and count: what an engine does need not repeat.
pub fn parse_entrant(text: &str) -> Result<Player, PlayerError> {
    if !EngineCommand::is_one(text) {
        return parse_player(text);
    }
    let (command, policy) = EngineCommand::parse(text)
        .map_err(|problem| PlayerError::Engine { player: text.into(), problem })?;
    let brain = Brain::Engine(Arc::new(Engine::new(command)));
    Ok(Player { name: text.replace(char::is_control, "?"), brain, policy })
}

/// Makes the player that a text names; engines are refused, see [`parse_entrant`].
pub fn parse_player(text: &str) -> Result<Player, PlayerError> {
    if EngineCommand::is_one(text) {
        return Err(PlayerError::NotHere { player: text.into() });
    }
    let (name, options) = split_options(text);
    let mut player = match NAMED.iter().find(|named| named.name == name) {
        Some(named) => named.player(),
        None if looks_like_a_file(name) => {
            let file = read_player_file(Path::new(name))?;
            file.player().expect("a file that was read holds a player")
        }
        None => {
            let names = NAMED.iter().map(|named| named.name);
            return Err(PlayerError::Unknown { name: name.into(), nearest: nearest(name, names) });
        }
    };
    if let Some(options) = options {
        player.policy = Policy::parse(options)
            .map_err(|problem| PlayerError::Policy { player: text.into(), problem })?;
    }
    player.name = text.replace(char::is_control, "?");
    Ok(player)
}

/// Splits a player's name from its options after the @. A file may have an @ in its name, before
/// the one that starts the options.
pub fn split_options(text: &str) -> (&str, Option<&str>) {
    if EngineCommand::is_one(text) {
        return EngineCommand::split(text);
    }
    if Path::new(text).exists() {
        return (text, None);
    }
    match text.rsplit_once('@') {
        Some((file, options)) if stands_for_something(Path::new(file)) => (file, Some(options)),
        _ => text.split_once('@').map_or((text, None), |(name, options)| (name, Some(options))),
    }
}

fn looks_like_a_file(name: &str) -> bool {
    let path = Path::new(name);
    path.extension().is_some() || name.contains(['/', '\\']) || stands_for_something(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse_player(text).unwrap_err().to_string()
    }

    #[test]
    fn every_named_player_can_be_asked_for() {
        for named in NAMED {
            assert_eq!(parse_player(named.name).unwrap().name, named.name);
        }
    }

    #[test]
    fn options_set_the_policy() {
        let player = parse_player("heuristic@epsilon=0.1,noise=0.01").unwrap();
        assert_eq!(player.name, "heuristic@epsilon=0.1,noise=0.01");
        assert!((player.policy.epsilon.probability() - 0.1).abs() < 1e-9);
        assert_eq!(player.policy.noise.to_bits(), 0.01f64.to_bits());
    }

    #[test]
    fn mistakes_are_named_and_mended() {
        assert_eq!(message("heuristc"), "unknown player \"heuristc\": did you mean \"heuristic\"?");
        assert!(message("zzz").starts_with("unknown player \"zzz\": there is no such file"));
        assert_eq!(
            message("random@epsilom=0.1"),
            "player \"random@epsilom=0.1\": unknown option \"epsilom\", expected epsilon, noise, \
             opening, ties, depth, book, book-best, book-margin or solve (did you mean epsilon?)"
        );
        for bad in ["1.5", "-0.1", "NaN", "x", ""] {
            assert_eq!(
                message(&format!("random@epsilon={bad}")),
                format!(
                    "player \"random@epsilon={bad}\": epsilon = {bad:?} is not a probability from 0 to 1"
                )
            );
        }
        assert!(
            message("random@noise=-1").ends_with("noise = \"-1\" is not a variance of 0 or more")
        );
        assert!(message("random@").contains("unknown option \"\""));
        assert!(message("random@epsilon=0.1,epsilon=0.2").ends_with("epsilon appears twice"));
        assert!(
            message("random@epsilon=0.1@noise=1").contains("\"0.1@noise=1\" is not a probability")
        );
        assert!(message("missing.json").starts_with("cannot read player file missing.json: "));
    }
}
