//! What every measured engine has to offer.

/// One way to answer "may this agent fetch that URL?".
pub(crate) trait Engine {
    /// The name in the tables and for `--only`.
    const NAME: &'static str;
    /// What it is.
    const KIND: EngineKind;
    /// Only every n-th host is measured: for engines that parse the file for each URL.
    const EVERY: usize = 1;
    /// Whether it takes a path; where not, only the rows of whole URLs are measured.
    const TAKES_PATH: bool = true;
    /// Preparing is timed once, not over and over: for engines that take minutes.
    const PREPARE_ONCE: bool = false;

    /// What is kept for one file and one agent.
    type Ready;
    /// What answers, borrowed from [`Self::Ready`]; made outside every timed loop.
    type Walk<'r>;

    /// From the bytes of a file to something that can answer; `None` where the engine refuses the file.
    fn prepare(body: &'static [u8], agent: &str) -> Option<Self::Ready>;

    /// Borrows what answers.
    fn walk(ready: &Self::Ready) -> Self::Walk<'_>;

    /// The verdict for a path and query in hand.
    fn path(walk: &Self::Walk<'_>, path: &str) -> bool;

    /// The verdict for a whole URL, with everything the engine needs to take it apart.
    fn url(walk: &Self::Walk<'_>, url: &str) -> bool;

    /// The bytes of the compiled form, where there is one.
    fn program(_ready: &Self::Ready) -> Option<&[u8]> {
        None
    }

    /// What compiling cost, where there is something to tell.
    fn figures(_ready: &Self::Ready) -> Option<Figures> {
        None
    }

    /// The verdict of a program that lies in a pack, and was checked when the pack was made: with the cost of reading
    /// its header.
    fn packed(_program: &[u8], _path: &str) -> bool {
        true
    }

    /// The stored form of a prepared file, where there is one.
    fn store(_ready: &Self::Ready) -> Option<Vec<u8>> {
        None
    }

    /// Loads a stored form and drops it again; whether it was accepted.
    fn load(_stored: &[u8]) -> bool {
        false
    }

    /// Loads a stored form that was checked before; `None` where the engine has no such way.
    fn trust(_stored: &[u8]) -> Option<bool> {
        None
    }
}

/// What an engine is to the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EngineKind {
    /// robotsc, some form of it.
    Ours,
    /// A peer that understands wildcards and ranks by length, and is right but for corners.
    Peer,
    /// A peer whose verdicts are wrong on many real files.
    WrongPeer,
    /// A general automaton fed with our rules.
    #[cfg_attr(not(feature = "peers"), expect(dead_code, reason = "it takes part with the peers"))]
    Generic,
    /// No engine: what the machine allows, or what the harness costs.
    Limit,
}

/// What a compiled form is made of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) bytes: usize,
    pub(crate) parts: u32,
    pub(crate) nodes: u32,
    pub(crate) work: u64,
}
