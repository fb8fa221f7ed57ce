//! The contests of a study: matches, tournaments and profiles. Each is kept in a file with what it
//! depends on, and played again only if that changed.

use std::fs;
use std::time::Duration;

use outflank_arena::{After, Arena, Meeting, News, Openings, Tally, Watch};
use outflank_game::player::{Colour, Player, parse_player};
use outflank_kernel::rng::Seed;
use outflank_lab::{BuildError, Built, Database, Recipe, Team, build, play_tournament, profile};
use outflank_study::{
    Best, CaseResults, Contest, ContestTeam, Counts, Evidence, MatchSource, ProfileSpec, Profiles,
    TournamentSpec,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Work;
use super::folder::file_name;
use crate::Error;

/// Plays the contests of a study.
pub struct Contests<'a> {
    pub work: &'a Work,
    pub arena: &'a Arena,
    pub watch: &'a dyn Watch,
    /// Whether cases without any run are left out.
    pub as_is: bool,
}

/// A contest in its file.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    /// The hash of all that it depends on.
    key: String,
    /// The hash of what was found.
    checksum: String,
    found: T,
}

/// Changes whenever the same players would play other games.
const VERSION: &str = "1";

/// The seed of all contests; champions do not depend on it.
const SEED: Seed = Seed(1);

/// How many opponents are rated for a profile of a smaller study.
pub fn opponents(full: u64, scale: f64) -> u64 {
    ((full as f64 * scale).ceil() as u64).max(2000).min(full)
}

