//! Plain tables: columns padded with spaces, numbers aligned to the right.

use std::io::{self, Write};

use anstyle::Style;

use crate::io::output;

/// A table whose rows are added one by one.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
    /// The colour of a cell, for people.
    style: Option<fn(&str) -> Option<Style>>,
}

impl Table {
    /// Creates a table with these column headings; a `>` before a heading aligns its column to the right.
    pub(crate) fn new(heads: &[&str]) -> Self {
        let right = heads.iter().map(|head| head.starts_with('>')).collect();
        let heads = heads.iter().map(|head| head.trim_start_matches('>').to_owned()).collect();
        Self { rows: vec![heads], right, style: None }
    }

    /// Adds a row.
    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    /// Adds a row of as many cells as there are columns.
    pub(crate) fn row_of(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Colours cells below the headings, where output is coloured.
    pub(crate) fn style(&mut self, style: fn(&str) -> Option<Style>) {
        self.style = output::has_colours().then_some(style);
    }

    /// Writes the table; every line begins with `indent`.
    pub(crate) fn write(&self, out: &mut dyn Write, indent: &str) -> io::Result<()> {
        self.write_rows(out, indent, &self.rows)
    }

    /// Writes the table without its headings.
    pub(crate) fn write_body(&self, out: &mut dyn Write, indent: &str) -> io::Result<()> {
        self.write_rows(out, indent, self.rows.get(1..).unwrap_or_default())
    }

    fn write_rows(&self, out: &mut dyn Write, indent: &str, rows: &[Vec<String>]) -> io::Result<()> {
        let width = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        for row in rows {
            let mut line = indent.to_owned();
            for (column, cell) in row.iter().enumerate() {
                let width = widths.get(column).copied().unwrap_or_default();
                let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
                let style = self.style.filter(|_| column > 0).and_then(|style| style(cell));
                let cell = match style {
                    Some(style) => &format!("{style}{cell}{style:#}"),
                    None => cell,
                };
                if column > 0 {
                    line.push_str("  ");
                }
                if self.right.get(column).copied().unwrap_or_default() {
                    line.push_str(&pad);
                    line.push_str(cell);
                } else {
                    line.push_str(cell);
                    line.push_str(&pad);
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
