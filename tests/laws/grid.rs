//! The effect of the 16-bit grid on strength: the expected utility of WPCs with exact and with
//! rounded weights, against the same random opponents with the same random numbers.
//!
//! The full measurement: `OUTFLANK_GRID_PAIRS=25000 cargo test --release --test grid --
//! --nocapture`.

use std::sync::Arc;

use outflank::arena::{Arena, Meeting, Openings, Unwatched};
use outflank::kernel::Kernel;
use outflank::model::{View, Wpc, random_weights};
use outflank::player::{Brain, Colour, Player, Policy, parse_player};
use outflank::rng::{Seed, Stream};

#[test]
fn rounding_weights_to_the_grid_does_not_change_strength() {
    let pairs: u64 =
        std::env::var("OUTFLANK_GRID_PAIRS").map_or(400, |pairs| pairs.parse().unwrap());
    let arena = Arena::new(Kernel::detect().unwrap(), 2).unwrap();
    let opponent = parse_player("random-wpc").unwrap();
    let openings = Openings::Start;
    let mut wpcs: Vec<(String, Arc<Wpc>)> = ["heuristic", "lr2006", "ctdl2009-best"]
        .map(|name| match parse_player(name).unwrap().brain {
            Brain::Wpc(wpc) => (name.to_string(), wpc),
            _ => unreachable!("these are WPCs"),
        })
        .to_vec();
    for index in 0..17 {
        let weights = random_weights(&mut Seed(9).at(Stream::Weights, index).rng());
        wpcs.push((format!("random WPC {index}"), Arc::new(Wpc::new(weights).unwrap())));
    }
    let differences: Vec<f64> = wpcs
        .into_iter()
        .map(|(name, wpc)| {
            let exact = Brain::Model { model: wpc.clone(), view: View::Black };
            let [rounded, exact] = [Brain::Wpc(wpc), exact].map(|brain| {
                let player = Player { name: name.clone(), brain, policy: Policy::default() };
                let meeting = Meeting {
                    a: &player,
                    b: &opponent,
                    pairs,
                    seed: Seed(1),
                    openings: &openings,
                    colour: Colour::Both,
                };
                100.0 * arena.play(&[meeting], &Unwatched).unwrap()[0].score()
            });
            println!(
                "{name:>14}  rounded {rounded:6.2}  exact {exact:6.2}  {:+.3}",
                rounded - exact
            );
            rounded - exact
        })
        .collect();
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let error = (variance / n).sqrt();
    println!(
        "mean difference {mean:+.3} points, standard error {error:.3}, {pairs} double games each"
    );
    assert!(mean.abs() < 0.1 + 4.0 * error, "{mean} ± {error}");
}
