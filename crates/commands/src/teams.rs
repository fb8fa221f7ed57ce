//! Players, studies and teams, as requests name them: a player, a study, or a named list of these.

use std::path::Path;

use outflank_store::{FinishedRun, RunError, StandingRun, Study};
use serde::Serialize;

use crate::Error;
use crate::engines::entrant;
use outflank_arena::{News, Watch};
use outflank_game::engine::EngineCommand;
use outflank_game::player::{
    Player, PlayerError, Policy, Several, find_folder, parse_player, read_player_file,
    run_of_member, split_options, stands_for_something,
};
use outflank_lab::{Results, Team};
use outflank_learn::label;

/// Players, and which of them come from runs that are not finished.
#[derive(Clone, Debug, Default)]
pub struct Members {
    /// The players.
    pub players: Vec<Player>,
    /// Runs that are taken as they stand.
    pub unfinished: Vec<Unfinished>,
}

/// A run that is not finished and taken as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unfinished {
    /// Its folder.
    pub run: String,
    /// Training games at its last probe.
    pub games: u64,
}

impl Unfinished {
    /// The unfinished runs among the results of studies.
    pub fn among(studies: &[Results]) -> Vec<Unfinished> {
        let standing = studies.iter().flat_map(Results::standing);
        let unfinished = |run: &outflank_lab::RunResult| Unfinished {
            run: run.path.to_string_lossy().into_owned(),
            games: run.games,
        };
        standing.map(unfinished).collect()
    }
}

/// Reads teams, each with a name of its own, and says which runs are not finished.
pub fn parse_teams(
    texts: &[&str],
    watch: &dyn Watch,
) -> Result<(Vec<Team>, Vec<Unfinished>), Error> {
    let mut unfinished = Vec::new();
    let mut team = |text: &&str| parse_team(text, &mut unfinished, watch);
    let mut teams = texts.iter().map(&mut team).collect::<Result<Vec<Team>, _>>()?;
    refuse_same(texts.iter().filter_map(|text| split_name(text)).map(|(name, _)| name))?;
    let mut names: Vec<String> = teams.iter().map(|team| team.name.clone()).collect();
    let paths = texts.iter().map(|text| found(text)).collect::<Result<Vec<String>, _>>()?;
    make_unique(&mut names, &paths.iter().map(String::as_str).collect::<Vec<_>>())?;
    for (team, name) in teams.iter_mut().zip(names) {
        team.name = name;
    }
    Ok((teams, unfinished))
}

