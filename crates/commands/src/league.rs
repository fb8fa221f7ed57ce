//! A league in the format of the Othello competition at CEC 2006: everyone against everyone, in
//! several rounds that differ in how often players move at random.

use outflank_arena::{After, News, Watch};
use outflank_game::engine::EngineFaults;
use outflank_game::player::Player;
use outflank_kernel::rng::{Chance, Seed, Stream};
use outflank_lab::{Team, play_tournament};
use serde::{Deserialize, Serialize};

use crate::engines::{check_openings, faults};
use crate::teams::{Unfinished, parse_teams};
use crate::{Command, Error, Playing};

/// Plays a league.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LeagueRequest {
    /// Players; of a study all champions.
    pub players: Vec<String>,
    /// The rounds.
    pub rounds: Vec<LeagueRound>,
    /// Seed, threads and openings.
    pub playing: Playing,
}

/// A round of a league.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeagueRound {
    /// The probability that a player, either of them, makes a random move.
    pub epsilon: f64,
    /// Single games of each two players, an even number: half with each colour.
    pub games: u64,
}

impl Default for LeagueRequest {
    /// The rounds of CEC 2006. Without chance, two players have two different games.
    fn default() -> LeagueRequest {
        let round = |(epsilon, games)| LeagueRound { epsilon, games };
        LeagueRequest {
            players: Vec::new(),
            rounds: [(0.0, 2), (0.01, 20), (0.1, 20)].map(round).to_vec(),
            playing: Playing::default(),
        }
    }
}

/// The tables of a league.
#[derive(Clone, Debug, Serialize)]
pub struct LeagueAnswer {
    /// The rounds, in the order of the request.
    pub rounds: Vec<RoundAnswer>,
    /// All rounds together, the best first.
    pub all: Vec<LeagueRow>,
    /// What went wrong with engines; a row for each that took part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engine_faults: Vec<EngineFaults>,
    /// Runs that are not finished, taken as they stand.
    pub unfinished: Vec<Unfinished>,
    /// As in the request.
    pub openings: Option<String>,
    /// As in the request.
    pub seed: u64,
    /// The kernel that played.
    pub kernel: String,
    /// Threads that played.
    pub threads: usize,
}

/// The table of a round.
#[derive(Clone, Debug, Serialize)]
pub struct RoundAnswer {
    /// The probability of a random move.
    pub epsilon: f64,
    /// Single games of each two players.
    pub games_per_meeting: u64,
    /// The players, the best first.
    pub players: Vec<LeagueRow>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeagueRow {
    /// Its place; players with the same points share the best of theirs.
    pub rank: usize,
    /// The player.
    pub name: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// One for a win, a half for a draw.
    pub points: f64,
}

/// More rounds are a mistake.
const MOST_ROUNDS: usize = 100;

impl Command for LeagueRequest {
    type Answer = LeagueAnswer;
    const NAME: &'static str = "league";

    fn run(&self, watch: &dyn Watch) -> Result<LeagueAnswer, Error> {
        let rounds = self.chances()?;
        let texts: Vec<&str> = self.players.iter().map(String::as_str).collect();
        let (teams, unfinished) = match texts.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => parse_teams(&texts, watch)?,
        };
        let players: Vec<Player> = teams.into_iter().flat_map(|team| team.players).collect();
        for (index, player) in players.iter().enumerate() {
            if players[..index].iter().any(|other| other.name == player.name) {
                return Err(Error::Usage(format!("{} takes part twice", player.name)));
            }
        }
        if players.len() < 2 {
            let problem =
                "a league needs two players, e.g. outflank tournament --league heuristic lr2006";
            return Err(Error::Usage(problem.into()));
        }
        if let Some(player) = players.iter().find(|player| player.policy.epsilon != Chance::NEVER) {
            let problem = "the rounds of a league say how often players move at random";
            return Err(Error::Usage(format!("{}: {problem}; leave out epsilon", player.name)));
        }
        let (openings, arena) = (self.playing.openings()?, self.playing.arena()?);
        check_openings(&openings, &players)?;
        let meetings = (players.len() * (players.len() - 1) / 2) as u64;
        let all: u64 = self.rounds.iter().map(|round| round.games.saturating_mul(meetings)).sum();
        watch.tell(News::Begins { unit: "games", total: all });
        let (mut tables, mut done) = (Vec::new(), 0);
        let mut total: Vec<LeagueRow> = Vec::new();
        for (index, (round, epsilon)) in self.rounds.iter().zip(rounds).enumerate() {
            let teams: Vec<Team> = players.iter().map(|player| entrant(player, epsilon)).collect();
            let seed = Seed(self.playing.seed).child(Stream::Source, index as u64);
            let after = After::new(watch, done);
            let table = play_tournament(&arena, &teams, round.games / 2, seed, &openings, &after)?;
            done += round.games.saturating_mul(meetings);
            let rows: Vec<LeagueRow> = table
                .standings
                .iter()
                .map(|standing| LeagueRow {
                    rank: 0,
                    name: standing.name.clone(),
                    games: standing.total.games(),
                    wins: standing.total.wins,
                    draws: standing.total.draws,
                    losses: standing.total.losses,
                    points: standing.half_points(),
                })
                .collect();
            match total.is_empty() {
                true => total = rows.clone(),
                false => total.iter_mut().zip(&rows).for_each(|(sum, row)| sum.add(row)),
            }
            let (epsilon, games_per_meeting) = (round.epsilon, round.games);
            tables.push(RoundAnswer { epsilon, games_per_meeting, players: ranked(rows) });
        }
        Ok(LeagueAnswer {
            rounds: tables,
            all: ranked(total),
            engine_faults: faults(&players),
            unfinished,
            openings: self.playing.openings.clone(),
            seed: self.playing.seed,
            kernel: arena.kernel().name().into(),
            threads: self.playing.threads(),
        })
    }
}

