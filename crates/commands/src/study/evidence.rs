//! What is known of the runs of a study: from their folders, or from its ledger.

use std::fs;
use std::path::Path;

use outflank_arena::{News, Watch};
use outflank_game::model::Portrait;
use outflank_game::othello::Square;
use outflank_kernel::Source;
use outflank_lab::{FrontPoints, Fronts, Results, ResultsError, RunResult};
use outflank_learn::label;
use outflank_study::{Case, CaseResults, Evidence, Ledger, LedgerRun};

use super::Work;
use super::training::PreparedCase;
use crate::Error;

/// What is known of the runs of a study; finished runs are entered in its ledger.
pub fn evidence(
    work: &Work,
    cases: &[&PreparedCase],
    ledger: &mut Ledger,
    watch: &dyn Watch,
) -> Result<Evidence, Error> {
    let mut evidence = Evidence::default();
    for (case, prepared) in work.design.cases.iter().zip(cases) {
        let (found, damaged) = read(work, case, prepared, ledger, watch)?;
        if !damaged.is_empty() {
            evidence.damaged.insert(case.name.clone(), damage(&case.name, &damaged));
        } else if let Some(found) = found {
            evidence.cases.insert(case.name.clone(), found);
        }
    }
    Ok(evidence)
}

/// Runs that cannot be used, with what is wrong.
type Damaged = Vec<(u64, ResultsError)>;

/// The runs of a case, and those that are damaged; none if nothing of it is there.
fn read(
    work: &Work,
    case: &Case,
    prepared: &PreparedCase,
    ledger: &mut Ledger,
    watch: &dyn Watch,
) -> Result<(Option<CaseResults>, Damaged), Error> {
    let path = work.folder.case(&case.name);
    let (key, order) = (&prepared.key, &prepared.prepared.order);
    let (mut results, mut damaged) = match path.is_dir() {
        true => {
            let tell = &mut |note: &str| watch.tell(News::Note(note));
            // Other seeds may be there from a larger study.
            Results::read_runs(&path, &case.seeds, tell)?
        }
        false => (nothing(&order.name, &order.text, &path), Vec::new()),
    };
    // The champions, fronts and measurements of its runs, whichever way they came here.
    let mut known: Vec<LedgerRun> = Vec::new();
    let (mut recorded, mut runs, mut standing) = (Vec::new(), Vec::new(), Vec::new());
    let mut read: Vec<RunResult> = std::mem::take(&mut results.runs);
    read.retain(|run| run.is_finished || ledger.run(key, run.seed).is_none());
    damaged.retain(|(seed, _)| ledger.run(key, *seed).is_none());
    for &seed in &case.seeds {
        if let Some(run) = read.iter().find(|run| run.seed == seed) {
            match details(run, &results.spec) {
                Err(error) if error.is_damage() => damaged.push((seed, error)),
                Err(error) => return Err(error.into()),
                Ok(_) if !run.is_finished => standing.push(run.clone()),
                Ok(own) => {
                    ledger.enter(key, seed, own.clone());
                    known.push(own);
                    runs.push(run.clone());
                }
            }
        } else if let Some(own) = ledger.run(key, seed) {
            runs.push(own.result(seed, path.join(seed.to_string()), order.signature));
            known.push(own.clone());
            recorded.push(seed);
        }
    }
    if runs.is_empty() && standing.is_empty() && damaged.is_empty() && !path.is_dir() {
        return Ok((None, damaged));
    }
    results.runs = runs;
    let points = known.iter().map(|run| run.front.clone().unwrap_or_default()).collect();
    let found = CaseResults {
        name: case.name.clone(),
        label: case.label.clone(),
        corners: known.iter().filter_map(|run| run.corners).collect(),
        fronts: Fronts::put_together(&results, points),
        champions: known.into_iter().map(|run| run.champion).collect(),
        recorded,
        results,
        standing,
        share: case.method.spec.games as f64 / case.full.0.max(1) as f64,
    };
    Ok((Some(found), damaged))
}

/// The results of a case without a folder.
fn nothing(preset: &str, spec: &str, path: &Path) -> Results {
    let (runs, left_out) = (Vec::new(), Vec::new());
    Results { name: label(preset, spec), path: path.into(), spec: spec.into(), runs, left_out }
}

/// What a study needs of a run beside its measurements.
fn details(run: &RunResult, spec: &str) -> Result<LedgerRun, ResultsError> {
    let portrait = run.champion()?.portrait();
    // The champion of a run that goes on depends on the spec, the seed and the games.
    let standing = || format!("{spec} {} {}", run.seed, run.games).into_bytes();
    let champion = match run.is_finished {
        true => fs::read(run.path.join("champion.json")).unwrap_or_else(|_| standing()),
        false => standing(),
    };
    let champion = blake3::hash(&champion).to_hex()[..32].to_owned();
    let front = FrontPoints::read(&run.path)?;
    let corners = portrait.map(|portrait| corners(&portrait));
    let mut own = LedgerRun::of(run, champion, corners);
    own.front = (!front.objectives.is_empty()).then_some(front);
    Ok(own)
}

/// What is wrong with a case: its first damaged run, with the file, and the seeds of others.
fn damage(case: &str, damaged: &[(u64, ResultsError)]) -> String {
    let (seed, error) = &damaged[0];
    let others: Vec<u64> = damaged[1..].iter().map(|(seed, _)| *seed).collect();
    let others = match others.len() {
        0 => String::new(),
        1 => format!(", and so is run {}", others[0]),
        _ => format!(", and so are runs {}", outflank_report::seeds(&others)),
    };
    format!("run {seed} of {case} is damaged ({error}){others}")
}

/// How many corners of the board a network uses.
fn corners(portrait: &Portrait) -> usize {
    let is_corner = |square: Square| [0, 7, 56, 63].contains(&square.index());
    let mut used: Vec<usize> = portrait
        .connections
        .iter()
        .filter_map(|connection| match connection.from {
            Source::Square(square) => {
                Square::new(square.into()).filter(|square| is_corner(*square))
            }
            _ => None,
        })
        .map(Square::index)
        .collect();
    used.sort_unstable();
    used.dedup();
    used.len()
}
