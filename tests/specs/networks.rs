//! Networks, their searches and their local learning: invalid values, and combinations that do not
//! work.

use super::*;

#[test]
fn networks_of_no_or_absurd_size_are_refused() {
    let nodes = "expected a whole number from 1 to 1000";
    for (sets, expected) in [
        (&["model.hidden=[0]"][..], format!("model.hidden[0] = 0, {nodes}")),
        (&["model.hidden=[20, 1000000000]"], format!("model.hidden[1] = 1000000000, {nodes}")),
        (
            &["model.hidden=[1,1,1,1,1,1,1,1,1]"],
            "model.hidden = [1, 1, 1, 1, 1, 1, 1, 1, 1], expected at most 8 hidden layers".into(),
        ),
        (&["model.start=-1"], "model.start = -1, expected a number from 0 to 1000000".into()),
        (&["local.lambda=1.1"], "local.lambda = 1.1, expected a number from 0 to 1".into()),
        (&["local.lambda=-0.1"], "local.lambda = -0.1, expected a number from 0 to 1".into()),
        (&["local.epsilon=[0.1, 2]"], "local.epsilon[1] = 2, expected a number from 0 to 1".into()),
        (
            &["local.games=0"],
            "local.games = 0, expected a whole number from 1 to 1000000000000".into(),
        ),
        (
            &["policy.opening=41"],
            "policy.opening = 41, expected a whole number from 0 to 40".into(),
        ),
        (&["policy.solve=25"], "policy.solve = 25, expected a whole number from 0 to 24".into()),
    ] {
        refused_sets("td-lambda", sets, &expected);
    }
    refused_sets(
        "neat",
        &["model.hidden=1001"],
        "model.hidden = 1001, expected a whole number from 0 to 1000",
    );
    let message = Folder::new().refused(&["learn", "sane", "--set", "model.activation=sigmod"], 2);
    assert!(message.contains("expected sigmoid, steep-sigmoid, tanh, relu or linear"), "{message}");
    assert!(message.contains("did you mean"), "{message}");
    let message = Folder::new().refused(&["learn", "sane", "--set", "model.hidden=[-1]"], 2);
    assert!(message.contains("model.hidden[0]") && message.contains("a whole number"), "{message}");
}

#[test]
fn populations_that_cannot_breed_are_refused() {
    for (preset, set, expected) in [
        (
            "sane",
            "search.elite=0",
            "search.elite = 0, expected 1 to 666, because each of the elite has two offspring among search.neurons = 2000",
        ),
        (
            "sane",
            "search.blueprints=34",
            "search.blueprints = 34, expected 0 to 33, because each has two offspring among search.networks = 100",
        ),
        ("sane", "search.best=0", "search.best = 0, expected a whole number from 1 to 1000000"),
        ("sane", "search.rate=1.5", "search.rate = 1.5, expected a number from 0 to 1"),
        ("esp", "search.neurons=1", "search.neurons = 1, expected a whole number from 3 to 100000"),
        (
            "esp",
            "search.networks=99",
            "search.networks = 99, expected search.neurons = 100 to 100000, so that every neuron takes part",
        ),
        (
            "esp",
            "search.adapt=true",
            "search.adapt = true, expected false, because search.stagnation = 0 means no delta coding",
        ),
        (
            "neat",
            "search.threshold=0",
            "search.threshold = 0, expected a number above 0: with 0 every network would be a species of its own",
        ),
        (
            "neat",
            "search.survival=0",
            "search.survival = 0, expected a share above 0 and at most 0.5, so that some networks survive and some are new",
        ),
        (
            "neat",
            "search.population=1",
            "search.population = 1, expected a whole number from 2 to 100000",
        ),
        (
            "neat",
            "search.remove-limit=0",
            "search.remove-limit = 0, expected a number above 0 and up to 1000000",
        ),
        (
            "neat-canonical",
            "search.survival=0",
            "search.survival = 0, expected a share above 0 and at most 1, so that some networks breed",
        ),
        (
            "neat-canonical",
            "search.threshold=0",
            "search.threshold = 0, expected a number above 0: with 0 every network would be a species of its own",
        ),
        (
            "neat-canonical",
            "search.drop-off=0",
            "search.drop-off = 0, expected a whole number from 1 to 1000000",
        ),
        (
            "neat-td",
            "local.games=0",
            "local.games = 0, expected 1, or an even number, because local.from = \"present\" plays games for the store",
        ),
        (
            "sane",
            "search.elite=6148914691236517206",
            "search.elite = 6148914691236517206, expected 1 to 666, because each of the elite has two offspring among search.neurons = 2000",
        ),
        (
            "sane",
            "search.blueprints=6148914691236517206",
            "search.blueprints = 6148914691236517206, expected 0 to 33, because each has two offspring among search.networks = 100",
        ),
        (
            "neat-td",
            "search.mutation.bounds=[-501, 500]",
            "search.mutation.bounds = [-501, 500], expected bounds within [-500, 500], because local.kind = \"store\" treats larger weights as diverged",
        ),
        (
            "neat-td",
            "local.games=1000000",
            "local.games = 1000000, expected at most 1000000 games in the store: 100 candidates meet 1 players",
        ),
        (
            "td-lambda",
            "probes.also=['mean']",
            "probes.also[0] = \"mean\", expected another statistic, because opponents.games = 0 means that no candidate is evaluated",
        ),
        (
            "neat-td",
            "local.games=3",
            "local.games = 3, expected 1, or an even number: a game as each colour",
        ),
        (
            "neat-td",
            "local.learned=0",
            "local.learned = 0, expected a whole number from 1 to 1000000",
        ),
    ] {
        refused_sets(preset, &[set], expected);
    }
    refused_sets(
        "sane",
        &["search.neurons=39"],
        "search.neurons = 39, expected at least model.hidden[0] = 40",
    );
}

