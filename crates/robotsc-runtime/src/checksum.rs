//! The checksum of programs and policies: the low half of XXH64 over all bytes but the first eight, seeded with the
//! first four. The other four hold it.

const PRIME_1: u64 = 0x9E37_79B1_85EB_CA87;
const PRIME_2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const PRIME_3: u64 = 0x1656_67B1_9E37_79F9;
const PRIME_4: u64 = 0x85EB_CA77_C2B2_AE63;
const PRIME_5: u64 = 0x27D4_EB2F_1656_67C5;

const fn round(lane: u64, input: u64) -> u64 {
    lane.wrapping_add(input.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
}

/// Returns the checksum of a program or policy, which stands at bytes 4 to 7; 0 if there are fewer than eight. Linear;
/// never panics.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    let Some(([a, b, c, d, ..], rest)) = bytes.split_first_chunk::<8>() else { return 0 };
    xxh64(u64::from(u32::from_le_bytes([*a, *b, *c, *d])), rest) as u32
}

fn xxh64(seed: u64, bytes: &[u8]) -> u64 {
    let (stripes, rest) = bytes.as_chunks::<32>();
    let mut hash = if stripes.is_empty() {
        seed.wrapping_add(PRIME_5)
    } else {
        let mut lanes = [PRIME_1.wrapping_add(PRIME_2), PRIME_2, 0, 0_u64.wrapping_sub(PRIME_1)];
        lanes.iter_mut().for_each(|lane| *lane = lane.wrapping_add(seed));
        for stripe in stripes {
            for (lane, input) in lanes.iter_mut().zip(stripe.as_chunks::<8>().0) {
                *lane = round(*lane, u64::from_le_bytes(*input));
            }
        }
        let rotated = lanes[0].rotate_left(1).wrapping_add(lanes[1].rotate_left(7));
        let rotated = rotated.wrapping_add(lanes[2].rotate_left(12)).wrapping_add(lanes[3].rotate_left(18));
        lanes.iter().fold(rotated, |hash, &lane| (hash ^ round(0, lane)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4))
    };
    hash = hash.wrapping_add(bytes.len() as u64);
    let (words, rest) = rest.as_chunks::<8>();
    for word in words {
        hash = (hash ^ round(0, u64::from_le_bytes(*word))).rotate_left(27).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
    }
    let (halves, rest) = rest.as_chunks::<4>();
    for half in halves {
        let input = u64::from(u32::from_le_bytes(*half)).wrapping_mul(PRIME_1);
        hash = (hash ^ input).rotate_left(23).wrapping_mul(PRIME_2).wrapping_add(PRIME_3);
    }
    for &byte in rest {
        hash = (hash ^ u64::from(byte).wrapping_mul(PRIME_5)).rotate_left(11).wrapping_mul(PRIME_1);
    }
    hash = (hash ^ hash >> 33).wrapping_mul(PRIME_2);
    hash = (hash ^ hash >> 29).wrapping_mul(PRIME_3);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::xxh64;

    /// Known values of XXH64 with seed 0.
    #[test]
    fn agrees_with_known_values() {
        assert_eq!(xxh64(0, b""), 0xef46_db37_51d8_e999);
        assert_eq!(xxh64(0, b"a"), 0xd24e_c4f1_a98c_6e5b);
        assert_eq!(xxh64(0, b"abc"), 0x44bc_2cf5_ad77_0999);
        assert_eq!(xxh64(0, b"Nobody inspects the spammish repetition"), 0xfbce_a83c_8a37_8bf1);
    }
}
