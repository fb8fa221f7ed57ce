//! `outflank learn` and what can happen to it: kills, signals, other processes, bad folders and
//! disks, other numbers of threads. The result has the same bytes in all cases.

mod company;
mod places;

use outflank::learn::{PRESETS, resolve};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use outflank::kernel::Kernel;
use serde_json::Value;

/// Forty generations, about a second.
const SECOND: [&str; 3] = ["cel", "--games", "100000"];
/// Three generations.
const SHORT: [&str; 3] = ["cel", "--games", "7500"];
/// No method has more games in a generation.
const GENERATION: u64 = 10_000;
/// Without these, some methods would mostly measure champions in such short runs.
const FEW_PROBES: [&str; 4] = ["--set", "probes.sample=500", "--set", "probes.games=100"];
/// A generation of 1000 games, and a stage before that soon gives up.
const SMALL_STAGES: [&str; 8] = [
    "--set",
    "opponents.games=20",
    "--set",
    "before.games=300",
    "--set",
    "before.probes.games=100",
    "--set",
    "before.until.otherwise=go-on",
];
const OUTCOME: [&str; 4] = ["spec.toml", "metrics.csv", "champions.bin", "champion.json"];

fn learn(args: &[&str], out: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("outflank"));
    command.arg("learn").args(args).arg("--out").arg(out);
    // These runs are shorter than the usual seconds between checkpoints.
    command.env("OUTFLANK_CHECKPOINT_SECONDS", "0.02").env_remove("OUTFLANK_KERNEL");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ends(args: &[&str], out: &Path) -> Output {
    let output = learn(args, out).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", said(&output));
    output
}

/// The exit code and the message on standard error, which is not a panic.
fn fails(args: &[&str], out: &Path) -> (Option<i32>, String) {
    let output = learn(args, out).output().unwrap();
    let message = said(&output);
    assert!(!message.contains("a bug"), "{message}");
    (output.status.code(), message)
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Finishes the run, and returns the generation at which it resumed.
fn resumes(args: &[&str], out: &Path) -> u64 {
    let output = ends(&[args, &["--json"]].concat(), out);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    found["results"][0]["resumed_at_generation"].as_u64().unwrap()
}

fn outcome_of(out: &Path, seed: u64) -> Vec<Vec<u8>> {
    let run = out.join(seed.to_string());
    OUTCOME.iter().map(|name| fs::read(run.join(name)).unwrap()).collect()
}

fn outcome(out: &Path) -> Vec<Vec<u8>> {
    outcome_of(out, 1)
}

/// The result of an undisturbed run.
fn unbroken(args: &[&str]) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    ends(args, folder.path());
    outcome(folder.path())
}

