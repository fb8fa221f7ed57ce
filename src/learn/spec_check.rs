//! What a spec must not ask for: values that mean nothing, keys that disagree, more than a machine
//! has.

use std::fmt;

use super::spec_products::OPPONENTS;
use super::{
    ArchiveSpec, Credit, GamesSpec, LocalSpec, MutationSpec, ObjectiveSpec, OpponentsSpec,
    PeersSpec, ProbesSpec, SearchSpec, Spec, TdLambdaSpec, TdSpec, TestsSpec, TruncationSpec,
};
use crate::kernel::LARGEST_WEIGHT;
use crate::player::{MOST_OPENING, parse_player};

/// A value that a spec cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The full key.
    pub key: String,
    /// Its value; empty if the key stands for something that is missing.
    pub value: String,
    /// What it should be, with the other key where two disagree.
    pub expected: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.as_str() {
            "" => write!(f, "{}: expected {}", self.key, self.expected),
            value => write!(f, "{} = {value}, expected {}", self.key, self.expected),
        }
    }
}

impl std::error::Error for Fault {}

/// The most games of a pair, and champions remembered.
pub(super) const MOST: u64 = 1_000_000;
/// The most candidates, and opponents of a kind: more would keep us from stopping when asked to.
pub(super) const MOST_PLAYERS: u64 = 100_000;
/// The largest weights with which learning by temporal differences can begin: beyond
/// [`crate::kernel::DIVERGED`] it gives up.
const LARGEST_LEARNED: f64 = 100.0;
/// The most pairs of candidate and opponent in a generation: their results are kept in memory.
const MOST_PAIRS: u64 = 100_000_000;
/// The most candidates, or opponents, whose pairs are told apart: their number is squared, and times
/// those who do so, which would be seconds in which nobody can interrupt us.
const MOST_TOLD_APART: u64 = 1_000;
/// The most games of a generation: days of play.
pub(super) const MOST_IN_A_GENERATION: u64 = 1_000_000_000_000;
/// The most games of a run: centuries of play.
const MOST_GAMES: u64 = 1_000_000_000_000_000;
/// The most games of a probe.
const MOST_PROBED: u64 = 1_000_000_000;
/// No number needs to be larger; parameters are 32-bit numbers.
pub(super) const LARGEST: f64 = 1_000_000.0;
/// Learning rates beyond are slips of the pen.
pub(super) const LARGEST_ALPHA: f64 = 1000.0;

impl Spec {
    /// Says what is wrong with the spec, if anything is.
    pub fn check(&self) -> Result<(), Fault> {
        whole("games", self.games, 1..=MOST_GAMES)?;
        self.model.check()?;
        let start = self.model.start();
        self.check_neurons()?;
        self.check_search("search", &self.search, ("model.start", start))?;
        self.local.check()?;
        if let LocalSpec::Td(_) = &self.local {
            number("model.start", start, 0.0, LARGEST_LEARNED)?;
        }
        self.check_learned_bounds()?;
        self.check_products()?;
        self.check_memory()?;
        if let ArchiveSpec::Champions(champions) = &self.archive {
            whole("archive.capacity", champions.capacity as u64, 0..=MOST)?;
        }
        self.check_opponents()?;
        check_objective("objective", &self.objective)?;
        self.check_distinctions()?;
        number("policy.epsilon", self.policy.epsilon, 0.0, 1.0)?;
        whole("policy.opening", self.policy.opening, 0..=u64::from(MOST_OPENING))?;
        self.probes.check()?;
        self.check_also()?;
        self.check_effort()
    }

    fn check_search(
        &self,
        path: &str,
        search: &SearchSpec,
        start: (&str, f64),
    ) -> Result<(), Fault> {
        let key = |name: &str| format!("{path}.{name}");
        let mutation = match search {
            SearchSpec::Still(_) => return Ok(()),
            SearchSpec::Es(es) => {
                whole(&key("mu"), es.mu as u64, 1..=MOST_PLAYERS)?;
                whole(&key("lambda"), es.lambda as u64, 1..=MOST_PLAYERS)?;
                if search.candidates() as u64 > MOST_PLAYERS {
                    let expected =
                        format!("at most {MOST_PLAYERS} candidates with {} = {}", key("mu"), es.mu);
                    return Err(fault(&key("lambda"), es.lambda, expected));
                }
                &es.mutation
            }
            SearchSpec::Ga(ga) => {
                whole(&key("population"), ga.population as u64, 2..=MOST_PLAYERS)?;
                if ga.tournament == 0 || ga.tournament > ga.population {
                    let expected = format!("1 to {} = {}", key("population"), ga.population);
                    return Err(fault(&key("tournament"), ga.tournament, expected));
                }
                number(&key("archive-parents"), ga.archive_parents, 0.0, 1.0)?;
                if ga.archive_parents > 0.0 && matches!(self.archive, ArchiveSpec::None(_)) {
                    let expected = "0, for archive.kind = \"none\" keeps no champions";
                    return Err(fault(&key("archive-parents"), ga.archive_parents, expected));
                }
                &ga.mutation
            }
            SearchSpec::Truncation(truncation) => {
                let TruncationSpec { population, elites, fresh, mutation } = truncation;
                whole(&key("population"), *population as u64, 2..=MOST_PLAYERS)?;
                if *elites == 0 || elites > population {
                    let expected = format!("1 to {} = {population}", key("population"));
                    return Err(fault(&key("elites"), elites, expected));
                }
                number(&key("fresh"), *fresh, 0.0, LARGEST)?;
                mutation
            }
            SearchSpec::Sane(sane) => return sane.check(path),
            SearchSpec::Esp(esp) => return esp.check(path),
            SearchSpec::Anji(anji) => {
                anji.check(path)?;
                &anji.mutation
            }
            SearchSpec::Neat(neat) => {
                neat.check(path)?;
                &neat.mutation
            }
        };
        mutation.check(&key("mutation"), start)
    }

