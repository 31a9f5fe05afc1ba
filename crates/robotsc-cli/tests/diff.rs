//! `diff` as a process: comments for pull requests, and many sites.

mod sandbox;

use sandbox::Sandbox;

#[test]
fn nothing_of_a_file_acts_in_a_comment() {
    let sandbox = Sandbox::of("diff");
    let hostile = "User-agent: *\nDisallow: /a|b](https://x.example)@root?``````\nDisallow: /_x_&lt;b~~$y\n\n\
        User-agent: GPTBot\nDisallow: /```````?`\nSitemap: https://x.example/<img|src=x>\n";
    sandbox.folder(".", &[("old.txt", "User-agent: *\nDisallow:\n"), ("new.txt", hostile)]);
    let ran = sandbox.run(&["old.txt", "new.txt", "--emit", "markdown"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(1)), "{}", ran.out);
    // What is folded is in a block that no line ends.
    let (table, folded) = ran.out.split_once("<details>").unwrap();
    let fence = folded.lines().find(|line| line.starts_with('`')).unwrap().trim_end_matches("text");
    let (before, rest) = folded.split_once(fence).unwrap();
    let (block, after) = rest.split_once(&format!("\n{fence}\n")).unwrap();
    assert!(!block.contains(fence), "{block}");
    assert_eq!(before, "\n<summary>Which lines decide</summary>\n\n");
    assert_eq!(after, "\n</details>\n");
    // Of a row, there are four cells, and in them is no markup but ours.
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(rows.len(), 2, "{table}");
    for row in rows {
        assert_eq!(row.matches('|').count(), 5, "{row}");
        let text = row.replace("<code>", "").replace("</code>", "").replace("<br>", "");
        assert!(!text.contains(['<', '>', '`', '@', '[', ']', '(', ':']), "{row}");
    }
}

const CLOSED: &str = "User-agent: *\nDisallow: /\n";
const CART: &str = "User-agent: *\nDisallow: /cart\n";

/// Two dates of some sites, each with another change.
fn two_dates(sandbox: &Sandbox) {
    let ai = "User-agent: *\nDisallow: /cart\nCrawl-delay: 5\n\nUser-agent: GPTBot\nDisallow: /\n";
    let old =
        [("same.example.txt", CART), ("text.example.txt", CART), ("ai.example.txt", CART), ("gone.example.txt", "")];
    let new = [
        ("same.example.txt", CART),
        ("text.example.txt", "# hello\nuser-agent: *\ndisallow: /cart\n"),
        ("ai.example.txt", ai),
        ("new.example.txt", CLOSED),
    ];
    sandbox.folder("old", &old);
    sandbox.folder("new", &new);
}

#[test]
fn two_folders_are_compared_by_site() {
    let sandbox = Sandbox::of("diff");
    two_dates(&sandbox);
    let ran = sandbox.run(&["old", "new"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(1)));
    assert_eq!(
        ran.out.lines().collect::<Vec<_>>(),
        [
            "~ ai.example",
            "    GPTBot: can no longer fetch paths such as /",
            "    all other agents that obey `*`: crawl delay: none before, 5 s now",
            "+ new.example",
            "- gone.example",
            "1 appeared, 1 vanished, 1 with another meaning, 0 with another result of the fetch, 1 with another text \
             of the same meaning, 1 equal",
        ]
    );
    for (args, code) in [
        (&["old", "new", "--fail-on", "newly-blocked"][..], 1),
        (&["old", "new", "--fail-on", "newly-allowed"], 0),
        (&["new", "old", "--fail-on", "newly-allowed"], 1),
        (&["old", "new", "--agent", "Bingbot", "--fail-on", "newly-blocked"], 0),
        (&["old", "old"], 0),
        (&["old", "new", "--urls", "urls.txt"], 2),
        (&["old", "new", "--force"], 1),
        (&["old", "missing"], 2),
        (&["old/same.example.txt", "new/same.example.txt", "--threads", "2"], 2),
        (&["old/same.example.txt", "new/same.example.txt", "--total-work", "2"], 2),
    ] {
        let ran = sandbox.run(args);
        assert_eq!(ran.code, Some(code), "{args:?}: {}{}", ran.out, ran.err);
    }
    let one = sandbox.run(&["old", "new", "--json", "--threads", "1"]);
    assert_eq!(one.out, sandbox.run(&["old", "new", "--json", "--threads", "4"]).out);
    let group = r#""groups":[{"agents":["GPTBot"],"newly_blocked":"/","newly_allowed":null,"#;
    assert!(one.out.contains(group), "{}", one.out);
    let markdown = sandbox.run(&["old", "new", "--emit", "markdown"]).out;
    assert!(markdown.starts_with("**Paths are closed at 1 site, and opened at 0 sites.**\n"), "{markdown}");
    assert!(markdown.contains("| <code>ai&#46;example</code> | <code>GPTBot</code><br>"), "{markdown}");
}

