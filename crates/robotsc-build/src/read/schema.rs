//! The file format of declared rule sets, by example.
//!
//! A folder holds `*.ron` files, each with any number of rule sets, and the robots.txt files that they name.
//! (`agents.ron` is another thing: the list of known crawlers.) The notation is [RON](https://docs.rs/ron) with
//! `implicit_some`. A field that is not described here is an error.
//!
//! ```
//! # let text = r##"
//! (
//!     version: 1,                       // of this format; 1 is the only one
//!     rule_sets: [
//!         (
//!             name: "polite",           // lower case words joined by `-`; unique in the folder
//!             description: "What holds for all our sites",
//!             rules: [
//!                 Deny(query: "sessionid", name: "session-in-query"),
//!             ],
//!         ),
//!         (
//!             name: "shop",
//!             description: "The shop, and what is below it",
//!             dialect: "rfc9309",       // "google" where nothing is said
//!             dialect_with: (index_htm: true, max_line: None),
//!             origins: ["https://shop.example", "*.shop.example", "http://old.example:8080"],
//!             extends: ["polite"],
//!             // robots: ["shop.robots.txt"],
//!             groups: [
//!                 (agents: ["FooBot", "BarBot"], rules: [Disallow("/cart"), Allow("/cart/help")]),
//!                 (agents: ["*"], rules: [Disallow("/")]),
//!             ],
//!             rules: [
//!                 Permit(path: "/imprint$", name: "imprint"),
//!                 Deny(regex: r"(?i)[^?]*/print(?:/|\?|$)", name: "print"),
//!             ],
//!             expect: [
//!                 (agent: "FooBot", url: "https://shop.example/cart", verdict: Disallow, rule: "shop.ron:20"),
//!                 (agent: "FooBot", url: "/cart/help", verdict: Allow),
//!                 (agent: "*", url: "/imprint", verdict: Allow, rule: "imprint"),
//!                 (agent: "BarBot", url: "/?a=b&sessionid=1", verdict: Disallow, rule: "session-in-query"),
//!             ],
//!         ),
//!     ],
//! )
//! # "##;
//! # let text = text.trim_start();
//! # let loaded = robotsc_build::load::load_str("shop.ron", text, &Default::default());
//! # assert_eq!(loaded.unwrap_or_else(|errors| panic!("{errors}")).sets.len(), 2);
//! ```
//!
//! # How it decides
//! The declared rules (`rules`) come first, for every agent; then the agent's groups, as in robots.txt; then the URL is
//! allowed.
//! [How rules rank](https://github.com/robotsc/robotsc/blob/main/rules/README.md#how-rules-rank) has each step.
//!
//! Nothing stands above the first declared rule that matches: under a dialect that always allows `/robots.txt`, that
//! holds among groups, and `Deny(path: "/")` denies it.
//!
//! # Fields
//! - `dialect`: `"google"`, `"rfc9309"`, `"google-2017"`, `"google-2019"` or `"yandex"`: how robots.txt files, patterns
//!   and URLs are read. `dialect_with` overrides single fields: each is a field of [`Dialect`], and its choices are
//!   written as there (`escapes: Canonical`).
//! - `origins`: where the set applies; everywhere (`["*"]`) where nothing is said. A pattern is `*`, or a host with a
//!   scheme before it and a port after it, where wanted: `example.com`, `*.example.com` (every host below, not
//!   itself), `https://example.com`, `https://*.example.com:8443`, `example.com:*`. Without a scheme it is for http,
//!   https and ftp; without a port for the default port of the scheme, with `:*` for every port. Hosts are made
//!   canonical: lower case, punycode. Two sets of a folder cannot claim the same origin with an exact host.
//! - `extends`: sets whose robots.txt files, groups and rules this set has too, as if they stood here, before its own.
//!   They are taken in order, each after those that it extends itself, and each once. Dialect and origins are not
//!   inherited: an inherited pattern is read in the dialect of the set that inherits it.
//! - `robots`: robots.txt files, in order, by their path from the folder. A file that states no rule is an error, and
//!   so is a line that loses one: a pattern that no URL matches or that is not UTF-8, a misspelt key that the dialect
//!   does not accept, a `User-agent` line with more than one name.
//! - `own_agents`: names of crawlers of one's own. They are never taken for misspelt names of known ones, and
//!   expectations may ask for them.
//! - `groups`: as in robots.txt. An agent is a product token (letters, `_` and `-`) or `*`; a value is what stands
//!   after the colon. An empty value is an error, and so is a group without rules: `Allow("/")` allows everything.
//! - `rules`: `Deny` or `Permit`, with exactly one of:
//!   - `path`: a path pattern as in robots.txt;
//!   - `regex`: see [below](#regular-expressions);
//!   - `query`: the name of a query parameter: see [below](#query-names).
//!
//!   and a `name` for reports, unique in the set and those that it extends.
//! - `expect`: what must hold; checked whenever the set is read. `agent` is a product token that the set names, a known
//!   crawler, or `*` for an agent that no group names. (Where a set's groups name nobody, any token will do.) `url` is
//!   a URL inside the set's origins, or a path. `rule`, if given, is the name of the rule that decides, or its place
//!   (`"shop.robots.txt:4"`).
//!
//! A set that can disallow nothing is an error unless it says so on purpose, by a rule that allows every path:
//! `Permit(path: "/")`, `Allow("/")` in a group, or an empty `Disallow:` in a robots.txt file. A set that only permits
//! can be there for others to extend.
//!
//! # Regular expressions
//! In the syntax of the [`regex`](https://docs.rs/regex) crate, over bytes, without Unicode classes. They are matched
//! against path and query in the dialect's form (for `rfc9309`: escapes canonical, so that a space is `%20`, and an
//! byte from 0x80 is never there), from the path's first byte on: `/a` matches `/abc` and not `/x/a`, which `[^?]*/a`
//! does. What follows the match does not matter, unless the expression ends with `$`. A dot is any byte. `^` and `$`
//! are the ends of the whole text; `\b`, line anchors, look-around and back references are refused. So is what can
//! match no path in the dialect's form (`/%c3`: digits of escapes are upper case there), and what needs an automaton
//! over [`BuildLimits::max_regex_table`](crate::limits::BuildLimits::max_regex_table): bounded repeats of large
//! classes, mostly.
//!
//! # Query names
//! The query is what follows the first `?`, in the dialect's form. Its parameters are separated by `&` or `;`, and a
//! parameter's name ends at its first `=`. Names are compared byte for byte: `SID` is not `sid`. If the dialect decodes
//! the escapes of reserved bytes in the query (`rfc9309` does, unless `query_reserved: false`), `%3B` separates too.
//!
//! [`Dialect`]: robotsc_compiler::Dialect

