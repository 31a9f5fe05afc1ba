//! What a robots.txt says may be done with a page once it is fetched: training, answers of models, search.
//!
//! ```
//! use robotsc::RobotsTxt;
//! use robotsc::analysis::preferences::{Category, Preference, Preferences};
//!
//! let body = b"User-agent: *\n\
//!     Disallow: /cart\n\
//!     Content-Usage: train-ai=n\n\
//!     Content-Usage: /press/ train-ai=y, search=y\n\
//!     Content-Signal: /blog/ ai-train=no, search=yes\n";
//! let robots = RobotsTxt::parse(body);
//! let preferences = Preferences::of(&robots, "FooBot")?;
//!
//! let press = preferences.at("https://shop.example/press/1")?.expect("an allowed path");
//! let training = press.usage.of(Category::Training).expect("a label of the newest draft");
//! assert_eq!((training.preference, training.lines().collect::<Vec<_>>()), (Preference::Yes, vec![4]));
//!
//! // A response header is always combined: the most restrictive holds.
//! let press = press.combine(b"train-ai=n");
//! assert_eq!(press.usage.of(Category::Training).map(|stated| stated.preference), Some(Preference::No));
//!
//! let blog = preferences.at("https://shop.example/blog/1")?.expect("an allowed path");
//! assert_eq!(blog.signals.of(Category::Training).map(|stated| stated.preference), Some(Preference::No));
//! assert_eq!(blog.usage.of(Category::Search).map(|stated| stated.preference), Some(Preference::Unknown));
//!
//! // Nothing is said about what may not be fetched.
//! assert_eq!(preferences.at("https://shop.example/cart")?, None);
//! # Ok::<(), robotsc::QueryError>(())
//! ```
//!
//! There are two vocabularies. `Content-Usage` is the working group's of the IETF (draft-ietf-aipref-attach and
//! draft-ietf-aipref-vocab), `Content-Signal` is Cloudflare's. Their terms correspond and are not equal, so the answer
//! keeps them apart; a [`Category`] names what corresponds.
//!
//! How a record is found and read:
//! - The groups are those that the agent obeys. A record for `*` does not reach an agent with a group of its own.
//! - A record with a path is about the paths that this pattern matches, as in Allow and Disallow; one without is about
//!   all. The longest pattern holds, in the length that ranks rules. It holds with all that it leaves open: nothing is
//!   filled in from shorter ones. Records of equal length hold together, the most restrictive first: any no is no, else
//!   any yes is yes.
//! - A few patterns of RFC 9309 with more than eight `*` before an escape such as `%2F` are not decided exactly. If one
//!   may match, its statement can only restrict what the others say.
//! - What is stated neither way is [`Unknown`](Preference::Unknown): that is neither a yes nor a no, and what follows
//!   from it is the caller's decision.

mod agent;
mod compiled;
mod dictionary;
mod effective;
mod ranked;
mod signals;
mod statements;
mod usage;
mod vocabulary;
mod wanted_use;

pub use agent::{Preferences, Reading};
pub use compiled::CompiledPreferences;
#[doc(hidden)]
pub use compiled::compile_groups;
pub use dictionary::{Dictionary, DictionaryError, DictionaryValue};
pub use effective::{EffectivePreferences, SignalPreferences, Source, StatedPreference, UsagePreferences};
#[doc(hidden)]
pub use ranked::RankedPreferences;
pub use robotsc_runtime::{Category, PathPreferences, Preference, PreferenceProgram, UseLevel};
pub use signals::{Signal, SignalMeaning, signals};
#[doc(hidden)]
pub use signals::{SignalStatement, blank_in_first_name};
pub use vocabulary::{Label, Vocabulary};
pub use wanted_use::{UseRefusal, WantedUse};
