//! Rules that catch too much or too little: parameters, scripts, sitemaps, the whole site.

use std::collections::BTreeSet;

use robotsc_compiler::{ByteSpan, RuleKind, RuleLine, RuleOrigin, Severity};

use super::check::LintCheck;
use super::context::{Context, Obeyed, SEARCH_AGENTS, quoted};
use super::finding::{Finding, Fix};
use crate::search::NotDecided;
use crate::text::words::{self, listed};

/// Checks that ask for verdicts. They add what they found before the budget was spent.
type VerdictCheck = fn(&Context<'_>, &mut Vec<Finding>) -> Result<(), NotDecided>;

/// These checks, each with what is reported if the budget was spent.
const CHECKS: [(VerdictCheck, &str); 7] = [
    (parameters, "which rules for a query parameter miss it, or match another, was not decided"),
    (index_files, "whether the folders of index pages are open was not decided"),
    (closed, "whether the whole site is closed was not decided"),
    (allow_list, "what a list of what is allowed hides was not decided"),
    (resources, "whether scripts or styles are blocked was not decided"),
    (sitemaps, "whether the sitemaps are blocked was not decided"),
    (wp_admin, "whether `/wp-admin/admin-ajax.php` is blocked was not decided"),
];

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    for rule in context.robots.rules().iter().filter(|rule| rule.kind == RuleKind::Disallow) {
        prefix(context, rule);
        query(context, rule);
    }
    for (check, message) in CHECKS {
        let mut found = Vec::new();
        let outcome = check(context, &mut found);
        context.found.extend(found);
        if outcome == Err(NotDecided) {
            context.report(LintCheck::NotDecided, 0, ByteSpan::default(), message);
        }
    }
}

/// A short prefix that is no segment: `/c` also catches `/communities`.
fn prefix(context: &mut Context<'_>, rule: &RuleLine) {
    let value = context.value(rule);
    let [b'/', letters @ ..] = value else { return };
    if (1..=3).contains(&letters.len()) && letters.iter().all(u8::is_ascii_alphabetic) {
        let text = quoted(value);
        let name = String::from_utf8_lossy(letters).into_owned();
        let message = format!("{text} also matches `/{name}x…`: to match the section alone, write `/{name}/`");
        context.report(LintCheck::PrefixOverreach, rule.line, rule.value, message);
    }
}

/// All URLs with a query, assets with a version among them.
fn query(context: &mut Context<'_>, rule: &RuleLine) {
    if matches!(context.value(rule), b"/*?" | b"/*?*" | b"*?" | b"*?*") {
        let text = quoted(context.value(rule));
        let message = format!("{text} blocks every URL with a query, such as `/app.js?v=2`");
        context.report(LintCheck::QuerySwallowed, rule.line, rule.value, message);
    }
}

/// Rules for a query parameter.
fn parameters(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    for rule in context.robots.rules().iter().filter(|rule| rule.kind == RuleKind::Disallow) {
        found.extend(parameter(context, rule)?);
    }
    Ok(())
}

