//! What a site asks of crawlers: the declaration that a block holds in its first lines.
//!
//! ```text
//! # deny: ai-training, Amazonbot
//! # allow: search
//! # disallow: /members/
//! # content-usage: train-ai=n
//! # content-signal: ai-train=no
//! ```

use robotsc::Dialect;
use robotsc::bundled::{self, Purpose};
use robotsc_analysis::PathPattern;

use super::stated;
use crate::mistake::Mistake;
use crate::path_pattern::path_pattern;
use crate::shown;

/// What a site asks of crawlers.
///
/// Who is denied or allowed is a purpose (`ai-training`), `operator:NAME`, or the name of a crawler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// Who may fetch nothing.
    pub deny: Vec<String>,
    /// Who obeys what it obeys without the rules that close the whole site.
    pub allow: Vec<String>,
    /// The patterns of paths that nobody may fetch.
    pub disallow: Vec<String>,
    /// What `Content-Usage` says to every crawler: `train-ai=n`.
    pub content_usage: Option<String>,
    /// What `Content-Signal` says to every crawler: `ai-train=no`.
    pub content_signal: Option<String>,
}

impl Declaration {
    /// Reports whether nothing is asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Checks what does not depend on the register.
    ///
    /// # Errors
    /// If nothing is asked, a path is no pattern, or a preference says nothing.
    pub fn check(&self) -> Result<(), Mistake> {
        if self.is_empty() {
            return Err(Mistake::new("no policy", "say who is denied or allowed, or what nobody may fetch"));
        }
        for text in self.deny.iter().chain(&self.allow) {
            // The lists of the block are separated by commas.
            if text.trim() != text || text.is_empty() || text.contains(|char: char| char == ',' || char.is_control()) {
                let shown = shown::line(text);
                return Err(Mistake::new("bad agent", format_args!("'{shown}': give a purpose or a name")));
            }
            let mut words = text.split([' ', ';', '|', '/', '+']).filter(|word| !word.is_empty()).peekable();
            let is_one = |word: &str| bundled::agent(word).is_some() || word.parse::<Purpose>().is_ok();
            if words.next().is_some_and(is_one) && words.peek().is_some() && words.all(is_one) {
                let shown = shown::line(text);
                let cause = format_args!("'{shown}': several names: separate them with commas");
                return Err(Mistake::new("bad agent", cause));
            }
        }
        for path in &self.disallow {
            let bad = |cause: &dyn std::fmt::Display| {
                Mistake::new("bad path", format_args!("'{}': {cause}", shown::line(path)))
            };
            if path.contains([' ', '\t']) && path.contains([',', ';', '|']) {
                return Err(bad(&"several paths: give each by itself"));
            }
            if path.contains(['\n', '\r']) {
                return Err(bad(&"a pattern is one line"));
            }
            if path.contains(|char: char| char == '#' || char.is_whitespace() || char.is_control()) {
                return Err(bad(&"a pattern has no `#` and no blank: write them as %23 and %20"));
            }
            if path.trim_end_matches(['$', '*']) == "/robots.txt" {
                return Err(bad(&"crawlers fetch /robots.txt itself, whatever it says: leave the path out"));
            }
            path_pattern(&Dialect::GOOGLE, path).map_err(|error| bad(&error))?;
            for dialect in Dialect::ALL {
                PathPattern::new(dialect, path).map_err(|error| bad(&error))?;
            }
        }
        if let (Some(usage), Some(signal)) = (self.usage().transpose()?, self.signal().transpose()?) {
            usage.agrees_with(&signal)?;
        }
        Ok(())
    }

    /// Returns what `Content-Usage` is to say.
    pub(super) fn usage(&self) -> Option<Result<stated::Stated, Mistake>> {
        self.content_usage.as_deref().map(stated::usage)
    }

    /// Returns what `Content-Signal` is to say.
    pub(super) fn signal(&self) -> Option<Result<stated::Stated, Mistake>> {
        self.content_signal.as_deref().map(stated::signal)
    }

