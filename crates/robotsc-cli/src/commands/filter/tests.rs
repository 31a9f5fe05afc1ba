//! The pipeline against a naive filter: one line after the other, and the reference engine for each.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use robotsc::internal::reference;
use robotsc::origin::{BatchOrigin, OriginLookup};
use robotsc::pack::PackAccess;
use robotsc::program::{DecidingRule, Output};
use robotsc::{Compiler, Crawler, Dialect, Program, RobotsTxt, RuleSet, origin};

use super::answer::{Answer, Class, Records, Route, STDOUT};
use super::answerer::Answerer;
use super::columns::Columns;
use super::pipeline::{Ended, Run};
use super::policies::{AgentAnswers, LineUrl, OriginRules, Policies};
use super::sinks::{Sink, Sinks};
use super::summary;
use crate::io::stop::Stop;
use crate::lists::blocks::Cut;
use crate::lists::first_line::{Column, ListOptions};
use crate::lists::format::FormatArg;
use crate::lists::layout;
use crate::lists::lines::MAX_LINE_BYTES;

const CLASSES: [Class; 4] = [Class::Allowed, Class::Disallowed, Class::Unknown, Class::Error];

/// What is held of an origin.
enum Held {
    Rules(Box<RuleSet>, Vec<u8>),
    AllowAll,
    DisallowAll,
    Unknown,
}

struct Memory(BTreeMap<Vec<u8>, Held>);

impl<'p> OriginLookup<'p> for Memory {
    type Place = ();
    type Policy = OriginRules<'p>;

    fn dialect(&self) -> &Dialect {
        &Dialect::GOOGLE
    }

    fn place(&self, _: &[u8]) {}

    fn look_up(&'p self, origins: &mut [BatchOrigin<'_, (), OriginRules<'p>>]) {
        for origin in origins {
            let policy = match self.0.get(origin.name()) {
                Some(Held::Rules(_, bytes)) => PackAccess::Rules(Program::from_bytes(bytes).unwrap()),
                Some(Held::AllowAll) => PackAccess::AllowAll,
                Some(Held::DisallowAll) => PackAccess::DisallowAll,
                Some(Held::Unknown) | None => PackAccess::Unknown,
            };
            origin.policy = Some(OriginRules { policy, overlay: None });
        }
    }
}

impl Policies for Memory {
    fn decide<'p>(&'p self, held: &OriginRules<'p>, asked: &LineUrl<'_>, _: &mut AgentAnswers) -> Answer {
        held.decide(asked.url, asked.path)
    }
}

fn memory() -> Arc<Memory> {
    let rules = |body: &str| {
        let rules = RobotsTxt::parse(body.as_bytes()).rule_set(&Crawler::new("FooBot").unwrap());
        let compiled = Compiler::new().output(Output::DecidingRule).compile(&rules).unwrap();
        Held::Rules(Box::new(rules), compiled.into_bytes())
    };
    Arc::new(Memory(BTreeMap::from([
        (b"https://a.example".to_vec(), rules("User-agent: *\nDisallow: /private\nAllow: /private/press\n")),
        (b"https://ab.example".to_vec(), rules("User-agent: *\nDisallow: /*.php$\nDisallow: /*?s=\n")),
        (b"http://a.example".to_vec(), rules("User-agent: *\nDisallow: /\n")),
        (b"https://a.example:8080".to_vec(), Held::AllowAll),
        (b"https://down.example".to_vec(), Held::DisallowAll),
        (b"https://lost.example".to_vec(), Held::Unknown),
        (b"https://xn--bcher-kva.example".to_vec(), rules("User-agent: FooBot\nDisallow: /\u{e4}\n")),
    ])))
}

