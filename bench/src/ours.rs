//! robotsc in its forms: rules in order, and compiled programs.

use robotsc::program::{Compiled, Effort, Output};
use robotsc::{Compiler, Crawler, Dialect, PathForm, Program, RobotsTxt, RuleSet, UrlPath, Verdict};

use crate::engine::{Engine, EngineKind, Figures};

/// The rules that an agent obeys, under the default dialect.
pub(crate) fn rule_set(body: &[u8], agent: &str) -> RuleSet {
    RobotsTxt::parse(body).rule_set(&Crawler::new(agent).expect("the benchmarks name agents"))
}

/// Normalizes a URL and asks for its path; a URL without a path is not allowed.
fn asked(url: &str, allows: impl FnOnce(UrlPath<'_>) -> bool) -> bool {
    Dialect::GOOGLE.url_path(url).is_ok_and(|path| allows(path.as_path()))
}

/// Takes a path of the benchmark as it is: google/robotstxt compares it so.
pub(crate) fn raw(path: &[u8]) -> UrlPath<'_> {
    UrlPath::assume(path, PathForm::Escaped)
}

/// The ranked rules, tried from the top.
pub(crate) enum RankedRules {}

impl Engine for RankedRules {
    const NAME: &'static str = "rule-set";
    const KIND: EngineKind = EngineKind::Ours;
    type Ready = RuleSet;
    type Walk<'r> = &'r RuleSet;

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        Some(rule_set(body, agent))
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        ready
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        walk.verdict(raw(path.as_bytes())) == Ok(Verdict::Allow)
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        asked(url, |path| walk.verdict(path) == Ok(Verdict::Allow))
    }
}

/// A program that is compiled at once, without minimising.
pub(crate) enum Fast {}

/// A program that is minimised.
pub(crate) enum Small {}

/// A program that names the deciding rule.
pub(crate) enum Naming {}

/// How one form is compiled, and how it is asked.
trait CompiledForm {
    const NAME: &'static str;
    fn compiler() -> Compiler;
    fn allows(program: &Program<'_>, path: UrlPath<'_>) -> bool;
}

impl CompiledForm for Fast {
    const NAME: &'static str = "fast";
    fn compiler() -> Compiler {
        Compiler::new()
    }
    fn allows(program: &Program<'_>, path: UrlPath<'_>) -> bool {
        program.verdict(path) == Ok(Verdict::Allow)
    }
}

impl CompiledForm for Small {
    const NAME: &'static str = "small";
    fn compiler() -> Compiler {
        Compiler::new().effort(Effort::Small)
    }
    fn allows(program: &Program<'_>, path: UrlPath<'_>) -> bool {
        program.verdict(path) == Ok(Verdict::Allow)
    }
}

impl CompiledForm for Naming {
    const NAME: &'static str = "naming";
    fn compiler() -> Compiler {
        Compiler::new().effort(Effort::Small).output(Output::DecidingRule)
    }
    fn allows(program: &Program<'_>, path: UrlPath<'_>) -> bool {
        program.deciding_rule(path).is_ok_and(|rule| rule.is_none_or(|rule| rule.verdict.is_allow()))
    }
}

impl<F: CompiledForm> Engine for F {
    const NAME: &'static str = F::NAME;
    const KIND: EngineKind = EngineKind::Ours;
    type Ready = Compiled;
    type Walk<'r> = Program<'r>;

    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready> {
        F::compiler().compile(&rule_set(body, agent)).ok()
    }

    fn walk(ready: &Self::Ready) -> Self::Walk<'_> {
        ready.program()
    }

    fn path(walk: &Self::Walk<'_>, path: &str) -> bool {
        F::allows(walk, raw(path.as_bytes()))
    }

    fn url(walk: &Self::Walk<'_>, url: &str) -> bool {
        asked(url, |path| F::allows(walk, path))
    }

    fn program(ready: &Self::Ready) -> Option<&[u8]> {
        Some(ready.as_bytes())
    }

    fn figures(ready: &Self::Ready) -> Option<Figures> {
        let stats = ready.stats();
        Some(Figures { bytes: ready.as_bytes().len(), parts: stats.parts, nodes: stats.nodes, work: stats.work })
    }

    fn packed(program: &[u8], path: &str) -> bool {
        // A pack holds programs that were checked when it was made.
        Program::from_trusted(program).is_ok_and(|program| F::allows(&program, raw(path.as_bytes())))
    }

    fn store(ready: &Self::Ready) -> Option<Vec<u8>> {
        Some(ready.as_bytes().to_vec())
    }

    fn load(stored: &[u8]) -> bool {
        Program::from_bytes(stored).is_ok()
    }

    fn trust(stored: &[u8]) -> Option<bool> {
        Some(Program::from_trusted(stored).is_ok())
    }
}
