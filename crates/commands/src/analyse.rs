//! Games and positions, judged move by move.

use std::ops::ControlFlow;
use std::path::Path;

use outflank_arena::{News, Watch};
use outflank_game::othello::{
    Game, GameRecord, MoveNote, Ply, Side, Square, check_playable, parse_text, read_records,
    write_game, write_position,
};
use outflank_game::player::{MOST_DEPTH, MoveValue, Player, parse_player};
use outflank_kernel::Kernel;
use outflank_lab::{AnalyseError, Analyst, Judged, Loss, Losses, Phase, losses};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{Command, Error};

/// Judges every move of games, or the moves of positions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnalyseRequest {
    /// Transcripts (`f5d6c3`), positions (64 squares and the side to move), or files of games.
    pub games: Vec<String>,
    /// Who judges.
    pub player: String,
    /// How many moves it looks ahead; its own depth, or 4, if there is none.
    pub depth: Option<u32>,
    /// With this many empty squares or fewer, moves are solved; 12 if there is none.
    pub solve: Option<u32>,
    /// The most games of all; 100 if there is none.
    pub most: Option<usize>,
}

/// All games, judged.
#[derive(Clone, Debug, Serialize)]
pub struct AnalyseAnswer {
    /// Who judged.
    pub player: String,
    /// How many moves it looked ahead.
    pub depth: u32,
    /// From how many empty squares on moves were solved.
    pub solve: u32,
    /// A game each.
    pub results: Vec<AnalysedGame>,
    /// What each side lost in each part of all games.
    pub losses: Vec<SideLosses>,
    /// The games as they were judged.
    #[serde(skip)]
    pub judged: Vec<Vec<Judged>>,
    /// The games, with the values of their moves, to be written to a file.
    #[serde(skip)]
    pub records: Vec<GameRecord>,
}

/// A game, judged.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedGame {
    /// Where it came from: the argument, or a file and the number of the game in it.
    pub name: String,
    /// Where it started.
    pub start: String,
    /// Its moves.
    pub game: String,
    /// Black's result in discs, if it is over.
    pub margin: Option<i32>,
    /// Every position.
    pub positions: Vec<AnalysedMove>,
}

/// A position of a game. Values are for the side to move; `discs` if the end of the game is known,
/// else `value`.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysedMove {
    /// The number of the move, from 1.
    pub number: u32,
    /// `black` or `white`.
    pub side: &'static str,
    /// Empty squares.
    pub empties: u32,
    /// The move that was made.
    pub played: Option<String>,
    /// Whether moves were judged exactly.
    pub exact: bool,
    /// All best moves.
    pub best: Vec<String>,
    /// What they are worth.
    pub worth: Value,
    /// What the move that was made lost.
    pub loss: Option<Value>,
    /// What every move is worth.
    pub moves: Map<String, Value>,
}

/// What one side lost in one part of games.
#[derive(Clone, Debug, Serialize)]
pub struct SideLosses {
    /// `black` or `white`.
    pub side: &'static str,
    /// The part.
    pub phase: &'static str,
    /// Moves judged by evaluation.
    pub moves: u64,
    /// What they lost on average.
    pub mean_loss: Option<f64>,
    /// Moves judged exactly.
    pub exact_moves: u64,
    /// What they lost on average, in discs.
    pub mean_discs: Option<f64>,
    /// Moves that were, or missed, a certain end of the game that the others were not.
    pub decided: u64,
}

/// With more empty squares, solving every move of a game would take days.
const MOST_SOLVE: u32 = 24;
const DEPTH: u32 = 4;
const SOLVE: u32 = 12;
const GAMES: usize = 100;

impl Command for AnalyseRequest {
    type Answer = AnalyseAnswer;
    const NAME: &'static str = "analyse";

    fn run(&self, watch: &dyn Watch) -> Result<AnalyseAnswer, Error> {
        let player = parse_player(&self.player)?;
        let depth = self.depth.unwrap_or(match player.policy.depth {
            0 => DEPTH,
            depth => depth,
        });
        self.check(&player, depth)?;
        let solve = self.solve.unwrap_or(SOLVE);
        let games = self.read()?;
        let (kernel, positions) = (Kernel::detect()?, games.iter().map(|(_, of)| moves(&of.game)));
        watch.tell(News::Begins { unit: "positions", total: positions.sum() });
        let analyst = Analyst { kernel, player: &player, depth, solve };
        let (mut judged, mut done) = (Vec::new(), 0);
        for (_, GameRecord { game, .. }) in &games {
            let mut next = || {
                done += 1;
                watch.tell(News::Done(done));
            };
            judged.push(analyst.judge(game, watch, &mut next).map_err(|error| match error {
                AnalyseError::Stopped(stopped) => Error::from(stopped),
                AnalyseError::Memory(problem) => Error::Failed(problem),
            })?);
        }
        let results = games
            .iter()
            .zip(&judged)
            .map(|((name, record), judged)| AnalysedGame::of(name, &record.game, judged))
            .collect();
        let losses = [Side::Black, Side::White].into_iter().flat_map(|side| {
            let all = &judged;
            Phase::ALL.into_iter().map(move |phase| {
                SideLosses::of(side, phase, losses(all.iter().flatten(), side, phase))
            })
        });
        let losses = losses.collect();
        let records = noted(games, &judged);
        Ok(AnalyseAnswer { player: player.name, depth, solve, results, losses, judged, records })
    }
}

/// Positions of a game that are judged.
fn moves(game: &Game) -> u64 {
    let placed = game.plies().iter().filter(|ply| matches!(ply, Ply::Place(_))).count();
    placed as u64 + u64::from(!game.is_over())
}

