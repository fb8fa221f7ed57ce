//! `analyse`: games and positions, moves and what they lost.

use super::{assert_says, json, refused, run, text};

const GAME: &str = "f5d6c3d3c4f4f6f3e6e7";

#[test]
fn a_game_is_judged_move_by_move() {
    let answer = json(&["analyse", GAME, "--player", "lr2006", "--depth", "3", "--json"]);
    let game = &answer["results"][0];
    let positions = game["positions"].as_array().unwrap();
    assert_eq!((game["game"].as_str(), positions.len()), (Some(GAME), 11));
    for position in &positions[..10] {
        let moves = position["moves"].as_object().unwrap();
        let played = position["played"].as_str().unwrap();
        let best = position["worth"]["value"].as_f64().unwrap();
        let made = moves[played]["value"].as_f64().unwrap();
        assert!(moves.values().all(|worth| worth["value"].as_f64().unwrap() <= best));
        assert!((position["loss"]["value"].as_f64().unwrap() - (best - made)).abs() < 1e-12);
    }
    assert!(positions[10]["played"].is_null() && positions[10]["loss"].is_null());
    let losses = &answer["losses"][0];
    assert_eq!((losses["phase"].as_str(), losses["moves"].as_u64()), (Some("opening"), Some(5)));
    let shown = run(&["analyse", GAME, "--player", "lr2006", "--depth", "3"]);
    assert_says(text(&shown.stdout), &["Judged by lr2006 at depth 3", "lead", "opening"]);
}

#[test]
fn the_end_of_a_game_is_solved() {
    // White turns f8 with g8, and Black all of row 8 with h8.
    let position = format!("{}OX-- O", "X".repeat(60));
    let answer = json(&["analyse", &position, "--player", "lr2006", "--json"]);
    let found = &answer["results"][0]["positions"][0];
    assert_eq!((&found["exact"], &found["moves"]["g8"]["discs"]), (&true.into(), &(-64).into()));
    let full = format!("{} X", "X".repeat(64));
    let message = refused(&["analyse", &full, "--player", "lr2006"], 2);
    assert_says(&message, &["neither side can move"]);
}

#[test]
fn a_position_may_begin_with_an_empty_square() {
    let start = "---------------------------OX------XO--------------------------- X";
    let answer = json(&["analyse", start, "--player", "heuristic", "--depth", "1", "--json"]);
    let moves = answer["results"][0]["positions"][0]["moves"].as_object().unwrap();
    assert_eq!(moves.keys().collect::<Vec<_>>(), ["c4", "d3", "e6", "f5"]);
}

#[test]
fn the_figure_and_files_of_games() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let (games, svg) = (file("games.txt"), file("lead.svg"));
    std::fs::write(&games, format!("{GAME}\nf5f6e6f4\n")).unwrap();
    let args = ["analyse", &games, "--player", "heuristic", "--depth", "2", "--out", &svg];
    let shown = run(&args);
    assert_says(text(&shown.stdout), &["games.txt game 2", "Drawn in"]);
    let drawn = std::fs::read_to_string(&svg).unwrap();
    assert_says(
        &drawn,
        &["Who leads, move by move, in 2 games", "as heuristic at depth 2 sees it"],
    );
    std::fs::write(&games, format!("{GAME}\nf5f5\n")).unwrap();
    assert_says(&refused(&args, 1), &["games.txt, line 2", "move 2"]);
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let judge = |args: &[&str]| {
        let args = [&["analyse"], args].concat();
        refused(&args, 2)
    };
    assert_says(&judge(&["f5d9", "--player", "lr2006"]), &["move 2", "d9"]);
    assert_says(&judge(&[GAME, "--player", "random"]), &["random", "draws its moves"]);
    for depth in ["0", "61", "-1"] {
        judge(&[GAME, "--player", "lr2006", "--depth", depth]);
    }
    assert_says(&judge(&[GAME, "--player", "lr2006", "--solve", "60"]), &["60"]);
    assert_says(&judge(&["XXOO X", "--player", "lr2006"]), &["64"]);
    assert_says(&judge(&[GAME, "--player", "lr2006", "--out", "x.png"]), &[".svg or .pdf"]);
}

#[cfg(unix)]
#[test]
fn a_search_that_would_take_years_ends_when_asked_to() {
    use std::os::unix::process::ExitStatusExt;
    let mut child = super::outflank(&["analyse", GAME, "--player", "lr2006", "--depth", "40"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let pid = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-s", "TERM", &pid]).status();
    assert!(kill.unwrap().success());
    let status = child.wait().unwrap();
    // By the default action of the system if the signal came before it was caught.
    assert!(status.code() == Some(143) || status.signal() == Some(15), "{status}");
}
