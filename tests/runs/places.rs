//! Folders and disks that are not as they should be.

use super::*;

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