#[test]
fn a_fetch_without_rules_is_compared_by_what_it_means() {
    let sandbox = Sandbox::of("diff");
    let line = |site: &str, status: &str, file: &str| format!("https://{site}.example\t{status}\t2026-11-20\t{file}\n");
    let table = |rows: &[String]| format!("origin\tstatus\ttime\tfile\n{}", rows.concat());
    let old =
        table(&[line("a", "404", "-"), line("b", "200", "cart.txt"), line("c", "503", "-"), line("d", "404", "-")]);
    let new =
        table(&[line("a", "200", "cart.txt"), line("b", "503", "-"), line("c", "503", "-"), line("d", "410", "-")]);
    sandbox.folder(".", &[("cart.txt", CART), ("old.tsv", &old), ("new.tsv", &new)]);
    let ran = sandbox.run(&["old.tsv", "new.tsv"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(1)));
    assert_eq!(
        ran.out,
        "~ https://a.example\n    all agents that obey `*`: can no longer fetch paths such as /cart\n\
         ~ https://b.example: rules, now server-error\n0 appeared, 0 vanished, 1 with another meaning, 1 with \
         another result of the fetch, 0 with another text of the same meaning, 2 equal\n"
    );
    assert_eq!(sandbox.run(&["old.tsv", "new.tsv", "--fail-on", "newly-blocked"]).code, Some(1));
    // A bare host stands for both of its origins.
    sandbox.folder("hosts", &[("a.example.txt", CART), ("b.example.txt", CART)]);
    let ran = sandbox.run(&["old.tsv", "hosts", "--json"]);
    assert!(
        ran.out.contains(r#""vanished":2,"meaning":1,"fetch":0,"no_robots_txt":0,"not_decided":0,"text":0,"equal":1"#),
        "{}",
        ran.out
    );
}

#[test]
fn what_was_not_decided_is_named_and_no_answer() {
    let sandbox = Sandbox::of("diff");
    let rules = |mut seed: u32| {
        let mut text = String::from("User-agent: *\n");
        for number in 0..24 {
            text.push_str(if number % 2 == 0 { "Disallow: /" } else { "Allow: /" });
            for at in 0..24 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(if at % 3 == 0 { "*" } else { "" });
                text.push(if seed >> 31 == 0 { 'a' } else { 'b' });
            }
            text.push('\n');
        }
        text
    };
    let hard = [rules(1), rules(2)];
    let files = |hard, last| {
        [("a.example.txt", hard), ("b.example.txt", hard), ("c.example.txt", last), ("d.example.txt", CART)]
    };
    sandbox.folder("old", &files(&hard[0], CART));
    sandbox.folder("new", &files(&hard[1], CLOSED));
    // The first site takes all that there is; equal bytes need no work.
    let ran = sandbox.run(&["old", "new", "--threads", "3", "--total-work", "1"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(2)), "{}", ran.out);
    assert_eq!(
        ran.out.lines().take(4).collect::<Vec<_>>(),
        [
            "? a.example",
            "    all agents that obey `*`: not decided: the rules are too complex for the work budget",
            "? b.example: not decided: the work for all sites is spent",
            "? c.example: not decided: the work for all sites is spent",
        ]
    );
    assert!(ran.out.ends_with("3 not decided, 0 with another text of the same meaning, 1 equal\n"), "{}", ran.out);
}