/// `/*?sort=` misses the parameter in second place, `/*sort=` also catches `resort=`.
fn parameter(context: &Context<'_>, rule: &RuleLine) -> Result<Option<Finding>, NotDecided> {
    let value = context.value(rule);
    let Some(star) = value.iter().position(|byte| *byte == b'*') else { return Ok(None) };
    let rest = &value[star + 1..];
    let (is_anchored, rest) = match rest {
        [b'?', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let rest = if is_anchored { rest } else { rest.strip_prefix(b"&").unwrap_or(rest) };
    let name: &[u8] = match rest.iter().position(|byte| b"=&*$".contains(byte)) {
        Some(end) => &rest[..end],
        None => rest,
    };
    let has_equals = rest.get(name.len()) == Some(&b'=');
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-[].%".contains(byte);
    if !name.iter().any(u8::is_ascii_alphabetic) || !name.iter().all(is_name) {
        return Ok(None);
    }
    let shown = String::from_utf8_lossy(name).into_owned();
    // Paths are made of the pattern as it is compared.
    let pattern = context.robots.dialect().normalize_pattern(value);
    let Some(star) = pattern.iter().position(|byte| *byte == b'*') else { return Ok(None) };
    let head = if star == 0 { b"/" } else { &pattern[..star] };
    let query = &pattern[star + 1..];
    if !is_anchored && query.starts_with(b"&") {
        return second_place(context, rule, head, query);
    }
    if !is_anchored {
        // Before a `?` it is no parameter.
        let is_parameter = has_equals && !rest.contains(&b'?') && !head.contains(&b'?');
        let Some(check) = context.check(LintCheck::ParamUnanchored).filter(|_| is_parameter) else { return Ok(None) };
        let query: Vec<u8> =
            query.strip_suffix(b"$").unwrap_or(query).iter().copied().filter(|byte| *byte != b'*').collect();
        let witness = [head, b"?x", &query].concat();
        for obeyed in &context.obeyed {
            if obeyed.is_disallowed_by(rule.line, &witness)? {
                let message =
                    format!("{} also matches the end of other parameters, such as `x{shown}=`", quoted(value));
                return Ok(Some(Finding::new(check, rule.line, rule.value, message).witness(&witness)));
            }
        }
        return Ok(None);
    }
    let Some(check) = context.check(LintCheck::ParamFirstOnly) else { return Ok(None) };
    let query = query.strip_prefix(b"?").unwrap_or(query);
    let query = query.split(|byte| matches!(byte, b'*' | b'$')).next().unwrap_or(query);
    let first = [head, b"?", query].concat();
    let second = [head, b"?x=1&", query].concat();
    for obeyed in &context.obeyed {
        // Blocked in first place by this line, and open in second place, for some agents.
        let is_missed = obeyed.is_disallowed_by(rule.line, &first)? && obeyed.is_allowed(&second)?;
        if is_missed {
            let ending = context.lines.end_of_line();
            let after_star = value.iter().position(|byte| *byte == b'*').map_or(0, |star| star + 1);
            let twin = [&value[..after_star], b"&", rest].concat();
            let line = [b"Disallow: ", twin.as_slice(), ending].concat();
            let fix = Fix::insert("add the rule with `&`", context.lines.whole(rule.line).end, line);
            let message = format!("{} misses `{shown}` if it is not the first parameter", quoted(value));
            return Ok(Some(Finding::new(check, rule.line, rule.value, message).witness(&second).fix(fix)));
        }
    }
    Ok(None)
}

/// The pages of folders. The URL of the folder mostly answers with the same page.
const INDEX_FILES: [&[u8]; 6] =
    [b"/index.php", b"/index.html", b"/index.htm", b"/index.asp", b"/index.aspx", b"/index.jsp"];

/// `/shop/index.php` leaves `/shop/` open.
fn index_files(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::IndexFile) else { return Ok(()) };
    for rule in context.robots.rules().iter().filter(|rule| rule.kind == RuleKind::Disallow) {
        let value = context.value(rule);
        let page = value.strip_suffix(b"$").unwrap_or(value);
        let Some(folder) = INDEX_FILES.iter().find_map(|name| page.strip_suffix(*name)) else { continue };
        let folder = [folder, b"/"].concat();
        for obeyed in &context.obeyed {
            if obeyed.is_disallowed_by(rule.line, page)? && obeyed.is_allowed(&folder)? {
                let (shown, open) = (quoted(value), quoted(&folder));
                let message = format!("{shown} leaves {open} open, which mostly is the same page");
                found.push(Finding::new(check, rule.line, rule.value, message).witness(&folder));
                break;
            }
        }
    }
    Ok(())
}

/// `/*&sort=` misses the parameter in first place.
fn second_place(
    context: &Context<'_>,
    rule: &RuleLine,
    head: &[u8],
    query: &[u8],
) -> Result<Option<Finding>, NotDecided> {
    let Some(check) = context.check(LintCheck::ParamFirstOnly) else { return Ok(None) };
    let query = query.strip_prefix(b"&").unwrap_or(query);
    let query = query.split(|byte| matches!(byte, b'*' | b'$')).next().unwrap_or(query);
    let (first, second) = ([head, b"?", query].concat(), [head, b"?x=1&", query].concat());
    for obeyed in &context.obeyed {
        if obeyed.is_disallowed_by(rule.line, &second)? && obeyed.is_allowed(&first)? {
            let value = context.value(rule);
            let shown = String::from_utf8_lossy(query.split(|byte| *byte == b'=').next().unwrap_or(query)).into_owned();
            let after_star = value.iter().position(|byte| *byte == b'*').map_or(0, |star| star + 1);
            let twin = [&value[..after_star], b"?", value.get(after_star + 1..).unwrap_or_default()].concat();
            let line = [b"Disallow: ", twin.as_slice(), context.lines.end_of_line()].concat();
            let fix = Fix::insert("add the rule with `?`", context.lines.whole(rule.line).end, line);
            let message = format!("{} misses `{shown}` if it is the first parameter", quoted(value));
            return Ok(Some(Finding::new(check, rule.line, rule.value, message).witness(&first).fix(fix)));
        }
    }
    Ok(None)
}

/// The whole site is closed.
fn closed(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::SiteClosed) else { return Ok(()) };
    let mut seen = BTreeSet::new();
    let named: Vec<_> = SEARCH_AGENTS.iter().filter_map(|agent| Some((*agent, context.obeyed_by(agent)?))).collect();
    let others = context.obeyed.iter().filter(|obeyed| obeyed.audience.has_others);
    for (who, obeyed) in others.map(|obeyed| ("all crawlers that are not named", obeyed)).chain(named) {
        let (verdict, line) = obeyed.decide(b"/")?;
        let is_start = context.rule_of_line(line).is_some_and(|rule| context.value(rule) == b"/$");
        if !verdict.is_allow() && is_start && seen.insert(line) {
            let Some(rule) = context.rule_of_line(line) else { continue };
            let text = quoted(context.lines.text(line).trim_ascii());
            let message = format!("{text} closes the start page to {who}: it ends at the first slash");
            found.push(Finding::new(check, line, rule.value, message).witness(b"/"));
            continue;
        }
        if verdict.is_allow() || obeyed.decide(b"/x/y")?.0.is_allow() || opens_pages(obeyed)? {
            continue;
        }
        // Both search engines by name, and nobody else: a list of those that are let in.
        let mut is_list = obeyed.audience.has_others;
        for agent in SEARCH_AGENTS {
            is_list &= match context.obeyed_by(agent) {
                Some(named) => named.decide(b"/")?.0.is_allow(),
                None => false,
            };
        }
        if is_list || !seen.insert(line) {
            continue;
        }
        let Some(rule) = context.rule_of_line(line) else { continue };
        let message = format!("{} closes the whole site to {who}", quoted(context.lines.text(line).trim_ascii()));
        found.push(Finding::new(check, line, rule.value, message).witness(b"/"));
    }
    Ok(())
}

