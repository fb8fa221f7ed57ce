//! Two players against each other.

use std::ops::ControlFlow;
use std::time::Instant;

use outflank_arena::{Keep, Meeting, News, PlayedGame, Watch};
use outflank_game::engine::EngineFaults;
use outflank_game::player::Colour;
use outflank_kernel::rng::Seed;
use outflank_lab::score_interval;
use serde::{Deserialize, Serialize};

use crate::engines::{check_openings, entrant, faults};
use crate::{Command, Error, Playing};

/// Plays two players against each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MatchRequest {
    /// The player whose results are reported.
    pub a: String,
    /// Its opponent.
    pub b: String,
    /// Single games, an even number: colours alternate in pairs.
    pub games: u64,
    /// Seed, threads and openings.
    pub playing: Playing,
}

impl Default for MatchRequest {
    fn default() -> MatchRequest {
        MatchRequest {
            a: String::new(),
            b: String::new(),
            games: 1000,
            playing: Playing::default(),
        }
    }
}

/// The result of a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchAnswer {
    /// The names of both players.
    pub players: [String; 2],
    /// Games played.
    pub games: u64,
    /// Games won by the first player.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the first player.
    pub losses: u64,
    /// Wins plus half the draws, as a share of the games.
    pub score: f64,
    /// The 95% interval of the score, with pairs of games as the unit.
    pub interval: [f64; 2],
    /// In discs; empty squares count for the winner.
    pub mean_margin: f64,
    /// Number of pairs of games with 0 to 4 half points.
    pub pairs: [u64; 5],
    /// What went wrong with engines; a row for each that took part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine_faults: Vec<EngineFaults>,
    /// Number of different games.
    pub distinct_games: u64,
    /// Whether that number is exact or estimated.
    pub distinct_games_exact: bool,
    /// As in the request.
    pub openings: Option<String>,
    /// As in the request.
    pub seed: u64,
    /// The kernel that played.
    pub kernel: String,
    /// Threads that played.
    pub threads: usize,
    /// Games per second.
    pub games_per_second: f64,
}

impl Command for MatchRequest {
    type Answer = MatchAnswer;
    const NAME: &'static str = "match";

    fn run(&self, watch: &dyn Watch) -> Result<MatchAnswer, Error> {
        self.play(Keep::Distinct, &mut |_, _| ControlFlow::Continue(()), watch)
    }
}

impl MatchRequest {
    /// The same, and passes every game to `see`, which can also stop it.
    pub fn run_and_see(
        &self,
        see: &mut dyn FnMut(PlayedGame) -> ControlFlow<()>,
        watch: &dyn Watch,
    ) -> Result<MatchAnswer, Error> {
        self.play(Keep::Games, &mut |_, game| see(game), watch)
    }

    fn play(
        &self,
        keep: Keep,
        see: &mut dyn FnMut(usize, PlayedGame) -> ControlFlow<()>,
        watch: &dyn Watch,
    ) -> Result<MatchAnswer, Error> {
        if self.games == 0 || self.games % 2 == 1 {
            let games = self.games;
            return Err(Error::Usage(format!("games = {games}, expected an even number above 0")));
        }
        let (openings, arena) = (self.playing.openings()?, self.playing.arena()?);
        let (a, b) = (entrant(&self.a, watch)?, entrant(&self.b, watch)?);
        check_openings(&openings, [&a, &b])?;
        let (pairs, seed) = (self.games / 2, Seed(self.playing.seed));
        let meeting =
            Meeting { a: &a, b: &b, pairs, seed, openings: &openings, colour: Colour::Both };
        watch.tell(News::Begins { unit: "games", total: self.games });
        let began = Instant::now();
        let mut results = arena.play_and_keep(&[meeting], keep, see, watch)?;
        let seconds = began.elapsed().as_secs_f64();
        let tally = results.tallies.remove(0);
        let (distinct_games, distinct_games_exact) = results.distinct.unwrap_or_default();
        let engine_faults = faults([&a, &b]);
        Ok(MatchAnswer {
            players: [a.name, b.name],
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: tally.score(),
            interval: score_interval(&tally),
            mean_margin: tally.mean_margin(),
            pairs: tally.pairs,
            engine_faults,
            distinct_games,
            distinct_games_exact,
            openings: self.playing.openings.clone(),
            seed: self.playing.seed,
            kernel: arena.kernel().name().into(),
            threads: self.playing.threads(),
            games_per_second: self.games as f64 / seconds,
        })
    }
}
