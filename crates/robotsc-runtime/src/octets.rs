//! Finding and comparing octets, eight at a time, without unsafe code and on every target alike.

const LOW: u64 = u64::from_le_bytes([0x01; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// Eight octets from `at`, the first in the lowest bits; `None` where fewer are left.
#[inline(always)]
pub(crate) fn eight(octets: &[u8], at: usize) -> Option<u64> {
    octets.get(at..)?.first_chunk().map(|octets| u64::from_le_bytes(*octets))
}

/// Marks, in the high bit, octets of `word` that are 0. Above the lowest such octet others may be marked too.
#[inline(always)]
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(LOW) & !word & HIGH
}

/// How often `octet` is among some.
pub(crate) fn count(octets: &[u8], octet: u8) -> usize {
    let spread = LOW.wrapping_mul(octet as u64);
    let (words, rest) = octets.as_chunks::<8>();
    let mut count = rest.iter().filter(|other| **other == octet).count();
    for word in words {
        let other = u64::from_le_bytes(*word) ^ spread;
        // The high bit of each octet that is not 0; nothing is carried from one to the next.
        let differing = (((other & !HIGH) + !HIGH) | other) & HIGH;
        count += 8 - differing.count_ones() as usize;
    }
    count
}

/// How many octets, up to `most`, are the same in `left` from `at_left` and in `right` from `at_right`.
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

/// The same near the end of either, from `count` on.
fn few_agreeing(left: &[u8], at_left: usize, right: &[u8], at_right: usize, mut count: usize, most: usize) -> usize {
    while count < most {
        match (left.get(at_left + count), right.get(at_right + count)) {
            (Some(a), Some(b)) if a == b => count += 1,
            _ => break,
        }
    }
    count
}

/// The first place from `at` on whose octet is one of `needles`, and which; of needles there are at most six, others are not looked for.
#[inline(always)]
pub(crate) fn find_any(octets: &[u8], at: usize, needles: &[u8]) -> Option<(usize, usize)> {
    match *needles {
        [a] => find(octets, at, [a]),
        [a, b] => find(octets, at, [a, b]),
        [a, b, c] => find(octets, at, [a, b, c]),
        [a, b, c, d] => find(octets, at, [a, b, c, d]),
        [a, b, c, d, e] => find(octets, at, [a, b, c, d, e]),
        [a, b, c, d, e, f] => find(octets, at, [a, b, c, d, e, f]),
        _ => None,
    }
}

#[inline(always)]
fn find<const N: usize>(octets: &[u8], mut at: usize, needles: [u8; N]) -> Option<(usize, usize)> {
    let spread = needles.map(|needle| LOW.wrapping_mul(needle as u64));
    let which = |place: usize| {
        let octet = *octets.get(place)?;
        // Without a branch: which needle it is cannot be foreseen.
        let index =
            (1..).zip(&needles[1..]).fold(0, |index, (number, needle)| if *needle == octet { number } else { index });
        Some((place, index))
    };
    while let Some(word) = eight(octets, at) {
        let mut marks = 0;
        for needle in spread {
            marks |= zeros(word ^ needle);
        }
        if marks != 0 {
            return which(at + (marks.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = octets.get(at..)?;
    let place = rest.iter().position(|octet| needles.contains(octet))?;
    which(at + place)
}

/// The place of `octet` among the `size` octets of `list` from `at` on.
#[inline(always)]
pub(crate) fn index_in(list: &[u8], at: usize, size: usize, octet: u8) -> Option<usize> {
    let spread = LOW.wrapping_mul(octet as u64);
    let mut from = 0;
    loop {
        let Some(word) = eight(list, at + from) else {
            let rest = list.get(at + from..at + size)?;
            return rest.iter().position(|&other| other == octet).map(|place| from + place);
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

/// Whether a bitmap holds `octet`.
#[inline(always)]
pub(crate) const fn is_in(bitmap: &[u8; 32], octet: u8) -> bool {
    bitmap[(octet >> 3) as usize] >> (octet & 7) & 1 == 1
}

/// How many octets below `octet` a bitmap holds.
#[inline(always)]
pub(crate) fn rank_in(bitmap: &[u8; 32], octet: u8) -> usize {
    let (words, _) = bitmap.as_chunks::<8>();
    let mut count = 0;
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let number = number as u8;
        if number < octet >> 6 {
            count += word.count_ones();
        } else if number == octet >> 6 {
            count += (word & ((1 << (octet & 63)) - 1)).count_ones();
        }
    }
    count as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_are_counted() {
        let octets: [u8; 41] = core::array::from_fn(|at| if at % 5 == 0 { 0x80 } else { (at % 3) as u8 * 0x7F });
        for octet in [0, 1, 0x7F, 0x80, 0x81, 0xFE, 0xFF] {
            for from in 0..octets.len() {
                let part = octets.get(from..).expect("it is within");
                let wanted = part.iter().filter(|other| **other == octet).count();
                assert_eq!(count(part, octet), wanted, "{octet} from {from}");
            }
        }
    }
}
