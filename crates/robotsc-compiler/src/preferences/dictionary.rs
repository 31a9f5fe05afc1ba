//! A `Content-Usage` statement as a dictionary of RFC 9651, which the crate `sfv` reads.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;

use sfv::visitor::{DictionaryVisitor, EntryVisitor, Ignored, InnerListVisitor, ItemVisitor};
use sfv::{BareItemFromInput, KeyRef, Parser};

use robotsc_runtime::Preference;

/// The value of a key in a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DictionaryValue {
    /// Yes for the token `y`, no for the token `n`, unknown for everything else.
    pub preference: Preference,
    /// Whether the key is repeated: the last value counts.
    pub is_repeated: bool,
}

/// A statement, read: the keys and their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictionary<'t> {
    values: BTreeMap<&'t str, DictionaryValue>,
}

/// The reason why a statement is no dictionary, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DictionaryError {
    /// The byte of the statement at which reading ended.
    pub at: usize,
    what: String,
}

impl fmt::Display for DictionaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at + 1)
    }
}

impl std::error::Error for DictionaryError {}

impl<'t> Dictionary<'t> {
    /// Reads a statement. Of a key that is repeated the last value counts; parameters mean nothing.
    ///
    /// Cost: one pass, n log n in the keys. Never panics.
    ///
    /// # Errors
    /// [`DictionaryError`] if it is no dictionary: an upper-case key, a blank instead of a comma, a comma at the end.
    /// To a reader of preferences this is no error, but a statement that says nothing.
    ///
    /// ```
    /// use robotsc::analysis::preferences::{Dictionary, Preference};
    ///
    /// let read = Dictionary::parse(b"train-ai=n;reason=\"x\", search=yes")?;
    /// assert_eq!(read.preference("train-ai"), Preference::No);
    /// assert_eq!(read.preference("search"), Preference::Unknown);
    /// assert_eq!(Dictionary::parse(b"Train-AI=n").unwrap_err().at, 0);
    /// # Ok::<(), robotsc::analysis::preferences::DictionaryError>(())
    /// ```
    pub fn parse(statement: &'t [u8]) -> Result<Self, DictionaryError> {
        let error = |error: sfv::Error| DictionaryError {
            at: error.index().unwrap_or(0),
            // The alternate form leaves the index out.
            what: format!("{error:#}"),
        };
        Parser::new(statement).parse_dictionary_with_visitor(Self::default()).map_err(error)
    }

    /// Returns what is said of a key.
    #[must_use]
    pub fn preference(&self, key: &str) -> Preference {
        self.values.get(key).map_or(Preference::Unknown, |value| value.preference)
    }

    /// Returns the keys and their values, sorted by key.
    pub fn values(&self) -> impl Iterator<Item = (&'t str, DictionaryValue)> {
        self.values.iter().map(|(key, value)| (*key, *value))
    }
}

impl<'t> DictionaryVisitor<'t> for Dictionary<'t> {
    type Out = Self;
    type Error = Infallible;

    fn entry(&mut self, key: &'t KeyRef) -> Result<impl EntryVisitor<'t>, Infallible> {
        let empty = DictionaryValue { preference: Preference::Unknown, is_repeated: false };
        let value = self.values.entry(key.as_str()).and_modify(|value| value.is_repeated = true).or_insert(empty);
        value.preference = Preference::Unknown;
        Ok(Entry(&mut value.preference))
    }

    fn finish(self) -> Result<Self, Infallible> {
        Ok(self)
    }
}

/// Takes the value of a key.
struct Entry<'p>(&'p mut Preference);

impl<'t> EntryVisitor<'t> for Entry<'_> {
    type Error = Infallible;

    fn item(self) -> Result<impl ItemVisitor<'t>, Infallible> {
        Ok(move |item: BareItemFromInput<'t>| {
            *self.0 = match item {
                BareItemFromInput::Token(token) if token.as_str() == "y" => Preference::Yes,
                BareItemFromInput::Token(token) if token.as_str() == "n" => Preference::No,
                _ => Preference::Unknown,
            };
            Ok::<_, Infallible>(Ignored)
        })
    }

    fn inner_list(self) -> Result<impl InnerListVisitor<'t>, Infallible> {
        Ok(Ignored)
    }
}
