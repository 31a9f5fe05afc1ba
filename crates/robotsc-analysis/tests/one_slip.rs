//! Bodies of which no crawler reads a group, since all lines have one slip.

use robotsc_analysis::lint::{Finding, Lint, LintCheck, fixed};
use robotsc_compiler::{Dialect, RobotsTxt};

const LINES: [(&str, &str); 4] =
    [("User-agent", "*"), ("Disallow", "/a/"), ("Allow", "/a/b"), ("Sitemap", "https://h.net/s.xml")];

/// Returns lines of a form, in which `K`, `V` and `1` stand for the key, the value and the number of the line.
fn body(form: &str, sitemap: bool) -> String {
    let lines = LINES.iter().zip(1..).take(if sitemap { 4 } else { 3 });
    let line = |((key, value), at): (&(&str, &str), i32)| {
        let of_part = |char: char| match char {
            'K' => (*key).to_owned(),
            'V' => (*value).to_owned(),
            '1' => at.to_string(),
            'A' => key.replace('-', "\u{2013}"),
            'S' => key.replace("User-agent", "Agent").replace("Disallow", "Block").replace("Allow", "Permit"),
            other => other.to_string(),
        };
        form.chars().map(of_part).collect::<String>() + "\n"
    };
    lines.map(line).collect()
}

fn found(body: &[u8]) -> Vec<Finding> {
    Lint::new().run(&RobotsTxt::parse(body))
}

fn mended(body: &[u8]) -> String {
    let after = fixed(body, &Dialect::GOOGLE, &Lint::new(), true).body;
    assert_eq!(found(&after).len(), 0, "{}", String::from_utf8_lossy(&after));
    String::from_utf8_lossy(&after).into_owned()
}