impl LeagueRequest {
    /// The probabilities of random moves, checked.
    fn chances(&self) -> Result<Vec<Chance>, Error> {
        if !(1..=MOST_ROUNDS).contains(&self.rounds.len()) {
            let problem = format!("{} rounds, expected 1 to {MOST_ROUNDS}", self.rounds.len());
            return Err(Error::Usage(problem));
        }
        let chance = |round: &LeagueRound| {
            let LeagueRound { epsilon, games } = *round;
            if games == 0 || games % 2 == 1 {
                let problem = format!("games = {games}, expected an even number above 0");
                return Err(Error::Usage(format!("round at {epsilon}: {problem}")));
            }
            let wrong =
                || Error::Usage(format!("epsilon = {epsilon}, expected a number from 0 to 1"));
            Chance::new(epsilon).ok_or_else(wrong)
        };
        self.rounds.iter().map(chance).collect()
    }
}

/// A player by itself, with the random moves of a round.
fn entrant(player: &Player, epsilon: Chance) -> Team {
    let mut player = player.clone();
    player.policy.epsilon = epsilon;
    Team { name: player.name.clone(), players: vec![player] }
}

impl LeagueRow {
    fn add(&mut self, other: &LeagueRow) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.points += other.points;
    }
}

/// Rows with their ranks, the best first; those with the same points stay in order.
fn ranked(mut rows: Vec<LeagueRow>) -> Vec<LeagueRow> {
    rows.sort_by(|a, b| b.points.total_cmp(&a.points));
    for at in 0..rows.len() {
        let is_tie = at > 0 && rows[at].points.total_cmp(&rows[at - 1].points).is_eq();
        rows[at].rank = if is_tie { rows[at - 1].rank } else { at + 1 };
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_arena::Unwatched;

    #[test]
    fn everyone_meets_everyone_as_often_as_the_rounds_say() {
        let names = ["positional@ties=first", "mobility@ties=first", "lr2006", "random"];
        let request =
            LeagueRequest { players: names.map(String::from).to_vec(), ..LeagueRequest::default() };
        let answer = request.run(&Unwatched).unwrap();
        let games: Vec<u64> = answer.rounds.iter().map(|r| r.players[0].games).collect();
        assert_eq!(games, [3 * 2, 3 * 20, 3 * 20], "two games a pair without chance");
        for row in answer.rounds.iter().flat_map(|round| &round.players).chain(&answer.all) {
            assert_eq!(row.games, row.wins + row.draws + row.losses, "{row:?}");
            let twice = 2 * row.wins + row.draws;
            assert_eq!((2.0 * row.points).round() as u64, twice, "{row:?}");
        }
        // What one wins, another loses.
        let won: u64 = answer.all.iter().map(|row| row.wins).sum();
        assert_eq!(won, answer.all.iter().map(|row| row.losses).sum::<u64>());
        assert!(answer.all.windows(2).all(|two| two[0].points >= two[1].points));
        assert_eq!(answer.all.last().unwrap().name, "random");
        assert_eq!(answer.all[0].rank, 1);
    }

    #[test]
    fn without_chance_players_that_repeat_themselves_have_the_same_games_with_any_seed() {
        let played = |seed: u64| {
            let rounds = vec![LeagueRound { epsilon: 0.0, games: 2 }];
            let players = ["positional@ties=first", "mobility@ties=first", "heuristic@ties=first"];
            let players = players.map(String::from).to_vec();
            let playing = Playing { seed, ..Playing::default() };
            LeagueRequest { players, rounds, playing }.run(&Unwatched).unwrap().all
        };
        assert!((2..10).all(|seed| played(seed) == played(1)));
    }

    #[test]
    fn what_is_no_league_is_refused() {
        let refused = |players: &[&str], rounds: Vec<LeagueRound>| {
            let players = players.iter().map(|name| (*name).into()).collect();
            let request = LeagueRequest { players, rounds, ..LeagueRequest::default() };
            request.run(&Unwatched).unwrap_err().to_string()
        };
        let round = |epsilon, games| vec![LeagueRound { epsilon, games }];
        let two = &["random", "heuristic"];
        assert!(refused(&["random"], round(0.0, 2)).starts_with("a league needs two players"));
        assert!(refused(two, Vec::new()).starts_with("0 rounds, expected 1 to 100"));
        assert!(refused(two, round(0.1, 3)).ends_with("expected an even number above 0"));
        assert!(refused(two, round(1.5, 2)).starts_with("epsilon = 1.5, expected"));
        let own = refused(&["random", "heuristic@epsilon=0.1"], round(0.1, 2));
        assert!(own.ends_with("leave out epsilon"), "{own}");
    }
}
