//! Compiles `rules/` into the library where the feature `bundled-rules` asks for it; does nothing otherwise.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "bundled-rules")]
    bundled::compile()?;
    Ok(())
}

#[cfg(feature = "bundled-rules")]
mod bundled {
    use std::error::Error;
    use std::path::Path;
    use std::{env, fs};

    use robotsc_build::Config;
    use robotsc_build::registry::Registry;

    /// Writes what `src/bundled.rs` includes.
    pub(crate) fn compile() -> Result<(), Box<dyn Error>> {
        let rules = Path::new(&env::var_os("CARGO_MANIFEST_DIR").ok_or("no CARGO_MANIFEST_DIR")?).join("rules");
        let out = env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
        Config::new().rule_dir(&rules).visibility("pub(super)").compile()?;
        let agents = Registry::bundled().generate("crate::bundled");
        Ok(fs::write(Path::new(&out).join("agents.rs"), agents)?)
    }
}
