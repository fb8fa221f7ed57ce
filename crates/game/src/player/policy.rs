//! How scores become moves: the layers of a policy, from a random move down to the best one.
//!
//! An option that a player can have after its @ is a row of [`OPTIONS`]; parsing, printing, help,
//! JSON and what the batch kernel can play are read from there. [`Policy::choose`] chooses a move,
//! for learners too.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{BookChoice, MOST_BOOK_MARGIN, MOST_DEPTH, Noise, Turn, Work};
use crate::othello::{Square, Squares};
use outflank_kernel::Kernel;
use outflank_kernel::rng::Chance;
use outflank_schema::{did_you_mean, nearest, one_of, words};

/// Layers between scores and moves. By default all are off, and the best move is always made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// Probability of a uniformly random legal move instead, at each turn.
    pub epsilon: Chance,
    /// Variance of normal noise added to the value of every candidate move (Handa 2012).
    pub noise: f64,
    /// Number of plies at the start of a game that are random, for both players (Vuurboom 2008).
    pub opening: u32,
    /// Which of several best moves is made.
    pub ties: Ties,
    /// How many moves to look ahead; at 0 and 1 to the boards after its own moves.
    pub depth: u32,
    /// Moves from an opening book, while the game is in it.
    pub book: BookChoice,
    /// With this many empty squares or fewer, a move with the best exact result is made.
    pub solve: u32,
}

words! {
/// Which of several best moves is made. Squares are in the order a1, b1, ... h8.
pub enum Ties {
    /// Any of them, drawn at random.
    Random = "random",
    /// The first in the order of squares, a1 to h8.
    First = "first",
    /// The last in the order of squares, a1 to h8.
    Last = "last",
}
}

#[expect(clippy::derivable_impls, reason = "words of a spec have no default")]
impl Default for Ties {
    fn default() -> Ties {
        Ties::Random
    }
}

impl Ties {
    const ALL: [Ties; 3] = [Ties::Random, Ties::First, Ties::Last];

    /// Its word in a spec or after the @.
    pub fn word(self) -> &'static str {
        match self {
            Ties::Random => "random",
            Ties::First => "first",
            Ties::Last => "last",
        }
    }
}

/// With more, too little of the game would be left.
pub const MOST_OPENING: u32 = 40;

/// With more empty squares, a single move could take minutes.
pub const MOST_SOLVE: u32 = 24;

/// An option of a policy: one layer, with everything about it except its code.
pub struct PolicyOption {
    /// Its name after the @.
    pub name: &'static str,
    /// A player with this option.
    pub example: &'static str,
    /// What it means for the player of the example.
    pub meaning: &'static str,
    /// What a value must be.
    pub expected: &'static str,
    /// Whether it makes games random.
    pub is_chance: bool,
    /// Whether a lane of the batch kernel can have it.
    pub is_laneable: bool,
    set: fn(&mut Policy, &str) -> Option<()>,
    value: fn(&Policy) -> Value,
    is_off: fn(&Policy) -> bool,
}

