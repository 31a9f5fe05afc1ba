//! What a fetch of robots.txt came to, and what that means for the origin's URLs.

pub use record::{FetchRecord, Outcome, Time};

mod record;
