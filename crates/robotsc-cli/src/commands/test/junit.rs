//! Results as JUnit XML, which CI systems show.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::BytesText;
use robotsc_answers::shown;

use super::subject::{Case, Outcome, who};
use crate::failure::Failure;

/// Writes a suite with a case for each expectation.
pub(super) fn write(out: &mut dyn Write, robots: &str, cases: &[Case<'_>]) -> Result<(), Failure> {
    let count = |wanted: fn(&Outcome) -> bool| cases.iter().filter(|case| wanted(&case.outcome)).count().to_string();
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let undecided = count(|outcome| matches!(outcome, Outcome::NotDecided(_)));
    let all = cases.len().to_string();
    let counts = [("tests", all.as_str()), ("failures", &failed), ("errors", &undecided)];
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let mut xml = Writer::new_with_indent(&mut *out, b' ', 2);
    xml.create_element("testsuites").with_attributes(counts).write_inner_content(|xml| {
        let suite = xml.create_element("testsuite").with_attribute(("name", robots)).with_attributes(counts);
        suite.write_inner_content(|xml| cases.iter().try_for_each(|case| write_case(xml, case)))?;
        Ok(())
    })?;
    Ok(writeln!(out)?)
}

fn write_case<W: Write>(xml: &mut Writer<W>, case: &Case<'_>) -> io::Result<()> {
    let element = xml
        .create_element("testcase")
        .with_attributes([("classname", case.robots.dialect().name), ("name", &case.name)]);
    let (name, messages) = match &case.outcome {
        Outcome::Passed => return element.write_empty().map(drop),
        Outcome::Failed(all) => ("failure", all.iter().map(|wrong| wrong.message.clone()).collect::<Vec<_>>()),
        Outcome::NotDecided(agents) => {
            ("error", vec![format!("not decided: the rules of {} are too complex for the work budget", who(agents))])
        }
    };
    element
        .write_inner_content(|xml| {
            let message = shown::line(messages.first().map_or("", String::as_str));
            let element = xml.create_element(name).with_attribute(("message", message.as_str()));
            element.write_text_content(BytesText::new(&messages.join("\n")))?;
            Ok(())
        })
        .map(drop)
}
