//! How much of the batch kernel's speed is left when a method uses it: games per second of every
//! preset on one core, without probes and checkpoints, beside the same kind of games without
//! learning.

use super::bench::cpu_seconds;
use crate::stats::median;
use outflank_arena::Arena;
use outflank_game::model::{random_weights, to_grid};
use outflank_game::othello::Board;
use outflank_kernel::rng::{Chance, Seed, Stream};
use outflank_kernel::{Finished, Kernel, Lane, LaneGame, Record};
use outflank_learn::{Cohort, LearnError, Spec};
use outflank_learn::{PRESETS, resolve};

/// The speed of a method.
#[derive(Clone, Debug)]
pub struct Pace {
    /// The preset, and the number of runs side by side.
    pub name: String,
    /// The median of games per second of CPU time.
    pub rate: f64,
    /// Median of the ratios to the batch kernel's rate, window by window.
    pub share: f64,
}

/// CPU seconds of a window, about.
const WINDOW: f64 = 0.05;
/// Generations before the first window: the first populations are all alike, not a fair sample.
const WARM_UP: usize = 20;

/// Measures all presets, in turn, window by window; the first pace is the batch kernel's own.
pub fn bench_learning(kernel: Kernel, windows: usize, mut progress: impl FnMut()) -> Vec<Pace> {
    let arena = Arena::new(kernel, 1).expect("one thread can be started");
    let mut courses = courses(kernel);
    for course in &mut courses {
        for _ in 0..WARM_UP {
            (course.step)(&arena);
        }
    }
    let grids: Vec<[i16; 64]> = (0..100)
        .map(|index| to_grid(&random_weights(&mut Seed(0).at(Stream::Weights, index).rng())))
        .collect();
    let reference = || kernel_games(kernel, &grids);
    let mut rates = vec![Vec::new(); courses.len() + 1];
    for _ in 0..windows {
        rates[0].push(window(reference));
        progress();
        for (course, rates) in courses.iter_mut().zip(&mut rates[1..]) {
            rates.push(window(|| (course.step)(&arena)));
            progress();
        }
    }
    let names = ["kernel".to_owned()].into_iter().chain(courses.into_iter().map(|c| c.name));
    let pace = |(name, own): (String, &Vec<f64>)| {
        let shares: Vec<f64> =
            own.iter().zip(&rates[0]).map(|(own, kernel)| own / kernel).collect();
        Pace {
            name,
            rate: median(own).unwrap_or_default(),
            share: median(&shares).unwrap_or_default(),
        }
    };
    names.zip(&rates).map(pace).collect()
}

/// How many windows [`bench_learning`] takes in each of its rounds.
pub fn courses_count(kernel: Kernel) -> usize {
    courses(kernel).len() + 1
}

/// Training games per second of CPU time of a method on one core, from a short trial.
pub fn pace_of(spec: &Spec, kernel: Kernel) -> Option<f64> {
    let arena = Arena::new(kernel, 1).ok()?;
    let mut course = Course::of(String::new(), spec, 1).ok()?;
    Some(window(|| (course.step)(&arena)))
}

/// Runs of a preset, side by side.
struct Course {
    name: String,
    /// Advances all runs by one generation and returns the number of games.
    step: Box<dyn FnMut(&Arena) -> u64>,
}

impl Course {
    fn new(name: String, spec: &Spec, count: usize) -> Course {
        Course::of(name, spec, count).expect("presets name players that exist")
    }

    fn of(name: String, spec: &Spec, count: usize) -> Result<Course, LearnError> {
        let seeds: Vec<Seed> = (1..=count as u64).map(Seed).collect();
        let ready = spec.ready()?;
        let mut runs = ready.begin(&seeds)?;
        let all: Vec<usize> = (0..count).collect();
        let step = move |arena: &Arena| {
            let games =
                |runs: &dyn Cohort| all.iter().map(|&run| runs.run(run).games()).sum::<u64>();
            let before = games(&*runs);
            runs.step(&all, arena, &|| false);
            games(&*runs) - before
        };
        Ok(Course { name, step: Box::new(step) })
    }
}

/// Every preset once, and those whose only games are self-play also as a full batch.
fn courses(kernel: Kernel) -> Vec<Course> {
    let mut courses = Vec::new();
    for preset in PRESETS {
        let spec = resolve(preset.name, &[]).expect("presets are sound").spec;
        let alone = !spec.search.varies() && spec.local.is_faster_together();
        let counts: &[usize] = if alone { &[1, 30, kernel.batch_games()] } else { &[1] };
        for &count in counts {
            let name =
                if count == 1 { preset.name.into() } else { format!("{} x {count}", preset.name) };
            courses.push(Course::new(name, &spec, count));
        }
    }
    courses
}

/// Fifty WPCs against fifty others, two games each: a generation's games and nothing else.
fn kernel_games(kernel: Kernel, grids: &[[i16; 64]]) -> u64 {
    let Board { own, opp } = Board::START;
    let lane = |grid| Lane { weights: Some(grid), random: Chance::NEVER };
    let (rows, columns) = grids.split_at(50);
    let mut games = Vec::with_capacity(2 * rows.len() * columns.len());
    for swapped in [false, true] {
        for row in rows {
            for column in columns {
                let (first, second) = if swapped { (column, row) } else { (row, column) };
                let key = Seed(0).at(Stream::Game, games.len() as u64);
                let (first, second) = (lane(first), lane(second));
                games.push(LaneGame { own: own.0, opp: opp.0, key, first, second });
            }
        }
    }
    let mut finished = vec![Finished::default(); games.len()];
    kernel.play(&games, &mut finished, Record::Nothing);
    std::hint::black_box(&finished);
    games.len() as u64
}

/// Units per second of CPU time of some work, repeated for a window.
fn window(mut work: impl FnMut() -> u64) -> f64 {
    let began = cpu_seconds();
    let mut units = 0;
    loop {
        units += work();
        let seconds = cpu_seconds() - began;
        if seconds >= WINDOW {
            return units as f64 / seconds;
        }
    }
}
