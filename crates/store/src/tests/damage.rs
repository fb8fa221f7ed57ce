//! Damaged files are noticed, reported and repaired.

use super::super::faults::{Fault, with_fault};
use super::*;

#[test]
fn every_damage_of_a_checkpoint_is_noticed_and_the_one_before_used() {
    let (stopped, whole) = (stopped_run(), whole_outcome());
    let folder = scratch();
    let path = folder.path().join("run");
    let good = fs::read(stopped.path().join(CHECKPOINT)).unwrap();
    let flipped = (0..8 * good.len()).map(|bit| {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    });
    let cut = (0..good.len()).map(|length| good[..length].to_vec());
    let longer = (1..100).map(|more| [good.clone(), vec![0; more]].concat());
    for (case, bytes) in flipped.chain(cut).chain(longer).enumerate() {
        copy(stopped.path(), &path);
        fs::write(path.join(CHECKPOINT), bytes).unwrap();
        let mut opened = open(&path).unwrap();
        assert_eq!(generation(&opened.progress), 2, "case {case}");
        assert_eq!(opened.warnings.len(), 1);
        let warning = &opened.warnings[0];
        assert!(warning.contains("checkpoint.bin is unusable: "), "{warning}");
        assert!(warning.ends_with("; went back to the one before"), "{warning}");
        if case % 100 == 0 {
            go_on(&mut opened, LAST, |_| ()).unwrap();
            assert_eq!(outcome(&path), whole, "case {case}");
        }
    }
}

#[test]
fn killed_after_damage_the_one_before_is_not_lost() {
    let (stopped, whole) = (stopped_run(), whole_outcome());
    let folder = scratch();
    let path = folder.path().join("run");
    for at in 1.. {
        copy(stopped.path(), &path);
        fs::write(path.join(CHECKPOINT), "damaged").unwrap();
        let (_, reached) = with_fault(Fault::From(at), Tear::Half, || {
            open(&path).and_then(|mut opened| go_on(&mut opened, LAST, |_| ()))
        });
        if !reached {
            break;
        }
        let mut opened = open(&path).unwrap();
        assert!(generation(&opened.progress) >= 2, "operation {at}");
        go_on(&mut opened, LAST, |_| ()).unwrap();
        assert_eq!(outcome(&path), whole, "operation {at}");
    }
}

#[test]
fn damaged_metrics_and_champions_are_noticed_and_made_again() {
    let (stopped, whole) = (stopped_run(), whole_outcome());
    let folder = scratch();
    let path = folder.path().join("run");
    let champion_3 = first_difference(stopped.path(), CHAMPIONS);
    for (name, third) in [(METRICS, "30,3,utility,0.5\n".len()), (CHAMPIONS, champion_3)] {
        let good = fs::read(stopped.path().join(name)).unwrap();
        let second = good.len() - third;
        for at in 0..good.len() {
            let mut flipped = good.clone();
            flipped[at] ^= 1;
            let shorter = format!("{name} is shorter than");
            for (bytes, why) in [(flipped, "have changed"), (good[..at].to_vec(), &*shorter)] {
                copy(stopped.path(), &path);
                fs::write(path.join(name), bytes).unwrap();
                let mut opened = open(&path).unwrap();
                let expected = if at >= second { 2 } else { 0 };
                assert_eq!(generation(&opened.progress), expected, "{why} at {at}");
                assert_eq!(opened.warnings.len(), 1);
                assert!(opened.warnings[0].contains(why), "{}", opened.warnings[0]);
                assert!(opened.warnings[0].contains(name), "{}", opened.warnings[0]);
                if at % 10 == 0 {
                    go_on(&mut opened, LAST, |_| ()).unwrap();
                    assert_eq!(outcome(&path), whole, "{why} at {at}");
                }
            }
        }
    }
}

/// How many bytes generation 3 added to a file of a run that stands there.
fn first_difference(stopped: &Path, name: &str) -> usize {
    let two = scratch();
    run_to(two.path(), 2);
    let length = |path: &Path| fs::read(path.join(name)).unwrap().len();
    length(stopped) - length(two.path())
}

