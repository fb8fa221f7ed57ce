//! Several processes or threads at the same runs.

use super::*;

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
