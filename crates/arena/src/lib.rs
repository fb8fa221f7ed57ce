//! Turns games into results: the single-game engine, openings, meetings of two players on all
//! cores, with the batch kernel where possible, and payoff tables of rows against columns.

mod distinct;
mod effort;
mod engines;
mod game;
mod meeting;
mod openings;
mod payoff;
mod plan;
mod share;
mod tally;
mod watch;

pub use distinct::Distinct;
pub use effort::games_at_once;
pub use game::{GameScratch, Playing, Step, play, play_game};
pub use meeting::{Arena, Keep, Meeting, MeetingResults, PlayedGame};
pub use openings::{Openings, OpeningsError};
pub use payoff::{Cell, Fixtures, Payoff};
pub use plan::{Bout, KeptGame, Plan};
pub use tally::Tally;
pub use watch::{After, News, RunNews, Stopped, Unwatched, Watch};
