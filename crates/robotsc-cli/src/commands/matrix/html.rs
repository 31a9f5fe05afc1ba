//! A matrix as a page of HTML that needs no other file and no script.

use std::io::Write;

use robotsc_analysis::words::counted;
use robotsc_answers::chosen_agent::ChosenAgent;
use robotsc_answers::matrix::{Cell, Column, alike};
use robotsc_answers::shown;

use super::{MAX_NAMED, Sink, Subject, heading};
use crate::failure::Failure;
use crate::io::html::escaped;
use crate::io::output;

pub(super) struct Html {
    share_only: bool,
    /// The agents that share a column.
    groups: Vec<Vec<usize>>,
    out: Box<dyn Write>,
}

impl Html {
    pub(super) fn new(share_only: bool) -> Self {
        Self { share_only, groups: Vec::new(), out: output::stdout() }
    }
}

impl Sink for Html {
    fn begin(&mut self, subject: &Subject<'_>, columns: &[Column<'_>]) -> Result<(), Failure> {
        let title = format!("Who may fetch what: {}", escaped(&subject.name));
        let dialect = subject.robots.dialect().name;
        let css = include_str!("page.css");
        write!(
            self.out,
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{css}</style>\n<h1>{title}</h1>\n\
             <p>Read as dialect {dialect}. A number is the line of the robots.txt that decides.</p>\n"
        )?;
        if !self.share_only {
            self.groups = alike(columns);
            // Letters get smaller on paper if there are more columns than fit.
            let class = match self.groups.len() {
                ..=34 => "matrix",
                35..=43 => "matrix many",
                _ => "matrix crowd",
            };
            let head = "<thead><tr><th scope=\"col\">URL</th>";
            let table = format_args!("<table class=\"{class}\">\n{head}");
            write!(self.out, "<div class=\"scroll\" tabindex=\"0\">\n{table}")?;
            for group in &self.groups {
                let names: Vec<&str> = group.iter().map(|number| columns[*number].agent.name.as_str()).collect();
                let all = match names.len() {
                    ..=MAX_NAMED => String::new(),
                    _ => format!(" title=\"{}\"", escaped(&names.join(", "))),
                };
                write!(self.out, "<th scope=\"col\"{all}><span>{}</span></th>", escaped(&heading(group, columns)))?;
            }
            self.out.write_all(b"</tr></thead>\n<tbody>\n")?;
        }
        Ok(())
    }

    fn row(&mut self, subject: &Subject<'_>, url: &[u8], _: &[ChosenAgent], cells: &[Cell]) -> Result<(), Failure> {
        if self.share_only {
            return Ok(());
        }
        write!(self.out, "<tr><th scope=\"row\">{}</th>", escaped(&shown::bytes(url)))?;
        for cell in self.groups.iter().map(|group| &cells[group[0]]) {
            let (class, mark) = if cell.is_allowed { ("yes", "\u{2713}") } else { ("no", "\u{2717}") };
            let rule = cell.rule.as_ref().filter(|_| cell.refused.is_none());
            let title = rule.filter(|rule| rule.line > 0).map(|rule| subject.text(rule));
            let title = title.map_or_else(String::new, |title| format!(" title=\"{}\"", escaped(&title)));
            let line = cell.line().map_or_else(String::new, |line| format!(" {line}"));
            write!(
                self.out,
                "<td class=\"{class}\"{title}>{mark} <span class=\"word\">{}</span>{line}</td>",
                cell.word()
            )?;
        }
        Ok(self.out.write_all(b"</tr>\n")?)
    }

    fn finish(&mut self, _: &Subject<'_>, columns: &[Column<'_>], urls: u64) -> Result<(), Failure> {
        if !self.share_only {
            self.out.write_all(b"</tbody>\n</table>\n</div>\n")?;
        }
        write!(
            self.out,
            "<h2>{}</h2>\n<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>\
             <th scope=\"col\">Agent</th><th scope=\"col\">May fetch</th><th scope=\"col\">May not</th>\
             <th scope=\"col\">Share</th><th scope=\"col\">Note</th></tr></thead>\n<tbody>\n",
            counted(urls, "URL")
        )?;
        for column in columns {
            writeln!(
                self.out,
                "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td><td class=\"note\">{}</td></tr>",
                escaped(&column.agent.name),
                column.allowed,
                column.disallowed,
                column.share().unwrap_or_default(),
                escaped(column.agent.note.as_deref().unwrap_or_default())
            )?;
        }
        self.out.write_all(b"</tbody>\n</table>\n</div>\n</html>\n")?;
        Ok(self.out.flush()?)
    }
}
