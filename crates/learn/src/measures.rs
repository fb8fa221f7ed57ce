//! The measures of runs and their champions. [`MEASURES`] has everything there is to say about
//! each; specs, tables, charts and reports read it there. A name that is not listed is a player,
//! and its measure is the share of games won against it.
//!
//! A new statistic of a run is a row here. A new benchmark is a row here, and its games are played
//! in `lab/probe.rs`.

use super::{AnyRun, MAX_VOLUME, Spec, hypervolume};

/// The score in double games against random WPCs (Jaśkowski et al. 2013).
pub const UTILITY: &str = "utility";

/// The beginning of the names of means over the front (`probes.front`), before the benchmark.
pub const OVER_FRONT: &str = "front:";

/// A measure with its own name.
#[derive(Debug)]
pub struct Measure {
    /// Its name in specs, metrics and columns.
    pub name: &'static str,
    /// The title of its curve, in plain words.
    pub title: &'static str,
    /// The label of the axis with its values.
    pub axis: &'static str,
    /// What its value means.
    pub meaning: &'static str,
    /// What kind of number its value is.
    pub quantity: Quantity,
    /// Where the value comes from.
    pub way: Way,
}

/// Where the value of a measure comes from.
#[derive(Debug)]
pub enum Way {
    /// Computed during a run without extra games (`probes.also`): a statistic.
    Noted {
        /// Checks that runs of a spec have it, or says why not.
        needs: fn(&Spec) -> Result<(), String>,
        /// Its value in the last generation of a run, if there is one. For statistics of the run,
        /// its champion or its search this is `run.statistic(name)`.
        value: fn(&dyn AnyRun) -> Option<f64>,
    },
    /// Measured in games of the champion (`probes.vs`): a benchmark.
    Played(Played),
}

/// How texts refer to a benchmark.
#[derive(Debug)]
pub struct Played {
    /// What the value is called in a sentence.
    pub noun: &'static str,
    /// The article before that noun.
    pub article: &'static str,
    /// The opponents.
    pub whom: &'static str,
    /// How the games are played, as lines of text.
    pub how: &'static [&'static str],
}

/// The kind of number that a measure has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The share of points or wins of the champion in games played to measure it.
    Strength,
    /// A share of training games won.
    Training,
    /// A count; larger is not better.
    Count,
    /// A volume from 0 to 1, printed as a number and not in percent.
    Volume,
}

/// All measures that have their own name.
pub const MEASURES: &[Measure] = &[
    Measure {
        name: "top10",
        title: "Share of training games won by the ten best of a generation",
        axis: "share of games won",
        meaning: "share of training games won by the ten best of the generation",
        quantity: Quantity::Training,
        way: Way::Noted { needs: judges, value: |run| run.statistic("top10") },
    },
    Measure {
        name: "mean",
        title: "Share of training games won by a whole generation",
        axis: "share of games won",
        meaning: "share of training games won by the whole generation",
        quantity: Quantity::Training,
        way: Way::Noted { needs: judges, value: |run| run.statistic("mean") },
    },
    Measure {
        name: "hidden",
        title: "Hidden nodes of the champion",
        axis: "hidden nodes",
        meaning: "hidden nodes of the champion",
        quantity: Quantity::Count,
        way: Way::Noted { needs: has_networks, value: |run| run.statistic("hidden") },
    },
    Measure {
        name: "connections",
        title: "Connections of the champion",
        axis: "connections",
        meaning: "connections of the champion",
        quantity: Quantity::Count,
        way: Way::Noted { needs: has_networks, value: |run| run.statistic("connections") },
    },
    Measure {
        name: "species",
        title: "Number of species",
        axis: "species",
        meaning: "species of the generation",
        quantity: Quantity::Count,
        way: Way::Noted { needs: has_species, value: |run| run.statistic("species") },
    },
    Measure {
        name: "diverged",
        title: "Candidates that diverged so far",
        axis: "candidates",
        meaning: "candidates that diverged in games in which they learned, so far",
        quantity: Quantity::Count,
        way: Way::Noted { needs: learns_in_games, value: |run| run.statistic("diverged") },
    },
    Measure {
        name: "evaluations",
        title: "Boards evaluated to look ahead so far",
        axis: "boards",
        meaning: "boards evaluated by players that look ahead in fitness games, so far",
        quantity: Quantity::Count,
        way: Way::Noted { needs: looks_ahead, value: |run| run.statistic("evaluations") },
    },
    Measure {
        name: "nodes",
        title: "Positions visited to solve endgames so far",
        axis: "positions",
        meaning: "positions visited by players that solve endgames in fitness games, so far",
        quantity: Quantity::Count,
        way: Way::Noted { needs: solves, value: |run| run.statistic("nodes") },
    },
    Measure {
        name: "step",
        title: "Mean step size of mutations",
        axis: "step size",
        meaning: "mean step size of the mutations of the best candidate's parameters",
        quantity: Quantity::Volume,
        way: Way::Noted { needs: has_steps, value: |run| run.statistic("step") },
    },
    Measure {
        name: "front-size",
        title: "Players of the front",
        axis: "players",
        meaning: "players of the front, which nobody dominates",
        quantity: Quantity::Count,
        way: Way::Noted { needs: has_front, value: |run| Some(run.front_points().len() as f64) },
    },
    Measure {
        name: "hypervolume",
        title: "Hypervolume of the front",
        axis: "hypervolume",
        meaning: "volume of results that the front dominates, from the reference point 0",
        quantity: Quantity::Volume,
        way: Way::Noted { needs: has_volume, value: |run| Some(volume(run)) },
    },
    Measure {
        name: "changed",
        title: "Parameters of the champion that differ from the player that the run started from",
        axis: "parameters",
        meaning: "parameters of the champion that differ from the player that the run started from",
        quantity: Quantity::Count,
        way: Way::Noted { needs: has_origin, value: |run| run.statistic("changed") },
    },
    Measure {
        name: UTILITY,
        title: "Score against random weighted piece counters (expected utility)",
        axis: "score",
        meaning: "score in double games against random weighted piece counters",
        quantity: Quantity::Strength,
        way: Way::Played(Played {
            noun: "expected utility",
            article: "an",
            whom: "random WPCs",
            how: &[
                "expected utility: double games against random WPCs, the same ones",
                "for all players measured together",
            ],
        }),
    },
];

