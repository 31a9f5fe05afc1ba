//! How a body ends.

/// How a body ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyEnd {
    /// The body is complete.
    #[default]
    Whole,
    /// The body is longer than the limit of this reader or of the crawler. What is kept ends at a line end, or is
    /// longer than any dialect reads.
    CutAtLimit,
    /// The body is incomplete: the connection ended too soon, or a chunk or an encoding is bad.
    Incomplete,
}
