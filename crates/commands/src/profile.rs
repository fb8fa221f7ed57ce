//! Players against opponents of every strength.

use std::path::{Path, PathBuf};

use outflank_arena::{News, Watch};
use outflank_kernel::rng::Seed;
use outflank_lab::{Bin, Database, Recipe, Team, profile};
use serde::{Deserialize, Serialize};

use crate::teams::{Unfinished, parse_teams};
use crate::{Command, Error, all_cores, arena};

/// Profiles players or teams.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProfileRequest {
    /// Players, runs, studies, or lists of these.
    pub teams: Vec<String>,
    /// The database of opponents; the one that comes with the program if there is none.
    pub db: Option<PathBuf>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Threads; all cores if there is none.
    pub threads: Option<usize>,
}

impl Default for ProfileRequest {
    fn default() -> ProfileRequest {
        ProfileRequest { teams: Vec::new(), db: None, seed: 1, threads: None }
    }
}

/// The profiles of teams.
#[derive(Clone, Debug, Serialize)]
pub struct ProfileAnswer {
    /// A profile for each team.
    pub results: Vec<ProfileRow>,
    /// Runs that are not finished, taken as they stand.
    pub unfinished: Vec<Unfinished>,
    /// The opponents.
    pub database: DatabaseAnswer,
    /// As in the request.
    pub seed: u64,
    /// The kernel that played.
    pub kernel: String,
    /// Threads that played.
    pub threads: usize,
    /// The same profiles, for drawing.
    #[serde(skip)]
    pub profiles: Vec<outflank_lab::Profile>,
}

/// The profile of a team.
#[derive(Clone, Debug, Serialize)]
pub struct ProfileRow {
    /// Its name.
    pub name: String,
    /// Number of players.
    pub players: usize,
    /// Opponents by their strength.
    pub bins: Vec<BinAnswer>,
}

/// Opponents of about the same strength.
#[derive(Clone, Debug, Serialize)]
pub struct BinAnswer {
    /// The lowest expected utility of an opponent in it.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// Number of opponents.
    pub opponents: u64,
    /// Double games played.
    pub double_games: u64,
    /// The mean result of a double game.
    pub mean: Option<f64>,
    /// Its 95% interval, with double games as the unit.
    pub interval: Option<[f64; 2]>,
    /// Its 95% interval, with players as the unit.
    pub interval_players: Option<[f64; 2]>,
    /// Whether there are too few games to use it.
    pub dropped: bool,
}

/// How a database of opponents was made.
#[derive(Clone, Debug, Serialize)]
pub struct DatabaseAnswer {
    /// Seed of the opponents and their games.
    pub seed: u64,
    /// Random WPCs that were rated.
    pub opponents: u64,
    /// Double games of each.
    pub doubles: u64,
    /// Maximum number of opponents kept in each bin.
    pub cap: Option<u64>,
    /// Opponents that are kept.
    pub kept: usize,
    /// Single games in all.
    pub games: u64,
    /// Its file; none for the one that comes with the program.
    pub file: Option<String>,
}

impl DatabaseAnswer {
    pub(crate) fn of(database: &Database, file: Option<&Path>) -> DatabaseAnswer {
        let Recipe { seed, opponents, doubles, cap } = *database.recipe();
        DatabaseAnswer {
            seed,
            opponents,
            doubles,
            cap,
            kept: database.opponents().len(),
            games: database.recipe().games(),
            file: file.map(|path| path.to_string_lossy().into_owned()),
        }
    }
}

impl Command for ProfileRequest {
    type Answer = ProfileAnswer;
    const NAME: &'static str = "profile";

    fn run(&self, watch: &dyn Watch) -> Result<ProfileAnswer, Error> {
        let teams = self.teams.iter().map(String::as_str).collect::<Vec<_>>();
        let (teams, unfinished) = parse_teams(&teams, watch)?;
        refuse_drawn(&teams)?;
        refuse_engines(&teams)?;
        let database = match &self.db {
            Some(path) => Database::read(path)?,
            None => Database::shipped(),
        };
        let threads = self.threads.unwrap_or_else(all_cores);
        let arena = arena(threads)?;
        let players: usize = teams.iter().map(|team| team.players.len()).sum();
        let total = 2 * (players * database.opponents().len()) as u64;
        watch.tell(News::Begins { unit: "games", total });
        let profiles = profile(&arena, &teams, &database, Seed(self.seed), watch)?;
        let row = |profile: &outflank_lab::Profile| ProfileRow {
            name: profile.name.clone(),
            players: profile.players,
            bins: profile.bins.iter().map(bin).collect(),
        };
        Ok(ProfileAnswer {
            results: profiles.iter().map(row).collect(),
            unfinished,
            database: DatabaseAnswer::of(&database, self.db.as_deref()),
            seed: self.seed,
            kernel: arena.kernel().name().into(),
            threads,
            profiles,
        })
    }
}

fn bin(bin: &Bin) -> BinAnswer {
    BinAnswer {
        low: bin.low,
        high: bin.high,
        opponents: bin.opponents,
        double_games: bin.double_games,
        mean: bin.mean,
        interval: bin.interval,
        interval_players: bin.interval_players,
        dropped: bin.is_dropped(),
    }
}

/// A profile takes more games than an engine plays in a day.
fn refuse_engines(teams: &[Team]) -> Result<(), Error> {
    match teams.iter().flat_map(|team| &team.players).find(|player| player.engine().is_some()) {
        Some(player) => Err(Error::Usage(format!(
            "{} is another program, too slow for the games of a profile; use match, tournament or \
             measure",
            player.name
        ))),
        None => Ok(()),
    }
}

/// A player that is drawn again for every pair of games has no profile.
fn refuse_drawn(teams: &[Team]) -> Result<(), Error> {
    match teams.iter().flat_map(|team| &team.players).find(|player| player.is_drawn()) {
        Some(player) => Err(Error::Usage(format!(
            "{} is a different player in every pair of games, so it has no profile; name a player, a \
             player file or a run",
            player.name
        ))),
        None => Ok(()),
    }
}