impl Contests<'_> {
    /// Plays what has not been played; `done` counts games for the watch.
    pub fn play(&self, evidence: &mut Evidence, done: &mut u64) -> Result<(), Error> {
        for wanted in self.work.design.needs().matches {
            if evidence.matches.iter().all(|(known, _)| *known != wanted) {
                let counts = self.one_match(&wanted, *done)?;
                *done += wanted.games;
                self.watch.tell(News::Done(*done));
                evidence.matches.push((wanted, counts));
            }
        }
        for spec in &self.work.design.file.tournament {
            self.excuse(evidence, "tournament", &spec.name, &spec.cases);
            if let Some(contest) = self.tournament(spec, evidence, done)? {
                evidence.tournaments.insert(spec.name.clone(), contest);
            }
        }
        for spec in &self.work.design.file.profile {
            self.excuse(evidence, "profile", &spec.name, &spec.cases);
            if let Some(profiles) = self.profiles(spec, evidence, done)? {
                evidence.profiles.insert(spec.name.clone(), profiles);
            }
        }
        Ok(())
    }

    /// Notes why a contest is not held, if a case of it is damaged.
    fn excuse(&self, evidence: &mut Evidence, kind: &str, name: &str, cases: &[String]) {
        let teams = self.work.design.teams(cases);
        let problem = teams.iter().find_map(|team| evidence.damaged.get(team)).cloned();
        evidence.not_held.extend(problem.map(|problem| (format!("{kind} {name}"), problem)));
    }

    /// What was found before, or now.
    fn kept<T: Serialize + DeserializeOwned>(
        &self,
        kind: &str,
        name: &str,
        key: &str,
        find: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let path =
            self.work.folder.file("contests").join(format!("{kind}-{}.json", file_name(name)));
        let key = blake3::hash(format!("{VERSION} {key}").as_bytes()).to_hex().to_string();
        let known = fs::read_to_string(&path).ok();
        let known = known.and_then(|text| serde_json::from_str::<Kept<T>>(&text).ok());
        let checksum = |found: &T| {
            let text = serde_json::to_string(found).expect("contests are plain data");
            blake3::hash(text.as_bytes()).to_hex().to_string()
        };
        let is_whole = |kept: &Kept<T>| kept.key == key && kept.checksum == checksum(&kept.found);
        if let Some(kept) = known.filter(is_whole) {
            return Ok(kept.found);
        }
        self.watch.tell(News::Part(&format!("{kind} {name}")));
        let found = find()?;
        let kept = Kept { key, checksum: checksum(&found), found };
        let text = serde_json::to_string(&kept).expect("contests are plain data");
        self.work.folder.put(&path, &text)?;
        Ok(kept.found)
    }

    fn one_match(&self, wanted: &MatchSource, done: u64) -> Result<Counts, Error> {
        let name = format!("{}-{}", wanted.player, wanted.against);
        self.kept("match", &name, &format!("{wanted:?}"), || {
            let [a, b] = [parse_player(&wanted.player)?, parse_player(&wanted.against)?];
            let (pairs, openings) = (wanted.games / 2, &Openings::Start);
            let meeting =
                Meeting { a: &a, b: &b, pairs, seed: SEED, openings, colour: Colour::Both };
            let played = self.arena.play(&[meeting], &After::new(self.watch, done));
            let played = played.map_err(|_| Error::Resumable)?;
            Ok(counts(&played[0]))
        })
    }

    /// The teams of cases that have runs; none if a case is damaged, or missing and must be there.
    fn teams<'e>(&self, names: &[String], evidence: &'e Evidence) -> Option<Vec<&'e CaseResults>> {
        let names = self.work.design.teams(names);
        if names.iter().any(|name| evidence.damaged.contains_key(name)) {
            return None;
        }
        let found: Vec<&CaseResults> =
            names.iter().filter_map(|name| evidence.case(name).ok()).collect();
        (found.len() == names.len() || self.as_is).then_some(found)
    }

    fn tournament(
        &self,
        spec: &TournamentSpec,
        evidence: &Evidence,
        done: &mut u64,
    ) -> Result<Option<Contest>, Error> {
        let Some(cases) = self.teams(&spec.cases, evidence).filter(|cases| cases.len() > 1) else {
            return Ok(None);
        };
        let key =
            format!("{:?} {}", (&spec.doubles, factor(self.work, &cases)), players_key(&cases)?);
        let before = *done;
        let contest = self.kept("tournament", &spec.name, &key, || {
            let teams = teams(&cases)?;
            let watch = After::new(self.watch, before);
            let start = &Openings::Start;
            let table = play_tournament(self.arena, &teams, spec.doubles, SEED, start, &watch)
                .map_err(|_| Error::Resumable)?;
            let row = |(case, members): (&&CaseResults, &Vec<Vec<Tally>>)| ContestTeam {
                case: case.name.clone(),
                members: members.iter().map(|row| row.iter().map(counts).collect()).collect(),
            };
            let best = best(&cases, &teams, &table.members);
            let teams = cases.iter().zip(&table.against).map(row).collect();
            Ok(Contest { teams, factor: factor(self.work, &cases), best })
        })?;
        let games = contest.teams.iter().filter_map(|team| contest.total(&team.case, "").ok());
        *done += games.map(|total| total.games()).sum::<u64>() / 2;
        self.watch.tell(News::Done(*done));
        Ok(Some(contest))
    }

    fn profiles(
        &self,
        spec: &ProfileSpec,
        evidence: &Evidence,
        done: &mut u64,
    ) -> Result<Option<Profiles>, Error> {
        let Some(cases) = self.teams(&spec.cases, evidence).filter(|cases| !cases.is_empty())
        else {
            return Ok(None);
        };
        let opponents = opponents(spec.opponents, self.work.design.shrink.scale);
        let recipe = Recipe { seed: SEED.0, opponents, doubles: spec.doubles, cap: None };
        if !recipe.is_sound() {
            let problem = format!("profile {}: the numbers are out of range", spec.name);
            return Err(Error::Usage(problem));
        }
        let key = format!("{recipe:?} {}", players_key(&cases)?);
        let before = *done;
        let profiles = self.kept("profile", &spec.name, &key, || {
            let path = self.work.folder.file(&format!("opponents-{opponents}-{}.db", spec.doubles));
            let watch = After::new(self.watch, before);
            let every = Duration::from_secs(5);
            let built = match build(self.arena, &recipe, &path, every, &watch) {
                // A damaged database is kept aside and made again.
                Err(BuildError::Database(error)) if path.exists() => {
                    let aside = path.with_extension("db.damaged");
                    self.watch.tell(News::Note(&format!("{error}; it is made again")));
                    fs::rename(&path, &aside).map_err(|error| Error::writing(&aside, &error))?;
                    build(self.arena, &recipe, &path, every, &watch)?
                }
                other => other?,
            };
            let database = match built {
                Built::New(database) | Built::AlreadyThere(database) => database,
            };
            let watch = After::new(self.watch, before + recipe.games());
            let found = profile(self.arena, &teams(&cases)?, &database, SEED, &watch)
                .map_err(|_| Error::Resumable)?;
            let cases = cases
                .iter()
                .zip(&found)
                .map(|(case, profile)| (case.name.clone(), profile.bins.clone()));
            Ok(Profiles { opponents, strongest: strongest(&database), cases: cases.collect() })
        })?;
        let players: usize = cases.iter().map(|case| case.runs()).sum();
        *done += recipe.games() + 2 * opponents * players as u64;
        self.watch.tell(News::Done(*done));
        Ok(Some(profiles))
    }
}

