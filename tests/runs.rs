//! `outflank learn` and what can happen to it: kills, signals, other processes, bad folders and
//! disks, other numbers of threads. The result has the same bytes in all cases.

use outflank::learn::PRESETS;
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
        let mut games = GENERATION;
        loop {
            let (folder, text) = (tempfile::tempdir().unwrap(), games.to_string());
            let args = [&[preset, "--games", &text], &FEW_PROBES[..]].concat();
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
        [&[self.preset, "--games", &self.games], &FEW_PROBES[..]].concat()
    }
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
fn a_run_that_another_process_has_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["cel", "--games", "1000000000"];
    let mut child = learn(&args, folder.path()).spawn().unwrap();
    wait_for(&folder.path().join("1/checkpoint.bin"), &mut child);
    let (code, message) = fails(&args, folder.path());
    let owner = format!("is in use by process {}", child.id());
    kill(child);
    assert_eq!(code, Some(1));
    assert!(message.contains(&owner), "{message}");
    assert!(message.contains("; wait for it to end, or choose another --out"), "{message}");
    // The lock was released with its process: the next one fails only because of its settings.
    let (code, message) = fails(&SHORT, folder.path());
    assert_eq!(code, Some(2));
    assert!(message.contains("games = 1000000000 there, 7500 here"), "{message}");
}

#[cfg(unix)]
#[test]
fn waiting_for_a_study_is_announced_and_ends_at_the_first_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path();
    ends(&SHORT, out);
    let held = fs::File::options().write(true).open(out.join("lock")).unwrap();
    held.lock().unwrap();
    let mut child = learn(&[&SHORT[..], &["--seed", "2"]].concat(), out).spawn().unwrap();
    let mut said = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut said).unwrap();
    let expected = format!("waiting for another process that holds {}", out.join("lock").display());
    assert_eq!(said.trim_end(), expected);
    let (pid, asked) = (child.id().to_string(), Instant::now());
    assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    assert!(!out.join("2").exists());
    // When the lock is free, it continues.
    let child = learn(&[&SHORT[..], &["--seed", "2"]].concat(), out).spawn().unwrap();
    thread::sleep(Duration::from_millis(100));
    held.unlock().unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert!(out.join("2/champion.json").exists());
}

/// Runs side by side have a lock each, and the open files of a process are limited.
#[cfg(unix)]
#[test]
fn many_workers_need_no_more_files_and_threads_than_there_are() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let binary = assert_cmd::cargo::cargo_bin!("outflank");
    let few = FEW_PROBES.join(" ");
    let learn = |name: &str, limit: &str, seeds: u64, threads: u64| {
        let out = folder.path().join(name);
        let command = format!(
            "ulimit {limit} && exec '{}' learn ctdl --games 5050 --seeds 1..{seeds} \
             --threads {threads} {few} --out '{}'",
            binary.display(),
            out.display()
        );
        (command, out.join(format!("{seeds}/champion.json")))
    };
    // Soft and hard: then there is nothing to raise.
    let (command, last) = learn("files", "-n 64", 96, 8);
    let output = Command::new("bash").args(["-c", &command]).output().unwrap();
    assert!(output.status.success() && last.exists(), "{}", said(&output));
    // Only root has no limit of threads, and can run as another user.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let (command, last) = learn("threads", "-u 3", 8, 40);
    let nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];
    let mut nobodys = Command::new("setpriv");
    let Ok(tried) = nobodys.args(nobody).arg("test").arg("-x").arg(binary).status() else {
        return say("skipped: there is no setpriv");
    };
    if !tried.success() {
        return say("skipped: this user cannot be nobody, or nobody has no way to the program");
    }
    let mut nobodys = Command::new("setpriv");
    let output = nobodys.args(nobody).args(["bash", "-c", &command]).output().unwrap();
    assert!(output.status.success() && last.exists(), "{}", said(&output));
}

#[test]
fn of_two_that_begin_a_run_at_once_exactly_one_has_it() {
    let whole = unbroken(&SECOND);
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let children = [(); 2].map(|()| learn(&SECOND, folder.path()).spawn().unwrap());
        let outputs = children.map(|child| child.wait_with_output().unwrap());
        let mut codes = outputs.each_ref().map(|output| output.status.code());
        codes.sort_unstable();
        assert_eq!(codes, [Some(0), Some(1)], "{} {}", said(&outputs[0]), said(&outputs[1]));
        assert!(outputs.iter().any(|output| said(output).contains("is in use by process ")));
        assert_eq!(outcome(folder.path()), whole);
    }
}

