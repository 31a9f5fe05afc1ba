use robotsc::internal::reference;
use robotsc::program::{DecidingRule, Effort, Limits, Output};
use robotsc::{AgentName, Compiler, Crawler, Dialect, Policy, Program, RobotsTxt, UrlPath};

const TOKENS: [&[u8]; 6] = [b"a", b"A-b", b"foo-bar", b"*", b"", b"FooBot/2.1"];

/// The first byte chooses dialect, limits, effort and output, the second the token; then the body, a line of three
/// hyphens, and paths, one a line.
///
/// # Panics
/// Where an engine does not answer as the reference does.
pub fn compile_walk(data: &[u8]) {
    let [choice, token, rest @ ..] = data else { return };
    let dialect = Dialect::ALL[usize::from(*choice) % 5];
    let limits = limits(usize::from(*choice) / 5 % 4);
    let (effort, output) = [
        (Effort::Fast, Output::Verdict),
        (Effort::Small, Output::Verdict),
        (Effort::Fast, Output::DecidingRule),
        (Effort::Small, Output::DecidingRule),
    ][usize::from(*choice) / 20 % 4];
    let token = TOKENS[usize::from(*token) % TOKENS.len()];
    let (body, paths) = crate::split(rest);
    let robots = RobotsTxt::parse_with(body, dialect);
    let rules = robots.rule_set(&Crawler::raw(vec![token.to_vec()]));
    let paths: Vec<_> = paths.split(|byte| *byte == b'\n').take(16).map(|path| dialect.raw_path(path)).collect();
    let expected: Vec<Option<DecidingRule>> =
        paths.iter().map(|path| reference::deciding_rule(&rules, path.as_path()).expect("its form")).collect();
    for (path, expected) in paths.iter().zip(&expected) {
        let shown = path.as_bytes().escape_ascii();
        assert_eq!(rules.deciding_rule(path.as_path()), Ok(*expected), "rule set: {shown}");
    }
    let compiler = Compiler::new().effort(effort).output(output).limits(limits);
    let compiled = compiler.compile(&rules).expect("a small rule set compiles under any limits");
    let read = Program::from_bytes(compiled.as_bytes()).expect("what was compiled is a program");
    let policy = compiler.compile_policy(&robots).expect("what is compiled alone is compiled with the rest");
    let policy = Policy::from_bytes(policy.as_bytes()).expect("what was compiled is a policy");
    assert_eq!(compiler.compile(&rules).expect("as before").as_bytes(), compiled.as_bytes());
    for program in [
        compiled.program(),
        read,
        policy.program(Some(AgentName::assume_token(token))).expect("the policy is not partial"),
    ] {
        for (path, expected) in paths.iter().zip(&expected) {
            check(&program, path.as_path(), *expected, (effort, output));
        }
    }
}

fn check(program: &Program<'_>, path: UrlPath<'_>, expected: Option<DecidingRule>, way: (Effort, Output)) {
    let shown = path.as_bytes().escape_ascii();
    assert_eq!(program.verdict(path), Ok(DecidingRule::verdict_of(expected)), "{way:?}: {shown}");
    if program.names_deciding_rule() {
        assert_eq!(program.deciding_rule(path), Ok(expected), "{way:?}: {shown}");
    }
}

/// Limits from the default down to those that leave no work at all.
fn limits(choice: usize) -> Limits {
    let limits =
        |max_nodes, work_per_byte, max_work| Limits { max_nodes, work_per_byte, max_work, ..Limits::default() };
    [Limits::default(), limits(16, 2, 1 << 20), limits(0, 0, 1 << 20), limits(0, 0, 0)][choice]
}
