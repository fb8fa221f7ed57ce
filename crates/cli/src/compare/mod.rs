//! `outflank compare`: studies side by side.

mod data;
mod text;

use super::text::{help, parse_share};
use super::{Error, answer, parse_at};
use outflank_commands::{CompareRequest, PublishedFigure};

#[derive(clap::Args)]
#[command(
    after_help = help("\
Examples:
  outflank compare runs/ctdl runs/ctdl-hof runs/tdl
  outflank compare old=runs/trial new=runs/ctdl-hof --probe heuristic
  outflank compare runs/rsel runs/1cel --tail greater
  outflank compare runs/* --baseline ctdl --probe random --csv
  outflank compare runs/rsel runs/1cel --at 500k
  outflank compare runs/rsel --margin 1% --published rsel=86.46%,0.25%,120

A run is one training with one seed; a study is all runs of one method. A probe
is one measurement of the champion during a run: the share of games won against a
player, or `utility`, the score against random weighted piece counters (WPCs).

A study's value is the mean over its runs of the last probe of each; unfinished
runs are taken as they stand.
Holm's correction covers all pairs that are tested. Studies that share a letter
in the column `group` are not significantly different, which does not mean that
they are equal.

A12 (Vargha and Delaney) is the probability that a run of the first study ends
above one of the second. From 0.56 (or below 0.44) the effect is called small, from
0.64 (0.36) medium, from 0.71 (0.29) large.

With --margin, two one-sided tests (TOST) show whether two means are significantly
less than M apart.")
)]
pub struct Args {
    /// Studies or single runs of `outflank learn`
    #[arg(value_name = "[NAME=]STUDY", required = true)]
    studies: Vec<String>,
    /// Take every run at its last probe at N training games or before, e.g. 1M or 500k
    #[arg(long, value_name = "N", value_parser = parse_at, allow_negative_numbers = true)]
    at: Option<u64>,
    /// The probe to compare [default: every probe that all studies have, except counts]
    #[arg(long, value_name = "PROBE")]
    probe: Option<String>,
    /// Test whether means are less than M apart, e.g. 0.01 or 1%
    #[arg(long, value_name = "M", value_parser = parse_margin, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// A published mean, half the width of its 95% interval, and its number of runs, for the study
    /// of that name; needs one probe
    #[arg(long, value_name = "NAME=MEAN,HALF_WIDTH,N", value_parser = parse_published)]
    published: Vec<PublishedFigure>,
    /// The test of whether two studies differ
    #[arg(long, default_value = "welch", value_name = "TEST", value_parser = ["welch", "student", "mann-whitney"])]
    test: String,
    /// What the tests ask about two studies: do they differ, is the first greater, or is it less?
    /// The first is the one named first on the command line, or the one that is not the baseline
    #[arg(long, default_value = "two-sided", value_name = "TAIL", value_parser = ["two-sided", "greater", "less"])]
    tail: String,
    /// Compare the other studies only with this one, not with each other
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Print studies, pairs and published figures as one CSV table
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<(), Error> {
    let request = CompareRequest {
        studies: args.studies,
        at: args.at,
        probe: args.probe,
        margin: args.margin,
        published: args.published,
        test: args.test,
        tail: args.tail,
        baseline: args.baseline,
    };
    let Some(answer) = answer(&request, args.json)? else { return Ok(()) };
    if args.csv { data::print_csv(&answer) } else { text::print(&answer.comparisons, args.at) }
}

fn parse_margin(text: &str) -> Result<f64, String> {
    match parse_share(text) {
        Some(margin) if margin > 0.0 && margin < 1.0 => Ok(margin),
        _ => Err("expected a difference between 0 and 1, e.g. 0.01 or 1%".into()),
    }
}

fn parse_published(text: &str) -> Result<PublishedFigure, String> {
    let shape =
        "expected NAME=MEAN,HALF_WIDTH,N, e.g. rsel=86.46%,0.25%,120 or rsel=0.8646,0.0025,120";
    // A name may contain `=`, numbers do not.
    let (name, figures) = text.rsplit_once('=').ok_or(shape)?;
    let figures: Vec<&str> = figures.split(',').map(str::trim).collect();
    let [mean, half_width, n] = figures[..] else { return Err(shape.into()) };
    if name.is_empty() {
        return Err(shape.into());
    }
    let share = |what: &str, text: &str| match parse_share(text) {
        Some(share) if (0.0..=1.0).contains(&share) => Ok(share),
        Some(percent) if percent > 1.0 && percent <= 100.0 => {
            Err(format!("{what} {text} is above 1; a percentage is written {text}%"))
        }
        _ => Err(format!("{what} {text:?} is not a number from 0 to 1; {shape}")),
    };
    let (mean, half_width) = (share("the mean", mean)?, share("the half width", half_width)?);
    if half_width <= 0.0 {
        return Err("the half width is 0, expected more than 0".into());
    }
    let n = n.parse().ok().filter(|&n| n >= 2);
    let n = n.ok_or_else(|| format!("N is a whole number of runs, 2 or more; {shape}"))?;
    Ok(PublishedFigure { name: name.into(), mean, half_width, n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_figures_are_read() {
        let figure = parse_published("rsel=0.8646,0.0025,120").unwrap();
        assert_eq!((figure.name.as_str(), figure.n), ("rsel", 120));
        assert!((figure.mean - 0.8646).abs() < 1e-12 && (figure.half_width - 0.0025).abs() < 1e-12);
        assert_eq!(parse_published("rsel=86.46%,0.25%,120"), Ok(figure));
        assert_eq!(parse_published("a=b=0.5, 0.1, 2").unwrap().name, "a=b");
        for (text, problem) in [
            ("rsel", "NAME=MEAN"),
            ("=0.5,0.1,2", "NAME=MEAN"),
            ("rsel=0.5,0.1", "NAME=MEAN"),
            ("rsel=0.5,0.1,2,3", "NAME=MEAN"),
            ("rsel=x,0.1,2", "the mean \"x\" is not a number"),
            ("rsel=NaN,0.1,2", "is not a number"),
            ("rsel=86.46,0.25,120", "is written 86.46%"),
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
        assert!((parse_margin("1%").unwrap() - 0.01).abs() < 1e-15);
        for text in ["0", "-0.1", "1", "2", "NaN", "inf", "x", ""] {
            assert!(parse_margin(text).is_err(), "{text}");
        }
    }
}
