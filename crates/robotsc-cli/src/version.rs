//! What `robotsc --version` prints after the version: what this build holds, and the formats that it reads.

use std::sync::LazyLock;

/// The parts that a build can have or lack, in the order in which they are printed.
const PARTS: [(&str, bool); 4] = [
    ("fetch", cfg!(feature = "fetch")),
    ("ftp", cfg!(feature = "ftp")),
    ("lsp", cfg!(feature = "lsp")),
    ("serve", cfg!(feature = "serve")),
];

/// The version, the commit if the build names it (`ROBOTSC_COMMIT`), features, formats and target.
pub(crate) static LONG: LazyLock<String> = LazyLock::new(|| {
    let features: Vec<String> =
        PARTS.iter().map(|(name, is_on)| format!("{}{name}", if *is_on { '+' } else { '-' })).collect();
    format!(
        "{}\ncommit: {}\nfeatures: {}\nformats: program {}, pack {}\ntarget: {}-{}",
        env!("CARGO_PKG_VERSION"),
        option_env!("ROBOTSC_COMMIT").unwrap_or("unknown"),
        features.join(" "),
        robotsc_runtime::format::VERSION,
        robotsc::pack::FORMAT_VERSION,
        std::env::consts::ARCH,
        std::env::consts::OS,
    )
});

/// Returns the feature that a build lacks for a command of this name.
pub(crate) fn missing_part(command: &str) -> Option<&'static str> {
    PARTS.iter().find(|(name, is_on)| *name == command && !is_on).map(|(name, _)| *name)
}
