//! Experiments and their evaluation: methods by name, run folders, statistics, ratings,
//! tournaments, profiles, and the program's own benchmark and signature.

mod analyse;
mod bench;
mod bench_learning;
mod book;
mod compare;
mod fronts;
mod history;
mod probe;
mod profile;
mod ratings;
mod results;
mod signature;
mod stats;
mod tournament;
mod train;
mod worth;

pub use analyse::{AnalyseError, Analyst, Judged, Loss, Losses, Phase, leads, losses};
pub use bench::{Bench, Rate, Workload};
pub use bench_learning::{Pace, bench_learning, courses_count, pace_of};
pub use book::{
    BookBuildError, BookRecipe, BookSpeed, BuiltBook, FromFiles, MOST_BOOK_DEPTH, MOST_SOLVED,
    SelfPlay, build_book, merge_books,
};
pub use compare::{
    AgainstPublished, Comparison, Entry, Equivalence, Pair, Published, Question, Relation, Test,
    common_probes, compare,
};
pub use fronts::{FrontPoints, Fronts, RunFront};
pub use history::{Moment, champions_of};
pub use probe::{Effort, Probe, measure, measure_fresh, measure_fresh_by};
pub use profile::{
    BINS, Bin, BuildError, Built, Counts, Database, DatabaseError, FEWEST_DOUBLES, MOST_DOUBLES,
    MOST_OPPONENTS, Opponent, Profile, Recipe, WIDEST_INTERVAL, build, cut, judge, profile,
    profile_counts, profiles_of, put_together, recipe_key,
};
pub use ratings::{Rating, rate};
pub use results::{Measurement, Results, ResultsError, RunResult, measurements};
pub use signature::{SIGNATURE, Signature, signature, stamp};
pub use stats::{
    Effect, RankTest, SIGNIFICANCE, Sample, TTest, Tail, equivalence, holm, mann_whitney,
    mean_interval, median, one_sample, score_interval, student, student_point, student_tail,
    vargha_delaney, welch,
};
pub use tournament::{
    CrossTable, Member, Round, Standing, Team, play_round, play_round_by, play_tournament,
};
pub use train::{COST, Cost, End, GOAL, Goal, Order, RunReport, train};
pub use worth::{GAMES as WORTH_GAMES, square_worth};
