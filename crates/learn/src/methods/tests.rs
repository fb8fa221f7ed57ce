use super::*;
use crate::{GamesSpec, LocalKind, LocalSpec, SearchSpec};

fn preset(name: &str) -> Method {
    resolve(name, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// A folder with these files, and the path of the first.
fn files(files: &[(&str, &str)]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let first = folder.path().join(files[0].0).to_str().unwrap().to_owned();
    (folder, first)
}

fn with(source: &str, overrides: &[&str]) -> Result<Method, SpecError> {
    resolve(source, &overrides.iter().map(ToString::to_string).collect::<Vec<_>>())
}

#[test]
fn every_preset_reads_back_from_what_is_written() {
    for Preset { name, .. } in PRESETS {
        let method = preset(name);
        assert_eq!(method.name, *name);
        assert!(!method.summary.is_empty() && method.paper.contains("section"), "{name}");
        let file_name = format!("{name}.toml");
        let (_folder, path) = files(&[(&file_name, &method.commented())]);
        assert_eq!(preset(&path), method);
        let bare = method.spec.to_toml();
        assert!(!bare.contains('#') && !bare.contains("summary"));
        let (_folder, path) = files(&[(&file_name, &bare)]);
        let read = preset(&path);
        assert_eq!((&read.spec, read.spec.to_toml()), (&method.spec, bare));
    }
}

#[test]
fn a_text_reads_as_the_same_text_in_a_file_but_names_no_file() {
    let text = "base = 'cel'\ngames = 5000\n";
    let (_folder, path) = files(&[("mine.toml", text)]);
    let set = ["search.population=8".to_string()];
    assert_eq!(
        resolve_text("mine", text, &set).unwrap(),
        with(&path, &["search.population=8"]).unwrap()
    );
    let message = |text: &str| resolve_text("mine", text, &[]).unwrap_err().to_string();
    assert_eq!(
        message(&format!("\nbase = '{path}'")),
        format!(
            "spec mine, line 2: base = {path:?}, expected a preset; only a spec in a file can name another file"
        )
    );
    let unknown = message("base = 'cell'");
    assert!(unknown.ends_with("unknown preset \"cell\": did you mean \"cel\"?"), "{unknown}");
}

#[test]
fn all_missing_keys_are_told_at_once_with_values_to_copy() {
    let message = |sets: &[&str]| with("rsel", sets).unwrap_err().to_string();
    let mlp = message(&["model.kind=mlp"]);
    let keys = "the keys hidden, activation, output, bias, view and from of model.kind = \"mlp\" are missing; preset ";
    assert!(mlp.contains(keys), "{mlp}");
    assert!(mlp.contains(" has hidden = [") && mlp.contains(", view = \""), "{mlp}");
    // The values in the message are enough.
    let (_, values) = mlp.split_once(" has ").unwrap();
    let sets = values.replace(", ", "\n");
    let sets = sets.lines().map(|set| format!("model.{}", set.replacen(" = ", "=", 1)));
    let sets: Vec<String> = ["model.kind=mlp".into()].into_iter().chain(sets).collect();
    assert_eq!(resolve("rsel", &sets).unwrap().spec.model.kind(), "mlp");
    let one = message(&["local={kind='td', games=1, alpha=0.01, epsilon=0.1}"]);
    let expected = "the key local.lambda is missing (decay of eligibility traces, 0 to 1); preset ";
    assert!(one.contains(expected) && one.ends_with(" has lambda = 0.0"), "{one}");
}

#[test]
fn a_whole_table_can_be_taken_from_a_preset() {
    let sets = ["model=preset:neat-canonical", "search=preset:neat-canonical"];
    let taken = with("rsel", &sets).unwrap().spec;
    let [from, base] = ["neat-canonical", "rsel"].map(|name| preset(name).spec);
    assert_eq!(taken, Spec { model: from.model, search: from.search, ..base });
    // The opponents are copied as a whole; those of the other preset are dropped.
    let taken = with("cel", &["opponents=preset:rsel", "opponents.games=4"]).unwrap().spec;
    assert!(taken.opponents.peers.is_none() && taken.opponents.games == 4);
    let message = |set: &str| with("rsel", &[set]).unwrap_err().to_string();
    let unknown = message("search=preset:neat-canonica");
    assert!(unknown.ends_with("did you mean \"neat-canonical\"?"), "{unknown}");
    assert!(message("games=preset:cel").ends_with("games is not a table, expected a value"));
}

#[test]
fn the_old_names_of_the_kinds_of_neat_are_refused() {
    // `neat` used to be the kind of the preset neat-canonical, and `anji` that of neat.
    for (preset, old) in [("neat", "anji"), ("neat", "neat"), ("neat-canonical", "neat")] {
        let message = with(preset, &[&format!("search.kind={old}")]).unwrap_err().to_string();
        assert!(message.contains("neat-anji or neat-canonical"), "{message}");
    }
    assert_eq!(preset("neat").spec.search.kind(), "neat-anji");
    assert_eq!(preset("neat-canonical").spec.search.kind(), "neat-canonical");
}

#[test]
fn a_method_that_stands_on_a_base_is_not_of_its_paper() {
    let (_folder, path) = files(&[
        ("mine.toml", "base = 'cel'\ngames = 5000"),
        ("next.toml", "base = 'mine.toml'\nsummary = 'longer'\npaper = 'Mine 2026'"),
        ("last.toml", "base = 'next.toml'"),
    ]);
    let lines = |name: &str| {
        let Method { summary, paper, .. } = preset(&path.replace("mine.toml", name));
        (summary, paper)
    };
    let based = format!("based on cel: {}", preset("cel").summary);
    assert_eq!(lines("mine.toml"), (based, String::new()));
    assert_eq!(lines("next.toml"), ("longer".into(), "Mine 2026".into()));
    assert_eq!(lines("last.toml"), ("based on next: longer".into(), String::new()));
}

#[test]
fn every_key_and_every_table_has_a_comment() {
    for Preset { name, .. } in PRESETS {
        let text = preset(name).commented();
        let mut lines = text.lines().skip_while(|line| !line.is_empty()).peekable();
        while let Some(line) = lines.next() {
            let next = lines.peek().copied().unwrap_or_default();
            let needs_one = !next.is_empty() && !next.starts_with('#');
            assert!(!needs_one || (line.starts_with("# ") && line.len() > 6), "{name}: {next}");
        }
    }
}

#[test]
fn presets_are_what_the_papers_say() {
    let spec = preset("ctdl-hof").spec;
    let SearchSpec::Ga(ga) = &spec.search else { panic!("a GA") };
    assert_eq!((ga.population, ga.tournament), (50, 5));
    assert_eq!(ga.mutation.bounds.map(f64::to_bits), [-1f64, 1.0].map(f64::to_bits));
    assert!(matches!(spec.local, LocalSpec::Td(_)));
    assert_eq!(spec.opponents.hall_of_fame.unwrap().sample, 50);
    let spec = preset("2cel-rs").spec;
    let tests = spec.opponents.tests.unwrap();
    let SearchSpec::Truncation(search) = tests.search else { panic!("truncation") };
    assert_eq!((search.population, search.elites, tests.beside), (26, 20, 25));
    assert_eq!(
        (search.mutation.rate.to_bits(), spec.opponents.random_wpc),
        (0.2f64.to_bits(), None)
    );
    let spec = preset("1cel-rs").spec;
    let peers = spec.opponents.peers.unwrap();
    assert_eq!((peers.sample, peers.itself, peers.shared), (25, true, true));
    let spec = preset("tdl").spec;
    assert!(matches!(spec.search, SearchSpec::Still(_)));
    assert_eq!((spec.opponents.games, spec.opponents.peers), (1, None));
}

#[test]
fn overrides_change_any_key() {
    let set = ["opponents.peers=false", "local.alpha=-0.01", "probes.vs=[\"random\"]"];
    let spec = with("ctdl-hof", &set).unwrap().spec;
    assert_eq!((spec.opponents.peers, spec.probes.vs), (None, vec!["random".into()]));
    let LocalSpec::Td(td) = spec.local else { panic!("TD") };
    assert_eq!(td.alpha.to_bits(), (-0.01f64).to_bits());
    let set = ["opponents.hall-of-fame.sample=20", "archive={kind='champions', capacity=7}"];
    assert_eq!(with("cel", &set).unwrap().spec.opponents.hall_of_fame.unwrap().sample, 20);
    // A text needs no quotes.
    assert_eq!(with("ctdl", &["local.kind = none"]).unwrap().spec, preset("cel").spec);
}

#[test]
fn files_of_games_that_have_no_end_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let huge = folder.path().join("huge.txt");
    std::fs::File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    let spec = resolve("tdl", &[]).unwrap().spec;
    for (path, problem) in [
        (huge.to_str().unwrap(), "larger than 256 MiB"),
        ("/dev/zero", "it is not a regular file"),
        ("/none", "No such file"),
    ] {
        let local = LocalSpec::Games(GamesSpec { files: vec![path.into()], ..GamesSpec::sample() });
        let error = run_text(&Spec { local, ..spec.clone() }).unwrap_err().to_string();
        assert!(error.contains(path) && error.contains(problem), "{error}");
    }
}