#[test]
fn what_does_not_go_together_is_named_twice() {
    for (preset, sets, expected) in [
        (
            "cel",
            &[
                "search={kind='sane', networks=10, neurons=20, elite=5, blueprints=2, rate=0.1, size=1, replace=0, best=5}",
            ][..],
            "search.kind = \"sane\", expected still, es, es-adaptive, ga, truncation, pso or mopso for model.kind = \"wpc\", or model.kind = \"mlp\"",
        ),
        (
            "sane",
            &["model.hidden=[40, 10]"],
            "model.hidden = [40, 10], expected one hidden layer, because search.kind = \"sane\" breeds its neurons",
        ),
        (
            "esp",
            &[
                "local={kind='td-lambda', games=1, alpha=0.1, lambda=0.5, epsilon=[0, 0], against='itself'}",
            ],
            "local.kind = \"td-lambda\", expected none, because search.kind = \"esp\" breeds neurons and cannot inherit what a network learns",
        ),
        (
            "td-lambda",
            &["local={kind='td', games=1, alpha=0.1, lambda=0.5, epsilon=0.1}"],
            "local.kind = \"td\", expected td-lambda, or model.output = \"linear\" and model.view = \"black\"",
        ),
        (
            "neat",
            &["objective={kind='wins-and-error', error='added'}"],
            "objective.kind = \"wins-and-error\", expected another kind, or local.kind = \"store\" or \"games\"",
        ),
        (
            "cel",
            &["objective.kind=fronts"],
            "objective.kind = \"fronts\", expected another kind, or opponents.fixed without peers and hall-of-fame: all candidates must meet the same opponents, unless objective.by = \"source\"",
        ),
        (
            "sane",
            &["probes.also=['species']"],
            "probes.also[0] = \"species\", expected another statistic, because search.kind = \"sane\" has none",
        ),
        (
            "cel",
            &["probes.also=['hidden']"],
            "probes.also[0] = \"hidden\", expected another statistic, because model.kind = \"wpc\" has none",
        ),
        (
            "cel",
            &["probes.also=['top11']"],
            "probes.also[0] = \"top11\", expected top10, mean, hidden, connections, species, diverged, evaluations, nodes, step, front-size, hypervolume, changed",
        ),
        (
            "cel",
            &["probes.also=['front-size']"],
            "probes.also[0] = \"front-size\", expected another statistic, because objective.kind = \"points\" has one objective, and so no front",
        ),
        (
            "cel",
            &["probes.front=['random']"],
            "probes.front = [\"random\"], expected [], because objective.kind = \"points\" gives no front",
        ),
        (
            "cel",
            &[
                "opponents={games=2, peers=false, fixed={players=['random', 'heuristic', 'lr2006', 'positional', 'td-greedy']}}",
                "objective={kind='fronts'}",
                "probes.also=['hypervolume']",
            ],
            "probes.also[0] = \"hypervolume\", expected another statistic, because it is computed for up to 4 objectives, and there are 5",
        ),
        (
            "cel",
            &["probes.vs=['opponents']"],
            "probes.vs = \"opponents\", expected players, because there are no opponents.fixed",
        ),
    ] {
        refused_sets(preset, sets, expected);
    }
    // The overridden key is not always the wrong one.
    let mlp = "model={kind='mlp', hidden=[10], from=''}";
    let message = Folder::new().refused(&["learn", "neat", "--set", mlp], 2);
    let expected = "search.kind = \"neat-anji\", expected still, es, es-adaptive, ga, truncation, pso, mopso, sane or esp for model.kind = \"mlp\", or model.kind = \"graph\"";
    assert!(message.contains(expected), "{message}");
    let message = Folder::new().refused(&["learn", "neat-td", "--set", "local.from=previous"], 2);
    let expected = "local.games = 50, expected 0, because local.from = \"previous\"";
    assert!(message.contains(expected), "{message}");
    let message =
        Folder::new().refused(&["learn", "td-lambda", "--set", "opponents.fixed=false"], 2);
    assert!(message.contains("opponents.fixed: expected players, as { players = [\"random\"] }, because local.kind = \"td-lambda\""), "{message}");
}

