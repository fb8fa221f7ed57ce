//! Invalid values, and keys that contradict each other.

use super::*;

const MILLION: &str = "1000000";

#[test]
fn values_that_mean_nothing_are_refused() {
    let (players, million, trillion) = ("100000", MILLION, "1000000000000");
    let from_to = |low: &str, high: &str| format!("expected a whole number from {low} to {high}");
    let number = |low: &str, high: &str| format!("expected a number from {low} to {high}");
    let bounds = "expected two numbers from -1000000 to 1000000, the smaller first";
    let td_games =
        "expected a whole number, or 1/n for one game every n generations, n up to 1000000";
    let pairs = "expected 0, 1, or an even number up to 1000000: half with each colour";
    let probed = "expected an even number from 2 to 1000000000: half as each colour";
    for (preset, set, value, expected) in [
        ("cel", "games", "0", from_to("1", "1000000000000000")),
        ("cel", "search.population", "0", from_to("2", players)),
        ("cel", "search.population", "1", from_to("2", players)),
        ("cel", "search.population", "100001", from_to("2", players)),
        ("cel", "search.population", MILLION, from_to("2", players)),
        ("cel", "search.elite", "50", "expected fewer than search.population = 50".into()),
        ("rsel", "search.mu", "0", from_to("1", players)),
        ("rsel", "search.lambda", "0", from_to("1", players)),
        ("cel", "search.archive-parents", "1.5", number("0", "1")),
        ("cel", "search.mutation.rate", "-0.1", number("0", "1")),
        ("cel", "search.mutation.rate", "1.1", number("0", "1")),
        ("cel", "search.mutation.rate", "NaN", number("0", "1")),
        ("cel", "search.mutation.size", "-1", number("0", million)),
        ("cel", "search.mutation.size", "inf", number("0", million)),
        ("cel", "search.mutation.size", "1e300", number("0", million)),
        ("cel", "search.mutation.bounds", "[1, -1]", bounds.into()),
        ("cel", "search.mutation.bounds", "[0, 0]", bounds.into()),
        ("cel", "search.mutation.bounds", "[-1, inf]", bounds.into()),
        ("cel", "search.mutation.bounds", "[NaN, 1]", bounds.into()),
        ("cel", "model.start", "-1", number("0", million)),
        ("cel", "model.start", "NaN", number("0", million)),
        ("cel", "model.start", "inf", number("0", million)),
        ("2cel", "opponents.tests.start", "-1", number("0", million)),
        ("2cel", "opponents.tests.search.mu", "0", from_to("1", players)),
        ("ctdl", "local.alpha", "NaN", number("-1000", "1000")),
        ("ctdl", "local.alpha", "-inf", number("-1000", "1000")),
        ("ctdl", "local.alpha", "1001", number("-1000", "1000")),
        ("ctdl", "local.lambda", "-0.1", number("0", "1")),
        ("ctdl", "local.lambda", "1.1", number("0", "1")),
        ("ctdl", "local.epsilon", "2", number("0", "1")),
        ("ctdl", "local.games", "0", td_games.into()),
        ("ctdl", "local.games", "-1", td_games.into()),
        ("ctdl", "local.games", "NaN", td_games.into()),
        ("ctdl", "local.games", "1.5", td_games.into()),
        ("ctdl", "local.games", "0.3", td_games.into()),
        ("ctdl", "local.games", "0.0000001", td_games.into()),
        ("ctdl", "local.games", "1e15", td_games.into()),
        (
            "ctdl",
            "local.games",
            trillion,
            format!("expected at most {trillion} games in a generation, not 50000000002500"),
        ),
        ("cel-hof", "archive.capacity", "1000001", from_to("0", million)),
        (
            "cel",
            "opponents.games",
            "0",
            "expected 1 or more, because search.kind = \"ga\" needs fitness".into(),
        ),
        ("cel", "opponents.games", "3", pairs.into()),
        ("cel", "opponents.games", "1000002", pairs.into()),
        ("cel-hof", "opponents.hall-of-fame.sample", "0", from_to("1", players)),
        ("rsel", "opponents.random-wpc.number", "0", from_to("1", players)),
        ("rsel", "opponents.random-wpc.number", "100001", from_to("1", players)),
        (
            "rsel",
            "opponents.fixed.players",
            "[]",
            "expected at least one player, as [\"heuristic\"]".into(),
        ),
        ("cel", "objective.win", "inf", number("-1000000", million)),
        ("cel", "policy.epsilon", "-0.5", number("0", "1")),
        ("cel", "probes.games", "0", probed.into()),
        ("cel", "probes.games", "7", probed.into()),
        ("cel", "probes.sample", "0", from_to("1", "1000000000")),
    ] {
        let written = value.replace("NaN", "nan");
        let set_to = format!("{set}={written}");
        refused_sets(preset, &[&set_to], &format!("{set} = {value}, {expected}"));
    }
    for (preset, set, expected) in [
        (
            "rsel",
            "opponents.fixed.players=['heuristc']",
            "opponents.fixed.players[0] = \"heuristc\", expected a player: unknown player \"heuristc\": did you mean \"heuristic\"?",
        ),
        (
            "cel",
            "probes.vs=['random', 'utilty']",
            "probes.vs[1] = \"utilty\", expected utility or opponents or a player: unknown player \"utilty\": ",
        ),
        (
            "cel",
            "probes.vs=['random', 'utility', 'random']",
            "probes.vs[2] = \"random\", expected each benchmark only once",
        ),
    ] {
        let message = Folder::new().refused(&["learn", preset, "--set", set], 2);
        assert!(message.starts_with(&format!("error: --set {set}: {expected}")), "{message}");
    }
}

