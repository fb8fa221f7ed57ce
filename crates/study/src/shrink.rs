//! A study made smaller, to try it in minutes.

use outflank_learn::Spec;

/// How much smaller a study is than it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Shrink {
    /// Its effort as a share of that in the file: 0.05 trains about a twentieth of the games.
    pub scale: f64,
    /// Use at most this many of each case's seeds.
    pub runs: Option<usize>,
    /// Train at most this many games in each run.
    pub games: Option<u64>,
}

/// A case keeps at least this many runs, if it has them, so that means have intervals.
const FEWEST_RUNS: usize = 3;
/// A run keeps at least this many probes, if it has them, so that there are curves.
const FEWEST_PROBES: u64 = 5;

/// Games of a probe that more probes than there would be leave at least.
const SMALLEST_PROBE: u64 = 200;

impl Default for Shrink {
    fn default() -> Shrink {
        Shrink { scale: 1.0, runs: None, games: None }
    }
}

impl Shrink {
    /// Says whether the study is as it is written.
    pub fn is_full(&self) -> bool {
        *self == Shrink::default()
    }

    /// The seeds of a smaller case, and the settings that differ: both the number of runs and their
    /// games shrink, by about the same factor.
    pub fn of(&self, spec: &Spec, seeds: &[u64]) -> (Vec<u64>, Vec<String>) {
        let all = seeds.len();
        let root = self.scale.sqrt();
        let mut runs = ((all as f64 * root).ceil() as usize).max(FEWEST_RUNS.min(all)).min(all);
        runs = runs.min(self.runs.unwrap_or(runs)).max(1);
        let share = (self.scale * all as f64 / runs as f64).min(1.0);
        let mut set = Vec::new();
        // The stages before shrink as well.
        let stages = std::iter::successors(Some(spec), |spec| spec.before.get());
        for (depth, spec) in stages.enumerate() {
            set.extend(self.shorter(spec, share, &"before.".repeat(depth)));
        }
        (seeds[..runs].to_vec(), set)
    }

    /// The settings of a shorter run, for keys that begin like this. If it is too short for its
    /// goal, what comes after goes on from where it is.
    fn shorter(&self, spec: &Spec, share: f64, at: &str) -> Vec<String> {
        let (games, mut left) = (spec.games, spec.games);
        if self.scale < 1.0 {
            left = (games as f64 * share).round() as u64;
            // Two generations, so that something is selected.
            left = left.max(2 * spec.games_per_generation()).min(games);
        }
        left = left.min(self.games.unwrap_or(left)).max(1);
        let mut set = Vec::new();
        if left != games {
            set.push(format!("{at}games={left}"));
            let every = spec.probes.every;
            if every > 0 && left / every < FEWEST_PROBES {
                set.push(format!("{at}probes.every={}", (left / FEWEST_PROBES).max(1)));
                // More probes than there would be are smaller, so that they take the same share.
                let less = (left as f64 / every as f64 / FEWEST_PROBES as f64).min(1.0);
                let smaller = |size: u64| (size as f64 * less).max(SMALLEST_PROBE as f64) as u64;
                let (games, sample) = (spec.probes.games, spec.probes.sample);
                if games > SMALLEST_PROBE {
                    set.push(format!("{at}probes.games={}", smaller(games) / 2 * 2));
                }
                if sample > SMALLEST_PROBE {
                    set.push(format!("{at}probes.sample={}", smaller(sample)));
                }
            }
            if spec.until.is_some() {
                set.push(format!("{at}until.otherwise=go-on"));
            }
        }
        set
    }

    /// What every output says about it; nothing if no size was asked for. Whether there are fewer
    /// runs than written, and fewer games, is seen in the cases: a limit may be above all of them.
    pub fn note(&self, fewer_runs: bool, fewer_games: bool) -> Option<String> {
        if self.is_full() {
            return None;
        }
        let mut parts = Vec::new();
        if self.scale < 1.0 {
            parts.push(format!("at scale {}", self.scale));
        }
        if let Some(runs) = self.runs {
            let s = if runs == 1 { "" } else { "s" };
            parts.push(format!("with at most {runs} run{s} of each case"));
        }
        if let Some(games) = self.games {
            parts.push(format!("with at most {games} games in a run"));
        }
        let asked = parts.join(" and ");
        let what = match (fewer_runs, fewer_games) {
            // Opponents of profiles go by the scale, too.
            (false, false) if self.scale < 1.0 => "all runs and games, with smaller profiles",
            (false, false) => {
                return Some(format!(
                    "This study has its full size: {asked}, it has as many runs and games as are \
                     written in it."
                ));
            }
            (true, true) => "fewer runs and fewer games in a run",
            (true, false) => "fewer runs, with all their games",
            (false, true) => "all runs, with fewer games",
        };
        Some(format!(
            "This is a smaller study, {asked}: {what}. It shows that everything works, not what \
             the full study would find."
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_learn::resolve;

    #[test]
    fn runs_and_games_shrink_together() {
        let spec = resolve("ctdl-hof", &[]).unwrap().spec;
        let seeds: Vec<u64> = (1..=30).collect();
        let of = |scale| Shrink { scale, ..Shrink::default() }.of(&spec, &seeds);
        assert_eq!(of(1.0), (seeds.clone(), vec![]));
        let (few, set) = of(0.02);
        assert_eq!((few.len(), &*set[0]), (5, "games=540000"));
        let (fewest, set) = of(1e-9);
        assert_eq!(fewest, [1, 2, 3]);
        assert_eq!(set[0], format!("games={}", 2 * spec.games_per_generation()));
        assert!(set[1].starts_with("probes.every="), "{set:?}");
        // Five probes in place of a ninth of one.
        assert_eq!(set[2..], ["probes.games=200", "probes.sample=561"]);
        // A number of runs or games is a limit, whatever the scale.
        let shrink = Shrink { scale: 1.0, runs: Some(2), games: Some(100_000) };
        assert_eq!(shrink.of(&spec, &seeds).0, [1, 2]);
        assert_eq!(shrink.of(&spec, &[4]).1[0], "games=100000");
    }

    #[test]
    fn a_note_says_what_is_smaller() {
        assert_eq!(Shrink::default().note(false, false), None);
        let note = |shrink: &Shrink, runs, games| shrink.note(runs, games).unwrap();
        let shrink = Shrink { scale: 0.5, runs: Some(2), games: Some(100) };
        let both = note(&shrink, true, true);
        assert!(both.starts_with("This is a smaller study, at scale 0.5 and with"), "{both}");
        assert!(both.contains("at most 2 runs of each case and with at most 100 games"), "{both}");
        assert!(both.contains("fewer runs and fewer games"), "{both}");
        let many = Shrink { runs: Some(100), ..Shrink::default() };
        assert!(note(&many, true, false).contains("fewer runs, with all their games"));
        let full = note(&many, false, false);
        assert!(full.starts_with("This study has its full size: with at most 100 runs"), "{full}");
    }
}
