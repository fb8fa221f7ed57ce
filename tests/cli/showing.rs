//! Networks that are shown, drawn and written, and networks that are refused.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{assert_says, json as found, outflank, refused, run, text};

fn write(folder: &Path, name: &str, model: &str, structure: Value, weights: &[f64]) -> String {
    let file = json!({
        "format": "outflank-player",
        "version": 1,
        "name": name,
        "model": model,
        "view": "mover",
        "structure": structure,
        "parameters": weights,
    });
    let path = folder.join(format!("{name}.json"));
    fs::write(&path, file.to_string()).unwrap();
    path.to_str().unwrap().into()
}

fn layers(hidden: &[u64], activation: &str) -> Value {
    json!({ "hidden": hidden, "activation": activation, "output": "sigmoid", "bias": false })
}

fn mlp(folder: &Path) -> String {
    // The second of the two nodes has the larger outgoing weight.
    let weights: Vec<f64> =
        (0..128).map(|index| f64::from(index % 7) - 3.0).chain([0.5, -2.0]).collect();
    write(folder, "small", "mlp", layers(&[2], "tanh"), &weights)
}

fn graph_structure(connections: &[[&str; 2]]) -> Value {
    let hidden = ["n66", "n70"];
    json!({ "activation": "tanh", "output": "sigmoid", "hidden": hidden, "connections": connections })
}

const GROWN: [[&str; 2]; 6] =
    [["a1", "n66"], ["b2", "n66"], ["n66", "n70"], ["one", "n70"], ["n70", "out"], ["h8", "out"]];
const GROWN_WEIGHTS: [f64; 6] = [1.5, -2.5, 0.75, -0.25, 3.0, -1.0];

fn graph(folder: &Path) -> String {
    write(folder, "grown", "graph", graph_structure(&GROWN), &GROWN_WEIGHTS)
}

#[test]
fn a_perceptron_is_shown_as_boards_of_its_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let player = mlp(folder.path());
    let shown = run(&["show", &player]);
    let shown = text(&shown.stdout);
    assert_says(shown, &["a multilayer perceptron: 64 squares -> 2 tanh -> 1 sigmoid"]);
    assert_says(shown, &["2 hidden nodes, 130 connections", "n2 -2.00          n1 +0.50"]);
    assert_says(
        shown,
        &["\n = - . + # # = =   = = - . + # # =\n", "Change of the value when a disc is flipped"],
    );
    assert!(!shown.contains('\u{1b}'), "no colours where no terminal is");
    let network = found(&["show", &player, "--json"]);
    assert_eq!((&network["kind"], &network["hidden"]), (&"mlp".into(), &2.into()));
    assert_eq!(network["connections"], 130);
    assert_eq!(network["structure"]["hidden"], json!([2]));
    assert_eq!(network["weights"], Value::Null);
}

#[test]
fn the_whole_policy_of_a_player_is_shown() {
    let policy = |player: &str| found(&["show", player, "--json"])["policy"].clone();
    // Later layers are off unless they are set.
    let with = |set: Value| {
        let mut whole = json!({
            "depth": 0, "book": null, "book-best": 3, "book-margin": 128.0, "solve": 0,
        });
        whole.as_object_mut().unwrap().extend(set.as_object().unwrap().clone());
        whole
    };
    let opened = with(json!({ "epsilon": 0.0, "noise": 0.0, "opening": 4, "ties": "random" }));
    assert_eq!(policy("positional@opening=4"), opened);
    let all = json!({
        "epsilon": 0.1, "noise": 0.01, "opening": 2, "ties": "last", "depth": 3, "solve": 8,
    });
    let player = "heuristic@ties=last,opening=2,noise=0.01,epsilon=0.1,depth=3,solve=8";
    assert_eq!(policy(player), with(all));
}

#[test]
fn perceptrons_without_hidden_nodes_with_one_and_with_two_layers_are_shown_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |name: &str, hidden: &[u64], weights: usize| {
        let path = write(folder.path(), name, "mlp", layers(hidden, "tanh"), &vec![0.5; weights]);
        text(&run(&["show", &path]).stdout).to_string()
    };
    let none = shown("none", &[], 64);
    assert_says(
        &none,
        &["0 hidden nodes, 64 connections", "Weights from the squares to the output."],
    );
    assert!(!none.contains("above each node"));
    assert_says(&shown("one", &[1], 65), &["\n1 hidden node, 65 connections"]);
    let two = shown("two", &[2, 3], 137);
    assert_says(
        &two,
        &["above each node is the sum of the sizes of its weights to the next layer."],
    );
}

#[test]
fn the_counter_of_a_spatial_network_is_no_hidden_node() {
    let folder = tempfile::tempdir().unwrap();
    // As many weights as squares in all pieces, from them to 20 nodes, and from these and the
    // counter.
    let weights = vec![0.5; 1708 + 91 * 20 + 21];
    let player = write(folder.path(), "pieces", "spatial", layers(&[20], "sigmoid"), &weights);
    let shown = run(&["show", &player]);
    let shown = text(&shown.stdout);
    assert_says(shown, &["64 squares -> 91 sigmoid -> 20 sigmoid -> 1", "\n111 hidden nodes, "]);
    assert_says(shown, &["in addition, discs: passes one side's discs"]);
    assert_eq!(found(&["show", &player, "--json"])["hidden"], 111);
}

