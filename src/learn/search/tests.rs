//! Laws of every search: it keeps its size, is deterministic, survives saving, and climbs a sphere.

use super::*;
use crate::learn::{
    ArchiveSpec, ChampionsSpec, Crossover, EsSpec, GaSpec, MutationSpec, Noise, StillSpec,
    TruncationSpec,
};
use crate::model::{Model, Wpc};
use crate::player::Policy;
use crate::rng::{Seed, Stream};

/// One of each kind.
fn all() -> Vec<SearchSpec> {
    let mutation = |noise, rate| MutationSpec { noise, rate, size: 0.25, bounds: [-2.0, 2.0] };
    vec![
        SearchSpec::Still(StillSpec {}),
        SearchSpec::Es(EsSpec { mu: 13, lambda: 12, mutation: mutation(Noise::Uniform, 1.0) }),
        SearchSpec::Ga(GaSpec {
            population: 31,
            tournament: 5,
            archive_parents: 0.2,
            crossover: Crossover::OnePoint,
            mutation: mutation(Noise::Gaussian, 0.03),
        }),
        SearchSpec::Truncation(TruncationSpec {
            population: 26,
            elites: 20,
            fresh: 0.2,
            mutation: mutation(Noise::Uniform, 0.2),
        }),
    ]
}

/// The nearer all weights are to 1, the better.
fn fitness(candidate: &Wpc) -> f64 {
    -candidate.params().iter().map(|w| f64::from(w - 1.0).powi(2)).sum::<f64>()
}

struct Climb {
    search: Box<dyn Search<Wpc>>,
    archive: Archive<Wpc>,
}

impl Climb {
    fn new(spec: &SearchSpec) -> Climb {
        let archive = ArchiveSpec::Champions(ChampionsSpec { capacity: 0 });
        Climb {
            search: spec.build(&mut || Wpc::new([0.0; 64]).unwrap()),
            archive: Archive::new(&archive, Policy::default()),
        }
    }

    /// One generation; returns how many candidates there were, and the best.
    fn step(&mut self, generation: u64) -> (usize, Wpc) {
        let mut rng = Seed(1).at(Stream::Generation, generation).rng();
        let candidates = self.search.ask(&self.archive, &mut rng);
        let n = candidates.len();
        let worth: Vec<f64> = candidates.iter().map(fitness).collect();
        let ranked = rank(candidates, &worth, &mut rng);
        let best = ranked[0].candidate.clone();
        self.archive.note(&best);
        self.search.tell(ranked);
        (n, best)
    }
}

#[test]
fn every_search_keeps_its_size_and_climbs() {
    for spec in all() {
        let mut climb = Climb::new(&spec);
        let mut best = None;
        for generation in 0..100 {
            let (n, champion) = climb.step(generation);
            assert_eq!(n, spec.candidates(), "{spec:?}");
            best = Some(champion);
        }
        let reached = fitness(&best.unwrap());
        match spec {
            SearchSpec::Still(_) => assert!(reached <= -64.0),
            // Fresh candidates are worse than any of the elites, so those take no places from each
            // other: on a sphere it drifts. It chooses where fresh ones can be better.
            SearchSpec::Truncation(_) => assert!(reached > -80.0, "{reached}"),
            _ => assert!(reached > -40.0, "{spec:?}: {reached}"),
        }
    }
}

#[test]
fn every_search_goes_on_from_what_it_saved() {
    for spec in all() {
        for interrupted in 0..5 {
            let mut climb = Climb::new(&spec);
            for generation in 0..5 {
                if generation == interrupted {
                    let saved = climb.search.save();
                    climb.search = spec.build(&mut || Wpc::new([9.0; 64]).unwrap());
                    climb.search.restore(&saved).unwrap();
                }
                climb.step(generation);
            }
            let mut unbroken = Climb::new(&spec);
            (0..5).for_each(|generation| drop(unbroken.step(generation)));
            assert_eq!(climb.search.save(), unbroken.search.save(), "{spec:?}");
            assert!(climb.search.restore(&[1, 2, 3]).is_err());
        }
    }
}

#[test]
fn equals_are_ranked_at_random() {
    let mut firsts = [0; 4];
    for trial in 0..4000 {
        let mut rng = Seed(2).at(Stream::Search, trial).rng();
        firsts[rank(vec![0, 1, 2, 3], &[1.0, 2.0, 2.0, 2.0], &mut rng)[0].candidate] += 1;
    }
    // A third of 4000 each, with a standard deviation of 30.
    assert_eq!(firsts[0], 0);
    assert!(firsts[1..].iter().all(|n| (1333 - 120..1333 + 120).contains(n)), "{firsts:?}");
}

#[test]
fn a_tournament_prefers_the_fit() {
    let spec = GaSpec {
        population: 100,
        tournament: 5,
        archive_parents: 0.0,
        crossover: Crossover::None,
        mutation: MutationSpec {
            noise: Noise::Gaussian,
            rate: 0.0,
            size: 0.0,
            bounds: [-100.0, 100.0],
        },
    };
    let weights = (0..100).map(|i| Wpc::new([i as f32; 64]).unwrap());
    let mut first = weights.clone();
    let mut search = SearchSpec::Ga(spec).build(&mut || first.next().unwrap());
    let archive =
        Archive::new(&ArchiveSpec::Champions(ChampionsSpec { capacity: 0 }), Policy::default());
    let ranked = weights.rev().map(|candidate| Judged {
        fitness: f64::from(candidate.params()[0]),
        candidate,
        index: 0,
    });
    search.tell(ranked.collect());
    let mut rng = Seed(3).at(Stream::Search, 0).rng();
    let mean = (0..100)
        .flat_map(|_| search.ask(&archive, &mut rng))
        .map(|child| f64::from(child.params()[0]))
        .sum::<f64>()
        / 10_000.0;
    // The mean of the largest of five of 0..100, drawn with replacement: 100 · 5/6 − ½; its standard
    // deviation is 100 √(5/252).
    assert!((mean - 82.83).abs() < 4.0 * 14.1 / 100.0 + 0.02, "{mean}");
}
