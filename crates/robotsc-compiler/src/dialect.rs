//! What a dialect of the robots exclusion protocol decides, decision by decision.
//!
//! A [`Dialect`] is a value: a struct of named choices, every one of which can be set alone. The five named dialects
//! are constants of it. The parser, the choice of the group, the normalization of patterns and paths and the ranking of
//! rules read it; the compiled automaton does not know it.
//!
//! ```
//! use robotsc::dialect::{Colon, Dialect};
//!
//! let lenient = Dialect { colon: Colon::OptionalBeforeTwoTokens, ..Dialect::RFC9309 };
//! assert_ne!(lenient, Dialect::RFC9309);
//! assert_eq!(Dialect::by_name("google"), Some(&Dialect::GOOGLE));
//! ```
//!
//! Points on which all dialects agree have no field: a line ends at CR, LF or CRLF, `#` starts a comment anywhere,
//! rules before any group are ignored, groups of one agent are merged, a tie goes to Allow, `*` matches any bytes and
//! `$` anchors only as the last byte of a pattern.

/// The bytes after [`max_file`](Dialect::max_file) in which the line that crosses it is looked for: enough for the
/// longest line that robots.cc reads. To parse a body as if it were whole, keep this number of bytes after the limit,
/// and one more if the body is longer.
pub const MAX_BYTES_PAST_LIMIT: usize = 16_664;

/// Bytes of a body that count at most under any of the five dialects. A fetch keeps one byte more of a longer body,
/// which is not in this number: the parser sees by it that the body goes on.
pub const MAX_BODY_BYTES: usize = 512_000 + MAX_BYTES_PAST_LIMIT;

pub use robotsc_runtime::AgentMatch;

/// What is said of a byte order mark that is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bom {
    /// Any prefix of EF BB BF at the start of the body is skipped, and nothing said (robots.cc:438).
    AnyPrefix,
    /// As [`Bom::AnyPrefix`], but a mark that is cut short is a diagnostic.
    WholeExpected,
}

/// What a NUL byte does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nul {
    /// The rest of the line is dropped (robots.cc keeps a line as a C string).
    EndsLine,
    /// It is a byte like any other.
    IsKept,
}

/// What is trimmed from keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trim {
    /// SP and TAB.
    SpaceTab,
    /// VT and FF too (robots.cc strips ASCII white space; CR and LF cannot stand in a line).
    AsciiWhiteSpace,
}

/// How the key of a line is compared with a directive's name; always without regard to case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyMatch {
    /// The key begins with the name: `disallowed: /x` is a Disallow (robots.cc:230).
    Prefix,
    /// The key is the name.
    Exact,
}

/// Which misspelt keys are taken for the directive that was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Typos {
    /// None.
    Refused,
    /// robots.cc's list: `useragent`, `user agent`, `dissallow`, `dissalow`, `disalow`, `diasllow`, `disallaw`,
    /// `site-map`.
    Accepted,
}

/// Whether a line needs a colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colon {
    /// A line without one is no record.
    Required,
    /// A line without any colon that holds exactly two words is a key and a value (robots.cc:493).
    OptionalBeforeTwoTokens,
}

/// What of a `User-agent` value names the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentValue {
    /// The value up to the first byte outside `[A-Za-z_-]`: `FooBot/2.1` names `FooBot`.
    UpToNonToken,
    /// The value up to the first SP, TAB, `/` or `*`: `MJ12bot/1.4` names `MJ12bot`.
    UpToBlankSlashOrStar,
    /// The whole value, which must be a product token; any other value matches no crawler.
    WholeToken,
}

/// Which `User-agent` values name every agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Star {
    /// `*` alone.
    Alone,
    /// `*`, or `*` and white space and anything more (robots.cc:625).
    BeforeText,
}

/// What an `Allow` or `Disallow` with an empty value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EmptyValue {
    /// It decides nothing (but is a rule: it ends the group's list of agents).
    NoRule,
    /// `Disallow:` is `Allow: /`, and `Allow:` is `Disallow: /`.
    InverseOfAll,
}

