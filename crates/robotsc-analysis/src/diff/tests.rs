#[path = "../../tests/random/mod.rs"]
pub(super) mod random;

use robotsc_compiler::{Crawler, DecidingRule, Dialect, UrlPath};

use self::random::Random;
use super::*;

/// Returns a diff as text, one line for each fact.
fn shown(diff: &Diff) -> Vec<String> {
    let mut lines = Vec::new();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for rules in &diff.rules {
        let agents = &rules.agents;
        if rules.outcome.is_err() {
            lines.push(format!("{agents}: not decided"));
        }
        for change in rules.changes() {
            let sign = if change.effect == Effect::Blocked { '-' } else { '+' };
            let rule = |rule: &Option<DiffRule>| match rule {
                Some(rule) => {
                    let kind = if rule.kind == RuleKind::Allow { 'A' } else { 'D' };
                    let mark = if rule.is_in_both { "" } else { "!" };
                    format!("{:?}{mark} {kind} {}", rule.lines, text(&rule.value))
                }
                None => "none".to_owned(),
            };
            lines.push(format!(
                "{agents}: {sign}{}: {} > {}",
                text(&change.path),
                rule(&change.old),
                rule(&change.new)
            ));
        }
        for (what, names) in [("newly named", &rules.newly_named), ("no longer named", &rules.no_longer_named)] {
            if !names.is_empty() {
                lines.push(format!("{agents}: {what}: {}", names.join(" ")));
            }
        }
    }
    let record = |change: &RecordChange| {
        let values = |values: &[Vec<u8>]| values.iter().map(|value| text(value)).collect::<Vec<_>>().join(" ");
        format!("{:?}: {} > {}", change.kind, values(&change.removed), values(&change.added))
    };
    for records in &diff.records {
        lines.extend(records.changes.iter().map(|change| format!("{}: {}", records.agents, record(change))));
    }
    lines.extend(diff.file_records.iter().map(record));
    if !diff.unchanged.is_empty() {
        lines.push(format!("unchanged: {}", diff.unchanged));
    }
    lines
}

/// Returns a robots.txt of lines in short: `u`, `a`, `d`, `c` and `s` stand for the keys.
pub(super) fn file(short: &str) -> String {
    let line = |line: &str| {
        let (key, value) = line.split_at(line.len().min(1));
        let key = match key {
            "u" => "User-agent",
            "a" => "Allow",
            "d" => "Disallow",
            "c" => "Crawl-delay",
            "s" => "Sitemap",
            _ => return line.to_owned(),
        };
        format!("{key}:{value}")
    };
    short.split('|').map(|text| line(text) + "\n").collect()
}

#[track_caller]
fn check([old, new]: [&str; 2], dialects: [&Dialect; 2], wanted: &[&str]) {
    let (old_body, new_body) = (file(old), file(new));
    let old_robots = RobotsTxt::parse_with(old_body.as_bytes(), dialects[0]);
    let new_robots = RobotsTxt::parse_with(new_body.as_bytes(), dialects[1]);
    let options = DiffOptions { paths: Paths::Plain, ..DiffOptions::default() };
    let diff = Diff::with(&old_robots, &new_robots, &options).expect("no agents");
    assert_eq!(shown(&diff), wanted, "{old}  >  {new}");
}