#[test]
fn a_run_of_a_program_without_a_history_goes_on_and_keeps_champions_from_there() {
    let (stopped, whole) = (stopped_run(), whole_outcome());
    let path = stopped.path();
    for name in [CHECKPOINT, OLDER] {
        let bytes = fs::read(path.join(name)).unwrap();
        let (header, state) = crate::checkpoint::decode(&bytes).unwrap();
        fs::write(path.join(name), crate::checkpoint::encode_1(&header, state)).unwrap();
    }
    fs::remove_file(path.join(CHAMPIONS)).unwrap();
    assert_eq!(read_champions(path).unwrap(), []);
    let mut opened = open(path).unwrap();
    no_warnings(&opened);
    assert_eq!(generation(&opened.progress), 3);
    go_on(&mut opened, LAST, |_| ()).unwrap();
    drop(opened);
    assert_eq!(read_champions(path).unwrap(), [champion_at(LAST)]);
    let found = outcome(path);
    for file in [0, 1, 3, 4, 5] {
        assert_eq!(found[file], whole[file]);
    }
    // A run that was finished without one stays finished.
    let manifest = path.join(MANIFEST);
    let mut value: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    for key in ["champions", "checksum"] {
        value.as_object_mut().unwrap().remove(key).unwrap();
    }
    fs::write(&manifest, value.to_string()).unwrap();
    fs::remove_file(path.join(CHAMPIONS)).unwrap();
    let opened = open(path).unwrap();
    no_warnings(&opened);
    assert!(matches!(opened.progress, Stage::Finished { .. }));
    assert_eq!(read_champions(path).unwrap(), []);
}

#[test]
fn a_damaged_history_of_a_finished_run_is_named_and_the_rest_stays_readable() {
    let folder = scratch();
    run_to(folder.path(), LAST);
    let path = folder.path().join(CHAMPIONS);
    let run = FinishedRun::read(folder.path()).unwrap();
    let noticed = |what: &str| {
        match read_champions(folder.path()) {
            Err(RunError::Altered { path: named, .. }) => assert_eq!(named, path),
            other => panic!("{what}: {other:?}"),
        }
        assert_eq!(FinishedRun::read(folder.path()).unwrap(), run);
    };
    with_flipped_bits(&path, |bit| noticed(&format!("bit {bit}")));
    let good = fs::read(&path).unwrap();
    for length in 0..good.len() {
        fs::write(&path, &good[..length]).unwrap();
        noticed(&format!("{length} bytes"));
    }
    fs::write(&path, [&good[..], b"more"].concat()).unwrap();
    noticed("longer");
    fs::remove_file(&path).unwrap();
    noticed("gone");
    // Made again, by the same run.
    run_to(folder.path(), LAST);
    assert_eq!(fs::read(&path).unwrap(), good);
}

#[test]
fn of_a_run_that_goes_on_the_champions_before_a_torn_one_are_read() {
    let stopped = stopped_run();
    let path = stopped.path().join(CHAMPIONS);
    let good = fs::read(&path).unwrap();
    let last = good.len() - first_difference(stopped.path(), CHAMPIONS);
    for length in last..good.len() {
        fs::write(&path, &good[..length]).unwrap();
        assert_eq!(read_champions(stopped.path()).unwrap(), [1, 2].map(champion_at), "{length}");
    }
    let newer = crate::blocks::sealed(0, b"OUTFLHIS\x02\0\0\0");
    fs::write(&path, newer).unwrap();
    let message = read_champions(stopped.path()).unwrap_err().to_string();
    assert!(message.contains("champions.bin: version 2 is newer"), "{message}");
}

#[test]
fn without_a_usable_checkpoint_a_run_restarts() {
    let whole = whole_outcome();
    for damage in [
        |path: &Path| fs::write(path, "damaged").unwrap(),
        |path: &Path| fs::write(path, "").unwrap(),
        |path: &Path| fs::remove_file(path).unwrap(),
    ] {
        let stopped = stopped_run();
        damage(&stopped.path().join(CHECKPOINT));
        damage(&stopped.path().join(OLDER));
        let mut opened = open(stopped.path()).unwrap();
        assert_eq!(opened.progress, Stage::New);
        assert!(opened.warnings.len() <= 1);
        assert!(
            opened.warnings.iter().all(|warning| warning.contains("restarted from the beginning"))
        );
        assert_eq!(fs::read_to_string(opened.dir.metrics()).unwrap().lines().count(), 1);
        assert!(!stopped.path().join(OLDER).exists());
        go_on(&mut opened, LAST, |_| ()).unwrap();
        assert_eq!(outcome(stopped.path()), whole);
    }
}

