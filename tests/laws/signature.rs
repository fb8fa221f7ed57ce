//! The bench signature as a golden file: if a line differs, results have changed. If that is
//! intended, copy the output of `outflank bench --signature` to the file, and name the lines in the
//! commit (`Bench: ...`). A new line changes no other result.

use std::io::Write;

use outflank::kernel::Kernel;
use outflank::lab::{SIGNATURE, Signature, signature};

#[test]
fn the_signature_is_the_golden_one_with_every_kernel() {
    let mut golden: Vec<&str> = include_str!("../golden/signature.txt").lines().collect();
    // The order of lines does not matter.
    golden.sort_unstable();
    for name in Kernel::all_names() {
        let Ok(kernel) = Kernel::named(name) else {
            // Not println, which a passing test hides.
            let _ = writeln!(std::io::stderr(), "skipped: this CPU cannot run the kernel {name}");
            continue;
        };
        let mut lines = signature(kernel).lines();
        lines.sort_unstable();
        assert_eq!(lines, golden, "kernel {kernel:?}");
    }
}

#[test]
fn the_version_has_the_digest_of_the_golden_signature() {
    let item = |line: &str| {
        let (hash, name) = line.split_once("  ").expect("a hash and a name");
        (name.to_owned(), u64::from_str_radix(hash, 16).expect("16 digits"))
    };
    let items = include_str!("../golden/signature.txt").lines().map(item).collect();
    let digest = Signature { items }.digest();
    assert_eq!(digest, SIGNATURE, "SIGNATURE in crates/lab must be {digest:#018x}");
}
