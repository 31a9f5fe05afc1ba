//! From a [`RuleSet`] to program bytes.

use robotsc_runtime::{PathForm, Program, Rank, Verdict, checksum, format};

use crate::automaton::drawing::Drawing;
use crate::automaton::parts::{self, Allowance, Parts};
use crate::automaton::workspace::Workspace;
use crate::automaton::{Mode, RankedPattern, drawing, minimise};
use crate::program::buffer::ProgramBuf;
use crate::program::encode::{Code, RankWidth, encode};
use crate::program::error::{CompileError, CompileErrorKind, MAX_PATTERN_BYTES};
use crate::program::options::{Effort, Limits, Output};
use crate::robots_txt::RuleKind;
use crate::rules::rule_set::{Rule, RuleSet};

/// Figures of a compilation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompileStats {
    /// Rules that went in.
    pub rules: u32,
    /// Automata that the rules were cut into; each is walked once for a verdict.
    pub parts: u32,
    /// Rules that are matched linearly, since the limits were spent.
    pub listed: u32,
    /// Nodes over all parts: states, and runs of states that have one way on.
    pub nodes: u32,
    /// Attempts that went over a limit, after each of which the rules at hand were cut in two.
    pub limits_hit: u32,
    /// Units of work (items moved), futile attempts included.
    pub work: u64,
}

/// A compiled rule set, and what compiling it cost.
#[derive(Clone, Debug)]
pub struct Compiled {
    program: ProgramBuf,
    stats: CompileStats,
}

impl Compiled {
    /// Returns the bytes of the program: the same for the same rules and settings, on every machine.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.program.as_bytes()
    }

    /// Returns the bytes. Cost: a copy, since matchers share them.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.program.as_bytes().to_vec()
    }

    /// Returns the program, ready to walk. Cost: reads the header.
    #[must_use]
    pub fn program(&self) -> Program<'_> {
        self.program.program()
    }

    /// Returns the program with its bytes.
    #[must_use]
    pub fn into_program(self) -> ProgramBuf {
        self.program
    }

    /// Returns what compiling cost.
    #[must_use]
    pub const fn stats(&self) -> &CompileStats {
        &self.stats
    }
}

/// Compiles rule sets. Settings by value, limits on by default.
///
/// Memory: each thread that compiles keeps up to 4 MiB for its next compilation, until it ends. A thread that compiles
/// usual files keeps some tens of kilobytes.
///
/// ```
/// use robotsc::{Compiler, Crawler, Dialect, RobotsTxt, Verdict};
///
/// let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /private\nAllow: /private/press\n");
/// let compiled = Compiler::new().compile(&robots.rule_set(&Crawler::new("FooBot")?))?;
/// let program = compiled.program();
/// let path = Dialect::GOOGLE.url_path("https://shop.example/private/plans")?;
/// assert_eq!(program.verdict(path.as_path())?, Verdict::Disallow);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    effort: Effort,
    output: Output,
    limits: Limits,
}

impl Compiler {
    /// Returns a compiler with default settings: [`Effort::Fast`], [`Output::Verdict`], default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the effort.
    #[must_use]
    pub const fn effort(mut self, effort: Effort) -> Self {
        self.effort = effort;
        self
    }

