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

use super::context::Context;
use super::finding::Finding;
use super::preferences::{is_preference, split};
use crate::preferences::{Category, Dictionary, SignalMeaning, UseLevel, Vocabulary, signals};

/// The work of adding what a record says for one audience, in units of the budget.
const WORK_OF_A_RECORD: u64 = 64;

/// Something that a preference can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    /// A label of a vocabulary, by its record.
    Label(RecordKind, &'static str, Option<Category>),
    /// The signal `use`.
    Use,
}

/// What a record can say of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    No,
    Yes,
    Level(UseLevel),
}

/// What a record says of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Said {
    term: Term,
    answer: Answer,
    line: u32,
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Term::Label(kind, name, _) = self.term else {
            return match self.answer {
                Answer::Level(level) => write!(f, "use={level}"),
                Answer::No | Answer::Yes => f.write_str("use"),
            };
        };
        let words = if kind == RecordKind::ContentSignal { ["no", "yes"] } else { ["n", "y"] };
        write!(f, "{name}={}", words[usize::from(self.answer == Answer::Yes)])
    }
}

/// A record, read once for all audiences.
struct Read {
    /// The number of its path: records for the same paths have the same.
    path: usize,
    said: Vec<Said>,
}

/// The first line with each answer to each term.
type Stated = BTreeMap<(Term, Answer), u32>;

/// Runs this check.
pub(super) fn check(context: &mut Context<'_>) {
    let Some(check) = context.check("preference-contradiction") else { return };
    let of_groups = read_all(context);
    let mut known: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut found = Vec::new();
    for obeyed in &context.obeyed {
        let records = || obeyed.audience.groups.iter().filter_map(|id| of_groups.get(id)).flatten();
        let work = WORK_OF_A_RECORD * records().count() as u64;
        if obeyed.rules.budget.take(work).is_err() {
            let first = context.robots.records().iter().find(|record| is_preference(record));
            let message = "whether preferences for the same paths disagree was not decided for all agents";
            let finding =
                |record: &Record| Some(Finding::new(context.check("not-decided")?, record.line, record.key, message));
            found.extend(first.and_then(finding));
            break;
        }
        let mut of_paths: BTreeMap<usize, Stated> = BTreeMap::new();
        for read in records() {
            let stated = of_paths.entry(read.path).or_default();
            for said in &read.said {
                stated.entry((said.term, said.answer)).or_insert(said.line);
            }
        }
        for (one, other) in of_paths.values().flat_map(disagreeing) {
            if !known.insert((one.line, other.line)) {
                continue;
            }
            let holds = match (one.term, one.answer.min(other.answer)) {
                (Term::Use, Answer::Level(level)) => format!(": `{level}` holds"),
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
fn read_all(context: &Context<'_>) -> HashMap<GroupId, Vec<Read>> {
    let mut paths: HashMap<Option<Vec<u8>>, usize> = HashMap::new();
    let mut read = |record: &Record| {
        let split = split(record, context.body())?;
        let path = split.path.map(|path| context.robots.dialect().normalize_pattern(path));
        let number = paths.len();
        let path = *paths.entry(path).or_insert(number);
        Some(Read { path, said: said(record, split) })
    };
    let ids = (0..).map(GroupId);
    let groups = ids.zip(context.robots.groups());
    groups.map(|(id, group)| (id, context.robots.records_of(group).iter().filter_map(&mut read).collect())).collect()
}

/// Returns what a record says.
fn said(record: &Record, split: PreferenceRecord<'_>) -> Vec<Said> {
    let line = record.line;
    let of_label = |name, category, is_yes: bool| {
        let answer = if is_yes { Answer::Yes } else { Answer::No };
        Said { term: Term::Label(record.kind, name, category), answer, line }
    };
    if record.kind == RecordKind::ContentSignal {
        let said = signals(split.statement).filter_map(|signal| match signal.meaning? {
            SignalMeaning::Label(label, is_yes) => Some(of_label(label.name, label.category, is_yes)),
            SignalMeaning::Use(level) => Some(Said { term: Term::Use, answer: Answer::Level(level), line }),
        });
        return said.collect();
    }
    let dictionary = Dictionary::parse(split.statement).unwrap_or_default();
    let labels = Vocabulary::NEWEST.labels.iter();
    let said = labels.filter_map(|label| {
        let is_yes = dictionary.preference(label.name).as_bool()?;
        Some(of_label(label.name, label.category, is_yes))
    });
    said.collect()
}

/// Returns the statements that disagree: on one term, and on terms that correspond.
fn disagreeing(stated: &Stated) -> Vec<(Said, Said)> {
    let all: Vec<Said> = stated.iter().map(|(&(term, answer), &line)| Said { term, answer, line }).collect();
    let strictest_use = all.iter().find(|said| said.term == Term::Use).copied();
    let disagree = |one: &Said, other: &Said| {
        one.line != other.line
            && one.answer != other.answer
            && match (one.term, other.term) {
                (Term::Label(of_one, _, category), Term::Label(of_other, _, other)) if of_one != of_other => {
                    // The signal comes first.
                    of_one == RecordKind::ContentSignal && category.is_some() && category == other
                }
                // The answer that holds comes last.
                (Term::Use, Term::Use) => Some(*other) == strictest_use,
                (one_term, other_term) => one_term == other_term && one.answer > other.answer,
            }
    };
    let pairs = all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other)));
    pairs.filter(|(one, other)| disagree(one, other)).collect()
}
