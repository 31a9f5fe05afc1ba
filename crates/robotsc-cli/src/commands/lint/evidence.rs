//! URLs of the site that is linted, from lists and sitemaps.

use robotsc::Dialect;
use robotsc_analysis::lint::Lint;
use robotsc_answers::url_path::UrlReader;

use super::args::LintArgs;
use crate::failure::Failure;
use crate::io::files;
use crate::lists::sitemap;
use crate::lists::urls::Urls;

/// The most URLs that are evidence: they are in memory.
const MAX_URLS: usize = 5_000_000;

/// Checks that evidence is about one site, and that standard input is read once.
pub(super) fn check_args(args: &LintArgs) -> Result<(), Failure> {
    args.list.check(!args.list.files.is_empty())?;
    if args.list.files.is_empty() && args.sitemaps.is_empty() {
        return Ok(());
    }
    if args.files.len() > 1 {
        return Err(Failure::new("evidence for several files: the command line: --urls and --sitemap are of one site"));
    }
    if args.files.iter().chain(&args.list.files).filter(|file| files::is_stdin(file)).count() > 1 {
        return Err(Failure::new("standard input twice: the command line: give one of the inputs as a file"));
    }
    Ok(())
}

/// Adds the evidence that the command line names.
///
/// # Errors
/// If a list cannot be read, or a line of it is no URL.
pub(super) fn read(args: &LintArgs, mut lint: Lint) -> Result<Lint, Failure> {
    // Every dialect takes the same texts for URLs.
    let reader = UrlReader::new(&Dialect::GOOGLE);
    let mut count = 0;
    let mut counted = |of: &dyn Fn() -> String| {
        count += 1;
        match count {
            ..=MAX_URLS => Ok(()),
            _ => Err(Failure::new(format_args!("too many URLs: {}: over {MAX_URLS}: give a sample", of()))),
        }
    };
    for file in &args.sitemaps {
        let mut pages = Vec::new();
        sitemap::each(
            file,
            |_| Ok(()),
            |name, urls| {
                for (number, url) in (1..).zip(&urls) {
                    counted(&|| name.to_owned())?;
                    let bad = |reason| Failure::new(format_args!("bad URL: {name} URL {number}: {reason}"));
                    reader.path(url).map_err(bad)?;
                }
                pages.extend(urls);
                Ok(())
            },
        )?;
        lint = lint.sitemap_urls(pages);
    }
    if !args.list.files.is_empty() {
        let mut urls = Urls::new(Vec::new(), args.list.lists())?;
        let mut read = Vec::new();
        while urls.advance()? {
            let url = urls.url().and_then(|url| reader.path(url).map(|_| url.to_vec()));
            read.push(url.map_err(|reason| Failure::new(format_args!("bad URL: {}", urls.problem(reason))))?);
            counted(&|| "--urls".to_owned())?;
        }
        if read.is_empty() {
            return Err(Failure::new("no URL: --urls: the lists are empty: give a file with one URL on each line"));
        }
        lint = lint.urls(read);
    }
    Ok(lint)
}
