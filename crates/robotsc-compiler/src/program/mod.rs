//! From rule sets to programs and policies: bytes that the runtime walks.

pub(crate) mod budget;
pub(crate) mod buffer;
pub(crate) mod compile;
pub(crate) mod encode;
pub(crate) mod error;
pub(crate) mod options;
pub(crate) mod policy;
pub(crate) mod same;
