//! Every command of Outflank as a function: a request in, an answer out. Requests are read from JSON and answers
//! written to it, so a command line, a server and a script in another language call the same code; long work is
//! followed and stopped through one [`Watch`].
//!
//! ```
//! use outflank_commands::{Command, Match};
//! use outflank_arena::Unwatched;
//!
//! let request = Match { a: "heuristic".into(), b: "random".into(), games: 200, ..Match::default() };
//! let answer = request.run(&Unwatched)?;
//! assert_eq!(answer.wins + answer.draws + answer.losses, 200);
//! # Ok::<(), outflank_commands::Error>(())
//! ```

mod bench;
mod compare;
mod error;
mod learn;
mod lists;
mod match_;
mod measure;
mod perft;
mod playing;
mod profile;
mod profile_build;
mod report;
mod show;
mod teams;
mod tournament;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use bench::{
    Bench, BenchAnswer, BenchLearning, BenchLearningAnswer, Pace, Signature, SignatureAnswer,
};
pub use compare::{
    Compare, CompareAnswer, Compared, PairRow, PublishedFigure, PublishedRow, StudyRow,
};
pub use error::Error;
pub use learn::{Learn, LearnAnswer, Prepared, ProbeSummary, RunAnswer, RunState};
pub use lists::{
    Named, Players, PlayersAnswer, Preset, PresetAnswer, PresetEntry, Presets, PresetsAnswer,
};
pub use match_::{Match, MatchAnswer};
pub use measure::{Mean, Measure, MeasureAnswer, Measured, parse_probes};
pub use outflank_arena::Watch;
pub use perft::{Perft, PerftAnswer};
pub use playing::{Playing, all_cores, arena};
pub use profile::{BinAnswer, DatabaseAnswer, Profile, ProfileAnswer, ProfileRow};
pub use profile_build::{ProfileBuild, ProfileBuildAnswer};
pub use report::{Report, ReportAnswer, Reported};
pub use show::{Show, ShowAnswer};
pub use teams::{members, parse_studies, parse_teams, split_name};
pub use tournament::{Entrant, Tournament, TournamentAnswer};

/// The version of the JSON objects' keys.
pub const SCHEMA: u64 = 1;

/// Something that can be asked of Outflank.
pub trait Command: Serialize + DeserializeOwned {
    /// What is answered.
    type Answer: Serialize;

    /// The command's name, as on the command line.
    const NAME: &'static str;

    /// Does it.
    fn run(&self, watch: &dyn Watch) -> Result<Self::Answer, Error>;
}

/// An answer as the JSON object that `--json` prints.
pub fn to_json<C: Command>(answer: &C::Answer) -> Value {
    let mut object =
        Map::from_iter([("schema".into(), SCHEMA.into()), ("command".into(), C::NAME.into())]);
    if let Ok(Value::Object(body)) = serde_json::to_value(answer) {
        object.extend(body);
    }
    Value::Object(object)
}

/// A command that takes and gives JSON.
type Answers = fn(Value, &dyn Watch) -> Result<Value, Error>;

/// Does what a JSON object asks of the command with this name; for servers and other languages.
pub fn answer(command: &str, request: Value, watch: &dyn Watch) -> Result<Value, Error> {
    fn of<C: Command>(request: Value, watch: &dyn Watch) -> Result<Value, Error> {
        let wrong = |error| Error::Usage(format!("{}: {error}", C::NAME));
        let request: C = serde_json::from_value(request).map_err(wrong)?;
        request.run(watch).map(|answer| to_json::<C>(&answer))
    }
    let commands: [(&str, Answers); 13] = [
        (Learn::NAME, of::<Learn>),
        (Measure::NAME, of::<Measure>),
        (Compare::NAME, of::<Compare>),
        (Profile::NAME, of::<Profile>),
        (ProfileBuild::NAME, of::<ProfileBuild>),
        (Match::NAME, of::<Match>),
        (Tournament::NAME, of::<Tournament>),
        (Report::NAME, of::<Report>),
        (Players::NAME, of::<Players>),
        (Presets::NAME, of::<Presets>),
        (Preset::NAME, of::<Preset>),
        (Show::NAME, of::<Show>),
        (Perft::NAME, of::<Perft>),
    ];
    match commands.iter().find(|(name, _)| *name == command) {
        Some((_, run)) => run(request, watch),
        None => {
            let names: Vec<&str> = commands.iter().map(|(name, _)| *name).collect();
            Err(Error::Usage(format!(
                "unknown command {command:?}, expected one of {}",
                names.join(", ")
            )))
        }
    }
}

#[cfg(test)]
mod tests;
