//! Where games start: the usual position, positions from a file, or some random plies. Both games
//! of a pair share the opening.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::engines::Opened;
use outflank_game::othello::{Game, NotationError, Ply, Position, parse_game, parse_obf};
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
/// A larger file is not a list of openings.
const MAX_BYTES: u64 = 64 << 20;

impl Openings {
    /// Reads `random:K`, or a file with a transcript or a position in every line. Blank lines and
    /// text after `%` or `#` are ignored.
    pub fn parse(text: &str) -> Result<Openings, OpeningsError> {
        match text.strip_prefix("random:") {
            Some(plies) => match plies.parse() {
                Ok(plies) if plies <= MAX_RANDOM_PLIES => Ok(Openings::Random(plies)),
                _ => Err(OpeningsError::Plies(text.into())),
            },
            None => Openings::read(Path::new(text)),
        }
    }

    fn read(path: &Path) -> Result<Openings, OpeningsError> {
        let text =
            read_text(path).map_err(|source| OpeningsError::Read { path: path.into(), source })?;
        let mut openings = Vec::new();
        // Some editors start a file with a byte order mark.
        for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.split(['%', '#']).next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let wrong = |problem: String| {
                Err(OpeningsError::Line { path: path.into(), line: number + 1, problem })
            };
            let opening = match parse_opening(line) {
                Ok(opening) => opening,
                Err(problem) => return wrong(problem.to_string()),
            };
            if opening.start.board.is_over() {
                return wrong("the game is over in this position".into());
            }
            openings.push(opening);
        }
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

fn read_text(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let read = std::fs::File::open(path)?.take(MAX_BYTES + 1).read_to_string(&mut text)?;
    if read as u64 > MAX_BYTES {
        let message = format!("larger than {} MiB", MAX_BYTES >> 20);
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}

/// A transcript has a digit in second place, a position (or a line of an OBF file) never.
fn parse_opening(line: &str) -> Result<Opening, NotationError> {
    if line.chars().nth(1).is_some_and(|letter| letter.is_ascii_digit()) {
        let game = parse_game(line)?;
        return Ok(Opening { start: game.position(), plies: Some(game.plies().to_vec()) });
    }
    let obf = parse_obf(line)?;
    let start = obf.map_or(Position::START, |obf| obf.position);
    Ok(Opening { start, plies: (start == Position::START).then(Vec::new) })
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
            message("e6f4e3f6g5d6e7f5c5").ends_with("line 1: the game is over in this position")
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