/// The status in the manifest of the first run.
fn status(out: &Path) -> String {
    let manifest = fs::read(out.join("1/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    manifest["status"].as_str().unwrap().into()
}

fn wait_for(path: &Path, child: &mut Child) {
    while !path.exists() {
        assert!(child.try_wait().unwrap().is_none(), "ended without {}", path.display());
        thread::sleep(Duration::from_millis(1));
    }
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait_with_output().unwrap();
}

/// Not println, which a passing test hides.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A study whose run was killed after its second checkpoint.
fn stopped(args: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut child = learn(args, folder.path()).spawn().unwrap();
    wait_for(&folder.path().join("1/checkpoint.older.bin"), &mut child);
    kill(child);
    folder
}

fn times(out: &Path) -> Vec<(PathBuf, std::time::SystemTime)> {
    let run = fs::read_dir(out.join("1")).unwrap().map(|entry| entry.unwrap().path());
    // The lock names its last owner.
    let files = run.filter(|path| !path.ends_with("lock"));
    files.map(|path| (path.clone(), fs::metadata(&path).unwrap().modified().unwrap())).collect()
}

#[test]
fn a_finished_run_is_left_alone_and_more_seeds_extend_a_study() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    ends(&SHORT, out);
    let (before, modified) = (outcome(out), times(out));
    let again = ends(&SHORT, out);
    assert!(String::from_utf8(again.stdout).unwrap().contains("was finished"));
    assert_eq!((outcome(out), times(out)), (before.clone(), modified.clone()));
    ends(&[&SHORT[..], &["--seeds", "1..3"]].concat(), out);
    assert_eq!((outcome(out), times(out)), (before, modified));
    let study: Value = serde_json::from_slice(&fs::read(out.join("study.json")).unwrap()).unwrap();
    assert_eq!(study["seeds"], serde_json::json!([1, 2, 3]));
    assert_ne!(outcome_of(out, 2), outcome_of(out, 3));
}

/// A run killed between its last checkpoint and its manifest once played a generation too many.
#[test]
fn a_run_that_has_only_to_be_called_finished_plays_no_more() {
    let folder = tempfile::tempdir().unwrap();
    for args in [SHORT, ["tdl", "--games", "300"]] {
        let out = folder.path().join(args[0]);
        ends(&args, &out);
        let before = outcome(&out);
        let manifest = out.join("1/manifest.json");
        let text = fs::read_to_string(&manifest).unwrap();
        let mut running: Value = serde_json::from_str(&text).unwrap();
        running["status"] = "running".into();
        // As an older program would have written it.
        running.as_object_mut().unwrap().remove("checksum").unwrap();
        fs::write(&manifest, running.to_string()).unwrap();
        assert!(resumes(&args, &out) >= 3);
        assert_eq!(outcome(&out), before);
        assert!(fs::read_to_string(&manifest).unwrap().contains("finished"));
    }
}

#[test]
fn killed_at_any_moment_every_method_ends_with_the_same_bytes() {
    const KILLS: usize = 2;
    const AT_ONCE: usize = 2;
    let folder = tempfile::tempdir().unwrap();
    let trial = |index: usize| -> usize {
        let preset = PRESETS[index].name;
        let unbroken = Unbroken::of(preset);
        let mut resumed = 0;
        for number in 0..KILLS {
            let moment = (number * PRESETS.len() + index) as f64 + 0.5;
            let fraction = moment / (KILLS * PRESETS.len()) as f64;
            let out = folder.path().join(format!("{preset}-{number}"));
            let child = learn(&unbroken.args(), &out).spawn().unwrap();
            thread::sleep(unbroken.start + unbroken.length.mul_f64(fraction));
            kill(child);
            resumed += usize::from(resumes(&unbroken.args(), &out) > 0);
            assert_eq!(outcome(&out), unbroken.outcome, "{preset} at {fraction:.3}");
        }
        resumed
    };
    let killed = KILLS * PRESETS.len();
    let resumed: usize = thread::scope(|scope| {
        let trial = &trial;
        let worker = |first: usize| {
            scope.spawn(move || (first..PRESETS.len()).step_by(AT_ONCE).map(trial).sum::<usize>())
        };
        let workers: Vec<_> = (0..AT_ONCE).map(worker).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    say(&format!("{resumed} of {killed} killed runs were resumed past generation 0"));
    // A busy machine may be late with its first checkpoints.
    assert!(4 * resumed > killed, "{resumed} of {killed}");
}

/// An undisturbed run of about half a second.
struct Unbroken {
    preset: &'static str,
    games: String,
    /// How long it takes until the run begins.
    start: Duration,
    /// How long it takes from there.
    length: Duration,
    outcome: Vec<Vec<u8>>,
}

impl Unbroken {
    fn of(preset: &'static str) -> Unbroken {
        let timed = |args: &[&str], out: &Path| {
            let began = Instant::now();
            ends(args, out);
            began.elapsed()
        };
        let mut games = generations(preset, 2);
        loop {
            let (folder, text) = (tempfile::tempdir().unwrap(), games.to_string());
            let args = short(preset, &text);
            let whole = timed(&args, folder.path());
            // A finished run only has to start.
            let start = timed(&args, folder.path());
            let length = whole.saturating_sub(start);
            if length > Duration::from_millis(400) {
                let outcome = outcome(folder.path());
                return Unbroken { preset, games: text, start, length, outcome };
            }
            games *= 3;
        }
    }

    fn args(&self) -> Vec<&str> {
        short(self.preset, &self.games)
    }
}

/// The games of a few generations, at most two of the largest: networks that look ahead play
/// slowly, and have few games in a generation.
fn generations(preset: &str, number: u64) -> u64 {
    let spec = resolve(preset, &[]).unwrap().spec;
    (number * spec.games_per_generation()).min(2 * GENERATION)
}

/// Arguments for a run of a few games.
fn short<'a>(preset: &'a str, games: &'a str) -> Vec<&'a str> {
    let stages = if preset == "seeded-ga" { &SMALL_STAGES[..] } else { &[] };
    [&[preset, "--games", games], &FEW_PROBES[..], stages].concat()
}

#[cfg(unix)]
#[test]
fn asked_to_end_a_run_keeps_its_state_and_says_how_to_go_on() {
    let args = [&["ctdl", "--seeds", "1..4", "--games", "30000"], &FEW_PROBES[..]].concat();
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    ends(&args, &whole);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let out = folder.path().join(signal);
        let mut child = learn(&args, &out).spawn().unwrap();
        wait_for(&out.join("1/checkpoint.bin"), &mut child);
        let asked = Instant::now();
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &pid]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        say(&format!("SIG{signal}: ended after {:.2} s", asked.elapsed().as_secs_f64()));
        assert!(asked.elapsed() < Duration::from_secs(10));
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        let message = said(&output);
        assert!(message.contains("repeat the command to continue where it stopped"), "{message}");
        assert!(String::from_utf8(output.stdout).unwrap().contains("stopped"));
        assert_eq!(status(&out), "interrupted");
        assert!(resumes(&args, &out) > 0);
        assert_eq!(status(&out), "finished");
        for seed in 1..=4 {
            assert_eq!(outcome_of(&out, seed), outcome_of(&whole, seed), "seed {seed}");
        }
    }
}

#[cfg(unix)]
#[test]
fn asked_to_end_no_other_run_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["cel", "--seeds", "1..100", "--threads", "1", "--json"];
    let mut child = learn(&args, folder.path()).spawn().unwrap();
    wait_for(&folder.path().join("1/checkpoint.bin"), &mut child);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["results"].as_array().unwrap().len(), 100);
    assert_eq!(found["results"][0]["state"], "stopped");
    assert_eq!(found["results"][99]["state"], "not-begun");
    assert!(!folder.path().join("100").exists());
}

