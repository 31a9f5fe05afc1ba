//! `matrix`: which agents may fetch which URLs.

mod args;
mod csv;
mod html;
mod json;
mod table;

use robotsc::RobotsTxt;
use robotsc::rules::Rule;
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::identity::Identity;
use robotsc_answers::matrix::{Cell, Column};
use robotsc_answers::mistake::Mistake;
use robotsc_answers::shown;
use robotsc_answers::url_path::UrlReader;

use self::args::Emit;
pub(crate) use self::args::MatrixArgs;
use crate::command_line::{crawlers, uses};
use crate::failure::{End, Failure, complain};
use crate::io::contents::{self, Contents};
use crate::io::files;
use crate::io::source::Source;
use crate::lists::sitemap;
use crate::lists::urls::{self, Problem, Urls};

/// What the matrix is about.
struct Subject<'r> {
    name: String,
    robots: &'r RobotsTxt<'r>,
}

impl Subject<'_> {
    /// Returns a rule as written.
    fn text(&self, rule: &Rule) -> String {
        format!("line {}: {}: {}", rule.line, rule.kind.as_str(), shown::cut(rule.source.of(self.robots.body()), 160))
    }
}

/// Something that a matrix is written to, row by row.
trait Sink {
    /// Writes what comes before the rows.
    fn begin(&mut self, subject: &Subject<'_>, columns: &[Column<'_>]) -> Result<(), Failure>;
    /// Writes the row of a URL.
    fn row(&mut self, subject: &Subject<'_>, url: &[u8], agents: &[ChosenAgent], cells: &[Cell])
    -> Result<(), Failure>;
    /// Writes the row of a URL that cannot be read. Where rows are for people, standard error has it.
    fn error(&mut self, _url: &[u8], _agents: &[ChosenAgent], _reason: &str) -> Result<(), Failure> {
        Ok(())
    }
    /// Writes the numbers of all agents, and ends.
    fn finish(&mut self, subject: &Subject<'_>, columns: &[Column<'_>], urls: u64) -> Result<(), Failure>;
}

/// Runs the command.
pub(crate) fn matrix(args: &MatrixArgs) -> Result<End, Failure> {
    // Without a sitemap, URLs are read from standard input if none are named.
    let has_urls = !args.urls.is_empty() || !args.list.files.is_empty() || args.sitemaps.is_empty();
    let reads_stdin = has_urls && Urls::read_stdin(&args.urls, &args.list.files);
    args.list.check(reads_stdin || !args.list.files.is_empty())?;
    urls::refuse_files(&args.urls)?;
    if files::is_stdin(&args.robots) && reads_stdin {
        return Err(Failure::new(
            "both FILE and URLs from standard input: the command line: give one of them as a file",
        ));
    }
    let agents = ChosenAgent::all(&args.agents, args.as_written)
        .map_err(|(_, Mistake { what, cause })| Failure::new(format_args!("{what}: --agent: {cause}")))?;
    let source = Source::read(&args.robots, &args.read.network, &[args.read.dialect.of_robots()])?;
    let Contents::Robots(body) = Contents::of(&source, &args.read)? else {
        return Err(Failure::new(format_args!(
            "no lines to show: {}: it is a compiled program: give the robots.txt that it came from",
            source.name
        )));
    };
    let robots = contents::parse(&source.name, body, &args.read)?;
    let identities: Vec<Identity> =
        agents.iter().map(|agent| Identity::token(agent.name.clone(), args.as_written)).collect();
    crawlers::warn_of_misspelt(&identities, &robots);
    let wanted = uses::wanted(args.wanted, args.unknown_use);
    let column = |agent| {
        let column = Column::new(agent, &robots);
        match wanted {
            Some(wanted) => column.for_use(wanted, &robots),
            None => column,
        }
    };
    let columns: Vec<Column<'_>> = agents.into_iter().map(column).collect();
    let subject = Subject { name: source.name.clone(), robots: &robots };

    let mut sink: Box<dyn Sink> = match if args.json { Emit::Json } else { args.emit } {
        Emit::Table => Box::new(table::Text::new(args.share)),
        Emit::Csv => Box::new(csv::Csv::new(args.share, wanted.is_some())),
        Emit::Json => Box::new(json::Json::new(args.share)),
        Emit::Html => Box::new(html::Html::new(args.share)),
    };
    let reader = UrlReader { site: source.site.as_ref(), ..UrlReader::new(robots.dialect()) };
    let agents = columns.iter().map(|column| column.agent.clone()).collect();
    let mut rows = Rows { sink: &mut *sink, subject: &subject, columns, agents, reader, urls: 0, problems: 0 };
    let answered = rows.answer_all(args, has_urls);
    let Rows { columns, urls, problems, .. } = rows;
    let written = answered.and_then(|()| match urls {
        0 => Err(Failure::new("no URL: the lists are empty: give a file with one URL on each line, or a sitemap")),
        urls => sink.finish(&subject, &columns, urls - problems),
    });
    // If the reader has enough, the run ends by what was answered until then.
    written.or_else(|failure| if matches!(failure, Failure::PipeClosed) { Ok(()) } else { Err(failure) })?;
    let is_blocked = columns.iter().any(|column| column.disallowed > 0);
    Ok(match (problems, is_blocked) {
        (1.., _) => End::Error,
        (0, true) => End::Findings,
        (0, false) => End::Clean,
    })
}

