//! Claims about the order of cases: `a > b ~ c`.

use outflank_lab::{SIGNIFICANCE, Sample, Tail, holm, welch};
use outflank_schema::table;

use super::{Find, Needs};
use crate::evidence::{CaseResults, Evidence};
use crate::finding::{Finding, Outcome, Tested};

table! {
/// A claim about the order of cases.
pub struct OrderSource {
    /// Cases from the best to the worst. `a > b`: a is significantly better. `a ~ b`: they do not
    /// differ significantly. `a, b`: nothing is said of the two. `a > b; c > d`: two claims.
    pub claim: String,
    /// The probe; the first of each case if it is empty.
    pub probe: String = String::new(),
    /// After this many training games; at the end if it is 0.
    pub at: u64 = 0,
    /// The tournament whose points decide, instead of a probe.
    pub tournament: String = String::new(),
}
}

/// The cases of a claim, and what stands between each and the next.
type Claim = (Vec<String>, Vec<Said>);

/// What a claim says of two cases, the first of which is named earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Above,
    Level,
    Nothing,
}

impl OrderSource {
    fn parts(&self) -> Result<Vec<Claim>, String> {
        self.claim.split(';').map(|claim| self.part(claim)).collect()
    }

    fn part(&self, claim: &str) -> Result<Claim, String> {
        let (mut names, mut signs) = (vec![String::new()], Vec::new());
        for letter in claim.chars() {
            let sign = match letter {
                '>' => Said::Above,
                '~' => Said::Level,
                ',' => Said::Nothing,
                letter => {
                    names.last_mut().expect("there is a first name").push(letter);
                    continue;
                }
            };
            signs.push(sign);
            names.push(String::new());
        }
        let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
        if names.len() < 2 || names.iter().any(String::is_empty) {
            return Err(format!(
                "claim = {:?}, expected cases with >, ~ or a comma between them",
                self.claim
            ));
        }
        Ok((names, signs))
    }

    /// What is wrong with the text of the claim.
    pub fn problem(&self) -> Option<String> {
        self.parts().err()
    }

    /// What the claim says of each pair: with a > anywhere between them, the first is above; with
    /// nothing but ~, they are level.
    fn pairs(names: usize, signs: &[Said]) -> Vec<(usize, usize, Said)> {
        let mut pairs = Vec::new();
        for first in 0..names {
            for second in first + 1..names {
                let between = &signs[first..second];
                let said = if between.contains(&Said::Above) {
                    Said::Above
                } else if between.iter().all(|sign| *sign == Said::Level) {
                    Said::Level
                } else {
                    continue;
                };
                pairs.push((first, second, said));
            }
        }
        pairs
    }

    /// The value of each case with its sample.
    fn samples(&self, evidence: &Evidence, names: &[String]) -> Result<Vec<Sample>, String> {
        let of = |name: &String| -> Result<Sample, String> {
            if self.tournament.is_empty() {
                let case = evidence.case(name)?;
                return Ok(Sample::of(&case.values(&case.probe(&self.probe)?, self.at)?));
            }
            let found: Finding = evidence.whole_tournament(&self.tournament)?.points(name)?;
            let (error, _) = found.error.ok_or("a team of one player has no spread")?;
            Ok(Sample { n: found.n, mean: found.value, variance: error * error * found.n as f64 })
        };
        if self.tournament.is_empty() {
            let probe = |name: &String| evidence.case(name)?.probe(&self.probe);
            let probes: Vec<String> = names.iter().map(probe).collect::<Result<_, _>>()?;
            let kinds: Vec<&str> = probes.iter().map(|probe| CaseResults::kind(probe)).collect();
            if kinds.iter().any(|kind| *kind != kinds[0]) {
                return Err(format!("{} are not comparable; name a probe", probes.join(" and ")));
            }
        }
        let samples: Vec<Sample> = names.iter().map(of).collect::<Result<_, _>>()?;
        if samples.iter().any(|sample| sample.n < 2) {
            return Err("a claim is tested with two runs of each case, or more".into());
        }
        Ok(samples)
    }

    fn found(&self, evidence: &Evidence) -> Result<Tested, String> {
        let mut tested = Vec::new();
        for (names, signs) in self.parts()? {
            let samples = self.samples(evidence, &names)?;
            tested.push((names, signs, samples));
        }
        // One correction for all pairs of all claims.
        let mut pairs = Vec::new();
        for (claim, (names, signs, _)) in tested.iter().enumerate() {
            let own = OrderSource::pairs(names.len(), signs);
            pairs.extend(own.into_iter().map(|(a, b, said)| (claim, a, b, said)));
        }
        let test = |&(claim, a, b, _): &(usize, usize, usize, Said)| {
            let samples = &tested[claim].2;
            welch(&samples[a], &samples[b], Tail::TwoSided).map_or(1.0, |test| test.p)
        };
        let corrected = holm(&pairs.iter().map(test).collect::<Vec<f64>>());
        let (mut holds, mut is_possible) = (true, true);
        for (&(claim, a, b, said), p) in pairs.iter().zip(&corrected) {
            let samples = &tested[claim].2;
            let above = samples[a].mean > samples[b].mean;
            let differs = *p < SIGNIFICANCE;
            let (is_so, may_be) = match said {
                Said::Above => (above && differs, above),
                Said::Level => (!differs, !differs),
                Said::Nothing => (true, true),
            };
            holds &= is_so;
            is_possible &= may_be;
        }
        let found: Vec<String> =
            tested.iter().map(|(names, _, samples)| self.ours(names, samples)).collect();
        let n = tested.iter().flat_map(|(.., samples)| samples).map(|sample| sample.n).min();
        Ok(Tested { found: found.join("; "), holds, is_possible, n: n.unwrap_or(0) })
    }

