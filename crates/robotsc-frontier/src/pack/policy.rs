//! Records of policies and lists: what is between a slot and its program if agents differ.
//!
//! | bytes | a policy |
//! |---|---|
//! | 0-3 | the number of its programs |
//! | 4-8 | the place of the list of sitemaps |
//! | 9-13 | the place of the list of tokens, in packs for all agents |
//! | 14 | 1 if preferences follow |
//! | 15 | 0 |
//! | … | for each program its place and its agents' crawl delay in milliseconds: 9 bytes |
//! | … | for each program, if bit 0 of byte 14 is set, the place of its agents' preferences: 5 bytes |
//!
//! In a pack for some agents the programs are those of the agents, in their order, or one for all of them. In a pack
//! for all agents the first is that of `*`, and the list of tokens says which token has which.

use std::cmp::Ordering;

use robotsc_compiler::{AgentMatch, AgentName};
use robotsc_runtime::{AgentKey, look_up};

use super::format::{NOWHERE, PLACE, place, word};
use super::slot::Delay;

/// Bytes of a policy before its programs.
pub(crate) const POLICY_HEAD: usize = 16;
/// Bytes of a program's place and delay.
pub(crate) const POLICY_ENTRY: usize = PLACE + 4;

/// A policy, borrowed from its section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PolicyRecord<'p> {
    pub(crate) sitemaps: u64,
    pub(crate) tokens: u64,
    entries: &'p [[u8; POLICY_ENTRY]],
    /// A place for each program, or none at all.
    preferences: &'p [[u8; PLACE]],
}

impl<'p> PolicyRecord<'p> {
    /// Reads the policy that starts at `bytes`; `None` if they end before it does.
    #[inline]
    pub(crate) fn read(bytes: &'p [u8]) -> Option<Self> {
        let count = word(bytes, 0)? as usize;
        let (entries, rest) = bytes.get(POLICY_HEAD..)?.split_at_checked(count.checked_mul(POLICY_ENTRY)?)?;
        let preferences = match bytes[14] {
            0 => &[],
            _ => rest.as_chunks().0.get(..count)?,
        };
        let entries = entries.as_chunks().0;
        Some(Self { sitemaps: place(bytes, 4)?, tokens: place(bytes, 9)?, entries, preferences })
    }

    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the bytes that it takes.
    pub(crate) const fn bytes(&self) -> usize {
        POLICY_HEAD + POLICY_ENTRY * self.entries.len() + PLACE * self.preferences.len()
    }

    /// Reports whether preferences follow the programs.
    pub(crate) const fn has_preferences(&self) -> bool {
        !self.preferences.is_empty()
    }

    /// Returns the place of the preferences of a program's agents: [`NOWHERE`] if nothing is stated.
    #[inline]
    pub(crate) fn preferences(&self, number: usize) -> u64 {
        self.preferences.get(number).and_then(|bytes| place(bytes, 0)).unwrap_or(NOWHERE)
    }

    /// Returns a program's place and the delay with it.
    #[inline]
    pub(crate) fn entry(&self, number: usize) -> Option<(u64, Delay)> {
        let entry = self.entries.get(number)?;
        Some((place(entry, 0)?, Delay(word(entry, PLACE)?)))
    }
}

/// Returns the bytes of a policy. There is a place of preferences for each program, or none.
pub(crate) fn policy(
    [sitemaps, tokens]: [Option<u64>; 2],
    entries: &[(u64, Delay)],
    preferences: &[Option<u64>],
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(POLICY_HEAD + (POLICY_ENTRY + PLACE) * entries.len());
    bytes.extend_from_slice(&(entries.len() as u32).to_le_bytes());
    for list in [sitemaps, tokens] {
        bytes.extend_from_slice(&list.unwrap_or(NOWHERE).to_le_bytes()[..PLACE]);
    }
    bytes.extend_from_slice(&[u8::from(!preferences.is_empty()), 0]);
    for (place, delay) in entries {
        bytes.extend_from_slice(&place.to_le_bytes()[..PLACE]);
        bytes.extend_from_slice(&delay.0.to_le_bytes());
    }
    for place in preferences {
        bytes.extend_from_slice(&place.unwrap_or(NOWHERE).to_le_bytes()[..PLACE]);
    }
    bytes
}

/// A list of texts, each with a number: its length, then for each text where it ends and the number, then the texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List<'p> {
    entries: &'p [[u8; 8]],
    text: &'p [u8],
}

impl<'p> List<'p> {
    /// Reads a list from all its bytes; `None` if they end before its entries do.
    pub(crate) fn read(bytes: &'p [u8]) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk::<4>()?;
        let entries = (u32::from_le_bytes(*count) as usize).checked_mul(8)?;
        let (entries, text) = rest.split_at_checked(entries)?;
        Some(Self { entries: entries.as_chunks().0, text })
    }

    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the bytes of all texts.
    pub(crate) const fn text_len(&self) -> usize {
        self.text.len()
    }

    /// Returns where a text ends.
    pub(crate) fn end(&self, number: usize) -> Option<usize> {
        self.entries.get(number).and_then(|entry| word(entry, 0)).map(|end| end as usize)
    }

    /// Returns a text and its number.
    pub(crate) fn get(&self, number: usize) -> Option<(&'p [u8], u32)> {
        let start = match number.checked_sub(1) {
            Some(before) => self.end(before)?,
            None => 0,
        };
        let entry = self.entries.get(number)?;
        Some((self.text.get(start..word(entry, 0)? as usize)?, word(entry, 4)?))
    }

    /// Returns the number with the key that an agent obeys, as the dialect finds it.
    pub(crate) fn find(&self, agent: AgentName<'_>, agent_match: AgentMatch) -> Option<u32> {
        look_up(agent, agent_match, |key| self.find_key(key))
    }

    /// Binary search.
    fn find_key(&self, key: &AgentKey<'_>) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let (known, number) = self.get(middle)?;
            match key.compare_with(known) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(number),
            }
        }
        None
    }
}

/// Returns the bytes of a list; `None` if its texts have 4 GiB or more.
pub(crate) fn list<'t>(texts: impl ExactSizeIterator<Item = (&'t [u8], u32)> + Clone) -> Option<Vec<u8>> {
    let mut bytes = u32::try_from(texts.len()).ok()?.to_le_bytes().to_vec();
    let mut end = 0_u32;
    for (text, number) in texts.clone() {
        end = end.checked_add(u32::try_from(text.len()).ok()?)?;
        bytes.extend_from_slice(&end.to_le_bytes());
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    for (text, _) in texts {
        bytes.extend_from_slice(text);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_found_as_the_dialect_says() {
        let tokens: [(&[u8], u32); 4] = [(b"a", 1), (b"a-b", 2), (b"bot", 3), (b"foo", 1)];
        let bytes = list(tokens.into_iter()).unwrap();
        let list = List::read(&bytes).unwrap();
        for (token, exact, hyphen, prefix) in [
            ("a", Some(1), Some(1), Some(1)),
            ("a-b-c", None, Some(2), Some(2)),
            ("bots", None, None, Some(3)),
            ("b", None, None, None),
        ] {
            assert_eq!(list.find(AgentName::new(token).unwrap(), AgentMatch::Exact), exact, "{token}");
            assert_eq!(list.find(AgentName::new(token).unwrap(), AgentMatch::LongestPrefixAtHyphen), hyphen, "{token}");
            assert_eq!(list.find(AgentName::new(token).unwrap(), AgentMatch::LongestPrefix), prefix, "{token}");
        }
    }
}