/// What a line is, by the reference engine.
fn naive(memory: &Memory, line: &[u8]) -> Class {
    if line.len() > MAX_LINE_BYTES || line.trim_ascii().contains(&b'\t') || layout::not_one_url(line).is_some() {
        return Class::Error;
    }
    let Ok(url) = origin::split(&Dialect::GOOGLE, line) else { return Class::Error };
    if url.is_robots_txt() {
        return Class::Allowed;
    }
    match memory.0.get(&*url.origin) {
        Some(Held::Rules(rules, _)) => {
            DecidingRule::verdict_of(reference::deciding_rule(rules, url.path.as_path()).unwrap()).into()
        }
        Some(Held::AllowAll) => Class::Allowed,
        Some(Held::DisallowAll) => Class::Disallowed,
        Some(Held::Unknown) | None => Class::Unknown,
    }
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A run over files.
struct Setting {
    block: usize,
    threads: usize,
    route: Route,
    origins: Option<usize>,
    format: Option<FormatArg>,
    column: Column,
    stop: Stop,
}

impl Setting {
    fn lines() -> Self {
        let lines = [Some(1), Some(2), Some(3), Some(4)];
        Self {
            block: 1 << 16,
            threads: 2,
            route: Route { lines, records: None, hits: true },
            origins: None,
            format: None,
            column: Column::Unsaid,
            stop: Stop::default(),
        }
    }

    fn run(self, files: &[(&str, &[u8])]) -> (Ended, [Vec<u8>; 5]) {
        let folder = tempfile::tempdir().unwrap();
        let names: Vec<OsString> = files
            .iter()
            .map(|(name, bytes)| {
                let path = folder.path().join(name);
                fs::write(&path, bytes).unwrap();
                path.into()
            })
            .collect();
        let written: [Written; 5] = Default::default();
        let mut sinks = Sinks::default();
        for (number, written) in written.iter().enumerate() {
            sinks.add(number, Sink::Stream(Box::new(written.clone())));
        }
        let run = Run {
            cut: Cut {
                block: self.block,
                said: ListOptions {
                    agent: Column::Unsaid,
                    format: self.format,
                    column: self.column,
                    header: false,
                    separator: None,
                    encoding: None,
                    adds: Vec::new(),
                },
            },
            answerer: Answerer { policies: memory(), route: self.route, columns: Arc::new(Columns::default()) },
            threads: NonZeroUsize::new(self.threads).unwrap(),
            stop: self.stop,
            origins: self.origins,
            tick: Box::new(|_, _| {}),
            quiet: true,
        };
        let ended = run.run(names, &mut sinks).unwrap();
        (ended, written.map(|written| std::mem::take(&mut *written.0.lock().unwrap())))
    }
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }

    fn of<'a>(&mut self, all: &[&'a [u8]]) -> &'a [u8] {
        all[self.below(all.len())]
    }

    /// Lines of URLs, and of what is none.
    fn lines(&mut self, number: usize) -> Vec<u8> {
        let mut text = Vec::new();
        for line in 0..number {
            // Neighbours are often of one origin.
            let repeat = if self.below(3) == 0 { 1 + self.below(70) } else { 1 };
            let start = self.of(&[
                b"https://a.example",
                b"https://ab.example",
                b"https://a.example:8080",
                b"http://a.example",
                b"HTTPS://A.example:443",
                b"https://down.example",
                b"https://lost.example",
                b"https://new.example",
                b"https://B\xc3\xbccher.example",
                b"https://u@a.example",
                b"mailto:x@a.example",
                b"",
            ]);
            for _ in 0..repeat {
                text.extend_from_slice(start);
                for _ in 0..self.below(3) {
                    let piece = self.of(&[
                        b"/",
                        b"/private",
                        b"/press",
                        b"/x.php",
                        b"?s=",
                        b"#f",
                        b"/\xc3\xa4",
                        b"/%c3%a4",
                        b"/robots.txt",
                        b"x",
                        b" ",
                        b"\t",
                        b"*",
                        b"\xff",
                    ]);
                    text.extend_from_slice(piece);
                }
                if line == number / 2 && self.below(8) == 0 {
                    text.extend(std::iter::repeat_n(b'y', MAX_LINE_BYTES - 20 + self.below(40)));
                }
                text.extend_from_slice(self.of(&[b"\n", b"\n", b"\n", b"\r\n", b"\n\n"]));
            }
        }
        if self.below(2) == 0 {
            text.extend_from_slice(b"https://a.example/last");
        }
        text
    }
}

/// The lines of a text with their ends, the last mended; empty ones left out.
fn lines(text: &[u8]) -> impl Iterator<Item = (Vec<u8>, &[u8])> {
    text.split_inclusive(|byte| *byte == b'\n').filter_map(|line| {
        let url = crate::lists::layout::without_end(line);
        let mut line = line.to_vec();
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        (!url.is_empty()).then_some((line, url))
    })
}

