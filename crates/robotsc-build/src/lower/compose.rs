//! From files as written to declared sets: names, origins, what extends what, robots.txt files, groups and rules.
//!
//! A set is lowered as a row of layers: the sets that it extends, depth first, each once, then itself. Everything in a
//! layer is read in the dialect of the set that is being lowered. A layer of several sets can be wrong in the same way
//! each time; [`Diagnostics`] keeps each thing once.

use std::collections::{BTreeMap, BTreeSet};

use robotsc_compiler::Dialect;
use robotsc_runtime::embed::{HostPattern, OriginPattern};

use super::layer::{Expressions, Lowering};
use crate::check::expect;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, MAX_MEANT, SourceSpan, likely, listed, quoted};
use crate::limits::BuildLimits;
use crate::lower::origin;
use crate::model::DeclaredSet;
use crate::read::known_names::KnownNames;
use crate::read::written::{NAMES, ParsedFile, RobotsFiles, WrittenSet, is_name};

/// The most that is found wrong before the rest is not looked at.
const MAX_FOUND: usize = 10_000;

/// All sets of a folder.
pub(crate) struct Composer<'f> {
    sets: Vec<WrittenSet<'f>>,
    by_name: BTreeMap<&'f str, usize>,
    limits: &'f BuildLimits,
    /// The crawlers that expectations may name.
    known_names: &'f KnownNames,
    pub(crate) found: Vec<Diagnostic>,
    /// For each set that was lowered, where the rules of its places stand.
    pub(crate) spots: Vec<Vec<SourceSpan>>,
}

impl<'f> Composer<'f> {
    pub(crate) fn new(files: &'f [ParsedFile], limits: &'f BuildLimits, known_names: &'f KnownNames) -> Self {
        let (mut sets, mut found) = (Vec::new(), Vec::new());
        for file in files {
            let node = file.places.field("rule_sets");
            if file.wanted && file.file.rule_sets.is_empty() {
                let spot = SourceSpan::new(&file.source, node.span.clone());
                let error = Diagnostic::error(Code::DeniesNothing, "the file declares no rule set");
                found.push(error.at(spot, "no rule set").help("declare one, or remove the file"));
            }
            for (index, set) in file.file.rule_sets.iter().enumerate() {
                sets.push(WrittenSet { file, set, node: node.item(index) });
            }
        }
        Self { sets, by_name: BTreeMap::new(), limits, known_names, found, spots: Vec::new() }
    }

    /// Lowers all wanted sets, in order. What is wrong is in `found`; a set that is wrong may be missing.
    pub(crate) fn compose(&mut self, robots: &mut dyn RobotsFiles) -> Vec<DeclaredSet> {
        if let Some(set) = self.sets.get(self.limits.max_sets) {
            let message = format!("{} rule sets, and the limit is {}", self.sets.len(), self.limits.max_sets);
            let spot = set.spot(set.node.field("name"));
            let error = Diagnostic::error(Code::OverLimit, message).at(spot, "one set too many");
            self.found.push(error.help("raise `max_sets`"));
            return Vec::new();
        }
        self.take_names();
        let dialects: Vec<_> = (0..self.sets.len()).map(|index| self.dialect(index)).collect();
        let origins: Vec<_> = (0..self.sets.len()).map(|index| self.origins(index)).collect();
        self.check_claims(&origins);
        let layers = self.layers();
        let extended: BTreeSet<&str> =
            self.sets.iter().flat_map(|set| set.set.extends.iter().map(String::as_str)).collect();
        let mut declared = Vec::new();
        let mut rules_left = self.limits.max_rules.saturating_mul(20);
        let mut regexes = Expressions::default();
        for (index, set) in self.sets.clone().into_iter().enumerate() {
            let (Some(dialect), Some(layers)) = (&dialects[index], &layers[index]) else { continue };
            if !set.file.wanted {
                continue;
            }
            let mut lowering = Lowering::new(dialect, self.limits, self.known_names, &mut regexes);
            for &layer in layers {
                lowering.layer(&self.sets[layer], layer == index, robots);
            }
            let has_origins = set.set.origins.as_ref().is_none_or(|given| given.len() == origins[index].len());
            let is_sound = lowering.is_sound() && has_origins;
            let origins = origins[index].iter().map(|(origin, _)| origin.clone()).collect();
            let (lowered, spots, denial) = lowering.finish(&set, origins, &mut self.found);
            let Some(left) = rules_left.checked_sub(spots.len()) else {
                let message = format!("all sets together have more than {} rules", self.limits.max_rules * 20);
                let spot = set.spot(set.node.field("name"));
                let error = Diagnostic::error(Code::OverLimit, message).at(spot, "this set is over the limit");
                self.found.push(error.help("raise `max_rules`, of which this is twenty times as much"));
                return Vec::new();
            };
            rules_left = left;
            // Of a set that is wrong already, expectations would fail for no reason of their own.
            if is_sound {
                let is_base = denial.has_rules && extended.contains(lowered.name.as_str());
                if !denial.is_sound() && !is_base {
                    self.found.push(denies_nothing(&set, denial.is_stated));
                }
                expect::check(&set, &lowered, &spots, self.known_names, self.limits, &mut self.found);
            }
            declared.push(lowered);
            self.spots.push(spots);
            if self.found.len() > MAX_FOUND {
                // Sets that extend each other say the same; where it is not the same, this is enough to know.
                self.found = Diagnostics::new(std::mem::take(&mut self.found)).into_vec();
                if self.found.len() > MAX_FOUND {
                    return declared;
                }
            }
        }
        declared
    }

