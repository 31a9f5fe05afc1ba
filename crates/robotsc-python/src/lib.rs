//! The Python module `robotsc._native`: robots.txt answers, one by one and in batches.
//!
//! Everything here converts: from Python objects to what the library takes, and back. What decides is in the library.
//! `python/robotsc/__init__.py` names the public items, `python/robotsc/_native.pyi` documents them.
#![forbid(unsafe_code)]

use pyo3::prelude::*;

mod agent;
mod analysis;
mod answers;
mod body;
mod dialect;
mod errors;
mod explanation;
mod fetched;
mod matcher;
mod origin;
mod pack;
mod policies;
mod preferences;
mod robots;
mod text;
mod time;
mod urls;

/// The compiled part of the package `robotsc`.
#[pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use crate::agent::Crawler;
    #[pymodule_export]
    use crate::analysis::{Change, Diff, Finding, diff, lint};
    #[pymodule_export]
    use crate::errors::{AgentError, PackError, RobotsError, UrlError};
    #[pymodule_export]
    use crate::explanation::{Diagnostic, ExplainedRule, Explanation, RequestRate};
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
    use crate::preferences::{Preferences, StatedPreference};
    #[pymodule_export]
    use crate::robots::{RobotsTxt, parse};
}
