//! `explain`: why a URL is allowed or disallowed.

mod args;
mod policy;
mod text;

use std::io::Write as _;
use std::path::Path;

use robotsc_answers::explain::json::explanation as json;
use robotsc_answers::explain::{self as explained, ExplanationReport};
use robotsc_answers::shown;
use robotsc_answers::url_path::UrlReader;

pub(crate) use self::args::ExplainArgs;
use crate::command_line::crawlers;
use crate::failure::{End, Failure};
use crate::io::contents::{self, Contents};
use crate::io::source::Source;
use crate::io::{files, output};

/// Checks that no robots.txt is given beside a rule set, which answers in its place.
fn check_no_file(args: &ExplainArgs) -> Result<(), Failure> {
    let first = args.robots.as_encoded_bytes();
    let is_file = !first.starts_with(b"/") && !files::is_url(&args.robots) || Path::new(&args.robots).is_file();
    if args.url.is_some() && is_file {
        return Err(Failure::new(format_args!(
            "a file and a URL: '{}': --rules answers in the place of a robots.txt: give the URL alone",
            shown::cut(first, 120)
        )));
    }
    Ok(())
}

/// Runs the command.
pub(crate) fn explain(args: &ExplainArgs) -> Result<End, Failure> {
    if let Some(name) = &args.rules {
        check_no_file(args)?;
        return policy::explain(name, args);
    }
    let Some(url) = &args.url else {
        return Err(Failure::new("no URL: the command line: give ROBOTS and URL"));
    };
    let crawlers = crawlers::required(&args.agent)?;
    let source = Source::read(&args.robots, &args.read.network, &[args.read.dialect.of_robots()])?;
    let Contents::Robots(body) = Contents::of(&source, &args.read)? else {
        return Err(Failure::new(format_args!(
            "nothing to explain: {}: a compiled program holds no lines: give the robots.txt that it came from",
            source.name
        )));
    };
    let dialect = args.read.dialect.of_robots();
    let url = url.as_encoded_bytes();
    let reader = UrlReader { raw: args.raw_url, site: source.site.as_ref(), ..UrlReader::new(dialect) };
    let path = reader
        .path(url)
        .map_err(|reason| Failure::new(format_args!("bad URL: '{}': {reason}", shown::cut(url, 120))))?;
    let robots = contents::parse(&source.name, body, &args.read)?;
    crawlers::warn_of_misspelt(&crawlers, &robots);
    let mut end = End::Clean;
    let mut out = output::coloured();
    for (number, identity) in crawlers.iter().enumerate() {
        let crawler = identity.crawler(&robots)?;
        let note = identity.note(&robots);
        let others = explained::others(body, dialect, |robots| identity.crawler(robots), url, args.raw_url);
        let explained = ExplanationReport::with(&robots, &crawler, url, &path, |explanation| -> Result<(), Failure> {
            if args.json {
                output::json_line(&mut out, &json(explanation, &others, &identity.name(), note.as_deref()))?;
            } else {
                if number > 0 {
                    writeln!(out)?;
                }
                text::write(&mut out, &source.name, explanation, &others, note.as_deref())?;
            }
            if !explanation.verdict.is_allow() {
                end = End::Findings;
            }
            Ok(())
        });
        explained.map_err(|error| Failure::new(format_args!("bad URL: {error}")))??;
    }
    out.flush()?;
    Ok(end)
}