/// A page in place of a robots.txt has no rules: to compare it would say that everything is open now.
#[test]
fn a_body_that_is_no_robots_txt_is_named_and_not_compared() {
    let sandbox = Sandbox::of("diff");
    let html = "<!doctype html><title>Shop</title>\n";
    let one_line = "User-agent: * Disallow: /cart Disallow: /search\n";
    sandbox.folder("old", &[("a.example.txt", CART), ("b.example.txt", html), ("c.example.txt", html)]);
    sandbox.folder("new", &[("a.example.txt", html), ("b.example.txt", one_line), ("c.example.txt", html)]);
    let ran = sandbox.run(&["old", "new", "--fail-on", "newly-blocked"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(2)), "{}", ran.out);
    assert_eq!(
        ran.out.lines().collect::<Vec<_>>(),
        [
            "? a.example: not compared: the newer file is no robots.txt: it is HTML, so that everything would be \
             allowed",
            "? b.example: not compared: the older file is no robots.txt: it is HTML, so that everything would be \
             allowed, and the newer file is no robots.txt: several directives are on one line of it, so that no rule \
             counts",
            "0 appeared, 0 vanished, 0 with another meaning, 0 with another result of the fetch, 2 not compared, 0 \
             with another text of the same meaning, 1 equal",
        ]
    );
    let json = sandbox.run(&["old", "new", "--json"]).out;
    assert!(json.contains(r#""site":"a.example","change":"no-robots-txt","old":null,"new":"it is HTML"#), "{json}");
    assert!(json.contains(r#""no_robots_txt":2,"#), "{json}");
    let markdown = sandbox.run(&["old", "new", "--emit", "markdown"]).out;
    assert!(markdown.contains("not compared: the newer file is no robots.txt: it is HTML"), "{markdown}");
    let forced = sandbox.run(&["old", "new", "--force"]);
    assert_eq!((forced.err.as_str(), forced.code), ("", Some(1)));
    assert!(forced.out.contains("can now fetch paths such as /cart"), "{}", forced.out);
}

/// As in a pack, a name stands for its canonical origin.
#[test]
fn sites_are_compared_by_their_origins() {
    let sandbox = Sandbox::of("diff");
    let names = ["m\u{fc}ller.example.txt", "EX.example.txt", "dot.example..txt"];
    sandbox.folder("old", &names.map(|name| (name, CART)));
    sandbox.folder("new", &["xn--mller-kva.example.txt", "ex.example.txt", "dot.example.txt"].map(|name| (name, CART)));
    let ran = sandbox.run(&["old", "new"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(0)), "{}", ran.out);
    assert!(ran.out.ends_with(", 3 equal\n"), "{}", ran.out);
    // Of two captures of one origin, one counts, and that is said.
    let rows = |hosts: &[&str]| {
        let rows: Vec<String> =
            hosts.iter().map(|host| format!("https://{host}\t200\t2026-11-20\tcart.txt\n")).collect();
        format!("origin\tstatus\ttime\tfile\n{}", rows.concat())
    };
    let twice = rows(&["EX.example", "ex.example:443"]);
    sandbox.folder(".", &[("cart.txt", CART), ("twice.tsv", &twice), ("once.tsv", &rows(&["ex.example."]))]);
    let ran = sandbox.run(&["twice.tsv", "once.tsv"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("1 captures of sites that have a newer one"), "{}", ran.err);
    assert!(ran.out.ends_with(", 1 equal\n"), "{}", ran.out);
}
