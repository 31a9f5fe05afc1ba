//! An automaton as the bytes that `robotsc_runtime::embed::Prefilter` describes.

use std::collections::BTreeMap;

use robotsc_runtime::checksum;

use super::automaton::Automaton;

/// The bytes of a prefilter: what each expression needs, and a byte that it needs so often. Of expressions there are
/// 1 to 128.
pub(super) fn bytes(automaton: &Automaton, needs: &[u128], counts: &[(u8, u16)]) -> Vec<u8> {
    let Automaton { classes, states } = automaton;
    let class_count = states.first().map_or(0, |state| state.next.len());
    let noting = states.iter().skip(1).position(|state| state.note != 0).map_or(states.len(), |state| state + 1);
    let mut notes: BTreeMap<u128, u16> = BTreeMap::new();
    let mut in_order = Vec::new();
    let mut note_number = |note: u128| {
        *notes.entry(note).or_insert_with(|| {
            in_order.push(note);
            (in_order.len() - 1) as u16
        })
    };
    let mut rows: Vec<u16> = Vec::new();
    for state in states {
        rows.extend(state.next.iter().map(|next| (*next as usize * (class_count + 2)) as u16));
        rows.push(note_number(state.note));
        rows.push(note_number(state.note_at_end));
    }
    let mut bytes = vec![b'R', b'G', robotsc_runtime::format::VERSION];
    bytes.push(needs.len() as u8);
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&(states.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(noting as u32).to_le_bytes());
    bytes.extend_from_slice(&(class_count as u16).to_le_bytes());
    bytes.extend_from_slice(&(in_order.len() as u16).to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(classes);
    in_order.iter().chain(needs).for_each(|set| bytes.extend_from_slice(&set.to_le_bytes()));
    for (byte, count) in counts {
        bytes.extend_from_slice(&[*byte, 0]);
        bytes.extend_from_slice(&count.to_le_bytes());
    }
    rows.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    let sum = checksum(&bytes).to_le_bytes();
    bytes[4..8].copy_from_slice(&sum);
    bytes
}
