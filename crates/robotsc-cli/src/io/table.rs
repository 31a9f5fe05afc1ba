//! Plain tables: columns padded with spaces, numbers aligned to the right. On a terminal they fit its width.

use std::io::{self, Write};

use anstyle::Style;

use crate::io::{fit, output};

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
        self.write_in(out, indent, rows, output::width())
    }

    /// Writes rows that fit a width, if there is one: cells go on in further lines, and columns in further blocks.
    fn write_in(
        &self,
        out: &mut dyn Write,
        indent: &str,
        rows: &[Vec<String>],
        width: Option<usize>,
    ) -> io::Result<()> {
        let widest = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.right.len()).map(widest).collect();
        let width = width.map_or(usize::MAX, |width| width.saturating_sub(indent.len()));
        for (number, block) in fit::blocks(&widths, width).iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            for row in rows {
                self.write_row(out, indent, row, block)?;
            }
        }
        Ok(())
    }

    /// Writes the cells of a row that are in a block.
    fn write_row(&self, out: &mut dyn Write, indent: &str, row: &[String], block: &fit::Block) -> io::Result<()> {
        let cell = |column: usize| row.get(column).map_or("", String::as_str);
        let cells: Vec<Vec<String>> = block.iter().map(|(column, width)| fit::lines(cell(*column), *width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        for number in 0..height {
            let mut line = indent.to_owned();
            for ((column, width), parts) in block.iter().zip(&cells) {
                let part = parts.get(number).map_or("", String::as_str);
                let pad = " ".repeat(width.saturating_sub(part.chars().count()));
                let style = self.style.filter(|_| *column > 0).and_then(|style| style(cell(*column)));
                let part = match style {
                    Some(style) if !part.is_empty() => &format!("{style}{part}{style:#}"),
                    _ => part,
                };
                if *column > 0 {
                    line.push_str(&" ".repeat(fit::GAP));
                }
                if self.right.get(*column).copied().unwrap_or_default() {
                    line.push_str(&pad);
                    line.push_str(part);
                } else {
                    line.push_str(part);
                    line.push_str(&pad);
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_tables_fit_and_narrow_ones_stay_as_they_are() {
        let mut table = Table::new(&["URL", "GPTBot", ">n", "note"]);
        table.row(["/a/long/section/of/shop", "allowed", "7", "obeys the groups of others"].map(str::to_owned));
        let shown = |width| {
            let mut out = Vec::new();
            table.write_in(&mut out, "", &table.rows, width).expect("written");
            String::from_utf8(out).expect("text")
        };
        let whole = "URL                      GPTBot   n  note\n\
                     /a/long/section/of/shop  allowed  7  obeys the groups of others\n";
        assert_eq!(shown(None), whole);
        assert_eq!(shown(Some(63)), whole);
        let narrow = "URL               GPTBot   n  note\n\
                      /a/long/section/  allowed  7  obeys the groups\n\
                      of/shop                       of others\n";
        assert_eq!(shown(Some(46)), narrow);
        let blocks = "URL                GPTBot   n\n\
                      /a/long/section/o  allowed  7\n\
                      f/shop\n\n\
                      URL             note\n\
                      /a/long/sectio  obeys the\n\
                      n/of/shop       groups of\n                \
                      others\n";
        assert_eq!(shown(Some(29)), blocks);
    }
}