/// All options, in the order in which they are printed.
pub const OPTIONS: &[PolicyOption] = &[
    PolicyOption {
        name: "epsilon",
        example: "heuristic@epsilon=0.1",
        meaning: "a random move with probability 0.1 at each turn",
        expected: "a probability from 0 to 1",
        is_chance: true,
        is_laneable: true,
        set: |policy, text| {
            policy.epsilon = Chance::new(text.parse().ok()?)?;
            Some(())
        },
        value: |policy| json!(shortest(policy.epsilon)),
        is_off: |policy| policy.epsilon == Chance::NEVER,
    },
    PolicyOption {
        name: "noise",
        example: "lr2006@noise=0.01",
        meaning: "normal noise with variance 0.01 on every move's value",
        expected: "a variance of 0 or more",
        is_chance: true,
        is_laneable: false,
        set: |policy, text| {
            policy.noise = text.parse().ok().filter(|v: &f64| v.is_finite() && *v >= 0.0)?;
            Some(())
        },
        value: |policy| json!(policy.noise),
        is_off: |policy| policy.noise <= 0.0,
    },
    PolicyOption {
        name: "opening",
        example: "positional@opening=4",
        meaning: "the first four plies of a game are random, for both sides",
        expected: "a number of plies from 0 to 40",
        is_chance: true,
        is_laneable: false,
        set: |policy, text| {
            policy.opening = text.parse().ok().filter(|plies| *plies <= MOST_OPENING)?;
            Some(())
        },
        value: |policy| json!(policy.opening),
        is_off: |policy| policy.opening == 0,
    },
    PolicyOption {
        name: "ties",
        example: "positional@ties=first",
        meaning: "of several best moves the first from a1 to h8, not a random one",
        expected: "random, first or last",
        is_chance: false,
        is_laneable: false,
        set: |policy, text| {
            policy.ties = Ties::ALL.into_iter().find(|ties| ties.word() == text)?;
            Some(())
        },
        value: |policy| json!(policy.ties),
        is_off: |policy| policy.ties == Ties::Random,
    },
    PolicyOption {
        name: "depth",
        example: "lr2006@depth=4",
        meaning: "looks four moves ahead; 1 is as far as without it",
        expected: "a number of moves from 0 to 60",
        is_chance: false,
        is_laneable: false,
        set: |policy, text| {
            policy.depth = text.parse().ok().filter(|moves| *moves <= MOST_DEPTH)?;
            Some(())
        },
        value: |policy| json!(policy.depth),
        is_off: |policy| policy.depth == 0,
    },
    PolicyOption {
        name: "book",
        example: "lr2006@book=small",
        meaning: "one of the best three moves of an opening book, while there are any",
        expected: "a book file, or small for the book that comes with the program",
        is_chance: true,
        is_laneable: false,
        set: |policy, text| {
            policy.book.name = Some(text.to_owned());
            (!text.is_empty()).then_some(())
        },
        value: |policy| json!(policy.book.name),
        is_off: |policy| policy.book.is_off(),
    },
    PolicyOption {
        name: "book-best",
        example: "lr2006@book=small,book-best=1",
        meaning: "only the best move of the book, not one of three",
        expected: "a number of moves from 1 to 60",
        is_chance: false,
        is_laneable: false,
        set: |policy, text| {
            policy.book.best = text.parse().ok().filter(|best| (1..=60).contains(best))?;
            Some(())
        },
        value: |policy| json!(policy.book.best),
        is_off: |policy| policy.book.best == BookChoice::default().best,
    },
    PolicyOption {
        name: "book-margin",
        example: "lr2006@book=small,book-margin=2",
        meaning: "only moves of the book that are at most two discs worse than its best",
        expected: "a number of discs from 0 to 128",
        is_chance: false,
        is_laneable: false,
        set: |policy, text| {
            let margin = text.parse().ok();
            policy.book.margin = margin.filter(|m| (0.0..=MOST_BOOK_MARGIN).contains(m))?;
            Some(())
        },
        value: |policy| json!(policy.book.margin),
        is_off: |policy| policy.book.margin >= MOST_BOOK_MARGIN,
    },
    PolicyOption {
        name: "solve",
        example: "lr2006@solve=10",
        meaning: "perfect moves from ten empty squares on",
        expected: "a number of empty squares from 0 to 24",
        is_chance: false,
        is_laneable: false,
        set: |policy, text| {
            policy.solve = text.parse().ok().filter(|empty| *empty <= MOST_SOLVE)?;
            Some(())
        },
        value: |policy| json!(policy.solve),
        is_off: |policy| policy.solve == 0,
    },
];

