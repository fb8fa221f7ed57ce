use std::cell::RefCell;
use std::rc::Rc;

use super::*;
use crate::play::keys::Key;
use outflank_game::player::parse_player;

fn session(typed: &str, you: Side) -> (Session, String) {
    session_with(typed, Some(you), "random", 0)
}

fn session_with(typed: &str, you: Option<Side>, opponent: &str, game: u64) -> (Session, String) {
    let kernel = Kernel::available()[0];
    let mut session = Session::new(kernel, parse_player(opponent).unwrap(), you, Seed(1));
    session.number = game;
    let (mut out, mut typed) = (Vec::new(), typed.as_bytes());
    session.play(&mut Lines::Plain(&mut typed), &mut out).unwrap();
    let text = anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string();
    (session, text)
}

#[test]
fn a_person_plays_asks_and_leaves() {
    let (session, text) = session("f5\nhint\nmoves\nnonsense\na1\nd4\nquit\n", Side::Black);
    assert_eq!(session.game.plies().len(), 2);
    assert!(text.contains("random would play "));
    assert!(text.contains("\"nonsense\" is neither a square nor a command"));
    assert!(text.contains("Black cannot play a1: it turns no disc"));
    assert!(text.contains("Black cannot play d4: it is occupied"));
    let last = text.lines().rfind(|line| line.contains("last move")).unwrap();
    assert!(last.ends_with(&write_game(&session.game.plies()[1..])), "{text}");
}

#[test]
fn letters_are_commands_and_hints_have_values() {
    let (session, text) = session_with("F5\nh\nm\nu\nq\n", Some(Side::Black), "lr2006", 0);
    assert_eq!(session.game, Game::default());
    assert!(text.contains("lr2006 would play "));
    // A value for every move, the best first.
    let after = text.split("would play").nth(1).unwrap();
    let values: Vec<f64> = after
        .lines()
        .skip(1)
        .map_while(|line| line.strip_prefix("  ")?[3..].trim().parse().ok())
        .collect();
    assert!(values.len() > 2 && values.is_sorted_by(|a, b| a >= b), "{text}");
    // Near the end they are exact.
    let near = format!("load {}OX-- O\nh\nq\n", "X".repeat(60));
    let (_, text) = session_with(&near, Some(Side::White), "lr2006", 0);
    assert!(text.contains("g8   -64 discs at the end"), "{text}");
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (ggf, wtb) = (file("a.ggf"), file("b.wtb"));
    let typed = format!("f5\nsave {ggf}\nsave {ggf}\nsave! {ggf}\nsave {wtb}\nsave\nload x9\nq\n");
    let (saved, text) = session_with(&typed, Some(Side::Black), "lr2006", 0);
    assert_eq!(text.matches("Saved in").count(), 2, "{text}");
    assert!(text.contains("is there; choose another name, or save! to replace it"), "{text}");
    assert!(text.contains("stops early and has no result"), "{text}");
    assert!(text.contains("\"x9\" is not a square"), "{text}");
    assert!(std::fs::read_to_string(&ggf).unwrap().contains("PB[you]PW[lr2006]"));
    assert!(!Path::new(&wtb).exists());
    let txt = file("c.txt");
    session(&format!("f5\nsave {txt}\nq\n"), Side::Black);
    assert!(std::fs::read_to_string(&txt).unwrap().starts_with("f5"));
    let (loaded, _) = session(&format!("load {ggf}\nq\n"), Side::Black);
    assert_eq!(loaded.game, saved.game);
    assert_eq!(load("1. f5 d6 2. c3").unwrap().plies().len(), 3);
    assert!(load(&format!("{} X", "X".repeat(64))).unwrap_err().contains("neither side can move"));
}

#[test]
fn undo_takes_back_both_moves() {
    let (session, text) = session("undo\nf5\nundo\n", Side::Black);
    assert_eq!(session.game, Game::default());
    assert!(text.contains("There is nothing to take back."));
}

#[test]
fn a_pass_is_announced() {
    let squares: String = Square::all().map(|at| format!("{at}\n")).collect();
    let (mut yours, mut theirs) = (0, 0);
    for game in 0..30 {
        let (session, text) = session_with(&squares.repeat(34), Some(Side::Black), "random", game);
        let passes = text.matches("must pass").count();
        assert_eq!(passes, session.game.plies().iter().filter(|ply| **ply == Ply::Pass).count());
        yours += text.matches("You have no legal move").count();
        theirs += text.matches("random has no legal move").count();
    }
    assert!(yours > 0 && theirs > 0);
}

#[test]
fn a_whole_game_ends_with_its_score() {
    // Every square in every turn: the illegal ones are refused.
    let squares: String = Square::all().map(|at| format!("{at}\n")).collect();
    let (session, text) = session(&squares.repeat(34), Side::White);
    assert!(session.game.is_over());
    assert!(text.contains("The game is over. You "));
    assert!(text.contains(&write_game(session.game.plies())));
}

