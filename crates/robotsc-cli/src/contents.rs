//! What a file holds: a robots.txt, or a compiled program.

use robotsc::{Crawler, Dialect, Policy, Program};

use crate::args::DialectArgs;
use crate::crawlers::Asker;
use crate::failure::Failure;
use crate::shown;
use crate::source::Source;

/// What a file holds.
#[derive(Debug)]
pub(crate) enum Contents<'s> {
    /// A robots.txt: any octets that do not start as a compiled program does.
    Robots(&'s [u8]),
    /// The compiled rules of one crawler.
    Program(Program<'s>),
    /// The compiled rules of the agents of a file.
    Policy(Policy<'s>),
}

impl<'s> Contents<'s> {
    /// Looks into a file.
    ///
    /// # Errors
    /// Where it starts as a compiled program does and is none: cut short, altered, or of another version.
    pub(crate) fn of(source: &'s Source) -> Result<Self, Failure> {
        let octets = source.octets.as_slice();
        let bad = |error| Failure::new(format_args!("bad program: {}: {error}", source.name));
        // The mark of a program is two letters; the version after it is a control character, which starts no line of a
        // robots.txt.
        match octets {
            [b'R', b'P', version, ..] if version.is_ascii_control() && !version.is_ascii_whitespace() => {
                Program::from_bytes(octets).map(Self::Program).map_err(bad)
            }
            [b'R', b'A', version, ..] if version.is_ascii_control() && !version.is_ascii_whitespace() => {
                Policy::from_bytes(octets).map(Self::Policy).map_err(bad)
            }
            _ => Ok(Self::Robots(octets)),
        }
    }
}

/// The dialect that a policy was compiled under.
///
/// # Errors
/// Where it is not one of the named, or the command line asks for another.
pub(crate) fn dialect_of(policy: &Policy<'_>, args: &DialectArgs, name: &str) -> Result<&'static Dialect, Failure> {
    let label = shown::octets(policy.label());
    let Some(dialect) = Dialect::by_name(&label) else {
        return Err(Failure::new(format_args!(
            "bad program: {name}: its dialect '{label}' is not known: compile it again"
        )));
    };
    match args.named {
        Some(asked) if asked != dialect => Err(Failure::new(format_args!(
            "wrong dialect: {name}: it was compiled under {}, not {}: leave --dialect out or compile it again",
            dialect.name, asked.name
        ))),
        _ => Ok(dialect),
    }
}

/// The program of a policy that a crawler obeys.
///
/// # Errors
/// Where the policy cannot tell: it does not hold the groups of the file, so that it can neither pool them nor look for
/// their tokens in a header.
pub(crate) fn program_of<'p>(policy: &Policy<'p>, asker: &Asker, name: &str) -> Result<Program<'p>, Failure> {
    let cannot = |what: &str| {
        Failure::new(format_args!("cannot answer: {name}: a compiled program does not {what}: give the robots.txt"))
    };
    match asker {
        Asker::Header(_) => Err(cannot("look for tokens in a --header")),
        Asker::Crawler(Crawler::Pool(_)) => Err(cannot("pool the groups of several --agent")),
        Asker::Crawler(Crawler::Token(token)) => policy.program(token).ok_or_else(|| {
            Failure::new(format_args!(
                "cannot answer: {name}: it was compiled for other agents than {}: give the robots.txt, or compile it for this agent",
                token.escape_ascii()
            ))
        }),
        Asker::Crawler(Crawler::Chain(_)) if policy.is_partial() => {
            Err(cannot("follow a --chain where it was compiled for some agents only"))
        }
        Asker::Crawler(Crawler::Chain(tokens)) => {
            // No token is empty, so that the empty one stands for those that are not named.
            let named = tokens.iter().find_map(|token| policy.named(token));
            Ok(named.or_else(|| policy.program(b"")).unwrap_or_else(|| Program::allow_all()))
        }
    }
}