#[test]
fn edits() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("u *|d /a", "u *|d /a", &["unchanged: all other agents"]),
        ("#", "#", &["unchanged: all other agents"]),
        // The text differs, the meaning does not.
        ("u *|d /a", "# why|u *|d /a*|d /a/b", &["unchanged: all other agents"]),
        ("u *|d /a|a /b", "u *|d /a|a /b|a /c", &["unchanged: all other agents"]),
        ("u *|d", "#", &["unchanged: all other agents"]),
        ("u *|d /a%7eb", "u *|d /a%7Eb", &["unchanged: all other agents"]),
        // Rules.
        ("u *|d /a", "u *|d /a|d /b/", &["all other agents: -/b/: none > [3]! D /b/"]),
        ("u *|d /a|d /b/", "u *|d /a", &["all other agents: +/b/: [3]! D /b/ > none"]),
        ("u *|d /a", "u *|d /a|a /a/b", &["all other agents: +/a/b: [2] D /a > [3]! A /a/b"]),
        ("u *|d", "u *|d /", &["all other agents: -/: none > [2]! D /"]),
        (
            "u *|d /a|a /a/b",
            "u *|d /",
            &["all other agents: -/: none > [2]! D /", "all other agents: -/a/b: [3]! A /a/b > [2]! D /"],
        ),
        // Lines that moved.
        ("u *|d /a|d /b|a /", "u *|a /|d /b|#|d /a", &["unchanged: all other agents"]),
        // Agents.
        (
            "u *|d /a",
            "u *|d /a|u Foo|u Bar|d /",
            &["Foo and Bar: -/: none > [5]! D /", "Foo and Bar: newly named: Foo Bar", "unchanged: all other agents"],
        ),
        (
            "u *|d /a|u Foo|d /",
            "u *|d /a",
            &["Foo: +/: [4]! D / > none", "Foo: no longer named: Foo", "unchanged: all other agents"],
        ),
        // A group of its own drops the rules for all.
        (
            "u *|d /a",
            "u *|d /a|u Foo|d /b",
            &[
                "Foo: -/b: none > [4]! D /b",
                "Foo: +/a: [2]! D /a > none",
                "Foo: newly named: Foo",
                "unchanged: all other agents",
            ],
        ),
        // Equal changes in several places are one.
        (
            "u Foo|d /a|u Bar|d /a|u Baz|d /a",
            "u Foo|d /|u Baz|d /a|u Bar|d /",
            &["Foo and Bar: -/: none > [2, 6]! D /", "unchanged: Baz and all other agents"],
        ),
        // So are those of rules that mean the same.
        (
            "u Foo|d /a|u Bar|d /a|d /a/b",
            "u Foo|d /a|d /c|u Bar|d /a|d /c",
            &["Foo and Bar: -/c: none > [3, 6]! D /c", "unchanged: all other agents"],
        ),
        // But not those that mean other paths.
        (
            "u Foo|d /a|u Bar|d /b",
            "u Foo|d /|u Bar|d /",
            &["Foo: -/: none > [2]! D /", "Bar: -/: none > [4]! D /", "unchanged: all other agents"],
        ),
        // Names beyond RFC 9309.
        ("u MJ12bot|d /", "u MJ12bot|d", &["MJ12bot: +/: [2]! D / > none", "unchanged: all other agents"]),
        // Records.
        (
            "u *|c 5|d|s https://h/a|s https://h/b",
            "u *|c 5.0|d|u Foo|c 2|s https://h/b|s https://h/c",
            &["Foo: CrawlDelay: 5 > 2", "Sitemap: https://h/a > https://h/c", "unchanged: Foo and all other agents"],
        ),
        (
            "u *|u Foo|Content-signal: ai-train=no",
            "u *|Content-signal: /x ai-train=no",
            &[
                "Foo and all other agents: ContentSignal: ai-train=no > /x ai-train=no",
                "unchanged: Foo and all other agents",
            ],
        ),
        // Preferences are compared by what they say.
        (
            "u *|Content-signal: Search=yes, ai-train=no,x=1|Content-usage: /a  train-ai=n;x, search=y",
            "u *|Content-usage: /a search=y, train-ai=n|Content-signal: ai-train=NO,search=yes|Content-usage: x=1",
            &["unchanged: all other agents"],
        ),
        (
            "u *|Content-usage: /\u{e4}%2f train-ai=n|Content-signal: /a search=no",
            "u *|Content-usage: /%c3%A4%2F train-ai=n|Content-signal: /\u{e4} search=no",
            &["all other agents: ContentSignal: /a search=no > /%C3%A4 search=no", "unchanged: all other agents"],
        ),
        (
            "u *|Content-usage: train-ai=n|Content-usage: /a Train-AI=n|Content-signal: use=full",
            "u *|Content-usage: train-ai=n search=y|Content-signal: use=reference",
            &[
                "all other agents: ContentSignal: use=full > use=reference",
                "all other agents: ContentUsage: /a train-ai=n > ",
                "unchanged: all other agents",
            ],
        ),
    ];
    for (old, new, wanted) in cases {
        let body = [file(old), file(new)];
        let [one, two] = [&body[0], &body[1]].map(|body| RobotsTxt::parse(body.as_bytes()));
        let diff = Diff::new(&one, &two);
        assert_eq!(shown(&diff), *wanted, "{old}  >  {new}");
        assert_eq!(diff.is_same(), wanted.iter().all(|line| line.starts_with("unchanged")), "{old}  >  {new}");
    }
}