impl AnalyseRequest {
    fn check(&self, player: &Player, depth: u32) -> Result<(), Error> {
        if self.games.is_empty() {
            return Err(Error::Usage(
                "no game, expected a transcript, a position or a file".into(),
            ));
        }
        if player.varies() {
            let name = &player.name;
            return Err(Error::Usage(format!(
                "player {name:?} draws its moves and cannot judge any, expected e.g. lr2006"
            )));
        }
        if !(1..=MOST_DEPTH).contains(&depth) {
            return Err(Error::Usage(format!("depth = {depth}, expected 1 to {MOST_DEPTH}")));
        }
        if let Some(solve) = self.solve.filter(|solve| *solve > MOST_SOLVE) {
            return Err(Error::Usage(format!(
                "solve = {solve}, expected 0 to {MOST_SOLVE}: every move of a position is solved, \
                 and each empty square more takes about three times as long"
            )));
        }
        match self.most {
            Some(0) => Err(Error::Usage("most = 0, expected at least one game".into())),
            _ => Ok(()),
        }
    }

    /// All games, with their names.
    fn read(&self) -> Result<Vec<(String, GameRecord)>, Error> {
        let (mut games, most) = (Vec::new(), self.most.unwrap_or(GAMES));
        for text in &self.games {
            let path = Path::new(text);
            if path.exists() {
                read_file(path, most, &mut games)?;
            } else {
                games.extend(read_text(text)?);
            }
            games.truncate(most);
        }
        match games.iter().all(|(_, record)| moves(&record.game) == 0) {
            true => Err(Error::Usage("there is no move to judge: the game is over".into())),
            false => Ok(games),
        }
    }
}

fn read_file(path: &Path, most: usize, games: &mut Vec<(String, GameRecord)>) -> Result<(), Error> {
    let (mut problem, mut number) = (None, 0);
    read_records(path, &mut |_, record| {
        number += 1;
        match record {
            Ok(record) => games.push((format!("{} game {number}", path.display()), record)),
            Err(error) => problem = Some(error),
        }
        match problem.is_some() || games.len() >= most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })
    .map_err(|error| Error::Failed(error.to_string()))?;
    match problem {
        Some(problem) => Err(Error::Failed(format!("games file {}, {problem}", path.display()))),
        None if number == 0 => {
            Err(Error::Failed(format!("games file {} has no games", path.display())))
        }
        None => Ok(()),
    }
}

/// Games or positions as they were typed or pasted.
fn read_text(text: &str) -> Result<Vec<(String, GameRecord)>, Error> {
    let games = parse_text(text).map_err(|error| {
        Error::Usage(format!("{text:?} is not a game: {error} (and there is no file of this name)"))
    })?;
    for record in games.iter().filter(|record| record.moves() == 0) {
        check_playable(record.game.start()).map_err(|error| Error::Usage(error.to_string()))?;
    }
    let is_one = games.len() == 1;
    let name = |index: usize| match is_one {
        true => text.trim().to_owned(),
        false => format!("game {}", index + 1),
    };
    Ok(games.into_iter().enumerate().map(|(index, record)| (name(index), record)).collect())
}

/// The games with what their moves are worth beside them, as files of games can hold it: for the
/// side that moved, in discs if the end of the game is known, else in the player's own units.
fn noted(games: Vec<(String, GameRecord)>, judged: &[Vec<Judged>]) -> Vec<GameRecord> {
    let value = |judged: &Judged| match judged.played.and_then(|at| judged.value(at)) {
        Some(MoveValue::Value(value)) => format!("{value:+.3}"),
        Some(MoveValue::Margin(discs)) => format!("{discs:+}"),
        None => String::new(),
    };
    let of = |(mut record, judged): (GameRecord, &Vec<Judged>)| {
        record.about.notes.resize(record.moves(), MoveNote::default());
        for (note, judged) in record.about.notes.iter_mut().zip(judged) {
            note.value = value(judged);
        }
        record
    };
    games.into_iter().map(|(_, record)| record).zip(judged).map(of).collect()
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

impl AnalysedGame {
    fn of(name: &str, game: &Game, judged: &[Judged]) -> AnalysedGame {
        AnalysedGame {
            name: name.into(),
            start: write_position(game.start()),
            game: write_game(game.plies()),
            margin: game.is_over().then(|| game.margin(Side::Black)),
            positions: judged.iter().map(AnalysedMove::of).collect(),
        }
    }
}

impl AnalysedMove {
    fn of(judged: &Judged) -> AnalysedMove {
        let worth = |value: MoveValue| match value {
            MoveValue::Value(value) => json!({ "value": value }),
            MoveValue::Margin(discs) => json!({ "discs": discs }),
        };
        let name = |at: &Square| at.to_string();
        AnalysedMove {
            number: judged.number,
            side: side(judged.position.side),
            empties: judged.position.board.empty().len(),
            played: judged.played.as_ref().map(name),
            exact: judged.is_exact,
            best: judged.best().iter().map(name).collect(),
            worth: worth(judged.best_value()),
            loss: judged.loss().map(|loss| match loss {
                Loss::Value(value) => json!({ "value": value }),
                Loss::Discs(discs) => json!({ "discs": discs }),
                Loss::Decided => json!("decided"),
            }),
            moves: judged.moves.iter().map(|(at, value)| (name(at), worth(*value))).collect(),
        }
    }
}

impl SideLosses {
    fn of(of: Side, phase: Phase, losses: Losses) -> SideLosses {
        SideLosses {
            side: side(of),
            phase: phase.name(),
            moves: losses.moves,
            mean_loss: losses.mean,
            exact_moves: losses.exact_moves,
            mean_discs: losses.mean_discs,
            decided: losses.decided,
        }
    }
}
