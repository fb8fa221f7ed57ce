//! Progress on standard error: bars on a terminal, and elsewhere a plain line now and then. A
//! failure to write there does not stop the work: the log may be on a full disk.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use crate::interrupts;
use crate::output::thousands;
use crate::text::{clean, percent};
use outflank_arena::{News, RunNews};
use outflank_commands::Watch;
use outflank_learn::Quantity;

/// Without a terminal, a line is written about this often.
const PLAIN_EVERY: Duration = Duration::from_secs(30);

/// Writes a line to standard error, if possible.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", clean(text));
}

/// The watch of all commands: shows progress, and stops the work after a signal.
pub struct Terminal {
    all: MultiProgress,
    is_terminal: bool,
    every: Duration,
    state: Mutex<State>,
}

/// What is being shown.
#[derive(Default)]
struct State {
    work: Option<Work>,
    study: Option<Study>,
}

/// Work that counts units.
struct Work {
    bar: ProgressBar,
    unit: String,
    total: u64,
    before: u64,
    began: Instant,
    said: Instant,
}

/// Runs that are trained side by side.
struct Study {
    /// The line of the whole study.
    line: ProgressBar,
    games: u64,
    runs: usize,
    /// The maximum number of bars at a time.
    max_bars: usize,
    width: usize,
    done: usize,
    going: BTreeMap<u64, Run>,
    /// Games of runs that have ended, and games that runs had already played when they resumed.
    ended: u64,
    before: u64,
    began: Instant,
    said: Instant,
}

struct Run {
    bar: Option<ProgressBar>,
    games: u64,
    values: String,
}

impl Terminal {
    /// Makes a watch that shows nothing yet.
    pub fn new() -> Terminal {
        Terminal {
            all: MultiProgress::new(),
            is_terminal: io::stderr().is_terminal(),
            every: plain_every(),
            state: Mutex::default(),
        }
    }

    /// Removes all bars, so that nothing stale stays on the screen.
    pub fn clear(&self) {
        let mut state = self.state();
        if let Some(work) = state.work.take() {
            work.bar.finish_and_clear();
        }
        if let Some(study) = state.study.take() {
            for bar in study.going.values().filter_map(|run| run.bar.as_ref()) {
                bar.finish_and_clear();
            }
            study.line.finish_and_clear();
        }
        let _ = self.all.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a line above the bars, or a plain line.
    fn say(&self, text: &str) {
        if self.is_terminal {
            let _ = self.all.println(clean(text));
        } else {
            say(text);
        }
    }

    fn begin(&self, unit: &str, total: u64) -> Work {
        let bar = self.all.add(ProgressBar::new(total));
        bar.set_style(style(
            "{msg}{wide_bar:.cyan/blue} {percent:>3}% {rate} a second, {eta} left",
        ));
        let now = Instant::now();
        Work { bar, unit: unit.into(), total, before: 0, began: now, said: now }
    }

    fn begin_study(&self, seeds: &[u64], games: u64, threads: usize) -> Study {
        let line = self.all.add(ProgressBar::new(games.saturating_mul(seeds.len() as u64)));
        line.set_style(style("{msg} {wide_bar:.green/blue} {percent:>3}%"));
        let now = Instant::now();
        let study = Study {
            line,
            games,
            runs: seeds.len(),
            max_bars: threads,
            width: seeds.iter().map(|seed| seed.to_string().len()).max().unwrap_or(1),
            done: 0,
            going: BTreeMap::new(),
            ended: 0,
            before: 0,
            began: now,
            said: now,
        };
        study.show();
        study
    }

    fn of_run(&self, seed: u64, news: RunNews<'_>) {
        let mut state = self.state();
        let Some(study) = &mut state.study else { return };
        let mut note = None;
        match news {
            RunNews::Began { generation, games } => {
                study.before += games;
                let shown = study.going.values().filter(|run| run.bar.is_some()).count();
                let bar = (shown < study.max_bars).then(|| study.bar(seed, games, &self.all));
                study.going.insert(seed, Run { bar, games, values: String::new() });
                if generation > 0 {
                    note = Some(format!("seed {seed}: resumed at generation {generation}"));
                }
            }
            RunNews::Warned(text) => note = Some(format!("seed {seed}: {text}")),
            RunNews::Played(games) => {
                if let Some(run) = study.going.get_mut(&seed) {
                    run.games = games;
                    run.bar.iter().for_each(|bar| bar.set_position(games));
                }
            }
            RunNews::Measured(values) => {
                // Only the strength of the champion; there is no room for more.
                let of = |(probe, value): (&String, &f64)| {
                    (Quantity::of(probe) == Quantity::Strength)
                        .then(|| format!("{probe} {}", percent(*value)))
                };
                let values = values.iter().filter_map(of).collect::<Vec<_>>().join(" ");
                if let Some(run) = study.going.get_mut(&seed) {
                    run.bar.iter().for_each(|bar| bar.set_message(values.clone()));
                    run.values = values;
                }
            }
            RunNews::Ended => {
                study.done += 1;
                if let Some(run) = study.going.remove(&seed) {
                    study.ended += run.games;
                    if let Some(bar) = run.bar {
                        bar.finish_and_clear();
                        self.all.remove(&bar);
                    }
                }
                // Another run takes its place.
                let hidden = study.going.iter().find(|(_, run)| run.bar.is_none());
                if let Some((&other, games)) = hidden.map(|(seed, run)| (seed, run.games)) {
                    let bar = study.bar(other, games, &self.all);
                    if let Some(run) = study.going.get_mut(&other) {
                        bar.set_message(run.values.clone());
                        run.bar = Some(bar);
                    }
                }
            }
        }
        study.show();
        let plain = (!self.is_terminal && study.said.elapsed() >= self.every).then(|| {
            study.said = Instant::now();
            study.plain(seed)
        });
        drop(state);
        note.iter().chain(&plain).for_each(|text| self.say(text));
    }
}

impl Watch for Terminal {
    fn tell(&self, news: News<'_>) {
        match news {
            News::Begins { unit, total } => {
                let work = self.begin(unit, total);
                if let Some(before) = self.state().work.replace(work) {
                    before.bar.finish_and_clear();
                }
            }
            News::Study { seeds, games, threads } => {
                let study = self.begin_study(seeds, games, threads);
                self.state().study = Some(study);
            }
            News::Done(done) => {
                let mut state = self.state();
                let Some(work) = &mut state.work else { return };
                work.bar.set_position(done);
                if !self.is_terminal && work.said.elapsed() >= self.every {
                    work.said = Instant::now();
                    let text = work.plain(done);
                    drop(state);
                    say(&text);
                }
            }
            News::Resumed(done) => {
                let mut state = self.state();
                let Some(work) = &mut state.work else { return };
                work.before = done;
                work.bar.set_position(done);
                work.bar.reset_eta();
                let text = format!("resumed after {} {}", thousands(done), work.unit);
                drop(state);
                self.say(&text);
            }
            News::Part(text) => {
                let state = self.state();
                state.work.iter().for_each(|work| work.bar.set_message(format!("{text} ")));
                drop(state);
                if !self.is_terminal {
                    say(text);
                }
            }
            News::Note(text) => self.say(text),
            News::Run { seed, news } => self.of_run(seed, news),
        }
    }

