//! The contests of a study: matches, tournaments and profiles. Each is kept in a file with what it
//! depends on, and played again only if that changed.

use std::fs;
use std::time::Duration;

use outflank_arena::{After, Arena, GameScratch, Meeting, News, Openings, Tally, Watch, play_game};
use outflank_game::othello::{Game, Position, Square, write_game};
use outflank_game::player::{Colour, Player, Policy, parse_player};
use outflank_kernel::rng::{Chance, Seed, Stream};
use outflank_lab::{
    AnalyseError, Analyst, BuildError, Built, Database, Member, Recipe, Round, Team, build, leads,
    play_round, profile,
};
use outflank_study::{
    Best, CaseResults, Contest, ContestTeam, Counts, Evidence, FigureKind, FigureSpec, LedGame,
    Ledger, MatchSource, Meet, ProfileSpec, Profiles, TournamentSpec,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Work;
use super::folder::{file_name, put};
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
    /// Its ledger says what was played elsewhere, and is told what is played now.
    pub fn play(
        &self,
        evidence: &mut Evidence,
        ledger: &mut Ledger,
        done: &mut u64,
    ) -> Result<(), Error> {
        for wanted in self.work.design.needs().matches {
            if evidence.matches.iter().all(|(known, _)| *known != wanted) {
                let counts = self.one_match(&wanted, ledger, *done)?;
                *done += wanted.games;
                self.watch.tell(News::Done(*done));
                evidence.matches.push((wanted, counts));
            }
        }
        for spec in &self.work.design.file.tournament {
            self.excuse(evidence, "tournament", &spec.name, &spec.cases);
            if let Some(contest) = self.tournament(spec, evidence, ledger, done)? {
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

    /// What was found before, or now; none if it is not known and cannot be found here.
    fn kept<T: Serialize + DeserializeOwned>(
        &self,
        [kind, name, key]: [&str; 3],
        ledger: &mut Ledger,
        is_possible: bool,
        find: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let path =
            self.work.folder.file("contests").join(format!("{kind}-{}.json", file_name(name)));
        let full_name = format!("{kind} {name}");
        let key = blake3::hash(format!("{VERSION} {key}").as_bytes()).to_hex().to_string();
        let known = fs::read_to_string(&path).ok();
        let known = known.and_then(|text| serde_json::from_str::<Kept<T>>(&text).ok());
        let checksum = |found: &T| {
            let text = serde_json::to_string(found).expect("contests are plain data");
            blake3::hash(text.as_bytes()).to_hex().to_string()
        };
        let is_whole = |kept: &Kept<T>| kept.key == key && kept.checksum == checksum(&kept.found);
        let enter = |ledger: &mut Ledger, found: &T| {
            let value = serde_json::to_value(found).expect("contests are plain data");
            ledger.enter_contest(&full_name, &key, value);
        };
        if let Some(kept) = known.filter(is_whole) {
            enter(ledger, &kept.found);
            return Ok(Some(kept.found));
        }
        let recorded = ledger.contest(&full_name, &key).map(T::deserialize);
        if let Some(Ok(found)) = recorded {
            return Ok(Some(found));
        }
        if !is_possible {
            return Ok(None);
        }
        self.watch.tell(News::Part(&full_name));
        let found = find()?;
        enter(ledger, &found);
        let kept = Kept { key, checksum: checksum(&found), found };
        let text = serde_json::to_string(&kept).expect("contests are plain data");
        put(&path, &text)?;
        Ok(Some(kept.found))
    }

    fn one_match(
        &self,
        wanted: &MatchSource,
        ledger: &mut Ledger,
        done: u64,
    ) -> Result<Counts, Error> {
        let name = format!("{}-{}", wanted.player, wanted.against);
        let counts = self.kept(["match", &name, &format!("{wanted:?}")], ledger, true, || {
            let [a, b] = [parse_player(&wanted.player)?, parse_player(&wanted.against)?];
            let (pairs, openings) = (wanted.games / 2, &Openings::Start);
            let meeting =
                Meeting { a: &a, b: &b, pairs, seed: SEED, openings, colour: Colour::Both };
            let played = self.arena.play(&[meeting], &After::new(self.watch, done));
            let played = played.map_err(|_| Error::Resumable)?;
            Ok(counts(&played[0]))
        })?;
        Ok(counts.expect("given players can always meet"))
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
        let contest = self.kept(about, ledger, are_here(&cases), || {
            let teams = entrants(spec, &cases, &policies)?;
            let watch = After::new(self.watch, before);
            // Players beside the cases meet everyone.
            let is_case = |(team, _): Member| team < cases.len();
            let meets = |a: Member, b: Member| {
                spec.meet == Meet::All || a.1 == b.1 || !is_case(a) || !is_case(b)
            };
            let openings = &Openings::Start;
            let round = Round { pairs: spec.doubles, seed: SEED, openings, meets: &meets };
            let table =
                play_round(self.arena, &teams, &round, &watch).map_err(|_| Error::Resumable)?;
            let row = |(team, members): (&Team, &Vec<Vec<Tally>>)| ContestTeam {
                case: team.name.clone(),
                members: members.iter().map(|row| row.iter().map(counts).collect()).collect(),
            };
            let best = best(&cases, &teams, &table.members);
            let teams = teams.iter().zip(&table.against).map(row).collect();
            Ok(Contest { teams, factor, best })
        })?;
        let Some(contest) = contest else { return Ok(None) };
        let games = contest.teams.iter().filter_map(|team| contest.total(&team.case, "").ok());
        *done += games.map(|total| total.games()).sum::<u64>() / 2;
        self.watch.tell(News::Done(*done));
        Ok(Some(contest))
    }

    /// Games of the champions of two cases with the same seed, one each, and who leads in them.
    fn leads(
        &self,
        spec: &FigureSpec,
        evidence: &Evidence,
        ledger: &mut Ledger,
    ) -> Result<Option<Vec<LedGame>>, Error> {
        let tournaments = &self.work.design.file.tournament;
        let tournament = tournaments.iter().find(|one| one.name == spec.tournament);
        let (Some(tournament), Some(cases)) = (tournament, self.teams(&spec.cases, evidence))
        else {
            return Ok(None);
        };
        let &[black, white] = cases.as_slice() else { return Ok(None) };
        let policies = self.policies(tournament, &cases)?;
        let about = (&policies, tournament.epsilon, &spec.judge);
        let key = format!("{about:?} {}", players_key(&cases));
        self.kept(["leads", &spec.name, &key], ledger, are_here(&cases), || {
            let alone = TournamentSpec { players: Vec::new(), ..tournament.clone() };
            let teams = entrants(&alone, &cases, &policies)?;
            let judge = parse_player(&spec.judge)?;
            let analyst = Analyst {
                kernel: self.arena.kernel(),
                player: &judge,
                depth: judge.policy.depth.max(1),
                solve: judge.policy.solve,
            };
            let mut games = Vec::new();
            for (row, run) in black.results.runs.iter().enumerate() {
                let same = white.results.runs.iter().position(|other| other.seed == run.seed);
                let Some(column) = same else { continue };
                let players = [&teams[0].players[row], &teams[1].players[column]];
                let key = SEED.at(Stream::Game, run.seed);
                let (mut scratch, start) = (GameScratch::default(), Position::START);
                play_game(self.arena.kernel(), players, start, key, &mut scratch);
                let mut game = Game::default();
                for at in scratch.moves.iter().filter_map(|at| Square::new(usize::from(*at))) {
                    game.play(at).expect("players make legal moves");
                }
                let judged = analyst.judge(&game, self.watch, &mut || ());
                let judged = judged.map_err(|error| match error {
                    AnalyseError::Stopped(_) => Error::Resumable,
                    AnalyseError::Memory(problem) => Error::Failed(problem),
                })?;
                let (seed, game) = (run.seed, write_game(game.plies()));
                games.push(LedGame { seed, game, leads: leads(&judged) });
            }
            Ok(games)
        })
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

    fn profiles(
        &self,
        spec: &ProfileSpec,
        evidence: &Evidence,
        ledger: &mut Ledger,
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
        let key = format!("{recipe:?} {}", players_key(&cases));
        let (before, about) = (*done, ["profile", &spec.name, &key]);
        let profiles = self.kept(about, ledger, are_here(&cases), || {
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
        Ok(profiles)
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

/// The performance of the strongest opponent.
fn strongest(database: &Database) -> f64 {
    let most = database.opponents().iter().map(|opponent| opponent.half_points).max().unwrap_or(0);
    // Two half points for a won game.
    f64::from(most) / (4.0 * database.recipe().doubles as f64)
}
