//! Laws of every value of every axis, and of the loop. They iterate over the axes: a new value is
//! tested here, together with values that it can be combined with.

use std::collections::BTreeSet;

use super::*;
use outflank_arena::{Arena, Playing, Step};
use outflank_game::model::{Evaluate, Model, View, Wpc};
use outflank_game::othello::{Board, Side, Square};
use outflank_game::player::{Policy, Turn};
use outflank_kernel::rng::{Rng, Seed};
use outflank_kernel::{Kernel, NO_MOVE};

/// A small spec with these values.
fn spec(
    model: &ModelSpec,
    search: &SearchSpec,
    local: &LocalSpec,
    opponents: &OpponentsSpec,
    objective: &ObjectiveSpec,
) -> Spec {
    let probes =
        ProbesSpec { every: 0, vs: vec![], also: vec![], front: vec![], games: 2, sample: 1 };
    let mut spec = Spec {
        games: 1_000_000,
        model: model.clone(),
        search: search.clone(),
        local: local.clone(),
        archive: ArchiveSpec::Champions(<ChampionsSpec as ArchiveKind>::sample()),
        opponents: OpponentsSpec { games: 2, ..opponents.clone() },
        objective: objective.clone(),
        policy: PolicySpec::sample(),
        probes,
        until: None,
        before: Default::default(),
    };
    spec.shrink();
    spec
}

/// All sound combinations of one value per axis, as long as each adds a value that none before had.
fn covering() -> Vec<Spec> {
    let mut sources = OpponentsSpec::samples();
    assert_eq!(sources.len(), OpponentsSpec::names().len());
    // Learning from teachers, and separate objectives, need fixed players in addition to any other
    // source.
    let fixed = sources.iter().find_map(|sources| sources.fixed.clone());
    sources.extend(
        sources.clone().into_iter().map(|one| OpponentsSpec { fixed: fixed.clone(), ..one }),
    );
    let (mut seen, mut specs) = (BTreeSet::new(), Vec::new());
    for model in ModelSpec::samples() {
        for search in SearchSpec::samples() {
            for local in LocalSpec::samples() {
                for opponents in &sources {
                    for objective in ObjectiveSpec::samples() {
                        let spec = spec(&model, &search, &local, opponents, &objective);
                        if spec.check().is_err() {
                            continue;
                        }
                        let names = spec.opponents.sources();
                        let mut values: Vec<String> =
                            names.iter().map(|(at, _)| at.key("")).collect();
                        values.push(format!("model {}", model.kind()));
                        values.push(format!("search {}", search.kind()));
                        values.push(format!("local {}", local.kind()));
                        values.push(format!("objective {}", objective.kind()));
                        let before = seen.len();
                        seen.extend(values);
                        if seen.len() > before {
                            specs.push(spec);
                        }
                    }
                }
            }
        }
    }
    let all = [
        ModelSpec::NAMES.len(),
        SearchSpec::NAMES.len(),
        LocalSpec::NAMES.len(),
        ObjectiveSpec::NAMES.len(),
        OpponentsSpec::names().len(),
    ];
    assert_eq!(seen.len(), all.iter().sum::<usize>(), "values that no combination has: {seen:?}");
    specs
}

fn arena(threads: usize) -> Arena {
    Arena::new(Kernel::available()[0], threads).unwrap()
}

