//! Makes a file as small as it can be.
//!
//! The lines are spelled short first. Then groups are merged, rules that are not needed go, and values become shorter,
//! until nothing changes: each can make room for another. Each step is proved before it is taken.

use robotsc_compiler::RobotsTxt;

use super::proof::Prover;
use super::spelling::Style;
use super::{WhyUnchanged, blocks, redundant, respelled, shorter};
use crate::search::{NotDecided, SearchBudget};

/// How often the steps are taken, at most. Two are enough for most files: the second changes nothing.
const ROUNDS: usize = 16;

/// A file after [`minified`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minified {
    /// The body.
    pub body: Vec<u8>,
    /// The number of `Allow` and `Disallow` lines before, as google reads the file.
    pub rules_before: usize,
    /// Their number afterwards.
    pub rules: usize,
    /// Whether all was decided. If not, a limit of the work was reached: what was removed is proved, and more could be
    /// removed.
    pub is_decided: bool,
    /// Why the file was left as it is, if it was.
    pub left: Option<WhyUnchanged>,
}

/// Returns a smaller file that means the same to every agent under all five dialects.
///
/// - Comments, empty lines and text that no dialect reads go. So do blanks that no dialect reads, and the byte order
///   mark. Lines end in LF.
/// - Rules without which every verdict is the same go, and `User-agent` lines that repeat a name of their group.
/// - Groups of the same agents are merged, and groups with the same rules.
/// - Values become shorter, such as `/cart` for `/cart*`, if no verdict changes.
/// - All other records stay: crawl delays, preferences, and keys that no dialect knows. Only repeated sitemaps and the
///   like go. Every name of an agent stays, since a crawler with several names obeys the first that is in the file.
///
/// A crawler that obeys the groups of several names at once is not covered: a rule that decides nothing for each of two
/// agents can decide something among the rules of both, so such a crawler can get other verdicts.
///
/// A second call changes nothing, unless a limit of the work was reached.
///
/// Cost: near linear for most files; bounded by [`SearchBudget::IN_ALL`] for the questions, and once more for the
/// proofs. Never panics.
///
/// ```
/// use robotsc::analysis::format::minified;
///
/// let body = b"# the shop\nUser-agent: *\nDisallow: /cart*\nDisallow: /cart/old\nAllow: /blog\n";
/// let small = minified(body);
/// assert_eq!(small.body, b"User-agent:*\nDisallow:/cart\n");
/// assert_eq!((small.rules_before, small.rules), (3, 1));
/// assert!(small.is_decided && small.left.is_none());
/// ```
#[must_use]
pub fn minified(body: &[u8]) -> Minified {
    let rules = |body: &[u8]| RobotsTxt::parse(body).rules().len();
    let rules_before = rules(body);
    match respelled(body, Style::Short) {
        Err(left) => {
            Minified { body: body.to_vec(), rules_before, rules: rules_before, is_decided: true, left: Some(left) }
        }
        Ok(short) => {
            let mut steps =
                Steps { body: short, asking: SearchBudget::default(), prover: Prover::new(), is_decided: true };
            steps.take(ROUNDS);
            // What comes after the last line of a file without a line end is not known.
            if !body.ends_with(b"\n") && !body.ends_with(b"\r") && steps.body.ends_with(b"\n") {
                steps.body.pop();
            }
            let rules = rules(&steps.body);
            Minified { body: steps.body, rules_before, rules, is_decided: steps.is_decided, left: None }
        }
    }
}

/// A file on its way.
#[derive(Debug)]
struct Steps {
    body: Vec<u8>,
    /// For the questions which lines are needed.
    asking: SearchBudget,
    prover: Prover,
    is_decided: bool,
}

impl Steps {
    /// Takes the steps until nothing changes, at most some times.
    fn take(&mut self, rounds: usize) {
        for _ in 0..rounds {
            let before = self.body.clone();
            let merged = blocks::merged(&self.body, &mut self.prover);
            self.accept(merged);
            let mut idle = Vec::new();
            match redundant::without_redundant(&self.body, &self.asking) {
                Err(NotDecided) => self.is_decided = false,
                Ok(rest) => {
                    self.is_decided &= rest.is_decided;
                    self.body = rest.body;
                    idle = rest.idle;
                }
            }
            let shorter = shorter::shorter(&self.body, &idle, &mut self.prover);
            self.accept(shorter);
            if self.body == before || !self.is_decided {
                return;
            }
        }
        self.is_decided = false;
    }

    fn accept(&mut self, body: Result<Vec<u8>, NotDecided>) {
        match body {
            Ok(body) => self.body = body,
            Err(NotDecided) => self.is_decided = false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_still_changes_is_not_decided() {
        for (rounds, is_decided) in [(1, false), (2, true)] {
            let body = b"User-agent:*\nDisallow:/a\nDisallow:/a/b\n".to_vec();
            let mut steps = Steps { body, asking: SearchBudget::default(), prover: Prover::new(), is_decided: true };
            steps.take(rounds);
            assert_eq!(steps.body, b"User-agent:*\nDisallow:/a\n");
            assert_eq!(steps.is_decided, is_decided, "{rounds}");
        }
    }
}
