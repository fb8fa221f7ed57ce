//! Laws of every kind of model: gradients, files and checkpoints. They iterate over the axis.

use super::{
    Activation, Eye, First, GraphSpec, MlpSpec, ModelKind, ModelSpec, SpatialSpec,
    SymmetricWpcSpec, WpcSpec,
};
use crate::Candidate;
use outflank_arena::{GameScratch, play_game};
use outflank_game::model::Model;
use outflank_game::othello::{Board, Game};
use outflank_game::player::{PlayerFile, parse_player, parse_player_file};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Rng, Seed, Stream};

/// Positions of random games.
fn boards(count: usize, rng: &mut Rng) -> Vec<Board> {
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut game = Game::default();
        while !game.is_over() {
            let moves = game.position().board.moves();
            game.play(moves.nth(rng.below(moves.len()))).unwrap();
            boards.push(game.position().board);
        }
    }
    boards.truncate(count);
    boards
}

/// The laws of every model.
fn keeps_the_laws<M: Candidate>(spec: &ModelSpec) {
    let mut rng = Seed(7).at(Stream::Weights, 0).rng();
    let model = M::first(spec, 0.4, &mut rng).unwrap();
    // The gradient agrees with finite differences; values are single precision, so the steps are
    // large.
    for board in boards(5, &mut rng) {
        let mut gradient = vec![0.0; model.params().len()];
        model.gradient(board, |param, slope| gradient[param] += f64::from(slope));
        for param in (0..gradient.len()).step_by(1 + gradient.len() / 40) {
            let value = |step: f32| {
                let mut moved = model.clone();
                moved.params_mut()[param] += step;
                f64::from(moved.value(board))
            };
            let expected = (value(0.01) - value(-0.01)) / 0.02;
            let found = gradient[param];
            let allowed = 0.02 * expected.abs() + 2e-3;
            assert!(
                (found - expected).abs() < allowed,
                "{:?} {param}: {found} {expected}",
                model.file().map(|file| file.kind)
            );
        }
    }
    // A file is read back exactly, and so is a checkpoint.
    let file = PlayerFile::of_model("it", &model, serde_json::Map::new()).unwrap();
    let read = parse_player_file(&serde_json::to_string(&file).unwrap(), "it").unwrap();
    assert_eq!(read, file);
    let saved = postcard::to_stdvec(&model).unwrap();
    let restored: M = postcard::from_bytes(&saved).unwrap();
    let bits = |model: &M| model.params().iter().map(|param| param.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&restored), bits(&model));
    // The file plays like the model, with every kernel.
    let (ours, theirs) = (model.player(Default::default()), read.player().unwrap());
    for kernel in Kernel::available() {
        let moves = |player: &outflank_game::player::Player| {
            let (mut table, random) = (GameScratch::default(), parse_player("random").unwrap());
            let play = |game| {
                let key = Seed(3).at(Stream::Game, game);
                let start = outflank_game::othello::Position::START;
                play_game(kernel, [player, &random], start, key, &mut table);
                table.moves.clone()
            };
            (0..20).map(play).collect::<Vec<_>>()
        };
        assert_eq!(moves(&ours), moves(&theirs), "{kernel:?}");
    }
}

#[test]
fn every_model_keeps_the_laws() {
    let mut specs = ModelSpec::samples();
    let mlp = MlpSpec::sample;
    // Shapes that are not among the samples.
    specs.push(ModelSpec::Spatial(SpatialSpec(MlpSpec {
        hidden: vec![40, 10],
        activation: Activation::Tanh,
        ..mlp()
    })));
    specs.push(ModelSpec::Mlp(MlpSpec {
        hidden: vec![10, 5],
        view: Eye::Black,
        output: Activation::Linear,
        activation: Activation::Relu,
        ..mlp()
    }));
    specs.push(ModelSpec::Mlp(MlpSpec { hidden: vec![], ..mlp() }));
    for spec in &specs {
        with_model!(*spec, M => keeps_the_laws::<M>(spec));
    }
}

#[test]
fn every_model_can_start_from_normal_weights() {
    for spec in ModelSpec::samples() {
        let kind = spec.kind();
        let spec = match spec {
            ModelSpec::Wpc(it) => ModelSpec::Wpc(WpcSpec { first: First::Normal, ..it }),
            ModelSpec::Mlp(it) => ModelSpec::Mlp(MlpSpec { first: First::Normal, ..it }),
            ModelSpec::Spatial(SpatialSpec(it)) => {
                ModelSpec::Spatial(SpatialSpec(MlpSpec { first: First::Normal, ..it }))
            }
            ModelSpec::SymmetricWpc(it) => {
                ModelSpec::SymmetricWpc(SymmetricWpcSpec { first: First::Normal, ..it })
            }
            ModelSpec::Graph(it) => ModelSpec::Graph(GraphSpec { first: First::Normal, ..it }),
        };
        let mut rng = Seed(8).at(Stream::Weights, 0).rng();
        let mut weights: Vec<f64> = Vec::new();
        with_model!(spec, M => {
            while weights.len() < 2000 {
                let model = M::first(&spec, 2.0, &mut rng).unwrap();
                weights.extend(model.params().iter().map(|weight| f64::from(*weight)));
            }
        });
        let n = weights.len() as f64;
        let variance = weights.iter().map(|weight| weight * weight).sum::<f64>() / n;
        assert!((variance - 4.0).abs() < 4.0 * 4.0 * (2.0 / n).sqrt(), "{kind}: {variance}");
        // Unlike in a uniform distribution, one in 22 is beyond two deviations.
        let far = weights.iter().filter(|weight| weight.abs() > 4.0).count() as f64 / n;
        assert!((far - 0.0455).abs() < 4.0 * (0.0455 / n).sqrt(), "{kind}: {far}");
    }
}
