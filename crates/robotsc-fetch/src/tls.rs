//! How TLS is set up: certificates are always verified, against the roots that browsers trust.

use std::io;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{CertificateError, ClientConfig, Error, InvalidMessage, RootCertStore};
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

/// Says why there is no secure connection to a host, and what can be done.
pub(crate) fn describe(host: &str, error: &io::Error) -> String {
    let error = match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(error) => error,
        None => return format!("no secure connection to {host}: {error}"),
    };
    let why = match error {
        Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "its certificate is not signed by an authority that is trusted here: the server may send no intermediate \
             certificate; if the authority is your own, name its file (ca-file)"
                .to_owned()
        }
        Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => "its certificate is for another name".to_owned(),
        Error::InvalidCertificate(CertificateError::Expired | CertificateError::ExpiredContext { .. }) => {
            "its certificate has expired".to_owned()
        }
        Error::InvalidCertificate(CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. }) => {
            "its certificate is not valid yet: see whether the clock is right".to_owned()
        }
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "its answer is not TLS: if the port speaks plain HTTP, write http:// before the host".to_owned()
        }
        other => other.to_string(),
    };
    format!("no secure connection to {host}: {why}")
}

/// Returns the roots that Mozilla trusts, and those of a PEM file.
pub(crate) fn roots_with(pem: &[u8]) -> Result<RootCertStore, String> {
    let mut roots = web_roots();
    let before = roots.len();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let added = certificate.map_err(|error| error.to_string());
        added.and_then(|certificate| roots.add(certificate).map_err(|error| error.to_string()))?;
    }
    if roots.len() == before {
        return Err("it holds no certificate in PEM: it begins with -----BEGIN CERTIFICATE-----".to_owned());
    }
    Ok(roots)
}

/// Returns the roots that Mozilla trusts.
pub(crate) fn web_roots() -> RootCertStore {
    RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_tls_is_named() {
        let error = io::Error::other(Error::InvalidMessage(InvalidMessage::InvalidContentType));
        let said = describe("h.example", &error);
        assert!(said.ends_with("its answer is not TLS: if the port speaks plain HTTP, write http:// before the host"));
    }
}
