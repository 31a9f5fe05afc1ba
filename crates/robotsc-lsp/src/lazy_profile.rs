//! The profile of a folder, read when it is first needed.
//!
//! ```text
//! main thread    didOpen   (reads no file)
//! worker                   lint ─▶ get() ─▶ robotsc.toml, sitemaps        a second get() waits, or returns at once
//! ```
//! To read a file can take long, so that only a worker calls [`LazyProfile::get`] first.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::host::{Host, Rewrite};
use crate::profile::Profile;
use crate::settings::Settings;

/// What all profiles of a configuration share. A change of the configuration makes another.
pub(crate) struct Configuration {
    host: Arc<dyn Host>,
    settings: Arc<Settings>,
    /// The folder of the workspace.
    folder: Option<PathBuf>,
    /// Shows a message to the person.
    show: Box<dyn Fn(String) + Send + Sync>,
    urls: OnceLock<Vec<Vec<u8>>>,
}

impl Configuration {
    pub(crate) fn new(
        host: Arc<dyn Host>,
        settings: Arc<Settings>,
        folder: Option<PathBuf>,
        show: impl Fn(String) + Send + Sync + 'static,
    ) -> Self {
        Self { host, settings, folder, show: Box::new(show), urls: OnceLock::new() }
    }

    /// Returns the URLs of the sitemaps. The first caller reads them.
    fn urls(&self) -> &[Vec<u8>] {
        self.urls.get_or_init(|| {
            let mut urls = Vec::new();
            for file in &self.settings.sitemaps {
                let file = self.folder.as_deref().unwrap_or(Path::new("")).join(file);
                match self.host.sitemap_urls(&file) {
                    Ok(found) => urls.extend(found),
                    // The settings are those of all projects, and not each has a sitemap there.
                    Err(_) if !file.exists() => {}
                    Err(message) => (self.show)(message),
                }
            }
            urls
        })
    }
}

/// The profile of a folder.
pub(crate) struct LazyProfile {
    configuration: Arc<Configuration>,
    folder: Option<PathBuf>,
    profile: OnceLock<Profile>,
}

impl LazyProfile {
    pub(crate) const fn new(configuration: Arc<Configuration>, folder: Option<PathBuf>) -> Self {
        Self { configuration, folder, profile: OnceLock::new() }
    }

    /// Returns the profile. The first caller reads the files of the project, others wait for it.
    pub(crate) fn get(&self) -> &Profile {
        self.profile.get_or_init(|| {
            let Configuration { host, settings, show, .. } = &*self.configuration;
            let project = self.folder.as_deref().map_or(Ok(None), |folder| host.project_checks(folder));
            let checks = project.unwrap_or_else(|message| {
                show(message);
                None
            });
            let checks = checks.unwrap_or_else(|| host.default_checks());
            Profile::new(checks, Arc::clone(settings), self.configuration.urls())
        })
    }

    /// Returns the rewrites that the host offers for a file of the folder.
    pub(crate) fn rewrites(&self, text: &str) -> Vec<Rewrite> {
        self.configuration.host.rewrites(self.folder.as_deref(), text)
    }

    /// Returns what the host makes of a file of the folder.
    pub(crate) fn rewritten(&self, text: &str, name: &str) -> Result<String, String> {
        self.configuration.host.rewritten(self.folder.as_deref(), text, name)
    }
}
