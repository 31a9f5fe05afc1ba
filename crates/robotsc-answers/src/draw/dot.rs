//! A picture as Graphviz DOT text.

use std::fmt::Write as _;

use robotsc::internal::drawing::{DrawnNode, DrawnPart, EdgeLabel};

use super::{DrawnProgram, DrawnRule, FAILURE_COLOR, LEGEND, Picture, edge_text};

/// Writes a picture as Graphviz text.
pub fn text(picture: &Picture) -> String {
    let mut dot = format!(
        "digraph robotsc {{\n  label={}; labelloc=t; fontname=\"Helvetica\"; rankdir=LR;\n  \
         node [fontname=\"Helvetica\", fontsize=11, shape=circle, width=0.25, label=\"\"];\n  \
         edge [fontname=\"Courier\", fontsize=11, arrowsize=0.6];\n",
        quoted(&picture.title)
    );
    for (number, program) in picture.programs.iter().enumerate() {
        let _ = writeln!(dot, "  subgraph cluster_{number} {{\n  label={};", quoted(&program.title));
        for (part_number, part) in program.drawing.parts.iter().enumerate() {
            write_part(&mut dot, program, part, &format!("n{number}_{part_number}_"));
        }
        dot.push_str("  }\n");
    }
    dot.push_str("  subgraph cluster_legend {\n  label=\"legend\";\n");
    for (number, (color, meaning)) in LEGEND.iter().enumerate() {
        let _ = writeln!(
            dot,
            "  legend_{number} [shape=box, style=filled, fillcolor=\"{color}\", label={}];",
            quoted(meaning)
        );
    }
    dot.push_str("  }\n}\n");
    dot
}

fn write_part(dot: &mut String, program: &DrawnProgram, part: &DrawnPart, prefix: &str) {
    let _ = writeln!(dot, "  {prefix}start [shape=point, width=0.1];\n  {prefix}start -> {prefix}0;");
    for node in &part.nodes {
        write_node(dot, program, node, prefix);
    }
    for edge in &part.edges {
        let from = edge.from;
        match (&edge.label, edge.to) {
            (EdgeLabel::Failure, Some(to)) => {
                let style = format!("style=dashed, color=\"{FAILURE_COLOR}\", constraint=false");
                let _ = writeln!(dot, "  {prefix}{from} -> {prefix}{to} [{style}];");
            }
            (label, Some(to)) => {
                let label = quoted(&format!(" {} ", edge_text(label)));
                let _ = writeln!(dot, "  {prefix}{from} -> {prefix}{to} [label={label}];");
            }
            (label, None) => {
                let label = quoted(&format!(" {} ", edge_text(label)));
                let _ = writeln!(dot, "  {prefix}{from}_stop [shape=point, color=\"{FAILURE_COLOR}\"];");
                let _ = writeln!(dot, "  {prefix}{from} -> {prefix}{from}_stop [label={label}];");
            }
        }
    }
}

fn write_node(dot: &mut String, program: &DrawnProgram, node: &DrawnNode, prefix: &str) {
    let number = node.number;
    let shape = if node.is_scan { ", shape=doublecircle" } else { "" };
    let described = |rule: Option<&DrawnRule>| {
        let tooltip = rule.map_or_else(|| format!("node {number}"), |rule| rule.text.clone());
        let label = rule.map_or("", |rule| &rule.line);
        let color = DrawnRule::color(rule);
        format!("style=filled, fillcolor=\"{color}\", label={}, tooltip={}", quoted(label), quoted(&tooltip))
    };
    let _ = writeln!(dot, "  {prefix}{number} [{}{shape}];", described(program.rule(node.rule)));
    if let Some(rule) = program.rule(node.rule_at_end) {
        let _ = writeln!(dot, "  {prefix}{number}_end [{}, shape=box];", described(Some(rule)));
        let _ = writeln!(dot, "  {prefix}{number} -> {prefix}{number}_end [label=\" end \"];");
    }
}

/// Returns a text as a DOT string.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