#[test]
fn every_value_of_every_axis_runs_is_counted_and_goes_on_from_where_it_was() {
    for spec in covering() {
        let named = format!(
            "{} {} {} {}",
            spec.model.kind(),
            spec.search.kind(),
            spec.local.kind(),
            spec.objective.kind()
        );
        let ready = spec.ready().unwrap_or_else(|error| panic!("{named}: {error}"));
        let run = |threads: usize, resumed: bool| {
            let mut cohort = ready.begin(&[Seed(1)]).unwrap();
            for generation in 0..3 {
                if resumed {
                    let saved = cohort.run(0).save();
                    cohort = ready.begin(&[Seed(1)]).unwrap();
                    cohort.run_mut(0).restore(&saved).unwrap();
                    assert!(cohort.run_mut(0).restore(&saved[1..]).is_err());
                    cohort.run_mut(0).restore(&saved).unwrap();
                }
                let before = cohort.run(0).games();
                let halts = cohort.step(&[0], &arena(threads), &|| false);
                assert_eq!(halts, [Ok(())], "{named}");
                let games = cohort.run(0).games() - before;
                let foretold = spec.games_per_generation();
                // In the first generation the hall of fame is empty.
                assert!(games == foretold || (generation == 0 && games < foretold), "{named}");
            }
            cohort.run(0).save()
        };
        let expected = run(1, false);
        assert!(run(2, false) == expected, "{named}: other threads");
        assert!(run(1, true) == expected, "{named}: resumed");
    }
}

#[test]
fn the_state_of_a_search_with_other_candidates_is_refused() {
    for spec in covering() {
        let SearchSpec::Es(es) = &spec.search else { continue };
        let fewer = EsSpec { mu: es.mu - 1, ..es.clone() };
        let other = Spec { search: SearchSpec::Es(fewer), ..spec.clone() };
        let saved = other.begin(Seed(1)).unwrap().save();
        let refused = spec.begin(Seed(1)).unwrap().restore(&saved).unwrap_err().to_string();
        assert!(refused.starts_with("a search of "), "{refused}");
        return;
    }
    panic!("no es");
}

#[test]
fn every_value_can_be_made_small() {
    for mut spec in covering() {
        let games = spec.games_per_generation();
        let candidates = spec.search.candidates();
        spec.shrink();
        spec.check().unwrap_or_else(|fault| panic!("{fault}"));
        assert!(spec.games_per_generation() <= games);
        assert!(spec.search.candidates() <= candidates.min(10), "{}", spec.search.kind());
    }
}

#[test]
fn whatever_learns_changes_candidates_and_whatever_does_not_leaves_them() {
    let still = SearchSpec::Still(StillSpec {});
    let mut learned = BTreeSet::new();
    for spec in covering() {
        let spec = Spec { search: still.clone(), objective: points(), ..spec };
        if spec.check().is_err() {
            continue;
        }
        let mut run = spec.begin(Seed(1)).unwrap();
        let params = |run: &dyn AnyRun| run.champion_file("it").unwrap().parameters;
        // The champion of a run that has not begun is not one of its candidates.
        run.step(&arena(1), &|| false).unwrap();
        let before = params(&*run);
        (0..3).for_each(|_| run.step(&arena(1), &|| false).unwrap());
        assert_eq!(params(&*run) != before, spec.local.learns(), "{}", spec.local.kind());
        learned.insert(spec.local.kind());
    }
    assert_eq!(learned.len(), LocalSpec::NAMES.len() - 1, "all but none, which needs a search");
}

fn points() -> ObjectiveSpec {
    ObjectiveSpec::Points(<PointsSpec as ObjectiveKind>::sample())
}

/// A spec of WPCs that play against fixed players.
fn against_fixed(search: SearchSpec, objective: ObjectiveSpec) -> Spec {
    let model = ModelSpec::Wpc(<WpcSpec as ModelKind>::sample());
    let local = LocalSpec::None(NoLocalSpec {});
    let samples = OpponentsSpec::samples();
    let fixed = samples.iter().find(|sources| sources.fixed.is_some()).unwrap();
    spec(&model, &search, &local, fixed, &objective)
}

/// A model that is a WPC, but not a network.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Plain(Wpc);

impl Evaluate for Plain {
    fn value(&self, board: Board) -> f32 {
        self.0.value(board)
    }
}

impl Model for Plain {
    fn view(&self) -> View {
        View::Black
    }

    fn params(&self) -> &[f32] {
        self.0.params()
    }

