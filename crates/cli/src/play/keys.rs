//! Single keys, with which a person steers a game that is watched on a terminal.

use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Wait, or go on.
    Pause,
    /// Make one move, and wait.
    Step,
    /// Take back one move, and wait.
    Back,
    Faster,
    Slower,
    Stop,
    /// Any other key: whoever presses it does not know the keys.
    Help,
}

/// What the keys do.
pub const KEYS: &str = "\
Keys: space pauses and goes on, n plays one move, b takes one back, + faster, - slower, q stops.";

/// How often the terminal is asked for keys.
const LOOK: Duration = Duration::from_millis(20);

/// A terminal that passes on every key at once and shows none of them, until this is dropped.
pub struct Keys {
    before: Termios,
    waiting: VecDeque<Key>,
}

impl Keys {
    /// Takes the keys of standard input; `None` if it does not allow it.
    pub fn take() -> Option<Keys> {
        let before = tcgetattr(io::stdin()).ok()?;
        let mut raw = before.clone();
        // Ctrl-C is a key, too: it stops watching, and the game is not lost.
        raw.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        raw.special_codes[SpecialCodeIndex::VMIN] = 0;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(io::stdin(), OptionalActions::Now, &raw).ok()?;
        Some(Keys { before, waiting: VecDeque::new() })
    }

    /// The next key, or `None` if there is none in that time.
    pub fn next(&mut self, patience: Duration) -> Option<Key> {
        let began = Instant::now();
        while self.waiting.is_empty() {
            let mut bytes = [0; 32];
            match rustix::io::read(io::stdin(), &mut bytes[..]) {
                Ok(read) => self.waiting.extend(keys(&bytes[..read])),
                Err(rustix::io::Errno::INTR) => {}
                // The terminal is gone.
                Err(_) => return Some(Key::Stop),
            }
            let left = patience.saturating_sub(began.elapsed());
            if left.is_zero() {
                break;
            }
            if self.waiting.is_empty() {
                std::thread::sleep(left.min(LOOK));
            }
        }
        self.waiting.pop_front()
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

/// The keys that some bytes of a terminal stand for.
fn keys(mut bytes: &[u8]) -> Vec<Key> {
    const ESCAPE: u8 = 0x1b;
    let mut keys = Vec::new();
    while let [first, rest @ ..] = bytes {
        let (key, rest) = match (first, rest) {
            (&ESCAPE, [b'[' | b'O', b'C', rest @ ..]) => (Key::Step, rest),
            (&ESCAPE, [b'[' | b'O', b'D', rest @ ..]) => (Key::Back, rest),
            // Other keys send whole words, which all begin so.
            (&ESCAPE, [_, ..]) => (Key::Help, &[][..]),
            (b' ' | b'p', rest) => (Key::Pause, rest),
            (b'n' | b'\r' | b'\n', rest) => (Key::Step, rest),
            (b'b' | b'u', rest) => (Key::Back, rest),
            (b'+' | b'=', rest) => (Key::Faster, rest),
            (b'-' | b'_', rest) => (Key::Slower, rest),
            // Ctrl-C and Ctrl-D.
            (b'q' | b's' | 0x03 | 0x04 | &ESCAPE, rest) => (Key::Stop, rest),
            (_, rest) => (Key::Help, rest),
        };
        keys.push(key);
        bytes = rest;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_terminal_are_keys() {
        use Key::*;
        assert_eq!(keys(b" nb+-q"), [Pause, Step, Back, Faster, Slower, Stop]);
        assert_eq!(keys(b"\x1b[C\x1b[D\x1bOC\r"), [Step, Back, Step, Step]);
        // Escape alone stops; the Delete key begins with it, and does not.
        assert_eq!((keys(b"\x1b"), keys(b"\x1b[3~")), (vec![Stop], vec![Help]));
        assert_eq!((keys(b"\x03"), keys(b"x"), keys(b"")), (vec![Stop], vec![Help], vec![]));
    }
}