    /// That learning is not given weights which it would give up at once.
    fn check_learned_bounds(&self) -> Result<(), Fault> {
        let largest = match &self.local {
            LocalSpec::None(_) => return Ok(()),
            LocalSpec::Td(_) => LARGEST_LEARNED,
            _ => f64::from(LARGEST_WEIGHT),
        };
        let mutation = match &self.search {
            SearchSpec::Still(_) | SearchSpec::Sane(_) | SearchSpec::Esp(_) => return Ok(()),
            SearchSpec::Anji(anji) => &anji.mutation,
            SearchSpec::Neat(neat) => &neat.mutation,
            SearchSpec::Es(es) => &es.mutation,
            SearchSpec::Ga(ga) => &ga.mutation,
            SearchSpec::Truncation(truncation) => &truncation.mutation,
        };
        let [low, high] = mutation.bounds;
        if low >= -largest && high <= largest {
            return Ok(());
        }
        let expected = format!(
            "bounds within -{largest} and {largest}, for local.kind = {:?} gives larger weights up",
            self.local.kind()
        );
        Err(fault("search.mutation.bounds", format!("[{low}, {high}]"), expected))
    }

    fn check_opponents(&self) -> Result<(), Fault> {
        let OpponentsSpec { games, peers, hall_of_fame, random_wpc, fixed, tests } =
            &self.opponents;
        if *games != 1 && (games % 2 == 1 || *games as u64 > MOST) {
            let expected = format!("0, 1, or an even number up to {MOST}: a game as each colour");
            return Err(fault("opponents.games", games, expected));
        }
        if let Some(peers) = peers {
            self.check_peers(peers)?;
        }
        if let Some(hall) = hall_of_fame {
            whole("opponents.hall-of-fame.sample", hall.sample as u64, 1..=MOST_PLAYERS)?;
            if matches!(self.archive, ArchiveSpec::None(_)) {
                let expected = "no hall of fame, for archive.kind = \"none\" keeps no champions";
                return Err(fault("opponents.hall-of-fame.sample", hall.sample, expected));
            }
        }
        if let Some(random) = random_wpc {
            whole("opponents.random-wpc.number", random.number as u64, 1..=MOST_PLAYERS)?;
        }
        if let Some(fixed) = fixed {
            let key = "opponents.fixed.players";
            if fixed.players.is_empty() {
                return Err(fault(key, "[]", "at least one player, as [\"heuristic\"]"));
            }
            check_players(key, &fixed.players, &[])?;
        }
        if let Some(tests) = tests {
            self.check_tests(tests)?;
        }
        self.check_somebody_is_met()
    }

    fn check_peers(&self, peers: &PeersSpec) -> Result<(), Fault> {
        let most = self.peers_of_one(peers);
        if most == 0 {
            let expected = format!(
                "true, or no peers: search.kind = {:?} has one candidate",
                self.search.kind()
            );
            return Err(fault("opponents.peers.itself", peers.itself, expected));
        }
        if peers.sample as u64 > most {
            let expected = format!(
                "at most {most}, the peers of each of {} candidates with opponents.peers.itself = {}",
                self.search.candidates(),
                peers.itself
            );
            return Err(fault("opponents.peers.sample", peers.sample, expected));
        }
        Ok(())
    }

