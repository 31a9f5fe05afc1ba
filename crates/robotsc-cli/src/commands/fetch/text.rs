//! A fetch for a person: the requests in their order, then what came of it.

use std::io::Write;
use std::time::Duration;

use robotsc::fetch::Hop;
use robotsc::outcome::{Access, Outcome};
use robotsc_answers::fetched::{self, Judged};
use robotsc_answers::{shown, time};

use crate::commands::lint;
use crate::failure::Failure;
use crate::io::network::in_words;

/// Writes a fetch.
pub(super) fn write(out: &mut dyn Write, judged: &Judged<'_>) -> Result<(), Failure> {
    let fetched = judged.fetched;
    for (number, hop) in fetched.hops.iter().enumerate() {
        write_hop(out, number + 1, hop)?;
    }
    if fetched.hops.is_empty() {
        writeln!(out, "1  {}\n     not requested", shown::line(&fetched.origin.robots_url()))?;
    }
    writeln!(out)?;
    let mut row = |name: &str, text: &str| writeln!(out, "{name:<12} {}", shown::line(text));
    row("result", &result(judged))?;
    if judged.record.outcome == Outcome::Rules {
        let mut body = format!("{} bytes", fetched.body.len());
        if let Some(encoded) = &fetched.encoded {
            body.push_str(&format!(", {} as sent", encoded.len()));
        }
        if fetched.body_end == robotsc::fetch::BodyEnd::CutAtLimit {
            body.push_str(", cut after what the dialects read");
        }
        row("body", &body)?;
    }
    row("took", &shown_time(fetched.took))?;
    row("counts until", &time::shown(judged.record.expires_at))?;
    row(judged.dialect.name, meaning(judged))?;
    if let Some(findings) = &judged.findings {
        let counts = lint::counted(findings);
        let text = match counts.as_str() {
            "" => "nothing found".to_owned(),
            counts => format!("{counts}: 'robotsc lint {}' shows more", fetched.origin),
        };
        row("lint", &text)?;
    }
    Ok(())
}

fn write_hop(out: &mut dyn Write, number: usize, hop: &Hop) -> Result<(), Failure> {
    writeln!(out, "{number}  {}", shown::line(&hop.url))?;
    let timings = &hop.timings;
    let mut parts = Vec::new();
    if let Some(took) = timings.dns {
        parts.push(format!("resolved in {}", shown_time(took)));
    }
    if let (Some(address), Some(took)) = (timings.address, timings.connect) {
        parts.push(format!("connected to {address} in {}", shown_time(took)));
    }
    for (took, what) in [(timings.tls, "TLS"), (timings.head, "answered"), (timings.body, "read")] {
        if let Some(took) = took {
            parts.push(format!("{what} in {}", shown_time(took)));
        }
    }
    if !parts.is_empty() {
        writeln!(out, "     {}", parts.join(", "))?;
    }
    let Some((status, protocol)) = hop.status else {
        writeln!(out, "     no answer")?;
        return Ok(());
    };
    let value = |name: &str| hop.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    if let Some(location) = value("location") {
        writeln!(out, "     {status} ({protocol}), to {}", shown::line(&location))?;
        return Ok(());
    }
    writeln!(out, "     {status} ({protocol})")?;
    for name in fetched::fields() {
        if let Some(value) = value(name) {
            writeln!(out, "     {name}: {}", shown::line(&value))?;
        }
    }
    Ok(())
}

/// Returns what came of the fetch.
fn result(judged: &Judged<'_>) -> String {
    let fetched = judged.fetched;
    let other = fetched.body_kind.filter(|kind| !kind.is_robots());
    let challenge = fetched.challenge();
    let mut text = match judged.record.outcome {
        Outcome::Rules if challenge.is_some() => "a success, but a challenge in place of the file".to_owned(),
        Outcome::Rules if other.is_some() => "a success, but no robots.txt".to_owned(),
        Outcome::Rules => "a robots.txt".to_owned(),
        Outcome::Unavailable => "no robots.txt".to_owned(),
        Outcome::TooManyRedirects => "more redirects than are followed".to_owned(),
        Outcome::ServerError => "the server failed".to_owned(),
        Outcome::Unreachable => "no usable answer".to_owned(),
        Outcome::NotModified => "304, though no copy is held".to_owned(),
    };
    match fetched.redirects {
        0 => {}
        1 => text.push_str(", after 1 redirect"),
        count => text.push_str(&format!(", after {count} redirects")),
    }
    let reason = match judged.record.outcome {
        Outcome::Rules => challenge.map(str::to_owned).or(other.map(|kind| format!("the body is {kind}"))),
        _ => Some(fetched.problem.clone().unwrap_or_else(|| in_words(fetched.end))),
    };
    if let Some(reason) = reason {
        text.push_str(": ");
        text.push_str(&reason);
    }
    text
}

/// Returns what the dialect makes of it.
fn meaning(judged: &Judged<'_>) -> &'static str {
    match judged.effective.access {
        Access::Rules if judged.fetched.problem.is_some() => {
            "what the body holds of rules answers; if none, everything is allowed"
        }
        Access::Rules => "the rules answer",
        Access::AllowAll => "everything is allowed",
        Access::DisallowAll => "nothing is allowed; then the next attempt is due",
        Access::Unknown => "nothing is known: no URL is allowed",
    }
}

/// Returns a time as people read it: `12 ms`, `1.20 s`.
fn shown_time(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{:.0} ms", time.as_secs_f64() * 1_000.0)
    } else {
        format!("{:.2} s", time.as_secs_f64())
    }
}