#[test]
fn keys_that_disagree_are_both_named() {
    let met = "because objective.kind = \"distinctions\" needs opponents that all candidates meet";
    for (preset, sets, expected) in [
        (
            "cel",
            &["search.tournament=0"][..],
            "search.tournament = 0, expected 1 to search.population = 50",
        ),
        (
            "cel",
            &["search.tournament=51"],
            "search.tournament = 51, expected 1 to search.population = 50",
        ),
        (
            "pso-td",
            &["policy.depth=2"],
            "policy.depth = 2, expected 0 or 1, because local.kind = \"td-games\" learns from the moves that candidates make by their own evaluation",
        ),
        (
            "rsel",
            &["search.mu=60000", "search.lambda=60000"],
            "search.lambda = 60000, expected at most 100000 candidates with search.mu = 60000",
        ),
        (
            "ctdl",
            &["search.mutation.bounds=[-1000, 1]"],
            "search.mutation.bounds = [-1000, 1], expected bounds within [-100, 100], because local.kind = \"td\" treats larger weights as diverged",
        ),
        (
            "cel",
            &["search.archive-parents=0.2"],
            "search.archive-parents = 0.2, expected 0, because archive.kind = \"none\" keeps no champions",
        ),
        (
            "cel",
            &["opponents.hall-of-fame.sample=5"],
            "opponents.hall-of-fame.sample = 5, expected no hall of fame, because archive.kind = \"none\" keeps no champions",
        ),
        (
            "cel",
            &["search.mutation.bounds=[-0.1, 0.1]", "model.start=0.5"],
            "model.start = 0.5, expected [-start, start] within search.mutation.bounds = [-0.1, 0.1]",
        ),
        (
            "1cel",
            &["opponents.peers.sample=51"],
            "opponents.peers.sample = 51, expected at most 50, the peers of each of 50 candidates with opponents.peers.itself = true",
        ),
        (
            "1cel",
            &["opponents.peers.itself=false", "opponents.peers.sample=50"],
            "opponents.peers.sample = 50, expected at most 49, the peers of each of 50 candidates with opponents.peers.itself = false",
        ),
        (
            "1cel",
            &["opponents.peers.shared=true"],
            "opponents.peers.shared = true, expected false, because opponents.peers.sample = 0 is no sample",
        ),
        (
            "1cel",
            &[
                "opponents.peers.sample=5",
                "opponents.peers.itself=false",
                "opponents.peers.shared=true",
            ],
            "opponents.peers.shared = true, expected false, or opponents.peers.itself = true: who is in the sample meets itself",
        ),
        (
            "cel",
            &["search.kind=still", "opponents.peers.itself=false"],
            "opponents.peers.itself = false, expected true, or no peers: search.kind = \"still\" has one candidate",
        ),
        (
            "cel-hof",
            &["opponents.colour=black"],
            "opponents.colour = \"black\", expected \"both\", because of opponents.peers: only against opponents.fixed can a colour be chosen",
        ),
        (
            "tdl",
            &["opponents.colour=white"],
            "opponents.colour = \"white\", expected \"both\", or players in opponents.fixed",
        ),
        (
            "ctdl",
            &["policy.ties=first"],
            "policy.ties = \"first\", expected \"random\", because local.kind = \"td\" breaks ties at random",
        ),
        (
            "tdl",
            &["local.kind=none"],
            "local.kind = \"none\", expected local learning such as td, because search.kind = \"still\" changes nothing either",
        ),
        (
            "rsel",
            &[
                "search={kind='truncation', population=5, elites=6, fresh=1, mutation={noise='uniform', rate=1, size=1, bounds=[-1, 1]}}",
            ],
            "search.elites = 6, expected 1 to search.population = 5",
        ),
        (
            "2cel",
            &["opponents.tests.search.kind=still"],
            "opponents.tests.search.kind = \"still\", expected es, es-adaptive, ga, truncation or pso, which change parameters",
        ),
        (
            "1cel-rs",
            &["objective={kind='distinctions', directed=true}", "opponents.peers.sample=25"],
            &format!("opponents.peers.sample = 25, expected 0, {met}"),
        ),
        (
            "1cel",
            &["objective={kind='distinctions', directed=true}", "opponents.peers.itself=false"],
            &format!("opponents.peers.itself = false, expected true, {met}"),
        ),
        (
            "cel-hof",
            &["objective={kind='distinctions', directed=true}", "opponents.hall-of-fame.sample=5"],
            &format!("opponents.hall-of-fame.sample = 5, expected no hall of fame, {met}"),
        ),
        (
            "1cel",
            &["objective={kind='distinctions', directed=true}", "opponents.peers.credit=both"],
            "opponents.peers.credit = \"both\", expected own, because objective.kind = \"distinctions\" rewards only candidates being evaluated",
        ),
        (
            "rsel",
            &["opponents.random-wpc.number=1", "objective={kind='distinctions', directed=true}"],
            "objective.kind = \"distinctions\", expected 2 to 1000 opponents to distinguish, not 1",
        ),
        (
            "tdl",
            &[
                "opponents.tests={start=0, beside=0, search={kind='es', mu=1, lambda=1, mutation={noise='uniform', rate=1, size=1, bounds=[-1, 1]}}, objective={kind='distinctions', directed=true}}",
            ],
            "opponents.tests.objective.kind = \"distinctions\", expected 2 to 1000 candidates to distinguish, not 1",
        ),
        ("cel", &["games=2499"], "games = 2499, expected at least 2500, the games of a generation"),
        (
            "ctdl-hof",
            &["games=5049"],
            "games = 5049, expected at least 5050, the games of a generation",
        ),
    ] {
        refused_sets(preset, sets, expected);
    }
    let many = ["--set", "search.mu=50000", "--set", "opponents.random-wpc.number=100000"];
    let message = Folder::new().refused(&[&["learn", "rsel"][..], &many].concat(), 2);
    let limit =
        "expected at most 100000000 pairs of candidates and opponents in a generation, not ";
    assert!(message.contains(limit), "{message}");
    let message = Folder::new().refused(&["learn", "cel", "--set", "opponents.peers=false"], 2);
    let expected = "opponents: expected peers, hall-of-fame, random-wpc, fixed or tests, because \
                    search.kind = \"ga\" needs fitness";
    assert!(message.contains(expected), "{message}");
    let crossed = "opponents.tests.search={kind='ga', population=4, tournament=1, crossover='none', archive-parents=0.5}";
    refused_sets(
        "2cel",
        &["archive={kind='champions', capacity=0}", crossed],
        "opponents.tests.search.archive-parents = 0.5, expected 0, because champions are not tests",
    );
}

