//! Laws that always hold: the same games with every kernel and number of threads, the same bytes
//! for the same seed, known rates, and readers that survive any file.

mod base_rates;
mod books;
mod fuzz_corpus;
mod grid;
mod learning;
mod models;
mod same_games;
mod signature;
mod training;
