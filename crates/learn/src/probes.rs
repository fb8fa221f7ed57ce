//! What is measured during a run.

use super::spec::MAX_GAMES;
use super::{Measure, OVER_FRONT, Spec, as_met};
use crate::limits::check_players;
use outflank_game::player::{Colour, Policy, parse_player, split_options};
use outflank_schema::{Fault, KeyPath, StatisticName, YardstickName, fault, table, whole};

table! {
/// What is measured during a run; these games are not counted as effort.
pub struct ProbesSpec {
    /// Games between probes; 0 for a single probe at the end.
    pub every: u64,
    /// Benchmarks: players as on the command line, `utility` (the score against random WPCs), or
    /// `opponents` (those of opponents.fixed).
    pub vs: Vec<YardstickName>,
    /// Statistics of the last generation: `top10` and `mean` (share of games won by its ten best
    /// and by all), `hidden` and `connections` (of its champion), `changed` (parameters of its
    /// champion that differ from `model.from`), `species`, `diverged` (candidates so far),
    /// `evaluations` (boards evaluated to look ahead so far), `nodes` (positions visited to solve
    /// endgames so far), `step` (mean step size of mutations that adapt); with several objectives
    /// `front-size` and `hypervolume`, of the nondominated players.
    pub also: Vec<StatisticName>,
    /// Benchmarks as in `vs`, for all players of the front of a run with several objectives: the
    /// mean over them is noted as `front:random` and so on.
    pub front: Vec<YardstickName> = Vec::new(),
    /// Single games against each player.
    pub games: u64,
    /// Double games against random WPCs, for `utility`.
    pub sample: u64,
}
}

/// The word in `probes.vs` for the fixed opponents of the run.
pub const OPPONENTS: &str = "opponents";
/// The largest number of games in a probe.
const MAX_PROBED: u64 = 1_000_000_000;

impl ProbesSpec {
    pub(super) fn check(&self, spec: &Spec) -> Result<(), Fault> {
        let at = KeyPath::new("probes");
        whole("probes.every", self.every, 0..=MAX_GAMES)?;
        self.check_names(&at, "vs", &self.vs)?;
        self.check_names(&at, "front", &self.front)?;
        if !(2..=MAX_PROBED).contains(&self.games) || self.games % 2 == 1 {
            let expected = format!("an even number from 2 to {MAX_PROBED}: half as each colour");
            return Err(fault("probes.games", self.games, expected));
        }
        whole("probes.sample", self.sample, 1..=MAX_PROBED)?;
        self.check_also(spec)?;
        if let Some(name) = self.front.first()
            && spec.objectives().is_empty()
        {
            let kind = spec.objective.kind();
            let expected = format!("[], because objective.kind = {kind:?} gives no front");
            return Err(fault("probes.front", format!("[{:?}]", &**name), expected));
        }
        for (key, names) in [("probes.vs", &self.vs), ("probes.front", &self.front)] {
            if names.iter().any(|name| &**name == OPPONENTS) && spec.opponents.fixed.is_none() {
                let expected = "players, because there are no opponents.fixed";
                return Err(fault(key, format!("{OPPONENTS:?}"), expected));
            }
        }
        Ok(())
    }

    /// Checks a list of benchmarks.
    fn check_names(&self, at: &KeyPath, key: &str, names: &[YardstickName]) -> Result<(), Fault> {
        let yardsticks = Measure::yardsticks().map(|measure| measure.name);
        let words: Vec<&str> = yardsticks.chain([OPPONENTS]).collect();
        check_players(at, key, names.iter().map(|name| &**name), &words)?;
        match names.iter().enumerate().find(|(index, name)| names[..*index].contains(name)) {
            None => Ok(()),
            Some((index, name)) => {
                let (key, name) = (format!("probes.{key}[{index}]"), format!("{:?}", &**name));
                Err(fault(&key, name, "each benchmark only once"))
            }
        }
    }

    /// Checks that runs of the spec have these statistics.
    fn check_also(&self, spec: &Spec) -> Result<(), Fault> {
        for (index, name) in self.also.iter().enumerate() {
            let key = format!("probes.also[{index}]");
            let wrong = |expected: &str| Err(fault(&key, format!("{:?}", &**name), expected));
            let Some(measure) = Measure::statistic(name) else {
                let names: Vec<&str> = Measure::statistics().map(|measure| measure.name).collect();
                return wrong(&names.join(", "));
            };
            if self.also[..index].contains(name) {
                return wrong("each statistic only once");
            }
            if let Err(reason) = measure.needs(spec) {
                return wrong(&format!("another statistic, because {reason}"));
            }
        }
        Ok(())
    }
}

impl Spec {
    /// The benchmarks; `opponents` is replaced by the fixed opponents with their options.
    pub fn yardsticks(&self) -> Vec<String> {
        self.benchmarks(&self.probes.vs)
    }

    /// The benchmarks of the players of the front, in the same way.
    pub fn front_yardsticks(&self) -> Vec<String> {
        self.benchmarks(&self.probes.front)
    }

    /// The names of all probes, in the order in which they are written.
    pub fn probe_names(&self) -> Vec<String> {
        let over = self.front_yardsticks().into_iter().map(|name| format!("{OVER_FRONT}{name}"));
        let also = self.probes.also.iter().map(ToString::to_string);
        self.yardsticks().into_iter().chain(over).chain(also).collect()
    }

    fn benchmarks(&self, given: &[YardstickName]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in given {
            let fixed = self.opponents.fixed.as_ref().filter(|_| &**name == OPPONENTS);
            let some = fixed.map_or(vec![name.to_string()], |fixed| {
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

    /// The colours of the champion in the games of a benchmark: those of the candidates, if they
    /// meet it.
    pub fn colour_against(&self, yardstick: &str) -> Colour {
        let fixed = self.opponents.fixed.iter().flat_map(|fixed| &fixed.players);
        match fixed.into_iter().any(|player| self.met_as(player) == yardstick) {
            true => self.opponents.colour,
            false => Colour::Both,
        }
    }

    /// A fixed opponent with the options that it has in fitness games.
    fn met_as(&self, name: &str) -> String {
        let Ok(player) = parse_player(name) else { return name.into() };
        let (base, options) = split_options(name);
        if options.is_some_and(|options| !Policy::sets_only_ties(options)) {
            return name.into();
        }
        let Ok(policy) = self.policy.policy() else { return name.into() };
        let met = as_met(&player, &policy, self.policy.opening as u32);
        if player.repeats_itself() { format!("{base}{}", met.policy) } else { name.into() }
    }
}
