//! What all requests share.

use std::sync::Arc;

use robotsc::Dialect;
use robotsc_analysis::lint::Lint;
use robotsc_answers::api::file::File;
use robotsc_answers::api::limits::Limits;
use robotsc_answers::api::question::Desk;
use tokio::sync::watch;

use crate::assets::Assets;
use crate::config::Config;
use crate::files::Files;
use crate::hosts::Hosts;
use crate::metrics::Metrics;
use crate::work::Work;

/// What all requests share.
#[derive(Clone, Debug)]
pub(crate) struct App(Arc<Shared>);

/// See [`App`].
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) hosts: Hosts,
    pub(crate) assets: Assets,
    pub(crate) files: Files,
    /// What one request may ask for: a part of the limits of `config`.
    pub(crate) limits: Limits,
    pub(crate) lint: Lint,
    pub(crate) metrics: Metrics,
    pub(crate) work: Work,
    /// Becomes true when the server stops.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl App {
    pub(crate) fn new(config: Config, port: u16, stopping: watch::Receiver<bool>) -> Self {
        let metrics = Metrics::default();
        Self(Arc::new(Shared {
            hosts: Hosts::new(&config, port),
            assets: Assets::new(),
            limits: config.limits.of_request(),
            files: Files::new(config.limits.cache_bytes, &metrics),
            lint: robotsc_answers::lint::default_lint(),
            work: Work::new(&config.limits),
            metrics,
            stopping,
            config,
        }))
    }
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Desk for Shared {
    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn lint(&self) -> &Lint {
        &self.lint
    }

    fn file(&self, body: &[u8], dialect: &'static Dialect) -> Arc<File> {
        self.files.parse(body, dialect)
    }
}
