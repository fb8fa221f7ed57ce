//! The studies that come with the program: they can be read at any size, and have every value that
//! their papers published.

use std::collections::BTreeSet;
use std::path::PathBuf;

use outflank_learn::OPPONENTS;
use outflank_study::{Design, Needs, Shrink, Source};

/// Each study with the number of values that its paper published.
const PAPERS: [(&str, usize); 5] = [
    ("hybrid2007", 24),
    ("ctdl2009", 38),
    ("sampling2013", 34),
    ("neuro2008", 70),
    ("swarm2012", 57),
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../studies")
}

fn read(name: &str, scale: f64) -> Design {
    let path = folder().join(format!("{name}.toml"));
    let shrink = Shrink { scale, ..Shrink::default() };
    Design::read(&path, &shrink).unwrap_or_else(|error| panic!("{error}"))
}

fn all() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let studies = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    studies.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_study_can_be_read_at_any_size() {
    for name in all() {
        let (full, small) = (read(&name, 1.0), read(&name, 0.02));
        assert_eq!(full.cases.len(), small.cases.len(), "{name}");
        let games = |design: &Design| -> u64 {
            design.cases.iter().map(|case| case.method.spec.games * case.seeds.len() as u64).sum()
        };
        // Cases of few runs keep them, so it is not quite a fiftieth.
        assert!(games(&small) < games(&full) / 10, "{name}: {} games", games(&small));
    }
}

#[test]
fn every_published_value_can_be_repeated_alone() {
    for name in all() {
        let full = read(&name, 1.0);
        for value in &full.file.value {
            let mut part = full.clone();
            let only = full.only_for(value);
            part.only(std::slice::from_ref(&only)).unwrap();
            let stays = part.file.value.iter().any(|own| own.what == value.what);
            assert!(stays, "{name}: --only {only:?} leaves {:?} out", value.printed);
        }
    }
}

#[test]
fn every_published_value_is_there_once() {
    let known: BTreeSet<String> = PAPERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(known, all().into_iter().collect(), "a study without a number of values");
    for (name, values) in PAPERS {
        let file = read(name, 1.0).file;
        assert_eq!(file.value.len(), values, "{name}");
        let mut wordings = BTreeSet::new();
        for value in &file.value {
            assert!(wordings.insert((&value.printed, &value.what)), "{name}: {} twice", value.what);
        }
    }
}

#[test]
fn every_case_is_used() {
    for name in all() {
        let design = read(&name, 1.0);
        let needs = design.needs();
        let contests = &design.file;
        let teams = contests.tournament.iter().flat_map(|one| &one.cases);
        let profiled = contests.profile.iter().flat_map(|one| &one.cases);
        let Needs { cases, .. } = &needs;
        let used: BTreeSet<&String> =
            cases.iter().map(|(_, case)| case).chain(teams).chain(profiled).collect();
        for case in &design.cases {
            let grid = case.grid.as_ref().is_some_and(|grid| used.contains(grid));
            let is_used = used.contains(&case.name) || grid || !case.reading.is_empty();
            assert!(is_used, "{name}: nothing shows the case {}", case.name);
        }
    }
}

#[test]
fn every_probe_that_is_named_is_measured() {
    for name in all() {
        let design = read(&name, 1.0);
        let plain = |name: &str| name.split('@').next().unwrap_or_default().to_owned();
        let measured = |case: &str, probe: &str| {
            let case = design.case(case).unwrap_or_else(|| panic!("{name}: there is no {case}"));
            let spec = &case.method.spec;
            let fixed = spec.opponents.fixed.as_ref().map_or(&[][..], |fixed| &fixed.players[..]);
            let met = |player: &str| fixed.iter().any(|one| plain(one.as_ref()) == player);
            let own = spec.probes.vs.iter().any(|one| {
                let bare = plain(one.as_ref());
                bare == probe || **one == *probe || bare == OPPONENTS && met(probe)
            });
            let over = spec.probes.front.iter().any(|one| format!("front:{}", &**one) == probe);
            let noted = spec.probes.also.iter().any(|one| one.to_string() == probe);
            probe.is_empty() || own || over || noted
        };
        for value in &design.file.value {
            let sources = std::iter::once(&value.ours).chain(value.tried.iter().map(|t| &t.ours));
            for source in sources {
                let (probe, other) = match source {
                    Source::Final(one) => (one.probe.clone(), one.minus_probe.clone()),
                    Source::Spread(one) => (one.probe.clone(), String::new()),
                    Source::Reach(one) => (one.probe.clone(), String::new()),
                    Source::Test(one) => (one.probe.clone(), String::new()),
                    Source::Order(one) => (one.probe.clone(), String::new()),
                    _ => continue,
                };
                for (_, case) in source.needs().cases {
                    let is_measured = measured(&case, &probe) && measured(&case, &other);
                    assert!(is_measured, "{name}: {}: {case} has no {probe} {other}", value.what);
                }
            }
        }
    }
}