#[test]
fn the_slip_of_all_lines_is_named_and_mended() {
    let mut wrong = Vec::new();
    for (form, wanted) in [
        ("K = V", "`=` where the colon"),
        ("K -> V", "`->` where the colon"),
        ("K => V", "`=>` where the colon"),
        ("K,V", "`,` where the colon"),
        ("K;V", "`;` where the colon"),
        ("K\u{FF1A}V", "`\u{FF1A}` where the colon"),
        ("A \u{2013} V", "`\u{2013}` where the colon"),
        ("\u{A0}K: V", "U+00A0"),
        ("\u{200B}K: V", "U+200B"),
        ("- K: V", "`- ` before the key"),
        ("* K: V", "`* ` before the key"),
        ("\u{2022} K: V", "`\u{2022} ` before the key"),
        ("1. K: V", "`1. ` before the key"),
        ("1) K: V", "`1) ` before the key"),
        ("> K: V", "`> ` before the key"),
        ("~ K: V", "`~ ` before the key"),
        ("+K: V", "`+` before the key"),
        ("\\K: V", "`\\` before the key"),
        ("     1\tK: V", "before the key"),
        ("robots.txt:K: V", "`robots.txt:` before the key"),
        ("robots.txt:1:K: V", "`robots.txt:1:` before the key"),
        ("[12:01] K: V", "`[12:01] ` before the key"),
        ("\"K: V\"", "`\"` before the key and `\"` after the value"),
        ("'K: V',", "`'` before the key"),
        ("`K: V`", "before the key"),
        ("**K:** V", "`**` before the key"),
        ("- **K**: V", "`- **` before the key"),
        ("| K | V |", "`| ` before the key"),
        ("\"K\",\"V\"", "`\",\"` where the colon"),
        ("\"K\": \"V\",", "`\": \"` where the colon"),
        ("[K: V]", "`[` before the key"),
        ("<p>K: V</p>", "`<p>` before the key"),
        ("<li>K: V</li>", "`<li>` before the key"),
        ("echo \"K: V\"", "`echo \"` before the key"),
        ("echo \"K: V\" >> robots.txt", "`echo \"` before the key"),
        ("echo 'K: V' . \"\\n\";", "`echo '` before the key"),
        ("S: V", "`Agent`, `Block` and `Permit` for `User-agent`, `Disallow` and `Allow`"),
    ] {
        for sitemap in [false, true] {
            let body = body(form, sitemap);
            let found = found(body.as_bytes());
            let meant: String =
                LINES.iter().take(if sitemap { 4 } else { 3 }).map(|(k, v)| format!("{k}: {v}\n")).collect();
            let is_said = match found.as_slice() {
                [finding] => {
                    (finding.check.code(), finding.line) == ("not-robots-txt", 1) && finding.message.contains(wanted)
                }
                _ => false,
            };
            let after = fixed(body.as_bytes(), &Dialect::GOOGLE, &Lint::new(), true).body;
            if !is_said || after != meant.as_bytes() {
                let said: Vec<_> = found.iter().map(|finding| &finding.message).collect();
                wrong.push(format!("{form}: {said:?} {:?}", String::from_utf8_lossy(&after)));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Comments and blanks between the lines, and bytes of another encoding.
    for (body, wanted) in [
        (
            &b"> # ours\n>\n> User-agent: *\n> Disallow: /x\n> \n> User-agent: GPTBot\n> Disallow: /\n"[..],
            "# ours\n\nUser-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nDisallow: /\n",
        ),
        (b"\xA0User-agent: *\n\xA0Disallow: /x\n", "User-agent: *\nDisallow: /x\n"),
        (
            b"| Key | Value |\n|---|---|\n| User-agent | * |\n| Disallow | /x |\n",
            "# | Key | Value |\n\nUser-agent: *\nDisallow: /x\n",
        ),
    ] {
        assert_eq!(mended(body), wanted);
    }
}

#[test]
fn what_can_be_meant_is_left() {
    for (body, wanted) in [
        // Switched off, or removed by a diff.
        ("// User-agent: *|// Disallow: /x|", Some("`// ` before the key")),
        ("; User-agent: *|; Disallow: /x|", Some("`; ` before the key")),
        ("-User-agent: *|-Disallow: /x|", Some("`-` before the key")),
        ("\u{FF03}User-agent: *|\u{FF03}Disallow: /x|", Some("`\u{FF03}` before the key")),
        ("C User-agent: *|C Disallow: /x|", Some("`C ` before the key")),
        ("OLD User-agent: *|OLD Disallow: /x|", Some("`OLD ` before the key")),
        ("disabled: User-agent: *|disabled: Disallow: /x|", Some("`disabled: ` before the key")),
        ("<del>User-agent: *</del>|<del>Disallow: /x</del>|", Some("`<del>` before the key")),
        ("~~User-agent: *~~|~~Disallow: /x~~|", Some("`~~` before the key")),
        ("- User-agent: *|- Disallow: /x|-Disallow: /y|", Some("`- ` before the key")),
        ("/*|- User-agent: *|- Disallow: /a|- Disallow: /b|*/|", Some("`- ` before the key")),
        ("<!-- old|- User-agent: *|- Disallow: /a|- Disallow: /b|-->|", Some("`- ` before the key")),
        ("// User-agent: *|// Disallow: /x|Sitemap: https://a.example/s.xml|", None),
        ("X User-agent: *|X Disallow: /x|Sitemap: https://a.example/s.xml|", None),
        // All is open, as it was meant.
        ("- User-agent: *|- Disallow:|", None),
        ("User-agent = *|Allow = /|Sitemap: https://a.example/s.xml|", None),
        // A rule with another slip would be lost.
        ("- User-agent: *|- Disallow: /a|- Disallow: /b|* Disallow: /c|", Some("`- ` before the key")),
        // It would take the site out of search engines.
        ("- User-agent: *|- Disallow: /|", Some("without that, `Disallow: /` closes")),
        ("- User-agent: *|- Disallow: /*|", Some("without that, `Disallow: /*` closes")),
        ("- User-agent: Googlebot|- Disallow: /|- Allow: /blog/|", Some("`- ` before the key")),
        ("X-User-agent: *|X-Disallow: /x|", None),
        ("# User-agent: *|# Disallow: /x|", None),
        ("We have a robots.txt.|A User-agent is a crawler.|Disallow means no.|", None),
        ("{|\"a\": 1|}|", None),
        ("<html>|<p>User-agent: *</p>|<p>Disallow: /x</p>|<p>a</p>|<p>b</p>|</html>|", None),
        ("- User-agent: *|- Disallow: /a|* Disallow: /b|+ Disallow: /c|", None),
        ("- User-agent: *|User-agent: a|Disallow: /x|", None),
        ("Disallow: /a|Disallow: /b|", None),
        ("- Disallow: /a|- Disallow: /b|", None),
    ] {
        let body = body_of(body);
        let found = found(&body);
        let slip = found.iter().find(|finding| finding.message.contains("lines, from line"));
        match wanted {
            Some(wanted) => assert!(slip.is_some_and(|slip| slip.message.contains(wanted)), "{found:#?}"),
            None => assert!(slip.is_none(), "{found:#?}"),
        }
        assert!(slip.is_none_or(|slip| slip.fix.is_none()), "{slip:?}");
    }
}

/// What closes a site gets no fix, whatever checks run and comments suppress.
#[test]
fn the_fix_never_closes_a_site() {
    for body in ["- User-agent: *|- Disallow: /|", "# robotsc: ignore-file site-closed|- User-agent: *|- Disallow: /|"]
    {
        let lint = Lint::new().ignore(LintCheck::SiteClosed);
        let found = lint.run(&RobotsTxt::parse(&body_of(body)));
        assert!(matches!(found.as_slice(), [Finding { fix: None, .. }]), "{found:?}");
    }
    let one = found(&body_of("- User-agent: GPTBot|- Disallow: /|"));
    assert!(matches!(one.as_slice(), [Finding { fix: Some(_), .. }]), "{one:?}");
}

fn body_of(text: &str) -> Vec<u8> {
    text.replace('|', "\n").into_bytes()
}
