//! A policy in a block of a robots.txt: what is written, what is refused, and hostile files.

use robotsc::{Crawler, Dialect, RobotsTxt, bundled};
use robotsc_answers::set::{After, Block, Choice, Declaration, Options, Refusal, Why, limits, remove, set};

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn policy(deny: &[&str], allow: &[&str]) -> Declaration {
    Declaration { deny: texts(deny), allow: texts(allow), ..Declaration::default() }
}

fn written(body: &[u8], policy: &Declaration) -> Result<After, Refusal> {
    set(body, policy, Options::default())
}

/// Returns a body with the block of a policy, after the properties of every edit are checked.
#[track_caller]
fn edited(body: &str, policy: &Declaration) -> After {
    let after = written(body.as_bytes(), policy).unwrap_or_else(|refusal| panic!("{refusal}\n{body}"));
    let again = written(&after.body, policy).expect("a second call");
    assert_eq!(String::from_utf8_lossy(&again.body), String::from_utf8_lossy(&after.body), "a second call");
    if after.moved.is_empty() {
        assert_eq!(remove(&after.body, Options::default()), remove(body.as_bytes(), Options::default()));
    }
    after
}

/// Returns whether a known crawler may fetch some paths.
fn may_fetch<const N: usize>(body: &[u8], agent: &str, paths: [&str; N]) -> [bool; N] {
    let robots = RobotsTxt::parse(body);
    let crawler = bundled::crawler(agent).map(Crawler::from).expect("a name");
    paths.map(|path| robots.is_allowed(&crawler, path).expect("a path"))
}

