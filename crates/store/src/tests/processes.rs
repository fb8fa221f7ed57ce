//! Only one process at a time can open a run.

use std::sync::Barrier;
use std::thread;

use super::*;

#[test]
fn one_process_at_a_time_has_a_run() {
    let folder = scratch();
    let path = folder.path();
    let opened = open(path).unwrap();
    let expected =
        format!("{} is in use by process {} on {}", path.display(), std::process::id(), host());
    assert_eq!(refusal(open(path)), (expected, false));
    drop(opened);
    assert!(open(path).is_ok());
}

#[test]
fn of_many_that_begin_at_once_exactly_one_has_the_run() {
    let folder = scratch();
    for round in 0..50 {
        let path = folder.path().join(round.to_string());
        let (contenders, barrier) = (8, Barrier::new(8));
        let won = thread::scope(|scope| {
            let threads: Vec<_> = (0..contenders)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        let opened = open(&path);
                        barrier.wait();
                        match opened {
                            Ok(_) => 1,
                            Err(RunError::Held { .. }) => 0,
                            Err(error) => panic!("{error}"),
                        }
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum::<u32>()
        });
        assert_eq!(won, 1, "round {round}");
    }
}
