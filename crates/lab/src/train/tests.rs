use super::*;
use outflank_kernel::Kernel;
use outflank_learn::Method;
use serde_json::Map;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn generations_of_many_games_or_large_networks_are_slow_however_fast_the_last_one_was() {
    let fast = Pace { last: Some(Duration::from_millis(1)) };
    let hours = Pace { last: Some(Duration::from_secs(3600)) };
    assert!(!fast.is_slow(100_000, 64) && fast.is_slow(100_001, 64));
    assert!(fast.is_slow(100, 1_000_000), "the first generation may have had nothing to learn");
    assert!(hours.is_slow(1, 64) && Pace::default().is_slow(1, 64));
}

/// One run of a method, with no checkpoint before its end.
fn order(method: Method, folder: &Path) -> Order {
    Order {
        text: run_text(&method.spec).unwrap(),
        ready: method.spec.ready().unwrap(),
        name: method.name,
        from: None,
        seeds: vec![1],
        out: folder.join("out"),
        threads: 1,
        kernel: Kernel::available()[0],
        checkpoint_every: Duration::from_secs(3600),
        signature: 0,
        extras: Map::new(),
    }
}

#[test]
fn a_generation_that_takes_long_is_given_up_and_the_state_before_it_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    // Every generation has more than 100,000 games, in 25 pieces.
    let sets = ["opponents.random-wpc.number=1001", "probes.every=0", "games=100000000"];
    let method = outflank_learn::resolve("rsel", &sets.map(String::from)).unwrap();
    let order = order(method, folder.path());
    // Asked to stop while the second generation is going on.
    struct Second {
        generations: AtomicU64,
        asked: AtomicU64,
    }
    impl Watch for Second {
        fn tell(&self, news: News<'_>) {
            if let News::Run { news: RunNews::Played(_), .. } = news {
                self.generations.fetch_add(1, Ordering::Relaxed);
            }
        }

        fn stop(&self) -> bool {
            self.generations.load(Ordering::Relaxed) == 1
                && self.asked.fetch_add(1, Ordering::Relaxed) >= 5
        }
    }
    let watch = Second { generations: AtomicU64::new(0), asked: AtomicU64::new(0) };
    let report = train(&order, &watch).unwrap().remove(0);
    assert!(matches!(report.end, End::Stopped), "{:?}", report.end);
    assert_eq!((report.generations, watch.generations.into_inner()), (1, 1));
}

#[test]
fn runs_that_are_open_at_once_leave_room_for_other_files() {
    for files in [0, 1, 20, 256, 1024, 4096] {
        let runs = open_runs(files);
        assert!(runs == 1 || 2 * runs + 32 <= files, "{files}: {runs}");
    }
    assert_eq!(open_runs(1024), 496);
}

#[test]
fn every_probe_of_a_run_plays_other_games() {
    let folder = tempfile::tempdir().unwrap();
    // One candidate that never changes is measured four times.
    let sets = [
        "search.mu=1",
        "search.lambda=1",
        "search.mutation.rate=0",
        "games=800",
        "probes.every=1",
        "probes.vs=['random','utility']",
        "probes.games=500",
        "probes.sample=250",
    ];
    let method = outflank_learn::resolve("rsel", &sets.map(String::from)).unwrap();
    let order = order(method, folder.path());
    train(&order, &|| false).unwrap();
    let metrics = std::fs::read_to_string(order.out.join("1/metrics.csv")).unwrap();
    for probe in [",random,", ",utility,"] {
        let results = metrics.lines().filter_map(|line| Some(line.split_once(probe)?.1));
        let results: std::collections::BTreeSet<&str> = results.collect();
        assert_eq!(results.len(), 4, "{metrics}");
    }
}

