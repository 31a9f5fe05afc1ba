//! The rules of one crawler, compiled to find the rule that decides many URLs.

use std::borrow::Cow;

use robotsc::{Compiler, Effort, Output, PathFormError, ProgramBuf, Rule, RuleSet, UrlPath};

/// Rules that are ready for many URLs.
#[derive(Debug)]
pub(crate) struct Decider<'r> {
    pub(crate) rules: Cow<'r, RuleSet>,
    /// `None` if the rules are too large to compile: then they answer themselves.
    program: Option<ProgramBuf>,
}

impl<'r> Decider<'r> {
    /// Compiles rules. If there are more than the compiler takes, they answer one by one.
    pub(crate) fn new(rules: Cow<'r, RuleSet>) -> Self {
        let compiler = Compiler::new().effort(Effort::Fast).output(Output::Winner);
        let program = compiler.compile(&rules).ok().map(|compiled| compiled.into_program());
        Self { rules, program }
    }

    /// Returns the rule that decides a path; if there is none, everything is allowed.
    ///
    /// # Errors
    /// If the path is in another form than the rules.
    pub(crate) fn rule(&self, path: UrlPath<'_>) -> Result<Option<&Rule>, PathFormError> {
        let rule = match &self.program {
            Some(program) => program.program().winner(path)?.map(|winner| winner.rule),
            None => self.rules.decide(path)?.rule,
        };
        Ok(rule.and_then(|rule| self.rules.rules().get(rule as usize)))
    }
}
