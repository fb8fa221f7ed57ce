#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // A refusal is as good as a value; only a panic is news.
    let _ = outflank_fuzz::spec(bytes);
});