#[test]
fn the_probes_of_a_front_are_means_over_its_players() {
    let folder = tempfile::tempdir().unwrap();
    let sets = [
        "opponents={games=4, peers=false, fixed={players=['heuristic', 'lr2006']}}",
        "objective={kind='fronts'}",
        "policy.epsilon=0.1",
        "games=1600",
        "probes.vs=['random']",
        "probes.front=['random', 'utility']",
        "probes.also=['front-size', 'hypervolume']",
        "probes.games=50",
        "probes.sample=10",
    ];
    let method = outflank_learn::resolve("cel", &sets.map(String::from)).unwrap();
    let mut order = order(method, folder.path());
    train(&order, &|| false).unwrap();
    let read = |order: &Order| std::fs::read_to_string(order.out.join("1/metrics.csv"));
    let metrics = read(&order).unwrap();
    let rows: Vec<Vec<&str>> = metrics.lines().map(|line| line.split(',').collect()).collect();
    let row = |probe: &str| rows.iter().rfind(|row| row[2] == probe).unwrap().clone();
    let number = |text: &str| text.parse::<f64>().unwrap();
    let names: Vec<&str> = rows[1..].iter().map(|row| row[2]).collect();
    assert_eq!(names[..], order.spec().probe_names()[..], "{metrics}");
    // All games of all players of the front, whose files have the points of the volume.
    let size = number(row("front-size")[3]);
    let players = size as u64;
    let games = |probe: &str| row(probe)[5..8].iter().map(|text| number(text)).sum::<f64>();
    let played = ["front:random", "front:utility"].map(games);
    assert!(size >= 2.0, "one player is no test of a mean: {metrics}");
    assert_eq!(played.map(|games| games as u64), [50 * players, 20 * players], "{metrics}");
    let won = row("front:random");
    assert!((number(won[3]) - number(won[5]) / (50.0 * size)).abs() < 1e-12, "{metrics}");
    let points: Vec<Vec<f64>> = (1..=size as usize)
        .map(|member| {
            let path = order.out.join(format!("1/front/{member}.json"));
            let file = outflank_game::player::read_player_file(&path).unwrap();
            let objectives = file.provenance["objectives"].as_array().unwrap().clone();
            assert_eq!(objectives[1]["name"], "lr2006");
            objectives.iter().map(|one| one["share"].as_f64().unwrap()).collect()
        })
        .collect();
    let points: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    assert!(points.iter().all(|point| point.iter().all(|share| (0.0..=1.0).contains(share))));
    let volume = outflank_learn::hypervolume(&points);
    assert!((number(row("hypervolume")[3]) - volume).abs() < 1e-12, "{metrics}");
    // Threads do not matter.
    order.out = folder.path().join("again");
    order.threads = 3;
    train(&order, &|| false).unwrap();
    assert_eq!(read(&order).unwrap(), metrics);
}

