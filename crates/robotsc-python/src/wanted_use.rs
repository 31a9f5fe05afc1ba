//! What pages are wanted for: the arguments `use` and `unknown_use`.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use robotsc::Verdict;
use robotsc::pack::{Category, PackAgent, WantedUse};

use crate::errors::{AgentError, PackError, RobotsError};

/// Reads both arguments; `None` without them.
///
/// # Errors
/// `RobotsError` for another word, `TypeError` for one without the other: there is no default for what is not stated.
pub(crate) fn wanted_use(wanted: Option<&str>, unknown_use: Option<&str>) -> PyResult<Option<WantedUse>> {
    let category = wanted.map(|word| {
        Category::by_word(word)
            .ok_or_else(|| RobotsError::new_err(format!("use is 'train', 'input' or 'search', not {word:?}")))
    });
    let if_unknown = unknown_use.map(|word| match word {
        "allow" => Ok(Verdict::Allow),
        "deny" => Ok(Verdict::Disallow),
        other => Err(RobotsError::new_err(format!("unknown_use is 'allow' or 'deny', not {other:?}"))),
    });
    match (category.transpose()?, if_unknown.transpose()?) {
        (Some(category), Some(if_unknown)) => Ok(Some(WantedUse { category, if_unknown })),
        (None, None) => Ok(None),
        (Some(_), None) => Err(PyTypeError::new_err(
            "use= needs unknown_use=: 'allow' or 'deny' pages of which the site says neither yes nor no",
        )),
        (None, Some(_)) => Err(PyTypeError::new_err("unknown_use= needs use=: 'train', 'input' or 'search'")),
    }
}

/// Returns the agent of a pack for a crawler, which wants pages for a use if one is given.
///
/// # Errors
/// `AgentError` if the pack was not built for it, `PackError` if it holds no preferences, and they are asked for.
pub(crate) fn pack_agent(
    pack: &Arc<robotsc::pack::Pack>,
    crawler: &robotsc::Crawler,
    name: &str,
    wanted: Option<WantedUse>,
) -> PyResult<PackAgent> {
    let agent = pack.crawler(crawler).ok_or_else(|| {
        AgentError::new_err(format!(
            "the pack was not built for {name}: build it with agents= that name it, or for all"
        ))
    })?;
    let Some(wanted) = wanted else { return Ok(agent) };
    pack.for_use(agent, wanted).ok_or_else(|| {
        PackError::new_err("the pack holds no preferences, which use= needs: build it with preferences=True")
    })
}
