//! How an engine is written: `gtp:COMMAND ARGUMENTS`, then perhaps `@` and options:
//! `gtp:edax -gtp@time=5`.

use std::path::Path;
use std::time::Duration;

use crate::player::{Policy, PolicyError};
use outflank_schema::{did_you_mean, nearest, one_of};

/// How an engine is started, and how long it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program and its arguments; no shell reads them.
    pub words: Vec<String>,
    /// The time for a move, if it is limited; the engine is told.
    pub time: Option<Duration>,
    /// The time to start.
    pub start: Duration,
}

/// Why a text is no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// Nothing after `gtp:`.
    #[error("no program is named; write for example gtp:gtp-rhino or \"gtp:edax -gtp\"")]
    NoProgram,
    /// A quote that is not closed.
    #[error("a quote is not closed in {0:?}")]
    Quote(String),
    /// Not a number of seconds.
    #[error("{option} = {value:?} is not a number of seconds from 0.01 to 86400")]
    Seconds {
        /// The option.
        option: &'static str,
        /// Its value.
        value: String,
    },
    /// An option has two values.
    #[error("{0} appears twice")]
    Twice(&'static str),
    /// An option that only our own players have.
    #[error(
        "{0} is of no use to an engine, which chooses moves by itself; an engine can have {list}, \
         and its own options stand before the @", list = one_of(ENGINE_OPTIONS)
    )]
    Useless(&'static str),
    /// There is no such option.
    #[error(
        "unknown option {option:?}, an engine can have {list}{}", did_you_mean(.nearest.as_deref()),
        list = one_of(ENGINE_OPTIONS)
    )]
    Unknown {
        /// The option.
        option: String,
        /// The most similar option.
        nearest: Option<String>,
    },
    /// An option with a wrong value.
    #[error(transparent)]
    Policy(PolicyError),
}

/// What an engine can have after its @.
const ENGINE_OPTIONS: &[&str] =
    &["time", "start", "epsilon", "opening", "book", "book-best", "book-margin", "solve"];
/// How long an engine may take to start, unless it is said.
const START: Duration = Duration::from_secs(30);

impl EngineCommand {
    /// Says whether a text names an engine.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    /// The command, and the options after the last @, if that is what follows it: a command may
    /// have an @ too, as in `ssh me@there engine`.
    pub fn split(text: &str) -> (&str, Option<&str>) {
        let is_options = |tail: &str| {
            let name = tail.split('=').next().unwrap_or_default().trim();
            tail.contains('=')
                && !name.is_empty()
                && name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
        };
        match text.rsplit_once('@') {
            Some((command, options)) if is_options(options) => (command, Some(options)),
            _ => (text, None),
        }
    }

    /// Reads an engine and what is laid over its choice of moves.
    pub fn parse(text: &str) -> Result<(EngineCommand, Policy), EngineError> {
        let (command, options) = EngineCommand::split(text);
        let command = command.strip_prefix(PREFIX).unwrap_or(command).trim();
        let words = words(command)?;
        if words.first().is_none_or(String::is_empty) {
            return Err(EngineError::NoProgram);
        }
        let mut engine = EngineCommand { words, time: None, start: START };
        let (mut rest, mut start) = (Vec::new(), None);
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match name.trim() {
                "time" => seconds("time", value, &mut engine.time)?,
                "start" => seconds("start", value, &mut start)?,
                _ => rest.push(option),
            }
        }
        engine.start = start.unwrap_or(START);
        let policy = if rest.is_empty() {
            Policy::default()
        } else {
            Policy::parse(&rest.join(",")).map_err(wrong)?
        };
        let plain = Policy::default();
        for (name, is_set) in [
            ("noise", policy.noise > 0.0),
            ("ties", policy.ties != plain.ties),
            ("depth", policy.depth != plain.depth),
        ] {
            if is_set {
                return Err(EngineError::Useless(name));
            }
        }
        Ok((engine, policy))
    }
}

/// What an engine's name begins with.
const PREFIX: &str = "gtp:";

/// Splits a command as a shell would. Quotes around all of it are left out first, unless they hold
/// the name of a program with a blank in it.
fn words(command: &str) -> Result<Vec<String>, EngineError> {
    let split = |text: &str| shlex::split(text).ok_or_else(|| EngineError::Quote(text.to_owned()));
    let words = split(command)?;
    match &words[..] {
        [one] if one.contains(' ') && !Path::new(one).exists() => split(one),
        _ => Ok(words),
    }
}

fn wrong(problem: PolicyError) -> EngineError {
    match problem {
        PolicyError::Unknown { option, .. } => {
            let nearest = nearest(&option, ENGINE_OPTIONS.iter().copied());
            EngineError::Unknown { option, nearest }
        }
        other => EngineError::Policy(other),
    }
}

fn seconds(
    option: &'static str,
    value: &str,
    time: &mut Option<Duration>,
) -> Result<(), EngineError> {
    let seconds: Option<f64> = value.trim().parse().ok();
    let Some(seconds) = seconds.filter(|seconds| (0.01..=86_400.0).contains(seconds)) else {
        return Err(EngineError::Seconds { option, value: value.into() });
    };
    if time.replace(Duration::from_secs_f64(seconds)).is_some() {
        return Err(EngineError::Twice(option));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        EngineCommand::parse(text).unwrap().0.words
    }

    fn message(text: &str) -> String {
        EngineCommand::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_command_is_read_as_a_shell_would() {
        assert_eq!(words("gtp:gtp-rhino"), ["gtp-rhino"]);
        assert_eq!(words("gtp:edax -gtp -l 5"), ["edax", "-gtp", "-l", "5"]);
        // Quotes that a shell took away, or left.
        assert_eq!(words("gtp:\"edax -gtp\"@time=5"), ["edax", "-gtp"]);
        assert_eq!(words("gtp:'/my engine/x' -l"), ["/my engine/x", "-l"]);
        assert_eq!(words("gtp:ssh me@there engine"), ["ssh", "me@there", "engine"]);
        assert_eq!(words("gtp:ssh me@there x --level=3"), ["ssh", "me@there", "x", "--level=3"]);
        assert_eq!(words("gtp:ssh me@there x@time=1"), ["ssh", "me@there", "x"]);
    }

    #[test]
    fn options_are_times_and_layers_over_its_moves() {
        let (command, policy) =
            EngineCommand::parse("gtp:x@time=2.5,epsilon=0.1,start=3,solve=8").unwrap();
        assert_eq!(command.time, Some(Duration::from_millis(2500)));
        assert_eq!(command.start, Duration::from_secs(3));
        assert_eq!((policy.solve, policy.epsilon.probability() > 0.09), (8, true));
        assert_eq!(EngineCommand::parse("gtp:x").unwrap().0.start, START);
    }

    #[test]
    fn mistakes_are_named() {
        assert!(message("gtp:").starts_with("no program is named"));
        assert!(message("gtp:  @time=5").starts_with("no program is named"));
        assert!(message("gtp:''").starts_with("no program is named"));
        assert!(message("gtp:'edax -gtp").starts_with("a quote is not closed"));
        for bad in ["0", "-1", "x", "", "inf", "NaN", "1e9"] {
            assert!(message(&format!("gtp:x@time={bad}")).contains("is not a number of seconds"));
        }
        assert_eq!(message("gtp:x@time=1,time=2"), "time appears twice");
        assert!(message("gtp:x@depth=4").starts_with("depth is of no use to an engine"));
        assert!(message("gtp:x@ties=first").starts_with("ties is of no use"));
        assert!(message("gtp:x@tme=4").ends_with("(did you mean time?)"));
    }
}
