//! Rates of the kernels, and the signature.

use std::collections::BTreeMap;

use outflank_arena::{News, Watch};
use outflank_kernel::Kernel;
use outflank_lab::{Bench as Benchmark, Rate, bench_learning, courses_count, signature};
use serde::{Deserialize, Serialize};

use crate::{Command, Error, all_cores};

/// Measures the rates of the kernels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BenchRequest {
    /// Number of windows for each rate.
    pub windows: usize,
    /// Number of threads to compare with one; all cores if there is none.
    pub threads: Option<usize>,
}

impl Default for BenchRequest {
    fn default() -> BenchRequest {
        BenchRequest { windows: 21, threads: None }
    }
}

/// The rates of the kernels.
#[derive(Clone, Debug, Serialize)]
pub struct BenchAnswer {
    /// The kernel that commands use here.
    pub kernel: &'static str,
    /// The CPU.
    pub cpu: String,
    /// One number for all lines of the signature.
    pub signature: String,
    /// Number of windows for each rate.
    pub windows: usize,
    /// The median rate of each `KERNEL-WORKLOAD-THREADS`.
    pub rates: BTreeMap<String, f64>,
    /// The measurements, for tables.
    #[serde(skip)]
    pub measured: (Benchmark, Vec<Rate>),
}

impl Command for BenchRequest {
    type Answer = BenchAnswer;
    const NAME: &'static str = "bench";

    fn run(&self, watch: &dyn Watch) -> Result<BenchAnswer, Error> {
        let best = Kernel::detect()?;
        let forced = std::env::var_os("OUTFLANK_KERNEL").is_some_and(|name| !name.is_empty());
        let kernels = if forced { vec![best] } else { Kernel::available() };
        let mut threads = vec![1, self.threads.unwrap_or_else(all_cores)];
        threads.dedup();
        let bench = Benchmark { kernels, threads, windows: self.windows };
        let mut steps = Steps::begin(bench.steps() as u64, watch);
        let rates = bench.run(|| steps.step());
        let name = |rate: &Rate| {
            format!("{}-{}-{}", rate.kernel.name(), rate.workload.name(), rate.threads)
        };
        Ok(BenchAnswer {
            kernel: best.name(),
            cpu: cpu_name(),
            signature: format!("{:016x}", signature(best).digest()),
            windows: self.windows,
            rates: rates.iter().map(|rate| (name(rate), rate.median())).collect(),
            measured: (bench, rates),
        })
    }
}

/// Measures the presets of `learn`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BenchLearningRequest {
    /// Number of windows for each rate.
    pub windows: usize,
}

impl Default for BenchLearningRequest {
    fn default() -> BenchLearningRequest {
        BenchLearningRequest { windows: 21 }
    }
}

/// The rates of the presets.
#[derive(Clone, Debug, Serialize)]
pub struct BenchLearningAnswer {
    /// The kernel that played.
    pub kernel: &'static str,
    /// The CPU.
    pub cpu: String,
    /// A row for each preset.
    pub results: Vec<Pace>,
}

/// The rate of a preset.
#[derive(Clone, Debug, Serialize)]
pub struct Pace {
    /// The preset, and the number of runs side by side.
    pub name: String,
    /// Games per second.
    pub rate: f64,
    /// The rate as a share of the batch kernel's rate.
    pub share: f64,
}

impl Command for BenchLearningRequest {
    type Answer = BenchLearningAnswer;
    const NAME: &'static str = "bench";

    fn run(&self, watch: &dyn Watch) -> Result<BenchLearningAnswer, Error> {
        let kernel = Kernel::detect()?;
        let mut steps = Steps::begin((self.windows * courses_count(kernel)) as u64, watch);
        let paces = bench_learning(kernel, self.windows, || steps.step());
        let pace = |pace: outflank_lab::Pace| {
            let outflank_lab::Pace { name, rate, share } = pace;
            Pace { name, rate, share }
        };
        let results = paces.into_iter().map(pace).collect();
        Ok(BenchLearningAnswer { kernel: kernel.name(), cpu: cpu_name(), results })
    }
}

/// Hashes fixed games and small runs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureRequest {}

/// The hashes.
#[derive(Clone, Debug, Serialize)]
pub struct SignatureAnswer {
    /// One number for all lines.
    pub signature: String,
    /// A hash for each item.
    pub items: BTreeMap<String, String>,
    /// The lines, in a fixed order.
    #[serde(skip)]
    pub lines: Vec<String>,
}

impl Command for SignatureRequest {
    type Answer = SignatureAnswer;
    const NAME: &'static str = "bench";

    fn run(&self, _watch: &dyn Watch) -> Result<SignatureAnswer, Error> {
        let signature = signature(Kernel::detect()?);
        let item = |(name, hash): &(String, u64)| (name.clone(), format!("{hash:016x}"));
        Ok(SignatureAnswer {
            signature: format!("{:016x}", signature.digest()),
            items: signature.items.iter().map(item).collect(),
            lines: signature.lines(),
        })
    }
}

/// Counts windows.
struct Steps<'a> {
    done: u64,
    watch: &'a dyn Watch,
}

impl<'a> Steps<'a> {
    fn begin(total: u64, watch: &'a dyn Watch) -> Steps<'a> {
        watch.tell(News::Begins { unit: "windows", total });
        Steps { done: 0, watch }
    }

    fn step(&mut self) {
        self.done += 1;
        self.watch.tell(News::Done(self.done));
    }
}

fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    model.map_or_else(|| std::env::consts::ARCH.into(), |(_, name)| name.trim().into())
}
