//! Numbers, names, lists of seeds and commands as a report writes them.

use crate::figure::AxisUnit;
use outflank_lab::mean_interval;
use outflank_learn::Quantity;

/// 1234567 as 1,234,567.
pub fn count(number: u64) -> String {
    AxisUnit::Count.value(number as f64)
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

/// A space without a line break.
const NO_BREAK: char = '\u{a0}';

/// The mean of a probe over runs with its 95% interval; without the interval for one run.
pub fn mean_of_probe(probe: &str, values: &[f64]) -> String {
    match Quantity::of(probe) {
        Quantity::Strength | Quantity::Training => return mean_of(values),
        Quantity::Volume => return mean_volume(values),
        Quantity::Count => {}
    }
    match mean_interval(values) {
        (mean, Some([low, high])) if low < 0.0 => format!("{mean:.1} (0 to {high:.1})"),
        (mean, Some([low, high])) => format!("{mean:.1} ±{NO_BREAK}{:.1}", (high - low) / 2.0),
        (_, None) if values.is_empty() => "–".into(),
        (mean, None) => format!("{mean:.0}"),
    }
}

/// The mean of volumes from 0 to 1 with its 95% interval; without the interval for one.
pub fn mean_volume(volumes: &[f64]) -> String {
    match mean_interval(volumes) {
        (mean, Some([low, high])) => format!("{mean:.3} ±{NO_BREAK}{:.3}", (high - low) / 2.0),
        (_, None) if volumes.is_empty() => "–".into(),
        (mean, None) => format!("{mean:.3}"),
    }
}

/// The mean of shares with its 95% interval, in percent; without the interval for one share.
pub fn mean_of(shares: &[f64]) -> String {
    match mean_interval(shares) {
        (mean, Some(interval)) => with_interval(mean, interval),
        (_, None) if shares.is_empty() => "–".into(),
        (mean, None) => percent(mean),
    }
}

/// A share ± half the width of its interval; or the ends of the interval, if the share is not in
/// its middle or the interval exceeds 0 to 100%.
pub fn with_interval(share: f64, [low, high]: [f64; 2]) -> String {
    let off_centre = ((low + high) / 2.0 - share).abs() > 0.05 * (high - low);
    if low < 0.0 || high > 1.0 || off_centre {
        format!("{} ({} to {})", percent(share), percent(low.max(0.0)), percent(high.min(1.0)))
    } else {
        format!("{} ±{NO_BREAK}{:.2}", percent(share), 50.0 * (high - low))
    }
}

/// The mean of shares and its 95% interval, cut to 0 to 1: with few runs it may be wider.
pub fn drawn_interval(shares: &[f64]) -> (f64, Option<[f64; 2]>) {
    interval_up_to(1.0, shares)
}

/// The same for counts, which have no upper limit.
pub fn drawn_interval_of_counts(counts: &[f64]) -> (f64, Option<[f64; 2]>) {
    interval_up_to(f64::INFINITY, counts)
}

fn interval_up_to(most: f64, values: &[f64]) -> (f64, Option<[f64; 2]>) {
    let (mean, interval) = mean_interval(values);
    (mean, interval.map(|ends| ends.map(|end| end.clamp(0.0, most))))
}

/// `one run`, `2 runs`.
pub fn number_of(number: usize, what: &str) -> String {
    match number {
        1 => format!("one {what}"),
        _ => format!("{} {what}s", count(number as u64)),
    }
}

/// Text with a capital first letter.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).into(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// Seeds as `--seeds` reads them: 1..3,7.
pub fn seeds(seeds: &[u64]) -> String {
    let mut sorted = seeds.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let parts: Vec<String> = runs
        .map(|run| match run {
            [one] => one.to_string(),
            _ => format!("{}..{}", run[0], run[run.len() - 1]),
        })
        .collect();
    parts.join(",")
}

/// Words as a command line, quoted for a shell.
pub fn command<T: AsRef<str>>(words: &[T]) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=,:@+%".contains(letter);
    let quoted = |word: &str| {
        if !word.is_empty() && word.chars().all(plain) {
            word.to_string()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    words.iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// A cell of a CSV file.
pub fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

/// A name as part of a file name that is safe on any system and in URLs.
pub fn slug(name: &str) -> String {
    let kept = |letter: char| letter.is_ascii_alphanumeric();
    let words: Vec<&str> = name.split(|letter| !kept(letter)).filter(|w| !w.is_empty()).collect();
    let slug: String = words.join("-").to_ascii_lowercase().chars().take(40).collect();
    slug.trim_end_matches('-').into()
}

/// A name as part of a relative URL.
pub fn in_url(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let encoded =
        |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    // Without the `./`, a first part with a colon, encoded or not, might be read as a protocol.
    format!("./{}", name.bytes().map(encoded).collect::<String>())
}

/// A duration as people write it.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_have_intervals_from_two_runs_on() {
        assert_eq!(mean_of(&[]), "–");
        assert_eq!(mean_of_probe("hypervolume", &[0.11]), "0.110");
        assert_eq!(mean_of(&[0.5]), "50.00%");
        assert_eq!(mean_of(&[0.5, 0.51]), "50.50% ±\u{a0}6.35");
        assert_eq!(mean_of_probe("hidden", &[1.0, 3.0]), "2.0 (0 to 14.7)");
        assert_eq!(mean_of_probe("top10", &[0.5]), "50.00%");
        assert_eq!(mean_of_probe("hidden", &[8.0]), "8");
        assert_eq!(mean_of_probe("hidden", &[8.0, 9.0]), "8.5 ±\u{a0}6.4");
        assert_eq!(
            drawn_interval_of_counts(&[8.0, 9.0]).1.map(|[_, high]| high > 14.0),
            Some(true)
        );
    }

    #[test]
    fn intervals_end_where_shares_do() {
        assert_eq!(mean_of(&[0.5, 0.6]), "55.00% (0.00% to 100.00%)");
        assert_eq!(with_interval(0.98, [0.95, 1.01]), "98.00% (95.00% to 100.00%)");
        assert_eq!(with_interval(0.99, [0.95, 1.0]), "99.00% (95.00% to 100.00%)");
        assert_eq!(with_interval(0.8, [0.78, 0.82]), "80.00% ±\u{a0}2.00");
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        for (cell, text) in
            [("a", "a"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\"")]
        {
            assert_eq!(csv_cell(cell), text);
        }
    }

    #[test]
    fn seeds_are_written_as_they_are_read() {
        for (list, text) in
            [(&[1, 2, 3, 7][..], "1..3,7"), (&[9, 4], "4,9"), (&[u64::MAX], "18446744073709551615")]
        {
            assert_eq!(seeds(list), text);
        }
    }

    #[test]
    fn sentences_begin_with_a_capital() {
        assert_eq!(capitalised(&number_of(1, "study")), "One study");
        assert_eq!(capitalised(&number_of(2, "run")), "2 runs");
        assert_eq!(capitalised(""), "");
    }

    #[test]
    fn names_become_safe_words_and_addresses() {
        assert_eq!(
            command(&["outflank", "report", "a b", "it's", ""]),
            r"outflank report 'a b' 'it'\''s' ''"
        );
        assert_eq!(slug("<img src=x> CTDL/hof"), "img-src-x-ctdl-hof");
        assert_eq!(in_url("my \"report\"#1"), "./my%20%22report%22%231");
        assert_eq!((listed(&["a"]), listed(&["a", "b", "c"])), ("a".into(), "a, b and c".into()));
    }
}
