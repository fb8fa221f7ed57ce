//! Signals that ask the program to end: work stops where it can be resumed, and temporary files are
//! removed.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
use signal_hook::flag;

/// The signal that asked us to end, or 0.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// From now on [`signal`] notices signals instead of letting them end the process: Ctrl-C, SIGTERM,
/// a closed terminal, a limit of CPU time.
pub fn catch() {
    let hang_up_is_ignored = ignored() & (1 << (SIGHUP - 1)) != 0;
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGXCPU] {
        // `nohup` asks for this: a study continues when the terminal is closed.
        if signal == SIGHUP && hang_up_is_ignored {
            continue;
        }
        // A second signal of the same kind ends the process at once; of another kind it may belong
        // to the first, since session managers send two. Where a handler cannot be installed, the
        // default action of the system remains.
        let already = Arc::new(AtomicBool::new(false));
        let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&already));
        let _ = flag::register(signal, already);
        let _ = flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize);
    }
    // A file that exceeds the size limit of the system is an error of writing, not the end.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// The same for a command that has nothing to keep: if a deep search of the game tree, which asks
/// nobody, does not notice the signal, the process ends all the same.
pub fn catch_or_end() {
    catch();
    std::thread::spawn(|| {
        while signal().is_none() {
            std::thread::sleep(Duration::from_millis(100));
        }
        std::thread::sleep(PATIENCE);
        eprintln!("error: interrupted");
        std::process::exit(128 + i32::from(signal().unwrap_or(0)));
    });
}

/// How long work may take to notice that it should end.
const PATIENCE: Duration = Duration::from_secs(2);

/// The signal that asked us to end.
pub fn signal() -> Option<u8> {
    match SIGNAL.load(Ordering::SeqCst) {
        0 => None,
        signal => u8::try_from(signal).ok(),
    }
}

/// The signals that whoever started us has told us to ignore, a bit for each; none where that is
/// not known.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
