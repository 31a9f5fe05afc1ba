//! The figures of a robots.txt or a compiled program: what `inspect` shows and `compile --emit json` writes.

use std::collections::BTreeSet;
use std::io::Write;

use robotsc::robots_txt::Severity;
use robotsc::{CompileError, Compiler, Policy, Program, RobotsTxt, RuleSet};
use robotsc_answers::identity::Identity;
use robotsc_answers::shown;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::io::output;
use crate::io::table::Table;

/// The most rules of a program, and agents of a list, that are shown where not all are asked for.
const MAX_LISTED: usize = 20;

/// The figures of a file.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    /// The file, by name and figure.
    pub(crate) file: Vec<(&'static str, Value)>,
    /// The agents, `*` last, each with the number of its program.
    pub(crate) agents: Vec<(String, usize)>,
    /// The programs.
    pub(crate) programs: Vec<ProgramSheet>,
}

/// The figures of a program.
#[derive(Debug)]
pub(crate) struct ProgramSheet {
    pub(crate) bytes: usize,
    pub(crate) code: usize,
    pub(crate) nodes: usize,
    pub(crate) parts: usize,
    /// Known where it was compiled here.
    pub(crate) limits_hit: Option<u32>,
    /// Units of work; known where it was compiled here.
    pub(crate) work: Option<u64>,
    /// The rules from the top rank down, where they are known.
    pub(crate) rules: Option<Vec<RuleSheet>>,
}

/// A rule of a program.
#[derive(Debug)]
pub(crate) struct RuleSheet {
    pub(crate) verdict: robotsc::Verdict,
    pub(crate) length: Option<u32>,
    pub(crate) line: u32,
    /// Known where the robots.txt is at hand.
    pub(crate) pattern: Option<Vec<u8>>,
}

impl Sheet {
    /// The figures of a robots.txt, compiled for some crawlers or, where none is named, for all agents that it names.
    pub(crate) fn of_robots(
        name: &str,
        robots: &RobotsTxt<'_>,
        compiler: &Compiler,
        agents: &[Identity],
    ) -> Result<Self, Failure> {
        let cannot = |error| Failure::new(format_args!("cannot compile: {name}: {error}"));
        let mut programs = Vec::new();
        let mut compiled = |agent: &Identity| -> Result<usize, Failure> {
            let crawler = agent.crawler(robots)?;
            programs.push(ProgramSheet::of_rules(&robots.rule_set(&crawler), compiler).map_err(cannot)?);
            Ok(programs.len() - 1)
        };
        let mut of = Vec::new();
        if agents.is_empty() {
            // One program stands for all agents with equal rules; the first of them is asked for its rules.
            let policy = compiler.compile_policy(robots).map_err(cannot)?;
            of = agents_of(&policy.policy());
            let numbers: BTreeSet<usize> = of.iter().map(|(_, number)| *number).collect();
            for number in numbers {
                let agent = of.iter().find(|(_, program)| *program == number).map_or("*", |(agent, _)| agent.as_str());
                compiled(&Identity::Written(agent.to_owned()))?;
            }
        } else {
            for agent in agents {
                of.push((agent.name(), compiled(agent)?));
            }
        }
        let severe = |severity| robots.diagnostics().iter().filter(|noticed| noticed.severity == severity).count();
        let file = vec![
            ("name", name.into()),
            ("kind", "robots.txt".into()),
            ("dialect", robots.dialect().name.into()),
            ("bytes", robots.body().len().into()),
            ("groups", robots.groups().len().into()),
            ("agent lines", robots.agents().len().into()),
            ("rule lines", robots.rules().len().into()),
            ("other records", robots.records().len().into()),
            ("errors", severe(Severity::Error).into()),
            ("warnings", severe(Severity::Warning).into()),
            ("notes", severe(Severity::Info).into()),
        ];
        Ok(Self { file, agents: of, programs })
    }

