//! The contests of a study: matches, tournaments and profiles. Each is kept in a file with what it
//! depends on, and played again only if that changed.

mod leads;
mod profiles;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use outflank_arena::{After, Arena, Meeting, News, Openings, Tally, Watch};
use outflank_game::player::{Colour, Player, Policy, parse_player};
use outflank_kernel::rng::{Chance, Seed};
use outflank_lab::{Member, Round, Team, play_round_by};
use outflank_study::{
    Best, CaseResults, Contest, ContestTeam, Counts, Evidence, FigureKind, Ledger, MatchSource,
    Meet, TournamentSpec,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Work;
use super::folder::{file_name, put};
use super::pieces::{blocks_of, matches};
use super::sizes::Sizes;
use crate::Error;
use crate::blocks::{Cut, Doing};

/// Plays the contests of a study.
pub struct Contests<'a> {
    pub work: &'a Work,
    pub arena: &'a Arena,
    pub watch: &'a dyn Watch,
    /// Whether cases without any run are left out.
    pub as_is: bool,
    /// Which blocks of them are played here, and where others may be.
    pub shares: &'a Shares,
}

/// The part of this process in the contests of a study.
pub struct Shares {
    /// Games of a block.
    pub block_games: u64,
    /// Folders of the study: blocks are written to the first, and read from all.
    pub homes: Vec<PathBuf>,
    /// What is played here.
    pub wanted: Wanted,
    /// The blocks that were needed and are nowhere, by contest.
    pub missing: RefCell<Vec<(String, Vec<u64>)>>,
}

/// What is played here.
pub enum Wanted {
    /// All that is missing.
    All,
    /// Nothing: others did it.
    Nothing,
    /// These blocks, by contest; nothing is put together.
    These(BTreeMap<String, BTreeSet<u64>>),
}

/// What was found, or the blocks that are missing for it.
type Found<T> = Result<T, Vec<u64>>;

impl Shares {
    /// All contests, in one folder.
    pub fn all(home: &Path, block_games: u64) -> Shares {
        let (homes, missing) = (vec![home.into()], RefCell::default());
        Shares { block_games, homes, wanted: Wanted::All, missing }
    }

    fn doing(&self, contest: &str) -> Doing {
        match &self.wanted {
            Wanted::All => Doing::All,
            Wanted::Nothing => Doing::Nothing,
            Wanted::These(blocks) => match blocks.get(contest) {
                Some(numbers) => Doing::Some(numbers.clone()),
                None => Doing::Nothing,
            },
        }
    }

    /// Says whether a contest is none of this process's business.
    fn skips(&self, contest: &str) -> bool {
        matches!(&self.wanted, Wanted::These(blocks) if !blocks.contains_key(contest))
    }

    fn puts_together(&self) -> bool {
        !matches!(self.wanted, Wanted::These(_))
    }

