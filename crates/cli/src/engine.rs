//! `outflank gtp` and `outflank nboard`: a player as an engine for other programs, on standard
//! input and output; and what is printed about engines that take part in games.

use std::io::{self, BufRead, Read, Write};

use super::text::{help, print_wrapped};
use super::{Error, parse_seed, player, say};
use outflank_game::engine::EngineFaults;
use outflank_kernel::Kernel;
use outflank_kernel::rng::Seed;
use outflank_protocol::{Gtp, LONGEST_LINE, Nboard, Speaks, Table};

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank gtp lr2006@depth=6,solve=14
  outflank gtp runs/ctdl-hof/7@depth=4,solve=12,book=small

For programs that speak the Go Text Protocol (GTP): GoGui, Quarry, scripts for Edax
and GRhino. Give them this command line as that of the engine. How far the player
looks ahead, from which number of empty squares it plays perfectly and its opening
book are options of the player; times that the other program sets have no effect.

The same seed and the same moves of the opponent give the same games. Each game
of a process has other random choices."))]
pub struct GtpArgs {
    #[command(flatten)]
    engine: Engine,
}

#[derive(clap::Args)]
#[command(after_help = help("\
Examples:
  outflank nboard lr2006@depth=6,solve=14
  outflank nboard ctdl2009-best@depth=4,solve=12,book=small

For NBoard and programs that use its protocol. In NBoard choose Engine, Add Engine
and give it this command line. `set depth` of the interface lowers the depth of a
player that has one (@depth=6), and sets that of another up to 8. Values are in
discs where they are exact, otherwise as the player values boards."))]
pub struct NboardArgs {
    #[command(flatten)]
    engine: Engine,
}

#[derive(clap::Args)]
struct Engine {
    /// The player, with its options: lr2006@depth=4,solve=12,book=small
    #[arg(value_name = "PLAYER")]
    player: String,
    /// Seed of its random choices
    #[arg(long, default_value = "1", value_name = "S", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
}

impl Engine {
    fn table(&self) -> Result<Table, Error> {
        Ok(Table::new(Kernel::detect()?, player(&self.player)?, Seed(self.seed)))
    }
}

pub fn gtp(args: &GtpArgs) -> Result<(), Error> {
    converse(&mut Gtp::new(args.engine.table()?), &mut io::stdin().lock(), &mut io::stdout().lock())
}

pub fn nboard(args: &NboardArgs) -> Result<(), Error> {
    let mut engine = Nboard::new(args.engine.table()?);
    converse(&mut engine, &mut io::stdin().lock(), &mut io::stdout().lock())
}

/// Answers line by line until the end of the input or `quit`.
fn converse(
    engine: &mut dyn Speaks,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), Error> {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        // One byte more than a line may have: the engine says that it is too long.
        let most = LONGEST_LINE as u64 + 2;
        let read = input
            .take(most)
            .read_until(b'\n', &mut bytes)
            .map_err(|error| Error::Failed(format!("cannot read standard input: {error}")))?;
        if read == 0 {
            return Ok(());
        }
        let is_cut = bytes.len() as u64 == most && bytes.last() != Some(&b'\n');
        let line = String::from_utf8_lossy(&bytes);
        let answer = engine.answer(line.trim_end_matches(['\n', '\r']));
        if is_cut {
            skip_line(input)?;
        }
        out.write_all(answer.text.as_bytes())?;
        out.flush()?;
        if let Some(note) = answer.note {
            say(&note);
        }
        if answer.quits {
            return Ok(());
        }
    }
}

/// Skips the rest of a line.
fn skip_line(input: &mut impl BufRead) -> Result<(), Error> {
    loop {
        let failed = |error| Error::Failed(format!("cannot read standard input: {error}"));
        let buffer = input.fill_buf().map_err(failed)?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let (used, is_over) = end.map_or((buffer.len(), buffer.is_empty()), |end| (end + 1, true));
        input.consume(used);
        if is_over {
            return Ok(());
        }
    }
}

/// Prints the games that engines lost other than on the board.
pub fn print_faults(out: &mut impl Write, engines: &[EngineFaults]) -> Result<(), Error> {
    for engine in engines {
        let name = match engine.engine.is_empty() {
            true => engine.player.clone(),
            false => format!("{} ({})", engine.player, engine.engine),
        };
        let lost = match engine.games {
            0 => "no engine faults".into(),
            1 => "engine faults: 1 game lost".into(),
            games => format!("engine faults: {games} games lost"),
        };
        print_wrapped(out, &format!("  {name}: {lost}"))?;
        for fault in &engine.faults {
            let (kind, games) = (fault.kind.words(), fault.games);
            print_wrapped(out, &format!("    {kind}: {games}, first: {}", fault.first))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::player::parse_player;

    fn said(input: &[u8]) -> String {
        let player = parse_player("heuristic@ties=first").unwrap();
        let mut engine = Gtp::new(Table::new(Kernel::available()[0], player, Seed(1)));
        let mut out = Vec::new();
        converse(&mut engine, &mut &input[..], &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_are_answered_until_the_end_or_quit() {
        assert_eq!(said(b"name\r\ngenmove b"), "= Outflank heuristic@ties=first\n\n= D3\n\n");
        assert_eq!(said(b"quit\nname\n"), "=\n\n");
        assert_eq!(said(b"\xff\xfe\n"), "? unknown command\n\n");
        assert_eq!(said(b""), "");
    }

    #[test]
    fn a_line_without_end_is_one_mistake() {
        for length in [LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 3 * LONGEST_LINE] {
            let mut input = vec![b'x'; length];
            input.extend(b"\nprotocol_version\n");
            let answers = said(&input);
            assert_eq!(answers.matches("? ").count(), 1, "{length}: {answers}");
            assert!(answers.ends_with("= 2\n\n"), "{length}: {answers}");
        }
    }
}