#[test]
fn the_output_is_that_of_the_naive_filter() {
    let memory = memory();
    for seed in 1..80_u64 {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let number = random.below(400);
        let texts = [random.lines(number), random.lines(7)];
        let mut expected: [Vec<u8>; 5] = Default::default();
        let mut counts = [0; 4];
        let mut records = Vec::new();
        for text in &texts {
            for (line, url) in lines(text) {
                let class = naive(&memory, url);
                counts[class as usize] += 1;
                // Of a line that is too long only the start is kept.
                let is_cut = url.len() > MAX_LINE_BYTES;
                if !is_cut {
                    expected[class as usize + 1].extend_from_slice(&line);
                }
                records.push((class, robotsc_answers::shown::column(url).len().min(MAX_LINE_BYTES / 2)));
            }
        }
        let mut setting = Setting::lines();
        setting.block = 1 + random.below(if seed % 2 == 0 { 300 } else { 50_000 });
        setting.threads = 1 + random.below(4);
        setting.route.records = Some(Records::Verdicts);
        let (ended, outputs) = setting.run(&[("a.txt", &texts[0]), ("b.txt", &texts[1])]);
        assert_eq!(ended.failures, [""; 0]);
        assert_eq!(ended.totals.counts, counts, "seed {seed}");
        for class in [Class::Allowed, Class::Disallowed, Class::Unknown] {
            let (found, expected) = (&outputs[class as usize + 1], &expected[class as usize + 1]);
            assert!(found == expected, "seed {seed} {class:?}\n{}\n{}", found.escape_ascii(), expected.escape_ascii());
        }
        let long_free = |text: &[u8]| -> Vec<u8> {
            text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.len() < 1 << 19).flatten().copied().collect()
        };
        assert_eq!(long_free(&outputs[4]), long_free(&expected[4]), "seed {seed}");
        let found: Vec<_> = outputs[STDOUT]
            .split_inclusive(|byte| *byte == b'\n')
            .map(|record| {
                let (word, url) = record.split_at(record.iter().position(|byte| *byte == b'\t').unwrap());
                let class = CLASSES.into_iter().find(|class| class.word().as_bytes() == word).unwrap();
                (class, (url.len() - 2).min(MAX_LINE_BYTES / 2))
            })
            .collect();
        assert_eq!(found, records, "seed {seed}");
    }
}

#[test]
fn unknown_origins_are_listed_once() {
    let text =
        b"https://x.example/1\nhttps://lost.example/\nhttps://a.example/\nHTTPS://X.example:443/2\nhttps://y.example\n";
    let mut setting = Setting::lines();
    setting.block = 1;
    setting.route.lines[Class::Unknown as usize] = None;
    setting.origins = Some(3);
    let (ended, outputs) = setting.run(&[("a.txt", text), ("b.txt", text)]);
    assert_eq!(
        outputs[3].escape_ascii().to_string(),
        "https://x.example\\nhttps://lost.example\\nhttps://y.example\\n"
    );
    assert_eq!(ended.totals.unknown_origins, 3);
    assert_eq!(outputs[1], b"https://a.example/\nhttps://a.example/\n");
}

#[test]
fn hits_are_counted_by_rule() {
    let text = b"https://a.example/private/1\nhttps://a.example/private/press\nhttps://a.example/\n\
        https://a.example/private/2\n\
        https://down.example/\nhttps://a.example/\nhttps://new.example/\n";
    let (mut ended, _) = Setting::lines().run(&[("a.txt", text)]);
    let hosts = std::mem::replace(&mut ended.totals.hosts, super::tally::Tally::new(1)).into_sorted();
    assert_eq!(hosts, [(b"https://a.example"[..].into(), 2), (b"https://down.example"[..].into(), 1)]);
    let hits = String::from_utf8(summary::hits(&mut ended.totals)).unwrap();
    assert_eq!(
        hits,
        "origin\tline\tverdict\turls\nhttps://a.example\t0\tallowed\t2\nhttps://a.example\t2\tdisallowed\t2\n\
         https://a.example\t3\tallowed\t1\nhttps://down.example\t0\tdisallowed\t1\n"
    );
}

#[test]
fn columns_headers_and_json() {
    let mut setting = Setting::lines();
    setting.column = Column::Named("link");
    let csv = b"\xEF\xBB\xBFid,link\r\n1,https://a.example/\r\n2,\"https://ab.example/?s=1,2\"\r\n3\r\n";
    let tsv = b"link\tid\nhttps://a.example/private\t1\nhttps://a.example/x\t2";
    let (ended, outputs) = setting.run(&[("a.csv", csv), ("b.tsv", tsv), ("c.tsv", b"id\n7\n"), ("d.csv", b"")]);
    assert_eq!(outputs[1], b"id,link\r\n1,https://a.example/\r\nlink\tid\nhttps://a.example/x\t2\n");
    assert_eq!(outputs[2], b"id,link\r\n2,\"https://ab.example/?s=1,2\"\r\nlink\tid\nhttps://a.example/private\t1\n");
    assert_eq!(outputs[4], b"id,link\r\n3\r\nlink\tid\n");
    assert_eq!(ended.failures.len(), 1);
    assert!(ended.failures[0].starts_with("no such column: 'link': the first line of "), "{:?}", ended.failures);

    let mut setting = Setting::lines();
    setting.route.records = Some(Records::Verdicts);
    let cdxj = b"com,a)/ 2026 {\"url\": \"https://a.example/private\"}\n\
        com,a)/ 2026 {\"url\": \"https://new.example/\\nallowed\\t\"}\nx\n";
    let (_, outputs) = setting.run(&[("a.cdxj", cdxj)]);
    assert_eq!(
        outputs[0].escape_ascii().to_string(),
        // The URL of the second line has a line end inside.
        "disallowed\\thttps://a.example/private\\n\
         error\\tcom,a)/ 2026 {\\\"url\\\": \\\"https://new.example/\\\\nallowed\\\\t\\\"}\\n\
         error\\tx\\n"
    );
}

