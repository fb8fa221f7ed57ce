//! The bench signature, golden: if this fails, results have changed. If that was meant, write the new
//! signature into the file and into the commit (`Bench: ...`).

use outflank::kernel::Kernel;
use outflank::lab::signature;

#[test]
fn the_signature_is_the_golden_one_with_every_kernel() {
    let golden = include_str!("golden/signature.txt");
    for kernel in Kernel::available() {
        let signature = signature(kernel);
        let mut text: String =
            signature.items.iter().map(|(name, hash)| format!("{hash:016x}  {name}\n")).collect();
        text += &format!("{:016x}  signature\n", signature.hash);
        assert_eq!(text, golden, "kernel {kernel:?}");
    }
}
