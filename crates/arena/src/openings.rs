//! Where games start: the usual position, positions from a file, or some random plies. Both games
//! of a pair share the opening.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::engines::Opened;
use outflank_game::othello::{
    Game, GameRecord, Ply, Position, RecordProblem, RecordsError, read_records,
};
use outflank_kernel::rng::{Seed, Stream};

/// Where the games of a meeting start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// The start of the game.
    Start,
    /// Positions in turn, and then again from the first.
    List(Vec<Opening>),
    /// This many uniformly random plies from the start, another draw for every pair.
    Random(u32),
}

/// An opening of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where games start.
    pub start: Position,
    /// The plies that lead there; none if only the position is known.
    pub plies: Option<Vec<Ply>>,
}

impl Opening {
    /// The last position of a game.
    fn of(game: &Game) -> Opening {
        let is_whole = game.start() == Position::START;
        Opening { start: game.position(), plies: is_whole.then(|| game.plies().to_vec()) }
    }
}

/// Why openings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// `random:K` with a bad K.
    #[error("openings {0:?}: expected random:K with K from 0 to {MAX_RANDOM_PLIES}")]
    Plies(String),
    /// The file cannot be read.
    #[error("cannot read openings file {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line holds no opening.
    #[error("openings file {}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A game is over in its last position.
    #[error(
        "openings file {}, game {number}: the game is over in this position; `outflank convert \
         FILE OUT --empties 50` makes openings of whole games",
        path.display()
    )]
    Over {
        /// The file.
        path: PathBuf,
        /// Which game of it, from 1.
        number: usize,
    },
    /// The file is damaged as a whole.
    #[error(transparent)]
    File(RecordsError),
    /// No line holds an opening.
    #[error("openings file {}: no opening in it", .0.display())]
    Empty(PathBuf),
}

impl OpeningsError {
    /// Says whether the command was at fault, not the content of a file.
    pub fn is_usage(&self) -> bool {
        matches!(self, OpeningsError::Plies(_))
    }
}

/// With more, too little of the game would be left.
const MAX_RANDOM_PLIES: u32 = 40;

impl Openings {
    /// Reads `random:K`, or a file of games or positions of any format: transcripts and positions
    /// in lines, GGF, WTHOR and more. Openings are the last positions of the games.
    pub fn parse(text: &str) -> Result<Openings, OpeningsError> {
        match text.strip_prefix("random:") {
            Some(plies) => match plies.parse() {
                Ok(plies) if plies <= MAX_RANDOM_PLIES => Ok(Openings::Random(plies)),
                _ => Err(OpeningsError::Plies(text.into())),
            },
            None => Openings::read(Path::new(text)),
        }
    }

    /// The last positions of the games of a file, whatever its format.
    fn read(path: &Path) -> Result<Openings, OpeningsError> {
        let (mut openings, mut problem, mut number) = (Vec::new(), None, 0);
        let mut see = |_, record: Result<GameRecord, RecordProblem>| {
            number += 1;
            let wrong = match record {
                Ok(record) if record.game.is_over() => {
                    let path = path.into();
                    OpeningsError::Over { path, number }
                }
                Ok(record) => {
                    openings.push(Opening::of(&record.game));
                    return ControlFlow::Continue(());
                }
                Err(RecordProblem { line, problem }) => {
                    OpeningsError::Line { path: path.into(), line, problem }
                }
            };
            problem = Some(wrong);
            ControlFlow::Break(())
        };
        let read = read_records(path, &mut see);
        if let Some(problem) = problem {
            return Err(problem);
        }
        read.map_err(|error| match error {
            RecordsError::Read { path, source } => OpeningsError::Read { path, source },
            other => OpeningsError::File(other),
        })?;
        if openings.is_empty() {
            Err(OpeningsError::Empty(path.into()))
        } else {
            Ok(Openings::List(openings))
        }
    }

    /// Where the games of a pair start.
    pub fn start(&self, pair: u64, seed: Seed) -> Position {
        match self {
            Openings::Start | Openings::Random(0) => Position::START,
            Openings::List(list) => list[(pair % list.len() as u64) as usize].start,
            Openings::Random(plies) => random_opening(*plies, seed, pair).position(),
        }
    }

