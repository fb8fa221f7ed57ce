//! What the candidates of a run start from: random parameters, a player, or the champion of an
//! earlier run with the same seed.

use super::{Candidate, Copies, LearnError, Spec};
use outflank_game::model::ModelFile;
use outflank_game::player::{Champions, parse_player};
use outflank_kernel::rng::{Rng, Seed, Stream};

/// What runs start from.
#[derive(Clone, Debug)]
pub enum Start {
    /// Random parameters.
    Random,
    /// The parameters of a player: its name, and what a file says of it.
    Player(String, ModelFile),
    /// The champion of the run with the same seed.
    Champions(String, Champions),
}

impl Spec {
    /// Reads what its runs start from, as `model.from` says.
    pub(super) fn start(&self) -> Result<Start, LearnError> {
        let Some(name) = self.model.begins_as() else { return Ok(Start::Random) };
        if let Some(champions) = Champions::of(name)? {
            return Ok(Start::Champions(name.into(), champions));
        }
        let player = parse_player(name)?;
        let wrong = |problem: &str| LearnError::from(name, problem.into());
        if !player.policy.is_neutral() {
            return Err(wrong("has options, but only parameters can be used"));
        }
        let file = player.file().ok_or_else(|| wrong("has no parameters to start from"))?;
        Ok(Start::Player(name.into(), file))
    }
}

impl Start {
    /// The model that the run with this seed starts from, if it does not start from random ones.
    pub(super) fn model<M: Candidate>(
        &self,
        spec: &Spec,
        seed: Seed,
    ) -> Result<Option<M>, LearnError> {
        match self {
            Start::Random => Ok(None),
            Start::Player(name, file) => suited(spec, name, file).map(Some),
            Start::Champions(name, champions) => {
                let champion = champions.champion(seed.0);
                let wrong = |error| LearnError::from(name, format!("is a study: {error}"));
                let file = champion.map_err(wrong)?;
                suited(spec, name, &file.model_file()).map(Some)
            }
        }
    }
}

/// A model of this file, which must have the shape that the spec says, and parameters that its
/// search keeps and its learning can start from.
fn suited<M: Candidate>(spec: &Spec, name: &str, file: &ModelFile) -> Result<M, LearnError> {
    let sample = M::first(&spec.model, 0.0, &mut Seed(0).at(Stream::Candidate, 0).rng())?;
    let expected = sample.shape();
    let found = match M::read(file) {
        Ok(model) if model.shape() == expected => {
            let problem = beyond(spec, model.params());
            return problem.map_or(Ok(model), |problem| Err(LearnError::from(name, problem)));
        }
        Ok(model) => model.shape(),
        Err(_) => file.kind.in_words().into(),
    };
    Err(LearnError::from(name, format!("is {found}, expected {expected}")))
}

/// What is wrong with parameters to start from, if they are too large.
fn beyond(spec: &Spec, params: &[f32]) -> Option<String> {
    let outside = |[low, high]: [f64; 2]| {
        params.iter().find(|param| !(low..=high).contains(&f64::from(**param)))
    };
    if let Some((key, bounds)) = spec.search.bounds()
        && let Some(param) = outside(bounds)
    {
        let [low, high] = bounds;
        return Some(format!("has a weight of {param}, beyond search.{key} = [{low}, {high}]"));
    }
    let largest = spec.local.begins_within();
    let param = outside([-largest, largest]).filter(|_| spec.local.learns())?;
    let kind = spec.local.kind();
    Some(format!(
        "has a weight of {param}, but local.kind = {kind:?} cannot start from weights beyond {largest}"
    ))
}

/// Makes the first candidates of a run.
pub(super) struct Firsts<'a, M> {
    pub spec: &'a Spec,
    pub origin: Option<&'a M>,
    pub rng: Rng,
    /// Whether there has been one.
    pub is_made: bool,
}

