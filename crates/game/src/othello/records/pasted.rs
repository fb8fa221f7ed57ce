//! Moves as people paste them: with move numbers, bullets, words around them, a result at the end.
//!
//! What looks like a move and is none (`x9`, `f5d`) is an error, so that no move is lost; all other
//! words are left out.

use crate::othello::{Game, IllegalMove, Ply, Square, Why};

/// The words of a line that matter.
#[derive(Debug, Default)]
pub(super) struct Pasted {
    pub steps: Vec<Step>,
    /// The number before the first move, if there is one.
    pub number: Option<u32>,
    /// The result in discs for Black.
    pub margin: Option<i32>,
    /// Words that were left out.
    pub others: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Place(Square),
    Pass,
}

/// Finds the moves of a line.
pub(super) fn parse(line: &str) -> Result<Pasted, String> {
    let mut found = Pasted::default();
    let mut is_first = true;
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '-';
    for word in line.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()) {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            if is_first {
                found.number = word.parse().ok();
            }
        } else if matches!(word.to_ascii_lowercase().as_str(), "--" | "ps" | "pa" | "pass") {
            found.steps.push(Step::Pass);
        } else if let Some(margin) = result(word) {
            found.margin = Some(margin);
        } else if word.contains(|letter| letter != '-') {
            // Two dashes are a pass, one stands between moves; more alone are a line.
            for (index, part) in word.split("--").enumerate() {
                if index > 0 {
                    found.steps.push(Step::Pass);
                }
                for part in part.split('-').filter(|part| !part.is_empty()) {
                    if !squares(part, &mut found.steps)? {
                        found.others += 1;
                    }
                }
            }
        }
        is_first = false;
    }
    Ok(found)
}

/// Adds the squares of a word; returns false if it is another word.
fn squares(word: &str, steps: &mut Vec<Step>) -> Result<bool, String> {
    let wrong = |number: usize, what: &str| {
        Err(format!("move {number}: {what:?} is not a square a1 to h8"))
    };
    // A number may stand close to its move: 12f5.
    let bare = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let letters: Vec<char> = bare.chars().collect();
    let square = |pair: &[char]| pair.iter().collect::<String>().parse::<Square>().ok();
    if letters.len() < 2 || square(&letters[..2]).is_none() {
        let like_a_move = letters.len() == 2
            && letters[0].is_ascii_alphabetic()
            && letters[1].is_ascii_digit()
            && bare.len() == word.len();
        return if like_a_move { wrong(steps.len() + 1, bare) } else { Ok(false) };
    }
    for pair in letters.chunks(2) {
        match square(pair) {
            Some(at) => steps.push(Step::Place(at)),
            None => return wrong(steps.len() + 1, &pair.iter().collect::<String>()),
        }
    }
    Ok(true)
}

/// `51-13`: discs of Black and White. If a game stops early, empty squares count for the winner.
pub(super) fn result(word: &str) -> Option<i32> {
    let (black, white) = word.split_once('-')?;
    let discs = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<i32>().ok()).flatten().filter(|discs| *discs <= 64)
    };
    let (black, white) = (discs(black)?, discs(white)?);
    match black.cmp(&white) {
        _ if black + white > 64 => None,
        std::cmp::Ordering::Equal => Some(0),
        std::cmp::Ordering::Greater => Some(64 - 2 * white),
        std::cmp::Ordering::Less => Some(2 * black - 64),
    }
}

/// Plays moves on; passes need not be written, but a written one must be one.
pub(super) fn play_on(game: &mut Game, steps: &[Step]) -> Result<(), String> {
    let mut plies_at_written_pass = 0;
    for (index, step) in steps.iter().enumerate() {
        let place = |illegal: IllegalMove| format!("move {}: {illegal}", index + 1);
        match step {
            Step::Place(at) => game.play(*at).map_err(place)?,
            Step::Pass => {
                let fresh = game.plies().len() > plies_at_written_pass;
                plies_at_written_pass = game.plies().len();
                if !(fresh && game.plies().last() == Some(&Ply::Pass)) {
                    let why = if game.is_over() { Why::GameOver } else { Why::MustMove };
                    let side = game.position().side;
                    return Err(place(IllegalMove { side, ply: Ply::Pass, why }));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(line: &str) -> String {
        let name = |step: &Step| match step {
            Step::Place(at) => at.to_string(),
            Step::Pass => "--".into(),
        };
        parse(line).unwrap().steps.iter().map(name).collect()
    }

    #[test]
    fn moves_are_found_among_other_words() {
        for line in [
            "1. f5 d6 2. C3 d3",
            "1.f5 2.d6 3.c3 4.d3",
            "• f5 • d6 → c3, (d3)",
            "Game 7: f5d6 c3D3 (Black to move)",
            "f5-d6-c3-d3 12-8",
            "1f5 2d6 3c3 4d3",
            "“F5”; d6; c3; d3.",
        ] {
            assert_eq!(moves(line), "f5d6c3d3", "{line}");
        }
        assert_eq!(moves("29. b1 -- 30. g1 h1"), "b1--g1h1");
        assert_eq!(moves("b1--g1-h1 -----"), "b1--g1h1");
        let found = parse("31. f2 51-13").unwrap();
        assert_eq!((found.number, found.margin, found.others), (Some(31), Some(38), 0));
        assert_eq!(parse("nothing to see").unwrap().others, 3);
    }

    #[test]
    fn what_looks_like_a_move_and_is_none_is_an_error() {
        for (line, what) in [("f5 x9", "x9"), ("f5 d9", "d9"), ("f5d", "d"), ("f5d66", "6")] {
            let message = parse(line).unwrap_err();
            assert!(message.contains(&format!("{what:?} is not a square")), "{line}: {message}");
        }
    }

    #[test]
    fn results_give_empty_squares_to_the_winner() {
        let results = ["51-13", "13-51", "32-32", "20-20", "40-10", "0-64", "64-64", "a-b", "5-"];
        let expected =
            [Some(38), Some(-38), Some(0), Some(0), Some(44), Some(-64), None, None, None];
        assert_eq!(results.map(result), expected);
    }
}
