//! The fronts of the runs of a study: their points, what they dominate, the front of all runs
//! together, and what a share of the runs attains.

use std::path::{Path, PathBuf};

use super::{Results, ResultsError, RunResult};
use outflank_game::player::{PlayerFile, read_front};
use outflank_learn::{MAX_VOLUME, hypervolume, undominated};
use serde::{Deserialize, Serialize};

/// The fronts of a study with several objectives.
#[derive(Clone, Debug, PartialEq)]
pub struct Fronts {
    /// The name of the study.
    pub name: String,
    /// The names of the objectives: the opponents.
    pub objectives: Vec<String>,
    /// The runs, by seed.
    pub runs: Vec<RunFront>,
}

/// The front of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFront {
    /// The seed of the run.
    pub seed: u64,
    /// Its folder.
    pub path: PathBuf,
    /// The share of points of each player in each objective; player 1 is the first.
    pub points: Vec<Vec<f64>>,
}

/// The points of a front.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontPoints {
    /// The names of the objectives; none if there is no front.
    pub objectives: Vec<String>,
    /// The share of points of each player in each objective.
    pub points: Vec<Vec<f64>>,
}

impl FrontPoints {
    /// Reads the front of a run.
    pub fn read(run: &Path) -> Result<FrontPoints, ResultsError> {
        let mut front = FrontPoints::default();
        for file in &read_front(run)? {
            let (names, shares) = results(file);
            front.objectives = names;
            front.points.push(shares);
        }
        Ok(front)
    }
}

impl Fronts {
    /// Reads the fronts of the runs of a study, of unfinished runs as they stand at their last
    /// checkpoint; none if it has a single objective.
    pub fn of(study: &Results) -> Result<Option<Fronts>, ResultsError> {
        let read = |run: &RunResult| FrontPoints::read(&run.path);
        let points: Vec<FrontPoints> = study.runs.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Fronts::put_together(study, points))
    }

    /// The same with the points of each run, in the order of the study's runs.
    pub fn put_together(study: &Results, points: Vec<FrontPoints>) -> Option<Fronts> {
        let last = points.iter().rfind(|own| !own.objectives.is_empty());
        let objectives = last?.objectives.clone();
        let usual = |own: &FrontPoints| own.points.iter().all(|p| p.len() == objectives.len());
        if !points.iter().all(usual) {
            return None;
        }
        let runs = study.runs.iter().zip(points).map(|(run, own)| RunFront {
            seed: run.seed,
            path: run.path.clone(),
            points: own.points,
        });
        Some(Fronts { name: study.name.clone(), objectives, runs: runs.collect() })
    }

    /// The number of players of the front of each run.
    pub fn sizes(&self) -> Vec<f64> {
        self.runs.iter().map(|run| run.points.len() as f64).collect()
    }

    /// The hypervolume of the front of each run; none if there are too many objectives.
    pub fn volumes(&self) -> Option<Vec<f64>> {
        (self.objectives.len() <= MAX_VOLUME)
            .then(|| self.runs.iter().map(|run| volume(&run.points)).collect())
    }

    /// The front of all runs together: the players that no player of any run dominates, as places
    /// of a run and a player, from the worst in the first objective to the best.
    pub fn reconstructed(&self) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        for (run, front) in self.runs.iter().enumerate() {
            places.extend((0..front.points.len()).map(|player| (run, player)));
        }
        let points: Vec<&[f64]> = places.iter().map(|place| self.point(*place)).collect();
        let mut best: Vec<(usize, usize)> =
            undominated(&points).into_iter().map(|at| places[at]).collect();
        best.sort_by(|a, b| {
            let [a, b] = [a, b].map(|place| self.point(*place));
            let by = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
            by.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        best
    }

    /// The results of a player.
    pub fn point(&self, (run, player): (usize, usize)) -> &[f64] {
        &self.runs[run].points[player]
    }

    /// The reference of a player, which commands take for it.
    pub fn reference(&self, (run, player): (usize, usize)) -> String {
        format!("{}#{}", self.runs[run].path.display(), player + 1)
    }

    /// The points of the front of all runs together, in order.
    pub fn reconstructed_points(&self) -> Vec<Vec<f64>> {
        self.reconstructed().into_iter().map(|place| self.point(place).to_vec()).collect()
    }

    /// The attainment surface of a share of the runs for two objectives (Fonseca and Fleming 1996):
    /// the corners of the region where a point is attained by the fronts of at least that share of
    /// the runs, from left to right. Empty if there is none, or not two objectives.
    pub fn attained(&self, share: f64) -> Vec<[f64; 2]> {
        let runs: Vec<Vec<[f64; 2]>> = self.runs.iter().map(pairs).collect();
        let needed = ((share * runs.len() as f64 - 1e-9).ceil() as usize).max(1);
        let mut xs: Vec<f64> = runs.iter().flatten().map(|point| point[0]).collect();
        xs.sort_by(|a, b| b.total_cmp(a));
        xs.dedup();
        let mut corners: Vec<[f64; 2]> = Vec::new();
        for x in xs {
            // How high each run reaches with at least x in the first objective.
            let reach = |run: &Vec<[f64; 2]>| {
                run.iter().filter(|point| point[0] >= x).map(|point| point[1]).reduce(f64::max)
            };
            let mut heights: Vec<f64> = runs.iter().filter_map(reach).collect();
            heights.sort_by(|a, b| b.total_cmp(a));
            let Some(&y) = heights.get(needed - 1) else { continue };
            if corners.last().is_none_or(|last| y > last[1]) {
                corners.push([x, y]);
            }
        }
        corners.reverse();
        corners
    }
}

