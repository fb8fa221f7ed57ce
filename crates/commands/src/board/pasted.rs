//! A text that somebody pasted: games or positions in any format that is known, or moves with
//! something else between them.

use std::ops::ControlFlow;
use std::path::Path;

use super::whole;
use outflank_game::othello::{Game, NotationError, Ply, Square, parse_obf, parse_records};

/// A longer text is not pasted by a person.
const MOST_TEXT: usize = 1 << 20;
/// More games than a page can list.
const MOST_GAMES: usize = 10_000;

/// What a text was taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pasted {
    /// Its games; a position is a game without moves.
    pub games: Vec<Game>,
    /// `game`, `GGF`, `position`, or `moves in a text`.
    pub format: &'static str,
}

/// Reads a text; the error says what is wrong with what it looks most like.
pub(super) fn read(text: &str) -> Result<Pasted, String> {
    let pasted = recognise(text)?;
    for game in &pasted.games {
        whole(game.start()).map_err(|error| error.to_string())?;
    }
    Ok(pasted)
}

fn recognise(text: &str) -> Result<Pasted, String> {
    if text.len() > MOST_TEXT {
        return Err(format!("the text is longer than {} MiB", MOST_TEXT >> 20));
    }
    let text = text.trim().trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err("there is no text, expected a game such as f5d6c3, GGF, or a position".into());
    }
    if looks_like_positions(text) {
        return positions(text);
    }
    let format = if text.contains("(;") { "GGF" } else { "game" };
    let problem = match records(text) {
        Ok(games) if !games.is_empty() => return Ok(Pasted { games, format }),
        Ok(_) => "there is no game in it".into(),
        Err(problem) => problem,
    };
    match scattered(text) {
        Some(game) if format == "game" => {
            Ok(Pasted { games: vec![game], format: "moves in a text" })
        }
        _ => Err(problem),
    }
}

/// Says whether a text is made of 64 squares: no move begins with any of their letters but b.
fn looks_like_positions(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('%'));
    let is_square = |letter: char| "XxOoBbWw*-.".contains(letter);
    first.is_some_and(|line| line.chars().count() > 2 && line.chars().take(3).all(is_square))
}

/// Lines of an Othello Board File, or one position whose rows may stand apart.
fn positions(text: &str) -> Result<Pasted, String> {
    let lines = || text.lines().map(parse_obf);
    let games: Result<Vec<Game>, NotationError> =
        lines().filter_map(Result::transpose).map(|line| Ok(Game::from(line?.position))).collect();
    let games = match games {
        Ok(games) => games,
        Err(error) => {
            // A board of eight lines.
            let joined: String = text.split_whitespace().collect();
            match parse_obf(&joined) {
                Ok(Some(line)) => vec![Game::from(line.position)],
                _ => return Err(error.to_string()),
            }
        }
    };
    Ok(Pasted { games, format: "position" })
}

/// The games of a file in any format.
fn records(text: &str) -> Result<Vec<Game>, String> {
    let (mut games, mut problem) = (Vec::new(), None);
    parse_records(text.as_bytes(), Path::new("text"), &mut |record| {
        match record {
            Ok(record) => games.push(record.game),
            Err(error) => problem = Some(error.to_string()),
        }
        match problem.is_some() || games.len() >= MOST_GAMES {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })
    .map_err(|error| error.to_string())?;
    // One line wrong of many: the game may stand on several lines, with numbers.
    match problem {
        Some(problem) => Err(problem),
        None => Ok(games),
    }
}

/// A game from all words of a text that are squares: `1. f5 d6 2. c3 ...`. Moves that close up are
/// one word of several squares. None if they are no game.
fn scattered(text: &str) -> Option<Game> {
    let mut game = Game::default();
    for word in text.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        let bytes = word.as_bytes();
        // A number of a move may stand close to it: 1f5.
        let word = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let is_moves = !word.is_empty() && word.len() % 2 == 0 && bytes.len() <= 130;
        let squares: Option<Vec<Square>> = is_moves
            .then(|| {
                word.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok()?.parse().ok())
            })
            .and_then(Iterator::collect);
        for at in squares.into_iter().flatten() {
            game.play(at).ok()?;
        }
    }
    game.plies().iter().any(|ply| matches!(ply, Ply::Place(_))).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::othello::{GgfGame, Position, parse_game, write_ggf, write_position};

    fn one(text: &str) -> (Game, &'static str) {
        let Pasted { mut games, format } = read(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(games.len(), 1, "{text}");
        (games.remove(0), format)
    }

    #[test]
    fn a_game_reads_alike_in_every_format() {
        let game = parse_game("f5d6c3d3c4f4f6").unwrap();
        let ggf = write_ggf(&GgfGame { game: game.clone(), result: None, properties: vec![] });
        assert_eq!(one(&ggf), (game.clone(), "GGF"));
        assert_eq!(one("F5D6C3D3C4F4F6"), (game.clone(), "game"));
        assert_eq!(one("  f5 d6 c3 d3\u{20}c4 f4 f6\n"), (game.clone(), "game"));
        for junk in [
            "1. f5 d6 2. c3 d3 3. c4 f4 4. f6",
            "1f5 2d6 3c3 4d3 5c4 6f4 7f6",
            "Black: Anna\nWhite: Bob\n1: f5, d6\n2: c3, d3\n3: c4, f4\n4: f6",
            "game over at move 7! (f5d6c3d3 c4f4f6)",
        ] {
            assert_eq!(one(junk), (game.clone(), "moves in a text"), "{junk}");
        }
    }

    #[test]
    fn positions_read_as_one_line_or_as_a_board() {
        let position = parse_game("f5d6").unwrap().position();
        let text = write_position(position);
        assert_eq!(one(&text), (Game::from(position), "position"));
        assert_eq!(one(&format!("{text}; c3:+2; c4:-4;")).0, Game::from(position));
        let rows: Vec<&str> = (0..8).map(|row| &text[8 * row..8 * row + 8]).collect();
        assert_eq!(one(&format!("{}\nX", rows.join("\n"))).0, Game::from(position));
        let two = format!("{text}\n% a comment\n{}", write_position(Position::START));
        assert_eq!(read(&two).unwrap().games.len(), 2);
        assert_eq!(read("f5d6\nf5f6\n").unwrap().games.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_said_of_what_it_looks_like() {
        let problem = |text: &str| read(text).unwrap_err();
        assert!(problem("  ").starts_with("there is no text"));
        assert!(problem("f5d6f8").contains("move 3: Black cannot play f8"));
        assert!(problem("hello world").contains("not a square"));
        assert!(problem("(;GM[Othello]B[f5]").contains("no ;)"));
        assert!(problem("-----").contains("squares"));
        assert!(problem(&"x".repeat(MOST_TEXT + 1)).contains("longer than 1 MiB"));
    }
}
