//! The Go Text Protocol, version 2, for Othello, with the commands that GoGui, Quarry and scripts
//! for Edax use.

use outflank_game::othello::{Game, Side, Square, Squares};

use crate::{Answer, LONGEST_LINE, Speaks, Table};

/// A player that speaks GTP.
#[derive(Debug)]
pub struct Gtp {
    table: Table,
    /// The plies of the game before each `play` and `genmove`: what `undo` goes back to.
    before: Vec<usize>,
    has_noted_time: bool,
}

/// All commands, in the order in which they are listed.
pub const GTP_COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "showboard",
    "final_score",
    "set_game",
    "list_games",
    "gogui-rules_game_id",
    "gogui-rules_board_size",
    "gogui-rules_board",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
    "gogui-analyze_commands",
    "outflank-values",
];

/// No game has more moves and passes; `undo` goes back no further than this many commands.
const MOST_UNDO: usize = 1000;

/// An answer's text, or why there is none.
type Reply = Result<String, String>;

impl Speaks for Gtp {
    fn answer(&mut self, line: &str) -> Answer {
        if line.len() > LONGEST_LINE {
            return Answer { text: "? the line is too long\n\n".into(), ..Answer::default() };
        }
        let line: String = line
            .chars()
            .map(|letter| if letter == '\t' { ' ' } else { letter })
            .filter(|letter| !letter.is_control())
            .collect();
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace().peekable();
        let is_number = |word: &&str| word.chars().all(|letter| letter.is_ascii_digit());
        let number = words.next_if(is_number).unwrap_or_default();
        let Some(command) = words.next() else {
            // A blank line is nothing; a number without a command is a mistake.
            let text = if number.is_empty() { String::new() } else { unknown(number) };
            return Answer { text, ..Answer::default() };
        };
        let arguments: Vec<&str> = words.collect();
        let text = match self.reply(command, &arguments) {
            Ok(text) => format!("={number} {text}"),
            Err(text) => format!("?{number} {text}"),
        };
        let note = self.note(command);
        Answer { text: format!("{}\n\n", text.trim_end()), note, quits: command == "quit" }
    }
}

fn unknown(number: &str) -> String {
    format!("?{number} unknown command\n\n")
}

impl Gtp {
    /// An engine at a new game.
    pub fn new(table: Table) -> Gtp {
        Gtp { table, before: Vec::new(), has_noted_time: false }
    }

    /// Says once that times have no effect.
    fn note(&mut self, command: &str) -> Option<String> {
        let is_time = matches!(command, "time_settings" | "time_left");
        if !is_time || std::mem::replace(&mut self.has_noted_time, true) {
            return None;
        }
        Some("times have no effect: how far a player looks ahead is fixed by its options".into())
    }

    fn reply(&mut self, command: &str, arguments: &[&str]) -> Reply {
        let nothing = Ok(String::new());
        match command {
            "protocol_version" => Ok("2".into()),
            "name" => Ok(format!("Outflank {}", self.table.name())),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "known_command" => {
                let known = arguments.first().is_some_and(|word| GTP_COMMANDS.contains(word));
                Ok(known.to_string())
            }
            "list_commands" => Ok(GTP_COMMANDS.join("\n")),
            "quit" => nothing,
            "boardsize" => match arguments {
                ["8"] => {
                    self.begin();
                    nothing
                }
                [_] => Err("unacceptable size".into()),
                _ => Err("boardsize not an integer".into()),
            },
            "clear_board" => {
                self.begin();
                nothing
            }
            "komi" => match arguments {
                [komi] if komi.parse::<f64>().is_ok_and(f64::is_finite) => nothing,
                _ => Err("komi not a float".into()),
            },
            "play" => self.play(arguments),
            "genmove" => self.genmove(arguments),
            "reg_genmove" => self.choose(arguments).map(word),
            "undo" => match self.before.pop() {
                Some(plies) => {
                    self.table.take_back_to(plies);
                    nothing
                }
                None => Err("cannot undo".into()),
            },
            "time_settings" => match numbers(arguments) {
                Some(3) => nothing,
                _ => Err("expected main time, byo yomi time and byo yomi stones".into()),
            },
            "time_left" => match arguments {
                [colour, rest @ ..] if side(colour).is_ok() && numbers(rest) == Some(2) => nothing,
                _ => Err("expected color, time and stones".into()),
            },
            "showboard" => Ok(format!("\n{}", self.board())),
            "final_score" => self.final_score(),
            "set_game" => match arguments {
                [game] if ["othello", "reversi"].contains(&&*game.to_lowercase()) => {
                    self.begin();
                    nothing
                }
                _ => Err("unsupported game".into()),
            },
            "list_games" => Ok("Othello".into()),
            "gogui-rules_game_id" => Ok("Othello".into()),
            "gogui-rules_board_size" => Ok("8".into()),
            "gogui-rules_board" => Ok(self.rows().rev().collect::<Vec<_>>().join("\n")),
            "gogui-rules_legal_moves" => Ok(self.legal_moves()),
            "gogui-rules_side_to_move" => {
                Ok(self.table.game().position().side.to_string().to_lowercase())
            }
            "gogui-rules_final_result" => Ok(self.final_result()),
            "gogui-analyze_commands" => Ok("gfx/Values of moves/outflank-values".into()),
            "outflank-values" => Ok(self.values()),
            _ => Err("unknown command".into()),
        }
    }

