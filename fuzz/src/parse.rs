use robotsc::agent::HeaderNames;
use robotsc::robots_txt::ByteSpan;
use robotsc::{Crawler, Dialect, RobotsTxt};

/// Parses `data` under every dialect, and under one that differs from all of them.
///
/// # Panics
/// Where a span, a range or a line number is not of the body.
pub fn parse(data: &[u8]) {
    let odd = Dialect {
        decode_utf16: true,
        max_line: Some(40),
        max_file: Some(400),
        blank_line_closes: true,
        any_record_closes: true,
        ..Dialect::GOOGLE
    };
    for dialect in Dialect::ALL.into_iter().chain([&odd]) {
        let robots = RobotsTxt::parse_with(data, dialect);
        check(&robots);
        for token in [&b"a"[..], b"", b"*", b"foo-bar", b"\xff"] {
            let selection = robots.select(&Crawler::raw(vec![token.to_vec()]));
            assert!(selection.groups.iter().all(|group| (group.0 as usize) < robots.groups().len()));
            let rules = robots.rule_set_of(&selection);
            assert!(rules.rules().iter().all(|rule| rule.source.end as usize <= robots.body().len()));
        }
        // The body's own tokens, looked for in the body as if it were a header.
        if let Ok(known) = HeaderNames::of(&robots) {
            assert!(known.find(data).all(|token| known.names().any(|known| known.eq_ignore_ascii_case(token))));
        }
    }
}

fn check(robots: &RobotsTxt<'_>) {
    let inside = |span: ByteSpan| span.start <= span.end && span.end as usize <= robots.body().len();
    let lines = 1 + robots.body().iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count();
    let is_line = |line: u32| line >= 1 && line as usize <= lines;
    assert!(robots.agents().iter().all(|agent| inside(agent.value) && inside(agent.token) && is_line(agent.line)));
    assert!(robots.rules().iter().all(|rule| inside(rule.value) && is_line(rule.line)));
    assert!(robots.records().iter().all(|record| inside(record.key) && inside(record.value) && is_line(record.line)));
    assert!(robots.diagnostics().iter().all(|diagnostic| inside(diagnostic.span)));
    let (mut agents, mut rules, mut records) = (0, 0, 0);
    for group in robots.groups() {
        assert!(group.agents.start == agents && group.agents.end >= agents, "agents of {group:?}");
        assert!(group.rules.start == rules && group.rules.end >= rules, "rules of {group:?}");
        assert!(group.records.start >= records && group.records.end >= group.records.start, "records of {group:?}");
        (agents, rules, records) = (group.agents.end, group.rules.end, group.records.end);
    }
    assert_eq!((agents as usize, rules as usize), (robots.agents().len(), robots.rules().len()));
    assert!(records as usize <= robots.records().len());
}