/// Paths that files for programs have: a site that allows these alone is closed.
const NO_PAGES: [&[u8]; 6] = [b"/robots.txt", b"/sitemap", b"/ads.txt", b"/app-ads.txt", b"/favicon", b"/.well-known/"];

/// Reports whether an Allow decides any path of a page. An empty value opens nothing.
fn opens_pages(obeyed: &Obeyed<'_>) -> Result<bool, NotDecided> {
    let rules = obeyed.rules.rule_set().rules();
    for (at, rule) in (0..).zip(rules).filter(|(_, rule)| rule.verdict.is_allow() && rule.line > 0) {
        let pattern = obeyed.rules.rule_set().pattern(rule);
        if rule.origin != RuleOrigin::EmptyLine
            && !NO_PAGES.iter().any(|path| pattern.starts_with(path))
            && obeyed.rules.decides(at)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What the start page needs and what campaigns add to it, each with the rule that allows it.
const BESIDE_PAGES: [(&[u8], &str); 7] = [
    (b"/_next/static/x.css", "/*.css"),
    (b"/assets/x.css", "/*.css"),
    (b"/_next/static/x.js", "/*.js"),
    (b"/assets/x.js", "/*.js"),
    (b"/assets/x.woff2", "/*.woff"),
    (b"/?utm_source=x", "/?utm_"),
    (b"/?gclid=x", "/?gclid="),
];

/// A site that is closed but for a list: what the pages of the list need is not on it.
fn allow_list(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::AllowListHides) else { return Ok(()) };
    let mut seen = BTreeSet::new();
    for agent in SEARCH_AGENTS {
        let Some(obeyed) = context.obeyed_by(agent) else { continue };
        let (verdict, line) = obeyed.decide(b"/x/y")?;
        let Some(rule) = context.rule_of_line(line) else { continue };
        let is_list = !verdict.is_allow() && matches!(context.value(rule), b"/" | b"/*" | b"*");
        if !is_list || !obeyed.decide(b"/")?.0.is_allow() || !seen.insert(line) {
            continue;
        }
        let mut hidden: Vec<(&[u8], &str)> = Vec::new();
        for (path, pattern) in BESIDE_PAGES {
            if obeyed.decide(path)? == (verdict, line) {
                hidden.push((path, pattern));
            }
        }
        let Some((first, _)) = hidden.first() else { continue };
        let paths: Vec<String> = hidden.iter().map(|(path, _)| quoted(path)).collect();
        let message = format!(
            "{} hides what the allowed pages need or are linked with: {agent} may not fetch {}",
            quoted(context.lines.text(line).trim_ascii()),
            listed(&paths)
        );
        let mut patterns: Vec<&str> = hidden.iter().map(|(_, pattern)| *pattern).collect();
        patterns.dedup();
        let ending = context.lines.end_of_line();
        let lines: Vec<u8> =
            patterns.iter().flat_map(|pattern| [b"Allow: ", pattern.as_bytes(), ending].concat()).collect();
        let fix = Fix::insert("allow them", context.lines.whole(line).end, lines);
        found.push(Finding::new(check, line, rule.value, message).witness(first).fix(fix));
    }
    Ok(())
}

/// Folders and endings of scripts, styles and fonts that well-known systems use: how a rule names them, a folder of
/// such files, and what these are.
const RESOURCES: [(&[u8], &[u8], Kinds); 16] = [
    (b"/_next/", b"/_next/static", Kinds::All),
    (b"/_nuxt/", b"/_nuxt", Kinds::All),
    (b"/wp-includes", b"/wp-includes/js", Kinds::All),
    (b"/wp-content", b"/wp-content/themes/x", Kinds::All),
    (b"/assets", b"/assets", Kinds::All),
    (b"/static", b"/static", Kinds::All),
    (b"/css", b"/css", Kinds::Styles),
    (b"/js", b"/js", Kinds::Scripts),
    (b"/scripts", b"/scripts", Kinds::Scripts),
    (b"/styles", b"/styles", Kinds::Styles),
    (b"/skin", b"/skin", Kinds::All),
    (b"/themes", b"/themes/x", Kinds::All),
    (b"/dist", b"/dist", Kinds::All),
    (b".css", b"", Kinds::Styles),
    (b".js", b"", Kinds::Scripts),
    (b".woff", b"", Kinds::Fonts),
];

/// The kinds of files that a folder or an ending has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kinds {
    All,
    Scripts,
    Styles,
    Fonts,
}

