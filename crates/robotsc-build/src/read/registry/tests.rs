use super::*;

/// A register of these agents, each written as in the file, with the source `s`.
fn register(agents: &str) -> String {
    format!(
        "(\n    version: 1,\n    sources: {{ \"s\": (url: \"https://bots.example/\", checked: \"2026-11-21\") }},\n    \
         agents: [\n{agents}\n    ],\n)"
    )
}

fn error(text: &str) -> String {
    Registry::parse("agents.ron", text).unwrap_err().to_string()
}

const PLAIN: &str = r#"(token: "FooBot", operator: "Foo", purposes: ["search"], source: "s"),"#;

#[test]
fn defaults_and_order() {
    let text = register(&format!(
        "{PLAIN}\n{}",
        r#"(token: "barbot.1", operator: "Bar", purposes: ["ads", "seo"], fallback: ["FooBot", "Other"],
            robots: "ignored", control: true, source: "s", note: "n"),"#
    ));
    let registry = Registry::parse("agents.ron", &text).unwrap();
    let [bar, foo] = registry.agents() else { panic!("two agents") };
    assert_eq!((foo.token.as_str(), foo.robots, foo.control), ("FooBot", Obedience::Obeyed, false));
    assert_eq!((foo.source.as_str(), foo.checked.as_str()), ("https://bots.example/", "2026-11-21"));
    assert_eq!((bar.token.as_str(), bar.robots, bar.control), ("barbot.1", Obedience::Ignored, true));
    assert_eq!(bar.fallback.len(), 2);
    assert_eq!(bar.purposes, [Purpose::Ads, Purpose::Seo]);
    assert_eq!(bar.note.as_deref(), Some("n"));
}

#[test]
fn what_is_refused_and_where() {
    let agent = |from: &str, to: &str| register(&PLAIN.replace(from, to));
    for (text, said) in [
        (
            register(&format!("{PLAIN}\n{}", PLAIN.replace("FooBot", "foobot"))),
            "agents.ron:6: agent `foobot`: registered twice",
        ),
        (agent("FooBot", "Foo Bot"), "agents.ron:5: agent `Foo Bot`: a token has 1 to 128 letters"),
        (agent("FooBot", ""), "agents.ron:5: agent ``: a token has"),
        (agent("[\"search\"]", "[]"), "agents.ron:5: agent `FooBot`: no purpose"),
        (agent("[\"search\"]", "[\"search\", \"search\"]"), "a purpose is listed twice"),
        (
            agent("[\"search\"]", "[\"fun\"]"),
            "agents.ron:5: agent `FooBot`: `fun`: no such purpose, there are search, ",
        ),
        (agent("source:", "robots: \"fun\", source:"), "no such value of `robots`, there are obeyed, "),
        (agent("source:", "robots: \"disobeyed\", source:"), "come together"),
        (agent("source:", "report: \"s\", source:"), "come together"),
        (agent("source:", "robots: \"disobeyed\", report: \"t\", source:"), "source `t` is not among the sources"),
        (register(PLAIN).replace(", checked: \"2026-11-21\"", ""), "agents.ron:3:"),
        (agent("\"Foo\"", "\" \""), "no operator"),
        (agent("source: \"s\"", "source: \"t\""), "source `t` is not among the sources"),
        (agent("source:", "fallback: [\"foobot\"], source:"), "falls back on `foobot` twice, or on itself"),
        (agent("source:", "fallback: [\"*\"], source:"), "falls back on `*`, which is not a token"),
        (agent("source:", "successors: [\"BarBot\"], source:"), "agents.ron:5: agent `FooBot`: it has successors, and"),
        (
            agent("source:", "retired: true, successors: [\"BarBot\"], source:"),
            "agents.ron:5: agent `FooBot`: its successor `BarBot` is not registered",
        ),
        (
            agent("source:", "retired: true, successors: [\"FooBot\"], source:"),
            "agents.ron:5: agent `FooBot`: its successor `FooBot` is retired, too",
        ),
        (agent("source:", "user_agent: \"Foo/1.0\", source:"), "`user_agent` does not contain the token"),
        (agent("source:", "user_agent: \"FooBot\\n\", source:"), "a character that no header can"),
        (agent("source:", "user_agent: \"FooBot\", control: true, source:"), "nothing is fetched under this name"),
        (agent("source:", "user_agent: \"FooBot\", retired: true, source:"), "nothing is fetched under this name"),
        (agent("source:", "user_agent_source: \"s\", source:"), "`user_agent_source` without `user_agent`"),
        (
            agent("source:", "user_agent: \"FooBot\", user_agent_source: \"t\", source:"),
            "source `t` is not among the sources",
        ),
        (agent("operator:", "owner:"), "agents.ron:5:"),
        (
            register(PLAIN).replace("version: 1", "version: 2"),
            "agents.ron:2: version 2 of the register, this reads version 1",
        ),
        (
            register(PLAIN).replace("https://", "ftp://"),
            "agents.ron:3: source `s`: `ftp://bots.example/` is not an https URL",
        ),
        (register(PLAIN).replace("2026-11-21", "2026-13-21"), "is not a day, write it as 2026-11-21"),
        (register(""), "source `s`: no agent uses it"),
        ("(".to_owned(), "agents.ron:1:"),
        (" ".repeat(MAX_BYTES + 1), "the limit is 1048576"),
    ] {
        let error = error(&text);
        assert!(error.contains(said), "{error}\nnot: {said}\n{text:.200}");
    }
}

