//! What networks and what grows, breeds or teaches them must not be asked for, and which values of two axes do not go
//! together: in one place, naming both keys.

use super::spec_check::{
    LARGEST, LARGEST_ALPHA, MOST, MOST_IN_A_GENERATION, MOST_PLAYERS, check_players, fault, number,
    whole,
};
use super::{
    Activation, Against, AnjiSpec, Crossover, EspSpec, Eye, Fault, GamesSpec, GraphSpec, LocalSpec,
    MlpSpec, ModelSpec, NeatSpec, ObjectiveSpec, SaneSpec, SearchSpec, Spec, StoreSpec, Stored,
    TdLambdaSpec, as_met,
};
use crate::kernel::LARGEST_WEIGHT;
use crate::model::graph::MOST_HIDDEN;
use crate::model::{MOST_LAYERS, MOST_NODES};
use crate::player::Policy;
use crate::rng::Chance;

/// Among probes: the fixed opponents of the run, as they are met.
pub const OPPONENTS: &str = "opponents";

/// The most games of a tournament to learn from: they are played before a run begins.
const MOST_MET: u64 = 100_000;
/// The most games that a generation keeps to learn from, each about a kilobyte.
const MOST_STORED: usize = 1_000_000;
/// The most parameters of all candidates, or neurons, of a generation: they are kept in memory several times.
const MOST_PARAMETERS: u64 = 50_000_000;

/// What `probes.also` can name.
const ALSO: [&str; 5] = ["top10", "mean", "hidden", "connections", "species"];

impl ModelSpec {
    pub(super) fn check(&self) -> Result<(), Fault> {
        number("model.start", self.start(), 0.0, LARGEST)?;
        match self {
            ModelSpec::Wpc(_) => Ok(()),
            ModelSpec::Mlp(mlp) | ModelSpec::Spatial(mlp) => mlp.check(),
            ModelSpec::Graph(GraphSpec { hidden, .. }) => {
                whole("model.hidden", *hidden as u64, 0..=MOST_HIDDEN as u64)
            }
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            ModelSpec::Wpc(_) => "wpc",
            ModelSpec::Mlp(_) => "mlp",
            ModelSpec::Spatial(_) => "spatial",
            ModelSpec::Graph(_) => "graph",
        }
    }
}

impl MlpSpec {
    fn check(&self) -> Result<(), Fault> {
        if self.hidden.len() > MOST_LAYERS {
            let expected = format!("at most {MOST_LAYERS} hidden layers");
            return Err(fault("model.hidden", format!("{:?}", self.hidden), expected));
        }
        for (index, size) in self.hidden.iter().enumerate() {
            whole(&format!("model.hidden[{index}]"), *size as u64, 1..=MOST_NODES as u64)?;
        }
        Ok(())
    }
}

impl SaneSpec {
    pub(super) fn check(&self, path: &str) -> Result<(), Fault> {
        let key = |name: &str| format!("{path}.{name}");
        whole(&key("networks"), self.networks as u64, 1..=MOST_PLAYERS)?;
        whole(&key("neurons"), self.neurons as u64, 2..=MOST_PLAYERS)?;
        if self.elite == 0 || self.elite > self.neurons / 3 {
            let expected = format!(
                "1 to {}: each of the elite has two offspring among {} = {}",
                self.neurons / 3,
                key("neurons"),
                self.neurons
            );
            return Err(fault(&key("elite"), self.elite, expected));
        }
        if self.blueprints > self.networks / 3 {
            let expected = format!(
                "0 to {}: each has two offspring among {} = {}",
                self.networks / 3,
                key("networks"),
                self.networks
            );
            return Err(fault(&key("blueprints"), self.blueprints, expected));
        }
        number(&key("rate"), self.rate, 0.0, 1.0)?;
        number(&key("size"), self.size, 0.0, LARGEST)?;
        number(&key("replace"), self.replace, 0.0, 1.0)?;
        whole(&key("best"), self.best as u64, 1..=MOST)
    }
}

