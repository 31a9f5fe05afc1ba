//! From nodes to code: the layout and the bytes. The format is described in `robotsc_runtime::format`.
//!
//! Scans come first where they are few, so that a failure transition is one byte. A run's next node follows it where it
//! has no place yet; all else is referred to by offset. Nodes are laid out depth first, so that what a path reads one
//! after the other mostly lies one after the other, and so that most branches reach their nodes with offsets of one
//! byte. Which branches do is found by laying out again: a branch that turns short brings nothing further apart.

use robotsc_runtime::format;

use super::{Automaton, Node, NodeId, Step};

/// How wide the ranks are written; 0: only the verdict is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RankWidth(pub(crate) u8);

impl RankWidth {
    /// Returns the least width that holds `rank`; `None` if none does.
    pub(crate) const fn holding(rank: u32) -> Option<Self> {
        match rank {
            0..=0xff => Some(Self(1)),
            0x100..=0xffff => Some(Self(2)),
            0x1_0000..=0xff_ffff => Some(Self(3)),
            _ => None,
        }
    }
}

/// The code of several parts, and where each starts.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) bytes: Vec<u8>,
    pub(crate) entries: Vec<u32>,
    pub(crate) offset_width: u8,
    pub(crate) narrow_failure: bool,
}

/// Encodes the parts one after the other, laid out at most `passes` times. `None` if the code would be longer than
/// offsets can say.
pub(crate) fn encode(parts: &[Automaton], rank_width: RankWidth, passes: usize) -> Option<Code> {
    let nodes = parts.iter().map(|part| part.nodes.len()).sum();
    // Decided once, since the order of the nodes depends on it.
    let narrow_failure = scans_fit(parts, rank_width);
    let least = least_bytes(parts, rank_width);
    let narrowest = match least {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        0x1_0001..=0x100_0000 => 3,
        _ => 4,
    };
    let (mut short, mut marks) = (vec![false; nodes], vec![false; nodes]);
    let lay_out = |widths: std::ops::RangeInclusive<u8>, short: &[bool], marks: &mut [bool]| {
        widths.into_iter().find_map(|offset_width| {
            let bytes = Vec::with_capacity(least * usize::from(1 + offset_width));
            Encoder { bytes, offset_width, narrow_failure, rank_width }.parts(parts, short, marks)
        })
    };
    let mut best = lay_out(narrowest..=4, &short, &mut marks)?;
    // With offsets of one byte nothing becomes shorter.
    let passes = if best.offset_width == 1 { 1 } else { passes };
    for _ in 1..passes {
        if marks == short {
            break;
        }
        std::mem::swap(&mut short, &mut marks);
        let before = best.bytes.len();
        // One byte was too few before, and short branches do not change that.
        best = lay_out(narrowest.max(2)..=4, &short, &mut marks)?;
        if best.bytes.len() == before {
            break;
        }
    }
    Some(best)
}

/// Returns a lower bound of the bytes that all parts take, which saves futile attempts with narrow offsets.
fn least_bytes(parts: &[Automaton], rank_width: RankWidth) -> usize {
    let set = |edges: usize, list_max: usize| 2 + edges + if edges <= list_max { edges } else { 32 };
    let node = |node: &Node| {
        let ranks = usize::from(node.accept != 0) + usize::from(node.accept_at_end != 0);
        let failure = usize::from(node.failure != NodeId::STOP);
        ranks * usize::from(rank_width.0)
            + match &node.step {
                // It can be part of the run before it.
                Step::Stop => return 0,
                Step::Run { text, .. } => text.len() + text.len().div_ceil(format::RUN_MAX) * (2 + failure),
                Step::Branch { edges } if edges.is_empty() => 2,
                Step::Branch { edges } => failure + set(edges.len(), format::LIST_MAX),
                Step::Scan { edges } => set(edges.len(), format::SCAN_LIST_MAX),
            }
    };
    parts.iter().flat_map(|part| &part.nodes).map(node).sum()
}

