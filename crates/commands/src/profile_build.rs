//! The opponents of performance profiles.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use outflank_arena::{News, Watch};
use outflank_lab::{Built, Database, Recipe, build, cut, judge, put_together, recipe_key};
use serde::{Deserialize, Serialize};

use crate::profile::DatabaseAnswer;
use crate::{Command, Error, Parts, all_cores, arena};

/// Makes a database of opponents.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProfileBuildRequest {
    /// The file to make.
    pub out: PathBuf,
    /// Random WPCs to rate.
    pub opponents: u64,
    /// Double games of each.
    pub doubles: u64,
    /// Keep only the first N opponents of each bin.
    pub cap: Option<u64>,
    /// Take opponents and games from a database with a larger cap or none.
    pub from: Option<PathBuf>,
    /// Seed of the opponents and of their games.
    pub seed: u64,
    /// Threads; all cores if there is none.
    pub threads: Option<usize>,
    /// Seconds between two times at which unfinished work is saved.
    pub keep_every: f64,
    /// Whether opponents are rated in parts, by several processes.
    pub parts: Parts,
}

impl Default for ProfileBuildRequest {
    /// The sizes of Jaśkowski et al. 2013.
    fn default() -> ProfileBuildRequest {
        ProfileBuildRequest {
            out: PathBuf::new(),
            opponents: 500_000,
            doubles: 1000,
            cap: None,
            from: None,
            seed: 1,
            threads: None,
            keep_every: 5.0,
            parts: Parts::default(),
        }
    }
}

/// What was made.
#[derive(Clone, Debug, Serialize)]
pub struct ProfileBuildAnswer {
    /// How it was made.
    #[serde(flatten)]
    pub database: DatabaseAnswer,
    /// `built`, or `already-there`.
    pub state: &'static str,
    /// Seconds it took.
    pub seconds: f64,
}

impl Command for ProfileBuildRequest {
    type Answer = ProfileBuildAnswer;
    const NAME: &'static str = "profile build";

    fn run(&self, watch: &dyn Watch) -> Result<ProfileBuildAnswer, Error> {
        let began = Instant::now();
        let built = match (&self.from, self.cap) {
            (Some(from), Some(cap)) => cut(&Database::read(from)?, cap, &self.out)?,
            _ => self.play(watch)?,
        };
        let (state, database) = match &built {
            Built::New(database) => ("built", database),
            Built::AlreadyThere(database) => ("already-there", database),
        };
        Ok(ProfileBuildAnswer {
            database: DatabaseAnswer::of(database, Some(&self.out)),
            state,
            seconds: began.elapsed().as_secs_f64(),
        })
    }
}

impl ProfileBuildRequest {
    fn play(&self, watch: &dyn Watch) -> Result<Built, Error> {
        let ProfileBuildRequest { seed, opponents, doubles, cap, .. } = *self;
        let recipe = Recipe { seed, opponents, doubles, cap };
        if !recipe.is_sound() {
            return Err(Error::Usage("the numbers of opponents and games are out of range".into()));
        }
        let keep_every = Duration::try_from_secs_f64(self.keep_every).map_err(|_| {
            Error::Usage(format!("keep_every = {} is not a number of seconds", self.keep_every))
        })?;
        let arena = arena(self.threads.unwrap_or_else(all_cores))?;
        watch.tell(News::Begins { unit: "games", total: recipe.games() });
        let key = blake3::hash(&recipe_key(&recipe)).to_hex();
        if let Some(cut) = self.parts.cut("profile build", &key)? {
            let points = self.parts.all(&cut, watch, &mut |number| {
                let part = cut.part(recipe.opponents, number);
                judge(&arena, &recipe, part, watch).map_err(|_| Error::Resumable)
            })?;
            return Ok(put_together(&recipe, &points.concat(), &self.out)?);
        }
        Ok(build(&arena, &recipe, &self.out, keep_every, watch)?)
    }
}
