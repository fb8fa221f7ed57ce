//! Why a run cannot begin.

use std::path::PathBuf;

use super::ModelSpec;
use outflank_game::book::BookError;
use outflank_game::player::PlayerError;
use outflank_schema::Fault;

/// A problem with something that a spec names.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// A player in the spec cannot be had.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A file has no games to learn from.
    #[error("local.files: games file {}: {problem}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The weights of a player cannot be used to start from.
    #[error("model.from: {player} {problem}")]
    From {
        /// The player.
        player: String,
        /// Why not.
        problem: String,
    },
    /// An opening book cannot be had.
    #[error(transparent)]
    Book {
        /// Why not.
        #[from]
        problem: BookError,
    },
    /// A value of the spec does not suit the model.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl LearnError {
    /// Says whether the command was wrong, as opposed to the content of a file.
    pub fn is_usage(&self) -> bool {
        match self {
            LearnError::Player(error) => error.is_usage(),
            LearnError::Games { .. } | LearnError::Book { .. } => false,
            LearnError::From { .. } | LearnError::Fault(_) => true,
        }
    }

    /// The parameters of a player cannot be used to start from.
    pub(super) fn from(player: &str, problem: String) -> LearnError {
        LearnError::From { player: player.into(), problem }
    }

    /// The spec has another kind of model than the one asked for.
    pub(super) fn other_model(spec: &ModelSpec, expected: &str) -> LearnError {
        let (key, value) = ("model.kind".into(), format!("{:?}", spec.kind()));
        Fault { key, value, expected: expected.into() }.into()
    }
}