/// What becomes of a pattern that starts with neither `/` nor `*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeadingSlash {
    /// It matches nothing.
    Required,
    /// A `/` is put before it.
    Assumed,
}

/// What the length of a rule is counted on; the longest rule that matches decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// The pattern after escaping, `*` and `$` counted.
    Normalized,
    /// The pattern after escaping, without the `*` at its end.
    NormalizedWithoutTrailingStars,
    /// The value as written, with the `/` that [`LeadingSlash::Assumed`] adds.
    Written,
    /// As [`Length::Written`], without the `*` at its end.
    WrittenWithoutTrailingStars,
}

/// How bytes of patterns and paths are brought to one form before they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Escapes {
    /// Patterns: bytes from 0x80 are escaped and the hex digits of `%xx` upper-cased. Paths: as they are given.
    PatternOnly,
    /// Both: bytes from 0x80 are escaped and the hex digits of `%xx` upper-cased; nothing else.
    HexAndNonAscii,
    /// Both are made canonical as RFC 9309 section 2.2.2 asks: escapes of unreserved bytes are decoded, others
    /// upper-cased; controls, space, ``"<>\^`{|}`` and bytes from 0x80 are escaped; a literal `*` or `$` is `%2A` or
    /// `%24`.
    Canonical,
}

/// What failed fetches mean, by their age: the time from the first of them to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// Nothing is allowed.
    Disallow,
    /// Nothing is allowed at first. Then the last good copy counts, and without one everything is allowed.
    ThenGoodCopy {
        /// Seconds of failures after which the copy counts.
        copy_after: u32,
    },
    /// As [`ThenGoodCopy`](Self::ThenGoodCopy), but later still the copy is forgotten: everything is allowed if the
    /// site is known to be up, and nothing if not.
    ThenGoodCopyThenSite {
        /// Seconds of failures after which the copy counts.
        copy_after: u32,
        /// Seconds of failures after which the site's state counts.
        site_after: u32,
    },
}

/// What the results of a fetch of robots.txt mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FetchRules {
    /// Whether 429 is a failure; if not, it means that there is no file, as any other 4xx.
    pub too_many_requests_is_failure: bool,
    /// Whether 206 is read as rules; if not, it is a failure. Any other 2xx but 202 is read as rules.
    pub partial_content_is_rules: bool,
    /// Whether 202 is read as rules; if not, it is a failure: what it carries is not the resource (RFC 9110 section
    /// 15.3.3), and servers send challenges with it.
    pub accepted_is_rules: bool,
    /// Whether a redirect without a `Location` means that there is no file, as 404 does; if not, it is a failure.
    pub lost_redirect_is_missing: bool,
    /// Whether a 5xx means that there is no file, if the site is known to answer missing pages with 5xx.
    pub server_error_can_mean_missing: bool,
    /// Whether 401 and 403 are failures; if not, they mean that there is no file, as any other 4xx. Off in all five.
    pub refusal_is_failure: bool,
    /// Whether a body that is [no robots.txt](crate::BodyKind) is a failure; if not, it is a file without rules. Off in
    /// all five.
    pub other_body_is_failure: bool,
    /// What failures mean.
    pub failure: OnFailure,
    /// The maximum number of seconds that a result is kept, whatever the server says; `None` if `max-age` can say more
    /// than a day.
    pub max_age_seconds: Option<u32>,
}

impl FetchRules {
    /// Returns rules under which a refusal (401, 403) and a body that is no robots.txt are failures: nothing is allowed
    /// at first. A cautious crawler takes them.
    ///
    /// ```
    /// use robotsc::Dialect;
    ///
    /// let cautious = Dialect { fetch: Dialect::GOOGLE.fetch.cautious(), ..Dialect::GOOGLE };
    /// assert!(cautious.fetch.refusal_is_failure && cautious.fetch.other_body_is_failure);
    /// ```
    #[must_use]
    pub const fn cautious(self) -> Self {
        Self { refusal_is_failure: true, other_body_is_failure: true, ..self }
    }
}

