//! Rules that catch too much or too little: parameters, scripts, sitemaps, the whole site.

use std::collections::BTreeSet;

use robotsc_compiler::{ByteSpan, RuleKind, RuleLine, Severity};

use super::check::LintCheck;
use super::context::{Context, SEARCH_AGENTS, quoted};
use super::finding::{Finding, Fix};
use crate::search::NotDecided;

/// Checks that ask for verdicts. They add what they found before the budget was spent.
type VerdictCheck = fn(&Context<'_>, &mut Vec<Finding>) -> Result<(), NotDecided>;

/// These checks, each with what is reported if the budget was spent.
const CHECKS: [(VerdictCheck, &str); 5] = [
    (parameters, "which rules for a query parameter miss it, or match another, was not decided"),
    (closed, "whether the whole site is closed was not decided"),
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

/// The whole site is closed.
fn closed(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::SiteClosed) else { return Ok(()) };
    let mut seen = BTreeSet::new();
    let named: Vec<_> = SEARCH_AGENTS.iter().filter_map(|agent| Some((*agent, context.obeyed_by(agent)?))).collect();
    let others = context.obeyed.iter().filter(|obeyed| obeyed.audience.has_others);
    for (who, obeyed) in others.map(|obeyed| ("all crawlers that are not named", obeyed)).chain(named) {
        let rules = obeyed.rules.rule_set().rules();
        let allows = rules.iter().any(|rule| rule.verdict.is_allow() && rule.line > 0);
        let (verdict, line) = obeyed.decide(b"/")?;
        if verdict.is_allow() || obeyed.decide(b"/x/y")?.0.is_allow() || allows {
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

/// Folders and endings of scripts, styles and fonts that well-known systems use.
const RESOURCES: [(&[u8], &[u8]); 16] = [
    (b"/_next/", b"/_next/static/x.js"),
    (b"/_nuxt/", b"/_nuxt/x.js"),
    (b"/wp-includes", b"/wp-includes/js/x.js"),
    (b"/wp-content", b"/wp-content/themes/x/style.css"),
    (b"/assets", b"/assets/x.css"),
    (b"/static", b"/static/x.js"),
    (b"/css", b"/css/x.css"),
    (b"/js", b"/js/x.js"),
    (b"/scripts", b"/scripts/x.js"),
    (b"/styles", b"/styles/x.css"),
    (b"/skin", b"/skin/x.css"),
    (b"/themes", b"/themes/x/style.css"),
    (b"/dist", b"/dist/x.js"),
    (b".css", b"/x.css"),
    (b".js", b"/x.js"),
    (b".woff", b"/x.woff2"),
];

/// Returns a folder of scripts, styles or fonts within others, as a rule for it alone names it, and a file there.
///
/// Pages for administrators are not searched.
fn folder_within(value: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let folder = value.strip_suffix(b"*").unwrap_or(value);
    let folder = folder.strip_suffix(b"/").unwrap_or(folder);
    let last = folder.rsplit(|byte| *byte == b'/').next()?;
    let file: &[u8] = match last {
        b"js" | b"javascript" | b"javascripts" => b"/x.js",
        b"css" | b"styles" | b"stylesheets" => b"/x.css",
        b"fonts" => b"/x.woff2",
        _ => return None,
    };
    let is_searched = !folder.to_ascii_lowercase().windows(5).any(|window| window == b"admin");
    let is_path = folder.starts_with(b"/") && !folder.iter().any(|byte| matches!(byte, b'*' | b'$' | b'%' | b'?'));
    (is_searched && is_path && folder.iter().filter(|byte| **byte == b'/').count() > 1)
        .then(|| (folder.to_vec(), [folder, file].concat()))
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
        let known = RESOURCES.map(|(part, probe)| (part.to_vec(), probe.to_vec()));
        let folders = obeyed.rules.rule_set().rules().iter().filter_map(|rule| context.rule_of_line(rule.line));
        let folders: Vec<_> = folders.filter_map(|rule| folder_within(context.value(rule))).collect();
        for (part, probe) in known.into_iter().chain(folders) {
            let part = part.as_slice();
            if (is_drupal && part == b"/scripts") || (is_squarespace && part == b"/static") {
                continue;
            }
            let (verdict, line) = obeyed.decide(&probe)?;
            let Some(rule) = context.rule_of_line(line).filter(|_| !verdict.is_allow()) else { continue };
            let value = context.value(rule);
            // A rule that names what it blocks: `/*?` and `/x` do not.
            let is_named = match part {
                // Many sites have a section of this name.
                b"/themes" => value.starts_with(b"/themes/"),
                part => value.windows(part.len()).any(|window| window == part),
            };
            // The folder of a rule can be one that no URL names.
            if !is_named || !obeyed.is_disallowed_by(line, &probe)? || !seen.insert(line) {
                continue;
            }
            let text = quoted(context.lines.text(line).trim_ascii());
            let (what, suffix) = if probe.ends_with(b".css") {
                ("scripts or styles", &b".css"[..])
            } else if probe.ends_with(b".woff2") {
                ("fonts", &b".woff"[..])
            } else {
                ("scripts or styles", &b".js"[..])
            };
            let message = format!("{text} may block {what} without which {agent} sees a broken page");
            let mut folder = value.to_vec();
            while matches!(folder.last(), Some(b'*' | b'$' | b'/')) {
                folder.pop();
            }
            let ending = context.lines.end_of_line();
            let is_ending = part.starts_with(b".");
            let fix = (!is_ending).then(|| {
                let allow = [b"Allow: ", folder.as_slice(), b"/*", suffix, ending].concat();
                Fix::insert("allow them", context.lines.whole(line).end, allow)
            });
            let mut finding = Finding::new(check, line, rule.value, message).witness(&probe);
            finding.fix = fix;
            found.push(finding);
        }
    }
    Ok(())
}

/// A sitemap that may not be fetched.
fn sitemaps(context: &Context<'_>, found: &mut Vec<Finding>) -> Result<(), NotDecided> {
    let Some(check) = context.check(LintCheck::SitemapBlocked) else { return Ok(()) };
    let Some(host) = own_host(context) else { return Ok(()) };
    let mut open = Vec::new();
    for agent in SEARCH_AGENTS {
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
