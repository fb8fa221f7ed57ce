//! Why a run cannot begin.

use std::path::PathBuf;

use super::ModelSpec;
use outflank_game::player::PlayerError;
use outflank_schema::Fault;

/// What a spec asks for that is not there, or not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A player that the spec names.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A file that holds no games to learn from.
    #[error("local.files: games file {}: {problem}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The weights of a player cannot come first.
    #[error("model.from: {player} {problem}")]
    From {
        /// The player.
        player: String,
        /// Why not.
        problem: String,
    },
    /// Values of the spec that do not go with the model.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl LearnError {
    /// Says whether the command was wrong, and not a file's content.
    pub fn is_usage(&self) -> bool {
        match self {
            LearnError::Player(error) => error.is_usage(),
            LearnError::Games { .. } => false,
            LearnError::From { .. } | LearnError::Fault(_) => true,
        }
    }

    /// Models of one type were asked of the spec of another.
    pub(super) fn other_model(spec: &ModelSpec, expected: &str) -> LearnError {
        let (key, value) = ("model.kind".into(), format!("{:?}", spec.kind()));
        Fault { key, value, expected: expected.into() }.into()
    }
}