const HOUR: u32 = 3_600;
const DAY: u32 = 24 * HOUR;

/// The choices that make a dialect. See the [module documentation](self).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// The name used on the command line and in output.
    pub name: &'static str,
    /// Byte order mark.
    pub bom: Bom,
    /// Decode a body that starts with a UTF-16 byte order mark. Off in all five; the mark is an error diagnostic then.
    pub decode_utf16: bool,
    /// NUL bytes.
    pub nul: Nul,
    /// Bytes of a line that are read, without its end; the rest is dropped. `None`: no limit.
    pub max_line: Option<u32>,
    /// Bytes of a body after which no line begins; `None` for no limit. The line that crosses it is read to its end, up
    /// to [`MAX_BYTES_PAST_LIMIT`] bytes past the limit.
    pub max_file: Option<u32>,
    /// White space around keys and values.
    pub trim: Trim,
    /// Keys.
    pub key_match: KeyMatch,
    /// Misspelt keys.
    pub typos: Typos,
    /// The colon.
    pub colon: Colon,
    /// Whether a blank line ends a group.
    pub blank_line_closes: bool,
    /// Whether any record but a `User-agent` line ends a group's list of agents, not only rules.
    pub any_record_closes: bool,
    /// Agent values.
    pub agent_value: AgentValue,
    /// The value for every agent.
    pub star: Star,
    /// Choice of the group.
    pub agent_match: AgentMatch,
    /// Empty values.
    pub empty_value: EmptyValue,
    /// Patterns without a leading `/`.
    pub leading_slash: LeadingSlash,
    /// The length that ranks a rule.
    pub length: Length,
    /// Whether `explain` says that the specification leaves the order undefined where an Allow and a Disallow match and
    /// either holds a wildcard.
    pub wildcard_order_undefined: bool,
    /// `Allow: /dir/index.htm…` allows `/dir/` too.
    pub index_htm: bool,
    /// Escapes.
    pub escapes: Escapes,
    /// With [`Escapes::Canonical`]: reserved bytes in the query are escaped on both sides, as RFC 9309's table of
    /// examples has it.
    pub query_reserved: bool,
    /// Whether exactly `/robots.txt` is always allowed.
    pub robots_txt_allowed: bool,
    /// Whether the crawlers of this dialect obey `Crawl-delay`. It is parsed in any case.
    pub crawl_delay_obeyed: bool,
    /// What the results of a fetch mean.
    pub fetch: FetchRules,
}

impl Dialect {
    /// google/robotstxt, bug for bug, on a path that the caller gives.
    pub const GOOGLE: Self = Self {
        name: "google",
        bom: Bom::AnyPrefix,
        decode_utf16: false,
        nul: Nul::EndsLine,
        max_line: Some(16_663),
        max_file: Some(512_000),
        trim: Trim::AsciiWhiteSpace,
        key_match: KeyMatch::Prefix,
        typos: Typos::Accepted,
        colon: Colon::OptionalBeforeTwoTokens,
        blank_line_closes: false,
        any_record_closes: false,
        agent_value: AgentValue::UpToNonToken,
        star: Star::BeforeText,
        agent_match: AgentMatch::Exact,
        empty_value: EmptyValue::NoRule,
        leading_slash: LeadingSlash::Required,
        length: Length::Normalized,
        wildcard_order_undefined: false,
        index_htm: true,
        escapes: Escapes::PatternOnly,
        query_reserved: false,
        robots_txt_allowed: false,
        crawl_delay_obeyed: false,
        fetch: FetchRules {
            too_many_requests_is_failure: true,
            partial_content_is_rules: false,
            accepted_is_rules: false,
            lost_redirect_is_missing: false,
            server_error_can_mean_missing: true,
            refusal_is_failure: false,
            other_body_is_failure: false,
            failure: OnFailure::ThenGoodCopyThenSite { copy_after: 12 * HOUR, site_after: 30 * DAY },
            max_age_seconds: None,
        },
    };

