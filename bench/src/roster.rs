//! Who takes part.

use crate::arguments::Arguments;
use crate::corpus::Corpus;
use crate::engine::{Engine, EngineKind};
use crate::limits::{Null, Slice, TableWalk, Touch};
use crate::ours::{Fast, Naming, RankedRules, Small};
use crate::runner::{Bench, Runner};

/// Whether `--only` asks for an engine: by its name, as `robotsc` for all of ours, `peers`, or `limits`.
pub(crate) fn wanted(arguments: &Arguments, name: &str, kind: EngineKind) -> bool {
    let family = match kind {
        EngineKind::Ours => "robotsc",
        EngineKind::Peer | EngineKind::WrongPeer | EngineKind::Generic => "peers",
        EngineKind::Limit => "limits",
    };
    arguments.wants("only", name) || arguments.wants("only", family)
}

/// Does something with the type of every engine, in the order of the tables.
pub(crate) trait Visit {
    fn visit<E: Engine + 'static>(&mut self);
}

/// Visits every engine.
pub(crate) fn visit(visitor: &mut impl Visit) {
    visitor.visit::<Null>();
    visitor.visit::<Touch>();
    visitor.visit::<TableWalk>();
    visitor.visit::<Slice>();
    visitor.visit::<RankedRules>();
    visitor.visit::<Fast>();
    visitor.visit::<Small>();
    visitor.visit::<Naming>();
    #[cfg(feature = "peers")]
    {
        use crate::peers;
        visitor.visit::<peers::TextingRobots>();
        visitor.visit::<peers::Robotxt>();
        visitor.visit::<peers::Robotstxt>();
        visitor.visit::<peers::Cylon>();
        visitor.visit::<peers::FastRobots>();
        visitor.visit::<peers::FastRobotsIndexed>();
        visitor.visit::<peers::RobotsTxtCrate>();
        visitor.visit::<crate::generic::DenseDfa>();
    }
}

struct Collect<'c, 'a> {
    corpus: &'c Corpus,
    agent: &'c str,
    arguments: &'a Arguments,
    runners: Vec<Box<dyn Runner + 'c>>,
}

impl Visit for Collect<'_, '_> {
    fn visit<E: Engine + 'static>(&mut self) {
        if wanted(self.arguments, E::NAME, E::KIND) {
            self.runners.push(Bench::<E>::boxed(self.corpus, self.agent));
        }
    }
}

/// The engines that are wanted, over a corpus.
pub(crate) fn runners<'c>(corpus: &'c Corpus, agent: &'c str, arguments: &Arguments) -> Vec<Box<dyn Runner + 'c>> {
    let mut collect = Collect { corpus, agent, arguments, runners: Vec::new() };
    visit(&mut collect);
    collect.runners
}
