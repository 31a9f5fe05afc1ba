use super::*;

/// Returns the near misses of rules, `d /a` or `a /a`, as text.
fn shown(rules: &str, url: &str, dialect: &Dialect) -> Vec<String> {
    let body: String = rules.split('|').map(|rule| rule.replacen("d ", "Disallow:", 1) + "\n").collect();
    // The bar between rules is no sign of a pattern.
    let body = body.replace("\na ", "\nAllow:").replace('\u{a6}', "|");
    let body = format!("User-agent:*\n{body}");
    let (near, set) = found(&body, url, dialect);
    assert!(near.is_complete);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let shown = |near: &NearMiss| {
        let reasons = near.reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join("+");
        let path = near.path.as_deref().map_or_else(|| "-".to_owned(), text);
        let still = |at: RuleIndex| format!(" but {}", set.rules()[at as usize].line - 1);
        let still = near.decided_by.map_or_else(String::new, still);
        format!("{} {reasons}: {} for {path}{still}", near.line - 1, text(&near.pattern))
    };
    near.found.iter().map(shown).collect()
}

fn found(body: &str, url: &str, dialect: &Dialect) -> (NearMisses, RuleSet) {
    let robots = RobotsTxt::parse_with(body.as_bytes(), dialect);
    let groups = robots.select(&robotsc_compiler::Crawler::new("FooBot").expect("a name"));
    let rules = robots.rule_set_of(&groups);
    let path = dialect.url_path(url).expect("a URL");
    (near_misses(&robots, &groups, &rules, path.as_path()).expect("one form"), rules)
}

