//! Games into results: the single-game engine, openings, and meetings of two players played on all
//! cores, by the batch kernel wherever it can; and tables of payoffs, rows against columns.

mod distinct;
mod effort;
mod game;
mod meeting;
mod openings;
mod payoff;
mod tally;
mod watch;

pub use distinct::Distinct;
pub use effort::games_at_once;
pub use game::{Playing, Step, Table, play, play_game};
pub use meeting::{Arena, Keep, Meeting, PlayedGame, Results};
pub use openings::{Openings, OpeningsError};
pub use payoff::{Bout, Cell, Fixtures, Kept, Payoff, Plan};
pub use tally::Tally;
pub use watch::{After, News, RunNews, Stopped, Unwatched, Watch};