/// Reports whether all scans, laid out first, start at offsets of one byte.
fn scans_fit(parts: &[Automaton], rank_width: RankWidth) -> bool {
    let [part] = parts else { return false };
    let mut at = 0;
    part.nodes.iter().all(|node| {
        let Step::Scan { edges } = &node.step else { return true };
        let fits = at <= 0xff;
        // The first byte, the size, the list or bitmap; for each edge an offset at its widest and a leaf with two
        // ranks.
        let leaf = 1 + 2 * usize::from(rank_width.0);
        let list = if edges.len() <= format::SCAN_LIST_MAX { edges.len() } else { 32 };
        at += 2 + list + edges.len() * (4 + leaf);
        fits
    })
}

struct Encoder {
    bytes: Vec<u8>,
    offset_width: u8,
    narrow_failure: bool,
    rank_width: RankWidth,
}

/// No place yet.
const UNPLACED: u32 = u32::MAX;

/// Where an offset leads.
#[derive(Clone, Copy, Debug)]
enum Target {
    Node(NodeId),
    Place(u32),
}

/// An offset that is still to be written.
#[derive(Clone, Copy, Debug)]
struct Patch {
    at: usize,
    width: u8,
    /// The place that it is counted from.
    from: u32,
    to: Target,
}

/// The layout of one part under way.
struct Layout<'a> {
    part: &'a Automaton,
    /// The branches that are written with offsets of one byte.
    short: &'a [bool],
    places: Vec<u32>,
    patches: Vec<Patch>,
    waiting: Vec<NodeId>,
    /// The branches: which, where the set ends, the patches of its edges.
    branches: Vec<(NodeId, u32, std::ops::Range<usize>)>,
    /// Scratch of `set`: the leaves after it, and where each starts.
    leaves: Vec<(NodeId, u32)>,
}

impl Layout<'_> {
    fn place(&self, target: Target, stop: u32) -> u32 {
        match target {
            Target::Place(place) => place,
            Target::Node(NodeId::STOP) => stop,
            Target::Node(node) => self.places[node.0 as usize],
        }
    }
}

impl Encoder {
    /// Writes all parts, and marks the branches that could be short. `None` if the offsets are too narrow.
    fn parts(mut self, parts: &[Automaton], mut short: &[bool], mut marks: &mut [bool]) -> Option<Code> {
        let mut entries = Vec::with_capacity(parts.len() + 1);
        for part in parts {
            let (short_here, short_after) = short.split_at(part.nodes.len());
            let (marks_here, marks_after) = marks.split_at_mut(part.nodes.len());
            entries.push(self.part(part, short_here, marks_here));
            if self.bytes.len() as u64 > 1 << (8 * u32::from(self.offset_width)) {
                return None;
            }
            (short, marks) = (short_after, marks_after);
        }
        let Self { bytes, offset_width, narrow_failure, .. } = self;
        Some(Code { bytes, entries, offset_width, narrow_failure })
    }

    /// Writes a part, and marks the branches that could be short. Returns its entry.
    fn part(&mut self, part: &Automaton, short: &[bool], marks: &mut [bool]) -> u32 {
        let mut layout = Layout {
            part,
            short,
            places: vec![UNPLACED; part.nodes.len()],
            patches: Vec::with_capacity(part.edges.len() + part.nodes.len()),
            waiting: Vec::with_capacity(part.nodes.len()),
            branches: Vec::with_capacity(part.nodes.len()),
            leaves: Vec::with_capacity(2),
        };
        if self.narrow_failure {
            let scans = (0..).zip(&part.nodes).filter(|(_, node)| matches!(node.step, Step::Scan { .. }));
            scans.for_each(|(id, _)| self.chain(NodeId(id), &mut layout));
        }
        // The start is written next, since it is read first.
        layout.waiting.push(NodeId(0));
        while let Some(id) = layout.waiting.pop() {
            if layout.places[id.0 as usize] == UNPLACED {
                self.chain(id, &mut layout);
            }
        }
        let stop = self.here();
        let refers_to_stop = |patch: &Patch| matches!(patch.to, Target::Node(NodeId::STOP));
        if layout.patches.iter().any(refers_to_stop) {
            self.bytes.push(format::STOP);
        }
        for (id, end, patches) in std::mem::take(&mut layout.branches) {
            let is_near =
                |patch: &Patch| layout.place(patch.to, stop).checked_sub(end).is_some_and(|distance| distance <= 0xff);
            marks[id.0 as usize] = layout.patches[patches.clone()].iter().all(is_near);
            if marks[id.0 as usize] && self.offset_width == 1 {
                // Its offsets have their width already, and are counted from another place.
                self.bytes[layout.places[id.0 as usize] as usize] |= format::SHORT;
                layout.patches[patches].iter_mut().for_each(|patch| patch.from = end);
            }
        }
        for patch in &layout.patches {
            let width = usize::from(patch.width);
            let offset = layout.place(patch.to, stop).wrapping_sub(patch.from);
            self.bytes[patch.at..patch.at + width].copy_from_slice(&offset.to_le_bytes()[..width]);
        }
        layout.places[0]
    }

