//! How much of a source is held in memory.

use robotsc_compiler::dialect::{MAX_BODY_BYTES, MAX_BYTES_PAST_LIMIT};

/// How much of a source is held in memory, and how far redirects are followed. All limits are on by default.
///
/// ```
/// let limits = robotsc_sources::SourceLimits { hops: 10, ..Default::default() };
/// assert_eq!(limits.body, 528_664);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLimits {
    /// The maximum number of bytes of a body that are kept, and one more that shows that there are more. No dialect
    /// reads more than the default: 512,000, and 16,664 in which the line that crosses this limit ends.
    pub body: usize,
    /// The maximum number of bytes of a record's body that are decoded, after its HTTP header.
    pub encoded: usize,
    /// The maximum number of bytes of a record's header, and of an HTTP header.
    pub head: usize,
    /// The maximum number of bytes of one line of a manifest.
    pub line: usize,
    /// The maximum number of bytes of a manifest inside an archive, which is held in memory.
    pub manifest: u64,
    /// The maximum number of redirects that are followed.
    pub hops: u8,
    /// The maximum number of bytes of memory for redirects and the offsets of their targets; the rest goes to temporary
    /// files.
    pub memory: usize,
}

impl SourceLimits {
    /// Returns the bytes of a body that a crawler has to keep, so that what it cut is past the limit of every dialect.
    pub(crate) const fn whole_body(&self) -> usize {
        self.body.saturating_sub(MAX_BYTES_PAST_LIMIT)
    }
}

impl Default for SourceLimits {
    fn default() -> Self {
        Self {
            body: MAX_BODY_BYTES,
            encoded: 4 << 20,
            head: 64 << 10,
            line: 16 << 10,
            manifest: 256 << 20,
            hops: 5,
            memory: 64 << 20,
        }
    }
}
