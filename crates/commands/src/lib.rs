//! Every command of Outflank as a function: a request in, an answer out. Requests are read from
//! JSON and answers are written as JSON, so a command line, a server and a script in another
//! language call the same code. One [`Watch`] follows and stops long work.
//!
//! ```
//! use outflank_commands::{Command, MatchRequest};
//! use outflank_arena::Unwatched;
//!
//! let (a, b) = ("heuristic".into(), "random".into());
//! let request = MatchRequest { a, b, games: 200, ..MatchRequest::default() };
//! let answer = request.run(&Unwatched)?;
//! assert_eq!(answer.wins + answer.draws + answer.losses, 200);
//! # Ok::<(), outflank_commands::Error>(())
//! ```

mod analyse;
mod bench;
mod blocks;
mod board;
mod book;
mod book_build;
mod compare;
mod convert;
mod curves;
mod engines;
mod error;
mod form;
mod front;
mod games_file;
mod league;
mod learn;
mod lists;
mod match_;
mod measure;
mod opponents;
mod papers;
mod parts;
mod perft;
mod playing;
mod portrait;
mod profile;
mod profile_build;
mod report;
mod runs;
mod show;
mod solve;
mod study;
mod teams;
mod tournament;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use analyse::{AnalyseAnswer, AnalyseRequest, AnalysedGame, AnalysedMove, SideLosses};
pub use bench::{
    BenchAnswer, BenchLearningAnswer, BenchLearningRequest, BenchRequest, Pace, SignatureAnswer,
    SignatureRequest,
};
pub use board::{
    ChooseAnswer, ChooseRequest, ExplainAnswer, ExplainRequest, ExplainedNode, GameSoFar,
    JudgeAnswer, JudgeRequest, JudgedMove, PositionAnswer, PositionRequest, Step,
};
pub use book::{
    BookExportAnswer, BookExportMove, BookExportRequest, BookMoveAnswer, BookPly, BookPosition,
    BookShowAnswer, BookShowRequest, BookStatsAnswer, BookStatsRequest, BookSummary,
};
pub use book_build::{BookBuildAnswer, BookBuildRequest, BookMergeRequest};
pub use compare::{
    CompareAnswer, CompareRequest, Compared, PairRow, PublishedFigure, PublishedRow, StudyRow,
};
pub use convert::{ConvertAnswer, ConvertRequest};
pub use curves::{
    CurveFigureAnswer, CurveFigureRequest, CurvesAnswer, CurvesRequest, ProbeName, RunCurve,
    StudyCurves,
};
pub use error::Error;
pub use form::{Choice, Field, FormAnswer, FormProblem, FormRequest, Holds};
pub use front::{FrontAnswer, FrontMean, FrontPlayer, FrontRequest, RunRow, StudyFronts};
pub use games_file::{GamesFile, GamesWritten, LostPart};
pub use league::{LeagueAnswer, LeagueRequest, LeagueRound, LeagueRow, RoundAnswer};
pub use learn::{LearnAnswer, LearnRequest, Prepared, ProbeSummary, RunAnswer, RunState};
pub use lists::{
    Named, PlayersAnswer, PlayersRequest, PresetAnswer, PresetEntry, PresetRequest, PresetsAnswer,
    PresetsRequest,
};
pub use match_::{MatchAnswer, MatchRequest};
pub use measure::{Mean, MeasureAnswer, MeasureRequest, Measured, parse_probes};
pub use opponents::{OpponentsAnswer, OpponentsRequest, StudyPlayers};
pub use outflank_arena::Watch;
pub use papers::{PageEntry, PaperEntry, PapersAnswer, PapersRequest};
pub use parts::Parts;
pub use perft::{PerftAnswer, PerftRequest};
pub use playing::{Playing, all_cores, arena};
pub use portrait::{PastChampion, PortraitAnswer, PortraitLink, PortraitNode, PortraitRequest};
pub use profile::{BinAnswer, DatabaseAnswer, ProfileAnswer, ProfileRequest, ProfileRow};
pub use profile_build::{ProfileBuildAnswer, ProfileBuildRequest};
pub use report::{ReportAnswer, ReportRequest, Reported};
pub use runs::{
    RemoveAnswer, RemoveRequest, RemovedFolder, Removing, RunsAnswer, RunsRequest, StudyEntry,
};
pub use show::{ShowAnswer, ShowRequest};
pub use solve::{SolveAnswer, SolveRequest, SolveResult, SolveTotal};
pub use study::{
    Assumed, CasePlan, DonePiece, GatherRequest, LEAST_SCALE, OnAnswer, OnRequest, Phases, Piece,
    PieceAnswer, PieceRequest, PieceState, PieceTimes, PieceWhat, PiecesAnswer, PiecesRequest,
    PlanAnswer, ScaleAnswer, ScaleRequest, ScaleRow, Scheduler, StudyAnswer, StudyRequest,
    TableAnswer, sweep,
};
pub use teams::{
    Members, Unfinished, members, parse_studies, parse_teams, split_name, split_names, thousands,
};
pub use tournament::{Entrant, TournamentAnswer, TournamentRequest};