impl RunFront {
    /// The hypervolume of its points; none if there are too many objectives.
    pub fn volume(&self) -> Option<f64> {
        let objectives = self.points.first().map_or(0, Vec::len);
        (objectives <= MAX_VOLUME).then(|| volume(&self.points))
    }
}

fn volume(points: &[Vec<f64>]) -> f64 {
    hypervolume(&points.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The points of a run with two objectives; none if it has others.
fn pairs(run: &RunFront) -> Vec<[f64; 2]> {
    run.points.iter().filter_map(|point| point.as_slice().try_into().ok()).collect()
}

/// The names of the objectives of a player of a front, and its shares.
fn results(file: &PlayerFile) -> (Vec<String>, Vec<f64>) {
    let all = file.provenance.get("objectives").and_then(|list| list.as_array());
    let one = |value: &serde_json::Value| {
        let share = value.get("share")?.as_f64().filter(|share| (0.0..=1.0).contains(share))?;
        Some((value.get("name")?.as_str()?.to_owned(), share))
    };
    all.into_iter().flatten().filter_map(one).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fronts(runs: &[&[[f64; 2]]]) -> Fronts {
        let run = |(seed, points): (u64, &&[[f64; 2]])| RunFront {
            seed,
            path: format!("runs/x/{seed}").into(),
            points: points.iter().map(|point| point.to_vec()).collect(),
        };
        let objectives = vec!["heuristic".into(), "lr2006".into()];
        Fronts { name: "x".into(), objectives, runs: (1..).zip(runs).map(run).collect() }
    }

    #[test]
    fn the_front_of_all_runs_has_players_of_several() {
        let both = fronts(&[&[[0.2, 0.9], [0.5, 0.5]], &[[0.8, 0.1], [0.6, 0.5]], &[]]);
        assert_eq!(both.reconstructed(), [(0, 0), (1, 1), (1, 0)]);
        assert_eq!(both.reference((1, 1)), "runs/x/2#2");
        assert_eq!(both.reconstructed_points()[1], [0.6, 0.5]);
        assert_eq!(both.sizes().len(), 3);
        let volumes = both.volumes().unwrap();
        assert!((volumes[0] - (0.25 + 0.08)).abs() < 1e-12 && volumes[2] < 1e-12, "{volumes:?}");
    }

    #[test]
    fn a_surface_is_what_a_share_of_the_runs_attains() {
        let all = fronts(&[&[[0.2, 0.8], [0.6, 0.4]], &[[0.4, 0.6]], &[[0.5, 0.3]]]);
        // One run of three is enough: the front of all. By hand for two, and for all of them.
        assert_eq!(all.attained(1.0 / 3.0), [[0.2, 0.8], [0.4, 0.6], [0.6, 0.4]]);
        assert_eq!(all.attained(0.5), [[0.2, 0.6], [0.4, 0.4], [0.5, 0.3]]);
        assert_eq!(all.attained(2.0 / 3.0), all.attained(0.5));
        assert_eq!(all.attained(1.0), [[0.4, 0.3]]);
        // A run without a front attains nothing.
        let less = fronts(&[&[[0.2, 0.8]], &[]]);
        assert_eq!((less.attained(0.5), less.attained(0.75)), (vec![[0.2, 0.8]], vec![]));
    }
}