/// Returns the lines of the block but for those of the policy and of comments.
fn block(after: &After) -> String {
    let text = String::from_utf8_lossy(&after.body);
    let lines = text.lines().skip_while(|line| *line != "# robotsc: begin");
    lines.filter(|line| !line.starts_with('#') && !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn who_is_denied_may_fetch_nothing_and_nobody_else_is_touched() {
    let body = "User-agent: *\nDisallow: /cart\nCrawl-delay: 2\n";
    let after = edited(body, &policy(&["GPTBot", "Googlebot"], &[]));
    assert_eq!(may_fetch(&after.body, "GPTBot", ["/", "/cart"]), [false, false]);
    assert_eq!(may_fetch(&after.body, "Googlebot", ["/", "/cart"]), [false, false]);
    // Those that follow Googlebot where nothing names them keep what `*` says, with its records.
    for follower in ["Googlebot-Image", "Google-InspectionTool", "Applebot"] {
        assert!(after.kept.iter().any(|name| name == follower), "{:?}", after.kept);
        assert_eq!(may_fetch(&after.body, follower, ["/", "/cart"]), [true, false]);
    }
    assert!(
        block(&after).ends_with("User-agent: Googlebot-Video\nUser-agent: Kagibot\nDisallow: /cart\nCrawl-delay: 2"),
        "{}",
        block(&after)
    );
    // Applebot-Extended does not follow Applebot.
    assert!(!after.kept.iter().any(|name| name == "GPTBot" || name == "Applebot-Extended"));
}

#[test]
fn who_is_allowed_obeys_the_rest_of_what_closed_the_site() {
    let body = "User-agent: *\nDisallow: /cart # the shop\nDisallow: /\nAllow: /$\n";
    let after = edited(body, &policy(&[], &["Googlebot", "bingbot"]));
    for agent in ["Googlebot", "bingbot"] {
        assert_eq!(may_fetch(&after.body, agent, ["/", "/a", "/cart"]), [true, true, false]);
    }
    // What follows Googlebot and was closed stays closed.
    assert_eq!(may_fetch(&after.body, "Googlebot-Image", ["/", "/a", "/cart"]), [true, false, false]);
    assert_eq!(may_fetch(&after.body, "FooBot", ["/", "/a", "/cart"]), [true, false, false]);
    assert_eq!(after.opened, ["bingbot", "Googlebot"]);
    // Who is not closed needs no group, and who has a group keeps it.
    let after = edited("User-agent: *\nDisallow: /a\nUser-agent: bingbot\nDisallow: /b\n", &policy(&[], &["search"]));
    assert_eq!((block(&after), after.opened.len()), (String::new(), 0));
}

/// What closes the site does so under the dialect that is asked: to `yandex`, an empty `Allow:` is `Disallow: /`.
#[test]
fn who_is_allowed_is_open_under_every_dialect() {
    for (body, agents) in [
        ("User-agent: Yandex\nDisallow: /\n\nUser-agent: *\nAllow:\nDisallow: /cart\n", &["Yandex", "bingbot"][..]),
        ("User-agent: *\nAllow:\nDisallow: /cart\n", &["Googlebot-Image", "FooBot"]),
        // They follow a name that leaves its group, and are allowed as well.
        ("User-agent: Baiduspider\nDisallow: /cart\nAllow:\n", &["Baiduspider", "Baiduspider-image"]),
        // A dialect that compares names by their start finds the other group for a name that left its own.
        ("User-agent: Webzio\nDisallow: /\n\nUser-agent: Webzio-extended\nDisallow: /\n", &["Webzio-extended"]),
    ] {
        let after = edited(body, &policy(&["ai-training"], agents));
        for dialect in Dialect::ALL {
            let robots = RobotsTxt::parse_with(&after.body, dialect);
            for agent in agents {
                let crawler = bundled::crawler(agent).map(Crawler::from).expect("a name");
                assert_eq!(robots.is_allowed(&crawler, "/"), Ok(true), "{} {agent} {body}", dialect.name);
            }
        }
    }
}

#[test]
fn names_leave_groups_that_would_reopen_or_close() {
    let body = "User-agent: GPTBot\nUser-agent: FooBot\nAllow: /press/\n\n# old\nUser-agent: Googlebot\nDisallow: /\n\
        Sitemap: https://shop.example/s.xml\n\nUser-agent: *\nDisallow: /cart\n";
    let after = edited(body, &policy(&["GPTBot"], &["Googlebot", "Applebot"]));
    // Those that follow Googlebot, and are not allowed, stay closed in its place.
    assert_eq!(after.moved, ["User-agent: GPTBot", "User-agent: Googlebot"]);
    let text = String::from_utf8_lossy(&after.body).into_owned();
    let start = "User-agent: FooBot\nAllow: /press/\n\n# old\nUser-agent: Google-InspectionTool\n";
    assert!(text.starts_with(start), "{text}");
    assert_eq!(may_fetch(&after.body, "GPTBot", ["/press/", "/"]), [false, false]);
    assert_eq!(may_fetch(&after.body, "Googlebot", ["/", "/cart"]), [true, false]);
    assert_eq!(may_fetch(&after.body, "Googlebot-Image", ["/", "/cart"]), [false, false], "it is not allowed");
    // A group that nobody obeys goes whole, but not what is of the file.
    let body = "User-agent: a\nDisallow: /a\n\n# old\nUser-agent: GPTBot\nAllow: /b\nSitemap: https://h/s\n\n# end\n";
    let text = String::from_utf8(edited(body, &policy(&["GPTBot"], &[])).body).expect("text");
    assert!(
        text.starts_with("User-agent: a\nDisallow: /a\n\n# old\nSitemap: https://h/s\n\n# end\n\n# robotsc"),
        "{text}"
    );
    // A group that denies already can stay.
    let after = edited("User-agent: GPTBot\nDisallow: /a\n", &policy(&["GPTBot"], &[]));
    assert!(after.moved.is_empty());
    assert_eq!(block(&after), "User-agent: GPTBot\nDisallow: /");
}

#[test]
fn paths_for_nobody() {
    let body = "User-agent: *\nDisallow: /cart\n\nUser-agent: FooBot/2.1\nAllow: /\n";
    let nobody = Declaration { disallow: texts(&["/members/"]), ..policy(&["GPTBot"], &[]) };
    let after = edited(body, &nobody);
    for agent in ["FooBot", "BarBot", "AdsBot-Google", "GPTBot"] {
        assert_eq!(may_fetch(&after.body, agent, ["/members/1"]), [false], "{agent}");
    }
    assert_eq!(may_fetch(&after.body, "FooBot", ["/cart", "/members"]), [true, true]);
    assert_eq!(may_fetch(&after.body, "AdsBot-Google", ["/cart"]), [true]);
    let refusal = written(b"User-agent: FooBot\nDisallow: /a\nAllow: /members/faq\n", &nobody).unwrap_err();
    assert_eq!((refusal.why, refusal.line), (Why::Conflict, Some(3)), "{refusal}");
    assert!(refusal.cause.contains("/members/faq, which is for nobody by /members/"), "{refusal}");
}

#[test]
fn preferences_reach_every_group() {
    let stated = Declaration {
        content_usage: Some("train-ai=n".to_owned()),
        content_signal: Some("ai-train=no, search=yes".to_owned()),
        ..Declaration::default()
    };
    let after = edited("User-agent: FooBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n", &stated);
    let lines = "Content-Usage: train-ai=n\nContent-Signal: ai-train=no, search=yes";
    let names = "User-agent: *\nUser-agent: FooBot\nUser-agent: AdsBot-Google\n";
    assert!(block(&after).starts_with(names) && block(&after).ends_with(lines), "{}", block(&after));
    assert_eq!(may_fetch(&after.body, "FooBot", ["/a", "/b"]), [false, true]);
    let conflict = |body: &str| written(body.as_bytes(), &stated).map(|_| ()).unwrap_err();
    for (body, line) in [
        ("User-agent: *\nContent-Usage: train-ai=y\n", 2),
        ("User-agent: *\nContent-Usage: /a search=y\n", 2),
        ("User-agent: b\nDisallow: /\nContent-Signal: ai-train=yes\n", 3),
    ] {
        assert_eq!((conflict(body).why, conflict(body).line), (Why::Conflict, Some(line)), "{body}");
    }
    edited("User-agent: *\nContent-Usage: train-ai=n, search=y\nDisallow: /a\n", &stated);
}

/// Of each vocabulary a policy can state one, and a file another.
#[test]
fn a_file_does_not_state_the_opposite_in_other_words() {
    let usage = |text: &str| Declaration { content_usage: Some(text.to_owned()), ..Declaration::default() };
    let signal = |text: &str| Declaration { content_signal: Some(text.to_owned()), ..Declaration::default() };
    for (body, policy, wanted) in [
        ("User-agent: *\nContent-Signal: ai-train=yes\n", usage("train-ai=n"), true),
        ("User-agent: *\nContent-Signal: /a ai-train=yes\n", usage("train-ai=n"), true),
        ("User-agent: *\nContent-Usage: ai-use=n\n", signal("ai-input=yes"), true),
        ("User-agent: *\nContent-Usage: search=n\n", signal("search=yes"), true),
        ("User-agent: *\nContent-Signal: ai-train=no\n", usage("train-ai=n"), false),
        ("User-agent: *\nContent-Signal: ai-train=no, search=yes\n", usage("train-ai=n"), false),
        ("User-agent: *\nContent-Signal: ai-input=yes\n", usage("train-ai=n"), false),
        ("User-agent: *\nContent-Signal: /a search=yes\n", usage("train-ai=n"), false),
        ("User-agent: *\nContent-Usage: /a search=y\n", signal("ai-train=no"), false),
    ] {
        let written = written(body.as_bytes(), &policy);
        assert_eq!(written.is_err(), wanted, "{body}{policy:?}");
        if let Err(refusal) = written {
            assert_eq!((refusal.why, refusal.line), (Why::Conflict, Some(2)), "{refusal}");
            assert!(refusal.cause.contains("says the opposite of"), "{refusal}");
        }
    }
}

#[test]
fn a_new_register_or_policy_renews_the_block_in_its_place() {
    let body = "User-agent: *\nDisallow: /cart\n";
    let old = edited(body, &policy(&["GPTBot"], &[])).body;
    let old = [&old[..], b"\nUser-agent: FooBot\nDisallow: /x\n"].concat();
    let new = edited(&String::from_utf8_lossy(&old), &policy(&["CCBot"], &[])).body;
    let found = Block::find(&new).expect("marks").expect("a block");
    assert_eq!((found.declaration.deny, found.lines.start), (texts(&["CCBot"]), 4));
    assert!(new.ends_with(b"\nUser-agent: FooBot\nDisallow: /x\n"));
    // What is asked of `*` later is asked of the copies, too.
    let denied = edited(body, &policy(&["Googlebot"], &[])).body;
    let later = String::from_utf8_lossy(&denied).replacen("Disallow: /cart", "Disallow: /cart\nDisallow: /old", 1);
    let after = edited(&later, &policy(&["Googlebot"], &[]));
    assert_eq!(may_fetch(&after.body, "Applebot", ["/old"]), [false]);
}

#[test]
fn a_last_group_without_rules_goes_on_nowhere() {
    let body = "User-agent: *\nDisallow: /\n\nUser-agent: FooBot\nCrawl-delay: 1\n";
    let after = edited(body, &policy(&["GPTBot"], &[]));
    assert_eq!(block(&after), "Disallow:\nUser-agent: GPTBot\nDisallow: /");
    assert_eq!(may_fetch(&after.body, "FooBot", ["/"]), [true]);
    // Under `yandex` an empty Disallow allows what is disallowed elsewhere: then the block comes first.
    let body = "User-agent: FooBot\nDisallow: /\n\nUser-agent: FooBot\n";
    let after = edited(body, &policy(&["GPTBot"], &[]));
    assert!(after.body.starts_with(b"# robotsc: begin\n"));
    assert_eq!(may_fetch(&after.body, "FooBot", ["/"]), [false]);
}

/// Other commands edit the file around the block.
#[test]
fn formatting_and_lint_leave_a_block_alone() {
    let body = "user-agent :*\ndisallow:/cart\ncrawl-delay:2\nAllow: /\n\nUser-agent: FooBot\nDisallow: /x";
    let asked = Declaration {
        disallow: texts(&["/members/"]),
        content_usage: Some("train-ai=n".to_owned()),
        ..policy(&["Googlebot"], &["preview"])
    };
    let after = edited(body, &asked);
    let formatted = robotsc_analysis::format::formatted(&after.body).body;
    let found = Block::find(&formatted).expect("marks").expect("a block");
    assert!(!found.is_edited, "{}", String::from_utf8_lossy(&formatted));
    let text = String::from_utf8(formatted).expect("text");
    assert!(text.contains("User-agent: Applebot\n") && text.contains("\nDisallow: /cart\nCrawl-delay: 2\nAllow: /\n"));
    edited(&text, &asked);
    let lint = robotsc_analysis::lint::Lint::new().run(&RobotsTxt::parse(text.as_bytes()));
    let codes: Vec<&str> = lint.iter().map(|finding| finding.check.code()).collect();
    assert!(!codes.contains(&"suppression-form"), "{codes:?}");
}

#[test]
fn hostile_files() {
    let deny = policy(&["ai-training", "Googlebot"], &[]);
    let big = "Disallow: /aaaaaaaaaaaaaaaaaaaa\n".repeat(33_000);
    let bodies: [(&[u8], Option<Why>); 14] = [
        (b"", None),
        (b"\0", None),
        (b"User-agent: *\0\nDisallow: /a\0b\nAllow: /\x01\xFF\n", None),
        (b"User-agent: *\rDisallow: /a\rUser-agent: b\rAllow: /", None),
        (b"\xEF\xBB\xBFUser-agent: *\r\nDisallow: /\xE4\r\n", None),
        (b"\xEF\xBBUser-agent: *\nDisallow: /a\n", None),
        (b"<!doctype html>\n<p>\n", None),
        (b"User-agent: *\nDisallow: /\x85\xA0 x\n\x0B\x0C\n", None),
        (b"\xFF\xFEU\0s\0", Some(Why::File)),
        (big.as_bytes(), Some(Why::File)),
        (b"# robotsc: begin\nUser-agent: *\nDisallow: /\n", Some(Why::Block)),
        (b"# robotsc: end 00000000\n", Some(Why::Block)),
        (b"# robotsc: begin\n# robotsc: end\n# robotsc: begin\n# robotsc: end\n", Some(Why::Block)),
        (b"# robotsc: begin\nUser-agent: *\nDisallow: /mine\n# robotsc: end 00000000\n", Some(Why::Edited)),
    ];
    for (body, wanted) in bodies {
        let shown = body[..body.len().min(60)].escape_ascii();
        match (written(body, &deny), wanted) {
            (Ok(after), None) => {
                assert_eq!(written(&after.body, &deny).map(|again| again.body).as_ref(), Ok(&after.body), "{shown}");
                assert_eq!(remove(&after.body, Options::default()).as_deref(), Ok(body), "{shown}");
                for dialect in Dialect::ALL {
                    let robots = RobotsTxt::parse_with(&after.body, dialect);
                    assert_eq!(robots.is_allowed("GPTBot", "/x"), Ok(false), "{shown}");
                }
            }
            (Err(refusal), Some(why)) => assert_eq!(refusal.why, why, "{shown}: {refusal}"),
            (found, _) => panic!("{shown}: {found:?}"),
        }
    }
    // An edited block is replaced if that is asked for.
    let edited = b"# robotsc: begin\nUser-agent: *\nDisallow: /mine\n# robotsc: end 00000000\n";
    let after = set(edited, &deny, Options { replace_edited: true }).expect("replaced");
    assert_eq!(may_fetch(&after.body, "FooBot", ["/mine"]), [true]);
}

#[test]
fn what_a_policy_costs_is_noted() {
    let notes = |policy: &Declaration| -> Vec<String> {
        limits(policy, &Choice::of(policy).expect("a choice")).iter().map(ToString::to_string).collect()
    };
    for path in ["/", "/*", "*"] {
        let closed = notes(&Declaration { disallow: texts(&[path]), ..Declaration::default() });
        assert_eq!(closed, ["*: no crawler may fetch anything: a path that is for nobody matches all"]);
    }
    let paths = notes(&Declaration { disallow: texts(&["/a"]), ..Declaration::default() });
    assert!(paths.len() == 1 && paths[0].starts_with("*: a path here is no secret"), "{paths:?}");
    let preference = notes(&Declaration { content_usage: Some("train-ai=n".to_owned()), ..Declaration::default() });
    assert!(preference.len() == 1 && preference[0].starts_with("*: a preference stops no fetch"), "{preference:?}");
    let both = notes(&policy(&["ai-training", "ai-search"], &["search"]));
    let lost = ": for search, too: denied, so the site leaves its results, unless it is allowed by name";
    assert!(both.iter().any(|note| note.contains("bingbot") && note.ends_with(lost)), "{both:?}");
    for (deny, allow, agent) in [("ai-training", "search", "Amazonbot"), ("ai-search", "search", "bingbot")] {
        let notes = notes(&policy(&[deny], &[allow]));
        let lost: Vec<_> = notes.iter().filter(|note| note.contains(agent) && !note.contains("robots.txt")).collect();
        assert!(matches!(lost[..], [lost] if lost.contains(", too: denied")), "{deny} {allow}: {lost:?}");
    }
    let retired = "anthropic-ai: no crawler has this name any more, but ClaudeBot";
    assert_eq!(notes(&policy(&["anthropic-ai"], &[])), [format!("{retired}: deny it, too")]);
    assert_eq!(notes(&policy(&["anthropic-ai", "ClaudeBot"], &[])), [retired]);
}

/// Who follows a crawler that is allowed, and is not allowed, is named: a live test of Google would say it is closed.
#[test]
fn followers_that_stay_closed_are_noted() {
    let note = ": stays closed, though without a group it would follow Googlebot: allow it by name, too";
    for (body, allow, wanted) in [
        ("User-agent: *\nDisallow: /\n", &["search"][..], Some("Google-InspectionTool")),
        ("User-agent: *\nDisallow: /\n", &["search", "Google-InspectionTool"], None),
        ("User-agent: *\nDisallow: /\nAllow: /a\n", &["search"], Some("Google-InspectionTool")),
        ("User-agent: *\nDisallow: /a\n", &["search"], None),
    ] {
        let after = edited(body, &policy(&["ai-training"], allow));
        let notes: Vec<String> = after.limits().iter().map(ToString::to_string).collect();
        let found = notes.iter().find_map(|found| found.strip_suffix(note));
        assert_eq!(found, wanted, "{body} {allow:?}: {notes:?}");
    }
}

/// Who closed a crawler by name may not know that a purpose stands for it.
#[test]
fn who_was_closed_by_name_and_is_opened_is_noted() {
    let all = "User-agent: *\nDisallow: /cart\n\n";
    let open = |closed: &str, by: &str, one: &str, name: &str| {
        format!(
            "closed {closed} in the file, open with this policy, which allows {by}: to keep {one} closed, deny it by \
             name, too ('robotsc set --deny {name}')"
        )
    };
    let of_search = |closed, one, name| open(closed, "search", one, name);
    for (groups, deny, allow, wanted) in [
        (
            "User-agent: PetalBot\nUser-agent: diffbot\nUser-agent: GPTBot\nDisallow: /\n",
            &[][..],
            "search",
            vec![format!("Diffbot and PetalBot: {}", of_search("by name", "one", "NAME"))],
        ),
        (
            "User-agent: PetalBot\nUser-agent: Diffbot\nDisallow: /\nAllow: /press/\n",
            &["PetalBot"],
            "search",
            vec![format!("Diffbot: {}", of_search("by name", "it", "Diffbot"))],
        ),
        (
            "User-agent: Baiduspider\nDisallow: /*\n",
            &[],
            "operator:Baidu",
            vec![
                format!("Baiduspider: {}", open("by name", "operator:Baidu", "it", "Baiduspider")),
                format!(
                    "Baiduspider-image, Baiduspider-news and Baiduspider-video: {}",
                    open("with Baiduspider", "operator:Baidu", "one", "NAME")
                ),
            ],
        ),
        // It was asked for by name, was not closed, or was closed as one of all.
        ("User-agent: PetalBot\nDisallow: /\n", &[], "PetalBot", vec![]),
        ("User-agent: PetalBot\nDisallow: /a\n", &[], "search", vec![]),
        ("User-agent: *\nDisallow: /\n", &[], "search", vec![]),
        ("User-agent: PetalBot\nDisallow: /\n", &["PetalBot"], "search", vec![]),
    ] {
        let body = format!("{all}{groups}");
        let deny = [&["ai-training"], deny].concat();
        let after = edited(&body, &policy(&deny, &[allow]));
        let notes: Vec<String> = after.limits().iter().map(ToString::to_string).collect();
        let found: Vec<&String> = notes.iter().filter(|note| note.contains("open with this policy")).collect();
        assert_eq!(found, wanted.iter().collect::<Vec<_>>(), "{groups}");
    }
    // The notes are of the edit: the file that it writes has no such line any more.
    let first = edited("User-agent: PetalBot\nDisallow: /\n", &policy(&[], &["search"]));
    let second = written(&first.body, &policy(&[], &["search"])).expect("a second call");
    let is_noted = |after: &After| after.limits().iter().any(|note| note.what.contains("open with this policy"));
    assert!(is_noted(&first) && !is_noted(&second));
    // A policy that closes all paths opens no crawler.
    let closed = Declaration { disallow: texts(&["/"]), ..policy(&[], &["search"]) };
    assert!(!is_noted(&edited("User-agent: PetalBot\nDisallow: /\n", &closed)));
    // What the note advises keeps the crawler closed, before and after the edit.
    for body in [&b"User-agent: PetalBot\nDisallow: /\n"[..], &first.body] {
        let kept = written(body, &policy(&["PetalBot"], &["search"])).expect("an edit");
        assert!(!is_noted(&kept));
        assert_eq!(may_fetch(&kept.body, "PetalBot", ["/", "/a"]), [false, false]);
    }
}

/// A last group without rules is ended by an empty `Disallow:` of the block, which says nothing to its crawlers.
#[test]
fn a_last_group_that_is_ended_needs_no_copy() {
    let body = "User-agent: *\nDisallow: /cart\n\nUser-agent: Pinterest\nCrawl-delay: 1\n";
    let after = edited(body, &policy(&[], &["search", "preview"]));
    assert!(after.opened.is_empty() && after.kept.is_empty(), "{:?} {:?}", after.opened, after.kept);
    assert_eq!(block(&after), "Disallow:");
}

#[test]
fn lines_in_or_below_the_block_are_not_lost() {
    let after = edited("User-agent: *\nDisallow: /cart\n", &policy(&["GPTBot"], &[]));
    let text = String::from_utf8(after.body).expect("text");
    let mine = text.replace("# robotsc: end", "User-agent: CCBot\nDisallow: /\n# robotsc: end");
    let refusal = remove(mine.as_bytes(), Options::default()).expect_err("an edited block");
    assert_eq!((refusal.why, refusal.line), (Why::Edited, Some(4)));
    assert!(refusal.cause.ends_with("then 'robotsc set --remove --force' takes it out"), "{refusal}");
    assert!(remove(mine.as_bytes(), Options { replace_edited: true }).is_ok());

    // As programs do that append a rule.
    let line = u32::try_from(text.lines().count()).expect("a line") + 1;
    let appended = format!("{text}Disallow: /after\n");
    let refusal = written(appended.as_bytes(), &policy(&["GPTBot"], &[])).expect_err("a rule in the block's group");
    let cause = "it stands after the block and falls into its last group: move it above line 4";
    assert_eq!((refusal.why, refusal.line, refusal.cause.as_str()), (Why::Conflict, Some(line), cause));
    let with_group = format!("{text}\nUser-agent: BadBot\nDisallow: /after\n");
    assert!(written(with_group.as_bytes(), &policy(&["GPTBot"], &[])).is_ok());
}

/// Whoever adds a group below the block adds it for its names alone.
#[test]
fn the_last_group_of_the_block_has_a_rule() {
    let policy = Declaration { content_signal: Some("ai-train=no".to_owned()), ..policy(&["GPTBot"], &[]) };
    let after = edited("User-agent: *\nDisallow: /cart\n", &policy);
    let body = [&after.body[..], b"\nUser-agent: BadBot\nDisallow: /\n"].concat();
    for agent in ["FooBot", "AdsBot-Google"] {
        assert!(may_fetch(&body, agent, ["/"])[0], "{agent}");
    }
    assert!(!may_fetch(&body, "BadBot", ["/"])[0]);
}

/// Two records for one use that say the opposite leave nobody with an answer.
#[test]
fn opposite_preferences_are_refused() {
    for (usage, signal, is_refused) in [
        ("train-ai=n", "ai-train=yes", true),
        ("train-ai=n", "ai-train=no", false),
        ("train-ai=n, search=y", "ai-train=no, search=no", true),
        ("train-ai=n", "search=yes", false),
        ("ai-use=y", "ai-input=no", true),
    ] {
        let (usage, signal) = (Some(usage.to_owned()), Some(signal.to_owned()));
        let policy = Declaration { content_usage: usage, content_signal: signal, ..Declaration::default() };
        assert_eq!(written(b"User-agent: *\nDisallow: /x\n", &policy).is_err(), is_refused, "{policy:?}");
    }
}
