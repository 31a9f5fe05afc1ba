//! The automaton as Rust code.
//!
//! A run of bytes is a comparison with a literal, a branch a `match`, a scan a search for a few bytes. A node with one
//! transition to it stands inside that transition. Nodes with several, such as scans, are arms of one `match` in a
//! loop, reached by `continue`. So the function never recurses, however long the path is.
//!
//! The function returns for every path what the table returns; both come from the same graph.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use robotsc_compiler::Verdict;
use robotsc_compiler::graph::{Graph, GraphNode, GraphStep, Reached};

use super::Shape;

/// The maximum number of nodes of code that was requested. The Rust compiler takes a second or two for a function of
/// this size, and up to a minute for one of twice the size.
const DIRECT_NODES: usize = 512;
/// The maximum number of nodes of code by default. Code is two to four times as fast as the table
/// (benches/embedded.rs), but five times as large, and with more nodes it slows the build noticeably
/// (crates/robotsc-build/examples/cost.rs).
const AUTO_NODES: usize = 128;
/// The maximum number of nodes of all code of a file by default.
const AUTO_NODES_TOGETHER: usize = 512;
/// How deep nodes stand inside one another before one becomes an arm of its own.
const DEPTH: u32 = 8;
/// The maximum number of bytes that the runtime searches for together.
const FIND: usize = 6;

/// Writes a function that returns the verdict of a graph of verdicts, or returns `None` if the table is better.
pub(super) fn verdicts(graph: &Graph, name: &Ident, runtime: &syn::Path, budget: &mut Budget) -> Option<TokenStream> {
    budget.takes(graph).then(|| {
        let body = Writer::new(graph, runtime, Answer::Verdict).body();
        quote! {
            pub(super) fn #name(path: &[u8]) -> #runtime::Verdict { #body }
        }
    })
}

/// Writes a function that returns the lowest number of a rule that matches, or `u32::MAX`. `number` maps a rule of the
/// graph to its number.
pub(super) fn first(
    graph: &Graph,
    name: &Ident,
    runtime: &syn::Path,
    budget: &mut Budget,
    number: impl Fn(u32) -> Option<u32>,
) -> Option<TokenStream> {
    let reached = graph.nodes.iter().flat_map(|node| [node.on_entry, node.at_end]).flatten();
    let mut numbers = BTreeMap::new();
    for rule in reached {
        let Reached::Rule(rule) = rule else { return None };
        numbers.insert(rule, number(rule)?);
    }
    budget.takes(graph).then(|| {
        let body = Writer::new(graph, runtime, Answer::First(numbers)).body();
        quote! {
            pub(super) fn #name(path: &[u8]) -> u32 { #body }
        }
    })
}

/// The shape that is asked for, and how much code there is so far.
#[derive(Debug)]
pub(super) struct Budget {
    shape: Shape,
    nodes: usize,
}

impl Budget {
    pub(super) const fn new(shape: Shape) -> Self {
        Self { shape, nodes: 0 }
    }

    /// Whether a graph becomes code.
    fn takes(&mut self, graph: &Graph) -> bool {
        let (most, together) = match self.shape {
            Shape::Table => return false,
            Shape::Auto => (AUTO_NODES, AUTO_NODES_TOGETHER),
            Shape::Direct => (DIRECT_NODES, usize::MAX),
        };
        let nodes = graph.nodes.len();
        let takes = nodes <= most && self.nodes + nodes <= together;
        self.nodes += if takes { nodes } else { 0 };
        takes
    }
}

/// What the function answers.
enum Answer {
    Verdict,
    /// The numbers of the rules.
    First(BTreeMap<u32, u32>),
}

/// What is known, where code stands, of the answer so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It is this verdict, or no rule has matched.
    Is(Verdict),
    /// It is in the variable.
    Variable,
}

struct Writer<'g> {
    graph: &'g Graph,
    runtime: &'g syn::Path,
    answer: Answer,
    /// The arm of each node that is one.
    arms: BTreeMap<u32, u32>,
    /// The verdicts that each node may be entered with: 1 Disallow, 2 Allow.
    entered_with: Vec<u8>,
}

impl<'g> Writer<'g> {
    fn new(graph: &'g Graph, runtime: &'g syn::Path, answer: Answer) -> Self {
        let mut writer =
            Self { graph, runtime, answer, arms: BTreeMap::new(), entered_with: vec![0; graph.nodes.len()] };
        writer.find_arms();
        if matches!(writer.answer, Answer::Verdict) {
            writer.find_verdicts();
        }
        writer
    }

