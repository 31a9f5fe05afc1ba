//! The Python module `robotsc._native`: robots.txt answers, one by one and in batches.
//!
//! Everything here converts: from Python objects to what the library takes, and back. What decides is in the library.
//! `python/robotsc/__init__.py` names the public items. The docstrings here are those of `python/robotsc/_native.pyi`;
//! a test compares them.
#![forbid(unsafe_code)]

use pyo3::prelude::*;

mod agent;
mod analysis;
mod answers;
mod arguments;
mod body;
mod by_pack;
mod census;
mod census_rows;
mod command;
mod dialect;
mod errors;
mod explanation;
mod fetched;
mod happened;
mod hash;
mod judge;
mod matcher;
mod origin;
mod pack;
mod policies;
mod preferences;
mod results;
mod robots;
mod several;
mod several_columns;
mod shown;
mod site;
mod storage;
mod table;
mod text;
mod time;
mod urls;
mod wanted_use;

/// The compiled part of the package. Its items are those of ``robotsc``.
#[pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use crate::agent::Crawler;
    #[pymodule_export]
    use crate::analysis::{diff, lint};
    #[pymodule_export]
    use crate::census::census;
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::fetched::FetchedRobots;
    #[pymodule_export]
    use crate::matcher::Matcher;
    #[pymodule_export]
    use crate::origin::{origin_of, origins_of};
    #[pymodule_export]
    use crate::pack::{Pack, build_pack};
    #[pymodule_export]
    use crate::policies::allowed_by;
    #[pymodule_export]
    use crate::robots::{RobotsTxt, parse};
    #[pymodule_export]
    use crate::several::verdicts;

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that packages of Python have")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
