//! What the filters are measured on: a pack of the corpus, and the URLs of `frontier.tsv` over and over.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use robotsc::Dialect;
use robotsc::origin::Origin;
use robotsc::outcome::{Capture, Response, Time};
use robotsc::pack::{PackAgents, PackBuilder, PackOptions};

use crate::arguments::Arguments;
use crate::generated::random::SplitMix64;

/// When the files are taken to have been fetched; the filter is asked about a minute later.
pub(crate) const FETCHED: u32 = 1_790_000_000;

/// The folder that the data is in.
pub(crate) fn folder(arguments: &Arguments) -> PathBuf {
    PathBuf::from(arguments.text("work", "/tmp/robotsc-bench-filter"))
}

/// Makes the data: `corpus.pack`, `origins.tsv` (origin, file), `grouped.txt` and `shuffled.txt`.
pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let folder = folder(arguments);
    let lines = arguments.number("lines", 10_000_000)?;
    let corpus = PathBuf::from(arguments.text("corpus", "../../shared/corpus"));
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let table = corpus.join("frontier.tsv");
    let text = fs::read_to_string(&table).map_err(|error| format!("{}: {error}", table.display()))?;
    let rows: Vec<(&str, &str)> = text
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut fields = line.split('\t');
            Some((fields.next()?, fields.next()?))
        })
        .collect();
    let mut origins: BTreeMap<String, PathBuf> = BTreeMap::new();
    for (file, url) in &rows {
        if let Ok(origin) = Origin::of_url(url.as_bytes()) {
            origins.entry(origin.as_str().to_owned()).or_insert_with(|| corpus.join(format!("robots/{file}.txt")));
        }
    }
    build_pack(&folder, &origins, arguments.text("agent", "FooBot"))?;
    let urls: Vec<&str> = rows.iter().map(|(_, url)| *url).collect();
    // The table is in the order of its hosts.
    let grouped: Vec<&str> = (0..lines).map(|number| urls[number % urls.len()]).collect();
    write_lines(&folder.join("grouped.txt"), &grouped)?;
    let mut shuffled = grouped;
    let mut random = SplitMix64::new(1);
    for number in (1..shuffled.len()).rev() {
        shuffled.swap(number, random.below(number as u64 + 1) as usize);
    }
    write_lines(&folder.join("shuffled.txt"), &shuffled)
}

fn build_pack(folder: &Path, origins: &BTreeMap<String, PathBuf>, agent: &str) -> Result<(), String> {
    let options = PackOptions { agents: PackAgents::only([agent]), ..PackOptions::new(&Dialect::GOOGLE) };
    let target = folder.join("corpus.pack");
    let mut builder = PackBuilder::new(options, &target).map_err(|error| error.to_string())?;
    let mut list = String::new();
    for (origin, file) in origins {
        let body = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let capture = Capture::after(None, &Response::new(200, &body), Time(FETCHED), &Dialect::GOOGLE);
        let site = Origin::parse(origin.as_bytes()).map_err(|error| format!("{origin}: {error}"))?;
        builder.push(&site, &capture).map_err(|error| error.to_string())?;
        list.push_str(&format!("{origin}\t{}\n", file.display()));
    }
    let report = builder.finish().map_err(|error| error.to_string())?;
    println!("{} origins, {} programs, {} bytes", report.origins, report.programs, report.bytes);
    fs::write(folder.join("origins.tsv"), list).map_err(|error| error.to_string())
}

fn write_lines(path: &Path, lines: &[&str]) -> Result<(), String> {
    let write = || {
        let mut out = BufWriter::new(File::create(path)?);
        for line in lines {
            out.write_all(line.as_bytes())?;
            out.write_all(b"\n")?;
        }
        out.flush()
    };
    write().map_err(|error| format!("{}: {error}", path.display()))
}
