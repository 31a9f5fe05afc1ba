//! `pack remove`: a pack without some of its origins.

use std::collections::HashSet;

use robotsc::origin::Origin;
use robotsc::pack::{PackBuilder, PackOptions};
use robotsc_answers::shown;

use super::args::RemoveArgs;
use super::build::{check_output, finish, settings};
use super::skipped::Skipped;
use super::{failed, name, open};
use crate::failure::{End, Failure, complain};
use crate::io::origin::no_origin;
use crate::lists::urls::Urls;

/// Runs the command.
pub(super) fn remove(args: &RemoveArgs) -> Result<End, Failure> {
    args.list.check(args.origins.is_empty() || !args.list.files.is_empty())?;
    check_output(&[], &args.write)?;
    let mut removed: HashSet<Vec<u8>> = HashSet::new();
    let mut urls = Urls::new(args.origins.clone(), args.list.lists())?;
    while urls.advance()? {
        let read = |url: &[u8]| {
            Origin::of_url(url).map_err(|error| format!("{}: {}", shown::cut(url, 120), no_origin(url, error)))
        };
        let origin = urls.url().and_then(read);
        let origin = origin.map_err(|reason| Failure::new(format_args!("no origin: {}", urls.problem(reason))))?;
        removed.insert(origin.as_bytes().to_vec());
    }
    if removed.is_empty() {
        return Err(Failure::new("no origin: the lists are empty: give a file with one URL or origin on each line"));
    }
    let pack = open(&args.pack)?;
    let missing = removed.iter().filter(|origin| pack.get(origin).is_none()).count();
    if missing == removed.len() {
        return Err(Failure::new(format_args!(
            "nothing to remove: {}: it holds none of these origins: 'robotsc pack dump' lists what it holds",
            name(&args.pack)
        )));
    }
    if missing > 0 {
        complain(&format!("{missing} of {} origins are not in {}", removed.len(), name(&args.pack)));
    }
    let output = &args.write.output;
    let options = settings(PackOptions::from(&pack), &args.write);
    let mut builder = PackBuilder::new(options, output).map_err(|error| failed(output, &error))?;
    let pushed =
        builder.push_pack_where(&pack, |origin| !removed.contains(origin)).and_then(|()| pack.check_unchanged());
    pushed.map_err(|error| failed(&args.pack, &error))?;
    finish(builder, &Skipped::default(), &args.write)
}
