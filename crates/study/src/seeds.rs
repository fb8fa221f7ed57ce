//! Lists of seeds as people write them: `7`, `1..30` (both included), `1..5,8,11..12`.

/// More runs than anyone would start at once.
const MAX_SEEDS: usize = 100_000;

/// Reads a list of seeds.
pub fn parse_seeds(text: &str) -> Result<Vec<u64>, String> {
    let mut seeds = Vec::new();
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let number = |text: &str| {
            text.trim().parse::<u64>().map_err(|_| {
                format!("{text:?} is not a list of seeds; expected whole numbers, e.g. 7 or 1..30")
            })
        };
        let (first, last) = (number(first)?, number(last.strip_prefix('=').unwrap_or(last))?);
        if first > last {
            return Err(format!("{part} runs backwards; did you mean {last}..{first}?"));
        }
        if last - first >= (MAX_SEEDS - seeds.len()) as u64 {
            return Err(format!("more than {MAX_SEEDS} seeds"));
        }
        seeds.extend(first..=last);
    }
    let mut sorted = seeds.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("seed {} appears twice", pair[0]));
    }
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_seeds_are_read() {
        assert_eq!(parse_seeds("7").unwrap(), [7]);
        assert_eq!(parse_seeds("1..3").unwrap(), [1, 2, 3]);
        assert_eq!(parse_seeds("1..2, 9, 4..4").unwrap(), [1, 2, 9, 4]);
        let largest = u64::MAX.to_string();
        assert_eq!(parse_seeds(&largest).unwrap(), [u64::MAX]);
    }

    #[test]
    fn bad_lists_are_explained() {
        assert_eq!(parse_seeds("5..1").unwrap_err(), "5..1 runs backwards; did you mean 1..5?");
        assert_eq!(parse_seeds("1..3,2").unwrap_err(), "seed 2 appears twice");
        for bad in ["", "x", "1..", "..3", "-1..3", "1...3", "1.5", "1..3,"] {
            let problem = parse_seeds(bad).unwrap_err();
            assert!(problem.contains("expected whole numbers"), "{bad}: {problem}");
        }
        assert_eq!(parse_seeds("1..1000000").unwrap_err(), "more than 100000 seeds");
        assert_eq!(parse_seeds("0..18446744073709551615").unwrap_err(), "more than 100000 seeds");
    }
}