    fn stop(&self) -> bool {
        interrupts::signal().is_some()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Work {
    fn plain(&self, done: u64) -> String {
        let Work { unit, total, .. } = self;
        let rate = rate(done - self.before.min(done), self.began);
        let left = left(total.saturating_sub(done), rate);
        let (done, total) = (thousands(done), thousands(*total));
        format!("{done} of {total} {unit}, {} per second{left}", thousands(rate as u64))
    }
}

impl Study {
    fn bar(&self, seed: u64, games: u64, all: &MultiProgress) -> ProgressBar {
        let bar = all.add(ProgressBar::new(self.games));
        bar.set_style(style("seed {prefix} {wide_bar:.cyan/blue} {percent:>3}% {msg}"));
        bar.set_prefix(format!("{seed:>0$}", self.width));
        bar.set_position(games);
        bar
    }

    fn played(&self) -> u64 {
        self.ended + self.going.values().map(|run| run.games).sum::<u64>()
    }

    /// Updates the line of the whole study.
    fn show(&self) {
        let played = self.played();
        self.line.set_position(played);
        self.line.set_message(self.text(played));
    }

    fn text(&self, played: u64) -> String {
        let rate = rate(played.saturating_sub(self.before), self.began);
        // Runs that were finished before play no more games.
        let all = self.games.saturating_mul((self.runs - self.done) as u64);
        let going: u64 = self.going.values().map(|run| run.games).sum();
        let left = left(all.saturating_sub(going), rate);
        let rate = thousands(rate as u64);
        format!("{}/{} runs, {rate} games/s{left}", self.done, self.runs)
    }

    /// The same as a plain line, with the state of one run.
    fn plain(&self, seed: u64) -> String {
        let text = self.text(self.played());
        match self.going.get(&seed) {
            Some(run) => {
                let share = percent(run.games as f64 / self.games.max(1) as f64);
                format!("{text}; seed {seed}: {share} done {}", run.values).trim_end().into()
            }
            None => text,
        }
    }
}

fn rate(done: u64, began: Instant) -> f64 {
    done as f64 / began.elapsed().as_secs_f64().max(1e-3)
}

/// The time left; empty before it can be estimated.
fn left(todo: u64, rate: f64) -> String {
    if rate < 1.0 {
        return String::new();
    }
    let seconds = (todo as f64 / rate) as u64;
    match seconds {
        0..100 => format!(", {seconds} s left"),
        100..6000 => format!(", {} min left", seconds.div_ceil(60)),
        _ => format!(", {:.1} h left", seconds as f64 / 3600.0),
    }
}

fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{}", thousands(state.per_sec() as u64));
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate)
}

/// Can be set in the environment, for tests.
fn plain_every() -> Duration {
    let seconds = std::env::var("OUTFLANK_PROGRESS_SECONDS").ok();
    let seconds = seconds.and_then(|text| text.parse().ok());
    seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or(PLAIN_EVERY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_is_left_is_short_to_read() {
        for (todo, text) in
            [(500, ", 5 s left"), (60_000, ", 10 min left"), (1_000_000, ", 2.8 h left")]
        {
            assert_eq!(left(todo, 100.0), text);
        }
        assert_eq!(left(1, 0.0), "");
    }

    #[test]
    fn a_study_counts_what_its_runs_played() {
        let terminal = Terminal::new();
        let tell = |seed, news| terminal.tell(News::Run { seed, news });
        terminal.tell(News::Study { seeds: &[1, 2, 3], games: 100, threads: 1 });
        tell(1, RunNews::Began { generation: 0, games: 0 });
        tell(2, RunNews::Began { generation: 0, games: 0 });
        tell(1, RunNews::Played(100));
        tell(1, RunNews::Ended);
        tell(2, RunNews::Played(50));
        let state = terminal.state();
        let study = state.study.as_ref().unwrap();
        assert_eq!((study.played(), study.done, study.going.len()), (150, 1, 1));
        // One thread, one bar: the run that goes on took the place of the one that ended.
        assert!(study.going[&2].bar.is_some());
        assert!(study.text(150).starts_with("1/3 runs, "), "{}", study.text(150));
        let plain = study.plain(2);
        assert!(plain.contains("; seed 2: 50.0% done"), "{plain}");
    }
}
