//! `pack`: builds, updates, merges, cuts, checks and shows policy packs.

use std::io::{self, ErrorKind};
use std::path::Path;

use robotsc::outcome::Time;
use robotsc::pack::{Pack, PackError};
use robotsc_answers::shown;

use self::args::{PackArgs, PackCommand};
#[cfg(feature = "fetch")]
pub(crate) use self::build::update;
use crate::failure::{End, Failure, complain, io_cause};

pub(crate) mod args;
mod build;
pub(crate) mod capture;
mod dump;
mod get;
mod remove;
pub(crate) mod skipped;
mod stats;

/// Runs the command.
pub(crate) fn pack(args: &PackArgs) -> Result<End, Failure> {
    match &args.command {
        PackCommand::Build(args) => build::build(args),
        PackCommand::Update(args) => build::update(args),
        PackCommand::Merge(args) => build::merge(args),
        PackCommand::Remove(args) => remove::remove(args),
        PackCommand::Verify(args) => stats::verify(args),
        PackCommand::Dump(args) => dump::dump(args),
        PackCommand::Stats(args) => stats::stats(args),
        PackCommand::Get(args) => get::get(args),
    }
}

/// Opens a pack. From then on a pack that can no longer be read ends the command with a message.
pub(crate) fn open(path: &Path) -> Result<Pack, Failure> {
    check_no_folder(path)?;
    robotsc::pack::exit_on_bus_error();
    Pack::open(path).map_err(|error| failed(path, &error))
}

/// Checks that a pack that is to be read is no folder, of which one can be built.
fn check_no_folder(path: &Path) -> Result<(), Failure> {
    match path.is_dir() {
        true => Err(Failure::new(format_args!(
            "no pack: {}: it is a folder: build a pack from it with 'robotsc pack build'",
            name(path)
        ))),
        false => Ok(()),
    }
}

/// Warns of a pack that holds mostly what expired.
pub(crate) fn warn_of_expired(path: &Path, pack: &Pack, now: Time) {
    let expired = pack.expired_part(now);
    if expired > 0.5 {
        complain(&format!(
            "warning: {}: about {:.0} % of its origins expired more than 30 days ago, and are unknown: fetch them \
             again",
            name(path),
            expired * 100.0
        ));
    }
}

/// As [`open`], without a look at the checksums.
pub(crate) fn open_trusted(path: &Path) -> Result<Pack, Failure> {
    check_no_folder(path)?;
    robotsc::pack::exit_on_bus_error();
    Pack::open_trusted(path).map_err(|error| failed(path, &error))
}

/// Returns the error of a pack, with its file if it does not name one.
pub(crate) fn failed(path: &Path, error: &PackError) -> Failure {
    match error.is_io() {
        true => {
            let cause = std::error::Error::source(error).and_then(|source| source.downcast_ref::<io::Error>());
            let way_out = match cause.map(io::Error::kind) {
                Some(ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded) => {
                    "make room there, or write to another disk with -o: the old pack stays"
                }
                Some(ErrorKind::NotFound) => {
                    "give a pack that is there, or make one with 'robotsc pack build' in a folder that is there"
                }
                _ => "give a file that can be read, or a folder that can be written",
            };
            let Some(cause) = cause else { return Failure::new(format_args!("{error}: {way_out}")) };
            // The cause comes after what was done and the name of the file.
            let message = error.to_string();
            let what = message.strip_suffix(&format!(": {cause}")).unwrap_or(&message);
            Failure::new(format_args!("{what}: {}: {way_out}", io_cause(cause)))
        }
        false => Failure::new(format_args!("bad pack: {}: {error}", name(path))),
    }
}

/// Returns a path for messages.
fn name(path: &Path) -> String {
    shown::bytes(path.as_os_str().as_encoded_bytes())
}
