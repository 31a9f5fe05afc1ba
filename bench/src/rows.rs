//! The measures, and what is aimed at.

/// One measure: what it is called, what it is compared with, and what is aimed at.
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) unit: &'static str,
    /// Whose figure is the limit, where there is one.
    pub(crate) limit: &'static str,
    /// The forms of ours that the aim is about.
    pub(crate) ours: &'static [&'static str],
    pub(crate) aim: Aim,
}

/// What is aimed at, in the row's unit.
pub(crate) enum Aim {
    /// At most this.
    Most(f64),
    /// At most this for all files; less for a part of them.
    MostOfAll(f64),
    /// Exactly this.
    Just(f64),
    /// Nothing.
    Open,
}

/// The bytes of the files that the aims were made for.
const ALL_BYTES: f64 = 10_140_000.0;

impl Aim {
    /// The figure for a corpus of so many bytes.
    pub(crate) fn figure(&self, bytes: usize) -> Option<f64> {
        match *self {
            Self::Most(most) => Some(most),
            Self::MostOfAll(most) => Some(most * bytes as f64 / ALL_BYTES),
            Self::Just(value) => Some(value),
            Self::Open => None,
        }
    }
}

const COMPILED: &[&str] = &["fast", "small"];

const fn row(
    id: &'static str,
    title: &'static str,
    unit: &'static str,
    limit: &'static str,
    ours: &'static [&'static str],
    aim: Aim,
) -> Row {
    Row { id, title, unit, limit, ours, aim }
}

/// All rows, in the order of the table.
pub(crate) const ROWS: &[Row] = &[
    row("hot-path", "hot, path in hand, all hosts", "ns/URL", "memchr", COMPILED, Aim::Most(15.0)),
    row("hot-prefix", "hot, prefix-only groups", "ns/URL", "memchr", COMPILED, Aim::Most(9.0)),
    row("hot-wildcard", "hot, wildcard hosts", "ns/URL", "table-walk", COMPILED, Aim::Most(26.0)),
    row("hot-100-rules", "hot, hosts with ≥ 100 rules", "ns/URL", "table-walk", COMPILED, Aim::Most(35.0)),
    row("not-compiled", "not compiled, hosts with ≥ 100 rules", "ns/URL", "", &["rule-set"], Aim::Most(200.0)),
    row("full-url", "full URL in, hot", "ns/URL", "slice", COMPILED, Aim::Most(32.0)),
    row("shuffled", "shuffled over all hosts (cold), path in hand", "ns/URL", "memchr", COMPILED, Aim::Most(50.0)),
    row("shuffled-url", "shuffled over all hosts (cold), full URL in", "ns/URL", "slice", COMPILED, Aim::Open),
    row("rule-set", "parse + RuleSet for one agent, corpus", "ms", "memchr", &["rule-set"], Aim::MostOfAll(4.0)),
    row("compile", "parse + compile Fast, corpus", "ms", "", &["fast"], Aim::MostOfAll(40.0)),
    row("bytes", "bytes held, corpus (agent's group)", "KB", "patterns", COMPILED, Aim::MostOfAll(1764.0)),
    row("load", "load all stored programs, validated", "ms", "", COMPILED, Aim::MostOfAll(3.53)),
    row("load-trusted", "load all stored programs, trusted", "ms", "", COMPILED, Aim::Open),
    row("agreement", "agreement with Google's parser, path in hand", "%", "", COMPILED, Aim::Just(100.0)),
];
