//! A thousand games recorded with OpenSpiel 2.0.2, whose rules were written by others.
//! `scripts/record_openspiel.py` makes the file and explains its lines.

use outflank_game::othello::{
    Board, Game, Outcome, Ply, Position, Side, Square, Squares, parse_game, write_game,
};

const RECORDED: &str = include_str!("openspiel-games.txt");

struct Recording<'a> {
    /// With passes written as `--`.
    transcript: &'a str,
    plies: Vec<Ply>,
    /// One per ply, of the position before it.
    checks: Vec<u16>,
    black: Squares,
    white: Squares,
    outcome: Outcome,
}

impl Recording<'_> {
    fn read(line: &str) -> Recording<'_> {
        let fields: Vec<&str> = line.split(' ').collect();
        let &[transcript, checks, black, white, result] = fields.as_slice() else {
            panic!("five fields expected: {line}")
        };
        let set = |text| Squares(u64::from_str_radix(text, 16).unwrap());
        Recording {
            transcript,
            plies: pieces(transcript, 2).map(ply).collect(),
            checks: pieces(checks, 4).map(|text| u16::from_str_radix(text, 16).unwrap()).collect(),
            black: set(black),
            white: set(white),
            outcome: Outcome::of(result.parse().unwrap()),
        }
    }

    /// Plays the recorded plies by our rules, and fails at the first difference from OpenSpiel.
    fn replay(&self) {
        assert_eq!(self.plies.len(), self.checks.len(), "{}", self.transcript);
        let mut position = Position::START;
        for ((&ply, &recorded), number) in self.plies.iter().zip(&self.checks).zip(1..) {
            let context = || format!("ply {number} of {}", self.transcript);
            assert_eq!(check_of(position), recorded, "{}", context());
            assert!(!position.board.is_over(), "{}", context());
            position = match ply {
                Ply::Place(at) => {
                    assert_eq!(position.check(at), Ok(()), "{}", context());
                    position.play(at)
                }
                Ply::Pass => {
                    assert!(position.board.moves().is_empty(), "{}", context());
                    position.pass()
                }
            };
        }
        let last = Board { own: self.black, opp: self.white };
        assert!(position.board.is_over(), "{}", self.transcript);
        assert_eq!(position.seen_by(Side::Black), last, "{}", self.transcript);
        assert_eq!(Outcome::of(last.margin()), self.outcome, "{}", self.transcript);
    }
}

fn pieces(text: &str, size: usize) -> impl Iterator<Item = &str> {
    assert_eq!(text.len() % size, 0, "{text}");
    (0..text.len()).step_by(size).map(move |from| &text[from..from + size])
}

fn ply(text: &str) -> Ply {
    if text == "--" { Ply::Pass } else { Ply::Place(text.parse::<Square>().unwrap()) }
}

/// `position_check` of the script: FNV-1a of the black, white and legal squares, its words xored.
fn check_of(position: Position) -> u16 {
    let Board { own: black, opp: white } = position.seen_by(Side::Black);
    let mut code: u64 = 0xcbf2_9ce4_8422_2325;
    for set in [black, white, position.board.moves()] {
        for byte in set.0.to_le_bytes() {
            code = (code ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    [0, 16, 32, 48].iter().fold(0, |folded, shift| folded ^ (code >> shift) as u16)
}

fn recordings() -> Vec<Recording<'static>> {
    RECORDED.lines().map(Recording::read).collect()
}

#[test]
fn openspiels_games_replay_ply_by_ply() {
    let recordings = recordings();
    for recording in &recordings {
        recording.replay();
    }
    let passes = recordings.iter().flat_map(|r| &r.plies).filter(|&&ply| ply == Ply::Pass).count();
    let wipe_outs = recordings.iter().filter(|r| r.black.is_empty() || r.white.is_empty()).count();
    println!("{} games, {passes} passes, {wipe_outs} wipe-outs", recordings.len());
    assert!(recordings.len() == 1000 && passes > 1000 && wipe_outs > 5);
}

#[test]
fn openspiels_transcripts_read_with_and_without_passes() {
    for Recording { transcript, plies, .. } in recordings() {
        let game: Game = parse_game(transcript).unwrap();
        assert_eq!(game.plies(), plies, "{transcript}");
        let without_passes = transcript.replace("--", "");
        assert_eq!(write_game(game.plies()), without_passes);
        assert_eq!(parse_game(&without_passes), Ok(game), "{transcript}");
    }
}

#[test]
#[should_panic(expected = "ply 3 of")]
fn a_changed_check_is_noticed_at_its_ply() {
    let mut recording = Recording::read(RECORDED.lines().next().unwrap());
    recording.checks[2] ^= 1;
    recording.replay();
}
