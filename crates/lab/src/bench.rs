//! How fast the kernels are on this machine, now. Machines are shared and noisy: every rate is the
//! median of many short windows, taken in turn with all others, in CPU time of the thread; only the
//! rates of several threads are in wall-clock time.

use std::sync::{Arc, Barrier};
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

use crate::stats::median;
use outflank_arena::{Arena, GameScratch, play_game};
use outflank_game::model::{
    Evaluate, Eyes, Graph, Mlp, MlpShape, Model, View, Wpc, graph::Response, random_weights,
    to_grid,
};
use outflank_game::othello::{Board, Position, Square};
use outflank_game::player::{Brain, Player, Policy, Turn, Work, parse_player};
use outflank_kernel::rng::{Chance, Seed, Stream};
use outflank_kernel::{Curve, Finished, Kernel, Lane, LaneGame, Learner, Record};
use outflank_learn::{Candidate, Company, LocalSpec, OneByOne, Spec, resolve};

/// Something to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Games between WPCs in the batch kernel, fresh weights for every game.
    Wpc,
    /// Games between random movers in the batch kernel.
    Random,
    /// Games between WPCs one at a time, as other players play.
    Single,
    /// Games in which one WPC learns by temporal differences.
    Td,
    /// The same with as many learners side by side as a batch has games.
    TdBatch,
    /// Games of a perceptron with 20 hidden nodes against the random player.
    Mlp,
    /// The same with 10 hidden nodes.
    Mlp10,
    /// Games of that perceptron as a graph.
    Graph10,
    /// Games against the random player from which a perceptron with 20 hidden nodes learns by
    /// TD(lambda) off-line.
    TdLambda,
    /// Games against the random player of the spatial network of Chong et al. 2005 at depth 2.
    Spatial2,
    /// The same, with boards evaluated one at a time.
    Plain2,
    /// Boards that a WPC evaluates to look six moves ahead.
    Tree6,
    /// Moves about which 100 WPCs are asked at once how many of them would make it.
    Ask,
    /// The same, one WPC after the other.
    AskEach,
    /// Leaves of the game tree.
    Perft,
}

impl Workload {
    /// All of them.
    pub const ALL: [Workload; 15] = [
        Workload::Wpc,
        Workload::Random,
        Workload::Single,
        Workload::Td,
        Workload::TdBatch,
        Workload::Mlp,
        Workload::Mlp10,
        Workload::Graph10,
        Workload::TdLambda,
        Workload::Spatial2,
        Workload::Plain2,
        Workload::Tree6,
        Workload::Ask,
        Workload::AskEach,
        Workload::Perft,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Workload::Wpc => "wpc",
            Workload::Random => "random",
            Workload::Single => "single",
            Workload::Td => "td",
            Workload::TdBatch => "td-batch",
            Workload::Mlp => "mlp",
            Workload::Mlp10 => "mlp-10",
            Workload::Graph10 => "graph-10",
            Workload::TdLambda => "td-lambda",
            Workload::Spatial2 => "spatial-2",
            Workload::Plain2 => "plain-2",
            Workload::Tree6 => "tree-6",
            Workload::Ask => "ask",
            Workload::AskEach => "ask-each",
            Workload::Perft => "perft",
        }
    }

    /// The unit that is counted.
    pub fn unit(self) -> &'static str {
        match self {
            Workload::Perft => "leaves",
            Workload::Tree6 => "boards",
            Workload::Ask | Workload::AskEach => "moves",
            _ => "games",
        }
    }
}

/// The rate of a workload with a kernel on some threads.
#[derive(Clone, Debug)]
pub struct Rate {
    /// The kernel.
    pub kernel: Kernel,
    /// The workload.
    pub workload: Workload,
    /// The number of threads.
    pub threads: usize,
    /// Units per second in every window, sorted.
    pub windows: Vec<f64>,
}

impl Rate {
    /// The median of the windows.
    pub fn median(&self) -> f64 {
        median(&self.windows).unwrap_or_default()
    }
}

/// What to measure, and how often.
#[derive(Clone, Debug)]
pub struct Bench {
    /// The kernels to compare.
    pub kernels: Vec<Kernel>,
    /// The numbers of threads to compare.
    pub threads: Vec<usize>,
    /// Windows for each rate.
    pub windows: usize,
}

/// CPU seconds of a window, about.
const WINDOW: f64 = 0.03;

impl Bench {
    /// Measures every workload with every kernel and number of threads, in turn, window by window.
    pub fn run(&self, mut progress: impl FnMut()) -> Vec<Rate> {
        let players = Players::new();
        let mut rates = Vec::new();
        for &kernel in &self.kernels {
            for workload in Workload::ALL {
                for &threads in &self.threads {
                    rates.push(Rate { kernel, workload, threads, windows: Vec::new() });
                }
            }
        }
        let repeats: Vec<u32> = rates
            .iter()
            .map(|rate| {
                // The first run warms up, the second shows how often to repeat it in a window.
                players.work(rate.kernel, rate.workload);
                let before = cpu_seconds();
                players.work(rate.kernel, rate.workload);
                (WINDOW / (cpu_seconds() - before).max(1e-6)).ceil() as u32
            })
            .collect();
        for _ in 0..self.windows {
            for (rate, &repeats) in rates.iter_mut().zip(&repeats) {
                rate.windows.push(players.window(
                    rate.kernel,
                    rate.workload,
                    rate.threads,
                    repeats,
                ));
                progress();
            }
        }
        rates.iter_mut().for_each(|rate| rate.windows.sort_by(f64::total_cmp));
        rates
    }

