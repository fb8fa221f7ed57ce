//! Checks of keys on two axes, whatever their values: all in one place, with messages that name
//! both keys. What a single value requires of another axis is checked in the file of that value.

use super::models::{Offer, with_model};
use super::search::Breeds;
use super::{Candidate, Copies, ModelSpec, OpponentsSpec, SearchSpec, Spec};
use crate::limits::MAX_GENERATION_GAMES;
use outflank_game::player::{Colour, Ties};
use outflank_kernel::rng::{Seed, Stream};
use outflank_schema::one_of;
use outflank_schema::{Fault, fault, number};

/// The largest number of pairs of candidate and opponent in a generation, because results are kept
/// in memory.
const MAX_PAIRS: u64 = 100_000_000;
/// The largest number of parameters of all candidates, or neurons, in a generation, because several
/// copies are kept in memory.
const MAX_PARAMETERS: u64 = 50_000_000;

/// The shape of the models of a spec.
fn shape_of(model: &ModelSpec) -> String {
    let rng = &mut Seed(0).at(Stream::Candidate, 0).rng();
    with_model!(*model, M => M::first(model, 0.0, rng).map(|model| Candidate::shape(&model)))
        .unwrap_or_default()
}

impl Spec {
    /// Checks that the search can breed the model, and that it can start from the player named.
    pub(super) fn check_breeding(&self) -> Result<(), Fault> {
        let (search, model) = (self.search.kind(), self.model.kind());
        match self.model.offers(self.search.breeds()) {
            Offer::Yes => {}
            Offer::Unless(key, value, expected) => {
                let expected =
                    format!("{expected}, because search.kind = {search:?} breeds its neurons");
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
        self.check_start()
    }

    /// Checks that the search can start from a player, if it is told to.
    fn check_start(&self) -> Result<(), Fault> {
        let search = self.search.kind();
        let from = match self.before.get() {
            None => self.model.begins_as(),
            Some(_) => Some("champions of before"),
        };
        let whole = matches!(self.search.breeds(), Breeds::Parameters | Breeds::Places);
        if let Some(player) = from.filter(|_| !whole) {
            let expected = format!(
                "\"\", because search.kind = {search:?} puts networks together from parts of its own"
            );
            let is_before = self.before.get().is_some();
            return Err(match is_before {
                true => fault("before", "", expected.replacen("\"\"", "none", 1)),
                false => fault("model.from", format!("{player:?}"), expected),
            });
        }
        if self.model.copies() == Copies::Exact {
            return Ok(());
        }
        let reason = match (from, self.search.mutation()) {
            (Some(_), Some(_)) => return Ok(()),
            (None, _) => "model.from is empty".into(),
            (_, None) => format!("search.kind = {search:?} does not mutate"),
        };
        let expected = format!("\"exact\", because {reason}");
        Err(fault("model.copies", "\"mutated\"", expected))
    }

    /// Checks the stage before, and that its champions can be started from.
    pub(super) fn check_before(&self) -> Result<(), Fault> {
        let Some(before) = self.before.get() else { return Ok(()) };
        before.check().map_err(|Fault { key, value, expected }| {
            let key = format!("before.{key}");
            Fault { key, value, expected }
        })?;
        if let Some(from) = self.model.begins_as() {
            let expected = "\"\", because runs start from the champions of before";
            return Err(fault("model.from", format!("{from:?}"), expected));
        }
        let [ours, theirs] = [&self.model, &before.model].map(shape_of);
        match ours == theirs {
            true => Ok(()),
            false => {
                let expected = format!("the shape of model, {ours}, not {theirs}");
                Err(fault("before.model", "", expected))
            }
        }
    }

    /// Checks that what candidates learn is inherited, and that learning does not start from
    /// weights that count as diverged.
    pub(super) fn check_learning(&self) -> Result<(), Fault> {
        if !self.local.learns() {
            return Ok(());
        }
        let kind = self.local.kind();
        if self.search.breeds() == Breeds::Neurons {
            let expected = format!(
                "none, because search.kind = {:?} breeds neurons and cannot inherit what a network learns",
                self.search.kind()
            );
            return Err(fault("local.kind", format!("{kind:?}"), expected));
        }
        let largest = self.local.begins_within();
        number("model.start", self.model.start(), 0.0..=largest / self.model.first().reach())?;
        let Some((name, [low, high])) = self.search.bounds() else { return Ok(()) };
        if low >= -largest && high <= largest {
            return Ok(());
        }
        let expected = format!(
            "bounds within [-{largest}, {largest}], because local.kind = {kind:?} treats larger weights as diverged"
        );
        Err(fault(&format!("search.{name}"), format!("[{low}, {high}]"), expected))
    }

    /// Checks that one colour is that of games against fixed opponents, and of no others: among
    /// peers, and against a source that evolves with them, candidates have both.
    pub(super) fn check_colour(&self) -> Result<(), Fault> {
        let colour = self.opponents.colour;
        if colour == Colour::Both {
            return Ok(());
        }
        let value = format!("{:?}", colour.word());
        let sources = self.opponents.sources();
        if let Some((other, _)) = sources.iter().find(|(_, source)| !source.lets_choose_colour()) {
            let other = other.key("");
            let expected = format!(
                "\"both\", because of {}: only against opponents.fixed can a colour be chosen",
                other.trim_end_matches('.')
            );
            return Err(fault("opponents.colour", value, expected));
        }
        if sources.is_empty() {
            let expected = "\"both\", or players in opponents.fixed";
            return Err(fault("opponents.colour", value, expected));
        }
        Ok(())
    }

    /// Checks that local learning can break ties as the policy says.
    pub(super) fn check_ties(&self) -> Result<(), Fault> {
        let ties = self.policy.ties;
        if ties == Ties::Random || self.local.breaks_ties() {
            return Ok(());
        }
        let expected = format!(
            "\"random\", because local.kind = {:?} breaks ties at random",
            self.local.kind()
        );
        Err(fault("policy.ties", format!("{:?}", ties.word()), expected))
    }

    /// Checks that candidates can differ, and that their fitness can.
    pub(super) fn check_somebody_is_met(&self) -> Result<(), Fault> {
        let search = self.search.kind();
        if !self.search.varies() {
            if self.local.learns() {
                return Ok(());
            }
            let expected = format!(
                "local learning such as td, because search.kind = {search:?} changes nothing either"
            );
            return Err(fault("local.kind", format!("{:?}", self.local.kind()), expected));
        }
        if self.opponents.games == 0 {
            let expected = format!("1 or more, because search.kind = {search:?} needs fitness");
            return Err(fault("opponents.games", 0, expected));
        }
        if self.opponents_per_candidate() == 0 {
            let names = OpponentsSpec::names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let expected =
                format!("{}, because search.kind = {search:?} needs fitness", one_of(&names));
            return Err(fault("opponents", "", expected));
        }
        Ok(())
    }

    /// Checks that a generation fits into memory and into the run.
    pub(super) fn check_effort(&self) -> Result<(), Fault> {
        let candidates = self.search.candidates() as u64;
        let each = self.model.params();
        if each.saturating_mul(candidates) > MAX_PARAMETERS {
            let expected = format!(
                "at most {MAX_PARAMETERS} parameters in a generation, not {candidates} candidates with {each} each"
            );
            return Err(fault("model", "", expected));
        }
        let pairs = candidates.saturating_mul(self.opponents_per_candidate());
        if pairs > MAX_PAIRS {
            let expected = format!(
                "at most {MAX_PAIRS} pairs of candidates and opponents in a generation, not {pairs}"
            );
            return Err(fault("opponents", "", expected));
        }
        let games = self.games_per_generation();
        if games > MAX_GENERATION_GAMES {
            let expected =
                format!("at most {MAX_GENERATION_GAMES} games in a generation, not {games}");
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