#[test]
fn networks_go_with_all_that_makes_sense() {
    let mutation = "search.mutation={noise='gaussian', rate=0.1, size=0.1, bounds=[-10, 10]}";
    for (preset, sets) in [
        (
            "neat",
            &[
                "opponents.fixed.players=['positional', 'mobility', 'td-greedy']",
                "objective.kind=fronts",
            ][..],
        ),
        ("sane", &["opponents.fixed.players=['positional', 'random']", "search.blueprints=0"]),
        (
            "td-lambda",
            &[
                "local.against=itself",
                "opponents.fixed=false",
                "probes.vs=['random']",
                "model.hidden=[]",
            ],
        ),
        ("td-lambda", &["model.kind=spatial", "model.hidden=[40, 10]", "model.activation=tanh"]),
        ("td-lambda", &["model={kind='wpc', start=0}"]),
        (
            "neat-td",
            &[
                "local.from=previous",
                "local.games=0",
                "objective.error=subtracted",
                "games=2000000",
            ],
        ),
        ("esp", &["search.stagnation=20", "search.adapt=true"]),
        ("sane", &["search={kind='es', mu=5, lambda=5}", mutation, "model.bias=true"]),
        (
            "neat",
            &[
                "search={kind='ga', population=10, tournament=2, archive-parents=0, crossover='none'}",
                mutation,
                "probes.also=[]",
            ],
        ),
    ] {
        let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
        let method =
            resolve(preset, &sets).unwrap_or_else(|error| panic!("{preset} {sets:?}: {error}"));
        let mut spec = method.spec;
        spec.opponents.games = spec.opponents.games.min(2);
        if let outflank::learn::LocalSpec::TdLambda(td) = &mut spec.local {
            td.games = 10;
        }
        let mut run =
            spec.begin(Seed(1)).unwrap_or_else(|error| panic!("{preset} {sets:?}: {error}"));
        let arena = Arena::new(Kernel::available()[0], 1).unwrap();
        for _ in 0..2 {
            run.step(&arena, &|| false).unwrap();
        }
    }
}

#[test]
fn opponents_are_measured_as_they_are_met() {
    let sets =
        ["opponents.fixed.players=['positional', 'random', 'mobility@epsilon=0.1', 'td-greedy@ties=last']".to_string()];
    let spec = resolve("neat", &sets).unwrap().spec;
    assert_eq!(
        spec.yardsticks(),
        [
            "positional@opening=4,ties=first",
            "random",
            "mobility@epsilon=0.1",
            "td-greedy@opening=4,ties=last"
        ]
    );
    // Without the learner's ties.
    let sets = [sets[0].clone(), "policy.ties=random".into()];
    let spec = resolve("neat", &sets).unwrap().spec;
    assert_eq!(spec.yardsticks()[0], "positional@opening=4");
}