    fn check_tests(&self, tests: &TestsSpec) -> Result<(), Fault> {
        match tests.search {
            SearchSpec::Es(_) | SearchSpec::Ga(_) | SearchSpec::Truncation(_) => {}
            _ => {
                let expected = "es, ga or truncation: tests that never vary are fixed opponents";
                let kind = format!("{:?}", tests.search.kind());
                return Err(fault("opponents.tests.search.kind", kind, expected));
            }
        }
        number("opponents.tests.start", tests.start, 0.0, LARGEST)?;
        if let SearchSpec::Ga(ga) = &tests.search
            && ga.archive_parents > 0.0
        {
            let key = "opponents.tests.search.archive-parents";
            return Err(fault(key, ga.archive_parents, "0, for champions are not tests"));
        }
        whole("opponents.tests.beside", tests.beside as u64, 0..=MOST_PLAYERS)?;
        let start = ("opponents.tests.start", tests.start);
        self.check_search("opponents.tests.search", &tests.search, start)?;
        check_objective("opponents.tests.objective", &tests.objective)
    }

    fn check_somebody_is_met(&self) -> Result<(), Fault> {
        if let (SearchSpec::Still(_), LocalSpec::None(_)) = (&self.search, &self.local) {
            let expected = "td, for search.kind = \"still\" varies nothing either";
            return Err(fault("local.kind", "\"none\"", expected));
        }
        if self.opponents.games == 0 && !matches!(self.search, SearchSpec::Still(_)) {
            let expected =
                format!("1 or more, for search.kind = {:?} needs fitness", self.search.kind());
            return Err(fault("opponents.games", 0, expected));
        }
        if self.opponents_per_candidate() > 0 {
            return Ok(());
        }
        let sources = "peers, hall-of-fame, random-wpc, fixed or tests";
        match &self.search {
            SearchSpec::Still(_) => Ok(()),
            _ => {
                let expected =
                    format!("{sources}, for search.kind = {:?} needs fitness", self.search.kind());
                Err(fault("opponents", "", expected))
            }
        }
    }

    /// Distinctions are made between those whom everybody met: of samples nothing can be said.
    fn check_everybody_meets_all(&self) -> Result<(), Fault> {
        let because =
            "for objective.kind = \"distinctions\" compares by opponents that all have met";
        if let Some(peers) = &self.opponents.peers {
            if peers.sample > 0 {
                let expected = format!("0, {because}");
                return Err(fault("opponents.peers.sample", peers.sample, expected));
            }
            if !peers.itself {
                let expected = format!("true, {because}");
                return Err(fault("opponents.peers.itself", peers.itself, expected));
            }
            if peers.credit == Credit::Both {
                let expected =
                    "own, for objective.kind = \"distinctions\" pays those who meet opponents";
                return Err(fault("opponents.peers.credit", "\"both\"", expected));
            }
        }
        if let Some(hall) = &self.opponents.hall_of_fame {
            let expected = format!("no hall of fame, {because}");
            return Err(fault("opponents.hall-of-fame.sample", hall.sample, expected));
        }
        Ok(())
    }

    /// Who is told apart must be two at least, and not too many.
    fn check_distinctions(&self) -> Result<(), Fault> {
        let check = |key: &str, who: &str, number: u64| {
            if (2..=MOST_TOLD_APART).contains(&number) {
                return Ok(());
            }
            let expected = format!("2 to {MOST_TOLD_APART} {who} to tell apart, not {number}");
            Err(fault(key, "\"distinctions\"", expected))
        };
        if let ObjectiveSpec::Distinctions(_) = self.objective {
            self.check_everybody_meets_all()?;
            check("objective.kind", "opponents", self.opponents_per_candidate())?;
        }
        let tests = self.opponents.tests.as_ref().map(|tests| &tests.objective);
        if let Some(ObjectiveSpec::Distinctions(_)) = tests {
            let candidates = self.search.candidates() as u64;
            check("opponents.tests.objective.kind", "candidates", candidates)?;
        }
        Ok(())
    }

    fn check_effort(&self) -> Result<(), Fault> {
        let candidates = self.search.candidates() as u64;
        let pairs = candidates.saturating_mul(self.opponents_per_candidate());
        if pairs > MOST_PAIRS {
            let expected = format!(
                "at most {MOST_PAIRS} pairs of candidates and opponents a generation, not {pairs}"
            );
            return Err(fault("opponents", "", expected));
        }
        let games = self.games_per_generation();
        if games > MOST_IN_A_GENERATION {
            let expected =
                format!("at most {MOST_IN_A_GENERATION} games a generation, not {games}");
            return Err(match &self.local {
                LocalSpec::Td(td) if self.local_games() > games / 2 => {
                    fault("local.games", td.games, expected)
                }
                LocalSpec::TdLambda(TdLambdaSpec { games: each, .. })
                | LocalSpec::Games(GamesSpec { games: each, .. })
                    if self.local_games() > games / 2 =>
                {
                    fault("local.games", each, expected)
                }
                _ => fault("opponents.games", self.opponents.games, expected),
            });
        }
        if self.games < games {
            let expected = format!("at least {games}, the games of a generation");
            return Err(fault("games", self.games, expected));
        }
        Ok(())
    }
}