    fn node(&self, id: u32) -> &'g GraphNode {
        &self.graph.nodes[id as usize]
    }

    /// The nodes that several ways lead to, those that a fallback leads to, and those that would stand too deep.
    fn find_arms(&mut self) {
        let mut ways = vec![0_u32; self.graph.nodes.len()];
        for node in &self.graph.nodes {
            targets(node).into_iter().for_each(|to| ways[to as usize] += 1);
            if let Some(fallback) = node.failure {
                ways[fallback as usize] += 2;
            }
        }
        ways[0] += 2;
        let mut arms: Vec<u32> = (0..self.graph.nodes.len() as u32).filter(|node| ways[*node as usize] > 1).collect();
        let mut done = 0;
        while let Some(&arm) = arms.get(done) {
            done += 1;
            let mut inside = vec![(arm, 0)];
            while let Some((id, depth)) = inside.pop() {
                for to in targets(self.node(id)) {
                    if ways[to as usize] > 1 {
                        continue;
                    }
                    if depth == DEPTH {
                        ways[to as usize] = 2;
                        arms.push(to);
                    } else {
                        inside.push((to, depth + u32::from(!matches!(self.node(id).step, GraphStep::Run { .. }))));
                    }
                }
            }
        }
        arms.sort_unstable();
        self.arms = arms.into_iter().zip(0..).collect();
    }

    /// Goes through the graph with the verdicts so far.
    fn find_verdicts(&mut self) {
        let mut waiting = vec![(0, 2)];
        while let Some((id, verdicts)) = waiting.pop() {
            let known = &mut self.entered_with[id as usize];
            if *known | verdicts == *known {
                continue;
            }
            *known |= verdicts;
            let node = self.node(id);
            let after = match node.on_entry {
                Some(Reached::Verdict(verdict)) => bit(verdict),
                _ => self.entered_with[id as usize],
            };
            waiting.extend(targets(node).into_iter().chain(node.failure).map(|to| (to, after)));
        }
    }

    /// What an arm knows of the answer.
    fn known_in(&self, id: u32) -> Known {
        match (&self.answer, self.entered_with[id as usize]) {
            (Answer::Verdict, 1) => Known::Is(Verdict::Disallow),
            (Answer::Verdict, 3) => Known::Variable,
            (Answer::Verdict, _) => Known::Is(Verdict::Allow),
            (Answer::First(_), _) => Known::Variable,
        }
    }

    fn body(&self) -> TokenStream {
        let variable = match self.answer {
            Answer::First(_) => quote! { let mut first = u32::MAX; },
            Answer::Verdict => {
                let allow = self.verdict(Verdict::Allow);
                let needed = self.arms.keys().any(|arm| self.known_in(*arm) == Known::Variable);
                if needed {
                    quote! { let mut verdict = #allow; }
                } else {
                    TokenStream::new()
                }
            }
        };
        let leads_to_start = |node: &GraphNode| node.failure == Some(0) || targets(node).contains(&0);
        if self.arms.len() == 1 && !self.graph.nodes.iter().any(leads_to_start) {
            let code = self.code(0, self.known_in(0));
            return quote! { let mut rest = path; #variable #code };
        }
        let last = self.arms.len() as u32 - 1;
        let arms = self.arms.iter().map(|(id, arm)| {
            let code = self.code(*id, self.known_in(*id));
            if *arm == last {
                return quote! { _ => { #code } };
            }
            let arm = Literal::u32_unsuffixed(*arm);
            quote! { #arm => { #code } }
        });
        let start = Literal::u32_unsuffixed(self.arms.get(&0).copied().unwrap_or(0));
        quote! {
            let mut rest = path;
            let mut state: u32 = #start;
            #variable
            loop { match state { #(#arms)* } }
        }
    }

    fn verdict(&self, verdict: Verdict) -> TokenStream {
        let runtime = self.runtime;
        match verdict {
            Verdict::Disallow => quote! { #runtime::Verdict::Disallow },
            Verdict::Allow => quote! { #runtime::Verdict::Allow },
        }
    }

    /// The answer as it is known.
    fn value(&self, known: Known) -> TokenStream {
        match (known, &self.answer) {
            (Known::Is(verdict), _) => self.verdict(verdict),
            (Known::Variable, Answer::Verdict) => quote! { verdict },
            (Known::Variable, Answer::First(_)) => quote! { first },
        }
    }

    /// The answer after something is reached.
    fn value_with(&self, reached: Reached) -> TokenStream {
        match (reached, &self.answer) {
            (Reached::Verdict(verdict), _) => self.verdict(verdict),
            (Reached::Rule(rule), Answer::First(numbers)) => {
                let number = Literal::u32_unsuffixed(numbers.get(&rule).copied().unwrap_or(u32::MAX));
                quote! { first.min(#number) }
            }
            (Reached::Rule(_), Answer::Verdict) => self.verdict(Verdict::Disallow),
        }
    }

    /// The code of a node and of what stands inside it. It always returns or continues.
    fn code(&self, id: u32, mut known: Known) -> TokenStream {
        let node = self.node(id);
        let mut code = TokenStream::new();
        if let Some(reached) = node.on_entry {
            let value = self.value_with(reached);
            if node.step == GraphStep::Stop && node.at_end.is_none() {
                return quote! { return #value; };
            }
            match reached {
                Reached::Verdict(verdict) => known = Known::Is(verdict),
                Reached::Rule(_) => code.extend(quote! { first = #value; }),
            }
        }
        if let Some(reached) = node.at_end {
            let value = self.value_with(reached);
            code.extend(quote! { if rest.is_empty() { return #value; } });
        }
        let value = self.value(known);
        match &node.step {
            GraphStep::Stop => code.extend(quote! { return #value; }),
            GraphStep::Run { text, next } => {
                let text = Literal::byte_string(text);
                let next = self.go(*next, known);
                let runtime = self.runtime;
                code.extend(match node.failure {
                    None => quote! {
                        let ::core::option::Option::Some(after) = rest.strip_prefix(#text) else { return #value; };
                        rest = after;
                        #next
                    },
                    Some(fallback) => {
                        let fallback = self.go(Some(fallback), known);
                        quote! {
                            match #runtime::embed::code::run(rest, #text) {
                                ::core::result::Result::Ok(after) => rest = after,
                                ::core::result::Result::Err(from) => { rest = from; #fallback }
                            }
                            #next
                        }
                    }
                });
            }
            GraphStep::Branch(edges) if edges.is_empty() => code.extend(self.go(node.failure, known)),
            GraphStep::Branch(edges) => {
                let otherwise = self.go(node.failure, known);
                let arms = self.ways(edges, known);
                code.extend(quote! {
                    let [byte, after @ ..] = rest else { return #value; };
                    match *byte { #arms _ => { #otherwise } }
                });
            }
            GraphStep::Scan(edges) => {
                let runtime = self.runtime;
                let bytes: Vec<u8> = edges.iter().map(|edge| edge.0).collect();
                let found = if bytes.len() <= FIND {
                    let bytes = Literal::byte_string(&bytes);
                    quote! { #runtime::embed::code::find(rest, #bytes) }
                } else {
                    let bytes = bytes.iter().map(|byte| Literal::byte_character(*byte));
                    quote! { #runtime::embed::code::find_where(rest, |byte| ::core::matches!(byte, #(#bytes)|*)) }
                };
                let arms = self.ways(edges, known);
                code.extend(quote! {
                    let ::core::option::Option::Some((byte, after)) = #found else { return #value; };
                    match byte { #arms _ => return #value, }
                });
            }
        }
        code
    }

    /// Returns the arms of a `match` on a byte.
    fn ways(&self, edges: &[(u8, Option<u32>)], known: Known) -> TokenStream {
        let mut by_target: Vec<(Option<u32>, Vec<Literal>)> = Vec::new();
        for &(byte, to) in edges {
            let byte = Literal::byte_character(byte);
            match by_target.iter_mut().find(|(known, _)| *known == to) {
                Some((_, bytes)) => bytes.push(byte),
                None => by_target.push((to, vec![byte])),
            }
        }
        let arms = by_target.iter().map(|(to, bytes)| {
            let code = self.go(*to, known);
            quote! { #(#bytes)|* => { rest = after; #code } }
        });
        quote! { #(#arms)* }
    }

    /// Goes on at a node, or returns where there is none.
    fn go(&self, to: Option<u32>, known: Known) -> TokenStream {
        let Some(to) = to else {
            let value = self.value(known);
            return quote! { return #value; };
        };
        let Some(arm) = self.arms.get(&to) else { return self.code(to, known) };
        let is_needed = self.known_in(to) == Known::Variable && known != Known::Variable;
        let set = is_needed.then(|| {
            let value = self.value(known);
            quote! { verdict = #value; }
        });
        let arm = Literal::u32_unsuffixed(*arm);
        quote! { #set state = #arm; continue; }
    }
}

/// The nodes that a node leads to, each once, without its fallback.
fn targets(node: &GraphNode) -> Vec<u32> {
    let mut targets: Vec<u32> = match &node.step {
        GraphStep::Stop => Vec::new(),
        GraphStep::Run { next, .. } => next.iter().copied().collect(),
        GraphStep::Branch(edges) | GraphStep::Scan(edges) => edges.iter().filter_map(|edge| edge.1).collect(),
    };
    targets.sort_unstable();
    targets.dedup();
    targets
}

const fn bit(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Disallow => 1,
        Verdict::Allow => 2,
    }
}
