//! Training through the library: the opponents of probes, and when runs stop.

use outflank::learn::{resolve, run_text};
use outflank::store::FinishedRun;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use outflank::arena::Watch;
use outflank::kernel::Kernel;
use outflank::lab::{End, Order, Results, RunReport, train};
use outflank::player::read_player_file;

/// A run of `tdl`, with seed 1.
fn order(sets: &[&str], out: &Path) -> Order {
    order_of("tdl", sets, out)
}

/// A run of a method, with seed 1.
fn order_of(method: &str, sets: &[&str], out: &Path) -> Order {
    let sets: Vec<String> = sets.iter().map(|set| (*set).into()).collect();
    let method = resolve(method, &sets).unwrap();
    Order {
        from: None,
        text: run_text(&method.spec).unwrap(),
        ready: method.spec.ready().unwrap(),
        name: method.name,
        out: out.into(),
        seeds: vec![1],
        kernel: Kernel::available()[0],
        threads: 1,
        checkpoint_every: Duration::from_secs(3600),
        signature: 0,
        extras: serde_json::Map::new(),
    }
}

fn trained(order: &Order, watch: &dyn Watch) -> RunReport {
    train(order, watch).unwrap().remove(0)
}

#[test]
fn the_probes_of_two_generations_play_different_games() {
    let folder = tempfile::tempdir().unwrap();
    // Nothing is learned, so that all champions are the same.
    let sets = [
        "local.alpha=0",
        "games=600",
        "probes.every=100",
        "probes.vs=['random']",
        "probes.games=1000",
    ];
    let order = order(&sets, &folder.path().join("out"));
    assert_eq!(trained(&order, &|| false).end, End::Finished);
    let results = Results::read(&order.out.join("1")).unwrap();
    let measured = &results.runs[0].measurements;
    assert_eq!(measured.len(), 6);
    let outcomes: BTreeSet<_> = measured.iter().map(|m| (m.wins, m.draws)).collect();
    // By chance two of 1,000 games may agree; six of the same games all do.
    assert!(outcomes.len() >= 5, "{outcomes:?}");
}

#[test]
fn a_generation_that_is_stopped_on_its_way_is_given_up() {
    // One generation of 20 slices, with a check whether to stop before each.
    let sets = ["local.games=2000", "games=2000", "probes.games=2", "probes.vs=['random']"];
    let folder = tempfile::tempdir().unwrap();
    let whole = order(&sets, &folder.path().join("whole"));
    assert_eq!(trained(&whole, &|| false).end, End::Finished);
    let champion = |order: &Order| std::fs::read(order.out.join("1/champion.json")).unwrap();
    let mut given_up = 0;
    for calls in 0..15 {
        let order = order(&sets, &folder.path().join(calls.to_string()));
        let asked = AtomicU64::new(0);
        let report = trained(&order, &|| asked.fetch_add(1, Ordering::SeqCst) >= calls);
        assert!(report.end.is_early(), "{calls}: {:?}", report.end);
        assert_eq!((report.generations, report.games), (0, 0), "stopped when asked {calls} times");
        given_up += u32::from(report.end == End::Stopped);
        let again = trained(&order, &|| false);
        assert_eq!((again.end, again.resumed_at), (End::Finished, 0));
        assert_eq!(champion(&order), champion(&whole), "{calls}");
    }
    assert!(given_up > 10, "{given_up}");
}

#[test]
fn a_run_with_several_objectives_leaves_its_front_beside_its_champion() {
    let sets = [
        "opponents.peers=false",
        "opponents.fixed={players=['heuristic', 'random']}",
        "opponents.games=10",
        "objective={kind='fronts'}",
        "games=3000",
        "probes.games=2",
        "probes.vs=['random']",
    ];
    let folder = tempfile::tempdir().unwrap();
    let order = order_of("cel", &sets, &folder.path().join("out"));
    assert_eq!(trained(&order, &|| false).end, End::Finished);
    let run = order.out.join("1");
    let front = FinishedRun::read(&run).unwrap().unwrap().front;
    assert!(!front.is_empty());
    for (number, path) in (1..).zip(&front) {
        assert_eq!(*path, run.join(format!("front/{number}.json")));
        let file = read_player_file(path).unwrap();
        assert!(file.player().is_some());
        let objectives = file.provenance["objectives"].as_array().unwrap();
        assert!(objectives.len() == 2, "one for each opponent");
    }
    // It belongs to the finished run: a change is noticed, and the file is made again.
    std::fs::write(&front[0], "{}").unwrap();
    let altered = FinishedRun::read(&run).unwrap_err().to_string();
    assert!(altered.contains("front/1.json"), "{altered}");
    assert_eq!(trained(&order, &|| false).end, End::Finished);
    assert!(FinishedRun::read(&run).unwrap().is_some());
    assert_eq!(trained(&order, &|| false).end, End::AlreadyFinished);
}