impl SearchSpec {
    /// How the kind is written.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            SearchSpec::Still(_) => "still",
            SearchSpec::Es(_) => "es",
            SearchSpec::Ga(_) => "ga",
            SearchSpec::Truncation(_) => "truncation",
            SearchSpec::Sane(_) => "sane",
            SearchSpec::Esp(_) => "esp",
            SearchSpec::Anji(_) => "anji",
            SearchSpec::Neat(_) => "neat",
        }
    }
}

impl TdSpec {
    pub(super) fn check(&self) -> Result<(), Fault> {
        let rounded = |number: f64| (number - number.round()).abs();
        let sound = match self.games {
            games if (1.0..=MOST_IN_A_GENERATION as f64).contains(&games) => rounded(games) <= 0.0,
            // 0.333 is meant to be a third.
            games if games < 1.0 && games >= 1.0 / MOST as f64 => rounded(1.0 / games) < 0.01,
            _ => false,
        };
        if !sound {
            let expected = "a whole number, or 1/n for a game every n generations, n up to 1000000";
            return Err(fault("local.games", shown(self.games), expected));
        }
        number("local.alpha", self.alpha, -LARGEST_ALPHA, LARGEST_ALPHA)?;
        number("local.lambda", self.lambda, 0.0, 1.0)?;
        number("local.epsilon", self.epsilon, 0.0, 1.0)
    }
}

impl MutationSpec {
    fn check(&self, path: &str, start: (&str, f64)) -> Result<(), Fault> {
        number(&format!("{path}.rate"), self.rate, 0.0, 1.0)?;
        number(&format!("{path}.size"), self.size, 0.0, LARGEST)?;
        let [low, high] = self.bounds;
        let key = format!("{path}.bounds");
        if !(low < high && low >= -LARGEST && high <= LARGEST) {
            let expected = format!("two numbers from -{LARGEST} to {LARGEST}, the smaller first");
            return Err(fault(&key, format!("[{}, {}]", shown(low), shown(high)), expected));
        }
        let (start_key, start) = start;
        if -start < low || start > high {
            let expected = format!("[-start, start] within {key} = [{low}, {high}]");
            return Err(fault(start_key, start, expected));
        }
        Ok(())
    }
}

impl ProbesSpec {
    fn check(&self) -> Result<(), Fault> {
        whole("probes.every", self.every, 0..=MOST_GAMES)?;
        check_players("probes.vs", &self.vs, &["utility", OPPONENTS])?;
        if let Some((index, name)) =
            self.vs.iter().enumerate().find(|(index, name)| self.vs[..*index].contains(name))
        {
            let expected = "each yardstick once";
            return Err(fault(&format!("probes.vs[{index}]"), format!("{name:?}"), expected));
        }
        if !(2..=MOST_PROBED).contains(&self.games) || self.games % 2 == 1 {
            let expected = format!("an even number from 2 to {MOST_PROBED}: half as each colour");
            return Err(fault("probes.games", self.games, expected));
        }
        whole("probes.sample", self.sample, 1..=MOST_PROBED)
    }
}

fn check_objective(path: &str, objective: &ObjectiveSpec) -> Result<(), Fault> {
    let ObjectiveSpec::Points(points) = objective else { return Ok(()) };
    let results = [("win", points.win), ("draw", points.draw), ("loss", points.loss)];
    results
        .iter()
        .try_for_each(|(name, value)| number(&format!("{path}.{name}"), *value, -LARGEST, LARGEST))
}

pub(super) fn check_players(key: &str, players: &[String], others: &[&str]) -> Result<(), Fault> {
    for (index, player) in players.iter().enumerate() {
        if let Err(error) = parse_player(player)
            && !others.contains(&player.as_str())
        {
            let or: String = others.iter().map(|other| format!("{other} or ")).collect();
            let key = format!("{key}[{index}]");
            return Err(fault(&key, format!("{player:?}"), format!("{or}a player: {error}")));
        }
    }
    Ok(())
}

pub(super) fn fault(key: &str, value: impl fmt::Display, expected: impl Into<String>) -> Fault {
    Fault { key: key.into(), value: value.to_string(), expected: expected.into() }
}

pub(super) fn whole(
    key: &str,
    value: u64,
    range: std::ops::RangeInclusive<u64>,
) -> Result<(), Fault> {
    if range.contains(&value) {
        return Ok(());
    }
    let expected = format!("a whole number from {} to {}", range.start(), range.end());
    Err(fault(key, value, expected))
}

/// A number that is not one is in no range.
pub(super) fn number(key: &str, value: f64, low: f64, high: f64) -> Result<(), Fault> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(fault(key, shown(value), format!("a number from {low} to {high}")))
}

/// Short, whatever the number is.
fn shown(value: f64) -> String {
    if value.abs() < 1e9 { value.to_string() } else { format!("{value:e}") }
}
