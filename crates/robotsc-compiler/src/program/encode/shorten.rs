//! Offsets of one byte, where all nodes of a branch are near.
//!
//! All branches are laid out with wide offsets first. Then those turn short whose nodes are all near, and the gaps are
//! closed, which brings nothing further apart. (It brings the nodes of other branches near. Those stay wide: 0.02 % of
//! the bytes.)

use std::ops::Range;

use robotsc_runtime::format;

use super::{Encoder, Patch, Target, place};
use crate::automaton::NodeId;

/// The set of a branch.
#[derive(Debug)]
pub(super) struct BranchSet {
    node: NodeId,
    /// Where its offsets end.
    end: u32,
    /// The patches of its offsets.
    patches: Range<usize>,
    is_short: bool,
    /// The bytes that go before `end`, where this branch and others before it turned short.
    gone: u32,
}

impl BranchSet {
    /// Notes the set of a node, with wide offsets.
    pub(super) const fn wide(node: NodeId, end: u32, patches: Range<usize>) -> Self {
        Self { node, end, patches, is_short: false, gone: 0 }
    }
}

/// Moves places, asked for in ascending order, to where they lie once gaps are closed.
struct Mover<'b> {
    /// The branches that end after the last place.
    ahead: std::slice::Iter<'b, BranchSet>,
    gone: u32,
}

impl<'b> Mover<'b> {
    fn new(branches: &'b [BranchSet]) -> Self {
        Self { ahead: branches.iter(), gone: 0 }
    }

    fn moved(&mut self, place: u32) -> u32 {
        while let Some(branch) = self.ahead.as_slice().first().filter(|branch| branch.end <= place) {
            self.gone = branch.gone;
            self.ahead.next();
        }
        place - self.gone
    }
}

impl Encoder {
    /// Gives branches offsets of one byte where all their nodes are near, and closes the gaps. The part starts at
    /// `start`.
    pub(super) fn shorten(&mut self, start: usize, stop: &mut u32) {
        let Self { places, patches, branches, .. } = self;
        // What a short branch saves for each of its offsets: nothing if all are of one byte.
        let saved = u32::from(self.settings.offset_width) - 1;
        let mut gone = 0;
        for branch in branches {
            let is_near = |patch: &Patch| {
                let distance = place(places, patch.to, *stop).checked_sub(branch.end);
                distance.is_some_and(|distance| distance <= 0xff)
            };
            branch.is_short = patches[branch.patches.clone()].iter().all(is_near);
            gone += if branch.is_short { branch.patches.len() as u32 * saved } else { 0 };
            branch.gone = gone;
        }
        if gone > 0 {
            self.close(start, stop);
        }
        for branch in self.branches.iter().filter(|branch| branch.is_short) {
            self.out[self.places[branch.node.0 as usize] as usize] |= format::SHORT;
            let end = branch.end - branch.gone;
            let patches = &mut self.patches[branch.patches.clone()];
            for (patch, at) in patches.iter_mut().zip(end - branch.patches.len() as u32..) {
                *patch = Patch { at, width: 1, from: end, to: patch.to };
            }
        }
    }

    /// Moves all that lies after the offsets of short branches.
    fn close(&mut self, start: usize, stop: &mut u32) {
        let Self { out, places, placed, patches, branches, .. } = self;
        // What was read so far, and what of it was kept.
        let (mut read, mut kept) = (start, start);
        for branch in branches.iter().filter(|branch| branch.is_short) {
            let end = (branch.end - branch.gone) as usize;
            out.copy_within(read..end + (read - kept), kept);
            (read, kept) = (branch.end as usize, end);
        }
        out.copy_within(read.., kept);
        out.truncate(out.len() - (read - kept));
        // The leaves of a set all lie before the next set.
        let (mut offsets, mut leaves, mut nodes) = (Mover::new(branches), Mover::new(branches), Mover::new(branches));
        for patch in patches {
            patch.at = offsets.moved(patch.at);
            if let Target::Place(place) = &mut patch.to {
                *place = leaves.moved(*place);
            }
        }
        for node in placed {
            let place = &mut places[node.0 as usize];
            *place = nodes.moved(*place);
        }
        *stop = nodes.moved(*stop);
    }
}
