//! What the paths under `/v1` answer: what [`robotsc_answers::api`] does, in the time and the room of the server.

pub(crate) mod about;
pub(crate) mod agents;
pub(crate) mod answer;
pub(crate) mod check;
#[cfg(feature = "fetch")]
pub(crate) mod fetch;
pub(crate) mod lint;
pub(crate) mod openapi;
pub(crate) mod pack;
mod stream;
