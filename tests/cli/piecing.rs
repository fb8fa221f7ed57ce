//! Studies in pieces as a user sees them: shared folders, folders of their own, and gathering.

mod schedulers;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::studying::{Folder, written};
use crate::{assert_says, outflank, refused, run, text};

/// Nine short runs, a match, a tournament and a profile.
const STUDY: &str = r#"
title = "Pieces"
seeds = "1..3"

[[case]]
name = "step"
method = "rsel"
set = { games = 10_000, probes.every = 5000, probes.sample = 20 }
grid = { search.mutation.size = [0.05, 0.2] }

[[case]]
name = "other"
method = "1cel"
set = { games = 10_000, probes.every = 5000, probes.sample = 20 }

[[tournament]]
name = "all"
cases = ["step", "other"]

[[profile]]
name = "strengths"
cases = ["other"]
opponents = 2000
doubles = 5

[[value]]
printed = "Text"
what = "the heuristic wins"
between = [70, 85]
n = 100
ours = { kind = "match", player = "heuristic", against = "random", games = 200 }

[[table]]
name = "ends"
title = "At the end"
of = "finals"
cases = ["step", "other"]

[[table]]
name = "table2"
title = "Round robin"
of = "crosstable"
tournament = "all"

[[figure]]
name = "profiles"
title = "Profiles"
of = "profiles"
profile = "strengths"
"#;

