//! Questions about a file: which groups a crawler obeys, whether it may fetch a URL, and why.

pub mod agent;
pub(crate) mod explanation;
pub mod header_names;
pub(crate) mod matcher;
pub(crate) mod query_error;
mod question;
mod selected;
