//! Games to and from WTHOR databases, with the lists of names beside them.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{GameRecord, RecordPlace, SeeRecord, Theory};
use crate::othello::{
    Side, Wthor, WthorError, WthorGame, WthorList, parse_wthor, parse_wthor_names,
};

/// The names of players and tournaments, as far as they are at hand.
#[derive(Default)]
pub(super) struct Lists {
    players: Vec<String>,
    tournaments: Vec<String>,
}

/// The largest list has 65,535 names of 26 bytes.
const MOST_LIST: u64 = 2 << 20;

impl Lists {
    /// Those beside a database: with its name, or called WTHOR as the federation does.
    pub fn beside(path: &Path) -> Result<Lists, WthorError> {
        let read = |list: WthorList| match list_beside(path, list) {
            Some(file) => read_list(&file, list),
            None => Ok(Vec::new()),
        };
        Ok(Lists { players: read(WthorList::Players)?, tournaments: read(WthorList::Tournaments)? })
    }
}

fn list_beside(path: &Path, list: WthorList) -> Option<PathBuf> {
    let ending = list.ending();
    let endings = [ending.to_owned(), ending.to_uppercase()];
    let same = endings.iter().map(|ending| path.with_extension(ending));
    let folder = path.parent().unwrap_or(Path::new(""));
    let usual = ["WTHOR", "wthor", "Wthor"]
        .into_iter()
        .flat_map(|stem| endings.iter().map(move |ending| folder.join(format!("{stem}.{ending}"))));
    same.chain(usual).find(|file| file != path && file.is_file())
}

fn read_list(path: &Path, list: WthorList) -> Result<Vec<String>, WthorError> {
    let failed = |source| WthorError::Read { path: path.into(), source };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(MOST_LIST + 1).read_to_end(&mut bytes).map_err(failed)?;
    parse_wthor_names(&bytes, list)
        .map_err(|fault| WthorError::Content { path: path.into(), fault })
}

/// Passes on the games of a database.
pub(super) fn parse(
    bytes: &[u8],
    path: &Path,
    lists: impl FnOnce() -> Result<Lists, WthorError>,
    see: &mut SeeRecord<'_>,
) -> Result<(), WthorError> {
    let wrong = |fault| WthorError::Content { path: path.into(), fault };
    let wthor = parse_wthor(bytes).map_err(wrong)?;
    let lists = lists()?;
    let date = if wthor.year == 0 { String::new() } else { wthor.year.to_string() };
    for (index, of) in wthor.games.into_iter().enumerate() {
        let margin = of.margin(Side::Black);
        let mut record = GameRecord::new(of.game, Some(margin));
        let about = &mut record.about;
        about.black = name(&lists.players, of.black);
        about.white = name(&lists.players, of.white);
        about.event = name(&lists.tournaments, of.tournament);
        about.date.clone_from(&date);
        about.theory = Some(Theory {
            written: wthor.written,
            empties: wthor.theoretical_empties,
            black_score: of.theoretical_score,
        });
        if see(RecordPlace::Game(index + 1), Ok(record)).is_break() {
            break;
        }
    }
    Ok(())
}

fn name(list: &[String], number: u16) -> String {
    match list.get(usize::from(number)) {
        Some(name) => name.clone(),
        None => format!("#{number}"),
    }
}

/// The number of a name such as `#12`.
fn number(name: &str) -> Option<u16> {
    let number = name.strip_prefix('#')?.parse().ok()?;
    (format!("#{number}") == name).then_some(number)
}

/// Gives names their numbers: in order, but `#12` is 12.
struct Numbers {
    of: HashMap<String, u16>,
    list: Vec<String>,
}

impl Numbers {
    /// `None` if there are too many names.
    fn new<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Option<Numbers> {
        let mut of: HashMap<String, u16> =
            names.clone().filter_map(|name| Some((name.to_owned(), number(name)?))).collect();
        let taken: std::collections::HashSet<u16> = of.values().copied().collect();
        let mut free = (0..u16::MAX).filter(|number| !taken.contains(number));
        let mut is_listed = false;
        for name in names {
            if !of.contains_key(name) {
                of.insert(name.into(), free.next()?);
                is_listed = true;
            }
        }
        let length = of.values().max().map_or(0, |most| usize::from(*most) + 1);
        if !is_listed {
            return Some(Numbers { of, list: Vec::new() });
        }
        if length > usize::from(u16::MAX) {
            return None;
        }
        let mut list = vec![String::new(); length];
        for (name, number) in &of {
            list[usize::from(*number)].clone_from(name);
        }
        Some(Numbers { of, list })
    }
}

/// A database, and its lists of players and tournaments; a list is empty if all names are numbers.
pub(super) struct Made {
    pub wthor: Wthor,
    pub players: Vec<String>,
    pub tournaments: Vec<String>,
    /// What one database could not hold.
    pub notes: Vec<String>,
}

/// Makes a database of games that are as it can hold them. `None` if there are too many names.
pub(super) fn make(games: &[GameRecord]) -> Option<Made> {
    let players = games.iter().flat_map(|game| [&*game.about.black, &*game.about.white]);
    let players = Numbers::new(players)?;
    let tournaments = Numbers::new(games.iter().map(|game| &*game.about.event))?;
    let mut notes = Vec::new();
    let year_of = |game: &GameRecord| game.about.date.parse::<u16>().unwrap_or(0);
    let year = games.first().map_or(0, year_of);
    if let Some(other) = games.iter().map(year_of).find(|other| *other != year) {
        notes.push(format!(
            "a database has one year: {year} was written, though some games are of {other}"
        ));
    }
    let first = games.first().and_then(|game| game.about.theory);
    let same = |a: Theory, b: Theory| (a.written, a.empties) == (b.written, b.empties);
    let is_common = |game: &GameRecord| match (game.about.theory, first) {
        (Some(theory), Some(first)) => same(theory, first),
        _ => false,
    };
    // Theoretical scores count from one number of empty squares in the whole file.
    let head = first.filter(|_| games.iter().all(is_common));
    if head.is_none() && games.iter().any(|game| game.about.theory.is_some_and(|of| of.empties > 0))
    {
        notes.push("scores of perfect play are of several databases and were left out".into());
    }
    let of = |game: &GameRecord| {
        let margin = game.margin.unwrap_or(0);
        let black_score = ((64 + margin) / 2) as u8;
        WthorGame {
            tournament: tournaments.of[&game.about.event],
            black: players.of[&game.about.black],
            white: players.of[&game.about.white],
            game: game.game.clone(),
            black_score,
            theoretical_score: match (head, game.about.theory) {
                (Some(_), Some(theory)) => theory.black_score,
                _ => black_score,
            },
        }
    };
    let wthor = Wthor {
        written: head.map_or([0; 4], |head| head.written),
        year,
        theoretical_empties: head.map_or(0, |head| head.empties),
        games: games.iter().map(of).collect(),
    };
    Some(Made { wthor, players: players.list, tournaments: tournaments.list, notes })
}