    fn here(&self) -> u32 {
        u32::try_from(self.bytes.len()).unwrap_or(UNPLACED - 1)
    }

    /// Writes a node and, while the next one may follow it, that one.
    fn chain(&mut self, mut id: NodeId, layout: &mut Layout<'_>) {
        let part = layout.part;
        loop {
            layout.places[id.0 as usize] = self.here();
            let node = part.node(id);
            match &node.step {
                Step::Stop => {
                    self.head(node, format::STOP);
                    return;
                }
                Step::Run { text, next } => {
                    let Some(next) = self.run(node, part.text(text), *next, layout) else { return };
                    id = next;
                }
                Step::Branch { edges } if edges.is_empty() => {
                    // Only something is reached here, and the failure transition goes on.
                    self.head(node, format::JUMP);
                    self.offset(node.failure, layout);
                    layout.waiting.push(node.failure);
                    return;
                }
                Step::Branch { edges } => {
                    let short = if layout.short[id.0 as usize] { format::SHORT } else { 0 };
                    if node.failure == NodeId::STOP {
                        self.head(node, format::BRANCH | short);
                    } else {
                        self.head(node, format::BRANCH_ELSE | short);
                        self.failure(node, layout);
                    }
                    self.set(id, part.edges(edges), format::LIST_MAX, layout);
                    return;
                }
                Step::Scan { edges } => {
                    self.head(node, format::SCAN);
                    self.set(id, part.edges(edges), format::SCAN_LIST_MAX, layout);
                    return;
                }
            }
        }
    }

    /// Writes a run and what must follow it. The next node, where that may follow.
    fn run(&mut self, node: &Node, text: &[u8], next: NodeId, layout: &mut Layout<'_>) -> Option<NodeId> {
        let kind = if node.failure == NodeId::STOP { format::RUN } else { format::RUN_ELSE };
        // A leaf after the last bytes is part of the run, if the run itself has nothing to say at the end of the path.
        let leaf = (next != NodeId::STOP).then(|| layout.part.node(next)).filter(|next| is_leaf(next));
        let chunks = text.len().div_ceil(format::RUN_MAX);
        for (number, text) in text.chunks(format::RUN_MAX).enumerate() {
            let mut head = Node { accept: 0, accept_at_end: 0, failure: node.failure, step: Step::Stop };
            if number == 0 {
                (head.accept, head.accept_at_end) = (node.accept, node.accept_at_end);
            }
            let leaf = leaf.filter(|_| number + 1 == chunks && head.accept_at_end == 0);
            if let Some(leaf) = leaf {
                head.accept_at_end = leaf.accept;
            }
            self.head(&head, kind | if leaf.is_some() { format::SHORT } else { 0 });
            self.bytes.push(text.len() as u8);
            if kind == format::RUN_ELSE {
                self.failure(node, layout);
            }
            self.bytes.extend_from_slice(text);
            if leaf.is_some() {
                return None;
            }
        }
        if next == NodeId::STOP {
            self.bytes.push(format::STOP);
            return None;
        }
        if layout.places[next.0 as usize] == UNPLACED {
            return Some(next);
        }
        // A node that is hardly longer than a jump to it is written again.
        let node = layout.part.node(next);
        match &node.step {
            Step::Stop => self.head(node, format::STOP),
            Step::Branch { edges } if edges.is_empty() => {
                self.head(node, format::JUMP);
                self.offset(node.failure, layout);
            }
            _ => {
                self.bytes.push(format::JUMP);
                self.offset(next, layout);
            }
        }
        None
    }

