//! The labels of each revision of the IETF's draft, and those of Content Signals: data, with their sources.
//!
//! ```text
//! revision 04     bots ┬ train-ai
//!                      └ ai-output ─ search        what a label leaves open, the label before it decides
//! revision 08     train-ai   ai-use   search       each alone
//! ```
//!
//! A label that a revision does not have is unknown to it, and ignored. No label was ever given another meaning on
//! purpose, but the definitions changed with each revision.

use robotsc_runtime::{Category, Preference};

/// A term of a vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The key of it in a record: `train-ai`.
    pub name: &'static str,
    /// What it is about; `None` for a broader term, such as all automated processing, or a narrower one.
    pub category: Option<Category>,
    /// The label that decides if this one is not stated: an index of [`Vocabulary::labels`], before this one.
    pub parent: Option<usize>,
}

impl Label {
    const fn new(name: &'static str, category: Option<Category>) -> Self {
        Self { name, category, parent: None }
    }

    const fn below(self, parent: usize) -> Self {
        Self { parent: Some(parent), ..self }
    }
}

/// The labels of one revision of draft-ietf-aipref-vocab, or of Content Signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// The number of the revision, as in the name of the draft: `08`.
    pub name: &'static str,
    /// The labels, each after the one that it falls back to.
    pub labels: &'static [Label],
    /// The text that defines them.
    pub source: &'static str,
}

const TRAINING: Option<Category> = Some(Category::Training);
const MODEL_INPUT: Option<Category> = Some(Category::ModelInput);
const SEARCH: Option<Category> = Some(Category::Search);

/// Labels of -05, -06 and -07.
const TWO: &[Label] = &[Label::new("train-ai", TRAINING), Label::new("search", SEARCH)];

impl Vocabulary {
    /// The revisions, the oldest first.
    pub const REVISIONS: [Self; 9] = [
        // It defines terms, and no serialization.
        Self { name: "00", labels: &[], source: "draft-ietf-aipref-vocab-00" },
        Self {
            name: "01",
            labels: &[
                Label::new("tdm", None),
                Label::new("ai", TRAINING).below(0),
                Label::new("genai", None).below(1),
                Label::new("inference", MODEL_INPUT).below(0),
                Label::new("search", SEARCH).below(0),
            ],
            source: "draft-ietf-aipref-vocab-01",
        },
        Self {
            name: "02",
            labels: &[
                Label::new("all", None),
                Label::new("train-ai", TRAINING).below(0),
                Label::new("train-genai", None).below(1),
                Label::new("ai-use", MODEL_INPUT).below(0),
                Label::new("search", SEARCH).below(0),
            ],
            source: "draft-ietf-aipref-vocab-02",
        },
        Self {
            name: "03",
            labels: &[
                Label::new("bots", None),
                Label::new("train-ai", TRAINING).below(0),
                Label::new("train-genai", None).below(1),
                Label::new("search", SEARCH).below(0),
            ],
            source: "draft-ietf-aipref-vocab-03",
        },
        Self {
            name: "04",
            labels: &[
                Label::new("bots", None),
                Label::new("train-ai", TRAINING).below(0),
                Label::new("ai-output", MODEL_INPUT).below(0),
                Label::new("search", SEARCH).below(2),
            ],
            source: "draft-ietf-aipref-vocab-04",
        },
        Self { name: "05", labels: TWO, source: "draft-ietf-aipref-vocab-05" },
        Self { name: "06", labels: TWO, source: "draft-ietf-aipref-vocab-06" },
        Self { name: "07", labels: TWO, source: "draft-ietf-aipref-vocab-07" },
        Self {
            name: "08",
            labels: &[
                Label::new("train-ai", TRAINING),
                Label::new("ai-use", MODEL_INPUT),
                Label::new("search", SEARCH),
            ],
            source: "draft-ietf-aipref-vocab-08",
        },
    ];

    /// The newest revision.
    pub const NEWEST: &'static Self = &Self::REVISIONS[Self::REVISIONS.len() - 1];

    /// The signals with `yes` or `no` of Cloudflare's Content Signals. `use` is another: see
    /// [`UseLevel`](super::UseLevel).
    pub const SIGNALS: &'static Self = &Self {
        name: "content-signals",
        labels: &[Label::new("ai-train", TRAINING), Label::new("ai-input", MODEL_INPUT), Label::new("search", SEARCH)],
        source: "Content Signals Policy (contentsignals.org) of 2025-09-24, with `use` since 2026-07-01",
    };

    /// Returns what is said of a category, of what is said of each label in order. If there is no label for it, nothing
    /// is said.
    pub(super) fn preference_of(&self, category: Category, said: &[Preference]) -> Preference {
        let labels = self.labels.iter().zip(said);
        labels.filter(|(label, _)| label.category == Some(category)).map(|(_, said)| *said).next().unwrap_or_default()
    }

    /// Returns the revision with a number: `08`, or `8`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        const REVISIONS: &[Vocabulary] = &Vocabulary::REVISIONS;
        REVISIONS.iter().find(|revision| revision.name == name || revision.name.strip_prefix('0') == Some(name))
    }

    /// Returns a label by its name.
    #[must_use]
    pub fn label(&self, name: &[u8]) -> Option<&'static Label> {
        self.labels.iter().find(|label| label.name.as_bytes() == name)
    }

    /// Reports whether an earlier revision has a label that the newest does not have.
    #[must_use]
    pub fn is_retired(name: &[u8]) -> bool {
        Self::NEWEST.label(name).is_none() && Self::REVISIONS.iter().any(|revision| revision.label(name).is_some())
    }

    /// Returns the name of the label that corresponds to a label of the other vocabulary.
    #[must_use]
    pub fn corresponding(&self, label: &Label) -> Option<&'static str> {
        let category = label.category?;
        self.labels.iter().find(|other| other.category == Some(category)).map(|other| other.name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Category, Vocabulary};

    #[test]
    fn labels_come_after_their_parents_and_name_a_category_once() {
        for vocabulary in Vocabulary::REVISIONS.iter().chain([Vocabulary::SIGNALS]) {
            for (at, label) in vocabulary.labels.iter().enumerate() {
                assert!(label.parent.is_none_or(|parent| parent < at), "{} {}", vocabulary.name, label.name);
            }
            for category in [Category::Training, Category::ModelInput, Category::Search] {
                let of_category = vocabulary.labels.iter().filter(|label| label.category == Some(category));
                assert!(of_category.count() <= 1, "{} {category:?}", vocabulary.name);
            }
        }
    }

    #[test]
    fn labels_that_were_dropped_are_retired() {
        for name in ["bots", "all", "ai", "genai", "tdm", "inference", "train-genai", "ai-output"] {
            assert!(Vocabulary::is_retired(name.as_bytes()), "{name}");
        }
        for name in ["train-ai", "ai-use", "search", "ai-train", "x"] {
            assert!(!Vocabulary::is_retired(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn revisions_have_their_numbers() {
        let names: Vec<_> = Vocabulary::REVISIONS.iter().map(|revision| revision.name).collect();
        assert!(names.is_sorted());
        assert_eq!(Vocabulary::by_name("7").map(|revision| revision.name), Some("07"));
        assert_eq!(Vocabulary::by_name("9"), None);
        assert_eq!(Vocabulary::by_name(""), None);
        assert_eq!(Vocabulary::NEWEST.name, "08");
    }
}