#[test]
fn seeds_side_by_side_are_the_same_as_one_by_one() {
    for method in ["cel", "ctdl"] {
        let folder = tempfile::tempdir().unwrap();
        let (together, alone) = (folder.path().join("together"), folder.path().join("alone"));
        let args = [method, "--games", "10000"];
        ends(&[&args[..], &["--seeds", "1..3", "--threads", "2"]].concat(), &together);
        for seed in 1..=3 {
            ends(&[&args[..], &["--seed", &seed.to_string()]].concat(), &alone);
            assert_eq!(outcome_of(&together, seed), outcome_of(&alone, seed), "{method} {seed}");
        }
    }
}

#[test]
fn every_method_is_the_same_with_any_kernel_and_any_number_of_threads() {
    let kernels = Kernel::available();
    let threads = ["1", "8"].map(|threads| (kernels[0], threads));
    for preset in PRESETS {
        let games = generations(preset.name, 4).to_string();
        let mut all = Vec::new();
        for (kernel, threads) in threads.into_iter().chain(kernels.iter().map(|&k| (k, "2"))) {
            let folder = tempfile::tempdir().unwrap();
            let args = [&short(preset.name, &games)[..], &["--threads", threads]].concat();
            let mut command = learn(&args, folder.path());
            let output = command.env("OUTFLANK_KERNEL", kernel.name()).output().unwrap();
            assert!(output.status.success(), "{}", said(&output));
            all.push(outcome(folder.path()));
        }
        assert!(all.iter().all(|found| *found == all[0]), "{}", preset.name);
    }
}

#[test]
fn learning_that_diverges_says_when() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["tdl", "--games", "10000", "--set", "local.alpha=1000"];
    let (code, message) = fails(&args, folder.path());
    assert_eq!(code, Some(1));
    assert!(message.contains("diverged at game "), "{message}");
    assert!(message.contains("try a smaller local.alpha (now 1000)"), "{message}");
    // The second attempt ends in the same way.
    assert_eq!(fails(&args, folder.path()), (code, message));
}
