//! What a kind of request is: a form of JSON, what is checked at once, and what is answered after that.

use std::fmt::Debug;
use std::sync::Arc;

use robotsc::Dialect;
use robotsc_analysis::lint::Lint;
use serde::de::DeserializeOwned;

use super::file::File;
use super::limits::Limits;
use super::problem::Problem;

/// What requests are answered with.
pub trait Desk {
    /// What one request may ask for.
    fn limits(&self) -> &Limits;

    /// The checks of lint.
    fn lint(&self) -> &Lint;

    /// Parses a robots.txt, or finds it parsed.
    fn file(&self, body: &[u8], dialect: &'static Dialect) -> Arc<File>;
}

/// The form of a request, as it is deserialized.
pub trait Form: DeserializeOwned {
    /// What is asked.
    type Question: Question;

    /// Checks what can be checked without the file.
    ///
    /// # Errors
    /// Names the value that cannot be answered for.
    fn question(self, limits: &Limits) -> Result<Self::Question, Problem>;
}

/// What is asked.
pub trait Question: Debug + Send + 'static {
    /// Returns the number of verdicts that are asked for.
    fn verdicts(&self) -> u64 {
        0
    }

    /// Answers, as JSON.
    ///
    /// # Errors
    /// Names the value that cannot be answered for.
    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem>;
}
