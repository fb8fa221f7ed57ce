//! Players of the front of a run with several objectives: `RUN#N` is number N. A finished run has
//! them in `front/`, an unfinished one has those of its last checkpoint in `front.json`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::file::read_plain_file;
use super::folder::found;
use super::{PlayerError, PlayerFile, Several, parse_player_file};

const FRONT: &str = "front";
const STANDING: &str = "front.json";
const STUDY: &str = "study.json";
/// A larger file is not read.
const MAX_BYTES: u64 = 1 << 30;

/// The folder and the number that `RUN#N` stands for; none if the whole is a path that exists, or
/// if there is no folder before the #.
pub(super) fn split_member(path: &Path) -> Result<Option<(PathBuf, &str)>, Several> {
    let name = path.file_name().and_then(|name| name.to_str());
    let Some((before, number)) = name.and_then(|name| name.rsplit_once('#')) else {
        return Ok(None);
    };
    if before.is_empty() || found(path)?.is_some() {
        return Ok(None);
    }
    let run = found(&path.with_file_name(before))?;
    Ok(run.filter(|run| run.is_dir()).map(|run| (run, number)))
}

/// The run before the # of `RUN#N`; none if the text names something else.
pub fn run_of_member(path: &Path) -> Option<PathBuf> {
    split_member(path).ok().flatten().map(|(run, _)| run)
}

/// Why there is no player `STUDY/SEED#N`, if the study is there and has no such run.
pub(super) fn no_such_run(path: &Path) -> Option<PlayerError> {
    let seed = path.file_name()?.to_str()?.rsplit_once('#')?.0;
    let study = found(path.parent()?).ok().flatten().filter(|it| it.join(STUDY).is_file())?;
    let shown = |text: String| text.replace(char::is_control, "?");
    Some(PlayerError::Front {
        name: shown(path.display().to_string()),
        problem: shown(format!("the study {} has no run {seed:?}", study.display())),
    })
}

/// Reads the players of the front of a run, as it stands if it is not finished; none if it has no
/// front.
pub fn read_front(run: &Path) -> Result<Vec<PlayerFile>, PlayerError> {
    let standing = run.join(STANDING);
    if !standing.exists() {
        let numbered = |number: usize| run.join(FRONT).join(format!("{number}.json"));
        let files = (1..).map(numbered).take_while(|file| file.exists());
        return files.map(|file| read_plain_file(&file)).collect();
    }
    let read = || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(&standing)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|source| PlayerError::Read { path: standing.clone(), source })?;
    let wrong = |problem: String| PlayerError::Content { path: standing.clone(), problem };
    let texts: Vec<String> =
        serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
    let player = |(number, text): (usize, &String)| {
        let wrong = |problem| wrong(format!("player {number}: {problem}"));
        parse_player_file(text, &format!("{}#{number}", run.display())).map_err(wrong)
    };
    (1..).zip(&texts).map(player).collect()
}

/// Reads player N of the front of a run.
pub(super) fn read_member(run: &Path, number: &str) -> Result<PlayerFile, PlayerError> {
    let wrong = |problem: String| PlayerError::Front {
        name: format!("{}#{number}", run.display()).replace(char::is_control, "?"),
        problem,
    };
    if run.join(STUDY).is_file() {
        let problem = format!(
            "a study of several runs; name one of them by the folder of its seed, for example \
             {}/1#{number}",
            run.display()
        );
        return Err(wrong(problem.replace(char::is_control, "?")));
    }
    let mut front = read_front(run)?;
    let all = front.len();
    match number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
        _ if all == 0 => Err(wrong(
            "there is no front: not a run, or one with a single objective, or one that has just \
             begun"
                .into(),
        )),
        Some(index) if index < all => Ok(front.swap_remove(index)),
        _ => Err(wrong(match all {
            1 => "the front of this run has one player, #1".into(),
            all => format!("the front of this run has {all} players, #1 to #{all}"),
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{parse_player, split_options, stands_for_something};
    use super::*;
    use std::fs;

    fn text(first: f32) -> String {
        format!("{first} {}", "0.5 ".repeat(63))
    }

    /// The first weight of a player.
    fn first(name: &str) -> Result<f32, String> {
        let player = parse_player(name).map_err(|error| error.to_string())?;
        Ok(player.squares().expect("a WPC")[0])
    }

    #[test]
    fn a_run_and_a_number_are_a_player_of_its_front() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("mopso-0000000a/3/front")).unwrap();
        for (number, weight) in [(1, 0.25), (2, 0.75)] {
            let file = at(&format!("mopso-0000000a/3/front/{number}.json"));
            fs::write(file, text(weight)).unwrap();
        }
        let name = |rest: &str| at(rest).to_str().unwrap().to_owned();
        // The hash may be left out, and options may follow.
        let is = |found: Result<f32, String>, weight: f32| assert_eq!(found, Ok(weight));
        is(first(&name("mopso-0000000a/3#1")), 0.25);
        is(first(&name("mopso/3#2")), 0.75);
        let options = name("mopso/3#2@epsilon=0.1");
        assert_eq!(split_options(&options).1, Some("epsilon=0.1"));
        is(first(&options), 0.75);
        assert_eq!(parse_player(&options).unwrap().name, options);
        for wrong in ["3", "0", "-1", "x", "", "1.5", "99999999999999999999"] {
            let message = first(&name(&format!("mopso/3#{wrong}"))).unwrap_err();
            let expected = format!("3#{wrong}: the front of this run has 2 players, #1 to #2");
            assert!(message.ends_with(&expected), "{message}");
        }
        assert!(parse_player(&name("mopso/3#3")).unwrap_err().is_usage());
        // A file of that name is itself.
        fs::write(at("mopso-0000000a/3#1"), text(0.125)).unwrap();
        is(first(&name("mopso-0000000a/3#1")), 0.125);
        fs::write(at("mopso-0000000a/study.json"), "{}").unwrap();
        let message = first(&name("mopso/4#2")).unwrap_err();
        assert!(message.ends_with("mopso-0000000a has no run \"4\""), "{message}");
        assert!(parse_player(&name("mopso/4#2")).unwrap_err().is_usage());
        let message = first(&name("mopso#2")).unwrap_err();
        assert!(message.contains("a study of several runs") && message.contains("/1#2"));
        fs::create_dir(at("plain")).unwrap();
        assert!(stands_for_something(&at("plain#1")) && !stands_for_something(&at("none#1")));
        assert!(first(&name("plain#1")).unwrap_err().contains("there is no front"));
        assert!(first(&name("none#1")).unwrap_err().starts_with("cannot read player file"));
    }

    #[test]
    fn an_unfinished_run_has_the_front_of_its_last_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let texts: Vec<String> = [0.25, 0.5, 0.75].map(text).to_vec();
        fs::write(folder.path().join(STANDING), serde_json::to_vec(&texts).unwrap()).unwrap();
        let name = format!("{}#3", folder.path().display());
        assert_eq!(first(&name), Ok(0.75));
        fs::write(folder.path().join(STANDING), "[\"1 2\"]").unwrap();
        let message = first(&name).unwrap_err();
        assert!(message.contains("front.json: player 1: 2 weights"), "{message}");
        fs::write(folder.path().join(STANDING), "[1").unwrap();
        assert!(first(&name).unwrap_err().contains("front.json: "));
    }
}
