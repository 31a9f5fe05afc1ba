//! What pages are wanted for.

use robotsc_runtime::{Category, Preference, Verdict};

/// A use that pages are wanted for. There is no default for what is not stated: the caller decides.
///
/// ```no_run
/// use robotsc::Verdict;
/// use robotsc::outcome::{Site, Time};
/// use robotsc::pack::{Category, Pack, WantedUse};
///
/// # fn example(now: Time) -> Result<(), Box<dyn std::error::Error>> {
/// let pack = Pack::open("frontier.pack")?;
/// let agent = pack.agent(robotsc::AgentName::new("FooBot")?).ok_or("the pack is for other agents")?;
/// // Only what is stated to be welcome.
/// let wanted = WantedUse { category: Category::Training, if_unknown: Verdict::Disallow };
/// let trainer = pack.for_use(agent, wanted).ok_or("the pack holds no preferences")?;
/// let slot = pack.find(pack.key(b"https://shop.example"));
/// let path = pack.dialect().url_path("/press/1")?;
/// let decision = pack.access_at(slot, &trainer, Site::NotKnownUp, now).decide(path.as_path());
/// assert!(decision.is_none_or(|(verdict, _)| !verdict.is_allow()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedUse {
    /// What the pages are wanted for.
    pub category: Category,
    /// The verdict about a page of which neither yes nor no is stated.
    pub if_unknown: Verdict,
}

/// Why a page that may be fetched must not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UseRefusal {
    /// The site says no to the use.
    Stated,
    /// The site says neither yes nor no, and the caller wants a yes.
    Unknown,
}

impl UseRefusal {
    /// Returns the word for it: `use-refused` or `use-unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stated => "use-refused",
            Self::Unknown => "use-unknown",
        }
    }
}

impl WantedUse {
    /// Returns why the use is refused of a page that may be fetched, and of which this is stated; `None` if it is not.
    #[must_use]
    pub const fn refusal(self, preference: Preference) -> Option<UseRefusal> {
        match preference {
            Preference::Yes => None,
            Preference::No => Some(UseRefusal::Stated),
            Preference::Unknown if self.if_unknown.is_allow() => None,
            Preference::Unknown => Some(UseRefusal::Unknown),
        }
    }
}