fn judges(spec: &Spec) -> Result<(), String> {
    let has = spec.opponents.games > 0;
    has.then_some(())
        .ok_or_else(|| "opponents.games = 0 means that no candidate is evaluated".into())
}

fn learns_in_games(spec: &Spec) -> Result<(), String> {
    let kind = spec.local.kind();
    (kind == "td-games")
        .then_some(())
        .ok_or_else(|| format!("local.kind = {kind:?} does not learn in fitness games"))
}

fn has_networks(spec: &Spec) -> Result<(), String> {
    let has = spec.model.is_network();
    has.then_some(()).ok_or_else(|| format!("model.kind = {:?} has none", spec.model.kind()))
}

fn has_origin(spec: &Spec) -> Result<(), String> {
    let has = spec.model.begins_as().is_some() || spec.before.get().is_some();
    has.then_some(()).ok_or_else(|| "model.from is empty, and there is no stage before".into())
}

fn has_species(spec: &Spec) -> Result<(), String> {
    let has = spec.search.statistics().contains(&"species");
    has.then_some(()).ok_or_else(|| format!("search.kind = {:?} has none", spec.search.kind()))
}

fn has_steps(spec: &Spec) -> Result<(), String> {
    let has = spec.search.statistics().contains(&"step");
    has.then_some(()).ok_or_else(|| format!("search.kind = {:?} has none", spec.search.kind()))
}

fn looks_ahead(spec: &Spec) -> Result<(), String> {
    let depth = spec.policy.depth;
    (depth > 1).then_some(()).ok_or_else(|| format!("policy.depth = {depth} does not look ahead"))
}

fn solves(spec: &Spec) -> Result<(), String> {
    let without = "policy.solve = 0 solves no endgames";
    (spec.policy.solve > 0).then_some(()).ok_or_else(|| without.into())
}

fn has_front(spec: &Spec) -> Result<(), String> {
    let kind = spec.objective.kind();
    let without = || format!("objective.kind = {kind:?} has one objective, and so no front");
    if spec.objectives().is_empty() { Err(without()) } else { Ok(()) }
}

fn has_volume(spec: &Spec) -> Result<(), String> {
    has_front(spec)?;
    match spec.objectives().len() {
        ..=MAX_VOLUME => Ok(()),
        many => {
            Err(format!("it is computed for up to {MAX_VOLUME} objectives, and there are {many}"))
        }
    }
}

fn volume(run: &dyn AnyRun) -> f64 {
    let points = run.front_points();
    hypervolume(&points.iter().map(|point| &**point).collect::<Vec<_>>())
}