#[test]
fn the_history_has_a_champion_for_every_probe_and_ends_with_the_champion() {
    for preset in ["cel", "tdl", "neat", "td-lambda"] {
        let spec = outflank_learn::resolve(preset, &[]).unwrap().spec;
        let games = format!("games={}", 3 * spec.games_per_generation());
        let sets = [&games, "probes.every=1", "probes.vs=['random']", "probes.games=2"];
        let method = outflank_learn::resolve(preset, &sets.map(String::from)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let order = order(method, folder.path());
        train(&order, &|| false).unwrap();
        let run = order.out.join("1");
        let moments = crate::champions_of(&run, &order.text, 1).unwrap();
        let text = |name: &str| std::fs::read_to_string(run.join(name)).unwrap();
        assert_eq!(moments.last().unwrap().text(), text("champion.json"), "{preset}");
        let metrics = text("metrics.csv");
        let rows = metrics.lines().filter_map(|line| Some(line.split_once(",random,")?.0));
        let kept = moments.iter().map(|at| format!("{},{}", at.games, at.generation));
        assert_eq!(kept.collect::<Vec<_>>(), rows.collect::<Vec<_>>(), "{preset}");
        assert!(moments.len() >= 3, "{preset}: {}", moments.len());
    }
}

#[test]
fn a_run_that_is_continued_is_the_longer_run() {
    let names = ["spec.toml", "metrics.csv", "champions.bin", "champion.json"];
    for (index, preset) in outflank_learn::PRESETS.iter().enumerate() {
        // The batch kernel plays neither networks nor noise; and a stage soon gives up.
        let mut small: Vec<String> = Vec::new();
        let method = outflank_learn::resolve(preset.name, &[]).unwrap();
        if method.spec.policy.noise > 0.0 || method.spec.before.get().is_some() {
            small.push("opponents.games=2".into());
        }
        if method.spec.before.get().is_some() {
            small.extend(["before.games=200", "before.until.otherwise='go-on'"].map(String::from));
        }
        let one = outflank_learn::resolve(preset.name, &small).unwrap().spec.games_per_generation();
        // The last probe of the shorter run is not one of the longer run, or it is; or both
        // end with the same generation. Methods take turns.
        let cases = [(2 * one, 4 * one, 3 * one), (2 * one, 3 * one, one), (one + 1, one + 2, one)];
        for (few, many, every) in [cases[index % 3]] {
            let folder = tempfile::tempdir().unwrap();
            let of = |games: u64, name: &str| {
                let sets = [
                    format!("games={games}"),
                    format!("probes.every={every}"),
                    "probes.vs=['random']".into(),
                    "probes.games=2".into(),
                ];
                let sets = [&sets[..], &small].concat();
                let mut method = outflank_learn::resolve(preset.name, &sets).unwrap();
                // Its schedule depends on the length of a run.
                if let Some(key) = method.spec.local.key_of_length() {
                    let level = format!("local.{key}=[0.1, 0.1]");
                    let sets = [&sets[..], &[level]].concat();
                    method = outflank_learn::resolve(preset.name, &sets).unwrap();
                    assert_eq!(method.spec.local.key_of_length(), None);
                }
                Order { out: folder.path().join(name), ..order(method, folder.path()) }
            };
            let (short, whole) = (of(few, "short"), of(many, "whole"));
            let from = Some(short.out.clone());
            let longer = Order { from, ..of(many, "longer") };
            for order in [&short, &whole, &longer] {
                let report = train(order, &|| false).unwrap().remove(0);
                assert!(matches!(report.end, End::Finished), "{}: {:?}", preset.name, report.end);
            }
            for name in names {
                let read = |order: &Order| std::fs::read(order.out.join("1").join(name)).unwrap();
                assert!(read(&longer) == read(&whole), "{} {few} {many}: {name}", preset.name);
            }
        }
    }
}

/// A run of tdl with this goal against the random player.
fn aiming(score: &str, otherwise: &str, games: u64, folder: &Path) -> Order {
    let sets = [
        format!("games={games}"),
        "probes.every=200".into(),
        "probes.vs=['random']".into(),
        "probes.games=200".into(),
        format!("until={{vs='random', score={score}, otherwise='{otherwise}'}}"),
    ];
    order(outflank_learn::resolve("tdl", &sets).unwrap(), folder)
}

#[test]
fn a_run_ends_at_the_first_probe_that_reaches_its_goal_wherever_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let whole = aiming("0.83", "fail", 100_000, folder.path());
    let report = train(&whole, &|| false).unwrap().remove(0);
    assert!(matches!(report.end, End::Finished), "{:?}", report.end);
    assert!(report.goal.is_some_and(|goal| goal.reached && goal.score >= 0.83));
    let metrics = std::fs::read_to_string(whole.out.join("1/metrics.csv")).unwrap();
    let scores: Vec<f64> = metrics
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(4).unwrap().parse().unwrap())
        .collect();
    let (last, before) = scores.split_last().unwrap();
    assert!(*last >= 0.83 && before.iter().all(|score| *score < 0.83), "{scores:?}");
    assert_eq!(report.games, 200 * scores.len() as u64);
    assert!(!before.is_empty(), "the goal is not reached at once");
    // Stopped after each question, and continued.
    let parts = Order { out: folder.path().join("parts"), ..whole.clone() };
    for patience in 1.. {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 3 + patience % 5;
        let report = train(&parts, &stop).unwrap().remove(0);
        if !report.end.is_early() {
            assert!(report.goal.is_some_and(|goal| goal.reached));
            break;
        }
        assert!(patience < 10_000);
    }
    for name in ["metrics.csv", "champions.bin", "champion.json"] {
        let read = |order: &Order| std::fs::read(order.out.join("1").join(name)).unwrap();
        assert!(read(&parts) == read(&whole), "{name}");
    }
    let again = train(&whole, &|| false).unwrap().remove(0);
    assert!(matches!(again.end, End::AlreadyFinished), "{:?}", again.end);
    assert_eq!(again.goal, report.goal);
}

#[test]
fn a_goal_that_is_missed_is_a_failure_or_not_as_the_spec_says() {
    for otherwise in ["fail", "go-on"] {
        let folder = tempfile::tempdir().unwrap();
        let order = aiming("1", otherwise, 600, folder.path());
        for _ in 0..2 {
            let report = train(&order, &|| false).unwrap().remove(0);
            assert!(report.goal.is_some_and(|goal| !goal.reached) && report.games == 600);
            match (&report.end, otherwise) {
                (End::Failed { message, .. }, "fail") => {
                    let expected = "missed its goal: after 600 games its score against random";
                    assert!(message.contains(expected), "{message}");
                }
                (End::Finished | End::AlreadyFinished, "go-on") => {}
                (end, _) => panic!("{end:?}"),
            }
        }
        assert!(order.out.join("1/champion.json").exists());
    }
}

/// Runs of a small cel that start from champions of a small tdl.
fn staged(sets: &[&str], folder: &Path) -> Order {
    let text = "base = 'cel'\ngames = 48\n[search]\npopulation = 4\ntournament = 2\n\
                [probes]\nevery = 16\ngames = 2\nalso = ['changed']\n\
                [before]\nbase = 'tdl'\ngames = 2000\nprobes = {every = 200, games = 100}\n\
                until = {vs = 'random', score = 0.8, otherwise = 'fail'}";
    let sets: Vec<String> = sets.iter().map(|set| (*set).into()).collect();
    let method = outflank_learn::resolve_text("staged", text, &sets).unwrap();
    Order { seeds: vec![1, 2, 3], ..order(method, folder) }
}

