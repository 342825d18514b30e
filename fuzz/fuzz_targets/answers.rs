//! The bytes of a target, read by our HTTP client and by hyper.
//!
//! We keep no connection, and take no answer, that hyper reads otherwise. `crates/providers/tests/it/reading.rs` does the same
//! with answers of its own making.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/providers/tests/it/reading/compare.rs"]
mod compare;

fuzz_target!(|bytes: &[u8]| {
    if let Err(otherwise) = compare::run(bytes) {
        panic!("{otherwise}");
    }
});