    fn params_mut(&mut self) -> &mut [f32] {
        self.0.params_mut()
    }
}

impl Candidate for Plain {
    fn first(_: &ModelSpec, start: f64, rng: &mut Rng) -> Result<Plain, LearnError> {
        Ok(Plain(Wpc::uniform(start, rng)))
    }
}

#[test]
fn a_model_that_is_no_network_is_refused_where_one_is_needed() {
    let still = SearchSpec::Still(StillSpec {});
    for local in LocalSpec::samples() {
        let spec = Spec { local: local.clone(), ..against_fixed(still.clone(), points()) };
        let begun = Run::<Plain>::new(spec, Seed(1)).map(|_| ());
        if local.needs_network() {
            let message = begun.unwrap_err().to_string();
            let key = format!("local.kind = {:?}, expected ", local.kind());
            assert!(message.starts_with(&key), "{message}");
            assert!(message.ends_with(", because the model is not a network"), "{message}");
        } else {
            assert!(begun.is_ok(), "{}", local.kind());
        }
    }
}

/// Adds 1 to the first weight with each of its own moves in fitness games.
struct CountsMoves;

impl Local<Wpc> for CountsMoves {
    fn during(&self) -> Option<&dyn During<Wpc>> {
        Some(self)
    }
}

impl During<Wpc> for CountsMoves {
    fn seat<'a>(&'a self, candidate: &'a mut Wpc, place: Place) -> Box<dyn Playing + 'a> {
        Box::new(Counting { candidate, side: place.side })
    }
}

struct Counting<'a> {
    candidate: &'a mut Wpc,
    side: Side,
}

impl Playing for Counting<'_> {
    fn choose(&mut self, kernel: Kernel, turn: &Turn) -> Square {
        assert_eq!(turn.position.side, self.side, "it is asked for its own moves");
        self.candidate.player(Policy::default()).choose(kernel, turn)
    }

    fn observe(&mut self, step: &Step) {
        if step.at.is_some() && step.before.side == self.side {
            self.candidate.params_mut()[0] += 1.0;
        }
    }
}

#[test]
fn what_is_learned_during_the_games_that_count_is_in_the_next_game_and_is_inherited() {
    let run = |threads: usize| {
        let spec = against_fixed(SearchSpec::Still(StillSpec {}), points());
        let mut run = Run::<Wpc>::new(spec, Seed(1)).unwrap().with_local(Box::new(CountsMoves));
        let mut moves = Vec::new();
        for generation in 1..=2 {
            step(&mut [&mut run], &arena(threads), &|| false).remove(0).unwrap();
            moves.push(run.champion().params()[0]);
            // Two opponents, two games each.
            assert_eq!(run.games(), 4 * generation);
        }
        moves
    };
    let moves = run(1);
    // About thirty moves of a game are the candidate's own; four games add up, and so do
    // generations.
    assert!((100.0..=125.0).contains(&moves[0]), "{moves:?}");
    assert!((100.0..=125.0).contains(&(moves[1] - moves[0])), "{moves:?}");
    assert_eq!(run(2), moves);
}

#[test]
fn a_run_can_be_stopped_in_the_middle_of_the_games_in_which_it_learns() {
    let spec = against_fixed(SearchSpec::Still(StillSpec {}), points());
    let mut run = Run::<Wpc>::new(spec, Seed(1)).unwrap().with_local(Box::new(CountsMoves));
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 2;
    assert_eq!(step(&mut [&mut run], &arena(1), &stop), [Err(Halt::Stopped)]);
}

