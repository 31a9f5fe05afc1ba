use std::collections::HashMap;

use super::tests::file;
use super::tests::random::Random;
use super::*;

fn changed(lines: &ChangedLines) -> String {
    let line = |line: &ChangedLine| {
        let other = match &line.other {
            OtherLine::None => String::new(),
            OtherLine::Moved(other) => format!(" > {other}"),
            OtherLine::Unread(other) => format!(" > {} {}", other.line, String::from_utf8_lossy(&other.text)),
        };
        format!("{} {}{other}", line.line.line, String::from_utf8_lossy(&line.line.text))
    };
    let more = (lines.more > 0).then(|| format!("{} more", lines.more));
    lines.first.iter().map(line).chain(more).collect::<Vec<_>>().join(", ")
}

fn one(line: &ChangedLine) -> String {
    changed(&ChangedLines { first: vec![line.clone()], more: 0 })
}

/// Returns why a line counts for other agents, in short.
fn shown(Regrouping { lines, change }: &Regrouping) -> String {
    let change = match change {
        GroupChange::Merged { begins, began, gone } => format!("merged {began:?} {begins} [{}]", changed(gone)),
        GroupChange::Split { begins, began, added } => format!("split {began} {begins} [{}]", changed(added)),
        GroupChange::AgentsAdded(lines) => format!("added [{}]", changed(lines)),
        GroupChange::AgentsRemoved(lines) => format!("removed [{}]", changed(lines)),
        GroupChange::AgentsMoved(lines) => format!("agents moved [{}]", changed(lines)),
        GroupChange::LineMoved(begins) => format!("line moved to {begins}"),
        GroupChange::Left(gone) => format!("left [{}]", gone.as_ref().map_or_else(String::new, one)),
        GroupChange::Joined(line) => format!("joined [{}]", one(line)),
    };
    format!("{lines:?} {change}")
}

/// Returns why rules count for other agents, and the rules that are in one file alone.
fn causes(old: &str, new: &str) -> Vec<String> {
    let body = [file(old), file(new)];
    let [old, new] = [&body[0], &body[1]].map(|body| RobotsTxt::parse(body.as_bytes()));
    let diff = Diff::new(&old, &new);
    let mut lines = Vec::new();
    for rules in &diff.rules {
        for (sign, rule) in rules.changes().iter().flat_map(|change| [('-', &change.old), ('+', &change.new)]) {
            let Some(rule) = rule.as_ref().filter(|rule| rules.is_of_one_file(rule)) else { continue };
            let unread = rule.unread.as_ref().map_or_else(String::new, |line| format!(" > {}", line.line));
            lines.push(format!("{}: {sign}{:?}{unread}", rules.agents, rule.lines));
        }
        lines.extend(rules.regroupings.iter().map(|found| format!("{}: {}", rules.agents, shown(found))));
    }
    for records in &diff.records {
        lines
            .extend(records.moves.iter().map(|moved| format!("{}: {:?} > {:?}", records.agents, moved.from, moved.to)));
        lines.extend(records.regroupings.iter().map(|found| format!("{}: {}", records.agents, shown(found))));
    }
    lines
}

