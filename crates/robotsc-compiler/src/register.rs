//! The words of a register of known crawlers: what a crawler fetches for, and what it does with robots.txt.
//!
//! The build step reads a register with these names, and the generated table holds these values.

use std::fmt;
use std::str::FromStr;

/// What a crawler fetches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// The index of a search engine.
    Search,
    /// The training of models.
    AiTraining,
    /// An index or answers of an assistant, with links to the sources.
    AiSearch,
    /// A request of one person.
    UserTriggered,
    /// Link graphs and audits for site owners.
    Seo,
    /// An archive of the web.
    Archive,
    /// The card that is shown for a link.
    Preview,
    /// Advertisements: their quality, their targets.
    Ads,
    /// The owner's own checks.
    Monitoring,
    /// The search for malware.
    Security,
    /// Science.
    Research,
    /// Data that is sold or used internally.
    Data,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Self; 12] = [
        Self::Search,
        Self::AiTraining,
        Self::AiSearch,
        Self::UserTriggered,
        Self::Seo,
        Self::Archive,
        Self::Preview,
        Self::Ads,
        Self::Monitoring,
        Self::Security,
        Self::Research,
        Self::Data,
    ];

    /// Returns its name: `ai-training`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::AiTraining => "ai-training",
            Self::AiSearch => "ai-search",
            Self::UserTriggered => "user-triggered",
            Self::Seo => "seo",
            Self::Archive => "archive",
            Self::Preview => "preview",
            Self::Ads => "ads",
            Self::Monitoring => "monitoring",
            Self::Security => "security",
            Self::Research => "research",
            Self::Data => "data",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Purpose {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|purpose| purpose.name() == name);
        found.ok_or_else(|| UnknownName { what: "purpose", names: Self::ALL.map(Self::name).to_vec() })
    }
}

/// Reports that a text is not the name of a purpose, or of an [`Obedience`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    names: Vec<&'static str>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no such {}, there are {}", self.what, self.names.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// What a crawler does with robots.txt: what its operator says, unless others found that it does not obey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Obedience {
    /// It obeys it.
    #[default]
    Obeyed,
    /// It obeys the groups that name it, and no others: not those for `*`.
    ObeyedByName,
    /// The operator says that it can ignore it.
    MayBeIgnored,
    /// It ignores it.
    Ignored,
    /// The operator does not state it, or the statement was not found.
    NotStated,
    /// Others measured or report that it does not obey it, whatever its operator says.
    Disobeyed,
}

impl Obedience {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Obeyed, Self::ObeyedByName, Self::MayBeIgnored, Self::Ignored, Self::NotStated, Self::Disobeyed];

    /// Returns its name: `may-be-ignored`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Obeyed => "obeyed",
            Self::ObeyedByName => "obeyed-by-name",
            Self::MayBeIgnored => "may-be-ignored",
            Self::Ignored => "ignored",
            Self::NotStated => "not-stated",
            Self::Disobeyed => "disobeyed",
        }
    }
}

impl fmt::Display for Obedience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Obedience {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|obedience| obedience.name() == name);
        found.ok_or_else(|| UnknownName { what: "value of `robots`", names: Self::ALL.map(Self::name).to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read() {
        for purpose in Purpose::ALL {
            assert_eq!(purpose.name().parse(), Ok(purpose));
        }
        for obedience in Obedience::ALL {
            assert_eq!(obedience.name().parse(), Ok(obedience));
        }
        let error = "AiTraining".parse::<Purpose>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "no such purpose, there are search, ai-training, ai-search, user-triggered, \
             seo, archive, preview, ads, monitoring, security, research, data"
        );
        assert!("".parse::<Obedience>().is_err());
    }
}