#[test]
fn rules_that_nearly_match() {
    let mut wrong = Vec::new();
    for (rules, url, wanted) in [
        ("d /?b=9", "/shopping/books/?b=9", &["1 root: /*?b=9 for /?b=9"][..]),
        ("d /?b=9", "/shop?a=1&b=9", &["1 order+root: /*?*&b=9 for /?b=9"]),
        ("d /private/", "/en/private/x", &["1 root: /*/private/ for /private/"]),
        ("d /.pdf$", "/a/b.pdf", &["1 root: /*.pdf$ for /.pdf"]),
        ("d /Img/", "/img/a.png", &["1 case: /img/ for /Img/a.png"]),
        ("d /*.PDF$", "/a/b.pdf", &["1 case: /*.pdf$ for /a/b.PDF"]),
        ("d /%C3%84rger", "/%C3%A4rger/x", &["1 case: /%C3%A4rger for /%C3%84rger/x"]),
        ("d //x/", "/x/1", &["1 slashes: /x/ for //x/1"]),
        ("d /x//y", "/x/y", &["1 slashes: /x/y for /x//y"]),
        ("d /x/y", "/x//y", &["1 slashes: /x//y for /x/y"]),
        ("d /x/", "/x", &["1 slashes: /x for /x/"]),
        ("d /x/", "/x?y", &["1 slashes: /x for /x/?y"]),
        ("d /x?y", "/x/?y", &["1 slashes: /x/?y for /x?y"]),
        ("d /a\\b", "/a/b/c", &["1 slashes: /a/b for -"]),
        ("d /a/*/b", "/a/b", &["1 slashes: /a*/b for /a/x/b"]),
        ("d /a%2Fb", "/a/b", &["1 escapes: /a/b for /a%2Fb"]),
        ("d /a/b", "/a%2Fb", &["1 escapes: /a%2Fb for /a/b"]),
        ("d /my files/", "/my%20files/a", &["1 escapes: /my%20files/ for -"]),
        ("d /s?q=a+b", "/s?q=a%20b", &["1 escapes: /s?q=a%20b for /s?q=a+b"]),
        ("d /x?a=1&b=2", "/x?b=2&a=1", &["1 order: /x?b=2*&a=1 for /x?a=1&b=2"]),
        ("d /*?sort=", "/shop?page=2&sort=up", &["1 order: /*?*&sort= for /?sort="]),
        ("d /x$", "/x?y=1", &["1 end: /x for /x"]),
        ("d /*.php$", "/a.php?y=1", &["1 end: /*.php for /.php"]),
        ("d x/", "/x/1", &["1 no-slash: /x/ for -"]),
        ("d \u{200B}/x/", "/x/1", &["1 unseen: /x/ for -"]),
        ("d \u{A0}/x/", "/x/1", &["1 unseen: /x/ for -"]),
        ("d \u{FF0F}x/", "/x/1", &["1 unseen: /x/ for -"]),
        ("d https://h.example/x/", "/x/1", &["1 address: /x/ for -"]),
        ("d https://www.h.example/x/|Sitemap:https://h.example/s", "/x/1", &["1 address: /x/ for -"]),
        ("d https://s.h.example/x/|Sitemap:https://h.example/s", "/x/1", &[]),
        ("d https://*.h.example/x/", "/x/1", &[]),
        ("d https://h.example/x/|d http://s.h.example/y/", "/x/1", &[]),
        ("d /wp\u{2013}admin/", "/wp-admin/x", &["1 unseen: /wp-admin/ for /wp%E2%80%93admin/"]),
        ("d /path\u{2032}s", "/path's", &["1 unseen: /path's for /path%E2%80%B2s"]),
        ("d ^/a/.*\\.php", "/a/b.php", &["1 notation: /a/*.php for -"]),
        ("d /u/:id/edit", "/u/7/edit", &["1 notation: /u/*/edit for /u/:id/edit"]),
        ("d /a, /b", "/b/", &["1 list: /b for -"]),
        ("d /a /b", "/b", &["1 list: /b for -"]),
        ("d /a,/b", "/b", &["1 list: /b for /a,/b"]),
        ("d /a,/b", "/a", &["1 list: /a for /a,/b"]),
        ("d /a;/b", "/b", &["1 list: /b for /a;/b"]),
        ("d /a\u{a6}/b", "/b", &["1 list: /b for /a|/b"]),
        ("d /a,/Img/", "/img/1", &["1 case+list: /img/ for /a,/Img/"]),
        ("d /(a\u{a6}b)/", "/b/1", &["1 notation: /b/ for /(a|b)/"]),
        ("d /*.(pdf\u{a6}doc)$", "/x.doc", &["1 notation: /*.doc$ for /.(pdf|doc)"]),
        ("d /a/(b\u{a6}c)/.*\\.(pdf\u{a6}doc)$", "/a/c/x.doc", &["1 notation: /a/c/*.doc$ for -"]),
        ("d /*.{pdf,doc}", "/x.doc", &["1 notation: /*.doc for -"]),
        ("d /x/\\w+/y", "/x/1/y", &["1 notation: /x/*/y for -"]),
        ("d /.*", "/s", &["1 notation: /* for -"]),
        ("d .*", "/s", &["1 notation: /* for -"]),
        ("d /x/{{id}}", "/x/7", &["1 notation: /x/ for -"]),
        ("d /.*.pdf", "/x.pdf", &["1 notation: /*.pdf for /..pdf"]),
        ("d \u{201C}/x/\u{201D}", "/x/1", &["1 quotes: /x/ for -"]),
        ("d \"/x/\"", "/x/1", &["1 quotes: /x/ for -"]),
        ("d [/x/]", "/x/1", &["1 quotes: /x/ for -"]),
        ("d /./x/", "/x/1", &["1 dots: /x/ for -"]),
        ("d /a/../x/", "/x/1", &["1 dots: /x/ for -"]),
        ("d ./x/", "/x/1", &["1 no-slash+dots: /x/ for -"]),
        ("d ../x/", "/x/1", &["1 no-slash+dots: /x/ for -"]),
        ("d /stra%DFe", "/stra%C3%9Fe", &["1 encoding: /stra%C3%9Fe for /stra%DFe"]),
        ("d /caf\u{c3}\u{a9}", "/caf%C3%A9", &["1 encoding: /caf%C3%A9 for /caf%C3%83%C2%A9"]),
        ("d /secret/*/", "/secret/x", &["1 slashes: /secret/ for /secret/x/"]),
        ("d /x/*/*", "/x/a", &["1 slashes: /x/ for /x/x/"]),
        ("d /*/foo", "/foo", &["1 slashes: */foo for /x/foo"]),
        // Comments with another sign.
        ("d /x // old", "/x", &["1 comment: /x for -"]),
        ("d /x -- old", "/x", &["1 comment: /x for -"]),
        ("d /x - old pages", "/x", &["1 comment: /x for -"]),
        ("d /x (old pages)", "/x", &["1 comment: /x for -"]),
        ("d /x <!-- old -->", "/x", &["1 comment: /x for -"]),
        ("d : /x", "/x", &["1 notation: /x for -"]),
        // Parameters.
        ("d /*&sort=", "/x?sort=up", &["1 order: /*?sort= for /&sort="]),
        ("d /*?sort=*&page=", "/x?page=2&sort=up", &["1 order: /*?page=*&sort= for /?sort=&page="]),
        ("d /*/?sort=", "/x?sort=3", &["1 slashes: /*?sort= for /x/?sort="]),
        ("d /search?", "/search", &["1 query: /search for /search?"]),
        ("d /search?*", "/search", &["1 query: /search for /search?"]),
        ("d /search?q=", "/search", &[]),
        ("d /*?", "/search", &[]),
        ("d /*?a=1;b=2", "/x?a=1&b=2", &["1 separators: /*?a=1&b=2 for /?a=1;b=2"]),
        ("d /x?sid=", "/x;sid=3", &["1 separators: /x;sid= for /x?sid="]),
        ("d sort=", "/x?sort=up", &["1 root: /*?sort= for -"]),
        ("d /sort=", "/x?sort=up", &["1 root: /*?sort= for /sort="]),
        ("d /sort=", "/x?a&sort=up", &["1 root: /*&sort= for /sort="]),
        // Letters.
        ("d /caf%25C3%25A9/", "/caf%C3%A9/", &["1 escapes: /caf%C3%A9/ for /caf%25C3%25A9/"]),
        ("d /m&uuml;ller/", "/m%C3%BCller/", &["1 encoding: /m%C3%BCller/ for /m&uuml;ller/"]),
        ("d /m&#252;ller/", "/m%C3%BCller/", &["1 encoding: /m%C3%BCller/ for -"]),
        ("d /caf\u{e9}", "/cafe%CC%81", &["1 encoding: /cafe%CC%81 for /caf%C3%A9"]),
        ("d /cafe\u{301}", "/caf%C3%A9", &["1 encoding: /caf%C3%A9 for /cafe%CC%81"]),
        ("d /caf%C3%A9/", "/caf%E9/", &["1 encoding: /caf%E9/ for /caf%C3%A9/"]),
        // What stands for any text, and what was left at the end.
        ("d /$id/x", "/7/x", &["1 notation: /*/x for /$id/x"]),
        ("d /%s/x", "/7/x", &["1 notation: /*/x for /%s/x"]),
        ("d /xy%", "/xy/1", &["1 notation: /xy for /xy%"]),
        ("d /xy\u{2026}", "/xy/1", &["1 notation: /xy for /xy%E2%80%A6"]),
        // The page of a folder.
        ("d /a/index.php", "/a/", &["1 index-page: /a/$ for /a/index.php"]),
        ("d /secret/*/", "/secretary/", &[]),
        ("d /f/re*, /b", "/f/register", &["1 list: /f/re* for -"]),
        // A folder has a name with a dot.
        ("d /v1.2/x", "/x", &[]),
        // With an Allow that still decides.
        ("d /Img/|a /img/", "/img/a.png", &["1 case: /img/ for /Img/a.png but 2"]),
        ("d /Img/|a /img", "/img/a.png", &["1 case: /img/ for /Img/a.png"]),
        // What is blocked can have an Allow that nearly matches.
        ("d /|a /Img/", "/img/a.png", &["2 case: /img/ for /Img/a.png"]),
        // No rule is near.
        ("d /img/|d /cart", "/shop/a.png", &[]),
        ("d /a", "/x/about", &[]),
        ("d /$", "/about", &[]),
        ("d /x/", "/xylophone", &[]),
        ("d /image", "/img/a", &[]),
        ("d", "/a", &[]),
        ("d h.example/*", "/a", &[]),
        ("d /img/", "/img/a", &[]),
    ] {
        let found = shown(rules, url, &Dialect::GOOGLE);
        if found != wanted {
            wrong.push(format!("{rules} {url}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn of_many_rules_the_best_are_found_in_linear_time() {
    let mut body = "User-agent: *\nDisallow: /SHOP/5/A/b\n".to_owned();
    (0..100_000).for_each(|at| body.push_str(&format!("Disallow: /Shop/{at}/a\n")));
    let (near, _) = found(&body, "/shop/5/a/b", &Dialect::GOOGLE);
    assert_eq!(near.found.iter().map(|near| near.line).collect::<Vec<_>>(), [2, 8]);
    // All of them nearly match.
    let mut body = "User-agent: *\n".to_owned();
    (0..100_000).for_each(|at| body.push_str(&format!("Disallow: /A{}\n", "*".repeat(at % 50))));
    let (near, _) = found(&body, &format!("/{}", "a".repeat(4000)), &Dialect::GOOGLE);
    assert!(near.found.len() <= MAX_FOUND && !near.is_complete, "{near:?}");
}

#[test]
fn hostile_rules_end_the_work() {
    let mut body = "User-agent: *\n".to_owned();
    (0..128).for_each(|at| body.push_str(&format!("Disallow: *{at}/*/{}b(:$\n", "a".repeat(900))));
    let (near, _) = found(&body, &format!("/{}", "a".repeat(4094)), &Dialect::GOOGLE);
    assert!(near.found.is_empty() && !near.is_complete, "{near:?}");
    // A pattern that is too long to be compared.
    let body = format!("User-agent: *\nDisallow: /A{}\n", "*".repeat(2000));
    assert!(!found(&body, "/a", &Dialect::GOOGLE).0.is_complete);
}

#[test]
fn edits_that_open_a_path() {
    let shown = |rules: &[(RuleKind, &str)], url: &str, dialect: &Dialect| {
        let rules = (1..).zip(rules).map(|(line, (kind, value))| (*kind, value.to_string(), line));
        let set = RuleSet::from_rules(dialect, rules.clone());
        let path = dialect.url_path(url).expect("a URL");
        let found = openings(&set, dialect, path.as_path()).expect("one form");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let shown = |edit: &OpeningEdit| {
            let mut new: Vec<(RuleKind, String, u32)> = rules.clone().collect();
            let edit = match edit {
                OpeningEdit::Allow(pattern) => {
                    new.push((RuleKind::Allow, text(pattern), 100));
                    format!("+ {}", text(pattern))
                }
                OpeningEdit::Remove(lines) => {
                    new.retain(|(_, _, line)| !lines.contains(line));
                    format!("- {lines:?}")
                }
            };
            match also_opened(&set, &RuleSet::from_rules(dialect, new), dialect, path.as_path()) {
                Ok(None) => edit,
                Ok(Some(path)) => format!("{edit} opens {}", text(&path)),
                Err(NotDecided) => format!("{edit} undecided"),
            }
        };
        found.iter().map(shown).collect::<Vec<_>>()
    };
    use crate::search::NotDecided;
    use RuleKind::{Allow, Disallow};
    let google = &Dialect::GOOGLE;
    let mut wrong = Vec::new();
    for (rules, url, wanted) in [
        (&[(Disallow, "/shop")][..], "/shop/a", &["+ /shop/a$", "- [1] opens /shop"][..]),
        (&[(Disallow, "/a$")], "/a", &["+ /a$", "- [1]"]),
        (&[(Disallow, "/"), (Allow, "/x")], "/", &["+ /$", "- [1] opens /y"]),
        (&[(Disallow, "/"), (Disallow, "/shop")], "/shop", &["+ /shop$", "- [1, 2] opens /"]),
        (&[(Disallow, "/*a*b*c*d*")], "/abcd", &["+ /abcd***** opens /abcdx", "- [1] opens /abcdx"]),
        (&[(Disallow, "/a/")], "/a/index.html", &["+ /a/index.html$ opens /a/", "- [1] opens /a/"]),
        (&[(Disallow, "/a")], "/a*b", &["+ /a*b$ opens /ab", "- [1] opens /a"]),
        (&[(Allow, "/a")], "/a", &[]),
    ] {
        let found = shown(rules, url, google);
        if found != wanted {
            wrong.push(format!("{rules:?} {url}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // These dialects count no `*` at the end.
    let long = [(Disallow, "/*a*b*c*d")];
    assert_eq!(shown(&long, "/abcd", &Dialect::YANDEX).len(), 2);
}