/// The pieces of a study as JSON.
fn listed(args: &[&str]) -> serde_json::Value {
    let output = run(&[args, &["--pieces", "--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["command"], "study pieces");
    found
}

/// Small contests are cut, too.
const CUT: [&str; 2] = ["--block-games", "2000"];

/// A study on disk, and what one process makes of it.
struct Pieced {
    folder: Folder,
    study: String,
}

impl Pieced {
    fn new() -> Pieced {
        let folder = Folder::new();
        let study = folder.file("pieced.toml", STUDY);
        Pieced { folder, study }
    }

    fn out(&self, name: &str) -> String {
        self.folder.path(name)
    }

    /// Runs `outflank study pieced.toml ...`.
    fn study(&self, out: &str, more: &[&str]) -> Output {
        run(&[&["study", &self.study, "--out", &self.out(out)], &CUT[..], more].concat())
    }

    fn done(&self, out: &str, more: &[&str]) {
        let output = self.study(out, more);
        assert!(output.status.success(), "{more:?}: {}", text(&output.stderr));
    }

    fn gather(&self, out: &str, more: &[&str]) -> Output {
        let words = ["study", "gather", &self.study, "--out", &self.out(out)];
        run(&[&words[..], &CUT, more].concat())
    }

    /// Refused with exit code 1; the message is returned.
    fn not_gathered(&self, out: &str, more: &[&str]) -> String {
        let output = self.gather(out, more);
        let message = text(&output.stderr).to_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(!Path::new(&self.out(out)).join("index.html").exists(), "{message}");
        message
    }

    fn assert_same(&self, one: &str, other: &str) {
        let [one, other] = [one, other].map(|name| written(&self.out(name)));
        assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
        for (name, bytes) in &one {
            assert!(other[name] == *bytes, "{name:?} differs");
        }
    }
}

#[test]
fn pieces_of_a_shared_folder_and_of_own_folders_give_the_bytes_of_one_process() {
    let pieced = Pieced::new();
    pieced.done("whole", &[]);
    // One folder, shares by the variables of schedulers, some pieces twice and at once.
    let share = |wave: &'static str, variable: &str, share: usize| {
        let (study, out) = (&pieced.study, pieced.out("shared"));
        let words = ["study", study, "--out", &out, "--wave", wave, "--piece", "env/4"];
        outflank(&[&words[..], &CUT].concat())
            .env(variable, share.to_string())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    for wave in ["1", "2"] {
        let variables = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"];
        let started: Vec<_> = (0..4)
            .flat_map(|number| variables.map(|variable| share(wave, variable, number)))
            .collect();
        for mut process in started {
            assert!(process.wait().unwrap().success());
        }
    }
    let found =
        listed(&[&["study", &pieced.study, "--out", &pieced.out("shared")], &CUT[..]].concat());
    let pieces = found["pieces"].as_array().unwrap();
    assert!(pieces.iter().all(|piece| piece[1] == "done"), "{found}");
    let gathered = pieced.gather("shared", &[]);
    assert!(gathered.status.success(), "{}", text(&gathered.stderr));
    pieced.assert_same("whole", "shared");
    // Gathering again, and the whole study, change nothing.
    assert!(pieced.gather("shared", &[]).status.success());
    pieced.done("shared", &[]);
    pieced.assert_same("whole", "shared");
    // Folders of their own, gathered after each wave.
    for number in ["0", "1", "2"] {
        let out = format!("own{number}");
        pieced.done(&out, &["--wave", "1", "--piece", &format!("{number}/3")]);
    }
    let from = [0, 1, 2].map(|number| pieced.out(&format!("own{number}")));
    let from = [&["--from"][..], &from.each_ref().map(String::as_str)].concat();
    let missing = pieced.not_gathered("gathered", &from);
    assert_says(&missing, &["pieces are missing", "--piece"]);
    assert!(pieced.gather("gathered", &[&from[..], &["--wave", "1"]].concat()).status.success());
    let whole = pieced.out("gathered");
    pieced.done("own3", &["--wave", "2", "--piece", "0/1", "--from", &whole]);
    let also = pieced.out("own3");
    let all = [&from[..], &[also.as_str()]].concat();
    let gathered = pieced.gather("gathered", &all);
    assert!(gathered.status.success(), "{}", text(&gathered.stderr));
    pieced.assert_same("whole", "gathered");
}

#[test]
fn a_study_begins_here_goes_on_in_pieces_and_ends_here() {
    let pieced = Pieced::new();
    pieced.done("whole", &[]);
    pieced.done("mixed", &["--piece", "0..2,7"]);
    pieced.done("mixed", &["--piece", "9..12"]);
    pieced.done("mixed", &[]);
    pieced.assert_same("whole", "mixed");
    assert!(!Path::new(&pieced.out("mixed")).join("blocks/opponents-2000-5").exists());
}

#[test]
fn pieces_that_are_not_there_and_other_plans_are_refused() {
    let pieced = Pieced::new();
    let out = pieced.out("x");
    let words = |more: &[&'static str]| -> Vec<String> {
        let words = [&["study", &pieced.study, "--out", &out], &CUT[..], more].concat();
        words.iter().map(ToString::to_string).collect()
    };
    let problem = |more: &[&'static str], code: i32| {
        let words = words(more);
        refused(&words.iter().map(String::as_str).collect::<Vec<_>>(), code)
    };
    assert_says(&problem(&["--piece", "99"], 2), &["there is no piece 99", "0..23"]);
    assert_says(&problem(&["--piece"], 2), &["none of OUTFLANK_PIECE, SLURM_ARRAY_TASK_ID"]);
    assert_says(&problem(&["--piece", "4/4"], 2), &["4 shares are 0/4 to 3/4"]);
    let other = problem(&["--piece", "0", "--of", "0123456789abcdef"], 2);
    assert_says(&other, &["the plan of study pieced is", "not 0123456789abcdef"]);
    assert_says(&problem(&["--piece", "20"], 1), &["piece 20", "needs runs", "pieces 0..8"]);
    // Listing them holds to a plan, too.
    let other = problem(&["--pieces", "--of", "0123456789abcdef"], 2);
    assert_says(&other, &["the plan of study pieced is", "not 0123456789abcdef"]);
    // No option does nothing.
    for (more, parts) in [
        (&["--wave", "1"][..], ["--wave goes with --pieces or --piece"]),
        (&["--of", "0123456789abcdef"], ["--of goes with --pieces or --piece"]),
        (&["--pieces", "--from", "x"], ["--from goes with --piece"]),
        (&["--pieces", "--sbatch=--mem=2G"], ["--sbatch goes with --on"]),
        (&["--piece", "0", "--partition", "main"], ["--partition goes with --on"]),
        (&["--on", "slurm", "--sbatch="], ["--sbatch=\"\": expected an option of sbatch"]),
        (&["--on", "slurm", "--sbatch=mem=2G"], ["--sbatch=\"mem=2G\": expected an option"]),
        (&["--on", "slurm", "--sbatch=--array=3"], ["use --tasks instead"]),
        (&["--on", "slurm", "--partition", ""], ["partition = \"\", expected a name"]),
        (&["--on", "parallel", "--sbatch=--mem=2G"], ["sbatch is for Slurm"]),
        (&["--on", "kubernetes", "--time", "20"], ["time is for Slurm"]),
    ] {
        assert_says(&problem(more, 2), &parts);
    }
    // The plan changes with the size, the file and the blocks.
    let plan = |more: &[&str]| {
        let out = pieced.out("p");
        listed(&[&["study", &pieced.study, "--out", &out], more].concat())["plan"].clone()
    };
    let own = plan(&[]);
    assert_eq!(own, plan(&[]));
    for more in [&["--runs", "2"][..], &["--scale", "0.5"], &CUT] {
        assert_ne!(own, plan(more), "{more:?}");
    }
}

#[test]
fn gathering_refuses_what_is_missing_damaged_foreign_or_of_another_program() {
    let pieced = Pieced::new();
    let home = Path::new(&pieced.out("x")).to_owned();
    pieced.done("x", &["--wave", "1", "--piece", "0/1"]);
    pieced.done("x", &["--wave", "2", "--piece", "0/1"]);
    let run = home.join("cases/other/2");
    // A run that is gone, cut, or of another seed or spec; a block that is cut.
    let aside = home.join("aside");
    fs::rename(&run, &aside).unwrap();
    assert_says(&pieced.not_gathered("x", &[]), &["1 piece is missing: 7", "--piece 7"]);
    fs::rename(&aside, &run).unwrap();
    for name in ["metrics.csv", "champion.json", "champions.bin", "spec.toml"] {
        let good = fs::read(run.join(name)).unwrap();
        fs::write(run.join(name), &good[..good.len() - 1]).unwrap();
        let message = pieced.not_gathered("x", &[]);
        assert_says(&message, &["piece 7 (other seed 2)", name, "do them with --piece 7"]);
        fs::write(run.join(name), &good).unwrap();
    }
    let manifest = fs::read_to_string(run.join("manifest.json")).unwrap();
    fs::write(run.join("manifest.json"), manifest.replace("\"version\": 1", "\"version\": 9"))
        .unwrap();
    assert_says(&pieced.not_gathered("x", &[]), &["version 9 is newer"]);
    fs::write(run.join("manifest.json"), &manifest).unwrap();
    let third = home.join("cases/other/3");
    fs::rename(&run, &aside).unwrap();
    Command::new("cp").arg("-r").args([&third, &run]).status().unwrap();
    assert_says(&pieced.not_gathered("x", &[]), &["is a run with seed 3, not 2"]);
    fs::remove_dir_all(&run).unwrap();
    Command::new("cp").arg("-r").arg(home.join("cases/step=0.05/2")).arg(&run).status().unwrap();
    assert_says(&pieced.not_gathered("x", &[]), &["piece 7", "has other settings"]);
    fs::remove_dir_all(&run).unwrap();
    fs::rename(&aside, &run).unwrap();
    let block = home.join("blocks/opponents-2000-5/3-of-10.block");
    let good = fs::read(&block).unwrap();
    fs::write(&block, &good[..40]).unwrap();
    assert_says(&pieced.not_gathered("x", &[]), &["block 3 of opponents 2000-5", "damaged"]);
    fs::write(&block, fs::read(home.join("blocks/opponents-2000-5/4-of-10.block")).unwrap())
        .unwrap();
    assert_says(&pieced.not_gathered("x", &[]), &["3-of-10.block", "other work"]);
    // Doing the piece again makes it good.
    pieced.done("x", &["--piece", "13"]);
    assert_eq!(fs::read(&block).unwrap(), good);
    // The same run twice, and not the same: somebody's machine is wrong.
    pieced.done("y", &["--piece", "7"]);
    let other = Path::new(&pieced.out("y")).join("cases/other/2");
    let gathered = pieced.gather("x", &["--from", &pieced.out("y")]);
    assert!(gathered.status.success(), "{}", text(&gathered.stderr));
    fs::remove_file(home.join("index.html")).unwrap();
    let forged = forge(&other);
    let message = pieced.not_gathered("x", &["--from", &pieced.out("y")]);
    assert_says(&message, &["it was done twice", "differ"]);
    assert!(forged);
    // A folder of another study, and one that is not there.
    let nowhere = pieced.gather("x", &["--from", &pieced.out("nowhere")]);
    assert_says(text(&nowhere.stderr), &["there is no folder"]);
    let output = pieced.study("z", &["--runs", "2", "--piece", "0"]);
    assert!(output.status.success());
    let other = pieced.gather("x", &["--from", &pieced.out("z")]);
    assert_eq!(other.status.code(), Some(2));
    assert_says(text(&other.stderr), &["holds it with at most 2 runs of each case"]);
}

/// Changes a result of a finished run so that its own checks pass.
fn forge(run: &Path) -> bool {
    let metrics = fs::read_to_string(run.join("metrics.csv")).unwrap();
    let changed = format!("{metrics}10000,9,utility,0.5\n");
    fs::write(run.join("metrics.csv"), &changed).unwrap();
    let text = fs::read_to_string(run.join("manifest.json")).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let object = manifest.as_object_mut().unwrap();
    object.insert("metrics".into(), blake3::hash(changed.as_bytes()).to_string().into());
    // Manifests of older programs have no checksum.
    object.remove("checksum").is_some()
        && fs::write(run.join("manifest.json"), manifest.to_string()).is_ok()
}

#[test]
fn a_piece_that_another_process_has_is_waited_for() {
    let pieced = Pieced::new();
    pieced.done("x", &["--piece", "1"]);
    // Somebody holds run 0: the lock of its folder.
    let folder = Path::new(&pieced.out("x")).join("cases/step=0.05/1");
    fs::create_dir_all(&folder).unwrap();
    let lock = fs::File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    let words = ["study", &pieced.study, "--out", &pieced.out("x"), "--piece", "0"];
    let mut command = outflank(&[&words[..], &CUT].concat());
    let mut waiting = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(waiting.try_wait().unwrap().is_none(), "it waits");
    drop(lock);
    let output = waiting.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_says(text(&output.stderr), &["is in use by", "this process waits for it"]);
}

#[test]
fn long_commands_in_parts_give_the_bytes_of_the_whole() {
    let folder = Folder::new();
    let measure =
        ["measure", "lr2006", "heuristic", "--games", "2000", "--sample", "500", "--json"];
    let tournament = ["tournament", "random", "lr2006", "heuristic", "--games", "300", "--json"];
    for (name, command) in [("m", &measure[..]), ("t", &tournament)] {
        let whole = run(command);
        assert!(whole.status.success());
        let parts = folder.path(name);
        let part = |which: &[&str]| run(&[command, &["--parts", &parts], which].concat());
        assert_says(text(&part(&[]).stderr), &["there are no parts"]);
        for number in [2, 0] {
            let done = part(&["--part", &format!("{number}/3")]);
            assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
            assert_says(text(&done.stderr), &["the part is done", "of 3 are missing"]);
            let told: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
            assert_eq!((&told["schema"], &told["command"]), (&1.into(), &command[0].into()));
            assert_eq!((&told["part"], &told["parts"]), (&number.into(), &3.into()));
            assert_eq!(told["folder"], parts[..]);
            let missing: &[u64] = if number == 2 { &[0, 1] } else { &[1] };
            assert_eq!(told["missing"], serde_json::json!(missing));
        }
        let missing = part(&[]);
        assert_eq!(missing.status.code(), Some(1));
        assert_says(text(&missing.stderr), &["1 of 3 parts", "are missing", ": 1;", "--part K/3"]);
        let words = [command, &["--parts", &parts, "--part", "env/3"]].concat();
        assert!(outflank(&words).env("HQ_TASK_ID", "1").status().unwrap().success());
        assert_eq!(text(&part(&[]).stdout), text(&whole.stdout), "{name}");
        // Parts of other games.
        let other = run(&[command, &["--seed", "9", "--parts", &parts]].concat());
        assert_says(text(&other.stderr), &["block 0", "other work"]);
    }
    let build = |out: &str, more: &[&str]| {
        let words = ["profile", "build", "--opponents", "50", "--doubles", "10", "--cap", "20"];
        run(&[&words[..], &["--out", &folder.path(out)], more].concat())
    };
    let parts = folder.path("p");
    assert!(build("whole.db", &[]).status.success());
    for number in 0..4 {
        let part = format!("{number}/4");
        assert!(build("parts.db", &["--parts", &parts, "--part", &part]).status.success());
    }
    assert!(!Path::new(&folder.path("parts.db")).exists());
    assert!(build("parts.db", &["--parts", &parts]).status.success());
    let [one, other] = ["whole.db", "parts.db"].map(|name| fs::read(folder.path(name)).unwrap());
    assert!(one == other);
}

#[test]
fn pages_name_the_study_as_it_was_typed_wherever_it_is_gathered() {
    let pieced = Pieced::new();
    let here = pieced.folder.path("");
    let study = |more: &[&str]| {
        let words = [&["study", "pieced.toml", "--runs", "1"][..], more].concat();
        let output = outflank(&words).current_dir(&here).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    study(&["--out", "whole"]);
    let script = study(&["--out", "by-parallel", "--on", "parallel"]);
    let lines = script.replace("parallel --retries 3 --termseq TERM,30000,KILL", "each");
    let each = r#"each() { shift 2; a=("$@"); n=0; while [ "${a[$n]}" != ::: ]; do n=$((n+1)); done
for p in "${a[@]:$((n+1))}"; do w=("${a[@]:0:$n}"); "${w[@]/\{\}/$p}" || exit 1; done; }"#;
    let script = pieced.folder.file("script.sh", &format!("{each}\n{lines}"));
    let done = Command::new("bash").arg(script).output().unwrap();
    assert!(done.status.success(), "{}", text(&done.stderr));
    pieced.assert_same("whole", "by-parallel");
}

#[test]
fn a_contest_is_missing_again_when_seeds_were_added_and_other_settings_are_refused() {
    let pieced = Pieced::new();
    pieced.done("out", &[]);
    let out = pieced.out("out");
    let states = || -> Vec<(String, String)> {
        let found = listed(&["study", &pieced.study, "--out", &out]);
        let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let pieces = found["pieces"].as_array().unwrap().iter();
        pieces.map(|one| (word(&one[0]["name"]), word(&one[1]))).collect()
    };
    assert!(states().iter().all(|(_, state)| state == "done"), "{:?}", states());
    fs::write(&pieced.study, STUDY.replace("seeds = \"1..3\"", "seeds = \"1..4\"")).unwrap();
    for (name, state) in states() {
        let is_old = name.contains("seed 4")
            || name.starts_with("tournament")
            || name.starts_with("profile");
        assert_eq!(state == "missing", is_old, "{name} {state}");
    }
    // With all runs there, the contests are still of three runs a case.
    assert!(pieced.study("out", &["--wave", "1", "--piece", "0/1"]).status.success());
    assert!(states().iter().any(|(name, state)| name == "tournament all" && state == "missing"));
    fs::write(&pieced.study, STUDY.replace("games = 10_000", "games = 15_000")).unwrap();
    for more in [&["--pieces"][..], &["--plan"], &["--on", "slurm", "--dry-run"]] {
        let message = refused(&[&["study", &pieced.study, "--out", &out], more].concat(), 2);
        assert_says(&message, &["has other settings: games = 10000 there, 15000 here"]);
    }
}
