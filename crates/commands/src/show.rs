//! Shows what a player has learned.

use outflank_arena::{Unwatched, Watch};
use outflank_game::engine::EngineCommand;
use outflank_game::model::{ModelFile, Portrait};
use outflank_game::player::{
    NAMED, Player, PlayerFile, Policy, find_folder, parse_player, read_player_file, split_options,
};
use outflank_lab::Moment;
use outflank_report::figure::{BoardFigure, Detail, HistoryFigure, Inside, NetworkFigure, Picture};
use outflank_store::{FinishedRun, Study};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

use crate::teams::{Members, Unfinished, as_it_stands, members};
use crate::{Command, Error};

/// Shows what a player has learned.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShowRequest {
    /// The player.
    pub player: String,
    /// Take a run at its last probe due at this number of training games or before, not at its end.
    pub at: Option<u64>,
    /// Also the champions that the run had at its probes.
    pub history: bool,
}

/// What is inside a player.
#[derive(Clone, Debug, Serialize)]
pub struct ShowAnswer {
    /// Its name.
    #[serde(rename = "player")]
    pub name: String,
    /// The weights of the squares a1 to h8, if it is a weighted piece counter.
    pub weights: Option<Vec<f64>>,
    /// How it chooses moves.
    pub policy: Policy,
    /// The run, if it is not finished and was taken as it stands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<Unfinished>,
    /// Number of hidden nodes, if it is a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<usize>,
    /// Number of connections, if it is a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<usize>,
    /// The kind of its model, as in a player file; the next three keys too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Value>,
    /// From whose point of view it sees a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
    /// Its structure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structure: Option<Value>,
    /// Its parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Vec<f64>>,
    /// The champions at the probes of its run, if they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<EarlierChampion>,
    /// What it is, if it is a named player.
    #[serde(skip)]
    pub summary: Option<&'static str>,
    /// The player itself.
    #[serde(skip)]
    pub player: Player,
    /// Its network.
    #[serde(skip)]
    pub portrait: Option<Portrait>,
    #[serde(skip)]
    asked: String,
    /// The moment of its run, unless it is the end.
    #[serde(skip)]
    moment: Option<u64>,
}

/// The champion of a run at one of its probes.
#[derive(Clone, Debug, Serialize)]
pub struct EarlierChampion {
    /// Training games by then.
    pub games: u64,
    /// Generations by then.
    pub generation: u64,
    /// The weights of the squares a1 to h8, if it is a weighted piece counter.
    pub weights: Option<Vec<f64>>,
    /// Number of hidden nodes, if it is a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<usize>,
    /// Number of connections, if it is a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connections: Option<usize>,
    #[serde(skip)]
    inside: Option<Inside>,
}

impl EarlierChampion {
    fn of(moment: &Moment) -> EarlierChampion {
        let player = moment.champion.player();
        let squares = player.as_ref().and_then(Player::squares);
        let portrait = player.as_ref().and_then(Player::portrait);
        EarlierChampion {
            games: moment.games,
            generation: moment.generation,
            weights: squares.map(|weights| weights.map(shortest).to_vec()),
            hidden: portrait.as_ref().map(Portrait::hidden_count),
            connections: portrait.as_ref().map(|portrait| portrait.connections.len()),
            inside: match squares {
                Some(weights) => Some(Inside::Board(Box::new(weights))),
                None => portrait.map(Inside::Network),
            },
        }
    }
}

impl Command for ShowRequest {
    type Answer = ShowAnswer;
    const NAME: &'static str = "show";

    fn run(&self, watch: &dyn Watch) -> Result<ShowAnswer, Error> {
        let (player, unfinished) = self.player(watch)?;
        let history = if self.history { self.champions()? } else { Vec::new() };
        let portrait = player.portrait();
        let (base, _) = split_options(&self.player);
        let mut answer = ShowAnswer {
            name: player.name.clone(),
            weights: player.squares().map(|weights| weights.map(shortest).to_vec()),
            policy: player.policy.clone(),
            hidden: portrait.as_ref().map(Portrait::hidden_count),
            connections: portrait.as_ref().map(|portrait| portrait.connections.len()),
            kind: None,
            view: None,
            structure: None,
            parameters: None,
            history,
            summary: NAMED.iter().find(|named| named.name == base).map(|named| named.summary),
            portrait,
            asked: self.player.clone(),
            moment: self.at.or(unfinished.first().map(|run| run.games)),
            unfinished,
            player,
        };
        if answer.portrait.is_some()
            && let Some(ModelFile { kind, view, structure, parameters }) = answer.player.file()
        {
            answer.kind = Some(plain(&kind)?);
            answer.view = Some(plain(&view)?);
            answer.structure = Some(structure.into());
            answer.parameters = Some(parameters.into_iter().map(shortest).collect());
        }
        Ok(answer)
    }
}

impl ShowRequest {
    /// The player, and its run if that is not finished. A study has several.
    fn player(&self, watch: &dyn Watch) -> Result<(Player, Vec<Unfinished>), Error> {
        let folder = find_folder(Path::new(&self.player))?;
        if Study::read(&folder).is_ok() || EngineCommand::is_one(&self.player) {
            // Says that one of its runs has to be named, or that an engine cannot be shown.
            return Ok((parse_player(&self.player)?, Vec::new()));
        }
        let Members { mut players, unfinished } = members(&self.player, self.at, watch)?;
        Ok((players.remove(0), unfinished))
    }
}