    /// Sets the output.
    #[must_use]
    pub const fn output(mut self, output: Output) -> Self {
        self.output = output;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Compiles a rule set.
    ///
    /// Cost: near linear in the bytes of the patterns; see [`Limits`].
    ///
    /// # Errors
    /// [`CompileError`] if the patterns have more than 2^28 bytes, the rules more than 2^23 - 1 ranks, or the program
    /// more bytes than [`Limits::max_program_bytes`].
    pub fn compile(&self, rules: &RuleSet) -> Result<Compiled, CompileError> {
        let ranked = self.ranked(rules)?;
        let table = if self.output == Output::DecidingRule { rules.rules() } else { &[] };
        self.assemble(&ranked, self.output, rules.path_form(), table)
    }

    /// Compiles a rule set to a program that returns the verdict and, by `Program::rank`, the number of the rule that
    /// decides, without a table of the rules: what the numbers stand for is the caller's business. Each rule has a
    /// number of its own, from the top rank down; they fall, and are from 1 to [`Rank::MAX_NUMBER`]. Ignores
    /// [`Output`].
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    #[doc(hidden)]
    pub fn compile_numbered(&self, rules: &RuleSet, numbers: &[u32]) -> Result<Compiled, CompileError> {
        debug_assert!(numbers.len() == rules.rules().len() && numbers.is_sorted_by(|a, b| a > b));
        check(rules)?;
        self.assemble(&by_number(rules, numbers.iter().copied()), Output::DecidingRule, rules.path_form(), &[])
    }

    fn assemble(
        &self,
        ranked: &[RankedPattern<'_>],
        output: Output,
        form: PathForm,
        table: &[Rule],
    ) -> Result<Compiled, CompileError> {
        Workspace::with(|workspace| self.assemble_in(workspace, ranked, output, form, table))
    }

    fn assemble_in(
        &self,
        workspace: &mut Workspace,
        ranked: &[RankedPattern<'_>],
        output: Output,
        form: PathForm,
        table: &[Rule],
    ) -> Result<Compiled, CompileError> {
        let mut parts = self.parts(ranked, output, workspace);
        let Parts { automata, list, cost } = &parts;
        let rank_width = match output {
            _ if ranked.is_empty() => Some(RankWidth(0)),
            Output::Verdict if automata.len() == 1 && list.is_empty() => Some(RankWidth(0)),
            _ => RankWidth::holding(highest_rank(&parts)),
        };
        let rank_width = rank_width.ok_or(CompileError { kind: CompileErrorKind::Ranks })?;
        let code = encode(automata, rank_width, &mut workspace.encoder);
        let code = code.ok_or(CompileError { kind: CompileErrorKind::Code })?;
        let stats = CompileStats {
            rules: ranked.len() as u32,
            parts: automata.len() as u32,
            listed: list.len() as u32,
            nodes: automata.iter().map(|part| part.nodes.len() as u32).sum(),
            limits_hit: cost.over,
            work: cost.work,
        };
        let bytes = &mut workspace.program;
        write_program(code, rank_width, form, list, table, bytes)?;
        workspace.construction.spare = parts.automata.pop().unwrap_or_default();
        if bytes.len() > self.limits.max_program_bytes {
            let limit = self.limits.max_program_bytes;
            return Err(CompileError { kind: CompileErrorKind::Program { bytes: bytes.len(), limit } });
        }
        Ok(Compiled { program: ProgramBuf::of_compiler(bytes)?, stats })
    }

    /// Returns the automaton that names rules ([`Output::DecidingRule`]) as a graph that can be drawn.
    ///
    /// # Errors
    /// As [`Compiler::compile`].
    #[doc(hidden)]
    pub fn drawing(&self, rules: &RuleSet) -> Result<Drawing, CompileError> {
        let naming = self.clone().output(Output::DecidingRule);
        let parts = naming.parts(&naming.ranked(rules)?, naming.output, &mut Workspace::default());
        let count = rules.rules().len();
        Ok(drawing::draw(&parts.automata, parts.list.len(), |rank| count.checked_sub(Rank(rank).number() as usize)))
    }

    /// Returns the work that all parts of a rule set may cost.
    pub(crate) const fn work_limit(&self) -> u64 {
        self.limits.max_work
    }

    /// Returns the bytes that a program may have.
    pub(crate) const fn program_limit(&self) -> usize {
        self.limits.max_program_bytes
    }

    /// Returns the rules as the automaton sees them, for this output.
    fn ranked<'r>(&self, rules: &'r RuleSet) -> Result<Vec<RankedPattern<'r>>, CompileError> {
        check(rules)?;
        Ok(match self.output {
            Output::Verdict => by_block(rules),
            Output::DecidingRule => by_number(rules, (1..=rules.rules().len() as u32).rev()),
        })
    }

    /// Returns the automata, each of a part of the rules, and the rules that are left.
    fn parts<'r>(&self, ranked: &[RankedPattern<'r>], output: Output, workspace: &mut Workspace) -> Parts<'r> {
        let mode = match output {
            Output::Verdict => Mode::Verdict,
            Output::DecidingRule => Mode::DecidingRule,
        };
        let Limits { max_nodes, work_per_byte, max_work, .. } = self.limits;
        let allowance = Allowance { nodes: max_nodes, work_per_byte, work: max_work };
        let mut parts = parts::compile(ranked, mode, allowance, &mut workspace.construction);
        if self.effort == Effort::Small {
            let (partition, spare) = (&mut workspace.partition, &mut workspace.construction.spare);
            parts.automata.iter_mut().for_each(|part| minimise::minimise(part, partition, spare));
        }
        parts
    }
}