impl EspSpec {
    pub(super) fn check(&self, path: &str) -> Result<(), Fault> {
        let key = |name: &str| format!("{path}.{name}");
        whole(&key("neurons"), self.neurons as u64, 3..=MOST_PLAYERS)?;
        if self.networks < self.neurons || self.networks as u64 > MOST_PLAYERS {
            let expected = format!(
                "{} = {} to {MOST_PLAYERS}, so that every neuron takes part",
                key("neurons"),
                self.neurons
            );
            return Err(fault(&key("networks"), self.networks, expected));
        }
        number(&key("rate"), self.rate, 0.0, 1.0)?;
        number(&key("size"), self.size, 0.0, LARGEST)?;
        whole(&key("stagnation"), self.stagnation as u64, 0..=MOST)?;
        if self.adapt && self.stagnation == 0 {
            let expected = format!("false, for {} = 0 never notices", key("stagnation"));
            return Err(fault(&key("adapt"), true, expected));
        }
        Ok(())
    }
}

impl AnjiSpec {
    pub(super) fn check(&self, path: &str) -> Result<(), Fault> {
        let key = |name: &str| format!("{path}.{name}");
        whole(&key("population"), self.population as u64, 2..=MOST_PLAYERS)?;
        check_survival(&key("survival"), self.survival)?;
        whole(&key("elitism"), self.elitism as u64, 1..=MOST)?;
        check_threshold(&key("threshold"), self.threshold)?;
        number(&key("disjoint"), self.disjoint, 0.0, LARGEST)?;
        number(&key("difference"), self.difference, 0.0, LARGEST)?;
        number(&key("add-connection"), self.add_connection, 0.0, 1.0)?;
        number(&key("add-neuron"), self.add_neuron, 0.0, 1.0)?;
        number(&key("remove"), self.remove, 0.0, 1.0)?;
        positive(&key("remove-limit"), self.remove_limit)
    }
}

impl NeatSpec {
    pub(super) fn check(&self, path: &str) -> Result<(), Fault> {
        let key = |name: &str| format!("{path}.{name}");
        whole(&key("population"), self.population as u64, 2..=MOST_PLAYERS)?;
        if !(self.survival > 0.0 && self.survival <= 1.0) {
            let expected = "a share above 0, at most 1: somebody must breed";
            return Err(fault(&key("survival"), self.survival, expected));
        }
        whole(&key("drop-off"), self.drop_off as u64, 1..=MOST)?;
        whole(&key("elitism"), self.elitism as u64, 1..=MOST)?;
        check_threshold(&key("threshold"), self.threshold)?;
        let weights =
            [("excess", self.excess), ("disjoint", self.disjoint), ("difference", self.difference)];
        for (name, value) in weights {
            number(&key(name), value, 0.0, LARGEST)?;
        }
        let chances = [
            ("mutate-only", self.mutate_only),
            ("interspecies", self.interspecies),
            ("disable", self.disable),
            ("add-connection", self.add_connection),
            ("add-neuron", self.add_neuron),
            ("mutate", self.mutate),
            ("renew", self.renew),
        ];
        chances.iter().try_for_each(|(name, value)| number(&key(name), *value, 0.0, 1.0))
    }
}

fn check_survival(key: &str, value: f64) -> Result<(), Fault> {
    match value > 0.0 && value <= 0.5 {
        true => Ok(()),
        false => Err(fault(
            key,
            value,
            "a share above 0, at most 0.5: somebody must survive, and somebody be new",
        )),
    }
}

fn check_threshold(key: &str, value: f64) -> Result<(), Fault> {
    match value > 0.0 && value <= LARGEST {
        true => Ok(()),
        false => {
            Err(fault(key, value, "a number above 0: with 0 nobody would be of anybody's species"))
        }
    }
}

fn positive(key: &str, value: f64) -> Result<(), Fault> {
    match value > 0.0 && value <= LARGEST {
        true => Ok(()),
        false => Err(fault(key, value, format!("a number above 0, up to {LARGEST}"))),
    }
}

