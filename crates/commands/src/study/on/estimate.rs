//! About how long each piece of a study takes on one core, from rates measured here.

use super::super::ledgers::KeptLedger;
use super::super::pieces::{PieceList, What};
use super::super::plan::plan;
use super::super::training;
use super::super::{StudyRequest, Work};
use crate::Error;

/// Games of WPCs in contests a second and core, on a usual machine.
pub const CONTEST_RATE: f64 = 600_000.0;

/// Seconds of one core.
#[derive(Clone, Debug)]
pub struct Estimates {
    /// By the number of the piece.
    pub seconds: Vec<f64>,
}

impl Estimates {
    /// Estimates all pieces of a study, done or not. Rates are measured in short trials.
    pub fn of(work: &Work, list: &PieceList, request: &StudyRequest) -> Result<Estimates, Error> {
        let folder = super::super::folder::Folder::new(work.folder.path().into());
        let works = [Work { design: work.design.clone(), folder }];
        let ledgers = [KeptLedger::read(None, &work.design.name)?];
        let every = request.checkpoint_every;
        let mut cases = training::prepare(&works, &ledgers, 1, every, &|_| true)?;
        // Rates of finished cases are wanted as well.
        cases.iter_mut().for_each(|case| case.missing.clone_from(&case.prepared.order.seeds));
        let planned = plan(&works, &cases, 1, true, &|_, _| false)?;
        let run = |name: &str| {
            let case = planned.cases.iter().find(|case| case.case == name)?;
            Some(case.seconds? / case.missing.max(1) as f64)
        };
        let seconds = list.pieces.iter().map(|piece| match &piece.what {
            What::Run { case, .. } => run(case).unwrap_or(60.0),
            What::Block { .. } => piece.work as f64 / CONTEST_RATE,
        });
        Ok(Estimates { seconds: seconds.collect() })
    }
}
