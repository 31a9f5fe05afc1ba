//! What one asks about a robots.txt, and what one gets: agents by name or purpose, and check, explain, lint, diff and
//! matrix as data, as sentences and as JSON.
//!
//! The command `robotsc` and its server answer with the same code, so that an object of JSON has one form:
//! ```
//! use std::borrow::Cow;
//!
//! use robotsc::{Dialect, RobotsTxt};
//! use robotsc_answers::chosen_agent::ChosenAgent;
//! use robotsc_answers::matrix::Column;
//! use robotsc_answers::url_path::UrlReader;
//!
//! let robots = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n");
//! let agents = ChosenAgent::of("purpose:ai-training", false)?;
//! let mut column = Column::new(agents[0].clone(), &robots);
//! let path = UrlReader::new(&Dialect::GOOGLE).path(b"https://shop.example/cart/1")?;
//! let cell = column.answer(path.as_path())?;
//! assert_eq!((cell.verdict(), cell.line()), ("disallowed", Some(2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "api")]
pub mod api;
pub mod body_fault;
pub mod census;
pub mod check;
pub mod chosen_agent;
pub mod decider;
pub mod dialect;
pub mod diff;
pub mod draw;
pub mod explain;
#[cfg(feature = "fetch")]
pub mod fetched;
pub mod format;
pub mod identity;
pub mod known_agent;
pub mod lint;
pub mod matrix;
pub mod mistake;
pub mod obeyed;
pub mod outcome;
pub mod pack_entry;
pub mod path_pattern;
pub mod preferences;
pub mod schema;
pub mod scheme;
pub mod server;
pub mod set;
pub mod shown;
pub mod time;
pub mod token;
pub mod url_path;
#[cfg(feature = "fetch")]
pub mod visit;
