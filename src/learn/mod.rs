//! Learning: the six axes, their values, and the one loop that trains a player by any of them.

mod spec;

pub use spec::*;
