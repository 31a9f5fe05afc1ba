//! The automaton as a picture: Graphviz DOT text.
//!
//! A literal run is one edge, also where a branch leads into it. What is reached shows as colour: red for Disallow, green for Allow; a square box at a node is what is
//! reached if the path ends there. A dashed edge is the fallback, taken on any other octet, also on one inside an edge that starts there; a double circle is a scan,
//! which skips octets and is its own fallback.

use std::fmt::Write;

use super::{Automaton, Node, NodeId, Step};

/// Draws the parts. `verdict` tells whether a rank is Allow, and what to call it.
pub(crate) fn draw(parts: &[Automaton], listed: usize, verdict: impl Fn(u32) -> (bool, String)) -> String {
    let mut dot = String::from(
        "digraph robotsc {\n  rankdir=LR;\n  node [fontname=\"Helvetica\", fontsize=11, shape=circle, width=0.25, label=\"\"];\n  \
         edge [fontname=\"Courier\", fontsize=11, arrowsize=0.6];\n",
    );
    for (number, part) in parts.iter().enumerate() {
        let picture = Picture { part, prefix: format!("p{number}_"), inbound: inbound(part) };
        if parts.len() > 1 {
            let _ = writeln!(dot, "  subgraph cluster_{number} {{\n  label=\"part {}\";", number + 1);
        }
        picture.draw(&mut dot, &verdict);
        if parts.len() > 1 {
            dot.push_str("  }\n");
        }
    }
    if listed > 0 {
        let _ = writeln!(dot, "  list [shape=note, label=\"{listed} more rules are tried one by one\"];");
    }
    dot.push_str("}\n");
    dot
}

struct Picture<'a> {
    part: &'a Automaton,
    prefix: String,
    /// How many edges lead to each node, and from where the last of them comes.
    inbound: Vec<(u32, NodeId)>,
}

impl Picture<'_> {
    fn draw(&self, dot: &mut String, verdict: &impl Fn(u32) -> (bool, String)) {
        let prefix = &self.prefix;
        let _ = writeln!(dot, "  {prefix}start [shape=point, width=0.1];\n  {prefix}start -> {prefix}0;");
        for (number, node) in self.part.nodes.iter().enumerate() {
            if number > 0 && self.is_inside_an_edge(NodeId(number as u32)) {
                continue;
            }
            self.node(dot, number, node, verdict);
            match &node.step {
                Step::Stop => {}
                Step::Run { text, next } => self.edge(dot, number, escaped(self.part.text(text)), *next),
                Step::Branch { edges } | Step::Scan { edges } => self.edges(dot, number, edges),
            }
            if node.fallback != NodeId::STOP {
                let _ = writeln!(
                    dot,
                    "  {prefix}{number} -> {prefix}{} [style=dashed, color=gray60, constraint=false];",
                    node.fallback.0
                );
            }
        }
    }

    fn node(&self, dot: &mut String, number: usize, node: &Node, verdict: &impl Fn(u32) -> (bool, String)) {
        let prefix = &self.prefix;
        let shape = if matches!(node.step, Step::Scan { .. }) { ", shape=doublecircle" } else { "" };
        let fill = if node.accept == 0 {
            String::new()
        } else {
            let (allow, name) = verdict(node.accept);
            format!(", style=filled, fillcolor=\"{}\", label=\"{name}\"", colour(allow))
        };
        let _ = writeln!(dot, "  {prefix}{number} [tooltip=\"node {number}\"{shape}{fill}];");
        if node.accept_at_end != 0 {
            let (allow, name) = verdict(node.accept_at_end);
            let _ = writeln!(
                dot,
                "  {prefix}{number}_end [shape=box, style=filled, fillcolor=\"{}\", label=\"{name}\"];\n  {prefix}{number} -> \
                 {prefix}{number}_end [label=\" end\"];",
                colour(allow)
            );
        }
    }

    fn edges(&self, dot: &mut String, number: usize, edges: &std::ops::Range<u32>) {
        let mut by_target: Vec<(NodeId, Vec<u8>)> = Vec::new();
        for &(octet, to) in self.part.edges(edges) {
            match by_target.iter_mut().find(|(known, _)| *known == to) {
                Some((_, octets)) => octets.push(octet),
                None => by_target.push((to, vec![octet])),
            }
        }
        for (to, octets) in by_target {
            let label = match octets.as_slice() {
                [octet] => escaped(&[*octet]),
                octets => format!("[{}]", escaped(octets)),
            };
            self.edge(dot, number, label, to);
        }
    }

    /// One edge, with the runs that follow it.
    fn edge(&self, dot: &mut String, from: usize, mut label: String, mut to: NodeId) {
        let prefix = &self.prefix;
        while to != NodeId::STOP && self.is_inside_an_edge(to) {
            let Step::Run { text, next } = &self.part.node(to).step else { break };
            label.push_str(&escaped(self.part.text(text)));
            to = *next;
        }
        if to == NodeId::STOP {
            let _ = writeln!(
                dot,
                "  {prefix}{from}_stop [shape=point, color=gray60];\n  {prefix}{from} -> {prefix}{from}_stop [label=\" {label} \"];"
            );
        } else {
            let _ = writeln!(dot, "  {prefix}{from} -> {prefix}{} [label=\" {label} \"];", to.0);
        }
    }

    /// Whether a node is a run that only one edge leads to, where nothing is reached and whose fallback is that of the edge, so that it is drawn as part of it.
    fn is_inside_an_edge(&self, id: NodeId) -> bool {
        let node = self.part.node(id);
        let (count, source) = self.inbound[id.0 as usize];
        matches!(node.step, Step::Run { .. })
            && count == 1
            && node.accept == 0
            && node.accept_at_end == 0
            && (node.fallback == NodeId::STOP
                || node.fallback == source
                || source != NodeId::STOP && node.fallback == self.part.node(source).fallback)
    }
}

fn inbound(part: &Automaton) -> Vec<(u32, NodeId)> {
    let mut inbound = vec![(0, NodeId::STOP); part.nodes.len()];
    let mut count = |from: NodeId, to: NodeId| {
        if to != NodeId::STOP {
            let (count, source) = &mut inbound[to.0 as usize];
            *count += 1;
            *source = from;
        }
    };
    count(NodeId::STOP, NodeId(0));
    for (id, node) in (0..).map(NodeId).zip(&part.nodes) {
        count(id, node.fallback);
        match &node.step {
            Step::Stop => {}
            Step::Run { next, .. } => count(id, *next),
            Step::Branch { edges } | Step::Scan { edges } => {
                part.edges(edges).iter().for_each(|&(_, to)| count(id, to));
            }
        }
    }
    inbound
}

const fn colour(allow: bool) -> &'static str {
    if allow { "#9be29b" } else { "#f4a3a3" }
}

/// Octets as they may stand in a quoted DOT string.
fn escaped(octets: &[u8]) -> String {
    octets.escape_ascii().to_string().replace('\\', "\\\\").replace('"', "\\\"").replace("\\\\'", "'")
}
