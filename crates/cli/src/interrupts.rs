//! Signals that ask the program to end: work stops where it can be resumed, and temporary files are
//! removed.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

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
        let already = Arc::new(AtomicBool::new(false));
        // A second signal ends the process at once. Where a handler cannot be installed, the
        // default action of the system remains.
        let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&already));
        let _ = flag::register(signal, already);
        let _ = flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize);
    }
    // A file that exceeds the size limit of the system is an error of writing, not the end.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

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
