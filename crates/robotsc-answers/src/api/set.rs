//! `POST /v1/set`: a file with a policy in a block, proved to change nothing else.

use robotsc::Dialect;
use serde::Deserialize;
use serde_json::Value;

use super::bad_json::object;
use super::form::{self, RobotsForm};
use super::limits::Limits;
use super::problem::Problem;
use super::question::{Desk, Form, Question};
use crate::set::{Block, Declaration, Options, Refusal, Why, json, remove, set};

/// A request to write a policy.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetForm {
    #[serde(deserialize_with = "object")]
    robots: RobotsForm,
    /// What is asked; without it, the policy that the block of the file declares is written again.
    #[serde(default)]
    policy: Option<DeclarationForm>,
    /// Takes the block out.
    #[serde(default)]
    remove: bool,
    /// Whether a block that was edited is replaced.
    #[serde(default)]
    replace_edited: bool,
}

/// See [`Declaration`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DeclarationForm {
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default)]
    disallow: Vec<String>,
    content_usage: Option<String>,
    content_signal: Option<String>,
}

impl Form for SetForm {
    type Question = Self;

    fn question(self, limits: &Limits) -> Result<Self, Problem> {
        let Some(policy) = &self.policy else { return Ok(self) };
        if self.remove {
            return Err(Problem::bad("bad policy", "`remove` takes the block out: leave `policy` out", "/policy"));
        }
        for (list, name) in [(&policy.deny, "deny"), (&policy.allow, "allow"), (&policy.disallow, "disallow")] {
            let pointer = || format!("/policy/{name}");
            if list.len() > limits.agents {
                let detail = format_args!("there are over {} of them: leave some out", limits.agents);
                return Err(Problem::too_large(detail).at(pointer()));
            }
            for (number, text) in list.iter().enumerate() {
                form::check_url(text, limits, format!("{}/{number}", pointer()))?;
            }
        }
        Ok(self)
    }
}

impl Question for SetForm {
    fn answer(self, desk: &dyn Desk) -> Result<Vec<u8>, Problem> {
        // Refuses what is no robots.txt; the policy is for all dialects.
        self.robots.parsed(desk, &Dialect::GOOGLE, "/robots")?;
        let body = self.robots.body("/robots")?;
        if self.remove {
            let after =
                remove(&body, Options { replace_edited: self.replace_edited }).map_err(|refusal| problem(&refusal))?;
            return Ok(Value::Object(json::removed(&body, &after)).to_string().into_bytes());
        }
        let declared = || Ok(Block::find(&body)?.map(|block| block.declaration));
        let policy = match self.policy {
            Some(policy) => Some(policy.into()),
            None => declared().map_err(|refusal: Refusal| problem(&refusal))?,
        };
        let Some(policy) = policy else {
            let detail = "the file has no block that declares one: say who is denied or allowed";
            return Err(Problem::bad("no policy", detail, "/policy"));
        };
        let after = set(&body, &policy, Options { replace_edited: self.replace_edited });
        let after = after.map_err(|refusal| problem(&refusal))?;
        Ok(Value::Object(json::after(&body, &after)).to_string().into_bytes())
    }
}

impl From<DeclarationForm> for Declaration {
    fn from(form: DeclarationForm) -> Self {
        let DeclarationForm { deny, allow, disallow, content_usage, content_signal } = form;
        Self { deny, allow, disallow, content_usage, content_signal }
    }
}

/// Returns why nothing is written, as a problem.
fn problem(refusal: &Refusal) -> Problem {
    let (title, pointer) = match refusal.why {
        Why::Declaration => ("bad policy", "/policy"),
        Why::Block => ("bad block", "/robots"),
        Why::Edited => ("edited block", "/robots"),
        Why::File => ("bad robots", "/robots"),
        Why::Conflict => ("conflict", "/robots"),
        Why::NotProved => ("not proved", "/robots"),
        Why::NotDecided => ("not decided", "/robots"),
    };
    let Some(line) = refusal.line.filter(|_| refusal.why == Why::Edited) else {
        return Problem::bad(title, refusal, pointer);
    };
    let detail = format_args!("line {line}: the block was edited: move your lines out of it, or say `replace_edited`");
    Problem::bad(title, detail, pointer)
}
