//! Games to learn from that are not played in the run: from files, or between given players.

use std::io::Read;
use std::path::Path;

use super::GamesSpec;
use crate::LearnError;
use outflank_arena::{self as arena, play_game};
use outflank_game::othello::{Game, Ply, Position, WthorError, parse_game, read_wthor};
use outflank_game::player::{Player, parse_player};
use outflank_kernel::rng::{Seed, Stream};
use outflank_kernel::{Kernel, NO_MOVE};

/// Larger files are refused.
const MAX_BYTES: u64 = 256 << 20;

/// The games of a spec, as lists of moves from the initial position.
pub fn read_or_play(spec: &GamesSpec) -> Result<Vec<Vec<u8>>, LearnError> {
    let mut games = Vec::new();
    for file in &spec.files {
        let path = Path::new(&**file);
        let is_wthor = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wtb"));
        games.extend(if is_wthor { read_database(path)? } else { read_transcripts(path)? });
    }
    if spec.files.is_empty() {
        let players = spec.players.iter().map(|name| parse_player(name));
        let players = players.collect::<Result<Vec<Player>, _>>()?;
        // The same games in every run and on every CPU.
        let (kernel, seed) = (Kernel::available()[0], Seed(0).child(Stream::Pairing, 0));
        games = tournament(&players, spec.meetings, kernel, seed);
    }
    Ok(games)
}

/// Games in which all players meet each other.
pub fn tournament(players: &[Player], meetings: usize, kernel: Kernel, seed: Seed) -> Vec<Vec<u8>> {
    let (mut games, mut table) = (Vec::new(), arena::GameScratch::default());
    for (i, a) in players.iter().enumerate() {
        for b in &players[..i] {
            for game in 0..meetings {
                let key = seed.at(Stream::Game, games.len() as u64);
                let pair = if game % 2 == 0 { [a, b] } else { [b, a] };
                let [first, second] = pair.map(|player| player.settled(key));
                play_game(kernel, [&first, &second], Position::START, key, &mut table);
                games.push(table.moves.clone());
            }
        }
    }
    games
}

/// The moves of a game.
fn squares(game: &Game) -> Vec<u8> {
    let square = |ply: &Ply| match ply {
        Ply::Place(at) => at.index() as u8,
        Ply::Pass => NO_MOVE,
    };
    game.plies().iter().map(square).collect()
}

/// The finished games of a WTHOR database. Unfinished games have no result to learn from.
fn read_database(path: &Path) -> Result<Vec<Vec<u8>>, LearnError> {
    let wrong = |problem: String| LearnError::Games { path: path.into(), problem };
    let database = read_wthor(path).map_err(|error| match error {
        WthorError::Content { fault, .. } => wrong(fault.to_string()),
        WthorError::Read { source, .. } => wrong(source.to_string()),
        WthorError::TooLarge { .. } => wrong("too large for a WTHOR database".into()),
    })?;
    let finished = database.games.iter().filter(|game| game.game.is_over());
    let games: Vec<Vec<u8>> = finished.map(|game| squares(&game.game)).collect();
    if games.is_empty() {
        Err(wrong("there are no finished games in it".into()))
    } else {
        Ok(games)
    }
}

/// Transcripts, one per line.
fn read_transcripts(path: &Path) -> Result<Vec<Vec<u8>>, LearnError> {
    let wrong = |problem: String| LearnError::Games { path: path.into(), problem };
    let mut text = String::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(MAX_BYTES + 1).read_to_string(&mut text));
    let read = read.map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => {
            wrong("not text; expected transcripts, or a WTHOR database with the ending .wtb".into())
        }
        _ => wrong(error.to_string()),
    })?;
    if read as u64 > MAX_BYTES {
        return Err(wrong(format!("larger than {} MiB", MAX_BYTES >> 20)));
    }
    let mut games = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split(['%', '#']).next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let game = parse_game(line).map_err(|error| wrong(format!("line {number}: {error}")))?;
        if !game.is_over() {
            return Err(wrong(format!("line {number}: the game is not over")));
        }
        games.push(squares(&game));
    }
    if games.is_empty() { Err(wrong("there are no games in it".into())) } else { Ok(games) }
}