impl LocalSpec {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            LocalSpec::None(_) => "none",
            LocalSpec::Td(_) => "td",
            LocalSpec::TdLambda(_) => "td-lambda",
            LocalSpec::Store(_) => "store",
            LocalSpec::Games(_) => "games",
        }
    }

    pub(super) fn check(&self) -> Result<(), Fault> {
        match self {
            LocalSpec::None(_) => Ok(()),
            LocalSpec::Td(td) => td.check(),
            LocalSpec::TdLambda(TdLambdaSpec { games, alpha, lambda, epsilon, .. }) => {
                whole("local.games", *games, 1..=MOST_IN_A_GENERATION)?;
                epsilon.iter().enumerate().try_for_each(|(index, epsilon)| {
                    number(&format!("local.epsilon[{index}]"), *epsilon, 0.0, 1.0)
                })?;
                check_rates(*alpha, *lambda)
            }
            LocalSpec::Store(StoreSpec { from, games, learned, alpha, lambda }) => {
                let expected = match (from, *games) {
                    (Stored::Previous, 0) => None,
                    (Stored::Previous, _) => {
                        Some("0, for local.from = \"previous\" takes games for fitness")
                    }
                    (Stored::Present, 0) => {
                        Some("1, or an even number, for local.from = \"present\"")
                    }
                    (Stored::Present, games) if games > 1 && games % 2 == 1 => {
                        Some("1, or an even number: a game as each colour")
                    }
                    _ => None,
                };
                if let Some(expected) = expected {
                    return Err(fault("local.games", games, expected));
                }
                whole("local.games", *games as u64, 0..=MOST)?;
                whole("local.learned", *learned as u64, 1..=MOST)?;
                check_rates(*alpha, *lambda)
            }
            LocalSpec::Games(spec) => spec.check(),
        }
    }
}

fn check_rates(alpha: f64, lambda: f64) -> Result<(), Fault> {
    number("local.alpha", alpha, -LARGEST_ALPHA, LARGEST_ALPHA)?;
    number("local.lambda", lambda, 0.0, 1.0)
}

impl GamesSpec {
    fn check(&self) -> Result<(), Fault> {
        whole("local.games", self.games, 1..=MOST_IN_A_GENERATION)?;
        if self.files.is_empty() {
            check_players("local.players", &self.players, &[])?;
            if self.players.len() < 2 {
                let expected = "two players or more who meet, or local.files";
                return Err(fault("local.players", format!("{:?}", self.players), expected));
            }
            whole("local.meetings", self.meetings as u64, 1..=MOST)?;
            let pairs = (self.players.len() * (self.players.len() - 1) / 2) as u64;
            if pairs.saturating_mul(self.meetings as u64) > MOST_MET {
                let expected =
                    format!("at most {MOST_MET} games of {} players in all", self.players.len());
                return Err(fault("local.meetings", self.meetings, expected));
            }
        }
        check_rates(self.alpha, self.lambda)
    }
}

impl Spec {
    /// That networks have enough neurons to be made of.
    pub(super) fn check_neurons(&self) -> Result<(), Fault> {
        match (&self.search, &self.model) {
            (SearchSpec::Sane(sane), ModelSpec::Mlp(mlp))
                if mlp.hidden.len() == 1 && sane.neurons < mlp.hidden[0] =>
            {
                let expected = format!("at least model.hidden[0] = {}", mlp.hidden[0]);
                Err(fault("search.neurons", sane.neurons, expected))
            }
            _ => Ok(()),
        }
    }

    /// That a generation fits into memory.
    pub(super) fn check_memory(&self) -> Result<(), Fault> {
        let each = match &self.model {
            ModelSpec::Wpc(_) => 64,
            ModelSpec::Graph(graph) => 66 * (graph.hidden as u64 + 1),
            ModelSpec::Mlp(_) | ModelSpec::Spatial(_) => {
                self.model.shape().map_or(0, |shape| shape.params() as u64)
            }
        };
        let all = each.saturating_mul(self.search.candidates() as u64);
        if all <= MOST_PARAMETERS {
            return Ok(());
        }
        let expected = format!(
            "at most {MOST_PARAMETERS} parameters in a generation, not {} candidates with {each}",
            self.search.candidates()
        );
        Err(fault("model", "", expected))
    }

