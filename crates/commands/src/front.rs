//! The fronts of studies with several objectives.

use outflank_arena::Watch;
use outflank_lab::{Fronts, mean_interval};
use outflank_learn::Quantity;
use serde::{Deserialize, Serialize};

use crate::teams::{Unfinished, parse_studies};
use crate::{Command, Error};

/// Lists the fronts of studies or runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrontRequest {
    /// Studies or runs, `[NAME=]PATH`.
    pub studies: Vec<String>,
}

/// The fronts.
#[derive(Clone, Debug, Serialize)]
pub struct FrontAnswer {
    /// The studies, in order.
    pub results: Vec<StudyFronts>,
    /// Runs that are not finished, taken as they stand.
    pub unfinished: Vec<Unfinished>,
    /// The same fronts, to draw them.
    #[serde(skip)]
    pub fronts: Vec<Fronts>,
}

/// The fronts of a study.
#[derive(Clone, Debug, Serialize)]
pub struct StudyFronts {
    /// Its name.
    pub name: String,
    /// Its objectives: the opponents.
    pub objectives: Vec<String>,
    /// Its runs.
    pub runs: Vec<RunRow>,
    /// The players of the fronts of all runs.
    pub players: Vec<FrontPlayer>,
    /// The mean number of players over the runs.
    pub size: FrontMean,
    /// The mean hypervolume over the runs; none if there are too many objectives.
    pub hypervolume: Option<FrontMean>,
    /// The hypervolume of the front of all runs together.
    pub reconstructed_hypervolume: Option<f64>,
}

/// The front of a run.
#[derive(Clone, Debug, Serialize)]
pub struct RunRow {
    /// The seed of the run.
    pub seed: u64,
    /// Its folder.
    pub path: String,
    /// The number of players.
    pub size: usize,
    /// The hypervolume, from the reference point 0; none if there are too many objectives.
    pub hypervolume: Option<f64>,
}

/// A player of a front.
#[derive(Clone, Debug, Serialize)]
pub struct FrontPlayer {
    /// The seed of its run.
    pub seed: u64,
    /// Its number in the front of that run.
    pub number: usize,
    /// How commands name it.
    pub player: String,
    /// Its share of the points in each objective, in the games of training.
    pub shares: Vec<f64>,
    /// Whether no player of any run dominates it: the reconstructed front.
    pub of_all_runs: bool,
}

/// A mean over runs.
#[derive(Clone, Debug, Serialize)]
pub struct FrontMean {
    /// The mean.
    pub mean: f64,
    /// Its 95% interval; none for a single run.
    pub interval: Option<[f64; 2]>,
}

impl FrontMean {
    fn of(values: &[f64], quantity: Quantity) -> FrontMean {
        let (mean, interval) = mean_interval(values);
        FrontMean { mean, interval: interval.map(|ends| quantity.within(ends)) }
    }
}

impl Command for FrontRequest {
    type Answer = FrontAnswer;
    const NAME: &'static str = "front";

    fn run(&self, watch: &dyn Watch) -> Result<FrontAnswer, Error> {
        let studies = parse_studies(&self.studies, None, watch)?;
        let mut fronts = Vec::new();
        for study in &studies {
            let path = study.path.display();
            fronts.push(Fronts::of(study)?.ok_or_else(|| {
                Error::Usage(format!(
                    "{path} has one objective, so it has no front; runs of a spec with objective.kind = \
                     \"fronts\" have one"
                ))
            })?);
        }
        let unfinished = Unfinished::among(&studies);
        Ok(FrontAnswer { results: fronts.iter().map(study_fronts).collect(), unfinished, fronts })
    }
}

fn study_fronts(fronts: &Fronts) -> StudyFronts {
    let row = |front: &outflank_lab::RunFront| RunRow {
        seed: front.seed,
        path: front.path.to_string_lossy().into_owned(),
        size: front.points.len(),
        hypervolume: front.volume(),
    };
    let best = fronts.reconstructed();
    let mut players = Vec::new();
    for (run, front) in fronts.runs.iter().enumerate() {
        for player in 0..front.points.len() {
            let place = (run, player);
            players.push(FrontPlayer {
                seed: front.seed,
                number: player + 1,
                player: fronts.reference(place),
                shares: fronts.point(place).to_vec(),
                of_all_runs: best.contains(&place),
            });
        }
    }
    let of_all = outflank_lab::RunFront {
        seed: 0,
        path: Default::default(),
        points: fronts.reconstructed_points(),
    };
    StudyFronts {
        name: fronts.name.clone(),
        objectives: fronts.objectives.clone(),
        runs: fronts.runs.iter().map(row).collect(),
        players,
        size: FrontMean::of(&fronts.sizes(), Quantity::Count),
        hypervolume: fronts.volumes().map(|all| FrontMean::of(&all, Quantity::Volume)),
        reconstructed_hypervolume: of_all.volume(),
    }
}
