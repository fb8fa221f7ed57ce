//! Words and numbers for people: percentages, grouped digits, lines that fit the terminal, and
//! names without control characters.

use std::ffi::OsString;
use std::io::{self, Write};

pub use outflank_schema::parse_whole;

/// A share in percent, with one digit.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// A share in percent, with two digits: for figures of many games.
pub fn percent2(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

/// An interval of shares in percent.
pub fn percents([low, high]: [f64; 2]) -> String {
    format!("{} to {}", percent2(low), percent2(high))
}

/// A difference of shares in percentage points, with its sign; there is no -0.
pub fn points(difference: f64) -> String {
    match format!("{:+.2}", 100.0 * difference) {
        nothing if nothing == "-0.00" => "+0.00".into(),
        text => text,
    }
}

/// An argument that is not taken for an option. A position may begin with empty squares, written -;
/// here they are dots, which mean the same.
pub fn shield(argument: OsString) -> OsString {
    let is_square = |letter: char| "-.XxOo*BbWw".contains(letter);
    match argument.to_str() {
        Some(text)
            if text.starts_with('-')
                && text.chars().take_while(|c| is_square(*c)).count() >= 64 =>
        {
            text.replace('-', ".").into()
        }
        _ => argument,
    }
}

/// A share: 0.01, or 1%.
pub fn parse_share(text: &str) -> Option<f64> {
    let text = text.trim();
    match text.strip_suffix('%') {
        // Without the extra digits of a division by 100.
        Some(percent) => Some((percent.trim().parse::<f64>().ok()? * 1e8).round() / 1e10),
        None => text.parse().ok(),
    }
}

/// Replaces control characters: text from files may contain escape sequences, or reverse the
/// direction of the text after it.
pub fn clean(text: &str) -> String {
    let is_trick = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    text.replace(is_trick, "?")
}

/// The width of the terminal if standard output is one, or the value of COLUMNS.
pub fn columns() -> Option<usize> {
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let size = || terminal_size::terminal_size_of(io::stdout());
    asked.or_else(|| size().map(|(width, _)| usize::from(width.0))).filter(|width| *width >= 20)
}

/// Prints text, wrapped to the width of the terminal.
pub fn print_wrapped(out: &mut impl Write, text: &str) -> io::Result<()> {
    let width = columns().unwrap_or(usize::MAX);
    text.lines().try_for_each(|line| writeln!(out, "{}", wrap(&clean(line), width, 0)))
}

/// Wraps a line at words, with later lines indented.
pub fn wrap(line: &str, width: usize, indent: usize) -> String {
    let length = |text: &str| text.chars().count();
    if length(line) <= width {
        return line.into();
    }
    let first = line.len() - line.trim_start().len();
    let (mut text, mut used) = (" ".repeat(first), first);
    let mut is_start = true;
    for word in line.split_whitespace() {
        if !is_start && used + 1 + length(word) > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            used = indent;
            is_start = true;
        }
        if !is_start {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += length(word);
        is_start = false;
    }
    text
}

/// The end of a help text. Paragraphs are wrapped to the width of the terminal. Lines that begin
/// with spaces stay as they are; text after two spaces in such a line stays in its column.
pub fn help(text: &str) -> String {
    let width = columns().unwrap_or(100).min(100);
    let mut lines: Vec<String> = Vec::new();
    let mut is_paragraph = false;
    for line in text.lines() {
        if line.is_empty() || line.starts_with(' ') || line.ends_with(':') && line.len() < 20 {
            lines.push(line.into());
            is_paragraph = false;
        } else if is_paragraph && let Some(last) = lines.last_mut() {
            *last += &format!(" {line}");
        } else {
            lines.push(line.into());
            is_paragraph = true;
        }
    }
    let wrapped = lines.iter().map(|line| {
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        // Two columns, or a command.
        let second = trimmed.find("  ").map(|at| {
            let gap = trimmed[at..].len() - trimmed[at..].trim_start().len();
            trimmed[..at + gap].chars().count()
        });
        match second {
            Some(second) if indent > 0 && indent + second + 20 <= width => {
                let column = indent + second;
                let at = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
                let (head, tail) = line.split_at(at);
                let tail = wrap(tail, width - column, 0)
                    .replace('\n', &format!("\n{}", " ".repeat(column)));
                format!("{head}{tail}")
            }
            _ => wrap(line, width, if indent > 0 { indent + 4 } else { 0 }),
        }
    });
    wrapped.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_no_option() {
        let position = format!("{}X X", "-".repeat(63));
        assert_eq!(shield(position.into()), OsString::from(format!("{}X X", ".".repeat(63))));
        for other in ["--json", "-", "f5d6", "x-y.toml", &"-".repeat(63)] {
            assert_eq!(shield(other.into()), OsString::from(other));
        }
    }

    #[test]
    fn differences_have_a_sign() {
        let values = [0.01234, -0.01234, 0.0, -0.0, -0.00001].map(points);
        assert_eq!(values, ["+1.23", "-1.23", "+0.00", "+0.00", "+0.00"]);
    }

    #[test]
    fn shares_may_be_percentages() {
        for (text, share) in [("0.01", 0.01), ("1%", 0.01), ("86.46 %", 0.8646)] {
            assert!((parse_share(text).unwrap() - share).abs() < 1e-15, "{text}");
        }
        assert_eq!(parse_share("x%"), None);
    }

    #[test]
    fn names_cannot_play_tricks() {
        assert_eq!(clean("a\u{1b}[31mb\u{202e}c\nd"), "a?[31mb?c\nd");
    }

    #[test]
    fn lines_break_at_words_and_keep_their_column() {
        assert_eq!(wrap("one two three", 7, 2), "one two\n  three");
        assert_eq!(wrap("long-word-of-its-own", 7, 2), "long-word-of-its-own");
        assert_eq!(wrap("  one two", 20, 0), "  one two");
    }
}
