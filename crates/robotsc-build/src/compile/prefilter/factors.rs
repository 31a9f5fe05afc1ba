//! What an expression needs: texts, of which each match has one at least.
//!
//! An expression is read from left to right. What is bounded in length is a run; where something unbounded comes, what
//! was read so far is forgotten but for whether a `?` was among it, and that is where the next run starts. Each run,
//! with what stands before it, is a factor: a path that the expression matches has a prefix that the factor matches.
//! Something unbounded that may be left out, such as `(?:.*[&;])?`, gives a factor more than one way to start. A run
//! that is longer than there is room for is cut, and nothing follows it.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::graph::{Graph, PATH, QUERY, START};

/// Factors that more than so many places fit are no help.
const COMMON: f64 = 1.0 / 100.0;
/// An expression has enough of factors once fewer places than this fit all.
const RARE: f64 = 1.0 / 20_000.0;
/// A run that fits fewer places than this is cut where many bytes may follow.
const UNCOMMON: f64 = 1e-5;
/// Bytes that together are more than this share of all are many.
const WIDE: f64 = 0.2;
/// The most factors of an expression.
const FACTORS: usize = 3;

/// What a match needs: to pass one of these nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Factor {
    pub(super) nodes: Vec<usize>,
    /// Roughly the share of places in paths where it fits.
    chance: f64,
}

/// Adds an expression to a graph, and gives its factors, the rarest first; none where it needs nothing that is worth a
/// look. Of each run `room` bytes are looked at. `None` where there are too many nodes.
pub(super) fn of(hir: &Hir, room: usize, graph: &mut Graph) -> Option<Vec<Factor>> {
    let mut factors = Vec::new();
    let mut reader = Reader { room, graph };
    let start = Read { ways: vec![Way { node: START, left: Some(room), chance: AT_START }], phase: Phase::START };
    let read = reader.read(hir, start, Some(&mut factors))?;
    factors.push(read.factor());
    factors.retain(|factor| factor.chance <= COMMON);
    factors.sort_by(|a, b| a.chance.total_cmp(&b.chance));
    factors.truncate(FACTORS);
    let mut chance = 1.0;
    factors.retain(|factor| {
        let is_wanted = chance > RARE;
        chance *= factor.chance;
        is_wanted
    });
    Some(factors)
}

/// What may be known of a `?` in what was read.
#[derive(Clone, Copy, Debug)]
struct Phase {
    may_lack: bool,
    may_have: bool,
}

impl Phase {
    const START: Self = Self { may_lack: true, may_have: false };

    fn after(self, hir: &Hir) -> Self {
        Self { may_lack: self.may_lack && may_lack(hir), may_have: self.may_have || may_have(hir) }
    }
}

/// Where reading has come to.
#[derive(Clone, Copy, Debug)]
struct Way {
    node: usize,
    /// How many bytes may follow; `None` where something was cut, so that nothing may.
    left: Option<usize>,
    /// Roughly the share of places in paths that lead here.
    chance: f64,
}

/// What was read so far: each text that was read passes one of the ways.
#[derive(Clone, Debug)]
struct Read {
    /// Of each `left` at most one.
    ways: Vec<Way>,
    phase: Phase,
}

impl Read {
    fn factor(&self) -> Factor {
        let chance = self.ways.iter().map(|way| way.chance).sum();
        Factor { nodes: self.ways.iter().map(|way| way.node).collect(), chance }
    }
}

struct Reader<'g> {
    room: usize,
    graph: &'g mut Graph,
}

