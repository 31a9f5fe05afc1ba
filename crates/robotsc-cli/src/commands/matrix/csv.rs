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
    out: Box<dyn Write>,
}

impl Csv {
    pub(super) fn new(share_only: bool) -> Self {
        Self { share_only, out: output::stdout() }
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
        let heads =
            columns.iter().flat_map(|column| [column.agent.name.clone(), format!("{} line", column.agent.name)]);
        let heads: Vec<String> = ["url".to_owned()].into_iter().chain(heads).collect();
        Ok(self.record(heads.iter().map(String::as_bytes))?)
    }

    fn row(&mut self, _: &Subject<'_>, url: &[u8], _: &[ChosenAgent], cells: &[Cell]) -> Result<(), Failure> {
        if self.share_only {
            return Ok(());
        }
        let cell =
            |cell: &Cell| [cell.verdict().to_owned(), cell.line().map(|line| line.to_string()).unwrap_or_default()];
        let cells: Vec<String> = cells.iter().flat_map(cell).collect();
        let url = shown::column(url);
        Ok(self.record([&*url].into_iter().chain(cells.iter().map(String::as_bytes)))?)
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
