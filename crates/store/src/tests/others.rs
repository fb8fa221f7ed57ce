//! Other runs and other folders are refused and left unchanged.

use super::*;

#[test]
fn other_settings_seeds_and_programs_are_refused() {
    let stopped = stopped_run();
    let path = stopped.path();
    let shown = path.display();
    let before = names_in(path);
    let other_spec = SPEC_TEXT.replace("games = 40", "games = 1000");
    let as_other = |identity: Identity<'_>| refusal(open_as(path, &identity));
    assert_eq!(
        as_other(Identity { spec: &other_spec, ..identity() }),
        (format!("{shown} has other settings: games = 40 there, 1000 here"), true)
    );
    assert_eq!(
        as_other(Identity { seed: 8, ..identity() }),
        (format!("{shown} is a run with seed 7, not 8"), true)
    );
    assert_eq!(
        as_other(Identity { signature: 0xdef, ..identity() }),
        (
            format!(
                "{shown} was begun by a program that plays or learns differently (version 0.1.0; the stamp \
                 of its method is 0000000000000abc there, 0000000000000def here): it would not end with \
                 the same bytes"
            ),
            false
        )
    );
    // Without a manifest the checkpoint says it.
    let manifest = fs::read(path.join(MANIFEST)).unwrap();
    fs::remove_file(path.join(MANIFEST)).unwrap();
    let (message, usage) = as_other(Identity { signature: 0xdef, ..identity() });
    assert!(message.contains("0000000000000abc") && !usage, "{message}");
    // Without a spec the manifest says it.
    fs::write(path.join(MANIFEST), manifest).unwrap();
    fs::remove_file(path.join(SPEC)).unwrap();
    let (message, usage) = as_other(Identity { spec: &other_spec, ..identity() });
    assert!(message.contains(" has other settings: the hash is ") && usage, "{message}");
    let opened = open(path).unwrap();
    assert_eq!(generation(&opened.progress), 3);
    assert_eq!(names_in(path), before);
}

#[test]
fn another_version_with_the_same_signature_goes_on() {
    let (stopped, whole) = (stopped_run(), whole_outcome());
    let newer = Identity { version: "0.2.0", ..identity() };
    let mut opened = open_as(stopped.path(), &newer).unwrap();
    go_on(&mut opened, LAST, |_| ()).unwrap();
    drop(opened);
    assert_eq!(outcome(stopped.path()), whole);
    // A finished run is finished for every program.
    let other = Identity { signature: 0xdef, ..identity() };
    let opened = open_as(stopped.path(), &other).unwrap();
    assert!(matches!(opened.progress, Stage::Finished { .. }));
}

#[test]
fn newer_files_are_refused_and_left_alone() {
    let stopped = stopped_run();
    let manifest = stopped.path().join(MANIFEST);
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"version\": 1", "\"version\": 2")).unwrap();
    let (message, usage) = refusal(open(stopped.path()));
    assert!(message.contains("manifest.json: version 2 is newer than this program"), "{message}");
    assert!(!usage);
    fs::write(&manifest, text).unwrap();
    let good = fs::read(stopped.path().join(CHECKPOINT)).unwrap();
    let mut content = good[..good.len() - 32].to_vec();
    content[8] = 9;
    let newer = [&content[..], blake3::hash(&content).as_bytes()].concat();
    fs::write(stopped.path().join(CHECKPOINT), &newer).unwrap();
    let (message, usage) = refusal(open(stopped.path()));
    assert!(message.contains("checkpoint.bin: version 9 is newer than this program"), "{message}");
    assert!(!usage);
    assert_eq!(fs::read(stopped.path().join(CHECKPOINT)).unwrap(), newer);
}

#[test]
fn folders_of_others_are_refused_and_left_alone() {
    let folder = scratch();
    let path = folder.path();
    let refused = |found: &str| {
        let before = names_in(path);
        let expected = format!("{} holds something else ({found})", path.display());
        assert_eq!(refusal(open(path)), (expected.clone(), true));
        assert_eq!(names_in(path), before);
        let study = Study::open(path, "es", SPEC_TEXT, &[1], &mut || true).unwrap_err();
        assert_eq!((study.to_string(), study.is_usage()), (expected, true));
        assert_eq!(names_in(path), before);
    };
    for name in ["thesis.tex", METRICS, CHECKPOINT, MANIFEST] {
        fs::write(path.join(name), "{\"manifest_version\": 3}").unwrap();
        refused(name);
        fs::remove_file(path.join(name)).unwrap();
    }
    fs::create_dir(path.join("1")).unwrap();
    refused("1");
    fs::remove_dir(path.join("1")).unwrap();
    let file = path.join("file");
    fs::write(&file, "").unwrap();
    let (message, usage) = refusal(open(&file));
    assert!(message.ends_with("holds something else (not a folder)"));
    assert!(usage);
    let (message, usage) = refusal(open(&file.join("run")));
    assert!(message.starts_with("cannot create folder ") && !usage, "{message}");
    fs::remove_file(&file).unwrap();
    // The files of a run that was killed at its very beginning.
    for name in ["lock", "spec.toml.tmp", "metrics.csv.tmp"] {
        fs::write(path.join(name), "").unwrap();
    }
    assert_eq!(open(path).unwrap().progress, Stage::New);
    // Notes beside a run are ignored.
    fs::write(path.join("notes.txt"), "").unwrap();
    assert!(open(path).is_ok());
}
