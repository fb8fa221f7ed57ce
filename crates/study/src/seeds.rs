//! Seeds as people write them: `1..30`, `4`, `1,3,7..9`.

/// More seeds are a mistake.
const MOST: u64 = 1_000_000;

/// Reads a list of seeds and ranges, both ends included; an error says what was expected.
pub fn parse_seeds(text: &str) -> Result<Vec<u64>, String> {
    let expected = || "seeds as in 1..30 or 1,2,7..9".to_owned();
    let mut seeds = Vec::new();
    for part in text.split(',').map(str::trim) {
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| expected());
        let (first, last) = match part.split_once("..") {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(part)?, number(part)?),
        };
        if last < first {
            return Err(format!("the smaller seed first in {part}"));
        }
        if last - first >= MOST || seeds.len() as u64 + (last - first) >= MOST {
            return Err(format!("at most {MOST} seeds"));
        }
        seeds.extend(first..=last);
    }
    let all = seeds.len();
    let mut unique = seeds.clone();
    unique.sort_unstable();
    unique.dedup();
    if unique.len() < all {
        return Err("each seed once".into());
    }
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_numbers_and_ranges() {
        assert_eq!(parse_seeds("1..3, 7").unwrap(), [1, 2, 3, 7]);
        for wrong in ["", "a", "3..1", "1,1", "1..3,2", "0..18446744073709551615", "1.."] {
            assert!(parse_seeds(wrong).is_err(), "{wrong}");
        }
    }
}
