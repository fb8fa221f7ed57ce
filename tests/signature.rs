//! The bench signature, golden: if a line differs, results have changed. If that was meant, write what
//! `outflank bench --signature` prints into the file, and into the commit which lines they are (`Bench: ...`). A new line
//! alone changes nothing.

use std::io::Write;

use outflank::kernel::Kernel;
use outflank::lab::signature;

#[test]
fn the_signature_is_the_golden_one_with_every_kernel() {
    let golden: Vec<&str> = include_str!("golden/signature.txt").lines().collect();
    for name in Kernel::all_names() {
        let Ok(kernel) = Kernel::named(name) else {
            // Not println: a passing test would keep it to itself.
            let _ = writeln!(std::io::stderr(), "skipped: this CPU cannot run the kernel {name}");
            continue;
        };
        assert_eq!(signature(kernel).lines(), golden, "kernel {kernel:?}");
    }
}
