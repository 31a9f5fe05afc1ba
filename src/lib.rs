//! Compiles robots.txt ahead of time to small automata, and answers "may my agent fetch this URL?" by walking them.
//!
//! # One question
//! ```
//! use robotsc::RobotsTxt;
//!
//! let body = b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n";
//! let robots = RobotsTxt::parse(body);
//! assert!(robots.is_allowed("FooBot", "https://shop.example/cart/help#top")?);
//! assert!(!robots.is_allowed("FooBot", "https://shop.example/x/../cart")?);
//! // A mistake is an error, never an answer.
//! assert!(robots.is_allowed("FooBot/2.1", "https://shop.example/").is_err());
//! assert!(robots.is_allowed("FooBot", "mailto:me@shop.example").is_err());
//! # Ok::<(), robotsc::QueryError>(())
//! ```
//! [`RobotsTxt::parse_with`] reads the file under another [`Dialect`], [`RobotsTxt::for_origin`] refuses URLs of other
//! origins.
//!
//! # Many questions
//! ```
//! # let robots = robotsc::RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n");
//! // Owned, Send, Sync, cheap to clone; compiles the rules when that pays.
//! let matcher = robots.matcher("FooBot")?;
//! for url in ["https://shop.example/", "https://shop.example/help"] {
//!     assert!(matcher.is_allowed(url)?);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Why
//! ```
//! # let robots = robotsc::RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n");
//! let explanation = robots.explain("FooBot", "https://shop.example/cart")?;
//! assert_eq!(explanation.deciding_rule().map(|rule| rule.line), Some(2));
//! println!("{explanation}");
//! # Ok::<(), robotsc::QueryError>(())
//! ```
//!
//! # Programs
//! [`RobotsTxt::select`] finds the groups that a [`Crawler`] obeys, [`RobotsTxt::rule_set`] their rules, normalized and
//! ranked. A [`RuleSet`] answers directly; [`Compiler::compile`] turns it into a [`Program`], which answers in tens of
//! nanoseconds however many rules there are, and [`Compiler::compile_policy`] turns all agents of a file into a
//! [`Policy`]. Their bytes can be stored, mapped or embedded, and are validated when they are loaded.
//!
//! These engines take a [`UrlPath`]: a path with the [form](PathForm) that it is in, as [`Dialect::url_path`] makes it
//! from a URL. A path of another form than the rules is an error.
//!
//! Bytes are no path, a URL is no path, and a name is checked before it is an agent. These do not compile:
//! ```compile_fail,E0308
//! # let program = robotsc::Program::allow_all(robotsc::PathForm::Escaped);
//! program.verdict(b"/cart")?; // expects a `UrlPath`
//! # Ok::<(), robotsc::PathFormError>(())
//! ```
//! ```compile_fail,E0308
//! # let robots = robotsc::RobotsTxt::parse(b"");
//! # let rules = robots.rule_set(&robotsc::Crawler::others());
//! rules.verdict("https://shop.example/cart")?; // expects a `UrlPath`
//! # Ok::<(), robotsc::PathFormError>(())
//! ```
//! ```compile_fail,E0308
//! # fn ask(set: &robotsc::embed::Set<'_>, path: robotsc::UrlPath<'_>) -> Result<(), robotsc::PathFormError> {
//! set.is_allowed("GPTBot", path)?; // expects an `AgentName`
//! # Ok(())
//! # }
//! ```
//!
//! All engines return the same answers on every input, as the tests show. [`reference`](mod@reference) is the naive
//! matcher that they are compared with.
//!
//! # Features
//! | feature | what | default |
//! |---|---|---|
//! | `frontier` | `frontier`, `pack`, `origin`, `outcome`: what is known of millions of origins | off |
//! | `fetch` | `fetch`: fetches robots.txt, one file or as a crawler's cache; turns on `frontier` | off |
//! | `ftp` | `fetch::HttpClient::with_ftp`: reads `ftp` sites, too; turns on `fetch` | off |
//! | `analysis` | `analysis`: lint, diff, format, preferences, and questions about all paths of a rule set | off |
//! | `bundled-rules` | `bundled`: the rule sets and the register of crawlers of `rules/`, compiled in | off |
//! | `macros` | `include_rules!` | off |
//! | `serde` | `serde::Serialize` for explanations | off |
#[cfg(feature = "analysis")]
pub use robotsc_analysis as analysis;
#[doc(hidden)]
pub use robotsc_compiler::drawing;
pub use robotsc_compiler::{
    AgentError, AgentLine, AgentMatch, AgentName, ByteSpan, COMPILE_AFTER, CompileError, CompileStats, Compiled,
    Compiler, Crawler, CrawlerKind, DecidingRule, Diagnostic, DiagnosticCode, Dialect, Effort, ExplainedGroup,
    ExplainedRule, ExplainedSelection, Explanation, Group, GroupId, IntoCrawler, KnownAgents, Limits, Matcher, Output,
    PathForm, PathFormError, Policy, PolicyBuf, Program, ProgramBuf, ProgramError, QueryError, RobotsTxt, Rule,
    RuleKind, RuleLine, RuleOrigin, RuleSet, Selection, SelectionReason, Severity, UrlError, UrlParts, UrlPath,
    UrlPathBuf, UrlPathError, Verdict,
};
pub use robotsc_compiler::{dialect, record, reference, url, user_agent};
#[cfg(feature = "fetch")]
pub use robotsc_fetch as fetch;
#[cfg(feature = "frontier")]
pub use robotsc_frontier::{frontier, origin, outcome, pack};
#[cfg(feature = "macros")]
pub use robotsc_macros::include_rules;
pub use robotsc_runtime as runtime;
pub use robotsc_runtime::embed;

#[cfg(feature = "bundled-rules")]
pub mod bundled;

/// Runs the examples of the README, of which one takes the feature `frontier`.
#[cfg(all(doctest, feature = "frontier"))]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct ReadMe;
