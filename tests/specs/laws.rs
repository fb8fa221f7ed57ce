//! Laws of every preset, and of every accepted spec.

use super::*;

fn method(name: &str) -> Method {
    resolve(name, &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_preset_is_sound_and_reads_back() {
    let folder = Folder::new();
    for preset in PRESETS {
        let method = method(preset.name);
        assert_eq!(method.spec.check(), Ok(()));
        for text in [method.spec.to_toml(), method.commented()] {
            folder.write("copy.toml", &text);
            let path = folder.0.path().join("copy.toml");
            let read = resolve(path.to_str().unwrap(), &[]).unwrap();
            assert_eq!(read.spec, method.spec, "{}", preset.name);
            assert_eq!(read.spec.to_toml(), method.spec.to_toml());
        }
    }
}

fn step_once(run: &mut dyn AnyRun) -> u64 {
    let arena = Arena::new(Kernel::available()[0], 1).unwrap();
    let before = run.games();
    run.step(&arena, &|| false).unwrap();
    run.games() - before
}

#[test]
fn generations_have_as_many_games_as_are_foretold() {
    for preset in PRESETS {
        let spec = method(preset.name).spec;
        let foretold = spec.games_per_generation();
        let mut run = spec.begin(Seed(1)).unwrap();
        // In the first generation the hall of fame is empty.
        assert!(step_once(&mut *run) <= foretold);
        assert_eq!(step_once(&mut *run), foretold, "{}", preset.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_global_rejects: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A spec that is not refused can be run.
    #[test]
    fn sound_specs_run(
        preset in 0..PRESETS.len(),
        search in prop::sample::select(vec!["still", "es", "ga", "truncation"]),
        (mu, lambda, population, tournament) in (0..4u8, 0..4u8, 0..5u8, 0..5u8),
        sources in prop::collection::vec(prop::sample::select(vec![
            "opponents.peers=false", "opponents.peers.sample=2", "opponents.peers.itself=false",
            "opponents.peers.credit=both", "opponents.hall-of-fame.sample=2",
            "opponents.peers.shared=true", "opponents.hall-of-fame.shared=true",
            "search.mutation.beyond=redraw", "policy.ties=first", "policy.solve=5",
            "opponents.colour=black",
            "archive={kind='champions', capacity=1}", "archive.kind=none",
            "opponents.random-wpc.number=2", "opponents.random-wpc=false", "opponents.tests=false",
            "opponents.fixed.players=['heuristic', 'random', 'random-wpc']",
            "objective={kind='distinctions', directed=false}", "opponents.games=2", "opponents.games=1",
            "opponents.tests.search.mu=1", "opponents.tests.search.lambda=2",
            "opponents.tests.beside=1",
            "local={kind='td', games=2, alpha=-0.1, lambda=0.5, epsilon=0.2}", "local.games=0.5",
            "search.archive-parents=0.5", "policy.epsilon=0.3",
        ]), 0..6),
    ) {
        let mut sets = vec![
            "search.mutation={noise='uniform', rate=0.5, size=1, bounds=[-10, 10]}".to_string(),
            format!("search.kind={search}"),
        ];
        match search {
            "es" => sets.extend([format!("search.mu={mu}"), format!("search.lambda={lambda}")]),
            "ga" => sets.extend([
                format!("search.population={population}"),
                format!("search.tournament={tournament}"),
                "search.archive-parents=0".into(),
                "search.crossover=one-point".into(),
            ]),
            "truncation" => sets.extend([
                format!("search.population={population}"),
                format!("search.elites={tournament}"),
                "search.fresh=0.5".into(),
            ]),
            _ => {}
        }
        sets.extend(sources.iter().map(ToString::to_string));
        let method = resolve(PRESETS[preset].name, &sets);
        prop_assume!(method.is_ok());
        let spec = method.unwrap().spec;
        let most = spec.games_per_generation();
        let mut run = spec.begin(Seed(1)).unwrap();
        for _ in 0..2 {
            prop_assert!(step_once(&mut *run) <= most, "{sets:?}");
        }
    }

    /// Any content of a file or an override is either read or refused.
    #[test]
    fn noise_is_refused(noise in "\\PC{0,40}", line in 0..60usize, number in any::<f64>()) {
        let folder = Folder::new();
        let text = method("2cel-rs").commented();
        let mut lines: Vec<&str> = text.lines().collect();
        let line = line % lines.len();
        lines[line] = &noise;
        let path = folder.0.path().join("noise.toml");
        std::fs::write(&path, lines.join("\n")).unwrap();
        let _ = resolve(path.to_str().unwrap(), &[]);
        let _ = resolve("cel", std::slice::from_ref(&noise));
        let _ = resolve("cel", &[format!("games={noise}"), format!("search.mutation.size={number:?}")]);
        if let Err(error @ SpecError::Read { .. }) = resolve(path.to_str().unwrap(), &[]) {
            return Err(TestCaseError::fail(error.to_string()));
        }
    }
}
