//! Whole numbers as people write them.

/// Reads a whole number: 1000000, 1_000_000, 1,000,000, 1e6, 1000k or 1M.
pub fn parse_whole(text: &str) -> Option<u64> {
    let text = text.trim();
    let mut plain = ungrouped(text)?.replace('_', "");
    for (unit, power) in [("k", "e3"), ("M", "e6")] {
        if let Some(number) = plain.strip_suffix(unit).filter(|number| !number.contains(['e', 'E']))
        {
            plain = format!("{number}{power}");
        }
    }
    let all_digits = |text: &str| text.chars().all(|digit| digit.is_ascii_digit());
    if all_digits(&plain) {
        return plain.parse().ok();
    }
    let (digits, power) = plain.split_once(['e', 'E'])?;
    let power: i32 = power.parse().ok().filter(|power| (0..=18).contains(power))?;
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let zeros = usize::try_from(power).ok()?.checked_sub(part.len())?;
    let is_number = !whole.is_empty() && all_digits(whole) && all_digits(part);
    is_number.then(|| format!("{whole}{part}{}", "0".repeat(zeros)))?.parse().ok()
}

/// The text without the commas between groups of three digits. Other commas separate the members
/// of a list: `1,5` is not 15.
fn ungrouped(text: &str) -> Option<String> {
    let (first, groups) = match text.split_once(',') {
        None => return Some(text.into()),
        Some((first, rest)) => (first, rest.split(',').collect::<Vec<_>>()),
    };
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let is_first = (1..=3).contains(&first.len()) && digits(first) == first.len();
    let (last, others) = groups.split_last()?;
    let is_grouped = others.iter().all(|group| group.len() == 3 && digits(group) == 3);
    (is_first && is_grouped && digits(last) == 3).then(|| text.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_as_people_write_them() {
        for text in ["1000000", "1_000_000", "1,000,000", "1e6", "1E6", "0.1e7", "1M", "1,000k"] {
            assert_eq!(parse_whole(text), Some(1_000_000), "{text}");
        }
        for text in [
            "", "e6", "1e", "1.5e0", "1e-3", "1e19", "-1", "x", "1e6e6", "1.2.3e4", "1.5", "M",
            "1e3k", "1,5", "1,0000", "20,10", ",100", "1,,000", "1000,000",
        ] {
            assert_eq!(parse_whole(text), None, "{text}");
        }
        assert_eq!(parse_whole("99e18"), None);
    }
}
