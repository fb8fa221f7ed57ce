//! A study as it is written in a file: cases to train, contests between them, published values, and
//! the tables and figures to make.

use outflank_game::player::Policy;
use outflank_learn::PolicySpec;
use outflank_schema::{PlayerName, table, words};

use crate::source::Source;

table! {
/// A study: an experiment with everything that is needed to repeat it.
pub struct StudyFile {
    /// What it is about, in a line.
    pub title: String,
    /// The version of the format: 1.
    pub version: u64 = 1,
    /// The paper it repeats, if it repeats one.
    pub paper: String = String::new(),
    /// A paragraph for the top of its page.
    pub about: String = String::new(),
    /// One run for each, in every case that does not say otherwise: `1..30`, `1,2,7..9`.
    pub seeds: String = "1..10".into(),
    /// Means that are less than this apart count as equivalent, in percentage points; 0 to test no
    /// equivalence.
    pub margin: f64 = 0.0,
    /// What is trained.
    pub case: Vec<CaseSpec>,
    /// Round robins of the champions of cases.
    pub tournament: Vec<TournamentSpec>,
    /// Performance profiles of the champions of cases.
    pub profile: Vec<ProfileSpec>,
    /// Published values, and where ours come from.
    pub value: Vec<ValueSpec>,
    /// Tables to make.
    pub table: Vec<TableSpec>,
    /// Figures to make.
    pub figure: Vec<FigureSpec>,
}
}

table! {
/// Runs of one method; with a grid, of a method with every combination of some settings.
pub struct CaseSpec {
    /// How tables, figures and values refer to it. A member of a grid is `name/value/value`, its
    /// keys in the order of the alphabet.
    pub name: String,
    /// A preset, or a spec file relative to the study.
    pub method: String,
    /// What it is called in tables and figures; its name if there is none.
    pub label: String = String::new(),
    /// Keys of the spec that differ from the method, as in a spec file.
    pub set: outflank_schema::toml::Table,
    /// Keys of the spec with a list of values each: one case for every combination.
    pub grid: outflank_schema::toml::Table,
    /// Its seeds, if they differ from those of the study.
    pub seeds: String = String::new(),
    /// For a case that tries a reading of a paper: what is read otherwise, and why.
    pub reading: String = String::new(),
}
}

table! {
/// A round robin in which every champion of a case meets every champion of the other cases.
pub struct TournamentSpec {
    /// How tables and values refer to it.
    pub name: String,
    /// The teams, each a case.
    pub cases: Vec<String>,
    /// Double games in each meeting of two champions.
    pub doubles: u64 = 1,
    /// Other players that take part, each a team of its own.
    pub players: Vec<PlayerName> = Vec::new(),
    /// Probability of a random move at each turn, for all players.
    pub epsilon: f64 = 0.0,
    /// Which champions of two cases meet.
    pub meet: Meet = Meet::All,
    /// How the champions of cases choose their moves: options as after `@` in the name of a player
    /// (`depth=2,solve=8`), or `trained` for the depth, book, endgame solver and ties of their
    /// case, without its random moves and noise. Empty: with no option.
    pub moves: String = String::new(),
}
}

/// What [`TournamentSpec::moves`] says of champions that play as they were trained.
const TRAINED: &str = "trained";

impl TournamentSpec {
    /// The policy of the champions of a case that was trained with this one.
    pub fn policy(&self, trained: &PolicySpec) -> Result<Policy, String> {
        match self.moves.as_str() {
            "" => Ok(Policy::default()),
            TRAINED => trained.champion().map_err(|fault| fault.to_string()),
            options => Policy::parse(options).map_err(|error| error.to_string()),
        }
    }

    /// The meetings of two players, if its cases have these numbers of runs.
    pub fn meetings(&self, runs: &[u64]) -> u64 {
        let of_teams = |sizes: &[u64]| {
            let all: u64 = sizes.iter().sum();
            (all * all - sizes.iter().map(|size| size * size).sum::<u64>()) / 2
        };
        let others = vec![1; self.players.len()];
        let (teams, all) = (runs.len() as u64, [runs, &others].concat());
        match self.meet {
            Meet::All => of_teams(&all),
            Meet::SameSeed => {
                let seeds = runs.first().copied().unwrap_or(0);
                of_teams(&all) - of_teams(runs) + seeds * (teams * teams.saturating_sub(1) / 2)
            }
        }
    }
}

words! {
/// Which champions of two cases meet in a tournament.
pub enum Meet {
    /// All of them.
    All = "all",
    /// Those of runs with the same seed: a player that evolved, and the one it started from.
    SameSeed = "same-seed",
}
}

table! {
/// Performance profiles: scores against random WPCs of every strength.
pub struct ProfileSpec {
    /// How figures and values refer to it.
    pub name: String,
    /// The teams, each a case.
    pub cases: Vec<String>,
    /// How many random opponents are rated.
    pub opponents: u64 = 500_000,
    /// Double games that rate each of them.
    pub doubles: u64 = 1000,
}
}

