//! Outflank: a laboratory for learning to play Othello.
//!
//! # Quick start
//!
//! Every command of the program is a function: a request in, an answer out. Players are named as on
//! the command line.
//!
//! ```
//! use outflank::arena::Unwatched;
//! use outflank::commands::{Command, MatchRequest};
//!
//! let (a, b) = ("lr2006".into(), "random".into());
//! let request = MatchRequest { a, b, games: 1000, ..Default::default() };
//! let answer = request.run(&Unwatched)?;
//! assert!(answer.score > 0.8, "{} scored {}", answer.players[0], answer.score);
//! # Ok::<(), outflank::commands::Error>(())
//! ```
//!
//! A method of learning is a spec: a preset, or a TOML file on top of one. It can be trained in
//! your own loop.
//!
//! ```
//! use outflank::{arena::Arena, kernel::Kernel, learn, model::Wpc, rng::Seed};
//!
//! let spec = learn::resolve("ctdl-hof", &["games=20000".into()])?.spec;
//! let mut run = learn::Run::<Wpc>::new(spec, Seed(1))?;
//! let arena = Arena::new(Kernel::detect()?, 1)?;
//! while !run.is_done() {
//!     learn::step(&mut [&mut run], &arena, &|| false).remove(0)?;
//! }
//! println!("{} games, {} generations", run.games(), run.generation());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/` has five small programs, up to a source of opponents and a model of your own;
//! `docs/extending.md` says how to add every other kind of thing, and `docs/glossary.md` explains
//! the words.
//!
//! # The rooms
//!
//! This crate only names the parts of the program, each a crate of its own. A room uses only rooms
//! before it: [`kernel`] and [`rng`] (engines and random streams), [`schema`] (files that describe
//! themselves), [`othello`], [`model`], [`book`], [`player`] and [`engine`] (the game), [`arena`]
//! (games into results), [`learn`] (methods), [`store`] (runs on disk), [`lab`] (experiments and
//! statistics), [`protocol`] (players for other programs), [`report`] (figures and pages),
//! [`study`] (experiments as data), [`commands`]. ARCHITECTURE.md describes them.
//! `default-features = false` leaves the command line and its dependencies out.
//!
//! # Stability
//!
//! The command line, JSON output, player files and run folders are stable; the library follows the
//! rules of 0.x versions.

pub use outflank_arena as arena;
pub use outflank_commands as commands;
pub use outflank_game::{book, engine, model, othello, player};
pub use outflank_kernel as kernel;
pub use outflank_kernel::rng;
pub use outflank_lab as lab;
pub use outflank_learn as learn;
pub use outflank_protocol as protocol;
pub use outflank_report as report;
pub use outflank_schema as schema;
pub use outflank_store as store;
pub use outflank_study as study;

/// The examples of the documentation are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/extending.md")]
struct Extending;