/// Checks that the patterns are no longer than the compiler accepts.
fn check(rules: &RuleSet) -> Result<(), CompileError> {
    let bytes = rules.text.len();
    if bytes > MAX_PATTERN_BYTES {
        return Err(CompileError { kind: CompileErrorKind::Patterns(bytes) });
    }
    Ok(())
}

/// Neighbours of one verdict in the order of ranks are one block: which of them matched does not matter. What would be
/// the lowest block is left out where it says Allow, since that is what the verdict is without any rule.
fn by_block(rules: &RuleSet) -> Vec<RankedPattern<'_>> {
    let mut ranked = Vec::with_capacity(rules.rules().len());
    let mut verdict = Verdict::Allow;
    let mut block = 0;
    for rule in rules.rules().iter().rev() {
        if rule.verdict != verdict {
            verdict = rule.verdict;
            block += 1;
        }
        if block > 0 {
            ranked.push(RankedPattern {
                pattern: rules.pattern(rule),
                rank: block << 1 | u32::from(rule.verdict.is_allow()),
            });
        }
    }
    ranked
}

/// Ranks every rule by a number of its own.
fn by_number(rules: &RuleSet, numbers: impl Iterator<Item = u32>) -> Vec<RankedPattern<'_>> {
    let ranked = rules.rules().iter().zip(numbers).map(|(rule, number)| RankedPattern {
        pattern: rules.pattern(rule),
        // A number that is too high has no room in a program, which the encoder refuses.
        rank: number.saturating_mul(2) | u32::from(rule.verdict.is_allow()),
    });
    ranked.collect()
}

fn highest_rank(parts: &Parts<'_>) -> u32 {
    let nodes = parts.automata.iter().flat_map(|part| &part.nodes);
    let reached = nodes.map(|node| node.accept.max(node.accept_at_end));
    reached.chain(parts.list.iter().map(|rule| rule.rank)).max().unwrap_or(0)
}

/// Assembles a program in `bytes`, as `robotsc_runtime::format` describes it.
fn write_program(
    code: Code<'_>,
    rank_width: RankWidth,
    form: PathForm,
    list: &[RankedPattern<'_>],
    table: &[Rule],
    bytes: &mut Vec<u8>,
) -> Result<(), CompileError> {
    let Code { bytes: code, mut entries, offset_width, narrow_failure } = code;
    let has_rules = !table.is_empty();
    if !list.is_empty() {
        entries.push(u32::try_from(code.len()).map_err(|_| CompileError { kind: CompileErrorKind::Code })?);
    }
    let flags = [
        (has_rules, format::HAS_RULES),
        (narrow_failure, format::NARROW_FAILURE),
        (!list.is_empty(), format::HAS_LIST),
    ];
    let flags = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).sum::<u8>();
    bytes.clear();
    bytes.extend_from_slice(&format::PROGRAM_MARK);
    bytes.push(format::VERSION);
    bytes.push(flags | rank_width.0 | (offset_width - 1) << 2);
    bytes.extend_from_slice(&[0; 4]);
    // There are at most MAX_PARTS parts, and a list.
    let parts = u8::try_from(entries.len()).map_err(|_| CompileError { kind: CompileErrorKind::Internal })?;
    bytes.extend_from_slice(&[parts, form.to_byte()]);
    // The first part starts after the scans that come first, or at 0.
    bytes.extend_from_slice(&(entries[0] as u16).to_le_bytes());
    for entry in &entries[1..] {
        bytes.extend_from_slice(&entry.to_le_bytes());
    }
    bytes.extend_from_slice(code);
    if !list.is_empty() {
        bytes.extend_from_slice(&(list.len() as u32).to_le_bytes());
        for rule in list {
            bytes.extend_from_slice(&rule.rank.to_le_bytes()[..usize::from(rank_width.0)]);
            bytes.extend_from_slice(&(rule.pattern.len() as u32).to_le_bytes());
            bytes.extend_from_slice(rule.pattern);
        }
    }
    if has_rules {
        for rule in table {
            let allow_line = u32::from(rule.kind == RuleKind::Allow) << 31;
            let allow = u32::from(rule.verdict.is_allow()) << 30;
            bytes.extend_from_slice(&rule.line.to_le_bytes());
            bytes.extend_from_slice(&(rule.length.min((1 << 30) - 1) | allow_line | allow).to_le_bytes());
        }
        bytes.extend_from_slice(&(table.len() as u32).to_le_bytes());
    }
    seal(bytes);
    Ok(())
}

