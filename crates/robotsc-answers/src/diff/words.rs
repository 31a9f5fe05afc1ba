//! The sentences of a diff.

use robotsc::record::RecordKind;
use robotsc::robots_txt::RuleKind;
use robotsc::rules::RuleOrigin;
use robotsc_analysis::{
    AgentMove, Agents, ChangedLine, ChangedLines, Diff, DiffRule, Effect, GroupChange, LineText, ObeyedGroups,
    OtherAgents, OtherLine, RecordChange, RecordDiff, Regrouping, RuleDiff, VerdictChange, words,
};

use crate::shown;

/// The most names that a sentence has.
const MAX_NAMES: usize = 12;
/// The most lines that a sentence has.
const MAX_LINES: usize = 5;
/// The most characters of a pattern, a path or a value that are shown.
const MAX_SHOWN: usize = 160;

/// How the sentences are worded.
#[derive(Clone, Debug)]
pub struct Words {
    /// The dialects, if they are compared; `None` for an edit.
    dialects: Option<[&'static str; 2]>,
    /// Who all other agents are.
    others: OtherAgents,
    /// Whether everything is listed, however long.
    pub is_full: bool,
}

impl Words {
    /// Chooses the words: `dialects` if one file is compared under two, `None` for an edit.
    #[must_use]
    pub fn new(diff: &Diff, dialects: Option<[&'static str; 2]>, is_full: bool) -> Self {
        Self { dialects, others: diff.others, is_full }
    }

    fn most(&self, most: usize) -> usize {
        if self.is_full { usize::MAX } else { most }
    }

    fn cut(&self, text: &[u8]) -> String {
        shown::cut(text, self.most(MAX_SHOWN))
    }

    /// Returns the path of a change.
    #[must_use]
    pub fn path(&self, change: &VerdictChange) -> String {
        self.cut(&change.path)
    }

    /// Returns the agents for whom something changed as the subject of a sentence.
    #[must_use]
    pub fn who(&self, agents: &Agents) -> String {
        self.listed(agents, shown::line, ["all agents", "all other agents"], " that obey `*`")
    }

    /// Returns the agents for whom nothing changed.
    #[must_use]
    pub fn unchanged(&self, agents: &Agents) -> String {
        self.listed(agents, shown::line, ["all agents", "all other agents"], "")
    }

    /// Returns agents as a list. `all` says what all agents are called, and all others. A crawler that obeys only
    /// groups that name it is in neither, if something changed for them: then `limit` follows.
    pub fn listed(&self, agents: &Agents, name: impl Fn(&str) -> String, all: [&str; 2], limit: &str) -> String {
        let limit = if self.others.has_named_only { limit } else { "" };
        let most = self.most(MAX_NAMES);
        let mut parts: Vec<String> = agents.names.iter().take(most).map(|text| name(text)).collect();
        if agents.names.len() > most {
            parts.push(format!("{} more", agents.names.len() - most));
        }
        if agents.has_others {
            parts.push(format!("{}{limit}", all[usize::from(!(self.others.are_all && parts.is_empty()))]));
        }
        words::listed(&parts)
    }

    /// Returns what the sides are called.
    fn sides(&self) -> [String; 2] {
        match self.dialects {
            None => ["before".to_owned(), "now".to_owned()],
            Some([one, other]) => [format!("under {one}"), format!("under {other}")],
        }
    }

    /// Returns the sentence for a change, without its subject: the agents.
    #[must_use]
    pub fn change(&self, rules: &RuleDiff, change: &VerdictChange) -> String {
        let path = self.cut(&change.path);
        let [before, now] = self.sides();
        let can = match (self.dialects, change.effect) {
            (None, Effect::Blocked) => format!("can no longer fetch paths such as {path}"),
            (None, Effect::Opened) => format!("can now fetch paths such as {path}"),
            (Some([one, other]), Effect::Blocked) => {
                format!("can fetch paths such as {path} under {one}, and not under {other}")
            }
            (Some([one, other]), Effect::Opened) => {
                format!("can fetch paths such as {path} under {other}, and not under {one}")
            }
        };
        let is_edit = self.dialects.is_none();
        let because = match change.disallow() {
            // Only a rule disallows.
            None => String::new(),
            Some(rule) => {
                let verb = match (is_edit, change.effect, rule.lines.len() == 1) {
                    (true, Effect::Opened, _) => "blocked",
                    (_, _, true) => "blocks",
                    (_, _, false) => "block",
                };
                format!(": {} {verb} them", self.rule(rules, rule, change.effect == Effect::Opened))
            }
        };
        // The side that allows.
        let side = if change.effect == Effect::Blocked { before } else { now };
        let is_past = is_edit && change.effect == Effect::Blocked;
        let otherwise = match change.allow() {
            None => {
                format!("{side}{} no rule {}", if is_past { "," } else { "" }, if is_past { "did" } else { "does" })
            }
            Some(rule) => {
                let verb = match (is_past, rule.lines.len() == 1) {
                    (true, _) => "allowed",
                    (false, true) => "allows",
                    (false, false) => "allow",
                };
                let rule = self.rule(rules, rule, change.effect == Effect::Blocked);
                format!("{side}{} {rule} {verb} them", if is_past { "," } else { "" })
            }
        };
        format!("{can}{because}; {otherwise}")
    }

    /// Returns a line for another change by the same Disallow.
    #[must_use]
    pub fn more(&self, rules: &RuleDiff, change: &VerdictChange) -> String {
        let path = self.cut(&change.path);
        let [before, now] = self.sides();
        let (side, is_past) = match change.effect {
            Effect::Blocked => (before, self.dialects.is_none()),
            Effect::Opened => (now, false),
        };
        match change.allow() {
            None => format!("also {path}, which no rule {} {side}", if is_past { "blocked" } else { "blocks" }),
            Some(rule) => {
                let verb = match (is_past, rule.lines.len() == 1) {
                    (true, _) => "allowed",
                    (false, true) => "allows",
                    (false, false) => "allow",
                };
                format!("also {path}, which {} {verb} {side}", self.rule(rules, rule, change.effect == Effect::Blocked))
            }
        }
    }

    /// Returns a rule: its lines, and what they say.
    fn rule(&self, rules: &RuleDiff, rule: &DiffRule, is_old: bool) -> String {
        let kind = rule.kind.as_str();
        if rule.origin == RuleOrigin::RobotsTxtPath {
            return "the dialect itself".to_owned();
        }
        let value = self.cut(&rule.value);
        let directive = format!("{kind}: {value}");
        let note = match rule.origin {
            RuleOrigin::IndexHtm => format!(" (read as `{kind}: {}`, too)", self.cut(&rule.pattern)),
            RuleOrigin::EmptyInverse => {
                let meant = if rule.kind == RuleKind::Allow { "Disallow: /" } else { "Allow: /" };
                format!(" (empty: means `{meant}`)")
            }
            // Another line is old, and counts for other agents now.
            _ if self.dialects.is_some() || !rules.is_of_one_file(rule) => String::new(),
            _ => match (&rule.unread, is_old) {
                (None, false) if rule.whole.is_some() => {
                    let whole = rule.whole.as_deref().unwrap_or_default();
                    format!(" (new: `#` begins a comment in `{}`)", self.cut(whole))
                }
                (None, true) => " (removed)".to_owned(),
                (None, false) => " (new)".to_owned(),
                (Some(line), true) => format!(" (removed: {} is not read)", self.text_of(line, false)),
                (Some(line), false) => format!(" (new: {} is not read)", self.text_of(line, true)),
            },
        };
        format!("{} `{}`{note}", self.lines(&rule.lines), directive.trim_end())
    }

    fn lines(&self, lines: &[u32]) -> String {
        let most = self.most(MAX_LINES);
        let mut parts: Vec<String> = lines.iter().take(most).map(u32::to_string).collect();
        if lines.len() > most {
            parts.push(format!("{} more", lines.len() - most));
        }
        match parts.split_last() {
            Some((last, [])) => format!("line {last}"),
            Some((last, before)) => format!("lines {} and {last}", before.join(", ")),
            None => "no line".to_owned(),
        }
    }

    /// Returns notes on agents that left or joined groups, and on lines that count for other agents than before.
    #[must_use]
    pub fn notes(&self, rules: &RuleDiff) -> Vec<String> {
        let moves = rules.moves.iter().map(|moved| self.moved(moved));
        moves.chain(rules.regroupings.iter().map(|regrouping| self.regrouping(regrouping))).collect()
    }

    /// Returns notes on agents whose records changed since they left or joined groups.
    #[must_use]
    pub fn record_notes(&self, records: &RecordDiff) -> Vec<String> {
        let moves = records.moves.iter().map(|moved| self.moved(moved));
        moves.chain(records.regroupings.iter().map(|regrouping| self.regrouping(regrouping))).collect()
    }

    /// Returns a note on agents that obey other groups than before.
    fn moved(&self, moved: &AgentMove) -> String {
        use ObeyedGroups::{Nobody, Of, Others, Own};
        let who = self.who(&Agents { names: moved.names.clone(), has_others: false });
        let many = moved.names.len() > 1;
        let [has, its, it, obeys] =
            if many { ["have", "their", "them", "they obey"] } else { ["has", "its", "it", "it obeys"] };
        let groups = |groups: &ObeyedGroups| match groups {
            Own => format!("the group that names {it}"),
            Of(name) => format!("the group of {}", shown::line(name)),
            Others => "the rules for all other agents".to_owned(),
            Nobody => "no rule".to_owned(),
        };
        if let Some([one, other]) = self.dialects {
            let (with, without, instead) =
                if moved.to == Own { (other, one, &moved.from) } else { (one, other, &moved.to) };
            let instead = match instead {
                Of(_) | Nobody => format!(", and {} counts", groups(instead)),
                _ => String::new(),
            };
            return format!("a group names {who} under {with}; under {without} none names {it}{instead}");
        }
        match (&moved.from, &moved.to) {
            (Nobody, Own) => format!("{who} {has} a group of {its} own now: before, no rule counted"),
            (Others, Own) => {
                format!("{who} {has} a group of {its} own now: the rules for all other agents no longer count")
            }
            (from, Own) => format!("{who} {has} a group of {its} own now: {} no longer counts", groups(from)),
            (Own, Nobody) => {
                format!("no group names {who} any more, and {obeys} only groups that do: no rule counts now")
            }
            (Own, Of(name)) => format!("no group names {who} any more: the group of {} counts now", shown::line(name)),
            (Own, _) => format!("no group names {who} any more: the rules for all other agents count now"),
            (from, to) => format!("{who}: {} counted before, and now {}", groups(from), groups(to)),
        }
    }

    /// Returns a note on a line that counts for other agents than before.
    fn regrouping(&self, Regrouping { lines: [old, new], change }: &Regrouping) -> String {
        let what = match change {
            GroupChange::Merged { begins, began, gone } => {
                let since = self.since(gone, true);
                match began {
                    Some(began) => format!("the group of line {began} now begins at line {begins}{since}"),
                    None => format!("it is in the group that begins at line {begins} now{since}"),
                }
            }
            GroupChange::Split { begins, began, added } => {
                format!("its group no longer begins at line {began} but at line {begins}{}", self.since(added, false))
            }
            GroupChange::AgentsAdded(lines) => format!("{} to its group", self.happened(lines, false)),
            GroupChange::AgentsRemoved(lines) => format!("{} from its group", self.happened(lines, true)),
            GroupChange::AgentsMoved(lines) => self.happened(lines, true),
            GroupChange::LineMoved(begins) => format!("it was moved to the group that begins at line {begins}"),
            GroupChange::Left(gone) => {
                let gone = gone.iter().cloned().collect();
                let since = self.since(&ChangedLines { first: gone, more: 0 }, true);
                format!("it is in no group now, so that nobody obeys it{since}")
            }
            GroupChange::Joined(line) => {
                let was = match &line.other {
                    OtherLine::Unread(old) => format!(": {} was not read", self.text_of(old, true)),
                    _ => String::new(),
                };
                format!("it was in no group before, and now {} is above it{was}", self.text_of(&line.line, false))
            }
        };
        format!("line {new} is old (line {old} before); {what}")
    }

    /// Returns a line of one of the files with its text.
    fn text_of(&self, line: &LineText, is_old: bool) -> String {
        format!("{}line {} `{}`", if is_old { "old " } else { "" }, line.line, self.cut(&line.text))
    }

    /// Returns the clause for lines that are a cause.
    fn since(&self, lines: &ChangedLines, is_old: bool) -> String {
        if lines.first.is_empty() { String::new() } else { format!(", since {}", self.happened(lines, is_old)) }
    }

    /// Returns what became of lines: those that are removed or added at the end.
    fn happened(&self, lines: &ChangedLines, is_old: bool) -> String {
        let mut clauses = Vec::new();
        let mut rest = Vec::new();
        for ChangedLine { line, other } in &lines.first {
            let text = self.text_of(line, is_old);
            match other {
                OtherLine::None => rest.push(text),
                OtherLine::Moved(other) if is_old => clauses.push(format!("{text} was moved to line {other}")),
                OtherLine::Moved(other) => clauses.push(format!("{text} was moved from old line {other}")),
                OtherLine::Unread(other) if is_old => {
                    clauses.push(format!("{} is not read and {text} was removed", self.text_of(other, false)));
                }
                OtherLine::Unread(other) => {
                    clauses.push(format!("{} was not read and {text} was added", self.text_of(other, true)));
                }
            }
        }
        if lines.more > 0 {
            rest.push(format!("{} more", lines.more));
        }
        if !rest.is_empty() {
            let verb = if rest.len() == 1 && lines.more < 2 { "was" } else { "were" };
            clauses.push(format!("{} {verb} {}", words::listed(&rest), if is_old { "removed" } else { "added" }));
        }
        words::listed(&clauses)
    }

    /// Returns the sentence for records that changed.
    #[must_use]
    pub fn record(&self, change: &RecordChange) -> String {
        let name = match change.kind {
            RecordKind::CrawlDelay => "crawl delay",
            RecordKind::RequestRate => "request rate",
            RecordKind::VisitTime => "visit time",
            RecordKind::ContentSignal => "content signal",
            RecordKind::ContentUsage => "content usage",
            RecordKind::Sitemap => "sitemap",
            RecordKind::Host => "host",
            _ => "clean-param",
        };
        let most = self.most(MAX_LINES);
        let values = |values: &[Vec<u8>]| {
            let mut parts: Vec<String> = values.iter().take(most).map(|value| self.cut(value)).collect();
            if values.len() > most {
                parts.push(format!("{} more", values.len() - most));
            }
            parts.join(", ")
        };
        let [before, now] = self.sides();
        let seconds = if change.kind == RecordKind::CrawlDelay { " s" } else { "" };
        let side = |given: &[Vec<u8>], side: String| match given {
            [] if change.kept > 0 => None,
            [] => Some(format!("none {side}")),
            given => Some(format!("{}{seconds} {side}", values(given))),
        };
        let is_one_sided = change.kept > 0 && (change.removed.is_empty() || change.added.is_empty());
        let parts = [side(&change.removed, before), side(&change.added, now)];
        let parts = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        format!("{name}: {parts}{}", if is_one_sided { " only" } else { "" })
    }
}