#[test]
fn two_players_are_watched_to_the_end() {
    let (watched, text) = session_with("", None, "lr2006", 0);
    assert!(watched.game.is_over() && text.contains("lr2006 wins") && !text.contains("You"));
    // From the middle of a game, by a command; what follows is heard.
    let typed = "f5\nw\nwatch\nundo\nmoves\n";
    let (watched, text) = session_with(typed, Some(Side::Black), "lr2006", 0);
    assert!(text.contains("The game is over. ") && text.contains("new begins another"), "{text}");
    assert!(text.contains("Black (lr2006) plays ") && text.contains("White (lr2006) plays "));
    // Whoever took back a move of the end plays on.
    assert!(!watched.game.is_over() && watched.you == Some(Side::Black));
    assert!(text.trim_end().ends_with("Black to move:"), "{text}");
    let (_, text) = session_with("watch fast\nq\n", Some(Side::Black), "lr2006", 0);
    assert!(text.contains("watch fast: expected seconds from 0 to 3600"), "{text}");
}

#[test]
fn a_new_game_has_other_random_choices() {
    let (first, text) = session_with("w\nnew\nw\n", Some(Side::Black), "random", 0);
    let games: Vec<&str> = text.lines().filter(|line| line.len() > 100).collect();
    assert!(first.game.is_over() && games.len() == 2 && games[0] != games[1], "{games:?}");
}

/// What was printed so far, also for who presses keys.
#[derive(Clone, Default)]
struct Printed(Rc<RefCell<Vec<u8>>>);

impl Printed {
    fn text(&self) -> String {
        let bytes = self.0.borrow();
        anstream::adapter::strip_str(&String::from_utf8_lossy(&bytes)).to_string()
    }
}

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A watch with keys that are pressed when the players have made that many moves, and no key was
/// heard so often after the one before.
fn watched(keys: &[(usize, usize, Key)], delay: f64) -> (Session, Watched, String) {
    let player = parse_player("lr2006").unwrap();
    let mut session = Session::new(Kernel::available()[0], player, Some(Side::Black), Seed(1));
    session.delay = Duration::from_secs_f64(delay);
    let mut printed = Printed::default();
    let (seen, mut keys, mut silent) = (printed.clone(), keys.iter().peekable(), 0);
    let mut press = |_: Duration| {
        let moves = seen.text().matches(" plays ").count();
        match keys.peek() {
            Some((after, least, key)) if moves >= *after && silent >= *least => {
                keys.next();
                silent = 0;
                Some(*key)
            }
            _ => {
                silent += 1;
                None
            }
        }
    };
    let ended = session.watch(&mut press, &mut printed).unwrap();
    let text = printed.text();
    (session, ended, text)
}

#[test]
fn keys_pause_step_take_back_and_stop() {
    let (session, ended, text) = watched(&[(3, 0, Key::Stop)], 0.0);
    assert_eq!((ended, session.game.plies().len()), (Watched::Stopped, 3));
    assert!(!session.is_watched && session.you == Some(Side::Black));
    // The last board is the position that is left.
    let last = session.game.clone().undo().unwrap().to_string();
    let shown = text.lines().rfind(|line| line.contains("last move")).unwrap();
    assert!(shown.ends_with(&last), "{text}");
    // In a pause nothing moves, and each step is one move.
    let steps = [(2, 0, Key::Pause), (2, 9, Key::Step), (3, 9, Key::Step), (4, 9, Key::Back)];
    let (session, _, text) = watched(&[&steps[..], &[(4, 9, Key::Stop)]].concat(), 0.0);
    assert_eq!(session.game.plies().len(), 2 + 2 - 1, "{text}");
    assert!(text.contains("Paused; space goes on."));
    // A step pauses by itself.
    let (session, ended, _) = watched(&[(1, 0, Key::Step), (2, 9, Key::Stop)], 0.0);
    assert_eq!((ended, session.game.plies().len()), (Watched::Stopped, 2));
    // A second pause ends the first.
    let (session, ended, text) = watched(&[(2, 0, Key::Pause), (2, 9, Key::Pause)], 0.0);
    assert!(ended == Watched::ToTheEnd && session.game.is_over() && text.contains("Going on."));
    let keys = [(0, 0, Key::Back), (0, 3, Key::Help), (0, 0, Key::Stop)];
    let (session, _, text) = watched(&keys, 0.0);
    assert!(session.game.plies().is_empty() && text.contains("nothing to take back"));
    assert!(text.contains("Keys: space pauses"));
}

#[test]
fn keys_change_the_speed_which_stays() {
    let at_once = |keys: &[Key], delay: f64| {
        let keys = keys.iter().chain(&[Key::Stop]).map(|key| (0, 0, *key));
        watched(&keys.collect::<Vec<_>>(), delay)
    };
    let (session, _, text) = at_once(&[Key::Slower; 2], 1.0);
    assert_eq!(session.delay, Duration::from_secs(4));
    assert!(text.contains("2 seconds a move.") && text.contains("4 seconds a move."), "{text}");
    assert_eq!(at_once(&[Key::Faster; 6], 1.0).0.delay, Duration::ZERO);
    assert_eq!(at_once(&[Key::Slower], 0.0).0.delay, Duration::from_secs_f64(0.0625));
}
