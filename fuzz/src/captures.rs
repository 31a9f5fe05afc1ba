use robotsc_sources::{Captures, SourceLimits};

/// Reads any bytes as a source of captures: the first byte says under which name.
///
/// # Panics
/// Where reading does not end, or gives a body over the limit.
pub fn captures(data: &[u8]) {
    const NAMES: [&str; 7] = ["x.warc", "x.warc.gz", "x.warc.zst", "x.tar", "x.tar.gz", "x.tsv", "x"];
    let Some((first, bytes)) = data.split_first() else { return };
    let name = NAMES[usize::from(*first) % NAMES.len()];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a temporary file");
    let limits = SourceLimits::default();
    let mut met = 0;
    for capture in Captures::new(vec![path], &limits) {
        met += 1;
        assert!(met <= 2 * bytes.len() + 16, "more is told than there are bytes");
        let Ok(capture) = capture else { continue };
        if let robotsc_sources::SourceAnswer::Response(response) = &capture.answer {
            assert!(response.body.len() <= limits.body + 1);
        }
    }
}
