//! Checks what a device may fetch.
//!
//! `robotsc generate rules -o src/rules.rs` wrote `rules.rs`, which is checked in: the build needs the runtime alone.
#![no_std]
#![forbid(unsafe_code)]

pub mod rules;

use robotsc_runtime::AgentName;

/// Reports whether the device may fetch a URL: one that is plain, inside the rule set's origins, and allowed.
#[must_use]
pub fn may_fetch(url: &[u8]) -> bool {
    let Ok(agent) = AgentName::new("GateBot") else { return false };
    matches!(rules::GATEWAY.verdict_url(agent, url), Ok(Some(answer)) if answer.verdict.is_allow())
}

#[cfg(test)]
mod tests {
    use super::may_fetch;

    #[test]
    fn only_what_is_allowed_is_fetched() {
        assert!(may_fetch(b"https://devices.example/manuals/pump"));
        assert!(may_fetch(b"https://devices.example/firmware/pump-2.bin"));
        assert!(!may_fetch(b"https://devices.example/firmware/pump-3-beta.bin"));
        assert!(!may_fetch(b"https://devices.example/manuals/pump?session=7"));
        assert!(!may_fetch(b"https://other.example/manuals/pump"));
        assert!(!may_fetch(b"no URL"));
    }
}
