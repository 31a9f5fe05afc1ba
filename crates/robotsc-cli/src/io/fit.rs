//! Text that fits the width of a terminal: widths of columns, and cells on several lines.

/// The width below which no column is narrowed, in characters.
const MIN_WIDTH_CHARS: usize = 12;

/// The blanks between columns.
pub(crate) const GAP: usize = 2;

/// Some columns of a table, which stand beside each other: their numbers and their widths.
pub(crate) type Block = Vec<(usize, usize)>;

/// Returns the columns in blocks that fit a width, each with the first column. Columns whose cells can be broken are
/// narrowed first, the widest before others.
pub(crate) fn blocks(widths: &[usize], width: usize) -> Vec<Block> {
    let Some((&first, rest)) = widths.split_first() else { return Vec::new() };
    let least = |width: usize| width.min(MIN_WIDTH_CHARS);
    // The first column says what a row is about.
    let least_first = first.min(MIN_WIDTH_CHARS.max(width / 4));
    let mut blocks: Vec<Vec<usize>> = vec![Vec::new()];
    let mut used = least_first;
    for (column, wanted) in (1..).zip(rest) {
        let more = GAP + least(*wanted);
        if used + more > width && blocks.last().is_some_and(|block| !block.is_empty()) {
            blocks.push(Vec::new());
            used = least_first;
        }
        used += more;
        blocks.last_mut().into_iter().for_each(|block| block.push(column));
    }
    let narrow = |columns: Vec<usize>| {
        let all = [0].into_iter().chain(columns).map(|column| (column, widths[column]));
        let mut block: Block = all.collect();
        loop {
            let total = block.iter().map(|(_, width)| width).sum::<usize>() + GAP * (block.len() - 1);
            let widest = block.iter_mut().max_by_key(|(_, width)| *width);
            match widest {
                Some((_, widest)) if total > width && *widest > MIN_WIDTH_CHARS => *widest -= 1,
                _ => return block,
            }
        }
    };
    blocks.into_iter().map(narrow).collect()
}

/// Returns a text in lines of at most `width` characters: broken at blanks, or within a word that is longer.
pub(crate) fn lines(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    if text.chars().count() <= width {
        return vec![text.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    let mut line: Vec<char> = Vec::new();
    for word in text.split(' ') {
        let word: Vec<char> = word.chars().collect();
        let mut rest = word.as_slice();
        if !line.is_empty() && line.len() + 1 + word.len() > width {
            lines.push(line.drain(..).collect());
        } else if !line.is_empty() {
            line.push(' ');
        }
        while line.len() + rest.len() > width {
            let (fitting, others) = rest.split_at(width - line.len());
            line.extend_from_slice(fitting);
            lines.push(line.drain(..).collect());
            rest = others;
        }
        line.extend_from_slice(rest);
    }
    if !line.is_empty() {
        lines.push(line.into_iter().collect());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_at_blanks_and_within_long_words() {
        for (text, width, wanted) in [
            ("a b", 3, &["a b"][..]),
            ("one two three", 7, &["one two", "three"]),
            ("https://shop.example/a", 8, &["https://", "shop.exa", "mple/a"]),
            ("is https://shop.example", 8, &["is", "https://", "shop.exa", "mple"]),
            ("b\u{fc}cher kaufen", 6, &["b\u{fc}cher", "kaufen"]),
            ("", 5, &[""]),
        ] {
            assert_eq!(lines(text, width), wanted, "{text} in {width}");
        }
        // A URL can be this long.
        assert_eq!(lines(&"a".repeat(1 << 20), 12).len(), (1_usize << 20).div_ceil(12));
    }

    #[test]
    fn columns_are_narrowed_and_then_put_into_blocks() {
        for (widths, width, wanted) in [
            (&[10, 10][..], 80, vec![vec![(0, 10), (1, 10)]]),
            (&[40, 10], 40, vec![vec![(0, 28), (1, 10)]]),
            (&[30, 30, 10], 50, vec![vec![(0, 18), (1, 18), (2, 10)]]),
            (&[30, 13, 13, 13], 44, vec![vec![(0, 14), (1, 13), (2, 13)], vec![(0, 29), (3, 13)]]),
            // What is narrower than any column stays as it is.
            (&[20, 20], 10, vec![vec![(0, 12), (1, 12)]]),
            (&[], 10, vec![]),
        ] {
            assert_eq!(blocks(widths, width), wanted, "{widths:?} in {width}");
        }
    }

    #[test]
    fn blocks_fit_and_hold_each_column_once() {
        for number in 1..30 {
            for width in [40, 80, 120] {
                let widths: Vec<usize> = (0..number).map(|column| 3 + (column * 7) % 40).collect();
                let blocks = blocks(&widths, width);
                let columns: Vec<usize> =
                    blocks.iter().flat_map(|block| &block[1..]).map(|(column, _)| *column).collect();
                assert_eq!(columns, (1..number).collect::<Vec<_>>());
                for block in blocks {
                    let total = block.iter().map(|(_, width)| width).sum::<usize>() + GAP * (block.len() - 1);
                    assert!(total <= width, "{block:?} in {width}");
                }
            }
        }
    }
}