    /// Which model goes with which search, which learning with which opponents.
    pub(super) fn check_products(&self) -> Result<(), Fault> {
        let search = format!("{:?}", self.search.kind());
        let model = self.model.kind();
        match (&self.search, &self.model) {
            (SearchSpec::Sane(_) | SearchSpec::Esp(_), ModelSpec::Mlp(mlp))
                if mlp.hidden.len() == 1 => {}
            (SearchSpec::Sane(_) | SearchSpec::Esp(_), ModelSpec::Mlp(mlp)) => {
                let expected =
                    format!("one hidden layer, for search.kind = {search} breeds its neurons");
                return Err(fault("model.hidden", format!("{:?}", mlp.hidden), expected));
            }
            (SearchSpec::Sane(_) | SearchSpec::Esp(_), _) => {
                let expected = format!(
                    "still, es, ga or truncation for model.kind = {model:?}, or model.kind = \"mlp\""
                );
                return Err(fault("search.kind", search, expected));
            }
            (SearchSpec::Anji(_) | SearchSpec::Neat(_), ModelSpec::Graph(_)) => {}
            (SearchSpec::Anji(_) | SearchSpec::Neat(_), _) => {
                let expected =
                    format!("another search for model.kind = {model:?}, or model.kind = \"graph\"");
                return Err(fault("search.kind", search, expected));
            }
            _ => {}
        }
        if let ModelSpec::Mlp(mlp) | ModelSpec::Spatial(mlp) = &self.model
            && !mlp.from.is_empty()
            && !matches!(self.search, SearchSpec::Still(_))
        {
            let expected = format!("nothing, for search.kind = {search} begins with many");
            return Err(fault("model.from", format!("{:?}", mlp.from), expected));
        }
        self.check_local_products()?;
        self.check_objective_products()
    }

    fn check_local_products(&self) -> Result<(), Fault> {
        if let LocalSpec::None(_) = &self.local {
            return Ok(());
        }
        let kind = format!("{:?}", self.local.kind());
        if let SearchSpec::Sane(_) | SearchSpec::Esp(_) = self.search {
            let expected = format!(
                "none, for search.kind = {:?} takes no network back whole",
                self.search.kind()
            );
            return Err(fault("local.kind", kind, expected));
        }
        if let LocalSpec::Td(_) = self.local {
            let (output, view) = match &self.model {
                ModelSpec::Wpc(_) => (Activation::Linear, Eye::Black),
                ModelSpec::Mlp(mlp) | ModelSpec::Spatial(mlp) => (mlp.output, mlp.view),
                ModelSpec::Graph(graph) => (graph.output, graph.view),
            };
            if (output, view) != (Activation::Linear, Eye::Black) {
                let expected = "td-lambda, or model.output = \"linear\" and model.view = \"black\"";
                return Err(fault("local.kind", kind, expected));
            }
        }
        let needs_fixed = match &self.local {
            LocalSpec::TdLambda(td) => td.against == Against::Fixed,
            LocalSpec::Store(_) => true,
            _ => false,
        };
        if !matches!(self.local, LocalSpec::Td(_)) {
            let largest = f64::from(LARGEST_WEIGHT);
            number("model.start", self.model.start(), 0.0, largest)?;
        }
        if let (LocalSpec::Store(store), Some(fixed)) = (&self.local, &self.opponents.fixed) {
            let games = match store.from {
                Stored::Present => store.games,
                Stored::Previous => self.opponents.games,
            };
            let (candidates, players) = (self.search.candidates(), fixed.players.len());
            let games = candidates.saturating_mul(games).saturating_mul(players);
            if games > MOST_STORED {
                let key = match store.from {
                    Stored::Present => "local.games",
                    Stored::Previous => "opponents.games",
                };
                let expected = format!(
                    "at most {MOST_STORED} games in the store: {candidates} candidates meet {players} players"
                );
                return Err(fault(key, games / candidates / players, expected));
            }
            if store.learned > 2 * games {
                let expected = format!(
                    "at most {}, the sides of the {games} games of a generation",
                    2 * games
                );
                return Err(fault("local.learned", store.learned, expected));
            }
        }
        if needs_fixed && self.opponents.fixed.is_none() {
            let expected =
                format!("players, as {{ players = [\"random\"] }}, for local.kind = {kind}");
            return Err(fault("opponents.fixed", "", expected));
        }
        Ok(())
    }