impl ShowRequest {
    /// The champions at the probes of the run.
    fn champions(&self) -> Result<Vec<EarlierChampion>, Error> {
        let (base, _) = split_options(&self.player);
        let path = find_folder(Path::new(base))?;
        if !FinishedRun::is_begun(&path) {
            let problem = format!(
                "{} is not a run, so it has no history of champions; name the folder of a run, \
                 e.g. runs/ctdl/1",
                self.player
            );
            return Err(Error::Usage(problem));
        }
        // What it has to say about the run was said when the player was read.
        let results = as_it_stands(&path, self.at, &Unwatched)?;
        let mut champions = Vec::new();
        for run in &results.runs {
            champions.extend(run.history(&results.spec)?.iter().map(EarlierChampion::of));
        }
        Ok(champions)
    }
}

/// At most this many of these moments, evenly spread over the games; the first and the last are
/// among them.
fn spread(games: &[u64], points: usize) -> Vec<usize> {
    let (Some(&first), Some(&last)) = (games.first(), games.last()) else { return Vec::new() };
    if games.len() <= points {
        return (0..games.len()).collect();
    }
    let steps = points.saturating_sub(1).max(1) as u128;
    let length = u128::from(last.saturating_sub(first));
    let nearest = |step: u128| {
        let aim = u128::from(first) + length * step / steps;
        let far = |index: &usize| u128::from(games[*index]).abs_diff(aim);
        (0..games.len()).min_by_key(far).unwrap_or(0)
    };
    let mut chosen: Vec<usize> = (0..=steps).map(nearest).collect();
    chosen.dedup();
    chosen
}

/// The number with the fewest digits that identify it in single precision.
fn shortest(weight: f32) -> f64 {
    weight.to_string().parse().unwrap_or(weight.into())
}

fn plain(value: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(value).map_err(|error| Error::Failed(error.to_string()))
}

impl ShowAnswer {
    /// Its board or its network as SVG.
    pub fn svg(&self) -> Result<String, Error> {
        let title = self.name.clone();
        match (self.player.squares(), &self.portrait) {
            (Some(weights), _) => Ok(BoardFigure { title, weights, detail: Detail::Numbers }.svg()),
            (None, Some(portrait)) => {
                Ok(NetworkFigure { title, portrait, detail: Detail::Numbers }.svg())
            }
            (None, None) => Err(self.lacks("no weights to draw")),
        }
    }

    /// The champions at this many moments of its run, for drawing them.
    pub fn growth(&self, points: usize) -> Result<HistoryFigure, Error> {
        if points < 2 {
            return Err(Error::Usage("a history has 2 pictures or more".into()));
        }
        let games: Vec<u64> = self.history.iter().map(|champion| champion.games).collect();
        let picture = |index: usize| {
            let EarlierChampion { games, inside, .. } = &self.history[index];
            let inside = inside.clone().ok_or_else(|| self.lacks("no weights to draw"))?;
            Ok(Picture { games: *games, inside })
        };
        let pictures = spread(&games, points).into_iter().map(picture);
        Ok(HistoryFigure {
            title: self.name.clone(),
            pictures: pictures.collect::<Result<_, Error>>()?,
        })
    }

    /// Its network for Graphviz.
    pub fn dot(&self) -> Result<String, Error> {
        let portrait = self.portrait.as_ref().ok_or_else(|| self.lacks("no network for --dot"))?;
        let title = self.name.clone();
        Ok(NetworkFigure { title, portrait, detail: Detail::Numbers }.dot())
    }

    /// Its player file: the one it was read from, or a new one for a player with a name.
    pub fn player_file(&self) -> Result<PlayerFile, Error> {
        let (name, options) = split_options(&self.asked);
        if options.is_some() {
            let message = "a player file holds the model, not the policy: remove the part after @";
            return Err(Error::Usage(message.into()));
        }
        if !NAMED.iter().any(|named| named.name == name) && self.moment.is_none() {
            return Ok(read_player_file(Path::new(name))?);
        }
        let at = self.moment.map_or(String::new(), |games| format!(" --at {games}"));
        let source = ("source".into(), format!("outflank show {}{at}", self.asked).into());
        let file = PlayerFile::of_player(&self.player, [source].into_iter().collect());
        file.ok_or_else(|| self.lacks("no model that a player file could hold"))
    }

    fn lacks(&self, what: &str) -> Error {
        Error::Failed(format!("{} has {what}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_spread_over_the_games_with_the_first_and_the_last() {
        let even: Vec<u64> = (1..=9).map(|probe| 1000 * probe).collect();
        assert_eq!(spread(&even, 3), [0, 4, 8]);
        assert_eq!(spread(&even, 2), [0, 8]);
        assert_eq!(spread(&even, 20), (0..9).collect::<Vec<_>>());
        // Many probes at the beginning do not crowd out the rest.
        assert_eq!(spread(&[1, 2, 3, 4, 500, 1000], 3), [0, 4, 5]);
        assert_eq!(spread(&[7], 2), [0]);
        assert!(spread(&[], 8).is_empty());
        assert_eq!(spread(&[0, u64::MAX / 2, u64::MAX], 2), [0, 2]);
    }
}
