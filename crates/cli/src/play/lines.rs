//! What a person types: edited with the arrow keys on a terminal, else plain lines.

use std::io::{BufRead, IsTerminal, Write};

use rustyline::config::Configurer as _;
use rustyline::error::ReadlineError;

use crate::Error;

/// Where lines come from.
pub enum Lines<'a> {
    /// A terminal, with history and the keys that people expect.
    Edited(Box<rustyline::DefaultEditor>),
    /// Anything else.
    Plain(&'a mut dyn BufRead),
}

impl<'a> Lines<'a> {
    /// Edited if a person sits at both ends.
    pub fn new(input: &'a mut dyn BufRead) -> Lines<'a> {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        match is_terminal.then(rustyline::DefaultEditor::new) {
            Some(Ok(mut editor)) => {
                editor.set_auto_add_history(true);
                Lines::Edited(Box::new(editor))
            }
            // A terminal that cannot be edited on is read like a file.
            _ => Lines::Plain(input),
        }
    }

    /// Says whether a person types.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Lines::Edited(_))
    }

    /// The next line, without blanks around it; `None` at the end, or after Ctrl-C or Ctrl-D.
    pub fn next(&mut self, prompt: &str, out: &mut impl Write) -> Result<Option<String>, Error> {
        let failed = |error: &dyn std::fmt::Display| {
            Error::Failed(format!("cannot read standard input: {error}"))
        };
        match self {
            Lines::Edited(editor) => {
                out.flush()?;
                match editor.readline(prompt) {
                    Ok(line) => Ok(Some(line.trim().to_owned())),
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => Err(failed(&error)),
                }
            }
            Lines::Plain(input) => {
                write!(out, "{prompt}")?;
                out.flush()?;
                let mut bytes = Vec::new();
                // Not read_line: the input may not be UTF-8.
                let read = input.read_until(b'\n', &mut bytes).map_err(|error| failed(&error))?;
                if read == 0 {
                    writeln!(out)?;
                    return Ok(None);
                }
                Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
            }
        }
    }
}
