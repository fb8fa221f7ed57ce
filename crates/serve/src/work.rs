//! Jobs as the command line would start them.

use std::path::Path;

use outflank_commands::{LearnRequest, ReportRequest, StudyRequest};
use outflank_schema::toml;
use outflank_store::Study;
use serde::Deserialize;
use serde_json::{Value, json};

/// A job that was checked.
pub struct Prepared {
    /// The command that it calls.
    pub command: String,
    /// What it is called.
    pub title: String,
    /// The request, complete.
    pub request: Value,
}

/// Checks the request of a job as far as that is quick, completes it, and gives it a title.
pub fn prepare(command: &str, request: Value) -> Result<Prepared, String> {
    let (title, request) = match command {
        "learn" => learn(request)?,
        "resume" => {
            let (title, request) = learn(resume(&request)?)?;
            return Ok(Prepared { command: "learn".into(), title, request });
        }
        "report" => {
            let read = ReportRequest::deserialize(&request).map_err(|error| error.to_string())?;
            (format!("report on {}", read.studies.join(", ")), request)
        }
        "study" => {
            let read = StudyRequest::deserialize(&request).map_err(|error| error.to_string())?;
            (format!("study {}", read.studies.join(", ")), request)
        }
        other => {
            let players = request["players"].as_array().into_iter().flatten();
            let names: Vec<&str> = players.filter_map(Value::as_str).take(3).collect();
            (format!("{other} {}", names.join(", ")).trim().into(), request)
        }
    };
    Ok(Prepared { command: command.into(), title, request })
}

/// The request that goes on with a study: all its seeds, with the spec of a run that has begun.
fn resume(request: &Value) -> Result<Value, String> {
    let folder = request["folder"].as_str().ok_or("folder is missing")?;
    let study = Study::read(Path::new(folder)).map_err(|error| error.to_string())?;
    let seeds = study.seeds();
    let specs = study.runs().map(|run| run.join("spec.toml"));
    if let Some(spec) = specs.into_iter().find(|spec| spec.is_file()) {
        return Ok(json!({ "method": spec, "seeds": seeds, "out": folder }));
    }
    // Nothing has begun: its preset with every key that the study has written down.
    let spec: toml::Table = study.spec().parse().map_err(|_| "the study's spec is damaged")?;
    let mut set = Vec::new();
    flatten(&mut set, "", &spec);
    let learn = json!({ "method": study.preset(), "set": set, "seeds": seeds, "out": folder });
    let read = LearnRequest::deserialize(&learn).map_err(|error| error.to_string())?;
    match read.prepare() {
        Ok(prepared) if prepared.order.text == study.spec() => Ok(learn),
        _ => Err(format!("no run of {folder} has begun; start it again with the same settings")),
    }
}

/// The keys of a table as settings, `KEY=VALUE`.
fn flatten(set: &mut Vec<String>, path: &str, table: &toml::Table) {
    for (key, value) in table {
        let at = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            toml::Value::Table(inner) => flatten(set, &at, inner),
            value => set.push(format!("{at}={value}")),
        }
    }
}

/// Training: what is wrong with it is said at once, and its runs keep the words of the command.
fn learn(request: Value) -> Result<(String, Value), String> {
    let mut read = LearnRequest::deserialize(&request).map_err(|error| error.to_string())?;
    read.command = read.words();
    let prepared = read.prepare().map_err(|error| error.to_string())?;
    let title = format!("learn {} in {}", prepared.method.name, prepared.order.out.display());
    let request = serde_json::to_value(&read).map_err(|error| error.to_string())?;
    Ok((title, request))
}