#[test]
fn a_graph_is_shown_as_nodes_and_connections() {
    let folder = tempfile::tempdir().unwrap();
    let player = graph(folder.path());
    let shown = run(&["show", &player]);
    let shown = text(&shown.stdout);
    assert_says(shown, &["a graph: 64 squares -> 1 tanh -> 1 tanh -> 1 sigmoid, with biases"]);
    assert_says(shown, &["2 hidden nodes, 6 connections, weights from -2.50 to 3.00"]);
    assert_says(shown, &["n66   b2 -2.50, a1 +1.50", "n70 -> out +3.00"]);
    let network = found(&["show", &player, "--json"]);
    assert_eq!((&network["kind"], &network["connections"]), (&"graph".into(), &6.into()));
    assert_eq!(network["structure"]["connections"][2], json!(["n66", "n70"]));
}

#[test]
fn odd_networks_are_shown_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    // A long chain, whose weights are all above 0.
    let names: Vec<String> = (66..166).map(|node| format!("n{node}")).collect();
    let sources = ["a1".to_string()].into_iter().chain(names.iter().cloned());
    let targets = names.iter().cloned().chain(["out".to_string()]);
    let connections: Vec<[String; 2]> = sources.zip(targets).map(|(from, to)| [from, to]).collect();
    let chain = json!({
        "activation": "tanh", "output": "sigmoid", "hidden": names, "connections": connections
    });
    let weights: Vec<f64> = (0..101).map(|at| 0.5 + f64::from(at) / 100.0).collect();
    let shown = run(&["show", &write(folder.path(), "chain", "graph", chain, &weights)]);
    let shown = text(&shown.stdout);
    assert_says(shown, &["a graph: 64 squares -> 100 tanh, 100 deep -> 1 sigmoid, without biases"]);
    assert_says(shown, &["100 hidden nodes, 101 connections, weights from 0.50 to 1.50\n"]);
    assert_says(shown, &["And 70 more hidden nodes."]);
    let bare = json!({
        "activation": "tanh", "output": "sigmoid", "hidden": [], "connections": []
    });
    let shown = run(&["show", &write(folder.path(), "bare", "graph", bare, &[])]);
    assert_says(text(&shown.stdout), &["0 hidden nodes, 0 connections\n", "It has no connections"]);
}

#[test]
fn networks_are_drawn_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let [svg, dot, copy] = ["n.svg", "n.dot", "copy.json"].map(|name| folder.path().join(name));
    let [svg, dot, copy] = [&svg, &dot, &copy].map(|path| path.to_str().unwrap());
    for (player, connections) in [(mlp(folder.path()), 130), (graph(folder.path()), 6)] {
        let args = ["show", &player, "--svg", svg, "--dot", dot, "--player-file", copy];
        assert!(run(&args).status.success());
        assert_says(&fs::read_to_string(svg).unwrap(), &["<svg", "2 hidden nodes", "</svg>"]);
        let graphviz = fs::read_to_string(dot).unwrap();
        assert_eq!(graphviz.matches(" -> ").count(), connections);
        let [network, copied] = [&player, copy].map(|player| found(&["show", player, "--json"]));
        assert_eq!(network["structure"], copied["structure"]);
        assert_eq!(network["parameters"], copied["parameters"]);
    }
    let player = mlp(folder.path());
    let message = refused(&["show", &player, "--svg", svg, "--dot", svg], 2);
    assert_says(&message, &["--svg and --dot name the same file"]);
    assert_says(&refused(&["show", "heuristic", "--dot", dot], 1), &["heuristic has no network"]);
    let message = refused(&["show", "mobility", "--player-file", copy], 1);
    assert_says(&message, &["mobility has no model that a player file could hold"]);
}

