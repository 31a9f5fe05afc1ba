//! How a document is read: the checks of its project, and the settings of the editor on top.

use std::sync::Arc;

use gen_lsp_types::DiagnosticSeverity;
use robotsc::analysis::lint::{Finding, Lint, LintCheck};
use robotsc::robots_txt::Severity;
use robotsc::{Dialect, RobotsTxt};

use crate::host::Checks;
use crate::settings::{Level, Settings};
use crate::site_paths::SitePaths;

/// How documents are read.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) dialect: &'static Dialect,
    pub(crate) lint: Lint,
    warned: Vec<LintCheck>,
    settings: Arc<Settings>,
    /// The pages of the site, if a sitemap is configured.
    pub(crate) site: SitePaths,
}

impl Profile {
    /// Makes a profile, given the URLs of the sitemaps.
    pub(crate) fn new(checks: Checks, settings: Arc<Settings>, urls: &[Vec<u8>]) -> Self {
        let Checks { mut lint, dialect, warned } = checks;
        if settings.all {
            lint = lint.with_info();
        }
        for (code, level) in &settings.severity {
            let Some(check) = LintCheck::by_code(code) else { continue };
            lint = if *level == Level::Off { lint.ignore(check) } else { lint.select(check) };
        }
        lint = lint.sitemap_urls(urls.iter().cloned());
        let dialect = settings.dialect.or(dialect).unwrap_or(&Dialect::GOOGLE);
        let site = SitePaths::new(urls, dialect);
        Self { dialect, lint, warned, settings, site }
    }

    /// Returns what is wrong with a file.
    pub(crate) fn findings(&self, robots: &RobotsTxt<'_>) -> Vec<Finding> {
        self.lint.run(robots)
    }

    /// Returns how the editor shows a finding.
    pub(crate) fn severity(&self, finding: &Finding) -> DiagnosticSeverity {
        match self.settings.severity.get(finding.check.code()) {
            Some(Level::Error) => return DiagnosticSeverity::Error,
            Some(Level::Warning) => return DiagnosticSeverity::Warning,
            Some(Level::Info) => return DiagnosticSeverity::Information,
            Some(Level::Hint) => return DiagnosticSeverity::Hint,
            Some(Level::Off) | None => {}
        }
        match finding.severity {
            _ if self.warned.contains(&finding.check) => DiagnosticSeverity::Warning,
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Info => DiagnosticSeverity::Information,
        }
    }
}
