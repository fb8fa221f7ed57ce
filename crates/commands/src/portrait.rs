//! What is inside a player, as data for drawing it, and the champions of its run for a slider.

use std::path::Path;

use outflank_arena::Watch;
use outflank_game::model::{Connection, Portrait};
use outflank_game::player::{Player, Policy, find_folder, split_options};
use outflank_kernel::Source;
use outflank_lab::{Moment, square_worth};
use outflank_store::FinishedRun;
use serde::{Deserialize, Serialize};

use crate::teams::{Unfinished, as_it_stands};
use crate::{Command, Error, ShowRequest};

/// Asks what is inside a player.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PortraitRequest {
    /// The player.
    pub player: String,
    /// Take a run at its last probe due at this number of training games or before, not at its end.
    pub at: Option<u64>,
    /// Also the champions that the run had at its probes.
    pub history: bool,
    /// Also its player file.
    pub file: bool,
    /// Also its picture as SVG.
    pub svg: bool,
}

/// What is inside a player.
#[derive(Clone, Debug, Serialize)]
pub struct PortraitAnswer {
    /// Its name.
    pub player: String,
    /// What it is, if it is a named player.
    pub summary: Option<&'static str>,
    /// What it is made of: `wpc`, a kind of network, `formula` or `random`.
    pub kind: String,
    /// From whose point of view a network sees a board.
    pub view: Option<&'static str>,
    /// How it chooses moves.
    pub policy: Policy,
    /// The run, if it is not finished and was taken as it stands.
    pub unfinished: Vec<Unfinished>,
    /// Whether it belongs to a run that has a history of champions.
    pub has_history: bool,
    /// The weights of the squares a1 to h8, if they describe it completely.
    pub weights: Option<Vec<f64>>,
    /// What a disc on each square is worth to a network, on average.
    pub worth: Option<Vec<f64>>,
    /// The hidden nodes of a network, those with the largest outgoing weights first.
    pub nodes: Vec<PortraitNode>,
    /// The name of the curve of the output of a network.
    pub output: Option<&'static str>,
    /// The connections of a network with the largest weights.
    pub links: Vec<PortraitLink>,
    /// Number of hidden nodes, if it is a network.
    pub hidden: Option<usize>,
    /// Number of connections, if it is a network.
    pub connections: Option<usize>,
    /// Champions at probes of its run, evenly spread if there are many.
    pub history: Vec<PastChampion>,
    /// Champions that the run kept.
    pub moments: usize,
    /// Its player file.
    pub file: Option<String>,
    /// Its picture.
    pub svg: Option<String>,
}

/// A hidden node, or the output if it sees squares itself.
#[derive(Clone, Debug, Serialize)]
pub struct PortraitNode {
    /// Its name.
    pub name: String,
    /// The number of nodes on the longest path from the board, itself included.
    pub depth: usize,
    /// Its activation function.
    pub curve: &'static str,
    /// Its weight from each square that it is connected to; none if from no square.
    pub squares: Option<Vec<Option<f64>>>,
    /// Its weight from the constant 1.
    pub bias: Option<f64>,
    /// Its weight to the output, if it has one.
    pub to_output: Option<f64>,
}

/// A connection.
#[derive(Clone, Debug, Serialize)]
pub struct PortraitLink {
    /// A square, a node or `one`.
    pub from: String,
    /// A node or `out`.
    pub to: String,
    /// Its weight.
    pub weight: f64,
}

/// The champion of a run at one of its probes.
#[derive(Clone, Debug, Serialize)]
pub struct PastChampion {
    /// Training games by then.
    pub games: u64,
    /// Generations by then.
    pub generation: u64,
    /// Its weights a1 to h8; what a disc on each square is worth, if it is a network.
    pub squares: Option<Vec<f64>>,
    /// Number of hidden nodes, if it is a network.
    pub hidden: Option<usize>,
    /// Number of connections, if it is a network.
    pub connections: Option<usize>,
}

/// More than a drawing can show.
const MOST_LINKS: usize = 1500;
/// More hidden nodes than a page can show as boards.
const MOST_NODES: usize = 200;
/// More steps than a slider has.
const MOST_MOMENTS: usize = 400;
/// The same for networks, of which each square has to be measured.
const MOST_NETWORKS: usize = 40;

