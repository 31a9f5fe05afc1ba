//! What preferences mean, as cases: those of the drafts and of files in use.

use robotsc_compiler::preferences::{Reading, Vocabulary};

/// What is asked of a file.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The file: one record a `|`; a file without `User-agent` is one group for `*`.
    pub(crate) robots: &'static str,
    /// The agent, and the path.
    pub(crate) asked: (&'static str, &'static str),
    pub(crate) reading: Reading,
    pub(crate) header: Option<&'static str>,
    /// What is not unknown, as `label=value:line,line`, with `H` for the header; `disallowed` if nothing is said.
    pub(crate) usage: &'static str,
    pub(crate) signals: &'static str,
}

const READING: Reading = Reading { vocabulary: Vocabulary::NEWEST, signal_paths: true };
const WITHOUT_PATHS: Reading = Reading { signal_paths: false, ..READING };

const fn case(
    name: &'static str,
    robots: &'static str,
    asked: (&'static str, &'static str),
    usage: &'static str,
    signals: &'static str,
) -> Case {
    Case { name, robots, asked, reading: READING, header: None, usage, signals }
}

/// A `Content-Usage` without a path.
const fn dictionary(name: &'static str, robots: &'static str, usage: &'static str) -> Case {
    case(name, robots, ("Foo", "/"), usage, "")
}

/// A `Content-Usage` in a group for all agents.
const fn usage(name: &'static str, robots: &'static str, path: &'static str, usage: &'static str) -> Case {
    case(name, robots, ("Foo", path), usage, "")
}

/// A `Content-Signal` in a group for all agents.
const fn signal(name: &'static str, robots: &'static str, path: &'static str, signals: &'static str) -> Case {
    case(name, robots, ("Foo", path), "", signals)
}

/// The example of draft-ietf-aipref-attach-05.
const DRAFT: &str = "User-agent: *|Allow: /|Disallow: /never/|Content-Usage: train-ai=n|\
    Content-Usage: /ai-ok/ train-ai=y|User-agent: ExampleBot|Allow: /|Content-Usage: train-ai=y";

