//! What games are worth.

use super::*;
use crate::arena::{Cell, Fixtures};

/// What an objective makes of the rows of tables.
fn fitness(
    objective: &dyn ObjectiveKind,
    rows: usize,
    payoffs: &[Payoff],
    errors: &[f64],
) -> Vec<f64> {
    objective.judge(rows, payoffs, errors).into_iter().map(|judged| judged.fitness).collect()
}

fn cell(wins: u32, draws: u32, losses: u32) -> Cell {
    Cell { wins, draws, losses }
}

#[test]
fn points_add_up_over_all_sources() {
    let all = Payoff::new(2, 1, Fixtures::All, vec![cell(1, 1, 0), cell(0, 0, 2)]);
    let fixtures = Fixtures::Each(vec![vec![], vec![0, 0]]);
    let some = Payoff::new(2, 1, fixtures, vec![cell(0, 1, 0), cell(2, 0, 0)]);
    let points = PointsSpec { win: 3.0, draw: 1.0, loss: 0.0 };
    assert_eq!(fitness(&points, 2, &[all.clone(), some.clone()], &[]), [4.0, 7.0]);
    let halves = PointsSpec { win: 1.0, draw: 0.5, loss: 0.0 };
    assert_eq!(fitness(&halves, 2, &[all, some], &[]), [1.5, 2.5]);
}

#[test]
fn tests_are_paid_for_distinctions_others_do_not_make() {
    // Three tests, three solutions. The first two tests tell solution 0 from the others, the third
    // also 1 from 2.
    let (won, lost) = (cell(2, 0, 0), cell(0, 0, 2));
    let cells = vec![
        lost,
        won,
        won, //
        lost,
        won,
        won, //
        lost,
        cell(1, 0, 1),
        won,
    ];
    let payoff = Payoff::new(3, 3, Fixtures::All, cells);
    let directed = DistinctionsSpec { directed: true };
    let fitness = fitness(&directed, 3, &[payoff], &[]);
    // (0, 1) and (0, 2) are made by all three, (1, 2) by the last alone.
    let expected = [2.0 / 3.0, 2.0 / 3.0, 5.0 / 3.0];
    assert!(fitness.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{fitness:?}");
}

#[test]
fn a_test_that_treats_all_alike_earns_nothing() {
    let payoff = Payoff::new(1, 4, Fixtures::All, vec![cell(1, 0, 1); 4]);
    for directed in [true, false] {
        let objective = DistinctionsSpec { directed };
        assert_eq!(fitness(&objective, 1, std::slice::from_ref(&payoff), &[]), [0.0]);
    }
}

#[test]
fn the_direction_of_a_distinction_matters_or_not() {
    // Two tests that see two solutions in opposite order.
    let (won, lost) = (cell(2, 0, 0), cell(0, 0, 2));
    let payoff = Payoff::new(2, 2, Fixtures::All, vec![won, lost, lost, won]);
    let worth = |directed| {
        let objective = DistinctionsSpec { directed };
        fitness(&objective, 2, std::slice::from_ref(&payoff), &[])
    };
    assert_eq!((worth(true), worth(false)), (vec![1.0, 1.0], vec![1.0, 1.0]));
    // With a third test on the side of the first, only the directed second is alone.
    let payoff = Payoff::new(3, 2, Fixtures::All, vec![won, lost, lost, won, won, lost]);
    let worth = |directed| {
        let objective = DistinctionsSpec { directed };
        fitness(&objective, 3, std::slice::from_ref(&payoff), &[])
    };
    assert_eq!(worth(true), [0.5, 1.0, 0.5]);
    assert!(worth(false).iter().all(|f| (f - 2.0 / 3.0).abs() < 1e-12));
}

#[test]
fn errors_are_half_of_fitness_as_printed_or_as_meant() {
    let payoff = Payoff::new(2, 1, Fixtures::All, vec![cell(30, 10, 10), cell(50, 0, 0)]);
    let worth = |error| {
        let objective = WinsAndErrorSpec { error };
        fitness(&objective, 2, std::slice::from_ref(&payoff), &[0.25, 0.5])
    };
    let near = |a: Vec<f64>, b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
    assert!(near(worth(Sign::Added), [42.5, 75.0]));
    assert!(near(worth(Sign::Subtracted), [67.5, 75.0]));
}

#[test]
fn fronts_come_before_room() {
    // Against two opponents: 0 and 1 are the best at one each, 2 is between, 3 is beaten by 2, 4 by all.
    let wins = [(10, 0), (0, 10), (5, 5), (5, 4), (0, 0)];
    let cells = wins.iter().flat_map(|(a, b)| [cell(*a, 0, 10 - a), cell(*b, 0, 10 - b)]).collect();
    let payoff = Payoff::new(5, 2, Fixtures::All, cells);
    let fitness = fitness(&FrontsSpec {}, 5, &[payoff], &[]);
    assert_eq!(fitness.iter().map(|f| *f as u32).collect::<Vec<_>>(), [2, 2, 2, 1, 0]);
    assert!(fitness[0] > fitness[2] && fitness[1] > fitness[2]);
}
