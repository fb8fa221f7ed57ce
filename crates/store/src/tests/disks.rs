//! Folders that may not be written to, and full disks. If the user can make neither, the tests say
//! that they were skipped.

use std::process::Command;

use super::*;

#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(closed.join("file"), "").is_ok() {
        return say_skipped("this user may write to read-only folders");
    }
    let (message, usage) = refusal(open(&closed));
    assert!(message.starts_with(&format!("cannot write {}", closed.join("lock").display())));
    assert!(message.contains("denied") && !usage, "{message}");
    let (message, _) = refusal(open(&closed.join("run")));
    assert!(message.starts_with("cannot create folder "), "{message}");
}

/// A small file system, removed when dropped.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_is_named_and_loses_nothing() {
    let Some(disk) = SmallDisk::mount() else {
        return say_skipped("this user cannot mount a small disk to fill");
    };
    let path = disk.0.path().join("run");
    let filler = disk.0.path().join("filler");
    for room in (0..40).map(|pages| pages * 4096) {
        let _ = fs::remove_dir_all(&path);
        let mut opened = open(&path).unwrap();
        opened.dir.checkpoint(1, 10, &[1; 30_000], "{\"champion\": 1}", &[]).unwrap();
        opened.dir.note(&"row".repeat(3000));
        let numbers = vec![7; 9000].into();
        opened.dir.remember(&KeptChampion { numbers, ..champion_at(2) });
        // Completely full, then with some space again.
        let filled = fs::write(&filler, vec![0; 256 << 10]);
        assert!(filled.is_err());
        let length = filler.metadata().unwrap().len();
        fs::File::options()
            .write(true)
            .open(&filler)
            .unwrap()
            .set_len(length - room.min(length))
            .unwrap();
        let kept = opened.dir.checkpoint(2, 20, &[2; 30_000], "{\"champion\": 2}", &[]);
        drop(opened);
        fs::remove_file(&filler).unwrap();
        let opened = open(&path).unwrap();
        no_warnings(&opened);
        let Stage::Resumed(found) = opened.progress else { panic!("lost with {room} bytes") };
        match kept {
            Ok(()) => assert_eq!((found.generation, found.state), (2, vec![2; 30_000])),
            Err(error) => {
                let message = error.to_string();
                assert!(
                    message.starts_with(&format!("cannot write {}", path.display())),
                    "{message}"
                );
                assert!(message.contains("No space left"), "{message}");
                assert_eq!(found.state, vec![found.generation as u8; 30_000]);
            }
        }
    }
}
