//! The page of a census: one file of HTML, without a script.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use indicatif::HumanCount;
use robotsc_analysis::words::counted;
use robotsc_answers::census::{Census, Openness, SiteClass, Stated};

use super::changes::{Changes, Kind};
use super::ranks::BUCKET_NAMES;
use super::table::rows;
use super::tally::{AgentTally, MAX_NAMED, Sites, Tally, percent};
use crate::io::html::escaped;

/// What a page is about.
pub(super) struct Page<'p> {
    pub(super) census: &'p Census,
    pub(super) tally: &'p Tally,
    pub(super) changes: Option<&'p Changes>,
    /// The sources, as the command line names them.
    pub(super) sources: &'p [String],
    pub(super) dialect: &'p str,
    pub(super) has_ranks: bool,
}

impl Page<'_> {
    /// Returns the page.
    pub(super) fn text(&self) -> String {
        let title = format!("What {} to crawlers", if self.tally.sites == 1 { "a site says" } else { "sites say" });
        let sources: Vec<String> = self.sources.iter().map(|source| escaped(source)).collect();
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}: {}</title>\n\
             <style>\n{}</style>\n<main>\n<h1>{title}</h1>\n<p class=\"lead\"><strong>{}</strong> of {}, read as \
             dialect {}.</p>\n",
            sources.join(", "),
            include_str!("page.css"),
            escaped(&sites(self.tally.sites)),
            sources.last().map(String::as_str).unwrap_or_default(),
            escaped(self.dialect)
        );
        if let Some(changes) = self.changes {
            self.changes(&mut page, changes);
        }
        self.classes(&mut page);
        self.agents(&mut page);
        self.purposes(&mut page);
        self.served(&mut page);
        self.stated(&mut page);
        if self.has_ranks {
            self.ranks(&mut page);
        }
        self.findings(&mut page);
        page.push_str(
            "<h2>How to read this</h2>\n<p><b class=\"open\">Open</b>: every path is allowed. \
             <b class=\"closed\">Closed</b>: none is, but that of robots.txt itself. <b class=\"partly\">Partly</b>: \
             some are. Each is proved for all paths, not sampled. <b class=\"unknown\">Unknown</b>: the site decided \
             nothing, since the file could not be had, or what came is no robots.txt; or the proof was \
             given up. A robots.txt says what a site asks for; it does not say what its server answers, or what a \
             crawler does.</p>\n</main>\n</html>\n",
        );
        page
    }

    /// Returns the agents, those together that every site answered alike; first those that most sites are closed to.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups = self.tally.groups();
        groups.sort_by_key(|group| Reverse(self.tally.agents[group[0]].access[Openness::Closed as usize].count));
        groups
    }

    fn classes(&self, page: &mut String) {
        page.push_str("<h2>What sites answered</h2>\n<table class=\"bars\">\n<tbody>\n");
        for class in SiteClass::ALL {
            let Some(sites) = self.tally.classes.get(&class) else { continue };
            let _ = writeln!(
                page,
                "<tr><th scope=\"row\">{}</th><td class=\"bar\">{}</td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td></tr>",
                escaped(&self.tally.title(class)),
                bar(&[("plain", sites.count)], self.tally.sites),
                count(sites.count),
                percent(sites.count, self.tally.sites)
            );
        }
        page.push_str("</tbody>\n</table>\n");
        let named = SiteClass::ALL.iter().filter(|class| !matches!(class, SiteClass::Rules));
        for class in named {
            if let Some(sites) = self.tally.classes.get(class) {
                details(page, class.title(), sites);
            }
        }
    }

    fn agents(&self, page: &mut String) {
        page.push_str(
            "<h2>Who may fetch</h2>\n<p class=\"note\">Agents that every site answers alike share a row.</p>\n",
        );
        page.push_str(
            "<div class=\"scroll\" tabindex=\"0\">\n<table class=\"bars\">\n<thead><tr><th scope=\"col\">Agent</th>",
        );
        page.push_str("<th scope=\"col\" class=\"bar\">Sites</th>");
        let shown = Openness::ALL.into_iter().filter(|access| {
            *access != Openness::Unknown
                || self.tally.agents.iter().any(|tally| tally.access[*access as usize].count > 0)
        });
        for access in shown.clone() {
            let _ = write!(page, "<th scope=\"col\" class=\"number\"><b class=\"{0}\">{0}</b></th>", access.name());
        }
        page.push_str("<th scope=\"col\" class=\"number\">names it</th></tr></thead>\n<tbody>\n");
        let groups = self.groups();
        for group in &groups {
            let first = &self.tally.agents[group[0]];
            let _ = write!(
                page,
                "<tr><th scope=\"row\">{}</th><td class=\"bar\">{}</td>",
                escaped(&Tally::names(self.census, group)),
                access_bar(&first.access.each_ref().map(|sites| sites.count), self.tally.sites)
            );
            for sites in shown.clone().map(|access| &first.access[access as usize]) {
                let part = percent(sites.count, self.tally.sites);
                let _ = write!(page, "<td class=\"number\" title=\"{}\">{part}</td>", escaped(&count(sites.count)));
            }
            let named: Vec<u64> = group.iter().map(|agent| self.tally.agents[*agent].named).collect();
            let most = named.iter().copied().max().unwrap_or_default();
            let _ = writeln!(page, "<td class=\"number\">{}</td></tr>", count(most));
        }
        page.push_str("</tbody>\n</table>\n</div>\n");
        for group in &groups {
            self.sites_of(page, group, &self.tally.agents[group[0]]);
        }
    }

    /// Writes the sites of each cell of a row.
    fn sites_of(&self, page: &mut String, group: &[usize], tally: &AgentTally) {
        let names = escaped(&Tally::names(self.census, group));
        let _ = writeln!(page, "<details><summary>Sites, for {names}</summary>");
        for (access, sites) in Openness::ALL.iter().zip(&tally.access) {
            if sites.count > 0 {
                let _ = writeln!(
                    page,
                    "<h3><b class=\"{0}\">{0}</b> {1}</h3>\n{2}",
                    access.name(),
                    count(sites.count),
                    list(sites)
                );
            }
        }
        page.push_str("</details>\n");
    }

    fn purposes(&self, page: &mut String) {
        if self.tally.purposes.is_empty() {
            return;
        }
        page.push_str(
            "<h2>By purpose</h2>\n<p class=\"note\">Whether a site is closed to all agents of a purpose that were \
             counted, to some, or to none.</p>\n<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>\
             <th scope=\"col\">Purpose</th><th scope=\"col\" class=\"bar\">Sites</th>\
             <th scope=\"col\" class=\"number\">closed to all</th><th scope=\"col\" class=\"number\">to some</th>\
             <th scope=\"col\" class=\"number\">to none</th><th scope=\"col\" class=\"number\">unknown</th></tr>\
             </thead>\n\
             <tbody>\n",
        );
        for tally in &self.tally.purposes {
            let [all, some, none, unknown] = tally.closed_to;
            // A site that is closed to none is not open for that: it can be closed in parts.
            let parts = [("closed", all), ("partly", some), ("none", none), ("unknown", unknown)];
            let numbers: Vec<&str> =
                tally.agents.iter().map(|agent| self.census.agents()[*agent].name.as_str()).collect();
            let _ = write!(
                page,
                "<tr><th scope=\"row\">{} <small>{}</small></th><td class=\"bar\">{}</td>",
                escaped(tally.purpose.name()),
                escaped(&numbers.join(", ")),
                bar(&parts, self.tally.sites)
            );
            for (_, part) in parts {
                let _ = write!(page, "<td class=\"number\">{}</td>", percent(part, self.tally.sites));
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</tbody>\n</table>\n</div>\n");
    }

    /// Writes what servers answered to a page, if they were asked.
    fn served(&self, page: &mut String) {
        let asked = self.census.agents().iter().zip(&self.tally.agents).filter(|(_, tally)| tally.served.asked() > 0);
        let words = self.tally.servers();
        if words.is_empty() {
            return;
        }
        page.push_str(
            "<h2>What servers answer</h2>\n<p class=\"note\">To the request of one page, under the name of each agent \
             and from one address: a crawler that comes from its own can get another answer.</p>\n\
             <div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr><th scope=\"col\">Agent</th>\
             <th scope=\"col\" class=\"number\">asked</th>",
        );
        let heads =
            ["allowed, turned down", "disallowed, served"].into_iter().chain(words.iter().map(|word| word.name()));
        for head in heads {
            let _ = write!(page, "<th scope=\"col\" class=\"number\">{head}</th>");
        }
        page.push_str("</tr></thead>\n<tbody>\n");
        for (agent, tally) in asked.clone() {
            let tally = &tally.served;
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escaped(&agent.name));
            let numbers = words.iter().map(|word| tally.words[*word as usize]);
            for number in [tally.asked(), tally.turned_down.count, tally.sent.count].into_iter().chain(numbers) {
                let _ = write!(page, "<td class=\"number\">{}</td>", count(number));
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</tbody>\n</table>\n</div>\n");
        for (agent, tally) in asked {
            details(page, &format!("Allowed, turned down, for {}", agent.name), &tally.served.turned_down);
            details(page, &format!("Disallowed, served, for {}", agent.name), &tally.served.sent);
        }
    }

    /// Writes what is stated in `Content-Usage` and `Content-Signal`, if anything is.
    fn stated(&self, page: &mut String) {
        // Agents that sites answer alike can be told different things about use.
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for group in self.groups() {
            let mut parts = BTreeMap::<_, Vec<usize>>::new();
            for agent in group {
                parts.entry(self.tally.agents[agent].stated).or_default().push(agent);
            }
            groups.extend(parts.into_values());
        }
        let stated = |group: &Vec<usize>| self.tally.agents[group[0]].stated;
        let vocabularies = ["Content-Usage", "Content-Signal"];
        let columns =
            (0..vocabularies.len()).flat_map(|vocabulary| (0..Stated::USES.len()).map(move |of| (vocabulary, of)));
        let is_stated =
            |(vocabulary, of): &(usize, usize)| groups.iter().any(|group| stated(group)[*of][*vocabulary] != [0, 0]);
        let columns: Vec<(usize, usize)> = columns.filter(is_stated).collect();
        page.push_str(
            "<h2>What is stated about use</h2>\n<p class=\"note\">By sites that the agent may fetch a path of: to \
             others a site states nothing about use.</p>\n",
        );
        if columns.is_empty() {
            page.push_str(
                "<p>No site states a preference in <code>Content-Usage</code> or <code>Content-Signal</code> about a \
                 path that an agent may fetch.</p>\n",
            );
            return;
        }
        page.push_str("<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr><th scope=\"col\">Agent</th>");
        for (vocabulary, of) in &columns {
            let (name, vocabulary) = (Stated::USES[*of], vocabularies[*vocabulary]);
            let _ = write!(page, "<th scope=\"col\" class=\"number\">{name} <small>{vocabulary}</small></th>");
        }
        page.push_str("</tr></thead>\n<tbody>\n");
        for group in &groups {
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escaped(&Tally::names(self.census, group)));
            for (vocabulary, of) in &columns {
                let [yes, no] = stated(group)[*of][*vocabulary];
                let _ = write!(page, "<td class=\"number\">{} yes, {} no</td>", count(yes), count(no));
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</tbody>\n</table>\n</div>\n");
    }

    fn ranks(&self, page: &mut String) {
        page.push_str(
            "<h2>By rank</h2>\n<div class=\"scroll\" tabindex=\"0\">\n<table class=\"ranks\">\n<thead><tr>\
             <th scope=\"col\">Agent</th>",
        );
        for name in BUCKET_NAMES {
            let _ = write!(page, "<th scope=\"col\" class=\"bar\">{}</th>", escaped(name));
        }
        page.push_str("</tr></thead>\n<tbody>\n");
        for group in self.groups() {
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escaped(&Tally::names(self.census, &group)));
            for counts in self.tally.agents[group[0]].ranks {
                let all: u64 = counts.iter().sum();
                let closed = counts[Openness::Closed as usize];
                let _ = match all {
                    0 => write!(page, "<td></td>"),
                    _ => write!(
                        page,
                        "<td class=\"bar\">{}<small>{} of {} closed</small></td>",
                        access_bar(&counts, all),
                        count(closed),
                        count(all)
                    ),
                };
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</tbody>\n</table>\n</div>\n");
    }

    fn findings(&self, page: &mut String) {
        if self.tally.findings.is_empty() {
            return;
        }
        let mut findings: Vec<(&str, u64)> = self.tally.findings.iter().map(|(code, count)| (*code, *count)).collect();
        findings.sort_by_key(|(code, number)| (Reverse(*number), *code));
        let most = findings.first().map_or(1, |(_, most)| *most);
        page.push_str("<h2>Findings of lint</h2>\n<table class=\"bars\">\n<tbody>\n");
        for (code, number) in findings {
            let _ = writeln!(
                page,
                "<tr><th scope=\"row\"><code>{}</code></th><td class=\"bar\">{}</td><td class=\"number\">{}</td></tr>",
                escaped(code),
                bar(&[("plain", number)], most),
                count(number)
            );
        }
        page.push_str("</tbody>\n</table>\n");
    }

    fn changes(&self, page: &mut String, changes: &Changes) {
        let _ = write!(
            page,
            "<h2>What changed</h2>\n<p>From {} to {}: {} in both, {} in the newer alone, {} in the older alone.</p>\n\
             <div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr><th scope=\"col\">Agent</th>",
            self.sources.first().map(|source| escaped(source)).unwrap_or_default(),
            self.sources.last().map(|source| escaped(source)).unwrap_or_default(),
            escaped(&sites(changes.both)),
            count(changes.appeared.count),
            count(changes.vanished.count)
        );
        for kind in Kind::ALL {
            let _ = write!(page, "<th scope=\"col\" class=\"number\">{}</th>", kind.name());
        }
        page.push_str("</tr></thead>\n<tbody>\n");
        let groups = self.tally.groups();
        let mut groups: Vec<Vec<usize>> = groups.iter().flat_map(|group| rows(group, changes)).collect();
        groups.sort_by_key(|group| Reverse(changes.agents[group[0]][Kind::Closed as usize].count));
        for group in &groups {
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escaped(&Tally::names(self.census, group)));
            for sites in &changes.agents[group[0]] {
                let _ = write!(page, "<td class=\"number\">{}</td>", count(sites.count));
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</tbody>\n</table>\n</div>\n");
        details(page, "Sites in the newer alone", &changes.appeared);
        details(page, "Sites in the older alone", &changes.vanished);
        for group in &groups {
            let of_kind = Kind::ALL.iter().zip(&changes.agents[group[0]]).filter(|(_, sites)| sites.count > 0);
            if of_kind.clone().next().is_none() {
                continue;
            }
            let names = escaped(&Tally::names(self.census, group));
            let _ = writeln!(page, "<details><summary>Changes, for {names}</summary>");
            for (kind, sites) in of_kind {
                let _ = writeln!(page, "<h3>{} {}</h3>\n{}", kind.name(), count(sites.count), list(sites));
            }
            page.push_str("</details>\n");
        }
    }
}

fn details(page: &mut String, title: &str, sites: &Sites) {
    if sites.count > 0 {
        let _ = writeln!(
            page,
            "<details><summary>{}: {}</summary>\n{}\n</details>",
            escaped(title),
            count(sites.count),
            list(sites)
        );
    }
}

/// Returns the names of sites, up to the limit.
fn list(sites: &Sites) -> String {
    let names: Vec<String> = sites.first.iter().map(|name| format!("<li>{}</li>", escaped(name))).collect();
    let more = match sites.count.saturating_sub(MAX_NAMED as u64) {
        0 => String::new(),
        more => format!("<p class=\"note\">and {} more: --emit csv names them</p>", count(more)),
    };
    format!("<ul>{}</ul>{more}", names.concat())
}

fn access_bar(counts: &[u64; 4], all: u64) -> String {
    let parts = Openness::ALL.map(|access| (access.name(), counts[access as usize]));
    bar(&parts, all)
}

/// Returns a bar of parts, each as wide as its part of `all`.
fn bar(parts: &[(&str, u64)], all: u64) -> String {
    let mut text = String::new();
    let mut words = Vec::new();
    for (class, number) in parts.iter().filter(|(_, number)| *number > 0) {
        let width = *number as f64 * 100.0 / all.max(1) as f64;
        let _ = write!(text, "<i class=\"{class}\" style=\"width:{width:.2}%\"></i>");
        let word = if *class == "none" { "closed to none" } else { class };
        words.push(format!("{word} {}", percent(*number, all)));
    }
    format!("<span role=\"img\" aria-label=\"{}\">{text}</span>", escaped(&words.join(", ")))
}

fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

fn sites(number: u64) -> String {
    match number {
        0..1_000 => counted(number, "site"),
        _ => format!("{} sites", count(number)),
    }
}