#[test]
fn days() {
    for (day, is) in [
        ("2026-11-21", true),
        ("1990-01-31", true),
        ("2026-1-21", false),
        ("2026-11-32", false),
        ("2026-11", false),
        ("2026-11-21-1", false),
        ("+026-11-21", false),
        ("", false),
    ] {
        assert_eq!(is_day(day), is, "{day}");
    }
}

#[test]
fn the_generated_table_is_stable_and_holds_every_field() {
    let registry = Registry::parse("agents.ron", &register(PLAIN)).unwrap();
    let text = registry.generate("crate::bundled");
    assert_eq!(text, registry.generate("crate::bundled"));
    for part in [
        "pub(crate) static AGENTS: &[crate::bundled::KnownAgent]",
        "token: \"FooBot\"",
        "purposes: &[crate::bundled::Purpose::Search]",
        "robots: crate::bundled::Obedience::Obeyed",
        "checked: \"2026-11-21\"",
        "report: ::core::option::Option::None",
        "user_agent: ::core::option::Option::None",
        "user_agent_source: ::core::option::Option::None",
        "note: ::core::option::Option::None",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(registry.generate("no path").contains("[crate::KnownAgent]"));
}

#[test]
fn every_crawler_of_the_bundled_register_has_a_source_and_a_day() {
    let agents = Registry::bundled().agents();
    assert!(agents.len() > 210, "{}", agents.len());
    for agent in agents {
        assert!(agent.source.starts_with("https://") && is_day(&agent.checked), "{}", agent.token);
        // The registrations that a crawler obeys another's group by: those groups must be of known names.
        for token in agent.fallback.iter().filter(|token| *token != "Yandex") {
            assert!(Registry::bundled().agent(token).is_some(), "{} falls back on {token}", agent.token);
        }
    }
}

#[test]
fn the_bundled_register_says_what_operators_document() {
    let of = |token: &str| Registry::bundled().agent(token).unwrap_or_else(|| panic!("{token}"));
    for token in ["Googlebot-Image", "Googlebot-News", "Googlebot-Video", "Google-InspectionTool", "Applebot"] {
        assert_eq!(of(token).fallback, ["Googlebot"], "{token}");
    }
    for token in ["AdsBot-Google", "AdsBot-Google-Mobile", "Mediapartners-Google", "APIs-Google"] {
        assert_eq!(of(token).robots, Obedience::ObeyedByName, "{token}");
        assert!(of(token).fallback.is_empty(), "{token}");
    }
    for token in ["FeedFetcher-Google", "Google-Read-Aloud", "Google-Safety"] {
        assert_eq!(of(token).robots, Obedience::Ignored, "{token}");
    }
    assert!(of("Google-Extended").control && of("Applebot-Extended").control);
    assert!(of("claude-web").retired && of("Bytespider").report.is_some());
    for token in ["cohere-training-data-crawler", "Ai2Bot-Dolma", "TikTokSpider", "img2dataset", "KimiBot"] {
        assert!(of(token).purposes.contains(&Purpose::AiTraining), "{token}");
    }
}