/// Writes the checksum into bytes 4 to 7.
pub(crate) fn seal(bytes: &mut [u8]) {
    let sum = checksum(bytes).to_le_bytes();
    if let Some(place) = bytes.get_mut(4..8) {
        place.copy_from_slice(&sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robotsc_runtime::UrlPath;

    use crate::rules::rule_set::{Rule, RuleOrigin};
    use crate::span::ByteSpan;

    /// A small generator of its own, so that a failure names a seed that stays.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, sides: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ mixed >> 31) % sides as u64) as usize
        }

        fn text(&mut self, alphabet: &[u8], longest: usize) -> Vec<u8> {
            (0..self.below(longest + 1)).map(|_| alphabet[self.below(alphabet.len())]).collect()
        }
    }

    #[test]
    fn a_set_without_rules_is_one_program() {
        for form in PathForm::ALL {
            for output in [Output::Verdict, Output::DecidingRule] {
                for effort in [Effort::Fast, Effort::Small] {
                    let compiled =
                        Compiler::new().output(output).effort(effort).compile(&RuleSet::empty(form)).unwrap();
                    assert_eq!(
                        compiled.as_bytes(),
                        Program::allow_all(form).as_bytes(),
                        "{form} {output:?} {effort:?}"
                    );
                }
            }
        }
    }

    fn rule_set(mut patterns: Vec<(Vec<u8>, Verdict)>) -> RuleSet {
        patterns.sort_by_key(|(pattern, verdict)| (std::cmp::Reverse(pattern.len()), !verdict.is_allow()));
        let mut set = RuleSet::empty(PathForm::Escaped);
        for (line, (pattern, verdict)) in patterns.into_iter().enumerate() {
            let start = set.text.len();
            set.text.extend_from_slice(&pattern);
            set.rules.push(Rule {
                pattern: ByteSpan::new(start, set.text.len()),
                verdict,
                kind: if verdict.is_allow() { RuleKind::Allow } else { RuleKind::Disallow },
                length: pattern.len() as u32,
                line: line as u32 + 1,
                source: ByteSpan::default(),
                origin: RuleOrigin::Line,
            });
        }
        set
    }

    fn matches(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            b"$" => path.is_empty(),
            [b'*', rest @ ..] => (0..=path.len()).any(|skip| matches(rest, &path[skip..])),
            [first, rest @ ..] => path.split_first().is_some_and(|(byte, path)| byte == first && matches(rest, path)),
        }
    }

    fn check(patterns: Vec<(Vec<u8>, Verdict)>, paths: &[Vec<u8>], limits: Limits) {
        let set = rule_set(patterns);
        let rules: Vec<String> =
            set.rules().iter().map(|rule| format!("{} {}", rule.verdict, set.pattern(rule).escape_ascii())).collect();
        // Numbers need not follow one another.
        let numbers: Vec<u32> = (1..=set.rules().len() as u32).rev().map(|number| number * 3 - number % 2).collect();
        for effort in [Effort::Fast, Effort::Small] {
            for output in [Output::Verdict, Output::DecidingRule] {
                let compiled = Compiler::new().effort(effort).output(output).limits(limits).compile(&set).unwrap();
                let program = Program::from_bytes(compiled.as_bytes()).unwrap();
                let numbered = Compiler::new().effort(effort).limits(limits).compile_numbered(&set, &numbers).unwrap();
                let by_number = Program::from_bytes(numbered.as_bytes()).unwrap();
                for path in paths {
                    let best = set.rules().iter().position(|rule| matches(set.pattern(rule), path));
                    let verdict = best.map_or(Verdict::Allow, |best| set.rules()[best].verdict);
                    let path_text = path.escape_ascii();
                    let path = UrlPath::assume(path, PathForm::Escaped);
                    assert_eq!(program.verdict(path), Ok(verdict), "{effort:?} {output:?} {path_text} {rules:?}");
                    if output == Output::DecidingRule {
                        let named = best.map_or(0, |best| numbers[best]);
                        let rank = by_number.rank(path).unwrap();
                        assert_eq!(
                            (rank.verdict(), rank.number()),
                            (verdict, named),
                            "{effort:?} {path_text} {rules:?}"
                        );
                        let deciding_rule = program.deciding_rule(path).unwrap().map(|rule| rule.rule as usize);
                        assert_eq!(deciding_rule, best, "{effort:?} {path_text} {rules:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_lowest_limits_give_programs_too() {
        let rules =
            |patterns: &[&str]| patterns.iter().map(|text| (text.as_bytes().to_vec(), Verdict::Disallow)).collect();
        check(rules(&[]), &[b"/".to_vec()], Limits::NONE);
        check(rules(&["/*a*b", "/*b*a"]), &[b"/ab".to_vec(), b"/".to_vec()], Limits::NONE);
    }

    /// Such a piece has as many items on the way through it as it has bytes: alone, it once cost their square.
    #[test]
    fn pieces_that_repeat_themselves_cost_no_more_than_the_limits_say() {
        let bytes = 16_000;
        let patterns = (b'b'..b'f').map(|last| [b"/*", &vec![b'a'; bytes][..], &[last]].concat());
        let set = rule_set(patterns.map(|pattern| (pattern, Verdict::Disallow)).collect());
        let limits = Limits::default();
        let attempt = u64::from(limits.work_per_byte) * (16_384 + 2 * 4 * bytes as u64);
        for output in [Output::Verdict, Output::DecidingRule] {
            let compiled = Compiler::new().output(output).compile(&set).unwrap();
            assert!(compiled.stats().work <= limits.max_work + attempt, "{output:?} {:?}", compiled.stats());
            let path = |last: u8| [b"/x", &vec![b'a'; bytes + 9][..], &[last]].concat();
            let program = Program::from_bytes(compiled.as_bytes()).unwrap();
            for (last, verdict) in [(b'c', Verdict::Disallow), (b'x', Verdict::Allow)] {
                assert_eq!(program.verdict(UrlPath::assume(&path(last), PathForm::Escaped)), Ok(verdict));
            }
        }
    }

    /// One automaton would have a float for each set of the tails that have come: 64, of six nodes each.
    #[test]
    fn tails_that_multiply_are_cut() {
        let tail = |number: u8| [b'k', b'a' + number, b'=', b'*', b'v', b'a' + number, b'='];
        let patterns = (0..6).map(|number| [&b"/*"[..], &tail(number)].concat());
        let set = rule_set(patterns.map(|pattern| (pattern, Verdict::Disallow)).collect());
        let compiled = Compiler::new().compile(&set).unwrap();
        assert!((2..=3).contains(&compiled.stats().parts), "{:?}", compiled.stats());
        assert!(compiled.as_bytes().len() < 1_500, "{} bytes", compiled.as_bytes().len());
        let program = compiled.program();
        for (path, verdict) in [
            (&b"/?kf=1&ka=2&va=3"[..], Verdict::Disallow),
            (b"/?ka=1&va=3", Verdict::Disallow),
            (b"/?ka=1&vb=3", Verdict::Allow),
        ] {
            assert_eq!(program.verdict(UrlPath::assume(path, PathForm::Escaped)), Ok(verdict));
        }
    }

    #[test]
    fn programs_answer_as_the_rules_do() {
        let tiny = Limits { max_nodes: 3, work_per_byte: 1, max_work: 1000, ..Limits::DEFAULT };
        for seed in 0..6_000 {
            let mut dice = Dice(seed);
            let alphabet: &[u8] = [&b"ab*"[..], b"ab/*", b"abc/*$", b"ab***$"][dice.below(4)];
            let count = 1 + dice.below(if seed % 50 == 0 { 40 } else { 7 });
            let patterns: Vec<_> = (0..count)
                .map(|_| {
                    let mut pattern = if dice.below(4) == 0 { b"*".to_vec() } else { b"/".to_vec() };
                    pattern.extend(dice.text(alphabet, 7));
                    if dice.below(5) == 0 {
                        pattern.push(b'$');
                    }
                    let verdict = if dice.below(3) == 0 { Verdict::Allow } else { Verdict::Disallow };
                    (pattern, verdict)
                })
                .collect();
            let mut paths: Vec<Vec<u8>> = (0..30).map(|_| [b"/".to_vec(), dice.text(b"abc/$", 12)].concat()).collect();
            for (pattern, _) in &patterns {
                let filled = |&byte: &u8| if byte == b'*' { dice.text(b"ab", 3) } else { vec![byte] };
                paths.push(pattern.iter().flat_map(filled).collect());
            }
            paths.retain(|path| path.first() == Some(&b'/'));
            check(patterns, &paths, if seed % 4 == 3 { tiny } else { Limits::default() });
        }
    }
}
