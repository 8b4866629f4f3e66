//! The service's own TLS: its certificate, and reloading it while the service runs.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_util::sync::CancellationToken;

use crate::config::TlsFiles;

/// The time between two checks of the files for a newer certificate.
const POLL: Duration = Duration::from_secs(10);

/// The current certificate with its key.
pub struct Tls {
    files: TlsFiles,
    loaded: Mutex<Loaded>,
}

/// An unusable certificate; the text names the file and its expected content.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    #[error("{setting} {} cannot be read: {cause}", path.display())]
    Read { setting: &'static str, path: PathBuf, cause: io::Error },
    #[error("{setting} {} {problem}", path.display())]
    Content { setting: &'static str, path: PathBuf, problem: String },
    #[error(
        "server.tls_key {} does not belong to the certificate in server.tls_cert {}",
        files.key.display(), files.cert.display()
    )]
    Mismatch { files: TlsFiles },
    #[error("server.tls_cert {} and server.tls_key {} cannot be used: {cause}", files.cert.display(), files.key.display())]
    Unusable { files: TlsFiles, cause: rustls::Error },
}

struct Loaded {
    acceptor: TlsAcceptor,
    /// The stamps of the files when they were last read, whether or not they were used.
    stamps: Stamps,
}

impl Tls {
    pub fn load(files: TlsFiles) -> Result<Self, TlsError> {
        // The stamps are taken first, so that a file which changes while it is read is read again.
        let stamps = files.stamps();
        let acceptor = acceptor(&files)?;
        Ok(Self { files, loaded: Mutex::new(Loaded { acceptor, stamps }) })
    }

    /// The acceptor for new connections.
    pub fn acceptor(&self) -> TlsAcceptor {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).acceptor.clone()
    }

    /// Loads files that were replaced. A file that cannot be used changes nothing and is tried again when it changes,
    /// because certificate and key are rarely replaced at the same moment.
    pub fn reload_if_changed(&self) -> Result<bool, TlsError> {
        let stamps = self.files.stamps();
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if stamps == loaded.stamps {
            return Ok(false);
        }
        loaded.stamps = stamps;
        loaded.acceptor = acceptor(&self.files)?;
        Ok(true)
    }

    /// Checks the files until the service stops.
    pub async fn watch(self: Arc<Self>, stop: CancellationToken) {
        while stop.run_until_cancelled(tokio::time::sleep(POLL)).await.is_some() {
            let tls = self.clone();
            match tokio::task::spawn_blocking(move || tls.reload_if_changed()).await {
                Ok(Ok(false)) => {}
                Ok(Ok(true)) => tracing::info!("the TLS certificate was reloaded"),
                Ok(Err(error)) => {
                    tracing::error!(%error, "the new TLS certificate cannot be used; the previous one remains in use")
                }
                Err(error) => tracing::error!(%error, "the TLS certificate could not be checked"),
            }
        }
    }
}

/// Detects that a file was replaced.
type Stamp = Option<(u64, u64, SystemTime)>;
type Stamps = [Stamp; 2];

impl TlsFiles {
    fn stamps(&self) -> Stamps {
        let stamp = |file: &Metadata| Some((file.ino(), file.len(), file.modified().ok()?));
        [&self.cert, &self.key].map(|path| std::fs::metadata(path).ok().as_ref().and_then(stamp))
    }
}

fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, TlsError> {
    let (chain, key) = (certificates(&files.cert)?, private_key(&files.key)?);
    let unusable = |cause| match cause {
        rustls::Error::InconsistentKeys(_) => TlsError::Mismatch { files: files.clone() },
        cause => TlsError::Unusable { files: files.clone(), cause },
    };
    let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(unusable)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let setting = "server.tls_cert";
    let text = read(setting, path)?;
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    let chain = chain.map_err(|cause| content(setting, path, &cause))?;
    if chain.is_empty() {
        return Err(content(setting, path, &pem::Error::NoItemsFound));
    }
    Ok(chain)
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let setting = "server.tls_key";
    let text = read(setting, path)?;
    PrivateKeyDer::from_pem_slice(&text).map_err(|cause| content(setting, path, &cause))
}

fn read(setting: &'static str, path: &Path) -> Result<Vec<u8>, TlsError> {
    std::fs::read(path).map_err(|cause| TlsError::Read { setting, path: path.to_owned(), cause })
}

fn content(setting: &'static str, path: &Path, cause: &pem::Error) -> TlsError {
    let (expected_label, hint) = match setting {
        "server.tls_key" => ("PRIVATE KEY", "; an encrypted key must be decrypted"),
        _ => ("CERTIFICATE", ""),
    };
    let problem = match cause {
        pem::Error::NoItemsFound => {
            format!("holds none in PEM, a text with a line `-----BEGIN {expected_label}-----`{hint}")
        }
        cause => format!("is not valid PEM: {cause}"),
    };
    TlsError::Content { setting, path: path.to_owned(), problem }
}