impl Reader<'_> {
    /// What is read after `hir`. `factors` where all matches pass here, so that what they need here is a factor.
    fn read(&mut self, hir: &Hir, before: Read, mut factors: Option<&mut Vec<Factor>>) -> Option<Read> {
        let phase = before.phase.after(hir);
        if hir.properties().maximum_len().is_some() {
            return Some(Read { ways: self.run(hir, before.ways)?, phase });
        }
        match hir.kind() {
            HirKind::Capture(capture) => return self.read(&capture.sub, before, factors),
            HirKind::Concat(parts) => {
                return parts.iter().try_fold(before, |before, part| self.read(part, before, factors.as_deref_mut()));
            }
            _ => {}
        }
        if let Some(factors) = &mut factors {
            factors.push(before.factor());
        }
        match hir.kind() {
            HirKind::Alternation(parts) => {
                let mut after = Vec::new();
                let mut either = Factor::default();
                for part in parts {
                    let mut needs = Vec::new();
                    let read = self.read(part, before.clone(), factors.is_some().then_some(&mut needs))?;
                    needs.push(read.factor());
                    let rarest = needs.into_iter().min_by(|a, b| a.chance.total_cmp(&b.chance)).unwrap_or_default();
                    either.nodes.extend(rarest.nodes);
                    either.chance += rarest.chance;
                    after.extend(read.ways);
                }
                if let Some(factors) = factors {
                    factors.push(either);
                }
                Some(Read { ways: self.joined(after)?, phase })
            }
            HirKind::Repetition(repetition) if repetition.min == 0 && repetition.max == Some(1) => {
                let mut ways = self.read(&repetition.sub, before.clone(), None)?.ways;
                ways.extend(before.ways);
                Some(Read { ways: self.joined(ways)?, phase })
            }
            HirKind::Repetition(repetition) if repetition.min > 0 => {
                if let Some(factors) = factors {
                    let first = self.read(&repetition.sub, before.clone(), Some(factors))?;
                    factors.push(first.factor());
                }
                // The last time, which may be the first: then no `?` of this is before it.
                let before_last = Phase { may_lack: before.phase.may_lack, ..phase };
                let last = self.read(&repetition.sub, self.forgotten(before_last), None)?;
                Some(Read { phase, ..last })
            }
            _ => Some(self.forgotten(phase)),
        }
    }

    /// Nothing is known but the phase.
    fn forgotten(&self, phase: Phase) -> Read {
        let heads = [(phase.may_lack, PATH, 1.0), (phase.may_have, QUERY, IN_QUERY)];
        let ways = heads.into_iter().filter(|(may, ..)| *may);
        Read { ways: ways.map(|(_, node, chance)| Way { node, left: Some(self.room), chance }).collect(), phase }
    }

    /// The ways after something of bounded length.
    fn run(&mut self, hir: &Hir, before: Vec<Way>) -> Option<Vec<Way>> {
        match hir.kind() {
            // What stands elsewhere than `^` says is let through.
            HirKind::Empty | HirKind::Look(Look::Start) => Some(before),
            HirKind::Look(_) => self.each(before, |graph, way| {
                Some(Way { node: graph.end(way.node)?, chance: way.chance * AT_END, ..way })
            }),
            HirKind::Literal(literal) => {
                let mut ways = before;
                for byte in &literal.0 {
                    ways = self.byte(&[(*byte, *byte)], ways)?;
                }
                Some(ways)
            }
            // A character has up to four bytes, so what follows is at no one place.
            HirKind::Class(Class::Unicode(_)) => {
                self.joined(before.into_iter().map(|way| Way { left: None, ..way }).collect())
            }
            HirKind::Class(class) => self.byte(&ranges(class).collect::<Vec<_>>(), before),
            HirKind::Capture(capture) => self.run(&capture.sub, before),
            HirKind::Concat(parts) => parts.iter().try_fold(before, |ways, part| self.run(part, ways)),
            HirKind::Alternation(parts) => {
                let mut after = Vec::new();
                for part in parts {
                    after.extend(self.run(part, before.clone())?);
                }
                self.joined(after)
            }
            HirKind::Repetition(repetition) => {
                let mut ways = before;
                let mut after = Vec::new();
                for time in 0..repetition.max? {
                    if time >= repetition.min {
                        after.extend_from_slice(&ways);
                    }
                    if ways.iter().all(|way| way.left.is_none()) {
                        break;
                    }
                    ways = self.run(&repetition.sub, ways)?;
                }
                after.extend(ways);
                self.joined(after)
            }
        }
    }

    /// The ways after one byte of some ranges.
    fn byte(&mut self, ranges: &[(u8, u8)], before: Vec<Way>) -> Option<Vec<Way>> {
        let bytes = || ranges.iter().flat_map(|(from, to)| *from..=*to);
        let share = bytes().map(share).sum::<f64>().min(1.0);
        let is_wide = share > WIDE;
        let after = self.each(before, |graph, way| match way.left.and_then(|left| left.checked_sub(1)) {
            None => Some(Way { left: None, ..way }),
            // It would tell little more, and all that can go on meanwhile would be states.
            Some(_) if is_wide && way.chance < UNCOMMON => Some(Way { left: None, ..way }),
            left => {
                // Every path starts with a slash.
                let share = if way.node == START && bytes().any(|byte| byte == b'/') { 1.0 } else { share };
                Some(Way { node: graph.step(way.node, bytes())?, left, chance: way.chance * share })
            }
        })?;
        self.joined(after)
    }

    /// What becomes of each way that is not cut.
    fn each(&mut self, before: Vec<Way>, mut next: impl FnMut(&mut Graph, Way) -> Option<Way>) -> Option<Vec<Way>> {
        before.into_iter().map(|way| if way.left.is_none() { Some(way) } else { next(self.graph, way) }).collect()
    }

    /// The same ways, with one for each `left`.
    fn joined(&mut self, mut ways: Vec<Way>) -> Option<Vec<Way>> {
        ways.sort_by_key(|way| (way.left, way.node));
        ways.dedup_by_key(|way| (way.left, way.node));
        let joined = ways.chunk_by(|a, b| a.left == b.left).map(|same| {
            let nodes: Vec<usize> = same.iter().map(|way| way.node).collect();
            let chance = same.iter().map(|way| way.chance).sum();
            Some(Way { node: self.graph.join(&nodes)?, left: same.first()?.left, chance })
        });
        joined.collect()
    }
}

