//! How much memory the vectors and tables of a construction hold, which decides what a thread keeps.

/// Returns the bytes of memory that a vector holds, used or not.
pub(crate) const fn held<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}

/// Returns about the bytes of memory that a table of so many entries holds.
pub(crate) const fn held_by_table<T>(capacity: usize) -> usize {
    capacity * (size_of::<T>() + 1) / 7 * 8
}
