//! A matrix as plain text.

use std::io::Write as _;

use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::matrix::{Cell, Column};
use robotsc_answers::shown;

use super::{Sink, Subject};
use crate::failure::Failure;
use crate::io::output;
use crate::io::table::Table;

/// The most characters of a URL that are shown.
const MOST_SHOWN: usize = 80;

pub(super) struct Text {
    share_only: bool,
    table: Table,
}

impl Text {
    pub(super) fn new(share_only: bool) -> Self {
        Self { share_only, table: Table::new(&[]) }
    }
}

impl Sink for Text {
    fn begin(&mut self, _: &Subject<'_>, columns: &[Column<'_>]) -> Result<(), Failure> {
        let names = columns.iter().map(|column| column.agent.name.as_str());
        self.table = Table::new(&["URL"].into_iter().chain(names).collect::<Vec<_>>());
        Ok(())
    }

    fn row(&mut self, _: &Subject<'_>, url: &[u8], _: &[ChosenAgent], cells: &[Cell]) -> Result<(), Failure> {
        if !self.share_only {
            let cell = |cell: &Cell| match cell.line() {
                Some(line) => format!("{} {line}", cell.verdict()),
                None => cell.verdict().to_owned(),
            };
            self.table.row_of([shown::cut(url, MOST_SHOWN)].into_iter().chain(cells.iter().map(cell)).collect());
        }
        Ok(())
    }

    fn finish(&mut self, _: &Subject<'_>, columns: &[Column<'_>], urls: u64) -> Result<(), Failure> {
        let mut out = output::stdout();
        if !self.share_only {
            self.table.write(&mut out, "")?;
            writeln!(out, "\nThe number after a verdict is the line that decides.\n")?;
        }
        let mut table = Table::new(&["agent", ">allowed", ">URLs", ">share", "note"]);
        for column in columns {
            table.row([
                column.agent.name.clone(),
                column.allowed.to_string(),
                urls.to_string(),
                column.share().unwrap_or_default(),
                column.agent.note.clone().unwrap_or_default(),
            ]);
        }
        table.write(&mut out, "")?;
        Ok(out.flush()?)
    }
}