impl Command for PortraitRequest {
    type Answer = PortraitAnswer;
    const NAME: &'static str = "portrait";

    fn run(&self, watch: &dyn Watch) -> Result<PortraitAnswer, Error> {
        let request = ShowRequest { player: self.player.clone(), at: self.at, history: false };
        let shown = request.run(watch)?;
        let portrait = shown.portrait.as_ref();
        let (history, moments) = if self.history { self.champions(watch)? } else { (vec![], 0) };
        Ok(PortraitAnswer {
            player: shown.name.clone(),
            summary: shown.summary,
            kind: kind(&shown.player, portrait),
            view: portrait.map(|portrait| match portrait.view {
                outflank_game::model::View::Black => "black",
                outflank_game::model::View::Mover => "mover",
            }),
            policy: shown.policy.clone(),
            has_history: self.folder().is_some(),
            weights: shown.weights.clone(),
            worth: square_worth(&shown.player).map(|worth| worth.map(short).to_vec()),
            nodes: portrait.map_or(Vec::new(), nodes),
            output: portrait.map(|portrait| portrait.output.name()),
            links: portrait.map_or(Vec::new(), links),
            hidden: shown.hidden,
            connections: shown.connections,
            history,
            moments,
            file: match self.file {
                true => {
                    let text = serde_json::to_string_pretty(&shown.player_file()?);
                    Some(text.map_err(|error| Error::Failed(error.to_string()))? + "\n")
                }
                false => None,
            },
            svg: match self.svg {
                true => Some(shown.svg()?),
                false => None,
            },
            unfinished: shown.unfinished,
        })
    }
}

impl PortraitRequest {
    /// The folder of the run that the player is the champion of.
    fn folder(&self) -> Option<std::path::PathBuf> {
        let (base, _) = split_options(&self.player);
        let path = find_folder(Path::new(base)).ok()?;
        (FinishedRun::is_begun(&path) && path.join("champions.bin").is_file()).then_some(path)
    }

    fn champions(&self, watch: &dyn Watch) -> Result<(Vec<PastChampion>, usize), Error> {
        let Some(path) = self.folder() else { return Ok((Vec::new(), 0)) };
        let results = as_it_stands(&path, None, watch)?;
        let (mut past, mut moments) = (Vec::new(), 0);
        for run in &results.runs {
            let history = run.history(&results.spec)?;
            moments += history.len();
            let first = history.first().and_then(|moment| moment.champion.player());
            let most = match first.is_some_and(|player| player.squares().is_some()) {
                true => MOST_MOMENTS,
                false => MOST_NETWORKS,
            };
            for index in spread(history.len(), most) {
                watch.check()?;
                past.push(champion(&history[index]));
            }
        }
        Ok((past, moments))
    }
}

/// At most this many places of a list, evenly spread, the first and the last among them.
fn spread(length: usize, most: usize) -> Vec<usize> {
    let steps = length.min(most.max(2));
    let last = length.saturating_sub(1);
    let place = |step: usize| if steps < 2 { 0 } else { step * last / (steps - 1) };
    (0..steps).map(place).collect()
}

fn champion(moment: &Moment) -> PastChampion {
    let player = moment.champion.player();
    let portrait = player.as_ref().and_then(Player::portrait);
    let weights = player.as_ref().and_then(Player::squares);
    let squares = weights.or_else(|| square_worth(player.as_ref()?));
    PastChampion {
        games: moment.games,
        generation: moment.generation,
        squares: squares.map(|squares| squares.map(short).to_vec()),
        hidden: portrait.as_ref().map(Portrait::hidden_count),
        connections: portrait.as_ref().map(|portrait| portrait.connections.len()),
    }
}

fn kind(player: &Player, portrait: Option<&Portrait>) -> String {
    let name = |portrait: &Portrait| serde_json::to_value(portrait.kind).ok();
    match portrait.and_then(name) {
        Some(name) => name.as_str().unwrap_or_default().into(),
        None if player.varies() => "random".into(),
        None if player.squares().is_some() => "wpc".into(),
        None => "formula".into(),
    }
}

