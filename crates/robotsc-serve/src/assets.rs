//! The page: `index.html` and the files that it names, which are part of the binary.
//!
//! The files are served under a name with their checksum, `/assets/page.1f2e3d4c.js`, so that browsers keep them for
//! good, and `index.html` is changed to name them so.

use std::io::Write as _;
use std::sync::OnceLock;

use flate2::write::GzEncoder;
use flate2::{Compression, Crc};

/// The files of the page: the name, the ending, the media type, the bytes.
const FILES: [(&str, &str, &str, &[u8]); 2] = [
    ("page", "js", "text/javascript; charset=utf-8", include_bytes!("../web/dist/page.js")),
    ("page", "css", "text/css; charset=utf-8", include_bytes!("../web/dist/page.css")),
];

/// The page, as it is built.
const INDEX: &str = include_str!("../web/dist/index.html");

/// What stands in the page for the nonce of a response.
pub(crate) const NONCE: &str = "__NONCE__";

/// The files of the page, ready to serve.
#[derive(Debug)]
pub(crate) struct Assets {
    /// The page, with [`NONCE`] in it.
    pub(crate) index: String,
    files: Vec<Asset>,
}

/// A file of the page.
#[derive(Debug)]
pub(crate) struct Asset {
    /// With the checksum.
    name: String,
    pub(crate) media_type: &'static str,
    pub(crate) bytes: &'static [u8],
    /// Compressed when it is first sent.
    gzip: OnceLock<Vec<u8>>,
}

impl Assets {
    pub(crate) fn new() -> Self {
        let mut index = INDEX.to_owned();
        let files = FILES.map(|(stem, ending, media_type, bytes)| {
            let mut sum = Crc::new();
            sum.update(bytes);
            let name = format!("{stem}.{:08x}.{ending}", sum.sum());
            index = index.replace(&format!("assets/{stem}.{ending}"), &format!("assets/{name}"));
            Asset { name, media_type, bytes, gzip: OnceLock::new() }
        });
        Self { index, files: files.into() }
    }

    /// Returns the file of a name with its checksum.
    pub(crate) fn file(&self, name: &str) -> Option<&Asset> {
        self.files.iter().find(|asset| asset.name == name)
    }
}

impl Asset {
    /// Returns the file compressed.
    pub(crate) fn gzip(&self) -> &[u8] {
        self.gzip.get_or_init(|| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            // Writing to memory does not fail.
            let _ = encoder.write_all(self.bytes);
            encoder.finish().unwrap_or_default()
        })
    }
}