    /// Writes a set, and after it the leaves that its edges lead to.
    fn set(&mut self, id: NodeId, edges: &[(u8, NodeId)], list_max: usize, layout: &mut Layout<'_>) {
        if edges.len() <= list_max {
            self.bytes.push(edges.len() as u8);
            self.bytes.extend(edges.iter().map(|edge| edge.0));
        } else {
            let mut bitmap = [0_u8; 32];
            for &(byte, _) in edges {
                bitmap[usize::from(byte >> 3)] |= 1 << (byte & 7);
            }
            self.bytes.push(0);
            self.bytes.extend_from_slice(&bitmap);
        }
        let is_branch = matches!(layout.part.node(id).step, Step::Branch { .. });
        let short = is_branch && layout.short[id.0 as usize];
        let width = if short { 1 } else { self.offset_width };
        let at = self.bytes.len();
        self.bytes.resize(at + edges.len() * usize::from(width), 0);
        let end = self.here();
        let first = layout.patches.len();
        layout.leaves.clear();
        for (number, &(_, to)) in edges.iter().enumerate() {
            let mut target = Target::Node(to);
            if to != NodeId::STOP && layout.part.node(to).step == Step::Stop {
                let known = layout.leaves.iter().find(|leaf| leaf.0 == to).map(|leaf| leaf.1);
                target = Target::Place(known.unwrap_or_else(|| {
                    let place = self.here();
                    self.head(layout.part.node(to), format::STOP);
                    layout.leaves.push((to, place));
                    place
                }));
            }
            layout.patches.push(Patch {
                at: at + number * usize::from(width),
                width,
                from: if short { end } else { 0 },
                to: target,
            });
        }
        if is_branch {
            layout.branches.push((id, end, first..layout.patches.len()));
        }
        let nodes = layout.patches[first..].iter().rev().filter_map(|patch| match patch.to {
            Target::Node(node) if node != NodeId::STOP => Some(node),
            _ => None,
        });
        layout.waiting.extend(nodes);
    }

    /// Returns the first byte of a node and the ranks that it reaches.
    fn head(&mut self, node: &Node, kind: u8) {
        let reach = |rank: u32| match (rank, self.rank_width) {
            (0, _) => 0,
            (rank, RankWidth(0)) if rank & 1 == 1 => format::REACH_ALLOW,
            _ => format::REACH_DISALLOW,
        };
        let (entry, end) = (reach(node.accept), reach(node.accept_at_end));
        self.bytes.push(kind | entry << format::ON_ENTRY | end << format::AT_END);
        for rank in [node.accept, node.accept_at_end] {
            if rank != 0 {
                self.bytes.extend_from_slice(&rank.to_le_bytes()[..usize::from(self.rank_width.0)]);
            }
        }
    }

    fn failure(&mut self, node: &Node, layout: &mut Layout<'_>) {
        let width = if self.narrow_failure { 1 } else { self.offset_width };
        self.offset_of(node.failure, width, layout);
        layout.waiting.push(node.failure);
    }

    fn offset(&mut self, to: NodeId, layout: &mut Layout<'_>) {
        self.offset_of(to, self.offset_width, layout);
    }

    fn offset_of(&mut self, to: NodeId, width: u8, layout: &mut Layout<'_>) {
        layout.patches.push(Patch { at: self.bytes.len(), width, from: 0, to: Target::Node(to) });
        self.bytes.extend_from_slice(&[0; 4][..usize::from(width)]);
    }
}

/// Reports whether a node only reaches something and ends the walk.
fn is_leaf(node: &Node) -> bool {
    node.step == Step::Stop && node.accept != 0 && node.accept_at_end == 0
}
