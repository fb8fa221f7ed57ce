//! Round robins of players or of teams of players.

use super::ratings::{Rating, rate};
use outflank_arena::{Arena, Meeting, Openings, Stopped, Tally, Watch};
use outflank_game::player::{Colour, Player};
use outflank_kernel::rng::{Seed, Stream};

/// A row of the table: a player, or several whose games are added up. Members of a team do not meet
/// each other (Szubert et al. 2009, section V).
#[derive(Debug)]
pub struct Team {
    /// Its name.
    pub name: String,
    /// Its players.
    pub players: Vec<Player>,
}

/// The results of a tournament.
#[derive(Debug)]
pub struct CrossTable {
    /// One for each team, in the order given.
    pub standings: Vec<Standing>,
    /// The games of each row against each column, from the row's side; empty on the diagonal.
    pub tallies: Vec<Vec<Tally>>,
    /// All games of each player of each team.
    pub members: Vec<Vec<Tally>>,
    /// The games of each player of each team against each team; empty against its own.
    pub against: Vec<Vec<Vec<Tally>>>,
}

/// How a team did.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The team.
    pub name: String,
    /// All its games.
    pub total: Tally,
    /// Its rating among the teams.
    pub rating: Rating,
}

impl Standing {
    /// Three points for a win, one for a draw.
    pub fn points(&self) -> u64 {
        3 * self.total.wins + self.total.draws
    }

    /// One point for a win, half a point for a draw.
    pub fn half_points(&self) -> f64 {
        self.total.wins as f64 + 0.5 * self.total.draws as f64
    }
}

/// Plays every player against every player of the other teams, `pairs` pairs of games each.
pub fn play_tournament(
    arena: &Arena,
    teams: &[Team],
    pairs: u64,
    seed: Seed,
    openings: &Openings,
    watch: &dyn Watch,
) -> Result<CrossTable, Stopped> {
    let round = Round { pairs, seed, openings, meets: &|_, _| true };
    play_round(arena, teams, &round, watch)
}

/// A player of a team: the team, and the player's place in it.
pub type Member = (usize, usize);

/// Who meets whom, and how.
pub struct Round<'a> {
    /// Pairs of games of two players.
    pub pairs: u64,
    /// The seed of all games.
    pub seed: Seed,
    /// How games begin.
    pub openings: &'a Openings,
    /// Whether two players of different teams meet.
    pub meets: &'a dyn Fn(Member, Member) -> bool,
}

/// The same, if not all players meet.
pub fn play_round(
    arena: &Arena,
    teams: &[Team],
    round: &Round<'_>,
    watch: &dyn Watch,
) -> Result<CrossTable, Stopped> {
    play_round_by(teams, round, |meetings| arena.play(meetings, watch))
}

/// The same; `play` plays the meetings, perhaps with the help of other machines.
pub fn play_round_by<E>(
    teams: &[Team],
    round: &Round<'_>,
    play: impl FnOnce(&[Meeting<'_>]) -> Result<Vec<Tally>, E>,
) -> Result<CrossTable, E> {
    let Round { pairs, seed, openings, meets } = *round;
    let mut meetings = Vec::new();
    let mut between = Vec::new();
    for (i, row) in teams.iter().enumerate() {
        for (j, column) in teams.iter().enumerate().skip(i + 1) {
            for (m, a) in row.players.iter().enumerate() {
                for (n, b) in column.players.iter().enumerate() {
                    if !meets((i, m), (j, n)) {
                        continue;
                    }
                    let seed = seed.child(Stream::Pairing, meetings.len() as u64);
                    meetings.push(Meeting { a, b, pairs, seed, openings, colour: Colour::Both });
                    between.push(((i, m), (j, n)));
                }
            }
        }
    }
    let played = play(&meetings)?;
    let mut tallies = vec![vec![Tally::default(); teams.len()]; teams.len()];
    let mut members: Vec<Vec<Tally>> =
        teams.iter().map(|team| vec![Tally::default(); team.players.len()]).collect();
    let mut against: Vec<Vec<Vec<Tally>>> = teams
        .iter()
        .map(|team| vec![vec![Tally::default(); teams.len()]; team.players.len()])
        .collect();
    for (((i, m), (j, n)), tally) in between.into_iter().zip(&played) {
        tallies[i][j].add(tally);
        tallies[j][i].add(&tally.reversed());
        members[i][m].add(tally);
        members[j][n].add(&tally.reversed());
        against[i][m][j].add(tally);
        against[j][n][i].add(&tally.reversed());
    }
    let rated: Vec<(usize, usize, Tally)> = (0..teams.len())
        .flat_map(|i| (i + 1..teams.len()).map(move |j| (i, j)))
        .map(|(i, j)| (i, j, tallies[i][j].clone()))
        .collect();
    let standings = teams
        .iter()
        .zip(rate(teams.len(), &rated))
        .zip(&tallies)
        .map(|((team, rating), row)| {
            let mut total = Tally::default();
            row.iter().for_each(|tally| total.add(tally));
            Standing { name: team.name.clone(), total, rating }
        })
        .collect();
    Ok(CrossTable { standings, tallies, members, against })
}
