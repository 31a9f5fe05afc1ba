//! Finding one string of bytes in another, in linear time and without memory.

/// The longest piece that is looked for place by place: what that may cost for each byte of the text.
const SHORT: usize = 32;

/// Returns the first place of `piece` in `text`. Cost: linear in both together.
pub(crate) fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    let Some((first, others)) = piece.split_first() else { return Some(0) };
    let last = text.len().checked_sub(piece.len())?;
    if piece.len() > SHORT {
        return find_long(text, piece);
    }
    (0..=last).find(|&place| text[place] == *first && text[place + 1..].starts_with(others))
}

/// The two-way search of Crochemore and Perrin (1991): `piece` is cut where its local period is that of the whole; the
/// right half is compared first, and every mismatch says how far no match can start.
fn find_long(text: &[u8], piece: &[u8]) -> Option<usize> {
    let (cut, mut period) = largest_suffix(piece, false).max(largest_suffix(piece, true));
    let is_periodic = piece[period..].starts_with(&piece[..cut]);
    if !is_periodic {
        // The period of the whole is longer than either half.
        period = cut.max(piece.len() - cut) + 1;
    }
    let mut place = 0;
    // Bytes at the front of the piece that are known to match, since the piece repeats.
    let mut known = 0;
    while let Some(here) = text.get(place..place + piece.len()) {
        let right = cut.max(known);
        if let Some(same) = (right..piece.len()).find(|&at| piece[at] != here[at]) {
            place += same - cut + 1;
            known = 0;
        } else if (known..cut).any(|at| piece[at] != here[at]) {
            place += period;
            known = if is_periodic { piece.len() - period } else { 0 };
        } else {
            return Some(place);
        }
    }
    None
}

/// Returns where the largest suffix starts, by the order of bytes or its reverse, and its period.
fn largest_suffix(piece: &[u8], reverse: bool) -> (usize, usize) {
    let (mut start, mut rival, mut same, mut period) = (0, 1, 0, 1);
    while let Some(&byte) = piece.get(rival + same) {
        let best = piece[start + same];
        if byte == best {
            same += 1;
            if same == period {
                rival += same;
                same = 0;
            }
        } else if (byte < best) != reverse {
            rival += same + 1;
            same = 0;
            period = rival - start;
        } else {
            start = rival;
            rival += 1;
            same = 0;
            period = 1;
        }
    }
    (start, period)
}

#[cfg(test)]
mod tests {
    use super::{find, find_long};

    /// Returns all strings of `length` bytes `a` and `b`.
    fn strings(length: u32) -> impl Iterator<Item = [u8; 16]> {
        (0..1_u32 << length).map(|bits| core::array::from_fn(|at| if bits >> at & 1 == 1 { b'b' } else { b'a' }))
    }

    #[test]
    fn the_first_place_is_found() {
        let pieces = if cfg!(miri) { 5 } else { 9 };
        for (length, piece) in (1..pieces).flat_map(|length| strings(length).map(move |piece| (length, piece))) {
            let piece = &piece[..length as usize];
            for text in strings(if cfg!(miri) { 7 } else { 12 }) {
                let text = &text[..if cfg!(miri) { 7 } else { 12 }];
                let place = text.windows(piece.len()).position(|window| window == piece);
                assert_eq!(find_long(text, piece), place, "{} {}", piece.escape_ascii(), text.escape_ascii());
                assert_eq!(find(text, piece), place);
            }
        }
        assert_eq!(find(b"abc", b""), Some(0));
        assert_eq!(find(b"abc", &[b'a'; 40]), None);
        let mut long = [b'a'; 100];
        long[99] = b'b';
        assert_eq!(find(&long, &long[50..]), Some(50));
    }
}
