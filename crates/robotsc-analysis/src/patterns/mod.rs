//! What one pattern shows without a search: its literal start, its pairs of bytes, and paths that stand for it.

pub(crate) mod heads;
pub(crate) mod instance;
pub(crate) mod pairs;
pub(crate) mod stars;
