//! `outflank compare`: studies side by side.

mod data;
mod text;

use std::path::PathBuf;

use super::Error;
use super::output::print_json;
use super::studies::parse_studies;
use outflank_lab::{Published, Question, Results, Tail, Test, common_probes, compare};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  outflank compare runs/ctdl runs/ctdl-hof runs/tdl
  outflank compare old=runs/trial new=runs/ctdl-hof --probe heuristic
  outflank compare runs/rsel --probe utility --margin 0.01 \\
      --published rsel=0.8646,0.0025,120
  outflank compare runs/* --probe random --test mann-whitney --csv

A study's value is that of its finished runs' last probes. Tests are two-tailed
unless --tail says otherwise; Holm's correction is over all pairs of studies. A12 is the chance that a run of
the first study ends above one of the second (Vargha and Delaney): 0.56 is a
small effect, 0.64 a medium, 0.71 a large one, and below a half as much.
That two studies are not told apart does not make them equal: with --margin two
one-sided tests say whether their means are less than M apart.")]
pub struct Args {
    /// Studies, or single runs, of `outflank learn`
    #[arg(value_name = "[NAME=]STUDY", required = true)]
    studies: Vec<String>,
    /// The probe to compare by [default: each that all studies have, besides counts]
    #[arg(long, value_name = "PROBE")]
    probe: Option<String>,
    /// Means less than M apart count as equivalent, e.g. 0.01
    #[arg(long, value_name = "M", value_parser = parse_margin, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// A published mean, half the width of its 95% interval, and its runs, for the study of that
    /// name; needs one probe
    #[arg(long, value_name = "NAME=MEAN,HALF_WIDTH,N", value_parser = parse_published)]
    published: Vec<Published>,
    /// What tells studies apart: welch, student or mann-whitney
    #[arg(long, default_value = "welch", value_name = "TEST", value_parser = parse_test)]
    test: Test,
    /// What the tests ask: two-sided (they differ), or that the first of a pair is greater or less
    #[arg(long, default_value = "two-sided", value_name = "TAIL", value_parser = parse_tail)]
    tail: Tail,
    /// Print one table of studies, pairs and published figures as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let studies = parse_studies(&args.studies)?;
    refuse_shared_runs(&studies)?;
    for figure in &args.published {
        refuse_unknown(figure, &studies)?;
    }
    let probes = choose_probes(&studies, args.probe.as_deref())?;
    if probes.len() > 1 && !args.published.is_empty() {
        return Err(Error::Usage(format!(
            "--published needs to know which probe was published: --probe with one of {}",
            probes.join(", ")
        )));
    }
    let Args { test, tail, margin, .. } = args;
    let question = Question { test, tail, margin, published: args.published.clone() };
    let comparisons: Vec<_> =
        probes.iter().map(|probe| compare(&studies, probe, &question)).collect();
    if args.json {
        return print_json("compare", data::to_json(&comparisons));
    }
    if args.csv { data::print_csv(&comparisons) } else { text::print(&comparisons) }
}

fn parse_margin(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(margin) if margin > 0.0 && margin < 1.0 => Ok(margin),
        _ => Err("expected a difference between 0 and 1, e.g. 0.01 for one percent".into()),
    }
}

fn parse_tail(text: &str) -> Result<Tail, String> {
    let tail = Tail::ALL.into_iter().find(|tail| tail.name() == text);
    tail.ok_or_else(|| format!("expected {}", Tail::ALL.map(Tail::name).join(", ")))
}

fn parse_test(text: &str) -> Result<Test, String> {
    let test = Test::ALL.into_iter().find(|test| test.name() == text);
    test.ok_or_else(|| format!("expected {}", Test::ALL.map(Test::name).join(", ")))
}

fn parse_published(text: &str) -> Result<Published, String> {
    let shape = "expected NAME=MEAN,HALF_WIDTH,N, e.g. rsel=0.8646,0.0025,120";
    // Names may have signs of their own, numbers have not.
    let (name, figures) = text.rsplit_once('=').ok_or(shape)?;
    let figures: Vec<&str> = figures.split(',').map(str::trim).collect();
    let [mean, half_width, n] = figures[..] else { return Err(shape.into()) };
    if name.is_empty() {
        return Err(shape.into());
    }
    let share = |what: &str, text: &str| match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Ok(percent) if percent > 1.0 && percent <= 100.0 => {
            // Without the digits that dividing by 100 makes up.
            let share = (percent * 1e8).round() / 1e10;
            Err(format!("{what} {text} is above 1; a percentage is written {share}"))
        }
        _ => Err(format!("{what} {text:?} is no number from 0 to 1; {shape}")),
    };
    let (mean, half_width) = (share("the mean", mean)?, share("the half width", half_width)?);
    if half_width <= 0.0 {
        return Err("the half width is 0, so nothing could be equal to it".into());
    }
    let n = n.parse().ok().filter(|&n| n >= 2);
    let n = n.ok_or_else(|| format!("N is a whole number of runs, 2 or more; {shape}"))?;
    Ok(Published { name: name.into(), mean, half_width, n })
}

/// The same run in two studies would be compared with itself.
fn refuse_shared_runs(studies: &[Results]) -> Result<(), Error> {
    let real = |study: &Results| -> Vec<PathBuf> {
        let runs = study.runs.iter();
        runs.map(|run| run.path.canonicalize().unwrap_or_else(|_| run.path.clone())).collect()
    };
    let runs: Vec<Vec<PathBuf>> = studies.iter().map(real).collect();
    for (index, own) in runs.iter().enumerate() {
        for (other, before) in runs[..index].iter().enumerate() {
            if let Some(run) = own.iter().find(|run| before.contains(run)) {
                let [a, b] = [other, index].map(|index| studies[index].path.display());
                return Err(Error::Usage(format!(
                    "{a} and {b} both have the run {}; a study cannot be compared with itself",
                    run.display()
                )));
            }
        }
    }
    Ok(())
}

fn refuse_unknown(figure: &Published, studies: &[Results]) -> Result<(), Error> {
    if studies.iter().any(|study| study.name == figure.name) {
        return Ok(());
    }
    let names: Vec<&str> = studies.iter().map(|study| study.name.as_str()).collect();
    let name = &figure.name;
    Err(Error::Usage(format!(
        "--published {name}: no study is called {name:?}, only {}; {name}=STUDY names one",
        names.join(", ")
    )))
}

/// The probe that was asked for, or all that the studies have in common.
fn choose_probes(studies: &[Results], asked: Option<&str>) -> Result<Vec<String>, Error> {
    let common = common_probes(studies);
    let lacks = |study: &&Results, probe: &str| !study.probes().iter().any(|own| own == probe);
    if let Some(probe) = asked {
        let without: Vec<String> =
            studies.iter().filter(|s| lacks(s, probe)).map(had_probes).collect();
        if without.is_empty() {
            return Ok(vec![probe.into()]);
        }
        return Err(Error::Usage(format!(
            "no probe {probe:?} in {}; {}",
            without.join(", "),
            match common.is_empty() {
                true => "no probe is common to all".into(),
                false => format!("common to all: {}", common.join(", ")),
            }
        )));
    }
    if common.is_empty() {
        let all: Vec<String> = studies.iter().map(had_probes).collect();
        return Err(Error::Usage(format!("no probe is common to all of {}", all.join(", "))));
    }
    let mut told = Vec::new();
    for probe in studies.iter().flat_map(Results::measures) {
        if !common.contains(&probe) && !told.contains(&probe) {
            let without: Vec<&str> =
                studies.iter().filter(|s| lacks(s, &probe)).map(|s| s.name.as_str()).collect();
            match without.is_empty() {
                true => eprintln!(
                    "{probe} is left out: the studies trained against different opponents"
                ),
                false => eprintln!("{probe} is left out: {} has no such probe", without.join(", ")),
            }
            told.push(probe);
        }
    }
    Ok(common)
}

/// A study and what it has instead.
fn had_probes(study: &Results) -> String {
    match study.probes().join(", ") {
        probes if probes.is_empty() => format!("{} (without probes)", study.name),
        probes => format!("{} (which has {probes})", study.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_figures_are_read() {
        let figure = parse_published("rsel=0.8646,0.0025,120").unwrap();
        assert_eq!((figure.name.as_str(), figure.n), ("rsel", 120));
        assert!((figure.mean - 0.8646).abs() < 1e-12 && (figure.half_width - 0.0025).abs() < 1e-12);
        assert_eq!(parse_published("a=b=0.5, 0.1, 2").unwrap().name, "a=b");
        for (text, problem) in [
            ("rsel", "NAME=MEAN"),
            ("=0.5,0.1,2", "NAME=MEAN"),
            ("rsel=0.5,0.1", "NAME=MEAN"),
            ("rsel=0.5,0.1,2,3", "NAME=MEAN"),
            ("rsel=x,0.1,2", "the mean \"x\" is no number"),
            ("rsel=NaN,0.1,2", "is no number"),
            ("rsel=86.46,0.25,120", "is written 0.8646"),
            ("rsel=0.5,-0.1,2", "the half width"),
            ("rsel=0.5,0,2", "half width is 0"),
            ("rsel=0.5,0.1,1", "2 or more"),
            ("rsel=0.5,0.1,2.5", "2 or more"),
        ] {
            let found = parse_published(text).unwrap_err();
            assert!(found.contains(problem), "{text}: {found}");
        }
    }

    #[test]
    fn margins_are_small_and_positive() {
        assert!((parse_margin("0.01").unwrap() - 0.01).abs() < 1e-15);
        for text in ["0", "-0.1", "1", "2", "NaN", "inf", "x", ""] {
            assert!(parse_margin(text).is_err(), "{text}");
        }
    }
}
