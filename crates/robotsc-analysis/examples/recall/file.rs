//! A real file, and the places of it that a slip changes.

use robotsc_compiler::{RobotsTxt, RuleKind};

/// A file of lines, with what slips need of it.
pub(crate) struct File {
    pub(crate) lines: Vec<Vec<u8>>,
    /// The place of the first line that names `*` and has rules after it, and of its first rule.
    pub(crate) star: usize,
    pub(crate) rule: usize,
    /// The value of that rule.
    pub(crate) value: Vec<u8>,
}

impl File {
    pub(crate) fn new(body: &[u8]) -> Option<Self> {
        let robots = RobotsTxt::parse(body);
        if body.contains(&b'\r') && !body.contains(&b'\n') {
            return None;
        }
        let lines: Vec<Vec<u8>> =
            body.split(|byte| *byte == b'\n').map(|line| line.trim_ascii_end().to_vec()).collect();
        let group = robots.groups().iter().find(|group| {
            robots.agents_of(group).iter().any(|agent| agent.is_star) && !robots.rules_of(group).is_empty()
        })?;
        let star = robots.agents_of(group).iter().find(|agent| agent.is_star)?.line as usize - 1;
        let is_plain = |value: &[u8]| {
            value.len() > 3
                && value[0] == b'/'
                && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/-_".contains(byte))
        };
        let rule = robots.rules_of(group).iter().find(|rule| {
            rule.kind == RuleKind::Disallow
                && is_plain(rule.value.of(body))
                && !lines[rule.line as usize - 1].contains(&b'#')
        })?;
        let value = rule.value.of(body).to_vec();
        Some(Self { star, rule: rule.line as usize - 1, value, lines })
    }

    pub(crate) fn joined(lines: &[Vec<u8>]) -> Vec<u8> {
        lines.join(&b'\n')
    }

    /// Returns the file with another first rule.
    pub(crate) fn rule(&self, line: &[u8]) -> Option<Vec<u8>> {
        let mut lines = self.lines.clone();
        lines[self.rule] = line.to_vec();
        Some(Self::joined(&lines))
    }

    pub(crate) fn value_with(&self, before: &[u8], after: &[u8]) -> Option<Vec<u8>> {
        self.rule(&[b"Disallow: ", before, &self.value, after].concat())
    }

    /// Returns the file with more lines after its first rule.
    pub(crate) fn after_rule(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut lines = self.lines.clone();
        lines.insert(self.rule + 1, text.to_vec());
        Some(Self::joined(&lines))
    }

    pub(crate) fn star_line(&self, line: &[u8]) -> Option<Vec<u8>> {
        let mut lines = self.lines.clone();
        lines[self.star] = line.to_vec();
        Some(Self::joined(&lines))
    }

    pub(crate) fn end(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut lines = self.lines.clone();
        lines.push(text.to_vec());
        lines.push(Vec::new());
        Some(Self::joined(&lines))
    }
}
