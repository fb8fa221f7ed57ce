//! A text that somebody pasted: games or positions in any format that is known.

use super::whole;
use outflank_game::othello::{Game, parse_obf, parse_text};

/// A longer text is not pasted by a person.
const MOST_TEXT: usize = 1 << 20;

/// What a text was taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pasted {
    /// Its games; a position is a game without moves.
    pub games: Vec<Game>,
    /// `game`, `GGF` or `position`.
    pub format: &'static str,
}

/// Reads a text; the error says what is wrong with what it looks most like.
pub(super) fn read(text: &str) -> Result<Pasted, String> {
    if text.len() > MOST_TEXT {
        return Err(format!("the text is longer than {} MiB", MOST_TEXT >> 20));
    }
    if text.trim().is_empty() {
        return Err("there is no text, expected a game such as f5d6c3, GGF, or a position".into());
    }
    let games = match parse_text(text) {
        Ok(records) => records.into_iter().map(|record| record.game).collect(),
        Err(problem) => vec![board_of_rows(text).ok_or(problem)?],
    };
    for game in &games {
        whole(game.start()).map_err(|error| error.to_string())?;
    }
    let format = match () {
        () if games.iter().all(|game| game.plies().is_empty()) => "position",
        () if text.contains("(;") => "GGF",
        () => "game",
    };
    Ok(Pasted { games, format })
}

/// The moves of a text up to the first that is not legal; none if not even one is. GGF says more
/// than moves, and is not searched for them.
pub(super) fn as_far(text: &str) -> Option<Game> {
    if text.len() > MOST_TEXT || text.contains("(;") {
        return None;
    }
    let letters: Vec<char> = text.chars().collect();
    let mut game = Game::default();
    let mut squares = letters
        .windows(2)
        .filter_map(|pair| String::from_iter(pair).parse::<outflank_game::othello::Square>().ok());
    while squares.next().is_some_and(|at| game.play(at).is_ok()) {}
    (!game.plies().is_empty()).then_some(game)
}

/// A board as it is drawn, a row in a line.
fn board_of_rows(text: &str) -> Option<Game> {
    let joined: String = text.split_whitespace().collect();
    Some(Game::from(parse_obf(&joined).ok()??.position))
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
            assert_eq!(one(junk), (game.clone(), "game"), "{junk}");
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
    fn moves_before_a_wrong_one_can_be_taken() {
        assert_eq!(as_far("f5d6f8c3"), Some(parse_game("f5d6").unwrap()));
        assert_eq!(as_far("1. f5 d6 2. c"), Some(parse_game("f5d6").unwrap()));
        for nothing in ["", "hello", "a1f5", "(;GM[Othello]B[f5]"] {
            assert_eq!(as_far(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_of_what_it_looks_like() {
        let problem = |text: &str| read(text).unwrap_err();
        assert!(problem("  ").starts_with("there is no text"));
        assert!(problem("f5d6f8").contains("move 3: Black cannot play f8"));
        assert!(problem("hello world").contains("no game"));
        assert!(problem("(;GM[Othello]B[f5]").contains("no ;)"));
        assert!(problem("XXOO X").contains("squares"));
        assert!(problem(&"x".repeat(MOST_TEXT + 1)).contains("longer than 1 MiB"));
    }
}
