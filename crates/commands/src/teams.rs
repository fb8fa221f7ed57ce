//! Players, studies and teams, as requests name them: a player, a study, or a named list of these.

use outflank_store::{RunError, Study};
use std::path::Path;

use crate::Error;
use outflank_arena::{News, Watch};
use outflank_game::player::{Player, Several, find_folder, parse_player, stands_for_something};
use outflank_lab::{Results, Team};

/// Reads teams, each with a name of its own.
pub fn parse_teams(texts: &[&str], watch: &dyn Watch) -> Result<Vec<Team>, Error> {
    let mut teams =
        texts.iter().map(|text| parse_team(text, watch)).collect::<Result<Vec<Team>, _>>()?;
    refuse_same(texts.iter().filter_map(|text| split_name(text)).map(|(name, _)| name))?;
    let mut names: Vec<String> = teams.iter().map(|team| team.name.clone()).collect();
    let paths = texts.iter().map(|text| found(text)).collect::<Result<Vec<String>, _>>()?;
    make_unique(&mut names, &paths.iter().map(String::as_str).collect::<Vec<_>>())?;
    for (team, name) in teams.iter_mut().zip(names) {
        team.name = name;
    }
    Ok(teams)
}

/// PLAYER, STUDY, or NAME=PLAYER|STUDY,... A study stands for the champions of its runs. A player
/// may have several options after its @.
fn parse_team(text: &str, watch: &dyn Watch) -> Result<Team, Error> {
    let Some((name, members)) = split_name(text) else {
        let name = match find_folder(Path::new(text)).map(|path| Study::read(&path)) {
            Ok(Ok(study)) => study.preset().to_owned(),
            _ => text.to_owned(),
        };
        return Ok(Team { name, players: members(text, watch)? });
    };
    let names = split_names(members);
    if name.is_empty() || names.iter().any(String::is_empty) {
        return Err(Error::Usage(format!("team {text:?}: expected NAME=PLAYER|STUDY,...")));
    }
    let mut players = Vec::new();
    for name in &names {
        players.extend(self::members(name, watch)?);
    }
    Ok(Team { name: name.into(), players })
}

/// Splits at commas, but not inside a policy: `a@epsilon=0.1,noise=0.01` is one name.
pub fn split_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for part in text.split(',').map(str::trim) {
        let goes_on = part.contains('=') && !part.contains('@');
        match names.last_mut().filter(|last| goes_on && last.contains('@')) {
            Some(last) => *last = format!("{last},{part}"),
            None => names.push(part.into()),
        }
    }
    names
}

/// The name before `=`, if there is one. An `=` after an @ belongs to an option, and file names may
/// contain one too. A name may contain anything if the text after it names an existing file.
pub fn split_name(text: &str) -> Option<(&str, &str)> {
    if Path::new(text).exists() {
        return None;
    }
    let splits = text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let existing = splits
        .clone()
        .find(|(name, rest)| !name.is_empty() && stands_for_something(Path::new(rest)));
    existing.or_else(|| splits.clone().next().filter(|(name, _)| !name.contains(['@', '/'])))
}

/// Refuses two teams with the same name.
fn refuse_same<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut seen = Vec::new();
    for name in names {
        if seen.contains(&name) {
            return Err(Error::Usage(format!("two teams are called {name:?}")));
        }
        seen.push(name);
    }
    Ok(())
}

/// Makes names unique: a name that several have becomes the name of the folder, or the whole path.
fn make_unique(names: &mut [String], paths: &[&str]) -> Result<(), Error> {
    for (index, path) in paths.iter().enumerate() {
        if paths[..index].contains(path) {
            return Err(Error::Usage(format!("{path} is named twice")));
        }
    }
    let folder = |path: &str| {
        Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy().into_owned())
    };
    for other in [folder, |path: &str| path.to_owned()] {
        let before = names.to_vec();
        for (index, name) in names.iter_mut().enumerate() {
            if before.iter().filter(|other| *other == name).count() > 1 {
                *name = other(paths[index]);
            }
        }
    }
    Ok(())
}

/// Reads a player, or the champions of the finished runs of a study.
pub fn members(name: &str, watch: &dyn Watch) -> Result<Vec<Player>, Error> {
    let path = find_folder(Path::new(name))?;
    if !path.is_dir() || matches!(Study::read(&path), Err(RunError::NoStudy { .. })) {
        return Ok(vec![parse_player(name)?]);
    }
    Ok(finished(&path, watch)?.champions()?)
}

/// The folder that a text names, if it is a study or a run.
fn found(text: &str) -> Result<String, Several> {
    Ok(find_folder(Path::new(text))?.to_string_lossy().into_owned())
}

/// Reads a study or run with at least one finished run, and says how many are left out.
fn finished(path: &Path, watch: &dyn Watch) -> Result<Results, Error> {
    let study = Results::read_telling(path, &mut |note: &str| watch.tell(News::Note(note)))?;
    let (finished, all) = (study.runs.len(), study.runs.len() + study.unfinished.len());
    let path = study.path.display();
    if finished == 0 {
        return Err(Error::Failed(format!(
            "{path} has no finished run; `outflank learn` with the same arguments continues it"
        )));
    }
    if finished < all {
        let note =
            format!("{path}: {finished} of {all} runs are finished; the others are left out");
        watch.tell(News::Note(&note));
    }
    Ok(study)
}

/// Reads PATH or NAME=PATH, each a study or a run with a finished run. Studies with the same preset
/// get the names of their folders.
pub fn parse_studies(texts: &[String], watch: &dyn Watch) -> Result<Vec<Results>, Error> {
    let split = |text: &'_ String| match split_name(text) {
        Some((name, path)) => (Some(name.to_owned()), path.to_owned()),
        None => (None, text.clone()),
    };
    let (given, paths): (Vec<Option<String>>, Vec<String>) = texts.iter().map(split).unzip();
    refuse_same(given.iter().flatten().map(String::as_str))?;
    let mut studies = paths
        .iter()
        .map(|path| finished(Path::new(path), watch))
        .collect::<Result<Vec<Results>, _>>()?;
    let paths: Vec<_> = studies.iter().map(|study| study.path.to_string_lossy()).collect();
    let mut names: Vec<String> =
        given.into_iter().zip(&studies).map(|(name, s)| name.unwrap_or(s.name.clone())).collect();
    make_unique(&mut names, &paths.iter().map(|path| &**path).collect::<Vec<_>>())?;
    for (study, name) in studies.iter_mut().zip(names) {
        study.name = name;
    }
    Ok(studies)
}
