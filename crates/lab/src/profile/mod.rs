//! Performance profiles (Jaśkowski et al. 2013): how a player does against opponents of every
//! strength. The opponents are random weighted piece counters (WPCs), sorted into bins by their own
//! performance against random WPCs: a [`Database`], made once by [`build`] and kept in a file.

mod bins;
mod build;
mod database;
mod play;
mod recipe;

pub use bins::{Bin, Counts, FEWEST_DOUBLES, Profile, WIDEST_INTERVAL};
pub use build::{BuildError, Built, build, cut, judge, put_together, recipe_key};
pub use database::{Database, DatabaseError, Opponent};
pub use play::{profile, profile_counts, profiles_of};
pub use recipe::{MOST_DOUBLES, MOST_OPPONENTS, Recipe};

/// Bins of equal width over performances from 0 to 1.
pub const BINS: usize = 100;
