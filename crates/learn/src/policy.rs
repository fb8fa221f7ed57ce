//! The axis `policy`: how moves are chosen in fitness games. A layer is a row of the options in
//! `player` and a key here, with a neutral value that turns it off.

use outflank_game::player::{
    BookChoice, MOST_BOOK_MARGIN, MOST_DEPTH, MOST_OPENING, MOST_SOLVE, Policy, Ties,
};
use outflank_kernel::rng::Chance;
use outflank_schema::{BookName, Fault, KeyPath, MAX_NUMBER, fault, table, whole};

table! {
/// The axis `policy`.
pub struct PolicySpec {
    /// Probability of a random move at each turn, for candidates and opponents.
    pub epsilon: f64,
    /// Random plies at the start of a game; only against fixed opponents that would otherwise
    /// repeat the same game.
    pub opening: u64,
    /// Variance of the normal noise added to the value of every move, for candidates and opponents
    /// (Handa 2012).
    pub noise: f64 = 0.0,
    /// Which of several best moves is made, by candidates and by opponents without ties of their
    /// own; also in local learning, and by the champion in probes.
    pub ties: Ties = Ties::Random,
    /// How many moves candidates and opponents without options of their own look ahead, and the
    /// champion in probes: 2 is to the boards after each reply. At 0 and 1 only their own moves are
    /// looked at.
    pub depth: u64 = 0,
    /// Opening book from which candidates and opponents move while the game is in it: a file, or
    /// "small" for the one that comes with the program; empty for none.
    pub book: BookName = BookName(String::new()),
    /// Of how many of the best moves of the book one is drawn.
    pub book_best: usize = 3,
    /// How many discs worse than the best move of the book such a move may be.
    pub book_margin: f64 = MOST_BOOK_MARGIN,
    /// With this many empty squares or fewer, moves of the best exact result (Kim et al. 2007: 4),
    /// for candidates and opponents, and by the champion in probes; 0 is off.
    pub solve: u64 = 0,
}
}

/// No position has more moves.
const MOST_BOOK_MOVES: u64 = 60;

impl PolicySpec {
    pub(super) fn check(&self) -> Result<(), Fault> {
        let at = KeyPath::new("policy");
        at.chance("epsilon", self.epsilon)?;
        at.number("noise", self.noise, 0.0..=MAX_NUMBER)?;
        whole("policy.solve", self.solve, 0..=u64::from(MOST_SOLVE))?;
        whole("policy.depth", self.depth, 0..=u64::from(MOST_DEPTH))?;
        whole("policy.opening", self.opening, 0..=u64::from(MOST_OPENING))?;
        at.whole("book-best", self.book_best, 1..=MOST_BOOK_MOVES)?;
        at.number("book-margin", self.book_margin, 0.0..=MOST_BOOK_MARGIN)?;
        self.book().map(drop)
    }

    /// The book, opened and checked.
    fn book(&self) -> Result<BookChoice, Fault> {
        BookChoice::of(&self.book, self.book_best, self.book_margin).map_err(|error| {
            let expected = format!("an opening book, or small: {error}");
            fault("policy.book", format!("{:?}", &*self.book), expected)
        })
    }

    /// A little randomness and nothing else, for tests.
    pub fn sample() -> PolicySpec {
        PolicySpec {
            epsilon: 0.1,
            opening: 0,
            noise: 0.0,
            ties: Ties::Random,
            depth: 0,
            book: BookName::default(),
            book_best: 3,
            book_margin: MOST_BOOK_MARGIN,
            solve: 0,
        }
    }

    /// The policy of candidates, and of opponents that have none of their own. Random openings are
    /// not part of it; they depend on the opponent. Fails if the book cannot be read.
    pub fn policy(&self) -> Result<Policy, Fault> {
        let epsilon = Chance::new(self.epsilon).unwrap_or(Chance::NEVER);
        Ok(Policy { epsilon, noise: self.noise, ..self.champion()? })
    }

    /// The policy of the champion as it was trained, without random moves and noise; what a book
    /// draws is left. Fails if the book cannot be read.
    pub fn champion(&self) -> Result<Policy, Fault> {
        Ok(Policy { book: self.book()?, ..self.measured() })
    }

    /// The policy of the champion in probes: without what is random.
    pub(super) fn measured(&self) -> Policy {
        let (depth, solve) = (self.depth as u32, self.solve as u32);
        Policy { ties: self.ties, depth, solve, ..Policy::default() }
    }
}