    /// Returns the declaration, one item a line, each without its `# `.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let list = |key: &str, items: &[String]| (!items.is_empty()).then(|| format!("{key}: {}", items.join(", ")));
        let one = |key: &str, item: &Option<String>| item.as_ref().map(|item| format!("{key}: {item}"));
        let mut lines: Vec<String> =
            [list("deny", &self.deny), list("allow", &self.allow)].into_iter().flatten().collect();
        lines.extend(self.disallow.iter().map(|path| format!("disallow: {path}")));
        lines.extend(one("content-usage", &self.content_usage));
        lines.extend(one("content-signal", &self.content_signal));
        lines
    }

    /// Adds what a line of a declaration says. Returns whether it is such a line.
    pub(super) fn read(&mut self, line: &str) -> bool {
        let Some((key, value)) = line.split_once(": ") else { return false };
        let list = || value.split(", ").map(str::to_owned);
        match key {
            "deny" => self.deny.extend(list()),
            "allow" => self.allow.extend(list()),
            "disallow" => self.disallow.push(value.to_owned()),
            "content-usage" => self.content_usage = Some(value.to_owned()),
            "content-signal" => self.content_signal = Some(value.to_owned()),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_read_as_it_was_written() {
        let text = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
        let declaration = Declaration {
            deny: text(&["ai-training", "operator:Mistral AI"]),
            allow: text(&["search"]),
            disallow: text(&["/a,b", "/*.pdf$"]),
            content_usage: Some("train-ai=n, search=y".to_owned()),
            content_signal: Some("ai-train=no".to_owned()),
        };
        assert_eq!(declaration.check(), Ok(()));
        let mut read = Declaration::default();
        assert!(declaration.lines().iter().all(|line| read.read(line)), "{:?}", declaration.lines());
        assert_eq!(read, declaration);
    }

    #[test]
    fn mistakes() {
        let declaration = |change: &dyn Fn(&mut Declaration)| {
            let mut declaration = Declaration::default();
            change(&mut declaration);
            declaration.check().expect_err("a mistake").to_string()
        };
        let path = |path: &str| declaration(&|declaration| declaration.disallow.push(path.to_owned()));
        assert_eq!(declaration(&|_| {}), "no policy: say who is denied or allowed, or what nobody may fetch");
        assert_eq!(path("members/"), "bad path: 'members/': a pattern starts with `/` or `*`");
        for itself in ["/robots.txt", "/robots.txt$", "/robots.txt*"] {
            assert!(
                path(itself).ends_with(": crawlers fetch /robots.txt itself, whatever it says: leave the path out"),
                "{itself}"
            );
        }
        assert_eq!(path("/x\nDisallow: /"), r"bad path: '/x\nDisallow: /': a pattern is one line");
        assert_eq!(path("/a b"), "bad path: '/a b': a pattern has no `#` and no blank: write them as %23 and %20");
        assert!(declaration(&|declaration| declaration.deny.push("a,b".to_owned())).starts_with("bad agent: 'a,b'"));
        for names in ["GPTBot CCBot", "GPTBot;CCBot", "GPTBot; ai-training", "GPTBot | CCBot"] {
            let error = declaration(&|declaration| declaration.allow.push(names.to_owned()));
            assert_eq!(error, format!("bad agent: '{names}': several names: separate them with commas"));
        }
        assert!(
            declaration(&|declaration| declaration.content_usage = Some("training=no".to_owned())).contains("train-ai")
        );
        assert!(
            declaration(&|declaration| declaration.content_signal = Some("train-ai=n".to_owned())).contains("ai-train")
        );
        for (usage, signal, wanted) in [
            (Some("train-ai=n, train-ai=y"), None, "Content-Usage 'train-ai=n, train-ai=y': it names `train-ai` twice"),
            (Some("search=y, train-ai=n, search=y"), None, "it names `search` twice: once is enough"),
            (Some("train-ai=n; x"), None, "Content-Usage 'train-ai=n; x': what follows a `;` means nothing"),
            (Some("train-ai=n;reason=\"a\", search=y"), None, "what follows a `;` means nothing: leave it out"),
            (None, Some("ai-train=no, AI-Train=yes"), "it names `ai-train` twice: once is enough"),
            (None, Some("ai-train=no; x"), "write ai-train, ai-input, search with `=yes` or `=no`"),
        ] {
            let error = declaration(&|declaration| {
                declaration.content_usage = usage.map(str::to_owned);
                declaration.content_signal = signal.map(str::to_owned);
            });
            assert!(error.contains(wanted), "{error}");
        }
    }
}