fn counts(tally: &Tally) -> Counts {
    Counts { wins: tally.wins, draws: tally.draws, losses: tally.losses }
}

fn teams(cases: &[&CaseResults]) -> Result<Vec<Team>, Error> {
    cases
        .iter()
        .map(|case| Ok(Team { name: case.name.clone(), players: case.results.champions()? }))
        .collect()
}

/// The champions, by the content of their files.
fn players_key(cases: &[&CaseResults]) -> Result<String, Error> {
    let mut hash = blake3::Hasher::new();
    for case in cases {
        hash.update(case.name.as_bytes());
        for run in &case.results.runs {
            hash.update(&run.seed.to_le_bytes());
            hash.update(&run.games.to_le_bytes());
            if !run.is_finished {
                // Its champion depends on the spec, the seed and the games.
                hash.update(case.results.spec.as_bytes());
                continue;
            }
            let path = run.path.join("champion.json");
            let bytes = fs::read(&path).map_err(|error| {
                Error::Failed(format!("cannot read {}: {error}", path.display()))
            })?;
            hash.update(&bytes);
        }
    }
    Ok(hash.finalize().to_hex().to_string())
}

/// Games at full size, as a multiple of those played.
fn factor(work: &Work, cases: &[&CaseResults]) -> f64 {
    let meetings = |sizes: &[usize]| {
        let all: usize = sizes.iter().sum();
        (all * all - sizes.iter().map(|size| size * size).sum::<usize>()) as f64
    };
    let full: Vec<usize> = cases
        .iter()
        .map(|case| work.design.case(&case.name).map_or(case.runs(), |own| own.full.1))
        .collect();
    let now: Vec<usize> = cases.iter().map(|case| case.runs()).collect();
    meetings(&full) / meetings(&now).max(1.0)
}

/// The champion with the most points.
fn best(cases: &[&CaseResults], teams: &[Team], members: &[Vec<Tally>]) -> Option<Best> {
    let points = |tally: &Tally| 3 * tally.wins + tally.draws;
    let all = (0..teams.len()).flat_map(|team| (0..members[team].len()).map(move |m| (team, m)));
    // The first of equals.
    let first = all.reduce(|best, other| {
        let of = |(team, member): (usize, usize)| points(&members[team][member]);
        if of(other) > of(best) { other } else { best }
    });
    let (team, member) = first?;
    let player: &Player = &teams[team].players[member];
    let tally = &members[team][member];
    Some(Best {
        case: cases[team].name.clone(),
        seed: cases[team].results.runs[member].seed,
        points: points(tally),
        games: tally.games(),
        weights: player.squares(),
    })
}

/// The performance of the strongest opponent.
fn strongest(database: &Database) -> f64 {
    let most = database.opponents().iter().map(|opponent| opponent.half_points).max().unwrap_or(0);
    // Two half points for a won game.
    f64::from(most) / (4.0 * database.recipe().doubles as f64)
}