    /// The figures of a policy.
    pub(crate) fn of_policy(name: &str, policy: &Policy<'_>) -> Self {
        let file = vec![
            ("name", name.into()),
            ("kind", "compiled agents".into()),
            ("dialect", shown::bytes(policy.label()).into()),
            ("bytes", policy.as_bytes().len().into()),
        ];
        Self { file, agents: agents_of(policy), programs: policy.programs().map(ProgramSheet::of_program).collect() }
    }

    /// The figures of a program.
    pub(crate) fn of_program(name: &str, program: Program<'_>) -> Self {
        let file = vec![
            ("name", name.into()),
            ("kind", "compiled program".into()),
            ("bytes", program.as_bytes().len().into()),
        ];
        Self { file, agents: Vec::new(), programs: vec![ProgramSheet::of_program(program)] }
    }

    /// Keeps one agent and the program that it obeys.
    pub(crate) fn keep_agent(&mut self, agent: &str, program: Program<'_>) {
        self.agents.clear();
        self.programs.clear();
        self.add_agent(agent, program);
    }

    /// Adds an agent and the program that it obeys.
    pub(crate) fn add_agent(&mut self, agent: &str, program: Program<'_>) {
        self.agents.push((agent.to_owned(), self.programs.len()));
        self.programs.push(ProgramSheet::of_program(program));
    }

    /// Writes tables.
    pub(crate) fn write(&self, out: &mut dyn Write, all_rules: bool) -> Result<(), Failure> {
        let mut table = Table::new(&["file", ""]);
        for (name, figure) in &self.file {
            let figure = figure.as_str().map_or_else(|| figure.to_string(), shown::line);
            table.row([(*name).to_owned(), figure]);
        }
        table.write_body(out, "")?;
        writeln!(out)?;
        self.write_programs(out, all_rules)
    }

    /// Writes the tables of the programs alone.
    pub(crate) fn write_programs(&self, out: &mut dyn Write, all_rules: bool) -> Result<(), Failure> {
        let mut table = Table::new(&["program", ">rules", ">parts", ">nodes", ">bytes", ">limits hit", "agents"]);
        for (number, program) in self.programs.iter().enumerate() {
            table.row([
                number.to_string(),
                program.rules.as_ref().map_or_else(|| "-".to_owned(), |rules| rules.len().to_string()),
                program.parts.to_string(),
                program.nodes.to_string(),
                program.bytes.to_string(),
                program.limits_hit.map_or_else(|| "-".to_owned(), |hit| hit.to_string()),
                self.agents_of_program(number, all_rules),
            ]);
        }
        table.write(out, "")?;
        for (number, program) in self.programs.iter().enumerate() {
            let Some(rules) = program.rules.as_ref().filter(|rules| !rules.is_empty()) else { continue };
            writeln!(out, "\nprogram {number}: rules, from the top rank down")?;
            let mut table = Table::new(&[">rank", ">length", ">line", "verdict", "pattern"]);
            let most = if all_rules { rules.len() } else { MAX_LISTED };
            for (index, rule) in rules.iter().take(most).enumerate() {
                table.row([
                    (rules.len() - index).to_string(),
                    rule.length.map_or_else(|| "-".to_owned(), |length| length.to_string()),
                    rule.line.to_string(),
                    rule.verdict.to_string(),
                    rule.pattern.as_ref().map_or_else(|| "-".to_owned(), |pattern| shown::cut(pattern, 160)),
                ]);
            }
            table.write(out, "  ")?;
            if rules.len() > most {
                writeln!(out, "  and {} more: --all lists all", rules.len() - most)?;
            }
        }
        Ok(())
    }

    fn agents_of_program(&self, number: usize, all: bool) -> String {
        let mut agents = self.agents.iter().filter(|(_, of)| *of == number).map(|(agent, _)| agent.as_str());
        let most = if all { usize::MAX } else { MAX_LISTED };
        let mut listed = agents.by_ref().take(most).collect::<Vec<_>>().join(" ");
        let rest = agents.count();
        if rest > 0 {
            listed.push_str(&format!(" and {rest} more"));
        }
        listed
    }

