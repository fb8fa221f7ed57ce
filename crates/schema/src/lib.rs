//! TOML tables that describe themselves: a table's doc comments are the comments of its files, its
//! keys know what they hold, and every mistake in a file is reported with its line and a remedy.
//! Files extend other files, and overrides change files. This crate knows nothing about Othello.

mod fault;
mod keys;
mod nearest;
mod people;
mod place;
mod shape;
mod text;
mod tree;

pub use fault::{Fault, KeyPath, MAX_NUMBER, fault, number, shown, whole};
pub use keys::{
    Again, BookName, FileName, Kind, OriginName, PlayerName, Shape, Shaped, StatisticName, Table,
    TableKey, Word, YardstickName,
};
pub use nearest::{did_you_mean, nearest, one_of};
pub use people::parse_whole;
pub use place::{Lacks, Mistake, Place};
pub use shape::table as read_table;
pub use text::write;
#[doc(hidden)]
pub use toml;
pub use tree::{Item, Node, parse, parse_override};
