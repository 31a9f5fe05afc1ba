//! Reads a robots.txt as a crawler of one's own does: a dialect with other choices than the five named ones.
//!
//! ```console
//! $ cargo run --example own_dialect
//! ```

use std::error::Error;

use robotsc::dialect::{KeyMatch, Typos};
use robotsc::{Dialect, RobotsTxt};

/// RFC 9309 to the letter, but with the misspelt directives that Google's parser takes for the right ones.
const FORGIVING: Dialect =
    Dialect { name: "forgiving", typos: Typos::Accepted, key_match: KeyMatch::Prefix, ..Dialect::RFC9309 };

fn main() -> Result<(), Box<dyn Error>> {
    let body = b"User-agent: *\nDisalow: /cart\n";
    for dialect in [&Dialect::RFC9309, &FORGIVING] {
        let robots = RobotsTxt::parse_with(body, dialect);
        let is_allowed = robots.is_allowed("FooBot", "https://shop.example/cart")?;
        println!("{}: {}", dialect.name, if is_allowed { "allowed" } else { "disallowed" });
    }
    Ok(())
}
