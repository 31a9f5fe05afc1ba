//! What a server does with the request of a page, as a word: what `fetch --as` finds out, and a census counts.

use robotsc::origin::Origin;
use serde_json::Value;

/// What a server does with the request of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Server {
    /// It sends it: 2xx.
    Served,
    /// It sends another page than to the own name: redirects lead to another host or path.
    Redirected,
    /// It refuses: 401, 403, 451 and all other 4xx that have no word here.
    Refused,
    /// It asks for payment: 402.
    Payment,
    /// It sends a challenge and says so in the header.
    Challenge,
    /// It asks to come back later: 429, or 503 with `Retry-After`.
    Limited,
    /// There is no such page: 404 or 410.
    Missing,
    /// It fails, or is not reached.
    Failed,
}

impl Server {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Served,
        Self::Redirected,
        Self::Refused,
        Self::Payment,
        Self::Challenge,
        Self::Limited,
        Self::Missing,
        Self::Failed,
    ];

    /// Returns the word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Served => "served",
            Self::Redirected => "redirected",
            Self::Refused => "refused",
            Self::Payment => "payment",
            Self::Challenge => "challenge",
            Self::Limited => "limited",
            Self::Missing => "missing",
            Self::Failed => "failed",
        }
    }

    /// Reports whether the server turns the caller down: it refuses, asks for payment, or sends a challenge.
    #[must_use]
    pub const fn turns_down(self) -> bool {
        matches!(self, Self::Refused | Self::Payment | Self::Challenge)
    }

    /// Reports whether it is at odds with what robots.txt says of the page: allowed and turned down, or disallowed and
    /// served. `None` is not known.
    #[must_use]
    pub fn is_at_odds(self, is_allowed: Option<bool>) -> bool {
        match is_allowed {
            Some(true) => self.turns_down(),
            Some(false) => self == Self::Served,
            None => false,
        }
    }
}

/// What a server did with the request of a page under the name of a crawler, as `fetch --as --json` wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAnswer {
    /// The site.
    pub origin: Origin,
    /// The crawler; `None` is the name of who asked.
    pub agent: Option<String>,
    /// What it did.
    pub server: Server,
    /// Whether robots.txt allows the page; `None` if that is not known.
    pub is_allowed: Option<bool>,
}

impl ServerAnswer {
    /// Reads a line.
    ///
    /// # Errors
    /// If it is none that `fetch --as --json` writes.
    pub fn read(line: &[u8]) -> Result<Self, String> {
        let row: Value = serde_json::from_slice(line).map_err(|error| format!("it is no JSON: {error}"))?;
        if row["type"] != "fetch-as" {
            return Err("it is no object of the type fetch-as".to_owned());
        }
        let text = |name: &str| row[name].as_str().ok_or_else(|| format!("{name}: it is no text"));
        let word = text("server")?;
        Ok(Self {
            origin: Origin::of_url(text("origin")?.as_bytes()).map_err(|error| format!("origin: {error}"))?,
            agent: if row["agent"].is_null() { None } else { Some(text("agent")?.to_owned()) },
            server: Server::ALL
                .into_iter()
                .find(|server| server.name() == word)
                .ok_or_else(|| format!("server: {} is no word for an answer", crate::shown::line(word)))?,
            is_allowed: match &row["verdict"] {
                Value::Null if row.get("verdict").is_some() => None,
                Value::String(verdict) if verdict == "allowed" => Some(true),
                Value::String(verdict) if verdict == "disallowed" => Some(false),
                _ => return Err("verdict: it is neither allowed, disallowed nor null".to_owned()),
            },
        })
    }
}