/// Why options are not a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// There is no such option.
    #[error("unknown option {option:?}, expected {}{}", one_of(&names()), did_you_mean(.nearest.as_deref()))]
    Unknown {
        /// The option.
        option: String,
        /// The most similar option.
        nearest: Option<String>,
    },
    /// Not a value of the option.
    #[error("{option} = {value:?} is not {expected}")]
    Value {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// An option has two values.
    #[error("{option} appears twice")]
    Twice {
        /// The option.
        option: &'static str,
    },
    /// An option of a book without a book.
    #[error("{option} says how a book is used, and there is none; add book=FILE or book=small")]
    NoBook {
        /// The option.
        option: &'static str,
    },
    /// The book cannot be used.
    #[error("{0}")]
    Book(String),
}

/// A move, and how it was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The move.
    pub at: Square,
    /// Whether it was drawn from all legal moves, whatever they are worth.
    pub is_random: bool,
}

/// How a policy values moves.
#[derive(Clone, Debug)]
pub enum Manner {
    /// By their values.
    Greedy,
    /// By their values and noise.
    Noisy(Noise),
}

impl Policy {
    /// Chooses a move with the first layer that applies. `best` returns the moves of the highest
    /// value, judged in the given manner; one of them is made, by default drawn.
    ///
    /// One draw of the game's stream serves a turn (see [`outflank_kernel::rng`]), whatever
    /// chooses: so learners that play with their own weights make the same random moves as players.
    #[inline]
    pub fn choose(
        &self,
        kernel: Kernel,
        turn: &Turn,
        best: impl FnOnce(Manner) -> Squares,
    ) -> Chosen {
        self.choose_by(self.ties, kernel, turn, best)
    }

    /// The same with other ties, for players whose best moves are not equal by chance: to a player
    /// that moves at random all are best.
    #[inline]
    pub(super) fn choose_by(
        &self,
        ties: Ties,
        kernel: Kernel,
        turn: &Turn,
        best: impl FnOnce(Manner) -> Squares,
    ) -> Chosen {
        let of = |moves: Squares, ties: Ties, is_random| {
            // Of one move, as of most that are best, nothing is to be drawn.
            let several = moves.0 & (moves.0 - 1) != 0;
            let at = match ties {
                Ties::Random if several => turn.pick(kernel, moves),
                Ties::Last => Squares(1 << moves.0.ilog2()).nth(0),
                Ties::Random | Ties::First => moves.nth(0),
            };
            Chosen { at, is_random }
        };
        if self.is_random(turn) {
            return of(turn.moves, Ties::Random, true);
        }
        if !self.book.is_off()
            && let Some(moves) = self.book.moves(turn)
        {
            return of(moves, Ties::Random, false);
        }
        if self.solves(turn) {
            return of(perfect(kernel, turn), ties, false);
        }
        // Asked in one place, so that the compiler can put what is asked there.
        let manner =
            if self.noise > 0.0 { Manner::Noisy(Noise::of(self, turn)) } else { Manner::Greedy };
        of(best(manner), ties, false)
    }

    /// Says whether the move of a turn is drawn from all legal ones: by chance or in a random
    /// opening.
    #[inline]
    pub fn is_random(&self, turn: &Turn) -> bool {
        let by_chance = self.epsilon != Chance::NEVER && turn.draw().happens(self.epsilon);
        by_chance || turn.ply < self.opening
    }

    /// Says whether the move of a turn, unless it is random, is found by solving the rest of the
    /// game.
    #[inline]
    pub fn solves(&self, turn: &Turn) -> bool {
        self.solve > 0 && turn.position.board.empty().len() <= self.solve
    }

    /// Says whether options as written after the @ set nothing but ties.
    pub fn sets_only_ties(options: &str) -> bool {
        let name = |option: &str| option.split('=').next().unwrap_or_default().trim().to_owned();
        options.split(',').all(|option| name(option) == "ties")
    }

