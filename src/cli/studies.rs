//! Studies and runs, as arguments.

use std::path::Path;

use super::Error;
use super::teams::{make_unique, split_name};
use crate::lab::Results;

/// Reads PATH or NAME=PATH, each a study or a run with something to show. Those of the same preset get
/// the names of their folders.
pub fn parse_studies(texts: &[String]) -> Result<Vec<Results>, Error> {
    let split = |text: &'_ String| match split_name(text) {
        Some((name, path)) => (Some(name.to_owned()), path.to_owned()),
        None => (None, text.clone()),
    };
    let (given, paths): (Vec<Option<String>>, Vec<String>) = texts.iter().map(split).unzip();
    let mut studies = Vec::new();
    for path in &paths {
        let study = Results::read(Path::new(path))?;
        let (finished, all) = (study.runs.len(), study.runs.len() + study.unfinished.len());
        if finished == 0 {
            return Err(Error::Failed(format!(
                "{path} has no finished run; `outflank learn` with the same arguments goes on with it"
            )));
        }
        if finished < all {
            eprintln!("{path}: {finished} of {all} runs are finished; the others are left out");
        }
        studies.push(study);
    }
    let mut names: Vec<String> =
        given.into_iter().zip(&studies).map(|(name, s)| name.unwrap_or(s.name.clone())).collect();
    make_unique(&mut names, &paths.iter().map(String::as_str).collect::<Vec<_>>())?;
    for (study, name) in studies.iter_mut().zip(names) {
        study.name = name;
    }
    Ok(studies)
}
