//! Names that a table resolves, in the form of `/etc/hosts`.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use crate::future::BoxFuture;
use crate::resolve::Resolve;

/// Resolves the names of a table, and leaves the others to another resolver.
///
/// ```
/// use robotsc::fetch::{Hosts, SystemResolver};
///
/// let hosts = Hosts::parse("127.0.0.1 shop.example www.shop.example  # the test server\n", SystemResolver)?;
/// assert_eq!(hosts.len(), 2);
/// # Ok::<(), robotsc::fetch::HostsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hosts<R> {
    names: Arc<HashMap<Box<str>, Vec<IpAddr>>>,
    others: R,
}

impl<R: Resolve> Hosts<R> {
    /// Reads a table: on each line an address and the names that have it; `#` begins a comment. A name that comes twice
    /// has both addresses. Names that the table lacks are left to `others`.
    ///
    /// # Errors
    /// [`HostsError`] if a line does not begin with an address, or names nothing.
    pub fn parse(table: &str, others: R) -> Result<Self, HostsError> {
        let mut names: HashMap<Box<str>, Vec<IpAddr>> = HashMap::new();
        for (number, line) in table.lines().enumerate() {
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(address) = words.next() else { continue };
            let wrong = |what| HostsError { line: number + 1, what };
            let address = address.parse().map_err(|_| wrong("it does not begin with an IP address"))?;
            let mut is_empty = true;
            for name in words {
                is_empty = false;
                names.entry(name.to_ascii_lowercase().into()).or_default().push(address);
            }
            if is_empty {
                return Err(wrong("it has no name after the address"));
            }
        }
        Ok(Self { names: Arc::new(names), others })
    }

    /// Makes an empty table.
    pub fn empty(others: R) -> Self {
        Self { names: Arc::default(), others }
    }

    /// Returns the number of names in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Reports whether the table is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl<R: Resolve> Resolve for Hosts<R> {
    fn resolve<'a>(&'a self, host: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        match self.names.get(host) {
            Some(addresses) => Box::pin(std::future::ready(Ok(addresses.clone()))),
            None => self.others.resolve(host),
        }
    }
}

/// Why a table of names cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostsError {
    line: usize,
    what: &'static str,
}

impl fmt::Display for HostsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: write lines such as '127.0.0.1 shop.example'", self.line, self.what)
    }
}

impl std::error::Error for HostsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Nobody;

    impl Resolve for Nobody {
        fn resolve<'a>(&'a self, _: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
            Box::pin(std::future::ready(Err(io::Error::other("not in the table"))))
        }
    }

    #[tokio::test]
    async fn names_of_the_table_come_first() {
        let table = "# a comment\n\n93.184.0.1\tA.example b.example # c.example\n2606:2800::1 a.example\r\n";
        let hosts = Hosts::parse(table, Nobody).unwrap();
        let (four, six): (IpAddr, IpAddr) = ("93.184.0.1".parse().unwrap(), "2606:2800::1".parse().unwrap());
        assert_eq!(hosts.resolve("a.example").await.unwrap(), [four, six]);
        assert_eq!(hosts.resolve("b.example").await.unwrap(), [four]);
        assert!(hosts.resolve("c.example").await.is_err() && hosts.len() == 2 && !hosts.is_empty());
        for (table, what) in
            [("a.example 93.184.0.1", "line 1: it does not begin"), ("\n::1", "line 2: it has no name")]
        {
            assert!(Hosts::parse(table, Nobody).unwrap_err().to_string().starts_with(what));
        }
    }
}