    /// Reads options as written after the @: `epsilon=0.1,opening=4`.
    pub fn parse(options: &str) -> Result<Policy, PolicyError> {
        let (mut policy, mut given) = (Policy::default(), Vec::new());
        for option in options.split(',') {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let name = name.trim();
            let row = OPTIONS.iter().find(|row| row.name == name).ok_or_else(|| {
                PolicyError::Unknown {
                    option: name.into(),
                    nearest: nearest(name, names().iter().copied()),
                }
            })?;
            let PolicyOption { name: option, expected, .. } = *row;
            (row.set)(&mut policy, value.trim()).ok_or_else(|| PolicyError::Value {
                option,
                value: value.into(),
                expected,
            })?;
            if given.contains(&option) {
                return Err(PolicyError::Twice { option });
            }
            given.push(option);
        }
        if let Some(option) = given.into_iter().find(|given| given.starts_with("book-"))
            && policy.book.is_off()
        {
            return Err(PolicyError::NoBook { option });
        }
        policy.book.open().map_err(|error| PolicyError::Book(error.to_string()))?;
        Ok(policy)
    }

    /// Says whether all layers are off.
    pub fn is_neutral(&self) -> bool {
        self.has_only(|_| false)
    }

    /// Says whether a lane of the batch kernel can have this policy.
    pub fn is_laneable(&self) -> bool {
        self.has_only(|option| option.is_laneable)
    }

    /// Says whether it makes games random.
    pub fn is_chance(&self) -> bool {
        !self.has_only(|option| !option.is_chance)
    }

    /// Says whether all options that are on are of this sort.
    fn has_only(&self, sort: impl Fn(&PolicyOption) -> bool) -> bool {
        OPTIONS.iter().all(|option| sort(option) || (option.is_off)(self))
    }
}

/// The policy as written after a player's name, including the @; empty if all layers are off. It
/// can be read back.
impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = OPTIONS.iter().filter(|option| !(option.is_off)(self));
        for (index, option) in on.enumerate() {
            let sign = if index == 0 { '@' } else { ',' };
            write!(f, "{sign}{}={}", option.name, text((option.value)(self)))?;
        }
        Ok(())
    }
}

/// All options with their values, including those that are off.
impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(OPTIONS.iter().map(|option| (option.name, (option.value)(self))))
    }
}

/// The moves with the best result if both sides play perfectly. Not a part of choosing, which is
/// put where games are played.
#[inline(never)]
fn perfect(kernel: Kernel, turn: &Turn) -> Squares {
    let board = turn.position.board;
    let (moves, nodes) = kernel.perfect_moves(board.own.0, board.opp.0);
    Work::add(Work { nodes, ..Work::default() });
    Squares(moves)
}

fn names() -> Vec<&'static str> {
    OPTIONS.iter().map(|option| option.name).collect()
}

/// A value as written after the name of its option.
fn text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Number(number) => number.as_f64().unwrap_or_default().to_string(),
        other => other.to_string(),
    }
}

/// The probability with the fewest digits that identify this chance.
fn shortest(chance: Chance) -> f64 {
    let exact = chance.probability();
    let rounded = |digits| {
        let scale = 10u64.pow(digits) as f64;
        (exact * scale).round() / scale
    };
    let tells = |probability: &f64| Chance::new(*probability) == Some(chance);
    (0..=10).map(rounded).find(tells).unwrap_or(exact)
}

/// The moves with the highest value. NaN is the lowest value; if all values are NaN, all moves are
/// equal.
#[inline]
pub fn best_of<V: PartialOrd>(moves: Squares, mut value: impl FnMut(Square) -> V) -> Squares {
    let (mut best, mut ties): (Option<V>, Squares) = (None, Squares::NONE);
    for at in moves {
        let value = value(at);
        if best.as_ref().map_or(value.partial_cmp(&value).is_some(), |best| value > *best) {
            (best, ties) = (Some(value), at.set());
        } else if best.as_ref().is_some_and(|best| value == *best) {
            ties = ties | at.set();
        }
    }
    if ties.is_empty() { moves } else { ties }
}

#[cfg(test)]
mod tests;
