//! What the filter is measured beside, each a process of its own: a file of URLs in, the allowed lines out.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read as _, Write};
use std::path::Path;

use crate::arguments::Arguments;
use crate::filter_data;

/// Octets that are read at a time.
const BLOCK: usize = 1 << 18;

/// Runs one: `filter-one split FILE`, `filter-one robotxt FILE`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let [_, name, file] = arguments.words.as_slice() else { return Err("filter-one NAME FILE".to_owned()) };
    let agent = arguments.text("agent", "FooBot");
    let done = match name.as_str() {
        "split" => each_line(Path::new(file), |_| true),
        "gunzip" => copy(|file| Ok(flate2::bufread::MultiGzDecoder::new(file)), Path::new(file)),
        "unzstd" => copy(zstd::Decoder::with_buffer, Path::new(file)),
        #[cfg(feature = "peers")]
        "robotxt" => {
            let mut hosts = Hosts::read(&filter_data::folder(arguments), |body| robotxt::Robots::parse(body, agent))?;
            each_line(Path::new(file), |line| hosts.ask(line, |robots, url| robots.is_url_allowed(url)))
        }
        #[cfg(feature = "peers")]
        "texting_robots" => {
            let parse = |body: &[u8]| texting_robots::Robot::new(agent, body);
            let mut hosts = Hosts::read(&filter_data::folder(arguments), parse)?;
            each_line(Path::new(file), |line| {
                hosts.ask(line, |robots, url| robots.as_ref().is_ok_and(|robots| robots.allowed(url.as_str())))
            })
        }
        _ => return Err(format!("no such filter: {name}")),
    };
    done.map_err(|error| format!("{file}: {error}"))
}

/// Writes what a decoder makes of a file, and does nothing else.
fn copy<R: io::Read>(decoder: impl Fn(BufReader<File>) -> io::Result<R>, path: &Path) -> io::Result<()> {
    let mut decoder = decoder(BufReader::with_capacity(BLOCK, File::open(path)?))?;
    let mut out = io::stdout().lock();
    let mut buffer = vec![0; BLOCK];
    loop {
        match decoder.read(&mut buffer)? {
            0 => return Ok(()),
            read => out.write_all(&buffer[..read])?,
        }
    }
}

/// Splits a file in lines and writes those that are wanted.
fn each_line(path: &Path, mut wanted: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut out = BufWriter::with_capacity(BLOCK, io::stdout().lock());
    let mut buffer = vec![0; 2 * BLOCK];
    let mut held = 0;
    loop {
        let read = file.read(&mut buffer[held..])?;
        if read == 0 {
            if held > 0 && wanted(&buffer[..held]) {
                out.write_all(&buffer[..held])?;
            }
            return out.flush();
        }
        let filled = held + read;
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &buffer[held..filled]) {
            let end = held + end + 1;
            if wanted(&buffer[start..end - 1]) {
                out.write_all(&buffer[start..end])?;
            }
            start = end;
        }
        buffer.copy_within(start..filled, 0);
        held = filled - start;
    }
}

/// Hosts with what a peer makes of their files, each read and parsed when the first URL asks for it.
#[cfg(feature = "peers")]
struct Hosts<R, P> {
    files: HashMap<String, String>,
    parsed: HashMap<String, Option<R>>,
    parse: P,
}

#[cfg(feature = "peers")]
impl<R, P: FnMut(&[u8]) -> R> Hosts<R, P> {
    fn read(folder: &Path, parse: P) -> Result<Self, String> {
        let list = folder.join("origins.tsv");
        let text = fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
        let files = text.lines().filter_map(|line| line.split_once('\t'));
        let files = files.map(|(origin, file)| (origin.to_owned(), file.to_owned())).collect();
        Ok(Self { files, parsed: HashMap::new(), parse })
    }

    /// Whether a URL is allowed; one of an unknown origin is not.
    fn ask(&mut self, line: &[u8], allowed: impl Fn(&R, &url::Url) -> bool) -> bool {
        let Some(url) = str::from_utf8(line).ok().and_then(|line| url::Url::parse(line).ok()) else { return false };
        // The origin is a prefix of a parsed URL without user information.
        let origin = &url[..url::Position::BeforePath];
        if !self.parsed.contains_key(origin) {
            let body = self.files.get(origin).and_then(|file| fs::read(file).ok());
            let robots = body.map(|body| (self.parse)(&body));
            self.parsed.insert(origin.to_owned(), robots);
        }
        self.parsed.get(origin).and_then(Option::as_ref).is_some_and(|robots| allowed(robots, &url))
    }
}
