//! The bench signature, golden: if this fails, results have changed. If that was meant, write the new
//! signature into the file and into the commit (`Bench: ...`).

use std::io::Write;

use outflank::kernel::Kernel;
use outflank::lab::signature;

#[test]
fn the_signature_is_the_golden_one_with_every_kernel() {
    let golden = include_str!("golden/signature.txt");
    for name in Kernel::all_names() {
        let Ok(kernel) = Kernel::named(name) else {
            // Not println: a passing test would keep it to itself.
            let _ = writeln!(std::io::stderr(), "skipped: this CPU cannot run the kernel {name}");
            continue;
        };
        let signature = signature(kernel);
        let mut text: String =
            signature.items.iter().map(|(name, hash)| format!("{hash:016x}  {name}\n")).collect();
        text += &format!("{:016x}  signature\n", signature.hash);
        assert_eq!(text, golden, "kernel {kernel:?}");
    }
}
