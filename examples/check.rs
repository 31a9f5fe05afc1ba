//! May an agent fetch these URLs? Prints a verdict for each.
//!
//! ```console
//! $ cargo run --example check -- examples/shop.robots.txt FooBot https://shop.example/mugs https://shop.example/cart
//! allowed     https://shop.example/mugs
//! disallowed  https://shop.example/cart
//! ```

use std::error::Error;

use robotsc::RobotsTxt;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, agent, urls @ ..] = args.as_slice() else { return Err("usage: check FILE AGENT URL...".into()) };
    let body = std::fs::read(file)?;
    // Any bytes parse. What is odd is a diagnostic with its line.
    let robots = RobotsTxt::parse(&body);
    for diagnostic in robots.diagnostics() {
        eprintln!("{file}:{}: {:?}", diagnostic.line, diagnostic.code);
    }
    for url in urls {
        // A wrong agent or URL is an error, never "allowed".
        let verdict = if robots.is_allowed(agent, url)? { "allowed" } else { "disallowed" };
        println!("{verdict:<11} {url}");
    }
    Ok(())
}