#[test]
fn what_is_odd_but_sound_is_allowed() {
    for (preset, sets) in [
        ("ctdl", &["local.alpha=-0.01"][..]),
        ("ctdl", &["local.games=0.333"]),
        ("ctdl", &["local.games=0.1", "local.lambda=1"]),
        ("tdl", &["opponents.random-wpc.number=10"]),
        ("ctdl", &["search.kind=still"]),
        ("cel", &["games=2500"]),
        ("cel", &["model.start=1"]),
        ("cel", &["policy.ties=last"]),
        ("td-lambda", &["opponents.colour=black"]),
        ("neat-td", &["opponents.colour=white"]),
        ("cel", &["games=2_500", "opponents.peers.credit=both"]),
        ("1cel", &["opponents.peers.itself=false", "opponents.peers.sample=49"]),
        (
            "rsel",
            &["search.mu=1", "search.lambda=1", "objective={kind='distinctions', directed=true}"],
        ),
        (
            "rsel",
            &[
                "opponents.fixed.players=['heuristic@epsilon=0.1', 'random']",
                "opponents.random-wpc=false",
            ],
        ),
        ("cel", &["probes.vs=[]", "probes.every=0"]),
    ] {
        let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
        resolve(preset, &sets).unwrap_or_else(|error| panic!("{preset} {sets:?}: {error}"));
    }
}

