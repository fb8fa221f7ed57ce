//! No local learning.

use super::{Local, LocalKind, LocalSetting};
use crate::{Candidate, LearnError, Spec};
use outflank_schema::{Fault, KeyPath, MAX_NUMBER, table};

table! {
/// No local learning.
pub struct NoLocalSpec {}
}

impl LocalKind for NoLocalSpec {
    fn check(&self, _: &KeyPath) -> Result<(), Fault> {
        Ok(())
    }

    fn learns(&self) -> bool {
        false
    }

    fn games(&self, _: &Spec) -> u64 {
        0
    }

    fn diverges_beyond(&self) -> f64 {
        MAX_NUMBER
    }

    fn shrink(&mut self) {}

    fn sample() -> NoLocalSpec {
        NoLocalSpec {}
    }

    fn build<M: Candidate>(
        &self,
        _: &LocalSetting<'_, M>,
    ) -> Result<Box<dyn Local<M>>, LearnError> {
        Ok(Box::new(Nothing))
    }
}

/// Leaves candidates unchanged.
struct Nothing;

impl<M> Local<M> for Nothing {}
