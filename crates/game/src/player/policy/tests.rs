use super::*;
use crate::othello::Position;
use crate::player::parse_player;
use outflank_kernel::rng::{Seed, Stream};

/// Policies that differ from the default in one option, and in all of them.
fn samples() -> Vec<Policy> {
    let options = OPTIONS.iter().map(|option| option.example.split_once('@').unwrap().1);
    let all = options.clone().collect::<Vec<_>>().join(",");
    options.chain([all.as_str()]).map(|options| Policy::parse(options).unwrap()).collect()
}

fn turn(game: u64, ply: u32) -> Turn {
    let (position, key) = (Position::START, Seed(3).at(Stream::Game, game));
    Turn { position, moves: position.board.moves(), ply, key }
}

#[test]
fn every_option_has_an_example_that_turns_it_on_and_no_other() {
    for option in OPTIONS {
        let policy = parse_player(option.example).unwrap().policy;
        let on: Vec<&str> =
            OPTIONS.iter().filter(|o| !(o.is_off)(&policy)).map(|o| o.name).collect();
        assert_eq!(on, [option.name]);
        assert_eq!(policy.is_laneable(), option.is_laneable, "{policy}");
        assert_eq!(policy.is_chance(), option.is_chance, "{policy}");
        assert!(!policy.is_neutral());
    }
    let laneable: Vec<&str> =
        OPTIONS.iter().filter(|option| option.is_laneable).map(|option| option.name).collect();
    assert_eq!(laneable, ["epsilon"], "what a lane has");
    let off = Policy::default();
    assert!(off.is_neutral() && off.is_laneable() && !off.is_chance());
}

#[test]
fn the_text_of_a_policy_reads_back_as_it() {
    for policy in samples() {
        let text = policy.to_string();
        assert_eq!(Policy::parse(text.strip_prefix('@').unwrap()).unwrap(), policy, "{text}");
    }
    assert_eq!(
        samples().last().unwrap().to_string(),
        "@epsilon=0.1,noise=0.01,opening=4,ties=first"
    );
    assert_eq!(Policy::default().to_string(), "");
    for (epsilon, text) in [(1.0, "@epsilon=1"), (1.0 / 3.0, "@epsilon=0.3333333333")] {
        let policy = Policy { epsilon: Chance::new(epsilon).unwrap(), ..Policy::default() };
        assert_eq!(policy.to_string(), text);
        assert_eq!(Policy::parse(&text[1..]).unwrap(), policy);
    }
}

#[test]
fn a_policy_as_json_has_every_option() {
    let object = json!(Policy::default());
    let names: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(names.len(), OPTIONS.len());
    assert_eq!(object, json!({ "epsilon": 0.0, "noise": 0.0, "opening": 0, "ties": "random" }));
    let object = json!(samples().last().unwrap());
    assert_eq!(object, json!({ "epsilon": 0.1, "noise": 0.01, "opening": 4, "ties": "first" }));
}

#[test]
fn values_have_limits() {
    let most = format!("opening={MOST_OPENING}");
    assert_eq!(Policy::parse(&most).unwrap().opening, MOST_OPENING);
    let problem = |options: &str| Policy::parse(options).unwrap_err().to_string();
    let expected = format!("a number of plies from 0 to {MOST_OPENING}");
    for bad in ["41", "-1", "1.5", ""] {
        let options = format!("opening={bad}");
        assert_eq!(problem(&options), format!("opening = {bad:?} is not {expected}"));
    }
    assert_eq!(problem("ties=frist"), "ties = \"frist\" is not random, first or last");
    assert!(Policy::parse("ties=last").unwrap().ties == Ties::Last);
    assert!(Policy::sets_only_ties("ties=first") && Policy::sets_only_ties(" ties=random"));
    assert!(!Policy::sets_only_ties("ties=first,opening=0") && !Policy::sets_only_ties(""));
    assert_eq!(problem("noise=inf"), "noise = \"inf\" is not a variance of 0 or more");
}

#[test]
fn a_policy_says_which_moves_were_random() {
    let kernel = Kernel::available()[0];
    let first = Position::START.board.moves().nth(0).set();
    let policy = Policy::parse("epsilon=0.25,opening=2").unwrap();
    let turns = (0..4000).map(|game| turn(game, (game % 4) as u32));
    let mut random = [0; 4];
    for turn in turns {
        let chosen = policy.choose(kernel, &turn, |_| first);
        assert_eq!(chosen.is_random, policy.is_random(&turn));
        assert!(chosen.is_random || chosen.at.set() == first);
        random[turn.ply as usize] += i32::from(chosen.is_random);
    }
    assert_eq!(random[..2], [1000, 1000]);
    // Four standard errors of 13.7 each.
    assert!(random[2..].iter().all(|found| (found - 250).abs() < 55), "{random:?}");
}

#[test]
fn random_moves_come_before_noise_and_noise_before_the_best() {
    let kernel = Kernel::available()[0];
    let moves = Position::START.board.moves();
    let asked = |options: &str| {
        let mut manner = None;
        Policy::parse(options).unwrap().choose(kernel, &turn(0, 0), |asked| {
            manner = Some(matches!(asked, Manner::Noisy(_)));
            moves
        });
        manner
    };
    assert_eq!(asked("epsilon=0"), Some(false));
    assert_eq!(asked("noise=1"), Some(true));
    assert_eq!(asked("noise=1,opening=1"), None);
    assert_eq!(asked("noise=1,epsilon=1"), None);
}

#[test]
fn ties_are_kept_and_what_is_no_number_is_never_best() {
    let moves = Squares(0b1111);
    let best = |values: [f32; 4]| best_of(moves, |at| values[at.index()]).0;
    assert_eq!(best([1.0, 2.0, 2.0, 0.0]), 0b0110);
    assert_eq!(best([f32::NAN, -1.0, f32::NAN, -1.0]), 0b1010);
    assert_eq!(best([f32::NEG_INFINITY, f32::NAN, f32::NEG_INFINITY, f32::NAN]), 0b0101);
    assert_eq!(best([f32::NAN; 4]), 0b1111);
}
