//! Games into results: the single-game engine, openings, and meetings of two players played on all
//! cores, by the batch kernel wherever it can; and tables of payoffs, rows against columns.

mod distinct;
mod game;
mod meeting;
mod openings;
mod payoff;
mod tally;

pub use distinct::Distinct;
pub use game::{Playing, Step, Table, play, play_game};
pub use meeting::{Arena, Meeting, PlayedGame, Results, Watch};
pub use openings::{Openings, OpeningsError};
pub use payoff::{Bout, Cell, Fixtures, Kept, Payoff, Plan, Stopped};
pub use tally::Tally;