    /// RFC 9309: strict where it says MUST, lenient where it says MAY.
    pub const RFC9309: Self = Self {
        name: "rfc9309",
        bom: Bom::WholeExpected,
        max_line: None,
        trim: Trim::SpaceTab,
        key_match: KeyMatch::Exact,
        typos: Typos::Refused,
        colon: Colon::Required,
        star: Star::Alone,
        index_htm: false,
        escapes: Escapes::Canonical,
        query_reserved: true,
        robots_txt_allowed: true,
        crawl_delay_obeyed: true,
        fetch: FetchRules {
            too_many_requests_is_failure: false,
            partial_content_is_rules: false,
            accepted_is_rules: false,
            lost_redirect_is_missing: false,
            server_error_can_mean_missing: false,
            refusal_is_failure: false,
            other_body_is_failure: false,
            failure: OnFailure::ThenGoodCopy { copy_after: 30 * DAY },
            max_age_seconds: Some(DAY),
        },
        ..Self::GOOGLE
    };

    /// The specification that Google published in 2017-18.
    pub const GOOGLE_2017: Self = Self {
        name: "google-2017",
        max_file: Some(500_000),
        typos: Typos::Accepted,
        any_record_closes: true,
        agent_value: AgentValue::UpToBlankSlashOrStar,
        agent_match: AgentMatch::LongestPrefixAtHyphen,
        leading_slash: LeadingSlash::Assumed,
        length: Length::WrittenWithoutTrailingStars,
        wildcard_order_undefined: true,
        escapes: Escapes::HexAndNonAscii,
        query_reserved: false,
        robots_txt_allowed: false,
        crawl_delay_obeyed: false,
        fetch: FetchRules {
            too_many_requests_is_failure: false,
            partial_content_is_rules: true,
            accepted_is_rules: true,
            lost_redirect_is_missing: true,
            server_error_can_mean_missing: true,
            refusal_is_failure: false,
            other_body_is_failure: false,
            failure: OnFailure::Disallow,
            max_age_seconds: None,
        },
        ..Self::RFC9309
    };

    /// The specification that Google published on 1 July 2019.
    pub const GOOGLE_2019: Self = Self {
        name: "google-2019",
        bom: Bom::WholeExpected,
        max_line: None,
        trim: Trim::SpaceTab,
        key_match: KeyMatch::Exact,
        typos: Typos::Refused,
        colon: Colon::Required,
        agent_match: AgentMatch::LongestPrefixAtHyphen,
        length: Length::NormalizedWithoutTrailingStars,
        wildcard_order_undefined: true,
        index_htm: false,
        fetch: FetchRules { failure: OnFailure::ThenGoodCopy { copy_after: 30 * DAY }, ..Self::GOOGLE_2017.fetch },
        ..Self::GOOGLE
    };

    /// Yandex's page on Allow and Disallow.
    pub const YANDEX: Self = Self {
        name: "yandex",
        max_file: Some(500_000),
        agent_match: AgentMatch::LongestPrefix,
        empty_value: EmptyValue::InverseOfAll,
        length: Length::WrittenWithoutTrailingStars,
        query_reserved: false,
        robots_txt_allowed: false,
        crawl_delay_obeyed: false,
        ..Self::RFC9309
    };

    /// The five named dialects, [`Dialect::GOOGLE`], the default, first.
    pub const ALL: [&'static Self; 5] =
        [&Self::GOOGLE, &Self::RFC9309, &Self::GOOGLE_2017, &Self::GOOGLE_2019, &Self::YANDEX];

    /// Reports whether files are read alike, and held results mean the same: the dialects differ at most in which
    /// responses are failures by caution ([`FetchRules::cautious`]). What a pack holds counts under both.
    #[must_use]
    pub fn reads_as(&self, other: &Self) -> bool {
        let fetch = FetchRules {
            refusal_is_failure: other.fetch.refusal_is_failure,
            other_body_is_failure: other.fetch.other_body_is_failure,
            ..self.fetch
        };
        Self { fetch, ..self.clone() } == *other
    }

    /// Returns the named dialect called `name`, or `None`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name == name)
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self::GOOGLE
    }
}
