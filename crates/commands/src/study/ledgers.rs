//! The ledgers of studies on disk: read before work starts, written when runs or contests ended.

use std::fs;
use std::path::{Path, PathBuf};

use outflank_study::{Ledger, LedgerError};

use super::folder::put;
use crate::Error;

/// The ledger of a study, and its file if it has one.
pub struct KeptLedger {
    study: String,
    file: Option<PathBuf>,
    /// What it holds; without a file it lasts as long as the command.
    pub ledger: Ledger,
}

impl KeptLedger {
    /// Reads the ledger of a study from a folder of ledgers.
    pub fn read(folder: Option<&Path>, study: &str) -> Result<KeptLedger, Error> {
        let file = folder.map(|folder| folder.join(Ledger::file_name(study)));
        let read = file.as_deref().map(|file| Ledger::read(file, study)).transpose()?;
        Ok(KeptLedger { study: study.into(), file, ledger: read.unwrap_or_default() })
    }

    /// Writes it, if it has a file and anything is new. What another process wrote since it was
    /// read is kept.
    pub fn write(&mut self) -> Result<(), Error> {
        let Some(file) = &self.file else { return Ok(()) };
        self.ledger.join(Ledger::read(file, &self.study)?);
        let text = self.ledger.to_text(&self.study);
        if fs::read_to_string(file).is_ok_and(|known| known == text) {
            return Ok(());
        }
        put(file, &text)
    }
}

impl From<LedgerError> for Error {
    fn from(error: LedgerError) -> Error {
        Error::Failed(error.to_string())
    }
}
