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
//! All engines return the same answers on every input, as the tests show.
//!
//! # Where things are
//! | module | what |
//! |---|---|
//! | this one | what most programs need: parse, ask, explain, compile, and their errors |
//! | [`agent`] | crawlers, the choice of their groups, and known names in a `User-Agent` header |
//! | [`url`](mod@url) | from a URL to the path that engines compare |
//! | [`robots_txt`], [`record`] | what a file holds: groups, rules, diagnostics; delays, sitemaps and other records |
//! | [`rules`], [`explain`] | the rules that an agent obeys, and why one of them decides |
//! | [`program`] | how programs are made and kept |
//! | [`dialect`] | each choice of a [`Dialect`] |
//! | [`embed`] | rule sets that were compiled into the binary |
//!
//! # Features
//! | feature | what | default |
//! |---|---|---|
//! | `frontier` | `frontier`, `pack`, `origin`, `outcome`: what is known of millions of origins | off |
//! | `fetch` | `fetch`: fetches robots.txt, one file or as a crawler's cache; turns on `frontier` | off |
//! | `ftp` | `fetch::HttpClient::with_ftp`: reads `ftp` sites, too; turns on `fetch` | off |
//! | `analysis` | `analysis`: lint, diff, format, preferences, and questions about all paths of a rule set | off |
//! | `bundled-rules` | `bundled`: the rule sets of `rules/` and the register of known crawlers, compiled in | off |
//! | `macros` | `include_rules!` | off |
//! | `serde` | `serde::Serialize` for explanations | off |
// docs.rs labels an item with the feature that it needs. The features named here are those of inner crates: users of
// this one cannot turn them on.
#![cfg_attr(docsrs, feature(doc_cfg), doc(auto_cfg(hide(feature, values("coding", "near-names", "preferences")))))]
#[cfg(feature = "analysis")]
#[doc(inline)]
pub use robotsc_analysis as analysis;
#[doc(inline)]
pub use robotsc_compiler::{
    AgentError, AgentName, CompileError, Compiler, Crawler, Dialect, Explanation, Matcher, PathForm, PathFormError,
    Policy, Program, ProgramError, QueryError, RobotsTxt, RuleSet, UrlError, UrlPath, Verdict,
};
#[doc(inline)]
pub use robotsc_compiler::{dialect, record};
#[cfg(feature = "fetch")]
#[doc(inline)]
pub use robotsc_fetch as fetch;
#[cfg(feature = "frontier")]
#[doc(inline)]
pub use robotsc_frontier::{frontier, origin, outcome, pack};
#[cfg(feature = "macros")]
#[doc(inline)]
pub use robotsc_macros::include_rules;
#[doc(inline)]
pub use robotsc_runtime::embed;

// Code that `robotsc-build` generates with the runtime path `::robotsc` names it here.
#[doc(hidden)]
pub use robotsc_runtime::AgentMatch;

/// Crawlers, the choice of the groups that they obey, and known names in a `User-Agent` header.
pub mod agent {
    #[doc(inline)]
    pub use robotsc_compiler::header_names::HeaderNamesError;
    #[doc(inline)]
    pub use robotsc_compiler::{CrawlerKind, HeaderNames, IntoCrawler, Selection, SelectionReason};
    #[doc(inline)]
    pub use robotsc_runtime::AgentErrorKind;
}

/// From a URL to the path that engines compare.
pub mod url {
    #[doc(inline)]
    pub use robotsc_compiler::url::url_path;
    #[doc(inline)]
    pub use robotsc_compiler::{UrlErrorKind, UrlParts, UrlPathBuf, UrlPathError};
    #[doc(inline)]
    pub use robotsc_runtime::url::{PlainUrl, Scheme};
}

/// What a file holds: groups, their agents and rules, and diagnostics, each with its line and bytes.
pub mod robots_txt {
    #[doc(inline)]
    pub use robotsc_compiler::{
        AgentLine, BodyKind, ByteSpan, Diagnostic, DiagnosticCode, Group, GroupId, RuleKind, RuleLine, Severity,
    };
}

/// The rules of a [`RuleSet`], normalized and ranked.
pub mod rules {
    #[doc(inline)]
    pub use robotsc_compiler::{Rule, RuleOrigin, RulePatternError};
}

/// The parts of an [`Explanation`].
pub mod explain {
    #[doc(inline)]
    pub use robotsc_compiler::{ExplainedGroup, ExplainedRule, ExplainedSelection};
}

/// How programs and policies are made and kept: settings of the [`Compiler`], and bytes that are owned, mapped or
/// embedded.
pub mod program {
    #[doc(inline)]
    pub use robotsc_compiler::{CompileStats, Compiled, DecidingRule, Effort, Limits, Output, PolicyBuf, ProgramBuf};
}

// For the other crates of this project, and for its tests. It can change in any release.
#[doc(hidden)]
pub mod internal {
    pub use robotsc_compiler::{COMPILE_AFTER, drawing, have_same_verdicts, notation, reference};
}

#[cfg(feature = "bundled-rules")]
pub mod bundled;

/// Runs the examples of the README, of which one takes the feature `frontier`.
#[cfg(all(doctest, feature = "frontier"))]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct ReadMe;

/// Runs the examples of the guide to a frontier.
#[cfg(all(doctest, feature = "frontier"))]
#[doc = include_str!("../docs/frontier.md")]
#[derive(Debug)]
pub struct FrontierGuide;
