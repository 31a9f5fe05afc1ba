//! The agents of a file: their names, and which of them obey the same lines.

pub(crate) mod audience;
pub(crate) mod names;