    fn take_names(&mut self) {
        for (index, set) in self.sets.iter().enumerate() {
            let name = set.set.name.as_str();
            let spot = set.spot(set.node.field("name"));
            if !is_name(name) {
                let error = Diagnostic::error(Code::BadName, format!("{} is no name for a rule set", quoted(name)));
                self.found.push(error.at(spot.clone(), "not a name").help(NAMES));
            }
            if let Some(&first) = self.by_name.get(name) {
                let other = &self.sets[first];
                let error = Diagnostic::error(Code::DuplicateName, format!("two rule sets are named {}", quoted(name)));
                let other = other.spot(other.node.field("name"));
                self.found.push(error.at(spot, "the name is taken").at(other, "by this set"));
            } else {
                self.by_name.insert(name, index);
            }
        }
    }

    fn dialect(&mut self, index: usize) -> Option<Dialect> {
        let WrittenSet { set, node, .. } = self.sets[index];
        let named = match &set.dialect {
            None => Some(&Dialect::GOOGLE),
            Some(name) => Dialect::by_name(name),
        };
        if named.is_none() {
            let name = set.dialect.as_deref().unwrap_or_default();
            let names = Dialect::ALL.map(|dialect| dialect.name);
            let spot = self.sets[index].spot(node.field("dialect"));
            let error = Diagnostic::error(Code::UnknownDialect, format!("no dialect is named {}", quoted(name)));
            let label = match likely(name, names) {
                Some(meant) => format!("did you mean {}?", quoted(meant)),
                None => "not a dialect".to_owned(),
            };
            self.found.push(error.at(spot, label).note(format!("there are {}", listed(names))));
        }
        named.map(|named| set.dialect_with.over(named))
    }

    /// The origins of a set, each once, and which of those that are given they are.
    fn origins(&mut self, index: usize) -> Vec<(OriginPattern<String>, usize)> {
        let written = self.sets[index];
        let Some(given) = &written.set.origins else { return vec![(OriginPattern::ANY, 0)] };
        let node = written.node.field("origins");
        if given.is_empty() {
            let error = Diagnostic::error(Code::BadOrigin, "a rule set without origins applies nowhere");
            let error = error.at(written.spot(node), "no origin");
            self.found.push(error.help("leave the field out for a set that applies everywhere"));
        }
        let mut origins = Vec::new();
        let mut known: BTreeMap<OriginPattern<String>, usize> = BTreeMap::new();
        for (at, text) in given.iter().enumerate() {
            let spot = written.spot(node.item(at));
            match origin::parse(text) {
                Err(error) => {
                    let message = format!("{} is no origin: {error}", quoted(text));
                    self.found
                        .push(Diagnostic::error(Code::BadOrigin, message).at(spot, "not an origin").help(ORIGINS));
                }
                Ok(origin) => match known.get(&origin) {
                    Some(first) => {
                        let message = format!("the origin {} stands here twice", quoted(&origin.to_string()));
                        let error = Diagnostic::error(Code::DuplicateOrigin, message).at(spot, "the same as");
                        self.found.push(error.at(written.spot(node.item(*first)), "this one"));
                    }
                    None => {
                        known.insert(origin.clone(), at);
                        origins.push((origin, at));
                    }
                },
            }
        }
        origins
    }

    /// Whether two sets claim the same origin with an exact host.
    fn check_claims(&mut self, origins: &[Vec<(OriginPattern<String>, usize)>]) {
        let mut claims: BTreeMap<&OriginPattern<String>, (usize, usize)> = BTreeMap::new();
        for (index, origins) in origins.iter().enumerate() {
            for (origin, at) in origins.iter().filter(|(origin, _)| matches!(origin.host, HostPattern::Exact(_))) {
                let Some(&(first, first_at)) = claims.get(origin) else {
                    claims.insert(origin, (index, *at));
                    continue;
                };
                let claim = |set: &WrittenSet<'_>, at| set.spot(set.node.field("origins").item(at));
                let (set, other) = (&self.sets[index], &self.sets[first]);
                let message = format!(
                    "{} and {} both claim the origin {}",
                    quoted(&other.set.name),
                    quoted(&set.set.name),
                    quoted(&origin.to_string())
                );
                let error = Diagnostic::error(Code::DuplicateOrigin, message);
                let error = error.at(claim(set, *at), "claimed here").at(claim(other, first_at), "and here first");
                let help =
                    "one set of a folder answers for an origin: make one extend the other, and give it the origin";
                self.found.push(error.help(help));
            }
        }
    }