/// PLAYER, STUDY, or NAME=PLAYER|STUDY,... A study stands for the champions of its runs. A player
/// may have several options after its @.
fn parse_team(
    text: &str,
    unfinished: &mut Vec<Unfinished>,
    watch: &dyn Watch,
) -> Result<Team, Error> {
    let mut players = |name: &str| -> Result<Vec<Player>, Error> {
        let members = members(name, None, watch)?;
        unfinished.extend(members.unfinished);
        Ok(members.players)
    };
    let Some((name, members)) = split_name(text) else {
        let name = match find_folder(Path::new(text)).map(|path| Study::read(&path)) {
            Ok(Ok(study)) => label(study.preset(), study.spec()),
            _ => text.to_owned(),
        };
        return Ok(Team { name, players: players(text)? });
    };
    let names = split_names(members);
    if name.is_empty() || names.iter().any(String::is_empty) {
        return Err(Error::Usage(format!("team {text:?}: expected NAME=PLAYER|STUDY,...")));
    }
    let mut all = Vec::new();
    for name in &names {
        all.extend(players(name)?);
    }
    Ok(Team { name: name.into(), players: all })
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
    // The command of an engine may have any number of them.
    if Path::new(text).exists() || EngineCommand::is_one(text) {
        return None;
    }
    let engine = text.split_once('=').filter(|(_, rest)| EngineCommand::is_one(rest));
    if engine.is_some() {
        return engine;
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

/// Reads a player, or the champions of the runs of a study. With `at`, runs are taken at their last
/// probe due at this number of games or before.
pub fn members(name: &str, at: Option<u64>, watch: &dyn Watch) -> Result<Members, Error> {
    if at.is_none() && EngineCommand::is_one(name) {
        return Ok(Members { players: vec![entrant(name, watch)?], unfinished: Vec::new() });
    }
    let path = find_folder(Path::new(name))?;
    if path.is_dir() && !matches!(Study::read(&path), Err(RunError::NoStudy { .. })) {
        let study = as_it_stands(&path, at, watch)?;
        let players = study.champions()?;
        return Ok(Members { players, unfinished: Unfinished::among(&[study]) });
    }
    let (base, options) = split_options(name);
    if let Some(run) = run_of_member(Path::new(base)) {
        return member_of_front(name, base, &run, at, watch);
    }
    let run = find_folder(Path::new(base))?;
    let is_run = FinishedRun::is_begun(&run);
    if at.is_some() && !is_run {
        let problem =
            format!("{name} is neither a run nor a study, so it has no earlier champions");
        return Err(Error::Usage(problem));
    }
    let alone = |player: Player| Members { players: vec![player], unfinished: Vec::new() };
    if at.is_none() && !StandingRun::is_there(&run) {
        return Ok(alone(parse_player(name)?));
    }
    let results = Results::read_at(&run, at, &mut |note: &str| watch.tell(News::Note(note)))?;
    let Some(taken) = results.runs.first() else {
        // Without a probe there is still the champion of its last checkpoint.
        return match at {
            None => Ok(alone(parse_player(name)?)),
            Some(_) => Err(no_probe(&run)),
        };
    };
    let mut player = taken.champion()?;
    if let Some(options) = options {
        player.policy = Policy::parse(options)
            .map_err(|problem| PlayerError::Policy { player: name.into(), problem })?;
    }
    player.name = name.replace(char::is_control, "?");
    tell_unfinished(&results, watch);
    tell_moment(&results, at, watch);
    Ok(Members { players: vec![player], unfinished: Unfinished::among(&[results]) })
}

/// A player of the front of a run, of an unfinished one as it stands at its last checkpoint.
fn member_of_front(
    name: &str,
    base: &str,
    run: &Path,
    at: Option<u64>,
    watch: &dyn Watch,
) -> Result<Members, Error> {
    if at.is_some() {
        let problem =
            format!("{name} is a player of a front, and only the last front of a run is kept");
        return Err(Error::Usage(problem));
    }
    let player = parse_player(name)?;
    let mut members = Members { players: vec![player], unfinished: Vec::new() };
    if StandingRun::is_there(run) {
        let file = read_player_file(Path::new(base))?;
        let games = file.provenance.get("games").and_then(|games| games.as_u64()).unwrap_or(0);
        let (shown, at) = (run.display(), thousands(games));
        let note = format!("{shown} is unfinished, its front is taken as it stands at {at} games");
        watch.tell(News::Note(&note));
        members.unfinished.push(Unfinished { run: run.to_string_lossy().into_owned(), games });
    }
    Ok(members)
}

/// The folder that a text names, if it is a study or a run.
fn found(text: &str) -> Result<String, Several> {
    Ok(find_folder(Path::new(text))?.to_string_lossy().into_owned())
}

/// Reads a study or run with at least one probe, and says which runs are not finished.
pub(crate) fn as_it_stands(
    path: &Path,
    at: Option<u64>,
    watch: &dyn Watch,
) -> Result<Results, Error> {
    let study = Results::read_at(path, at, &mut |note: &str| watch.tell(News::Note(note)))?;
    if study.runs.is_empty() {
        return Err(no_probe(&study.path));
    }
    tell_unfinished(&study, watch);
    tell_moment(&study, at, watch);
    Ok(study)
}

fn no_probe(path: &Path) -> Error {
    Error::NotYet(format!(
        "{} has no probe yet; `outflank learn` or `outflank study` with the same arguments \
         continues it",
        path.display()
    ))
}

/// Says at which probe finished runs are taken, if not at their end.
fn tell_moment(study: &Results, at: Option<u64>, watch: &dyn Watch) {
    if at.is_none() {
        return;
    }
    let games = || study.runs.iter().filter(|run| run.is_finished).map(|run| run.games);
    let (Some(least), Some(most)) = (games().min(), games().max()) else { return };
    let (path, range) = (study.path.display(), range(least, most));
    watch.tell(News::Note(&format!("{path} is taken at its probe at {range} games")));
}

/// Numbers from the least to the most, or the only one.
fn range(least: u64, most: u64) -> String {
    match least == most {
        true => thousands(least),
        false => format!("{} to {}", thousands(least), thousands(most)),
    }
}

/// Says which runs are taken as they stand, and which are left out.
fn tell_unfinished(study: &Results, watch: &dyn Watch) {
    let path = study.path.display();
    let (taken, left_out) = (study.runs.len(), study.left_out.len());
    let all = taken + left_out;
    let games = || study.standing().map(|run| run.games);
    if let (Some(least), Some(most)) = (games().min(), games().max()) {
        let range = range(least, most);
        let note = match (games().count(), all) {
            (1, 1) => format!("{path} is unfinished, taken as it stands at {range} games"),
            (1, all) => format!(
                "{path}: 1 of {all} runs is unfinished, taken as it stands at {range} games"
            ),
            (standing, all) => format!(
                "{path}: {standing} of {all} runs are unfinished, taken as they stand at {range} \
                 games"
            ),
        };
        watch.tell(News::Note(&note));
    }
    if left_out > 0 {
        let rest =
            if left_out == 1 { "has no probe yet and is" } else { "have no probe yet and are" };
        let note = format!("{path}: {left_out} of {all} runs {rest} left out");
        watch.tell(News::Note(&note));
    }
}

/// A number with commas between groups of three digits.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The cases in the folder of a study file that have begun, by name; none if it is no such folder.
fn cases_in(folder: &Path) -> Option<Vec<(String, String)>> {
    if !folder.join("plan.json").is_file() {
        return None;
    }
    let entries = std::fs::read_dir(folder.join("cases")).ok()?.flatten();
    let mut cases: Vec<(String, String)> = entries
        .filter(|entry| entry.path().join("study.json").is_file())
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, entry.path().to_string_lossy().into_owned())
        })
        .collect();
    cases.sort();
    (!cases.is_empty()).then_some(cases)
}

