//! The same pieces for Kubernetes and for GNU parallel: what to type, with nothing of ours running.

use std::fmt::Write;

use super::super::pick::ranges;
use super::{Job, quoted};

/// Where pods see the shared volume.
const MOUNT: &str = "/data";

/// Indexed jobs: the first for the runs, the second for the contests, the last gathers.
pub fn kubernetes(job: &Job<'_>) -> Vec<(String, String)> {
    let name = |kind: &str| format!("outflank-{}-{kind}", &job.list.plan[..8]);
    let mut text = format!(
        "# The study file and the folder of the study lie on the volume, under {MOUNT}.\n\
         # Apply the jobs one after the other; each needs the one before:\n\
         #   kubectl wait --for=condition=complete --timeout=-1s job/{}\n",
        name("runs")
    );
    for (wave, kind) in [(1u8, "runs"), (2, "contests")] {
        let tasks = job.tasks(&job.missing(wave)).len();
        if tasks > 0 {
            let piece = format!("env/{tasks}");
            let more = ["--wave".to_owned(), wave.to_string(), "--piece".into(), piece];
            text += &manifest(job, &name(kind), tasks, &[], &more);
        }
    }
    text += &manifest(job, &name("gather"), 1, &["gather"], &[]);
    vec![("jobs.yaml".into(), text)]
}

fn manifest(
    job: &Job<'_>,
    name: &str,
    completions: usize,
    action: &[&str],
    more: &[String],
) -> String {
    let out = format!("{MOUNT}/{}", job.work.design.name);
    let mut words = job.words(action, "outflank", &out);
    // A study file lies on the volume; a paper is in the program.
    for word in words.iter_mut().filter(|word| word.ends_with(".toml")) {
        let file = word.rsplit('/').next().unwrap_or_default().to_owned();
        *word = format!("{MOUNT}/{file}");
    }
    words.extend(["--threads".into(), job.request.cores.to_string()]);
    words.extend(more.iter().cloned());
    let words: Vec<String> =
        words.iter().map(|word| serde_json::to_string(word).expect("plain text")).collect();
    let (cores, image, claim) = (job.request.cores, &job.request.image, &job.request.claim);
    let mut text = String::new();
    let _ = write!(
        text,
        "---\n\
         apiVersion: batch/v1\n\
         kind: Job\n\
         metadata:\n  name: {name}\n\
         spec:\n  \
           completionMode: Indexed\n  \
           completions: {completions}\n  \
           parallelism: {completions}\n  \
           backoffLimitPerIndex: 6\n  \
           podFailurePolicy:\n    \
             rules:\n    \
             - action: Ignore  # A pod that lost its node goes on elsewhere.\n      \
               onPodConditions: [{{type: DisruptionTarget}}]\n  \
           template:\n    \
             spec:\n      \
               restartPolicy: Never\n      \
               terminationGracePeriodSeconds: 60\n      \
               containers:\n      \
               - name: outflank\n        \
                 image: {image}\n        \
                 command: [{words}]\n        \
                 resources: {{requests: {{cpu: \"{cores}\", memory: 1Gi}}}}\n        \
                 volumeMounts: [{{name: data, mountPath: {MOUNT}}}]\n      \
               volumes:\n      \
               - name: data\n        \
                 persistentVolumeClaim: {{claimName: {claim}}}\n",
        words = words.join(", ")
    );
    text
}

/// Lines for a shell. GNU parallel starts the longest pieces first and repeats failed ones.
pub fn parallel(job: &Job<'_>) -> Vec<(String, String)> {
    let log = quoted(&format!("{}.joblog", job.out.display()));
    let here = quoted(&job.here.to_string_lossy());
    let mut text = format!("#!/bin/sh\nset -e\ncd {here}\n");
    for wave in [1, 2] {
        let mut missing = job.missing(wave);
        if missing.is_empty() {
            continue;
        }
        let seconds = |number: usize| job.estimates.seconds[number];
        missing.sort_by(|a, b| seconds(b.number).total_cmp(&seconds(a.number)));
        let tasks: Vec<String> = job
            .tasks(&missing)
            .iter()
            .filter(|task| !task.is_empty())
            .map(|task| ranges(task.iter().copied()))
            .collect();
        let _ = writeln!(
            text,
            "parallel --retries 3 --termseq TERM,30000,KILL --joblog {log}.{wave} \\\n  \
             {} --threads {} --piece {{}} ::: {}",
            job.line(&[]),
            job.request.cores,
            tasks.join(" ")
        );
    }
    let _ = writeln!(text, "{}", job.line(&["gather"]));
    vec![("parallel.sh".into(), text)]
}
