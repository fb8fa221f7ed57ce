//! Pieces of a study on a cluster, whose scheduler is played by scripts.

use std::os::unix::fs::PermissionsExt;

use super::*;

/// A folder of programs that stand for Slurm's.
fn fake(folder: &Folder, programs: &[(&str, &str)]) -> String {
    let bin = folder.path("bin");
    fs::create_dir_all(&bin).unwrap();
    for (name, body) in programs {
        let path = Path::new(&bin).join(name);
        fs::write(&path, format!("#!/bin/bash\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    bin
}

impl Pieced {
    fn on_slurm(&self, path: &str, more: &[&str]) -> Output {
        let words =
            ["study", &self.study, "--out", &self.out("x"), "--on", "slurm", "--poll", "0.05"];
        outflank(&[&words[..], &CUT, more].concat()).env("PATH", path).output().unwrap()
    }
}

#[test]
fn without_slurm_or_if_it_refuses_nothing_is_submitted() {
    let pieced = Pieced::new();
    let problem = |path: &str, more: &[&str], code: i32| {
        let output = pieced.on_slurm(path, more);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        text(&output.stderr).to_owned()
    };
    assert_says(&problem("/nowhere", &[], 2), &["there is no squeue on the path", "--dry-run"]);
    let asked = pieced.folder.path("asked");
    let refuses = format!(
        "case \"$*\" in *contests.sh*) echo 'Invalid account' >&2; exit 1;; esac; \
         echo \"$*\" >> {asked}; echo 41"
    );
    let cancelled = pieced.folder.path("cancelled");
    let scancel = format!("echo \"$*\" >> {cancelled}");
    let bin = fake(&pieced.folder, &[("sbatch", &refuses), ("squeue", ""), ("scancel", &scancel)]);
    let path = format!("{bin}:/usr/bin:/bin");
    let message = problem(&path, &[], 1);
    assert_says(&message, &["sbatch refused", "Invalid account", "jobs 41 were cancelled"]);
    assert_eq!(fs::read_to_string(cancelled).unwrap(), "41\n");
    assert_says(&problem(&path, &["--time", "soon"], 2), &["time = \"soon\", expected"]);
    // A queue that never starts.
    let waits = "echo '7|PENDING|Resources'";
    fake(&pieced.folder, &[("sbatch", "echo 7"), ("squeue", waits)]);
    let message = problem(&path, &["--give-up", "0.005"], 1);
    assert_says(&message, &["nothing was started", "(Resources)", "scancel 7"]);
    // Jobs that end without having done anything are not repeated for ever.
    fake(&pieced.folder, &[("sbatch", "echo 7"), ("squeue", "")]);
    let message = problem(&path, &[], 1);
    assert_says(&message, &["pieces 0..", "are not done after 5 submissions", "logs"]);
}

#[test]
fn a_scheduler_that_runs_the_scripts_ends_with_the_bytes_of_one_process() {
    let pieced = Pieced::new();
    pieced.done("whole", &[]);
    // It runs each task at once, loses every task whose number is 1 the first time, says no to the
    // first script that it accepts, and does not answer now and then.
    let state = pieced.folder.path("state");
    fs::create_dir_all(&state).unwrap();
    let sbatch = format!(
        r#"script="${{@: -1}}"; n=$(ls {state} | wc -l); touch {state}/$n
array=$(sed -n 's/^#SBATCH --array=0-//p' "$script")
name=$(sed -n 's/^#SBATCH --job-name=//p' "$script")
for task in $(seq 0 ${{array:-0}}); do
  [ -n "$array" ] && [ $task = 1 ] && [ $n -lt 2 ] && continue
  SLURM_ARRAY_TASK_ID=$task SLURM_JOB_ID=$n bash "$script" > /dev/null 2>&1
done
[ $n = 0 ] && echo "$name" > {state}/../lost && exit 1
echo $n"#
    );
    let squeue = format!(
        r#"[ -e {state}/../silent ] || {{ touch {state}/../silent; echo "slurm_load_jobs error" >&2; exit 1; }}
[ -e {state}/../lost ] && grep -q "${{@: -1}}" {state}/../lost && echo '0|RUNNING|None' && rm {state}/../lost
exit 0"#
    );
    fs::write(pieced.folder.path("silent"), "").unwrap();
    let srun = r#"shift; exec "$@""#;
    let bin = fake(&pieced.folder, &[("sbatch", &sbatch), ("squeue", &squeue), ("srun", srun)]);
    let path = format!("{bin}:/usr/bin:/bin");
    let output = pieced.on_slurm(&path, &["--task-minutes", "0.00002"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_says(text(&output.stderr), &["pieces are missing", "submitted jobs"]);
    pieced.assert_same("whole", "x");
    // Nothing is missing, so nothing is submitted.
    let before = fs::read_dir(&state).unwrap().count();
    assert!(pieced.on_slurm(&path, &[]).status.success());
    assert_eq!(fs::read_dir(&state).unwrap().count(), before);
}

#[test]
fn scripts_and_manifests_are_printed_and_nothing_is_done() {
    let pieced = Pieced::new();
    let printed = |on: &str| {
        let output = pieced.study("x", &["--on", on, "--dry-run", "--task-minutes", "0.0001"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let slurm = printed("slurm");
    assert_says(&slurm, &["#SBATCH --requeue", "#SBATCH --open-mode=append", "--signal=TERM@120"]);
    assert_says(&slurm, &["srun --ntasks=1", "--piece \"$pieces\"", "scontrol requeue", "gather"]);
    let kubernetes = printed("kubernetes");
    assert_says(&kubernetes, &["completionMode: Indexed", "backoffLimitPerIndex", "\"env/"]);
    assert_says(&printed("parallel"), &["parallel --retries", "--piece {} :::", "gather"]);
    assert!(!Path::new(&pieced.out("x")).exists());
}
