//! Links that lead out of a run folder: their targets are never written.

use std::os::unix::fs::symlink;

use super::*;

/// Something that is not ours, and a folder for a run.
fn precious() -> (tempfile::TempDir, std::path::PathBuf, std::path::PathBuf) {
    let folder = scratch();
    let (precious, run) = (folder.path().join("precious"), folder.path().join("run"));
    fs::write(&precious, "precious").unwrap();
    fs::create_dir(&run).unwrap();
    (folder, precious, run)
}

#[test]
fn a_lock_and_growing_files_that_are_links_are_named_and_not_written() {
    let (folder, precious, run) = precious();
    symlink(&precious, run.join("lock")).unwrap();
    let link = |name: &str| {
        format!("{} is a link, and nothing is written through links", run.join(name).display())
    };
    let (message, usage) = refusal(open(&run));
    assert!(message.starts_with(&link("lock")) && !usage, "{message}");
    let error = Study::open(&run, "es", SPEC_TEXT, &[1], &mut || true).unwrap_err();
    assert!(error.to_string().starts_with(&link("lock")), "{error}");
    fs::remove_file(run.join("lock")).unwrap();
    // A broken link, whose target is not made.
    symlink(folder.path().join("nothing"), run.join("lock")).unwrap();
    assert!(refusal(open(&run)).0.starts_with(&link("lock")));
    assert_eq!(names_in(folder.path()), ["precious".into(), "run".into()].into());
    fs::remove_file(run.join("lock")).unwrap();
    run_to(&run, 2);
    for name in [METRICS, CHAMPIONS] {
        let bytes = fs::read(run.join(name)).unwrap();
        fs::write(&precious, &bytes).unwrap();
        fs::remove_file(run.join(name)).unwrap();
        symlink(&precious, run.join(name)).unwrap();
        let (message, _) = refusal(open(&run));
        assert!(message.starts_with(&link(name)), "{message}");
        assert_eq!(fs::read(&precious).unwrap(), bytes);
        fs::remove_file(run.join(name)).unwrap();
        fs::write(run.join(name), bytes).unwrap();
    }
}

#[test]
fn links_in_place_of_files_that_are_written_whole_are_replaced() {
    let whole = whole_outcome();
    let names = [SPEC, MANIFEST, METRICS, CHAMPIONS, CHAMPION, CHECKPOINT];
    let names = names.map(|name| format!("{name}.tmp"));
    for name in names.iter().map(String::as_str).chain([CHAMPION, OLDER]) {
        for to in ["precious", "nothing"] {
            let (folder, precious, run) = precious();
            run_to(&run, 1);
            let _ = fs::remove_file(run.join(name));
            symlink(folder.path().join(to), run.join(name)).unwrap();
            run_to(&run, LAST);
            assert_eq!(outcome(&run), whole, "{name} to {to}");
            assert_eq!(fs::read(&precious).unwrap(), b"precious", "{name} to {to}");
            assert_eq!(names_in(folder.path()), ["precious".into(), "run".into()].into());
        }
    }
}

#[test]
fn a_study_and_a_front_are_not_written_through_links() {
    let (folder, precious, run) = precious();
    symlink(&precious, run.join("study.json.tmp")).unwrap();
    Study::open(&run, "es", SPEC_TEXT, &[1], &mut || true).unwrap();
    assert_eq!(fs::read(&precious).unwrap(), b"precious");
    let (elsewhere, seven) = (folder.path().join("elsewhere"), run.join("7"));
    fs::create_dir(&elsewhere).unwrap();
    let mut opened = open(&seven).unwrap();
    symlink(&elsewhere, seven.join(FRONT)).unwrap();
    let error = go_on(&mut opened, LAST, |_| ()).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{} is a link", seven.join(FRONT).display())), "{error}");
    assert_eq!(names_in(&elsewhere).len(), 0);
}
