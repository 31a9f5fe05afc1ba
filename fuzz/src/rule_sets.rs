use robotsc_build::diagnostic::Severity;
use robotsc_build::limits::BuildLimits;
use robotsc_build::reference_matcher::ReferenceMatcher;
use robotsc_build::{CompiledSet, load};
use robotsc_runtime::{AgentName, name_of_key};

/// Reads any text as a file of rule sets; what is read is compiled and answers as the reference matcher does, with the
/// rule that decides; what is refused says why, at a place in the text.
///
/// # Panics
/// Where it does not.
pub fn rule_sets(data: &[u8]) {
    let (text, path) = crate::split(data);
    let Ok(text) = str::from_utf8(text) else { return };
    let limits = BuildLimits::default()
        .max_regex_table(1 << 14)
        .max_regex_tables(1 << 16)
        .max_regexes(8)
        .max_pattern_bytes(1 << 10);
    let loaded = match load::load_str("a.ron", text, &limits) {
        Ok(loaded) => loaded,
        Err(errors) => {
            assert!(errors.iter().any(|error| error.severity() == Severity::Error));
            let shown = errors.to_string();
            assert!(shown.chars().all(|char| char == '\n' || !char.is_control()), "{shown:?}");
            assert!(shown.len() < 1 << 18, "{} bytes of errors", shown.len());
            let lines = text.split(['\n', '\r']).count();
            for error in &errors {
                assert!(error.position().is_some_and(|(line, _)| line as usize <= lines), "{error}");
            }
            return;
        }
    };
    for set in &loaded.sets {
        let reference_matcher = ReferenceMatcher::new(set).expect("a set that was read");
        let compiled = CompiledSet::of(set).expect("a set that was read");
        let tables = compiled.tables().unwrap();
        let embedded = tables.set();
        let agents = set.agents.iter().map(|agent| agent.0.as_str()).take(3).chain(["FooBot"]);
        for agent in agents {
            for path in [path, b"/", b"/cart/a?sid=1;b&c=d", b"/a/b.html"] {
                let path = set.dialect.raw_path(path);
                let path = path.as_path();
                let name = AgentName::of_group(name_of_key(agent.as_bytes()).unwrap_or(b"foobot")).expect("a name");
                let decision = reference_matcher.decide_path(Some(name), path).expect("its form");
                let answer = embedded.verdict(name, path).expect("its form");
                assert_eq!(answer.verdict, decision.verdict, "{agent} {}", path.as_bytes().escape_ascii());
                assert_eq!(embedded.is_allowed(name, path), Ok(decision.verdict.is_allow()));
                let place = (decision.place as usize).checked_sub(1).map(|place| &set.places[place]);
                let expected = place.map(|place| (place.file.as_str(), place.line, place.text.as_str(), decision.name));
                let given = answer.rule.map(|rule| (rule.file, rule.line, rule.text, rule.name));
                assert_eq!(given, expected, "{agent} {}", path.as_bytes().escape_ascii());
            }
        }
    }
}
