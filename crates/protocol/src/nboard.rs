//! NBoard's protocol: the interface sends games and asks for moves and hints; nothing is answered
//! to lines that are not understood.

use std::time::Instant;

use outflank_game::othello::{Ply, Square, parse_ggf};

use crate::table::number;
use crate::{Answer, Hint, LONGEST_LINE, Speaks, Table};

/// A player that speaks NBoard's protocol.
#[derive(Debug)]
pub struct Nboard {
    table: Table,
    /// The depth that `set depth` cannot exceed.
    deepest: u32,
}

/// Interfaces ask for depths at which programs with other means of search are quick. A player
/// without a depth of its own looks no further ahead than this.
const DEEPEST: u32 = 8;

impl Speaks for Nboard {
    fn answer(&mut self, line: &str) -> Answer {
        if line.len() > LONGEST_LINE {
            return noted("a line is too long");
        }
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" => Answer::default(),
            "nboard" => said(self.name()),
            "set" => self.set(rest),
            "move" => self.play(rest),
            "hint" => self.hint(rest),
            "go" => self.go(),
            "ping" => said(format!("pong {}\n", clean(rest))),
            "analyze" | "analyse" => self.analyse(),
            "learn" => said("learned\n".into()),
            "quit" => Answer { quits: true, ..Answer::default() },
            other => noted(&format!("{:?} is not understood", clean(other))),
        }
    }
}

impl Nboard {
    /// An engine at a new game.
    pub fn new(table: Table) -> Nboard {
        let deepest = match table.player().policy.depth {
            0 | 1 => DEEPEST,
            own => own,
        };
        Nboard { table, deepest }
    }

    fn name(&self) -> String {
        format!("set myname {}\n", clean(self.table.name()))
    }

    fn set(&mut self, rest: &str) -> Answer {
        let (what, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match what {
            "depth" => match value.trim().parse::<u32>() {
                Ok(depth) => {
                    self.table.set_depth(depth.clamp(1, self.deepest));
                    let depth = self.table.depth();
                    said(format!("{}status depth {depth}\n", self.name()))
                }
                Err(_) => status("set depth: expected a number of moves"),
            },
            "game" => match parse_ggf(value) {
                Ok(ggf) => {
                    let has_pass = ends_with_a_pass(value);
                    self.table.begin(ggf.game);
                    if has_pass {
                        self.table.mention();
                    }
                    Answer::default()
                }
                Err(fault) => status(&format!("set game: {fault}")),
            },
            // Who risks more to win is a matter of other programs.
            "contempt" => Answer::default(),
            other => noted(&format!("set {:?} is not understood", clean(other))),
        }
    }

    fn play(&mut self, text: &str) -> Answer {
        let word = text.split(['/', ' ']).next().unwrap_or_default();
        if matches!(&*word.to_lowercase(), "pa" | "pass" | "ps" | "--") {
            if self.table.unmentioned_pass().is_none() && !self.table.game().is_over() {
                return status("move: the side to move cannot pass");
            }
            self.table.mention();
            return Answer::default();
        }
        let Ok(at) = word.parse::<Square>() else {
            return status(&format!("move: {:?} is not a square a1 to h8", clean(word)));
        };
        match self.table.play(at) {
            Ok(()) => Answer::default(),
            Err(why) => status(&format!("move: {why}")),
        }
    }

    /// The best moves with their values, one in a line.
    fn hint(&self, count: &str) -> Answer {
        let count = count.parse().unwrap_or(1).clamp(1, 64);
        if self.table.unmentioned_pass().is_some() {
            return said("search PA 0 0 1 the only move is to pass\nstatus\n".into());
        }
        let hints = self.table.hints();
        if hints.is_empty() {
            return status("this player does not value moves");
        }
        let depth = self.table.depth();
        let line = |hint: &Hint| {
            let (at, value) = (hint.at.to_string().to_uppercase(), written(hint));
            match hint.book_games {
                Some(games) => format!("book {at} {value} {games} {depth}\n"),
                None if hint.is_exact => format!("search {at} {value} 0 100% exact, in discs\n"),
                None => format!("search {at} {value} 0 {depth}\n"),
            }
        };
        let mut text: String = hints.iter().take(count).map(line).collect();
        text += "status\n";
        said(text)
    }

    /// The move of the player, which it does not make itself.
    fn go(&self) -> Answer {
        let began = Instant::now();
        if self.table.unmentioned_pass().is_some() {
            return said("=== PA\n".into());
        }
        let Some(at) = self.table.choose() else { return status("the game is over") };
        let hints = self.table.hints();
        let value = hints.iter().find(|hint| hint.at == at).map(written).unwrap_or_default();
        let seconds = began.elapsed().as_secs_f64();
        said(format!("=== {}/{value}/{seconds:.2}\n", at.to_string().to_uppercase()))
    }

    /// What every position of the game is worth to the side to move. Passes count as moves.
    fn analyse(&self) -> Answer {
        let game = self.table.game();
        let Some(judged) = self.table.judge(game) else {
            return status("this player does not value moves");
        };
        let mut text = String::new();
        let mut judged = judged.iter();
        let is_place = |ply: &Ply| matches!(ply, Ply::Place(_));
        let mut turns: Vec<usize> = game
            .plies()
            .iter()
            .enumerate()
            .filter(|(_, ply)| is_place(ply))
            .map(|(n, _)| n)
            .collect();
        turns.push(game.plies().len());
        for (made, judged) in turns.into_iter().zip(&mut judged) {
            let (value, is_exact) = number(judged.best_value(), judged.is_exact);
            text += &format!("analysis {made} {}\n", decimal(value, is_exact));
        }
        said(text + "status\n")
    }
}

fn said(text: String) -> Answer {
    Answer { text, ..Answer::default() }
}

fn status(text: &str) -> Answer {
    said(format!("status {text}\n"))
}

fn noted(note: &str) -> Answer {
    Answer { note: Some(note.into()), ..Answer::default() }
}

/// Text of the other side that goes back to it, or to a terminal, on one line.
fn clean(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(200).collect()
}

fn written(hint: &Hint) -> String {
    decimal(hint.value, hint.is_exact)
}

/// A value as a number with its sign; whole discs if it is exact.
fn decimal(value: f64, is_exact: bool) -> String {
    if is_exact { format!("{value:+.0}") } else { format!("{value:+.2}") }
}

/// Says whether the last move of a game in GGF is a pass that is written.
fn ends_with_a_pass(ggf: &str) -> bool {
    let last = ggf.rsplit('[').next().unwrap_or_default().to_lowercase();
    last.starts_with("pa") || last.starts_with("ps") || last.starts_with("--")
}
