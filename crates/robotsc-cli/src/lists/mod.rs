//! Lists of URLs: the one reader of lines, CSV and JSON, and of sitemaps.

pub(crate) mod blocks;
pub(crate) mod csv;
pub(crate) mod first_line;
pub(crate) mod format;
pub(crate) mod input;
pub(crate) mod json;
pub(crate) mod layout;
pub(crate) mod lines;
pub(crate) mod marks;
pub(crate) mod pipe;
pub(crate) mod sitemap;
mod sitemap_index;
pub(crate) mod text;
pub(crate) mod urls;
