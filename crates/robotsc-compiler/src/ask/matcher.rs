//! Many questions about one site.
//!
//! A [`Matcher`] starts from the ranked rules, which need no preparation, and compiles them when it was asked so often
//! that compiling pays.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use robotsc_runtime::{PathFormError, UrlPath, Verdict};

use crate::ask::query_error::QueryError;
use crate::dialect::Dialect;
use crate::program::buffer::ProgramBuf;
use crate::program::compile::Compiler;
use crate::program::error::CompileError;
use crate::rules::rule_set::RuleSet;
use crate::url::site_origin::{SiteOrigin, path_of};

/// The number of questions after which compiling the rules has paid, in instructions: between that for real files of at
/// most 900 bytes and that for all (`docs/performance.md`, "When compiling pays").
pub const COMPILE_AFTER: u32 = 275;

/// The rules of one agent on one site, ready for many URLs. Owned, `Send`, `Sync`, and cheap to clone: clones share
/// what was compiled.
///
/// Made by [`RobotsTxt::matcher`](crate::RobotsTxt::matcher). It answers from the rules, and compiles them after
/// [`COMPILE_AFTER`] questions; [`compile`](Matcher::compile) does it now.
#[derive(Clone, Debug)]
pub struct Matcher(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    dialect: Dialect,
    origin: Option<SiteOrigin>,
    rules: RuleSet,
    asked: AtomicU32,
    program: OnceLock<ProgramBuf>,
}

impl Matcher {
    pub(crate) fn new(dialect: Dialect, origin: Option<SiteOrigin>, rules: RuleSet) -> Self {
        Self(Arc::new(Inner { dialect, origin, rules, asked: AtomicU32::new(0), program: OnceLock::new() }))
    }

    /// Reports whether the agent may fetch a URL, or a path that starts with one `/`.
    ///
    /// Cost: linear in the URL; before the rules are compiled, also in the number of rules. The first question also
    /// prepares them, and the one after which they are compiled takes 2 µs more for a median file, 0.2 ms for 99 of
    /// 100. Never panics.
    ///
    /// # Errors
    /// [`QueryError`] if the URL has no path on this site.
    #[inline]
    pub fn is_allowed(&self, url: impl AsRef<[u8]>) -> Result<bool, QueryError> {
        Ok(self.verdict(url)?.is_allow())
    }

    /// Returns the verdict for a URL, or a path that starts with one `/`.
    ///
    /// # Errors
    /// As [`Matcher::is_allowed`].
    #[inline]
    pub fn verdict(&self, url: impl AsRef<[u8]>) -> Result<Verdict, QueryError> {
        let path = path_of(&self.0.dialect, self.0.origin.as_ref(), url.as_ref())?;
        Ok(self.verdict_for_path(path.as_path())?)
    }

    /// Returns the verdict for a path that is normalized.
    ///
    /// # Errors
    /// [`PathFormError`] if the path is in another form than the dialect's.
    #[inline]
    pub fn verdict_for_path(&self, path: UrlPath<'_>) -> Result<Verdict, PathFormError> {
        match self.0.program.get() {
            Some(program) => program.program().verdict(path),
            None => self.verdict_by_rules(path),
        }
    }

    #[inline(never)]
    fn verdict_by_rules(&self, path: UrlPath<'_>) -> Result<Verdict, PathFormError> {
        if self.0.asked.fetch_add(1, Ordering::Relaxed) == COMPILE_AFTER {
            // Rules that cannot be compiled are asked as they are.
            let _ = self.compile_once();
        }
        self.0.rules.verdict(path)
    }

    fn compile_once(&self) -> Result<(), CompileError> {
        if self.0.program.get().is_none() {
            let compiled = Compiler::new().compile(&self.0.rules)?;
            let _ = self.0.program.set(compiled.into_program());
        }
        Ok(())
    }

    /// Compiles the rules now, for this matcher and its clones.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    pub fn compile(self) -> Result<Self, CompileError> {
        self.compile_once()?;
        Ok(self)
    }

    /// Reports whether the rules are compiled.
    #[must_use]
    pub fn is_compiled(&self) -> bool {
        self.0.program.get().is_some()
    }

    /// Returns the dialect of the rules.
    #[must_use]
    pub fn dialect(&self) -> &Dialect {
        &self.0.dialect
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &RuleSet {
        &self.0.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots_txt::RobotsTxt;

    const BODY: &[u8] = b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n";

    #[test]
    fn compiling_changes_no_verdict() {
        let matcher = RobotsTxt::parse(BODY).matcher("FooBot").unwrap();
        for number in 0..=COMPILE_AFTER {
            assert!(!matcher.is_compiled(), "{number}");
            assert!(!matcher.is_allowed("https://h/cart").unwrap());
        }
        assert!(matcher.is_compiled());
        assert!(!matcher.is_allowed("https://h/cart").unwrap());
        assert!(matcher.is_allowed("/cart/help").unwrap());
        assert!(matcher.is_allowed("x").is_err());
    }

    #[test]
    fn clones_share_what_is_compiled() {
        let matcher = RobotsTxt::parse(BODY).matcher("FooBot").unwrap();
        let other = matcher.clone();
        assert!(matcher.compile().unwrap().is_compiled() && other.is_compiled());
    }

    #[test]
    fn matchers_can_be_sent_and_shared() {
        fn is_send_and_sync<T: Send + Sync + 'static>() {}
        is_send_and_sync::<Matcher>();
    }
}
