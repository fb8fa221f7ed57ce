//! The bench signature, golden: if a line differs, results have changed. If that was meant, write what
//! `outflank bench --signature` prints into the file, and into the commit which lines they are (`Bench: ...`). A new line
//! alone changes nothing.

use std::io::Write;

use outflank::kernel::Kernel;
use outflank::lab::signature;

#[test]
fn the_signature_is_the_golden_one_with_every_kernel() {
    let mut golden: Vec<&str> = include_str!("../golden/signature.txt").lines().collect();
    // The order of lines says nothing.
    golden.sort_unstable();
    for name in Kernel::all_names() {
        let Ok(kernel) = Kernel::named(name) else {
            // Not println: a passing test would keep it to itself.
            let _ = writeln!(std::io::stderr(), "skipped: this CPU cannot run the kernel {name}");
            continue;
        };
        let mut lines = signature(kernel).lines();
        lines.sort_unstable();
        assert_eq!(lines, golden, "kernel {kernel:?}");
    }
}
