//! Generated files as packages check them in: they pass strict lints and `cargo fmt --check` where they lie.

use std::path::Path;
use std::process::Command;

/// A private module of a package that uses none of it and denies what it can: that this compiles is the test.
#[deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused, unused_qualifications)]
#[deny(clippy::all, clippy::pedantic)]
#[path = "generated/expected/inline.rs"]
mod checked_in;

#[test]
fn rustfmt_changes_nothing() {
    for name in ["inline.rs", "table.rs"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated/expected").join(name);
        let rustfmt = std::env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into());
        let run = Command::new(rustfmt).args(["--check", "--edition", "2024"]).arg(&path).output();
        let run = run.expect("rustfmt runs: rustup component add rustfmt");
        assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stdout));
    }
}
