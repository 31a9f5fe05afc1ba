//! Why may an agent not fetch a URL? Prints the rule that decides, the groups that the agent obeys, and the other rules
//! that match.
//!
//! ```console
//! $ cargo run --example explain -- examples/shop.robots.txt FooBot https://shop.example/account/help.pdf
//! ```

use std::error::Error;

use robotsc::RobotsTxt;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, agent, url] = args.as_slice() else { return Err("usage: explain FILE AGENT URL".into()) };
    let body = std::fs::read(file)?;
    let explanation = RobotsTxt::parse(&body).explain(agent, url)?;

    // For people: one text that says it all.
    println!("{explanation}\n");

    // For programs: its parts.
    match explanation.deciding_rule() {
        Some(rule) => println!("line {} decides, {} bytes long", rule.line, rule.length),
        None => println!("no rule matches: {}", explanation.verdict),
    }
    Ok(())
}