#[test]
fn agents_that_obey_other_groups() {
    let documented = |name: &str| match name {
        "Foo-News" => Some(Crawler::chain(["Foo-News", "Foo"]).expect("names")),
        "Ads" => Some(Crawler::new("Ads").expect("a name").named_only()),
        _ => None,
    };
    let [news, foo, ads, star] = ["u Foo-News|d /n", "u Foo|d /", "u Ads|d /a", "u *|d /s"];
    for (old, new, name, wanted) in [
        ([news, foo, star], [foo, star, "#"], "Foo-News", "Own > Of(\"Foo\")"),
        ([foo, star, "#"], [news, foo, star], "Foo-News", "Of(\"Foo\") > Own"),
        ([news, star, "#"], [star, "#", "#"], "Foo-News", "Own > Others"),
        ([foo, star, "#"], [star, "#", "#"], "Foo-News", "Of(\"Foo\") > Others"),
        ([ads, star, "#"], [star, "#", "#"], "Ads", "Own > Nobody"),
        ([star, "#", "#"], [ads, star, "#"], "Ads", "Nobody > Own"),
    ] {
        let body = [old, new].map(|groups| file(&groups.join("|")));
        let robots = body.each_ref().map(|body| RobotsTxt::parse(body.as_bytes()));
        let agents = [name.to_owned()];
        let options = DiffOptions { documented, agents: &agents, ..DiffOptions::default() };
        let diff = Diff::with(&robots[0], &robots[1], &options).expect("names");
        let moves: Vec<_> = diff.rules.iter().flat_map(|rules| &rules.moves).collect();
        let [moved] = moves[..] else { panic!("{name}: {old:?} > {new:?}: {moves:?}") };
        assert_eq!(moved.names, [name]);
        assert_eq!(format!("{:?} > {:?}", moved.from, moved.to), wanted);
    }
}

#[test]
fn dialects() {
    let (google, rfc9309) = (&Dialect::GOOGLE, &Dialect::RFC9309);
    // The typo and the assumed file name are google's; `/robots.txt` is RFC 9309's.
    check(["u *|Dissallow: /a", "u *|Dissallow: /a"], [google, rfc9309], &["all other agents: +/a: [2]! D /a > none"]);
    check(["u *|d /", "u *|d /"], [google, rfc9309], &["all other agents: +/robots.txt: [2] D / > [0]! A "]);
    check(["u Foo|d /a", "u Foo|d /a"], [google, &Dialect::YANDEX], &["unchanged: Foo and all other agents"]);
}

#[test]
fn fallbacks() {
    let body = [file("u Foo|d /a|u *|d /b"), file("u Foo|d /a|u Foo-Image|d /c|u *|d /b")];
    let [old, new] = [&body[0], &body[1]].map(|body| RobotsTxt::parse(body.as_bytes()));
    let documented = |name: &str| (name == "Foo-Image").then(|| Crawler::chain(["Foo-Image", "Foo"]).expect("names"));
    let diff = Diff::with(&old, &new, &DiffOptions { documented, ..DiffOptions::default() }).expect("no agents");
    assert_eq!(
        shown(&diff),
        [
            "Foo-Image: -/c: none > [4]! D /c",
            "Foo-Image: +/a: [2]! D /a > none",
            "Foo-Image: newly named: Foo-Image",
            "unchanged: Foo and all other agents",
        ]
    );
}

