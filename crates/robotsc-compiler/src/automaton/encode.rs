//! From nodes to code: the layout and the octets. The format is described in `robotsc_runtime::format`.
//!
//! A run's next node follows it where it has no place yet; all else is referred to by offset. Nodes are laid out depth first, so that what a path
//! reads one after the other mostly lies one after the other. Offsets are as narrow as the code allows.

use robotsc_runtime::format;

use super::{Automaton, Node, NodeId, Step};

/// How wide the ranks are written; 0: only the verdict is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RankWidth(pub(crate) u8);

impl RankWidth {
    /// The least width that holds `rank`.
    pub(crate) const fn holding(rank: u32) -> Self {
        Self(match rank {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 3,
        })
    }
}

/// The code of several parts, and where each starts.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) octets: Vec<u8>,
    pub(crate) entries: Vec<u32>,
    pub(crate) offset_width: u8,
}

/// Encodes the parts one behind the other. `None` where the code would be longer than offsets can say.
pub(crate) fn encode(parts: &[Automaton], rank_width: RankWidth) -> Option<Code> {
    let least: usize = parts.iter().map(|part| part.text.len() + part.edges.len() * 2).sum();
    let narrowest = match least {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xff_ffff => 3,
        _ => 4,
    };
    (narrowest..=4).find_map(|offset_width| {
        let mut encoder = Encoder { octets: Vec::with_capacity(least * 2), offset_width, rank_width };
        let mut entries = Vec::with_capacity(parts.len());
        for part in parts {
            entries.push(u32::try_from(encoder.octets.len()).ok()?);
            encoder.part(part);
            let limit = 1_u64 << (8 * u32::from(offset_width));
            if encoder.octets.len() as u64 > limit {
                return None;
            }
        }
        Some(Code { octets: encoder.octets, entries, offset_width })
    })
}

struct Encoder {
    octets: Vec<u8>,
    offset_width: u8,
    rank_width: RankWidth,
}

/// No place yet.
const UNPLACED: u32 = u32::MAX;

impl Encoder {
    fn part(&mut self, part: &Automaton) {
        let mut places = vec![UNPLACED; part.nodes.len()];
        let mut patches: Vec<(usize, NodeId)> = Vec::new();
        let mut waiting = vec![NodeId(0)];
        while let Some(id) = waiting.pop() {
            if places[id.0 as usize] == UNPLACED {
                self.chain(part, id, &mut places, &mut patches, &mut waiting);
            }
        }
        let stop = u32::try_from(self.octets.len()).unwrap_or(UNPLACED);
        if patches.iter().any(|&(_, to)| to == NodeId::STOP) {
            self.octets.push(format::STOP);
        }
        let width = usize::from(self.offset_width);
        for (at, to) in patches {
            let place = if to == NodeId::STOP { stop } else { places[to.0 as usize] };
            self.octets[at..at + width].copy_from_slice(&place.to_le_bytes()[..width]);
        }
    }

    /// Writes a node and, while the next one may follow it, that one.
    fn chain(
        &mut self,
        part: &Automaton,
        mut id: NodeId,
        places: &mut [u32],
        patches: &mut Vec<(usize, NodeId)>,
        waiting: &mut Vec<NodeId>,
    ) {
        loop {
            places[id.0 as usize] = u32::try_from(self.octets.len()).unwrap_or(UNPLACED - 1);
            let node = part.node(id);
            let next = match &node.step {
                Step::Stop => {
                    self.head(node, format::STOP);
                    return;
                }
                Step::Run { text, next } => {
                    self.run(node, part.text(text), patches);
                    if node.fallback != NodeId::STOP {
                        waiting.push(node.fallback);
                    }
                    *next
                }
                Step::Branch { edges } if edges.is_empty() => {
                    // Only something is reached here, and the fallback goes on.
                    let fallback = node.fallback;
                    self.head(node, format::JUMP);
                    self.offset(fallback, patches);
                    waiting.push(fallback);
                    return;
                }
                Step::Branch { edges } => {
                    let edges = part.edges(edges);
                    if node.fallback == NodeId::STOP {
                        self.head(node, format::BRANCH);
                    } else {
                        self.head(node, format::BRANCH_ELSE);
                        self.offset(node.fallback, patches);
                        waiting.push(node.fallback);
                    }
                    self.set(edges, format::LIST_MAX, patches, waiting);
                    return;
                }
                Step::Scan { edges } => {
                    self.head(node, format::SCAN);
                    self.set(part.edges(edges), format::SCAN_LIST_MAX, patches, waiting);
                    return;
                }
            };
            if next == NodeId::STOP {
                self.octets.push(format::STOP);
                return;
            }
            if places[next.0 as usize] != UNPLACED {
                // A node that is hardly longer than a jump to it is written again.
                let node = part.node(next);
                match &node.step {
                    Step::Stop => self.head(node, format::STOP),
                    Step::Branch { edges } if edges.is_empty() => {
                        self.head(node, format::JUMP);
                        self.offset(node.fallback, patches);
                    }
                    _ => {
                        self.octets.push(format::JUMP);
                        self.offset(next, patches);
                    }
                }
                return;
            }
            id = next;
        }
    }

    fn run(&mut self, node: &Node, text: &[u8], patches: &mut Vec<(usize, NodeId)>) {
        let kind = if node.fallback == NodeId::STOP { format::RUN } else { format::RUN_ELSE };
        for (number, text) in text.chunks(format::RUN_MAX).enumerate() {
            if number == 0 {
                self.head(node, kind);
            } else {
                self.octets.push(kind);
            }
            self.octets.push(text.len() as u8);
            if kind == format::RUN_ELSE {
                self.offset(node.fallback, patches);
            }
            self.octets.extend_from_slice(text);
        }
    }

    fn set(
        &mut self,
        edges: &[(u8, NodeId)],
        list_max: usize,
        patches: &mut Vec<(usize, NodeId)>,
        waiting: &mut Vec<NodeId>,
    ) {
        if edges.len() <= list_max {
            self.octets.push(edges.len() as u8);
            self.octets.extend(edges.iter().map(|edge| edge.0));
        } else {
            let mut bitmap = [0_u8; 32];
            for &(octet, _) in edges {
                bitmap[usize::from(octet >> 3)] |= 1 << (octet & 7);
            }
            self.octets.push(0);
            self.octets.extend_from_slice(&bitmap);
        }
        for &(_, to) in edges {
            self.offset(to, patches);
        }
        waiting.extend(edges.iter().rev().map(|edge| edge.1).filter(|&to| to != NodeId::STOP));
    }

    /// The first octet of a node and the ranks that it reaches.
    fn head(&mut self, node: &Node, kind: u8) {
        let reach = |rank: u32| match (rank, self.rank_width) {
            (0, _) => 0,
            (rank, RankWidth(0)) if rank & 1 == 1 => format::REACH_ALLOW,
            _ => format::REACH_DISALLOW,
        };
        let (entry, end) = (reach(node.accept), reach(node.accept_at_end));
        self.octets.push(kind | entry << format::ON_ENTRY | end << format::AT_END);
        for rank in [node.accept, node.accept_at_end] {
            if rank != 0 {
                self.octets.extend_from_slice(&rank.to_le_bytes()[..usize::from(self.rank_width.0)]);
            }
        }
    }

    fn offset(&mut self, to: NodeId, patches: &mut Vec<(usize, NodeId)>) {
        patches.push((self.octets.len(), to));
        self.octets.extend_from_slice(&[0; 4][..usize::from(self.offset_width)]);
    }
}
