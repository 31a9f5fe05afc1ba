//! CSV, as RFC 4180 has it: where records end, which may be over several lines, and what their fields hold.
//!
//! A quote opens a field only as its first byte; anywhere else it is a byte like any other. Within quotes two quotes
//! are one. After the quote that ends a field only blanks may follow. `csv-core` reads the same, and more, but cannot
//! borrow a field or stop at the end of a block.

use std::borrow::Cow;

/// The reason for a record without the column.
pub(crate) const NO_COLUMN: &str = "the line has no such column";

/// The reason for a field whose quotes do not end.
const OPEN_QUOTE: &str = "a quote that does not end";

/// The reason for a field that goes on after its quotes: what is meant is not known.
const AFTER_QUOTE: &str = "text after a quote that ends: two quotes within quotes stand for one";

/// Finds the ends of records in a text that grows.
///
/// Cost: one pass over the text, whose bytes between quotes are skipped by a vectorized search.
#[derive(Clone, Debug)]
pub(crate) struct RecordEnds {
    separator: u8,
    /// The start of the current record.
    start: usize,
    /// The offset of the scan.
    at: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unquoted,
    Quoted,
    /// After a quote within quotes: a second one is an escaped quote, anything else ends the quotes.
    MaybeClosed,
}

impl RecordEnds {
    /// Begins with the record at `start`.
    pub(crate) const fn new(separator: u8, start: usize) -> Self {
        Self { separator, start, at: start, state: State::Unquoted }
    }

    /// Goes on to the end of `text`, which begins with what it held before, and returns where the last record ended so
    /// far: the start if none did.
    pub(crate) fn last(&mut self, text: &[u8]) -> usize {
        loop {
            let rest = text.get(self.at..).unwrap_or_default();
            let quote = memchr::memchr(b'"', rest);
            let end = quote.map_or(text.len(), |at| self.at + at);
            match self.state {
                State::Unquoted => {
                    if let Some(at) = memchr::memrchr(b'\n', &rest[..end - self.at]) {
                        self.start = self.at + at + 1;
                    }
                    let opens = end == self.start || text[end - 1] == self.separator;
                    if quote.is_some() && opens {
                        self.state = State::Quoted;
                    }
                }
                State::Quoted if quote.is_some() => self.state = State::MaybeClosed,
                State::Quoted => {}
                State::MaybeClosed if rest.is_empty() => return self.start,
                State::MaybeClosed if rest[0] == b'"' => self.state = State::Quoted,
                State::MaybeClosed => {
                    self.state = State::Unquoted;
                    continue;
                }
            }
            self.at = end;
            if quote.is_none() {
                return self.start;
            }
            self.at += 1;
        }
    }
}

/// Finds the end of a record that is too long to be kept.
#[derive(Clone, Debug)]
pub(crate) struct RestOfRecord {
    separator: u8,
    state: State,
    /// The byte before those that come next.
    previous: u8,
}

impl RestOfRecord {
    /// Begins after `start`, which is what was read of the record, from its first byte on.
    pub(crate) fn after(start: &[u8], separator: u8) -> Self {
        let mut ends = RecordEnds::new(separator, 0);
        ends.last(start);
        Self { separator, state: ends.state, previous: start.last().copied().unwrap_or(separator) }
    }

    /// Returns the length of what belongs to the record, if it ends in the next bytes.
    pub(crate) fn end(&mut self, next: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < next.len() {
            let rest = &next[at..];
            match self.state {
                State::Unquoted => {
                    let Some(found) = memchr::memchr2(b'"', b'\n', rest) else { break };
                    if rest[found] == b'\n' {
                        return Some(at + found + 1);
                    }
                    let before = (at + found).checked_sub(1).map_or(self.previous, |before| next[before]);
                    if before == self.separator {
                        self.state = State::Quoted;
                    }
                    at += found + 1;
                }
                State::Quoted => {
                    let Some(found) = memchr::memchr(b'"', rest) else { break };
                    self.state = State::MaybeClosed;
                    at += found + 1;
                }
                State::MaybeClosed if rest[0] == b'"' => {
                    self.state = State::Quoted;
                    at += 1;
                }
                State::MaybeClosed => self.state = State::Unquoted,
            }
        }
        self.previous = next.last().copied().unwrap_or(self.previous);
        None
    }
}