/// The rows of a matrix, as they are answered.
struct Rows<'a, 'r> {
    sink: &'a mut dyn Sink,
    subject: &'a Subject<'r>,
    columns: Vec<Column<'r>>,
    agents: Vec<ChosenAgent>,
    reader: UrlReader<'a>,
    urls: u64,
    /// The URLs that cannot be read.
    problems: u64,
}

impl Rows<'_, '_> {
    /// Answers the URLs of the sitemaps, then those of the lists.
    fn answer_all(&mut self, args: &MatrixArgs, has_urls: bool) -> Result<(), Failure> {
        // A name that is misspelt is told before the first row.
        args.sitemaps.iter().try_for_each(|file| sitemap::check(file))?;
        for file in &args.sitemaps {
            sitemap::each(
                file,
                |_| Ok(()),
                |name, urls| {
                    (1..).zip(urls).try_for_each(|(number, url)| {
                        self.answer(Ok(&url), &url, |reason| format!("{name} URL {number}: {reason}"))
                    })
                },
            )?;
        }
        if has_urls {
            let mut urls = Urls::new(args.urls.clone(), args.list.lists())?;
            while urls.advance()? {
                let problem = |reason| match urls.problem(reason) {
                    Problem { input: None, reason, .. } => format!("'{}': {reason}", shown::cut(urls.line(), 120)),
                    problem => problem.to_string(),
                };
                self.answer(urls.url(), urls.line(), problem)?;
            }
        }
        Ok(())
    }

    /// Writes the row of a URL, or why its line has none: `problem` says where it stands.
    fn answer(
        &mut self,
        url: Result<&[u8], String>,
        line: &[u8],
        problem: impl Fn(String) -> String,
    ) -> Result<(), Failure> {
        if self.urls == 0 {
            self.sink.begin(self.subject, &self.columns)?;
        }
        self.urls += 1;
        let answers = url.and_then(|url| {
            let path = self.reader.path(url)?;
            let answers = self.columns.iter_mut().map(|column| column.answer(path.as_path()));
            Ok((url, answers.collect::<Result<Vec<Cell>, _>>().map_err(|error| error.to_string())?))
        });
        match answers {
            Ok((url, cells)) => self.sink.row(self.subject, url, &self.agents, &cells),
            Err(reason) => {
                self.problems += 1;
                complain(&format!("bad URL: {}", problem(reason.clone())));
                self.sink.error(line, &self.agents, &reason)
            }
        }
    }
}

/// The most agents of a column that are named.
const MAX_NAMED: usize = 3;

/// Returns the heading of a column that several agents share.
fn heading(group: &[usize], columns: &[Column<'_>]) -> String {
    let names = group.iter().take(MAX_NAMED).map(|number| columns[*number].agent.name.as_str());
    let names = names.collect::<Vec<_>>().join(", ");
    match group.len().saturating_sub(MAX_NAMED) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}