    /// Ours in the same notation, from the best to the worst.
    fn ours(&self, names: &[String], samples: &[Sample]) -> String {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| samples[b].mean.total_cmp(&samples[a].mean));
        // Corrected over all pairs of these cases.
        let pairs: Vec<(usize, usize)> =
            (0..order.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let test = |&(a, b): &(usize, usize)| {
            let test = welch(&samples[order[a]], &samples[order[b]], Tail::TwoSided);
            test.map_or(1.0, |test| test.p)
        };
        let corrected = holm(&pairs.iter().map(test).collect::<Vec<f64>>());
        let largest = samples.iter().map(|sample| sample.mean.abs()).fold(0.0, f64::max);
        let digits = match largest {
            ..1.0 => 3,
            1.0..1000.0 if self.tournament.is_empty() => 1,
            _ => 0,
        };
        let mut found = String::new();
        for (place, &index) in order.iter().enumerate() {
            if place > 0 {
                let own = pairs.iter().position(|pair| *pair == (place - 1, place));
                let differs = own.is_some_and(|own| corrected[own] < SIGNIFICANCE);
                found += if differs { " > " } else { " ~ " };
            }
            found += &format!("{} {:.digits$}", names[index], samples[index].mean);
        }
        // Where no neighbours differ, others may.
        let clearest = pairs.iter().zip(&corrected).min_by(|a, b| a.1.total_cmp(b.1));
        if let Some(((a, b), p)) = clearest
            && *p < SIGNIFICANCE
            && !found.contains(" > ")
        {
            found += &format!(" ({} > {})", names[order[*a]], names[order[*b]]);
        }
        found
    }
}

impl Find for OrderSource {
    fn find(&self, evidence: &Evidence) -> Outcome {
        self.found(evidence).into()
    }

    fn needs(&self) -> Needs {
        let parts = self.parts().unwrap_or_default();
        let names = parts.into_iter().flat_map(|(names, _)| names);
        let tournaments = match self.tournament.as_str() {
            "" => Vec::new(),
            name => vec![("tournament", name.to_owned())],
        };
        let cases: Vec<(&str, String)> = names.map(|name| ("claim", name)).collect();
        let probes = match self.tournament.as_str() {
            "" => {
                cases.iter().map(|(_, case)| ("probe", case.clone(), self.probe.clone())).collect()
            }
            _ => Vec::new(),
        };
        Needs { cases, tournaments, probes, ..Needs::default() }
    }

    fn sample() -> OrderSource {
        OrderSource {
            claim: "a > b".into(),
            probe: String::new(),
            at: 0,
            tournament: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_says_something_of_pairs_that_are_not_neighbours() {
        let claim = |text: &str| OrderSource { claim: text.into(), ..OrderSource::sample() };
        let (names, signs) = claim("a, b > c ~ d ~ e").parts().unwrap().remove(0);
        assert_eq!(names, ["a", "b", "c", "d", "e"]);
        let pairs = OrderSource::pairs(names.len(), &signs);
        assert!(!pairs.iter().any(|(a, b, _)| (*a, *b) == (0, 1)), "nothing is said of a and b");
        assert!(pairs.contains(&(0, 4, Said::Above)) && pairs.contains(&(2, 4, Said::Level)));
        assert_eq!(pairs.len(), 9);
        let two = claim("a > b; c ~ a").parts().unwrap();
        assert_eq!((two.len(), &two[1].0[1]), (2, &"a".to_owned()));
        for wrong in ["", "a", "a >", "> a", "a > > b", "a > b;"] {
            assert!(claim(wrong).problem().is_some(), "{wrong}");
        }
    }

    #[test]
    fn a_difference_of_cases_that_are_no_neighbours_is_named() {
        let names = ["a", "b", "c"].map(String::from);
        let ours = |means: [f64; 3]| {
            let samples = means.map(|mean| Sample::of(&[mean - 1.0, mean, mean + 1.0]));
            OrderSource::sample().ours(&names, &samples)
        };
        assert_eq!(ours([51.0, 49.0, 53.0]), "c 53.0 ~ a 51.0 ~ b 49.0 (c > b)");
        assert_eq!(ours([51.0, 50.0, 52.0]), "c 52.0 ~ a 51.0 ~ b 50.0");
        assert_eq!(ours([51.0, 40.0, 52.0]), "c 52.0 ~ a 51.0 > b 40.0");
    }

    #[test]
    fn means_have_digits_for_their_size() {
        let ours = |a: f64, b: f64| {
            let names = ["a", "b"].map(String::from);
            let samples = [a, b].map(|mean| Sample::of(&[0.9 * mean, 1.1 * mean]));
            OrderSource::sample().ours(&names, &samples)
        };
        assert_eq!(ours(0.3, 0.487), "b 0.487 ~ a 0.300");
        assert_eq!(ours(43.2, 41.04), "a 43.2 ~ b 41.0");
        assert_eq!(ours(229_876_783.6, 227_307_984.8), "a 229876784 ~ b 227307985");
    }
}
