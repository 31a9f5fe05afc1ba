//! Rules that catch too much or too little: parameters, index pages, sitemaps.

use std::cell::LazyCell;

use robotsc_compiler::{ByteSpan, RuleKind, RuleLine, Severity};

use super::check::LintCheck;
use super::closed::{allow_list, closed, opens_pages};
use super::context::{Context, Obeyed, SEARCH_AGENTS, quoted};
use super::finding::{Finding, Fix};
use super::mostly_closed::mostly_closed;
use super::resources::{queries, resources};
use crate::search::NotDecided;
use crate::text::part::{INDEX_FILES, find};

/// Checks that ask for verdicts. They add what they found before the budget was spent.
type VerdictCheck = fn(&Context<'_>, &mut Vec<Finding>) -> Result<(), NotDecided>;

/// These checks, each with what is reported if the budget was spent.
const CHECKS: [(VerdictCheck, &str); 9] = [
    (parameters, "which rules for a query parameter miss it, or match another, was not decided"),
    (index_files, "whether the folders of index pages are open was not decided"),
    (closed, "whether the whole site is closed was not decided"),
    (mostly_closed, "whether most of the site is closed was not decided"),
    (allow_list, "what a list of what is allowed hides was not decided"),
    (queries, "whether scripts or styles with a version are blocked was not decided"),
    (resources, "whether scripts or styles are blocked was not decided"),
    (sitemaps, "whether the sitemaps are blocked was not decided"),
    (wp_admin, "whether `/wp-admin/admin-ajax.php` is blocked was not decided"),
];

/// Runs these checks.
pub(super) fn check(context: &mut Context<'_>) {
    for rule in context.robots.rules().iter().filter(|rule| rule.kind == RuleKind::Disallow) {
        prefix(context, rule);
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

/// Rules for a query parameter.
fn parameters(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let knows_queries = LazyCell::new(|| context.robots.rules().iter().any(|rule| is_for_queries(context, rule)));
    for rule in context.robots.rules().iter().filter(|rule| rule.kind == RuleKind::Disallow) {
        found.extend(parameter(context, rule)?);
        found.extend(root_parameter(context, rule)?);
        if matches!(context.value(rule), b"/?" | b"/?*") && !*knows_queries {
            found.extend(root_query(context, rule)?);
        }
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
    // Scripts and styles have these, first and alone.
    let is_version = [&b"v"[..], b"ver", b"version"].iter().any(|version| version.eq_ignore_ascii_case(name));
    let Some(check) = context.check(LintCheck::ParamFirstOnly).filter(|_| !is_version) else { return Ok(None) };
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

/// Parameters of lists and of campaigns, which each page of a site can have. `/?s=` and `/?p=` are pages of WordPress,
/// and others can be of the start page, such as `/?filters`.
const PARAMETERS_OF_ALL: [&[u8]; 28] = [
    b"sort",
    b"sortby",
    b"sort_by",
    b"sort_order",
    b"sortorder",
    b"order",
    b"orderby",
    b"order_by",
    b"dir",
    b"direction",
    b"price",
    b"min_price",
    b"max_price",
    b"color",
    b"colour",
    b"size",
    b"limit",
    b"per_page",
    b"sid",
    b"sessionid",
    b"session_id",
    b"phpsessid",
    b"jsessionid",
    b"gclid",
    b"fbclid",
    b"msclkid",
    b"yclid",
    b"add-to-cart",
];

/// `/?sort=` matches the parameter on the start page alone.
fn root_parameter(context: &Context<'_>, rule: &RuleLine) -> Result<Option<Finding>, NotDecided> {
    let value = context.value(rule);
    let Some(query) = value.strip_prefix(b"/?") else { return Ok(None) };
    let query = query.split(|byte| b"*$".contains(byte)).next().unwrap_or(query);
    let name = query.split(|byte| b"=&".contains(byte)).next().unwrap_or(query);
    let is_of_all = PARAMETERS_OF_ALL.iter().any(|known| known.eq_ignore_ascii_case(name))
        || name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"utm_"));
    let Some(check) = context.check(LintCheck::ParamFirstOnly).filter(|_| is_of_all) else { return Ok(None) };
    let (root, other) = ([b"/?", query].concat(), [b"/x?", query].concat());
    for obeyed in &context.obeyed {
        if obeyed.is_disallowed_by(rule.line, &root)? && obeyed.is_allowed(&other)? {
            let wanted = quoted(&[b"/*?", query].concat());
            let message =
                format!("{} matches the start page alone: {wanted} matches the parameter on each page", quoted(value));
            return Ok(Some(Finding::new(check, rule.line, rule.value, message).witness(&other)));
        }
    }
    Ok(None)
}

/// Reports whether a rule shows that its author knows what `/?` matches: it is for the queries of other paths, or
/// leaves some of the start page open.
fn is_for_queries(context: &Context<'_>, rule: &RuleLine) -> bool {
    let value = context.value(rule);
    let is_root = value.starts_with(b"/?");
    let short = value.strip_suffix(b"*").unwrap_or(value);
    !is_root && (short.ends_with(b"?") || find(value, b"*?").is_some()) || is_root && rule.kind == RuleKind::Allow
}

/// `/?` matches the start page alone, whatever its query is.
fn root_query(context: &Context<'_>, rule: &RuleLine) -> Result<Option<Finding>, NotDecided> {
    let Some(check) = context.check(LintCheck::ParamFirstOnly) else { return Ok(None) };
    let (root, other): (&[u8], &[u8]) = (b"/?x=1", b"/x?x=1");
    for obeyed in &context.obeyed {
        if obeyed.is_disallowed_by(rule.line, root)? && obeyed.is_allowed(other)? {
            let message = format!(
                "{} matches the start page with a query alone: `/*?` matches every URL with one",
                quoted(context.value(rule))
            );
            return Ok(Some(Finding::new(check, rule.line, rule.value, message).witness(other)));
        }
    }
    Ok(None)
}

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

/// Crawlers of search engines that read sitemaps.
const SITEMAP_AGENTS: [&str; 23] = [
    "Googlebot",
    "bingbot",
    "Baiduspider",
    "Yandex",
    "YandexBot",
    "DuckDuckBot",
    "Applebot",
    "SeznamBot",
    "Yeti",
    "Sogou",
    "Sogou web spider",
    "Slurp",
    "msnbot",
    "Googlebot-News",
    "Googlebot-Image",
    "Googlebot-Video",
    "Qwantify",
    "Qwantbot",
    "PetalBot",
    "coccocbot-web",
    "360Spider",
    "Mail.RU_Bot",
    "Daum",
];

/// A sitemap that may not be fetched.
fn sitemaps(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::SitemapBlocked) else { return Ok(()) };
    let Some(host) = own_host(context) else { return Ok(()) };
    let mut open: Vec<(&str, &Obeyed<'_>)> = Vec::new();
    for agent in SITEMAP_AGENTS {
        // Most obey the group for `*`.
        if let Some(obeyed) = context.obeyed_by(agent)
            && !open.iter().any(|(_, known)| std::ptr::eq(*known, obeyed))
            // The start page of a list of what is allowed can be closed.
            && (obeyed.decide(b"/")?.0.is_allow() || opens_pages(obeyed)?)
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
pub(super) fn own_host(context: &Context<'_>) -> Option<Vec<u8>> {
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