impl<M: Candidate> Firsts<'_, M> {
    /// A model with random parameters.
    pub fn random(&mut self, start: f64) -> M {
        M::first(&self.spec.model, start, &mut self.rng).expect("one could be made")
    }

    /// A candidate. Of mutated copies the first is the player itself, so that nothing is lost.
    pub fn one(&mut self) -> M {
        let Some(origin) = self.origin else { return self.random(self.spec.model.start()) };
        let mut copy = origin.clone();
        let mutation = self.spec.search.mutation().filter(|_| self.is_made);
        if let (Copies::Mutated, Some(mutation)) = (self.spec.model.copies(), mutation) {
            copy.mutate(mutation, &mut self.rng);
        }
        self.is_made = true;
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelSpec;
    use crate::models::with_model;
    use crate::search::{Beginning, Breeds};
    use crate::{Archive, ArchiveSpec, NoArchiveSpec, SearchSpec, resolve};
    use outflank_arena::Arena;
    use outflank_game::model::Evaluate;
    use outflank_game::player::{PlayerFile, Policy};
    use outflank_kernel::Kernel;
    use std::path::Path;

    /// A player file with a random model of this kind.
    fn player(model: &ModelSpec, at: &Path) -> PlayerFile {
        let mut rng = Seed(9).at(Stream::Weights, 0).rng();
        let file = with_model!(*model, M => {
            let model = M::first(model, 0.4, &mut rng).unwrap();
            PlayerFile::of_model("it", &model, serde_json::Map::new()).unwrap()
        });
        std::fs::write(at, serde_json::to_string(&file).unwrap()).unwrap();
        file
    }

    /// A small spec with this model and search, which starts from a player.
    fn starting(model: &ModelSpec, search: &SearchSpec, from: &Path, copies: Copies) -> Spec {
        let mut spec = resolve("rsel", &[]).unwrap().spec;
        (spec.model, spec.search) = (model.clone(), search.clone());
        spec.shrink();
        *spec.model.origin_mut() = from.to_str().unwrap().into();
        match &mut spec.model {
            ModelSpec::Wpc(it) => it.copies = copies,
            ModelSpec::Mlp(it) => it.copies = copies,
            ModelSpec::Spatial(it) => it.0.copies = copies,
            ModelSpec::Graph(it) => it.copies = copies,
            ModelSpec::SymmetricWpc(it) => it.copies = copies,
        }
        spec.archive = resolve("cel-hof", &[]).unwrap().spec.archive;
        if !spec.search.varies() {
            spec.local = resolve("tdl", &[]).unwrap().spec.local;
        }
        spec
    }

    /// How many parameters of each first candidate differ from those of the player.
    fn differences(spec: &Spec, file: &PlayerFile) -> Vec<usize> {
        with_model!(spec.model, M => {
            let origin: M = spec.start().unwrap().model(spec, Seed(1)).unwrap().unwrap();
            let rng = Seed(1).at(Stream::Candidate, 0).rng();
            let mut firsts = Firsts { spec, origin: Some(&origin), rng, is_made: false };
            let begin = Beginning { model: &spec.model, start: 0.1, first: &mut || firsts.one() };
            let mut search = spec.search.build(begin);
            let nobody = Archive::new(&ArchiveSpec::None(NoArchiveSpec {}), Policy::default());
            let asked = search.ask(&nobody, &mut Seed(1).at(Stream::Search, 0).rng());
            let differs = |model: &M| {
                let params = model.file().unwrap().parameters;
                params.iter().zip(&file.parameters).filter(|(a, b)| a.to_bits() != b.to_bits()).count()
            };
            asked.iter().map(differs).collect()
        })
    }

    #[test]
    fn every_model_starts_from_a_player_in_every_search_that_inherits_parameters() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player.json");
        let arena = Arena::new(Kernel::available()[0], 1).unwrap();
        let mut started = 0;
        for model in ModelSpec::samples() {
            for search in SearchSpec::samples() {
                let file = player(&model, &path);
                let spec = starting(&model, &search, &path, Copies::Exact);
                let named = format!("{} {}", model.kind(), search.kind());
                if !matches!(search.breeds(), Breeds::Parameters | Breeds::Places) {
                    let fault = spec.check_breeding().unwrap_err();
                    assert!(["model.from", "search.kind"].contains(&&*fault.key), "{named}");
                    continue;
                }
                if spec.check().is_err() {
                    continue;
                }
                let exact = differences(&spec, &file);
                assert_eq!(exact[0], 0, "{named}: {exact:?}");
                let mut run = spec.begin(Seed(1)).unwrap();
                assert_eq!(run.champion_file("it").unwrap().parameters, file.parameters);
                assert_eq!(run.statistic("changed"), Some(0.0), "{named}");
                (0..3).for_each(|_| run.step(&arena, &|| false).unwrap());
                let champion = run.champion_file("it").unwrap().parameters;
                let changed = champion
                    .iter()
                    .zip(&file.parameters)
                    .filter(|(a, b)| a.to_bits() != b.to_bits());
                match (&model, changed.count() as f64) {
                    // Its file has a weight for every square.
                    (ModelSpec::SymmetricWpc(_), squares) => {
                        let found = run.statistic("changed").unwrap();
                        assert!(found <= 10.0 && found <= squares && 8.0 * found >= squares);
                    }
                    (_, count) => assert_eq!(run.statistic("changed"), Some(count), "{named}"),
                }
                started += 1;
                let spec = starting(&model, &search, &path, Copies::Mutated);
                if search.mutation().is_none() {
                    assert_eq!(spec.check().unwrap_err().key, "model.copies", "{named}");
                    continue;
                }
                let mutated = differences(&spec, &file);
                assert_eq!(mutated[0], 0, "{named}: {mutated:?}");
                // Of few parameters hardly any mutates.
                let [exact, mutated] = [exact, mutated].map(|all| all[1..].iter().sum::<usize>());
                assert!(mutated > exact || file.parameters.len() == 64, "{named}");
            }
        }
        assert!(started >= 15, "{started}");
    }

    #[test]
    fn a_genetic_algorithm_starts_from_copies_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player.json");
        let search = resolve("cel", &[]).unwrap().spec.search;
        for model in ModelSpec::samples() {
            let file = player(&model, &path);
            let spec = starting(&model, &search, &path, Copies::Exact);
            assert_eq!(differences(&spec, &file), [0; 7], "{}", model.kind());
        }
    }

    #[test]
    fn a_player_of_another_shape_is_refused_with_both_shapes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player.json");
        let search = resolve("rsel", &[]).unwrap().spec.search;
        for model in ModelSpec::samples() {
            player(&model, &path);
            for other in ModelSpec::samples() {
                let spec = starting(&other, &search, &path, Copies::Exact);
                let begun = spec.ready().map(|_| ());
                // A symmetric WPC is a WPC.
                let is_wpc = (model.kind(), other.kind()) == ("symmetric-wpc", "wpc");
                if other.kind() == model.kind() || is_wpc {
                    begun.unwrap();
                    continue;
                }
                let message = begun.unwrap_err().to_string();
                let shape = |model: &ModelSpec| {
                    let rng = &mut Seed(1).at(Stream::Weights, 0).rng();
                    with_model!(*model, M => Candidate::shape(&M::first(model, 0.1, rng).unwrap()))
                };
                assert!(message.contains(&format!(", expected {}", shape(&other))), "{message}");
                let kind = with_model!(model, M => {
                    let rng = &mut Seed(1).at(Stream::Weights, 0).rng();
                    M::first(&model, 0.1, rng).unwrap().file().unwrap().kind.in_words()
                });
                let is_named = message.contains(kind) || message.contains(&shape(&model));
                assert!(is_named, "{message}");
            }
        }
    }

    #[test]
    fn weights_beyond_what_search_and_learning_allow_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player.txt");
        let begun = |preset: &str, weight: &str, bound: f64| {
            std::fs::write(&path, format!("{weight} {}", "0.5 ".repeat(63))).unwrap();
            let mut spec = resolve(preset, &[]).unwrap().spec;
            *spec.model.origin_mut() = path.to_str().unwrap().into();
            if let SearchSpec::Pso(pso) = &mut spec.search {
                pso.flight.bound = bound;
            }
            spec.begin(Seed(1)).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(begun("pso-td", "99", 0.0), Ok(()));
        let message = begun("pso-td", "-101", 0.0).unwrap_err();
        assert!(message.contains("a weight of -101, but local.kind = \"td-games\""), "{message}");
        // Nothing learns, and nothing bounds the swarm.
        assert_eq!(begun("pso", "5000", 0.0), Ok(()));
        let message = begun("pso", "11", 10.0).unwrap_err();
        assert!(message.contains("11, beyond search.flight.bound = [-10, 10]"), "{message}");
        let message = begun("rsel", "11", 0.0).unwrap_err();
        assert!(message.contains("11, beyond search.mutation.bounds = [-10, 10]"), "{message}");
    }
}
