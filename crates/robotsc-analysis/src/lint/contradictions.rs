//! Preferences for one path that disagree.
//!
//! ```text
//! Content-Signal: ai-train=no
//! Content-Usage: train-ai=y        corresponds to ai-train
//! Content-Signal: use=full
//! Content-Signal: use=immediate    the strictest level holds
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use robotsc_compiler::GroupId;
use robotsc_compiler::record::{PreferenceRecord, Record, RecordKind};

use super::check::LintCheck;
use super::context::Context;
use super::finding::Finding;
use super::preferences::{is_preference, split};
use crate::preferences::{Category, Dictionary, SignalMeaning, UseLevel, Vocabulary, signals};

/// The work of adding what a record says for one audience, in units of the budget.
const WORK_OF_A_RECORD: u64 = 64;

/// Something that a preference can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PreferenceTerm {
    /// A label of a vocabulary, by its record.
    Label(RecordKind, &'static str, Option<Category>),
    /// The signal `use`.
    Use,
}

/// What a record can say of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StatedValue {
    No,
    Yes,
    Level(UseLevel),
}

/// What a record says of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Statement {
    term: PreferenceTerm,
    answer: StatedValue,
    line: u32,
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PreferenceTerm::Label(kind, name, _) = self.term else {
            return match self.answer {
                StatedValue::Level(level) => write!(f, "use={level}"),
                StatedValue::No | StatedValue::Yes => f.write_str("use"),
            };
        };
        let words = if kind == RecordKind::ContentSignal { ["no", "yes"] } else { ["n", "y"] };
        write!(f, "{name}={}", words[usize::from(self.answer == StatedValue::Yes)])
    }
}

/// A record, read once for all audiences.
struct RecordStatements {
    /// The number of its path: records for the same paths have the same.
    path: usize,
    statements: Vec<Statement>,
}

/// The first line with each answer to each term.
type FirstLines = BTreeMap<(PreferenceTerm, StatedValue), u32>;

/// Runs this check.
pub(super) fn check(context: &mut Context<'_>) {
    let Some(check) = context.check(LintCheck::PreferenceContradiction) else { return };
    let of_groups = read_all(context);
    let mut known: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut found = Vec::new();
    for obeyed in &context.obeyed {
        let records = || obeyed.audience.groups.iter().filter_map(|id| of_groups.get(id)).flatten();
        let work = WORK_OF_A_RECORD * records().count() as u64;
        if obeyed.rules.budget.take(work).is_err() {
            let first = context.robots.records().iter().find(|record| is_preference(record));
            let message = "whether preferences for the same paths disagree was not decided for all agents";
            let finding = |record: &Record| {
                Some(Finding::new(context.check(LintCheck::NotDecided)?, record.line, record.key, message))
            };
            found.extend(first.and_then(finding));
            break;
        }
        let mut of_paths: BTreeMap<usize, FirstLines> = BTreeMap::new();
        for read in records() {
            let stated = of_paths.entry(read.path).or_default();
            for statements in &read.statements {
                stated.entry((statements.term, statements.answer)).or_insert(statements.line);
            }
        }
        for (one, other) in of_paths.values().flat_map(disagreeing) {
            if !known.insert((one.line, other.line)) {
                continue;
            }
            let holds = match (one.term, one.answer.min(other.answer)) {
                (PreferenceTerm::Use, StatedValue::Level(level)) => format!(": `{level}` holds"),
                _ if one.term == other.term => ": no holds".to_owned(),
                _ => String::new(),
            };
            let message = format!("`{one}` contradicts line {}, `{other}`{holds}", other.line);
            let span = context.lines.span(one.line);
            found.push(Finding::new(check, one.line, span, message).related([other.line]));
        }
    }
    context.found.extend(found);
}

/// Reads the preferences of each group.
fn read_all(context: &Context<'_>) -> HashMap<GroupId, Vec<RecordStatements>> {
    let mut paths: HashMap<Option<Vec<u8>>, usize> = HashMap::new();
    let mut read = |record: &Record| {
        let split = split(record, context.body())?;
        let path = split.path.map(|path| context.robots.dialect().normalize_pattern(path));
        let number = paths.len();
        let path = *paths.entry(path).or_insert(number);
        Some(RecordStatements { path, statements: statements(record, split) })
    };
    let ids = (0..).map(GroupId);
    let groups = ids.zip(context.robots.groups());
    groups.map(|(id, group)| (id, context.robots.records_of(group).iter().filter_map(&mut read).collect())).collect()
}

/// Returns what a record says.
fn statements(record: &Record, split: PreferenceRecord<'_>) -> Vec<Statement> {
    let line = record.line;
    let of_label = |name, category, is_yes: bool| {
        let answer = if is_yes { StatedValue::Yes } else { StatedValue::No };
        Statement { term: PreferenceTerm::Label(record.kind, name, category), answer, line }
    };
    if record.kind == RecordKind::ContentSignal {
        let statements = signals(split.statement).filter_map(|signal| match signal.meaning? {
            SignalMeaning::Label(label, is_yes) => Some(of_label(label.name, label.category, is_yes)),
            SignalMeaning::Use(level) => {
                Some(Statement { term: PreferenceTerm::Use, answer: StatedValue::Level(level), line })
            }
            _ => None,
        });
        return statements.collect();
    }
    let dictionary = Dictionary::parse(split.statement).unwrap_or_default();
    let labels = Vocabulary::NEWEST.labels.iter();
    let statements = labels.filter_map(|label| {
        let is_yes = dictionary.preference(label.name).as_bool()?;
        Some(of_label(label.name, label.category, is_yes))
    });
    statements.collect()
}

/// Returns the statements that disagree: on one term, and on terms that correspond.
fn disagreeing(stated: &FirstLines) -> Vec<(Statement, Statement)> {
    let all: Vec<Statement> = stated.iter().map(|(&(term, answer), &line)| Statement { term, answer, line }).collect();
    let strictest_use = all.iter().find(|statements| statements.term == PreferenceTerm::Use).copied();
    let disagree = |one: &Statement, other: &Statement| {
        one.line != other.line
            && one.answer != other.answer
            && match (one.term, other.term) {
                (PreferenceTerm::Label(of_one, _, category), PreferenceTerm::Label(of_other, _, other))
                    if of_one != of_other =>
                {
                    // The signal comes first.
                    of_one == RecordKind::ContentSignal && category.is_some() && category == other
                }
                // The answer that holds comes last.
                (PreferenceTerm::Use, PreferenceTerm::Use) => Some(*other) == strictest_use,
                (one_term, other_term) => one_term == other_term && one.answer > other.answer,
            }
    };
    let pairs = all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other)));
    pairs.filter(|(one, other)| disagree(one, other)).collect()
}
