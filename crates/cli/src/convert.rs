//! `outflank convert`: games from one format to another.

use std::io::{self, Write};

use super::output::thousands;
use super::terminal::say;
use super::text::{clean, help};
use super::{Error, answer};
use outflank_commands::{ConvertAnswer, ConvertRequest};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank convert WTH_1999.wtb games.ggf
  outflank convert games.ggf pasted.txt games.wtb
  outflank convert WTH_*.wtb endgames.obf --empties 20
  outflank convert WTH_1999.wtb openings.txt --empties 50
  outflank convert '1. f5 d6 2. c3 d3' - --to ggf

What is read is recognised: transcripts, also pasted with numbers and words,
positions, OBF, GGF, WTHOR databases (with the names in .jou and .trn files beside
them), texts of PlayOK, JSON of Othello Quest, games of `outflank match --save`.
The ending of OUT says what is written:
  .txt     transcripts: moves alone
  .tsv     saved: names, result, start and moves, with tabs
  .ggf     GGF: all of that, and values and times of moves
  .wtb     a WTHOR database, with .jou and .trn for the names
  .playok  texts of PlayOK
  .json    Othello Quest, a game in a line
  .pos     positions: the last one of each game
  .obf     the same with scores, for `outflank solve`
What a format cannot hold is said on standard error. Nothing is written if a game
is wrong, unless --skip."))]
pub struct Args {
    /// Files of games, games themselves, or - for standard input
    #[arg(value_name = "IN", required = true, num_args = 1..)]
    inputs: Vec<String>,
    /// The file to write, or - for standard output
    #[arg(value_name = "OUT", required = true)]
    out: String,
    /// The format to write, if the name of OUT does not say it
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: Option<String>,
    /// Cut games at the position with N empty squares, leave out those without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60), allow_negative_numbers = true)]
    empties: Option<u32>,
    /// Leave out games that cannot be read or written
    #[arg(long)]
    skip: bool,
    /// Replace OUT if it is there
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn formats() -> clap::builder::PossibleValuesParser {
    outflank_game::othello::Format::ALL.map(|format| format.name()).into()
}

pub fn run(args: Args) -> Result<(), Error> {
    let Args { inputs, out, to, empties, skip, force, json } = args;
    let request = ConvertRequest { inputs, out, to, empties, skip, force };
    let Some(answer) = answer(&request, json)? else { return Ok(()) };
    say_notes(&answer);
    let mut stdout = io::stdout().lock();
    if let Some(text) = &answer.text {
        return Ok(stdout.write_all(text.as_bytes())?);
    }
    let games = thousands(answer.written.games);
    let files = clean(&answer.written.files.join(", "));
    Ok(writeln!(stdout, "{games} games in {files} ({})", answer.written.format)?)
}

/// What is not in the file, or is there in another form.
fn say_notes(answer: &ConvertAnswer) {
    let format = answer.written.format;
    for part in &answer.written.lost {
        let games = thousands(part.games);
        say(&format!("{format} cannot hold all {} ({games} games)", part.what));
    }
    answer.written.notes.iter().for_each(|note| say(note));
    if let Some(first) = &answer.first_skipped {
        say(&format!("{} games were left out; the first: {first}", thousands(answer.skipped)));
    }
    if answer.too_short > 0 {
        let games = thousands(answer.too_short);
        say(&format!("{games} games have no position with that many empty squares"));
    }
}
