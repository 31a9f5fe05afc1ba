//! `test`: whether a robots.txt is as its owner expects.

mod args;
mod expect;
mod json;
mod junit;
mod property;
mod subject;
mod text;
mod use_property;

use std::ffi::OsString;
use std::io::Write as _;

use robotsc::{Dialect, RobotsTxt};

pub(crate) use self::args::TestArgs;
use self::args::TestFormat;
use self::subject::{Outcome, Subject};
use crate::command_line::config::{Config, NAME, TestTable};
use crate::command_line::options::{DialectArgs, RobotsArgs};
use crate::failure::{End, Failure};
use crate::io::contents::{self, Contents};
use crate::io::output;
use crate::io::source::Source;

/// Runs the command.
pub(crate) fn test(args: &TestArgs) -> Result<End, Failure> {
    let Some(config) = Config::find(args.config.as_deref())? else {
        return Err(Failure::new(format_args!(
            "no {NAME}: the current directory and those above it: write one, as 'robotsc test --help' shows, or name \
             it with --config"
        )));
    };
    let expected = config.tables.test.as_ref().filter(|test| !test.expect.is_empty() || !test.property.is_empty());
    let Some(table) = expected else {
        return Err(Failure::new(format_args!(
            "nothing to test: {}: it has no [[test.expect]] and no [[test.property]]: 'robotsc test --help' shows some",
            config.name
        )));
    };
    let dialects = dialects(args, &config, table)?;
    let source = Source::read(&robots_file(args, &config, table), &args.read.network, &dialects)?;
    let mut files: Vec<RobotsTxt<'_>> = Vec::new();
    for dialect in dialects {
        let read = RobotsArgs {
            dialect: DialectArgs { named: Some(dialect) },
            force: args.read.force,
            network: args.read.network.clone(),
        };
        let Contents::Robots(body) = Contents::of(&source, &read)? else {
            return Err(Failure::new(format_args!(
                "nothing to test: {}: a compiled program holds no lines: give the robots.txt that it came from",
                source.name
            )));
        };
        files.push(contents::parse(&source.name, body, &read)?);
    }
    let mut cases = Vec::new();
    for robots in &files {
        let subject = Subject { config: &config, robots, site: source.site.as_ref() };
        for expect in &table.expect {
            expect::run(&subject, expect, &mut cases)?;
        }
        for property in &table.property {
            property::run(&subject, property, &mut cases)?;
        }
    }
    let mut out = output::coloured();
    match args.emit {
        TestFormat::Text => text::write(&mut out, &config, &source.name, &cases)?,
        TestFormat::Json => json::write(&mut out, &cases)?,
        TestFormat::Junit => junit::write(&mut out, &source.name, &cases)?,
    }
    out.flush()?;
    let has = |wanted: fn(&Outcome) -> bool| cases.iter().any(|case| wanted(&case.outcome));
    Ok(match () {
        () if has(|outcome| matches!(outcome, Outcome::NotDecided { .. })) => End::Error,
        () if has(|outcome| matches!(outcome, Outcome::Failed(_))) => End::Findings,
        () => End::Clean,
    })
}

/// Returns the robots.txt to test.
fn robots_file(args: &TestArgs, config: &Config, table: &TestTable) -> OsString {
    match (&args.robots, &table.file) {
        (Some(file), _) => file.clone(),
        (None, Some(file)) => config.path(file.get_ref()),
        (None, None) => config.path("robots.txt"),
    }
}

/// Returns the dialects to test under.
fn dialects(args: &TestArgs, config: &Config, table: &TestTable) -> Result<Vec<&'static Dialect>, Failure> {
    let mut dialects = Vec::new();
    match (args.read.dialect.named, &table.dialects) {
        (Some(dialect), _) => dialects.push(dialect),
        (None, None) => dialects.push(&Dialect::GOOGLE),
        (None, Some(names)) => {
            for name in names.get_ref().as_slice() {
                let dialect = config.dialect(names, name)?;
                if dialects.contains(&dialect) {
                    return Err(config.bad(names, &format!("{name} is there twice")));
                }
                dialects.push(dialect);
            }
            if dialects.is_empty() {
                return Err(config.bad(names, "it names no dialect"));
            }
        }
    }
    Ok(dialects)
}