    fn cut(&self, contest: &str, key: &str, of: u64) -> Cut {
        let places = self.homes.iter().map(|home| blocks_of(home, contest)).collect();
        let doing = self.doing(contest);
        Cut { name: contest.into(), key: key.into(), of, places, doing }
    }
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

/// The file of a contest in the folder of its study, by its kind and name.
pub fn file_of(folder: &Path, contest: &str) -> PathBuf {
    let (kind, name) = contest.split_once(' ').unwrap_or((contest, ""));
    folder.join("contests").join(format!("{kind}-{}.json", file_name(name)))
}

/// Changes whenever the same players would play other games.
const VERSION: &str = "1";

/// The seed of all contests; champions do not depend on it.
pub const SEED: Seed = Seed(1);

impl Contests<'_> {
    /// Plays what has not been played; `done` counts games for the watch.
    /// Its ledger says what was played elsewhere, and is told what is played now.
    pub fn play(
        &self,
        evidence: &mut Evidence,
        ledger: &mut Ledger,
        done: &mut u64,
    ) -> Result<(), Error> {
        for wanted in matches(&self.work.design) {
            let counts = self.one_match(&wanted, ledger, *done)?;
            *done += wanted.games;
            self.watch.tell(News::Done(*done));
            evidence.matches.extend(counts.map(|counts| (wanted, counts)));
        }
        self.opponents_alone()?;
        for spec in &self.work.design.file.tournament {
            self.excuse(evidence, "tournament", &spec.name, &spec.cases);
            if let Some(contest) = self.tournament(spec, evidence, ledger, done)? {
                let mut left_out = self.work.design.teams(&spec.cases);
                left_out.retain(|case| contest.teams.iter().all(|team| team.case != *case));
                evidence.left_out.insert(spec.name.clone(), left_out);
                evidence.tournaments.insert(spec.name.clone(), contest);
            }
        }
        for spec in self.work.design.file.figure.iter().filter(|one| one.of == FigureKind::Leads) {
            self.excuse(evidence, "leads", &spec.name, &spec.cases);
            if let Some(games) = self.leads(spec, evidence, ledger)? {
                evidence.leads.insert(spec.name.clone(), games);
            }
        }
        for spec in &self.work.design.file.profile {
            self.excuse(evidence, "profile", &spec.name, &spec.cases);
            if let Some(profiles) = self.profiles(spec, evidence, ledger, done)? {
                evidence.profiles.insert(spec.name.clone(), profiles);
            }
        }
        Ok(())
    }

    /// Notes why a contest would not be held: a case is damaged, or its champions are not here.
    fn excuse(&self, evidence: &mut Evidence, kind: &str, name: &str, cases: &[String]) {
        let teams = self.work.design.teams(cases);
        let damaged = teams.iter().find_map(|team| evidence.damaged.get(team)).cloned();
        let absent = || {
            let cases = teams.iter().filter_map(|team| evidence.cases.get(team));
            let absent = cases.into_iter().find(|case| !case.recorded.is_empty())?;
            Some(format!(
                "it needs the champions of {}, but only the ledger tells of seeds {}; train them \
                 here without a ledger",
                absent.name,
                outflank_report::seeds(&absent.recorded)
            ))
        };
        let problem = damaged.or_else(absent);
        evidence.not_held.extend(problem.map(|problem| (format!("{kind} {name}"), problem)));
    }

