//! Why a player gives a board its value: what each disc and each hidden node adds to it.

use outflank_arena::Watch;
use outflank_game::model::{Evaluate, Portrait, View};
use outflank_game::othello::{Board, Position, Side, Square, Squares};
use outflank_game::player::{Brain, Player};
use outflank_kernel::Source;
use serde::{Deserialize, Serialize};

use super::{GameSoFar, colour, discs, seated};
use crate::{Command, Error};

/// Asks what a player sees in a board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExplainRequest {
    /// The player.
    pub player: String,
    /// The game so far.
    pub game: GameSoFar,
    /// A legal move: the board after it is explained, to the side that makes it. Else the board as
    /// it is, to the side to move.
    pub after: Option<String>,
    /// Seed of a player that is drawn for every game.
    pub seed: u64,
}

impl Default for ExplainRequest {
    fn default() -> ExplainRequest {
        let (player, game) = (String::new(), GameSoFar::default());
        ExplainRequest { player, game, after: None, seed: 1 }
    }
}

/// What a player sees in a board. Everything is for one side: above 0 is good for it.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainAnswer {
    /// The player.
    pub player: String,
    /// For which side.
    pub side: &'static str,
    /// The discs, a1 to h8.
    pub board: String,
    /// What the board is worth to it; of a network, the input of its last curve. None if it draws
    /// its moves.
    pub value: Option<f64>,
    /// What the disc on each square adds, a1 to h8: how much lower the value is without it. For a
    /// weighted piece counter these are weight times disc, and add up to the value.
    pub squares: Vec<f64>,
    /// Whether `squares` adds up to the value.
    pub adds_up: bool,
    /// What the constant adds to the output of a network.
    pub bias: Option<f64>,
    /// The hidden nodes of a network.
    pub nodes: Vec<ExplainedNode>,
}

/// A hidden node, and what it does.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedNode {
    /// Its name.
    pub name: String,
    /// What comes in.
    pub input: f64,
    /// What comes out.
    pub output: f64,
    /// What it adds to the output of the network, if it is connected to it.
    pub adds: Option<f64>,
}

impl Command for ExplainRequest {
    type Answer = ExplainAnswer;
    const NAME: &'static str = "explain";

    fn run(&self, _watch: &dyn Watch) -> Result<ExplainAnswer, Error> {
        let (player, game) = (seated(&self.player, self.seed)?, self.game.game()?);
        let (mut position, side) = (game.position(), game.position().side);
        if let Some(after) = self.after.as_deref().filter(|after| !after.is_empty()) {
            let wrong = |problem: String| Error::Usage(format!("after = {after:?}: {problem}"));
            let at: Square =
                after.parse().map_err(|()| wrong("it is not a square a1 to h8".into()))?;
            position.check(at).map_err(|illegal| wrong(illegal.to_string()))?;
            position = position.play(at);
        }
        Ok(explain(&player, position, side))
    }
}

fn explain(player: &Player, position: Position, side: Side) -> ExplainAnswer {
    let mut answer = ExplainAnswer {
        player: player.name.clone(),
        side: colour(side),
        board: discs(position),
        value: None,
        squares: Vec::new(),
        adds_up: false,
        bias: None,
        nodes: Vec::new(),
    };
    if player.varies() {
        return answer;
    }
    let (seen, sign) = match &player.brain {
        Brain::Model { view: View::Black, .. } if side == Side::White => {
            (position.seen_by(Side::Black), -1.0)
        }
        _ => (position.seen_by(side), 1.0),
    };
    let portrait = player.portrait();
    let value = |board: Board| match (&player.brain, &portrait) {
        (_, Some(portrait)) => sign * run(portrait, board).0,
        (Brain::Wpc(wpc), None) => sign * sum(&wpc.squares().unwrap_or([0.0; 64]), board),
        (Brain::Model { model, .. }, None) => sign * f64::from(model.value(board)),
        _ => 0.0,
    };
    let whole = value(seen);
    answer.value = Some(tidy(whole));
    answer.squares = Square::all().map(|at| tidy(whole - value(without(seen, at)))).collect();
    answer.adds_up = player.squares().is_some();
    if let Some(portrait) = &portrait {
        let (_, states) = run(portrait, seen);
        let voices = portrait.voices();
        answer.bias = bias(portrait).map(|bias| tidy(sign * bias));
        let node = |(index, (input, output)): (usize, &(f64, f64))| ExplainedNode {
            name: portrait.node_name(index).into(),
            input: tidy(*input),
            output: tidy(*output),
            adds: voices[index].map(|voice| tidy(sign * f64::from(voice) * output)),
        };
        answer.nodes = states.iter().enumerate().map(node).collect();
    }
    answer
}

/// The board without the disc on a square.
fn without(board: Board, at: Square) -> Board {
    let others = !at.set().0;
    Board { own: Squares(board.own.0 & others), opp: Squares(board.opp.0 & others) }
}

fn disc(board: Board, index: usize) -> f64 {
    let bit = |set: Squares| (set.0 >> index & 1) as f64;
    bit(board.own) - bit(board.opp)
}

fn sum(weights: &[f32; 64], board: Board) -> f64 {
    (0..64).map(|index| f64::from(weights[index]) * disc(board, index)).sum()
}

/// The input of the output of a network, and what goes into and comes out of each hidden node.
fn run(portrait: &Portrait, board: Board) -> (f64, Vec<(f64, f64)>) {
    let output = portrait.hidden.len();
    let mut into: Vec<Vec<(Source, f32)>> = vec![Vec::new(); output + 1];
    for link in &portrait.connections {
        into[link.to].push((link.from, link.weight));
    }
    let mut states: Vec<(f64, f64)> = Vec::with_capacity(output);
    for (node, links) in into.iter().enumerate() {
        let input: f64 = links
            .iter()
            .map(|(from, weight)| {
                f64::from(*weight)
                    * match from {
                        Source::One => 1.0,
                        Source::Square(index) => disc(board, usize::from(*index)),
                        // Nodes feed only later ones.
                        Source::Node(earlier) => states[*earlier].1,
                    }
            })
            .sum();
        if node == output {
            return (input, states);
        }
        states.push((input, f64::from(portrait.hidden[node].curve.at(input as f32))));
    }
    (0.0, states)
}

fn bias(portrait: &Portrait) -> Option<f64> {
    let to_output = |link: &&outflank_game::model::Connection| {
        link.to == portrait.hidden.len() && matches!(link.from, Source::One)
    };
    let links: Vec<f64> =
        portrait.connections.iter().filter(to_output).map(|link| f64::from(link.weight)).collect();
    (!links.is_empty()).then(|| links.iter().sum())
}

/// Without digits that mean nothing: weights have seven.
fn tidy(number: f64) -> f64 {
    if !number.is_finite() {
        return 0.0;
    }
    let rounded = format!("{number:.6e}").parse().unwrap_or(number);
    if f64::abs(rounded) < 1e-12 { 0.0 } else { rounded }
}