    fn check_objective_products(&self) -> Result<(), Fault> {
        if let (SearchSpec::Ga(ga), ModelSpec::Graph(_)) = (&self.search, &self.model)
            && ga.crossover != Crossover::None
        {
            let expected = "none, for model.kind = \"graph\" has no fixed length";
            return Err(fault("search.crossover", "\"one-point\"", expected));
        }
        let opponents = &self.opponents;
        match &self.objective {
            ObjectiveSpec::WinsAndError(_)
                if !matches!(self.local, LocalSpec::Store(_) | LocalSpec::Games(_)) =>
            {
                let expected =
                    "points, distinctions or fronts, unless local.kind is \"store\" or \"games\"";
                Err(fault("objective.kind", "\"wins-and-error\"", expected))
            }
            ObjectiveSpec::Fronts(_)
                if opponents.fixed.is_none()
                    || opponents.peers.is_some()
                    || opponents.hall_of_fame.is_some() =>
            {
                let expected = "another, or opponents.fixed without peers and hall-of-fame: everybody must meet the same";
                Err(fault("objective.kind", "\"fronts\"", expected))
            }
            _ => Ok(()),
        }
    }

    /// Whether there is what else is to be measured.
    pub(super) fn check_also(&self) -> Result<(), Fault> {
        let also = &self.probes.also;
        for (index, name) in also.iter().enumerate() {
            let key = format!("probes.also[{index}]");
            let wrong = |expected: &str| Err(fault(&key, format!("{name:?}"), expected));
            if !ALSO.contains(&name.as_str()) {
                return wrong(&ALSO.join(", "));
            }
            if also[..index].contains(name) {
                return wrong("each once");
            }
            let is_network = !matches!(self.model, ModelSpec::Wpc(_));
            if ["hidden", "connections"].contains(&name.as_str()) && !is_network {
                return wrong("something else, for model.kind = \"wpc\" has none");
            }
            let is_judged = self.opponents.games > 0;
            if ["top10", "mean"].contains(&name.as_str()) && !is_judged {
                return wrong("something else, for opponents.games = 0 leaves nobody judged");
            }
            let has_species = matches!(self.search, SearchSpec::Anji(_) | SearchSpec::Neat(_));
            if name == "species" && !has_species {
                return wrong(&format!(
                    "something else, for search.kind = {:?} has none",
                    self.search.kind()
                ));
            }
        }
        if self.probes.vs.iter().any(|name| name == OPPONENTS) && self.opponents.fixed.is_none() {
            let expected = "players, or opponents.fixed";
            return Err(fault("probes.vs", format!("{OPPONENTS:?}"), expected));
        }
        Ok(())
    }

    /// The yardsticks, with the fixed opponents by name, as they are met.
    pub fn yardsticks(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in &self.probes.vs {
            let fixed = self.opponents.fixed.as_ref().filter(|_| name == OPPONENTS);
            let some = fixed.map_or(vec![name.clone()], |fixed| {
                fixed.players.iter().map(|player| self.met_as(player)).collect()
            });
            some.into_iter().for_each(|name| {
                if !names.contains(&name) {
                    names.push(name);
                }
            });
        }
        names
    }

    /// A fixed opponent with the options with which it is met.
    fn met_as(&self, name: &str) -> String {
        let Ok(player) = crate::player::parse_player(name) else { return name.into() };
        if crate::player::split_options(name).1.is_some() {
            return name.into();
        }
        let epsilon = Chance::new(self.policy.epsilon).unwrap_or(Chance::NEVER);
        let policy = Policy { epsilon, ..Policy::default() };
        let met = as_met(&player, policy, self.policy.opening as u32);
        match (player.repeats_itself(), met.policy) {
            (true, Policy { opening: 1.., .. }) => format!("{name}@opening={}", met.policy.opening),
            (true, policy) if policy.epsilon != Chance::NEVER => {
                format!("{name}@epsilon={}", self.policy.epsilon)
            }
            _ => name.into(),
        }
    }
}
