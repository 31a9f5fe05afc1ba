//! From nodes to code: the layout and the bytes. The format is described in `robotsc_runtime::format`.
//!
//! Scans come first where they are few, so that a failure transition is one byte. A run's next node follows it where it
//! has no place yet; all else is referred to by offset. Nodes are laid out depth first, so that what a path reads one
//! after the other mostly lies one after the other, and so that most branches reach their nodes with offsets of one
//! byte ([`shorten`]).

mod shorten;

use robotsc_runtime::format;

use self::shorten::BranchSet;
use crate::automaton::memory::held;
use crate::automaton::{Automaton, Node, NodeId, Step};

/// How wide the ranks are written; 0: only the verdict is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
pub(crate) struct Code<'e> {
    pub(crate) bytes: &'e [u8],
    pub(crate) entries: Vec<u32>,
    pub(crate) offset_width: u8,
    pub(crate) narrow_failure: bool,
}

/// Encodes the parts one after the other. `None` if the code would be longer than offsets can say.
pub(crate) fn encode<'e>(parts: &[Automaton], rank_width: RankWidth, encoder: &'e mut Encoder) -> Option<Code<'e>> {
    // Decided once, since the order of the nodes depends on it.
    let narrow_failure = scans_fit(parts, rank_width);
    let least = least_bytes(parts, rank_width);
    let narrowest = match least {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        0x1_0001..=0x100_0000 => 3,
        _ => 4,
    };
    let mut attempt = |offset_width| {
        encoder.settings = Settings { offset_width, narrow_failure, rank_width };
        encoder.out.clear();
        let entries = parts.iter().map(|part| encoder.part(part)).collect::<Option<Vec<_>>>()?;
        Some((entries, offset_width))
    };
    let (entries, offset_width) = (narrowest..=4).find_map(&mut attempt)?;
    Some(Code { bytes: &encoder.out, entries, offset_width, narrow_failure })
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
                Step::Scan { edges } => set(edges.len(), format::SCAN_LIST_MAX) + filter_bytes(edges.len()),
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
        // The first byte, the size, the list or bitmap, the filter; for each edge an offset at its widest and a leaf
        // with two ranks.
        let leaf = 1 + 2 * usize::from(rank_width.0);
        let list = if edges.len() <= format::SCAN_LIST_MAX { edges.len() } else { 32 };
        at += 2 + list + filter_bytes(edges.len()) + edges.len() * (4 + leaf);
        fits
    })
}

#[derive(Clone, Copy, Debug, Default)]
struct Settings {
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
    at: u32,
    width: u8,
    /// The place that it is counted from.
    from: u32,
    to: Target,
}

/// The code so far, and the layout of the part at hand. The memory of both is left to the next.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    out: Vec<u8>,
    settings: Settings,
    places: Vec<u32>,
    /// The nodes that have a place, in the order of their places.
    placed: Vec<NodeId>,
    /// In the order of their places.
    patches: Vec<Patch>,
    waiting: Vec<NodeId>,
    /// In the order of their places.
    branches: Vec<BranchSet>,
    /// Whether an edge leads to [`NodeId::STOP`].
    refers_to_stop: bool,
    /// Scratch of `set`: the leaves after it, and where each starts.
    leaves: Vec<(NodeId, u32)>,
}

impl Encoder {
    /// Returns the bytes of memory held.
    pub(crate) fn held(&self) -> usize {
        let nodes = held(&self.places) + held(&self.placed) + held(&self.waiting) + held(&self.leaves);
        held(&self.out) + nodes + held(&self.patches) + held(&self.branches)
    }

    /// Writes a part. Returns its entry, or `None` if the offsets are too narrow.
    fn part(&mut self, part: &Automaton) -> Option<u32> {
        self.places.clear();
        self.places.resize(part.nodes.len(), UNPLACED);
        self.placed.clear();
        self.patches.clear();
        self.waiting.clear();
        self.branches.clear();
        self.refers_to_stop = false;
        let start = self.out.len();
        self.patches.reserve(part.edges.len());
        if self.settings.narrow_failure {
            let scans = (0..).zip(&part.nodes).filter(|(_, node)| matches!(node.step, Step::Scan { .. }));
            scans.for_each(|(id, _)| self.chain(NodeId(id), part));
        }
        // The start is written next, since it is read first.
        self.waiting.push(NodeId(0));
        while let Some(id) = self.waiting.pop() {
            if self.places[id.0 as usize] == UNPLACED {
                self.chain(id, part);
            }
        }
        let mut stop = self.here();
        // Places are counted in 32 bits.
        if self.out.len() > UNPLACED as usize - 1 {
            return None;
        }
        if self.refers_to_stop {
            self.out.push(format::STOP);
        }
        self.shorten(start, &mut stop);
        if self.out.len() as u64 > 1 << (8 * u32::from(self.settings.offset_width)) {
            return None;
        }
        for patch in &self.patches {
            let offset = place(&self.places, patch.to, stop).wrapping_sub(patch.from);
            let (at, width) = (patch.at as usize, usize::from(patch.width));
            self.out[at..at + width].copy_from_slice(&offset.to_le_bytes()[..width]);
        }
        Some(self.places[0])
    }