#[test]
fn lines_that_count_for_other_agents() {
    let [open, merged] = ["u Foo|a /|#|u Bar|d /", "u Foo|#|u Bar|d /"];
    let mut wrong = Vec::new();
    for (old, new, wanted) in [
        // A deleted rule merges two groups, an added one splits them.
        (open, merged, &["Foo: -[2]", "Foo: [5, 4] merged Some(3) 1 [2 Allow: /]"][..]),
        (merged, open, &["Foo: +[2]", "Foo: [4, 5] split 1 4 [2 Allow: /]"]),
        // A deleted agent leaves its rules to the group before.
        ("u Foo|d /x|u Bar|d /", "u Foo|d /x|d /", &["Foo: [4, 3] merged None 1 [3 User-agent: Bar]"]),
        ("u Foo|d /x|d /", "u Foo|d /x|u Bar|d /", &["Foo: [3, 4] split 1 3 [3 User-agent: Bar]"]),
        // A rule that is edited into a comment.
        (open, "u Foo|# a /|#|u Bar|d /", &["Foo: -[2]", "Foo: [5, 5] merged Some(4) 1 [2 Allow: /]"]),
        // All rules between three groups, for the first of them.
        (
            "u Foo|d /a||u Bar|d /b||u Baz|d /",
            "u Foo||u Bar||u Baz|d /",
            &[
                "Foo: [8, 6] merged Some(5) 1 [2 Disallow: /a, 5 Disallow: /b]",
                "Bar: [8, 6] merged Some(5) 1 [5 Disallow: /b]",
            ],
        ),
        (
            "u Foo|d /a|u Bar|d /b|u C|d /c|u D|d /d|u E|d /",
            "u Foo|u Bar|u C|u D|u E|d /",
            &[
                "Foo: [10, 6] merged Some(5) 1 [2 Disallow: /a, 4 Disallow: /b, 6 Disallow: /c, 1 more]",
                "Bar: [10, 6] merged Some(5) 1 [4 Disallow: /b, 6 Disallow: /c, 8 Disallow: /d]",
                "C: [10, 6] merged Some(5) 1 [6 Disallow: /c, 8 Disallow: /d]",
                "D: [10, 6] merged Some(5) 1 [8 Disallow: /d]",
            ],
        ),
        // A merge that only opens.
        ("u Foo|d /|u *|d /x", "u Foo|# d /|u *|d /x", &["Foo: -[2]", "Foo: [4, 4] merged Some(3) 1 [2 Disallow: /]"]),
        // An agent that another group names, too.
        ("u Foo|d /x|u Bar|d /", "u Foo|d /x|u Foo|u Bar|d /", &["Foo: [4, 5] added [3 User-agent: Foo]"]),
        ("u Foo|d /x|u Foo|u Bar|d /", "u Foo|d /x|u Bar|d /", &["Foo: [5, 4] removed [3 User-agent: Foo]"]),
        // A name in the place of another: what was taken opens the paths.
        ("u *|d /a", "u Bar|d /a", &["all other agents: [2, 2] removed [1 User-agent: *]"]),
        ("u Foo|u *|d /a", "u Foo|u Bar|d /a", &["all other agents: [3, 3] removed [2 User-agent: *]"]),
        (
            "u *|d /a|u Bar|d /b",
            "u Bar|d /a|u Bar|d /b",
            &["Bar: [2, 2] added [1 User-agent: Bar]", "all other agents: [2, 2] removed [1 User-agent: *]"],
        ),
        // Lines of agents that moved, and rules that did.
        (
            "u Bar|d /||u *|d /c|d /s",
            "u Bar|u *|d /||d /c|d /s",
            &["all other agents: [2, 3] agents moved [4 User-agent: * > 2]"],
        ),
        (
            "u A|d /a||u B|d /b",
            "u B|d /a||u A|d /b",
            &["A: [5, 5] agents moved [1 User-agent: A > 4]", "B: [2, 2] agents moved [4 User-agent: B > 1]"],
        ),
        (
            "u A|u B|d /a||u C|d /c",
            "u A|u B|u C|d /a||d /c",
            &["A and B: [6, 6] merged None 1 [5 User-agent: C > 3]", "C: [3, 4] agents moved [5 User-agent: C > 3]"],
        ),
        (
            "u Bar|d /b||u *|d /a|d /s",
            "u Bar|d /b|d /a||u *|d /s",
            &["Bar: [5, 3] line moved to 1", "all other agents: [5, 3] line moved to 1"],
        ),
        // A rule that no group has, since the line above it is none of an agent, or since it is above that.
        ("u *|d /b", "User-agnet: *|d /b", &["all other agents: [2, 2] left [1 User-agent: * > 1 User-agnet: *]"]),
        ("User-agnet: *|d /b", "u *|d /b", &["all other agents: [2, 2] joined [1 User-agent: * > 1 User-agnet: *]"]),
        ("u *|d /b", "d /b|u *", &["all other agents: [2, 1] left [1 User-agent: * > 2]"]),
        ("d /b|u *", "u *|d /b", &["all other agents: [1, 2] joined [1 User-agent: * > 2]"]),
        ("u Foo|d /b|u *|d /a", "# Foo|d /b|u *|d /a", &["Foo: [2, 2] left [1 User-agent: Foo]"]),
        // A line that nobody reads in the place of one.
        ("u *|d /a|d /s", "u *|d /a|Disalllow: /s", &["all other agents: -[3] > 3"]),
        ("u *|d /a|Dis allow: /s", "u *|d /a|d /s", &["all other agents: +[3] > 3"]),
        // A new line is none that is old elsewhere.
        ("er-agent: X|d /||u *|a /|d /a", "er-agent: X|d /||u *|a /|d /a||u Bar|d /", &[]),
        ("u *|d /b", "u *|d /c", &["all other agents: +[2]", "all other agents: -[2]"]),
        // New lines, and lines of agents that left their group, need no such reason.
        ("u Foo|d /x", "u Foo|d /x|d /y", &["Foo: +[3]"]),
        ("u Foo|d /x|u *|d /", "u *|d /", &[]),
        ("u Foo|d /x|u *|d /", "u *|d /|u Foo|d /x", &[]),
        // Records.
        ("u *|d /a|c 5", "u *|d /a|c 5|u Foo|d /a", &["Foo: Others > Own"]),
        (
            "u Foo|d /a|c 2|u *|d /a",
            "u Foo|u *|d /a|c 2",
            &["all other agents: [3, 4] agents moved [4 User-agent: * > 2]"],
        ),
    ] {
        let found = causes(old, new);
        if found != wanted {
            wrong.push(format!("{old}  >  {new}: {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The agents of a group are compared once, not for each of its rules: else this test takes minutes.
#[test]
fn rules_of_many_agents_take_little_time() {
    let agents: String = (0..25_000).map(|at| format!("|u a{at}")).collect();
    let rules: String = (0..1_000).map(|at| format!("|d /{at:04}")).collect();
    let old = format!("u Foo|d /x{agents}{rules}");
    for (new, wanted) in [
        (format!("u Foo{agents}{rules}"), "Foo: [25003, 25002] merged Some(2) 1 [2 Disallow: /x]"),
        (format!("u Foo|d /x{agents}|u Foo{rules}"), "Foo: [25003, 25004] added [25003 User-agent: Foo]"),
    ] {
        let found = causes(&old, &new);
        assert_eq!(found.last().map(String::as_str), Some(wanted));
    }
}

/// Agents that leave one large group, each for a group of its own.
#[test]
fn causes_of_many_agents_take_little_time() {
    let agents: String = (0..4_000).map(|at| format!("u a{at}|")).collect();
    let own: String = (0..4_000).map(|at| format!("|u a{at}|d /x/{at}")).collect();
    let (old, new) = (format!("{agents}d /x"), format!("u b|d /x{own}"));
    let body = [file(&old), file(&new)];
    let [old, new] = [&body[0], &body[1]].map(|body| RobotsTxt::parse(body.as_bytes()));
    let diff = Diff::new(&old, &new);
    assert!(diff.rules.len() > 1000, "{}", diff.rules.len());
    let is_named = |rules: &&RuleDiff| rules.regroupings.iter().any(|found| found.lines == [4001, 2]);
    assert!(diff.rules.iter().filter(is_named).count() > 1000);
}

/// Random edits as a person makes them: lines that are moved, deleted, renamed, copied, and put into comments.
#[test]
fn no_line_that_stands_is_called_new_or_removed() {
    let mut random = Random(11);
    let (mut marked, mut named) = (0, 0);
    for _ in 0..4_000 {
        let mut lines: Vec<String> = Vec::new();
        for _ in 0..=random.below(4) {
            for _ in 0..=random.below(2) {
                lines.push(format!("User-agent: {}", ["*", "Foo", "Bar", "Baz"][random.below(4)]));
            }
            for _ in 0..random.below(4) {
                let kind = ["Disallow", "Disallow", "Allow"][random.below(3)];
                lines.push(format!("{kind}: {}", ["/", "/a", "/b", "/a/b", "/c"][random.below(5)]));
            }
            if random.below(3) > 0 {
                lines.push(String::new());
            }
        }
        let old = lines.clone();
        for _ in 0..=random.below(2) {
            if lines.is_empty() {
                break;
            }
            let at = random.below(lines.len());
            match random.below(6) {
                0 | 1 => {
                    let line = lines.remove(at);
                    lines.insert(random.below(lines.len() + 1), line);
                }
                2 => drop(lines.remove(at)),
                3 => lines.insert(at, lines[random.below(lines.len())].clone()),
                4 => lines[at].insert_str(0, "# "),
                _ if lines[at].starts_with("User-agent") => lines[at] = "User-agent: Baz".to_owned(),
                _ => lines[at] = "Disallow: /c".to_owned(),
            }
        }
        let files = [old, lines];
        let body = files.each_ref().map(|lines| lines.join("\n") + "\n");
        let robots = body.each_ref().map(|body| RobotsTxt::parse(body.as_bytes()));
        let diff = Diff::new(&robots[0], &robots[1]);
        let what = || format!("{}\n=====\n{}\n{diff:#?}", body[0], body[1]);
        let count = |side: usize, text: &str| files[side].iter().filter(|line| *line == text).count();
        let always = always_kept(files.each_ref().map(Vec::as_slice));
        // What is said to be in one file alone is: the other has fewer of it, and no minimal line diff keeps it.
        let is_alone = |side: usize, line: u32| {
            let text = &files[side][line as usize - 1];
            count(side, text) > count(1 - side, text) && !always[side][line as usize - 1]
        };
        for rules in &diff.rules {
            for (side, rule) in rules.changes().iter().flat_map(|change| [(0, &change.old), (1, &change.new)]) {
                let Some(rule) = rule.as_ref().filter(|rule| rules.is_of_one_file(rule)) else { continue };
                marked += 1;
                assert!(rule.lines.iter().all(|line| is_alone(side, *line)), "{side} {rule:?}\n{}", what());
            }
            for Regrouping { lines, change } in &rules.regroupings {
                named += 1;
                let texts = [0, 1].map(|side: usize| files[side].get(lines[side] as usize - 1));
                assert_eq!(texts[0], texts[1], "{}", what());
                let (side, lines, is_of_agents) = match change {
                    GroupChange::Merged { gone, .. } => (0, &gone.first[..], false),
                    GroupChange::Split { added, .. } => (1, &added.first[..], false),
                    GroupChange::AgentsAdded(lines) => (1, &lines.first[..], true),
                    GroupChange::AgentsRemoved(lines) | GroupChange::AgentsMoved(lines) => (0, &lines.first[..], true),
                    GroupChange::Left(line) => (0, line.as_slice(), false),
                    GroupChange::Joined(_) | GroupChange::LineMoved(_) => (1, &[][..], false),
                };
                for line in lines {
                    let text = &files[side][line.line.line as usize - 1];
                    assert_eq!(text.as_bytes(), line.line.text, "{}", what());
                    match line.other {
                        OtherLine::None => assert!(is_alone(side, line.line.line), "{line:?}\n{}", what()),
                        OtherLine::Moved(other) => assert_eq!(&files[1 - side][other as usize - 1], text),
                        OtherLine::Unread(_) => panic!("{line:?} {}", what()),
                    }
                    let is_of = |name: &str| match name {
                        "*" => rules.agents.has_others,
                        name => rules.agents.names.iter().any(|known| known == name),
                    };
                    let name = text.strip_prefix("User-agent: ");
                    assert!(!is_of_agents || name.is_some_and(is_of), "{change:?}\n{}", what());
                }
                // Something made it so.
                assert!(
                    !lines.is_empty()
                        || matches!(
                            change,
                            GroupChange::Left(None) | GroupChange::Joined(_) | GroupChange::LineMoved(_)
                        ),
                    "{change:?}\n{}",
                    what()
                );
            }
        }
    }
    assert!(marked > 500 && named > 500, "{marked} {named}");
}

/// Returns for each line of both files whether all minimal line diffs keep it.
fn always_kept(files: [&[String]; 2]) -> [Vec<bool>; 2] {
    let length = |old: &[&String], new: &[&String]| {
        let mut row = vec![0_usize; new.len() + 1];
        for one in old {
            let mut next = vec![0; new.len() + 1];
            for (at, two) in new.iter().enumerate() {
                next[at + 1] = if one == two { row[at] + 1 } else { row[at + 1].max(next[at]) };
            }
            row = next;
        }
        row[new.len()]
    };
    let all = files.map(|lines| lines.iter().collect::<Vec<_>>());
    let most = length(&all[0], &all[1]);
    let mut known: HashMap<(usize, usize), bool> = HashMap::new();
    [0, 1].map(|side: usize| {
        let mut is_kept = |at: usize| {
            *known.entry((side, at)).or_insert_with(|| {
                let mut without = all.clone();
                without[side].remove(at);
                length(&without[0], &without[1]) < most
            })
        };
        (0..all[side].len()).map(&mut is_kept).collect()
    })
}
