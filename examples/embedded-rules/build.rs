//! Compiles `rules/` to Rust. The build fails if a rule set is wrong, or an expectation in it does not hold.

use robotsc_build::{Config, Error};

fn main() -> Result<(), Error> {
    Config::new().rule_dir("rules").compile()
}
