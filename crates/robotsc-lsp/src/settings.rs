//! The settings of the editor: `initializationOptions`, or the section `robotsc` of its configuration.
//!
//! ```json
//! { "dialect": "google", "severity": { "prefix-overreach": "warning", "tie-decides": "off" },
//!   "sitemaps": ["public/sitemap.xml"] }
//! ```

use std::collections::BTreeMap;

use robotsc::Dialect;
use robotsc::analysis::lint::LintCheck;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// How an editor shows a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Level {
    Off,
    Hint,
    Info,
    Warning,
    Error,
}

/// What the user of the editor chose.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) dialect: Option<&'static Dialect>,
    /// Whether notes are reported, too.
    pub(crate) all: bool,
    pub(crate) severity: BTreeMap<&'static str, Level>,
    /// Files, from the folder of the workspace.
    pub(crate) sitemaps: Vec<String>,
}

/// The settings as they are written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    dialect: Option<String>,
    all: bool,
    severity: BTreeMap<String, Level>,
    sitemaps: Vec<String>,
    /// Those of the VS Code extension itself.
    #[serde(rename = "path")]
    _path: Option<IgnoredAny>,
    #[serde(rename = "trace")]
    _trace: Option<IgnoredAny>,
}

impl Settings {
    /// Reads settings; without any, the defaults.
    ///
    /// # Errors
    /// A message for a person.
    pub(crate) fn read(value: &Value) -> Result<Self, String> {
        let value = match value {
            Value::Null => return Ok(Self::default()),
            // Some editors send all of their configuration.
            value => value.get("robotsc").unwrap_or(value),
        };
        let written = Option::<Written>::deserialize(value)
            .map_err(|error| format!("bad settings: robotsc: {error}: see docs/editors.md"))?
            .unwrap_or_default();
        let dialect = match written.dialect.as_deref() {
            None | Some("") => None,
            Some(name) => Some(Dialect::by_name(name).ok_or_else(|| {
                let known: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name).collect();
                format!(
                    "bad settings: robotsc.dialect: no dialect is called {name:?}: write one of {}",
                    known.join(", ")
                )
            })?),
        };
        let mut severity = BTreeMap::new();
        for (code, level) in written.severity {
            let check = LintCheck::by_code(&code).ok_or_else(|| {
                format!(
                    "bad settings: robotsc.severity: no check is called {code:?}: `robotsc lint --explain` lists them"
                )
            })?;
            severity.insert(check.code(), level);
        }
        Ok(Self { dialect, all: written.all, severity, sitemaps: written.sitemaps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_are_read() {
        for value in [json!(null), json!({}), json!({ "robotsc": null }), json!({ "path": "x", "trace": {} })] {
            assert!(Settings::read(&value).is_ok_and(|settings| settings.dialect.is_none()), "{value}");
        }
        let value = json!({ "robotsc": { "dialect": "yandex", "severity": { "tie-decides": "off" } } });
        let settings = Settings::read(&value).expect("settings");
        assert_eq!(settings.dialect, Some(&Dialect::YANDEX));
        assert_eq!(settings.severity.get("tie-decides"), Some(&Level::Off));
    }

    #[test]
    fn mistakes_are_errors() {
        for (value, part) in [
            (json!({ "dialect": "bing" }), "no dialect is called \"bing\": write one of google, rfc9309"),
            (json!({ "severity": { "x": "off" } }), "no check is called \"x\""),
            (json!({ "severity": { "tie-decides": "loud" } }), "unknown variant `loud`"),
            (json!({ "severities": {} }), "unknown field `severities`"),
            (json!([1, 2, 3, 4, 5, 6, 7]), "bad settings: robotsc: "),
            (json!("x"), "bad settings: robotsc: "),
        ] {
            let error = Settings::read(&value).expect_err("a mistake");
            assert!(error.contains(part), "{error}");
        }
    }
}