#[test]
fn several_objectives_give_a_front_that_nobody_beats() {
    let ga = SearchSpec::Ga(<GaSpec as SearchKind>::sample());
    let fronts = ObjectiveSpec::Fronts(FrontsSpec { by: By::Opponent });
    let spec = Spec { local: LocalSpec::None(NoLocalSpec {}), ..against_fixed(ga.clone(), fronts) };
    let mut run = Run::<Wpc>::new(spec, Seed(1)).unwrap();
    (0..3).for_each(|_| step(&mut [&mut run], &arena(1), &|| false).remove(0).unwrap());
    let front: Vec<&[f64]> = run.front().iter().map(|judged| &*judged.objectives).collect();
    assert!(!front.is_empty() && front.iter().all(|point| point.len() == 2), "{front:?}");
    for one in &front {
        let beaten = front.iter().any(|other| {
            other.iter().zip(*one).all(|(a, b)| a >= b)
                && other.iter().zip(*one).any(|(a, b)| a > b)
        });
        assert!(!beaten, "{front:?}");
    }
    // The front survives an interruption; with one objective there is none.
    let mut again = Run::<Wpc>::new(run.spec().clone(), Seed(1)).unwrap();
    again.restore(&run.save()).unwrap();
    let again: Vec<&[f64]> = again.front().iter().map(|judged| &*judged.objectives).collect();
    assert_eq!(again, front);
    let mut one = Run::<Wpc>::new(against_fixed(ga, points()), Seed(1)).unwrap();
    step(&mut [&mut one], &arena(1), &|| false).remove(0).unwrap();
    assert!(one.front().is_empty());
}

#[test]
fn every_champion_is_archived_and_statistics_are_of_the_ten_best_and_of_all() {
    let all = ArchiveSpec::Champions(ChampionsSpec { capacity: 0 });
    let es = EsSpec { mu: 12, lambda: 12, ..<EsSpec as SearchKind>::sample() };
    let base = against_fixed(SearchSpec::Es(EsSpec::sample()), points());
    let spec = Spec { archive: all, search: SearchSpec::Es(es), ..base };
    let mut run = Run::<Wpc>::new(spec, Seed(3)).unwrap();
    let mut champions = Vec::new();
    for _ in 0..5 {
        step(&mut [&mut run], &arena(1), &|| false).remove(0).unwrap();
        champions.push(run.champion().params().to_vec());
        let archived: Vec<Vec<f32>> = run.archived().map(|model| model.params().to_vec()).collect();
        assert_eq!(archived, champions);
    }
    // 24 candidates with four games each: the share of wins of ten candidates is a whole number of
    // fortieths.
    let [top10, mean] = ["top10", "mean"].map(|name| run.statistic(name).unwrap());
    let whole = |share: f64, games: f64| ((share * games) - (share * games).round()).abs() < 1e-9;
    assert!(top10 >= mean && whole(top10, 40.0) && whole(mean, 96.0), "{top10} {mean}");
    assert_eq!(run.statistic("species"), None);
}

#[test]
fn given_games_are_read_once_for_all_runs_of_a_study() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    let moves = (0..).map(super::local::testing::game).find(|moves| !moves.contains(&NO_MOVE));
    let squares = moves.unwrap().into_iter().map(|at| Square::new(at.into()).unwrap().to_string());
    std::fs::write(&path, squares.collect::<String>()).unwrap();
    let local = GamesSpec { files: vec![path.to_str().unwrap().into()], ..GamesSpec::sample() };
    let spec = Spec {
        local: LocalSpec::Games(local),
        model: ModelSpec::Mlp(<MlpSpec as ModelKind>::sample()),
        ..against_fixed(SearchSpec::Still(StillSpec {}), points())
    };
    let ready = spec.ready().unwrap();
    // A ready spec does not read the file again; one that is not ready does.
    std::fs::remove_file(&path).unwrap();
    let mut runs = ready.begin(&[Seed(1), Seed(2)]).unwrap();
    assert_eq!(runs.step(&[0, 1], &arena(1), &|| false), [Ok(()), Ok(())]);
    let refused = spec.ready().unwrap_err().to_string();
    assert!(refused.starts_with("local.files: games file"), "{refused}");
}
