//! A matrix as plain text.

use std::io::Write;

use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::matrix::{Cell, Column};
use robotsc_answers::shown;

use super::{Sink, Subject, heading};
use crate::failure::Failure;
use crate::io::output;
use crate::io::table::Table;

/// The most characters of a URL that are shown.
const MAX_SHOWN: usize = 80;

pub(super) struct Text {
    share_only: bool,
    /// The URLs, each with the cells of all agents.
    rows: Vec<(String, Vec<String>)>,
}

impl Text {
    pub(super) fn new(share_only: bool) -> Self {
        Self { share_only, rows: Vec::new() }
    }
}

impl Sink for Text {
    fn begin(&mut self, _: &Subject<'_>, _: &[Column<'_>]) -> Result<(), Failure> {
        Ok(())
    }

    fn row(&mut self, _: &Subject<'_>, url: &[u8], _: &[ChosenAgent], cells: &[Cell]) -> Result<(), Failure> {
        if !self.share_only {
            let cell = |cell: &Cell| match cell.line() {
                Some(line) => format!("{} {line}", cell.word()),
                None => cell.word().to_owned(),
            };
            self.rows.push((shown::cut(url, MAX_SHOWN), cells.iter().map(cell).collect()));
        }
        Ok(())
    }

    fn finish(&mut self, _: &Subject<'_>, columns: &[Column<'_>], urls: u64) -> Result<(), Failure> {
        let mut out = output::stdout();
        if !self.share_only {
            self.write_rows(&mut *out, columns)?;
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

impl Text {
    /// Writes a row for each URL. Agents with equal answers share a column.
    fn write_rows(&self, out: &mut dyn Write, columns: &[Column<'_>]) -> Result<(), Failure> {
        let is_same = |one: usize, other: usize| self.rows.iter().all(|(_, cells)| cells[one] == cells[other]);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for number in 0..columns.len() {
            match groups.iter_mut().find(|group| is_same(group[0], number)) {
                Some(group) => group.push(number),
                None => groups.push(vec![number]),
            }
        }
        let heads = groups.iter().map(|group| heading(group, columns));
        let heads: Vec<String> = ["URL".to_owned()].into_iter().chain(heads).collect();
        let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>());
        for (url, cells) in &self.rows {
            table.row_of([url.clone()].into_iter().chain(groups.iter().map(|group| cells[group[0]].clone())).collect());
        }
        table.style(output::verdict_style);
        Ok(table.write(out, "")?)
    }
}
