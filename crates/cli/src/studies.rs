//! Studies and runs, as arguments.

use std::path::Path;

use super::Error;
use super::teams::{finished, make_unique, refuse_same, split_name};
use outflank_lab::Results;

/// Reads PATH or NAME=PATH, each a study or a run with something to show. Those of the same preset get
/// the names of their folders.
pub fn parse_studies(texts: &[String]) -> Result<Vec<Results>, Error> {
    let split = |text: &'_ String| match split_name(text) {
        Some((name, path)) => (Some(name.to_owned()), path.to_owned()),
        None => (None, text.clone()),
    };
    let (given, paths): (Vec<Option<String>>, Vec<String>) = texts.iter().map(split).unzip();
    refuse_same(given.iter().flatten().map(String::as_str))?;
    let mut studies =
        paths.iter().map(|path| finished(Path::new(path))).collect::<Result<Vec<Results>, _>>()?;
    let paths: Vec<_> = studies.iter().map(|study| study.path.to_string_lossy()).collect();
    let mut names: Vec<String> =
        given.into_iter().zip(&studies).map(|(name, s)| name.unwrap_or(s.name.clone())).collect();
    make_unique(&mut names, &paths.iter().map(|path| &**path).collect::<Vec<_>>())?;
    for (study, name) in studies.iter_mut().zip(names) {
        study.name = name;
    }
    Ok(studies)
}
