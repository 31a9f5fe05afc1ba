//! Pictures of compiled rules: [`dot`] writes Graphviz text, [`svg`] an SVG picture; [`walk`] finds the elements of a
//! picture that a path walks through.

use robotsc::internal::drawing::{Drawing, EdgeLabel};
use robotsc::{CompileError, Compiler, RobotsTxt, RuleSet};
use robotsc_analysis::words::counted;

use crate::obeyed::Obeyed;
use crate::shown;

pub mod dot;
pub mod svg;
pub mod walk;

/// The fill of nodes where an Allow matches.
const ALLOW_COLOR: &str = "#9be29b";
/// The fill of nodes where a Disallow matches.
const DISALLOW_COLOR: &str = "#f4a3a3";
/// The fill of other nodes.
const PLAIN_COLOR: &str = "#ffffff";
/// Failure edges.
const FAILURE_COLOR: &str = "#999999";

/// What a picture shows beside the automata.
const LEGEND: [(&str, &str); 4] = [
    (ALLOW_COLOR, "an Allow of this line matches"),
    (DISALLOW_COLOR, "a Disallow of this line matches; the longest rule on the way decides"),
    (PLAIN_COLOR, "double border: skips bytes until an edge matches; box: matches if the path ends here"),
    (FAILURE_COLOR, "dashed: taken on any other byte"),
];

/// The automata of a robots.txt.
#[derive(Debug)]
pub struct Picture {
    /// What stands above it.
    pub title: String,
    /// The automata, one below another.
    pub programs: Vec<DrawnProgram>,
}

/// The automata of the crawlers that obey the same groups.
#[derive(Debug)]
pub struct DrawnProgram {
    /// Who obeys the rules, and how many there are.
    pub title: String,
    /// The graphs.
    pub drawing: Drawing,
    rules: Vec<DrawnRule>,
}

/// A rule that a node names.
#[derive(Debug)]
pub struct DrawnRule {
    /// Whether it is an Allow.
    pub is_allow: bool,
    /// The line, or nothing for a rule of the dialect.
    pub line: String,
    /// The whole rule, for tooltips.
    pub text: String,
}

impl DrawnRule {
    /// Returns the fill of a node.
    pub fn color(rule: Option<&Self>) -> &'static str {
        match rule {
            None => PLAIN_COLOR,
            Some(rule) if rule.is_allow => ALLOW_COLOR,
            Some(_) => DISALLOW_COLOR,
        }
    }
}

impl DrawnProgram {
    /// Compiles rules and draws them. `who` obeys them.
    ///
    /// # Errors
    /// If the rules cannot be compiled.
    pub fn of(who: &str, rules: &RuleSet, compiler: &Compiler) -> Result<Self, CompileError> {
        let drawing = compiler.drawing(rules)?;
        let drawn = rules.rules().iter().map(|rule| DrawnRule {
            is_allow: rule.verdict.is_allow(),
            line: if rule.line == 0 { String::new() } else { rule.line.to_string() },
            text: format!("line {}: {} {}", rule.line, rule.verdict, shown::cut(rules.pattern(rule), 160)),
        });
        let drawn: Vec<DrawnRule> = drawn.collect();
        let mut title = format!("{who}: {}", counted(drawn.len(), "rule"));
        if drawing.linear_rules > 0 {
            title.push_str(&format!(", of which {} are matched one by one", drawing.linear_rules));
        }
        Ok(Self { title, drawing, rules: drawn })
    }

    /// Returns the rule of a node.
    pub fn rule(&self, index: Option<usize>) -> Option<&DrawnRule> {
        self.rules.get(index?)
    }
}

impl Picture {
    /// Compiles the rules that some agents of a file obey, and draws them.
    ///
    /// # Errors
    /// If the rules cannot be compiled.
    pub fn of(
        name: &str,
        robots: &RobotsTxt<'_>,
        compiler: &Compiler,
        obeyed: &[Obeyed],
    ) -> Result<Self, CompileError> {
        const MAX_AGENTS: usize = 6;
        let programs = obeyed.iter().map(|obeyed| DrawnProgram::of(&obeyed.who(MAX_AGENTS), &obeyed.rules, compiler));
        let programs = programs.collect::<Result<Vec<_>, CompileError>>()?;
        Ok(Self { title: format!("{name}, dialect {}", robots.dialect().name), programs })
    }

    /// Returns the number of edges.
    pub fn edges(&self) -> usize {
        self.programs.iter().map(|program| program.drawing.edges()).sum()
    }
}

/// Returns the text of an edge; a failure edge has none.
fn edge_text(label: &EdgeLabel) -> String {
    match label {
        EdgeLabel::Run(bytes) => shown::bytes(bytes),
        EdgeLabel::AnyOf(first, rest) => format!("[{}]{}", shown::bytes(first), shown::bytes(rest)),
        EdgeLabel::Failure => String::new(),
    }
}
