//! Where data comes from and goes to: files, sites, standard streams, and the forms of output that commands share.

pub(crate) mod contents;
pub(crate) mod decode;
pub(crate) mod file_id;
pub(crate) mod file_kind;
pub(crate) mod files;
pub(crate) mod fit;
pub(crate) mod html;
pub(crate) mod in_order;
pub(crate) mod markdown;
#[cfg(feature = "fetch")]
pub(crate) mod network;
pub(crate) mod new_file;
pub(crate) mod origin;
pub(crate) mod output;
pub(crate) mod patch;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod source;
pub(crate) mod stop;
pub(crate) mod table;