    fn here(&self) -> u32 {
        u32::try_from(self.out.len()).unwrap_or(UNPLACED - 1)
    }

    /// Writes a node and, while the next one may follow it, that one.
    fn chain(&mut self, mut id: NodeId, part: &Automaton) {
        loop {
            self.places[id.0 as usize] = self.here();
            self.placed.push(id);
            let node = part.node(id);
            match &node.step {
                Step::Stop => {
                    self.write_head(node, format::STOP);
                    return;
                }
                Step::Run { text, next } => {
                    let Some(next) = self.run(node, part.text(text), *next, part) else { return };
                    id = next;
                }
                Step::Branch { edges } if edges.is_empty() => {
                    // Only something is reached here, and the failure transition goes on.
                    self.write_head(node, format::JUMP);
                    self.offset(node.failure);
                    self.waiting.push(node.failure);
                    return;
                }
                Step::Branch { edges } => {
                    if node.failure == NodeId::STOP {
                        self.write_head(node, format::BRANCH);
                    } else {
                        self.write_head(node, format::BRANCH_ELSE);
                        self.failure(node);
                    }
                    self.set(id, part.edges(edges), format::LIST_MAX, part);
                    return;
                }
                Step::Scan { edges } => {
                    self.write_head(node, format::SCAN);
                    self.set(id, part.edges(edges), format::SCAN_LIST_MAX, part);
                    return;
                }
            }
        }
    }

