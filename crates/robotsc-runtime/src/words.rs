//! Finding and comparing bytes, eight at a time, without unsafe code and on every target alike.

const LOW: u64 = u64::from_le_bytes([0x01; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// Returns eight bytes from `at`, the first in the lowest bits; `None` if fewer are left.
#[inline(always)]
pub(crate) fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Marks, in the high bit, bytes of `word` that are 0. Above the lowest such byte others may be marked too.
#[inline(always)]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

/// Returns how often `byte` is among some.
pub(crate) fn count(bytes: &[u8], byte: u8) -> usize {
    let spread = LOW.wrapping_mul(byte as u64);
    let (words, rest) = bytes.as_chunks::<8>();
    let mut count = rest.iter().filter(|other| **other == byte).count();
    for word in words {
        let other = u64::from_le_bytes(*word) ^ spread;
        // The high bit of each byte that is not 0; nothing is carried from one to the next.
        let differing = (((other & !HIGH) + !HIGH) | other) & HIGH;
        count += 8 - differing.count_ones() as usize;
    }
    count
}

/// Returns how many bytes, up to `most`, are the same in `left` from `at_left` and in `right` from `at_right`.
#[inline(always)]
pub(crate) fn agreeing(left: &[u8], at_left: usize, right: &[u8], at_right: usize, most: usize) -> usize {
    let mut count = 0;
    while count < most {
        let (Some(a), Some(b)) = (eight(left, at_left + count), eight(right, at_right + count)) else {
            return few_agreeing(left, at_left, right, at_right, count, most);
        };
        if a != b {
            return most.min(count + ((a ^ b).trailing_zeros() / 8) as usize);
        }
        count += 8;
    }
    most
}

/// Does the same near the end of either, from `count` on.
fn few_agreeing(left: &[u8], at_left: usize, right: &[u8], at_right: usize, mut count: usize, most: usize) -> usize {
    while count < most {
        match (left.get(at_left + count), right.get(at_right + count)) {
            (Some(a), Some(b)) if a == b => count += 1,
            _ => break,
        }
    }
    count
}

/// Returns the first place from `at` on whose byte is one of `needles`, and which; of needles there are at most six,
/// others are not looked for.
#[inline(always)]
pub(crate) fn find_any(bytes: &[u8], at: usize, needles: &[u8]) -> Option<(usize, usize)> {
    match *needles {
        [a] => find(bytes, at, [a]),
        [a, b] => find(bytes, at, [a, b]),
        [a, b, c] => find(bytes, at, [a, b, c]),
        [a, b, c, d] => find(bytes, at, [a, b, c, d]),
        [a, b, c, d, e] => find(bytes, at, [a, b, c, d, e]),
        [a, b, c, d, e, f] => find(bytes, at, [a, b, c, d, e, f]),
        _ => None,
    }
}

#[inline(always)]
fn find<const N: usize>(bytes: &[u8], mut at: usize, needles: [u8; N]) -> Option<(usize, usize)> {
    let spread = needles.map(|needle| LOW.wrapping_mul(needle as u64));
    let which = |place: usize| {
        let byte = *bytes.get(place)?;
        // Without a branch: which needle it is cannot be foreseen.
        let index =
            (1..).zip(&needles[1..]).fold(0, |index, (number, needle)| if *needle == byte { number } else { index });
        Some((place, index))
    };
    while let Some(word) = eight(bytes, at) {
        let mut marks = 0;
        for needle in spread {
            marks |= zeros(word ^ needle);
        }
        if marks != 0 {
            return which(at + (marks.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = bytes.get(at..)?;
    let place = rest.iter().position(|byte| needles.contains(byte))?;
    which(at + place)
}

/// Returns the place of `byte` among the `size` bytes of `list` from `at` on.
#[inline(always)]
pub(crate) fn index_in(list: &[u8], at: usize, size: usize, byte: u8) -> Option<usize> {
    let spread = LOW.wrapping_mul(byte as u64);
    let mut from = 0;
    loop {
        let Some(word) = eight(list, at + from) else {
            let rest = list.get(at + from..at + size)?;
            return rest.iter().position(|&other| other == byte).map(|place| from + place);
        };
        let marks = zeros(word ^ spread);
        if marks != 0 {
            let index = from + (marks.trailing_zeros() / 8) as usize;
            return if index < size { Some(index) } else { None };
        }
        from += 8;
        if from >= size {
            return None;
        }
    }
}

/// Reports whether a bitmap holds `byte`.
#[inline(always)]
pub(crate) const fn is_in(bitmap: &[u8; 32], byte: u8) -> bool {
    bitmap[(byte >> 3) as usize] >> (byte & 7) & 1 == 1
}

/// Returns how many bytes below `byte` a bitmap holds.
#[inline(always)]
pub(crate) fn ones_below(bitmap: &[u8; 32], byte: u8) -> usize {
    let (words, _) = bitmap.as_chunks::<8>();
    let whole = usize::from(byte >> 6);
    let below = words.get(..whole).unwrap_or_default().iter().map(|word| u64::from_le_bytes(*word).count_ones());
    let part = words.get(whole).map_or(0, |word| u64::from_le_bytes(*word) & ((1 << (byte & 63)) - 1));
    (below.sum::<u32>() + part.count_ones()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted() {
        let bytes: [u8; 41] = core::array::from_fn(|at| if at % 5 == 0 { 0x80 } else { (at % 3) as u8 * 0x7F });
        for byte in [0, 1, 0x7F, 0x80, 0x81, 0xFE, 0xFF] {
            for from in 0..bytes.len() {
                let part = bytes.get(from..).expect("it is within");
                let wanted = part.iter().filter(|other| **other == byte).count();
                assert_eq!(count(part, byte), wanted, "{byte} from {from}");
            }
        }
    }
}