/// An agent that neither file names can obey a group of one, so it is none of all others.
#[test]
fn known_agents_that_fall_back_on_a_named_group_are_compared() {
    let documented = |name: &str| match name {
        "Foo-Image" => Some(Crawler::chain(["Foo-Image", "Foo"]).expect("names")),
        "Ads" => Some(Crawler::new("Ads").expect("a name").named_only()),
        _ => None,
    };
    let options = DiffOptions { documented, known: &["Ads", "Foo-Image"], ..DiffOptions::default() };
    let cases: &[(&str, &str, &[&str], [bool; 2])] = &[
        (
            "u *|d /a",
            "u *|d /a|u Foo|d /b",
            &[
                "Foo and Foo-Image: -/b: none > [4]! D /b",
                "Foo and Foo-Image: +/a: [2]! D /a > none",
                "Foo and Foo-Image: newly named: Foo",
                "unchanged: all other agents",
            ],
            [false, true],
        ),
        (
            "u Foo|d /g|u *|d /s",
            "u *|d /a",
            &[
                "Foo and Foo-Image: -/a: none > [2]! D /a",
                "Foo and Foo-Image: +/g: [2]! D /g > none",
                "Foo and Foo-Image: no longer named: Foo",
                "all other agents: -/a: none > [2]! D /a",
                "all other agents: +/s: [4]! D /s > none",
            ],
            [false, true],
        ),
        (
            "u *|d /a|u foo-image|d /c|u Ads|d /",
            "u *|d /a|u foo-image|d /c",
            &["Ads: +/: [6]! D / > none", "Ads: no longer named: Ads", "unchanged: foo-image and all other agents"],
            [false, false],
        ),
        ("u *|d /a", "u *|d /a|d /c", &["all other agents: -/c: none > [3]! D /c"], [true, true]),
    ];
    for (old, new, wanted, [are_all, has_named_only]) in cases {
        let body = [file(old), file(new)];
        let [one, two] = [&body[0], &body[1]].map(|body| RobotsTxt::parse(body.as_bytes()));
        let diff = Diff::with(&one, &two, &options).expect("no agents");
        assert_eq!(shown(&diff), *wanted, "{old}  >  {new}");
        let others = OtherAgents { are_all: *are_all, has_named_only: *has_named_only };
        assert_eq!(diff.others, others, "{old}  >  {new}");
        // By their names alone, they are all others.
        let alone = Diff::new(&one, &two);
        assert!(!shown(&alone).concat().contains("Foo-Image"), "{old}  >  {new}");
        assert!(!alone.others.has_named_only);
    }
}

#[test]
fn an_agent_that_obeys_only_groups_that_name_it() {
    let body = [file("u *|d /b"), file("u Foo-Ads|d /a|u *|d /b")];
    let [old, new] = [&body[0], &body[1]].map(|body| RobotsTxt::parse(body.as_bytes()));
    let documented = |name: &str| (name == "Foo-Ads").then(|| Crawler::new(name).expect("a name").named_only());
    let diff = Diff::with(&old, &new, &DiffOptions { documented, ..DiffOptions::default() }).expect("no agents");
    assert_eq!(
        shown(&diff),
        ["Foo-Ads: -/a: none > [2]! D /a", "Foo-Ads: newly named: Foo-Ads", "unchanged: all other agents"]
    );
}

#[test]
fn what_is_not_decided_is_not_the_same() {
    let body = [file("u *|d /a|u Foo|d /"), file("u *|d /b|u Foo|d /")];
    let [old, new] = [&body[0], &body[1]].map(|body| RobotsTxt::parse(body.as_bytes()));
    for (work_per_search, work) in [(1 << 20, 0), (1 << 20, 300), (1 << 20, 600)] {
        let diff = Diff::with(&old, &new, &DiffOptions { work_per_search, work, ..DiffOptions::default() });
        let diff = diff.expect("no agents");
        assert!(!diff.is_same() && !diff.is_decided(), "{work_per_search} {work}");
        let lines = shown(&diff);
        assert!(lines.iter().any(|line| line.ends_with("all other agents: not decided")), "{lines:?}");
    }
}