#[test]
fn folders_that_are_not_for_this_run_are_refused() {
    let folder = stopped(&SECOND);
    let out = folder.path();
    let before = times(out);
    let (code, message) = fails(&SHORT, out);
    assert_eq!(code, Some(2));
    let expected = "has other settings: games = 100000 there, 7500 here; choose another --out";
    assert!(message.contains(expected), "{message}");
    let manifest = out.join("1/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    assert_eq!(times(out), before);
    fs::write(&manifest, text.replace("\"version\": 1", "\"version\": 2")).unwrap();
    let (code, message) = fails(&SECOND, out);
    assert_eq!(code, Some(1));
    assert!(message.contains("manifest.json: version 2 is newer than this program"), "{message}");
    let thesis = tempfile::tempdir().unwrap();
    fs::write(thesis.path().join("thesis.tex"), "").unwrap();
    let (code, message) = fails(&SHORT, thesis.path());
    assert_eq!(code, Some(2));
    assert!(message.contains("holds something else (thesis.tex)"), "{message}");
    assert_eq!(fs::read_dir(thesis.path()).unwrap().count(), 1);
}

#[test]
fn a_damaged_checkpoint_is_reported_and_survived() {
    let folder = stopped(&SECOND);
    let checkpoint = folder.path().join("1/checkpoint.bin");
    // Killed between two renames there is only the older one.
    let bytes = fs::read(&checkpoint).unwrap_or_default();
    fs::write(&checkpoint, &bytes[..bytes.len() / 2]).unwrap();
    let output = ends(&SECOND, folder.path());
    let message = said(&output);
    assert!(message.contains("checkpoint.bin is unusable: "), "{message}");
    assert!(message.contains("went back to the one before"), "{message}");
    assert!(message.contains("seed 1: resumed at generation "), "{message}");
    assert_eq!(outcome(folder.path()), unbroken(&SECOND));
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(closed.join("file"), "").is_ok() {
        return say("skipped: this user may write to read-only folders");
    }
    let (code, message) = fails(&SHORT, &closed.join("runs"));
    assert_eq!(code, Some(1));
    assert!(message.contains("cannot create folder ") && message.contains("denied"), "{message}");
}

/// A small file system, removed when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(folder.path());
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        mounted.then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_is_named_and_once_there_is_room_the_run_goes_on() {
    let Some(disk) = SmallDisk::mount() else {
        return say("skipped: this user cannot mount a small disk to fill");
    };
    let whole = unbroken(&SHORT);
    let (out, filler) = (disk.0.path().join("runs"), disk.0.path().join("filler"));
    let mut failed = 0;
    for room in [0, 8, 16, 24, 32, 48, 64, 96].map(|kilobytes| kilobytes << 10) {
        let _ = fs::remove_dir_all(&out);
        fs::write(&filler, vec![0; (256 << 10) - room]).unwrap_or(());
        let output = learn(&SHORT, &out).output().unwrap();
        fs::remove_file(&filler).unwrap();
        if !output.status.success() {
            failed += 1;
            let message = said(&output);
            assert_eq!(output.status.code(), Some(1), "{message}");
            assert!(message.contains("error: cannot "), "{message}");
            assert!(message.contains(out.to_str().unwrap()), "{message}");
            assert!(message.contains("No space left"), "{message}");
        }
        ends(&SHORT, &out);
        assert_eq!(outcome(&out), whole, "with {room} bytes");
    }
    assert!(failed > 2, "{failed}");
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
    let games = (2 * GENERATION).to_string();
    let kernels = Kernel::available();
    let threads = ["1", "8"].map(|threads| (kernels[0], threads));
    for preset in PRESETS {
        let mut all = Vec::new();
        for (kernel, threads) in threads.into_iter().chain(kernels.iter().map(|&k| (k, "2"))) {
            let folder = tempfile::tempdir().unwrap();
            let args = [preset.name, "--games", &games, "--threads", threads];
            let mut command = learn(&[&args, &FEW_PROBES[..]].concat(), folder.path());
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