/// The files of runs and of their stages that must not depend on interruptions.
fn kept(order: &Order) -> Vec<Vec<u8>> {
    let mut kept = Vec::new();
    for seed in ["1", "2", "3", "before/1", "before/2", "before/3"] {
        for name in ["spec.toml", "metrics.csv", "champions.bin", "champion.json"] {
            kept.push(std::fs::read(order.out.join(seed).join(name)).unwrap());
        }
    }
    kept
}

#[test]
fn runs_start_from_the_champions_of_the_stage_before_wherever_they_are_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let whole = staged(&[], folder.path());
    let reports = train(&whole, &|| false).unwrap();
    for report in &reports {
        assert!(matches!(report.end, End::Finished), "{:?}", report.end);
        let before = report.before.as_ref().unwrap();
        assert!(before.goal.is_some_and(|goal| goal.reached) && before.games < 2000);
        assert_eq!((report.games, report.generations), (48, 3), "games are counted apart");
    }
    // The initial weights of cel are 0: others are the champion's.
    let params = |name: &str| {
        let text = std::fs::read_to_string(whole.out.join(name)).unwrap();
        let file = outflank_game::player::parse_player_file(&text, "it").unwrap();
        file.parameters
    };
    let (champion, seed) = (params("2/champion.json"), params("before/2/champion.json"));
    let changed = champion.iter().zip(&seed).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    assert!(changed < 32, "{changed}");
    let metrics = std::fs::read_to_string(whole.out.join("2/metrics.csv")).unwrap();
    assert!(metrics.contains(&format!("48,3,changed,{changed},")), "{metrics}");
    // Stopped after a few questions, on other threads, and continued.
    let out = folder.path().join("parts");
    let parts = Order { out, threads: 2, checkpoint_every: Duration::ZERO, ..whole.clone() };
    for patience in 1.. {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 5 + patience % 11;
        let reports = train(&parts, &stop).unwrap();
        if reports.iter().all(|report| !report.end.is_early()) {
            break;
        }
        assert!(patience < 10_000);
    }
    assert!(kept(&parts) == kept(&whole));
    // Finished runs need no stage.
    std::fs::remove_dir_all(parts.out.join("before")).unwrap();
    let again = train(&parts, &|| false).unwrap();
    assert!(again.iter().all(|report| matches!(report.end, End::AlreadyFinished)));
    assert!(!parts.out.join("before/1").exists());
}

#[test]
fn a_run_whose_stage_misses_its_goal_begins_only_if_it_may() {
    for (otherwise, begins) in [("fail", false), ("go-on", true)] {
        let folder = tempfile::tempdir().unwrap();
        let set = format!("before.until.otherwise={otherwise}");
        let order = staged(&["before.until.score=1", "before.games=400", &set], folder.path());
        for report in train(&order, &|| false).unwrap() {
            assert_eq!(matches!(report.end, End::Finished), begins, "{:?}", report.end);
            assert_eq!(order.out.join(report.seed.to_string()).exists(), begins);
            assert!(report.before.is_some_and(|before| before.games == 400));
        }
    }
}

#[test]
fn files_that_change_between_runs_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("opponent.txt");
    let weights = |first: &str| format!("{first} {}", "0.5 ".repeat(63));
    std::fs::write(&path, weights("1")).unwrap();
    let sets = [
        format!("opponents.fixed.players=['{}']", path.display()),
        "probes.vs=['random']".into(),
        "probes.games=2".into(),
        "games=10000".into(),
    ];
    let method = outflank_learn::resolve("sane-400", &sets).unwrap();
    let order = Order {
        text: run_text(&method.spec).unwrap(),
        ready: method.spec.ready().unwrap(),
        name: method.name,
        from: None,
        seeds: vec![1],
        out: folder.path().join("out"),
        threads: 1,
        kernel: Kernel::available()[0],
        checkpoint_every: Duration::ZERO,
        signature: 0,
        extras: Map::new(),
    };
    std::fs::write(&path, weights("2")).unwrap();
    let reports = train(&order, &|| false).unwrap();
    let End::Failed { message, .. } = &reports[0].end else { panic!("{:?}", reports[0].end) };
    assert!(message.contains("a file that the spec names has changed"), "{message}");
    assert!(!order.out.join("1/champion.json").exists());
}