pub(crate) const CASES: &[Case] = &[
    case("the draft's own: other agents", DRAFT, ("Foo", "/test"), "train-ai=n:4", ""),
    case("the draft's own: a path that is not crawled", DRAFT, ("Foo", "/never/test"), "disallowed", "disallowed"),
    case("the draft's own: a longer path", DRAFT, ("Foo", "/ai-ok/test"), "train-ai=y:5", ""),
    case("the draft's own: a named agent", DRAFT, ("ExampleBot", "/test"), "train-ai=y:8", ""),
    case("the draft's own: a named agent, other path", DRAFT, ("ExampleBot", "/ai-ok/x"), "train-ai=y:8", ""),
    case("the draft's own: not for the named agent", DRAFT, ("ExampleBot", "/never/x"), "train-ai=y:8", ""),
    // Dictionaries.
    dictionary("1 plain", "Content-Usage: train-ai=y, search=n", "train-ai=y:2 search=n:2"),
    dictionary("2 the last of two keys", "Content-Usage: train-ai=y, train-ai, search=n, search=\"n\"", ""),
    dictionary("2 the last is a list", "Content-Usage: train-ai=n, train-ai=(y)", ""),
    dictionary("3 parameters of the first go", "Content-Usage: train-ai;allow=n, train-ai=y", "train-ai=y:2"),
    dictionary("4 a parameter without a key", "Content-Usage: train-ai;has;parameters=\"?\";", ""),
    dictionary("5 an upper-case key", "Content-Usage: Train-AI=n", ""),
    dictionary("6 one bad key spoils all", "Content-Usage: train-ai=n, SEARCH=y", ""),
    dictionary("7 an upper-case token", "Content-Usage: train-ai=N", ""),
    dictionary("8 the word of the other vocabulary", "Content-Usage: train-ai=no", ""),
    dictionary("9 a boolean", "Content-Usage: train-ai=?0", ""),
    dictionary("10 a blank for a comma", "Content-Usage: train-ai=n search=y", ""),
    dictionary("11 an empty member", "Content-Usage: train-ai=n,,search=y", ""),
    dictionary("11 a comma at the end", "Content-Usage: train-ai=n, search=y,", ""),
    dictionary("12 a retired label", "Content-Usage: bots=n, train-ai=y", "train-ai=y:2"),
    dictionary(
        "13 the newest revision",
        "Content-Usage: train-ai=n, ai-use=n, search=y",
        "train-ai=n:2 ai-use=n:2 search=y:2",
    ),
    Case {
        reading: Reading { vocabulary: &Vocabulary::REVISIONS[7], ..READING },
        ..dictionary("13 as -07 has it", "Content-Usage: train-ai=n, ai-use=n, search=y", "train-ai=n:2 search=y:2")
    },
    dictionary("14 an unknown parameter", "Content-Usage: train-ai=n;x=1, search=y", "train-ai=n:2 search=y:2"),
    dictionary("15 an inner list", "Content-Usage: train-ai=(n)", ""),
    dictionary("16 empty", "Content-Usage:", ""),
    // Paths.
    usage("17 the longer path", "Content-Usage: train-ai=n|Content-Usage: /a train-ai=y", "/ab", "train-ai=y:3"),
    usage("18 equal paths", "Content-Usage: /a train-ai=y|Content-Usage: /a search=n", "/a", "train-ai=y:2 search=n:3"),
    usage("19 the most restrictive", "Content-Usage: /a train-ai=y|Content-Usage: /a train-ai=n", "/a", "train-ai=n:3"),
    usage(
        "20 nothing is filled in",
        "Content-Usage: train-ai=n, search=y|Content-Usage: /a train-ai=y",
        "/a",
        "train-ai=y:3",
    ),
    case(
        "21 not crawlable",
        "Disallow: /a|Content-Usage: /a/b train-ai=y",
        ("Foo", "/a/b"),
        "disallowed",
        "disallowed",
    ),
    usage("22 an escaped slash is none", "Content-Usage: /a%2Fb train-ai=n", "/a/b", ""),
    usage(
        "23 bytes are escaped, and count so",
        "Content-Usage: /ä train-ai=n|Content-Usage: /*%A4 train-ai=y",
        "/%C3%A4",
        "train-ai=n:2",
    ),
    usage("24 wildcards", "Content-Usage: /*.png$ train-ai=n", "/x.png", "train-ai=n:2"),
    usage("24 the anchor", "Content-Usage: /*.png$ train-ai=n", "/x.png?1", ""),
    usage("25 a star is no path", "Content-Usage: *.png train-ai=n", "/x.png", ""),
    usage("26 a path alone", "Content-Usage: search=y|Content-Usage: /a", "/a", ""),
    usage("27 a tab, a comment", "Content-Usage: /a\ttrain-ai=n # x", "/a", "train-ai=n:2"),
    case(
        "28 no group ends at it",
        "User-agent: Foo|Content-Usage: train-ai=n|User-agent: *|Disallow: /",
        ("Foo", "/"),
        "disallowed",
        "disallowed",
    ),
    case(
        "29 nothing comes from the group for all",
        "User-agent: *|Content-Usage: train-ai=n|Allow: /|User-agent: Foo|Disallow: /x",
        ("Foo", "/"),
        "",
        "",
    ),
    case(
        "30 two groups of one agent",
        "User-agent: Foo|Content-Usage: /a train-ai=n|Allow: /|User-agent: Foo|Content-Usage: /b search=y|Allow: /",
        ("Foo", "/b"),
        "search=y:5",
        "",
    ),
    Case {
        header: Some("train-ai=n"),
        ..usage("31 the header", "Content-Usage: train-ai=y, search=y", "/", "train-ai=n:H search=y:2")
    },
    Case {
        header: Some("train-ai=y, search=n, ai-use=y"),
        ..usage(
            "31 line and header",
            "Content-Usage: train-ai=y, search=n",
            "/",
            "train-ai=y:2,H ai-use=y:H search=n:2,H",
        )
    },
    Case {
        header: Some("train-ai=n,"),
        ..usage("31 an unreadable header", "Content-Usage: train-ai=y", "/", "train-ai=y:2")
    },
    usage(
        "32 other paths of one length",
        "Content-Usage: /a* train-ai=y|Content-Usage: /ab train-ai=n",
        "/abc",
        "train-ai=n:3",
    ),
    // Content signals.
    signal(
        "33 plain",
        "Content-Signal: search=yes,ai-train=no,use=reference",
        "/",
        "ai-train=no:2 search=yes:2 use=reference:2",
    ),
    case(
        "34 the stricter level",
        "User-agent: Foo|Content-Signal: use=full|Allow: /|User-agent: Foo|Content-Signal: use=reference|Allow: /",
        ("Foo", "/"),
        "",
        "use=reference:5",
    ),
    signal("35 no signal", "Content-Signal: search=yes, search-ai=yes", "/", "search=yes:2"),
    signal("36 no value", "Content-Signal: ai-train=conditional", "/", ""),
    signal("37 a path", "Content-Signal: /blog/ ai-train=no, search=yes", "/blog/x", "ai-train=no:2 search=yes:2"),
    signal("37 a path, another page", "Content-Signal: /blog/ ai-train=no, search=yes", "/about", ""),
    Case {
        reading: WITHOUT_PATHS,
        ..signal("37 without paths", "Content-Signal: /blog/ ai-train=no, search=yes", "/blog/x", "")
    },
    Case {
        reading: WITHOUT_PATHS,
        ..signal("37 without paths, another page", "Content-Signal: /blog/ ai-train=no, search=yes", "/about", "")
    },
    signal("37 a star is no path", "Content-Signal: *.png ai-train=no, search=yes", "/about", ""),
    signal("37 nor is a word", "Content-Signal: blog/ ai-train=no, search=yes", "/about", ""),
    signal("37 nor is one after a path", "Content-Signal: /a blog/ ai-train=no, search=yes", "/a", ""),
    signal("38 a semicolon", "Content-Signal: ai-train=no; search=yes", "/", ""),
    case(
        "39 a group of its own",
        "User-agent: *|Content-Signal: ai-train=no|Allow: /|User-agent: GPTBot|Allow: /",
        ("GPTBot", "/"),
        "",
        "",
    ),
    // Both vocabularies, and unknown.
    case(
        "both vocabularies stay apart",
        "Content-Signal: ai-train=no|Content-Usage: search=y",
        ("Foo", "/"),
        "search=y:3",
        "ai-train=no:2",
    ),
    signal("a lone level", "Content-Signal: use=Immediate", "/", "use=immediate:2"),
    signal(
        "a path overrides the file-wide signal",
        "Content-Signal: ai-train=no, use=immediate|Content-Signal: /blog/ search=yes",
        "/blog/x",
        "search=yes:3",
    ),
    signal(
        "several lines say no",
        "Content-Signal: ai-train=no|Content-Signal: ai-train=yes|Content-Signal: ai-train=no",
        "/",
        "ai-train=no:2,4",
    ),
    case("no group", "User-agent: Bar|Content-Usage: train-ai=n|Allow: /", ("Foo", "/"), "", ""),
    usage("an index page opens no folder here", "Content-Usage: /a/index.html train-ai=n", "/a/", ""),
];

/// Returns the file of a case.
pub(crate) fn body(robots: &str) -> String {
    let text = robots.replace('|', "\n") + "\n";
    if text.starts_with("User-agent") { text } else { format!("User-agent: *\n{text}") }
}
