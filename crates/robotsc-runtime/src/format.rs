//! The program format: what the encoder writes and the walk reads.
//!
//! All numbers are little-endian. A program is
//!
//! | bytes | what |
//! |---|---|
//! | 0-1 | the mark `RP` |
//! | 2 | the version, 3 |
//! | 3 | bits 0-1: bytes of a rank; bits 2-3: bytes of an offset, less one; bits 4-6: the flags below |
//! | 4-7 | the checksum of all other bytes |
//! | 8 | the number of parts, at most 64, and one more if the last is a list |
//! | 9 | the form of paths: 0 escaped, 1 canonical, 2 canonical with a decoded query |
//! | 10-11 | the offset of the first part's first node |
//! | 12-… | for each part after the first: the offset of its first node, 4 bytes |
//! | … | the code: nodes |
//! | … | with [`HAS_RULES`], for each rule from the top rank: its line, 4 bytes; its length, 4 bytes (note 1) |
//! | last 4 | with [`HAS_RULES`]: the number of rules |
//!
//! Note 1: the highest bit of the length means an `Allow` line, the bit below it the verdict Allow.
//!
//! A node is
//!
//! | bytes | what |
//! |---|---|
//! | 1 | bits 0-2: the kind; bits 3-4: what is reached on entering; bits 5-6: what at the end; bit 7: short |
//! | rank | if something is reached on entering |
//! | rank | if something is reached at the end |
//! | … | by kind |
//!
//! "At the end" means if the path ends at this node. What is reached is 0 nothing, 1 Disallow or 2 Allow; if ranks have
//! a width, 0 nothing or 1 the rank that follows. By kind:
//!
//! | kind | what follows | what it does |
//! |---|---|---|
//! | `STOP` | | the walk ends |
//! | `RUN` | length, bytes, the next node | the bytes lead to the next node, any other ends the walk |
//! | `RUN_ELSE` | length, failure transition, bytes, the next node | the failure transition reads another byte again |
//! | `BRANCH` | set | a byte of the set leads to its node, any other ends the walk |
//! | `BRANCH_ELSE` | failure transition, set | the failure transition reads any other byte again |
//! | `SCAN` | set | bytes are skipped up to one of the set, which leads to its node |
//! | `JUMP` | offset | goes on at another node |
//!
//! A set is its size, then that many bytes in order, then as many offsets; or 0, a bitmap of 32 bytes, and as many
//! offsets as it has bits. A failure transition is the offset of a `SCAN` node.
//!
//! The set of a `SCAN` node has a filter before its offsets: after a list as many [masks](mask), after a bitmap 32
//! bytes of [pairs](pair_place). A byte of the set is skipped, as if it were not in it, if the filter lacks the pair of
//! it and the byte after it: then the node that it leads to reaches nothing, does not read the second byte, and fails
//! to this scan.
//!
//! A short run has no next node: after its bytes, what bits 5-6 say is reached and the walk ends. A short branch has
//! offsets of one byte, counted from its end.
//!
//! So every step of the walk but a jump to a scan, or from a `JUMP` to what is no `JUMP`, consumes a byte.

/// The first two bytes of a policy.
pub const POLICY_MARK: [u8; 2] = *b"RA";
/// The first two bytes of a program.
pub const PROGRAM_MARK: [u8; 2] = *b"RP";
/// The version that this crate reads and writes.
pub const VERSION: u8 = 3;
/// The maximum number of parts, without the list: each is a pass over the path.
pub const MAX_PARTS: usize = 64;
/// Bytes before the parts' offsets.
pub const HEADER: usize = 12;
/// Flag: a table of rules follows the code.
pub const HAS_RULES: u8 = 1 << 4;
/// Flag: a failure transition is one byte wide.
pub const NARROW_FAILURE: u8 = 1 << 5;
/// Flag: the last part is a list of rules, which is described in the module that reads it.
pub const HAS_LIST: u8 = 1 << 6;
/// Bytes of a rule in that table.
pub const RULE: usize = 8;

/// Kind: the walk ends.
pub const STOP: u8 = 0;
/// Kind: a run.
pub const RUN: u8 = 1;
/// Kind: a run with a failure transition.
pub const RUN_ELSE: u8 = 2;
/// Kind: a branch.
pub const BRANCH: u8 = 3;
/// Kind: a branch with a failure transition.
pub const BRANCH_ELSE: u8 = 4;
/// Kind: a scan.
pub const SCAN: u8 = 5;
/// Kind: a jump.
pub const JUMP: u8 = 6;
/// The bit that makes a run end the walk, and the offsets of a branch one byte wide.
pub const SHORT: u8 = 1 << 7;
/// The bits of the kind.
pub const KIND: u8 = 7;

/// Where the bits of what is reached on entering start.
pub const ON_ENTRY: u8 = 3;
/// Where the bits of what is reached at the end of the path start.
pub const AT_END: u8 = 5;
/// What is reached: Disallow, or a rank.
pub const REACH_DISALLOW: u8 = 1;
/// What is reached: Allow.
pub const REACH_ALLOW: u8 = 2;

/// The largest set of a branch that is written as a list.
pub const LIST_MAX: usize = 24;
/// The largest set of a scan that is written as a list.
pub const SCAN_LIST_MAX: usize = 6;
/// Bytes of a filter of pairs.
pub const PAIRS: usize = 32;
/// The longest run.
pub const RUN_MAX: usize = 255;

/// Returns the bit, in the mask of a scan's byte, of the byte after it. Several bytes have one bit.
#[must_use]
#[inline(always)]
pub const fn mask(second: u8) -> u8 {
    1 << (second & 7)
}

/// Returns the bit of two bytes in a filter of pairs. Several pairs have one bit: what the filter holds is to be looked
/// at.
#[must_use]
#[inline(always)]
pub const fn pair_place(first: u8, second: u8) -> u8 {
    // Letters differ in five bits, which are spread over all eight.
    first.rotate_left(3) ^ second
}
