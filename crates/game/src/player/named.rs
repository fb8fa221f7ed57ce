//! The players that have a name, exactly as in the papers.

use std::sync::{Arc, LazyLock};

use super::{Brain, Player, Policy, parse_player_file};
use crate::model::{Formula, View, Wpc, mirrored};

/// A player with a name.
#[derive(Debug)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    brain: fn() -> Brain,
}

impl Named {
    /// The player, with no policy.
    pub fn player(&self) -> Player {
        Player { name: self.name.into(), brain: (self.brain)(), policy: Policy::default() }
    }
}

/// All of them.
pub static NAMED: &[Named] = &[
    Named { name: "random", summary: "uniformly random legal moves", brain: || Brain::Random },
    Named {
        name: "heuristic",
        summary: "the standard heuristic WPC (weighted piece counter), Szubert et al. 2009, Table I",
        brain: || wpc(mirrored(HEURISTIC)),
    },
    Named {
        name: "lr2006",
        summary: "the best WPC of Lucas & Runarsson 2006",
        brain: || wpc(LR2006),
    },
    Named {
        name: "ctdl2009-best",
        summary: "the best evolved WPC, Szubert et al. 2009, Table III",
        brain: || wpc(CTDL2009_BEST),
    },
    Named {
        name: "positional",
        summary: "values of the squares under its own discs, Vuurboom 2008",
        brain: || formula(Formula::Positional),
    },
    Named {
        name: "mobility",
        summary: "corners and relative mobility, Vuurboom 2008",
        brain: || formula(Formula::Mobility),
    },
    Named {
        name: "random-wpc",
        summary: "a new WPC in every pair of games, with weights uniform in [-1, 1]",
        brain: || Brain::RandomWpc,
    },
    Named {
        name: "td-greedy",
        summary: "a 64-20-1 perceptron trained as Vuurboom 2008 describes, see scripts/td-greedy",
        brain: || TD_GREEDY.clone(),
    },
    Named {
        name: "random-buggy",
        summary: "random moves, but never the last legal one: an error in work before Vuurboom 2008",
        brain: || Brain::RandomBuggy,
    },
];

/// `scripts/td-greedy` makes its file.
static TD_GREEDY: LazyLock<Brain> = LazyLock::new(|| {
    let file = parse_player_file(include_str!("td-greedy.json"), "td-greedy");
    let player = file.ok().and_then(|file| file.player());
    player.expect("the file was tried by tests").brain
});

fn wpc(weights: [f32; 64]) -> Brain {
    Brain::Wpc(Arc::new(Wpc::new(weights).expect("published weights are finite")))
}

fn formula(formula: Formula) -> Brain {
    Brain::Model { model: Arc::new(formula), view: View::Mover }
}

const HEURISTIC: [[f32; 4]; 4] = [
    [1.00, -0.25, 0.10, 0.05],
    [-0.25, -0.25, 0.01, 0.01],
    [0.10, 0.01, 0.05, 0.02],
    [0.05, 0.01, 0.02, 0.01],
];

// As printed, including trailing zeros.
#[rustfmt::skip]
#[allow(clippy::excessive_precision)]
const LR2006: [f32; 64] = [
     4.622507, -1.477853,  1.409644, -0.066975, -0.305214,  1.633019, -1.050899,  4.365550,
    -1.329145, -2.245663, -1.060633, -0.541089, -0.332716, -0.475830, -2.274535, -0.032595,
     2.681550, -0.906628,  0.229372,  0.059260, -0.150415,  0.321982, -1.145060,  2.986767,
    -0.746066, -0.317389,  0.140040, -0.045266,  0.236595,  0.158543, -0.720833, -0.131124,
    -0.305566, -0.328398,  0.073872, -0.131472, -0.172101,  0.016603, -0.511448, -0.264125,
     2.777411, -0.769551,  0.676483,  0.282190,  0.007184,  0.269876, -1.408169,  2.396238,
    -1.566175, -3.049899, -0.637408, -0.077690, -0.648382, -0.911066, -3.329772, -0.870962,
     5.046583, -1.468806,  1.545046, -0.031175,  0.263998,  2.063148, -0.148002,  5.781035,
];

#[rustfmt::skip]
const CTDL2009_BEST: [f32; 64] = [
     1.02, -0.27,  0.55, -0.10,  0.08,  0.47, -0.38,  1.00,
    -0.13, -0.52, -0.18, -0.07, -0.18, -0.29, -0.68, -0.44,
     0.55, -0.24,  0.02, -0.01, -0.01,  0.10, -0.13,  0.77,
    -0.10, -0.10,  0.01, -0.01,  0.00, -0.01, -0.09, -0.05,
     0.05, -0.17,  0.02, -0.04, -0.03,  0.03, -0.09, -0.05,
     0.56, -0.25,  0.05,  0.02, -0.02,  0.17, -0.35,  0.42,
    -0.25, -0.71, -0.24, -0.23, -0.08, -0.29, -0.63, -0.24,
     0.93, -0.44,  0.55,  0.22, -0.15,  0.74, -0.57,  0.97,
];
