#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| robotsc_fuzz::analysis(data));
