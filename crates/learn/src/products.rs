//! Which values of two axes do not go together, whichever they are: in one place, naming both keys. What
//! only one value has to say of another axis stands with that value.

use super::models::Offer;
use super::search::Breeds;
use super::{ModelSpec, OpponentsSpec, SearchSpec, Spec};
use crate::limits::MAX_GENERATION_GAMES;
use outflank_schema::one_of;
use outflank_schema::{Fault, fault, number};

/// The most pairs of candidate and opponent in a generation: their results are kept in memory.
const MAX_PAIRS: u64 = 100_000_000;
/// The most parameters of all candidates, or neurons, of a generation: they are kept in memory several times.
const MAX_PARAMETERS: u64 = 50_000_000;

impl Spec {
    /// That the model offers what the search breeds, and can begin as it is told to.
    pub(super) fn check_breeding(&self) -> Result<(), Fault> {
        let (search, model) = (self.search.kind(), self.model.kind());
        match self.model.offers(self.search.breeds()) {
            Offer::Yes => {}
            Offer::Unless(key, value, expected) => {
                let expected =
                    format!("{expected}, for search.kind = {search:?} breeds its neurons");
                return Err(fault(&format!("model.{key}"), value, expected));
            }
            Offer::No => {
                let suits = |other: &SearchSpec| self.model.offers(other.breeds()) == Offer::Yes;
                let offers = |other: &ModelSpec| other.offers(self.search.breeds()) == Offer::Yes;
                let searches: Vec<&str> = SearchSpec::samples()
                    .iter()
                    .filter(|it| suits(it))
                    .map(SearchSpec::kind)
                    .collect();
                let models: Vec<String> = ModelSpec::samples()
                    .iter()
                    .filter(|it| offers(it))
                    .map(|it| format!("{:?}", it.kind()))
                    .collect();
                let models: Vec<&str> = models.iter().map(String::as_str).collect();
                let expected = format!(
                    "{} for model.kind = {model:?}, or model.kind = {}",
                    one_of(&searches),
                    one_of(&models)
                );
                return Err(fault("search.kind", format!("{search:?}"), expected));
            }
        }
        if let Some(player) = self.model.begins_as()
            && self.search.varies()
        {
            let expected = format!("nothing, for search.kind = {search:?} begins with many");
            return Err(fault("model.from", format!("{player:?}"), expected));
        }
        Ok(())
    }

    /// That what candidates learn is inherited, and does not begin where learning gives up.
    pub(super) fn check_learning(&self) -> Result<(), Fault> {
        if !self.local.learns() {
            return Ok(());
        }
        let kind = self.local.kind();
        if self.search.breeds() == Breeds::Neurons {
            let expected = format!(
                "none, for search.kind = {:?} takes no network back whole",
                self.search.kind()
            );
            return Err(fault("local.kind", format!("{kind:?}"), expected));
        }
        let largest = self.local.begins_within();
        number("model.start", self.model.start(), 0.0..=largest)?;
        let Some((name, [low, high])) = self.search.bounds() else { return Ok(()) };
        if low >= -largest && high <= largest {
            return Ok(());
        }
        let expected = format!(
            "bounds within -{largest} and {largest}, for local.kind = {kind:?} gives larger weights up"
        );
        Err(fault(&format!("search.{name}"), format!("[{low}, {high}]"), expected))
    }

    /// That candidates can differ, and in what they are worth.
    pub(super) fn check_somebody_is_met(&self) -> Result<(), Fault> {
        let search = self.search.kind();
        if !self.search.varies() {
            if self.local.learns() {
                return Ok(());
            }
            let expected = format!("td, for search.kind = {search:?} varies nothing either");
            return Err(fault("local.kind", format!("{:?}", self.local.kind()), expected));
        }
        if self.opponents.games == 0 {
            let expected = format!("1 or more, for search.kind = {search:?} needs fitness");
            return Err(fault("opponents.games", 0, expected));
        }
        if self.opponents_per_candidate() == 0 {
            let names = OpponentsSpec::names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let expected =
                format!("{}, for search.kind = {search:?} needs fitness", one_of(&names));
            return Err(fault("opponents", "", expected));
        }
        Ok(())
    }

    /// That a generation fits into memory and into the run.
    pub(super) fn check_effort(&self) -> Result<(), Fault> {
        let candidates = self.search.candidates() as u64;
        let each = self.model.params();
        if each.saturating_mul(candidates) > MAX_PARAMETERS {
            let expected = format!(
                "at most {MAX_PARAMETERS} parameters in a generation, not {candidates} candidates with {each}"
            );
            return Err(fault("model", "", expected));
        }
        let pairs = candidates.saturating_mul(self.opponents_per_candidate());
        if pairs > MAX_PAIRS {
            let expected = format!(
                "at most {MAX_PAIRS} pairs of candidates and opponents a generation, not {pairs}"
            );
            return Err(fault("opponents", "", expected));
        }
        let games = self.games_per_generation();
        if games > MAX_GENERATION_GAMES {
            let expected =
                format!("at most {MAX_GENERATION_GAMES} games a generation, not {games}");
            let own = self.local.games_key().filter(|_| self.local.games(self) > games / 2);
            return Err(match own {
                Some(each) => fault("local.games", each, expected),
                None => fault("opponents.games", self.opponents.games, expected),
            });
        }
        if self.games < games {
            let expected = format!("at least {games}, the games of a generation");
            return Err(fault("games", self.games, expected));
        }
        Ok(())
    }
}
