//! The rules of one crawler, ready to find the rule that decides.
//!
//! A few paths are compared with the rules one by one. From [`COMPILE_AFTER`] paths on the rules are compiled, which
//! pays by then: a page that asks once waits for no compiler, and a list of millions walks an automaton.

use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use robotsc::internal::COMPILE_AFTER;
use robotsc::program::{Effort, Output, ProgramBuf};
use robotsc::rules::{Rule, RuleOrigin};
use robotsc::{Compiler, PathFormError, RuleSet, UrlPath};

/// Rules that are ready for many URLs.
#[derive(Debug)]
pub struct Decider<'r> {
    rules: Cow<'r, RuleSet>,
    /// The number of answers until the rules are compiled.
    answered: AtomicU32,
    /// Within, `None` if the rules are too large to compile: then they answer themselves.
    program: OnceLock<Option<ProgramBuf>>,
}

impl<'r> Decider<'r> {
    /// Wraps rules.
    #[must_use]
    pub const fn new(rules: Cow<'r, RuleSet>) -> Self {
        Self { rules, answered: AtomicU32::new(0), program: OnceLock::new() }
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns the index of the rule that decides a path; if there is none, everything is allowed. An empty line is
    /// none: it decides nothing.
    ///
    /// # Errors
    /// If the path is in another form than the rules.
    pub fn index(&self, path: UrlPath<'_>) -> Result<Option<usize>, PathFormError> {
        let rule = match self.program() {
            Some(program) => program.program().deciding_rule(path)?.map(|rule| rule.rule),
            None => self.rules.deciding_rule(path)?.map(|rule| rule.rule),
        };
        let decides = |index: &usize| self.rules.rules().get(*index).is_some_and(|rule| !is_empty_line(rule));
        Ok(rule.map(|rule| rule as usize).filter(decides))
    }

    /// Returns the rule that decides a path; if there is none, everything is allowed.
    ///
    /// # Errors
    /// If the path is in another form than the rules.
    pub fn rule(&self, path: UrlPath<'_>) -> Result<Option<&Rule>, PathFormError> {
        Ok(self.index(path)?.and_then(|index| self.rules.rules().get(index)))
    }

    /// Returns the compiled rules, if there were enough answers and they could be compiled.
    fn program(&self) -> Option<&ProgramBuf> {
        if let Some(program) = self.program.get() {
            return program.as_ref();
        }
        if self.answered.fetch_add(1, Ordering::Relaxed) < COMPILE_AFTER {
            return None;
        }
        let compile = || {
            let compiler = Compiler::new().effort(Effort::Fast).output(Output::DecidingRule);
            compiler.compile(&self.rules).ok().map(|compiled| compiled.into_program())
        };
        self.program.get_or_init(compile).as_ref()
    }
}

/// Reports whether a rule is a line without a value that means nothing.
#[must_use]
pub fn is_empty_line(rule: &Rule) -> bool {
    rule.origin == RuleOrigin::EmptyLine
}

#[cfg(test)]
mod tests {
    use robotsc::{Crawler, Dialect, RobotsTxt};

    use super::*;

    #[test]
    fn rules_answer_the_same_before_and_after_they_are_compiled() {
        let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\nDisallow: /*?sort=\n");
        let decider = Decider::new(Cow::Owned(robots.rule_set(&Crawler::others())));
        let lines = |decider: &Decider<'_>| {
            ["/", "/cart", "/cart/help/x", "/a?sort=up"].map(|path| {
                let path = Dialect::GOOGLE.url_path(path.as_bytes()).unwrap();
                decider.rule(path.as_path()).unwrap().map(|rule| rule.line)
            })
        };
        let before = lines(&decider);
        assert_eq!(before, [None, Some(2), Some(3), Some(4)]);
        assert!(decider.program.get().is_none());
        while decider.program.get().is_none() {
            assert_eq!(lines(&decider), before);
        }
        assert_eq!(lines(&decider), before);
    }
}
