//! The studies that come with the program: one for each paper.

/// The name and the text of each, in the order of the names.
pub const PAPERS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/papers.rs"));