    /// For each set, the sets that it is composed of, itself last; `None` where that is no row.
    fn layers(&mut self) -> Vec<Option<Vec<usize>>> {
        let mut extends: Vec<Vec<usize>> = Vec::new();
        let mut is_bad = vec![false; self.sets.len()];
        for (index, set) in self.sets.iter().enumerate() {
            let mut known = Vec::new();
            for (at, name) in set.set.extends.iter().enumerate() {
                if let Some(&base) = self.by_name.get(name.as_str()) {
                    known.push(base);
                    continue;
                }
                is_bad[index] = true;
                let spot = set.spot(set.node.field("extends").item(at));
                let known = self.by_name.keys().copied().filter(|_| self.found.len() < MAX_MEANT);
                let label = match likely(name, known) {
                    Some(meant) => format!("did you mean {}?", quoted(meant)),
                    None => "not a set of this folder".to_owned(),
                };
                let error = Diagnostic::error(Code::UnknownSet, format!("no rule set is named {}", quoted(name)));
                self.found.push(error.at(spot, label));
            }
            extends.push(known);
        }
        let mut layers = Vec::with_capacity(self.sets.len());
        let mut cycles = BTreeSet::new();
        for index in 0..self.sets.len() {
            let mut row = ExtendsWalk {
                extends: &extends,
                open: Vec::new(),
                done: vec![false; extends.len()],
                order: Vec::new(),
            };
            match row.visit(index) {
                Ok(()) if row.order.iter().any(|&layer| is_bad[layer]) => layers.push(None),
                Ok(()) => layers.push(Some(row.order)),
                Err(cycle) => {
                    layers.push(None);
                    let mut members = cycle.clone();
                    members.sort_unstable();
                    if cycles.insert(members) {
                        self.found.push(self.cycle(&cycle));
                    }
                }
            }
        }
        layers
    }

    /// The error for sets that extend each other: each the next, and the last the first.
    fn cycle(&self, cycle: &[usize]) -> Diagnostic {
        let names = cycle.iter().chain(cycle.first()).map(|&index| quoted(&self.sets[index].set.name));
        let message = format!("rule sets extend each other: {}", names.collect::<Vec<_>>().join(" extends "));
        let mut error = Diagnostic::error(Code::ExtendsCycle, message);
        for (at, &index) in cycle.iter().enumerate() {
            let set = &self.sets[index];
            let next = &self.sets[cycle[(at + 1) % cycle.len()]].set.name;
            let place = set.set.extends.iter().position(|name| name == next).unwrap_or(0);
            error = error
                .at(set.spot(set.node.field("extends").item(place)), if at == 0 { "from here" } else { "to here" });
        }
        error
    }
}

/// Returns the error for a set that can disallow nothing; `is_stated` is whether a rule of it says otherwise.
fn denies_nothing(set: &WrittenSet<'_>, is_stated: bool) -> Diagnostic {
    let message = format!("the rule set {} disallows nothing", quoted(&set.set.name));
    let error = Diagnostic::error(Code::DeniesNothing, message).at(set.spot(set.node.field("name")), "this set");
    let error = match is_stated {
        true => error.note("each rule that disallows has no effect: another one decides first, or allows as much"),
        false => error,
    };
    error.help("to allow everything on purpose, write `Permit(path: \"/\")` as a rule, and none that disallows")
}

/// One walk over the sets that a set extends.
struct ExtendsWalk<'e> {
    extends: &'e [Vec<usize>],
    /// The way from the first set to here.
    open: Vec<usize>,
    done: Vec<bool>,
    order: Vec<usize>,
}

impl ExtendsWalk<'_> {
    /// Appends what a set extends, then the set. As deep as there are sets; a cycle is an error.
    fn visit(&mut self, index: usize) -> Result<(), Vec<usize>> {
        if self.done[index] {
            return Ok(());
        }
        if let Some(at) = self.open.iter().position(|&open| open == index) {
            return Err(self.open[at..].to_vec());
        }
        self.open.push(index);
        for at in 0..self.extends[index].len() {
            self.visit(self.extends[index][at])?;
        }
        self.open.pop();
        self.done[index] = true;
        self.order.push(index);
        Ok(())
    }
}

/// What origins are.
const ORIGINS: &str =
    "an origin is `*`, `example.com`, `*.example.com`, `https://example.com` or `https://example.com:8443`";
