//! The positions of a path at which normalization may change something, sixteen bytes at a time.
//!
//! ```text
//! /shop/caf%c3%a9/.hidden?x=1'
//!          ^  ^   ^          ^
//! ```
//! Every other byte stays as it is in every form, so a reader of a path looks at these positions only. Nearly every
//! path of a crawl has none. The byte decides, except for a dot, which counts after a slash alone:
//!
//! | bytes | why they are looked for |
//! |---|---|
//! | controls, space, `"`, `<`, `>`, `` ` ``, `{`, `}`, `^`, DEL, from 0x80 | percent-encoded |
//! | `'` | percent-encoded in a query |
//! | `#` | starts the fragment |
//! | `%` | starts an escape |
//! | `\` | is a slash |
//! | `.` after `/` | may start a dot segment |
//! | `*`, `$` | percent-encoded in the canonical form |
//!
//! A few bytes that never change are found too (`!`, `~`, `|`): a false positive only costs time.

/// Iterates over the positions of a text at which normalization may change something.
///
/// With `CANONICAL` it finds `*` and `$` too, else they are skipped.
#[derive(Clone, Debug)]
pub struct Signs<'t, const CANONICAL: bool> {
    text: &'t [u8],
    /// The position of the first byte of the chunk.
    chunk: usize,
    /// One bit for each byte of the chunk that is still to return, its lowest.
    found: u128,
    /// The position after the chunk. At least 1.
    next: usize,
}

impl<'t, const CANONICAL: bool> Signs<'t, CANONICAL> {
    /// Returns the signs of `text` after position `at`: a sign has a byte before it, since a dot is one after a slash.
    #[must_use]
    #[inline(always)]
    pub const fn after(text: &'t [u8], at: usize) -> Self {
        Self { text, chunk: at, found: 0, next: at.saturating_add(1) }
    }

    /// Reads the next chunk. Returns `false` if there is none.
    #[inline(always)]
    fn read(&mut self) -> bool {
        self.chunk = self.next;
        let Some(rest) = self.text.get(self.next.wrapping_sub(1)..) else { return false };
        if let Some(window) = rest.first_chunk() {
            self.found = signs::<CANONICAL>(window);
        } else if rest.len() <= 1 {
            return false;
        } else if let Some(window) = self.text.last_chunk() {
            // The last chunk overlaps what was read before: those bytes are shifted out.
            self.found = signs::<CANONICAL>(window) >> (8 * (WINDOW - rest.len()));
        } else {
            let mut window = [b'a'; WINDOW];
            for (byte, from) in window.iter_mut().zip(rest) {
                *byte = *from;
            }
            self.found = signs::<CANONICAL>(&window);
        }
        self.next += WINDOW - 1;
        true
    }
}

impl<const CANONICAL: bool> Iterator for Signs<'_, CANONICAL> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.found == 0 {
            if !self.read() {
                return None;
            }
        }
        let at = self.chunk + self.found.trailing_zeros() as usize / 8;
        self.found &= self.found - 1;
        Some(at)
    }
}

/// The bytes of a chunk and the one before it.
const WINDOW: usize = 17;

/// Returns the lowest bit of each byte after the first that is a sign.
///
/// There is no branch in the loop, so that the sixteen bytes are checked together.
#[inline(always)]
fn signs<const CANONICAL: bool>(window: &[u8; WINDOW]) -> u128 {
    let mut found = [0; WINDOW - 1];
    for ((found, byte), before) in found.iter_mut().zip(&window[1..]).zip(window) {
        let changes = changes_escaped(*byte) | (CANONICAL & ((*byte == b'*') | (*byte == b'$')));
        let starts_dots = (*byte == b'.') & (*before == b'/');
        *found = u8::from(changes | starts_dots);
    }
    u128::from_le_bytes(found)
}

/// Reports whether normalization may change a byte of a path, or stops at it, in every form.
///
/// Written for vectors of bytes: neighbours in one comparison, no table. Beyond the bytes of the table above it holds
/// for `!`, `~` and `|`.
#[inline(always)]
const fn changes_escaped(byte: u8) -> bool {
    // As a signed number, bytes from 0x80 are below all others.
    let outside = ((byte as i8) < 0x24) | ((byte as i8) > 0x7A);
    outside | (byte | 0x02 == 0x27) | (byte | 0x62 == 0x7E) | (byte == b'`')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow and plain form of the table above, and the three bytes that are found beside it.
    fn is_listed(byte: u8, before: u8, canonical: bool) -> bool {
        let common = matches!(byte, 0..=0x20 | 0x7F.. | b'"' | b'<' | b'>' | b'`' | b'{' | b'}' | b'^')
            || matches!(byte, b'\'' | b'#' | b'%' | b'\\' | b'!' | b'~' | b'|');
        common || (byte == b'.' && before == b'/') || (canonical && matches!(byte, b'*' | b'$'))
    }

    #[test]
    fn every_byte_is_found_at_every_kind_of_position() {
        let mut text = [b'a'; 50];
        // Miri is too slow for all of them.
        for byte in (0..=u8::MAX).step_by(if cfg!(miri) { 13 } else { 1 }) {
            for (before, at) in [(b'a', 1), (b'/', 1), (b'/', 15), (b'/', 16), (b'a', 17), (b'/', 33), (b'/', 49)] {
                (text[at - 1], text[at]) = (before, byte);
                // What was found up to a start, and what comes after an end, does not count.
                for start in [0, at.saturating_sub(17), at - 1] {
                    for end in [at + 1, (at + 16).min(50), 50] {
                        let text = &text[..end];
                        let wanted = |canonical| is_listed(byte, before, canonical).then_some(at);
                        assert!(Signs::<false>::after(text, start).eq(wanted(false)), "{byte:#x} {start} {at} {end}");
                        assert!(Signs::<true>::after(text, start).eq(wanted(true)), "{byte:#x} {start} {at} {end}");
                    }
                }
                (text[at - 1], text[at]) = (b'a', b'a');
            }
        }
    }

    #[test]
    fn signs_come_in_order() {
        let text = b"/shop/caf%c3%a9/.hidden?x=1'";
        assert!(Signs::<false>::after(text, 0).eq([9, 12, 16, 27]));
        assert_eq!(Signs::<false>::after(text, text.len() - 1).next(), None);
        assert_eq!(Signs::<false>::after(b"", 0).next(), None);
    }
}