/// Random files, all other agents, all paths up to a length.
#[test]
fn a_diff_is_what_enumeration_finds() {
    let mut random = Random(7);
    let paths: Vec<Vec<u8>> = (0..=4)
        .flat_map(|length| (0..3_usize.pow(length)).map(move |number| (number, length)))
        .map(|(number, length)| {
            let digit = |place| b"ab/"[number / 3_usize.pow(place) % 3];
            [b'/'].into_iter().chain((0..length).map(digit)).collect()
        })
        .collect();
    let mut changes = 0;
    for round in 0..400 {
        let mut random = |parts: usize| {
            let mut lines = Vec::new();
            for _ in 0..=random.below(parts) {
                lines.push(["u *", "u Foo", "u Bar", "u Foo|u Bar", "u *|u Baz"][random.below(5)]);
                for _ in 0..random.below(4) {
                    lines.push(
                        ["d /", "d /a", "a /a", "d /*b", "a /*b$", "d /b", "a /ab", "d", "d /a$", "a /"]
                            [random.below(10)],
                    );
                }
            }
            file(&lines.join("|"))
        };
        let body = [random(3), random(3)];
        let dialects = [Dialect::ALL[round % 5], Dialect::ALL[if round % 3 == 0 { 0 } else { round % 5 }]];
        let robots = [0, 1].map(|side| RobotsTxt::parse_with(body[side].as_bytes(), dialects[side]));
        let diff = Diff::new(&robots[0], &robots[1]);
        let of = || format!("{}\n{}", body[0], body[1]);
        assert!(diff.is_decided(), "{}", of());
        for name in ["Foo", "Bar", "Baz", "*"] {
            let crawler = if name == "*" { Crawler::others() } else { Crawler::new(name).expect("a name") };
            let is_in = |agents: &Agents| {
                if name == "*" { agents.has_others } else { agents.names.iter().any(|known| known == name) }
            };
            let is_known = diff.rules.iter().map(|rules| &rules.agents).chain([&diff.unchanged]).any(is_in);
            if !is_known {
                assert!(!of().contains(name), "{name} is nowhere: {}", of());
                continue;
            }
            let group = diff.rules.iter().find(|rules| is_in(&rules.agents));
            assert_eq!(group.is_none(), is_in(&diff.unchanged), "{name} {}", of());
            let sets = robots.each_ref().map(|robots| robots.rule_set(&crawler));
            for path in &paths {
                let decisions = sets
                    .each_ref()
                    .map(|set| set.deciding_rule(UrlPath::assume(path, set.path_form())).expect("the form of the set"));
                let lines = [0, 1].map(|side| {
                    let rule = decisions[side].map(|rule| sets[side].rules()[rule.rule as usize]);
                    rule.filter(|rule| rule.origin != RuleOrigin::EmptyLine).map(|rule| rule.line)
                });
                let effect = match decisions.map(|decision| DecidingRule::verdict_of(decision).is_allow()) {
                    [true, false] => Effect::Blocked,
                    [false, true] => Effect::Opened,
                    _ => continue,
                };
                let is_line = |rule: &Option<DiffRule>, line: Option<u32>| match (rule, line) {
                    (None, None) => true,
                    (Some(rule), Some(line)) => rule.lines.contains(&line),
                    _ => false,
                };
                let is_it = |change: &&VerdictChange| {
                    change.effect == effect && is_line(&change.old, lines[0]) && is_line(&change.new, lines[1])
                };
                let found = group.and_then(|group| group.changes().iter().find(is_it));
                let found = found.unwrap_or_else(|| panic!("{name} {} {}", path.escape_ascii(), of()));
                assert!(found.path.len() <= path.len(), "{name} {} {}", path.escape_ascii(), of());
                changes += 1;
            }
            // Each change that is shown is one.
            for change in group.into_iter().flat_map(|group| group.changes()) {
                let verdicts = [0, 1].map(|side| {
                    let path = dialects[side].url_path(&change.path).expect("a path");
                    sets[side].verdict(path.as_path()).expect("the form").is_allow()
                });
                assert_eq!(verdicts[0], change.effect == Effect::Blocked, "{name} {change:?} {}", of());
                assert_ne!(verdicts[0], verdicts[1], "{name} {}", of());
            }
        }
    }
    assert!(changes > 10_000, "{changes}");
}

/// Agents that leave groups of their own for one with a thousand rules: the budget bounds what is kept of each, and all
/// of them share the rules.
#[test]
fn agents_that_obey_the_same_rules_share_them() {
    let letters =
        |at: usize| -> String { at.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect() };
    let own: String = (0..1000).map(|at| format!("User-agent: x{}\nDisallow: /{at}\n", letters(at))).collect();
    let rules: String = (0..1000).map(|at| format!("Disallow: /x{at}\n")).collect();
    let all = format!("User-agent: *\n{rules}");
    let options = DiffOptions { work: 1 << 24, ..DiffOptions::default() };
    let (old, new) = (RobotsTxt::parse(own.as_bytes()), RobotsTxt::parse(all.as_bytes()));
    let diff = Diff::with(&old, &new, &options).expect("all agents");
    assert_eq!(diff.rules.iter().map(|rules| rules.agents.names.len()).sum::<usize>(), 1000);
    let changes: usize = diff.rules.iter().map(|rules| rules.changes().len()).sum();
    assert!(!diff.is_decided() && changes > 1000 && changes < 10_000, "{changes}");
    let read: Vec<_> = diff.rules.iter().filter_map(|rules| rules.rules.as_ref()).collect();
    assert!(read.len() > 500 && read.iter().all(|[_, new]| Arc::ptr_eq(new, &read[0][1])), "{}", read.len());
}
