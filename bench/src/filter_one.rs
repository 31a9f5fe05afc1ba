//! What the filter is measured beside, each a process of its own: a file of URLs in, the allowed lines out.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Write};
use std::path::Path;

use crate::arguments::Arguments;
#[cfg(feature = "peers")]
use crate::filter_peers;

/// Bytes that are read at a time.
const BLOCK: usize = 1 << 18;

/// Runs one: `filter-one split FILE`, `filter-one robotxt FILE`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let [_, name, file] = arguments.words.as_slice() else { return Err("filter-one NAME FILE".to_owned()) };
    let done = match name.as_str() {
        "split" => each_line(Path::new(file), |_| true),
        "gunzip" => copy(|file| Ok(flate2::bufread::MultiGzDecoder::new(file)), Path::new(file)),
        "unzstd" => copy(zstd::Decoder::with_buffer, Path::new(file)),
        #[cfg(feature = "peers")]
        name @ ("robotxt" | "texting_robots") => {
            let mut wanted = filter_peers::wanted(name, arguments)?;
            each_line(Path::new(file), |line| wanted(line))
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
