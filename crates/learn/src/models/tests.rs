//! Laws of every kind of model: gradients, files and checkpoints. They iterate over the axis.

use super::{Activation, Eye, MlpSpec, ModelKind, ModelSpec, SpatialSpec};
use crate::Candidate;
use outflank_arena::{GameScratch, play_game};
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
