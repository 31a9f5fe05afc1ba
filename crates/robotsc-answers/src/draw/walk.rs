//! The walk of a path through a picture: which states and edges it visits, in order.
//!
//! ```
//! use robotsc::program::Output;
//! use robotsc::{Compiler, Crawler, Dialect, RobotsTxt};
//! use robotsc_answers::draw::DrawnProgram;
//! use robotsc_answers::draw::walk::walk;
//!
//! let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n");
//! let rules = robots.rule_set(&Crawler::others());
//! let program = DrawnProgram::of("all", &rules, &Compiler::new().output(Output::DecidingRule))?;
//! let path = Dialect::GOOGLE.url_path("/cart/1")?;
//! let walked = walk(&program, 0, path.as_path().as_bytes());
//! // Rules are numbered from the top rank down: the lowest that is met decides.
//! assert_eq!(walked.rules.first().map(|rule| rules.rules()[*rule].line), Some(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;

use robotsc::internal::drawing::{DrawnEdge, DrawnNode, DrawnPart, EdgeLabel};

use super::DrawnProgram;

/// The ids of the elements of a part of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Id {
    /// The number of the program in the picture.
    pub program: usize,
    /// The number of the part in the program.
    pub part: usize,
}

impl Id {
    fn named(self, kind: &str, number: impl std::fmt::Display) -> String {
        format!("{kind}-{}-{}-{number}", self.program, self.part)
    }

    pub(super) fn start(self) -> String {
        self.named("start", 0)
    }

    pub(super) fn entry(self) -> String {
        self.named("begin", 0)
    }

    pub(super) fn state(self, number: u32) -> String {
        self.named("state", number)
    }

    pub(super) fn edge(self, number: usize) -> String {
        self.named("edge", number)
    }

    pub(super) fn end(self, state: u32) -> String {
        self.named("end", state)
    }

    pub(super) fn exit(self, state: u32) -> String {
        self.named("to-end", state)
    }
}

/// What a path visits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The ids of the elements, in order; one can be visited twice.
    pub ids: Vec<String>,
    /// The rules that match on the way, by their indexes in the rule set; without those that are matched one by one.
    pub rules: BTreeSet<usize>,
}

/// Walks a path through all parts of a program. `number` is that of the program in its picture.
///
/// Cost: linear in the path, and in the edges of a state for each step.
#[must_use]
pub fn walk(program: &DrawnProgram, number: usize, path: &[u8]) -> Walk {
    let mut walk = Walk::default();
    for (part_number, part) in program.drawing.parts.iter().enumerate() {
        let id = Id { program: number, part: part_number };
        walk.ids.extend([id.start(), id.entry()]);
        Walker { part, id, path, at: 0, walk: &mut walk }.run();
    }
    walk
}

struct Walker<'w, 'o> {
    part: &'w DrawnPart,
    id: Id,
    path: &'w [u8],
    /// How much of the path was read.
    at: usize,
    walk: &'o mut Walk,
}

impl<'w> Walker<'w, '_> {
    fn run(mut self) {
        let mut state = Some(0);
        // Each step reads a byte or goes to a scan, which then reads one.
        for _ in 0..2 * self.path.len() + 2 {
            let Some(node) = state.and_then(|state| self.node(state)) else { break };
            self.walk.ids.push(self.id.state(node.number));
            self.walk.rules.extend(node.rule);
            state = self.step(node);
        }
    }

    /// Takes the edge that the next bytes lead along, and returns the state that it reaches.
    fn step(&mut self, node: &DrawnNode) -> Option<u32> {
        let part = self.part;
        let own = || part.edges.iter().enumerate().filter(|(_, edge)| edge.from == node.number);
        let starts = |edge: &DrawnEdge, byte: u8| match &edge.label {
            EdgeLabel::Run(run) => run.first() == Some(&byte),
            EdgeLabel::AnyOf(first, _) => first.contains(&byte),
            EdgeLabel::Failure => false,
        };
        while let Some(byte) = self.path.get(self.at) {
            let Some((number, edge)) = own().find(|(_, edge)| starts(edge, *byte)) else {
                if node.is_scan {
                    self.at += 1;
                    continue;
                }
                return self.fail(own());
            };
            let run = match &edge.label {
                EdgeLabel::Run(run) => &run[1..],
                EdgeLabel::AnyOf(_, run) => run,
                EdgeLabel::Failure => &[],
            };
            let rest = &self.path[self.at + 1..];
            let same = run.iter().zip(rest).take_while(|(one, other)| one == other).count();
            self.at += 1 + same;
            if same == run.len() {
                self.walk.ids.push(self.id.edge(number));
                return edge.to;
            }
            if self.at == self.path.len() {
                // The path ends inside the edge.
                return None;
            }
            // Another byte: a scan reads it, again or next.
            if !node.is_scan {
                return self.fail(own());
            }
        }
        if let Some(rule) = node.rule_at_end {
            self.walk.ids.extend([self.id.exit(node.number), self.id.end(node.number)]);
            self.walk.rules.insert(rule);
        }
        None
    }

    /// Takes the failure edge, which reads no byte.
    fn fail<'e>(&mut self, mut edges: impl Iterator<Item = (usize, &'e DrawnEdge)>) -> Option<u32> {
        let (number, edge) = edges.find(|(_, edge)| edge.label == EdgeLabel::Failure)?;
        self.walk.ids.push(self.id.edge(number));
        edge.to
    }

    fn node(&self, number: u32) -> Option<&'w DrawnNode> {
        let place = self.part.nodes.binary_search_by_key(&number, |node| node.number).ok()?;
        self.part.nodes.get(place)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use robotsc::program::Output;
    use robotsc::{Compiler, Crawler, Dialect, RobotsTxt};

    use super::super::{Picture, svg};
    use super::*;

    /// `ROBOTSC_FULL=1` asks for the long form.
    fn cases() -> u32 {
        if std::env::var_os("ROBOTSC_FULL").is_some() { 512 } else { 128 }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: cases(), ..ProptestConfig::default() })]
        #[test]
        fn a_walk_meets_the_rule_that_decides(
            patterns in prop::collection::vec(("[/ab*]{1,6}[$]?", any::<bool>()), 1..8),
            paths in prop::collection::vec("/([abc][/abc]{0,9})?", 1..8),
        ) {
            let mut body = "User-agent: *\n".to_owned();
            for (pattern, is_allow) in patterns {
                body.push_str(&format!("{}: /{pattern}\n", if is_allow { "Allow" } else { "Disallow" }));
            }
            let robots = RobotsTxt::parse(body.as_bytes());
            let rules = robots.rule_set(&Crawler::others());
            let program = DrawnProgram::of("all", &rules, &Compiler::new().output(Output::DecidingRule)).unwrap();
            prop_assume!(program.drawing.linear_rules == 0);
            let picture = Picture { title: String::new(), programs: vec![program] };
            let svg = svg::text_with_ids(&picture);
            for path in paths {
                let path = Dialect::GOOGLE.url_path(path.as_bytes()).unwrap();
                let walked = walk(&picture.programs[0], 0, path.as_path().as_bytes());
                let decided = rules.deciding_rule(path.as_path()).unwrap().map(|rule| rule.rule as usize);
                prop_assert_eq!(walked.rules.first().copied(), decided, "{} {:?}", body, path);
                for id in walked.ids {
                    prop_assert_eq!(svg.matches(&format!(" id=\"{id}\"")).count(), 1, "{} {}", id, svg);
                }
            }
        }
    }
}
