//! How to repeat the results: commands, versions and costs.

use maud::html;

use super::text::{command, count, duration, seeds};
use super::{Material, Section, table};
use outflank_lab::Results;

/// At most this many commands of a study are shown; hundreds of runs may have been started one by
/// one.
const MAX_COMMANDS: usize = 5;

pub fn section(material: &Material<'_>) -> Section {
    let version = env!("CARGO_PKG_VERSION");
    let again: Vec<String> = material.studies.iter().map(again).collect();
    let body = html! {
        p {
            "The same settings and seed give the same bytes on any machine and with any number of threads. \
             These commands repeat the runs from their complete settings:"
        }
        pre { code { (again.join("\n")) } }
        p { "This command repeats the report:" }
        pre { code { (command(material.command)) } }
        p class="note" {
            "Its games are the ones that " code { "outflank measure" } " plays with the same opponents and sizes, "
            code { "outflank tournament" } " with two games per meeting, and " code { "outflank profile" } ", all with \
             the seed " (material.evidence.plan.seed.0) "."
        }
        @if material.studies.iter().any(|study| !commands(study).is_empty()) {
            details {
                summary { "Commands that started the runs" }
                @for study in material.studies {
                    @let lines = commands(study);
                    @let more = lines.len().saturating_sub(MAX_COMMANDS);
                    p { (study.name) ":" }
                    pre { code {
                        (lines[..lines.len() - more].join("\n"))
                        @if more > 0 { "\n# and " (more) " more" }
                    } }
                }
            }
        }
        (cost(material))
        p class="note" {
            "This report: outflank " (version) ", signature " (format!("{:016x}", material.signature)) "."
        }
    };
    Section { id: "repeat".into(), title: "How to repeat it".into(), body }
}

/// The command that repeats a study.
fn again(study: &Results) -> String {
    let list: Vec<u64> = study.runs.iter().map(|run| run.seed).collect();
    let spec = study.runs.first().map(|run| run.path.join("spec.toml").display().to_string());
    let out = format!("again/{}", super::text::slug(&study.name));
    let words =
        ["outflank", "learn", &spec.unwrap_or_default(), "--seeds", &seeds(&list), "--out", &out];
    command(&words)
}

/// The commands that trained the runs of a study, each once.
fn commands(study: &Results) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for run in &study.runs {
        let Some((_, arguments)) = run.command.split_first() else { continue };
        let words: Vec<&str> =
            ["outflank"].into_iter().chain(arguments.iter().map(String::as_str)).collect();
        let line = command(&words);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

fn cost(material: &Material<'_>) -> maud::Markup {
    let head = [
        "study",
        "training games",
        "training time",
        "evaluation games",
        "evaluation time",
        "version",
        "signature",
    ];
    let row = |study: &Results| {
        let cost = study.cost();
        let seconds = |seconds: Option<f64>| seconds.map_or("not known".into(), duration);
        let mut stamps: Vec<String> =
            study.runs.iter().map(|run| format!("{:016x}", run.signature)).collect();
        stamps.dedup();
        let mut programs: Vec<String> = study.runs.iter().map(|run| run.program.clone()).collect();
        programs.dedup();
        vec![
            study.name.clone(),
            count(study.runs.iter().map(|run| run.games).sum()),
            seconds(cost.map(|cost| cost.training_seconds)),
            cost.map_or("not known".into(), |cost| count(cost.probe_games)),
            seconds(cost.map(|cost| cost.probe_seconds)),
            programs.join(", "),
            stamps.join(", "),
        ]
    };
    let rows: Vec<Vec<String>> = material.studies.iter().map(row).collect();
    html! {
        h3 { "What it cost" }
        (table("", 1, &head.map(String::from), &rows))
        p class="note" {
            "Wall-clock time, summed over runs: runs that learned at the same time are counted separately, so the \
             sum can exceed the time that passed. Evaluations do not count as training games."
        }
    }
}
