//! Performance profiles of a study, and the opponents that they need: rated once, kept in a file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use outflank_arena::{After, News, Watch};
use outflank_game::player::Player;
use outflank_lab::{
    BINS, BuildError, Built, Counts as BinCounts, Database, Opponent, Recipe, build, judge,
    profile_counts, profiles_of, put_together, recipe_key,
};
use outflank_study::{Evidence, Ledger, ProfileSpec, Profiles};

use super::{Contests, Found, SEED, Wanted, are_here, players_key, teams};
use crate::Error;
use crate::blocks::Blocks;
use crate::study::folder::put_bytes;
use crate::study::pieces::{OPPONENTS, blocks_of};

impl Contests<'_> {
    /// The profiles of the champions of cases.
    pub(super) fn profiles(
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
        let recipe = self.recipe(spec)?;
        let opponents = recipe.opponents;
        let key = format!("{recipe:?} {}", players_key(&cases));
        let (before, about) = (*done, ["profile", &spec.name, &key]);
        let blocks = self.sizes().profile(spec).blocks;
        let profiles = self.kept(about, blocks, ledger, are_here(&cases), |cut| {
            let database = match self.database(spec, &After::new(self.watch, before))? {
                Ok(database) => database,
                // Without opponents, all of it is missing.
                Err(_) => return Ok(Err((0..blocks).collect())),
            };
            let watch = After::new(self.watch, before + recipe.games());
            let teams = teams(&cases)?;
            let players: Vec<&Player> = teams.iter().flat_map(|team| &team.players).collect();
            let play = &mut |number| {
                let part = cut.part(players.len() as u64, number);
                let own = &players[part.start as usize..part.end as usize];
                let counts = profile_counts(self.arena, own, &database, SEED, &watch);
                let counts = counts.map_err(|_| Error::Resumable)?;
                Ok(counts.iter().map(|bins| bins.to_vec()).collect::<Vec<Vec<[u64; 5]>>>())
            };
            let counts = match cut.blocks(&watch, play)? {
                Blocks::Missing(missing) => return Ok(Err(missing)),
                Blocks::Whole(blocks) => blocks.into_iter().flatten(),
            };
            let whole = |bins: Vec<[u64; 5]>| <[[u64; 5]; BINS]>::try_from(bins).ok();
            let counts: Vec<BinCounts> = counts.filter_map(whole).collect();
            if counts.len() != players.len() {
                return Err(Error::Failed(format!("the blocks of {} do not add up", cut.name)));
            }
            let found = profiles_of(&teams, &counts);
            let cases = cases
                .iter()
                .zip(&found)
                .map(|(case, profile)| (case.name.clone(), profile.bins.clone()));
            Ok(Ok(Profiles { opponents, strongest: strongest(&database), cases: cases.collect() }))
        })?;
        let players: usize = cases.iter().map(|case| case.runs()).sum();
        *done += recipe.games() + 2 * opponents * players as u64;
        self.watch.tell(News::Done(*done));
        Ok(profiles)
    }

    fn recipe(&self, spec: &ProfileSpec) -> Result<Recipe, Error> {
        let recipe = self.sizes().recipe(spec);
        match recipe.is_sound() {
            true => Ok(recipe),
            false => {
                let problem = format!("profile {}: the numbers are out of range", spec.name);
                Err(Error::Usage(problem))
            }
        }
    }

    /// Rates opponents of which only some are wanted here.
    pub(super) fn opponents_alone(&self) -> Result<(), Error> {
        let Wanted::These(blocks) = &self.shares.wanted else { return Ok(()) };
        for spec in &self.work.design.file.profile {
            let recipe = self.recipe(spec)?;
            if blocks.contains_key(&opponents_name(&recipe)) {
                self.watch.tell(News::Part(&opponents_name(&recipe)));
                self.points(spec, &recipe, self.watch)?.ok();
            }
        }
        Ok(())
    }

    /// The opponents of a profile: from their file, from blocks, or rated now; or what is missing.
    fn database(&self, spec: &ProfileSpec, watch: &dyn Watch) -> Result<Found<Database>, Error> {
        let recipe = self.recipe(spec)?;
        let file = format!("{OPPONENTS}-{}-{}.db", recipe.opponents, recipe.doubles);
        let path = self.work.folder.file(&file);
        if path.exists() {
            return Ok(Ok(self.whole_database(&recipe, &path, watch)?));
        }
        let elsewhere = self.shares.homes.iter().find_map(|home| {
            Database::read(&home.join(&file)).ok().filter(|known| *known.recipe() == recipe)
        });
        if let Some(database) = elsewhere {
            if self.shares.puts_together() {
                put_bytes(&path, &database.to_bytes())?;
            }
            return Ok(Ok(database));
        }
        let name = opponents_name(&recipe);
        let has_blocks = self.shares.homes.iter().any(|home| blocks_of(home, &name).is_dir());
        if matches!(self.shares.wanted, Wanted::All) && !has_blocks {
            return Ok(Ok(self.whole_database(&recipe, &path, watch)?));
        }
        let points = match self.points(spec, &recipe, watch)? {
            Ok(points) => points,
            Err(missing) => {
                self.shares.missing.borrow_mut().push((name, missing.clone()));
                return Ok(Err(missing));
            }
        };
        if !self.shares.puts_together() {
            let opponents = (0..).zip(points);
            let opponents = opponents.map(|(index, half_points)| Opponent { index, half_points });
            return Ok(Ok(Database::new(recipe, opponents)));
        }
        let (Built::New(database) | Built::AlreadyThere(database)) =
            put_together(&recipe, &points, &path)?;
        self.shares.cut(&name, "", 1).sweep();
        Ok(Ok(database))
    }

    /// The half points of all opponents of a recipe, block by block.
    fn points(
        &self,
        spec: &ProfileSpec,
        recipe: &Recipe,
        watch: &dyn Watch,
    ) -> Result<Found<Vec<u32>>, Error> {
        let key = blake3::hash(&recipe_key(recipe)).to_hex().to_string();
        let cut =
            self.shares.cut(&opponents_name(recipe), &key, self.sizes().opponents(spec).blocks);
        let play = &mut |number| {
            let part = cut.part(recipe.opponents, number);
            judge(self.arena, recipe, part, watch).map_err(|_| Error::Resumable)
        };
        Ok(match cut.blocks(watch, play)? {
            Blocks::Whole(blocks) => Ok(blocks.concat()),
            Blocks::Missing(missing) => Err(missing),
        })
    }

    /// A database in its file; it is made if it is not there.
    fn whole_database(
        &self,
        recipe: &Recipe,
        path: &Path,
        watch: &dyn Watch,
    ) -> Result<Database, Error> {
        let every = Duration::from_secs(5);
        let built = match build(self.arena, recipe, path, every, watch) {
            // A damaged database is kept aside and made again.
            Err(BuildError::Database(error)) if path.exists() => {
                let aside = path.with_extension("db.damaged");
                self.watch.tell(News::Note(&format!("{error}; it is made again")));
                fs::rename(path, &aside).map_err(|error| Error::writing(&aside, &error))?;
                build(self.arena, recipe, path, every, watch)?
            }
            other => other?,
        };
        let (Built::New(database) | Built::AlreadyThere(database)) = built;
        Ok(database)
    }
}

/// What the opponents of a recipe are called.
fn opponents_name(recipe: &Recipe) -> String {
    format!("{OPPONENTS} {}-{}", recipe.opponents, recipe.doubles)
}

/// The performance of the strongest opponent.
fn strongest(database: &Database) -> f64 {
    let most = database.opponents().iter().map(|opponent| opponent.half_points).max().unwrap_or(0);
    // Two half points for a won game.
    f64::from(most) / (4.0 * database.recipe().doubles as f64)
}
