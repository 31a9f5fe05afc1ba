//! The formats of lists of URLs.

use std::path::Path;

use clap::ValueEnum;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// The line is the URL
    Lines,
    /// Columns between tabs
    Tsv,
    /// Columns between commas or --separator, quoted as RFC 4180 has it; a quoted field may hold line ends
    Csv,
    /// A line is a JSON object, with the URL under the key of --column
    Jsonl,
    /// A line of a crawl's index: key, time, and JSON that holds the `url`
    Cdxj,
}

impl FormatArg {
    /// Returns the format that the name of a file stands for; `None` if the name says nothing.
    pub(crate) fn of_name(name: &Path) -> Option<Self> {
        let lower = name.as_os_str().to_string_lossy().to_ascii_lowercase();
        let plain = [".gz", ".zst", ".zstd"].iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower);
        let (_, extension) = plain.rsplit_once('.')?;
        match extension {
            "tsv" => Some(Self::Tsv),
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "cdxj" => Some(Self::Cdxj),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_name() {
        for (name, format) in [
            ("a.tsv", Some(FormatArg::Tsv)),
            ("a.TSV.gz", Some(FormatArg::Tsv)),
            ("a.csv.zst", Some(FormatArg::Csv)),
            ("a.jsonl", Some(FormatArg::Jsonl)),
            ("a.ndjson.gz", Some(FormatArg::Jsonl)),
            ("a.cdxj", Some(FormatArg::Cdxj)),
            ("a.txt.gz", None),
            ("csv", None),
            ("-", None),
        ] {
            assert_eq!(FormatArg::of_name(Path::new(name)), format, "{name}");
        }
    }
}