    fn begin(&mut self) {
        self.table.begin(Game::default());
        self.before.clear();
    }

    /// Notes that a move or pass was made when the game had this many plies.
    fn made(&mut self, plies: usize) {
        if self.before.len() >= MOST_UNDO {
            self.before.remove(0);
        }
        self.before.push(plies);
    }

    fn play(&mut self, arguments: &[&str]) -> Reply {
        let [colour, at] = arguments else { return Err("expected color and move".into()) };
        let colour = side(colour)?;
        let plies = self.table.game().plies().len();
        if at.eq_ignore_ascii_case("pass") {
            let is_over = self.table.game().is_over();
            if !is_over && self.table.unmentioned_pass() != Some(colour) {
                return Err(format!("illegal move: {colour} cannot pass here"));
            }
            self.table.mention();
        } else {
            let at: Square = at.parse().map_err(|()| "invalid color or coordinate".to_owned())?;
            self.expect_turn(colour)?;
            self.table.play(at).map_err(|why| format!("illegal move: {why}"))?;
        }
        self.made(plies);
        Ok(String::new())
    }

    fn genmove(&mut self, arguments: &[&str]) -> Reply {
        let chosen = self.choose(arguments)?;
        let plies = self.table.game().plies().len();
        match chosen {
            Some(at) => self.table.play(at)?,
            None => self.table.mention(),
        }
        self.made(plies);
        Ok(word(chosen))
    }

    /// The move of a colour; none for a pass.
    fn choose(&self, arguments: &[&str]) -> Result<Option<Square>, String> {
        let [colour] = arguments else { return Err("expected color".into()) };
        let colour = side(colour)?;
        let passes = self.table.game().is_over() || self.table.unmentioned_pass() == Some(colour);
        if passes {
            return Ok(None);
        }
        self.expect_turn(colour)?;
        Ok(self.table.choose())
    }

    fn expect_turn(&self, colour: Side) -> Result<(), String> {
        let game = self.table.game();
        match game.position().side {
            side if side == colour || game.is_over() => Ok(()),
            side => Err(format!("illegal move: it is {side}'s turn")),
        }
    }

    /// Rows from 1 to 8.
    fn rows(&self) -> impl DoubleEndedIterator<Item = String> + use<> {
        let position = self.table.game().position();
        let (black, white) = (position.seen_by(Side::Black).own, position.seen_by(Side::White).own);
        let letter = move |at: Square| match (black.has(at), white.has(at)) {
            (true, _) => "X",
            (_, true) => "O",
            _ => ".",
        };
        (0..8).map(move |row| {
            let squares = Square::all().filter(|at| at.row() == row);
            squares.map(letter).collect::<Vec<_>>().join(" ")
        })
    }

    fn board(&self) -> String {
        let game = self.table.game();
        let black = game.position().seen_by(Side::Black);
        let mut text = "  a b c d e f g h\n".to_owned();
        for (row, squares) in (1..).zip(self.rows()) {
            text += &format!("{row} {squares} {row}\n");
        }
        text +=
            &format!("  a b c d e f g h\nBlack X {}, White O {}", black.own.len(), black.opp.len());
        let turn = format!("{} to move", game.position().side);
        text + ". " + if game.is_over() { "The game is over" } else { &turn }
    }

    fn legal_moves(&self) -> String {
        let moves: Squares = self.table.game().position().board.moves();
        moves.map(|at| word(Some(at))).collect::<Vec<_>>().join(" ")
    }

    fn final_score(&self) -> Reply {
        let game = self.table.game();
        if !game.is_over() {
            return Err("cannot score: the game is not over".into());
        }
        Ok(match game.margin(Side::Black) {
            0 => "0".into(),
            margin if margin > 0 => format!("B+{margin}"),
            margin => format!("W+{}", -margin),
        })
    }

    fn final_result(&self) -> String {
        let game = self.table.game();
        match (game.is_over(), game.margin(Side::Black)) {
            (false, _) => "The game is not over".into(),
            (true, 0) => "Draw".into(),
            (true, margin) => {
                let winner = if margin > 0 { Side::Black } else { Side::White };
                format!("{winner} wins by {} discs", margin.abs())
            }
        }
    }

    /// What moves are worth, as labels that GoGui draws.
    fn values(&self) -> String {
        let hints = self.table.hints();
        let label = |hint: &crate::Hint| {
            let digits = if hint.is_exact { 0 } else { 2 };
            format!("{} {:+.digits$}", word(Some(hint.at)), hint.value)
        };
        match hints.is_empty() {
            true => String::new(),
            false => format!("LABEL {}", hints.iter().map(label).collect::<Vec<_>>().join(" ")),
        }
    }
}

fn word(at: Option<Square>) -> String {
    at.map_or("pass".into(), |at| at.to_string().to_uppercase())
}

fn side(text: &str) -> Result<Side, String> {
    match &*text.to_lowercase() {
        "b" | "black" => Ok(Side::Black),
        "w" | "white" => Ok(Side::White),
        _ => Err("invalid color or coordinate".into()),
    }
}

/// How many numbers of 0 or more there are, if all words are such.
fn numbers(words: &[&str]) -> Option<usize> {
    let is_number = |word: &&str| word.parse::<f64>().is_ok_and(|number| number >= 0.0);
    words.iter().all(is_number).then_some(words.len())
}
