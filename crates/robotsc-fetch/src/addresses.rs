//! Which addresses a fetch may connect to: public ones, and those of networks that the caller names.
//!
//! ```text
//! https://shop.example        -> 93.184.216.34            connect
//! https://intranet.example    -> 10.1.2.3                 refused: private
//! https://metadata.example    -> 169.254.169.254          refused: link-local, where clouds keep credentials
//! http://[::ffff:127.0.0.1]   -> 127.0.0.1 in IPv6        refused: loopback
//! http://[64:ff9b::a00:1]     -> 10.0.0.1 through NAT64   refused: private
//! ```
//!
//! The check is on the address that is connected to, after the name was resolved, for every hop. A name that resolves
//! to another address the second time gains nothing, since it is resolved once.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(address: [u16; 8], length: u8) -> Ipv6Net {
    let [a, b, c, d, e, f, g, h] = address;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, g, h), length)
}

/// IPv4 networks that are not public: the registry of special-purpose addresses (RFC 6890 and its updates), multicast,
/// and the address under which Azure serves its metadata, which looks public.
const NOT_PUBLIC_V4: [Ipv4Net; 17] = [
    v4(0, 0, 0, 0, 8),
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(168, 63, 129, 16, 32),
    v4(169, 254, 0, 0, 16),
    v4(172, 16, 0, 0, 12),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 31, 196, 0, 24),
    v4(192, 88, 99, 0, 24),
    v4(192, 168, 0, 0, 16),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(224, 0, 0, 0, 4),
    v4(240, 0, 0, 0, 4),
];

/// The IPv6 addresses that are given to anybody (RFC 4291, section 2.4). All else is not public, with whatever IPv4
/// address it holds; those that are sure to lead to their IPv4 address are judged by it before.
const PUBLIC_V6: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// Parts of [`PUBLIC_V6`] that are not public.
const NOT_PUBLIC_V6: [Ipv6Net; 4] = [
    // Teredo, benchmarks, ORCHID.
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
    v6([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48),
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
];

const NAT64: Ipv6Net = v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96);
const SIX_TO_FOUR: Ipv6Net = v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16);

/// Decides which addresses can be connected to: see [`AddressGuard::refuses`].
///
/// ```
/// use robotsc::fetch::AddressGuard;
///
/// let guard = AddressGuard::new(["10.1.0.0/16".parse()?]);
/// assert!(!guard.refuses("93.184.216.34".parse()?) && !guard.refuses("10.1.2.3".parse()?));
/// assert!(guard.refuses("10.2.0.1".parse()?) && guard.refuses("::ffff:127.0.0.1".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressGuard {
    allowed: Vec<IpNet>,
}

impl AddressGuard {
    /// Makes a guard that lets through public addresses, and those of some networks.
    pub fn new(allowed: impl IntoIterator<Item = IpNet>) -> Self {
        Self { allowed: allowed.into_iter().collect() }
    }

    /// Reports whether an address must not be connected to: private, loopback, link-local, metadata, multicast,
    /// reserved, or an IPv6 form of one of these.
    #[must_use]
    pub fn refuses(&self, address: IpAddr) -> bool {
        let inner = inner(address);
        let is_allowed = |address: &IpAddr| self.allowed.iter().any(|net| net.contains(address));
        if is_allowed(&address) || is_allowed(&inner) {
            return false;
        }
        match inner {
            IpAddr::V4(inner) => NOT_PUBLIC_V4.iter().any(|net| net.contains(&inner)),
            IpAddr::V6(inner) => !PUBLIC_V6.contains(&inner) || NOT_PUBLIC_V6.iter().any(|net| net.contains(&inner)),
        }
    }
}

/// Returns the IPv4 address that an IPv6 address leads to, if it does; else the address.
fn inner(address: IpAddr) -> IpAddr {
    let IpAddr::V6(six) = address else { return address };
    let [_, a, b, _, _, _, c, d] = six.segments();
    let four = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    if six.to_ipv4_mapped().is_some() || NAT64.contains(&six) {
        return four(c, d);
    }
    if SIX_TO_FOUR.contains(&six) { four(a, b) } else { address }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_pass() {
        let guard = AddressGuard::default();
        for (address, is_refused) in [
            ("93.184.216.34", false),
            ("8.8.8.8", false),
            ("172.15.255.255", false),
            ("172.16.0.1", true),
            ("172.31.255.255", true),
            ("172.32.0.1", false),
            ("0.0.0.0", true),
            ("10.0.0.1", true),
            ("100.100.100.200", true),
            ("127.0.0.1", true),
            ("127.255.255.255", true),
            ("168.63.129.16", true),
            ("168.63.129.17", false),
            ("169.254.169.254", true),
            ("192.0.0.192", true),
            ("192.168.1.1", true),
            ("198.19.0.1", true),
            ("224.0.0.1", true),
            ("255.255.255.255", true),
            ("::", true),
            ("::1", true),
            ("::7f00:1", true),
            ("::ffff:93.184.216.34", false),
            ("::ffff:127.0.0.1", true),
            ("::ffff:169.254.169.254", true),
            ("64:ff9b::a9fe:a9fe", true),
            ("64:ff9b::808:808", false),
            // IPv4-translated addresses, in both notations.
            ("::ffff:0:127.0.0.1", true),
            ("::ffff:0:7f00:1", true),
            ("::ffff:0:808:808", true),
            // Networks outside of 2000::/3, which are not assigned to anybody.
            ("64:ff9b:1::1", true),
            ("100::1", true),
            ("1fff::1", true),
            ("2000::1", false),
            ("3ffe::1", false),
            ("3fff::1", true),
            ("4000::1", true),
            ("5f00::1", true),
            ("8000::1", true),
            ("2002:7f00:1::", true),
            ("2002:808:808::1", false),
            ("2001::1", true),
            ("2001:db8::1", true),
            ("2606:2800:220:1:248:1893:25c8:1946", false),
            ("fd00:ec2::254", true),
            ("fe80::1", true),
            ("fec0::1", true),
            ("ff02::1", true),
        ] {
            assert_eq!(guard.refuses(address.parse().unwrap()), is_refused, "{address}");
        }
    }

    #[test]
    fn named_networks_pass_in_both_forms() {
        let guard = AddressGuard::new(["127.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        for (address, is_refused) in
            [("127.0.0.1", false), ("::ffff:127.0.0.1", false), ("fd00::1", false), ("fc00::1", true), ("::1", true)]
        {
            assert_eq!(guard.refuses(address.parse().unwrap()), is_refused, "{address}");
        }
    }
}
