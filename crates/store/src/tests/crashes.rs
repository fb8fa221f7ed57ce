//! After a kill, a failure or a power failure at any operation, a run ends with the same bytes.

use super::super::faults::{Fault, disks_of, disks_so_far, with_fault};
use super::*;
use outflank_kernel::rng::mix;

#[test]
fn killed_at_any_operation_a_run_ends_with_the_same_bytes() {
    let (folder, whole) = (scratch(), whole_outcome());
    for tear in BOTH_TEARS {
        for at in 1.. {
            let path = folder.path().join(format!("{tear:?}/{at}"));
            let mut last = 0;
            let (result, reached) = with_fault(Fault::From(at), tear, || {
                open(&path).and_then(|mut opened| go_on(&mut opened, LAST, |kept| last = kept))
            });
            if !reached {
                assert!(at > 60, "{at}");
                break;
            }
            assert!(!result.unwrap_err().is_usage());
            let mut opened = open(&path).unwrap();
            no_warnings(&opened);
            let found = generation(&opened.progress);
            assert!([last, last + 1].contains(&found), "operation {at}: {found} after {last}");
            go_on(&mut opened, LAST, |_| ()).unwrap();
            assert_eq!(outcome(&path), whole, "operation {at}");
        }
    }
}

#[test]
fn killed_again_and_again_a_run_ends_with_the_same_bytes() {
    let (folder, whole) = (scratch(), whole_outcome());
    for every in 45..75 {
        let path = folder.path().join(every.to_string());
        let mut kills = 0;
        for at in std::iter::repeat_with(|| every) {
            let tear = BOTH_TEARS[kills % 2];
            let (result, killed) = with_fault(Fault::From(at), tear, || {
                open(&path).and_then(|mut opened| go_on(&mut opened, LAST, |_| ()))
            });
            if !killed {
                result.unwrap();
                break;
            }
            kills += 1;
            assert!(kills < 50, "no progress in {every} operations at a time");
        }
        assert!(kills > 0);
        assert_eq!(outcome(&path), whole, "every {every} operations");
    }
}

#[test]
fn after_a_failed_operation_a_run_goes_on_to_the_same_bytes() {
    let (folder, whole) = (scratch(), whole_outcome());
    for tear in BOTH_TEARS {
        for at in 1.. {
            let path = folder.path().join(format!("{tear:?}/{at}"));
            let ((), reached) = with_fault(Fault::Only(at), tear, || {
                let mut opened = open(&path).or_else(|_| open(&path)).unwrap();
                for generation in 1..=LAST {
                    note(&mut opened.dir, generation);
                    // Rows that were recorded before a failure do not appear twice.
                    keep(&mut opened.dir, generation)
                        .or_else(|error| {
                            assert!(error.to_string().starts_with("cannot "), "{error}");
                            keep(&mut opened.dir, generation)
                        })
                        .unwrap();
                }
            });
            if !reached {
                assert!(at > 60, "{at}");
                break;
            }
            assert_eq!(outcome(&path), whole, "operation {at}");
            let opened = open(&path).unwrap();
            assert!(matches!(opened.progress, Stage::Finished { .. }));
            no_warnings(&opened);
        }
    }
}

#[test]
fn power_lost_after_any_operation_costs_no_checkpoint() {
    let (folder, whole) = (scratch(), whole_outcome());
    let path = folder.path().join("run");
    let mut kept = vec![(0, 0)];
    let disks = disks_of(|| {
        // Killed once, so that resuming is among the operations.
        let (result, _) = with_fault(Fault::From(50), Tear::Half, || {
            open(&path).and_then(|mut opened| {
                go_on(&mut opened, LAST, |generation| kept.push((disks_so_far(), generation)))
            })
        });
        result.unwrap_err();
        let mut opened = open(&path).unwrap();
        kept.push((disks_so_far(), generation(&opened.progress)));
        go_on(&mut opened, LAST, |generation| kept.push((disks_so_far(), generation))).unwrap();
    });
    let mut states = 0;
    for (index, disk) in disks.iter().enumerate() {
        let done = kept.iter().rfind(|(disks, _)| *disks <= index + 1).map_or(0, |kept| kept.1);
        let mut seen = BTreeSet::new();
        for draw in 0..200u64 {
            let mut random = mix(draw ^ ((index as u64) << 32));
            let files = disk.after_power_loss(|below| {
                random = mix(random);
                (random % below as u64) as usize
            });
            if !seen.insert(files.clone()) {
                continue;
            }
            states += 1;
            fs::remove_dir_all(&path).unwrap();
            fs::create_dir(&path).unwrap();
            for (path, content) in &files {
                // A front has a folder of its own.
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content).unwrap();
            }
            let mut opened = open(&path).unwrap();
            no_warnings(&opened);
            let found = generation(&opened.progress);
            assert!([done, done + 1].contains(&found), "disk {index}: {found} after {done}");
            go_on(&mut opened, LAST, |_| ()).unwrap();
            assert_eq!(outcome(&path), whole, "disk {index}, draw {draw}");
        }
    }
    assert!(states > 500, "{states}");
}
