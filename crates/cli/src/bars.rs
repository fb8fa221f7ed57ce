//! Progress of several runs at once: a bar for each that is going on, on standard error if that is a
//! terminal.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::Mutex;

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use super::output::thousands;
use outflank_lab::Event;
use outflank_learn::Quantity;

/// The bars of all runs.
pub struct Bars {
    all: MultiProgress,
    /// Of the whole study, if it has several runs.
    total: Option<ProgressBar>,
    games: u64,
    going: Mutex<HashMap<u64, ProgressBar>>,
    width: usize,
}

impl Bars {
    /// For runs of so many games.
    pub fn new(games: u64, seeds: &[u64]) -> Bars {
        let all = MultiProgress::new();
        let total = (seeds.len() > 1).then(|| {
            let bar = all.add(ProgressBar::new(seeds.len() as u64));
            bar.set_style(style("{wide_bar:.green/blue} {pos}/{len} runs, {elapsed} gone"));
            bar
        });
        let width = seeds.iter().map(|seed| seed.to_string().len()).max().unwrap_or(1);
        Bars { all, total, games, going: Mutex::default(), width }
    }

    /// Shows what happens to a run.
    pub fn tell(&self, seed: u64, event: &Event<'_>) {
        let Ok(mut going) = self.going.lock() else { return };
        match event {
            Event::Began { generation, games } => {
                let bar = self.bar(seed);
                bar.set_position(*games);
                bar.reset_eta();
                going.insert(seed, bar);
                if *generation > 0 {
                    self.say(&format!("seed {seed}: resumed at generation {generation}"));
                }
            }
            Event::Warned(text) => self.say(&format!("seed {seed}: {text}")),
            Event::Played(games) => {
                if let Some(bar) = going.get(&seed) {
                    bar.set_position(*games);
                }
            }
            Event::Probed(values) => {
                if let Some(bar) = going.get(&seed) {
                    // How good the champion is; a line has no room for more.
                    let measured = values
                        .iter()
                        .filter(|(probe, _)| Quantity::of(probe) == Quantity::Strength);
                    let texts = measured.map(|(probe, value)| format!("{probe} {value:.3}"));
                    bar.set_message(texts.collect::<Vec<_>>().join(" "));
                }
            }
            Event::Ended => {
                if let Some(bar) = going.remove(&seed) {
                    bar.finish_and_clear();
                    self.all.remove(&bar);
                }
                if let Some(total) = &self.total {
                    total.inc(1);
                }
            }
        }
    }

    fn bar(&self, seed: u64) -> ProgressBar {
        let bar = match &self.total {
            Some(total) => self.all.insert_before(total, ProgressBar::new(self.games)),
            None => self.all.add(ProgressBar::new(self.games)),
        };
        bar.set_style(style(
            "seed {prefix} {wide_bar:.cyan/blue} {percent:>3}% {rate} games/s {eta:>3} {msg}",
        ));
        bar.set_prefix(format!("{seed:>0$}", self.width));
        bar
    }

    /// A line above the bars, or on standard error where there are none.
    fn say(&self, text: &str) {
        if std::io::stderr().is_terminal() {
            let _ = self.all.println(text);
        } else {
            eprintln!("{text}");
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{:>9}", thousands(state.per_sec() as u64));
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate)
}

impl Drop for Bars {
    fn drop(&mut self) {
        if let Some(total) = &self.total {
            total.finish_and_clear();
        }
        let _ = self.all.clear();
    }
}
