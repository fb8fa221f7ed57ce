//! A round robin of players or teams.

use outflank_arena::{News, Watch};
use outflank_game::engine::EngineFaults;
use outflank_kernel::rng::Seed;
use outflank_lab::{Round, Standing, Team, play_round_by};
use serde::{Deserialize, Serialize};

use crate::engines::{check_openings, faults};
use crate::teams::{Unfinished, parse_teams, split_name};
use crate::{Command, Error, Parts, Playing};

/// Plays every player against every player of the other teams.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TournamentRequest {
    /// Players, each by itself; a study is a team of its champions.
    pub players: Vec<String>,
    /// Teams, `NAME=PLAYER|STUDY,...`.
    pub teams: Vec<String>,
    /// Single games in each meeting, an even number; 1000, or 2 between teams, if there is none.
    pub games: Option<u64>,
    /// Seed, threads and openings.
    pub playing: Playing,
    /// Whether games are played in parts, by several processes.
    pub parts: Parts,
}

/// The table of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentAnswer {
    /// The entrants, in the order of the request.
    pub players: Vec<Entrant>,
    /// The score of each against each; none against itself.
    pub table: Vec<Vec<Option<f64>>>,
    /// What went wrong with engines; a row for each that took part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine_faults: Vec<EngineFaults>,
    /// Runs that are not finished, taken as they stand.
    pub unfinished: Vec<Unfinished>,
    /// Single games in each meeting of two players.
    pub games_per_meeting: u64,
    /// As in the request.
    pub openings: Option<String>,
    /// As in the request.
    pub seed: u64,
    /// The kernel that played.
    pub kernel: String,
    /// Threads that played.
    pub threads: usize,
}

/// A player or a team.
#[derive(Clone, Debug, Serialize)]
pub struct Entrant {
    /// Its name.
    pub name: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Three for a win, one for a draw.
    pub points: u64,
    /// One for a win, a half for a draw.
    pub half_points: f64,
    /// Wins and half the draws, as a share of the games.
    pub score: f64,
    /// Its rating.
    pub elo: f64,
    /// The 95% interval of the rating.
    pub elo_interval: [f64; 2],
}

impl Command for TournamentRequest {
    type Answer = TournamentAnswer;
    const NAME: &'static str = "tournament";

    fn run(&self, watch: &dyn Watch) -> Result<TournamentAnswer, Error> {
        let (teams, unfinished) = self.entrants(watch)?;
        // In the papers, teams of 30 and of 120 meet in one game with each colour.
        let alone = teams.iter().all(|team| team.players.len() == 1);
        let games = self.games.unwrap_or(if alone { 1000 } else { 2 });
        if games == 0 || games % 2 == 1 {
            return Err(Error::Usage(format!("games = {games}, expected an even number above 0")));
        }
        let (openings, arena) = (self.playing.openings()?, self.playing.arena()?);
        let players = || teams.iter().flat_map(|team| &team.players);
        check_openings(&openings, players())?;
        let sizes: Vec<u64> = teams.iter().map(|team| team.players.len() as u64).collect();
        let all: u64 = sizes.iter().sum();
        let meetings = (all * all - sizes.iter().map(|size| size * size).sum::<u64>()) / 2;
        watch.tell(News::Begins { unit: "games", total: meetings.saturating_mul(games) });
        let (pairs, seed) = (games / 2, Seed(self.playing.seed));
        let round = Round { pairs, seed, openings: &openings, meets: &|_, _| true };
        let key = || format!("{teams:?} {pairs} {seed:?} {openings:?}");
        let table = play_round_by(&teams, &round, |meetings| {
            self.parts.play("tournament", key, &arena, meetings, watch)
        })?;
        let scores = table.tallies.iter().map(|row| {
            row.iter().map(|tally| (tally.games() > 0).then(|| tally.score())).collect()
        });
        Ok(TournamentAnswer {
            players: table.standings.iter().map(entrant).collect(),
            table: scores.collect(),
            engine_faults: faults(players()),
            unfinished,
            games_per_meeting: games,
            openings: self.playing.openings.clone(),
            seed: self.playing.seed,
            kernel: arena.kernel().name().into(),
            threads: self.playing.threads(),
        })
    }
}

impl TournamentRequest {
    fn entrants(&self, watch: &dyn Watch) -> Result<(Vec<Team>, Vec<Unfinished>), Error> {
        if let Some(text) = self.teams.iter().find(|text| split_name(text).is_none()) {
            return Err(Error::Usage(format!("team {text:?}: expected NAME=PLAYER|STUDY,...")));
        }
        let texts: Vec<&str> = self.players.iter().chain(&self.teams).map(String::as_str).collect();
        match texts.len() {
            0 | 1 => Err(Error::Usage(
                "a tournament needs two players or teams, e.g. outflank tournament random heuristic"
                    .into(),
            )),
            _ => parse_teams(&texts, watch),
        }
    }
}

fn entrant(standing: &Standing) -> Entrant {
    let Standing { name, total, rating } = standing;
    Entrant {
        name: name.clone(),
        games: total.games(),
        wins: total.wins,
        draws: total.draws,
        losses: total.losses,
        points: standing.points(),
        half_points: standing.half_points(),
        score: total.score(),
        elo: rating.elo,
        elo_interval: rating.interval,
    }
}
