//! `outflank play` on a terminal: games that are watched, steered by keys. The terminal is that of
//! `script`, which belongs to every Linux.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The program on a terminal.
struct Screen {
    child: Child,
    typed: ChildStdin,
    shown: Receiver<Vec<u8>>,
    all: String,
}

impl Screen {
    /// `None` where there is no `script`.
    fn open(args: &str) -> Option<Screen> {
        let program = assert_cmd::cargo::cargo_bin!("outflank");
        let command = format!("{} {args}", program.display());
        let child = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .env("TERM", "xterm")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = child else {
            eprintln!("skipped: there is no script(1)");
            return None;
        };
        let (typed, mut out) = (child.stdin.take()?, child.stdout.take()?);
        let (send, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = out.read(&mut bytes) {
                if send.send(bytes[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Some(Screen { child, typed, shown, all: String::new() })
    }

    /// Waits until a text is shown, and forgets all before its end.
    fn see(&mut self, text: &str) -> String {
        let began = Instant::now();
        loop {
            if let Some(at) = self.all.find(text) {
                let rest = self.all.split_off(at + text.len());
                return std::mem::replace(&mut self.all, rest);
            }
            assert!(began.elapsed() < Duration::from_secs(60), "no {text:?} in {:?}", self.all);
            if let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(100)) {
                self.all += &String::from_utf8_lossy(&bytes);
            }
        }
    }

    fn press(&mut self, keys: &str) {
        self.typed.write_all(keys.as_bytes()).unwrap();
        self.typed.flush().unwrap();
    }

    fn quit(mut self) {
        self.press("quit\r");
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_watched_game_is_paused_stepped_stopped_and_played_on() {
    let Some(mut screen) = Screen::open("play lr2006 --ascii --color never") else { return };
    screen.see("Black to move: ");
    // Slow enough for a busy machine.
    screen.press("watch 3\r");
    screen.see("Keys: space pauses");
    screen.see("Black (lr2006) plays ");
    screen.press(" ");
    screen.see("Paused; space goes on.");
    screen.press("n");
    let step = screen.see(" plays ");
    assert_eq!(step.matches(" plays ").count(), 1);
    screen.press("-");
    screen.see("6 seconds a move.");
    screen.press("q");
    screen.see("Stopped. You are Black.");
    // The terminal edits lines again, and the person plays.
    screen.see("Black to move: ");
    screen.press("moves\r");
    // The move that was watched and the step, and no other.
    screen.see("c4e3\r\n");
    screen.quit();
}

#[test]
fn two_players_wait_for_a_person_who_stopped_them() {
    let Some(mut screen) = Screen::open("play lr2006 heuristic --delay 0.2 --ascii --color never")
    else {
        return;
    };
    screen.see("White (heuristic) plays ");
    // Ctrl-C does not end the program: the game would be lost.
    screen.press("\x03");
    screen.see("Stopped.");
    screen.see("to move (watch goes on): ");
    screen.press("w 0\r");
    screen.see("The game is over.");
    screen.see("undo, save, new or quit: ");
    screen.press("undo\r");
    screen.see("to move (watch goes on): ");
    screen.quit();
}