/// Roughly the share of paths' starts, and of their ends, among places in paths.
const AT_START: f64 = 1.0 / 32.0;
const AT_END: f64 = 1.0 / 32.0;
/// Roughly the share of places after a `?`.
const IN_QUERY: f64 = 0.2;

/// Whether a text without a `?` may match.
fn may_lack(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => !literal.0.contains(&b'?'),
        HirKind::Class(class) => ranges(class).any(|(from, to)| from != b'?' || to != b'?'),
        HirKind::Repetition(repetition) => repetition.min == 0 || may_lack(&repetition.sub),
        HirKind::Capture(capture) => may_lack(&capture.sub),
        HirKind::Concat(parts) => parts.iter().all(may_lack),
        HirKind::Alternation(parts) => parts.iter().any(may_lack),
    }
}

/// Whether a text with a `?` may match.
fn may_have(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.contains(&b'?'),
        HirKind::Class(class) => ranges(class).any(|(from, to)| (from..=to).contains(&b'?')),
        HirKind::Repetition(repetition) => may_have(&repetition.sub),
        HirKind::Capture(capture) => may_have(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(may_have),
    }
}

/// The bytes of a class: first and last of each range; any for a class of characters, which only `(?u)` makes:
/// expressions are over bytes.
fn ranges(class: &Class) -> impl Iterator<Item = (u8, u8)> {
    let (bytes, any) = match class {
        Class::Bytes(bytes) => (bytes.ranges(), None),
        Class::Unicode(_) => (&[][..], Some((0, u8::MAX))),
    };
    bytes.iter().map(|range| (range.start(), range.end())).chain(any)
}

/// Roughly the share of a byte in the paths of real URLs, in either case.
fn share(byte: u8) -> f64 {
    match byte.to_ascii_lowercase() {
        b'/' => 0.1,
        b'e' | b'a' | b'i' | b't' | b'o' | b's' | b'n' | b'r' => 0.06,
        b'-' | b'0'..=b'9' | b'l' | b'c' | b'd' | b'm' | b'p' | b'u' | b'h' | b'g' => 0.03,
        b'a'..=b'z' | b'.' | b'_' | b'%' => 0.015,
        b'?' | b'=' | b'&' => 0.01,
        0x21..=0x7E => 0.001,
        _ => 0.000_01,
    }
}
