//! Policy packs: the policies of millions of origins in one mapped file.
//!
//! A pack answers, for an origin, how the last fetch of its robots.txt ended and which program the crawler obeys. It is
//! opened in constant time, read without being copied, and never changed: a new one is built beside it and renamed over
//! it. `docs/pack-format.md` has the layout, byte by byte, and what it costs.
//!
//! ```
//! use robotsc::outcome::{Capture, Response, Time};
//! use robotsc::pack::{Pack, PackAgents, PackBuilder, PackOptions};
//! use robotsc::{AgentName, Dialect, UrlPath};
//!
//! # let folder = std::env::temp_dir().join(format!("robotsc-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let target = folder.join("frontier.pack");
//! let mut options = PackOptions::new(&Dialect::GOOGLE);
//! options.agents = PackAgents::only(["FooBot"]);
//! let mut builder = PackBuilder::new(options, &target)?;
//! let response = Response::new(200, b"User-agent: *\nDisallow: /cart\n");
//! let capture = Capture::after(None, &response, Time(1_790_000_000), &Dialect::GOOGLE);
//! builder.push(&"https://shop.example".parse()?, &capture)?;
//! let report = builder.finish()?;
//! assert_eq!(report.origins, 1);
//!
//! let pack = Pack::open(&target)?;
//! let entry = pack.get(b"https://shop.example").expect("it was pushed");
//! let agent = pack.agent(AgentName::new("FooBot")?).expect("the pack was built for it");
//! let program = entry.program(&agent).expect("there are rules");
//! let path = UrlPath::new(b"/cart/1", program.path_form())?;
//! assert!(!program.verdict(path)?.is_allow());
//! assert!(pack.get(b"https://other.example").is_none());
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use agents::PackAgents;
pub(crate) use build::{HeldRules, compiler};
pub use build::{PackBuilder, PackReport, Phase, Progress, merge};
pub use crawlers::{PackAccesses, PackCrawlers, PackLookup};
pub use decision::{AccessForUse, PackAccess};
pub use entries::Entries;
pub use entry::{PackEntry, PolicyId};
pub use error::PackError;
pub use key::PackKey;
pub use map::exit_on_bus_error;
pub use options::PackOptions;
pub use reader::{Pack, PackAgent, Slot};
pub use stats::{LargeProgram, PackStats};

#[doc(no_inline)]
pub use robotsc_compiler::preferences::{
    Category, PathPreferences, Preference, PreferenceProgram, UseRefusal, Vocabulary, WantedUse,
};

/// The newest version of the format of the packs that this library reads and writes: that of packs with preferences.
/// Packs without them have the version before it.
pub const FORMAT_VERSION: u32 = format::VERSION_WITH_PREFERENCES;

mod access;
mod agents;
mod build;
mod crawlers;
mod decision;
mod entries;
mod entry;
mod error;
mod format;
mod key;
mod map;
mod names;
mod options;
mod policy;
mod reader;
mod slot;
mod stats;
mod verify;