table! {
/// A value that was published: a number, a range, or a claim about an order.
pub struct ValueSpec {
    /// The table, figure or section in which it is printed.
    pub printed: String,
    /// What the value is of, in a line.
    pub what: String,
    /// The number as printed; shares in percent.
    pub value: Option<f64>,
    /// Digits after its point as printed, if the last of them are zeros.
    pub digits: Option<u64>,
    /// Its range, where the text gives one: "82 to 83", "just over 40".
    pub between: Option<[f64; 2]>,
    /// Half the width of its 95% interval, if printed.
    pub interval: Option<f64>,
    /// The number of runs it is the mean of, if known.
    pub n: Option<u64>,
    /// Where our value comes from.
    pub ours: Source,
    /// Values with the same text here are ranked among each other; those of the same table and
    /// kind if it is empty.
    pub ranked: String = String::new(),
    /// The same value from other cases, which may explain a difference.
    pub tried: Vec<TriedSpec>,
    /// What a reader should know about it.
    pub note: String = String::new(),
}
}

table! {
/// A value from another case.
pub struct TriedSpec {
    /// What is different there, in a line.
    pub what: String,
    /// Where it comes from.
    pub ours: Source,
}
}

table! {
/// A table of the page.
pub struct TableSpec {
    /// Its name in `--only`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub of: TableKind,
    /// The cases in its rows, in order; a grid stands for all its members.
    pub cases: Vec<String> = Vec::new(),
    /// The probes in its columns; all of them if there are none.
    pub probes: Vec<String> = Vec::new(),
    /// Of `tests`: as many cases, each to be compared with the one of `cases` in its place; every
    /// pair of `cases` if there are none.
    pub against: Vec<String> = Vec::new(),
    /// The tournament that it shows.
    pub tournament: String = String::new(),
    /// A sentence below it.
    pub note: String = String::new(),
}
}

words! {
/// What a table shows.
pub enum TableKind {
    /// The probes of cases at the end of their runs, with 95% intervals.
    Finals = "finals",
    /// A tournament: games won, drawn and lost, and points.
    Standings = "standings",
    /// A tournament: the score of each team against each other.
    Crosstable = "crosstable",
    /// Tests of every pair of cases.
    Tests = "tests",
}
}

table! {
/// A figure of the page.
pub struct FigureSpec {
    /// Its name in `--only`, and that of its files.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub of: FigureKind,
    /// The cases it shows, in order; a grid stands for all its members.
    pub cases: Vec<String> = Vec::new(),
    /// The probe it shows.
    pub probe: String = String::new(),
    /// The tournament it shows.
    pub tournament: String = String::new(),
    /// The profile it shows.
    pub profile: String = String::new(),
    /// Of `leads`, who judges the positions, e.g. `lr2006@depth=6,solve=14`; the games are played
    /// as in the tournament.
    pub judge: String = String::new(),
    /// A sentence below it.
    pub note: String = String::new(),
}
}

words! {
/// What a figure shows.
pub enum FigureKind {
    /// Learning curves: the mean over runs with its 95% interval.
    Curves = "curves",
    /// The values at the end of all runs, a box for each case.
    Boxes = "boxes",
    /// The mean of a grid of two keys at the end.
    Heatmap = "heatmap",
    /// The order of cases, with bars over those that do not differ.
    Ranks = "ranks",
    /// Performance profiles.
    Profiles = "profiles",
    /// The score in a tournament against a probe.
    Objectives = "objectives",
    /// The best player of a tournament: the weights as a board, or the network.
    Best = "best",
    /// The front of all runs of each case together, for cases with two objectives; of a single case
    /// also its runs, and what 25, 50 and 75% of them attain.
    Fronts = "fronts",
    /// What half of the runs of each case attain in two objectives.
    Attainment = "attainment",
    /// Who leads, move by move, in games between the champions of two cases with the same seeds;
    /// the first has Black.
    Leads = "leads",
}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meetings_are_counted_as_they_are_played() {
        let spec = |players: &[&str], meet| TournamentSpec {
            name: "t".into(),
            cases: Vec::new(),
            doubles: 1,
            players: players.iter().map(|name| (*name).into()).collect(),
            epsilon: 0.0,
            meet,
            moves: String::new(),
        };
        assert_eq!(spec(&[], Meet::All).meetings(&[3, 2, 1]), 6 + 3 + 2);
        // Each of the five players meets both others, who meet each other.
        let two = ["random", "heuristic"];
        assert_eq!(spec(&two, Meet::All).meetings(&[3, 2]), 6 + 5 * 2 + 1);
        assert_eq!(spec(&[], Meet::SameSeed).meetings(&[3, 3, 3]), 3 * 3);
        assert_eq!(spec(&two, Meet::SameSeed).meetings(&[3, 3]), 3 + 6 * 2 + 1);
    }
}
