//! Which agents may fetch which URLs: a [`Column`] is an agent, a [`Cell`] its answer for one URL.

use std::borrow::Cow;
use std::sync::Arc;

use robotsc::pack::{UseRefusal, WantedUse};
use robotsc::rules::Rule;
use robotsc::{PathFormError, RobotsTxt, UrlPath};
use robotsc_analysis::preferences::{EffectivePreferences, Preference, Preferences, Reading};
use serde_json::{Map, Value};

use crate::check;
use crate::chosen_agent::ChosenAgent;
use crate::decider::Decider;

/// A column: an agent, its rules, and the number of URLs that it may fetch.
#[derive(Debug)]
pub struct Column<'r> {
    /// The agent.
    pub agent: ChosenAgent,
    decider: Arc<Decider<'r>>,
    /// What its pages are wanted for, and what the file says of that.
    wanted: Option<(WantedUse, Preferences<'r>)>,
    /// The number of URLs that it may fetch, of those that were answered.
    pub allowed: u64,
    /// The number of URLs that it may not fetch.
    pub disallowed: u64,
}

impl<'r> Column<'r> {
    /// Selects the rules of an agent.
    #[must_use]
    pub fn new(agent: ChosenAgent, robots: &RobotsTxt<'r>) -> Self {
        let rules = robots.rule_set(&agent.crawler);
        let agent = agent.for_file(robots);
        Self::with(agent, Arc::new(Decider::new(Cow::Owned(rules))))
    }

    /// Takes the rules of an agent that are at hand already.
    #[must_use]
    pub const fn with(agent: ChosenAgent, decider: Arc<Decider<'r>>) -> Self {
        Self { agent, decider, wanted: None, allowed: 0, disallowed: 0 }
    }

    /// Lets the agent have only URLs whose use the file does not refuse, too: see [`WantedUse`].
    #[must_use]
    pub fn for_use(self, wanted: WantedUse, robots: &'r RobotsTxt<'r>) -> Self {
        let selection = robots.select(&self.agent.crawler);
        let stated = Preferences::of_selection(robots, &selection, Reading::default());
        Self { wanted: Some((wanted, stated)), ..self }
    }

    /// Answers for a path, and counts it.
    ///
    /// # Errors
    /// If the path is in another form than the rules.
    pub fn answer(&mut self, path: UrlPath<'_>) -> Result<Cell, PathFormError> {
        let rule = self.decider.rule(path)?.copied();
        let may_fetch = rule.is_none_or(|rule| rule.verdict.is_allow());
        let refused = match &self.wanted {
            Some((wanted, stated)) if may_fetch => RefusedUse::of(*wanted, stated.at_path(path)?.as_ref()),
            _ => None,
        };
        let cell = Cell { is_allowed: may_fetch && refused.is_none(), rule, refused };
        *(if cell.is_allowed { &mut self.allowed } else { &mut self.disallowed }) += 1;
        Ok(cell)
    }

    /// Reports whether both agents obey the same rules, so that they have one answer for every URL. `false` if a use
    /// counts: preferences are not compared.
    #[must_use]
    pub fn has_rules_of(&self, other: &Self) -> bool {
        let [own, theirs] = [self, other].map(|column| column.decider.rules().rules());
        (self.wanted.is_none() && other.wanted.is_none())
            && (Arc::ptr_eq(&self.decider, &other.decider) || own == theirs)
    }

    /// Returns the part of the URLs that the agent may fetch, in percent; `None` if there are none.
    #[must_use]
    pub fn share(&self) -> Option<String> {
        let all = self.allowed + self.disallowed;
        (all > 0).then(|| format!("{:.1} %", self.allowed as f64 * 100.0 / all as f64))
    }

    /// Returns the numbers of the agent as JSON. `urls` is the number of URLs that could be read.
    #[must_use]
    pub fn json(&self, urls: u64) -> Map<String, Value> {
        let share = (urls > 0).then(|| self.allowed as f64 / urls as f64);
        let fields = [
            ("type", "agent".into()),
            ("agent", self.agent.name.as_str().into()),
            ("allowed", self.allowed.into()),
            ("disallowed", self.disallowed.into()),
            ("share", share.map_or(Value::Null, Value::from)),
            ("note", self.agent.note.as_deref().into()),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Returns the numbers of the agents that have one answer for every URL, together, in the order of the first of each.
#[must_use]
pub fn alike(columns: &[Column<'_>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        match groups.iter_mut().find(|group| columns[group[0]].has_rules_of(column)) {
            Some(group) => group.push(number),
            None => groups.push(vec![number]),
        }
    }
    groups
}

/// Why a page that may be fetched must not be used, and the first line that says so, if one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedUse {
    /// Why.
    pub why: UseRefusal,
    /// The line of a preference.
    pub line: Option<u32>,
}

impl RefusedUse {
    fn of(wanted: WantedUse, effective: Option<&EffectivePreferences>) -> Option<Self> {
        let why = wanted.refusal(effective.map_or(Preference::Unknown, |stated| stated.of(wanted.category)))?;
        let line = effective.and_then(|stated| stated.lines_of(wanted.category).first().copied());
        Some(Self { why, line })
    }
}

/// The answer for one URL and one agent.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Whether the agent may fetch the URL, and have it for its use, if one counts.
    pub is_allowed: bool,
    /// The rule that decides whether it may be fetched.
    pub rule: Option<Rule>,
    /// Why it must not be used, though it may be fetched.
    pub refused: Option<RefusedUse>,
}

impl Cell {
    /// Returns the verdict as a word.
    #[must_use]
    pub const fn verdict(&self) -> &'static str {
        if self.is_allowed { "allowed" } else { "disallowed" }
    }

    /// Returns the verdict as a word, or what refuses the use.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self.refused {
            Some(refused) => refused.why.name(),
            None => self.verdict(),
        }
    }

    /// Returns the line that decides, if one does: that of a rule, or of a preference.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        if let Some(refused) = self.refused {
            return refused.line;
        }
        self.rule.and_then(|rule| check::deciding_line(rule.line))
    }

    /// Returns the answer as JSON.
    #[must_use]
    pub fn json(&self, url: &[u8], agent: &ChosenAgent) -> Map<String, Value> {
        let mut object = check::start(self.verdict(), url, Some(&agent.name), self.line(), agent.note.as_deref());
        if let Some(refused) = self.refused {
            object.insert("reason".to_owned(), refused.why.name().into());
        }
        object
    }
}