use robotsc_compiler::{Dialect, dialect};
use serde::{Deserialize, Deserializer};

/// The version of the format.
pub const VERSION: u32 = 1;

/// A file.
#[derive(Debug, Deserialize)]
#[serde(rename = "File", deny_unknown_fields)]
pub(crate) struct RulesFile {
    pub(crate) version: u32,
    pub(crate) rule_sets: Vec<RuleSetEntry>,
}

/// A rule set as written.
#[derive(Debug, Deserialize)]
#[serde(rename = "RuleSet", deny_unknown_fields)]
pub(crate) struct RuleSetEntry {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) dialect: Option<String>,
    #[serde(default)]
    pub(crate) dialect_with: DialectWith,
    #[serde(default)]
    pub(crate) origins: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) extends: Vec<String>,
    #[serde(default)]
    pub(crate) robots: Vec<String>,
    #[serde(default)]
    pub(crate) own_agents: Vec<String>,
    #[serde(default)]
    pub(crate) groups: Vec<GroupEntry>,
    #[serde(default)]
    pub(crate) rules: Vec<RuleEntry>,
    #[serde(default)]
    pub(crate) expect: Vec<Expectation>,
}

/// A group as in robots.txt.
#[derive(Debug, Deserialize)]
#[serde(rename = "Group", deny_unknown_fields)]
pub(crate) struct GroupEntry {
    pub(crate) agents: Vec<String>,
    #[serde(default)]
    pub(crate) rules: Vec<GroupRule>,
}

/// A rule of a group.
#[derive(Debug, Deserialize)]
pub(crate) enum GroupRule {
    Allow(String),
    Disallow(String),
}

/// A rule beyond robots.txt.
#[derive(Debug, Deserialize)]
#[serde(rename = "Rule", deny_unknown_fields)]
pub(crate) enum RuleEntry {
    Deny {
        #[serde(default)]
        path: Option<String>,
        #[serde(default)]
        regex: Option<String>,
        #[serde(default)]
        query: Option<String>,
        #[serde(default)]
        name: Option<String>,
    },
    Permit {
        #[serde(default)]
        path: Option<String>,
        #[serde(default)]
        regex: Option<String>,
        #[serde(default)]
        query: Option<String>,
        #[serde(default)]
        name: Option<String>,
    },
}

