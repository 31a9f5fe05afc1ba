//! Compiles robots.txt ahead of time to small automata, and answers "may my agent fetch this URL?" by walking them.
//!
//! ```
//! use robotsc::{Compiler, Crawler, Dialect, RobotsTxt, Verdict};
//!
//! let body = b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n";
//! let robots = RobotsTxt::parse(body, &Dialect::GOOGLE);
//! let rules = robots.rule_set(&Crawler::token("FooBot"));
//!
//! // A few questions: ask the rules.
//! assert_eq!(rules.verdict(b"/cart/1"), Verdict::Disallow);
//!
//! // Many questions: compile once, and walk. The bytes can be stored, mapped or embedded.
//! let compiled = Compiler::new().compile(&rules)?;
//! let program = compiled.program();
//! let url = Dialect::GOOGLE.intake(b"https://shop.example/cart/help#top")?;
//! assert_eq!(program.verdict(url.as_bytes()), Verdict::Allow);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way of a file
//! [`RobotsTxt::parse`] takes any bytes under a [`Dialect`] and gives groups, rules and records with their places, and diagnostics.
//! [`RobotsTxt::select`] finds the groups that a [`Crawler`] obeys, [`RobotsTxt::rule_set`] their rules, normalised and ranked. A [`RuleSet`] answers directly;
//! [`Compiler::compile`] turns it into a [`Program`], which answers in tens of nanoseconds however many rules there are, and [`Compiler::compile_policy`]
//! turns all agents of a file into a [`Policy`].
//!
//! # The way of a URL
//! [`Dialect::intake`] splits a URL, refuses what has no path, and gives the path in the form that the dialect compares. Who has a path already, as it stands in the URL, uses
//! [`Dialect::normalise_path`]; under [`Dialect::GOOGLE`] that changes nothing.
//!
//! # Which engine
//! All give the same answers on every input; the tests see to it. [`reference`](mod@reference) is the naive judge, for tests. [`RuleSet`] needs no preparation. A program compiled with
//! [`Output::Verdict`] is the small and fast one, one with [`Output::Winner`] names the rule that decided.
pub use robotsc_compiler::*;
#[cfg(feature = "frontier")]
pub use robotsc_frontier::{fetch, frontier, origin, pack};
#[cfg(feature = "macros")]
pub use robotsc_macros::include_policy;
pub use robotsc_runtime as runtime;
pub use robotsc_runtime::embed;

#[cfg(feature = "bundled-rules")]
pub mod bundled;

/// Runs the README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct ReadMe;
