#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Both a value and an error are fine; only a panic is a bug.
    let _ = outflank_fuzz::nboard(bytes);
});