    /// How many windows [`Bench::run`] takes.
    pub fn steps(&self) -> usize {
        self.kernels.len() * Workload::ALL.len() * self.threads.len() * self.windows
    }
}

/// Fixed players for all workloads.
struct Players {
    grids: Vec<[i16; 64]>,
    singles: Vec<Player>,
    random: Player,
    /// Perceptrons with 20 and 10 hidden nodes, and the second as a graph.
    networks: [Player; 3],
    /// The spatial network at depth 2, and the same as a mere function.
    ahead: [Player; 2],
    /// A WPC at depth 6.
    deep: Player,
    td_lambda: Spec,
    /// 100 WPCs that are asked at once, and one after the other.
    companies: [Box<dyn Company>; 2],
    /// The moves of some games.
    moves: Vec<(Turn, Square)>,
}

impl Players {
    fn new() -> Players {
        let weights = |index| random_weights(&mut Seed(0).at(Stream::Weights, index).rng());
        let [random, random_wpc] =
            ["random", "random-wpc"].map(|name| parse_player(name).expect("a named player"));
        let mlp = perceptron(10);
        let mut params = mlp.params().iter().copied();
        let curves = Response { curve: CURVE, output: CURVE, view: View::Mover };
        let graph = Graph::layered(curves, 10, false, || params.next().expect("as many weights"));
        let mut td_lambda = resolve("td-lambda", &[]).expect("presets are sound").spec;
        if let LocalSpec::TdLambda(spec) = &mut td_lambda.local {
            spec.games = 64;
        }
        let mut rng = Seed(0).at(Stream::Weights, 0).rng();
        let company: Vec<Wpc> = (0..100).map(|_| Wpc::uniform(1.0, &mut rng)).collect();
        Players {
            grids: (0..1024).map(|index| to_grid(&weights(index))).collect(),
            singles: (0..64).map(|i| random_wpc.drawn(Seed(0).at(Stream::Weights, i))).collect(),
            random,
            networks: [player(perceptron(20)), player(mlp), player(graph)],
            ahead: [player(spatial()), player(Plain(spatial()))].map(|player| at_depth(player, 2)),
            deep: at_depth(random_wpc.drawn(Seed(0).at(Stream::Weights, 0)), 6),
            td_lambda,
            companies: [Box::new(OneByOne::new(&company)), Wpc::company(company)],
            moves: (0..4).flat_map(random_moves).collect(),
        }
    }

    /// Does a small fixed amount of work; returns how many units that was.
    fn work(&self, kernel: Kernel, workload: Workload) -> u64 {
        match workload {
            Workload::Wpc | Workload::Random => self.batch(kernel, workload),
            Workload::Single => {
                games(kernel, |game| [&self.singles[game], &self.singles[(7 * game + 5) % 64]])
            }
            Workload::Mlp => self.against_random(kernel, &self.networks[0]),
            Workload::Mlp10 => self.against_random(kernel, &self.networks[1]),
            Workload::Graph10 => self.against_random(kernel, &self.networks[2]),
            Workload::TdLambda => {
                let arena = Arena::new(kernel, 1).expect("the caller's thread is there");
                let mut run = self.td_lambda.begin(Seed(0)).expect("the preset's players exist");
                run.step(&arena, &|| false).expect("nothing stops it, and it learns slowly");
                run.games()
            }
            Workload::Spatial2 => self.against_random(kernel, &self.ahead[0]),
            Workload::Plain2 => self.against_random(kernel, &self.ahead[1]),
            Workload::Tree6 => {
                let before = Work::so_far();
                games(kernel, |game| match game % 2 {
                    0 => [&self.deep, &self.random],
                    _ => [&self.random, &self.deep],
                });
                (Work::so_far() - before).evaluations
            }
            Workload::Ask => self.ask(kernel, &*self.companies[1]),
            Workload::AskEach => self.ask(kernel, &*self.companies[0]),
            Workload::Td => learn(kernel, 1, 64),
            Workload::TdBatch => learn(kernel, kernel.batch_games(), 1),
            Workload::Perft => {
                let Board { own, opp } = Board::START;
                kernel.perft(own.0, opp.0, 7, 1)
            }
        }
    }

    fn against_random(&self, kernel: Kernel, player: &Player) -> u64 {
        games(kernel, |game| match game % 2 {
            0 => [player, &self.random],
            _ => [&self.random, player],
        })
    }

    fn ask(&self, kernel: Kernel, company: &dyn Company) -> u64 {
        for (turn, at) in &self.moves {
            std::hint::black_box(company.agreeing(kernel, turn, *at, 0));
        }
        self.moves.len() as u64
    }

