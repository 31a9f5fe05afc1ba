//! The JSON Schemas of the objects that the command and the server write. They are kept by hand in `docs/schema`, and
//! the tests compare them with what is written.

/// The schemas by name, in order.
pub const ALL: [(&str, &str); 14] = [
    ("agent", include_str!("../schema/agent.json")),
    ("agent-totals", include_str!("../schema/agent-totals.json")),
    ("diff", include_str!("../schema/diff.json")),
    ("error", include_str!("../schema/error.json")),
    ("explanation", include_str!("../schema/explanation.json")),
    ("fetch", include_str!("../schema/fetch.json")),
    ("fetch-as", include_str!("../schema/fetch-as.json")),
    ("filter-summary", include_str!("../schema/filter-summary.json")),
    ("finding", include_str!("../schema/finding.json")),
    ("pack-origin", include_str!("../schema/pack-origin.json")),
    ("pack-summary", include_str!("../schema/pack-summary.json")),
    ("set-explanation", include_str!("../schema/set-explanation.json")),
    ("test", include_str!("../schema/test.json")),
    ("verdict", include_str!("../schema/verdict.json")),
];

/// Returns the schema with a name.
///
/// ```
/// use robotsc_answers::schema;
///
/// assert!(schema::of("verdict").is_some_and(|text| text.contains("\"const\": \"verdict\"")));
/// ```
#[must_use]
pub fn of(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
