//! How TLS is set up: certificates are always verified, against the roots that browsers trust.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

/// Makes a connector of TLS 1.2 and 1.3 that offers HTTP/2 and HTTP/1.1.
///
/// # Panics
/// Never: the protocol versions are those of the provider.
pub(crate) fn connector(roots: RootCertStore) -> TlsConnector {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let mut config = builder
        .expect("ring has the cipher suites of both versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    // A fetch is one connection: nothing is left to resume.
    config.resumption = rustls::client::Resumption::disabled();
    TlsConnector::from(Arc::new(config))
}

/// Returns the roots that Mozilla trusts.
pub(crate) fn web_roots() -> RootCertStore {
    RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned())
}
