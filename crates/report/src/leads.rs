//! Who leads, move by move (Kim, Choi & Cho 2007, Figs. 6 to 9).

use crate::figure::{Axis, AxisUnit, Chart, Mark, Point, Reference, Series};
use outflank_game::player::MoveValue;

/// The number of a move, from 1, and what the position before it is worth to Black.
pub type Lead = (u32, MoveValue);

/// A chart of Black's lead in games. Evaluations are drawn in shares of the largest, decided games
/// in shares of 64 discs.
pub fn leads_chart(title: String, judge: &str, games: &[Vec<Lead>]) -> Chart {
    let leads = |wanted: fn(MoveValue) -> Option<f64>| -> Vec<Vec<[f64; 2]>> {
        let of_game = |game: &Vec<Lead>| {
            let point = |(number, lead): &Lead| Some([f64::from(*number), wanted(*lead)?]);
            game.iter().filter_map(point).collect()
        };
        games.iter().map(of_game).collect()
    };
    let mut values = leads(|lead| match lead {
        MoveValue::Value(value) if value.is_finite() => Some(value),
        _ => None,
    });
    let discs = leads(|lead| match lead {
        MoveValue::Margin(margin) => Some(f64::from(margin) / 64.0),
        MoveValue::Value(_) => None,
    });
    let largest = values.iter().flatten().fold(0.0, |most: f64, [_, y]| most.max(y.abs()));
    if largest > 0.0 {
        values.iter_mut().flatten().for_each(|[_, y]| *y /= largest);
    }
    let x = Axis::new("move", AxisUnit::Count).showing([1.0]);
    let y = Axis::new("Black's lead", AxisUnit::Percent).showing([-1.0, 0.0, 1.0]);
    let mut chart = Chart::new(title, x, y);
    chart.series.extend(series(format!("as {judge} sees it"), 0, values));
    chart.series.extend(series("in discs at the end".into(), 1, discs));
    chart.references.push(Reference { name: "even".into(), y: 0.0 });
    let games = if games.len() > 1 { " Means of all games; thin lines are games." } else { "" };
    chart.note = format!(
        "100% is the largest evaluation, {largest:.3}, or 64 discs where the end of the game is \
         known.{games}"
    );
    chart
}

/// The mean of some lines, drawn with them if they are several.
fn series(name: String, look: usize, lines: Vec<Vec<[f64; 2]>>) -> Option<Series> {
    let lines: Vec<Vec<[f64; 2]>> = lines.into_iter().filter(|line| !line.is_empty()).collect();
    let last = lines.iter().flatten().map(|[x, _]| *x as u32).max()?;
    let mean = |number: u32| {
        let here: Vec<f64> =
            lines.iter().flatten().filter(|[x, _]| *x as u32 == number).map(|[_, y]| *y).collect();
        let mean = here.iter().sum::<f64>() / here.len() as f64;
        (!here.is_empty()).then(|| Point::new(f64::from(number), mean))
    };
    let points = (1..=last).filter_map(mean).collect();
    let runs = if lines.len() > 1 { lines } else { Vec::new() };
    Some(Series { name, look, mark: Mark::Band, points, runs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_has_its_own_line() {
        let game = vec![
            (1, MoveValue::Value(2.0)),
            (2, MoveValue::Value(-4.0)),
            (3, MoveValue::Margin(32)),
            (4, MoveValue::Margin(-16)),
        ];
        let chart = leads_chart("a game".into(), "lr2006", &[game]);
        let points: Vec<Vec<(f64, f64)>> = chart
            .series
            .iter()
            .map(|series| series.points.iter().map(|point| (point.x, point.y)).collect())
            .collect();
        assert_eq!(points, [vec![(1.0, 0.5), (2.0, -1.0)], vec![(3.0, 0.5), (4.0, -0.25)]]);
        assert!(chart.svg().contains("as lr2006 sees it"));
    }
}
