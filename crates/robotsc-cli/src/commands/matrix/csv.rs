//! A matrix as CSV (RFC 4180).

use std::io::{self, Write};

use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::matrix::{Cell, Column};
use robotsc_answers::shown;

use super::{Sink, Subject};
use crate::failure::Failure;
use crate::io::output;
use crate::lists::csv;

pub(super) struct Csv {
    share_only: bool,
    /// A third column for each agent says what refuses a use.
    has_reasons: bool,
    out: Box<dyn Write>,
}

impl Csv {
    pub(super) fn new(share_only: bool, has_reasons: bool) -> Self {
        Self { share_only, has_reasons, out: output::stdout() }
    }

    fn record<'f>(&mut self, fields: impl IntoIterator<Item = &'f [u8]>) -> io::Result<()> {
        let mut record = Vec::new();
        for (number, field) in fields.into_iter().enumerate() {
            if number > 0 {
                record.push(b',');
            }
            csv::push_field(&mut record, field, b',');
        }
        record.extend_from_slice(b"\r\n");
        self.out.write_all(&record)
    }
}

impl Sink for Csv {
    fn begin(&mut self, _: &Subject<'_>, columns: &[Column<'_>]) -> Result<(), Failure> {
        if self.share_only {
            return Ok(self.record([&b"agent"[..], b"allowed", b"disallowed", b"share"])?);
        }
        let mut heads = vec!["url".to_owned()];
        for Column { agent, .. } in columns {
            heads.extend([agent.name.clone(), format!("{} line", agent.name)]);
            heads.extend(self.has_reasons.then(|| format!("{} reason", agent.name)));
        }
        Ok(self.record(heads.iter().map(String::as_bytes))?)
    }

    fn row(&mut self, _: &Subject<'_>, url: &[u8], _: &[ChosenAgent], cells: &[Cell]) -> Result<(), Failure> {
        if self.share_only {
            return Ok(());
        }
        let mut fields = Vec::new();
        for cell in cells {
            fields.extend([cell.verdict().to_owned(), cell.line().map(|line| line.to_string()).unwrap_or_default()]);
            let reason = || cell.refused.map_or_else(String::new, |refused| refused.why.name().to_owned());
            fields.extend(self.has_reasons.then(reason));
        }
        let url = shown::column(url);
        Ok(self.record([&*url].into_iter().chain(fields.iter().map(String::as_bytes)))?)
    }

    fn finish(&mut self, _: &Subject<'_>, columns: &[Column<'_>], _: u64) -> Result<(), Failure> {
        for column in columns.iter().filter(|_| self.share_only).collect::<Vec<_>>() {
            let numbers = [column.allowed, column.disallowed].map(|number| number.to_string());
            let share = column.share().unwrap_or_default();
            let fields = [&column.agent.name, &numbers[0], &numbers[1], &share];
            self.record(fields.map(|field| field.as_bytes()))?;
        }
        Ok(self.out.flush()?)
    }
}
