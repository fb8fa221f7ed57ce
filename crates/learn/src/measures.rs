//! What runs and their champions are measured by: [`MEASURES`] has all there is to say of each, and specs, tables,
//! charts and reports read it there. What has no row is a player, by whose name the share of games won against it is
//! measured.
//!
//! A new statistic of a run is a row here. A new yardstick is a row here and its games in `lab/probe.rs`.

use super::{AnyRun, Spec};

/// The score in double games against random WPCs (Jaśkowski et al. 2013).
pub const UTILITY: &str = "utility";

/// A measure that has a name of its own.
#[derive(Debug)]
pub struct Measure {
    /// What specs, metrics and columns call it.
    pub name: &'static str,
    /// What stands over its curve, in plain words.
    pub title: &'static str,
    /// What stands along the axis of its values.
    pub axis: &'static str,
    /// What its value is.
    pub meaning: &'static str,
    /// What kind of number its value is.
    pub quantity: Quantity,
    /// Where the value comes from.
    pub way: Way,
}

/// Where the value of a measure comes from.
#[derive(Debug)]
pub enum Way {
    /// Runs note it themselves (`probes.also`): a statistic.
    Noted {
        /// Whether runs of a spec have it; if not, why.
        needs: fn(&Spec) -> Result<(), String>,
        /// Its value in the last generation of a run, if there is one. What a run, its champion or its
        /// search tells by a name is `run.statistic(name)`.
        value: fn(&dyn AnyRun) -> Option<f64>,
    },
    /// Champions play for it (`probes.vs`): a yardstick.
    Played(Played),
}

/// How texts speak of a yardstick.
#[derive(Debug)]
pub struct Played {
    /// What the value is called in a sentence.
    pub noun: &'static str,
    /// The article of that.
    pub article: &'static str,
    /// Against whom it is played.
    pub whom: &'static str,
    /// How it is played, in lines.
    pub how: &'static [&'static str],
}

/// What kind of number stands under the name of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// How well the champion did in games of the measure's own: a share.
    Strength,
    /// A share of games won in training.
    Training,
    /// A number of things, of which more are not better.
    Count,
}

/// All measures with names of their own.
pub const MEASURES: &[Measure] = &[
    Measure {
        name: "top10",
        title: "Share of training games won by the ten best of a generation",
        axis: "share of games won",
        meaning: "share of games won by the ten best of the generation, in training",
        quantity: Quantity::Training,
        way: Way::Noted { needs: judges, value: |run| run.statistic("top10") },
    },
    Measure {
        name: "mean",
        title: "Share of training games won by a whole generation",
        axis: "share of games won",
        meaning: "share of games won by the whole generation, in training",
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
    has.then_some(()).ok_or_else(|| "opponents.games = 0 leaves nobody judged".into())
}

fn has_networks(spec: &Spec) -> Result<(), String> {
    let has = spec.model.is_network();
    has.then_some(()).ok_or_else(|| format!("model.kind = {:?} has none", spec.model.kind()))
}

fn has_species(spec: &Spec) -> Result<(), String> {
    let has = spec.search.statistics().contains(&"species");
    has.then_some(()).ok_or_else(|| format!("search.kind = {:?} has none", spec.search.kind()))
}

impl Measure {
    /// The measure of a name, if it has one of its own.
    pub fn named(name: &str) -> Option<&'static Measure> {
        MEASURES.iter().find(|measure| measure.name == name)
    }

    /// What runs note themselves.
    pub fn statistics() -> impl Iterator<Item = &'static Measure> {
        MEASURES.iter().filter(|measure| measure.played().is_none())
    }

    /// What champions play for.
    pub fn yardsticks() -> impl Iterator<Item = &'static Measure> {
        MEASURES.iter().filter(|measure| measure.played().is_some())
    }

    /// The statistic of a name.
    pub fn statistic(name: &str) -> Option<&'static Measure> {
        Measure::named(name).filter(|measure| measure.played().is_none())
    }

    /// How texts speak of it, if champions play for it.
    pub fn played(&self) -> Option<&Played> {
        match &self.way {
            Way::Noted { .. } => None,
            Way::Played(played) => Some(played),
        }
    }

    /// Says why runs of a spec do not have it, if so.
    pub fn needs(&self, spec: &Spec) -> Result<(), String> {
        match self.way {
            Way::Noted { needs, .. } => needs(spec),
            Way::Played(_) => Ok(()),
        }
    }

    /// Its value in a run that notes it.
    pub fn value(&self, run: &dyn AnyRun) -> Option<f64> {
        match self.way {
            Way::Noted { value, .. } => value(run),
            Way::Played(_) => None,
        }
    }

    /// What stands over the curve of a measure, or of a player.
    pub fn title_of(name: &str) -> String {
        match (Measure::named(name), name) {
            (Some(measure), _) => measure.title.into(),
            (None, "random") => "Share of games won against the random player".into(),
            (None, name) => format!("Share of games won against the player {name}"),
        }
    }

    /// What stands along the axis of a measure's values, or of those against a player.
    pub fn axis_of(name: &str) -> &'static str {
        Measure::named(name).map_or("share of games won", |measure| measure.axis)
    }

    /// What the value of a measure is, or of a player.
    pub fn meaning_of(name: &str) -> String {
        Measure::named(name).map_or_else(
            || format!("share of games won against {name}"),
            |measure| measure.meaning.into(),
        )
    }
}

impl Quantity {
    /// That of a measure, or of a player.
    pub fn of(name: &str) -> Quantity {
        Measure::named(name).map_or(Quantity::Strength, |measure| measure.quantity)
    }

    /// An interval of a mean within what is possible: Student's t knows no bounds, but shares lie between 0 and 1, and no
    /// count is below 0.
    pub fn within(self, [low, high]: [f64; 2]) -> [f64; 2] {
        match self {
            Quantity::Strength | Quantity::Training => [low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)],
            Quantity::Count => [low.max(0.0), high.max(0.0)],
        }
    }

    /// A value as text; a mean of counts is seldom whole.
    pub fn text(self, value: f64) -> String {
        match self {
            Quantity::Strength | Quantity::Training => format!("{:.2}%", 100.0 * value),
            Quantity::Count if (value - value.round()).abs() < 1e-9 => format!("{value:.0}"),
            Quantity::Count => format!("{value:.1}"),
        }
    }
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
    }
}