    /// Writes the same in JSON Lines: a `file`, then each `agent`, `program` and `rule`.
    pub(crate) fn write_json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut file: Map<String, Value> = [("type".to_owned(), "file".into())].into_iter().collect();
        file.extend(self.file.iter().map(|(name, figure)| (name.replace([' ', '.'], "_"), figure.clone())));
        output::json_line(out, &file)?;
        self.write_programs_json(out)
    }

    /// Writes each `agent`, `program` and `rule` in JSON Lines.
    pub(crate) fn write_programs_json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for (agent, program) in &self.agents {
            output::json_line(out, &json!({ "type": "agent", "token": agent, "program": program }))?;
        }
        for (number, program) in self.programs.iter().enumerate() {
            output::json_line(
                out,
                &json!({
                    "type": "program", "program": number, "rules": program.rules.as_ref().map(Vec::len),
                    "parts": program.parts, "nodes": program.nodes, "bytes": program.bytes,
                    "code_bytes": program.code,
                    "limits_hit": program.limits_hit, "work": program.work,
                }),
            )?;
            for (index, rule) in program.rules.iter().flatten().enumerate() {
                let mut object = Map::new();
                object.insert("type".to_owned(), "rule".into());
                object.insert("program".to_owned(), number.into());
                object.insert("rule".to_owned(), index.into());
                object.insert("verdict".to_owned(), rule.verdict.to_string().into());
                object.insert("length".to_owned(), rule.length.into());
                object.insert("line".to_owned(), rule.line.into());
                if let Some(pattern) = &rule.pattern {
                    shown::put(&mut object, "pattern", pattern);
                }
                output::json_line(out, &object)?;
            }
        }
        Ok(())
    }
}

/// Compiles a file for some crawlers or, where none is named, for all its agents.
pub(crate) fn compile_policy(
    name: &str,
    compiler: &Compiler,
    robots: &RobotsTxt<'_>,
    agents: &[Identity],
) -> Result<robotsc::program::PolicyBuf, Failure> {
    if agents.is_empty() {
        let compiled = compiler.compile_policy(robots);
        return compiled.map_err(|error| Failure::new(format_args!("cannot compile: {name}: {error}")));
    }
    let crawlers = agents.iter().map(Identity::named_crawler).collect::<Result<Vec<_>, _>>()?;
    compiler
        .compile_policy_for(robots, crawlers)
        .map_err(|error| Failure::new(format_args!("cannot compile: {name}: {error}")))
}

fn agents_of(policy: &Policy<'_>) -> Vec<(String, usize)> {
    let mut agents: Vec<_> = policy
        .keys()
        .enumerate()
        .filter_map(|(number, key)| {
            Some((shown::bytes(robotsc_runtime::name_of_key(key)?), policy.program_number(number)?))
        })
        .collect();
    agents.extend(policy.star_number().map(|program| ("*".to_owned(), program)));
    agents
}

impl ProgramSheet {
    /// Compiles rules.
    fn of_rules(rules: &RuleSet, compiler: &Compiler) -> Result<Self, CompileError> {
        let compiled = compiler.compile(rules)?;
        let stats = compiled.stats();
        let listed = rules.rules().iter().map(|rule| RuleSheet {
            verdict: rule.verdict,
            length: shown::length(rule.length),
            line: rule.line,
            pattern: Some(rules.pattern(rule).to_owned()),
        });
        Ok(Self {
            limits_hit: Some(stats.limits_hit),
            work: Some(stats.work),
            rules: Some(listed.collect()),
            ..Self::of_program(compiled.program())
        })
    }

    /// Looks into a program.
    fn of_program(program: Program<'_>) -> Self {
        let rules = program.rules().map(|rule| RuleSheet {
            verdict: rule.verdict,
            length: shown::length(rule.length),
            line: rule.line,
            pattern: None,
        });
        Self {
            bytes: program.as_bytes().len(),
            code: program.code_len(),
            nodes: program.nodes(),
            parts: program.parts(),
            limits_hit: None,
            work: None,
            rules: program.names_deciding_rule().then(|| rules.collect()),
        }
    }
}
