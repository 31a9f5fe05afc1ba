//! `Content-signal` and `Content-usage`: what may be done with the content. Neither says what may be fetched.

/// The signals of a `Content-signal` record. `None`: nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ContentSignal {
    /// Building a search index and showing links and short excerpts.
    pub search: Option<bool>,
    /// Input of a model that answers now: retrieval, grounding.
    pub ai_input: Option<bool>,
    /// Training or fine-tuning a model.
    pub ai_train: Option<bool>,
    /// Whether the value holds more than these three.
    pub has_others: bool,
}

impl ContentSignal {
    /// Reads a list of `search`, `ai-input` and `ai-train`, each with `=yes` or `=no`, joined by commas, in any case.
    /// Of two statements on one signal `no` holds. Anything else in the list sets [`has_others`](Self::has_others);
    /// `None` if none of the three is stated.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut read = Self::default();
        for item in text.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).filter(|item| !item.is_empty()) {
            let (name, value) = match item.iter().position(|&byte| byte == b'=') {
                Some(at) => (item[..at].trim_ascii(), item[at + 1..].trim_ascii()),
                None => (item, &[][..]),
            };
            let signal = match name {
                _ if name.eq_ignore_ascii_case(b"search") => Some(&mut read.search),
                _ if name.eq_ignore_ascii_case(b"ai-input") => Some(&mut read.ai_input),
                _ if name.eq_ignore_ascii_case(b"ai-train") => Some(&mut read.ai_train),
                _ => None,
            };
            match (signal, value.eq_ignore_ascii_case(b"yes"), value.eq_ignore_ascii_case(b"no")) {
                (Some(signal), true, _) => *signal = signal.or(Some(true)),
                (Some(signal), _, true) => *signal = Some(false),
                _ => read.has_others = true,
            }
        }
        (read.search.is_some() || read.ai_input.is_some() || read.ai_train.is_some()).then_some(read)
    }

    /// Merges both: of two statements on one signal `no` holds.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = |a: Option<bool>, b: Option<bool>| match (a, b) {
            (Some(a), Some(b)) => Some(a && b),
            _ => a.or(b),
        };
        Self {
            search: both(self.search, other.search),
            ai_input: both(self.ai_input, other.ai_input),
            ai_train: both(self.ai_train, other.ai_train),
            has_others: self.has_others || other.has_others,
        }
    }
}

/// A preference of a `Content-usage` record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentUsage<'b> {
    /// The pattern of the paths that it is about; `None` for all.
    pub path: Option<&'b [u8]>,
    /// The preference as written: an RFC 9651 dictionary such as `train-ai=n`.
    pub preference: &'b [u8],
}

impl<'b> ContentUsage<'b> {
    /// Reads `[path 1*WS] preference`. There is a path exactly if the value starts with `/`
    /// (draft-ietf-aipref-attach-05).
    #[must_use]
    pub fn parse(text: &'b [u8]) -> Option<Self> {
        let (path, preference) = if text.starts_with(b"/") {
            let end = text.iter().position(|&byte| byte == b' ' || byte == b'\t')?;
            (Some(&text[..end]), text[end..].trim_ascii())
        } else {
            (None, text)
        };
        (!preference.is_empty()).then_some(Self { path, preference })
    }
}

#[cfg(test)]
mod tests {
    use super::{ContentSignal, ContentUsage};

    #[test]
    fn signals() {
        let (yes, no) = (Some(true), Some(false));
        let cases = [
            ("search=yes,ai-train=no", Some((yes, None, no, false))),
            ("ai-train=yes, search=yes, ai-input=yes", Some((yes, yes, yes, false))),
            ("Search = YES , AI-Input=No,", Some((yes, no, None, false))),
            ("search=yes,ai-train=no,use=reference", Some((yes, None, no, true))),
            ("search=no,search=yes", Some((no, None, None, false))),
            ("search=yes,search=no", Some((no, None, None, false))),
            ("search=yes, ai-train=maybe", Some((yes, None, None, true))),
            ("search", None),
            ("use=reference", None),
            ("", None),
        ];
        for (text, want) in cases {
            let read = ContentSignal::parse(text.as_bytes())
                .map(|signal| (signal.search, signal.ai_input, signal.ai_train, signal.has_others));
            assert_eq!(read, want, "{text}");
        }
    }

    #[test]
    fn usages() {
        let usage = |path: &'static str, preference: &'static str| {
            let path = (!path.is_empty()).then_some(path.as_bytes());
            Some(ContentUsage { path, preference: preference.as_bytes() })
        };
        let cases = [
            ("train-ai=n", usage("", "train-ai=n")),
            ("/ai-ok/ train-ai=y", usage("/ai-ok/", "train-ai=y")),
            ("/a\t \tbots=n, train-ai=n", usage("/a", "bots=n, train-ai=n")),
            ("*.png train-ai=n", usage("", "*.png train-ai=n")),
            ("/", None),
            ("/path-only", None),
            ("", None),
        ];
        for (text, want) in cases {
            assert_eq!(ContentUsage::parse(text.as_bytes()), want, "{text}");
        }
    }
}
