//! How much of a source is held in memory.

/// How much of a source is held in memory, and how far redirects are followed. All limits are on by default.
///
/// ```
/// let limits = robotsc_sources::Limits { hops: 10, ..Default::default() };
/// assert_eq!(limits.body, 512_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The octets of a body that are kept, beside one that shows that there are more. No dialect reads more than the
    /// default.
    pub body: usize,
    /// The octets of a record's content that are held to decode it; more are not looked at.
    pub encoded: usize,
    /// The octets of a record's head, and of an HTTP head.
    pub head: usize,
    /// The octets of one line of a manifest.
    pub line: usize,
    /// The octets of a manifest inside an archive, which is held whole.
    pub manifest: u64,
    /// The redirects that are followed.
    pub hops: u8,
    /// The octets of memory for redirects and for where their targets stand; what is over goes to temporary files.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 512_000,
            encoded: 4 << 20,
            head: 64 << 10,
            line: 16 << 10,
            manifest: 256 << 20,
            hops: 5,
            memory: 64 << 20,
        }
    }
}