/// What must hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expectation {
    pub(crate) agent: String,
    pub(crate) url: String,
    pub(crate) verdict: VerdictEntry,
    #[serde(default)]
    pub(crate) rule: Option<String>,
}

/// A verdict as written.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename = "Verdict")]
pub(crate) enum VerdictEntry {
    Allow,
    Disallow,
}

impl From<VerdictEntry> for robotsc_compiler::Verdict {
    fn from(verdict: VerdictEntry) -> Self {
        match verdict {
            VerdictEntry::Allow => Self::Allow,
            VerdictEntry::Disallow => Self::Disallow,
        }
    }
}

/// The choices of a dialect's field, as they are written.
macro_rules! choices {
    ($($name:ident: $($choice:ident)+;)+) => {
        $(
            #[derive(Clone, Copy, Debug, Deserialize)]
            pub(crate) enum $name { $($choice),+ }

            impl From<$name> for dialect::$name {
                fn from(choice: $name) -> Self {
                    match choice { $($name::$choice => Self::$choice),+ }
                }
            }
        )+
    };
}

choices! {
    Bom: AnyPrefix WholeExpected;
    Nul: EndsLine IsKept;
    Trim: SpaceTab AsciiWhiteSpace;
    KeyMatch: Prefix Exact;
    Typos: Refused Accepted;
    Colon: Required OptionalBeforeTwoTokens;
    AgentValue: UpToNonToken UpToBlankSlashOrStar WholeToken;
    Star: Alone BeforeText;
    AgentMatch: Exact LongestPrefixAtHyphen LongestPrefix;
    EmptyValue: NoRule InverseOfAll;
    LeadingSlash: Required Assumed;
    Length: Normalized NormalizedWithoutTrailingStars Written WrittenWithoutTrailingStars;
    Escapes: PatternOnly HexAndNonAscii Canonical;
}

/// A limit that may be `None`, which is another thing than a field that is not there.
#[expect(clippy::option_option, reason = "the outer one is whether the field is there")]
fn stated<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u32>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Fields of a dialect in place of the named one's.
macro_rules! dialect_with {
    ($($(#[$with:meta])* $field:ident: $type:ty,)+) => {
        #[derive(Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub(crate) struct DialectWith {
            $($(#[$with])* $field: Option<$type>,)+
        }

        impl DialectWith {
            /// The named dialect with the fields that are stated here.
            pub(crate) fn over(&self, named: &Dialect) -> Dialect {
                // Without `..`: a field that is new in `Dialect` must be added here.
                Dialect {
                    name: named.name,
                    fetch: named.fetch,
                    $($field: self.$field.map_or(named.$field, Into::into),)+
                }
            }
        }
    };
}

dialect_with! {
    bom: Bom,
    decode_utf16: bool,
    nul: Nul,
    #[serde(deserialize_with = "stated")]
    max_line: Option<u32>,
    #[serde(deserialize_with = "stated")]
    max_file: Option<u32>,
    trim: Trim,
    key_match: KeyMatch,
    typos: Typos,
    colon: Colon,
    blank_line_closes: bool,
    any_record_closes: bool,
    agent_value: AgentValue,
    star: Star,
    agent_match: AgentMatch,
    empty_value: EmptyValue,
    leading_slash: LeadingSlash,
    length: Length,
    wildcard_order_undefined: bool,
    index_htm: bool,
    escapes: Escapes,
    query_reserved: bool,
    robots_txt_allowed: bool,
    crawl_delay_obeyed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_none_is_not_a_field_that_is_absent() {
        let options = crate::read::syntax::ron_options();
        let with = |text| options.from_str::<DialectWith>(text).map(|with| with.over(&Dialect::GOOGLE)).unwrap();
        assert_eq!(with("()"), Dialect::GOOGLE);
        assert_eq!(with("(max_line: None)"), Dialect { max_line: None, ..Dialect::GOOGLE });
        assert_eq!(
            with("(max_line: 7, max_file: Some(8))"),
            Dialect { max_line: Some(7), max_file: Some(8), ..Dialect::GOOGLE }
        );
        let choices = "(escapes: Canonical, star: Alone, index_htm: false)";
        let wanted = Dialect {
            escapes: dialect::Escapes::Canonical,
            star: dialect::Star::Alone,
            index_htm: false,
            ..Dialect::GOOGLE
        };
        assert_eq!(with(choices), wanted);
    }
}
