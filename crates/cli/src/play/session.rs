//! A game that is being played: turns, commands, the end.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use super::board::{Discs, draw};
use super::keys::{KEYS, Keys};
use super::lines::Lines;
use super::watch::Watched;
use crate::Error;
use crate::saved_games::SavedGames;
use crate::text::clean;
use outflank_arena::Unwatched;
use outflank_game::othello::{
    Game, GameRecord, Ply, Side, Square, check_playable, parse_text, read_records, write_game,
};
use outflank_game::player::{MoveValue, Player, Turn};
use outflank_kernel::Kernel;
use outflank_kernel::rng::{Seed, Stream};
use outflank_lab::Analyst;

const HELP: &str = "Type a square such as f5, or:
  undo   take back your last move (u)
  hint   what your opponent thinks of your moves (h)
  moves  the moves so far (m)
  save   save FILE writes the game, e.g. to game.ggf; save! replaces a file (s)
  load   load FILE or load f5d6c3 goes on from there (l)
  watch  let your opponent play both sides; watch 0.5 with half a second a move (w).
         Then space pauses and goes on, n plays one move, b takes one back, + and -
         change the speed, and q stops: you play on from there
  new    a new game (n)
  help   this (?)
  quit   leave (q)";

/// With this many empty squares or fewer, hints are exact.
const EXACT: u32 = 10;

/// The players, the game and how it is shown.
pub struct Session {
    pub kernel: Kernel,
    /// Your opponent, and Black if you watch.
    pub opponent: Player,
    /// White if you watch.
    pub white: Player,
    /// Your side; `None` if you watch.
    pub you: Option<Side>,
    pub seed: Seed,
    /// Which game it is: each has random choices of its own.
    pub number: u64,
    pub game: Game,
    pub discs: Discs,
    /// Between moves that are watched.
    pub delay: Duration,
    /// Whether players make all moves at the moment.
    pub is_watched: bool,
}

/// What a line asked for.
enum Asked {
    Changed,
    Watch,
    Quit,
}

impl Session {
    pub fn new(kernel: Kernel, opponent: Player, you: Option<Side>, seed: Seed) -> Session {
        Session {
            kernel,
            white: opponent.clone(),
            opponent,
            you,
            seed,
            number: 0,
            game: Game::default(),
            discs: Discs::Letters,
            delay: Duration::ZERO,
            is_watched: false,
        }
    }

    pub fn play(&mut self, lines: &mut Lines<'_>, out: &mut impl Write) -> Result<(), Error> {
        match self.you {
            Some(you) => writeln!(out, "You are {you} against {}.", self.opponent.name)?,
            None => writeln!(out, "{} against {}.", self.opponent.name, self.white.name)?,
        }
        if self.you.is_some() {
            writeln!(out, "{HELP}")?;
        }
        let mut watches = self.you.is_none();
        loop {
            if std::mem::take(&mut watches) {
                if self.watch_with(lines, out)? == Watched::Stopped {
                    match self.you {
                        Some(you) => writeln!(out, "Stopped. You are {you}.")?,
                        None => writeln!(out, "Stopped.")?,
                    }
                    if self.is_theirs() {
                        continue;
                    }
                }
            } else if self.is_theirs() {
                let at = self.choose();
                let name = self.name(self.game.position().side);
                self.place(at, out)?;
                writeln!(out, "\n{name} plays {at}.")?;
                continue;
            } else {
                draw(&self.game, self.discs, out)?;
            }
            if self.game.is_over() {
                self.end(out)?;
                // Who only wanted to see the game in a file or a pipe has nothing more to say.
                if self.you.is_none() && !lines.is_terminal() {
                    return Ok(());
                }
            }
            match self.ask(lines, out)? {
                Asked::Changed => {}
                Asked::Watch => watches = true,
                Asked::Quit => return Ok(()),
            }
        }
    }

    /// Says whether it is your opponent's turn.
    fn is_theirs(&self) -> bool {
        let side = self.game.position().side;
        !self.game.is_over() && self.you.is_some_and(|you| you != side)
    }

