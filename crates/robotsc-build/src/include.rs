//! What the macro `include_rules!` is made of.

use std::path::Path;

use proc_macro2::{Ident, TokenStream};

use crate::diagnostic::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::generate::{self, BytesIn, Style};
use crate::limits::BuildLimits;
use crate::load;

/// Rule sets as items.
#[derive(Debug)]
pub struct Included {
    /// The statics, `SETS` among them.
    pub items: TokenStream,
    /// The name of each set, and of its static.
    pub names: Vec<(String, Ident)>,
    /// What is no error, and worth a look.
    pub warnings: Diagnostics,
}

/// Compiles a file or a folder of rule sets to items that name the runtime by a path.
///
/// # Errors
/// The diagnostics of rule sets that are wrong, rendered.
pub fn include(path: &Path, runtime: &str) -> Result<Included, Error> {
    let limits = BuildLimits::default();
    let loaded = if path.is_dir() { load::load_dir(path, &limits) } else { load::load_file(path, &limits) };
    let loaded = loaded.map_err(|all| Error::new(ErrorKind::RuleSets, all.render(false)))?;
    let style = Style {
        module: None,
        visibility: String::new(),
        runtime: runtime.to_owned(),
        names_rules: true,
        bytes: BytesIn::Inside,
        stem: String::new(),
        tracked: loaded.inputs.clone(),
    };
    let generated = generate::tokens(&loaded.sets, &style, &limits)?;
    Ok(Included { items: generated.items, names: generated.names, warnings: loaded.warnings })
}