    fn sizes(&self) -> Sizes<'_> {
        Sizes { design: &self.work.design, block_games: self.shares.block_games }
    }

    /// What was found before, or now; none if it is not known and cannot be found here.
    fn kept<T: Serialize + DeserializeOwned>(
        &self,
        [kind, name, key]: [&str; 3],
        blocks: u64,
        ledger: &mut Ledger,
        is_possible: bool,
        find: impl FnOnce(&Cut) -> Result<Found<T>, Error>,
    ) -> Result<Option<T>, Error> {
        let full_name = format!("{kind} {name}");
        if self.shares.skips(&full_name) {
            return Ok(None);
        }
        let path = file_of(self.work.folder.path(), &full_name);
        let key = blake3::hash(format!("{VERSION} {key}").as_bytes()).to_hex().to_string();
        let checksum = |found: &T| {
            let text = serde_json::to_string(found).expect("contests are plain data");
            blake3::hash(text.as_bytes()).to_hex().to_string()
        };
        let read = |path: &Path| {
            let text = fs::read_to_string(path).ok()?;
            let kept = serde_json::from_str::<Kept<T>>(&text).ok()?;
            (kept.key == key && kept.checksum == checksum(&kept.found)).then_some(kept.found)
        };
        let enter = |ledger: &mut Ledger, found: &T| {
            let value = serde_json::to_value(found).expect("contests are plain data");
            ledger.enter_contest(&full_name, &key, value);
        };
        let write = |found: T| -> Result<T, Error> {
            let kept = Kept { key: key.clone(), checksum: checksum(&found), found };
            let text = serde_json::to_string(&kept).expect("contests are plain data");
            put(&path, &text)?;
            Ok(kept.found)
        };
        let cut = self.shares.cut(&full_name, &key, blocks);
        if let Some(found) = read(&path) {
            if self.shares.puts_together() {
                cut.sweep();
            }
            enter(ledger, &found);
            return Ok(Some(found));
        }
        let mut homes = self.shares.homes.iter();
        let elsewhere = homes.find_map(|home| read(&file_of(home, &full_name)));
        if let Some(found) = elsewhere {
            enter(ledger, &found);
            return match self.shares.puts_together() {
                true => write(found).map(Some),
                false => Ok(Some(found)),
            };
        }
        let recorded = ledger.contest(&full_name, &key).map(T::deserialize);
        if let Some(Ok(found)) = recorded {
            return Ok(Some(found));
        }
        if !is_possible {
            return Ok(None);
        }
        self.watch.tell(News::Part(&full_name));
        match find(&cut)? {
            Err(missing) => {
                self.shares.missing.borrow_mut().push((full_name, missing));
                Ok(None)
            }
            Ok(_) if !self.shares.puts_together() => Ok(None),
            Ok(found) => {
                enter(ledger, &found);
                let found = write(found)?;
                cut.sweep();
                Ok(Some(found))
            }
        }
    }

    fn one_match(
        &self,
        wanted: &MatchSource,
        ledger: &mut Ledger,
        done: u64,
    ) -> Result<Option<Counts>, Error> {
        let name = wanted.name();
        let blocks = self.sizes().one_match(wanted).blocks;
        self.kept(["match", &name, &format!("{wanted:?}")], blocks, ledger, true, |cut| {
            let [a, b] = [parse_player(&wanted.player)?, parse_player(&wanted.against)?];
            let (pairs, openings) = (wanted.games / 2, &Openings::Start);
            let meeting =
                Meeting { a: &a, b: &b, pairs, seed: SEED, openings, colour: Colour::Both };
            let played = cut.play(self.arena, &[meeting], &After::new(self.watch, done))?;
            Ok(played.map(|played| counts(&played[0])))
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
        ledger: &mut Ledger,
        done: &mut u64,
    ) -> Result<Option<Contest>, Error> {
        let Some(cases) = self
            .teams(&spec.cases, evidence)
            .filter(|cases| !cases.is_empty() && cases.len() + spec.players.len() > 1)
        else {
            return Ok(None);
        };
        let factor = factor(self.work, &cases, spec);
        let mut key = format!("{:?} {}", (&spec.doubles, factor), players_key(&cases));
        if spec.meet != Meet::All || spec.epsilon > 0.0 || !spec.players.is_empty() {
            key += &format!(" {:?}", (&spec.players, spec.epsilon, &spec.meet));
        }
        let policies = self.policies(spec, &cases)?;
        if !spec.moves.is_empty() {
            key += &format!(" {policies:?}");
        }
        let (before, about) = (*done, ["tournament", &spec.name, &key]);
        let blocks = self.sizes().tournament(spec).blocks;
        let contest = self.kept(about, blocks, ledger, are_here(&cases), |cut| {
            let teams = entrants(spec, &cases, &policies)?;
            let watch = After::new(self.watch, before);
            // Players beside the cases meet everyone.
            let is_case = |(team, _): Member| team < cases.len();
            let meets = |a: Member, b: Member| {
                spec.meet == Meet::All || a.1 == b.1 || !is_case(a) || !is_case(b)
            };
            let openings = &Openings::Start;
            let round = Round { pairs: spec.doubles, seed: SEED, openings, meets: &meets };
            let table = play_round_by(&teams, &round, |meetings| {
                cut.play(self.arena, meetings, &watch).map_err(Err).and_then(|found| {
                    found.map_err(Ok) // What is missing is not an error yet.
                })
            });
            let table = match table {
                Ok(table) => table,
                Err(Ok(missing)) => return Ok(Err(missing)),
                Err(Err(error)) => return Err(error),
            };
            let row = |(team, members): (&Team, &Vec<Vec<Tally>>)| ContestTeam {
                case: team.name.clone(),
                members: members.iter().map(|row| row.iter().map(counts).collect()).collect(),
            };
            let best = best(&cases, &teams, &table.members);
            let teams = teams.iter().zip(&table.against).map(row).collect();
            Ok(Ok(Contest { teams, factor, best }))
        })?;
        let Some(contest) = contest else { return Ok(None) };
        let games = contest.teams.iter().filter_map(|team| contest.total(&team.case, "").ok());
        *done += games.map(|total| total.games()).sum::<u64>() / 2;
        self.watch.tell(News::Done(*done));
        Ok(Some(contest))
    }

    /// The policies of the champions of these cases.
    fn policies(
        &self,
        spec: &TournamentSpec,
        cases: &[&CaseResults],
    ) -> Result<Vec<Policy>, Error> {
        let policy = |case: &&CaseResults| {
            let own = self.work.design.case(&case.name);
            let policy =
                own.map_or(Ok(Policy::default()), |own| spec.policy(&own.method.spec.policy));
            policy.map_err(|problem| Error::Failed(format!("tournament {}: {problem}", spec.name)))
        };
        cases.iter().map(policy).collect()
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

/// All players of a tournament: the champions of cases, which play by these policies, then the
/// others.
fn entrants(
    spec: &TournamentSpec,
    cases: &[&CaseResults],
    policies: &[Policy],
) -> Result<Vec<Team>, Error> {
    let mut all = teams(cases)?;
    for (team, policy) in all.iter_mut().zip(policies) {
        team.players.iter_mut().for_each(|player| player.policy = policy.clone());
    }
    for name in &spec.players {
        all.push(Team { name: name.to_string(), players: vec![parse_player(name)?] });
    }
    if spec.epsilon > 0.0 {
        let epsilon = Chance::new(spec.epsilon).unwrap_or_default();
        let players = all.iter_mut().flat_map(|team| &mut team.players);
        players.for_each(|player| player.policy.epsilon = epsilon);
    }
    Ok(all)
}

/// Says whether all champions are here to play.
fn are_here(cases: &[&CaseResults]) -> bool {
    cases.iter().all(|case| case.recorded.is_empty())
}

/// The champions, by the content of their files.
fn players_key(cases: &[&CaseResults]) -> String {
    let mut hash = blake3::Hasher::new();
    for case in cases {
        hash.update(case.name.as_bytes());
        for (run, champion) in case.results.runs.iter().zip(&case.champions) {
            hash.update(&run.seed.to_le_bytes());
            hash.update(&run.games.to_le_bytes());
            hash.update(champion.as_bytes());
        }
    }
    hash.finalize().to_hex().to_string()
}

/// Games at full size, as a multiple of those played.
fn factor(work: &Work, cases: &[&CaseResults], spec: &TournamentSpec) -> f64 {
    let full = |case: &&CaseResults| {
        work.design.case(&case.name).map_or(case.runs(), |own| own.full.1) as u64
    };
    let now = |case: &&CaseResults| case.runs() as u64;
    let meetings = |of: &dyn Fn(&&CaseResults) -> u64| {
        spec.meetings(&cases.iter().map(of).collect::<Vec<u64>>()) as f64
    };
    meetings(&full) / meetings(&now).max(1.0)
}

/// The champion with the most points.
fn best(cases: &[&CaseResults], teams: &[Team], members: &[Vec<Tally>]) -> Option<Best> {
    let points = |tally: &Tally| 3 * tally.wins + tally.draws;
    let all = (0..cases.len()).flat_map(|team| (0..members[team].len()).map(move |m| (team, m)));
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
