//! Laws of every search: it keeps its size, is deterministic, survives saving, and climbs. They
//! iterate over the axis, each search with a model that it can breed, so that a new search is
//! tested automatically.

use super::*;
use crate::models::with_model;
use crate::{ArchiveSpec, ChampionsSpec, Offer};
use outflank_game::player::Policy;
use outflank_kernel::rng::{Seed, Stream};

/// A search of each kind, and a model that suits it.
fn all() -> Vec<(SearchSpec, ModelSpec)> {
    let suited = |search: SearchSpec| {
        let models = ModelSpec::samples().into_iter();
        let model = models.into_iter().find(|model| model.offers(search.breeds()) == Offer::Yes);
        (search, model.expect("some model offers what a search breeds"))
    };
    let searches = SearchSpec::samples();
    assert_eq!(searches.iter().map(SearchSpec::kind).collect::<Vec<_>>(), SearchSpec::NAMES);
    searches.into_iter().map(suited).collect()
}

/// The closer all weights are to 1, the better.
fn fitness<M: Candidate>(candidate: &M) -> f64 {
    let params = candidate.params();
    let sum: f64 = params.iter().map(|w| f64::from(w - 1.0).powi(2)).sum();
    -sum / params.len() as f64
}

struct Climb<M> {
    search: Box<dyn Search<M>>,
    archive: Archive<M>,
}

impl<M: Candidate> Climb<M> {
    fn new(spec: &SearchSpec, model: &ModelSpec) -> Climb<M> {
        let archive = ArchiveSpec::Champions(ChampionsSpec { capacity: 0 });
        let search = beginning(spec, model, 0);
        Climb { search, archive: Archive::new(&archive, Policy::default()) }
    }

    /// Runs one generation; returns the number of candidates and the best fitness.
    fn step(&mut self, generation: u64) -> (usize, f64) {
        let mut rng = Seed(1).at(Stream::Generation, generation).rng();
        let candidates = self.search.ask(&self.archive, &mut rng);
        let n = candidates.len();
        let worth: Vec<f64> = candidates.iter().map(fitness).collect();
        let ranked = rank_by(candidates, &worth, &mut rng);
        self.archive.note(&ranked[0].candidate);
        let best = ranked[0].fitness;
        self.search.tell(ranked, &mut rng);
        (n, best)
    }
}

fn beginning<M: Candidate>(spec: &SearchSpec, model: &ModelSpec, seed: u64) -> Box<dyn Search<M>> {
    let (start, mut rng) = (model.start(), Seed(seed).at(Stream::Candidate, 0).rng());
    let first = &mut || M::first(model, start, &mut rng).unwrap();
    spec.build(Beginning { model, start, first })
}

#[test]
fn every_search_keeps_its_size_and_climbs() {
    for (spec, model) in all() {
        with_model!(model, M => {
            let mut climb = Climb::<M>::new(&spec, &model);
            let worth: Vec<f64> = (0..100)
                .map(|generation| {
                    let (n, best) = climb.step(generation);
                    assert_eq!(n, spec.candidates(), "{spec:?}");
                    best
                })
                .collect();
            let (first, last) = (worth[0], worth[99]);
            if spec.climbs() {
                assert!(last > first * 0.8, "{}: {first} to {last}", spec.kind());
            }
            if !spec.varies() {
                assert!((first - last).abs() < 1e-12, "{}", spec.kind());
            }
        });
    }
}

#[test]
fn every_search_goes_on_from_what_it_saved_and_tells_what_it_promises() {
    for (spec, model) in all() {
        with_model!(model, M => {
            let mut unbroken = Climb::<M>::new(&spec, &model);
            (0..5).for_each(|generation| assert!(unbroken.step(generation).0 > 0));
            for interrupted in 0..5 {
                let mut climb = Climb::<M>::new(&spec, &model);
                for generation in 0..5 {
                    if generation == interrupted {
                        let saved = climb.search.save();
                        climb.search = beginning(&spec, &model, 9);
                        climb.search.restore(&saved).unwrap();
                    }
                    climb.step(generation);
                }
                assert_eq!(climb.search.save(), unbroken.search.save(), "{spec:?}");
                assert!(climb.search.restore(&[1, 2, 3]).is_err());
            }
            let told: Vec<&str> = unbroken.search.statistics().iter().map(|(name, _)| *name).collect();
            assert_eq!(told, spec.statistics(), "{}", spec.kind());
        });
    }
}

#[test]
fn equals_are_ranked_at_random() {
    let mut firsts = [0; 4];
    for trial in 0..4000 {
        let mut rng = Seed(2).at(Stream::Search, trial).rng();
        firsts[rank_by(vec![0, 1, 2, 3], &[1.0, 2.0, 2.0, 2.0], &mut rng)[0].candidate] += 1;
    }
    // A third of 4000 each, with a standard deviation of 30.
    assert_eq!(firsts[0], 0);
    assert!(firsts[1..].iter().all(|n| (1333 - 120..1333 + 120).contains(n)), "{firsts:?}");
}