#[test]
fn json_records_name_the_rule() {
    let mut setting = Setting::lines();
    setting.route.records = Some(Records::Json);
    let (_, outputs) =
        setting.run(&[("a.txt", b"https://a.example/private#f\nhttps://a.example/\nhttps://new.example/\nx\xff\n")]);
    assert_eq!(
        String::from_utf8(outputs[0].clone()).unwrap(),
        "{\"type\":\"verdict\",\"verdict\":\"disallowed\",\"url\":\"https://a.example/private#f\",\
         \"agent\":null,\"line\":2,\"note\":null,\"path\":\"/private\",\"length\":8}\n\
         {\"type\":\"verdict\",\"verdict\":\"allowed\",\"url\":\"https://a.example/\",\
         \"agent\":null,\"line\":null,\"note\":null,\"path\":\"/\"}\n\
         {\"type\":\"verdict\",\"verdict\":\"unknown\",\"url\":\"https://new.example/\",\
         \"agent\":null,\"line\":null,\"note\":null,\"path\":\"/\"}\n\
         {\"type\":\"error\",\"url_b64\":\"eP8=\",\"agent\":null,\
         \"reason\":\"it is of another encoding: save the list as UTF-8, or name its --encoding\"}\n"
    );
}

/// Cut anywhere, what was read is answered, the line that broke off is not, and it is told where.
#[test]
fn streams_that_are_cut_short() {
    let text: Vec<u8> =
        (0..12_000).flat_map(|number| format!("https://a.example/{}\n", number * number).into_bytes()).collect();
    let gzip = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&text).unwrap();
        encoder.finish().unwrap()
    };
    // Without a checksum, damage might only change what is read.
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(&text).unwrap();
    let zstd = encoder.finish().unwrap();
    let all: BTreeSet<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    for (bytes, coding) in [(&gzip, "gzip"), (&zstd, "zstd")] {
        let (ended, outputs) = Setting::lines().run(&[("x", bytes)]);
        assert_eq!((ended.failures.len(), &outputs[1]), (0, &text), "{coding}");
        let mut answered = 0;
        for cut in (4..bytes.len()).step_by(1 + bytes.len() / 25).chain(bytes.len() - 12..bytes.len()) {
            let mut setting = Setting::lines();
            setting.block = 500;
            let (ended, outputs) = setting.run(&[("x", &bytes[..cut]), ("y", b"https://a.example/0\n")]);
            let told = format!("byte {cut}: the {coding} stream is cut short: the lines before are answered");
            assert_eq!(ended.failures.len(), 1, "{coding} {cut}");
            assert!(ended.failures[0].contains(&told), "{} {told}", ended.failures[0]);
            for line in outputs[1].split_inclusive(|byte| *byte == b'\n') {
                assert!(all.contains(line), "{coding} {cut} {}", line.escape_ascii());
            }
            // The next input is read none the less.
            assert!(outputs[1].ends_with(b"https://a.example/0\n"));
            assert!(text.starts_with(&outputs[1][..outputs[1].len() - 20]), "{coding} {cut}");
            answered = answered.max(outputs[1].len());
        }
        assert!(answered > text.len() / 2, "{coding} {answered}");
        let mut damaged = bytes.clone();
        let middle = damaged.len() / 2;
        damaged[middle..middle + 4].fill(0xFF);
        let (ended, outputs) = Setting::lines().run(&[("x", &damaged)]);
        assert_eq!(ended.failures.len(), 1, "{coding}");
        assert!(outputs[1].len() <= text.len(), "{coding}");
    }
}

#[test]
fn a_run_that_is_to_stop_stops() {
    let text = b"https://a.example/\n".repeat(100_000);
    let setting = Setting::lines();
    setting.stop.request();
    let (ended, outputs) = setting.run(&[("a.txt", &text), ("b.txt", &text)]);
    assert!(ended.is_stopped);
    assert!(outputs[1].len() < text.len(), "{}", outputs[1].len());
    assert!(text.starts_with(&outputs[1]));
    assert_eq!(ended.totals.answered() * 19, outputs[1].len() as u64);
}