#[test]
fn bad_networks_are_refused_with_the_file_and_the_fault() {
    let folder = tempfile::tempdir().unwrap();
    let graph = |name: &str, connections: &[[&str; 2]]| {
        let weights = vec![1.0; connections.len()];
        write(folder.path(), name, "graph", graph_structure(connections), &weights)
    };
    let mlp = |name: &str, structure: Value, weights: usize| {
        write(folder.path(), name, "mlp", structure, &vec![0.5; weights])
    };
    let grown = graph_structure(&GROWN);
    let cases = [
        (graph("cycle", &[["n66", "n70"], ["n70", "n66"]]), "form a cycle"),
        (graph("loop", &[["n66", "n66"]]), "form a cycle"),
        (graph("dangling", &[["a1", "n99"]]), "the connection a1 -> n99 dangles"),
        (graph("backwards", &[["out", "n66"]]), "the connection out -> n66 dangles"),
        (graph("into a square", &[["a1", "b1"]]), "the connection a1 -> b1 dangles"),
        (graph("twice", &[["a1", "out"], ["a1", "out"]]), "a1 -> out appears twice"),
        (graph("nowhere", &[["z9", "out"]]), "\"z9\" is not a node"),
        (write(folder.path(), "short", "graph", grown, &[1.0]), "1 weights for 6 connections"),
        (mlp("curve", layers(&[2], "sine"), 130), "unknown activation \"sine\""),
        (mlp("empty", layers(&[0], "tanh"), 0), "a hidden layer of 0 nodes"),
        (mlp("absurd", layers(&[1 << 40], "tanh"), 1), "a hidden layer of 1099511627776 nodes"),
        (mlp("deep", layers(&[1; 9], "tanh"), 1), "9 hidden layers, expected at most 8"),
        (mlp("few", layers(&[2], "tanh"), 129), "129 weights, expected 130"),
        (mlp("bare", json!({ "hidden": [2] }), 130), "missing field"),
        (mlp("flat", Value::Null, 130), "the key \"structure\" is missing"),
    ];
    for (path, fault) in &cases {
        assert_says(&refused(&["show", path], 1), &[path, fault]);
    }
    assert_says(&refused(&["match", &cases[0].0, "random"], 1), &[&cases[0].0, cases[0].1]);
}

/// A run of a few probes.
fn trained(folder: &Path, method: &[&str], every: u64) -> String {
    let out = folder.join(method[0]);
    let mut learn = outflank(&["learn"]);
    learn.args(method).args(["--seeds", "1", "--threads", "1", "--set", "probes.vs=['random']"]);
    learn.args(["--set", "probes.games=20", "--set", &format!("probes.every={every}")]);
    assert!(learn.arg("--out").arg(&out).output().unwrap().status.success());
    out.join("1").to_str().unwrap().into()
}

#[test]
fn the_growth_of_a_champion_is_drawn_as_a_strip_and_as_a_film() {
    let folder = tempfile::tempdir().unwrap();
    let [strip, film] = ["strip.svg", "film.svg"].map(|name| folder.path().join(name));
    let [strip, film] = [&strip, &film].map(|path| path.to_str().unwrap());
    let board = trained(folder.path(), &["cel", "--games", "60000"], 5000);
    let grown = trained(folder.path(), &["neat", "--games", "30000"], 5000);
    for (run_folder, words) in [(&board, "training games<"), (&grown, "connections")] {
        let args = ["show", run_folder, "--history", strip, "--animate", film, "--points", "4"];
        let shown = found(&[&args[..], &["--json"]].concat());
        let history = shown["history"].as_array().unwrap();
        assert!(history.len() > 4 && history[0]["weights"].is_null() == (*run_folder == grown));
        assert_eq!(history.last().unwrap()["weights"], shown["weights"]);
        let [strip, film] = [strip, film].map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(strip.matches("scale(").count(), 4);
        assert_eq!(film.matches("visibility=\"hidden\"").count(), 3, "all but the last");
        assert_says(&film, &["prefers-reduced-motion", words]);
        for end in [history.first(), history.last()] {
            let games = end.unwrap()["games"].as_u64().unwrap();
            let games = format!(">{},{:03}", games / 1000, games % 1000);
            assert_says(&strip, &[&format!("{games}<")]);
            assert_says(&film, &[&games]);
        }
    }
    let earlier = found(&["show", &board, "--at", "20000", "--history", strip, "--json"]);
    let games = |champion: &Value| champion["games"].as_u64().unwrap();
    assert!(earlier["history"].as_array().unwrap().iter().all(|at| games(at) <= 20_000));
    // What is no run, or has no history, writes nothing.
    let other = folder.path().join("other.svg");
    let other = other.to_str().unwrap();
    let message = refused(&["show", "heuristic", "--history", other], 2);
    assert_says(&message, &["heuristic is not a run, so it has no history", "runs/ctdl/1"]);
    let player = graph(folder.path());
    assert_says(&refused(&["show", &player, "--animate", other], 2), &[&player, "is not a run"]);
    let study = folder.path().join("cel");
    assert_says(&refused(&["show", study.to_str().unwrap(), "--history", other], 1), &["a study"]);
    let message = refused(&["show", &board, "--history", other, "--points", "1"], 2);
    assert_says(&message, &["expected a number of pictures from 2 to 200"]);
    let message = refused(&["show", &board, "--points", "4"], 2);
    assert_says(&message, &["--points needs --history or --animate"]);
    let message = refused(&["show", &board, "--history", other, "--animate", other], 2);
    assert_says(&message, &["--history and --animate name the same file"]);
    fs::remove_file(Path::new(&board).join("champions.bin")).unwrap();
    let message = refused(&["show", &board, "--history", other], 1);
    assert_says(&message, &["champions.bin: it is missing"]);
    assert!(!Path::new(other).exists());
}
