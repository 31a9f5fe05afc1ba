//! The file that a command is about: a robots.txt, a compiled program, standard input, or the robots.txt of a site.

use std::ffi::OsStr;
use std::path::Path;

use robotsc::origin::Origin;
use robotsc::robots_txt::BodyKind;
use robotsc::{Dialect, RobotsTxt};
use robotsc_answers::set::{Options, remove};
use robotsc_answers::shown;

use crate::command_line::network::NetworkArgs;
use crate::command_line::options::ROBOTS_TXT;
use crate::failure::Failure;
use crate::io::file_kind::{FileKind, check_is_robots};
use crate::io::files;
#[cfg(feature = "fetch")]
use crate::io::network::read_site;
use crate::io::output;

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Source {
    /// Its name, for messages.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// The site that it was fetched from: its rules are for no other.
    pub(crate) site: Option<Origin>,
}

impl Source {
    /// Reads a file, standard input if the name is `-`, or the robots.txt of a site if it is a URL.
    ///
    /// # Errors
    /// If it is missing, a directory, not readable, or larger than 64 MiB; of a site, if its answer is no robots.txt
    /// under one of the dialects.
    pub(crate) fn read(name: &OsStr, network: &NetworkArgs, dialects: &[&Dialect]) -> Result<Self, Failure> {
        if files::is_url(name) {
            let (origin, bytes) = read_site(name, network, dialects)?;
            return Ok(Self { name: origin.robots_url(), bytes, site: Some(origin) });
        }
        if is_host(name) && !Path::new(name).exists() {
            let shown = shown::bytes(name.as_encoded_bytes());
            return Err(Failure::new(format_args!(
                "cannot read: {shown}: no such file or directory: for the robots.txt of a site write https://{shown}"
            )));
        }
        Self::read_file(name)
    }

    /// Reads a file, or standard input if the name is `-`.
    ///
    /// # Errors
    /// If it is missing, a directory, not readable, or larger than 64 MiB.
    pub(crate) fn read_file(name: &OsStr) -> Result<Self, Failure> {
        let (name, bytes) = files::read(name)?;
        Ok(Self { name, bytes, site: None })
    }

    /// Reads a file that [`Source::replace`] is to replace, or standard input.
    ///
    /// # Errors
    /// As [`Source::read`], and if it is a pipe, which would wait for a writer and cannot be read again, or a device.
    pub(crate) fn read_to_replace(name: &OsStr, network: &NetworkArgs, dialects: &[&Dialect]) -> Result<Self, Failure> {
        Self::check_can_be_replaced(name)?;
        Self::read(name, network, dialects)
    }

    /// As [`Source::read_to_replace`], without sites; if it is not replaced, it can be a pipe.
    ///
    /// # Errors
    /// As [`Source::read_to_replace`], and if the name is a URL.
    pub(crate) fn read_file_to_edit(name: &OsStr, is_replaced: bool) -> Result<Self, Failure> {
        if files::is_url(name) {
            // Not the URL, which can hold a password.
            return Err(Failure::new(format_args!(
                "not a file: the URL: what is written is a file: save the robots.txt of the site first, such as with \
                 'curl -fo {ROBOTS_TXT} URL'"
            )));
        }
        if is_replaced {
            Self::check_can_be_replaced(name)?;
        }
        Self::read_file(name)
    }

    /// Checks that this is a robots.txt, unless that is forced. `edit` is what is to be done with it.
    ///
    /// # Errors
    /// If standard input is empty, or it is something else, such as an HTML page, whatever a block of `set` says.
    pub(crate) fn check_can_be_edited(&self, file: &OsStr, is_forced: bool, edit: &str) -> Result<(), Failure> {
        if self.bytes.is_empty() && files::is_stdin(file) {
            return Err(Failure::new(
                "not a robots.txt: standard input is empty: see whether the command before it failed",
            ));
        }
        let kind = FileKind::of(&self.name, &self.bytes);
        kind.check_is_text(&self.name)?;
        match kind.suspicion() {
            Some((what, way_out)) if !is_forced => {
                // No line of it can be edited.
                let is_wide = BodyKind::of(&self.bytes, &Dialect::GOOGLE) == BodyKind::Utf16;
                let or = if is_wide { String::new() } else { format!(", or {edit} it as it is with --force") };
                Err(Failure::new(format_args!("not a robots.txt: {}: {what}: {way_out}{or}", self.name)))
            }
            _ if is_forced => Ok(()),
            _ => {
                // A block would make a robots.txt of what is none.
                let outside =
                    remove(&self.bytes, Options { replace_edited: true }).unwrap_or_else(|_| self.bytes.clone());
                check_is_robots(&self.name, &RobotsTxt::parse(&outside), edit)
            }
        }
    }

    fn check_can_be_replaced(name: &OsStr) -> Result<(), Failure> {
        if !files::is_stdin(name)
            && let Err(error) = files::check_is_file(Path::new(name))
        {
            let way_out = "name a file, which is replaced, or give - for standard input";
            return Err(Failure::io("cannot read", &shown::bytes(name.as_encoded_bytes()), &error, way_out));
        }
        Ok(())
    }

    /// Replaces the file that this was read from, whole or not at all.
    ///
    /// # Errors
    /// If it was edited since, or cannot be written.
    pub(crate) fn replace(&self, file: &OsStr, body: &[u8]) -> Result<(), Failure> {
        if Self::read_file(file)?.bytes != self.bytes {
            return Err(Failure::new(format_args!(
                "changed meanwhile: {}: it was edited while the new text was proved: run the command again",
                self.name
            )));
        }
        output::write_whole(Path::new(file), body)
    }
}

#[cfg(not(feature = "fetch"))]
fn read_site(_: &OsStr, _: &NetworkArgs, _: &[&Dialect]) -> Result<(Origin, Vec<u8>), Failure> {
    // Not the URL, which can hold a password.
    Err(Failure::new(
        "cannot fetch: the URL: this build has no 'fetch': give a file, or build robotsc-cli with '--features fetch'",
    ))
}

/// Reports whether a name is like that of a host, with or without a path: `www.shop.example`, not `robots.txt`.
fn is_host(name: &OsStr) -> bool {
    const FILES: [&str; 8] = ["bak", "html", "json", "new", "old", "pack", "ron", "txt"];
    let Some(name) = name.to_str() else { return false };
    let host = name.split('/').next().unwrap_or_default();
    let Some((before, last)) = host.rsplit_once('.') else { return false };
    let is_label = last.len() > 1 && last.bytes().all(|byte| byte.is_ascii_alphabetic());
    // No user information, which would be repeated.
    let is_name = before.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    !before.is_empty() && !before.starts_with('.') && is_name && is_label && !FILES.contains(&last)
}