    /// Watches with the keys of the terminal, or without any.
    fn watch_with(&mut self, lines: &Lines<'_>, out: &mut impl Write) -> Result<Watched, Error> {
        match lines.is_terminal().then(Keys::take).flatten() {
            Some(mut keys) => {
                writeln!(out, "{KEYS}")?;
                self.watch(&mut |patience| keys.next(patience), out)
            }
            None => self.watch(
                &mut |patience| {
                    std::thread::sleep(patience);
                    None
                },
                out,
            ),
        }
    }

    /// Who plays a side, or would play it for you.
    pub fn player(&self, side: Side) -> &Player {
        if self.you.is_none() && side == Side::White { &self.white } else { &self.opponent }
    }

    pub fn name(&self, side: Side) -> String {
        match self.you == Some(side) && !self.is_watched {
            true => "you".into(),
            false => self.player(side).name.clone(),
        }
    }

    /// Reads lines until one changes the game.
    fn ask(&mut self, lines: &mut Lines<'_>, out: &mut impl Write) -> Result<Asked, Error> {
        loop {
            let prompt = match (self.game.is_over(), self.you) {
                (true, _) => "undo, save, new or quit: ".into(),
                (false, Some(you)) => format!("{you} to move: "),
                (false, None) => {
                    format!("{} to move (watch goes on): ", self.game.position().side)
                }
            };
            let Some(line) = lines.next(&prompt, out)? else { return Ok(Asked::Quit) };
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            let (word, rest) = (word.to_lowercase(), rest.trim());
            match word.as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Asked::Quit),
                "help" | "?" => writeln!(out, "{HELP}")?,
                "moves" | "m" if self.game.plies().is_empty() => writeln!(out, "None yet.")?,
                "moves" | "m" => writeln!(out, "{}", write_game(self.game.plies()))?,
                "hint" | "h" => self.hint(out)?,
                "undo" | "u" if self.undo() => return Ok(Asked::Changed),
                "undo" | "u" => writeln!(out, "There is nothing to take back.")?,
                "save" | "s" => self.save(rest, false, out)?,
                "save!" | "s!" => self.save(rest, true, out)?,
                "load" | "l" => match load(rest) {
                    Ok(game) => {
                        self.game = game;
                        return Ok(Asked::Changed);
                    }
                    Err(problem) => writeln!(out, "{}", clean(&problem))?,
                },
                "watch" | "w" if self.game.is_over() => {
                    writeln!(out, "The game is over; new begins another, undo takes back a move.")?
                }
                "watch" | "w" if rest.is_empty() => return Ok(Asked::Watch),
                "watch" | "w" => match super::parse_delay(rest) {
                    Ok(delay) => {
                        self.delay = delay;
                        return Ok(Asked::Watch);
                    }
                    Err(problem) => writeln!(out, "watch {rest}: {problem}")?,
                },
                "new" | "n" => {
                    self.game = Game::default();
                    self.number += 1;
                    return Ok(if self.you.is_none() { Asked::Watch } else { Asked::Changed });
                }
                _ => match word.parse::<Square>() {
                    Ok(at) => match self.game.position().check(at) {
                        Ok(()) => return self.place(at, out).map(|()| Asked::Changed),
                        Err(illegal) => writeln!(out, "{illegal}. Legal moves are marked +.")?,
                    },
                    Err(()) => {
                        writeln!(out, "{word:?} is neither a square nor a command; try help.")?
                    }
                },
            }
        }
    }

    /// Plays a move, and prints a line if the other side has to pass.
    pub fn place(&mut self, at: Square, out: &mut impl Write) -> Result<(), Error> {
        let mover = self.game.position().side;
        self.game.play(at).map_err(|illegal| Error::Failed(illegal.to_string()))?;
        if self.game.plies().last() == Some(&Ply::Pass) {
            let (who, has) = match self.you {
                Some(you) if you != mover && !self.is_watched => ("You".into(), "have"),
                _ => (self.name(!mover), "has"),
            };
            writeln!(out, "{who} {has} no legal move and must pass.")?;
        }
        Ok(())
    }

    /// The move that a player would make for the side to move.
    fn choose(&self) -> Square {
        self.player(self.game.position().side).choose(self.kernel, &self.turn())
    }

    pub fn turn(&self) -> Turn {
        let position = self.game.position();
        let key = self.seed.at(Stream::Game, self.number);
        let ply = self.game.plies().len() as u32;
        Turn { position, moves: position.board.moves(), ply, key }
    }

    /// What the opponent would play in your place, and what it thinks of all moves.
    fn hint(&self, out: &mut impl Write) -> Result<(), Error> {
        if self.game.is_over() {
            return Ok(writeln!(out, "The game is over.")?);
        }
        let player = self.player(self.game.position().side);
        writeln!(out, "{} would play {}.", player.name, self.choose())?;
        if player.varies() {
            return Ok(());
        }
        let (depth, solve) = (player.policy.depth.max(1), EXACT);
        let analyst = Analyst { kernel: self.kernel, player, depth, solve };
        let here = Game::from(self.game.position());
        let judged = analyst.judge(&here, &Unwatched, &mut || ());
        let judged = judged.map_err(|error| Error::Failed(error.to_string()))?;
        let Some(judged) = judged.first() else { return Ok(()) };
        let mut moves = judged.moves.clone();
        moves.sort_by(|(_, a), (_, b)| b.number().total_cmp(&a.number()));
        for (at, value) in moves {
            match value {
                MoveValue::Value(value) => writeln!(out, "  {at} {value:>+9.3}")?,
                MoveValue::Margin(discs) => writeln!(out, "  {at} {discs:>+5} discs at the end")?,
            }
        }
        Ok(())
    }

    /// Takes back the person's last move and what followed.
    fn undo(&mut self) -> bool {
        let mut trial = self.game.clone();
        while trial.undo().is_some() {
            if self.you.is_none_or(|you| trial.position().side == you) {
                self.game = trial;
                return true;
            }
        }
        false
    }

    fn save(&self, file: &str, force: bool, out: &mut impl Write) -> Result<(), Error> {
        if file.is_empty() {
            return Ok(writeln!(out, "Save where? For example: save game.ggf")?);
        }
        let mut record = GameRecord::new(self.game.clone(), None);
        (record.about.black, record.about.white) = (self.name(Side::Black), self.name(Side::White));
        let saved = SavedGames::create_one(Path::new(file), force).and_then(|mut saved| {
            saved.add(&record)?;
            saved.finish()
        });
        let text = match saved {
            Ok(written) => format!("Saved in {}.", written.files.join(", ")),
            Err(error) => error.to_string().replace("--force", "save!"),
        };
        Ok(writeln!(out, "{}", clean(&text))?)
    }

    fn end(&self, out: &mut impl Write) -> Result<(), Error> {
        let margin = self.game.margin(self.you.unwrap_or(Side::Black));
        let verdict = match (margin.signum(), self.you) {
            (0, _) => "A draw".into(),
            (1, Some(_)) => "You win".into(),
            (_, Some(_)) => "You lose".into(),
            (1, None) => format!("{} wins", self.name(Side::Black)),
            (_, None) => format!("{} wins", self.name(Side::White)),
        };
        let black = self.game.position().seen_by(Side::Black);
        let (own, opp) = (black.own.len(), black.opp.len());
        write!(out, "\nThe game is over. {verdict}: Black {own}, White {opp}")?;
        let whom = if self.you.is_some() { "you" } else { "Black" };
        match black.empty().len() {
            0 => writeln!(out, ".")?,
            _ => writeln!(out, " ({margin:+} for {whom} with the empty squares).")?,
        }
        writeln!(out, "{}", write_game(self.game.plies()))?;
        Ok(())
    }
}

/// A game to go on with: the first of a file, or what is written.
pub fn load(text: &str) -> Result<Game, String> {
    let path = Path::new(text);
    let record = if text.is_empty() {
        return Err("Load what? For example: load game.ggf, or load f5d6c3".into());
    } else if path.exists() {
        let mut first = None;
        let mut see = |_, record| {
            first = Some(record);
            ControlFlow::Break(())
        };
        read_records(path, &mut see).map_err(|error| error.to_string())?;
        let first = first.ok_or_else(|| format!("games file {text} has no games"))?;
        first.map_err(|problem| format!("games file {text}, {problem}"))?
    } else {
        let wrong =
            |error| format!("{text:?} is not a game: {error} (and there is no file of this name)");
        parse_text(text).map_err(wrong)?.swap_remove(0)
    };
    if record.moves() == 0 {
        check_playable(record.game.start()).map_err(|error| error.to_string())?;
    }
    Ok(record.game)
}

#[cfg(test)]
mod tests;