impl Kinds {
    /// Returns the endings of these files.
    const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::All => &[".css", ".js", ".woff2", ".png", ".jpg", ".svg", ".webp"],
            Self::Scripts => &[".js"],
            Self::Styles => &[".css"],
            Self::Fonts => &[".woff2"],
        }
    }

    /// Returns what these files are called.
    fn name(ending: &str) -> &'static str {
        match ending {
            ".css" => "styles",
            ".js" => "scripts",
            ".woff2" => "fonts",
            _ => "images",
        }
    }
}

/// Returns a folder of scripts, styles or fonts within others, as a rule for it alone names it, and a file there.
///
/// Pages for administrators are not searched.
fn folder_within(value: &[u8]) -> Option<(Vec<u8>, Kinds)> {
    let folder = value.strip_suffix(b"*").unwrap_or(value);
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    let last = folder.rsplit(|byte| *byte == b'/').next()?;
    let kinds = match last {
        b"js" | b"javascript" | b"javascripts" => Kinds::Scripts,
        b"css" | b"styles" | b"stylesheets" => Kinds::Styles,
        b"fonts" => Kinds::Fonts,
        _ => return None,
    };
    let is_searched = !folder.to_ascii_lowercase().windows(5).any(|window| window == b"admin");
    let is_path = folder.starts_with(b"/") && !folder.iter().any(|byte| matches!(byte, b'*' | b'$' | b'%' | b'?'));
    (is_searched && is_path && folder.iter().filter(|byte| **byte == b'/').count() > 1)
        .then(|| (folder.to_vec(), kinds))
}