impl Measure {
    /// Finds a measure by name.
    pub fn named(name: &str) -> Option<&'static Measure> {
        MEASURES.iter().find(|measure| measure.name == name)
    }

    /// The statistics, which need no games.
    pub fn statistics() -> impl Iterator<Item = &'static Measure> {
        MEASURES.iter().filter(|measure| measure.played().is_none())
    }

    /// The benchmarks, which are measured in games.
    pub fn yardsticks() -> impl Iterator<Item = &'static Measure> {
        MEASURES.iter().filter(|measure| measure.played().is_some())
    }

    /// Finds a statistic by name.
    pub fn statistic(name: &str) -> Option<&'static Measure> {
        Measure::named(name).filter(|measure| measure.played().is_none())
    }

    /// How texts refer to it, if it is measured in games.
    pub fn played(&self) -> Option<&Played> {
        match &self.way {
            Way::Noted { .. } => None,
            Way::Played(played) => Some(played),
        }
    }

    /// Says why runs of a spec do not have it, if they do not.
    pub fn needs(&self, spec: &Spec) -> Result<(), String> {
        match self.way {
            Way::Noted { needs, .. } => needs(spec),
            Way::Played(_) => Ok(()),
        }
    }

    /// Its value in the last generation of a run.
    pub fn value(&self, run: &dyn AnyRun) -> Option<f64> {
        match self.way {
            Way::Noted { value, .. } => value(run),
            Way::Played(_) => None,
        }
    }

    /// The title of the curve of a measure or a player.
    pub fn title_of(name: &str) -> String {
        if let Some(name) = name.strip_prefix(OVER_FRONT) {
            return format!("Mean over the front: {}", lower_first(&Measure::title_of(name)));
        }
        match (Measure::named(name), name) {
            (Some(measure), _) => measure.title.into(),
            (None, "random") => "Share of games won against the random player".into(),
            (None, name) => format!("Share of games won against the player {name}"),
        }
    }

    /// The label of the value axis of a measure or a player.
    pub fn axis_of(name: &str) -> &'static str {
        let name = name.strip_prefix(OVER_FRONT).unwrap_or(name);
        Measure::named(name).map_or("share of games won", |measure| measure.axis)
    }

    /// What the value of a measure means, or of the games against a player.
    pub fn meaning_of(name: &str) -> String {
        if let Some(name) = name.strip_prefix(OVER_FRONT) {
            return format!("{}, mean over the front", Measure::meaning_of(name));
        }
        Measure::named(name).map_or_else(
            || format!("share of games won against {name}"),
            |measure| measure.meaning.into(),
        )
    }
}

impl Quantity {
    /// The quantity of a measure or a player.
    pub fn of(name: &str) -> Quantity {
        Measure::named(name).map_or(Quantity::Strength, |measure| measure.quantity)
    }

    /// Limits the confidence interval of a mean to possible values: Student's t has no bounds, but
    /// shares are between 0 and 1, and counts are not negative.
    pub fn within(self, [low, high]: [f64; 2]) -> [f64; 2] {
        match self {
            Quantity::Strength | Quantity::Training | Quantity::Volume => {
                [low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)]
            }
            Quantity::Count => [low.max(0.0), high.max(0.0)],
        }
    }

    /// A value as text; the mean of counts is seldom a whole number.
    pub fn text(self, value: f64) -> String {
        match self {
            Quantity::Strength | Quantity::Training => format!("{:.2}%", 100.0 * value),
            Quantity::Count if (value - value.round()).abs() < 1e-9 => format!("{value:.0}"),
            Quantity::Count => format!("{value:.1}"),
            Quantity::Volume => format!("{value:.4}"),
        }
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::player::parse_player;

    #[test]
    fn a_name_is_of_one_measure_and_of_no_player() {
        for (index, measure) in MEASURES.iter().enumerate() {
            assert!(MEASURES[..index].iter().all(|other| other.name != measure.name));
            assert!(parse_player(measure.name).is_err(), "{}", measure.name);
        }
    }

    #[test]
    fn only_what_champions_play_for_is_their_strength() {
        for measure in MEASURES {
            let is_played = measure.played().is_some();
            assert_eq!(measure.quantity == Quantity::Strength, is_played, "{}", measure.name);
        }
        assert_eq!(Quantity::of("heuristic"), Quantity::Strength);
        assert_eq!(Quantity::of("species").text(2.0), "2");
        assert_eq!(Quantity::of("utility").text(0.8646), "86.46%");
        assert_eq!(Quantity::of("species").within([-1.0, 2.0]).map(|end| end as i32), [0, 2]);
        assert_eq!(Quantity::of("random").within([-0.5, 1.5]).map(|end| end as i32), [0, 1]);
        assert_eq!(Quantity::of("mean").text(0.5), "50.00%");
        assert_eq!(Quantity::of("hypervolume").text(0.11), "0.1100");
        assert_eq!(Quantity::of("front:random"), Quantity::Strength);
        let title = "Mean over the front: share of games won against the random player";
        assert_eq!(Measure::title_of("front:random"), title);
    }
}