#[test]
fn games_to_learn_from_are_read_or_refused() {
    let folder = Folder::new();
    folder.write("games.txt", "f5d6\n");
    folder.write("empty.txt", "# none\n");
    folder.write("bad.wtb", "no database");
    for (file, expected) in [
        ("games.txt", "games file games.txt: line 1: the game is not over"),
        ("empty.txt", "games file empty.txt: there are no games in it"),
        ("none.txt", "games file none.txt: "),
        ("bad.wtb", "games file bad.wtb: "),
    ] {
        let local = format!(
            "local={{kind='games', files=['{file}'], players=[], meetings=1, games=10, alpha=0.1, lambda=0.9}}"
        );
        let message = folder.refused(&["learn", "td-lambda", "--set", &local], 1);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn weights_come_from_a_player_by_name_or_file() {
    let folder = Folder::new();
    let args = |from: &'static str| ["learn", "td-lambda", "--games", "2000", "--set", from];
    folder.run(&args("model.from='td-greedy'"));
    let other =
        ["learn", "td-lambda", "--set", "model.hidden=[10]", "--set", "model.from='td-greedy'"];
    let message = folder.refused(&other, 2);
    assert!(message.contains("td-greedy is 64-20-1 (sigmoid"), "{message}");
    for (from, code, expected) in [
        ("model.from='none.json'", 1, "none.json"),
        ("model.from='td-gredy'", 2, "did you mean \"td-greedy\"?"),
        (
            "model.from='heuristic'",
            2,
            "model.from: heuristic is a weighted piece counter, expected 64-20-1 (sigmoid, output sigmoid, with biases, view mover)",
        ),
        ("model.from='td-greedy@epsilon=0.1'", 2, "has options, but only parameters can be used"),
    ] {
        let message = folder.refused(&args(from), code);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_study_gives_each_run_the_champion_of_its_seed_and_another_study_is_another_run() {
    let folder = Folder::new();
    let tdl = ["learn", "tdl", "--games", "200", "--seeds", "1..2", "--set", "probes.games=2"];
    folder.run(&[&tdl[..], &["--out", "one"]].concat());
    folder.run(&[&tdl[..], &["--out", "two", "--set", "local.alpha=0.02"]].concat());
    let ga = |from: &'static str, seeds: &'static str, out: &'static str| {
        let sets = ["--set", from, "--set", "search.population=4", "--set", "search.tournament=2"];
        let rest = ["--set", "probes.also=['changed']", "--set", "search.mutation.rate=0"];
        let all = ["learn", "cel", "--games", "16", "--seeds", seeds, "--set", "probes.games=2"];
        [&all[..], &sets, &rest, &["--out", out]].concat()
    };
    folder.run(&ga("model.from=one", "1..2", "ga"));
    // Nothing mutates, so the champions are those of the study.
    let params = |path: &str| {
        let file = std::fs::read_to_string(folder.0.path().join(path)).unwrap();
        serde_json::from_str::<serde_json::Value>(&file).unwrap()["parameters"].clone()
    };
    for seed in ["1", "2"] {
        assert_eq!(
            params(&format!("ga/{seed}/champion.json")),
            params(&format!("one/{seed}/champion.json"))
        );
    }
    assert_ne!(params("ga/1/champion.json"), params("ga/2/champion.json"));
    let message = folder.refused(&ga("model.from=one", "1..3", "ga"), 2);
    let expected =
        "model.from: one is a study: player file one/3: the study has no run with seed 3";
    assert!(message.contains(expected), "{message}");
    let message = folder.refused(&ga("model.from=two", "1..2", "ga"), 2);
    assert!(message.contains("from = \"one\" there, \"two\" here"), "{message}");
    // The same name, another study.
    std::fs::rename(folder.0.path().join("two"), folder.0.path().join("old")).unwrap();
    std::fs::rename(folder.0.path().join("one"), folder.0.path().join("two")).unwrap();
    folder.run(&ga("model.from=two", "1..2", "other"));
    std::fs::rename(folder.0.path().join("two"), folder.0.path().join("one")).unwrap();
    std::fs::rename(folder.0.path().join("old"), folder.0.path().join("two")).unwrap();
    let message = folder.refused(&ga("model.from=two", "1..2", "other"), 2);
    assert!(message.contains(r#"study \"two\" is"#), "{message}");
    refused_sets(
        "tdl",
        &["model.from=one", "model.copies=mutated"],
        "model.copies = \"mutated\", expected \"exact\", because search.kind = \"still\" does not mutate",
    );
}
