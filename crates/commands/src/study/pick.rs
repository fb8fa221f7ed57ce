//! Which pieces a process does, as people and schedulers say it: `3`, `10..19`, `3,7,12..14`,
//! `7/40` (one of forty shares), `env` (the number of this task of an array) and `env/40`.

use std::collections::BTreeSet;

use crate::Error;

/// The variables in which schedulers give a task its number, and whose they are.
pub const VARIABLES: [(&str, &str); 8] = [
    ("OUTFLANK_PIECE", "yours"),
    ("SLURM_ARRAY_TASK_ID", "Slurm"),
    ("JOB_COMPLETION_INDEX", "Kubernetes"),
    ("PBS_ARRAY_INDEX", "PBS"),
    ("PBS_ARRAYID", "Torque"),
    ("HQ_TASK_ID", "HyperQueue"),
    ("LSB_JOBINDEX", "LSF"),
    ("SGE_TASK_ID", "Grid Engine"),
];

/// Reads which pieces are meant. `work` has the size of each piece that shares are made of, by its
/// number; `all` is the number of pieces.
pub fn pick(
    text: &str,
    all: usize,
    work: &[(usize, u64)],
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<BTreeSet<usize>, Error> {
    let text = text.trim();
    let text = match text.strip_prefix("env") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            format!("{}{rest}", of_task(variable)?)
        }
        _ => text.to_owned(),
    };
    if let Some((share, of)) = text.split_once('/') {
        return shared(share, of, &text, work);
    }
    let mut picked = BTreeSet::new();
    for part in text.split(',').map(str::trim) {
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let number = |text: &str| {
            text.trim().parse::<usize>().map_err(|_| {
                Error::Usage(format!(
                    "piece {part:?}: expected numbers, e.g. 3 or 10..19, a share, e.g. 7/40, or \
                     env"
                ))
            })
        };
        let (first, last) = (number(first)?, number(last.strip_prefix('=').unwrap_or(last))?);
        if first > last {
            return Err(Error::Usage(format!(
                "pieces {part} run backwards; did you mean {last}..{first}?"
            )));
        }
        if last >= all {
            return Err(Error::Usage(format!(
                "there is no piece {last}: this study has pieces 0..{}; --pieces lists them",
                all.saturating_sub(1)
            )));
        }
        picked.extend(first..=last);
    }
    Ok(picked)
}

/// The number that the scheduler gave this task.
fn of_task(variable: &dyn Fn(&str) -> Option<String>) -> Result<u64, Error> {
    let found = VARIABLES.iter().find_map(|(name, _)| Some((name, variable(name)?)));
    let Some((name, value)) = found else {
        let names: Vec<&str> = VARIABLES.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        return Err(Error::Usage(format!(
            "no scheduler says which piece this task is to do: none of {names} is set; expected a \
             number, e.g. --piece 3"
        )));
    };
    // Grid Engine says `undefined` outside of arrays.
    value.trim().parse().map_err(|_| {
        Error::Usage(format!("{name} = {value:?}, expected the number of a task of an array"))
    })
}

/// One of several shares of about the same work: the largest pieces first, each to the share that
/// has least so far. Every process divides alike.
fn shared(
    share: &str,
    of: &str,
    text: &str,
    work: &[(usize, u64)],
) -> Result<BTreeSet<usize>, Error> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let (Some(share), Some(of)) = (number(share), number(of).filter(|of| *of > 0)) else {
        return Err(Error::Usage(format!("piece {text:?}: expected a share, e.g. 7/40")));
    };
    if share >= of {
        let last = of - 1;
        return Err(Error::Usage(format!(
            "there is no share {text}: {of} shares are 0/{of} to {last}/{of}"
        )));
    }
    Ok(shares(work, of).swap_remove(share).into_iter().collect())
}

/// Pieces in this many shares of about the same work.
pub fn shares(work: &[(usize, u64)], of: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<(usize, u64)> = work.to_vec();
    order.sort_by_key(|(number, work)| (std::cmp::Reverse(*work), *number));
    let mut shares = vec![Vec::new(); of];
    let mut loads: BTreeSet<(u64, usize)> = (0..of).map(|share| (0, share)).collect();
    for (number, work) in order {
        let (load, share) = loads.pop_first().expect("there is a share");
        shares[share].push(number);
        loads.insert((load.saturating_add(work.max(1)), share));
    }
    shares.iter_mut().for_each(|share| share.sort_unstable());
    shares
}

/// Numbers as people write them: `1..3, 7`.
pub fn ranges(numbers: impl IntoIterator<Item = usize>) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let text = |(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        1 => format!("{first},{last}"),
        _ => format!("{first}..{last}"),
    };
    parts.iter().map(text).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(text: &str, set: &[(&str, &str)]) -> Result<Vec<usize>, String> {
        let variable =
            |name: &str| set.iter().find(|(own, _)| *own == name).map(|(_, v)| v.to_string());
        let work: Vec<(usize, u64)> = (0..20).map(|number| (number, 10)).collect();
        let picked = pick(text, 25, &work, &variable).map_err(|error| error.to_string())?;
        Ok(picked.into_iter().collect())
    }

    #[test]
    fn pieces_are_named_by_numbers_shares_and_variables() {
        assert_eq!(picked("3", &[]).unwrap(), [3]);
        assert_eq!(picked("10..12, 24,0", &[]).unwrap(), [0, 10, 11, 12, 24]);
        assert_eq!(picked("1/20", &[]).unwrap(), [1]);
        let halves = [picked("0/2", &[]).unwrap(), picked("1/2", &[]).unwrap()].concat();
        assert_eq!(halves.len(), 20, "shares are of what was asked for, without rest");
        for (name, _) in VARIABLES {
            assert_eq!(picked("env", &[(name, "7")]).unwrap(), [7], "{name}");
            assert_eq!(picked("env/20", &[(name, "7")]).unwrap(), [7], "{name}");
        }
        assert_eq!(ranges(picked("0..3,5,7,8", &[]).unwrap()), "0..3,5,7,8");
    }

    #[test]
    fn what_cannot_be_meant_is_explained() {
        let problem = |text: &str| picked(text, &[]).unwrap_err();
        assert!(problem("25").contains("no piece 25: this study has pieces 0..24"));
        assert!(problem("9..3").contains("did you mean 3..9"));
        assert!(problem("40/40").contains("40 shares are 0/40 to 39/40"));
        assert!(problem("env").contains("none of OUTFLANK_PIECE, SLURM_ARRAY_TASK_ID"));
        for bad in ["", "x", "1..", "-1", "1/0", "1/x", "1.5", "3,"] {
            assert!(problem(bad).contains("expected"), "{bad}: {}", problem(bad));
        }
        let undefined = picked("env", &[("SGE_TASK_ID", "undefined")]).unwrap_err();
        assert!(undefined.contains("SGE_TASK_ID = \"undefined\""), "{undefined}");
    }

    #[test]
    fn shares_have_about_the_same_work() {
        let work = [(0, 100), (1, 10), (2, 10), (3, 10), (4, 60), (5, 30)];
        assert_eq!(shares(&work, 2), [vec![0, 2], vec![1, 3, 4, 5]]);
        assert_eq!(shares(&work[..1], 3), [vec![0], vec![], vec![]]);
    }
}
