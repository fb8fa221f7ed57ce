//! The studies against each other, and that result beside their expected utility: two objectives
//! that need not agree (Jaśkowski et al. 2013, section 6).

use maud::html;

use super::text::{count, drawn_interval, mean_of, percent, with_interval};
use super::{Drawing, Figures, Material, Names, Section, has_single, table};
use crate::figure::{Axis, AxisUnit, Point, Reference, Scatter, ScatterCase};
use outflank_lab::{CrossTable, Results, score_interval};
use outflank_learn::Played;

pub const NAMES: Names = Names { stem: "two-objectives", are_many: false };

pub fn round_robin(material: &Material<'_>) -> Option<Section> {
    let played = material.evidence.table.as_ref()?;
    let mut order: Vec<usize> = (0..played.standings.len()).collect();
    let score = |index: usize| played.standings[index].total.score();
    order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
    let head = [
        "study",
        "games",
        "won",
        "drawn",
        "lost",
        "points (3/1/0)",
        "points (1/½/0)",
        "score",
        "mean score of a run",
    ];
    let standings: Vec<Vec<String>> = order.iter().map(|&index| standing(played, index)).collect();
    let names = order.iter().map(|&index| played.standings[index].name.clone());
    let across: Vec<String> = ["study".to_string()].into_iter().chain(names).collect();
    let row = |&i: &usize| -> Vec<String> {
        let against = |&j: &usize| match i == j {
            true => "–".into(),
            false => {
                let tally = &played.tallies[i][j];
                with_interval(tally.score(), score_interval(tally))
            }
        };
        let name = [played.standings[i].name.clone()];
        name.into_iter().chain(order.iter().map(against)).collect()
    };
    let cross: Vec<Vec<String>> = order.iter().map(row).collect();
    let body = html! {
        p {
            "Every champion played two games, one with each colour, against every champion of the other \
             studies. A win, a draw and a loss give 3, 1 and 0 points, or 1, ½ and 0; the score is the share of the \
             points by the second count. The last column is the mean score of a study's champions ± half the width \
             of its 95% confidence interval: how much it might change with another set of runs and the same \
             opponents."
            @if has_single(material.studies) { " A study with one run has no interval." }
        }
        (table("", 1, &head.map(String::from), &standings))
        (table("Score of the row against the column", 1, &across, &cross))
        p class="note" {
            "The intervals in this table (95%, with the pair of games as the unit) are for these champions: they say \
             how exact their score is, not how much other runs might differ."
        }
    };
    Some(Section { id: "round-robin".into(), title: "Round robin".into(), body })
}

fn standing(played: &CrossTable, index: usize) -> Vec<String> {
    let standing = &played.standings[index];
    let total = &standing.total;
    vec![
        standing.name.clone(),
        count(total.games()),
        count(total.wins),
        count(total.draws),
        count(total.losses),
        count(standing.points()),
        format!("{}.{}", count((2 * total.wins + total.draws) / 2), 5 * (total.draws % 2)),
        percent(total.score()),
        mean_of(&scores(played, index)),
    ]
}

/// The scores of a team's champions.
fn scores(played: &CrossTable, index: usize) -> Vec<f64> {
    played.members[index].iter().map(|tally| tally.score()).collect()
}

pub fn objectives(material: &Material<'_>, figures: &mut Figures<'_>) -> Option<Section> {
    let played = material.evidence.table.as_ref()?;
    let (yardstick, Played { noun, .. }) = material.evidence.yardstick()?;
    let case = |(look, study): (usize, &Results)| {
        let (x, x_interval) = drawn_interval(&material.evidence.measured[look][yardstick]);
        let (y, y_interval) = drawn_interval(&scores(played, look));
        let point = Point { x, y, x_interval, y_interval };
        ScatterCase { name: study.name.clone(), look, point }
    };
    let scatter = Scatter {
        title: "Score against random opponents, and against each other".into(),
        x: Axis::new(*noun, AxisUnit::Percent),
        y: Axis::new("score in the round robin", AxisUnit::Percent),
        cases: material.studies.iter().enumerate().map(case).collect(),
        references: vec![Reference { name: "even score".into(), y: 0.5 }],
        note: String::new(),
    };
    let body = html! {
        p {
            "Doing well against many weak opponents and beating strong ones are two different objectives. Each \
             point is a study: the mean " (noun) " of its champions (in fresh games of this report, against the same \
             opponents for all) and their mean score in the round robin, with 95% confidence intervals over runs."
        }
        (figures.add(&NAMES.name(0, ""), "chart", Drawing::of_chart(&scatter.chart()), ""))
    };
    Some(Section { id: "objectives".into(), title: "Two objectives".into(), body })
}