    /// The same with the moves that lead there, if they are known.
    pub(super) fn opened(&self, pair: u64, seed: Seed) -> Opened {
        let start = self.start(pair, seed);
        let plies = match self {
            Openings::Start | Openings::Random(0) => Some(Vec::new()),
            Openings::List(list) => list[(pair % list.len() as u64) as usize].plies.clone(),
            Openings::Random(plies) => Some(random_opening(*plies, seed, pair).plies().to_vec()),
        };
        Opened { start, plies }
    }

    /// The number of the first opening, from 1, of which only the position is known and not the
    /// moves: engines cannot play it.
    pub fn without_moves(&self) -> Option<usize> {
        let Openings::List(list) = self else { return None };
        list.iter().position(|opening| opening.plies.is_none()).map(|index| index + 1)
    }
}

/// Random plies; draws again in the rare case that the game ends on the way.
fn random_opening(plies: u32, seed: Seed, pair: u64) -> Game {
    let mut rng = seed.at(Stream::Opening, pair).rng();
    loop {
        let mut game = Game::default();
        while (game.plies().len() as u32) < plies && !game.is_over() {
            let moves = game.position().board.moves();
            let at = moves.nth(rng.below(moves.len()));
            game.play(at).expect("a legal move was drawn");
        }
        if !game.is_over() {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::othello::parse_game;

    fn read(content: &str) -> Result<Openings, OpeningsError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        Openings::parse(file.path().to_str().unwrap())
    }

    #[test]
    fn a_file_has_transcripts_and_positions() {
        let start = "---------------------------OX------XO--------------------------- X";
        let content = format!("f5d6c3 % tiger\n\n# none here\n{start}\n{start}; d3:+0;\n");
        let openings = read(&content).unwrap();
        assert_eq!(read("(;B[f5]W[d6]B[c3];)").unwrap(), read("1. f5 d6 2. c3").unwrap());
        let Openings::List(list) = &openings else { panic!("a list") };
        let positions: Vec<Position> = list.iter().map(|opening| opening.start).collect();
        assert_eq!(openings.without_moves(), None);
        assert_eq!(list[0].plies.as_ref().unwrap().len(), 3);
        assert_eq!(positions.len(), 3);
        assert_eq!(positions[2], Position::START);
        assert_eq!(positions[0], parse_game("f5d6c3").unwrap().position());
        assert_eq!(positions[1], Position::START);
        assert_eq!(openings.start(3, Seed(1)), positions[0]);
    }

    #[test]
    fn a_bad_file_names_the_line() {
        let message = |content: &str| read(content).unwrap_err().to_string();
        assert!(
            message("f5d6\nf5f5\n")
                .ends_with("line 2: move 2: White cannot play f5: it is occupied")
        );
        assert!(
            message("f5\ne6f4e3f6g5d6e7f5c5").contains("game 2: the game is over in this position")
        );
        assert!(message("% nothing\n").ends_with("no opening in it"));
        assert!(message(&"-".repeat(63)).contains("line 1: position: 63 squares"));
        for bad in ["random:", "random:x", "random:-1", "random:41"] {
            assert!(Openings::parse(bad).unwrap_err().is_usage(), "{bad}");
        }
        assert!(!Openings::parse("no/such/file").unwrap_err().is_usage());
    }

    #[test]
    fn random_openings_reach_every_position_of_four_plies() {
        let mut reachable = std::collections::HashSet::from([Position::START]);
        for _ in 0..4 {
            let step =
                |from: &Position| from.board.moves().map(|at| from.play(at)).collect::<Vec<_>>();
            reachable = reachable.iter().flat_map(step).collect();
        }
        let openings = Openings::Random(4);
        let starts: Vec<Position> = (0..20_000).map(|pair| openings.start(pair, Seed(1))).collect();
        assert_eq!(starts.iter().copied().collect::<std::collections::HashSet<_>>(), reachable);
        assert_eq!(openings.start(7, Seed(1)), starts[7]);
        assert_ne!(openings.start(7, Seed(2)), starts[7]);
    }
}