/// Returns a field of a record, which has no line end; fields count from 0.
///
/// # Errors
/// If the record has fewer fields, or a quote does not end.
pub(crate) fn field(record: &[u8], separator: u8, number: usize) -> Result<Cow<'_, [u8]>, &'static str> {
    fields(record, separator).nth(number).unwrap_or(Err(NO_COLUMN))
}

/// Returns the number of fields of a record, which has no line end.
///
/// # Errors
/// If a quote does not end.
pub(crate) fn count(record: &[u8], separator: u8) -> Result<usize, &'static str> {
    if memchr::memchr(b'"', record).is_none() {
        return Ok(memchr::memchr_iter(separator, record).count() + 1);
    }
    fields(record, separator).try_fold(0, |count, field| field.map(|_| count + 1))
}

/// Writes a field, in quotes if need be.
pub(crate) fn push_field(out: &mut Vec<u8>, field: &[u8], separator: u8) {
    if !field.iter().any(|byte| *byte == separator || b"\"\r\n".contains(byte)) {
        return out.extend_from_slice(field);
    }
    out.push(b'"');
    out.extend(field.iter().flat_map(|byte| std::iter::repeat_n(*byte, 1 + usize::from(*byte == b'"'))));
    out.push(b'"');
}

/// Returns the fields of a record in their order. An open quote is an error, and the last field.
pub(crate) fn fields(record: &[u8], separator: u8) -> impl Iterator<Item = Result<Cow<'_, [u8]>, &'static str>> {
    let mut rest = Some(record);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        match split(text, separator) {
            Ok((field, after)) => {
                rest = after;
                Some(Ok(field))
            }
            Err(reason) => Some(Err(reason)),
        }
    })
}

/// A field without its quotes, and what follows its separator: `None` at the end of the line.
type Split<'a> = (Cow<'a, [u8]>, Option<&'a [u8]>);

/// Splits the first field off.
///
/// # Errors
/// If a quote does not end, or if text follows it.
fn split(text: &[u8], separator: u8) -> Result<Split<'_>, &'static str> {
    let unquoted = |text: &[u8]| memchr::memchr(separator, text).unwrap_or(text.len());
    let Some(quoted) = text.strip_prefix(b"\"") else {
        let end = unquoted(text);
        return Ok((Cow::Borrowed(&text[..end]), text.get(end + 1..)));
    };
    let (mut field, mut rest) = (Cow::Borrowed(&b""[..]), quoted);
    loop {
        let end = memchr::memchr(b'"', rest).ok_or(OPEN_QUOTE)?;
        push(&mut field, &rest[..end]);
        rest = &rest[end + 1..];
        match rest.first() {
            Some(b'"') => push(&mut field, b"\""),
            _ => break,
        }
        rest = &rest[1..];
    }
    let end = unquoted(rest);
    match rest[..end].iter().all(|byte| b" \t".contains(byte)) {
        true => Ok((field, rest.get(end + 1..))),
        false => Err(AFTER_QUOTE),
    }
}

