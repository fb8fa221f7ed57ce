//! What was studied and what was found, in sentences that claim no more than the numbers show.

use maud::{Markup, html};

use super::pairwise::{Compared, compared, is_tested, ranking};
use super::text::{capitalised, count, listed, mean_of, number_of, seeds, with_interval};
use super::{Material, Section, table};
use outflank_lab::Results;
use outflank_lab::{mean_interval, score_interval};
use outflank_learn::Measure;

pub fn section(material: &Material<'_>) -> Section {
    let head = ["study", "folder", "measured by", "runs", "seeds", "training games of a run"]
        .map(String::from);
    let rows: Vec<Vec<String>> = material.studies.iter().map(row).collect();
    let all = || material.studies.iter().flat_map(|study| &study.runs);
    let (runs, games) = (all().count(), all().map(|run| run.games).sum());
    let left_out = material.studies.iter().filter(|study| !study.left_out.is_empty());
    let standing = material.studies.iter().filter(|study| study.standing().next().is_some());
    let runs_of = |unfinished: usize, runs: usize| match unfinished {
        0 => number_of(runs, "finished run"),
        _ => number_of(runs, "run"),
    };
    let unfinished = all().filter(|run| !run.is_finished).count();
    let body = html! {
        @for study in standing { p class="note" { (as_they_stand(study)) } }
        p {
            (capitalised(&number_of(material.studies.len(), "study").replace("studys", "studies")))
            " with " (runs_of(unfinished, runs)) " and " (count(games)) " training games."
            @for study in left_out {
                " Of " (study.name) ", " (number_of(study.left_out.len(), "run"))
                @if study.left_out.len() == 1 { " (seed " (seeds(&study.left_out)) ") has" }
                @else { " (seeds " (seeds(&study.left_out)) ") have" }
                " no probe yet and therefore " @if study.left_out.len() == 1 { "is" } @else { "are" }
                " left out."
            }
        }
        (findings(material))
        (table("", 3, &head, &rows))
    };
    Section { id: "summary".into(), title: "Summary".into(), body }
}

/// Which runs of a study are unfinished, and how far they are.
fn as_they_stand(study: &Results) -> String {
    let list: Vec<u64> = study.standing().map(|run| run.seed).collect();
    let games = || study.standing().map(|run| run.games);
    let (least, most) = (games().min().unwrap_or(0), games().max().unwrap_or(0));
    let range =
        if least == most { count(least) } else { format!("{} to {}", count(least), count(most)) };
    let (of, is) = match list.len() {
        1 => ("seed", "is unfinished, taken as it stands"),
        _ => ("seeds", "are unfinished, taken as they stand"),
    };
    format!(
        "Unfinished: of the {} of {}, {} ({of} {}) {is} at {range} games.",
        number_of(study.runs.len(), "run"),
        study.name,
        count(list.len() as u64),
        seeds(&list),
    )
}

fn row(study: &Results) -> Vec<String> {
    let of_runs: Vec<u64> = study.runs.iter().map(|run| run.games).collect();
    let (least, most) = (of_runs.iter().min(), of_runs.iter().max());
    let games = match (least, most) {
        (Some(least), Some(most)) if least < most => {
            format!("{} to {}", count(*least), count(*most))
        }
        (_, most) => most.map_or(String::new(), |&games| count(games)),
    };
    let list: Vec<u64> = study.runs.iter().map(|run| run.seed).collect();
    vec![
        study.name.clone(),
        study.path.display().to_string(),
        study.probes().join(", "),
        match study.standing().count() {
            0 => study.runs.len().to_string(),
            unfinished => format!("{} ({unfinished} unfinished)", study.runs.len()),
        },
        seeds(&list),
        games,
    ]
}

fn findings(material: &Material<'_>) -> Markup {
    let studies = material.studies;
    let (chief, values) = material.evidence.chief();
    let (article, measure) = match chief.played() {
        Some(played) => (played.article, played.noun.to_string()),
        None => ("a", Measure::meaning_of(&chief.name)),
    };
    html! {
        @if let [study] = studies {
            p {
                "In fresh games, the " (number_of(study.runs.len(), "champion")) " of " (study.name)
                " reached " (article) " " (measure) " of " (mean_of(values[0])) "."
                @if study.runs.len() == 1 { " A single run does not show how runs differ, so there is no interval." }
            }
        } @else {
            p { (best_mean(studies, &measure, &values)) }
            @if let Some(sentence) = best_score(material) { p { (sentence) } }
            @let tested: Vec<Compared> =
                compared(material).into_iter().filter(|compared| is_tested(&compared.comparison)).collect();
            @for Compared { by, comparison, .. } in &tested { p { (by) ": " (ranking(comparison)) "." } }
            @if !tested.is_empty() {
                p class="note" {
                    "A > B: A is significantly better than B. A ~ B: no significant difference was found, which does \
                     not mean that they are equal. ?: not tested."
                }
            }
        }
    }
}

fn best_mean(studies: &[Results], measure: &str, values: &[&[f64]]) -> String {
    let means: Vec<f64> = values.iter().map(|values| mean_interval(values).0).collect();
    let best = highest(&means);
    let names: Vec<&str> = best.iter().map(|&index| studies[index].name.as_str()).collect();
    let mean = best.first().map_or(String::new(), |&index| match values[index].len() {
        1 => format!("{} (one run)", mean_of(values[index])),
        _ => mean_of(values[index]),
    });
    format!("The highest mean {measure} in fresh games is {mean}, by {}.", listed(&names))
}

fn best_score(material: &Material<'_>) -> Option<String> {
    let table = material.evidence.table.as_ref()?;
    let scores: Vec<f64> = table.standings.iter().map(|standing| standing.total.score()).collect();
    let best = highest(&scores);
    let names: Vec<&str> = best.iter().map(|&index| table.standings[index].name.as_str()).collect();
    let total = &table.standings[*best.first()?].total;
    let score = with_interval(total.score(), score_interval(total));
    Some(format!(
        "The highest score in the round robin is {score} (for these champions), by {}.",
        listed(&names)
    ))
}

/// The index of the highest value; several if it is shared.
fn highest(values: &[f64]) -> Vec<usize> {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (0..values.len()).filter(|&index| values[index] >= most).collect()
}
