//! The name of a crawler on a `User-agent` line.

use robotsc::RobotsTxt;
use robotsc::robots_txt::AgentLine;

/// Returns the name that a crawler of a line has: its product token, or all of the value if there is none, as in
/// `User-agent: 123`.
pub(super) fn name_of<'r>(robots: &'r RobotsTxt<'_>, line: &AgentLine) -> &'r [u8] {
    let body = robots.body();
    if line.token.is_empty() { line.written(body) } else { line.token.of(body) }
}