#[test]
fn checkpoints_of_other_runs_are_not_used() {
    let other = scratch();
    let seed_8 = Identity { seed: 8, ..identity() };
    let mut opened = open_as(other.path(), &seed_8).unwrap();
    go_on(&mut opened, 3, |_| ()).unwrap();
    let stopped = stopped_run();
    fs::copy(other.path().join(CHECKPOINT), stopped.path().join(CHECKPOINT)).unwrap();
    let opened = open(stopped.path()).unwrap();
    assert_eq!(generation(&opened.progress), 2);
    assert!(opened.warnings[0].contains("it belongs to another run"), "{:?}", opened.warnings);
}

#[test]
fn resuming_cuts_what_no_checkpoint_vouches_for() {
    let stopped = stopped_run();
    let metrics = stopped.path().join(METRICS);
    let good = fs::read(&metrics).unwrap();
    fs::write(&metrics, [&good[..], b"40,4,util"].concat()).unwrap();
    fs::write(stopped.path().join("champion.json.tmp"), "{").unwrap();
    let opened = open(stopped.path()).unwrap();
    no_warnings(&opened);
    assert_eq!(generation(&opened.progress), 3);
    assert_eq!(fs::read(&metrics).unwrap(), good);
    assert!(!stopped.path().join("champion.json.tmp").exists());
}

#[test]
fn a_damaged_manifest_is_written_again() {
    let (stopped, whole) = (stopped_run(), whole_outcome());
    for (content, problem) in [
        ("", "not JSON"),
        ("{\"format\": \"outflank-run\"}", "expected \"version\": 1"),
        ("{\"format\": \"outflank-run\", \"version\": 1}", "missing field"),
    ] {
        fs::write(stopped.path().join(MANIFEST), content).unwrap();
        let opened = open(stopped.path()).unwrap();
        assert_eq!(generation(&opened.progress), 3);
        assert!(opened.warnings[0].contains(problem), "{:?}", opened.warnings);
    }
    run_to(stopped.path(), LAST);
    assert_eq!(outcome(stopped.path()), whole);
}

#[test]
fn a_finished_run_is_finished_only_with_its_outcome() {
    let whole = whole_outcome();
    for (name, content, resumed) in [
        (CHAMPION, Some("{}"), LAST),
        (CHAMPION, None, LAST),
        (METRICS, Some("games\n"), 0),
        (METRICS, None, 0),
        (CHAMPIONS, Some("champions\n"), 0),
        (CHAMPIONS, None, 0),
    ] {
        let folder = scratch();
        let path = folder.path();
        run_to(path, LAST);
        match content {
            Some(content) => fs::write(path.join(name), content).unwrap(),
            None => fs::remove_file(path.join(name)).unwrap(),
        }
        let other = Identity { signature: 0xdef, ..identity() };
        let (message, _) = refusal(open_as(path, &other));
        assert!(message.contains("the stamp of its method"), "{message}");
        let mut opened = open(path).unwrap();
        assert_eq!(generation(&opened.progress), resumed);
        assert!(!matches!(opened.progress, Stage::Finished { .. }));
        let warning = &opened.warnings[0];
        assert!(warning.contains(&format!("{name} has changed")), "{warning}");
        go_on(&mut opened, LAST, |_| ()).unwrap();
        assert_eq!(outcome(path), whole);
    }
}

/// Flips every bit of a file, one at a time, and checks the run each time.
fn with_flipped_bits(path: &Path, mut look: impl FnMut(usize)) {
    let good = fs::read(path).unwrap();
    let mut bytes = good.clone();
    for bit in 0..8 * good.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(path, &bytes).unwrap();
        look(bit);
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    fs::write(path, &good).unwrap();
}

