//! Markdown tables.

/// A table: a head and rows of as many cells.
#[derive(Debug)]
pub(crate) struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Prints the table, its columns aligned.
    pub(crate) fn print(&self) {
        let mut widths: Vec<usize> = self.head.iter().map(|cell| cell.chars().count()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let line = |cells: &[String]| {
            let cells: Vec<String> =
                cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
            println!("| {} |", cells.join(" | "));
        };
        line(&self.head);
        let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        line(&rule);
        for row in &self.rows {
            line(row);
        }
        println!();
    }
}

/// A number with three significant digits or all before the point, thousands set apart; `-` where there is none.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let text = match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    };
    let whole = text.split('.').next().unwrap_or_default().len();
    let mut out = String::new();
    for (at, digit) in text.chars().enumerate() {
        if at > 0 && at < whole && (whole - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(1.234, "1.23"), (45.67, "45.7"), (999.6, "1,000"), (1_234_567.0, "1,234,567")] {
            assert_eq!(number(value), text);
        }
        assert_eq!(number(f64::NAN), "-");
    }
}