fn nodes(portrait: &Portrait) -> Vec<PortraitNode> {
    let (output, units, voices) = (portrait.hidden.len(), portrait.units(), portrait.voices());
    let mut heard = vec![0.0f32; output + 1];
    let mut bias = vec![None; output + 1];
    for Connection { from, to, weight } in &portrait.connections {
        match from {
            Source::Node(node) => heard[*node] += weight.abs(),
            Source::One => bias[*to] = Some(short(*weight)),
            Source::Square(_) => {}
        }
    }
    let node = |index: usize| {
        let unit = units.iter().find(|unit| unit.node == index);
        let hidden = portrait.hidden.get(index);
        PortraitNode {
            name: portrait.node_name(index).into(),
            depth: hidden.map_or(0, |hidden| hidden.depth),
            curve: hidden.map_or(portrait.output, |hidden| hidden.curve).name(),
            squares: unit.map(|unit| unit.squares.iter().map(|one| one.map(short)).collect()),
            bias: bias[index],
            to_output: voices.get(index).copied().flatten().map(short),
        }
    };
    let mut order: Vec<usize> = (0..output).collect();
    order.sort_by(|a, b| heard[*b].total_cmp(&heard[*a]));
    order.truncate(MOST_NODES);
    if units.iter().any(|unit| unit.node == output) {
        order.push(output);
    }
    order.into_iter().map(node).collect()
}

fn links(portrait: &Portrait) -> Vec<PortraitLink> {
    let link = |link: &Connection| PortraitLink {
        from: portrait.source_name(link.from),
        to: portrait.node_name(link.to).into(),
        weight: short(link.weight),
    };
    portrait.strongest().iter().take(MOST_LINKS).map(link).collect()
}

/// The number with the fewest digits that identify it in single precision.
fn short(weight: f32) -> f64 {
    weight.to_string().parse().unwrap_or(weight.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_arena::Unwatched;

    fn portrait(player: &str) -> PortraitAnswer {
        let request = PortraitRequest {
            player: player.into(),
            history: true,
            file: true,
            svg: true,
            ..PortraitRequest::default()
        };
        request.run(&Unwatched).unwrap()
    }

    #[test]
    fn a_wpc_is_its_weights() {
        let answer = portrait("heuristic");
        let weights = answer.weights.unwrap();
        assert_eq!((weights.len(), weights[0], weights[9]), (64, 1.0, -0.25));
        assert_eq!((answer.kind.as_str(), answer.nodes.len(), answer.moments), ("wpc", 0, 0));
        assert!(!answer.has_history && answer.worth.is_none() && answer.summary.is_some());
        assert!(answer.file.unwrap().contains("outflank-player"));
        assert!(answer.svg.unwrap().starts_with("<svg"));
    }

    #[test]
    fn a_network_is_its_nodes() {
        let answer = portrait("td-greedy");
        assert_eq!((answer.hidden, answer.nodes.len()), (Some(20), 20));
        assert_eq!(answer.worth.as_ref().unwrap().len(), 64);
        assert!(answer.nodes.iter().all(|node| node.squares.as_ref().unwrap().len() == 64));
        let heard: Vec<f64> = answer.nodes.iter().map(|n| n.to_output.unwrap().abs()).collect();
        assert!(heard.windows(2).all(|pair| pair[0] >= pair[1]), "{heard:?}");
        assert_eq!(answer.links.len(), answer.connections.unwrap().min(MOST_LINKS));
    }

    #[test]
    fn a_random_player_has_nothing_inside() {
        let request = PortraitRequest { player: "random".into(), ..PortraitRequest::default() };
        let answer = request.run(&Unwatched).unwrap();
        assert_eq!(answer.kind, "random");
        assert!(answer.weights.is_none() && answer.nodes.is_empty());
        let request = PortraitRequest { file: true, ..request };
        let error = request.run(&Unwatched).unwrap_err().to_string();
        assert!(error.contains("random has no model"), "{error}");
    }

    #[test]
    fn moments_are_spread() {
        assert_eq!(spread(5, 400), [0, 1, 2, 3, 4]);
        assert_eq!(spread(9, 3), [0, 4, 8]);
        assert_eq!(spread(1, 3), [0]);
        assert!(spread(0, 3).is_empty());
    }
}