/// Adds bytes to a field, which is copied only if it has more than one part.
fn push<'t>(field: &mut Cow<'t, [u8]>, part: &'t [u8]) {
    if field.is_empty() {
        *field = Cow::Borrowed(part);
    } else if !part.is_empty() {
        field.to_mut().extend_from_slice(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the records of a text by csv-core: their fields. Empty lines are records of ours that it leaves out.
    fn by_csv_core(text: &[u8], separator: u8) -> Vec<Vec<Vec<u8>>> {
        use csv_core::{ReadRecordResult, ReaderBuilder, Terminator};
        let mut reader = ReaderBuilder::new().delimiter(separator).terminator(Terminator::Any(b'\n')).build();
        let (mut output, mut ends) = (vec![0; 2 * text.len() + 16], vec![0; text.len() + 16]);
        let (mut records, mut rest) = (Vec::new(), text);
        loop {
            let (mut written, mut fields) = (0, 0);
            loop {
                let (result, read, out, ended) = reader.read_record(rest, &mut output[written..], &mut ends[fields..]);
                rest = &rest[read..];
                (written, fields) = (written + out, fields + ended);
                match result {
                    ReadRecordResult::InputEmpty => {}
                    ReadRecordResult::Record => break,
                    ReadRecordResult::End => return records,
                    _ => panic!("room for everything"),
                }
            }
            let starts = std::iter::once(0).chain(ends[..fields].iter().copied());
            records.push(starts.zip(&ends[..fields]).map(|(start, end)| output[start..*end].to_vec()).collect());
        }
    }

    /// Returns the same by ours, read in parts of a length. The last record is skipped if a quote of it does not end,
    /// which csv-core lets pass.
    fn ours(text: &[u8], separator: u8, part: usize) -> (Vec<Vec<Vec<u8>>>, bool) {
        let mut records = Vec::new();
        let mut start = 0;
        while start < text.len() {
            let mut ends = RecordEnds::new(separator, start);
            let mut read = start;
            // Line by line the first end is that of the record.
            let end = loop {
                let line = memchr::memchr(b'\n', &text[read..]).map_or(text.len(), |at| read + at + 1);
                while read < line {
                    read = line.min(read + part);
                    ends.last(&text[..read]);
                }
                match ends.last(&text[..read]) {
                    end if end > start => break end,
                    _ if read == text.len() => break read,
                    _ => {}
                }
            };
            let record = text[start..end].strip_suffix(b"\n").unwrap_or(&text[start..end]);
            start = end;
            if record.is_empty() {
                continue;
            }
            match fields(record, separator).map(|field| field.map(Cow::into_owned)).collect() {
                Ok(fields) => records.push(fields),
                Err(_) => return (records, true),
            }
        }
        (records, false)
    }

    #[test]
    fn records_and_fields_are_those_of_csv_core() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut open = 0;
        for _ in 0..20_000 {
            let text: Vec<u8> = (0..random(24)).map(|_| b"aab,,;;\"\"\"\n\n\r"[random(13) as usize]).collect();
            for separator in [b',', b';'] {
                let (found, is_open) = ours(&text, separator, 1 + random(5) as usize);
                let mut expected = by_csv_core(&text, separator);
                if is_open {
                    open += 1;
                    expected.truncate(found.len());
                }
                assert_eq!(found, expected, "{}", text.escape_ascii());
            }
        }
        assert!(open > 1000, "{open}");
    }

    /// Cut anywhere, and read on in parts of any length, a record ends where it ends in one piece.
    #[test]
    fn a_record_that_is_cut_ends_where_it_ends() {
        for text in [
            "a\nb",
            "a,\"b\n\"\nc",
            "\"a\"\"\n\"\n\"b\"\n",
            "a\"b\nc\"\n",
            "\"a\",\"\"\n\"\n",
            "\"\"\"\n\"\nx",
            "\"a\nb",
        ] {
            let text = text.as_bytes();
            let ends_at = |end: usize| RecordEnds::new(b',', 0).last(&text[..end]) == end;
            let expected = (1..=text.len()).find(|end| ends_at(*end));
            for cut in 0..expected.unwrap_or(text.len()) {
                for part in 1..=text.len() {
                    let mut rest = RestOfRecord::after(&text[..cut], b',');
                    let mut read = cut;
                    let found = text[cut..].chunks(part).find_map(|next| {
                        let end = rest.end(next).map(|end| read + end);
                        read += next.len();
                        end
                    });
                    assert_eq!(found, expected, "{} {cut} {part}", text.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn fields_in_one_piece_are_borrowed() {
        for (record, number, expected, is_borrowed) in [
            ("a,b", 1, "b", true),
            ("a,", 1, "", true),
            ("\"a,b\",c", 0, "a,b", true),
            ("\"a,b\",c", 1, "c", true),
            ("\"a \"\"b\"\"\",c", 0, "a \"b\"", false),
            ("a\"b,c", 0, "a\"b", true),
            ("\"a\" ,c", 0, "a", true),
            ("x,\"http://h/?a,b\"", 1, "http://h/?a,b", true),
            ("\"\",x", 0, "", true),
        ] {
            let found = field(record.as_bytes(), b',', number).unwrap();
            assert_eq!((&*found, matches!(found, Cow::Borrowed(_))), (expected.as_bytes(), is_borrowed), "{record}");
        }
        for (record, number) in [("\"a\"", 1), ("\"a,b", 0), ("\"a,b", 1), ("a,\"b", 1), ("", 1), ("\"a\"b,c", 0)] {
            assert!(field(record.as_bytes(), b',', number).is_err(), "{record} {number}");
        }
    }
}