/// Search engines may fetch the pages but not what they need to show them.
fn resources(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::RenderBlocked) else { return Ok(()) };
    let mut seen = BTreeSet::new();
    for agent in SEARCH_AGENTS {
        let Some(obeyed) = context.obeyed_by(agent) else { continue };
        if !obeyed.decide(b"/")?.0.is_allow() {
            continue;
        }
        // The folder holds shell scripts there, or is on another host.
        let body = context.body();
        let contains = |mark: &[u8]| body.windows(mark.len()).any(|window| window.eq_ignore_ascii_case(mark));
        let is_drupal = contains(b"CHANGELOG.txt") || contains(b"/?q=admin");
        let is_squarespace = contains(b"squarespace");
        let known = RESOURCES.map(|(part, folder, kinds)| (part.to_vec(), folder.to_vec(), kinds));
        let folders = obeyed.rules.rule_set().rules().iter().filter_map(|rule| context.rule_of_line(rule.line));
        let folders = folders.filter_map(|rule| folder_within(context.value(rule)));
        let folders: Vec<_> = folders.map(|(folder, kinds)| (folder.clone(), folder, kinds)).collect();
        let values: Vec<&[u8]> = context
            .robots
            .rules()
            .iter()
            .filter(|rule| rule.kind == RuleKind::Disallow)
            .map(|rule| context.value(rule))
            .collect();
        for (part, folder, kinds) in known.into_iter().chain(folders) {
            if !values.iter().any(|value| value.windows(part.len()).any(|window| window == part)) {
                continue;
            }
            if (is_drupal && part == b"/scripts") || (is_squarespace && part == b"/static") {
                continue;
            }
            let blocked = blocked_files(context, obeyed, &part, &folder, kinds)?;
            let Some((line, first)) = blocked.first() else { continue };
            let Some(rule) = context.rule_of_line(*line).filter(|_| seen.insert(*line)) else { continue };
            let text = quoted(context.lines.text(*line).trim_ascii());
            let mut names: Vec<&str> = blocked.iter().map(|(_, file)| Kinds::name(file.ending)).collect();
            names.dedup();
            let message =
                format!("{text} may block {} without which {agent} sees a broken page", words::listed(&names));
            let finding = Finding::new(check, *line, rule.value, message).witness(&first.path);
            let fix = allow_files(context, rule, &part, blocked.iter().map(|(_, file)| file));
            found.push(match fix {
                Some(fix) => finding.fix(fix),
                None => finding,
            });
        }
    }
    Ok(())
}

/// A file that a page needs.
struct PageFile {
    path: Vec<u8>,
    ending: &'static str,
}

/// Returns the files of a folder, or with an ending, that a rule blocks which names them. Each comes with its line.
/// Build systems add a version to such URLs, so they are looked at with a query, too.
fn blocked_files(
    context: &Context<'_>,
    obeyed: &Obeyed<'_>,
    part: &[u8],
    folder: &[u8],
    kinds: Kinds,
) -> Result<Vec<(u32, PageFile)>, NotDecided> {
    let mut blocked: Vec<(u32, PageFile)> = Vec::new();
    for ending in kinds.endings() {
        for query in ["", "?v=1"] {
            let path = [folder, b"/x", ending.as_bytes(), query.as_bytes()].concat();
            let (verdict, line) = obeyed.decide(&path)?;
            let Some(rule) = context.rule_of_line(line).filter(|_| !verdict.is_allow()) else { continue };
            let value = context.value(rule);
            // A rule that names what it blocks: `/*?` and `/x` do not.
            let is_named = match part {
                // Many sites have a section of this name.
                b"/themes" => value.starts_with(b"/themes/"),
                part => value.windows(part.len()).any(|window| window == part),
            };
            // The folder of a rule can be one that no URL names.
            if is_named && obeyed.is_disallowed_by(line, &path)? {
                blocked.push((line, PageFile { path, ending }));
                break;
            }
        }
    }
    // One finding is of one line.
    if let Some(first) = blocked.first().map(|(line, _)| *line) {
        blocked.retain(|(line, _)| *line == first);
        // Many rules for images are meant; one for the whole folder is for scripts, too.
        let is_image = |(_, file): &(u32, PageFile)| Kinds::name(file.ending) == "images";
        let value = context.rule_of_line(first).map_or(&b""[..], |rule| context.value(rule));
        let whole = |text: &[u8]| text.strip_suffix(b"/").unwrap_or(text).to_vec();
        if blocked.iter().all(is_image) && whole(value.strip_suffix(b"*").unwrap_or(value)) != whole(part) {
            blocked.clear();
        }
    }
    Ok(blocked)
}

