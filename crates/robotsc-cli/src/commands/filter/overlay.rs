//! `--rules`: a rule set over all origins, which can only disallow more.

use robotsc::origin::Origin;
use robotsc::url::url_path;
use robotsc_runtime::UrlPath;
use robotsc_runtime::embed::Rules;

use crate::command_line::rule_sets::Overlay;

/// A rule set and the rules of those who ask it.
#[derive(Debug)]
pub(crate) struct FilterOverlay {
    overlay: &'static Overlay<'static>,
    /// For each agent, found once.
    rules: Vec<Rules<'static>>,
}

impl FilterOverlay {
    pub(crate) fn new(overlay: &'static Overlay<'static>) -> Self {
        Self { overlay, rules: overlay.rules() }
    }

    /// Reports whether it applies to a canonical origin. Where that cannot be told it does, since it can only disallow
    /// more.
    pub(crate) fn applies_to(&self, origin: &[u8]) -> bool {
        Origin::parse(origin).map_or(true, |origin| self.overlay.applies_to(&origin))
    }

    /// Reports whether it allows a URL, whose path has the form of the pack's dialect. What it cannot take in is not
    /// allowed.
    pub(crate) fn allows(&self, url: &[u8], path: UrlPath<'_>) -> bool {
        let allows = |path: UrlPath<'_>| self.rules.iter().all(|rules| rules.is_allowed(path) == Ok(true));
        let own_form = self.overlay.set.path_form();
        if own_form == path.form() {
            return allows(path);
        }
        url_path(url, own_form).is_ok_and(|path| allows(path.as_path()))
    }
}