/// Those of the cases in a folder that were measured; says which are left out.
fn begun(
    folder: &Path,
    cases: Vec<(String, String)>,
    watch: &dyn Watch,
) -> Result<Vec<(String, String)>, Error> {
    let (mut begun, mut left_out) = (Vec::new(), Vec::new());
    for (case, path) in cases {
        match Results::read(Path::new(&path))?.runs.is_empty() {
            false => begun.push((case, path)),
            true => left_out.push(case),
        }
    }
    if begun.is_empty() {
        return Err(no_probe(folder));
    }
    if !left_out.is_empty() {
        let rest = match left_out.len() {
            1 => "has no probe yet and is",
            _ => "have no probe yet and are",
        };
        let note = format!("{}: {} {rest} left out", folder.display(), left_out.join(", "));
        watch.tell(News::Note(&note));
    }
    Ok(begun)
}

/// Names of players and studies, with those of its cases in place of the folder of a study file.
pub fn with_cases(names: &[String], watch: &dyn Watch) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for name in names {
        match cases_in(Path::new(name)) {
            Some(cases) => {
                let begun = begun(Path::new(name), cases, watch)?;
                all.extend(begun.into_iter().map(|(_, path)| path));
            }
            None => all.push(name.clone()),
        }
    }
    Ok(all)
}

/// Reads PATH or NAME=PATH, each a study or a run with a probe. Studies have the names of
/// their presets and what differs from them; those with the same name get that of their folders.
/// With `at`, runs are taken at their last probe due at this number of games or before.
pub fn parse_studies(
    texts: &[String],
    at: Option<u64>,
    watch: &dyn Watch,
) -> Result<Vec<Results>, Error> {
    let split = |text: &'_ String| match split_name(text) {
        Some((name, path)) => (Some(name.to_owned()), path.to_owned()),
        None => (None, text.clone()),
    };
    let mut named = Vec::new();
    for (name, path) in texts.iter().map(split) {
        match cases_in(Path::new(&path)) {
            // The folder of a study file stands for its cases, under the names of their folders.
            Some(cases) if name.is_none() => {
                let begun = begun(Path::new(&path), cases, watch)?;
                named.extend(begun.into_iter().map(|(case, path)| (Some(case), path)));
            }
            _ => named.push((name, path)),
        }
    }
    let (given, paths): (Vec<Option<String>>, Vec<String>) = named.into_iter().unzip();
    refuse_same(given.iter().flatten().map(String::as_str))?;
    let mut studies = paths
        .iter()
        .map(|path| as_it_stands(Path::new(path), at, watch))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }
}