/// The version of the keys of the JSON objects.
pub const SCHEMA: u64 = 1;

/// A request to Outflank.
pub trait Command: Serialize + DeserializeOwned {
    /// The answer.
    type Answer: Serialize;

    /// The command's name, as on the command line.
    const NAME: &'static str;

    /// Runs the command.
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

/// Runs the command with this name on a JSON request; for servers and other languages.
pub fn answer(command: &str, request: Value, watch: &dyn Watch) -> Result<Value, Error> {
    fn of<C: Command>(request: Value, watch: &dyn Watch) -> Result<Value, Error> {
        let wrong = |error| Error::Usage(format!("{}: {error}", C::NAME));
        let request: C = serde_json::from_value(request).map_err(wrong)?;
        request.run(watch).map(|answer| to_json::<C>(&answer))
    }
    let commands: &[(&str, Answers)] = &[
        (LearnRequest::NAME, of::<LearnRequest>),
        (MeasureRequest::NAME, of::<MeasureRequest>),
        (CompareRequest::NAME, of::<CompareRequest>),
        (ProfileRequest::NAME, of::<ProfileRequest>),
        (ProfileBuildRequest::NAME, of::<ProfileBuildRequest>),
        (MatchRequest::NAME, of::<MatchRequest>),
        (TournamentRequest::NAME, of::<TournamentRequest>),
        (AnalyseRequest::NAME, of::<AnalyseRequest>),
        (ConvertRequest::NAME, of::<ConvertRequest>),
        (FrontRequest::NAME, of::<FrontRequest>),
        (LeagueRequest::NAME, of::<LeagueRequest>),
        (ReportRequest::NAME, of::<ReportRequest>),
        (RunsRequest::NAME, of::<RunsRequest>),
        (RemoveRequest::NAME, of::<RemoveRequest>),
        (PlayersRequest::NAME, of::<PlayersRequest>),
        (PresetsRequest::NAME, of::<PresetsRequest>),
        (PresetRequest::NAME, of::<PresetRequest>),
        (ShowRequest::NAME, of::<ShowRequest>),
        (StudyRequest::NAME, of::<StudyRequest>),
        (PiecesRequest::NAME, of::<PiecesRequest>),
        (PieceRequest::NAME, of::<PieceRequest>),
        (GatherRequest::NAME, of::<GatherRequest>),
        (OnRequest::NAME, of::<OnRequest>),
        (ScaleRequest::NAME, of::<ScaleRequest>),
        (PerftRequest::NAME, of::<PerftRequest>),
        (SolveRequest::NAME, of::<SolveRequest>),
        (BenchRequest::NAME, of::<BenchRequest>),
        (BookBuildRequest::NAME, of::<BookBuildRequest>),
        (BookShowRequest::NAME, of::<BookShowRequest>),
        (BookStatsRequest::NAME, of::<BookStatsRequest>),
        (BookMergeRequest::NAME, of::<BookMergeRequest>),
        (BookExportRequest::NAME, of::<BookExportRequest>),
        (PapersRequest::NAME, of::<PapersRequest>),
        (FormRequest::NAME, of::<FormRequest>),
        (CurvesRequest::NAME, of::<CurvesRequest>),
        (CurveFigureRequest::NAME, of::<CurveFigureRequest>),
        (PositionRequest::NAME, of::<PositionRequest>),
        (JudgeRequest::NAME, of::<JudgeRequest>),
        (ExplainRequest::NAME, of::<ExplainRequest>),
        (ChooseRequest::NAME, of::<ChooseRequest>),
        (PortraitRequest::NAME, of::<PortraitRequest>),
        (OpponentsRequest::NAME, of::<OpponentsRequest>),
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
