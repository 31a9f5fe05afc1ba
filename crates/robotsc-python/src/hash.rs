//! Hashes of values, for Python.

use std::hash::{DefaultHasher, Hash, Hasher as _};

/// Returns the hash of a value, for Python.
pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