    /// Writes a run and what must follow it. The next node, where that may follow.
    fn run(&mut self, node: &Node, text: &[u8], next: NodeId, part: &Automaton) -> Option<NodeId> {
        let kind = if node.failure == NodeId::STOP { format::RUN } else { format::RUN_ELSE };
        // A leaf after the last bytes is part of the run, if the run itself has nothing to say at the end of the path.
        let leaf = (next != NodeId::STOP).then(|| part.node(next)).filter(|next| is_leaf(next));
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
            self.write_head(&head, kind | if leaf.is_some() { format::SHORT } else { 0 });
            self.out.push(text.len() as u8);
            if kind == format::RUN_ELSE {
                self.failure(node);
            }
            self.out.extend_from_slice(text);
            if leaf.is_some() {
                return None;
            }
        }
        if next == NodeId::STOP {
            self.out.push(format::STOP);
            return None;
        }
        if self.places[next.0 as usize] == UNPLACED {
            return Some(next);
        }
        // A node that is hardly longer than a jump to it is written again.
        let node = part.node(next);
        match &node.step {
            Step::Stop => self.write_head(node, format::STOP),
            Step::Branch { edges } if edges.is_empty() => {
                self.write_head(node, format::JUMP);
                self.offset(node.failure);
            }
            _ => {
                self.out.push(format::JUMP);
                self.offset(next);
            }
        }
        None
    }

    /// Writes a set, and after it the leaves that its edges lead to.
    fn set(&mut self, id: NodeId, edges: &[(u8, NodeId)], list_max: usize, part: &Automaton) {
        if edges.len() <= list_max {
            self.out.push(edges.len() as u8);
            edges.iter().for_each(|edge| self.out.push(edge.0));
        } else {
            let mut bitmap = [0_u8; 32];
            for &(byte, _) in edges {
                bitmap[usize::from(byte >> 3)] |= 1 << (byte & 7);
            }
            self.out.push(0);
            self.out.extend_from_slice(&bitmap);
        }
        let is_branch = matches!(part.node(id).step, Step::Branch { .. });
        if !is_branch {
            let mut filter = [0; format::PAIRS];
            let filter = &mut filter[..filter_bytes(edges.len())];
            fill_filter(part, id, edges, filter);
            self.out.extend_from_slice(filter);
        }
        let width = self.settings.offset_width;
        let at = self.reserve(edges.len() * usize::from(width));
        let end = self.here();
        let first = self.patches.len();
        self.leaves.clear();
        for (&(_, to), at) in edges.iter().zip((at..).step_by(usize::from(width))) {
            let mut target = Target::Node(to);
            self.refers_to_stop |= to == NodeId::STOP;
            if to != NodeId::STOP && part.node(to).step == Step::Stop {
                let known = self.leaves.iter().find(|leaf| leaf.0 == to).map(|leaf| leaf.1);
                target = Target::Place(known.unwrap_or_else(|| {
                    let place = self.here();
                    self.write_head(part.node(to), format::STOP);
                    self.leaves.push((to, place));
                    place
                }));
            }
            self.patches.push(Patch { at, width, from: 0, to: target });
        }
        if is_branch {
            self.branches.push(BranchSet::wide(id, end, first..self.patches.len()));
        }
        let nodes = self.patches[first..].iter().rev().filter_map(|patch| match patch.to {
            Target::Node(node) if node != NodeId::STOP => Some(node),
            _ => None,
        });
        self.waiting.extend(nodes);
    }

    /// Writes the first byte of a node and the ranks that it reaches.
    fn write_head(&mut self, node: &Node, kind: u8) {
        let reach = |rank: u32| match (rank, self.settings.rank_width) {
            (0, _) => 0,
            (rank, RankWidth(0)) if rank & 1 == 1 => format::REACH_ALLOW,
            _ => format::REACH_DISALLOW,
        };
        let (entry, end) = (reach(node.accept), reach(node.accept_at_end));
        self.out.push(kind | entry << format::ON_ENTRY | end << format::AT_END);
        for rank in [node.accept, node.accept_at_end] {
            if rank != 0 {
                self.out.extend_from_slice(&rank.to_le_bytes()[..usize::from(self.settings.rank_width.0)]);
            }
        }
    }

    fn failure(&mut self, node: &Node) {
        if self.settings.narrow_failure {
            // Scans have their places before all else, and no gap before them.
            self.out.push(self.places[node.failure.0 as usize] as u8);
        } else {
            self.offset(node.failure);
            self.waiting.push(node.failure);
        }
    }

    fn offset(&mut self, to: NodeId) {
        let width = self.settings.offset_width;
        let at = self.reserve(usize::from(width));
        self.patches.push(Patch { at, width, from: 0, to: Target::Node(to) });
    }

    /// Adds bytes that patches fill. Returns where they start.
    fn reserve(&mut self, count: usize) -> u32 {
        let at = self.here();
        self.out.resize(self.out.len() + count, 0);
        at
    }
}

/// Returns the place of a target, given the place of the code that stops.
fn place(places: &[u32], target: Target, stop: u32) -> u32 {
    match target {
        Target::Place(place) => place,
        Target::Node(NodeId::STOP) => stop,
        Target::Node(node) => places[node.0 as usize],
    }
}

/// Returns the bytes of the filter of a scan with so many edges.
fn filter_bytes(edges: usize) -> usize {
    if edges <= format::SCAN_LIST_MAX { edges } else { format::PAIRS }
}

/// Fills the filter of a scan: with each byte that has an edge, and a byte after it with which there is more to do than
/// to go on with the second.
fn fill_filter(part: &Automaton, scan: NodeId, edges: &[(u8, NodeId)], filter: &mut [u8]) {
    let is_list = edges.len() <= format::SCAN_LIST_MAX;
    for (index, &(first, to)) in edges.iter().enumerate() {
        let mut add = |second| {
            if is_list {
                filter[index] |= format::mask(second);
            } else {
                let place = format::pair_place(first, second);
                filter[usize::from(place >> 3)] |= 1 << (place & 7);
            }
        };
        let node = (to != NodeId::STOP).then(|| part.node(to)).filter(|node| node.accept == 0 && node.failure == scan);
        match node.map(|node| &node.step) {
            Some(Step::Run { text, .. }) if !part.text(text).is_empty() => add(part.text(text)[0]),
            Some(Step::Branch { edges }) if !edges.is_empty() => {
                part.edges(edges).iter().for_each(|&(second, _)| add(second));
            }
            // Something is reached, or the walk goes on or ends elsewhere, whatever comes next.
            _ => (0..=u8::MAX).for_each(add),
        }
    }
}

/// Reports whether a node only reaches something and ends the walk.
fn is_leaf(node: &Node) -> bool {
    node.step == Step::Stop && node.accept != 0 && node.accept_at_end == 0
}
