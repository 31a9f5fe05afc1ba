//! A matrix as JSON Lines.

use std::io::Write;

use serde_json::{Map, Value};

use super::{Cell, Column, Sink, Subject};
use crate::failure::Failure;
use crate::output;
use crate::shown;

pub(super) struct Json {
    share_only: bool,
    out: Box<dyn Write>,
}

impl Json {
    pub(super) fn new(share_only: bool) -> Self {
        Self { share_only, out: output::stdout() }
    }
}

impl Sink for Json {
    fn begin(&mut self, _: &Subject<'_>, _: &[Column<'_>]) -> Result<(), Failure> {
        Ok(())
    }

    fn row(&mut self, _: &Subject<'_>, url: &[u8], names: &[String], cells: &[Cell<'_>]) -> Result<(), Failure> {
        for (name, cell) in names.iter().zip(cells).filter(|_| !self.share_only) {
            let mut object = Map::new();
            object.insert("type".to_owned(), "verdict".into());
            object.insert("verdict".to_owned(), cell.verdict().into());
            shown::put(&mut object, "url", url);
            object.insert("agent".to_owned(), name.as_str().into());
            object.insert("line".to_owned(), cell.line().into());
            output::json_line(&mut self.out, &object)?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &Subject<'_>, columns: &[Column<'_>], urls: u64) -> Result<(), Failure> {
        for column in columns {
            let mut object = Map::new();
            object.insert("type".to_owned(), "agent".into());
            object.insert("agent".to_owned(), column.agent.name.as_str().into());
            object.insert("allowed".to_owned(), column.allowed.into());
            object.insert("disallowed".to_owned(), column.disallowed.into());
            let share = (urls > 0).then(|| column.allowed as f64 / urls as f64);
            object.insert("share".to_owned(), share.map_or(Value::Null, Value::from));
            object.insert("note".to_owned(), column.agent.note.as_deref().into());
            output::json_line(&mut self.out, &object)?;
        }
        Ok(self.out.flush()?)
    }
}
