//! Tournaments of a study, and figures of their games.

use std::path::Path;

use crate::studying::Folder;
use crate::{assert_says, json, refused, run};

#[test]
fn named_players_join_a_tournament_and_champions_meet_those_of_their_seed() {
    let folder = Folder::new();
    let case = |name: &str, games: u64| {
        format!(
            "[[case]]\nname = {name:?}\nmethod = \"rsel\"\n\
             set = {{ games = {games}, probes.every = 5000, probes.sample = 50 }}\n"
        )
    };
    let tournament = "[[tournament]]\nname = \"league\"\ncases = [\"a\", \"b\"]\ndoubles = 2\n\
        players = [\"heuristic\", \"random\"]\nmeet = \"same-seed\"\nepsilon = 0.1\n";
    let table = "[[table]]\nname = \"table1\"\ntitle = \"League\"\nof = \"standings\"\n\
        tournament = \"league\"\n";
    let study = |name: &str, tournament: &str| {
        let (a, b) = (case("a", 5000), case("b", 10_000));
        let text = format!("title = \"League\"\nseeds = \"1..3\"\n{a}{b}{tournament}{table}");
        folder.file(name, &text)
    };
    let (good, out) = (study("league.toml", tournament), folder.path("out"));
    let found = json(&["study", &good, "--out", &out, "--json"]);
    let rows = found["tables"][0]["rows"].as_array().unwrap();
    let games = |team: &str| {
        let row = rows.iter().find(|row| row[0] == team).unwrap();
        row[2].as_str().unwrap().parse::<u64>().unwrap()
    };
    // Three champions meet the one of their seed and two players, four games each; a player meets
    // six champions and the other player.
    assert_eq!(["a", "b", "heuristic", "random"].map(games), [36, 36, 28, 28], "{rows:?}");
    // The points of a team are a mean with an interval, those of a player a number.
    let points = |team: &str| {
        let row = rows.iter().find(|row| row[0] == team).unwrap();
        row[6].as_str().unwrap().to_owned()
    };
    assert!(points("a").contains('±') && points("random").parse::<u64>().is_ok(), "{rows:?}");
    for (name, from, to, problem) in [
        ("unknown.toml", "heuristic", "heuristc", "did you mean \"heuristic\""),
        ("twice.toml", "\"random\"]", "\"heuristic\"]", "takes part twice"),
        ("epsilon.toml", "epsilon = 0.1", "epsilon = 2", "expected a probability from 0 to 1"),
        ("meet.toml", "same-seed", "same-seeds", "did you mean"),
        ("alone.toml", "[\"a\", \"b\"]", "[]", "expected two cases or more"),
        ("moves.toml", "epsilon = 0.1", "moves = \"dept=2\"", "did you mean depth"),
    ] {
        let bad = study(name, &tournament.replace(from, to));
        assert_says(&refused(&["study", &bad, "--out", &out], 2), &[name, "line", problem]);
    }
}

#[test]
fn champions_play_a_tournament_as_they_were_trained_or_as_it_says() {
    let folder = Folder::new();
    let case = |name: &str, depth: u64| {
        format!(
            "[[case]]\nname = {name:?}\nmethod = \"rsel\"\n\
             set = {{ games = 5000, policy.depth = {depth}, probes.every = 0, probes.sample = 2 }}\n"
        )
    };
    let parts = [("a", ""), ("b", "trained"), ("c", "depth=2")].map(|(name, moves)| {
        format!(
            "[[tournament]]\nname = {name:?}\ncases = [\"ahead\"]\nmoves = {moves:?}\n\
             players = [\"heuristic\", \"lr2006\"]\ndoubles = 20\nepsilon = 0.1\n\
             [[table]]\nname = \"of-{name}\"\ntitle = \"T\"\nof = \"standings\"\n\
             tournament = {name:?}\n"
        )
    });
    let text = format!("title = \"T\"\nseeds = \"1..2\"\n{}{}", case("ahead", 2), parts.concat());
    let study = folder.file("moves.toml", &text);
    let found = json(&["study", &study, "--out", &folder.path("out"), "--json"]);
    let [plain, trained, depth_2] = [0, 1, 2].map(|table| &found["tables"][table]["rows"]);
    assert_eq!(trained, depth_2);
    assert_ne!(trained, plain);
}

#[test]
fn who_leads_in_games_between_two_cases_is_a_figure() {
    let folder = Folder::new();
    let case = |name: &str, seeds: &str| {
        format!(
            "[[case]]\nname = {name:?}\nmethod = \"rsel\"\nseeds = {seeds:?}\n\
             set = {{ games = 5000, probes.every = 0, probes.sample = 2 }}\n"
        )
    };
    let figure = "[[figure]]\nname = \"leads\"\ntitle = \"Who leads\"\nof = \"leads\"\n\
        cases = [\"a\", \"b\"]\ntournament = \"all\"\njudge = \"lr2006@depth=2,solve=8\"\n";
    let study = |name: &str, figure: &str| {
        let cases = [case("a", "1..2"), case("b", "1..2"), case("c", "3..4")].concat();
        let tournament = "[[tournament]]\nname = \"all\"\ncases = [\"a\", \"b\", \"c\"]\n\
            moves = \"solve=8\"\n";
        folder.file(name, &format!("title = \"Leads\"\n{cases}{tournament}{figure}"))
    };
    let (good, out) = (study("leads.toml", figure), folder.path("out"));
    assert!(run(&["study", &good, "--out", &out]).status.success());
    let file = |name: &str| std::fs::read_to_string(Path::new(&out).join(name)).unwrap();
    assert_says(
        &file("results/leads-leads.svg"),
        &["as lr2006@depth=2,solve=8 sees it", "in discs at the end", "a: Black; b: White."],
    );
    // A game for each seed; where the end is solved, both sides play perfectly and the lead stays.
    let rows = file("results/leads-leads.csv");
    for seed in ["1,", "2,"] {
        let own: Vec<&str> = rows.lines().filter(|row| row.starts_with(seed)).collect();
        let of = |row: &str, index: usize| row.split(',').nth(index).unwrap().to_owned();
        assert!(own.len() > 20 && own.iter().all(|row| of(row, 4) == of(own[0], 4)), "{rows}");
        let discs: Vec<String> =
            own.iter().map(|row| of(row, 3)).filter(|discs| !discs.is_empty()).collect();
        assert!(discs.len() > 4 && discs.iter().all(|lead| *lead == discs[0]), "{discs:?}");
    }
    for (name, from, to, problem) in [
        ("one.toml", "\"a\", \"b\"]\nt", "\"a\"]\nt", "expected two cases of tournament"),
        ("seeds.toml", "\"a\", \"b\"]\nt", "\"a\", \"c\"]\nt", "with the same seeds"),
        ("judge.toml", "lr2006", "lr2007", "did you mean"),
        ("chance.toml", "lr2006@depth=2,solve=8", "random", "draws its moves"),
        ("contest.toml", "\"all\"", "\"al\"", "did you mean all"),
    ] {
        let bad = study(name, &figure.replace(from, to));
        assert_says(&refused(&["study", &bad, "--out", &out], 2), &[name, "line", problem]);
    }
}