    fn batch(&self, kernel: Kernel, workload: Workload) -> u64 {
        let lane = |index: usize| match workload {
            Workload::Wpc => {
                Lane { weights: Some(&self.grids[index % 1024]), random: Chance::NEVER }
            }
            _ => Lane { weights: None, random: Chance::ALWAYS },
        };
        let Board { own, opp } = Board::START;
        let games: Vec<LaneGame<'_>> = (0..1024)
            .map(|game| LaneGame {
                own: own.0,
                opp: opp.0,
                key: Seed(0).at(Stream::Game, game as u64),
                first: lane(7 * game),
                second: lane(13 * game + 5),
            })
            .collect();
        let mut finished = vec![Finished::default(); games.len()];
        kernel.play(&games, &mut finished, Record::Nothing);
        std::hint::black_box(&finished);
        games.len() as u64
    }

    /// Units per second in one window: CPU time for one thread, else wall-clock time.
    fn window(&self, kernel: Kernel, workload: Workload, threads: usize, repeats: u32) -> f64 {
        let run = || (0..repeats).map(|_| self.work(kernel, workload)).sum::<u64>();
        if threads == 1 {
            let before = cpu_seconds();
            return run() as f64 / (cpu_seconds() - before);
        }
        let barrier = Barrier::new(threads);
        let spans: Vec<(u64, Instant, Instant)> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|_| {
                    scope.spawn(|| {
                        // Each thread allocates scratch space first, outside the rate.
                        self.work(kernel, workload);
                        barrier.wait();
                        let began = Instant::now();
                        (run(), began, Instant::now())
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("work does not panic")).collect()
        });
        let units: u64 = spans.iter().map(|(units, ..)| units).sum();
        let began = spans.iter().map(|(_, began, _)| *began).min();
        let ended = spans.iter().map(|(.., ended)| *ended).max();
        match (began, ended) {
            (Some(began), Some(ended)) => units as f64 / (ended - began).as_secs_f64(),
            _ => 0.0,
        }
    }
}

/// The curve of all networks here.
const CURVE: Curve = Curve::Sigmoid;

/// A model as a function of boards and nothing else.
#[derive(Debug)]
struct Plain(Mlp);

impl Evaluate for Plain {
    fn value(&self, board: Board) -> f32 {
        self.0.value(board)
    }
}

fn at_depth(player: Player, depth: u32) -> Player {
    Player { policy: Policy { depth, ..player.policy }, ..player }
}

/// The network of Chong, Tan & White 2005.
fn spatial() -> Mlp {
    let shape = MlpShape {
        eyes: Eyes::Pieces,
        hidden: vec![40, 10],
        curve: Curve::Tanh,
        output: Curve::Tanh,
        bias: true,
        view: View::Mover,
    };
    Mlp::uniform(shape, 0.2, &mut Seed(0).at(Stream::Weights, 3000).rng())
}

fn perceptron(hidden: usize) -> Mlp {
    let (eyes, view) = (Eyes::Board, View::Mover);
    let shape =
        MlpShape { eyes, hidden: vec![hidden], curve: CURVE, output: CURVE, bias: false, view };
    Mlp::uniform(shape, 0.5, &mut Seed(0).at(Stream::Weights, 0).rng())
}

fn player(network: impl Evaluate + 'static) -> Player {
    let brain = Brain::Model { model: Arc::new(network), view: View::Mover };
    Player { name: String::new(), brain, policy: Policy::default() }
}

/// Plays 64 games one at a time; returns how many that was.
fn games<'a>(kernel: Kernel, players: impl Fn(usize) -> [&'a Player; 2]) -> u64 {
    let mut table = GameScratch::default();
    for game in 0..64 {
        let key = Seed(0).at(Stream::Game, game as u64);
        play_game(kernel, players(game), Position::START, key, &mut table);
    }
    64
}

/// The moves of a game between random movers.
fn random_moves(index: u64) -> Vec<(Turn, Square)> {
    let key = Seed(0).at(Stream::Game, index);
    let (mut position, mut moves) = (Position::START, Vec::new());
    for ply in 0.. {
        let legal = position.board.moves();
        if legal.is_empty() {
            position = position.pass();
            if position.board.moves().is_empty() {
                break;
            }
            continue;
        }
        let at = legal.nth(key.draw(ply).index(legal.len()));
        moves.push((Turn { position, moves: legal, ply, key }, at));
        position = position.play(at);
    }
    moves
}

/// Learners with weights of 0 play some games each; returns how many in all.
fn learn(kernel: Kernel, learners: usize, games: u32) -> u64 {
    let mut weights = vec![[0.0; 64]; learners];
    let mut learners: Vec<Learner<'_>> = (0..)
        .zip(&mut weights)
        .map(|(index, weights)| Learner {
            weights,
            alpha: 0.01,
            lambda: 0.0,
            epsilon: Chance::new(0.1).expect("a probability"),
            seed: Seed(0).child(Stream::Candidate, index),
        })
        .collect();
    kernel.self_play(&mut learners, games);
    std::hint::black_box(&weights);
    weights.len() as u64 * u64::from(games)
}

/// CPU time of this thread.
pub(super) fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
