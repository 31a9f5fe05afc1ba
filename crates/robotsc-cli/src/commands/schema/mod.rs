//! `schema`: the JSON Schemas of what the command and the server write.

use std::io::Write as _;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use robotsc_answers::schema;
use serde_json::Value;

use crate::failure::{End, Failure};
use crate::io::output;
use crate::io::table::Table;

/// Prints the JSON Schema of an object that robotsc writes as JSON, or lists the schemas.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  robotsc schema
  robotsc schema verdict > verdict.schema.json")]
pub(crate) struct SchemaArgs {
    /// The name of a schema [default: list all]
    #[arg(value_name = "NAME", value_parser = names())]
    pub(crate) name: Option<&'static str>,
}

fn names() -> impl TypedValueParser<Value = &'static str> {
    PossibleValuesParser::new(schema::ALL.map(|(name, _)| name)).try_map(|given| {
        let found = schema::ALL.iter().find(|(name, _)| *name == given);
        found.map(|(name, _)| *name).ok_or("no such schema")
    })
}

/// Runs the command.
pub(crate) fn schema(args: &SchemaArgs) -> Result<End, Failure> {
    let mut out = output::stdout();
    if let Some(text) = args.name.and_then(schema::of) {
        out.write_all(text.as_bytes())?;
    } else {
        let mut table = Table::new(&["", ""]);
        for (name, text) in schema::ALL {
            let schema: Value = serde_json::from_str(text).unwrap_or_default();
            table.row([name.to_owned(), schema["description"].as_str().unwrap_or_default().to_owned()]);
        }
        table.write_body(&mut out, "")?;
    }
    out.flush()?;
    Ok(End::Clean)
}