/// Returns a fix that allows some files of the folder that a rule blocks. `None` for a rule that is for an ending: to
/// allow it would be to remove the rule.
fn allow_files<'f>(
    context: &Context<'_>,
    rule: &RuleLine,
    part: &[u8],
    files: impl Iterator<Item = &'f PageFile>,
) -> Option<Fix> {
    if part.starts_with(b".") {
        return None;
    }
    let mut folder = context.value(rule).to_vec();
    while matches!(folder.last(), Some(b'*' | b'$' | b'/')) {
        folder.pop();
    }
    let ending = context.lines.end_of_line();
    let lines: Vec<u8> = files
        .flat_map(|file| {
            let suffix = file.ending.strip_suffix('2').unwrap_or(file.ending);
            [b"Allow: ", folder.as_slice(), b"/*", suffix.as_bytes(), ending].concat()
        })
        .collect();
    Some(Fix::insert("allow them", context.lines.whole(rule.line).end, lines))
}

/// Crawlers of search engines that read sitemaps.
const SITEMAP_AGENTS: [&str; 9] =
    ["Googlebot", "bingbot", "Baiduspider", "Yandex", "DuckDuckBot", "Applebot", "SeznamBot", "Yeti", "Sogou"];

/// A sitemap that may not be fetched.
fn sitemaps(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::SitemapBlocked) else { return Ok(()) };
    let Some(host) = own_host(context) else { return Ok(()) };
    let mut open = Vec::new();
    for agent in SITEMAP_AGENTS {
        if let Some(obeyed) = context.obeyed_by(agent)
            && obeyed.decide(b"/")?.0.is_allow()
        {
            open.push((agent, obeyed));
        }
    }
    for record in context.robots.records() {
        let Some(robotsc_compiler::record::RecordValue::Sitemap(url)) = record.value(context.body()) else { continue };
        let Ok(parts) = context.robots.dialect().split_url(url) else { continue };
        for (agent, obeyed) in &open {
            let (verdict, line) = obeyed.decide(parts.path.as_bytes())?;
            if !verdict.is_allow() {
                let host = String::from_utf8_lossy(&host);
                let message =
                    format!("{agent} may not fetch this sitemap: line {line} disallows it, if {host} is this site");
                let finding = Finding::new(check, record.line, record.value, message);
                found.push(finding.witness(parts.path.as_bytes()).related([line]));
                break;
            }
        }
    }
    Ok(())
}

/// Returns the host of the file, as far as the file shows it: all of its sitemaps are there. One that is hosted
/// elsewhere obeys the robots.txt of that host.
fn own_host(context: &Context<'_>) -> Option<Vec<u8>> {
    let host = |url: &&[u8]| Some(context.robots.dialect().split_url(url).ok()?.host.into_owned());
    let sitemaps = context.robots.sitemaps();
    let mut hosts = sitemaps.iter().filter_map(|url| host(&&**url));
    let first = hosts.next()?;
    hosts.all(|other| other.eq_ignore_ascii_case(&first)).then_some(first)
}

/// Pages of WordPress call `admin-ajax.php`.
fn wp_admin(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    const AJAX: &[u8] = b"/wp-admin/admin-ajax.php";
    let Some(check) = context.check(LintCheck::WpAdminAjax) else { return Ok(()) };
    let Some(obeyed) = context.obeyed_by(SEARCH_AGENTS[0]) else { return Ok(()) };
    let (verdict, line) = obeyed.decide(AJAX)?;
    let Some(rule) = context.rule_of_line(line).filter(|_| !verdict.is_allow()) else { return Ok(()) };
    if !context.value(rule).starts_with(b"/wp-admin") {
        return Ok(());
    }
    let text = quoted(context.lines.text(line).trim_ascii());
    let message = format!("{text} also blocks `/wp-admin/admin-ajax.php`, which pages of WordPress call");
    let allow = [b"Allow: ", AJAX, context.lines.end_of_line()].concat();
    let fix = Fix::insert("allow it", context.lines.whole(line).end, allow);
    let finding = Finding::new(check, line, rule.value, message).witness(AJAX).fix(fix).severity(Severity::Info);
    found.push(finding);
    Ok(())
}