#[test]
fn readers_notice_every_change_of_what_a_finished_run_made() {
    let folder = scratch();
    run_to(folder.path(), LAST);
    let run = FinishedRun::read(folder.path()).unwrap().unwrap();
    assert_eq!((run.seed, run.games, run.generations), (7, 10 * LAST, LAST));
    assert_eq!(run.spec, SPEC_TEXT);
    for name in [SPEC, METRICS, CHAMPION, "front/1.json", "front/2.json"] {
        let path = folder.path().join(name);
        let noticed = |what: &str| match FinishedRun::read(folder.path()) {
            Err(RunError::Altered { path: named, .. }) => assert_eq!(named, path),
            other => panic!("{name}, {what}: {other:?}"),
        };
        with_flipped_bits(&path, |bit| noticed(&format!("bit {bit}")));
        let good = fs::read(&path).unwrap();
        for changed in [&[], &good[..good.len() - 1], &[&good[..], b"\n"].concat()] {
            fs::write(&path, changed).unwrap();
            noticed("another length");
        }
        fs::remove_file(&path).unwrap();
        noticed("gone");
        // A huge file is not read to its end.
        fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        noticed("huge");
        fs::write(&path, good).unwrap();
    }
    assert_eq!(FinishedRun::read(folder.path()).unwrap(), Some(run));
}

#[test]
fn readers_notice_a_manifest_that_was_changed_and_read_those_without_a_checksum() {
    let folder = scratch();
    run_to(folder.path(), LAST);
    let whole = FinishedRun::read(folder.path()).unwrap();
    let manifest = folder.path().join(MANIFEST);
    with_flipped_bits(&manifest, |bit| {
        // The key of the checksum or of an optional entry may be lost, but nothing else.
        match FinishedRun::read(folder.path()) {
            Ok(found) => assert!(found == whole, "bit {bit}"),
            Err(RunError::Altered { path, .. }) => assert_eq!(path, manifest),
            Err(RunError::SomethingElse { .. } | RunError::Newer { .. }) => {}
            Err(other) => panic!("bit {bit}: {other:?}"),
        }
    });
    let text = fs::read_to_string(&manifest).unwrap();
    let altered = text.replace("\"games\": 40", "\"games\": 41");
    assert_ne!(altered, text);
    fs::write(&manifest, altered).unwrap();
    let message = FinishedRun::read(folder.path()).unwrap_err().to_string();
    assert!(message.ends_with("manifest.json: its checksum is wrong"), "{message}");
    // Continuing the run repairs it.
    let mut opened = open(folder.path()).unwrap();
    assert!(opened.warnings[0].contains("its checksum is wrong; wrote it again"));
    go_on(&mut opened, LAST, |_| ()).unwrap();
    drop(opened);
    assert_eq!(FinishedRun::read(folder.path()).unwrap().unwrap().games, 10 * LAST);
    let mut value: Value = serde_json::from_str(&text).unwrap();
    value.as_object_mut().unwrap().remove("checksum").unwrap();
    fs::write(&manifest, value.to_string()).unwrap();
    assert_eq!(FinishedRun::read(folder.path()).unwrap(), whole);
}

#[test]
fn a_damaged_spec_is_written_again() {
    let (stopped, whole) = (stopped_run(), whole_outcome());
    let spec = stopped.path().join(SPEC);
    with_flipped_bits(&spec, |bit| {
        let opened = open(stopped.path()).unwrap();
        assert_eq!(generation(&opened.progress), 3, "bit {bit}");
        assert_eq!(opened.warnings.len(), 1);
        assert!(opened.warnings[0].ends_with("spec.toml was damaged; wrote it again"));
        assert_eq!(fs::read_to_string(&spec).unwrap(), SPEC_TEXT);
    });
    // Intact, but of another run: that is not damage.
    let other = SPEC_TEXT.replace("40", "50");
    fs::write(&spec, &other).unwrap();
    let (message, _) = refusal(open_as(stopped.path(), &Identity { spec: &other, ..identity() }));
    assert!(message.contains("has other settings"), "{message}");
    run_to(stopped.path(), LAST);
    assert_eq!(outcome(stopped.path()), whole);
}