#[test]
fn goals_that_cannot_be_measured_are_refused() {
    let until =
        |vs: &str, score: &str| format!("until={{vs='{vs}', score={score}, otherwise='fail'}}");
    let other = "until.vs = \"lr2006\", expected a benchmark of probes.vs: random or heuristic";
    refused_sets("tdl", &[&until("lr2006", "0.5")], other);
    let never = "probes.every = 0, expected 1 or more, because until is measured at the probes";
    refused_sets("tdl", &[&until("random", "0.5"), "probes.every=0"], never);
    let high = "until.score = 63, expected a number from 0 to 1";
    refused_sets("tdl", &[&until("random", "63")], high);
}

#[test]
fn stages_that_do_not_fit_are_refused() {
    let tdl = "before={base='tdl', games=1000}";
    let other = "before.model: expected the shape of model, 64-2-1 (tanh, output linear, with \
                 biases, view black), not a weighted piece counter";
    let mlp = "model={kind='mlp', hidden=[2], activation='tanh', output='linear', bias=true, \
               view='black', start=0, from=''}";
    let message = Folder::new().refused(&["learn", "cel", "--set", mlp, "--set", tdl], 2);
    assert!(message.ends_with(&format!("{other}\n")), "{message}");
    let twice =
        "model.from = \"lr2006\", expected \"\", because runs start from the champions of before";
    refused_sets("cel", &[tdl, "model.from=lr2006"], twice);
    let inner = "before.local.alpha = 5000, expected a number from -1000 to 1000";
    refused_sets("cel", &[tdl, "before.local.alpha=5000"], inner);
    let unknown = "unknown key before.modl = 5: did you mean before.model?";
    refused_sets("cel", &[tdl, "before.modl=5"], unknown);
    refused_sets("cel", &["before=5"], "before = 5, expected a table, or false for none");
    let folder = Folder::with(&[("own.toml", "base = 'cel'\n[before]\nbase = 'own.toml'\n")]);
    let message = folder.refused(&["learn", "own.toml"], 2);
    assert!(message.contains("more than 32 stages"), "{message}");
}
